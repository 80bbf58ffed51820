/* Linear systems with a Cholesky factor. */
#ifndef BASE_NUMERIC_CHOLESKY_H
#define BASE_NUMERIC_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Solves L L'x = right in place, for n values. L is the lower triangle of `factor`, column-major
 * with columns `leading` values apart, of positive diagonal. One right-hand side is two products
 * with L, which LAPACK's dpotrs, for several, copies first: at n = 350 it takes 79 us, this 22.
 * Returns whether all of x is finite. The thread must have called blas_begin. */
bool cholesky_solve(const double *factor, size_t n, size_t leading, double *right);

#endif
