#include "solve/multi/bmrm_lp.h"

#include "base/memory.h"
#include "solve/common/interior_point.h"
#include "solve/multi/tuning.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* Variables are scaled: beta = alpha / C, so that their sum is at most 1, and the objective is
 * divided by `unit`, C times the greatest b. Each has a multiplier, and all of them stay positive:
 *
 *     beta_k       with  z_k = bound + a_k'w - b_k        (all scaled)
 *     rest         with  bound,    rest = 1 - sum beta
 *     up_j, down_j with  w_up, w_down,    up_j = 1 - c_j, down_j = 1 + c_j, c = sum_k beta_k a_k
 *
 * w = w_up - w_down. The linear constraints hold from the start, so that only the products have to
 * be driven to zero. */
typedef struct lp_step {
    double rest, bound;
    double *beta, *z;          /* K */
    double *c, *w_up, *w_down; /* J */
} lp_step;

typedef struct point {
    size_t K, J;
    double unit;
    double rest, bound;
    double *beta, *z;                         /* K */
    double *up, *down, *w_up, *w_down, *pull; /* J; pull: right-hand side for the weights, see
                                               * find_step */
    lp_step step;
    double *scaled; /* J x K: rows a_k times the square root of the feature's weight in the
                     * matrix */
    double *matrix; /* K x K */
    double *room;
} point;

static tm_status point_new(point *x, const bmrm_lp *problem, tm_error *err)
{
    size_t K = problem->count, J = problem->features;
    *x = (point){.K = K, .J = J};
    x->room = mem_zeros(4 * K + 8 * J + J * K + K * K, sizeof(double));
    if (!x->room)
        return tm_fail_memory(err, "the inner problem");
    double *at = x->room;
    double **small[] = {&x->beta, &x->z, &x->step.beta, &x->step.z};
    for (size_t i = 0; i < 4; i++, at += K)
        *small[i] = at;
    double **wide[] = {&x->up,   &x->down,   &x->w_up,      &x->w_down,
                       &x->pull, &x->step.c, &x->step.w_up, &x->step.w_down};
    for (size_t i = 0; i < 8; i++, at += J)
        *wide[i] = at;
    x->scaled = at;
    x->matrix = x->scaled + J * K;
    return TM_OK;
}

/* out = factor sum_k v_k a_k. */
static void combine(const bmrm_lp *problem, const double *v, double factor, double *out)
{
    memset(out, 0, problem->features * sizeof *out);
    for (size_t k = 0; k < problem->count; k++)
        cblas_daxpy((int)problem->features, factor * v[k], problem->a[k], 1, out, 1);
}

static double product(const bmrm_lp *problem, size_t k, const double *w)
{
    return cblas_ddot((int)problem->features, problem->a[k], 1, w, 1);
}

/* ---- the starting point -------------------------------------------------------------------- */

/* Starts at equal beta, half as large as the constraints allow; at weights of equal products; and
 * at a bound that leaves all labelings positive slack. */
static void begin(const bmrm_lp *problem, point *x)
{
    size_t K = x->K, J = x->J;
    double greatest = 0, steepest = 0, C = problem->C;
    for (size_t k = 0; k < K; k++) {
        greatest = fmax(greatest, problem->b[k]);
        x->beta[k] = 1 / (double)K;
    }
    x->unit = greatest > 0 ? C * greatest : 1;
    combine(problem, x->beta, C, x->step.c);
    for (size_t j = 0; j < J; j++)
        steepest = fmax(steepest, fabs(x->step.c[j]));
    double size = fmin(LP_FIRST_SHARE, steepest > 0 ? LP_FIRST_SHARE / steepest : LP_FIRST_SHARE);
    double mu = size / (double)(K + 2 * J + 1);
    for (size_t k = 0; k < K; k++)
        x->beta[k] *= size;
    for (size_t j = 0; j < J; j++) {
        x->up[j] = 1 - size * x->step.c[j];
        x->down[j] = 1 + size * x->step.c[j];
        x->w_up[j] = mu / x->up[j];
        x->w_down[j] = mu / x->down[j];
        x->pull[j] = x->w_up[j] - x->w_down[j];
    }
    x->rest = 1 - size;
    x->bound = mu / x->rest;
    for (size_t k = 0; k < K; k++) {
        x->z[k] = C * product(problem, k, x->pull) - C * problem->b[k] / x->unit;
        x->bound = fmax(x->bound, mu / x->beta[k] - x->z[k]);
    }
    for (size_t k = 0; k < K; k++)
        x->z[k] += x->bound;
}

