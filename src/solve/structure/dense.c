#include "solve/structure/dense.h"

#include "base/memory.h"
#include "solve/common/interior_point.h"
#include "solve/common/tuning.h"
#include "solve/structure/tuning.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arrays with one value for each term. */
typedef struct dense_by_term {
    double *u, *du;        /* multipliers, and their step */
    double *above, *below; /* positive and negative part of d_k'c, both positive */
    double *dabove, *dbelow;
    double *first, *second; /* targets of the products minus their present values */
    double *weight;         /* weight in the normal equations */
} dense_by_term;

/* The point and one step. */
typedef struct dense_state {
    const dense_problem *q;
    size_t n, size, m;      /* size: width, plus one with an intercept; m: number of terms */
    double *x, *dx, *right; /* size: c and b, their step */
    dense_by_term by;
    double *z, *a, *h, *scaled; /* n; scaled: n x size */
    double *matrix;             /* size x size */
    double fall;                /* by which the last step lowers the objective's model */
    double *block;              /* the allocation that holds all of these */
} dense_state;

static bool state_allocate(dense_state *s, const dense_problem *q)
{
    s->q = q;
    s->n = q->of->n;
    s->m = q->terms.count;
    s->size = q->width + (q->intercept ? 1 : 0);
    size_t scaled = q->wide ? s->size : s->n * s->size, square = q->wide ? 0 : s->size * s->size;
    size_t sizes[] = {3 * s->size, 9 * s->m, 3 * s->n, scaled, square};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        total += sizes[i];
    double *at = s->block = mem_zeros(total, sizeof *at);
    if (!at)
        return false;
    double **const parts[] = {
        &s->x,        &s->dx,        &s->right,     &s->by.u,     &s->by.du,     &s->by.above,
        &s->by.below, &s->by.dabove, &s->by.dbelow, &s->by.first, &s->by.second, &s->by.weight,
        &s->z,        &s->a,         &s->h,         &s->scaled,   &s->matrix};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t length = i < 3 ? s->size : i < 12 ? s->m : i < 15 ? s->n : scaled;
        *parts[i] = at;
        at += length;
    }
    return true;
}

/* ---- products -------------------------------------------------------------------------------- */

static double term_at(const dense_terms *t, size_t k, const double *c)
{
    double sum = 0;
    for (size_t i = t->starts[k]; i < t->starts[k + 1]; i++)
        sum += t->values[i] * c[t->cols[i]];
    return sum;
}

static void add_term(const dense_terms *t, size_t k, double amount, double *out)
{
    for (size_t i = t->starts[k]; i < t->starts[k + 1]; i++)
        out[t->cols[i]] += amount * t->values[i];
}

/* Computes the predictions at x, with their dual variables and curvatures. */
static void model_at(dense_state *s, const double *x)
{
    const dense_problem *q = s->q;
    for (size_t i = 0; i < s->n; i++)
        s->z[i] = (q->of->offset ? q->of->offset[i] : 0) + (q->intercept ? x[q->width] : 0);
    if (q->wide)
        wide_multiply(q->wide, x, s->z);
    else if (q->width > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->n, (int)q->width, 1, q->columns, (int)s->n,
                    x, 1, 1, s->z, 1);
    samples_model(q->of, s->z, s->a, s->h);
}

/* out = A'a - linear - D'u, the remaining gradient. */
static void slope_at(const dense_state *s, const double *u, double *out)
{
    const dense_problem *q = s->q;
    if (q->wide)
        wide_transposed(q->wide, s->a, out);
    else if (q->width > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, (int)s->n, (int)q->width, 1, q->columns, (int)s->n,
                    s->a, 1, 0, out, 1);
    for (size_t j = 0; q->linear && j < q->width; j++)
        out[j] -= q->linear[j];
    if (q->intercept)
        out[q->width] = 0;
    for (size_t i = 0; q->intercept && i < s->n; i++)
        out[q->width] += s->a[i];
    for (size_t k = 0; k < s->m; k++)
        add_term(&q->terms, k, -u[k], out);
}

static double complementarity(const dense_state *s, double length)
{
    double sum = 0;
    for (size_t k = 0; k < s->m; k++) {
        double u = s->by.u[k] + length * s->by.du[k], bound = s->q->terms.bound[k];
        sum += (bound - u) * (s->by.above[k] + length * s->by.dabove[k]) +
               (bound + u) * (s->by.below[k] + length * s->by.dbelow[k]);
    }
    return sum;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The Hessian of the loss, lower triangle. */
static void fill_hessian(dense_state *s)
{
    const dense_problem *q = s->q;
    for (size_t i = 0; i < s->n; i++)
        s->h[i] = sqrt(fmax(s->h[i], 0));
    for (size_t j = 0; j < s->size; j++)
        for (size_t i = 0; i < s->n; i++)
            s->scaled[j * s->n + i] = s->h[i] * (j < q->width ? q->columns[j * s->n + i] : 1);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)s->size, (int)s->n, 1, s->scaled,
                (int)s->n, 0, s->matrix, (int)s->size);
}

