/* The steps of tm_read that are in separate files. */
#ifndef DATA_READ_STEPS_H
#define DATA_READ_STEPS_H

#include "data/read/common/format.h"

/* Detects the format from the text at the window's start. */
tm_status read_detect(const read_format **format, input *in);

/* Rejects options that are for other formats. `name` is that of the data, for messages. */
tm_status read_check_options(const read_format *format, const char *name, const tm_params *params,
                             tm_error *err);

/* Records in `reading` the given options that concern the columns. */
tm_status read_keep_options(tm_reading *reading, const read_format *format, const tm_params *params,
                            tm_error *err);
/* Sets the same options for a file that is read like the one of this reading, unless `params` sets
 * them. */
tm_status read_take_options(tm_params *params, const read_format *format, const char *name,
                            const tm_reading *like, tm_error *err);

/* Completes the response and the width if the format has not, and reads a response from a separate
 * file. LIBSVM and CSV handle both themselves, unless the response is a file. */
tm_status read_complete(read_result *result, const read_request *request, tm_error *err);

/* Replaces a missing response by zeros. */
tm_status read_forget_response(read_result *result, tm_error *err);

/* Reads the features' names from a separate file. A file of names that was found next to the data
 * and does not fit them is not an error. */
tm_status read_find_names(read_result *result, const read_request *request, tm_error *err);

/* The rows that accompanying files have lines for. */
typedef struct read_rows {
    size_t kept;            /* rows of the data */
    const size_t *left_out; /* rows that the data file has in addition, from 0, ascending */
    size_t left_out_count;
    bool drop; /* a missing value becomes NaN, and its row is removed later */
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

/* Treats missing values, which formats leave as NaN. */
tm_status read_treat_missing(read_result *result, const read_request *request, tm_error *err);

/* Reads the response of each of these rows from a separate file: text of one number on each line,
 * or one word (as for class_texts_finish); or a matrix of one column. Stores it in parts->y, which
 * must be NULL, and the words of classes with it, also on failure. */
tm_status read_response_file(tm_dataset_parts *parts, const read_rows *rows, const input_spec *spec,
                             tm_error *err);
/* The same for numbers other than a response, named `what` in messages; the caller frees *out. */
tm_status read_numbers_file(double **out, const char *what, const read_rows *rows,
                            const input_spec *spec, tm_error *err);

/* Reads names of features from a separate file, one on each line; *out has *count of them, which
 * the caller frees with text_list_free. */
tm_status read_names_file(char ***out, size_t *count, const input_spec *spec, tm_error *err);

/* Removes the name of feature j, whose column has been removed from the matrix. */
void read_drop_feature(tm_dataset_parts *parts, size_t j);

/* Whether a column is called `text`, or X17 when there are no names. */
bool read_has_column(const tm_dataset_parts *parts, const char *text);

/* Numbers for the rows, in *out (freed by the caller): the column named by `option`, which is
 * removed from the features, or the file of that name, as read by read_numbers_file. */
tm_status read_row_numbers(double **out, read_result *result, const read_request *request,
                           const char *option, tm_error *err);

#endif
