#include "solve/fgm/fgm.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void fgm_predict(const cutting_plane *cp, const double *weights, double *z)
{
    memset(z, 0, cp->n * sizeof *z);
    for (size_t k = 0; k < cp->cache.column_count; k++)
        if (weights[k] != 0)
            feature_cache_axpy(&cp->cache, k, weights[k], z);
}

void fgm_products(const cutting_plane *cp, const double *v, double *products)
{
    double sum = 0;
    for (size_t i = 0; i < cp->n; i++)
        sum += v[i];
    for (size_t k = 0; k < cp->cache.column_count; k++)
        products[k] = feature_cache_dot(&cp->cache, k, v, sum);
}

double fgm_loss(const fgm_inner *inner, const double *z, double *b, double *a)
{
    double sum = 0;
    *b = inner->problem.intercept ? loss_best_shift(inner->l, inner->y, z, inner->n, *b) : 0;
    for (size_t i = 0; i < inner->n; i++) {
        sum += inner->l->value(inner->y[i], z[i] + *b);
        if (a)
            a[i] = -inner->l->slope(inner->y[i], z[i] + *b);
    }
    return inner->problem.C * sum;
}

double fgm_curvature(const fgm_inner *inner, const double *a, const double *from, const double *to,
                     double b)
{
    double sum = 0;
    for (size_t i = 0; i < inner->n; i++)
        sum += (inner->l->slope(inner->y[i], to[i] + b) + a[i]) * (to[i] - from[i]);
    return inner->problem.C * sum;
}

/* ---- the certificate ----------------------------------------------------------------------- */

static tm_status reserve(fgm_inner *inner, size_t units, tm_error *err)
{
    if (units <= inner->unit_room)
        return TM_OK;
    size_t room = 2 * units;
    free(inner->units);
    free(inner->starts);
    inner->units = mem_array(room, sizeof *inner->units);
    inner->starts = mem_array(room + 1, sizeof *inner->starts);
    inner->unit_room = inner->units && inner->starts ? room : 0;
    return inner->unit_room ? TM_OK : tm_fail_memory(err, "the certificate");
}

/* Lists the units of the first `columns` cached columns, with their weights. */
static tm_status make_claim(fgm_inner *inner, const feature_cache *cache, size_t columns,
                            const double *weights, feature_claim *out, tm_error *err)
{
    tm_status status = reserve(inner, cache->unit_count + 1, err);
    if (status != TM_OK)
        return status;
    size_t count = 0;
    inner->starts[0] = 0;
    for (; count < cache->unit_count && cache->units[count].from < columns; count++) {
        inner->units[count] = cache->units[count].unit;
        inner->starts[count + 1] = cache->units[count].from + cache->units[count].count;
    }
    *out = (feature_claim){
        .count = count, .units = inner->units, .starts = inner->starts, .values = weights};
    return TM_OK;
}

static tm_status certify(void *work, cutting_plane *cp, solve_progress *progress, bounds *out,
                         tm_error *err)
{
    fgm_inner *inner = work;
    feature_claim claim;
    tm_status status =
        make_claim(inner, &cp->cache, cp->cache.column_count, cp->weights, &claim, err);
    if (status != TM_OK)
        return status;
    claim.b = cp->intercept;
    feature_units units = {out->best, 0};
    tm_scan scan = {.threads = team_threads(progress->team), .cancel = progress->monitor.cancel};
    tm_certificate certificate;
    status = feature_certify(inner->certifier, &inner->problem, &claim, &units, &scan, &certificate,
                             err);
    progress->columns += scan.columns;
    if (status == TM_OK) {
        out->count = units.count;
        out->upper = certificate.primal;
        out->lower = certificate.dual;
        if (out->lower > cp->lower)
            memcpy(inner->dual, feature_certifier_dual(inner->certifier),
                   inner->n * sizeof *inner->dual);
    }
    progress_work(progress, UINT64_C(1) << 20); /* a pass is expensive enough to check the clock */
    return status;
}

tm_status fgm_certify(fgm_inner *inner, const cutting_plane *cp, solve_progress *progress,
                      tm_certificate *out, tm_error *err)
{
    feature_claim claim;
    tm_status status =
        make_claim(inner, &cp->cache, cp->answer.count, cp->answer.weights, &claim, err);
    if (status != TM_OK)
        return status;
    claim.b = cp->answer.intercept;
    claim.dual = inner->dual;
    tm_scan scan = {.threads = team_threads(progress->team), .cancel = progress->monitor.cancel};
    status = feature_certify(inner->certifier, &inner->problem, &claim, NULL, &scan, out, err);
    progress->columns += scan.columns;
    return status;
}

static tm_status solve(void *work, cutting_plane *cp, double target, solve_progress *progress,
                       tm_error *err)
{
    fgm_inner *inner = work;
    tm_status status = inner->master->solve(inner->work, inner, cp, target, progress, err);
    if (inner->iterations_left == 0)
        progress->stopped = true;
    return status;
}

const inner_ops fgm_ops_unions = {.unions = true, .solve = solve, .certify = certify};
const inner_ops fgm_ops_planes = {.solve = solve, .certify = certify};
