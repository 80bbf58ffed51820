/* Newton steps on the samples strictly between their bounds: coordinate steps soon identify the
 * samples at bounds, but converge slowly when rows are nearly dependent. Each step solves the
 * problem on the face and is truncated at the bounds; samples that reach one leave the face. */
#include "base/numeric/cholesky.h"
#include "solve/samples/tuning.h"
#include "solve/samples/work.h"

#include "base/memory.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef struct face {
    svm_state *s;
    size_t *of; /* the samples */
    size_t count, room;
    double *q;         /* room x room: z_i'z_j, lower triangle */
    double *factor;    /* the same, factorised */
    double *slope, *d; /* derivatives of the samples; a step */
    double *ones;      /* solution for y as right-hand side, or the step before it is truncated */
    double *point;     /* p */
} face;

static void face_clear(face *f)
{
    free(f->of);
    free(f->q);
    free(f->factor);
    free(f->slope);
    free(f->point);
}

/* Whether Newton steps cost no more than the epochs since the last ones. */
static bool pays(const face *f, uint64_t since)
{
    double n = (double)f->room,
           row = (double)f->s->problem->rows.entries / (double)f->s->problem->n;
    return n * n * n / 3 + n * n * row / 2 <= NEWTON_SHARE * (double)since;
}

/* Lists the samples of the face; false when there are too many or none, or memory ran out. */
static bool face_make(face *f, svm_state *s, uint64_t since)
{
    const svm_problem *q = s->problem;
    *f = (face){.s = s};
    for (size_t k = 0; k < s->live; k++) {
        double theta = s->theta[s->set[k]];
        f->room += theta > 0 && theta < q->u[s->set[k]];
    }
    if (f->room == 0 || f->room > MAX_NEWTON || !pays(f, since))
        return false;
    f->of = mem_array(f->room, sizeof *f->of);
    f->q = mem_array(f->room * f->room, sizeof *f->q);
    f->factor = mem_array(f->room * f->room, sizeof *f->factor);
    f->slope = mem_zeros(3 * f->room, sizeof *f->slope);
    f->point = mem_zeros(q->p, sizeof *f->point);
    if (!f->of || !f->q || !f->factor || !f->slope || !f->point)
        return false;
    f->d = f->slope + f->room;
    f->ones = f->d + f->room;
    for (size_t k = 0; k < s->live; k++) {
        double theta = s->theta[s->set[k]];
        if (theta > 0 && theta < q->u[s->set[k]])
            f->of[f->count++] = s->set[k];
    }
    return true;
}

/* z_i'z_j for all pairs. */
static bool face_products(face *f, solve_progress *progress)
{
    svm_state *s = f->s;
    const svm_problem *q = s->problem;
    double constant = q->of.intercept == HINGE_REGULARISED ? 1 : 0;
    size_t n = f->count;
    for (size_t k = 0; k < n; k++) {
        size_t i = f->of[k];
        double *column = f->q + k * n;
        const double *point = kernel_rows_spread(&q->rows, i, f->point);
        kernel_rows_values(&q->rows, point, q->rows.squares[i], f->of + k, n - k, f->d, column + k);
        kernel_rows_unspread(&q->rows, i, f->point);
        for (size_t e = k; e < n; e++)
            column[e] = svm_y(s, i) * svm_y(s, f->of[e]) * (column[e] + constant);
        uint64_t work = (n - k) * (q->rows.entries / q->n + 1);
        svm_charge(s, work, progress);
        if (progress_work(progress, work))
            return false;
    }
    return true;
}

/* Where y'd = 0 a multiple of y in the slopes changes nothing: without it, at the optimum they are
 * rounding errors and not the intercept's, of which Q^-1 would make larger ones. */
static void centre_slopes(face *f)
{
    double mean = 0;
    for (size_t k = 0; k < f->count; k++)
        mean += svm_y(f->s, f->of[k]) * f->slope[k] / (double)f->count;
    for (size_t k = 0; k < f->count; k++)
        f->slope[k] -= svm_y(f->s, f->of[k]) * mean;
}

