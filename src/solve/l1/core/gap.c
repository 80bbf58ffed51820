/* Duality gaps and the balls derived from them. */
#include "data/matrix/kernels.h"
#include "model/certificate/dual_point.h"
#include "solve/l1/core/state.h"
#include "solve/l1/core/tuning.h"

#include <math.h>

/* The features that a gap refers to. */
typedef struct features_of {
    const size_t *from; /* or NULL: all */
    size_t count;
} features_of;

/* max |x_j'r| / f_j */
static double greatest_of(const l1_state *s, const features_of *q)
{
    double greatest = 0;
    for (size_t k = 0; k < q->count; k++) {
        size_t j = q->from ? q->from[k] : k;
        if (l1_factor(s, j) > 0)
            greatest = fmax(greatest, l1_correlation(s, j) / l1_factor(s, j));
    }
    return greatest;
}

/* sum_j lambda g_j w_j^2 */
static double squares_of(const l1_state *s)
{
    double sum = 0;
    for (size_t k = 0; s->penalty.ridge && k < s->active.count; k++) {
        size_t j = s->active.features[k];
        sum += penalty_square(&s->penalty.terms, j) * s->it.w[j] * s->it.w[j];
    }
    return sum;
}

/* The row of the squared penalty is scaled by the loss's smoothness, see docs/screening.md. */
static ball_plane plane_of(const l1_state *s, double squares)
{
    ball_plane plane = {0, 0, s->null.yy};
    bool direct = !s->problem.of.weights && s->it.shift == 0;
    if (direct) {
        plane.rr = kernel_dot(s->it.r, s->it.r, s->problem.n);
        plane.ry = kernel_dot(s->it.r, s->null.y, s->problem.n);
    }
    for (size_t i = 0; !direct && !s->problem.of.weights && i < s->problem.n; i++) {
        double r = s->it.r[i] + s->it.shift;
        plane.rr += r * r;
        plane.ry += r * s->null.y[i];
    }
    for (size_t i = 0; s->problem.of.weights && i < s->problem.n; i++) {
        double weight = s->problem.of.weights[i], r = s->it.r[i] + s->it.shift * weight;
        plane.rr += weight > 0 ? r * r / weight : 0;
        plane.ry += weight > 0 ? r * s->null.y[i] / weight : 0;
    }
    plane.rr += s->problem.loss->smoothness * squares;
    return plane;
}

static double primal_of(const l1_state *s, const ball_plane *plane, double squares)
{
    double penalty = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        penalty += s->it.w[j] != 0 ? l1_factor(s, j) * fabs(s->it.w[j]) : 0;
    }
    if (s->problem.loss->quadratic) /* r'r includes the squared penalty */
        return plane->rr / 2 + s->penalty.lambda * penalty;
    return samples_loss(&s->problem.of, s->it.z) + s->penalty.lambda * penalty + squares / 2;
}

/* For the squared loss y'r and r'r are known already, with a centred y: the uncentred response
 * would have a larger rounding error. */
static void find_dual(const l1_state *s, const features_of *q, double squares, l1_gap *g)
{
    const ball_plane *plane = &g->plane;
    dual_point point = {.of = &s->problem.of,
                        .q = &s->penalty.terms,
                        .a = s->it.r,
                        .squares = squares,
                        .c = s->it.xr,
                        .from = q->from,
                        .count = q->count};
    if (s->penalty.lower) {
        double most = penalty_most_scale(&s->penalty.terms, s->it.xr, q->from, q->count);
        g->dual = dual_point_best(&point, most, &g->scale);
        return;
    }
    double greatest = greatest_of(s, q);
    double most = greatest > 0 ? s->penalty.lambda / greatest : INFINITY;
    if (s->problem.loss->quadratic) {
        g->scale = plane->rr > 0 ? fmin(fmax(plane->ry / plane->rr, -most), most) : 0;
        g->dual = g->scale * plane->ry - g->scale * g->scale * plane->rr / 2;
        return;
    }
    g->dual = dual_point_best(&point, most, &g->scale);
}

static l1_gap gap_of(const l1_state *s, features_of of)
{
    double squares = squares_of(s);
    l1_gap g = {.plane = plane_of(s, squares)};
    g.primal = primal_of(s, &g.plane, squares);
    find_dual(s, &of, squares, &g);
    g.gap = g.primal - g.dual;
    return g;
}

