/* Data sets with the rows of another data set and columns computed from its columns. */
#ifndef SOLVE_STRUCTURE_SCREENING_DERIVED_H
#define SOLVE_STRUCTURE_SCREENING_DERIVED_H

#include "model/loss/samples.h"

/* A data set with the columns x and the response, weights and offsets of `of`. Takes over the
 * reference to x, also on failure. `means` and `deviations` are taken over too; NULL: they are
 * computed. */
tm_status derived_data(tm_dataset **out, const tm_dataset *data, const samples *of, tm_matrix *x,
                       double *means, double *deviations, tm_error *err);

#endif
