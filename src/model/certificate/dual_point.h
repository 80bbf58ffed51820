/* The best dual point along given dual variables: the scale t for which t a is feasible for some or
 * all features, and the dual objective there. Solvers and the certificate share the formula, but
 * not the values. */
#ifndef MODEL_CERTIFICATE_DUAL_POINT_H
#define MODEL_CERTIFICATE_DUAL_POINT_H

#include "model/loss/samples.h"
#include "model/penalty/dual_residual.h"
#include "model/penalty/penalty.h"

typedef struct dual_point {
    const samples *of;
    const feature_penalty *q;
    const double *a; /* n: orthogonal to the intercept's column and to unpenalised features */
    const dual_residual *left; /* up to this; NULL: counts as orthogonal */
    double squares;            /* sum_j lambda g_j w_j^2 */
    const double *c;           /* p: x_j'a - lambda g_j w_j; may be NULL without limits */
    const size_t *from;        /* the features to consider, NULL: all */
    size_t count;
} dual_point;

/* The dual objective at scale t. */
double dual_point_value(const dual_point *d, double t);
/* The best value over scales of at most `most`; *scale is set to its scale. */
double dual_point_best(const dual_point *d, double most, double *scale);

#endif
