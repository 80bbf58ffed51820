#include "solve/common/working_set.h"
#include "solve/common/tuning.h"

#include <math.h>

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
