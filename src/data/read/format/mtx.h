/* The content of a Matrix Market file. */
#ifndef DATA_READ_FORMAT_MTX_H
#define DATA_READ_FORMAT_MTX_H

#include "data/read/common/build.h"
#include "data/read/common/format.h"

typedef struct mtx_content {
    uint64_t n, p;
    bool coordinate;
    uint64_t entries;      /* that the file holds */
    triplet_list triplets; /* coordinate */
    value_list list;       /* array: n*p values, column after column */
} mtx_content;

/* Symmetric matrices become whole ones. On failure nothing is held. */
tm_status mtx_read(mtx_content *content, input *in, tm_error *err);
void mtx_clear(mtx_content *content);

#endif
