/* Rows of a matrix, and the kernel of these rows with a point. */
#ifndef MODEL_KERNEL_KERNEL_ROWS_H
#define MODEL_KERNEL_KERNEL_ROWS_H

#include "data/matrix/row_copy.h"
#include "model/kernel/kernel.h"

typedef struct kernel_rows {
    kernel of;
    row_copy rows;
    double *squares;  /* n: |x_i|^2 */
    uint64_t entries; /* total number of entries */
} kernel_rows;

tm_status kernel_rows_make(kernel_rows *out, const tm_matrix *x, const kernel *of, tm_error *err);
void kernel_rows_clear(kernel_rows *k);
/* Computes the fields that depend on `of` and `rows`. TM_ENOMEM when memory ran out. */
tm_status kernel_rows_finish(kernel_rows *k, tm_error *err);

/* Scatters row i into `point` (p values that are zero), and the second clears it again; dense rows
 * need neither, and a pointer to them is returned. */
const double *kernel_rows_spread(const kernel_rows *k, size_t i, double *point);
void kernel_rows_unspread(const kernel_rows *k, size_t i, double *point);

/* x_i'v for v of p values. */
double kernel_rows_dot(const kernel_rows *k, size_t i, const double *v);
/* v += a x_i. */
void kernel_rows_axpy(const kernel_rows *k, size_t i, double a, double *v);

/* out[e] = k(point, x_which[e]); which NULL: rows 0 .. count-1. `square` is |point|^2. `room` is
 * scratch for `count` values. */
void kernel_rows_values(const kernel_rows *k, const double *point, double square,
                        const size_t *which, size_t count, double *room, double *out);

#endif