static void add_penalty(dense_state *s)
{
    const dense_terms *t = &s->q->terms;
    for (size_t k = 0; k < s->m; k++)
        for (size_t i = t->starts[k]; i < t->starts[k + 1]; i++)
            for (size_t l = t->starts[k]; l < t->starts[k + 1]; l++)
                if (t->cols[i] >= t->cols[l])
                    s->matrix[t->cols[i] + t->cols[l] * s->size] +=
                        t->values[i] * t->values[l] / s->by.weight[k];
}

/* Factorises the normal equations; for dependent columns, as when there are more components than
 * rows, a small multiple of the diagonal is added. */
static bool factorise(dense_state *s)
{
    double greatest = 0, more = 0;
    for (size_t k = 0; k < s->m; k++)
        s->by.weight[k] = s->by.above[k] / (s->q->terms.bound[k] - s->by.u[k]) +
                          s->by.below[k] / (s->q->terms.bound[k] + s->by.u[k]);
    if (s->q->wide)
        return wide_factorise(s->q->wide, s->h, s->by.weight, s->q->intercept);
    for (int round = 0;
         round<MAX_SHIFTS; round++, more = more> 0 ? SHIFT_GROWTH * more : MIN_SHIFT) {
        model_at(s, s->x);
        fill_hessian(s);
        add_penalty(s);
        greatest = 0;
        for (size_t j = 0; j < s->size; j++)
            greatest = fmax(greatest, s->matrix[j * (s->size + 1)]);
        if (!(greatest > 0) || !isfinite(greatest))
            return false;
        for (size_t j = 0; j < s->size; j++)
            s->matrix[j * (s->size + 1)] +=
                more * (s->matrix[j * (s->size + 1)] + MIN_SHIFT * greatest);
        if (normal_factorise(s->matrix, s->size))
            return true;
    }
    return false;
}

/* The step that brings the products to the targets `first` and `second`, to first order. `slope` is
 * the result of slope_at. */
static void find_step(dense_state *s, const double *slope)
{
    const dense_terms *t = &s->q->terms;
    memcpy(s->dx, slope, s->size * sizeof *s->dx);
    for (size_t k = 0; k < s->m; k++) {
        double up = t->bound[k] - s->by.u[k], down = t->bound[k] + s->by.u[k];
        double lack = term_at(t, k, s->x) - s->by.above[k] + s->by.below[k];
        s->by.du[k] = (lack - s->by.first[k] / up + s->by.second[k] / down) / s->by.weight[k];
        add_term(t, k, -s->by.du[k], s->dx);
    }
    if (s->q->wide)
        wide_solve(s->q->wide, s->dx);
    else
        normal_solve(s->matrix, s->size, s->dx);
    for (size_t k = 0; k < s->m; k++) {
        s->by.du[k] += term_at(t, k, s->dx) / s->by.weight[k];
        s->by.dabove[k] =
            (s->by.first[k] + s->by.above[k] * s->by.du[k]) / (t->bound[k] - s->by.u[k]);
        s->by.dbelow[k] =
            (s->by.second[k] - s->by.below[k] * s->by.du[k]) / (t->bound[k] + s->by.u[k]);
    }
}

static double longest(const dense_state *s)
{
    double length = 1 / BOUNDARY_SHARE;
    for (size_t k = 0; k < s->m; k++) {
        double bound = s->q->terms.bound[k];
        length = step_within(length, bound - s->by.u[k], -s->by.du[k]);
        length = step_within(length, bound + s->by.u[k], s->by.du[k]);
        length = step_within(length, s->by.above[k], s->by.dabove[k]);
        length = step_within(length, s->by.below[k], s->by.dbelow[k]);
    }
    return fmin(1, BOUNDARY_SHARE * length);
}

static double norm(const double *v, size_t count)
{
    return count > 0 ? cblas_dnrm2((int)count, v, 1) : 0;
}

static double objective_at(dense_state *s, const double *x)
{
    const dense_problem *q = s->q;
    model_at(s, x);
    double sum = samples_loss(q->of, s->z);
    for (size_t j = 0; q->linear && j < q->width; j++)
        sum += q->linear[j] * x[j];
    return sum;
}

/* Shortens a step for a loss that is not quadratic. Without terms the objective must not increase.
 * With terms the remaining gradient must not increase beyond what is allowed: its norm times that
 * of x must stay below the gap. */
static double shorten(dense_state *s, double length, double before, double allowed)
{
    double *x = s->right, *u = s->by.first, most = s->m == 0 ? objective_at(s, s->x) : 0;
    for (int round = 0; round < MAX_HALVINGS; round++, length /= 2) {
        for (size_t j = 0; j < s->size; j++)
            x[j] = s->x[j] + length * s->dx[j];
        if (s->m == 0 && objective_at(s, x) <= most)
            return length;
        if (s->m == 0)
            continue;
        for (size_t k = 0; k < s->m; k++)
            u[k] = s->by.u[k] + length * s->by.du[k];
        model_at(s, x);
        slope_at(s, u, s->scaled);
        if (norm(s->scaled, s->size) <= (1 - SLOPE_FALL * length) * before + allowed)
            return length;
    }
    return s->m == 0 ? 0 : length;
}

