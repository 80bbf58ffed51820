/* Working sets by distance to the constraints, with a dual point feasible for the whole problem:
 * shared by `blitz` and `ws`.
 *
 * Repeats: a pass computes the products of all remaining features with new dual variables; from
 * them a dual point feasible for the whole problem is constructed, which gives the whole gap; the
 * gap's ball discards features for good; the features nearest to their constraint, by (f_j -
 * |x_j'theta|) / |x_j|, form the next working set together with the support; the problem on it is
 * solved to a fraction of the gap. */
#ifndef SOLVE_L1_STRATEGY_WORKING_SET_H
#define SOLVE_L1_STRATEGY_WORKING_SET_H

#include "solve/l1/strategy/strategy.h"

typedef struct l1_working {
    l1_state *s;
    solve_progress *progress;
    double target;
    double *dual;     /* n: feasible dual variables a = lambda theta of the whole problem */
    double *products; /* p: x_j'a of the features that are not gone */
    double value;     /* D(a) */
    double gap;       /* of the whole problem */
    bool *gone;       /* p: certified inactive */
    bool *skip, *was; /* p: scratch */
    double *near;     /* p: scratch */
    size_t remaining; /* features that are not gone */
    size_t size;      /* size of the working set besides the support */
    int idle;         /* consecutive rounds that have not lowered the gap */
    double *fresh;    /* n: the dual variables used in the pass */
    size_t *chosen;   /* p */
} l1_working;

/* What each strategy defines. */
typedef struct l1_working_ops {
    /* Given the products s->it.xr of `fresh` with all remaining features: updates dual, products
     * and value. */
    void (*advance)(l1_working *q);
    /* Solves the problem on the active set to a gap of at most `goal`; stores in `fresh` the dual
     * variables for the next pass over the features. True when rounding ended it. */
    bool (*solve)(l1_working *q, double goal, void *payload);
    void *payload;
} l1_working_ops;

tm_status l1_solve_working(l1_state *s, solve_progress *progress, double target, int round,
                           const l1_working_ops *ops, l1_end *end, tm_error *err);

/* Computes the dual variables of the iterate, r + shift, into out. */
void l1_working_dual(const l1_state *s, double *out);

#endif
