#include "solve/common/interior_point.h"

#include "base/memory.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
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

/* The lower triangle becomes its Cholesky factor; false when rounding has made it indefinite. */
static bool factorise(point *x)
{
    lapack_int n = (lapack_int)x->K;
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, x->matrix, n) == 0;
}

/* The Newton step towards products of size tau, with what the multipliers do. */
static void find_step(const qcqp *problem, point *x, double tau)
{
    size_t K = x->K, T = x->T;
    double total = 0, pull = 0, sum = 0;
    lapack_int n = (lapack_int)K;
    for (size_t k = 0; k < K; k++)
        x->step[k] = q_of(problem, x, k) - x->mean[k] + tau / x->beta[k] - tau / x->rest;
    for (size_t t = 0; t < T; t++) {
        double push = (tau + x->mu[t] * x->r[t]) / x->s[t];
        total += x->mu[t] / x->s[t];
        pull += push;
        for (size_t k = 0; k < K; k++)
            x->step[k] -= push * (x->g[t * K + k] - x->mean[k]);
    }
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, x->matrix, n, x->step, n);
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

static double keep_positive(double length, double value, double step)
{
    return value + length * step < 0 ? -value / step : length;
}

/* The longest step, at most 1, that keeps everything nonnegative. */
static double longest_step(const point *x)
{
    double length = keep_positive(keep_positive(1, x->rest, x->rest_step), x->nu, x->nu_step);
    for (size_t k = 0; k < x->K; k++) {
        length = keep_positive(length, x->beta[k], x->step[k]);
        length = keep_positive(length, x->lambda[k], x->lambda_step[k]);
    }
    for (size_t t = 0; t < x->T; t++) {
        length = keep_positive(length, x->s[t], x->s_step[t]);
        length = keep_positive(length, x->mu[t], x->mu_step[t]);
    }
    return length;
}

/* Mean product of variables and multipliers after a step of this length. */
static double products_after(const point *x, double length)
{
    double sum = (x->rest + length * x->rest_step) * (x->nu + length * x->nu_step);
    for (size_t k = 0; k < x->K; k++)
        sum += (x->beta[k] + length * x->step[k]) * (x->lambda[k] + length * x->lambda_step[k]);
    for (size_t t = 0; t < x->T; t++)
        sum += (x->s[t] + length * x->s_step[t]) * (x->mu[t] + length * x->mu_step[t]);
    return sum / (double)(x->K + x->T + 1);
}

/* After find_curvature: the spread holds Q_t step. `anew`: near the end the digits that adding up
 * loses count. */
static void take_step(const qcqp *problem, point *x, double length, bool anew)
{
    for (size_t k = 0; k < x->K; k++) {
        x->beta[k] += length * x->step[k];
        x->lambda[k] += length * x->lambda_step[k];
    }
    for (size_t t = 0; t < x->T; t++) {
        x->s[t] += length * x->s_step[t];
        x->r[t] = (1 - length) * x->r[t] + length * length * x->curve[t] / 2;
        x->mu[t] += length * x->mu_step[t];
        if (anew)
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

enum { MAX_STEPS = 120, STEPS_IN_VAIN = 25 };

static void iterate(const qcqp *problem, point *x, double *alpha, double *mu, qcqp_result *best)
{
    static const double NEAR_THE_END = 1e-4;
    int vain = 0;
    for (int i = 0; i < MAX_STEPS && vain < STEPS_IN_VAIN; i++) {
        double gap = best->upper - best->value;
        keep_best(problem, x, best, alpha, mu);
        if (good_enough(best, problem->C * x->scale / x->unit))
            return;
        vain = best->upper - best->value < 0.9 * gap ? 0 : vain + 1;
        assemble(problem, x);
        if (!factorise(x))
            return;
        find_step(problem, x, 0);
        double now = products_after(x, 0);
        double after = products_after(x, longest_step(x));
        double centring = fmin(fmax(pow(fmax(after, 0) / now, 3), 1e-6), 0.9);
        find_step(problem, x, centring * now);
        find_curvature(problem, x);
        take_step(problem, x, 0.98 * longest_step(x),
                  best->upper - best->value < NEAR_THE_END * fabs(best->upper));
    }
}

/* Where a group has a greater curvature than the answer feels, the answer is far from where equal
 * alpha would be; then steps are short, and it is begun again on the scale that was reached. */
static void attempt(const qcqp *problem, point *x, double *alpha, double *mu, qcqp_result *best)
{
    enum { ATTEMPTS = 5 };
    double sum = problem->sum > 0 ? problem->sum : best_equal(problem);
    for (int i = 0; i < ATTEMPTS; i++) {
        set_units(problem, x, sum);
        begin(problem, x);
        iterate(problem, x, alpha, mu, best);
        if (good_enough(best, problem->C * x->scale / x->unit))
            return;
        double reached = 0;
        for (size_t k = 0; k < x->K; k++)
            reached += alpha[k];
        sum = reached > 3 * x->unit || reached < x->unit / 30 ? reached : 30 * x->unit;
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
        attempt(problem, &x, alpha, mu, result);
    }
    free(x.room);
    return status;
}
