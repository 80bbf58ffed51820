/* The inner loops of everything: products with one column.
 *
 * Sums run in eight fixed lanes that are added in a fixed order, so that a result does not depend
 * on which vector instructions the machine has. */
#ifndef DATA_KERNELS_H
#define DATA_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* a'b over n values. */
double kernel_dot(const double *a, const double *b, size_t n);
/* y += a x over n values. */
void kernel_axpy(double a, const double *x, double *y, size_t n);
/* out[k] = x_k'v for four columns stored one after the other, n values each: v is read once. */
void kernel_dot4(const double *x, const double *v, size_t n, double out[4]);
/* The same with a sparse first vector: `count` values at ascending rows. */
double kernel_sparse_dot(const uint32_t *rows, const double *values, size_t count, const double *v);
void kernel_sparse_axpy(double a, const uint32_t *rows, const double *values, size_t count,
                        double *y);

#endif
