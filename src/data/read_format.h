/* What a file format offers to tm_read: one file each, listed in read.c. */
#ifndef DATA_READ_FORMAT_H
#define DATA_READ_FORMAT_H

#include "data/input.h"
#include "tamis/dataset.h"

typedef enum read_header {
    HEADER_AUTO,
    HEADER_YES,
    HEADER_NO,
} read_header;

/* The options of tm_reader_params that formats look at. */
typedef struct read_request {
    const char
        *label; /* column of the response, name or number from 1; NULL: the format's choice */
    read_header header;
    uint64_t features; /* at least this many columns */
} read_request;

/* What a format fills in; read.c adds the name and makes the data set. What is filled in is freed
 * by read.c, also after a failure. */
typedef struct read_result {
    tm_dataset_parts parts;
    char note[512];
} read_result;

typedef tm_status read_function(read_result *result, input *in, const read_request *request,
                                tm_error *err);

read_function read_libsvm;
read_function read_csv;

/* Whether a column of this name is taken for the response when none is named. */
bool read_csv_usual_response(const char *name);

#endif
