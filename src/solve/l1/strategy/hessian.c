#include "solve/l1/strategy/hessian.h"

#include "base/memory.h"
#include "base/numeric/cholesky.h"
#include "model/loss/residual.h"
#include "solve/common/working_set.h"
#include "solve/l1/core/by_gram.h"
#include "solve/l1/core/log.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/gram/tuning.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* While no feature enters or leaves, X_S'a = lambda f_S sign(w_S); differentiated in lambda,
 *
 *     dw_S/dlambda = -q,   H q = f_S sign(w_S),   H = X_S' D X_S,   D = diag(l''(z)),
 *     dz/dlambda = -X_S q, da/dlambda = D X_S q,
 *
 * with columns centred by the weights D when there is an intercept. A change of lambda by -t
 * therefore moves the weights by t q and every product x_j'a by -t x_j'D X_S q. */

typedef struct tangent {
    size_t count;         /* size of the support, which is the active set */
    double *matrix;       /* count x count, H, later its factor */
    double *q;            /* count */
    double *weights;      /* n: D */
    double *column, *fit; /* n */
    double *products;     /* p: x_j'D X_S q */
    bool known;
} tangent;

static bool tangent_new(tangent *t, const l1_state *s)
{
    t->count = s->active.count;
    t->matrix = mem_array(t->count * t->count, sizeof(double));
    t->q = mem_array(t->count, sizeof(double));
    t->weights = mem_array(s->problem.n, sizeof(double));
    t->column = mem_array(s->problem.n, sizeof(double));
    t->fit = mem_zeros(s->problem.n, sizeof(double));
    t->products = mem_array(s->problem.p, sizeof(double));
    return t->matrix && t->q && t->weights && t->column && t->fit && t->products;
}

static void tangent_free(tangent *t)
{
    free(t->matrix);
    free(t->q);
    free(t->weights);
    free(t->column);
    free(t->fit);
    free(t->products);
}

/* ---- the Hessian --------------------------------------------------------------------------- */

static double find_weights(const l1_state *s, double *weights)
{
    double total = 0;
    for (size_t i = 0; i < s->problem.n; i++) {
        weights[i] = samples_weight(&s->problem.of, i);
        if (!s->problem.loss->quadratic)
            weights[i] *= s->problem.loss->curvature(s->problem.response[i], s->it.z[i]);
        total += weights[i];
    }
    return total;
}

/* Subtracts D times the weighted mean from D v, so that the result sums to zero: v centred by the
 * weights. */
static void weigh(const l1_state *s, const tangent *t, double total, double *v)
{
    double mean = 0;
    for (size_t i = 0; i < s->problem.n && s->problem.intercept && total > 0; i++)
        mean += t->weights[i] * v[i] / total;
    for (size_t i = 0; i < s->problem.n; i++)
        v[i] = t->weights[i] * (v[i] - mean);
}

/* Uses the Gram cache, which keeps its columns between lambdas. */
static tm_status hessian_from_cache(const l1_state *s, gram **kept, tangent *t,
                                    solve_progress *progress, tm_error *err)
{
    tm_status status = l1_gram_open(kept, s, err);
    gram *cache = *kept;
    if (status == TM_OK && cache->count + t->count > MAX_GRAM)
        gram_clear(cache);
    if (status == TM_OK)
        status = gram_add(cache, s->active.features, t->count, progress, err);
    for (size_t a = 0; status == TM_OK && a < t->count; a++) {
        const double *column = gram_column(cache, gram_place(cache, s->active.features[a]));
        for (size_t b = 0; b < t->count; b++)
            t->matrix[a * t->count + b] = column[gram_place(cache, s->active.features[b])];
    }
    return status;
}

static tm_status hessian_by_columns(l1_state *s, tangent *t, double total, solve_progress *progress,
                                    tm_error *err)
{
    for (size_t a = 0; a < t->count; a++) {
        tm_matrix_column(s->problem.x, s->active.features[a], t->column);
        weigh(s, t, total, t->column);
        for (size_t b = 0; b <= a; b++) {
            double value = tm_matrix_dot(s->problem.x, s->active.features[b], t->column);
            t->matrix[a * t->count + b] = t->matrix[b * t->count + a] = value;
        }
        progress->columns += a + 1;
        if (progress_work(progress, (a + 1) * s->problem.n))
            return tm_fail(err, TM_ECANCELLED, "cancelled");
    }
    return TM_OK;
}

