/* Kernel expansions: the sums used by predictions and by certificates with support vectors. */
#ifndef MODEL_KERNEL_KERNEL_SUMS_H
#define MODEL_KERNEL_KERNEL_SUMS_H

#include "base/threads/team.h"
#include "model/kernel/kernel_rows.h"
#include "tamis/cancel.h"

/* out[i] = sum_j coef_j k(x_j, y_i) for the rows x_j of `from` and y_i of `at`, which have the same
 * kernel; columns that `at` lacks are zero there. Rows with coef_j = 0 cost nothing. `threads`
 * share the rows of `at` without changing a bit. TM_ECANCELLED when the run must stop. */
tm_status kernel_sums(const kernel_rows *from, const double *coef, const kernel_rows *at,
                      thread_team *team, const tm_cancel *cancel, double *out, tm_error *err);

#endif
