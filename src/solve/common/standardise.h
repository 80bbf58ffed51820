/* Columns as a problem uses them, and their standardisation factors. */
#ifndef SOLVE_COMMON_STANDARDISE_H
#define SOLVE_COMMON_STANDARDISE_H

#include "tamis/dataset.h"

/* For each column (p values each): the mean, weighted by the data's weights, and the weighted sum
 * of squares about it, or about 0 without an intercept; exactly 0 for a column that is constant
 * over the rows with a weight when there is an intercept. Without sample weights, and other
 * processes that have rows, `means` may be NULL, because the data set stores them. False when
 * memory ran out. */
bool standard_columns(const tm_dataset *data, bool intercept, double *means, double *squares);

/* p standard deviations, or root mean squares without an intercept; 1 for columns that cannot
 * affect the fit. The caller frees them; NULL when memory ran out. */
double *standard_factors(const tm_dataset *data, bool intercept);

#endif