/* ---- one step ------------------------------------------------------------------------------ */

/* diag(z / beta) + sum_j (w_up/up + w_down/down)_j a_j a_j' + (bound/rest) 11'. */
static void assemble(const bmrm_lp *problem, point *x)
{
    size_t K = x->K, J = x->J;
    double bound = x->bound / x->rest;
    for (size_t j = 0; j < J; j++)
        x->pull[j] = problem->C * sqrt(x->w_up[j] / x->up[j] + x->w_down[j] / x->down[j]);
    for (size_t k = 0; k < K; k++)
        for (size_t j = 0; j < J; j++)
            x->scaled[k * J + j] = x->pull[j] * problem->a[k][j];
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)K, (int)J, 1, x->scaled, (int)J, 0,
                x->matrix, (int)K);
    for (size_t k = 0; k < K; k++) {
        for (size_t i = k; i < K; i++)
            x->matrix[k * K + i] += bound;
        x->matrix[k * K + k] += x->z[k] / x->beta[k];
    }
}

/* Computes the step towards products of tau; when `corrected`, minus the second-order terms of the
 * previous step. */
static void find_step(const bmrm_lp *problem, point *x, double tau, bool corrected)
{
    size_t K = x->K, J = x->J;
    double sum = 0, C = problem->C, second = corrected ? 1 : 0;
    for (size_t j = 0; j < J; j++) {
        double up = tau - x->w_up[j] * x->up[j] + second * x->step.w_up[j] * x->step.c[j];
        double down = tau - x->w_down[j] * x->down[j] - second * x->step.w_down[j] * x->step.c[j];
        x->step.w_up[j] = up / x->up[j];
        x->step.w_down[j] = down / x->down[j];
        x->pull[j] = x->step.w_up[j] - x->step.w_down[j];
    }
    double rest = (tau - x->bound * x->rest - second * x->step.bound * x->step.rest) / x->rest;
    for (size_t k = 0; k < K; k++) {
        double own = tau - x->beta[k] * x->z[k] - second * x->step.beta[k] * x->step.z[k];
        x->step.z[k] = own / x->beta[k];
        x->step.beta[k] = x->step.z[k] - C * product(problem, k, x->pull) - rest;
    }
    normal_solve(x->matrix, K, x->step.beta);
    combine(problem, x->step.beta, C, x->step.c);
    for (size_t k = 0; k < K; k++) {
        sum += x->step.beta[k];
        x->step.z[k] -= x->z[k] / x->beta[k] * x->step.beta[k];
    }
    for (size_t j = 0; j < J; j++) {
        x->step.w_up[j] += x->w_up[j] / x->up[j] * x->step.c[j];
        x->step.w_down[j] -= x->w_down[j] / x->down[j] * x->step.c[j];
    }
    x->step.rest = -sum;
    x->step.bound = rest + x->bound / x->rest * sum;
}

/* The longest step, at most 1, that keeps everything nonnegative. */
static double longest_step(const point *x)
{
    pairs labelings = {x->beta, x->step.beta, x->z, x->step.z, x->K};
    double length = step_within(step_within(1, x->rest, x->step.rest), x->bound, x->step.bound);
    length = pairs_longest(length, &labelings);
    for (size_t j = 0; j < x->J; j++) {
        length = step_within(length, x->up[j], -x->step.c[j]);
        length = step_within(length, x->down[j], x->step.c[j]);
        length = step_within(length, x->w_up[j], x->step.w_up[j]);
        length = step_within(length, x->w_down[j], x->step.w_down[j]);
    }
    return length;
}

/* The mean product after a step of this length. */
static double products_after(const point *x, double length)
{
    pairs labelings = {x->beta, x->step.beta, x->z, x->step.z, x->K};
    double sum = (x->rest + length * x->step.rest) * (x->bound + length * x->step.bound);
    sum = pairs_products(sum, length, &labelings);
    for (size_t j = 0; j < x->J; j++)
        sum += (x->up[j] - length * x->step.c[j]) * (x->w_up[j] + length * x->step.w_up[j]) +
               (x->down[j] + length * x->step.c[j]) * (x->w_down[j] + length * x->step.w_down[j]);
    return sum / (double)(x->K + 2 * x->J + 1);
}

