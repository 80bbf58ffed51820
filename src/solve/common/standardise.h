/* Columns as a problem sees them, and the factors that standardisation gives them. */
#ifndef SOLVE_COMMON_STANDARDISE_H
#define SOLVE_COMMON_STANDARDISE_H

#include "tamis/dataset.h"

/* Per column, p values each: the mean weighted by the data's weights, and the weighted sum of
 * squares about it, or about 0 without an intercept; exactly 0 for a column that is constant where
 * rows have a weight and there is an intercept. Without weights `means` may be NULL: they are the
 * data's. False when memory ran out. */
bool standard_columns(const tm_dataset *data, bool intercept, double *means, double *squares);

/* p standard deviations, or without an intercept root mean squares; 1 for columns that cannot
 * matter. The caller's to free; NULL when memory ran out. */
double *standard_factors(const tm_dataset *data, bool intercept);

#endif
