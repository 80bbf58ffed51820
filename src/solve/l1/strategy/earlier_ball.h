/* SAIF's theorem 2 applied to an answer at an earlier lambda, with the segment of (2.4): for
 * weights w0 on features of the sub-problem, a0 their dual variables,
 *
 *     |a0 - lambda theta*|^2 <= 2 L (P(w0) - D(theta)),   theta feasible,
 *
 * with P and D at the present lambda. w0 need not be optimal (docs/screening.md). theta is the best
 * point on the segment between the sub-problem's present one and a feasible multiple of a0. */
#ifndef SOLVE_L1_STRATEGY_EARLIER_BALL_H
#define SOLVE_L1_STRATEGY_EARLIER_BALL_H

#include "solve/l1/core/state.h"

typedef struct earlier_ball {
    bool usable;
    double *a;         /* n: a0 */
    double *products;  /* p: x_j'a0 */
    double *now, *mix; /* n: scratch */
    size_t *support;   /* count: the features with a weight in w0 */
    size_t count;
    double primal;      /* P(w0) */
    double scale, dual; /* scale * a0 is feasible for all features, with this dual value */
    double aa, ay;      /* <a0, a0>, <a0, y> */
} earlier_ball;

/* False when memory ran out. */
bool earlier_ball_new(earlier_ball *q, const l1_state *s);
/* Restores the second vector of the state's balls to the null model's dual variables. */
void earlier_ball_free(earlier_ball *q, l1_state *s);

/* Stores the iterate, whose products with all features are in s->it.xr and whose gap over all of
 * them is `whole`. From here on the second vector of the state's balls is a0. */
void earlier_ball_keep(earlier_ball *q, l1_state *s, const l1_gap *whole);
/* Called after features have left a sub-problem that is not known to have the whole problem's
 * optimum: unless w0 has only features of the sub-problem, the null model replaces it. */
void earlier_ball_check(earlier_ball *q, l1_state *s);

/* The ball around the sub-problem's dual optimum, and the plane spanned by its centre and the
 * residual; g is the sub-problem's gap, `dual` a proven lower bound on its optimum. */
ball earlier_ball_at(const earlier_ball *q, const l1_state *s, const l1_gap *g, double dual,
                     ball_plane *plane);

#endif