/* d = Q^-1 slope, with y'd = 0 when the intercept is free; false when Q cannot be factorised. */
static bool face_step(face *f)
{
    size_t n = f->count;
    double trace = 0, along = 0, whole = 0;
    if (f->s->problem->of.intercept == HINGE_FREE)
        centre_slopes(f);
    memcpy(f->factor, f->q, n * n * sizeof *f->q);
    for (size_t k = 0; k < n; k++)
        trace += f->q[k * n + k];
    for (size_t k = 0; k < n; k++)
        f->factor[k * n + k] += NEWTON_RIDGE * trace / (double)n;
    memcpy(f->d, f->slope, n * sizeof *f->d);
    for (size_t k = 0; k < n; k++)
        f->ones[k] = svm_y(f->s, f->of[k]);
    lapack_int size = (lapack_int)n;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, f->factor, size) != 0)
        return false;
    cholesky_solve(f->factor, n, n, f->d);
    if (f->s->problem->of.intercept != HINGE_FREE)
        return true;
    cholesky_solve(f->factor, n, n, f->ones);
    for (size_t k = 0; k < n; k++) {
        along += svm_y(f->s, f->of[k]) * f->d[k];
        whole += svm_y(f->s, f->of[k]) * f->ones[k];
    }
    for (size_t k = 0; whole > 0 && k < n; k++)
        f->d[k] -= along / whole * f->ones[k];
    return whole > 0;
}

/* product = Q d */
static void face_product(const face *f, double *product)
{
    size_t n = f->count;
    memset(product, 0, n * sizeof *product);
    for (size_t k = 0; k < n; k++) {
        const double *column = f->q + k * n;
        product[k] += column[k] * f->d[k];
        for (size_t e = k + 1; e < n; e++) {
            product[k] += column[e] * f->d[e];
            product[e] += column[e] * f->d[k];
        }
    }
}

/* The step length at which the first bound is reached, and the sample that reaches it. */
static double room_along(const face *f, size_t *first)
{
    double share = INFINITY;
    *first = f->count;
    for (size_t k = 0; k < f->count; k++) {
        size_t i = f->of[k];
        double theta = f->s->theta[i], length = fabs(f->d[k]);
        double room = f->d[k] > 0 ? f->s->problem->u[i] - theta : theta;
        if (length > 0 && !(length * share < room)) {
            share = room / length;
            *first = k;
        }
    }
    return share;
}

static void move_along(face *f, double length, const double *product)
{
    for (size_t k = 0; k < f->count; k++) {
        size_t i = f->of[k];
        double u = f->s->problem->u[i], next = f->s->theta[i] + length * f->d[k];
        f->s->theta[i] = fmin(fmax(next, 0), u);
        f->slope[k] -= length * product[k];
    }
}

/* Fixes sample k at the bound it has reached; the step continues without it. */
static void stop_sample(face *f, size_t k, double *product)
{
    size_t i = f->of[k], n = f->count;
    double d = f->d[k];
    f->s->theta[i] = d > 0 ? f->s->problem->u[i] : 0;
    for (size_t e = 0; e < n; e++)
        product[e] -= d * f->q[e < k ? e * n + k : k * n + e];
    f->d[k] = 0;
}

/* Moves along d, bent at each bound reached, as far as the objective increases. With a free
 * intercept, where a bent step would violate the equality constraint, only up to the first bound,
 * and never farther than d: at the optimum the rise of a step that is a rounding error is another
 * one, as slopes are the intercept's there, and would lead back to a bound. */
