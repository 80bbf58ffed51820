/* What a file format offers to tm_read: one file each, listed in read.c. */
#ifndef DATA_READ_COMMON_FORMAT_H
#define DATA_READ_COMMON_FORMAT_H

#include "data/read/common/input.h"
#include "tamis/dataset.h"

typedef enum read_header {
    HEADER_AUTO,
    HEADER_YES,
    HEADER_NO,
} read_header;

typedef enum read_missing {
    MISSING_ERROR,
    MISSING_MEAN, /* the mean of the column */
    MISSING_DROP, /* without the row */
} read_missing;

/* The options of tm_reader_params that formats look at. */
typedef struct read_request {
    const char
        *label; /* column of the response, name or number from 1; NULL: the format's choice */
    read_header header;
    read_missing missing;
    bool one_hot; /* columns of text become indicators */
    int base;     /* number of the first feature, 0 or 1; -1: found from the numbers that occur */
    bool response_apart;    /* the response is in a file of its own, or there is none */
    bool unlabelled;        /* there is none */
    uint64_t features;      /* at least this many columns */
    const char *x, *y;      /* variables of a file that holds several; NULL: the usual names */
    const input_spec *spec; /* what is read */
    const char *path;       /* of a file, for formats that have others beside it; or NULL */
} read_request;

/* What a format fills in (y may stay NULL: the response is somewhere else); read.c adds the name
 * and makes the data set. What is filled in is freed by read.c, also after a failure. */
typedef struct read_result {
    tm_dataset_parts parts;
    bool complete; /* the format has looked at label and features itself, and y is there */
    char note[512];
    char sha256[65]; /* the fingerprint when the format knows it, else "" */
} read_result;

typedef tm_status read_function(read_result *result, input *in, const read_request *request,
                                tm_error *err);

read_function read_libsvm;
read_function read_csv;
read_function read_mtx;
read_function read_npy;
read_function read_npz;

/* Reads the response of each of `n` rows from a file of its own: text of one number a line, or one
 * word (as of class_texts_finish); a Matrix Market file or a NumPy array of one column. Goes into
 * parts->y, which is NULL before, and the classes' words with it, also on failure. */
tm_status read_response_file(tm_dataset_parts *parts, size_t n, const input_spec *spec,
                             tm_error *err);
/* The same for numbers that are something else, `what` in messages; *out is the caller's. */
tm_status read_numbers_file(double **out, const char *what, size_t n, const input_spec *spec,
                            tm_error *err);
/* Whether the text at the window's start is Matrix Market's. */
bool read_mtx_is_next(const input *in);

/* Names of features from a file of their own, one a line; *out has *count of them, the caller's to
 * free. */
tm_status read_names_file(char ***out, size_t *count, const input_spec *spec, tm_error *err);

/* Numbers for the rows, into *out (the caller's): the column called `text`, which leaves the
 * features, or the file of that name, as read_numbers_file reads it. `option` is the name in
 * messages. */
tm_status read_row_numbers(double **out, tm_dataset_parts *parts, const input_spec *of_x,
                           const char *option, const char *text, tm_error *err);

/* Whether a column of this name is taken for the response when none is named. */
bool read_csv_usual_response(const char *name);

#endif
