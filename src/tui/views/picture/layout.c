#include "tui/views/picture/layout.h"

#include <stdlib.h>
#include <string.h>

/* The value of a parameter that was set for the run, or NULL. */
static const char *given(const tm_job *job, const char *name)
{
    const tm_params *params = tm_job_params(job);
    return tm_params_find(params, name, NULL) && tm_params_has(params, name)
               ? tm_params_text(params, name)
               : NULL;
}

const size_t *layout_sizes(const layout *l)
{
    return tm_graph_sizes(l->graph);
}

static bool is_chain(const tm_graph *graph)
{
    size_t p = tm_graph_features(graph);
    bool chain = tm_graph_is_edges(graph) && tm_graph_terms(graph) + 1 == p && p > 1;
    for (size_t k = 0; k < tm_graph_terms(graph) && chain; k++) {
        size_t count;
        const double *values;
        const uint32_t *at = tm_graph_term(graph, k, &values, &count);
        uint32_t low = at[0] < at[1] ? at[0] : at[1], high = at[0] < at[1] ? at[1] : at[0];
        chain = high == low + 1;
    }
    return chain;
}

static layout_kind kind_of(const tm_graph *graph)
{
    const size_t *sizes = tm_graph_sizes(graph);
    if (sizes[0] > 1 && (sizes[1] > 1 || sizes[2] > 1))
        return LAYOUT_GRID;
    return tm_graph_order(graph) > 0 || is_chain(graph) ? LAYOUT_CHAIN : LAYOUT_BARS;
}

size_t layout_group(const layout *l, size_t feature)
{
    size_t count;
    const size_t *of = tm_groups_of(l->groups, feature, &count);
    return count > 0 ? of[0] : TM_NO_GROUP;
}

/* Orders features group by group; those in no group come last. */
static tm_status order_groups(layout *l, tm_error *err)
{
    l->order = malloc((l->p + 1) * sizeof *l->order);
    l->places = malloc((l->p + 1) * sizeof *l->places);
    if (!l->order || !l->places)
        return tm_fail_memory(err, "the order of the groups");
    size_t used = 0;
    for (size_t g = 0; g < tm_groups_count(l->groups); g++) {
        size_t count;
        const size_t *members = tm_groups_members(l->groups, g, &count);
        for (size_t i = 0; i < count; i++)
            if (layout_group(l, members[i]) == g)
                l->order[used++] = members[i];
    }
    for (size_t j = 0; j < l->p; j++)
        if (layout_group(l, j) == TM_NO_GROUP)
            l->order[used++] = j;
    for (size_t i = 0; i < l->p; i++)
        l->places[l->order[i]] = i;
    return TM_OK;
}

tm_status layout_make(layout *out, const tm_job *job, const char *shape, tm_error *err)
{
    const tm_dataset *data = tm_job_train(job);
    const char *graph = shape ? shape : given(job, "graph");
    const char *groups = shape ? NULL : given(job, "groups");
    tm_status status = TM_OK;
    layout_clear(out);
    out->p = tm_dataset_cols(data);
    if (graph) {
        status = tm_graph_parse(&out->graph, graph, data, err);
        out->kind = status == TM_OK ? kind_of(out->graph) : LAYOUT_BARS;
    } else if (groups && *groups) {
        status = tm_groups_parse(&out->groups, groups, data, err);
        if (status == TM_OK)
            status = order_groups(out, err);
        out->kind = status == TM_OK ? LAYOUT_GROUPS : LAYOUT_BARS;
    }
    if (status != TM_OK)
        layout_clear(out);
    out->p = tm_dataset_cols(data);
    return status;
}

void layout_clear(layout *l)
{
    tm_graph_unref(l->graph);
    tm_groups_unref(l->groups);
    free(l->order);
    free(l->places);
    *l = (layout){.kind = LAYOUT_BARS};
}

size_t layout_place(const layout *l, size_t feature)
{
    return l->places ? l->places[feature] : feature;
}

size_t layout_feature(const layout *l, size_t place)
{
    return l->order ? l->order[place] : place;
}
