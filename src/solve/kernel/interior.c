#include "solve/kernel/interior.h"

#include "base/memory.h"
#include "solve/common/interior_point.h"
#include "solve/common/tuning.h"
#include "solve/kernel/tuning.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* For the constraints c_m'a + xi_m - s_m = 1 with all variables nonnegative: s has the multiplier
 * alpha, xi has eta = 1 - alpha, a has mu. */
typedef struct samples_part {
    double *s, *xi, *alpha, *eta; /* n each */
    double *ds, *dxi, *dalpha, *deta;
    double *residual;       /* 1 - (c'a + xi - s) */
    double *to_s, *to_xi;   /* right-hand sides of the linearised complementarity: targets for the
                             * changes of alpha s and eta xi */
    double *weight, *right; /* of the n x n system */
} samples_part;

typedef struct features_part {
    double *a, *mu, *da, *dmu; /* width each */
    double *residual;          /* -(Q a + lambda - C'alpha - mu) */
    double *to_a;              /* target for the change of mu a */
    double *right;
} features_part;

typedef struct interior {
    const interior_problem *q;
    samples_part by;
    features_part of;
    double *factor; /* of the band; (below + 1) x width */
    double *half;   /* the factor's inverse times C'; width x n */
    double *matrix; /* n x n */
    double *block;
    double proximal;
} interior;

static bool allocate(interior *s, const interior_problem *q)
{
    size_t n = q->n, w = q->width, sizes[3], total = 13 * n + 7 * w;
    *s = (interior){.q = q, .proximal = PROXIMAL};
    if (__builtin_mul_overflow(q->below + 1, w, &sizes[0]) ||
        __builtin_mul_overflow(w, n, &sizes[1]) || __builtin_mul_overflow(n, n, &sizes[2]))
        return false;
    for (size_t k = 0; k < 3; k++)
        if (__builtin_add_overflow(total, sizes[k], &total))
            return false;
    double *at = s->block = mem_zeros(total, sizeof *at);
    if (!at)
        return false;
    double **const samples[] = {&s->by.s,        &s->by.xi,   &s->by.alpha,  &s->by.eta,
                                &s->by.ds,       &s->by.dxi,  &s->by.dalpha, &s->by.deta,
                                &s->by.residual, &s->by.to_s, &s->by.to_xi,  &s->by.weight,
                                &s->by.right};
    double **const features[] = {&s->of.a,        &s->of.mu,   &s->of.da,   &s->of.dmu,
                                 &s->of.residual, &s->of.to_a, &s->of.right};
    double **const blocks[] = {&s->factor, &s->half, &s->matrix};
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++, at += n)
        *samples[k] = at;
    for (size_t k = 0; k < sizeof features / sizeof *features; k++, at += w)
        *features[k] = at;
    for (size_t k = 0; k < 3; at += sizes[k++])
        *blocks[k] = at;
    return true;
}

static void multiply(const interior *s, CBLAS_TRANSPOSE how, const double *x, double *out)
{
    cblas_dgemv(CblasColMajor, how, (int)s->q->n, (int)s->q->width, 1, s->q->columns, (int)s->q->n,
                x, 1, 0, out, 1);
}

/* Starts at weights that bring the mean margin near 1, with all variables away from their
 * bounds. */
static void start(interior *s)
{
    const interior_problem *q = s->q;
    double mean = 0;
    for (size_t k = 0; k < q->n * q->width; k++)
        mean += q->columns[k] / (double)q->n;
    double size = mean > 1 ? 1 / mean : 1;
    for (size_t i = 0; i < q->width; i++) {
        s->of.a[i] = size;
        s->of.mu[i] = fmax(q->lambda, RESIDUAL);
    }
    multiply(s, CblasNoTrans, s->of.a, s->by.residual);
    for (size_t m = 0; m < q->n; m++) {
        double short_of = 1 - s->by.residual[m];
        s->by.xi[m] = fmax(short_of, 0) + 1;
        s->by.s[m] = fmax(-short_of, 0) + 1;
        s->by.alpha[m] = s->by.eta[m] = 0.5;
    }
}

