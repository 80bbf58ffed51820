/* Reading data: LIBSVM, CSV, Matrix Market and NumPy's .npy and .npz, plain or compressed (gz, bz2,
 * xz, zst, lz4, or as the only file of a zip archive), from a file or standard input. Formats are a
 * table; the format is detected from the content unless given. Every malformed input is one
 * TM_EDATA error with file, line and column. */
#ifndef TAMIS_READER_H
#define TAMIS_READER_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"
#include "tamis/params.h"

typedef struct tm_reader_info {
    const char *id;      /* "libsvm" */
    const char *summary; /* one line */
} tm_reader_info;

/* The formats in their order; NULL past the end. */
const tm_reader_info *tm_reader_at(size_t i);

/* The options of tm_read as a parameter table: format (choice: auto or an id of tm_reader_at),
 * label (text: a column name, or its number from 1), response (text: the file of a response, in any
 * data format; for a matrix without one, X_response.EXT is used if it exists next to X.EXT), header
 * (choice auto, true, false), missing (choice error, mean, drop), base (LIBSVM: choice auto, 0, 1),
 * columns (int: at least this many), max_bytes (int: limit on the decompressed size). */
const tm_param_info *tm_reader_params(size_t *count);

/* Progress while reading: bytes decompressed so far, and the fraction of the file consumed (0..1,
 * negative when unknown). Called from the reading thread, at most a few tens of times a second. */
typedef void tm_read_progress(uint64_t bytes, double share, void *payload);

typedef struct tm_read_options {
    const tm_params *params;    /* from tm_reader_params, or NULL for the defaults */
    tm_cancel *cancel;          /* or NULL */
    tm_read_progress *progress; /* or NULL */
    void *payload;
    bool unlabelled; /* there is no response: every column is a feature, and y is all zeros */
    /* Applies the reading of another file (tm_dataset_reading) to this one, instead of determining
     * from this file how features are numbered, the replacements of missing values, and the text
     * values that have a feature (others are rejected, by name). NULL: everything is determined
     * from this file. */
    const tm_reading *like;
    /* With `like`, and without label and response: a response that is missing, or missing in some
     * rows, is not an error and gives data without one (see tm_reading_file.unlabelled). */
    bool may_lack;
} tm_read_options;

#define TM_READ_OPTIONS_INIT                                                                       \
    {                                                                                              \
        NULL, NULL, NULL, NULL, false, NULL, false                                                 \
    }

/* Reads `path` ("-": standard input) into a new data set named after the file. Peak memory is at
 * most a small multiple of the result. `options` may be NULL. */
tm_status tm_read(tm_dataset **out, const char *path, const tm_read_options *options,
                  tm_error *err);
/* The same for bytes in memory; `name` is used as the name of the file in messages. */
tm_status tm_read_memory(tm_dataset **out, const void *bytes, size_t size, const char *name,
                         const tm_read_options *options, tm_error *err);

#endif
