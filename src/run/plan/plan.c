#include "run/plan/plan.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* A grid with more cells than this is taken for a mistake. */
static const size_t MAX_CELLS = 20000000;

/* ---- points -------------------------------------------------------------------------------- */

static tm_status set_params(tm_params *params, const tm_sweep_spec *spec, size_t point,
                            tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < spec->base_count; i++)
        if (!tm_sweep_takes(spec->base[i].name))
            status = tm_params_set_text(params, spec->base[i].name, spec->base[i].value, err);
    for (size_t a = 0; status == TM_OK && a < spec->axis_count; a++) {
        const char *value = spec->values[point * spec->axis_count + a];
        if (value && !tm_sweep_takes(spec->axes[a]))
            status = tm_params_set_text(params, spec->axes[a], value, err);
    }
    if (status == TM_OK && tm_params_find(params, "seed", NULL) && !tm_params_given(params, "seed"))
        status = tm_params_set_int(params, "seed",
                                   (long)(spec->splits.seed & (((uint64_t)1 << 53) - 1)), err);
    return status;
}

/* Refuses before anything runs what a job would refuse at its start. */
static tm_status count_steps(const tm_params *params, size_t *steps, tm_error *err)
{
    tm_grid grid;
    tm_status status = tm_grid_make(&grid, params, 1, err);
    *steps = grid.count;
    tm_grid_clear(&grid);
    return status;
}

/* The point keeps its own method and parameters, to which the axes refer. Each job replaces
 * them. */
static tm_status check_replaced(sweep_plan *plan, const sweep_point *point, tm_error *err)
{
    const tm_method *method = point->method;
    tm_params *params = NULL;
    tm_status status = tm_params_copy(&params, point->params, err);
    if (status == TM_OK)
        status = tm_method_at_alpha_0(&method, &params, err);
    if (status == TM_OK && method != point->method)
        tm_method_alpha_0_text(method, plan->remark, sizeof plan->remark);
    tm_params_free(params);
    return status;
}

static tm_status make_point(sweep_plan *plan, const tm_sweep_spec *spec, size_t i, tm_error *err)
{
    sweep_point *point = &plan->points[i];
    const char *id = sweep_variant_text(spec, i, "method");
    id = id ? id : spec->method;
    if (!id)
        return tm_fail(err, TM_EUSAGE, "the sweep names no method; give method=\"...\"");
    point->method = tm_method_find(id, err);
    tm_status status = point->method ? TM_OK : TM_EUSAGE;
    if (status == TM_OK)
        status = sweep_variant_find(plan, spec, i, &point->variant, err);
    if (status == TM_OK)
        status = tm_method_params_new(&point->params, point->method, err);
    if (status == TM_OK)
        status = set_params(point->params, spec, i, err);
    if (status == TM_OK)
        status = check_replaced(plan, point, err);
    return status == TM_OK ? count_steps(point->params, &point->steps, err) : status;
}

/* ---- configurations ------------------------------------------------------------------------ */

