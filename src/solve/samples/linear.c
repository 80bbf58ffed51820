/* Dual coordinate descent with explicit weights (Hsieh et al. 2008): a step on a sample reads only
 * its row. */
#include "solve/samples/state.h"

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
    return theta <= 0 ? fmax(slope, 0) : theta >= u ? fmin(slope, 0) : slope;
}

/* Whether a sample at a bound is so far from leaving it that it is shrunk: farther than any sample
 * was in the previous epoch. */
static bool may_rest(const svm_state *s, double slope, double theta, double u)
{
    return (theta <= 0 && slope < s->shrink_low) || (theta >= u && slope > s->shrink_high);
}

static void set_limits(svm_state *s, double least, double greatest)
{
    s->shrink_low = least < 0 ? least : -INFINITY;
    s->shrink_high = greatest > 0 ? greatest : INFINITY;
}

static bool linear_epoch(svm_state *s, bool shrink, double *estimate, solve_progress *progress)
{
    const svm_problem *q = s->problem;
    double least = INFINITY, greatest = -INFINITY;
    uint64_t work = 0;
    *estimate = 0;
    for (size_t k = 0; k < s->live; k++) {
        size_t other = k + tm_rng_below(&s->rng, s->live - k), i = s->set[other];
        s->set[other] = s->set[k];
        s->set[k] = i;
    }
    for (size_t k = 0; k < s->live; k++) {
        const double *values;
        const uint32_t *columns;
        size_t i = s->set[k], row = row_copy_row(&q->rows.rows, i, &values, &columns);
        double theta = s->theta[i], u = q->u[i];
        s->f[i] = kernel_rows_dot(&q->rows, i, s->w) + s->w0;
        double slope = svm_slope(s, i);
        *estimate += slope > 0 ? (u - theta) * slope : -theta * slope;
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
        least = fmin(least, left);
        greatest = fmax(greatest, left);
        if (left == 0)
            continue;
        double next = q->self[i] > 0 ? theta + slope / q->self[i] : slope > 0 ? u : 0;
        next = fmin(fmax(next, 0), u);
        if (next != theta && !linear_step(s, i, next - theta, progress))
            return false;
    }
    set_limits(s, least, greatest);
    svm_charge(s, work, progress);
    s->counts.work += work;
    s->counts.epochs++;
    return true;
}

const svm_space linear_space = {linear_products, linear_step, linear_epoch};
