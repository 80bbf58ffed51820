/* Steps with rows of the kernel: f is kept for the live samples, so that the best of all steps is
 * known. Without a free intercept a step changes the sample with the greatest gain (the
 * Gauss-Southwell rule), with one a pair (Platt 1998, Fan, Chen and Lin 2005). */
#include "solve/samples/cache.h"
#include "solve/samples/state.h"
#include "solve/samples/tuning.h"

#include <math.h>

static const double *row_of(svm_state *s, size_t i, const size_t *which, size_t count,
                            solve_progress *progress)
{
    const double *row = kernel_cache_row(s->cache, i, which, count, progress);
    s->no_memory |= !row;
    return row;
}

static double constant_of(const svm_state *s)
{
    return s->problem->of.intercept == HINGE_REGULARISED ? 1 : 0;
}

/* May request samples other than the live ones, so that cached rows have to be checked again. */
static bool kernel_products(svm_state *s, const size_t *which, size_t count,
                            solve_progress *progress)
{
    double constant = constant_of(s);
    bool going = true;
    for (size_t k = 0; k < count; k++)
        s->value[which[k]] = 0;
    kernel_cache_grow(s->cache);
    for (size_t j = 0; going && j < s->problem->n; j++) {
        double a = svm_y(s, j) * s->theta[j];
        const double *row = a != 0 ? row_of(s, j, which, count, progress) : NULL;
        for (size_t k = 0; row && k < count; k++)
            s->value[which[k]] += a * (row[which[k]] + constant);
        going = (a == 0 || row) && !progress_work(progress, a != 0 ? count : 0);
    }
    kernel_cache_grow(s->cache);
    for (size_t k = 0; going && k < count; k++)
        s->f[which[k]] = s->value[which[k]];
    return going;
}

/* f += a k(x_i, .) over the live samples. */
static bool add_row(svm_state *s, size_t i, double a, solve_progress *progress)
{
    const double *row = row_of(s, i, s->set, s->live, progress);
    double constant = constant_of(s);
    for (size_t k = 0; row && k < s->live; k++)
        s->f[s->set[k]] += a * (row[s->set[k]] + constant);
    return row && !progress_work(progress, s->live);
}

/* Requires a live sample. */
static bool kernel_step(svm_state *s, size_t i, double d, solve_progress *progress)
{
    s->dual += d * (svm_slope(s, i) - d * s->problem->self[i] / 2);
    s->theta[i] += d;
    progress->updates++;
    return add_row(s, i, svm_y(s, i) * d, progress);
}

/* ---- one sample ---------------------------------------------------------------------------- */

/* The best step on sample i, and its gain. */
static double best_step(const svm_state *s, size_t i, double *gain)
{
    const svm_problem *q = s->problem;
    double slope = svm_slope(s, i), theta = s->theta[i];
    double next = q->self[i] > 0 ? theta + slope / q->self[i] : slope > 0 ? q->u[i] : 0;
    double d = fmin(fmax(next, 0), q->u[i]) - theta;
    *gain = d * (slope - d * q->self[i] / 2);
    return d;
}

static bool step_on_best(svm_state *s, bool *moved, solve_progress *progress)
{
    double most = 0, step = 0, gain;
    size_t best = 0;
    for (size_t k = 0; k < s->live; k++) {
        double d = best_step(s, s->set[k], &gain);
        if (gain > most) {
            most = gain;
            step = d;
            best = s->set[k];
        }
    }
    *moved = most > 0;
    return !*moved || kernel_step(s, best, step, progress);
}

/* ---- two samples --------------------------------------------------------------------------- */

/* Whether y_i theta_i may increase, and whether it may decrease. */
static bool may_rise(const svm_state *s, size_t i)
{
    return svm_y(s, i) > 0 ? s->theta[i] < s->problem->u[i] : s->theta[i] > 0;
}

static bool may_fall(const svm_state *s, size_t i)
{
    return svm_y(s, i) > 0 ? s->theta[i] > 0 : s->theta[i] < s->problem->u[i];
}

/* The derivative of the dual in y_i theta_i. */
static double signed_slope(const svm_state *s, size_t i)
{
    return svm_y(s, i) * s->problem->c[i] - s->f[i];
}

/* The partner whose decrease gains most with the increase of i; n: there is none. */
static size_t find_partner(const svm_state *s, size_t i, const double *row)
{
    const svm_problem *q = s->problem;
    double at = signed_slope(s, i), most = 0;
    size_t best = q->n;
    for (size_t k = 0; k < s->live; k++) {
        size_t j = s->set[k];
        double ahead = at - signed_slope(s, j);
        if (ahead <= 0 || !may_fall(s, j))
            continue;
        double curvature = fmax(q->self[i] + q->self[j] - 2 * row[j], LEAST_CURVATURE);
        double gain = ahead * ahead / curvature;
        if (gain > most) {
            most = gain;
            best = j;
        }
    }
    return best;
}

