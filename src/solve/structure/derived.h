/* Data sets with the rows of another and columns made of its columns. */
#ifndef SOLVE_STRUCTURE_DERIVED_H
#define SOLVE_STRUCTURE_DERIVED_H

#include "model/loss/samples.h"

/* The response, weights and offsets of `of` beside the columns x, whose reference is taken also on
 * failure. means and deviations are taken too; NULL: they are computed. */
tm_status derived_data(tm_dataset **out, const tm_dataset *data, const samples *of, tm_matrix *x,
                       double *means, double *deviations, tm_error *err);

#endif
