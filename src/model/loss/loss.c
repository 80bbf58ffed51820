#include "model/loss/loss.h"

#include "base/numeric/lanes.h"
#include "model/loss/loss_many.h"

#include <math.h>
#include <string.h>

/* ---- squared: (y - z)^2 / 2 ---------------------------------------------------------------- */

static double squared_value(double y, double z)
{
    return (y - z) * (y - z) / 2;
}

static double squared_slope(double y, double z)
{
    return z - y;
}

static double squared_curvature(double y, double z)
{
    (void)y;
    (void)z;
    return 1;
}

static double squared_dual(double y, double a)
{
    return y * a - a * a / 2;
}

static double quadratic_dual_slope(double y, double a)
{
    return y - a;
}

static double squared_scale(const double *y, const double *a, size_t n, double most)
{
    double ya = 0, aa = 0;
    for (size_t i = 0; i < n; i++) {
        ya += y[i] * a[i];
        aa += a[i] * a[i];
    }
    return aa > 0 ? fmin(fmax(ya / aa, -most), most) : 0;
}

/* ---- logistic: log(1 + exp(-y z)) ---------------------------------------------------------- */

static double logistic_value(double y, double z)
{
    double m = y * z;
    return m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
}

/* 1 / (1 + exp(m)), without overflow. */
static double falling_sigmoid(double m)
{
    double e = exp(-fabs(m));
    return m > 0 ? e / (1 + e) : 1 / (1 + e);
}

static double logistic_slope(double y, double z)
{
    return -y * falling_sigmoid(y * z);
}

static double logistic_curvature(double y, double z)
{
    double p = falling_sigmoid(y * z);
    return p * (1 - p);
}

static double plogp(double p)
{
    return p > 0 ? p * log(p) : 0;
}

static double logistic_dual(double y, double a)
{
    double p = fmin(fmax(y * a, 0), 1);
    return -plogp(p) - plogp(1 - p);
}

static double logistic_dual_slope(double y, double a)
{
    double p = y * a;
    return y * (log1p(-p) - log(p));
}

static double logistic_scale(const double *y, const double *a, size_t n, double most)
{
    (void)y;
    (void)a;
    (void)n;
    return fmin(1, most);
}

/* ---- squared hinge: max(0, 1 - y z)^2 / 2 -------------------------------------------------- */

static double hinge2_value(double y, double z)
{
    double slack = fmax(0, 1 - y * z);
    return slack * slack / 2;
}

static double hinge2_slope(double y, double z)
{
    return -y * fmax(0, 1 - y * z);
}

static double hinge2_curvature(double y, double z)
{
    return y * z < 1 ? 1 : 0;
}

static double hinge2_dual(double y, double a)
{
    return y * a - a * a / 2;
}

static double hinge2_scale(const double *y, const double *a, size_t n, double most)
{
    return fmax(squared_scale(y, a, n, most), 0);
}

/* ---- the table ----------------------------------------------------------------------------- */

static const loss losses[] = {
    {"squared", false, true, 1, squared_value, squared_slope, squared_curvature, squared_dual,
     quadratic_dual_slope, true, squared_scale, squared_values, squared_slopes, quadratic_duals},
    {"logistic", true, false, 0.25, logistic_value, logistic_slope, logistic_curvature,
     logistic_dual, logistic_dual_slope, false, logistic_scale, logistic_values, logistic_slopes,
     logistic_duals},
    {"squared_hinge", true, false, 1, hinge2_value, hinge2_slope, hinge2_curvature, hinge2_dual,
     quadratic_dual_slope, true, hinge2_scale, hinge2_values, hinge2_slopes, quadratic_duals},
};

const loss *loss_find(const char *id, tm_error *err)
{
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        if (strcmp(losses[i].id, id) == 0)
            return &losses[i];
    tm_fail(err, TM_EUSAGE, "no loss '%.60s'; known: squared, logistic, squared_hinge", id);
    return NULL;
}

double loss_block_sum(const double *values, size_t count)
{
    lanes sum = {0};
    double tail = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        sum += *(const lanes *)(values + i);
    for (; i < count; i++)
        tail += values[i];
    return add_lanes(&sum) + tail;
}

double loss_total(const double *values, size_t count)
{
    double sum = 0;
    for (size_t from = 0; from < count; from += LOSS_BLOCK)
        sum += loss_block_sum(values + from, count - from < LOSS_BLOCK ? count - from : LOSS_BLOCK);
    return sum;
}

double loss_sum(const loss *l, const double *y, const double *z, size_t n)
{
    double sum = 0, part[LOSS_BLOCK];
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        l->values(y + from, z + from, count, part);
        sum += loss_block_sum(part, count);
    }
    return sum;
}

double loss_dual_sum(const loss *l, const double *y, const double *a, double scale, size_t n)
{
    double sum = 0, scaled[LOSS_BLOCK], part[LOSS_BLOCK];
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++)
            scaled[i] = scale * a[from + i];
        l->duals(y + from, scaled, count, part);
        sum += loss_block_sum(part, count);
    }
    return sum;
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

/* ---- the best shift ------------------------------------------------------------------------ */

typedef struct slope_at {
    double slope, curvature;
} slope_at;

static slope_at slope_sum(const loss *l, const double *y, const double *z, const double *weights,
                          size_t n, double b)
{
    slope_at s = {0, 0};
    double shifted[LOSS_BLOCK], slopes[LOSS_BLOCK], curvatures[LOSS_BLOCK];
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++)
            shifted[i] = z[from + i] + b;
        l->slopes(y + from, shifted, count, slopes, curvatures);
        for (size_t i = 0; weights && i < count; i++) {
            slopes[i] *= weights[from + i];
            curvatures[i] *= weights[from + i];
        }
        s.slope += loss_block_sum(slopes, count);
        s.curvature += loss_block_sum(curvatures, count);
    }
    return s;
}

/* Where to look next. Without a bracket: a Newton step, but no longer than `reach`, since far from
 * the root the curvature of a saturated loss is nearly nothing. Inside one: Newton's step while it
 * moves less than half as far as the step before the last, otherwise the middle. */
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

/* The squared loss: the mean of what is left, and once more so that rounding is of the second
 * order. */
static double mean_shift(const double *y, const double *z, const double *weights, size_t n,
                         double total)
{
    double b = 0;
    for (int round = 0; round < 2; round++)
        b += (weights ? left_weighted(y, z, weights, n, b) : left_over(y, z, n, b)) / total;
    return b;
}

/* The root of the increasing function sum l'(y_i, z_i + b). */
double loss_best_shift_weighted(const loss *l, const double *y, const double *z,
                                const double *weights, size_t n, double start)
{
    double total = (double)n;
    if (weights) {
        total = 0;
        for (size_t i = 0; i < n; i++)
            total += weights[i];
    }
    if (l->quadratic)
        return mean_shift(y, z, weights, n, total);
    double low = -INFINITY, high = INFINITY, b = start, reach = 1;
    double before = INFINITY, last = INFINITY;
    for (int step = 0; step < 400; step++) {
        slope_at s = slope_sum(l, y, z, weights, n, b);
        if (fabs(s.slope) <= 1e-15 * total * l->smoothness)
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
    return loss_best_shift_weighted(l, y, z, NULL, n, start);
}
