/* `blitz` (Johnson and Guestrin 2015; SAIF's reference [49]): the feasible dual point moves towards
 * the working set's dual optimum as far as it stays feasible, and the features of the nearest
 * constraints form the next working set. */
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/epochs.h"
#include "solve/l1/strategy/working_set.h"

#include <math.h>
#include <string.h>

/* The greatest fraction in [0, 1] of the way from `from` to `to` for which feature j's product
 * satisfies its constraint. Unpenalised features need no check, since they are in every working set
 * and its dual points satisfy their constraints. A point at its constraint may exceed it by the
 * rounding error of its scale: without that slack the fraction would be 0 for all. */
static double share_within(const l1_state *s, size_t j, double from, double to)
{
    double limit = s->penalty.lambda * l1_factor(s, j), edge = copysign(limit, to);
    if (l1_factor(s, j) == 0 || l1_correlation_of(s, j, to) <= limit * (1 + FEASIBLE))
        return 1;
    return fmax((edge - from) / (to - from), 0);
}

static void advance(l1_working *q)
{
    l1_state *s = q->s;
    double scale, share = 1;
    l1_dual_at(s, q->fresh, l1_greatest_active(s), &scale); /* feasible for the working set */
    for (size_t j = 0; j < s->problem.p; j++)
        if (!q->gone[j])
            share = fmin(share, share_within(s, j, q->products[j], scale * s->it.xr[j]));
    for (size_t i = 0; i < s->problem.n; i++)
        q->fresh[i] = q->dual[i] + share * (scale * q->fresh[i] - q->dual[i]);
    double value = l1_dual_value(s, q->fresh);
    if (value <= q->value)
        return;
    q->value = value;
    memcpy(q->dual, q->fresh, s->problem.n * sizeof *q->dual);
    for (size_t j = 0; j < s->problem.p; j++)
        if (!q->gone[j])
            q->products[j] += share * (scale * s->it.xr[j] - q->products[j]);
}

static bool solve(l1_working *q, double goal, void *payload)
{
    l1_end end;
    (void)payload;
    l1_epochs epochs = {.target = goal, .whole_dual = &q->value};
    l1_minimise(q->s, q->progress, &epochs, &end);
    l1_working_dual(q->s, q->fresh);
    return end.stalled;
}

static tm_status solve_blitz(l1_state *s, solve_progress *progress, double target, int round,
                             l1_end *end, tm_error *err)
{
    static const l1_working_ops ops = {advance, solve, NULL};
    return l1_solve_working(s, progress, target, round, &ops, end, err);
}

const l1_strategy l1_strategy_blitz = {.solve = solve_blitz};