static void take_step(face *f, double *product)
{
    double most = f->s->problem->of.intercept == HINGE_FREE ? 1 : INFINITY;
    face_product(f, product);
    for (size_t met = 0; met <= f->count; met++) {
        double rise = 0, curvature = 0;
        size_t first;
        for (size_t k = 0; k < f->count; k++) {
            rise += f->d[k] * f->slope[k];
            curvature += f->d[k] * product[k];
        }
        if (!(rise > 0))
            return;
        double room = room_along(f, &first);
        double best = fmin(most, curvature > 0 ? rise / curvature : INFINITY);
        if (first == f->count && isinf(best))
            return;
        move_along(f, fmin(best, room), product);
        if (best < room)
            return;
        stop_sample(f, first, product);
        if (f->s->problem->of.intercept == HINGE_FREE)
            return;
    }
}

/* Removes the samples that have reached a bound from the face; true when there was one. */
static bool drop_bounded(face *f)
{
    svm_state *s = f->s;
    size_t left = 0, n = f->count;
    for (size_t k = 0; k < n; k++) {
        double theta = s->theta[f->of[k]];
        if (theta <= 0 || theta >= s->problem->u[f->of[k]])
            continue;
        size_t row = left;
        for (size_t e = k; e < n; e++) {
            double other = s->theta[f->of[e]];
            if (other > 0 && other < s->problem->u[f->of[e]])
                f->factor[left * n + row++] = f->q[k * n + e];
        }
        f->of[left] = f->of[k];
        f->slope[left++] = f->slope[k];
    }
    for (size_t k = 0; k < left; k++)
        memmove(f->q + k * left + k, f->factor + k * n + k, (left - k) * sizeof *f->q);
    f->count = left;
    return left < n;
}

/* Subtracts the rounding error in sum_i y_i d_i from a sample that is far enough from its bounds;
 * without one the steps are undone. */
static void keep_sums_equal(const face *f, const double *before)
{
    svm_state *s = f->s;
    double left = 0;
    if (s->problem->of.intercept != HINGE_FREE)
        return;
    for (size_t k = 0; k < s->live; k++)
        left += svm_y(s, s->set[k]) * (s->theta[s->set[k]] - before[s->set[k]]);
    for (size_t k = 0; k < f->count; k++) {
        size_t i = f->of[k];
        double next = s->theta[i] - svm_y(s, i) * left;
        if (next > 0 && next < s->problem->u[i]) {
            s->theta[i] = next;
            return;
        }
    }
    for (size_t k = 0; left != 0 && k < s->live; k++)
        s->theta[s->set[k]] = before[s->set[k]];
}

/* Updates the values derived from theta after steps on live samples. */
static bool follow(svm_state *s, const double *before, solve_progress *progress)
{
    for (size_t k = 0; k < s->live; k++) {
        size_t i = s->set[k];
        double after = s->theta[i];
        if (after == before[i])
            continue;
        s->theta[i] = before[i];
        if (!s->space->step(s, i, after - before[i], progress))
            return false;
        s->theta[i] = after;
    }
    return true;
}

bool svm_newton(svm *m, solve_progress *progress)
{
    svm_state *s = &m->state;
    const svm_problem *q = s->problem;
    face f;
    bool going = true;
    double *before = s->value, *product = s->room;
    if (!face_make(&f, s, s->counts.work - m->worked)) {
        face_clear(&f);
        return true;
    }
    m->worked = s->counts.work;
    memcpy(before, s->theta, q->n * sizeof *before);
    going = (svm_keeps_products(s) || s->space->products(s, f.of, f.count, progress)) &&
            face_products(&f, progress);
    for (size_t k = 0; k < f.count; k++)
        f.slope[k] = svm_slope(s, f.of[k]);
    for (int step = 0; going && step < MAX_NEWTON_STEPS && f.count > 0; step++) {
        going = face_step(&f) && !progress_work(progress, f.count * f.count * f.count / 3);
        if (!going)
            break;
        take_step(&f, product);
        if (!drop_bounded(&f))
            break;
    }
    keep_sums_equal(&f, before);
    face_clear(&f);
    return follow(s, before, progress);
}
