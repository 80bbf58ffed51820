/* Constants of maximum flows, which affect how fast they are found. scripts/bench tuning measures
 * the effect of halving and doubling each (docs/benchmarks.md). */
#ifndef SOLVE_STRUCTURE_FLOW_TUNING_H
#define SOLVE_STRUCTURE_FLOW_TUNING_H

/* Labels of all nodes are recomputed after this many times the number of nodes in units of arcs
 * looked at. Less: searches that find little new; more: supplies on detours, or on the way to
 * demands that they cannot reach. */
enum { RELABEL_AFTER = 3 };
/* Least share of an edge's capacity that is left in either direction where trees use it. */
static const double TREE_SLACK = 0.05;
/* Amounts of flow below this fraction of the greatest supply or capacity are rounding errors. */
static const double SMALL_FLOW = 1e-14;

#endif
