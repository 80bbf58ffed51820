/* The logistic loss: log(1 + exp(-y z)). Its dual is the entropy of p = y a in [0, 1]. */
#include "base/numeric/exp_log.h"
#include "base/numeric/many.h"
#include "model/loss/losses.h"
#include "model/loss/tuning.h"

static double logistic_value(double y, double z)
{
    double m = y * z;
    return m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
}

/* 1 / (1 + exp(m)), without overflow. */
static double sigmoid_of_minus(double m)
{
    double e = exp(-fabs(m));
    return m > 0 ? e / (1 + e) : 1 / (1 + e);
}

static double logistic_slope(double y, double z)
{
    return -y * sigmoid_of_minus(y * z);
}

static double logistic_curvature(double y, double z)
{
    double p = sigmoid_of_minus(y * z);
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

/* The root of t + m + q (sigmoid(t) - p) = 0, increasing in t. Newton steps can jump between the
 * flat ends of the sigmoid: a step more than half as long as the one before the last is replaced by
 * bisection. */
static double ascent_root(double m, double q, double p)
{
    double low = -m - q * (1 - p), high = -m + q * p, t = low + (high - low) / 2;
    double last = high - low, before = last;
    for (int step = 0; step < MAX_ASCENT_STEPS; step++) {
        double sigmoid = 1 / (1 + exp(-t)), value = t + m + q * (sigmoid - p);
        *(value > 0 ? &high : &low) = t;
        double next = t - value / (1 + q * sigmoid * (1 - sigmoid)), length = fabs(next - t);
        if (fmin(length, high - low) <= ASCENT_WIDTH * (1 + fabs(t)))
            break;
        bool newton = next > low && next < high && 2 * length <= before;
        double to = newton ? next : low + (high - low) / 2;
        before = last;
        last = fabs(to - t);
        t = to;
    }
    return t;
}

static double logistic_ascend(double y, double z, double a, double weight, double q)
{
    double t = ascent_root(y * z, q * weight, y * a / weight);
    return y * weight / (1 + exp(-t));
}

/* The derivative of the dual in its multiple s: -penalty s + sum_i p_i log((1 - s p_i) / (s p_i)),
 * p_i = y_i a_i. */
static double multiple_slope(const double *y, const double *a, size_t n, double penalty, double s,
                             double *curvature)
{
    double slope = -penalty * s;
    *curvature = penalty;
    for (size_t i = 0; i < n; i++) {
        double p = y[i] * a[i], q = s * p;
        if (!(q > 0) || !(q < 1))
            continue;
        slope += p * (log1p(-q) - log(q));
        *curvature += p * p / (q * (1 - q));
    }
    return slope;
}

/* Newton's method safeguarded by a bracket. */
static double logistic_multiple(const double *y, const double *a, size_t n, double penalty)
{
    double most = 0, low = 0, high, s;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, y[i] * a[i]);
    if (!(most > 0))
        return 0;
    high = 1 / most;
    s = fmin(1, high);
    for (int step = 0; step < MAX_MULTIPLE_STEPS; step++) {
        double curvature, slope = multiple_slope(y, a, n, penalty, s, &curvature);
        *(slope > 0 ? &low : &high) = s;
        double next = s + slope / curvature;
        if (!(next > low) || !(next < high))
            next = low + (high - low) / 2;
        if (fabs(next - s) <= MULTIPLE_CHANGE * s)
            break;
        s = next;
    }
    return s;
}

/* ---- many samples -------------------------------------------------------------------------- */

PER_MACHINE
static void logistic_values(const double *y, const double *z, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        double m = y[i] * z[i], e = exp_negative(-fabs(m));
        out[i] = (m > 0 ? 0 : -m) + log1p_unit(e);
    }
}

PER_MACHINE
static void logistic_slopes(const double *y, const double *z, size_t n, double *slopes,
                            double *curvatures)
{
    for (size_t i = 0; i < n; i++) {
        double m = y[i] * z[i], e = exp_negative(-fabs(m)), part = 1 / (1 + e);
        slopes[i] = -y[i] * (m > 0 ? e * part : part);
        curvatures[i] = e * part * part;
    }
}

/* -p log p - (1 - p) log(1 - p); when 1 - p would lose digits of p, its logarithm is computed from
 * p. */
PER_MACHINE
static void logistic_duals(const double *y, const double *a, size_t n, double *out)
{
    static const double LEAST = 0x1p-1022, SMALL = 0.29;
    for (size_t i = 0; i < n; i++) {
        double p = y[i] * a[i];
        p = p > 0 ? p : 0;
        p = p < 1 ? p : 1;
        double rest = 1 - p, small = p < SMALL ? p : SMALL;
        double first = log_of(p > LEAST ? p : LEAST), second = log_of(rest > LEAST ? rest : LEAST);
        second = p < SMALL ? log_beyond(-small) - small : second;
        out[i] = -p * first - rest * second;
    }
}

const loss loss_logistic = {
    .id = "logistic",
    .binary = true,
    .probabilities = true,
    .quadratic = false,
    .dual_quadratic = false,
    .smoothness = 0.25,
    .dual_most = 1,
    .value = logistic_value,
    .slope = logistic_slope,
    .curvature = logistic_curvature,
    .dual = logistic_dual,
    .dual_slope = logistic_dual_slope,
    .scale = logistic_scale,
    .multiple = logistic_multiple,
    .ascend = logistic_ascend,
    .values = logistic_values,
    .slopes = logistic_slopes,
    .duals = logistic_duals,
};
