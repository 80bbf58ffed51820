/* The state that all strategies of the lasso share: weights, residual, products, active set.
 *
 *     min over w, b of  1/2 |y - Xw - b|^2 + lambda sum_j f_j |w_j|
 *
 * The intercept is eliminated: at its optimum the residual sums to zero, which is the same as
 * centring y and every column. Columns are centred implicitly: a change of w_j by d takes
 * d (x_j - m_j 1) out of the residual, of which the constant part d m_j is kept in `shift` and the
 * rest touches the stored entries only. Standardisation is a choice of the factors f_j. */
#ifndef SOLVE_LASSO_STATE_H
#define SOLVE_LASSO_STATE_H

#include "screen/gap.h"
#include "screen/rules.h"
#include "solve/progress.h"

typedef struct lasso_state {
    /* fixed by init */
    tm_dataset *data;
    const tm_matrix *x;
    const double *means; /* p; read only with an intercept */
    size_t n, p;
    bool intercept;
    double *norms;   /* p: |x_j|, centred with an intercept; 0: the feature cannot matter */
    double *factors; /* p: f_j > 0 */
    double *y;       /* n: the null model's residual, that is y, centred with an intercept */
    double *xy;      /* p: x_j'y */
    double mean;     /* of the response: the null model's intercept, 0 without one */
    double yy;       /* y'y */
    double lambda_max;
    double median, greatest; /* of |x_j'y| / f_j over all features, for SAIF's h */

    /* changed by update */
    double lambda;
    screen_rule rule;
    bool warm;
    long max_iter, check_every;
    double add_rate, add_slack; /* SAIF's c and zeta */

    /* the iterate */
    double *w; /* p */
    double *r; /* n: the residual is r + shift */
    double shift;
    double *xr; /* p: x_j'(r + shift) as last computed */
    size_t *active;
    bool *in_active; /* p */
    size_t active_count;
    long epochs;          /* of this solve */
    double solved_lambda; /* xr and w are those of the answer at this lambda; NAN: they are not */

    /* `auto` only */
    struct gram *gram; /* NULL until it is needed */
    double set_share;  /* share of the target to which the working set is solved */
    int round;         /* solves of this lambda so far */
} lasso_state;

/* A feasible dual point (scale/lambda) (r + shift) and what follows from it. */
typedef struct lasso_gap {
    double primal, dual, gap;
    double scale;
    ball_plane plane;
} lasso_gap;

tm_status lasso_state_new(lasso_state **out, const tm_dataset *data, bool intercept,
                          bool standardize, solve_progress *progress, tm_error *err);
void lasso_state_free(lasso_state *s);

/* w = 0, the residual exactly y. */
void lasso_state_reset(lasso_state *s);
/* The residual anew from w: what rounding has gathered goes. */
void lasso_state_refresh(lasso_state *s);
/* The intercept that goes with w. */
double lasso_state_intercept(const lasso_state *s);

/* Makes the features with a nonzero norm the active set, all of them, in order. */
void lasso_activate_all(lasso_state *s);
void lasso_activate(lasso_state *s, size_t j);
/* The active set anew: the features with a nonzero weight. */
void lasso_activate_support(lasso_state *s);
/* Removes the active features for which drop(j, payload) holds; their weights become 0. Returns
 * how many went. */
size_t lasso_drop(lasso_state *s, bool (*drop)(const lasso_state *s, size_t j, const void *payload),
                  const void *payload);

/* One epoch of cyclic coordinate minimisation ("shooting") over the active set. Returns the
 * greatest change |d| |x_j| of the residual by one coordinate; stops early when told to. */
double lasso_epoch(lasso_state *s, solve_progress *progress);

/* Products x_j'(r + shift) of the active set, or of all p features, into xr. False when stopped. */
bool lasso_products_active(lasso_state *s, solve_progress *progress);
bool lasso_products_all(lasso_state *s, solve_progress *progress);

/* max |x_j'r| / f_j over the active set, or over all features, from xr. */
double lasso_greatest_active(const lasso_state *s);
double lasso_greatest_all(const lasso_state *s);

/* The objective at the iterate, and the gap of the residual scaled to be feasible for the features
 * whose greatest |x_j'r| / f_j is given. */
lasso_gap lasso_gap_of(const lasso_state *s, double greatest);

/* The gap with what rounding may have hidden of it: for balls that must be safe. */
double lasso_gap_widened(const lasso_state *s, const lasso_gap *g);

screen_features lasso_features(const lasso_state *s);

/* true when the coordinates have moved so little that the gap can fall no further. */
bool lasso_stalled(const lasso_state *s, double greatest_change);

#endif
