/* A row-major copy of a matrix, for methods that process samples one by one. */
#ifndef DATA_MATRIX_ROW_COPY_H
#define DATA_MATRIX_ROW_COPY_H

#include "tamis/matrix.h"

typedef struct row_copy {
    size_t n, p;
    uint64_t *starts;  /* n + 1; NULL: dense, row i at values + i p */
    uint32_t *columns; /* column of each value, ascending within a row; NULL: dense */
    double *values;
} row_copy;

tm_status row_copy_make(row_copy *out, const tm_matrix *x, tm_error *err);
/* Whatever the matrix is, sparse or dense; `sparse` only for one that is. */
tm_status row_copy_make_as(row_copy *out, const tm_matrix *x, bool sparse, tm_error *err);
void row_copy_clear(row_copy *rows);

/* Row i: its values, their number, and their columns (NULL: all of them in order). */
static inline size_t row_copy_row(const row_copy *rows, size_t i, const double **values,
                                  const uint32_t **columns)
{
    size_t from = rows->starts ? rows->starts[i] : i * rows->p;
    *values = rows->values + from;
    *columns = rows->columns ? rows->columns + from : NULL;
    return rows->starts ? rows->starts[i + 1] - from : rows->p;
}

#endif
