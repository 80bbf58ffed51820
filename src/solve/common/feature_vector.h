/* Parameters that are vectors over the features: from the user's text to one number for each
 * feature. */
#ifndef SOLVE_COMMON_FEATURE_VECTOR_H
#define SOLVE_COMMON_FEATURE_VECTOR_H

#include "tamis/dataset.h"
#include "tamis/params.h"

/* *out: p numbers, malloc'ed, freed by the caller; NULL when the parameter is not given. Features
 * that a vector given by names does not mention get `fallback`. TM_EUSAGE when the number of values
 * differs from the number of features, or when a name is unknown, ambiguous or repeated. */
tm_status feature_vector(double **out, const tm_params *params, const char *name,
                         const tm_dataset *data, double fallback, tm_error *err);

#endif
