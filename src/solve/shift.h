/* Shifts columns and responses that are far from zero for a solve.
 *
 * With an unpenalised intercept a shift of a column, or of the response under the squared loss,
 * changes only the intercept: w'x + b = w'(x - c) + (b + w'c). In floating point it matters:
 * products with a column whose mean is m times its deviation lose log10(m) digits, and their
 * squares twice as many. */
#ifndef SOLVE_SHIFT_H
#define SOLVE_SHIFT_H

#include "tamis/dataset.h"
#include "tamis/model.h"

typedef struct data_shift data_shift;

/* *out: the data to solve on, a reference to be released by the caller: `data` itself when nothing
 * is far from zero, with *shift NULL. `response`: the response may be shifted too. */
tm_status data_shift_make(tm_dataset **out, data_shift **shift, const tm_dataset *data,
                          bool response, tm_error *err);
void data_shift_free(data_shift *shift);

/* Converts a model on the shifted data, in place, to one on the original data; `model` must be its
 * only reference. */
void data_shift_restore(const data_shift *shift, tm_model *model);
/* A model on the shifted data with the same predictions as one on the original data; NULL when
 * memory ran out. */
tm_model *data_shift_apply(const data_shift *shift, const tm_model *model);

#endif
