#include "solve/common/working_set.h"

#include <math.h>

/* The strong rule counts where its threshold is above this share of lambda. */
static const double NEAR = 0.5;
/* A set that was solved to the end is next solved to this share of it, and no further than to this
 * share of the target. */
static const double TIGHTEN = 0.01, LEAST_SHARE = 1e-7;

bool strong_rule_applies(double lambda, double last_lambda)
{
    return strong_threshold(lambda, last_lambda) > NEAR * lambda;
}

double set_goal_next(set_goal *goal, double target, double floor)
{
    goal->to_end = floor <= goal->share * target;
    return fmax(goal->share * target, floor);
}

void set_goal_tighten(set_goal *goal)
{
    if (goal->to_end)
        goal->share *= TIGHTEN;
}

bool set_goal_exhausted(const set_goal *goal)
{
    return goal->share < LEAST_SHARE;
}
