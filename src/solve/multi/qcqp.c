#include "solve/multi/qcqp.h"

#include "base/memory.h"
#include "solve/common/interior_point.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything is in the scaled variables beta = alpha / unit, with Q and q so scaled that q is at
 * most 1 in size and beta about that. theta bounds the quadratics: 1/2 beta'Q_t beta - theta + s_t
 * = r_t, where s_t > 0 and r_t, which the curvature leaves behind after each step, goes to zero.
 * rest = C / unit - sum beta > 0. */
typedef struct point {
    size_t K, T;
    double unit, scale;    /* of alpha, and of the objective */
    double rest, nu;       /* the bound on the sum and its multiplier */
    double *beta, *lambda; /* K, and the multipliers of beta >= 0 */
    double *s, *mu, *r;    /* T */
    double *g;             /* T x K: Q_t beta */
    double *mean;          /* K: the mean of g_t with the weights mu_t / s_t */
    double *spread;        /* T x K: what g_t is off the mean, times the root of its weight */
    double *matrix;        /* K x K */
    double *step, *s_step; /* K: of beta; T: of s, to first order */
    double *curve;         /* T: step'Q_t step */
    double *lambda_step, *mu_step;
    double nu_step, rest_step;
    double *room; /* what all of these are in */
} point;

static tm_status point_new(point *x, size_t K, size_t T, tm_error *err)
{
    *x = (point){.K = K, .T = T};
    x->room = mem_zeros(5 * K + 6 * T + 2 * T * K + K * K, sizeof(double));
    if (!x->room)
        return tm_fail_memory(err, "the inner problem");
    double *at = x->room;
    double **fields[] = {&x->beta, &x->lambda, &x->mean, &x->step, &x->lambda_step};
    for (size_t i = 0; i < 5; i++, at += K)
        *fields[i] = at;
    double **small[] = {&x->s, &x->mu, &x->r, &x->s_step, &x->curve, &x->mu_step};
    for (size_t i = 0; i < 6; i++, at += T)
        *small[i] = at;
    x->g = at;
    x->spread = x->g + T * K;
    x->matrix = x->spread + T * K;
    return TM_OK;
}

static double dot(const double *a, const double *b, size_t n)
{
    return cblas_ddot((int)n, a, 1, b, 1);
}

static double q_of(const qcqp *problem, const point *x, size_t k)
{
    return x->unit * problem->q[k] / x->scale;
}

/* out = Q_t v in scaled terms. */
static void multiply(const qcqp *problem, const point *x, size_t t, const double *v, double *out)
{
    double factor = x->unit * x->unit / x->scale;
    cblas_dsymv(CblasColMajor, CblasLower, (int)x->K, factor, problem->Q[t], (int)problem->stride,
                v, 1, 0, out, 1);
}

/* ---- beginning ----------------------------------------------------------------------------- */

/* The sum of equal alpha of the best size, which tells what size the answer is about. */
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

static void set_units(const qcqp *problem, point *x, double sum)
{
    double greatest = 0;
    for (size_t k = 0; k < x->K; k++)
        greatest = fmax(greatest, fabs(problem->q[k]));
    x->unit = fmin(sum, problem->C);
    x->scale = greatest > 0 ? x->unit * greatest : 1;
}

