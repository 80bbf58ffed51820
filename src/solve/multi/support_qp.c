#include "solve/multi/support_qp.h"

#include "base/memory.h"
#include "solve/common/interior_point.h"
#include "solve/fgm/proximal.h"
#include "solve/multi/tuning.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scaled variables: beta = alpha / unit, and the objective is divided by `scale`. The complementary
 * pairs are
 *
 *     beta_k with lambda_k,     rest = C / unit - sum beta with nu,
 *     m_j with t_j,             1 - m_j with s_j,     theta - t_j + s_j = 1/2 c_j^2.
 * */
typedef struct qp_step {
    double *beta, *lambda; /* K */
    double *m, *t, *s, *c; /* J */
    double rest, nu, theta;
} qp_step;

/* Parts of the normal equations. */
typedef struct qp_normal {
    double *rows;   /* K x (J + 1) */
    double *matrix; /* K x K */
} qp_normal;

typedef struct point {
    const support_qp *problem;
    size_t K, J;
    double unit, scale;
    double rest, nu, theta;
    double *beta, *lambda; /* K */
    double *m, *t, *s, *c; /* J */
    double *weight, *pull; /* J: 1 / (t/m + s/(1 - m)); pull: see fill_rows */
    double ridge;          /* relative increase of the normal matrix's diagonal */
    qp_step step;
    qp_normal normal;
    double *room;
} point;

static tm_status point_new(point *x, const support_qp *problem, tm_error *err)
{
    size_t K = problem->count, J = problem->columns;
    *x = (point){.problem = problem, .K = K, .J = J};
    x->room = mem_zeros(4 * K + 10 * J + K * (J + 1) + K * K, sizeof(double));
    if (!x->room)
        return tm_fail_memory(err, "the inner problem");
    double *at = x->room;
    double **small[] = {&x->beta, &x->lambda, &x->step.beta, &x->step.lambda};
    for (size_t i = 0; i < 4; i++, at += K)
        *small[i] = at;
    double **wide[] = {&x->m,    &x->t,      &x->s,      &x->c,      &x->weight,
                       &x->pull, &x->step.m, &x->step.t, &x->step.s, &x->step.c};
    for (size_t i = 0; i < 10; i++, at += J)
        *wide[i] = at;
    x->normal.rows = at;
    x->normal.matrix = x->normal.rows + K * (J + 1);
    return TM_OK;
}

/* The factor of the a_k in scaled variables. */
static double factor_of(const point *x)
{
    return x->unit / sqrt(x->scale);
}

/* out = sum_k v_k a_k in scaled variables. */
static void combine(const point *x, const double *v, double *out)
{
    double factor = factor_of(x);
    memset(out, 0, x->J * sizeof *out);
    for (size_t k = 0; k < x->K; k++)
        cblas_daxpy((int)x->J, factor * v[k], x->problem->a[k], 1, out, 1);
}

static double product(const point *x, size_t k, const double *w)
{
    return factor_of(x) * cblas_ddot((int)x->J, x->problem->a[k], 1, w, 1);
}

static double margin(const point *x, size_t k)
{
    return x->unit * x->problem->q[k] / x->scale;
}

/* The sum of the B greatest c_j^2, and the least of these; uses x->pull as scratch. */
static double greatest_squares(const point *x, double *least)
{
    double sum = 0;
    for (size_t j = 0; j < x->J; j++)
        x->pull[j] = x->c[j] * x->c[j];
    qsort(x->pull, x->J, sizeof *x->pull, fgm_descending);
    for (size_t j = 0; j < x->problem->B; j++)
        sum += x->pull[j];
    *least = x->pull[x->problem->B - 1];
    return sum;
}

/* ---- the starting point -------------------------------------------------------------------- */

/* The sum of alpha that is best when all alpha_k are equal. */
static double best_equal(point *x)
{
    double gain = 0, least, C = x->problem->C;
    x->unit = x->scale = 1;
    for (size_t k = 0; k < x->K; k++) {
        x->beta[k] = 1 / (double)x->K;
        gain += x->problem->q[k] / (double)x->K;
    }
    combine(x, x->beta, x->c);
    double curvature = greatest_squares(x, &least);
    return gain > 0 && gain < curvature * C ? gain / curvature : C;
}

static void set_scale(point *x, double sum)
{
    double greatest = 0;
    for (size_t k = 0; k < x->K; k++)
        greatest = fmax(greatest, fabs(x->problem->q[k]));
    x->unit = fmin(sum, x->problem->C);
    x->scale = x->unit * greatest;
}

