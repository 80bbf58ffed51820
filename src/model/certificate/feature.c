#include "model/certificate/feature.h"

#include "base/memory.h"
#include "model/loss/loss.h"
#include "model/loss/residual.h"
#include "model/penalty/ksupport.h"

#include <math.h>
#include <stdlib.h>

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

/* D(s a) = -(C s)^2 S / 2 + C sum_i -l*(y_i, -s a_i) with the best multiple s. */
double feature_dual(const feature_problem *problem, const loss *l, const double *y, const double *a,
                    size_t n, double size)
{
    double C = problem->C, s = l->multiple(y, a, n, C * size);
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
