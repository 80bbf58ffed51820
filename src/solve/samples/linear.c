/* Dual coordinate descent with explicit weights (Hsieh et al. 2008): a step on a sample reads only
 * its row. */
#include "solve/samples/state.h"
#include "solve/samples/tuning.h"

#include <math.h>

static bool linear_products(svm_state *s, const size_t *which, size_t count,
                            solve_progress *progress)
{
    const svm_problem *q = s->problem;
    uint64_t work = 0;
    for (size_t k = 0; k < count; k++) {
        const double *values;
        const uint32_t *columns;
        size_t i = which[k], row = row_copy_row(&q->rows.rows, i, &values, &columns);
        s->f[i] = kernel_rows_dot(&q->rows, i, s->w) + s->w0;
        work += row;
        if (progress_work(progress, row))
            return false;
    }
    svm_charge(s, work, progress);
    return true;
}

static bool linear_step(svm_state *s, size_t i, double d, solve_progress *progress)
{
    const svm_problem *q = s->problem;
    const double *values;
    const uint32_t *columns;
    s->theta[i] += d;
    kernel_rows_axpy(&q->rows, i, svm_y(s, i) * d, s->w);
    if (q->of.intercept == HINGE_REGULARISED)
        s->w0 += svm_y(s, i) * d;
    progress->updates++;
    return !progress_work(progress, row_copy_row(&q->rows.rows, i, &values, &columns));
}

/* The projected derivative in theta_i, which must stay within its bounds. */
static double projected(double slope, double theta, double u)
{
    if ((theta <= 0 && slope < 0) || (theta >= u && slope > 0))
        return 0;
    return slope;
}

/* Whether a sample at a bound is so far from leaving it that it is shrunk: farther than any sample
 * was in the previous epoch. */
static bool may_rest(const svm_state *s, double slope, double theta, double u)
{
    return (theta <= 0 && slope < s->shrink.low) || (theta >= u && slope > s->shrink.high);
}

static void set_limits(svm_state *s, double least, double greatest)
{
    s->shrink.low = least < 0 ? least : -INFINITY;
    s->shrink.high = greatest > 0 ? greatest : INFINITY;
}

/* Samples whose steps gain little are visited less often: half as often each time, down to every
 * eighth epoch. */
static void set_pace(svm_pace *pace, size_t i, double gain)
{
    unsigned longer = 2U * pace->length[i] + 1;
    bool small = gain < SMALL_GAIN * pace->gain;
    pace->length[i] = (unsigned char)(!small ? 0 : longer > MAX_PACE ? MAX_PACE : longer);
    pace->rest[i] = pace->length[i];
}

/* What a sample contributes to the gap. */
static double gap_of(double slope, double theta, double u)
{
    return slope > 0 ? (u - theta) * slope : -theta * slope;
}

/* Requests what the samples after the one at k of `set` need: their order is random, so that the
 * hardware does not request it by itself. */
static void request_ahead(const svm_state *s, size_t k)
{
    const svm_problem *q = s->problem;
    if (k + AHEAD_FAR < s->live) {
        size_t i = s->set[k + AHEAD_FAR];
        if (q->rows.rows.starts)
            __builtin_prefetch(q->rows.rows.starts + i);
        __builtin_prefetch(q->c + i);
        __builtin_prefetch(q->u + i);
        __builtin_prefetch(q->self + i);
        __builtin_prefetch(q->of.of.y + i);
        __builtin_prefetch(s->theta + i, 1);
        __builtin_prefetch(s->f + i, 1);
    }
    if (k + AHEAD_NEAR >= s->live)
        return;
    const double *values;
    const uint32_t *columns;
    size_t count = row_copy_row(&q->rows.rows, s->set[k + AHEAD_NEAR], &values, &columns);
    for (size_t e = 0; e < count && e < AHEAD_ENTRIES; e += 8)
        __builtin_prefetch(values + e);
    for (size_t e = 0; columns && e < count && e < AHEAD_ENTRIES; e += 16)
        __builtin_prefetch(columns + e);
}

static bool linear_epoch(svm_state *s, bool shrink, double *estimate, solve_progress *progress)
{
    const svm_problem *q = s->problem;
    double least = INFINITY, greatest = -INFINITY, gains = 0;
    uint64_t work = 0;
    size_t visits = 0;
    *estimate = 0;
    for (size_t k = 0; k < s->live; k++) {
        size_t other = k + tm_rng_below(&s->rng, s->live - k), i = s->set[other];
        s->set[other] = s->set[k];
        s->set[k] = i;
    }
    for (size_t k = 0; k < s->live; k++) {
        const double *values;
        const uint32_t *columns;
        request_ahead(s, k);
        size_t i = s->set[k], row = row_copy_row(&q->rows.rows, i, &values, &columns);
        double theta = s->theta[i], u = q->u[i];
        if (s->pace.rest[i] > 0) { /* its contribution as it was then */
            s->pace.rest[i]--;
            *estimate += gap_of(svm_slope(s, i), theta, u);
            continue;
        }
        visits++;
        s->f[i] = kernel_rows_dot(&q->rows, i, s->w) + s->w0;
        double slope = svm_slope(s, i);
        *estimate += gap_of(slope, theta, u);
        work += 2 * row;
        if (progress_work(progress, 2 * row))
            return false;
        if (shrink && may_rest(s, slope, theta, u)) {
            s->set[k] = s->set[--s->live];
            s->set[s->live] = i;
            k--;
            continue;
        }
        double left = projected(slope, theta, u);
        least = left < least ? left : least;
        greatest = left > greatest ? left : greatest;
        if (left == 0)
            continue;
        double next = q->self[i] > 0 ? theta + slope / q->self[i] : slope > 0 ? u : 0;
        next = next < 0 ? 0 : next > u ? u : next;
        double gain = (next - theta) * (slope - (next - theta) * q->self[i] / 2);
        gains += gain;
        if (shrink)
            set_pace(&s->pace, i, gain);
        if (next != theta && !linear_step(s, i, next - theta, progress))
            return false;
    }
    s->pace.gain = visits ? gains / (double)visits : 0;
    set_limits(s, least, greatest);
    svm_charge(s, work, progress);
    s->counts.work += work;
    s->counts.epochs++;
    return true;
}

/* Without it the epoch after an evaluation of the gap would visit all samples once more. */
static void linear_settle(svm_state *s)
{
    for (size_t k = s->live; k-- > 0;) {
        size_t i = s->set[k];
        if (!may_rest(s, svm_slope(s, i), s->theta[i], s->problem->u[i]))
            continue;
        s->set[k] = s->set[--s->live];
        s->set[s->live] = i;
    }
}

const svm_space linear_space = {linear_products, linear_step, linear_epoch, linear_settle};