/* Computes both residuals; returns their greatest absolute value. */
static double find_residuals(interior *s)
{
    const interior_problem *q = s->q;
    double greatest = 0;
    multiply(s, CblasNoTrans, s->of.a, s->by.residual);
    for (size_t m = 0; m < q->n; m++) {
        s->by.residual[m] = 1 - (s->by.residual[m] + s->by.xi[m] - s->by.s[m]);
        greatest = fmax(greatest, fabs(s->by.residual[m]));
    }
    multiply(s, CblasTrans, s->by.alpha, s->of.residual);
    cblas_dsbmv(CblasColMajor, CblasLower, (int)q->width, (int)q->below, -1, q->band,
                (int)q->below + 1, s->of.a, 1, 1, s->of.residual, 1);
    for (size_t i = 0; i < q->width; i++) {
        s->of.residual[i] += s->of.mu[i] - q->lambda;
        greatest = fmax(greatest, fabs(s->of.residual[i]));
    }
    return greatest;
}

/* ---- the step ------------------------------------------------------------------------------ */

static bool factorise_with(interior *s, double more)
{
    const interior_problem *q = s->q;
    lapack_int w = (lapack_int)q->width, below = (lapack_int)q->below, n = (lapack_int)q->n;
    size_t height = q->below + 1;
    memcpy(s->factor, q->band, height * q->width * sizeof *s->factor);
    for (size_t i = 0; i < q->width; i++)
        s->factor[i * height] += s->of.mu[i] / s->of.a[i] + more;
    if (LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', w, below, s->factor, below + 1) != 0)
        return false;
    for (size_t i = 0; i < q->width; i++)
        cblas_dcopy((int)n, q->columns + i * q->n, 1, s->half + i, (int)w);
    if (LAPACKE_dtbtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', w, below, n, s->factor, below + 1,
                            s->half, w) != 0)
        return false;
    memset(s->matrix, 0, q->n * q->n * sizeof *s->matrix);
    for (size_t m = 0; m < q->n; m++)
        s->matrix[m * q->n + m] = s->by.weight[m];
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, w, 1, s->half, w, 1, s->matrix, n);
    return normal_factorise(s->matrix, q->n);
}

static bool factorise(interior *s)
{
    for (size_t m = 0; m < s->q->n; m++)
        s->by.weight[m] = s->by.xi[m] / s->by.eta[m] + s->by.s[m] / s->by.alpha[m];
    for (int trial = 0; trial < MAX_SHIFTS; trial++, s->proximal *= SHIFT_GROWTH)
        if (factorise_with(s, s->proximal))
            return true;
    return false;
}

/* Computes the Newton step for the targets to_s, to_xi and to_a. */
static void find_step(interior *s)
{
    const interior_problem *q = s->q;
    samples_part *by = &s->by;
    features_part *of = &s->of;
    int w = (int)q->width, below = (int)q->below, n = (int)q->n;
    for (size_t i = 0; i < q->width; i++)
        of->da[i] = of->residual[i] + of->to_a[i] / of->a[i];
    cblas_dtbsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, w, below, s->factor,
                below + 1, of->da, 1);
    for (size_t m = 0; m < q->n; m++)
        by->dalpha[m] = by->residual[m] - by->to_xi[m] / by->eta[m] + by->to_s[m] / by->alpha[m];
    cblas_dgemv(CblasColMajor, CblasTrans, w, n, -1, s->half, w, of->da, 1, 1, by->dalpha, 1);
    normal_solve(s->matrix, q->n, by->dalpha);
    cblas_dgemv(CblasColMajor, CblasNoTrans, w, n, 1, s->half, w, by->dalpha, 1, 1, of->da, 1);
    cblas_dtbsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, w, below, s->factor, below + 1,
                of->da, 1);
    for (size_t m = 0; m < q->n; m++) {
        by->deta[m] = -by->dalpha[m];
        by->ds[m] = (by->to_s[m] - by->s[m] * by->dalpha[m]) / by->alpha[m];
        by->dxi[m] = (by->to_xi[m] - by->xi[m] * by->deta[m]) / by->eta[m];
    }
    for (size_t i = 0; i < q->width; i++)
        of->dmu[i] = (of->to_a[i] - of->mu[i] * of->da[i]) / of->a[i];
}

/* The three kinds of complementary pairs. */
static void all_pairs(const interior *s, pairs out[3])
{
    const samples_part *by = &s->by;
    const features_part *of = &s->of;
    out[0] = (pairs){by->s, by->ds, by->alpha, by->dalpha, s->q->n};
    out[1] = (pairs){by->xi, by->dxi, by->eta, by->deta, s->q->n};
    out[2] = (pairs){of->a, of->da, of->mu, of->dmu, s->q->width};
}

