/* The l1 methods' common operations (see method_ops) and strategies. */
#ifndef SOLVE_L1_L1_H
#define SOLVE_L1_L1_H

#include "screen/sequential.h"
#include "solve/common/method.h"
#include "solve/l1/core/state.h"

/* What sets one l1 method apart from another. */
typedef struct l1_method {
    const loss *loss;
    const char *l2_method; /* solves what alpha = 0 leaves */
} l1_method;

tm_status l1_init(void **work, const tm_dataset *data, const tm_params *params,
                  const l1_method *method, solve_progress *progress, tm_error *err);
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
    bool fitted; /* predictions and dual variables are those of w, whatever has stopped it */
} l1_end;

/* A strategy: solves to a gap of `target` at s->lambda. Called again with the next `round`, from 0,
 * when the certificate is not met. */
typedef tm_status l1_strategy(l1_state *s, solve_progress *progress, double target, int round,
                              l1_end *end, tm_error *err);

/* `none`, `gap`, `shrink`, `safe`, `dpp`, `edpp`, `vi`: epochs over all features that are not
 * certified inactive. */
l1_strategy l1_solve_epochs;
/* `strong`, `hessian`: a guess, repaired from the certificate's products. `homotopy`: not repaired.
 */
l1_strategy l1_solve_guess, l1_solve_homotopy;
/* `auto`: working sets in the space of their Gram matrix, repaired in the same way. */
l1_strategy l1_solve_auto;
/* Working sets by distance to the constraints. */
l1_strategy l1_solve_blitz, l1_solve_ws;
/* SAIF, algorithms 1 and 2. */
l1_strategy l1_solve_saif;

/* The rule that a sequential strategy begins with; NULL for the others. */
screen_rule_region *l1_region_of(screen_rule rule);

/* Epochs over the active set, with a duality gap every check_every of them. */
typedef struct l1_epochs {
    double target; /* the gap to stop at */
    bool screens;  /* test the features against the gap's ball: the active set holds all that matter
                    */
    /* What events say of the dual: a bound proven elsewhere, when the active set is a part of the
     * problem; none is sent while it is -INFINITY. NULL: the active set's own. */
    const double *whole_dual;
} l1_epochs;
void l1_minimise(l1_state *s, solve_progress *progress, const l1_epochs *epochs, l1_end *end);

/* lambda = 0, whatever the strategy. */
l1_strategy l1_solve_unpenalised;

/* Whether the strong rule from the last certified lambda would begin with few enough features. */
bool l1_auto_foresees(const l1_state *s);
/* The least product / f_j that the next solve wants to know exactly. */
double l1_auto_exact_from(const l1_state *s);

#endif
