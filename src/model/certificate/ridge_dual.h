/* The dual objective of l2-regularised problems. */
#ifndef MODEL_CERTIFICATE_RIDGE_DUAL_H
#define MODEL_CERTIFICATE_RIDGE_DUAL_H

#include "model/penalty/dual_residual.h"

/* The greatest value of C samples_dual(a, t) - t^2 C^2 squares / 2 over the multiples t that the
 * loss allows, where squares is sum_j (x_j'a / f_j)^2, less what `left` costs where there is an
 * intercept and a does not sum to zero. Each is a lower bound. */
double ridge_dual(const dual_residual *left, double C, double squares);

#endif
