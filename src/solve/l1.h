/* The l1 methods' common operations (see method_ops) and strategies. */
#ifndef SOLVE_L1_H
#define SOLVE_L1_H

#include "solve/l1_state.h"
#include "solve/method.h"

tm_status l1_init(void **work, const tm_dataset *data, const tm_params *params, const char *loss_id,
                  solve_progress *progress, tm_error *err);
tm_status l1_update(void *work, const tm_params *params, tm_error *err);
void l1_warm(void *work, const tm_model *model);
void l1_begin(void *work);
tm_status l1_solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                   tm_error *err);
void l1_certified(void *work, const double *products, double gap);
bool l1_foresees(const void *work);
double l1_lambda_max(const void *work);
double l1_null_objective(const void *work);
void l1_finish(void *work);

/* Everything of a method's operations but init. */
#define L1_OPS                                                                                     \
    .update = l1_update, .warm = l1_warm, .begin = l1_begin, .solve = l1_solve,                    \
    .certified = l1_certified, .foresees = l1_foresees, .lambda_max = l1_lambda_max,               \
    .null_objective = l1_null_objective, .finish = l1_finish

/* How a strategy ended. */
typedef struct l1_end {
    bool converged, stalled;
} l1_end;

/* `none` and `gap`: epochs over all features that are not certified inactive, with a duality gap
 * every check_every epochs; `gap` then tests every feature against the gap's ball. */
tm_status l1_solve_dynamic(l1_state *s, solve_progress *progress, double target, l1_end *end,
                           tm_error *err);

/* Working sets in the space of their Gram matrix; the certificate's products (l1_certified) are
 * its only look at the other features, so it is called again, with the next `round`, until the
 * certificate is met. */
tm_status l1_solve_auto(l1_state *s, solve_progress *progress, double target, int round,
                        l1_end *end, tm_error *err);

/* Whether the strong rule from the last certified lambda would begin with few enough features. */
bool l1_auto_foresees(const l1_state *s);

/* SAIF, algorithms 1 and 2. */
tm_status l1_solve_saif(l1_state *s, solve_progress *progress, double target, l1_end *end,
                        tm_error *err);

#endif