l1_gap l1_gap_active(const l1_state *s)
{
    return gap_of(s, (features_of){s->active.features, s->active.count});
}

l1_gap l1_gap_all(const l1_state *s)
{
    return gap_of(s, (features_of){NULL, s->problem.p});
}

l1_gap l1_gap_listed(const l1_state *s, const size_t *features, size_t count)
{
    return gap_of(s, (features_of){features, count});
}

/* ---- dual points other than the iterate's; without a squared penalty ------------------------- */

double l1_greatest_active(const l1_state *s)
{
    return greatest_of(s, &(features_of){s->active.features, s->active.count});
}

double l1_greatest_all(const l1_state *s)
{
    return greatest_of(s, &(features_of){NULL, s->problem.p});
}

/* Whether dual values of the squared loss can be computed from the null model's residual. An
 * unpenalised feature with a limit may contribute to that residual and have a nonzero product with
 * dual points. */
static bool residual_suffices(const l1_state *s)
{
    return s->problem.loss->quadratic && !(s->penalty.lower && s->penalty.free);
}

double l1_dual_at(const l1_state *s, const double *a, double greatest, double *scale)
{
    double most = greatest > 0 ? s->penalty.lambda / greatest : INFINITY;
    if (!residual_suffices(s)) {
        *scale = samples_scale(&s->problem.of, a, most);
        if (s->penalty.lower) /* `most` is for products of these signs */
            *scale = fmax(*scale, 0);
        return samples_dual(&s->problem.of, a, *scale);
    }
    double aa = samples_inner(&s->problem.of, a, a),
           ay = samples_inner(&s->problem.of, a, s->null.y);
    *scale = aa > 0 ? fmin(fmax(ay / aa, s->penalty.signs ? 0 : -most), most) : 0;
    return *scale * ay - *scale * *scale * aa / 2;
}

double l1_dual_value(const l1_state *s, const double *a)
{
    if (!residual_suffices(s))
        return samples_dual(&s->problem.of, a, 1);
    return samples_inner(&s->problem.of, a, s->null.y) - samples_inner(&s->problem.of, a, a) / 2;
}

void l1_dual_of_predictions(const l1_state *s, double *v)
{
    if (s->problem.loss->quadratic) {
        if (s->problem.intercept)
            samples_centre(&s->problem.of, v);
        return;
    }
    double b = s->problem.intercept ? samples_best_shift(&s->problem.of, v, 0) : 0;
    for (size_t i = 0; i < s->problem.n; i++)
        v[i] = -samples_weight(&s->problem.of, i) *
               s->problem.loss->slope(s->problem.response[i], v[i] + b);
}

/* ---- balls -------------------------------------------------------------------------------- */

/* The rounding error of a difference of objectives: a sum of n terms has up to about n rounding
 * errors. */
static double lost_by_rounding(const l1_state *s, const l1_gap *g)
{
    return (LOST + LOST_A_ROW * (double)s->problem.n) * (g->primal + 2 * s->null.objective);
}

ball l1_gap_ball(const l1_state *s, const l1_gap *g)
{
    double gap = fmax(g->gap, 0) + lost_by_rounding(s, g);
    return ball_from_gap(g->scale, s->problem.loss->smoothness * gap, s->penalty.lambda);
}

ball l1_null_ball(const l1_state *s, const l1_gap *g)
{
    if (s->problem.loss->quadratic && !s->penalty.lower)
        return ball_from_lambda_max(&g->plane, g->scale, s->penalty.lambda);
    double difference = fmax(s->null.objective - g->dual, 0) + lost_by_rounding(s, g);
    return ball_from_null_dual(s->problem.loss->smoothness * difference, s->penalty.lambda);
}

screen_features l1_features(const l1_state *s)
{
    /* Without an axis the balls' centres are multiples of r, and without norms they are points. */
    const double *along_axis = s->it.axis_products ? s->it.axis_products : s->it.xr;
    return (screen_features){s->it.xr,           along_axis,   l1_sizes(s),
                             s->penalty.factors, s->problem.p, s->penalty.signs};
}

double l1_objective(const l1_state *s, size_t from)
{
    double sum = samples_loss(&s->problem.of, s->it.z);
    for (size_t k = from; k < s->active.count; k++)
        sum +=
            penalty_value(&s->penalty.terms, s->active.features[k], s->it.w[s->active.features[k]]);
    return sum;
}
