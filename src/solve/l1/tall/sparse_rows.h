/* What a pass computes with sparse rows, stored row by row. */
#ifndef SOLVE_L1_TALL_SPARSE_ROWS_H
#define SOLVE_L1_TALL_SPARSE_ROWS_H

#include "data/matrix/row_copy.h"

/* Some of the rows. */
typedef struct sparse_rows {
    const row_copy *of;
    size_t from, count;
} sparse_rows;

/* tiles_add and tiles_dot of such rows: with weights and sums of the same form, of which the first
 * of the eight partial sums is added to. */
void sparse_rows_add(const sparse_rows *rows, const double *weights, double *z, size_t stride);
void sparse_rows_dot(const sparse_rows *rows, const double *u, size_t stride, double *sums);

/* Adds h_i times the products of the values of row i, with a last one of 1, to the upper triangle
 * of (p + 1) x (p + 1). */
void sparse_rows_products(const sparse_rows *rows, const double *h, double *triangle);
/* Adds `weight` times the squares of the distances from the means (NULL: 0) to those of p
 * columns. */
void sparse_rows_squares(const sparse_rows *rows, double weight, const double *means,
                         double *squares);

#endif
