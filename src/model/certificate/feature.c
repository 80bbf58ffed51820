#include "model/certificate/feature.h"

#include "base/memory.h"
#include "model/loss/loss.h"
#include "model/loss/residual.h"
#include "model/penalty/ksupport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tm_status predict(const tm_source *source, const feature_weights *w, double b, double *z,
                         tm_error *err)
{
    size_t n = tm_dataset_rows(tm_source_data(source));
    for (size_t i = 0; i < n; i++)
        z[i] = b;
    for (size_t k = 0; k < w->count; k++) {
        tm_status status = tm_source_apply(source, w->units[k], w->values + w->starts[k], z, err);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

static tm_status penalty_of(const feature_weights *w, double B, double *penalty, tm_error *err)
{
    double *sizes = mem_array(w->count, sizeof *sizes);
    if (!sizes)
        return tm_fail_memory(err, "the certificate");
    for (size_t k = 0; k < w->count; k++)
        sizes[k] =
            sqrt(residual_squares(w->values + w->starts[k], w->starts[k + 1] - w->starts[k]));
    *penalty = ksupport_squared(sizes, w->count, B) / 2;
    free(sizes);
    return TM_OK;
}

/* The slope of the dual objective in the multiple s, over C: -C S s + sum_i p_i log((1 - s p_i) /
 * (s p_i)), p_i = y_i a_i. */
static double logistic_slope(const double *y, const double *a, size_t n, double CS, double s,
                             double *curvature)
{
    double slope = -CS * s;
    *curvature = CS;
    for (size_t i = 0; i < n; i++) {
        double p = y[i] * a[i], q = s * p;
        if (!(q > 0) || !(q < 1))
            continue;
        slope += p * (log1p(-q) - log(q));
        *curvature += p * p / (q * (1 - q));
    }
    return slope;
}

/* The best multiple of the dual variables, for entropy: Newton's method within a bracket. */
static double logistic_multiple(const double *y, const double *a, size_t n, double CS)
{
    double most = 0, low = 0, high, s;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, y[i] * a[i]);
    if (!(most > 0))
        return 0;
    high = 1 / most;
    s = fmin(1, high);
    for (int step = 0; step < 30; step++) {
        double curvature, slope = logistic_slope(y, a, n, CS, s, &curvature);
        *(slope > 0 ? &low : &high) = s;
        double next = s + slope / curvature;
        if (!(next > low) || !(next < high))
            next = low + (high - low) / 2;
        if (fabs(next - s) <= 1e-12 * s)
            break;
        s = next;
    }
    return s;
}

/* The best multiple: D(s a) = -(C s)^2 S / 2 + C sum_i -l*(y_i, -s a_i), CS being C times S. For
 * the squared hinge, -l* = y a - a^2 / 2, it has a closed form. */
static double best_multiple(const loss *l, const double *y, const double *a, size_t n, double CS)
{
    if (strcmp(l->id, "logistic") == 0)
        return logistic_multiple(y, a, n, CS);
    double linear = 0, squares = residual_squares(a, n) + CS;
    for (size_t i = 0; i < n; i++)
        linear += y[i] * a[i];
    return squares > 0 ? fmax(linear / squares, 0) : 0;
}

double feature_dual(const feature_problem *problem, const loss *l, const double *y, const double *a,
                    size_t n, double size)
{
    double C = problem->C, s = best_multiple(l, y, a, n, C * size);
    return C * loss_dual_sum(l, y, a, s, n) - C * C * s * s * size / 2;
}

static void find_dual_variables(const feature_problem *q, const loss *l, const double *y,
                                const double *z, size_t n, double *a)
{
    double shift = q->intercept ? loss_best_shift(l, y, z, n, 0) : 0;
    for (size_t i = 0; i < n; i++)
        a[i] = -l->slope(y[i], z[i] + shift);
}

tm_status certificate_features(tm_certificate *out, tm_source *source,
                               const feature_problem *problem, const feature_weights *w, double b,
                               tm_scan *scan, tm_pick *best, size_t *best_count, tm_error *err)
{
    const tm_dataset *data = tm_source_data(source);
    size_t n = tm_dataset_rows(data);
    const double *y = tm_dataset_y(data);
    const loss *l = loss_find(problem->loss, err);
    if (!l)
        return TM_EUSAGE;
    double *z = mem_array(n, sizeof *z), *a = mem_array(n, sizeof *a), penalty = 0;
    tm_status status = z && a ? TM_OK : tm_fail_memory(err, "the certificate");
    if (status == TM_OK)
        status = predict(source, w, b, z, err);
    if (status == TM_OK)
        status = penalty_of(w, problem->B, &penalty, err);
    if (status == TM_OK) {
        out->primal = penalty + problem->C * loss_sum(l, y, z, n);
        find_dual_variables(problem, l, y, z, n, a);
        status = tm_source_best(source, a, (size_t)problem->B, best, best_count, scan, err);
    }
    if (status == TM_OK) {
        double size = 0;
        for (size_t k = 0; k < *best_count; k++)
            size += best[k].score;
        out->dual = feature_dual(problem, l, y, a, n, size);
        out->gap = out->primal - out->dual;
    }
    free(z);
    free(a);
    return status;
}
