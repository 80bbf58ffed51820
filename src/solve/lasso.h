/* The lasso's strategies. */
#ifndef SOLVE_LASSO_H
#define SOLVE_LASSO_H

#include "solve/lasso_state.h"

/* How a strategy ended. */
typedef struct lasso_end {
    bool converged, stalled;
} lasso_end;

/* `none` and `gap`: epochs over all features that are not certified inactive, with a duality gap
 * every check_every epochs; `gap` then tests every feature against the gap's ball. */
tm_status lasso_solve_dynamic(lasso_state *s, solve_progress *progress, double target,
                              lasso_end *end, tm_error *err);

/* Working sets in the space of their Gram matrix; the certificate's products (lasso_certified) are
 * its only look at the other features, so it is called again, with the next `round`, until the
 * certificate is met. */
tm_status lasso_solve_auto(lasso_state *s, solve_progress *progress, double target, int round,
                           lasso_end *end, tm_error *err);

/* Whether the strong rule from the last certified lambda would begin with few enough features. */
bool lasso_auto_foresees(const lasso_state *s);

/* SAIF, algorithms 1 and 2. */
tm_status lasso_solve_saif(lasso_state *s, solve_progress *progress, double target, lasso_end *end,
                           tm_error *err);

#endif