/* Equal beta; every product of a variable and its multiplier about the same. */
static void begin(const qcqp *problem, point *x)
{
    size_t K = x->K, T = x->T;
    double greatest = 0, tau = 0.1, size = 1 / ((double)K + 1);
    for (size_t k = 0; k < K; k++)
        x->beta[k] = size;
    for (size_t t = 0; t < T; t++) {
        multiply(problem, x, t, x->beta, x->g + t * K);
        x->s[t] = -dot(x->beta, x->g + t * K, K) / 2;
        greatest = fmax(greatest, -x->s[t]);
    }
    double theta = greatest + fmax(greatest, 1e-3);
    x->rest = problem->C / x->unit - size * (double)K;
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

/* ---- one step ------------------------------------------------------------------------------ */

/* H + diag(lambda/beta) + (nu/rest) 11' + the covariance of the g_t with weights mu_t / s_t: what
 * is left when theta and all multipliers are eliminated. As a covariance it keeps its digits when
 * the weights grow beyond bounds. */
static void assemble(const qcqp *problem, point *x)
{
    size_t K = x->K;
    double factor = x->unit * x->unit / x->scale, total = 0, bound = x->nu / x->rest;
    memset(x->mean, 0, K * sizeof *x->mean);
    for (size_t t = 0; t < x->T; t++) {
        double weight = x->mu[t] / x->s[t];
        total += weight;
        for (size_t k = 0; k < K; k++)
            x->mean[k] += weight * x->g[t * K + k];
    }
    for (size_t k = 0; k < K; k++)
        x->mean[k] /= total;
    for (size_t t = 0; t < x->T; t++) {
        double root = sqrt(x->mu[t] / x->s[t]);
        for (size_t k = 0; k < K; k++)
            x->spread[t * K + k] = root * (x->g[t * K + k] - x->mean[k]);
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)K, (int)x->T, 1, x->spread, (int)K, 0,
                x->matrix, (int)K);
    for (size_t t = 0; t < x->T; t++)
        for (size_t k = 0; k < K; k++)
            cblas_daxpy((int)(K - k), factor * x->mu[t], problem->Q[t] + k * problem->stride + k, 1,
                        x->matrix + k * K + k, 1);
    for (size_t k = 0; k < K; k++) {
        for (size_t i = k; i < K; i++)
            x->matrix[k * K + i] += bound;
        x->matrix[k * K + k] += x->lambda[k] / x->beta[k];
    }
}

static bool factorise(const qcqp *problem, point *x)
{
    assemble(problem, x);
    return normal_factorise(x->matrix, x->K);
}

/* The Newton step towards products of size tau, with what the multipliers do. */
static void find_step(const qcqp *problem, point *x, double tau)
{
    size_t K = x->K, T = x->T;
    double total = 0, pull = 0, sum = 0;
    for (size_t k = 0; k < K; k++)
        x->step[k] = q_of(problem, x, k) - x->mean[k] + tau / x->beta[k] - tau / x->rest;
    for (size_t t = 0; t < T; t++) {
        double push = (tau + x->mu[t] * x->r[t]) / x->s[t];
        total += x->mu[t] / x->s[t];
        pull += push;
        for (size_t k = 0; k < K; k++)
            x->step[k] -= push * (x->g[t * K + k] - x->mean[k]);
    }
    normal_solve(x->matrix, K, x->step);
    double theta_step = (pull - 1) / total + dot(x->mean, x->step, K);
    for (size_t t = 0; t < T; t++) {
        x->s_step[t] = theta_step - dot(x->g + t * K, x->step, K) - x->r[t];
        x->mu_step[t] = (tau - x->mu[t] * x->s_step[t]) / x->s[t] - x->mu[t];
    }
    for (size_t k = 0; k < K; k++) {
        sum += x->step[k];
        x->lambda_step[k] = (tau - x->lambda[k] * x->step[k]) / x->beta[k] - x->lambda[k];
    }
    x->rest_step = -sum;
    x->nu_step = (tau - x->nu * x->rest_step) / x->rest - x->nu;
}

static pairs alpha_pairs(const point *x)
{
    return (pairs){x->beta, x->step, x->lambda, x->lambda_step, x->K};
}

static pairs group_pairs(const point *x)
{
    return (pairs){x->s, x->s_step, x->mu, x->mu_step, x->T};
}

/* The longest step, at most 1, that keeps everything nonnegative. */
static double longest_step(const point *x)
{
    pairs alphas = alpha_pairs(x), groups = group_pairs(x);
    double length = step_within(step_within(1, x->rest, x->rest_step), x->nu, x->nu_step);
    return pairs_longest(pairs_longest(length, &alphas), &groups);
}

/* Mean product of variables and multipliers after a step of this length. */
static double products_after(const point *x, double length)
{
    pairs alphas = alpha_pairs(x), groups = group_pairs(x);
    double sum = (x->rest + length * x->rest_step) * (x->nu + length * x->nu_step);
    sum = pairs_products(pairs_products(sum, length, &alphas), length, &groups);
    return sum / (double)(x->K + x->T + 1);
}

