/* Iterates over the rows of a matrix, for formats that are written row by row. */
#ifndef DATA_WRITE_ROW_WALK_H
#define DATA_WRITE_ROW_WALK_H

#include "tamis/matrix.h"

typedef struct row_view {
    size_t count;
    const uint32_t *features; /* ascending from 0; NULL: all of them */
    const double *values;     /* count values, valid until the next row */
} row_view;

typedef struct row_walk {
    const tm_matrix *x;
    size_t row;
    /* Sparse: a row-major copy of the matrix. Dense: a block of rows. */
    uint64_t *starts;
    uint32_t *features;
    double *values;
    size_t block, block_rows;
    double *scratch; /* scratch for a column */
} row_walk;

/* Allocates the entries of a sparse matrix, or a block of rows of a dense one. */
tm_status row_walk_open(row_walk *walk, const tm_matrix *x, tm_error *err);
/* Returns row walk->row, which must exist, and moves to the next. */
row_view row_walk_next(row_walk *walk);
void row_walk_close(row_walk *walk);

#endif
