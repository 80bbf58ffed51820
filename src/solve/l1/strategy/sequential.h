/* The earlier answer that sequential rules start from, and the tests that they derive from it. */
#ifndef SOLVE_L1_STRATEGY_SEQUENTIAL_H
#define SOLVE_L1_STRATEGY_SEQUENTIAL_H

#include "screen/sequential.h"
#include "solve/l1/core/state.h"

/* The last certified answer; before there is one, the null model at lambda_max. */
typedef struct l1_earlier l1_earlier;
void l1_earlier_free(l1_earlier *earlier);

/* After a certificate: stores the answer in s, whose products with all features are in s->it.xr.
 * NULL: does nothing. */
void l1_earlier_keep(l1_state *s, l1_earlier *earlier);
/* The answer was replaced from outside: goes back to the null model. */
void l1_earlier_forget(l1_earlier *earlier);

/* Removes from the active set the features that `rule` certifies inactive at the present lambda.
 * Costs no pass for most rules and losses, at most two. Ends early when the run must stop. *earlier
 * is allocated when it is NULL. */
tm_status l1_screen_sequential(l1_state *s, l1_earlier **earlier, screen_rule_region *rule,
                               solve_progress *progress, tm_error *err);

#endif
