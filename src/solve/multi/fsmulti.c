/* Feature selection for multivariate measures (001 algorithm 2): the cutting-plane engine chooses
 * groups of features, and a bundle over labelings solves its master problem. docs/multi.md derives
 * the bounds. */
#include "solve/multi/multi.h"
#include "solve/registry.h"

#include "base/memory.h"
#include "model/penalty/ksupport.h"
#include "solve/fgm/cutting_plane.h"
#include "solve/multi/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fsmulti {
    multi m;
    tm_source *source;
    cutting_plane cp;
    bool made;     /* cp has been initialised */
    double *s;     /* n: sum_k alpha_k u_k / n */
    double *sizes; /* buffer for the weights of the cached columns */
    size_t size_room;
} fsmulti;

/* ---- the bundle's columns are those of the engine's cache ----------------------------------- */

static void cached_dots(const void *owner, size_t from, size_t count, const double *v, double *out)
{
    const feature_cache *cache = owner;
    double sum = 0;
    for (size_t i = 0; i < cache->n; i++)
        sum += v[i];
    for (size_t k = 0; k < count; k++)
        out[k] = feature_cache_dot(cache, from + k, v, sum);
}

static void cached_axpy(const void *owner, size_t k, double a, double *z)
{
    feature_cache_axpy(owner, k, a, z);
}

/* ---- the engine's inner problem ------------------------------------------------------------- */

static tm_status inner_solve(void *inner, cutting_plane *cp, double target,
                             solve_progress *progress, tm_error *err)
{
    fsmulti *f = inner;
    bundle *b = &f->m.bundle;
    bundle_report report = {cp->upper, cp->lower, cp->cache.unit_count,
                            (size_t)tm_source_units(cp->source)};
    tm_status status = bundle_set_columns(b, cp->cache.column_count, progress, err);
    if (status == TM_OK)
        status = bundle_take_all(b, cp->B, err);
    if (status == TM_OK)
        status = bundle_solve(b, target, &report, progress, err);
    if (status != TM_OK)
        return status;
    memcpy(cp->weights, b->best.weights, b->column_count * sizeof *cp->weights);
    cp->stalled = b->dual.rounded;
    if (b->planes_most == 0)
        progress->stopped = true;
    return TM_OK;
}

static bool reserve_sizes(fsmulti *f, size_t count)
{
    if (count <= f->size_room)
        return true;
    double *grown = realloc(f->sizes, 2 * count * sizeof *grown);
    if (grown) {
        f->sizes = grown;
        f->size_room = 2 * count;
    }
    return grown != NULL;
}

/* The objective at the engine's weights. */
static tm_status upper_bound(fsmulti *f, solve_progress *progress, double *out, tm_error *err)
{
    bundle *b = &f->m.bundle;
    const cutting_plane *cp = &f->cp;
    size_t count = 0;
    double risk;
    if (!reserve_sizes(f, b->column_count + 1))
        return tm_fail_memory(err, "the weights");
    for (size_t j = 0; j < b->column_count; j++)
        if (cp->weights[j] != 0)
            f->sizes[count++] = fabs(cp->weights[j]);
    bundle_predict(b, cp->weights, progress);
    tm_status status = bundle_add_worst(b, &risk, progress, err);
    *out = ksupport_squared(f->sizes, count, (double)cp->B) / 2 + f->m.problem.C * risk;
    return status;
}

/* The multipliers of the labelings prove a lower bound over all features; so does every multiple of
 * them, of which the best is used. */
static tm_status lower_bound(fsmulti *f, solve_progress *progress, bounds *out, tm_error *err)
{
    bundle *b = &f->m.bundle;
    tm_scan scan = {.threads = team_threads(progress->team), .cancel = progress->monitor.cancel};
    double loss = bundle_combine(b, f->s), squares = 0;
    tm_status status = tm_source_best(f->source, f->s, f->cp.B, out->best, &out->count, &scan, err);
    progress->columns += scan.columns;
    if (status != TM_OK)
        return status;
    for (size_t k = out->count; k-- > 0;)
        squares += out->best[k].score;
    out->lower = multi_lower_bound(loss, squares, bundle_multiplier_sum(b), f->m.problem.C);
    return out->lower > f->cp.lower ? bundle_take_witness(b, &f->m.witness, err) : TM_OK;
}

