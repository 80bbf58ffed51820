/* What working sets of features and of groups have in common: what they begin with at a lambda, and
 * how far they are solved before the other features are visited again. */
#ifndef SOLVE_COMMON_WORKING_SET_H
#define SOLVE_COMMON_WORKING_SET_H

#include <stdbool.h>

/* The sequential strong rule expects a weight at lambda where the product with the dual variables
 * of the answer at the last lambda, divided by the feature's factor, is at least this much. */
static inline double strong_threshold(double lambda, double last_lambda)
{
    return 2 * lambda - last_lambda;
}

/* Whether the last lambda is near enough: further away the rule expects nearly everything. False
 * when there is none (NAN). */
bool strong_rule_applies(double lambda, double last_lambda);

/* How far a working set is solved. */
typedef struct set_goal {
    double whole_gap; /* at the last certificate of this lambda; before the first a guess */
    double share;     /* of the target to which the set is solved */
    bool to_end;      /* whether the last solve went as far as that share */
} set_goal;

/* The gap to solve the set to: `share` of the target, but no less than `floor`, below which what
 * the set still lacks would undo the digits. */
double set_goal_next(set_goal *goal, double target, double floor);
/* When nothing was found missing but the target is not met: the set was not solved well enough. */
void set_goal_tighten(set_goal *goal);
/* Whether rounding keeps the set from being solved any better. */
bool set_goal_exhausted(const set_goal *goal);

#endif
