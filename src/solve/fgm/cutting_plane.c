#include "solve/fgm/cutting_plane.h"

#include "base/memory.h"
#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- construction -------------------------------------------------------------------------- */

static tm_status reserve_best(cutting_plane *cp, size_t B, tm_error *err)
{
    uint64_t units = tm_source_units(cp->source);
    tm_pick *best = mem_array(B < units ? B : (size_t)units, sizeof *best);
    if (!best)
        return tm_fail_memory(err, "the features");
    free(cp->next.best);
    cp->next.best = best;
    cp->next.count = 0;
    cp->B = B;
    return TM_OK;
}

tm_status cutting_plane_init(cutting_plane *cp, tm_source *source, size_t B, tm_error *err)
{
    size_t n = tm_dataset_rows(tm_source_data(source));
    *cp = (cutting_plane){.source = source, .n = n, .upper = INFINITY, .lower = -INFINITY};
    tm_status status = feature_cache_init(&cp->cache, n, err);
    return status == TM_OK ? reserve_best(cp, B, err) : status;
}

static void clear_planes(cutting_plane *cp)
{
    for (size_t h = 0; h < cp->plane_count; h++)
        free(cp->planes[h].units);
    cp->plane_count = 0;
    cp->generation++;
}

void cutting_plane_free(cutting_plane *cp)
{
    clear_planes(cp);
    feature_cache_free(&cp->cache);
    free(cp->planes);
    free(cp->weights);
    free(cp->answer.weights);
    free(cp->next.best);
}

void cutting_plane_restart(cutting_plane *cp)
{
    cp->upper = INFINITY;
    cp->lower = -INFINITY;
    cp->answer.count = 0;
    cp->next.count = 0;
    cp->converged = cp->stalled = cp->limited = false;
}

void cutting_plane_clear(cutting_plane *cp)
{
    clear_planes(cp);
    feature_cache_clear(&cp->cache);
    cp->intercept = cp->answer.intercept = 0;
    cutting_plane_restart(cp);
}

/* ---- planes -------------------------------------------------------------------------------- */

static bool reserve_weights(cutting_plane *cp)
{
    size_t count = cp->cache.column_count;
    if (count <= cp->weight_room)
        return true;
    size_t room = count > 2 * cp->weight_room ? count : 2 * cp->weight_room;
    double *weights = realloc(cp->weights, room * sizeof *weights);
    if (weights)
        cp->weights = weights;
    double *answer = realloc(cp->answer.weights, room * sizeof *answer);
    if (answer)
        cp->answer.weights = answer;
    if (!weights || !answer)
        return false;
    cp->weight_room = room;
    return true;
}

static tm_status new_plane(cutting_plane *cp, plane **out, size_t count, tm_error *err)
{
    if (cp->plane_count == cp->plane_room) {
        size_t room = cp->plane_room ? 2 * cp->plane_room : 16;
        plane *grown = realloc(cp->planes, room * sizeof *grown);
        if (!grown)
            return tm_fail_memory(err, "the groups");
        cp->planes = grown;
        cp->plane_room = room;
    }
    plane *h = &cp->planes[cp->plane_count];
    *h = (plane){.units = mem_array(count, sizeof *h->units)};
    if (!h->units)
        return tm_fail_memory(err, "the groups");
    cp->plane_count++;
    *out = h;
    return TM_OK;
}

static void put_unit(cutting_plane *cp, plane *h, size_t place)
{
    h->units[h->count++] = place;
    h->columns += cp->cache.units[place].count;
}

tm_status cutting_plane_add(cutting_plane *cp, const tm_pick *units, size_t count, tm_error *err)
{
    plane *h;
    tm_status status = new_plane(cp, &h, count, err);
    for (size_t k = 0; status == TM_OK && k < count; k++) {
        size_t place = feature_cache_find(&cp->cache, units[k].unit),
               known = cp->cache.column_count;
        if (place == SIZE_MAX) {
            place = cp->cache.unit_count;
            status = feature_cache_add(&cp->cache, cp->source, units[k].unit, err);
            if (status == TM_OK && !reserve_weights(cp))
                status = tm_fail_memory(err, "the weights");
            if (status != TM_OK)
                return status;
            memset(cp->weights + known, 0, (cp->cache.column_count - known) * sizeof *cp->weights);
        }
        put_unit(cp, h, place);
    }
    return status;
}