/* Starts at equal beta and equal shares, with products of pairs about equal. */
static void begin(point *x)
{
    size_t K = x->K, J = x->J;
    double least;
    set_scale(x, x->problem->sum > 0 ? x->problem->sum : best_equal(x));
    for (size_t k = 0; k < K; k++)
        x->beta[k] = 1 / ((double)K + 1);
    combine(x, x->beta, x->c);
    double squares = greatest_squares(x, &least), share = (double)x->problem->B / (double)J;
    double slack = fmax(squares / 2, QP_FIRST_PRODUCT) / (double)J;
    x->theta = least / 2;
    for (size_t j = 0; j < J; j++) {
        double above = x->c[j] * x->c[j] / 2 - x->theta;
        x->m[j] = share;
        x->s[j] = fmax(above, 0) + slack;
        x->t[j] = fmax(-above, 0) + slack;
    }
    x->rest = x->problem->C / x->unit - (double)K / ((double)K + 1);
    for (size_t k = 0; k < K; k++)
        x->lambda[k] = QP_FIRST_PRODUCT;
    x->nu = QP_FIRST_PRODUCT / ((double)K * x->rest);
}

/* Copies the labelings of `from`, scaled; returns the sum of their products. */
static double take_labelings(point *x, const support_qp_point *from, size_t *known)
{
    double sum = 0;
    for (size_t k = 0; k < x->K; k++) {
        x->beta[k] = from->lambda[k] > 0 ? from->alpha[k] / x->unit : 0;
        x->lambda[k] = from->lambda[k] * x->unit / x->scale;
        sum += x->beta[k] * x->lambda[k];
        *known += from->lambda[k] > 0;
    }
    return sum;
}

/* The same for columns, with both pairs of each. */
static double take_columns(point *x, const support_qp_point *from, size_t *known)
{
    double sum = 0;
    for (size_t j = 0; j < x->J; j++) {
        x->m[j] = from->t[j] > 0 ? from->shares[j] : 0;
        x->t[j] = from->t[j] / x->scale;
        x->s[j] = from->t[j] > 0 ? from->s[j] / x->scale : 0;
        sum += x->m[j] * x->t[j] + (1 - x->m[j]) * x->s[j];
        *known += from->t[j] > 0 ? 2 : 0;
    }
    return sum;
}

/* Adds new columns with products tau and shares of at most a half; those of the others are reduced
 * to keep the sum. */
static void add_columns(point *x, double tau)
{
    double before = 0, came = 0, B = (double)x->problem->B;
    for (size_t j = 0; j < x->J; j++) {
        if (x->t[j] > 0) {
            before += x->m[j];
            continue;
        }
        x->t[j] = fmax(x->theta - x->c[j] * x->c[j] / 2, fmax(sqrt(tau), 2 * tau));
        x->m[j] = tau / x->t[j];
        x->s[j] = tau / (1 - x->m[j]);
        came += x->m[j];
    }
    for (size_t j = 0; came > 0 && j < x->J; j++)
        x->m[j] *= B / (before + came);
}

/* Adds new labelings with products tau, with a slack equal to their violation at the shares'
 * weights; the beta of the others are reduced to make room. */
static void add_labelings(point *x, double tau)
{
    double sum = 0, whole = x->problem->C / x->unit - x->rest;
    for (size_t j = 0; j < x->J; j++)
        x->pull[j] = x->m[j] * x->c[j];
    for (size_t k = 0; k < x->K; k++) {
        if (x->lambda[k] == 0) {
            double violation = margin(x, k) - product(x, k, x->pull) - x->nu;
            x->lambda[k] = fmax(violation, sqrt(tau));
            x->beta[k] = tau / x->lambda[k];
        }
        sum += x->beta[k];
    }
    for (size_t k = 0; k < x->K; k++)
        x->beta[k] *= whole / sum;
}

/* Starts from the solution of the previous problem; false when there is none. */
static bool resume(point *x, const support_qp_point *from)
{
    double sum = 0;
    size_t known = 1;
    for (size_t k = 0; k < x->K; k++)
        sum += from->lambda[k] > 0 ? from->alpha[k] : 0;
    if (!from->begun || !(sum > 0))
        return false;
    set_scale(x, sum);
    x->rest = from->rest / x->unit;
    x->nu = from->nu * x->unit / x->scale;
    x->theta = from->theta / x->scale;
    double products = x->rest * x->nu + take_labelings(x, from, &known);
    products += take_columns(x, from, &known);
    double tau = products / (double)known;
    combine(x, x->beta, x->c);
    add_columns(x, tau);
    add_labelings(x, tau);
    combine(x, x->beta, x->c);
    return true;
}

/* ---- one step ------------------------------------------------------------------------------ */

/* Row k of `rows` is, with g_j = m_j + w_j c_j^2, w_j = 1/H_j and the mean a of the c_j a_j,
 *
 *     sqrt(g_j) a_kj - w_j c_j / sqrt(g_j) mean_k  for each j,    sqrt(sum_j w_j m_j / g_j) mean_k:
 *
 * the product of two rows is that of both parts of the matrix, m_j a_j a_j' and the covariance, as
 * completing the square for each column shows. Nothing is subtracted that could cancel. */