static double products_after(const interior *s, double length)
{
    pairs all[3];
    double sum = 0;
    all_pairs(s, all);
    for (int k = 0; k < 3; k++)
        sum = pairs_products(sum, length, &all[k]);
    return sum;
}

static double longest(const interior *s)
{
    pairs all[3];
    double length = 1 / BOUNDARY_SHARE;
    all_pairs(s, all);
    for (int k = 0; k < 3; k++)
        length = pairs_longest(length, &all[k]);
    return fmin(BOUNDARY_SHARE * length, 1);
}

/* Sets the targets so that products become `goal`; for the corrector, minus the predictor's
 * second-order terms. */
static void set_goals(interior *s, double goal, bool second)
{
    samples_part *by = &s->by;
    features_part *of = &s->of;
    for (size_t m = 0; m < s->q->n; m++) {
        by->to_s[m] = goal - by->alpha[m] * by->s[m] - (second ? by->dalpha[m] * by->ds[m] : 0);
        by->to_xi[m] = goal - by->eta[m] * by->xi[m] - (second ? by->deta[m] * by->dxi[m] : 0);
    }
    for (size_t i = 0; i < s->q->width; i++)
        of->to_a[i] = goal - of->mu[i] * of->a[i] - (second ? of->dmu[i] * of->da[i] : 0);
}

static void move(interior *s, double length)
{
    samples_part *by = &s->by;
    features_part *of = &s->of;
    for (size_t m = 0; m < s->q->n; m++) {
        by->s[m] += length * by->ds[m];
        by->xi[m] += length * by->dxi[m];
        by->alpha[m] += length * by->dalpha[m];
        by->eta[m] += length * by->deta[m];
    }
    for (size_t i = 0; i < s->q->width; i++) {
        of->a[i] += length * of->da[i];
        of->mu[i] += length * of->dmu[i];
    }
}

/* Mehrotra's predictor and corrector; false when rounding permits no further step. */
static bool step(interior *s)
{
    double count = (double)(2 * s->q->n + s->q->width), now = products_after(s, 0);
    if (!factorise(s))
        return false;
    set_goals(s, 0, false);
    find_step(s);
    double share = centring_share(now, products_after(s, longest(s)));
    set_goals(s, share * now / count, true);
    find_step(s);
    double length = longest(s);
    if (!isfinite(length) || !isfinite(products_after(s, length)) || !(length > 0))
        return false;
    move(s, length);
    return true;
}

/* ---- the solver ---------------------------------------------------------------------------- */

/* Whether a weight is positive in the answer, not in the interior alone: greater than its
 * multiplier, each relative to its typical size, or than what outweighs the penalty's curvature,
 * where zero would be worse. With a strong penalty the latter are many times smaller than others.
 */
static bool is_positive(const interior *s, size_t i, double greatest)
{
    double a = s->of.a[i], mu = s->of.mu[i], curvature = s->q->band[i * (s->q->below + 1)];
    return a * s->q->lambda > mu * greatest || a * curvature > mu;
}

static void take_answer(const interior *s, interior_answer *out)
{
    double greatest = 0;
    for (size_t i = 0; i < s->q->width; i++)
        greatest = fmax(greatest, s->of.a[i]);
    for (size_t i = 0; i < s->q->width; i++) {
        out->flow[i] = s->of.a[i];
        out->a[i] = is_positive(s, i, greatest) ? s->of.a[i] : 0;
    }
    for (size_t m = 0; m < s->q->n; m++)
        out->alpha[m] = fmin(fmax(s->by.alpha[m], 0), 1);
}

static uint64_t step_work(const interior_problem *q)
{
    return (uint64_t)q->width * ((q->below + q->n) * (q->below + q->n)) / 2 +
           (uint64_t)q->n * q->n * q->n / 6;
}

tm_status interior_solve(const interior_problem *q, double target, interior_answer *answer,
                         solve_progress *progress, tm_error *err)
{
    interior s;
    if (!allocate(&s, q))
        return tm_fail_memory(err, "the problem on some features");
    start(&s);
    double before = INFINITY;
    for (int k = 0; k < MAX_INTERIOR_STEPS; k++) {
        double residual = find_residuals(&s);
        bool met = residual <= RESIDUAL * (1 + q->lambda) || !(residual < before);
        before = residual;
        if ((met && products_after(&s, 0) <= target) || progress_work(progress, step_work(q)) ||
            !step(&s))
            break;
        progress->updates += q->width;
    }
    take_answer(&s, answer);
    free(s.block);
    return TM_OK;
}
