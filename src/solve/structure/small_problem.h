/* The internals of cut pursuit: its state, and the small problem over the components, which is
 * solved in dense form. */
#ifndef SOLVE_STRUCTURE_SMALL_PROBLEM_H
#define SOLVE_STRUCTURE_SMALL_PROBLEM_H

#include "model/certificate/graph.h"
#include "solve/common/progress.h"
#include "solve/structure/flow/contraction.h"
#include "solve/structure/flow/max_flow.h"
#include "solve/structure/flow/partition.h"
#include "solve/structure/term_log.h"

typedef struct cut_pursuit cut_pursuit;
typedef struct structure_end structure_end;

struct cut_pursuit {
    const tm_dataset *data;
    graph_terms terms;
    graph_certifier *certifier; /* not its own */
    partition parts;
    max_flow *router;
    contraction *groups;     /* NULL: flows are sought between all nodes */
    double *w, b;            /* the answer */
    double share;            /* fraction of the target to which small problems are solved */
    double gap;              /* of the last round */
    size_t features;         /* of the problem in which this one has its p, for events */
    double *levels;          /* nodes: level of each component */
    double *multipliers;     /* edges: multiplier of each pair, |u| <= lambda times the pair's
                              * weight */
    double *flow, *capacity; /* edges */
    double *rest;            /* nodes */
    double *v;               /* terms: the flows as multiples of the weights */
    unsigned char *source;   /* nodes: the side of the cut */
    bool *merged;            /* edges: pairs whose levels are equal */
    term_log *log;           /* NULL: none; not its own */
};

/* Computes the level of each component from the weights of its features. */
void cut_pursuit_take_levels(cut_pursuit *c, const double *w);
/* Sets the partition to the connected features of equal weight. */
void cut_pursuit_join(cut_pursuit *c);
/* Seeks flows between groups of features that are proven equal, and joins the components that share
 * one; group: nodes, UINT32_MAX for those proven 0; NULL: no groups. */
tm_status cut_pursuit_group(cut_pursuit *c, const uint32_t *group, size_t groups,
                            solve_progress *progress, tm_error *err);
/* Sets the weights, and the partition to the connected features of equal label (nodes). */
void cut_pursuit_inherit(cut_pursuit *c, const double *w, double b, const uint32_t *label);
/* The second half of a round, at weights from elsewhere: the certificate, with the present flows if
 * they will do, otherwise with flows that are sought between nodes of the same label (nodes) first;
 * and splits. */
void cut_pursuit_check(cut_pursuit *c, double lambda, double target, const uint32_t *label,
                       solve_progress *progress, structure_end *end);
/* Solves the problem over the components to `target`, merges those with equal levels, and sets
 * levels, weights, multipliers and flows. */
tm_status small_problem_solve(cut_pursuit *c, double lambda, double target,
                              solve_progress *progress, tm_error *err);

#endif
