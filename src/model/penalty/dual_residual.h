/* What dual variables lack in orthogonality to the unpenalised columns (those of an intercept
 * included), and what a lower bound of the optimum loses by it. A dual point that is made for
 * predictions z is orthogonal to those columns only up to rounding, and up to what keeps it in the
 * domain of the conjugate; the weights of those columns, which the penalty does not bound, multiply
 * the rest. docs/screening.md, section 14, derives the terms. */
#ifndef MODEL_PENALTY_DUAL_RESIDUAL_H
#define MODEL_PENALTY_DUAL_RESIDUAL_H

#include "model/loss/samples.h"

typedef struct dual_residual {
    const samples *of;
    const double *a; /* n: the dual variables, in the domain of the conjugate */
    /* f is the projection of z - offset onto the unpenalised columns in the samples' metric.
     * Squared loss: (y - offset - f)'a and sum a_i^2 / s_i. */
    double linear, square;
    /* Two classes: f'a + (|f| + sqrt(sum s_i)) |Q'a| for an orthonormal basis Q of the columns: the
     * bound that results holds for all predictions of this part within that distance of f. */
    double excess;
} dual_residual;

/* The residual of an intercept, or (`intercept` false) none. */
dual_residual dual_residual_of_shift(const samples *of, bool intercept, const double *z,
                                     const double *a);
/* (y - offset - f - shift)'a over all rows; f NULL: zero. */
double dual_residual_linear(const samples *of, const double *f, double shift, const double *a);
/* A lower bound of the dual objective of the losses at the exactly orthogonal dual point next to
 * t a; it is samples_dual where the difference is a rounding error of that. */
double dual_residual_value(const dual_residual *r, double t);

/* `value` less t * excess, unless that is a rounding error of the value. */
double dual_residual_less(double value, double excess);

/* Moves dual variables of two classes that lie outside of the domain of the conjugate, y_i a_i >= 0
 * (and at most s_i times the loss's greatest), to its boundary. */
void dual_residual_clamp(const samples *of, double *a);

#endif
