#include "solve/multi/qcqp.h"

#include "base/memory.h"
#include "solve/multi/qcqp_point.h"
#include "solve/multi/tuning.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static tm_status point_new(qcqp_point *x, const qcqp *problem, tm_error *err)
{
    size_t K = problem->count, T = problem->groups;
    *x = (qcqp_point){.problem = problem, .K = K, .T = T};
    x->room = mem_zeros(5 * K + 6 * T + 2 * T * K + K * K, sizeof(double));
    if (!x->room)
        return tm_fail_memory(err, "the inner problem");
    double *at = x->room;
    double **fields[] = {&x->beta, &x->lambda, &x->normal.mean, &x->step.beta, &x->step.lambda};
    for (size_t i = 0; i < 5; i++, at += K)
        *fields[i] = at;
    double **small[] = {&x->s, &x->mu, &x->r, &x->step.s, &x->step.curve, &x->step.mu};
    for (size_t i = 0; i < 6; i++, at += T)
        *small[i] = at;
    x->g = at;
    x->normal.spread = x->g + T * K;
    x->normal.matrix = x->normal.spread + T * K;
    return TM_OK;
}

static double dot(const double *a, const double *b, size_t n)
{
    return cblas_ddot((int)n, a, 1, b, 1);
}

/* ---- the starting point -------------------------------------------------------------------- */

/* The sum of alpha that is best when all alpha_k are equal, an estimate of the solution's sum. */
static double best_equal(const qcqp *problem)
{
    double gain = 0, curvature = 0, K = (double)problem->count;
    for (size_t k = 0; k < problem->count; k++)
        gain += problem->q[k];
    for (size_t t = 0; t < problem->groups; t++) {
        double sum = 0;
        for (size_t k = 0; k < problem->count; k++)
            for (size_t i = 0; i < problem->count; i++)
                sum += problem->Q[t][k * problem->stride + i];
        curvature = fmax(curvature, sum);
    }
    double size = gain > 0 && gain * (K + 1) < curvature * problem->C ? gain / curvature
                                                                      : problem->C / (K + 1);
    return size * (K + 1);
}

static void set_units(qcqp_point *x, double sum)
{
    double greatest = 0;
    for (size_t k = 0; k < x->K; k++)
        greatest = fmax(greatest, fabs(x->problem->q[k]));
    x->unit = fmin(sum, x->problem->C);
    x->scale = greatest > 0 ? x->unit * greatest : 1;
}