static void take_step(point *x, double length)
{
    for (size_t k = 0; k < x->K; k++) {
        x->beta[k] += length * x->step.beta[k];
        x->z[k] += length * x->step.z[k];
    }
    for (size_t j = 0; j < x->J; j++) {
        x->up[j] -= length * x->step.c[j];
        x->down[j] += length * x->step.c[j];
        x->w_up[j] += length * x->step.w_up[j];
        x->w_down[j] += length * x->step.w_down[j];
    }
    x->rest += length * x->step.rest;
    x->bound += length * x->step.bound;
}

/* ---- the answer ---------------------------------------------------------------------------- */

/* Whether weight j stays nonzero: close to the solution either the weight or its slack goes to
 * zero, and the relative changes of both in a full step tell which (Tapia's indicators). */
static bool stays_nonzero(const point *x, size_t j)
{
    double up =
        x->w_up[j] > x->w_down[j] ? x->step.w_up[j] / x->w_up[j] : x->step.w_down[j] / x->w_down[j];
    double slack = x->w_up[j] > x->w_down[j] ? -x->step.c[j] / x->up[j] : x->step.c[j] / x->down[j];
    return up > slack;
}

/* Computes both bounds at the point and keeps the best pair, because rounding makes them vary near
 * the end. */
static void keep_best(const bmrm_lp *problem, point *x, bmrm_lp_result *best, double *alpha,
                      double *w, bool *chosen)
{
    double norm = 0, risk = 0, value = 0, steepest = 1, C = problem->C;
    combine(problem, x->beta, C, x->pull);
    for (size_t j = 0; j < x->J; j++)
        steepest = fmax(steepest, fabs(x->pull[j]));
    for (size_t j = 0; j < x->J; j++) {
        x->pull[j] = x->unit * (x->w_up[j] - x->w_down[j]);
        norm += fabs(x->pull[j]);
    }
    for (size_t k = 0; k < x->K; k++) {
        risk = fmax(risk, problem->b[k] - product(problem, k, x->pull));
        value += C * x->beta[k] * problem->b[k];
    }
    bmrm_lp_result now = {norm + C * risk, value / steepest};
    if (!(now.upper - now.lower < best->upper - best->lower))
        return;
    *best = now;
    for (size_t k = 0; k < x->K; k++)
        alpha[k] = C * x->beta[k];
    for (size_t j = 0; j < x->J; j++) {
        w[j] = x->pull[j];
        chosen[j] = stays_nonzero(x, j);
    }
}

static void iterate(const bmrm_lp *problem, point *x, double target, double *alpha, double *w,
                    bool *chosen, bmrm_lp_result *best)
{
    int vain = 0;
    for (int i = 0; i < LP_MAX_STEPS && vain < LP_STEPS_IN_VAIN; i++) {
        double gap = best->upper - best->lower;
        assemble(problem, x);
        if (!normal_factorise(x->matrix, x->K))
            return;
        find_step(problem, x, 0, false);
        double now = products_after(x, 0), after = products_after(x, longest_step(x));
        find_step(problem, x, centring_share(now, after) * now, true);
        take_step(x, LP_STEP * longest_step(x));
        keep_best(problem, x, best, alpha, w, chosen);
        if (best->upper - best->lower <= target)
            return;
        vain = best->upper - best->lower < LP_WORTHWHILE * gap ? 0 : vain + 1;
    }
}

tm_status bmrm_lp_solve(const bmrm_lp *problem, double target, double *alpha, double *w,
                        bool *chosen, bmrm_lp_result *result, tm_error *err)
{
    point x;
    tm_status status = point_new(&x, problem, err);
    if (status != TM_OK)
        return status;
    *result = (bmrm_lp_result){INFINITY, -INFINITY};
    memset(alpha, 0, x.K * sizeof *alpha);
    memset(w, 0, x.J * sizeof *w);
    memset(chosen, 0, x.J * sizeof *chosen);
    begin(problem, &x);
    iterate(problem, &x, target, alpha, w, chosen, result);
    free(x.room);
    return TM_OK;
}
