/* Kernel expansions: the sums that predictions and certificates of support vectors are made of. */
#ifndef MODEL_KERNEL_KERNEL_SUMS_H
#define MODEL_KERNEL_KERNEL_SUMS_H

#include "model/kernel/kernel_rows.h"
#include "tamis/cancel.h"

/* out[i] = sum_j coef_j k(x_j, y_i) for the rows x_j of `from` and y_i of `at`, which have the same
 * kernel; columns that `at` lacks are zero there. Rows with a coef_j of 0 cost nothing. `threads`
 * share the rows of `at`, which changes no bit. TM_ECANCELLED when told to stop. */
tm_status kernel_sums(const kernel_rows *from, const double *coef, const kernel_rows *at,
                      int threads, const tm_cancel *cancel, double *out, tm_error *err);

#endif
