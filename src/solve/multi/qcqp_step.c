#include "solve/multi/qcqp_point.h"

#include "solve/common/interior_point.h"
#include "solve/multi/qcqp.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b, size_t n)
{
    return cblas_ddot((int)n, a, 1, b, 1);
}

double qcqp_margin(const qcqp_point *x, size_t k)
{
    return x->unit * x->problem->q[k] / x->scale;
}

static void multiply_exactly(const qcqp_point *x, size_t t, const double *v, double *out)
{
    long double factor = (long double)x->unit * x->unit / x->scale;
    for (size_t k = 0; k < x->K; k++) {
        const double *row = x->problem->Q[t] + k * x->problem->stride;
        long double sum = 0;
        for (size_t i = 0; i < x->K; i++)
            sum += (long double)row[i] * v[i];
        out[k] = (double)(factor * (sum + (long double)x->ridge * row[k] * v[k]));
    }
}

void qcqp_add_matrix(const qcqp_point *x, size_t t, double a, double *matrix, size_t stride)
{
    double factor = x->unit * x->unit / x->scale;
    for (size_t k = 0; k < x->K; k++) {
        const double *row = x->problem->Q[t] + k * x->problem->stride;
        cblas_daxpy((int)(x->K - k), factor * a, row + k, 1, matrix + k * stride + k, 1);
        if (x->ridge > 0)
            matrix[k * stride + k] += factor * a * x->ridge * row[k];
    }
}

void qcqp_multiply(const qcqp_point *x, size_t t, const double *v, bool exactly, double *out)
{
    if (exactly) {
        multiply_exactly(x, t, v, out);
        return;
    }
    double factor = x->unit * x->unit / x->scale;
    cblas_dsymv(CblasColMajor, CblasLower, (int)x->K, factor, x->problem->Q[t],
                (int)x->problem->stride, v, 1, 0, out, 1);
    for (size_t k = 0; x->ridge > 0 && k < x->K; k++)
        out[k] += factor * x->ridge * x->problem->Q[t][k * x->problem->stride + k] * v[k];
}

/* H + diag(lambda/beta) + (nu/rest) 11' + the covariance of the g_t with weights mu_t / s_t: the
 * matrix that remains when theta and all multipliers are eliminated. Written as a covariance it
 * stays accurate when the weights grow without bound. */
static void assemble(qcqp_point *x)
{
    size_t K = x->K;
    double total = 0, bound = x->nu / x->rest;
    memset(x->normal.mean, 0, K * sizeof *x->normal.mean);
    for (size_t t = 0; t < x->T; t++) {
        double weight = x->mu[t] / x->s[t];
        total += weight;
        for (size_t k = 0; k < K; k++)
            x->normal.mean[k] += weight * x->g[t * K + k];
    }
    for (size_t k = 0; k < K; k++)
        x->normal.mean[k] /= total;
    for (size_t t = 0; t < x->T; t++) {
        double root = sqrt(x->mu[t] / x->s[t]);
        for (size_t k = 0; k < K; k++)
            x->normal.spread[t * K + k] = root * (x->g[t * K + k] - x->normal.mean[k]);
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)K, (int)x->T, 1, x->normal.spread,
                (int)K, 0, x->normal.matrix, (int)K);
    for (size_t t = 0; t < x->T; t++)
        qcqp_add_matrix(x, t, x->mu[t], x->normal.matrix, K);
    for (size_t k = 0; k < K; k++) {
        for (size_t i = k; i < K; i++)
            x->normal.matrix[k * K + i] += bound;
        x->normal.matrix[k * K + k] += x->lambda[k] / x->beta[k];
    }
}

static bool factorise(qcqp_point *x)
{
    assemble(x);
    return normal_factorise(x->normal.matrix, x->K);
}

/* The Newton step towards products of size tau, including the multipliers. */
static void find_step(qcqp_point *x, double tau)
{
    size_t K = x->K, T = x->T;
    double total = 0, pull = 0, sum = 0;
    for (size_t k = 0; k < K; k++)
        x->step.beta[k] = qcqp_margin(x, k) - x->normal.mean[k] + tau / x->beta[k] - tau / x->rest;
    for (size_t t = 0; t < T; t++) {
        double push = (tau + x->mu[t] * x->r[t]) / x->s[t];
        total += x->mu[t] / x->s[t];
        pull += push;
        for (size_t k = 0; k < K; k++)
            x->step.beta[k] -= push * (x->g[t * K + k] - x->normal.mean[k]);
    }
    normal_solve(x->normal.matrix, K, x->step.beta);
    double theta_step = (pull - 1) / total + dot(x->normal.mean, x->step.beta, K);
    for (size_t t = 0; t < T; t++) {
        x->step.s[t] = theta_step - dot(x->g + t * K, x->step.beta, K) - x->r[t];
        x->step.mu[t] = (tau - x->mu[t] * x->step.s[t]) / x->s[t] - x->mu[t];
    }
    for (size_t k = 0; k < K; k++) {
        sum += x->step.beta[k];
        x->step.lambda[k] = (tau - x->lambda[k] * x->step.beta[k]) / x->beta[k] - x->lambda[k];
    }
    x->step.rest = -sum;
    x->step.nu = (tau - x->nu * x->step.rest) / x->rest - x->nu;
}

static pairs alpha_pairs(const qcqp_point *x)
{
    return (pairs){x->beta, x->step.beta, x->lambda, x->step.lambda, x->K};
}

static pairs group_pairs(const qcqp_point *x)
{
    return (pairs){x->s, x->step.s, x->mu, x->step.mu, x->T};
}

double qcqp_longest_step(const qcqp_point *x)
{
    pairs alphas = alpha_pairs(x), groups = group_pairs(x);
    double length = step_within(step_within(1, x->rest, x->step.rest), x->nu, x->step.nu);
    return pairs_longest(pairs_longest(length, &alphas), &groups);
}

/* Mean product of variables and multipliers after a step of this length. */
static double products_after(const qcqp_point *x, double length)
{
    pairs alphas = alpha_pairs(x), groups = group_pairs(x);
    double sum = (x->rest + length * x->step.rest) * (x->nu + length * x->step.nu);
    sum = pairs_products(pairs_products(sum, length, &alphas), length, &groups);
    return sum / (double)(x->K + x->T + 1);
}

/* Overwrites the spread, which is no longer needed once the matrix is assembled. */
void qcqp_find_curvature(qcqp_point *x)
{
    for (size_t t = 0; t < x->T; t++) {
        qcqp_multiply(x, t, x->step.beta, false, x->normal.spread + t * x->K);
        x->step.curve[t] = fmax(dot(x->step.beta, x->normal.spread + t * x->K, x->K), 0);
    }
}

/* The step towards nearly zero shows how far the products can decrease. */
bool qcqp_find_step(qcqp_point *x, qcqp_whole *whole)
{
    if (whole ? !qcqp_whole_factorise(x, whole) : !factorise(x))
        return false;
    double tau = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (whole)
            qcqp_whole_step(x, whole, tau);
        else
            find_step(x, tau);
        double now = products_after(x, 0);
        if (pass == 0)
            tau = centring_share(now, products_after(x, qcqp_longest_step(x))) * now;
    }
    return true;
}