/* ---- one step by the whole system ---------------------------------------------------------------
 *
 * Eliminating theta and the multipliers adds nu/rest to all of the matrix. Where the sum of beta
 * meets its bound that outgrows what else is in it, whose digits are lost. The system before the
 * elimination,
 *
 *     H + lambda/beta    0      g'       1        of beta
 *           0            0     -1'       0        of theta
 *           g           -1   -s/mu       0        of mu
 *           1'           0      0     -rest/nu    of nu
 *
 * has only bounded entries beside its diagonal. It is indefinite and larger, so that it costs more.
 */
typedef struct whole_system {
    size_t size;                          /* K + T + 2 */
    double *matrix, *factor;              /* size x size */
    double *right, *scale, *step, *error; /* size */
    lapack_int *pivots;                   /* size */
} whole_system;

static void whole_free(whole_system *w)
{
    free(w->matrix);
    free(w->pivots);
    *w = (whole_system){0};
}

static bool whole_new(whole_system *w, const point *x)
{
    size_t N = x->K + x->T + 2;
    *w = (whole_system){.size = N,
                        .matrix = mem_array(2 * N * N + 4 * N, sizeof *w->matrix),
                        .pivots = mem_array(N, sizeof *w->pivots)};
    if (!w->matrix || !w->pivots) {
        whole_free(w);
        return false;
    }
    w->factor = w->matrix + N * N;
    w->right = w->factor + N * N;
    w->scale = w->right + N;
    w->step = w->scale + N;
    w->error = w->step + N;
    return true;
}

static void whole_fill(const qcqp *problem, const point *x, whole_system *w)
{
    size_t K = x->K, T = x->T, N = w->size, theta = K, nu = K + 1 + T;
    double factor = x->unit * x->unit / x->scale, *A = w->matrix;
    memset(A, 0, N * N * sizeof *A);
    for (size_t k = 0; k < K; k++) {
        for (size_t t = 0; t < T; t++) {
            cblas_daxpy((int)(K - k), factor * x->mu[t], problem->Q[t] + k * problem->stride + k, 1,
                        A + k * N + k, 1);
            A[k * N + K + 1 + t] = x->g[t * K + k];
        }
        A[k * N + k] += x->lambda[k] / x->beta[k];
        A[k * N + nu] = 1;
    }
    for (size_t t = 0; t < T; t++) {
        A[theta * N + K + 1 + t] = -1;
        A[(K + 1 + t) * N + K + 1 + t] = -x->s[t] / x->mu[t];
    }
    A[nu * N + nu] = -x->rest / x->nu;
    for (size_t k = 0; k < N; k++)
        for (size_t i = k + 1; i < N; i++)
            A[i * N + k] = A[k * N + i];
}

/* Rows and columns are scaled alike, so that no entry is much above 1, and factorised. */
static bool whole_factorise(const qcqp *problem, const point *x, whole_system *w)
{
    size_t N = w->size;
    whole_fill(problem, x, w);
    for (size_t k = 0; k < N; k++) {
        double greatest = w->matrix[k * N + k];
        for (size_t i = 0; k >= x->K && i < N; i++)
            greatest = fmax(greatest, fabs(w->matrix[k * N + i]) * (i < k ? w->scale[i] : 1));
        w->scale[k] = 1 / (k < x->K ? sqrt(greatest) : greatest);
    }
    for (size_t k = 0; k < N; k++)
        for (size_t i = 0; i < N; i++)
            w->factor[k * N + i] = w->matrix[k * N + i] * w->scale[i] * w->scale[k];
    lapack_int n = (lapack_int)N;
    return LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', n, w->factor, n, w->pivots) == 0;
}

/* Solves for w->right, with what the first solution leaves of it solved for in turn. */
static void whole_solve(whole_system *w)
{
    enum { REFINEMENTS = 2 };
    size_t N = w->size;
    lapack_int n = (lapack_int)N;
    memset(w->step, 0, N * sizeof *w->step);
    for (int round = 0; round <= REFINEMENTS; round++) {
        for (size_t k = 0; k < N; k++) {
            long double left = w->right[k];
            for (size_t i = 0; i < N; i++)
                left -= (long double)w->matrix[k * N + i] * w->step[i];
            w->error[k] = w->scale[k] * (double)left;
        }
        LAPACKE_dsytrs(LAPACK_COL_MAJOR, 'L', n, 1, w->factor, n, w->pivots, w->error, n);
        for (size_t k = 0; k < N; k++)
            w->step[k] += w->scale[k] * w->error[k];
    }
}