static tm_status make_configs(sweep_plan *plan, size_t splits, tm_error *err)
{
    for (size_t i = 0; i < plan->point_count; i++) {
        plan->config_count += plan->points[i].steps;
        if (plan->config_count > MAX_CELLS / splits)
            return tm_fail(err, TM_EUSAGE,
                           "the sweep has more than %zu configurations on %zu splits",
                           MAX_CELLS / splits, splits);
    }
    plan->configs = mem_array(plan->config_count, sizeof *plan->configs);
    if (!plan->configs)
        return tm_fail_memory(err, "a sweep");
    sweep_config *next = plan->configs;
    for (size_t i = 0; i < plan->point_count; i++)
        for (size_t k = 0; k < plan->points[i].steps; k++)
            *next++ = (sweep_config){i, k};
    return TM_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

size_t sweep_metric_place(const tm_sweep_spec *spec, const char *name)
{
    for (size_t i = 0; spec->hooks && i < spec->hooks->metric_count; i++)
        if (strcmp(spec->hooks->metrics[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

/* A metric of the caller must not hide a built-in name. */
static tm_status check_own_name(const char *name, tm_error *err)
{
    static const char *const columns[] = {"lambda",  "primal",  "dual",    "gap",   "nnz",
                                          "seconds", "columns", "updates", "splits"};
    tm_scorer scorer;
    bool taken = tm_scorer_find(&scorer, name, NULL) == TM_OK;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        taken = taken || strcmp(columns[i], name) == 0;
    if (taken)
        return tm_fail(err, TM_EUSAGE, "the name '%.60s' of a metric is taken; choose another",
                       name);
    if (strlen(name) >= sizeof scorer.name || !*name)
        return tm_fail(err, TM_EUSAGE,
                       "the name '%.60s' of a metric has more than %zu bytes, or none", name,
                       sizeof scorer.name - 1);
    return TM_OK;
}

static tm_status set_metrics(sweep_plan *plan, const tm_sweep_spec *spec, tm_error *err)
{
    size_t count = spec->metric_count > 0 ? spec->metric_count : 1;
    plan->scorers = mem_array(count, sizeof *plan->scorers);
    plan->functions = mem_zeros(count, sizeof *plan->functions);
    plan->hooks = spec->hooks;
    if (!plan->scorers || !plan->functions)
        return tm_fail_memory(err, "a sweep");
    plan->metric_count = count;
    plan->scorers[0] = tm_scorer_default(tm_dataset_is_binary(spec->inputs.data[0]));
    tm_status status = TM_OK;
    for (size_t m = 0; status == TM_OK && m < spec->metric_count; m++) {
        size_t place = sweep_metric_place(spec, spec->metrics[m]);
        if (place == SIZE_MAX) {
            status = tm_scorer_find(&plan->scorers[m], spec->metrics[m], err);
            continue;
        }
        plan->functions[m] = &spec->hooks->metrics[place];
        status = check_own_name(spec->metrics[m], err);
        plan->scorers[m] = (tm_scorer){.metric = NULL};
        snprintf(plan->scorers[m].name, sizeof plan->scorers[m].name, "%s", spec->metrics[m]);
    }
    return status;
}

static tm_status check_axes(const tm_sweep_spec *spec, tm_error *err)
{
    if (spec->inputs.data_count == 0)
        return tm_fail(err, TM_EUSAGE, "the sweep has no data");
    if (spec->config_count == 0)
        return tm_fail(err, TM_EUSAGE, "the sweep has no configurations");
    for (size_t a = 0; a < spec->axis_count; a++)
        for (size_t b = 0; b < a; b++)
            if (strcmp(spec->axes[a], spec->axes[b]) == 0)
                return tm_fail(err, TM_EUSAGE, "the sweep has the axis '%.60s' twice",
                               spec->axes[a]);
    for (size_t a = 0; a < spec->axis_count; a++)
        for (size_t b = 0; b < spec->base_count; b++)
            if (strcmp(spec->axes[a], spec->base[b].name) == 0)
                return tm_fail(err, TM_EUSAGE, "the sweep has '%.60s' both fixed and as an axis",
                               spec->axes[a]);
    if (spec->shards > 0 && spec->shard >= spec->shards)
        return tm_fail(err, TM_EUSAGE, "shard %zu of %zu: expected 1 to %zu", spec->shard + 1,
                       spec->shards, spec->shards);
    return TM_OK;
}

tm_status sweep_plan_make(sweep_plan *plan, tm_sweep_table **table, const tm_sweep_spec *spec,
                          tm_error *err)
{
    *plan = (sweep_plan){0};
    *table = NULL;
    tm_status status = check_axes(spec, err);
    if (status != TM_OK)
        return status;
    plan->points = mem_zeros(spec->config_count, sizeof *plan->points);
    if (!plan->points)
        return tm_fail_memory(err, "a sweep");
    plan->point_count = spec->config_count;
    for (size_t i = 0; status == TM_OK && i < spec->config_count; i++)
        status = make_point(plan, spec, i, err);
    if (status == TM_OK)
        status = sweep_variant_check(plan, spec, err);
    if (status == TM_OK)
        status = sweep_splits_make(&plan->splits, spec, err);
    if (status == TM_OK)
        status = make_configs(plan, plan->splits.count, err);
    if (status == TM_OK)
        status = sweep_chains_make(plan, spec, err);
    plan->keep = spec->keep;
    if (status == TM_OK)
        status = set_metrics(plan, spec, err);
    if (status == TM_OK)
        status = sweep_plan_table(plan, spec, table, err);
    /* The key needs a pass over the data for their fingerprint, so it is made only when
     * required. */
    if (status == TM_OK && spec->store)
        status = sweep_key_make(plan, spec, *table, err);
    /* The effect of a caller's function on data or scores has no digest. */
    bool shares = spec->store && !plan->hooks;
    return status == TM_OK && shares ? sweep_contents_make(plan, err) : status;
}

void sweep_plan_clear(sweep_plan *plan)
{
    for (size_t i = 0; i < plan->point_count; i++)
        tm_params_free(plan->points[i].params);
    sweep_chains_clear(plan);
    sweep_splits_clear(&plan->splits);
    sweep_contents_clear(&plan->contents);
    free(plan->points);
    free(plan->configs);
    free(plan->scorers);
    free(plan->functions);
    free(plan->description);
    *plan = (sweep_plan){0};
}