/* Moves the units of plane h beyond the first B into planes of their own. */
static tm_status split(cutting_plane *cp, size_t h, tm_error *err)
{
    plane whole = cp->planes[h];
    cp->generation++;
    cp->planes[h].count = cp->planes[h].columns = 0;
    for (size_t k = 0; k < cp->B; k++)
        put_unit(cp, &cp->planes[h], whole.units[k]);
    for (size_t from = cp->B; from < whole.count; from += cp->B) {
        plane *part;
        size_t count = whole.count - from < cp->B ? whole.count - from : cp->B;
        tm_status status = new_plane(cp, &part, count, err);
        if (status != TM_OK)
            return status;
        for (size_t k = 0; k < count; k++)
            put_unit(cp, part, whole.units[from + k]);
    }
    return TM_OK;
}

tm_status cutting_plane_set_B(cutting_plane *cp, size_t B, tm_error *err)
{
    tm_status status = reserve_best(cp, B, err);
    size_t planes = cp->plane_count;
    for (size_t h = 0; status == TM_OK && h < planes; h++)
        if (cp->planes[h].count > B)
            status = split(cp, h, err);
    cutting_plane_restart(cp);
    return status;
}

/* ---- one round ----------------------------------------------------------------------------- */

static bool in_plane(const plane *h, size_t place)
{
    for (size_t k = 0; k < h->count; k++)
        if (h->units[k] == place)
            return true;
    return false;
}

/* Whether the next group is contained in an existing one, so that the master problem already covers
 * it. */
static bool known_group(const cutting_plane *cp, bool unions)
{
    bool known = true;
    for (size_t k = 0; known && k < cp->next.count; k++)
        known = feature_cache_find(&cp->cache, cp->next.best[k].unit) != SIZE_MAX;
    if (!known || unions || cp->next.count == 0)
        return known;
    for (size_t h = 0; h < cp->plane_count; h++) {
        bool within = true;
        for (size_t k = 0; within && k < cp->next.count; k++)
            within =
                in_plane(&cp->planes[h], feature_cache_find(&cp->cache, cp->next.best[k].unit));
        if (within)
            return true;
    }
    return false;
}

/* Truncates the last group before the limit on features to the number of new units still
 * allowed. */
static void cut_group(cutting_plane *cp)
{
    size_t room =
        cp->limits.features > cp->cache.unit_count ? cp->limits.features - cp->cache.unit_count : 0;
    size_t kept = 0;
    for (size_t k = 0; k < cp->next.count; k++) {
        bool fresh = feature_cache_find(&cp->cache, cp->next.best[k].unit) == SIZE_MAX;
        if (fresh && room == 0)
            continue;
        room -= fresh;
        cp->next.best[kept++] = cp->next.best[k];
    }
    cp->next.count = kept;
}

static void report_units(const cutting_plane *cp, size_t known, solve_progress *progress)
{
    uint64_t all = tm_source_units(cp->source);
    size_t came = known;
    for (size_t k = 0; k < cp->next.count; k++)
        if (feature_cache_find(&cp->cache, cp->next.best[k].unit) >= known)
            progress_emit_feature(progress, cp->next.best[k].unit, cp->next.best[k].score,
                                  cp->upper, cp->lower, ++came, all);
}

static tm_status add_next(cutting_plane *cp, const inner_ops *ops, void *inner,
                          solve_progress *progress, tm_error *err)
{
    size_t known = cp->cache.unit_count;
    cut_group(cp);
    tm_status status = cutting_plane_add(cp, cp->next.best, cp->next.count, err);
    if (status != TM_OK)
        return status;
    report_units(cp, known, progress);
    return ops->add ? ops->add(inner, cp, err) : TM_OK;
}

