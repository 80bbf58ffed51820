#include "model/loss/loss.h"

#include "base/numeric/kept_sum.h"
#include "base/numeric/lanes.h"
#include "base/ranks/agree.h"
#include "model/loss/tuning.h"

#include <math.h>

/* Four sums side by side: one would wait for each addition (16 % of a path on 47,627 rows). */
PER_MACHINE double loss_block_sum(const double *values, size_t count)
{
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    double tail = 0;
    size_t i = 0;
    for (; i + MANY <= count; i += MANY) {
        s0 += *(const lanes *)(values + i);
        s1 += *(const lanes *)(values + i + LANES);
        s2 += *(const lanes *)(values + i + 2 * LANES);
        s3 += *(const lanes *)(values + i + 3 * LANES);
    }
    for (; i + LANES <= count; i += LANES)
        s0 += *(const lanes *)(values + i);
    for (; i < count; i++)
        tail += values[i];
    s0 = (s0 + s1) + (s2 + s3);
    return add_lanes(&s0) + tail;
}

double loss_total(const double *values, size_t count)
{
    kept_sum sum = {0};
    for (size_t from = 0; from < count; from += LOSS_BLOCK)
        kept_add(&sum, loss_block_sum(values + from,
                                      count - from < LOSS_BLOCK ? count - from : LOSS_BLOCK));
    return kept_total(&sum);
}

double loss_sum(const loss *l, const double *y, const double *z, size_t n)
{
    double part[LOSS_BLOCK];
    kept_sum sum = {0};
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        l->values(y + from, z + from, count, part);
        kept_add(&sum, loss_block_sum(part, count));
    }
    return kept_total(&sum);
}

double loss_dual_sum(const loss *l, const double *y, const double *a, double scale, size_t n)
{
    double scaled[LOSS_BLOCK], part[LOSS_BLOCK];
    kept_sum sum = {0};
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++)
            scaled[i] = scale * a[from + i];
        l->duals(y + from, scaled, count, part);
        kept_add(&sum, loss_block_sum(part, count));
    }
    return kept_total(&sum);
}

void loss_dual_variables(const loss *l, const double *y, const double *z, size_t n, double *a)
{
    double curvatures[LOSS_BLOCK];
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        l->slopes(y + from, z + from, count, a + from, curvatures);
        for (size_t i = from; i < from + count; i++)
            a[i] = -a[i];
    }
}

/* ---- the optimal shift --------------------------------------------------------------------- */

typedef struct slope_at {
    double slope, curvature;
} slope_at;

static slope_at slope_sum(const loss *l, const loss_rows *rows, const double *z, double b)
{
    double sums[2] = {0, 0};
    double shifted[LOSS_BLOCK], slopes[LOSS_BLOCK], curvatures[LOSS_BLOCK];
    for (size_t from = 0; from < rows->n; from += LOSS_BLOCK) {
        size_t count = rows->n - from < LOSS_BLOCK ? rows->n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++)
            shifted[i] = z[from + i] + b;
        l->slopes(rows->y + from, shifted, count, slopes, curvatures);
        for (size_t i = 0; rows->weights && i < count; i++) {
            slopes[i] *= rows->weights[from + i];
            curvatures[i] *= rows->weights[from + i];
        }
        sums[0] += loss_block_sum(slopes, count);
        sums[1] += loss_block_sum(curvatures, count);
    }
    if (rows->comm)
        comm_add(rows->comm, sums, 2);
    return (slope_at){sums[0], sums[1]};
}

/* The next trial point. Without a bracket: a Newton step, but no longer than `reach`, since far
 * from the root the curvature of a saturated loss nearly vanishes. Within a bracket: Newton's step
 * while it is less than half as long as the step before the last, otherwise bisection. */
static double next_shift(const slope_at *s, double b, double low, double high, double reach,
                         double before)
{
    double step = s->curvature > 0 ? -s->slope / s->curvature : INFINITY;
    if (!isfinite(low) || !isfinite(high))
        return fabs(step) <= reach ? b + step : b + copysign(reach, -s->slope);
    bool quick = fabs(step) <= 0.5 * before && b + step > low && b + step < high;
    return quick ? b + step : low + (high - low) / 2;
}

static double left_weighted(const double *y, const double *z, const double *weights, size_t n,
                            double b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i] * (y[i] - z[i] - b);
    return sum;
}

PER_MACHINE static double left_over(const double *y, const double *z, size_t n, double b)
{
    lanes sums = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        sums += *(const lanes *)(y + i) - *(const lanes *)(z + i) - b;
    double sum = add_lanes(&sums);
    for (; i < n; i++)
        sum += y[i] - z[i] - b;
    return sum;
}

/* The squared loss: the mean of the residual, computed twice so that the rounding error is of
 * second order. */
static double mean_shift(const loss_rows *rows, const double *z)
{
    double b = 0;
    for (int round = 0; round < 2; round++) {
        double left = rows->weights ? left_weighted(rows->y, z, rows->weights, rows->n, b)
                                    : left_over(rows->y, z, rows->n, b);
        if (rows->comm)
            comm_add(rows->comm, &left, 1);
        b += left / rows->total;
    }
    return b;
}

/* Finds the root of the increasing function sum l'(y_i, z_i + b). */
double loss_best_shift_of(const loss *l, const loss_rows *rows, const double *z, double start)
{
    if (l->quadratic)
        return mean_shift(rows, z);
    double low = -INFINITY, high = INFINITY, b = start, reach = 1;
    double before = INFINITY, last = INFINITY;
    for (int step = 0; step < MAX_SHIFT_STEPS; step++) {
        slope_at s = slope_sum(l, rows, z, b);
        if (fabs(s.slope) <= SHIFT_SLOPE * rows->total * l->smoothness)
            return b;
        *(s.slope > 0 ? &high : &low) = b;
        double next = next_shift(&s, b, low, high, reach, before);
        if (next == b)
            return b;
        before = last;
        last = fabs(next - b);
        reach *= 2;
        b = next;
    }
    return b;
}

double loss_best_shift(const loss *l, const double *y, const double *z, size_t n, double start)
{
    return loss_best_shift_of(l, &(loss_rows){y, NULL, n, (double)n, NULL}, z, start);
}
