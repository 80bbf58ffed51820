/* The inner loops of everything: products with one column.
 *
 * Sums run in eight fixed lanes that are added in a fixed order, so that a result does not depend
 * on which vector instructions the machine has. Values in single precision and packed genotypes
 * are widened on the way and added in the same order, so that they give the same bits as the
 * doubles they stand for. */
#ifndef DATA_MATRIX_KERNELS_H
#define DATA_MATRIX_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a'b over n values. */
double kernel_dot(const double *a, const double *b, size_t n);
/* y += a x over n values. */
void kernel_axpy(double a, const double *x, double *y, size_t n);
/* out[k] = x_k'v for four columns of n values, each `stride` values after the one before: v is read
 * once. */
void kernel_dot4(const double *x, size_t stride, const double *v, size_t n, double out[4]);
/* The same for the n values of a column at `rows`. */
double kernel_dot_at(const double *x, const uint32_t *rows, const double *v, size_t n);
void kernel_dot4_at(const double *x, size_t stride, const uint32_t *rows, const double *v, size_t n,
                    double out[4]);
/* The same with a sparse first vector: `count` values at ascending rows. */
double kernel_sparse_dot(const uint32_t *rows, const double *values, size_t count, const double *v);
void kernel_sparse_axpy(double a, const uint32_t *rows, const double *values, size_t count,
                        double *y);

/* The same for values in single precision. */
double kernel_dot_f32(const float *a, const double *b, size_t n);
void kernel_axpy_f32(double a, const float *x, double *y, size_t n);
void kernel_dot4_f32(const float *x, size_t stride, const double *v, size_t n, double out[4]);
double kernel_dot_at_f32(const float *x, const uint32_t *rows, const double *v, size_t n);
void kernel_dot4_at_f32(const float *x, size_t stride, const uint32_t *rows, const double *v,
                        size_t n, double out[4]);
double kernel_sparse_dot_f32(const uint32_t *rows, const float *values, size_t count,
                             const double *v);
void kernel_sparse_axpy_f32(double a, const uint32_t *rows, const float *values, size_t count,
                            double *y);

/* Genotypes as PLINK packs them: four samples a byte, the first in the low bits; 0 is two copies of
 * the counted allele, 1 missing, 2 one copy, 3 none. `missing` is the value of a missing one. */
double kernel_genotype_dot(const uint8_t *packed, double missing, const double *v, size_t n);
void kernel_genotype_axpy(double a, const uint8_t *packed, double missing, double *y, size_t n);
void kernel_genotype_unpack(const uint8_t *packed, double missing, double *out, size_t n);

#endif
