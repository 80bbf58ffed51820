/* Newton steps for several lambdas of a path at once, for losses that are not quadratic on tall
 * dense data: each pass over the rows evaluates all of them and samples the Hessian of their common
 * model (docs/screening.md, section 17). Nothing here needs to be exact: answers count once their
 * gaps are certified. */
#ifndef SOLVE_L1_TALL_TOGETHER_H
#define SOLVE_L1_TALL_TOGETHER_H

#include "data/tiles/tiles.h"
#include "solve/l1/core/state.h"

typedef struct l1_together l1_together;

/* Whether this is expected to cost less than one lambda after the other. */
bool l1_together_pays(const l1_together *q, const l1_state *s);
/* The answers made, from the first lambda on. */
typedef struct l1_together_answers {
    double *w[TILE_VECTORS]; /* p each */
    double b[TILE_VECTORS];
    long epochs[TILE_VECTORS];
    size_t made;
} l1_together_answers;
/* Solves at `count` descending lambdas, or the first TILE_VECTORS of them, to about `target`,
 * starting from the last answer. The last answer made is the state's, which is marked stale. *q is
 * made when it is NULL. TM_ENOMEM. */
tm_status l1_together_solve(l1_together **q, l1_state *s, const double *lambdas, size_t count,
                            double target, solve_progress *progress, tm_error *err);
/* Solves at the state's lambda alone, with the Hessian of all rows. */
tm_status l1_together_one(l1_together **q, l1_state *s, double target, solve_progress *progress,
                          tm_error *err);
const l1_together_answers *l1_together_made(const l1_together *q);
void l1_together_free(l1_together *q);

#endif