static void fill_rows(point *x)
{
    size_t K = x->K, J = x->J;
    double factor = factor_of(x), total = 0, left = 0;
    double *root = x->step.t, *shift = x->step.s; /* used as scratch until there is a step */
    for (size_t j = 0; j < J; j++) {
        double c = x->c[j], weight = 1 / (x->t[j] / x->m[j] + x->s[j] / (1 - x->m[j]));
        double curvature = x->m[j] + weight * c * c;
        x->weight[j] = weight;
        x->pull[j] = weight * c;
        root[j] = factor * sqrt(curvature);
        shift[j] = weight * c / sqrt(curvature);
        left += weight * x->m[j] / curvature;
        total += weight;
    }
    for (size_t k = 0; k < K; k++) {
        const double *a = x->problem->a[k];
        double *row = x->normal.rows + (J + 1) * k, mean = product(x, k, x->pull) / total;
        for (size_t j = 0; j < J; j++)
            row[j] = root[j] * a[j] - shift[j] * mean;
        row[J] = sqrt(left) * mean;
    }
}

/* A diag(m) A' + the covariance of c_j a_j with the weights 1/H_j + diag(lambda/beta) +
 * (nu/rest) 11'; see docs/multi.md. */
static void assemble(point *x)
{
    size_t K = x->K, J = x->J;
    double bound = x->nu / x->rest;
    fill_rows(x);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)K, (int)(J + 1), 1, x->normal.rows,
                (int)(J + 1), 0, x->normal.matrix, (int)K);
    for (size_t k = 0; k < K; k++) {
        for (size_t i = k; i < K; i++)
            x->normal.matrix[k * K + i] += bound;
        x->normal.matrix[k * K + k] += x->lambda[k] / x->beta[k];
        x->normal.matrix[k * K + k] *= 1 + x->ridge;
    }
}

/* Rounding makes the matrix indefinite where more labelings share the weight than there are columns
 * to tell them apart: its diagonal is then increased, by at most the rounding errors of its
 * products and factors. Later steps, which compute all residuals again, correct what that changes
 * in one. */
static bool factorise(point *x)
{
    for (;;) {
        assemble(x);
        if (normal_factorise(x->normal.matrix, x->K))
            return true;
        x->ridge = fmax(QCQP_RIDGE_GROWTH * x->ridge, DBL_EPSILON);
        if (x->ridge > (double)(x->K + 2 * x->J) * DBL_EPSILON)
            return false;
    }
}

/* The Newton step towards products of size tau. */
static void find_step(point *x, double tau)
{
    size_t K = x->K, J = x->J;
    qp_step *d = &x->step;
    double total = 0, pulls = 0, sum = 0;
    for (size_t j = 0; j < J; j++) {
        x->pull[j] = tau / x->m[j] - tau / (1 - x->m[j]) + x->c[j] * x->c[j] / 2 - x->theta;
        total += x->weight[j];
        pulls += x->weight[j] * x->pull[j];
    }
    for (size_t j = 0; j < J; j++) /* weights, then the shares' part of the step */
        d->m[j] = x->m[j] * x->c[j] + x->c[j] * x->weight[j] * (x->pull[j] - pulls / total);
    for (size_t k = 0; k < K; k++)
        d->beta[k] = margin(x, k) - product(x, k, d->m) + tau / x->beta[k] - tau / x->rest;
    normal_solve(x->normal.matrix, K, d->beta);
    combine(x, d->beta, d->c);
    for (size_t k = 0; k < K; k++) {
        sum += d->beta[k];
        d->lambda[k] = (tau - x->lambda[k] * d->beta[k]) / x->beta[k] - x->lambda[k];
    }
    d->theta = pulls / total;
    for (size_t j = 0; j < J; j++)
        d->theta += x->weight[j] * x->c[j] * d->c[j] / total;
    for (size_t j = 0; j < J; j++) {
        d->m[j] = x->weight[j] * (x->c[j] * d->c[j] - d->theta + x->pull[j]);
        d->t[j] = (tau - x->t[j] * d->m[j]) / x->m[j] - x->t[j];
        d->s[j] = (tau + x->s[j] * d->m[j]) / (1 - x->m[j]) - x->s[j];
    }
    d->rest = -sum;
    d->nu = (tau - x->nu * d->rest) / x->rest - x->nu;
}

/* The longest step, at most 1, that keeps everything nonnegative. */
static double longest_step(const point *x)
{
    pairs alphas = {x->beta, x->step.beta, x->lambda, x->step.lambda, x->K};
    pairs shares = {x->m, x->step.m, x->t, x->step.t, x->J};
    double length = step_within(step_within(1, x->rest, x->step.rest), x->nu, x->step.nu);
    length = pairs_longest(pairs_longest(length, &alphas), &shares);
    for (size_t j = 0; j < x->J; j++)
        length =
            step_within(step_within(length, 1 - x->m[j], -x->step.m[j]), x->s[j], x->step.s[j]);
    return length;
}

