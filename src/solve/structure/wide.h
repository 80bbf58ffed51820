/* Normal equations of many features whose terms are local:
 *
 *     X'HX + sum_k d_k d_k' / weight_k,   H diagonal and not negative,
 *
 * with an intercept as one more column. In a suitable order of the features the terms have a narrow
 * band, and with them rows of X that have few entries. Other rows are of low rank: they are added
 * by the formula of Sherman, Morrison and Woodbury, and conjugate gradients correct what rounding
 * leaves of it. */
#ifndef SOLVE_STRUCTURE_WIDE_H
#define SOLVE_STRUCTURE_WIDE_H

#include "tamis/error.h"
#include "tamis/matrix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wide_system wide_system;

/* Sparse rows, as in dense_terms. */
typedef struct wide_rows {
    size_t count;
    const size_t *starts;
    const uint32_t *cols;
    const double *values;
} wide_rows;

/* x: n x p; NULL: the identity of size p. What the arguments point to must outlive it. TM_EUSAGE
 * when neither a band nor the rows fit into memory. */
tm_status wide_new(wide_system **out, const tm_matrix *x, size_t n, size_t p,
                   const wide_rows *terms, tm_error *err);
void wide_free(wide_system *s);

/* z += X c; out = X'a. */
void wide_multiply(const wide_system *s, const double *c, double *z);
void wide_transposed(const wide_system *s, const double *a, double *out);

/* h: n; weights: one for each term. False when rounding has made the matrix indefinite. */
bool wide_factorise(wide_system *s, const double *h, const double *weights, bool intercept);
/* Overwrites the right-hand side (p values, and one for the intercept) with the solution. */
void wide_solve(wide_system *s, double *right);
/* Multiply-adds of one factorisation. */
uint64_t wide_work(const wide_system *s);

#endif
