/* The steps of tm_read that have files of their own. */
#ifndef DATA_READ_STEPS_H
#define DATA_READ_STEPS_H

#include "data/read/common/format.h"

/* Finds the format from the text at the window's start. */
tm_status read_detect(const read_format **format, input *in);

/* Refuses options that are for other formats. `name` is of the data, for messages. */
tm_status read_check_options(const read_format *format, const char *name, const tm_params *params,
                             tm_error *err);

/* Keeps in `reading` which of the options given concern the columns. */
tm_status read_keep_options(tm_reading *reading, const read_format *format, const tm_params *params,
                            tm_error *err);
/* The same options where a file is read like the one of this reading, unless `params` say something
 * else. */
tm_status read_take_options(tm_params *params, const read_format *format, const char *name,
                            const tm_reading *like, tm_error *err);

/* The response and the width, where the format has left them open, and a response in a file of its
 * own. LIBSVM and CSV take care of both themselves, unless the response is a file. */
tm_status read_complete(read_result *result, const read_request *request, tm_error *err);

/* Zeros in place of a response, which is not there. */
tm_status read_forget_response(read_result *result, tm_error *err);

/* The features' names, from a file of their own. A file of names that was found beside the data and
 * does not fit them is no error. */
tm_status read_find_names(read_result *result, const read_request *request, tm_error *err);

/* The rows that files beside the data have lines for. */
typedef struct read_rows {
    size_t kept;            /* rows of the data */
    const size_t *left_out; /* rows that the data's file has besides, from 0, ascending */
    size_t left_out_count;
    bool drop; /* a missing value becomes NaN, and its row is left out later */
} read_rows;

static inline read_rows read_rows_of(const read_result *result, const read_request *request)
{
    return (read_rows){
        .kept = tm_matrix_rows(result->parts.x),
        .left_out = result->left_out,
        .left_out_count = result->left_out_count,
        .drop = read_missing_option(request) == MISSING_DROP,
    };
}

/* What becomes of missing values, which formats leave as NaN. */
tm_status read_treat_missing(read_result *result, const read_request *request, tm_error *err);

/* Reads the response of each of these rows from a file of its own: text of one number a line, or
 * one word (as of class_texts_finish); a matrix of one column. Goes into parts->y, which is NULL
 * before, and the classes' words with it, also on failure. */
tm_status read_response_file(tm_dataset_parts *parts, const read_rows *rows, const input_spec *spec,
                             tm_error *err);
/* The same for numbers that are something else, `what` in messages; *out is the caller's. */
tm_status read_numbers_file(double **out, const char *what, const read_rows *rows,
                            const input_spec *spec, tm_error *err);

/* Names of features from a file of their own, one a line; *out has *count of them, the caller's to
 * free with text_list_free. */
tm_status read_names_file(char ***out, size_t *count, const input_spec *spec, tm_error *err);

/* Forgets the name of feature j, whose column has left the matrix. */
void read_drop_feature(tm_dataset_parts *parts, size_t j);

/* Whether a column is called `text`: X17 where there are no names. */
bool read_has_column(const tm_dataset_parts *parts, const char *text);

/* Numbers for the rows, into *out (the caller's): the column that `option` names, which leaves the
 * features, or the file of that name, as read_numbers_file reads it. */
tm_status read_row_numbers(double **out, read_result *result, const read_request *request,
                           const char *option, tm_error *err);

#endif