static void take_step(dense_state *s, double length)
{
    for (size_t j = 0; j < s->size; j++)
        s->x[j] += length * s->dx[j];
    for (size_t k = 0; k < s->m; k++) {
        s->by.u[k] += length * s->by.du[k];
        s->by.above[k] += length * s->by.dabove[k];
        s->by.below[k] += length * s->by.dbelow[k];
    }
}

/* Predictor, corrector, step (Mehrotra). False when rounding errors dominate. */
static bool step_once(dense_state *s, double left, double *slope, double residual)
{
    const dense_terms *t = &s->q->terms;
    if (!factorise(s))
        return false;
    for (size_t k = 0; k < s->m; k++) {
        s->by.first[k] = -(t->bound[k] - s->by.u[k]) * s->by.above[k];
        s->by.second[k] = -(t->bound[k] + s->by.u[k]) * s->by.below[k];
    }
    find_step(s, slope);
    double count = 2 * (double)s->m, after = complementarity(s, longest(s));
    double centre = s->m > 0 ? left / count * centring_share(left, after) : 0;
    for (size_t k = 0; k < s->m; k++) {
        s->by.first[k] += centre + s->by.du[k] * s->by.dabove[k];
        s->by.second[k] += centre - s->by.du[k] * s->by.dbelow[k];
    }
    find_step(s, slope);
    double length = longest(s);
    s->fall = cblas_ddot((int)s->size, slope, 1, s->dx, 1) / 2;
    if (!isfinite(norm(s->dx, s->size)) || !(length > 0))
        return false;
    if (!s->q->of->loss->quadratic)
        length =
            shorten(s, length, residual, SLOPE_SHARE * left / fmax(norm(s->x, s->size), MIN_ROOM));
    if (!(length > 0))
        return false;
    take_step(s, length);
    return true;
}

static void begin(dense_state *s, const double *c)
{
    const dense_problem *q = s->q;
    double bounds = 0;
    memcpy(s->x, c, q->width * sizeof *c);
    model_at(s, s->x);
    if (q->intercept)
        s->x[q->width] = samples_best_shift(q->of, s->z, 0);
    model_at(s, s->x);
    for (size_t k = 0; k < s->m; k++)
        bounds += q->terms.bound[k];
    double room = fmax(samples_loss(q->of, s->z) / (bounds > 0 ? bounds : 1), MIN_ROOM);
    for (size_t k = 0; k < s->m; k++) {
        double value = term_at(&q->terms, k, s->x);
        s->by.above[k] = fmax(value, 0) + room;
        s->by.below[k] = fmax(-value, 0) + room;
    }
}

/* Whether steps are at their end though the gradient is not flat: it is not halved any more.
 * Newton's method on a loss that is flat like a logarithm takes many steps of one length, each of
 * which leaves a third of the gradient or more: without terms, what a step gains tells rounding
 * from these. A negative objective has other signs than those of its linear term, and may have no
 * minimum. */
static bool is_over(dense_state *s, double residual, double before)
{
    if (!(residual > before / 2))
        return false;
    if (s->m > 0 || s->q->of->loss->quadratic)
        return true;
    double objective = objective_at(s, s->x);
    return objective < 0 || !(s->fall > ROUNDING * samples_loss(s->q->of, s->z));
}

tm_status dense_solve(const dense_problem *q, double *c, double *b, double *u,
                      solve_progress *progress, tm_error *err)
{
    dense_state s = {0};
    if (!state_allocate(&s, q))
        return tm_fail_memory(err, "a structured problem");
    double *slope = s.right, first = q->linear ? norm(q->linear, q->width) : 0, before = INFINITY;
    uint64_t work = q->wide ? wide_work(q->wide)
                            : s.n * s.size * (s.size / 2 + 1) + s.size * s.size * (s.size / 6 + 1);
    begin(&s, c);
    for (int round = 0; round < MAX_INTERIOR_STEPS && s.size > 0; round++) {
        model_at(&s, s.x);
        slope_at(&s, s.by.u, slope);
        double left = complementarity(&s, 0), residual = norm(slope, s.size);
        first = fmax(first, residual);
        bool flat = residual <= SLOPE_LEFT * first;
        bool ends = left <= q->target && (flat || is_over(&s, residual, before));
        if (ends || progress_work(progress, work))
            break;
        before = residual;
        if (!step_once(&s, left, slope, residual))
            break;
        progress->updates += s.size;
    }
    memcpy(c, s.x, q->width * sizeof *c);
    *b = q->intercept ? s.x[q->width] : 0;
    memcpy(u, s.by.u, s.m * sizeof *u);
    free(s.block);
    return TM_OK;
}
