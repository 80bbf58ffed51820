/* The inner loops over a copy in bytes. */
#ifndef DATA_BYTES_BYTE_KERNELS_H
#define DATA_BYTES_BYTE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* q'v over n values, with entries of v of at most 16383: exact. */
int64_t kernel_byte_dot(const int8_t *q, const int16_t *v, size_t n);
/* The least and the greatest of n > 0 values. */
void kernel_range(const double *x, size_t n, double *low, double *high);
/* (x_i - centre) scale, at most 127, rounded to whole numbers; returns the sum of squares of what
 * the rounding left. */
double kernel_to_bytes(const double *x, size_t n, double centre, double scale, int8_t *out);

#endif
