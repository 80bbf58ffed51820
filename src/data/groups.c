#include "data/groups.h"

#include "base/memory.h"
#include "base/numeric/order.h"
#include "base/references.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void groups_parts_clear(groups_parts *parts)
{
    for (size_t g = 0; parts->names && g < parts->count; g++)
        free(parts->names[g]);
    free(parts->names);
    free(parts->starts);
    free(parts->features);
    free(parts->weights);
    *parts = (groups_parts){0};
}

/* ---- checks ---------------------------------------------------------------------------------- */

static tm_status check_group(groups_parts *parts, size_t g, tm_error *err)
{
    size_t from = parts->starts[g], to = parts->starts[g + 1];
    size_t *features = parts->features;
    if (to <= from)
        return tm_fail(err, TM_EDATA, "group %zu is empty", g + 1);
    qsort(features + from, to - from, sizeof *features, order_sizes);
    for (size_t i = from; i < to; i++) {
        if (features[i] >= parts->p)
            return tm_fail(err, TM_EDATA, "group %zu has feature %zu; there are %zu", g + 1,
                           features[i] + 1, parts->p);
        if (i > from && features[i] == features[i - 1])
            return tm_fail(err, TM_EDATA, "group %zu has feature %zu twice", g + 1,
                           features[i] + 1);
    }
    double weight = parts->weights ? parts->weights[g] : NAN;
    if (!isnan(weight) && !(weight > 0 && isfinite(weight)))
        return tm_fail(err, TM_EDATA, "group %zu has weight %g; expected a number above 0", g + 1,
                       weight);
    return TM_OK;
}

