/* The pass over all features that a solver pays for. */
#ifndef SOLVE_COMMON_PRODUCTS_H
#define SOLVE_COMMON_PRODUCTS_H

#include "solve/common/progress.h"

/* out[j] = (x_j - m_j 1)'v for all p features, with m_j the mean of a column when `centred` and 0
 * otherwise; columns that are constant, which an intercept stands for, then have exactly 0. Threads
 * share the pass, which changes no bit. False when told to stop. */
bool products_all(const tm_dataset *data, bool centred, const double *v, double *out,
                  solve_progress *progress);

#endif
