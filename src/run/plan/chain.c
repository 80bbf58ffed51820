/* Which configurations are solved one after the other, each from the answer before it. */
#include "run/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct member {
    size_t config;
    size_t key;   /* equal for the points of one chain */
    double value; /* value on the chain's axis, with the sign that makes chains ascend */
} member;

static bool number_of(const tm_params *params, const char *name, double *out)
{
    const tm_param_info *info = tm_params_find(params, name, NULL);
    size_t count = 0;
    const double *reals;
    if (!info || !tm_params_has(params, name))
        return false;
    switch (info->type) {
    case TM_PARAM_REAL:
        *out = tm_params_real(params, name);
        return true;
    case TM_PARAM_INT:
        *out = (double)tm_params_int(params, name);
        return true;
    case TM_PARAM_REALS:
        reals = tm_params_reals(params, name, &count);
        *out = count == 1 ? reals[0] : NAN;
        return count == 1;
    default:
        return false;
    }
}

/* The place of the axis in the method's table, from 1; 0 if no chain runs along it. */
static size_t path_place(const tm_method *method, const char *name)
{
    size_t count;
    const tm_param_info *table = tm_method_params(method, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].flags & (TM_PARAM_PATH | TM_PARAM_WARM) ? i + 1 : 0;
    return 0;
}

bool sweep_chain_along(const char *method, const char *axis)
{
    const tm_method *known = method ? tm_method_find(method, NULL) : NULL;
    return known && path_place(known, axis) > 0;
}

/* Whether a point of the method has a value on the axis. */
static bool has_values(const sweep_plan *plan, const tm_sweep_spec *spec, const tm_method *method,
                       size_t axis)
{
    for (size_t i = 0; i < plan->point_count; i++)
        if (plan->points[i].method == method && spec->values[i * spec->axis_count + axis])
            return true;
    return false;
}

/* The axis along which a method's chains run: of its path parameters the last one in its table, as
 * that is the innermost of a path. axis_count if there is none. */
static size_t find_axis(const sweep_plan *plan, const tm_sweep_spec *spec, const tm_method *method)
{
    size_t found = spec->axis_count, last = 0;
    for (size_t a = 0; spec->warm && a < spec->axis_count; a++) {
        size_t place = path_place(method, spec->axes[a]);
        if (place <= last || !has_values(plan, spec, method, a))
            continue;
        found = a;
        last = place;
    }
    return found;
}

/* Sets axes[i] to the chain axis of point i. */
static void find_axes(const sweep_plan *plan, const tm_sweep_spec *spec, size_t *axes)
{
    for (size_t i = 0; i < plan->point_count; i++) {
        const tm_method *method = plan->points[i].method;
        size_t before = i;
        while (before > 0 && plan->points[before - 1].method != method)
            before--;
        axes[i] = before > 0 ? axes[before - 1] : find_axis(plan, spec, method);
    }
}

bool sweep_chains_differ(const sweep_plan *plan)
{
    const char *first = NULL;
    for (size_t i = 0; i < plan->chain_count; i++) {
        const char *axis = plan->chains[i].axis;
        if (first && axis && strcmp(first, axis) != 0)
            return true;
        first = axis ? axis : first;
    }
    return false;
}

static bool same_value(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two points agree on all axes except `free`. */
static bool same_but(const tm_sweep_spec *spec, size_t a, size_t b, size_t free)
{
    for (size_t k = 0; k < spec->axis_count; k++)
        if (k != free && !same_value(spec->values[a * spec->axis_count + k],
                                     spec->values[b * spec->axis_count + k]))
            return false;
    return true;
}

/* FNV-1a over all values except those of the free axis, so that equal points are found quickly. */
static uint64_t hash_but(const tm_sweep_spec *spec, size_t point, size_t free)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t k = 0; k < spec->axis_count; k++) {
        const char *c = k == free ? NULL : spec->values[point * spec->axis_count + k];
        for (; c && *c; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211U;
        hash = (hash ^ 0xff) * 1099511628211U;
    }
    return hash;
}

/* Sets the key of each point that can be in a chain to the first point with which it agrees.
 * `slots` is a hash table of point numbers plus one, with twice as many entries as points. */
