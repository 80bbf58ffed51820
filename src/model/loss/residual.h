/* Residuals of linear predictions. */
#ifndef MODEL_LOSS_RESIDUAL_H
#define MODEL_LOSS_RESIDUAL_H

#include "tamis/dataset.h"

/* r = y - Xw - b, n values, computed from the data; w has p values. */
void residual_of(const tm_dataset *data, const double *w, double b, double *r);

/* The residual of the best model without features: y - mean(y) with an intercept, y without. A
 * constant response gives exact zeros, so that lambda_max is 0 and not a rounding error. *intercept
 * is the model's b. */
void residual_null(const tm_dataset *data, bool with_intercept, double *r, double *intercept);

/* Subtracts the mean of v, twice, so that the remaining sum is a second-order rounding error.
 * Returns the mean subtracted. */
double residual_centre(double *v, size_t n);

/* sum_i u_i v_i, as if computed with twice the digits and then rounded (Ogita, Rump and Oishi). */
double residual_dot(const double *u, const double *v, size_t n);

/* The sum of v, and the sum of its squares. */
double residual_sum(const double *v, size_t n);
double residual_squares(const double *v, size_t n);

#endif
