/* Passes over all features, counted as the solver's cost. */
#ifndef SOLVE_COMMON_PRODUCTS_H
#define SOLVE_COMMON_PRODUCTS_H

#include "solve/common/progress.h"

/* out[j] = (x_j - m_j 1)'v for all p features, with m_j the mean of a column when `centred` and 0
 * otherwise; with centring, constant columns have exactly 0. Threads share the pass without
 * changing a bit of the result. Returns false when the run must stop. */
bool products_all(const tm_dataset *data, bool centred, const double *v, double *out,
                  solve_progress *progress);
/* The same without centring: out[j] = x_j'v. */
bool products_uncentred(const tm_matrix *x, const double *v, double *out, solve_progress *progress);

/* Shares work on `count` columns of x among threads, in ranges of whole groups of `group` columns,
 * and counts the columns: take(from, to) handles columns from .. to - 1. Returns false when the run
 * must stop. */
bool products_pass(const tm_matrix *x, size_t count, size_t group,
                   void (*take)(size_t from, size_t to, void *payload), void *payload,
                   solve_progress *progress);

#endif
