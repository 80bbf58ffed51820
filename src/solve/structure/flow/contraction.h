/* A graph whose nodes are grouped: flows are sought between groups, in the graph in which each is
 * one node, and then within them along a tree of each, where almost any flow fits when the groups
 * are those that screening proves. */
#ifndef SOLVE_STRUCTURE_FLOW_CONTRACTION_H
#define SOLVE_STRUCTURE_FLOW_CONTRACTION_H

#include "solve/common/progress.h"
#include "solve/structure/flow/partition.h"

typedef struct contraction contraction;

/* group (nodes): less than `groups`, or UINT32_MAX for the group of the node of weight 0; each is
 * connected. The partition's edges must outlive it, `group` is copied. */
tm_status contraction_new(contraction **out, const partition *of, const uint32_t *group,
                          size_t groups, tm_error *err);
void contraction_free(contraction *c);
void contraction_watch(contraction *c, solve_progress *progress);
size_t contraction_groups(const contraction *c);
const uint32_t *contraction_group(const contraction *c);

/* As max_flow_route on the whole graph, along the edges between groups; what remains of supplies
 * and demands at the nodes of a group is for contraction_complete. The cut, which is `source`
 * (nodes), splits no group. */
void contraction_route(contraction *c, const double *capacity, double *flow, double *rest,
                       double small, unsigned char *source);
/* Balances the nodes of each group along its tree. False, with all as it was, when that takes more
 * than the capacity of an edge. */
bool contraction_complete(contraction *c, const double *capacity, double *flow, double *rest,
                          double small);

#endif
