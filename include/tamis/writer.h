/* Writing data sets. Formats are a table; the format follows from the file's name unless given.
 *
 * What is written reads back as the same data: numbers in the fewest digits that give the same
 * double, classes by their original labels. Formats for a single matrix (mtx, npy) store the
 * response in a second file: the response of X.npy is in X_response.npy, where the reader looks for
 * it. */
#ifndef TAMIS_WRITER_H
#define TAMIS_WRITER_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"

typedef struct tm_writer_info {
    const char *id;         /* "libsvm" */
    const char *summary;    /* one line */
    const char *extensions; /* suffixes that choose it: ".svm .libsvm" */
    bool text_labels;       /* classes may be words; otherwise words are written as -1 and 1 */
    bool names;             /* features and response keep their names */
    bool response_apart;    /* the response is in a separate file */
    bool notes;             /* keeps the notes of the data, also of what they are a part */
} tm_writer_info;

/* The formats in their order; NULL past the end. */
const tm_writer_info *tm_writer_at(size_t i);

/* Writes all of them as text, "libsvm, csv or tsv", or with `endings` the first suffix of each, to
 * `text`, which is returned. */
const char *tm_writer_list(bool endings, char *text, size_t size);

typedef struct tm_write_options {
    const char *format; /* id of a format of tm_writer_at; NULL: by the name of the file */
    tm_cancel *cancel;  /* or NULL */
} tm_write_options;

/* The format that tm_write would use, or NULL and TM_EUSAGE in `err`. */
const tm_writer_info *tm_writer_find(const char *path, const char *format, tm_error *err);

/* Whether both classes of two-class data have numeric labels, which every format supports. */
bool tm_writer_numeric_labels(const tm_dataset *data);

/* Writes `data` to `path` ("-": standard output). A name that ends in .gz, .bz2, .xz, .zst or .lz4
 * is compressed. Files are written under a temporary name and renamed, so that a failure leaves the
 * old file. `options` may be NULL. */
tm_status tm_write(const tm_dataset *data, const char *path, const tm_write_options *options,
                   tm_error *err);

#endif
