/* Shared by working sets of features and of groups: the initial set at a lambda, and how accurately
 * the set is solved before the other features are checked again. */
#ifndef SOLVE_COMMON_WORKING_SET_H
#define SOLVE_COMMON_WORKING_SET_H

#include <stdbool.h>

/* The sequential strong rule predicts a nonzero weight at lambda when the product with the dual
 * variables of the answer at the last lambda, divided by the feature's factor, is at least this
 * value. */
static inline double strong_threshold(double lambda, double last_lambda)
{
    return 2 * lambda - last_lambda;
}

/* Whether the last lambda is near enough: for a distant one the rule would select nearly every
 * feature. False when there is none (NAN). */
bool strong_rule_applies(double lambda, double last_lambda);

/* How accurately a working set is solved. */
typedef struct set_goal {
    double whole_gap; /* at the last certificate of this lambda; a guess before the first */
    double share;     /* fraction of the target to which the set is solved */
    bool to_end;      /* whether the last solve reached that fraction */
} set_goal;

/* The gap to solve the set to: `share` of the target, but at least `floor`, since more digits would
 * be lost to the features still missing from the set. */
double set_goal_next(set_goal *goal, double target, double floor);
/* Called when no feature was found missing but the target is not met: the set was not solved
 * accurately enough. */
void set_goal_tighten(set_goal *goal);
/* Whether rounding prevents a more accurate solution on the set. */
bool set_goal_exhausted(const set_goal *goal);

#endif
