/* The dual objective of l2-regularised problems. */
#ifndef MODEL_CERTIFICATE_RIDGE_DUAL_H
#define MODEL_CERTIFICATE_RIDGE_DUAL_H

#include "model/loss/samples.h"

/* The greatest value of C samples_dual(a, t) - t^2 C^2 squares / 2 over the multiples t that the
 * loss allows, where squares is sum_j (x_j'a / f_j)^2. Each is a lower bound when a sums to zero or
 * there is no intercept. */
double ridge_dual(const samples *of, const double *a, double C, double squares);

#endif