/* Solves H q = f sign(w) for q if H is well enough conditioned. */
static bool solve_for_tangent(const l1_state *s, tangent *t)
{
    lapack_int n = (lapack_int)t->count;
    double greatest = 0;
    for (size_t a = 0; a < t->count; a++)
        greatest = fmax(greatest, t->matrix[a * t->count + a]);
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, t->matrix, n) != 0)
        return false;
    for (size_t a = 0; a < t->count; a++) {
        double pivot = t->matrix[a * t->count + a];
        if (!(pivot * pivot > DEPENDENT * greatest))
            return false;
        t->q[a] = copysign(l1_factor(s, s->active.features[a]), s->it.w[s->active.features[a]]);
    }
    return cholesky_solve(t->matrix, t->count, t->count, t->q);
}

static tm_status find_tangent(l1_state *s, gram **cache, tangent *t, solve_progress *progress,
                              tm_error *err)
{
    double total = find_weights(s, t->weights);
    tm_status status = s->problem.loss->quadratic ? hessian_from_cache(s, cache, t, progress, err)
                                                  : hessian_by_columns(s, t, total, progress, err);
    if (status != TM_OK || !solve_for_tangent(s, t))
        return status;
    for (size_t a = 0; a < t->count; a++)
        tm_matrix_axpy(s->problem.x, s->active.features[a], t->q[a], t->fit);
    weigh(s, t, total, t->fit);
    t->known = l1_products_of(s, t->fit, t->products, progress);
    return TM_OK;
}

/* ---- the prediction ------------------------------------------------------------------------ */

/* The strong rule assumes that products change no faster than lambda, so that features with |x_j'r|
 * below 2 lambda - lambda_before stay below lambda. */
void l1_strong_begin(l1_state *s)
{
    double threshold = strong_threshold(s->penalty.lambda, s->it.solved_lambda);
    for (size_t j = 0; j < s->problem.p; j++)
        if (!(l1_correlation(s, j) < threshold * l1_factor(s, j)))
            l1_activate(s, j);
}

/* Whether the tangent leads to a lower objective, by the second-order model at the present weights:
 * H q = f_S sign(w_S). From an answer that was stopped early, or where columns are nearly
 * dependent, it may lead far out. */
static bool descends(const l1_state *s, const tangent *t)
{
    double step = s->it.solved_lambda - s->penalty.lambda, change = 0;
    for (size_t a = 0; a < t->count; a++) {
        size_t j = s->active.features[a];
        double w = s->it.w[j], d = step * t->q[a], factor = l1_factor(s, j);
        change += (copysign(step * factor, w) / 2 - s->it.xr[j]) * d +
                  s->penalty.lambda * factor * (fabs(w + d) - fabs(w));
    }
    return change <= 0;
}

static void move_along(l1_state *s, const tangent *t)
{
    double step = s->it.solved_lambda - s->penalty.lambda;
    for (size_t a = 0; a < t->count; a++) {
        size_t j = s->active.features[a];
        s->it.w[j] += step * t->q[a];
        if (s->penalty.lower)
            s->it.w[j] = fmin(fmax(s->it.w[j], s->penalty.lower[j]), s->penalty.upper[j]);
    }
    for (size_t j = 0; j < s->problem.p; j++) {
        double estimate = l1_correlation_of(s, j, s->it.xr[j] - step * t->products[j]);
        if (estimate >= s->penalty.lambda * l1_factor(s, j))
            l1_activate(s, j);
    }
}

tm_status l1_hessian_begin(l1_state *s, gram **cache, solve_progress *progress, tm_error *err)
{
    tangent t = {0};
    tm_status status = TM_OK;
    /* Below half of the previous lambda the tangent is a poor predictor. */
    bool near =
        s->it.solved_lambda > s->penalty.lambda && s->it.solved_lambda <= 2 * s->penalty.lambda;
    if (near && s->active.count > 0 && s->active.count <= MAX_GRAM / 2) {
        status = tangent_new(&t, s) ? find_tangent(s, cache, &t, progress, err)
                                    : tm_fail_memory(err, "the Hessian rule");
    }
    t.known = t.known && descends(s, &t);
    if (t.known)
        move_along(s, &t);
    else if (status == TM_OK)
        l1_strong_begin(s);
    l1_log_start(s, progress,
                 t.known ? "the last answer's features, and those its tangent predicts"
                         : "the last answer's features, and those the strong rule selects",
                 NULL);
    tangent_free(&t);
    return status;
}
