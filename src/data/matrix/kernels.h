/* The inner loops of all methods: products with one column.
 *
 * Sums are accumulated in eight fixed lanes that are added in a fixed order, so that the result
 * does not depend on the vector instructions of the machine. Values in single precision and packed
 * genotypes are widened on loading and added in the same order, so that they give the same bits as
 * the equivalent doubles. */
#ifndef DATA_MATRIX_KERNELS_H
#define DATA_MATRIX_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer sums are made of parts of so many rows, and what the additions of these lose is kept.
 * Plain lanes lose more than 5e-14 of a million equal terms, which test_many_equal_terms forbids;
 * on ten million they lost up to 1.3e-11, and these 6e-15. */
enum { SUM_ROWS = 4096 };

/* The rows of the part that begins with row i. */
static inline size_t part_rows(size_t i, size_t n)
{
    return n - i < SUM_ROWS ? n - i : SUM_ROWS;
}

/* a'b over n values. */
double kernel_dot(const double *a, const double *b, size_t n);
/* y += a x over n values. */
void kernel_axpy(double a, const double *x, double *y, size_t n);
/* The same for four columns, one after the other, with the same bits: y is read once. */
void kernel_axpy4(const double a[4], const double *const x[4], double *y, size_t n);
/* out[k] = x_k'v for four columns of n values, at a distance of `stride` values: v is read once. */
void kernel_dot4(const double *x, size_t stride, const double *v, size_t n, double out[4]);
/* The same for the values of a column at n given `rows`. */
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

/* Genotypes as packed by PLINK: four samples in a byte, the first in the low bits; 0 is two copies
 * of the counted allele, 1 missing, 2 one copy, 3 none. `missing` is the value used for a missing
 * one. */
double kernel_genotype_dot(const uint8_t *packed, double missing, const double *v, size_t n);
void kernel_genotype_axpy(double a, const uint8_t *packed, double missing, double *y, size_t n);
void kernel_genotype_unpack(const uint8_t *packed, double missing, double *out, size_t n);

#endif