/* The Newton step towards products of size tau, as find_step has it. */
static void whole_step(const qcqp *problem, point *x, whole_system *w, double tau)
{
    size_t K = x->K, T = x->T, theta = K, nu = K + 1 + T;
    double total = 0;
    for (size_t k = 0; k < K; k++) {
        w->right[k] = q_of(problem, x, k) - x->nu + tau / x->beta[k];
        for (size_t t = 0; t < T; t++)
            w->right[k] -= x->mu[t] * x->g[t * K + k];
    }
    for (size_t t = 0; t < T; t++) {
        total += x->mu[t];
        w->right[K + 1 + t] = x->s[t] - tau / x->mu[t] - x->r[t];
    }
    w->right[theta] = total - 1;
    w->right[nu] = x->rest - tau / x->nu;
    whole_solve(w);
    for (size_t k = 0; k < K; k++) {
        x->step[k] = w->step[k];
        x->lambda_step[k] = (tau - x->lambda[k] * x->step[k]) / x->beta[k] - x->lambda[k];
    }
    for (size_t t = 0; t < T; t++) {
        x->mu_step[t] = w->step[K + 1 + t];
        x->s_step[t] = (tau - x->s[t] * x->mu_step[t]) / x->mu[t] - x->s[t];
    }
    x->nu_step = w->step[nu];
    x->rest_step = (tau - x->rest * x->nu_step) / x->nu - x->rest;
}

/* After find_curvature: the spread holds Q_t step. `recompute`: near the end the digits that
 * adding up loses count. */
static void take_step(const qcqp *problem, point *x, double length, bool recompute)
{
    for (size_t k = 0; k < x->K; k++) {
        x->beta[k] += length * x->step[k];
        x->lambda[k] += length * x->lambda_step[k];
    }
    for (size_t t = 0; t < x->T; t++) {
        x->s[t] += length * x->s_step[t];
        x->r[t] = (1 - length) * x->r[t] + length * length * x->curve[t] / 2;
        x->mu[t] += length * x->mu_step[t];
        if (recompute)
            multiply(problem, x, t, x->beta, x->g + t * x->K);
        else
            cblas_daxpy((int)x->K, length, x->spread + t * x->K, 1, x->g + t * x->K, 1);
    }
    x->rest += length * x->rest_step;
    x->nu += length * x->nu_step;
}

/* Q_t step takes the place of the spread, which is no longer needed once the matrix is made. */
static void find_curvature(const qcqp *problem, point *x)
{
    for (size_t t = 0; t < x->T; t++) {
        multiply(problem, x, t, x->step, x->spread + t * x->K);
        x->curve[t] = fmax(dot(x->step, x->spread + t * x->K, x->K), 0);
    }
}

/* ---- the answer ---------------------------------------------------------------------------- */

/* Both bounds at beta and the normalised mu. */
static qcqp_result evaluate(const qcqp *problem, const point *x)
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
        double margin = q_of(problem, x, k);
        value += margin * x->beta[k];
        for (size_t t = 0; t < x->T; t++)
            margin -= x->mu[t] / total * x->g[t * K + k];
        risk = fmax(risk, margin);
    }
    risk *= problem->C / x->unit;
    return (qcqp_result){x->scale * (value - greatest / 2), x->scale * (norm * norm / 2 + risk)};
}

/* Keeps the best pair of bounds seen: near the end rounding moves them about. */
static void keep_best(const qcqp *problem, const point *x, qcqp_result *best, double *alpha,
                      double *mu)
{
    qcqp_result now = evaluate(problem, x);
    double total = 0;
    if (!(now.upper - now.value < best->upper - best->value))
        return;
    *best = now;
    for (size_t k = 0; k < x->K; k++)
        alpha[k] = x->unit * x->beta[k];
    for (size_t t = 0; t < x->T; t++)
        total += x->mu[t];
    for (size_t t = 0; t < x->T; t++)
        mu[t] = x->mu[t] / total;
}

