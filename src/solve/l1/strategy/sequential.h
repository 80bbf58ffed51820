/* The earlier answer that sequential rules start from, and what they make of it. */
#ifndef SOLVE_L1_STRATEGY_SEQUENTIAL_H
#define SOLVE_L1_STRATEGY_SEQUENTIAL_H

#include "screen/sequential.h"
#include "solve/l1/core/state.h"

/* The last certified answer; before there is one the null model at lambda_max stands in. */
typedef struct l1_earlier l1_earlier;
void l1_earlier_free(l1_earlier *earlier);

/* After a certificate: keeps the answer in s, whose products with all features are in s->it.xr.
 * NULL: nothing happens. */
void l1_earlier_keep(l1_state *s, l1_earlier *earlier);
/* The answer has been replaced from outside: the null model stands in again. */
void l1_earlier_forget(l1_earlier *earlier);

/* Drops from the active set what `rule` certifies inactive at the present lambda. Costs no pass for
 * most rules and losses, at most two. Stops early when told to. *earlier is made when it is NULL.
 */
tm_status l1_screen_sequential(l1_state *s, l1_earlier **earlier, screen_rule_region *rule,
                               solve_progress *progress, tm_error *err);

#endif