/* Mean product after a step of this length. */
static double products_after(const point *x, double length)
{
    pairs alphas = {x->beta, x->step.beta, x->lambda, x->step.lambda, x->K};
    pairs shares = {x->m, x->step.m, x->t, x->step.t, x->J};
    double sum = (x->rest + length * x->step.rest) * (x->nu + length * x->step.nu);
    sum = pairs_products(pairs_products(sum, length, &alphas), length, &shares);
    for (size_t j = 0; j < x->J; j++)
        sum += (1 - x->m[j] - length * x->step.m[j]) * (x->s[j] + length * x->step.s[j]);
    return sum / (double)(x->K + 2 * x->J + 1);
}

static void take_step(point *x, double length)
{
    const qp_step *d = &x->step;
    for (size_t k = 0; k < x->K; k++) {
        x->beta[k] += length * d->beta[k];
        x->lambda[k] += length * d->lambda[k];
    }
    for (size_t j = 0; j < x->J; j++) {
        x->m[j] += length * d->m[j];
        x->t[j] += length * d->t[j];
        x->s[j] += length * d->s[j];
    }
    combine(x, x->beta, x->c);
    x->rest += length * d->rest;
    x->nu += length * d->nu;
    x->theta += length * d->theta;
}

/* ---- the solution -------------------------------------------------------------------------- */

/* Upper minus lower bound at the point, scaled. */
static double gap_here(point *x)
{
    double least, value = -greatest_squares(x, &least) / 2, upper = 0, risk = 0;
    for (size_t j = 0; j < x->J; j++) {
        x->pull[j] = x->m[j] * x->c[j];
        upper += x->pull[j] * x->c[j] / 2;
    }
    for (size_t k = 0; k < x->K; k++) {
        value += margin(x, k) * x->beta[k];
        risk = fmax(risk, margin(x, k) - product(x, k, x->pull));
    }
    return upper + x->problem->C / x->unit * risk - value;
}

static void keep(const point *x, support_qp_point *out)
{
    for (size_t k = 0; k < x->K; k++) {
        out->alpha[k] = x->unit * x->beta[k];
        out->lambda[k] = x->lambda[k] * x->scale / x->unit;
    }
    for (size_t j = 0; j < x->J; j++) {
        out->shares[j] = x->m[j];
        out->t[j] = x->t[j] * x->scale;
        out->s[j] = x->s[j] * x->scale;
    }
    out->rest = x->rest * x->unit;
    out->nu = x->nu * x->scale / x->unit;
    out->theta = x->theta * x->scale;
}

static void iterate(point *x, double target, support_qp_point *out)
{
    int vain = 0;
    for (int i = 0; i < QCQP_MAX_STEPS && vain < QCQP_STEPS_IN_VAIN; i++) {
        double here = x->scale * gap_here(x);
        vain = here < QCQP_WORTHWHILE * out->gap ? 0 : vain + 1;
        if (here < out->gap) {
            out->gap = here;
            keep(x, out);
        }
        if (out->gap <= target)
            return;
        if (!factorise(x))
            return;
        find_step(x, 0);
        double now = products_after(x, 0), after = products_after(x, longest_step(x));
        find_step(x, centring_share(now, after) * now);
        take_step(x, QCQP_STEP * longest_step(x));
    }
}

/* Newton steps towards the point of the central path with a gap of about half of `target`, until
 * the gap is at most the target and the last step was nearly a whole one. Labelings taken at a
 * point near the central path are more useful than those taken near the boundary. */
static void centre(point *x, double target, support_qp_point *out)
{
    double tau = target / x->scale / (double)(x->K + 2 * x->J + 1), length = 0;
    for (int i = 0; i < MAX_CENTRE_STEPS; i++) {
        double here = x->scale * gap_here(x);
        if (here <= target && length > CENTRE_STEP) {
            out->gap = here;
            keep(x, out);
            return;
        }
        if (!factorise(x))
            return;
        find_step(x, tau);
        length = fmin(1, QCQP_STEP * longest_step(x));
        take_step(x, length);
    }
}

tm_status support_qp_solve(const support_qp *problem, double target, support_qp_point *out,
                           tm_error *err)
{
    point x;
    tm_status status = point_new(&x, problem, err);
    if (status != TM_OK)
        return status;
    out->gap = INFINITY;
    if (resume(&x, out))
        centre(&x, target, out);
    if (!(out->gap <= target)) {
        begin(&x);
        iterate(&x, target, out);
    }
    out->begun = true;
    free(x.room);
    return TM_OK;
}
