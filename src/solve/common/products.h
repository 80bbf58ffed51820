/* The pass over all features that a solver pays for. */
#ifndef SOLVE_COMMON_PRODUCTS_H
#define SOLVE_COMMON_PRODUCTS_H

#include "solve/common/progress.h"

/* out[j] = (x_j - m_j 1)'v for all p features, with m_j the mean of a column when `centred` and 0
 * otherwise; columns that are constant, which an intercept stands for, then have exactly 0. Threads
 * share the pass, which changes no bit. False when told to stop. */
bool products_all(const tm_dataset *data, bool centred, const double *v, double *out,
                  solve_progress *progress);
/* The same without centring: out[j] = x_j'v. */
bool products_uncentred(const tm_matrix *x, const double *v, double *out, solve_progress *progress);

/* Lets threads share work on `count` columns of x, in stretches of whole groups of `group` columns
 * each, and counts them: take(from, to) is for the columns from .. to - 1. False when told to stop.
 */
bool products_pass(const tm_matrix *x, size_t count, size_t group,
                   void (*take)(size_t from, size_t to, void *payload), void *payload,
                   solve_progress *progress);

#endif