/* How far y_i theta_i can increase or decrease. */
static double room_up(const svm_state *s, size_t i)
{
    return svm_y(s, i) > 0 ? s->problem->u[i] - s->theta[i] : s->theta[i];
}

static double room_down(const svm_state *s, size_t i)
{
    return svm_y(s, i) > 0 ? s->theta[i] : s->problem->u[i] - s->theta[i];
}

/* Changes theta_i; sets it exactly to its bound when the step ends there, since differences are
 * rounded. */
static void shift_theta(svm_state *s, size_t i, double d, bool to_end)
{
    double u = s->problem->u[i];
    s->theta[i] = to_end ? (d > 0 ? u : 0) : fmin(fmax(s->theta[i] + d, 0), u);
}

static bool step_on_pair(svm_state *s, bool *moved, solve_progress *progress)
{
    const svm_problem *q = s->problem;
    size_t i = q->n;
    for (size_t k = 0; k < s->live; k++)
        if (may_rise(s, s->set[k]) &&
            (i == q->n || signed_slope(s, s->set[k]) > signed_slope(s, i)))
            i = s->set[k];
    *moved = false;
    const double *row = i < q->n ? row_of(s, i, s->set, s->live, progress) : NULL;
    if (!row)
        return i == q->n;
    size_t j = find_partner(s, i, row);
    if (j == q->n)
        return true;
    double curvature = fmax(q->self[i] + q->self[j] - 2 * row[j], LEAST_CURVATURE);
    double ahead = signed_slope(s, i) - signed_slope(s, j), d = ahead / curvature;
    double up = room_up(s, i), down = room_down(s, j);
    d = fmin(d, fmin(up, down));
    const double *other = row_of(s, j, s->set, s->live, progress);
    if (!other)
        return false;
    s->dual += d * (ahead - d * (q->self[i] + q->self[j] - 2 * row[j]) / 2);
    shift_theta(s, i, svm_y(s, i) * d, d >= up);
    shift_theta(s, j, -svm_y(s, j) * d, d >= down);
    for (size_t k = 0; k < s->live; k++)
        s->f[s->set[k]] += d * (row[s->set[k]] - other[s->set[k]]);
    progress->updates += 2;
    *moved = d > 0;
    return !progress_work(progress, 3 * s->live);
}

/* ---- epochs -------------------------------------------------------------------------------- */

/* The range of derivatives outside which samples at bounds may be shrunk: with a free intercept
 * that of the pairs still to be changed, else around zero. */
static void find_limits(svm_state *s)
{
    bool pairs = s->problem->of.intercept == HINGE_FREE;
    double least = pairs ? INFINITY : 0, greatest = pairs ? -INFINITY : 0;
    for (size_t k = 0; k < s->live; k++) {
        size_t i = s->set[k];
        double v = signed_slope(s, i);
        greatest = may_rise(s, i) ? fmax(greatest, v) : greatest;
        least = may_fall(s, i) ? fmin(least, v) : least;
    }
    s->shrink.low = pairs ? least : -fmax(greatest, -least);
    s->shrink.high = pairs ? greatest : fmax(greatest, -least);
}

static void rest_bounded(svm_state *s)
{
    find_limits(s);
    for (size_t k = s->live; k-- > 0;) {
        size_t i = s->set[k];
        double v = signed_slope(s, i);
        bool rests = may_rise(s, i)   ? !may_fall(s, i) && v < s->shrink.low
                     : may_fall(s, i) ? v > s->shrink.high
                                      : false;
        if (!rests)
            continue;
        s->set[k] = s->set[--s->live];
        s->set[s->live] = i;
    }
}

static double gap_of_live(svm_state *s)
{
    const svm_problem *q = s->problem;
    double sum = 0, b = 0;
    if (q->of.intercept == HINGE_FREE) { /* an approximately optimal value */
        find_limits(s);
        if (isfinite(s->shrink.low) && isfinite(s->shrink.high))
            b = (s->shrink.low + s->shrink.high) / 2;
    }
    for (size_t k = 0; k < s->live; k++) {
        size_t i = s->set[k];
        double e = svm_slope(s, i) - svm_y(s, i) * b;
        sum += e > 0 ? (q->u[i] - s->theta[i]) * e : -s->theta[i] * e;
    }
    return sum;
}

static bool kernel_epoch(svm_state *s, bool shrink, double *estimate, solve_progress *progress)
{
    size_t steps = s->live < MAX_KERNEL_STEPS ? s->live : MAX_KERNEL_STEPS;
    bool moved = true, pairs = s->problem->of.intercept == HINGE_FREE;
    for (size_t k = 0; moved && k < steps; k++)
        if (!(pairs ? step_on_pair : step_on_best)(s, &moved, progress))
            return false;
    s->counts.work += (pairs ? 5 : 4) * steps * s->live;
    if (shrink)
        rest_bounded(s);
    *estimate = gap_of_live(s);
    s->counts.epochs++;
    return true;
}

const svm_space kernel_space = {kernel_products, kernel_step, kernel_epoch, NULL};