static bool good_enough(const qcqp_result *best, double scale)
{
    static const double RELATIVE = 5e-10, OF_SCALE = 1e-12;
    return best->upper - best->value <= RELATIVE * fabs(best->upper) + OF_SCALE * scale;
}

enum { MAX_STEPS = 120, STEPS_IN_VAIN = 25, WHOLE_STEPS_IN_VAIN = 6 };

/* A step to nearly zero tells how far the products can fall; the one that is taken aims there. By
 * the whole system when there is one. False when rounding has made the matrix indefinite. */
static bool find_direction(const qcqp *problem, point *x, whole_system *whole)
{
    if (whole ? !whole_factorise(problem, x, whole) : !factorise(problem, x))
        return false;
    double tau = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (whole)
            whole_step(problem, x, whole, tau);
        else
            find_step(problem, x, tau);
        double now = products_after(x, 0);
        if (pass == 0)
            tau = centring_share(now, products_after(x, longest_step(x))) * now;
    }
    return true;
}

static void iterate(const qcqp *problem, point *x, whole_system *whole, double *alpha, double *mu,
                    qcqp_result *best)
{
    static const double NEAR_THE_END = 1e-4;
    int vain = 0, most = whole ? WHOLE_STEPS_IN_VAIN : STEPS_IN_VAIN;
    for (int i = 0; i < MAX_STEPS && vain < most; i++) {
        double gap = best->upper - best->value;
        keep_best(problem, x, best, alpha, mu);
        if (good_enough(best, problem->C * x->scale / x->unit))
            return;
        vain = best->upper - best->value < 0.9 * gap ? 0 : vain + 1;
        if (!find_direction(problem, x, whole))
            return;
        find_curvature(problem, x);
        take_step(problem, x, 0.98 * longest_step(x),
                  best->upper - best->value < NEAR_THE_END * fabs(best->upper));
    }
}

static bool is_done(const qcqp *problem, const point *x, const qcqp_result *best)
{
    return good_enough(best, problem->C * x->scale / x->unit);
}

/* From equal alpha on the scale of `sum` until rounding stops the steps, and on from there by the
 * whole system, which costs several times as much a step. Without memory for it the best bounds so
 * far stay. */
static bool attempt(const qcqp *problem, point *x, double sum, double *alpha, double *mu,
                    qcqp_result *best)
{
    whole_system whole = {0};
    set_units(problem, x, sum);
    begin(problem, x);
    iterate(problem, x, NULL, alpha, mu, best);
    if (!is_done(problem, x, best) && whole_new(&whole, x))
        iterate(problem, x, &whole, alpha, mu, best);
    whole_free(&whole);
    return is_done(problem, x, best);
}

/* Where a group has a greater curvature than the answer feels, the answer is far from where equal
 * alpha would be; then steps are short, and the next attempt begins on the scale that was reached,
 * the last one on the greatest. */
static void solve(const qcqp *problem, point *x, double *alpha, double *mu, qcqp_result *best)
{
    enum { ATTEMPTS = 5 };
    double sum = problem->sum > 0 ? problem->sum : best_equal(problem);
    for (int i = 0; i < ATTEMPTS && !attempt(problem, x, sum, alpha, mu, best); i++) {
        double reached = 0;
        for (size_t k = 0; k < x->K; k++)
            reached += alpha[k];
        sum = reached > 3 * x->unit || reached < x->unit / 30 ? reached : 30 * x->unit;
        if (i + 2 == ATTEMPTS)
            sum = problem->C;
    }
}

tm_status qcqp_solve(const qcqp *problem, double *alpha, double *mu, qcqp_result *result,
                     tm_error *err)
{
    point x;
    *result = (qcqp_result){-INFINITY, INFINITY};
    tm_status status = point_new(&x, problem->count, problem->groups, err);
    if (status == TM_OK) {
        memset(alpha, 0, x.K * sizeof *alpha);
        for (size_t t = 0; t < x.T; t++)
            mu[t] = 1 / (double)x.T;
        solve(problem, &x, alpha, mu, result);
    }
    free(x.room);
    return status;
}