/* Starts at equal beta, with all products of variables and multipliers about equal. */
static void begin(qcqp_point *x)
{
    size_t K = x->K, T = x->T;
    double greatest = 0, tau = QCQP_FIRST_PRODUCT, size = 1 / ((double)K + 1);
    for (size_t k = 0; k < K; k++)
        x->beta[k] = size;
    for (size_t t = 0; t < T; t++) {
        qcqp_multiply(x, t, x->beta, false, x->g + t * K);
        x->s[t] = -dot(x->beta, x->g + t * K, K) / 2;
        greatest = fmax(greatest, -x->s[t]);
    }
    double theta = greatest + fmax(greatest, QCQP_FIRST_SLACK);
    x->rest = x->problem->C / x->unit - size * (double)K;
    for (size_t t = 0; t < T; t++) {
        x->s[t] += theta;
        x->r[t] = 0;
        x->mu[t] = 1 / (double)T;
        tau = fmax(tau, x->s[t] * x->mu[t]);
    }
    for (size_t k = 0; k < K; k++)
        x->lambda[k] = tau / x->beta[k];
    x->nu = tau / x->rest;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* How the products Q_t beta are updated after a step. */
typedef enum following { ADDED_UP, RECOMPUTED, EXACT } following;

/* Requires qcqp_find_curvature, after which the spread holds Q_t step. */
static void take_step(qcqp_point *x, double length, following products)
{
    for (size_t k = 0; k < x->K; k++) {
        x->beta[k] += length * x->step.beta[k];
        x->lambda[k] += length * x->step.lambda[k];
    }
    for (size_t t = 0; t < x->T; t++) {
        x->s[t] += length * x->step.s[t];
        x->r[t] = (1 - length) * x->r[t] + length * length * x->step.curve[t] / 2;
        x->mu[t] += length * x->step.mu[t];
        if (products == ADDED_UP)
            cblas_daxpy((int)x->K, length, x->normal.spread + t * x->K, 1, x->g + t * x->K, 1);
        else
            qcqp_multiply(x, t, x->beta, products == EXACT, x->g + t * x->K);
    }
    x->rest += length * x->step.rest;
    x->nu += length * x->step.nu;
}

/* ---- the solution -------------------------------------------------------------------------- */

typedef struct answer {
    qcqp_result bounds;
    double *alpha, *mu; /* owned by the caller */
} answer;

static double gap_of(const answer *best)
{
    return best->bounds.upper - best->bounds.value;
}

/* Computes both bounds at beta and the normalised mu. */
static qcqp_result evaluate(const qcqp_point *x)
{
    size_t K = x->K;
    double total = 0, value = 0, greatest = 0, norm = 0, risk = 0;
    for (size_t t = 0; t < x->T; t++)
        total += x->mu[t];
    for (size_t t = 0; t < x->T; t++) {
        double square = fmax(dot(x->beta, x->g + t * K, K), 0);
        greatest = fmax(greatest, square);
        norm += x->mu[t] / total * sqrt(square);
    }
    for (size_t k = 0; k < K; k++) {
        double margin = qcqp_margin(x, k);
        value += margin * x->beta[k];
        for (size_t t = 0; t < x->T; t++)
            margin -= x->mu[t] / total * x->g[t * K + k];
        risk = fmax(risk, margin);
    }
    risk *= x->problem->C / x->unit;
    return (qcqp_result){x->scale * (value - greatest / 2), x->scale * (norm * norm / 2 + risk)};
}

/* Keeps the best pair of bounds so far, since rounding makes them vary near the end. Returns the
 * gap at the present point. */
static double keep_best(const qcqp_point *x, answer *best)
{
    qcqp_result now = evaluate(x);
    double total = 0, gap = now.upper - now.value;
    if (!(gap < gap_of(best)))
        return gap;
    best->bounds = now;
    for (size_t k = 0; k < x->K; k++)
        best->alpha[k] = x->unit * x->beta[k];
    for (size_t t = 0; t < x->T; t++)
        total += x->mu[t];
    for (size_t t = 0; t < x->T; t++)
        best->mu[t] = x->mu[t] / total;
    return gap;
}

static bool is_done(const qcqp_point *x, const answer *best)
{
    double scale = x->problem->C * x->scale / x->unit;
    return gap_of(best) <= QCQP_RELATIVE * fabs(best->bounds.upper) + QCQP_OF_SCALE * scale;
}

/* ---- the loop ------------------------------------------------------------------------------ */

/* Iterates with the whole system unless it is NULL; its margins are exact, for problems in which
 * rounding leaves few digits. `least`: the least gap of this attempt, which may be far above that
 * of another scale and still decrease below it. */
static void iterate(qcqp_point *x, qcqp_whole *whole, double *least, answer *best)
{
    int vain = 0, most = whole ? QCQP_WHOLE_STEPS_IN_VAIN : QCQP_STEPS_IN_VAIN;
    for (size_t t = 0; whole && t < x->T; t++)
        qcqp_multiply(x, t, x->beta, true, x->g + t * x->K);
    for (int i = 0; i < QCQP_MAX_STEPS && vain < most; i++) {
        double gap = keep_best(x, best);
        if (is_done(x, best))
            return;
        vain = gap < QCQP_WORTHWHILE * *least ? 0 : vain + 1;
        *least = fmin(*least, gap);
        if (!qcqp_find_step(x, whole))
            return;
        qcqp_find_curvature(x);
        bool near_the_end = gap_of(best) < QCQP_NEAR_THE_END * fabs(best->bounds.upper);
        take_step(x, QCQP_STEP * qcqp_longest_step(x),
                  whole          ? EXACT
                  : near_the_end ? RECOMPUTED
                                 : ADDED_UP);
    }
}

/* Starts from equal alpha on the scale of `sum` until rounding stops the steps (skipped when there
 * is a ridge), then continues with the whole system, whose steps cost several times as much. If
 * there is no memory for it the best bounds so far remain. */
static bool attempt(qcqp_point *x, double sum, answer *best)
{
    qcqp_whole whole = {0};
    double least = INFINITY;
    set_units(x, sum);
    begin(x);
    if (x->ridge == 0)
        iterate(x, NULL, &least, best);
    if (!is_done(x, best) && qcqp_whole_new(&whole, x))
        iterate(x, &whole, &least, best);
    qcqp_whole_free(&whole);
    return is_done(x, best);
}

/* The initial scale of the next attempt: the one that was reached, or a greater one. */
static double next_scale(const qcqp_point *x, const answer *best)
{
    double reached = 0;
    for (size_t k = 0; k < x->K; k++)
        reached += best->alpha[k];
    bool other = reached > QCQP_SCALE_ABOVE * x->unit || reached < x->unit / QCQP_SCALE_UP;
    return other ? reached : QCQP_SCALE_UP * x->unit;
}

/* When a group has greater curvature than the solution is sensitive to, the solution is far from
 * equal alpha and steps are short; further attempts then start on other scales, the last one on the
 * greatest. If these fail too, rounding of the entries has made matrices indefinite beyond what the
 * solution is insensitive to: their diagonals are increased by the size of such rounding errors. */
static void solve(qcqp_point *x, answer *best)
{
    double sum = x->problem->sum > 0 ? x->problem->sum : best_equal(x->problem);
    bool done = false;
    for (int i = 0; i < QCQP_ATTEMPTS && !done; i++) {
        done = attempt(x, i + 1 < QCQP_ATTEMPTS ? sum : x->problem->C, best);
        sum = next_scale(x, best);
    }
    for (double ridge = 1; !done && ridge <= (double)x->K; ridge *= QCQP_RIDGE_GROWTH) {
        x->ridge = ridge * DBL_EPSILON;
        done = attempt(x, x->problem->C, best);
    }
}

tm_status qcqp_solve(const qcqp *problem, double *alpha, double *mu, qcqp_result *result,
                     tm_error *err)
{
    qcqp_point x;
    answer best = {{-INFINITY, INFINITY}, alpha, mu};
    tm_status status = point_new(&x, problem, err);
    if (status == TM_OK) {
        memset(alpha, 0, x.K * sizeof *alpha);
        for (size_t t = 0; t < x.T; t++)
            mu[t] = 1 / (double)x.T;
        solve(&x, &best);
    }
    *result = best.bounds;
    free(x.room);
    return status;
}
