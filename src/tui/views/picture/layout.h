/* What ties the features of a run together, and how they are laid out. */
#ifndef TUI_VIEWS_PICTURE_LAYOUT_H
#define TUI_VIEWS_PICTURE_LAYOUT_H

#include "tamis/graph.h"
#include "tamis/groups.h"
#include "tamis/job.h"

/* A bar for each feature in the order of the data, levels along a line, bars group by group, or a
 * picture. */
typedef enum layout_kind { LAYOUT_BARS, LAYOUT_CHAIN, LAYOUT_GROUPS, LAYOUT_GRID } layout_kind;

typedef struct layout {
    tm_graph *graph;        /* or NULL */
    tm_groups *groups;      /* or NULL */
    size_t *order, *places; /* of LAYOUT_GROUPS: features by place, places by feature; p of each */
    layout_kind kind;
    size_t p;
} layout;

/* By `shape`, a graph as tm_graph_parse has it ("grid:28x28", "chain"), or where that is NULL by
 * the run's own graph or groups. A shape that does not fit the data is an error. */
tm_status layout_make(layout *out, const tm_job *job, const char *shape, tm_error *err);
void layout_clear(layout *l);

/* Sizes of a grid. */
const size_t *layout_sizes(const layout *l);
/* Where a feature's bar stands, and the other way round. */
size_t layout_place(const layout *l, size_t feature);
size_t layout_feature(const layout *l, size_t place);
/* The group whose colour a feature has; TM_NO_GROUP: it is in none. */
size_t layout_group(const layout *l, size_t feature);

#endif