static tm_status check_parts(groups_parts *parts, tm_error *err)
{
    if (parts->count == 0 || parts->p == 0)
        return tm_fail(err, TM_EDATA, "there is no group");
    for (size_t g = 0; g < parts->count; g++) {
        tm_status status = check_group(parts, g, err);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

/* ---- structure ------------------------------------------------------------------------------- */

/* Lists the groups of each feature, by counting sort. */
static bool index_features(tm_groups *q)
{
    bool good = false;
    size_t total = q->starts[q->count];
    if (q->p == SIZE_MAX)
        return false;
    q->of_starts = mem_zeros(q->p + 1, sizeof *q->of_starts);
    q->of_groups = mem_array(total, sizeof *q->of_groups);
    size_t *next = mem_array(q->p, sizeof *next);
    if (!q->of_starts || !q->of_groups || !next)
        goto done;
    for (size_t i = 0; i < total; i++)
        q->of_starts[q->features[i] + 1]++;
    q->cover = true;
    for (size_t j = 0; j < q->p; j++) {
        q->overlap = q->overlap || q->of_starts[j + 1] > 1;
        q->cover = q->cover && q->of_starts[j + 1] > 0;
        q->of_starts[j + 1] += q->of_starts[j];
        next[j] = q->of_starts[j];
    }
    for (size_t g = 0; g < q->count; g++)
        for (size_t i = q->starts[g]; i < q->starts[g + 1]; i++)
            q->of_groups[next[q->features[i]]++] = g;
    good = true;
done:
    free(next);
    return good;
}

/* Orders groups by size, smallest first; groups of equal size keep their order. */
static bool order_by_size(const tm_groups *q, size_t *order)
{
    size_t *places = mem_zeros(q->p + 2, sizeof *places);
    if (!places)
        return false;
    for (size_t g = 0; g < q->count; g++)
        places[q->starts[g + 1] - q->starts[g] + 1]++;
    for (size_t size = 1; size <= q->p + 1; size++)
        places[size] += places[size - 1];
    for (size_t g = 0; g < q->count; g++)
        order[places[q->starts[g + 1] - q->starts[g]]++] = g;
    free(places);
    return true;
}

/* Adds groups to the tree, from small to large. `top[j]` is the largest group with feature j so
 * far: group g must contain every such group that it intersects, and becomes its parent. False: the
 * groups are not a tree. */
static bool adopt(tm_groups *q, size_t g, size_t *top, size_t *within)
{
    const size_t *members = q->features + q->starts[g];
    size_t count = q->starts[g + 1] - q->starts[g];
    bool nested = true;
    for (size_t i = 0; i < count; i++)
        if (top[members[i]] != TM_NO_GROUP)
            within[top[members[i]]]++;
    for (size_t i = 0; i < count; i++) {
        size_t child = top[members[i]];
        if (child != TM_NO_GROUP) {
            nested = nested && within[child] == q->starts[child + 1] - q->starts[child];
            q->parents[child] = g;
        }
        top[members[i]] = g;
    }
    return nested;
}

static bool find_parents(tm_groups *q)
{
    size_t *order = mem_array(q->count, sizeof *order), *top = mem_array(q->p, sizeof *top);
    size_t *within = mem_zeros(q->count, sizeof *within);
    q->parents = mem_array(q->count, sizeof *q->parents);
    bool made = order && top && within && q->parents && order_by_size(q, order);
    if (made) {
        for (size_t j = 0; j < q->p; j++)
            top[j] = TM_NO_GROUP;
        for (size_t g = 0; g < q->count; g++)
            q->parents[g] = TM_NO_GROUP;
        bool tree = true;
        for (size_t k = 0; tree && k < q->count; k++)
            tree = adopt(q, order[k], top, within);
        if (!tree) {
            free(q->parents);
            q->parents = NULL;
        }
    }
    free(order);
    free(top);
    free(within);
    return made;
}

/* ---- construction ---------------------------------------------------------------------------- */

tm_status groups_from_parts(tm_groups **out, groups_parts *parts, tm_error *err)
{
    *out = NULL;
    tm_status status = check_parts(parts, err);
    tm_groups *q = status == TM_OK ? calloc(1, sizeof *q) : NULL;
    if (!q) {
        groups_parts_clear(parts);
        return status == TM_OK ? tm_fail_memory(err, "groups") : status;
    }
    atomic_init(&q->references, 1);
    q->p = parts->p;
    q->count = parts->count;
    q->starts = parts->starts;
    q->features = parts->features;
    q->weights = parts->weights;
    q->names = parts->names;
    *parts = (groups_parts){0};
    if (!index_features(q) || !find_parents(q)) {
        tm_groups_unref(q);
        return tm_fail_memory(err, "groups");
    }
    *out = q;
    return TM_OK;
}

tm_status tm_groups_new(tm_groups **out, size_t p, size_t count, const size_t *starts,
                        const size_t *features, const double *weights, tm_error *err)
{
    groups_parts parts = {.p = p, .count = count};
    *out = NULL;
    for (size_t g = 0; g < count; g++)
        if (starts[g + 1] < starts[g] || starts[0] != 0)
            return tm_fail(err, TM_EDATA, "the starts of the groups are not 0 and ascending");
    size_t total = count ? starts[count] : 0;
    parts.starts = mem_array(count + 1, sizeof *starts);
    parts.features = mem_array(total, sizeof *features);
    parts.weights = weights ? mem_array(count, sizeof *weights) : NULL;
    if (!parts.starts || !parts.features || (weights && !parts.weights)) {
        groups_parts_clear(&parts);
        return tm_fail_memory(err, "groups");
    }
    if (count)
        memcpy(parts.starts, starts, (count + 1) * sizeof *starts);
    if (total)
        memcpy(parts.features, features, total * sizeof *features);
    if (weights)
        memcpy(parts.weights, weights, count * sizeof *weights);
    return groups_from_parts(out, &parts, err);
}

tm_status tm_groups_consecutive(tm_groups **out, size_t p, size_t size, tm_error *err)
{
    *out = NULL;
    if (size == 0)
        return tm_fail(err, TM_EUSAGE, "groups of 0 features; expected at least 1");
    groups_parts parts = {.p = p, .count = p / size + (p % size != 0)};
    parts.starts = mem_array(parts.count + 1, sizeof *parts.starts);
    parts.features = mem_array(p, sizeof *parts.features);
    if (!parts.starts || !parts.features) {
        groups_parts_clear(&parts);
        return tm_fail_memory(err, "groups");
    }
    for (size_t g = 0; g < parts.count; g++)
        parts.starts[g] = g * size;
    parts.starts[parts.count] = p;
    for (size_t j = 0; j < p; j++)
        parts.features[j] = j;
    return groups_from_parts(out, &parts, err);
}

tm_groups *tm_groups_ref(const tm_groups *groups)
{
    return reference_take(groups, &groups->references);
}

void tm_groups_unref(tm_groups *groups)
{
    if (!groups || !reference_drop(&groups->references))
        return;
    for (size_t g = 0; groups->names && g < groups->count; g++)
        free(groups->names[g]);
    free(groups->names);
    free(groups->starts);
    free(groups->features);
    free(groups->weights);
    free(groups->of_starts);
    free(groups->of_groups);
    free(groups->parents);
    free(groups);
}

/* ---- queries --------------------------------------------------------------------------------- */

size_t tm_groups_features(const tm_groups *groups)
{
    return groups->p;
}

size_t tm_groups_count(const tm_groups *groups)
{
    return groups->count;
}

const size_t *tm_groups_members(const tm_groups *groups, size_t g, size_t *count)
{
    *count = groups->starts[g + 1] - groups->starts[g];
    return groups->features + groups->starts[g];
}

const size_t *tm_groups_of(const tm_groups *groups, size_t j, size_t *count)
{
    *count = groups->of_starts[j + 1] - groups->of_starts[j];
    return groups->of_groups + groups->of_starts[j];
}

double tm_groups_weight(const tm_groups *groups, size_t g, double fallback)
{
    return groups->weights && !isnan(groups->weights[g]) ? groups->weights[g] : fallback;
}

const char *tm_groups_name(const tm_groups *groups, size_t g)
{
    return groups->names ? groups->names[g] : NULL;
}

bool tm_groups_overlap(const tm_groups *groups)
{
    return groups->overlap;
}

bool tm_groups_is_tree(const tm_groups *groups)
{
    return groups->parents != NULL;
}

bool tm_groups_cover(const tm_groups *groups)
{
    return groups->cover;
}

size_t tm_groups_parent(const tm_groups *groups, size_t g)
{
    return groups->parents ? groups->parents[g] : TM_NO_GROUP;
}