static tm_status inner_certify(void *inner, cutting_plane *cp, solve_progress *progress,
                               bounds *out, tm_error *err)
{
    fsmulti *f = inner;
    bundle *b = &f->m.bundle;
    bool first = b->plane_count == 0;
    (void)cp;
    tm_status status = upper_bound(f, progress, &out->upper, err);
    if (status != TM_OK)
        return status;
    if (first) /* before any small problem the only labeling has all the weight */
        b->planes[0].alpha = b->C;
    return lower_bound(f, progress, out, err);
}

static const inner_ops fsmulti_inner = {
    .unions = true, .share_fall = INNER_SHARE_FALL, .solve = inner_solve, .certify = inner_certify};

/* ---- construction -------------------------------------------------------------------------- */

static void finish(void *work)
{
    fsmulti *f = work;
    if (f->made)
        cutting_plane_free(&f->cp);
    tm_source_free(f->source);
    multi_free(&f->m);
    free(f->s);
    free(f->sizes);
    free(f);
}

static tm_status make(fsmulti *f, const tm_dataset *data, const tm_params *params, tm_error *err)
{
    tm_source_spec spec = {.kind = "columns"};
    bundle_columns columns = {&f->cp.cache, cached_dots, cached_axpy};
    tm_status status = multi_init(&f->m, data, params, &columns, err);
    if (status == TM_OK)
        status = tm_source_new(&f->source, data, &spec, err);
    if (status != TM_OK)
        return status;
    f->made = true;
    f->s = mem_array(f->m.n, sizeof *f->s);
    status = cutting_plane_init(&f->cp, f->source, 1, err);
    f->m.problem.B = 1;
    return status == TM_OK && !f->s ? tm_fail_memory(err, "the solver") : status;
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    fsmulti *f = calloc(1, sizeof *f);
    if (!f)
        return tm_fail_memory(err, "the solver");
    progress->lambda = NAN;
    tm_status status = make(f, data, params, err);
    return method_made(work, f, finish, status);
}

/* ---- points -------------------------------------------------------------------------------- */

/* Labelings are valid for every C and B and are kept; groups are kept if B and the limits
 * permit. */
static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    fsmulti *f = work;
    size_t count, before = f->m.problem.B;
    double B = tm_params_reals(params, "B", &count)[0];
    multi_update(&f->m, params);
    f->cp.limits = plane_limits_of(params);
    f->m.problem.B = B < (double)f->m.p ? (size_t)B : f->m.p;
    bool limited = f->cp.limits.rounds != SIZE_MAX || f->cp.limits.features != SIZE_MAX;
    if (!limited && !tm_params_given(params, "inner_tol"))
        f->cp.limits.inner = INNER_SHARE;
    if (!f->m.warm || limited || before != f->m.problem.B) {
        cutting_plane_clear(&f->cp);
        bundle_clear_columns(&f->m.bundle);
        return cutting_plane_set_B(&f->cp, f->m.problem.B, err);
    }
    cutting_plane_restart(&f->cp);
    return TM_OK;
}

static void take_answer(fsmulti *f)
{
    const feature_cache *cache = &f->cp.cache;
    memset(f->m.weights, 0, f->m.p * sizeof *f->m.weights);
    for (size_t u = 0; u < cache->unit_count; u++)
        if (cache->units[u].from < f->cp.answer.count)
            f->m.weights[cache->units[u].unit] = f->cp.answer.weights[cache->units[u].from];
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    fsmulti *f = work;
    tm_status status = multi_start(&f->m, progress, err);
    if (status == TM_OK)
        status = cutting_plane_run(&f->cp, &fsmulti_inner, f, target, progress, err);
    if (status != TM_OK)
        return status;
    take_answer(f);
    *answer = (solve_answer){.converged = f->cp.converged,
                             .stalled = f->cp.stalled || f->cp.limited,
                             .stop = f->cp.limited ? TM_STOP_RULE : multi_stop(&f->m),
                             .weights = f->m.weights,
                             .problem = {.lambda = NAN},
                             .B = (double)f->m.problem.B,
                             .C = f->m.problem.C,
                             .active = f->cp.cache.unit_count};
    return TM_OK;
}

const method_ops fsmulti_ops = {
    .init = init,
    .update = update,
    .warm = multi_warm,
    .begin = multi_begin,
    .solve = solve,
    .certify = multi_certify,
    .null_objective = multi_null_objective,
    .finish = finish,
};
