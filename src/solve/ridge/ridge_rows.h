/* Newton steps of a ridge problem with fewer rows than features, from the rows' inner products. */
#ifndef SOLVE_RIDGE_RIDGE_ROWS_H
#define SOLVE_RIDGE_RIDGE_ROWS_H

#include "tamis/matrix.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ridge_rows {
    size_t n;
    double *products; /* n x n: inner products of the rows, over the scaled columns */
    double *matrix;   /* n x n: I + C M M', factorised */
    double *block;    /* n x ROWS_BLOCK: columns not yet added to the products */
    double *root;     /* n: sqrt(h_i) */
    double *mean;     /* n: the rows' inner products with the weighted mean row */
    size_t filled;    /* columns in `block` */
} ridge_rows;

bool ridge_rows_new(ridge_rows **out, size_t n);
void ridge_rows_free(ridge_rows *q);

/* Recomputes the products: call begin, add for every column with its scale, then end. */
void ridge_rows_begin(ridge_rows *q);
void ridge_rows_add(ridge_rows *q, const tm_matrix *x, size_t j, double scale);
void ridge_rows_end(ridge_rows *q);

/* v, which is X g where X are the scaled columns, is replaced by the vector for which
 *
 *     (I + C X'HX)^-1 g = g - C X'v,
 *
 * with X centred by the weights h when `centred`; the sum of v is then zero. False when the
 * factorisation fails. */
bool ridge_rows_solve(ridge_rows *q, const double *h, double C, bool centred, double *v);

#endif
