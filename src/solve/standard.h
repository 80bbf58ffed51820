/* The factors that standardisation gives features. */
#ifndef SOLVE_STANDARD_H
#define SOLVE_STANDARD_H

#include "tamis/dataset.h"

/* p standard deviations, or without an intercept root mean squares; 1 for columns that cannot matter. The
 * caller's to free; NULL when memory ran out. */
double *standard_factors(const tm_dataset *data, bool intercept);

#endif
