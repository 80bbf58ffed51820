/* The internals of the group penalty: values, proximal steps and dual norms, block by block. */
#ifndef MODEL_PENALTY_GROUP_PENALTY_H
#define MODEL_PENALTY_GROUP_PENALTY_H

#include "tamis/certificate.h"

/* A group within a block: members from .. to-1, and its factor f_g. */
typedef struct group_node {
    size_t from, to;
    double factor;
} group_node;

struct tm_group_penalty {
    size_t p, blocks, members;
    size_t *starts;      /* blocks + 1: block b holds members starts[b] .. starts[b+1]-1 */
    size_t *features;    /* members */
    size_t *node_starts; /* blocks + 1: nodes of each block, inner groups before outer ones, the
                          * block itself last */
    group_node *nodes;
};

/* Below, v and c point to the values of block b only: starts[b+1] - starts[b] of them. */

/* Omega of the block. */
double group_value(const tm_group_penalty *q, size_t b, const double *v);
/* v becomes argmin_u 1/2 |u - v|^2 + t Omega(u): inner groups are shrunk first (Jenatton et al.
 * 2011). */
void group_prox(const tm_group_penalty *q, size_t b, double t, double *v);
/* The distance of c from t times the dual ball, as a ratio: |prox of the inner groups at t| / (t f)
 * of the outer one, at most 1 inside. `room` is scratch for the values of the block. */
double group_excess(const tm_group_penalty *q, size_t b, double t, const double *c, double *room);
/* The same for c anywhere within `radius` of the given point: below 1 the block is zero at the
 * optimum when t is lambda (the proximal step is nonexpansive). */
double group_excess_within(const tm_group_penalty *q, size_t b, double t, const double *c,
                           double radius, double *room);
/* The least t, rounded up, for which c is within t times the dual ball: max over v of c'v /
 * Omega(v). Returns `known` when it is at most that. */
double group_dual_norm(const tm_group_penalty *q, size_t b, const double *c, double known,
                       double *room);
/* The number of values of the largest block. */
size_t group_most(const tm_group_penalty *q);

/* For all blocks of a problem with groups whose features have factors f_j: sum_g f_g |(f_j v_j) for
 * the members of g|_2, and the least t for which products / t (p values) is a feasible dual point.
 * TM_ENOMEM. */
tm_status group_penalty_at(double *value, const tm_problem *problem, const double *v,
                           tm_error *err);
tm_status group_penalty_dual(double *norm, const tm_problem *problem, const double *products,
                             tm_error *err);

#endif