/* Computes the bounds for the current weights and keeps the better of old and new. */
static tm_status certify(cutting_plane *cp, const inner_ops *ops, void *inner,
                         solve_progress *progress, tm_error *err)
{
    tm_status status = ops->certify(inner, cp, progress, &cp->next, err);
    if (status != TM_OK)
        return status;
    cp->lower = fmax(cp->lower, cp->next.lower);
    if (cp->next.upper <= cp->upper) {
        cp->upper = cp->next.upper;
        cp->answer.count = cp->cache.column_count;
        if (cp->answer.count > 0)
            memcpy(cp->answer.weights, cp->weights, cp->answer.count * sizeof *cp->answer.weights);
        cp->answer.intercept = cp->intercept;
    }
    progress_emit(progress, TM_EVENT_CHECK, cp->upper, cp->lower, cp->upper - cp->lower,
                  cp->cache.unit_count, tm_source_units(cp->source));
    return TM_OK;
}

/* ---- the loop ------------------------------------------------------------------------------ */

static bool at_limit(const cutting_plane *cp)
{
    return cp->plane_count >= cp->limits.rounds || cp->cache.unit_count >= cp->limits.features;
}

/* When the next group is already known, only a more accurate solution of the master problem can
 * help. */
static double next_share(const cutting_plane *cp, const inner_ops *ops, double share, bool known)
{
    if (ops->share_fall == 0)
        return known ? share * INNER_FALL : share;
    return known ? share * ops->share_fall : cp->limits.inner;
}

/* One round: adds a group when there is a new one, solves the master problem, computes the bounds.
 * `share` is the fraction of the gap to which the master problem is solved; it decreases when only
 * a more accurate solution can help. */
static tm_status run_round(cutting_plane *cp, const inner_ops *ops, void *inner, double target,
                           double *share, solve_progress *progress, tm_error *err)
{
    double gap = cp->upper - cp->lower, upper = cp->upper;
    bool known = known_group(cp, ops->unions);
    tm_status status = known ? TM_OK : add_next(cp, ops, inner, progress, err);
    *share = next_share(cp, ops, *share, known);
    if (status == TM_OK)
        status =
            ops->solve(inner, cp, fmax(*share, INNER_LEAST) * fmax(gap, target), progress, err);
    if (status == TM_OK)
        status = certify(cp, ops, inner, progress, err);
    if (status != TM_OK)
        return status;
    bool better = cp->upper - cp->lower < 0.999 * gap; /* half and twice the required decrease cost
                                                        * the same work */
    cp->stalled = known && (*share < INNER_LEAST || cp->stalled) && !better;
    cp->limited = cp->limits.change > 0 && !known && isfinite(upper) &&
                  upper - cp->upper <= cp->limits.change * cp->first;
    return TM_OK;
}

tm_status cutting_plane_run(cutting_plane *cp, const inner_ops *ops, void *inner, double target,
                            solve_progress *progress, tm_error *err)
{
    double share = cp->limits.inner;
    tm_status status = TM_OK;
    cp->converged = cp->stalled = cp->limited = false;
    if (!isfinite(cp->upper)) {
        status = certify(cp, ops, inner, progress, err);
        cp->first = cp->upper;
    }
    while (status == TM_OK && !progress->stopped && !cp->stalled && !cp->limited) {
        cp->converged = cp->upper - cp->lower <= target;
        if (cp->converged)
            break;
        cp->limited = at_limit(cp);
        if (!cp->limited)
            status = run_round(cp, ops, inner, target, &share, progress, err);
    }
    if (status == TM_OK)
        cp->converged = cp->upper - cp->lower <= target;
    if (status != TM_ECANCELLED)
        return status;
    progress->stopped = progress->cancelled =
        true; /* what was reached before that pass is the answer */
    return TM_OK;
}

plane_limits plane_limits_of(const tm_params *params)
{
    plane_limits limits = {SIZE_MAX, SIZE_MAX, 0, tm_params_real(params, "inner_tol")};
    if (tm_params_has(params, "T"))
        limits.rounds = (size_t)tm_params_int(params, "T");
    if (tm_params_has(params, "features"))
        limits.features = (size_t)tm_params_int(params, "features");
    if (tm_params_find(params, "change", NULL) && tm_params_has(params, "change"))
        limits.change = tm_params_real(params, "change");
    return limits;
}
