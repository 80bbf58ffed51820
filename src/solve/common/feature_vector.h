/* Vector parameters of features: from what people wrote to a number for each feature. */
#ifndef SOLVE_COMMON_FEATURE_VECTOR_H
#define SOLVE_COMMON_FEATURE_VECTOR_H

#include "tamis/dataset.h"
#include "tamis/params.h"

/* *out: p numbers, malloc'ed and the caller's; NULL when the parameter is not given. Features that
 * a vector by name leaves out have `fallback`. TM_EUSAGE: another number of values than features; a
 * name that no feature or more than one has, or that comes twice. */
tm_status feature_vector(double **out, const tm_params *params, const char *name,
                         const tm_dataset *data, double fallback, tm_error *err);

#endif