static void set_keys(const sweep_plan *plan, const tm_sweep_spec *spec, const size_t *axes,
                     size_t *keys, size_t *slots)
{
    size_t capacity = 2 * plan->point_count;
    for (size_t i = 0; i < plan->point_count; i++) {
        double value;
        size_t axis = axes[i];
        keys[i] = i;
        if (axis == spec->axis_count || !spec->values[i * spec->axis_count + axis] ||
            !number_of(plan->points[i].params, spec->axes[axis], &value) ||
            plan->points[i].steps > 1)
            continue;
        size_t at = hash_but(spec, i, axis) % capacity;
        while (slots[at] && !same_but(spec, slots[at] - 1, i, axis))
            at = (at + 1) % capacity;
        if (!slots[at])
            slots[at] = i + 1;
        keys[i] = slots[at] - 1;
    }
}

static int compare_members(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->config < y->config ? -1 : x->config > y->config;
}

static bool descends(const tm_params *params, const char *axis)
{
    return tm_params_find(params, axis, NULL)->flags & TM_PARAM_DOWN;
}

static void sort_members(const sweep_plan *plan, const tm_sweep_spec *spec, const size_t *axes,
                         const size_t *keys, member *members)
{
    for (size_t c = 0; c < plan->config_count; c++) {
        size_t point = plan->configs[c].point;
        const tm_params *params = plan->points[point].params;
        const char *axis = axes[point] < spec->axis_count ? spec->axes[axes[point]] : NULL;
        members[c] = (member){c, keys[point], 0};
        if (axis && number_of(params, axis, &members[c].value) && descends(params, axis))
            members[c].value = -members[c].value;
    }
    qsort(members, plan->config_count, sizeof *members, compare_members);
}

static sweep_chain_kind kind_of(const sweep_plan *plan, const sweep_chain *chain)
{
    const tm_params *params = plan->points[plan->configs[chain->configs[0]].point].params;
    const tm_param_info *info = tm_params_find(params, chain->axis, NULL);
    if (strcmp(chain->axis, "lambda_ratio") == 0 && info->type == TM_PARAM_REAL)
        return SWEEP_RATIO;
    return info->flags & TM_PARAM_PATH ? SWEEP_PATH : SWEEP_STEPS;
}

/* The axis's name in the method's table, which outlives the description. */
static const char *name_of(const sweep_plan *plan, const sweep_chain *chain, const char *axis)
{
    const tm_params *params = plan->points[plan->configs[chain->configs[0]].point].params;
    return tm_params_find(params, axis, NULL)->name;
}

static tm_status cut(sweep_plan *plan, const tm_sweep_spec *spec, const size_t *axes,
                     const member *members, tm_error *err)
{
    plan->chains = mem_zeros(plan->config_count, sizeof *plan->chains);
    size_t *order = mem_array(plan->config_count, sizeof *order);
    if (!plan->chains || !order) {
        free(order);
        return tm_fail_memory(err, "a sweep");
    }
    for (size_t i = 0; i < plan->config_count; i++) {
        order[i] = members[i].config;
        if (i == 0 || members[i].key != members[i - 1].key)
            plan->chains[plan->chain_count++].configs = &order[i];
        sweep_chain *chain = &plan->chains[plan->chain_count - 1];
        chain->count++;
        size_t first = plan->configs[chain->configs[0]].point;
        if (first != plan->configs[order[i]].point) {
            chain->axis = name_of(plan, chain, spec->axes[axes[first]]);
            chain->kind = kind_of(plan, chain);
        }
    }
    return TM_OK;
}

tm_status sweep_chains_make(sweep_plan *plan, const tm_sweep_spec *spec, tm_error *err)
{
    size_t *axes = mem_array(plan->point_count, sizeof *axes);
    size_t *keys = mem_array(plan->point_count, sizeof *keys);
    size_t *slots = mem_zeros(2 * plan->point_count, sizeof *slots);
    member *members = mem_array(plan->config_count, sizeof *members);
    tm_status status = axes && keys && slots && members ? TM_OK : tm_fail_memory(err, "a sweep");
    if (status == TM_OK) {
        find_axes(plan, spec, axes);
        set_keys(plan, spec, axes, keys, slots);
        sort_members(plan, spec, axes, keys, members);
        status = cut(plan, spec, axes, members, err);
    }
    free(axes);
    free(keys);
    free(slots);
    free(members);
    return status;
}

void sweep_chains_clear(sweep_plan *plan)
{
    if (plan->chain_count > 0)
        free(plan->chains[0].configs); /* one block for all chains */
    free(plan->chains);
    plan->chains = NULL;
    plan->chain_count = 0;
}
