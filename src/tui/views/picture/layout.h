/* The structure of a run's features (graph or groups), and their layout. */
#ifndef TUI_VIEWS_PICTURE_LAYOUT_H
#define TUI_VIEWS_PICTURE_LAYOUT_H

#include "tamis/graph.h"
#include "tamis/groups.h"
#include "tamis/job.h"

/* A bar for each feature in the order of the data, levels along a line, bars group by group, or an
 * image. */
typedef enum layout_kind { LAYOUT_BARS, LAYOUT_CHAIN, LAYOUT_GROUPS, LAYOUT_GRID } layout_kind;

typedef struct layout {
    tm_graph *graph;        /* or NULL */
    tm_groups *groups;      /* or NULL */
    size_t *order, *places; /* for LAYOUT_GROUPS: features by place, places by feature; p of each */
    layout_kind kind;
    size_t p;
} layout;

/* Makes the layout for `shape`, a graph as tm_graph_parse takes it ("grid:28x28", "chain"), or, if
 * that is NULL, for the run's own graph or groups. A shape that does not match the data is an
 * error. */
tm_status layout_make(layout *out, const tm_job *job, const char *shape, tm_error *err);
void layout_clear(layout *l);

/* The dimensions of a grid. */
const size_t *layout_sizes(const layout *l);
/* The place of a feature's bar, and the inverse. */
size_t layout_place(const layout *l, size_t feature);
size_t layout_feature(const layout *l, size_t place);
/* The group that gives a feature its colour; TM_NO_GROUP: none. */
size_t layout_group(const layout *l, size_t feature);

#endif
