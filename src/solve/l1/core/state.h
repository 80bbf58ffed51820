/* The state that all strategies of the l1 methods share: weights, dual variables, products, active
 * set.
 *
 *     min over w, b of  sum_i s_i l(y_i, o_i + x_i'w + b) + lambda sum_j (f_j |w_j| + g_j w_j^2/2)
 *     with lower_j <= w_j <= upper_j
 *
 * r is the vector of dual variables a_i = -s_i l'(y_i, z_i): for the squared loss the weighted
 * residual. At the optimal intercept it sums to zero, which is equivalent to centring every column.
 *
 * Lengths and inner products of vectors of n entries are those of model/samples.h, with which the
 * bounds have the same form with and without sample weights: <u, v> = sum u_i v_i / s_i for dual
 * variables, and |x_j|^2 = sum s_i x_ij^2. A squared penalty adds one row sqrt(lambda g_j) e_j for
 * each feature: these rows are included in the products x_j'r, in the norms and in r'r, so that the
 * bounds need no change. Features with f_j = 0 ("free", that is unpenalised) are fitted like the
 * intercept by l1_state_refresh, after which r is orthogonal to them; they are always active and
 * never screened.
 *
 * For the squared loss the intercept is eliminated and columns are centred implicitly: a change of
 * w_j by d subtracts d (x_j - m_j 1) from the residual; the constant part d m_j is accumulated in
 * `shift`, so that only stored entries are touched. For other losses the predictions z and the
 * intercept are kept, and shift is 0. Standardisation is expressed by the factors f_j. */
#ifndef SOLVE_L1_CORE_STATE_H
#define SOLVE_L1_CORE_STATE_H

#include "model/penalty/unpenalised.h"
#include "screen/gap.h"
#include "screen/rules.h"
#include "solve/common/progress.h"

#include <math.h>

/* The data and the loss; fixed. */
typedef struct l1_problem {
    tm_dataset *data;
    const tm_matrix *x;
    const double *means; /* p, weighted; read only with an intercept */
    double *own_means;   /* p: the means when there are sample weights (allocated) */
    size_t n, p;
    bool intercept;
    const loss *loss;
    samples of;
    const double *response; /* n */
    double *lengths;        /* p: |x_j|, centred with an intercept; 0: it cannot affect the fit;
                             * NULL: the roots of `squares` until l1_all_norms */
    const double *squares;  /* p: their squares in data that are centred without sample weights */
    /* There are sample weights, offsets, unpenalised features, limits or a squared penalty. */
    bool special_terms;
    bool estimates; /* certificates may bound products by those of earlier ones */
} l1_problem;

/* The penalty and the limits; fixed except for lambda and what depends on it. */
typedef struct l1_penalty {
    double lambda;
    double *norms;   /* p: lengths including the squared penalty's row at this lambda; bounds use
                      * these; NULL without lengths */
    double *factors; /* p: f_j; 0: unpenalised; INFINITY: excluded, also when the limits allow only
                      * 0; NULL: all 1 */
    double *ridge;   /* p: g_j, or NULL */
    double *lower, *upper; /* p, or both NULL */
    signed char *signs;    /* p: 1 or -1 if w_j can only have this sign, else 0; or NULL */
    feature_penalty terms; /* these at the present lambda */
    unpenalised *free;     /* NULL: no feature is unpenalised */
} l1_penalty;

/* The model of the intercept and the unpenalised features alone; fixed. */
typedef struct l1_null {
    double *weights; /* of the unpenalised features */
    double *z;       /* n: predictions */
    double *y;       /* n: dual variables; for the squared loss y, centred with an intercept */
    double *xy;      /* p: x_j'y; NULL until l1_null_products */
    bool xy_in_xr;   /* nothing has been solved: the iterate's xr has these products */
    double intercept;
    double objective;
    double yy; /* <y, y> */
    double lambda_max;
    double median, greatest; /* of |x_j'y| / f_j over all features; determine SAIF's h */
} l1_null;

/* What the parameters request of the solver; set by update. */
typedef struct l1_options {
    screen_rule rule;
    bool warm, shrink;
    bool by_coordinates; /* coordinate gradient descent for losses that are not quadratic */
    long max_iter, check_every;
    double add_rate, add_slack; /* SAIF's c and zeta */
    double delta;               /* of `homotopy` */
} l1_options;

typedef struct l1_iterate {
    double *w; /* p */
    double *r; /* n: the dual variables are r_i + shift s_i */
    double shift;
    double *xr;                  /* p: x_j'(r + shift) - lambda g_j w_j as last computed */
    double *z;                   /* n: o_i + x_i'w + b; not kept for the squared loss */
    double b;                    /* not used for the squared loss either */
    const double *axis;          /* n: the vector that spans the balls' centres together with r,
                                  * and */
    const double *axis_products; /* p: its products; by default those of the null model, and NULL
                                  * without these */
    double *scratch;             /* n: a column's values when the matrix does not store doubles */
    bool stale;                  /* only w and b are those of the last answer, until a refresh */
    long epochs;                 /* of this solve */
    double solved_lambda;        /* lambda of the answer that xr and w belong to; NAN: none */
} l1_iterate;

typedef struct l1_active {
    size_t *features; /* count */
    bool *has;        /* p */
    size_t count;
} l1_active;

/* Features that epochs over the active set leave out temporarily (LIBLINEAR's shrinking). */
typedef struct l1_shrinking {
    double violation;        /* greatest violation of the optimality conditions in the epoch so
                              * far */
    double violation_before; /* that of the previous epoch; INFINITY: nothing is left out */
    size_t *whole_set;       /* p: the active set including those left out */
    size_t whole_count;
} l1_shrinking;

struct l1_model;
struct l1_strategy;

typedef struct l1_state {
    l1_problem problem;
    l1_penalty penalty;
    l1_null null;
    l1_options options;
    l1_iterate it;
    l1_active active;
    l1_shrinking *shrinking; /* set by the strategy while epochs may leave features out, else
                              * NULL */
    struct l1_model *model;  /* for losses that are not quadratic */
    const struct l1_strategy *strategy; /* the strategy of options.rule */
    void *own;                          /* what the strategy keeps between solves */
    int round;                          /* solves of this lambda so far */
    struct product_bounds *bounds;      /* products with earlier vectors, the solver's; or NULL */
} l1_state;

typedef struct l1_model l1_model;

/* A feasible dual point (scale/lambda) (r + shift) and the values derived from it. */
typedef struct l1_gap {
    double primal, dual, gap;
    double scale;
    ball_plane plane;
} l1_gap;

/* How a solve ended. */
typedef struct l1_end {
    bool converged, stalled;
    bool fitted; /* predictions and dual variables match w, whatever stopped the solve */
    bool ruled;  /* ended by its own rule, regardless of the gap */
} l1_end;

/* The terms of the problem that the parameters give. */
typedef struct l1_terms {
    bool intercept, standardize;
    double alpha;          /* weight of the part of the penalty that is not squared, in (0, 1] */
    double *factors;       /* p penalty factors, or NULL: all 1 */
    double *lower, *upper; /* p limits, or NULL */
} l1_terms;

#define L1_TERMS_INIT                                                                              \
    {                                                                                              \
        false, false, 1, NULL, NULL, NULL                                                          \
    }
void l1_terms_clear(l1_terms *terms);

/* TM_EDATA when the loss needs two classes and the response does not have exactly two. */
tm_status l1_state_new(l1_state **out, const tm_dataset *data, const loss *l, const l1_terms *terms,
                       solve_progress *progress, tm_error *err);
void l1_state_free(l1_state *s);

/* Sets lambda and everything that depends on it. */
void l1_state_lambda(l1_state *s, double lambda);
/* Makes null.xy, which a strategy or a start from the null model needs; the squared loss always has
 * it. Makes a pass over the features, which is not counted, when an answer has replaced the null
 * model's products. TM_ENOMEM. */
tm_status l1_null_products(l1_state *s, tm_error *err);
/* Makes lengths and norms as arrays, which bounds need, if they are not yet. TM_ENOMEM. */
tm_status l1_all_norms(l1_state *s, tm_error *err);
/* Resets to the null model: w = 0 except for the unpenalised features. */
void l1_state_reset(l1_state *s);
/* Recomputes everything from w, with the intercept and the unpenalised features at their optimum;
 * removes accumulated rounding errors. */
void l1_state_refresh(l1_state *s);
/* For a loss that is not quadratic: the same from the present predictions, which match w except for
 * the intercept; keeps their accumulated rounding errors. */
void l1_state_refit(l1_state *s);
/* The optimal intercept for w. */
double l1_state_intercept(const l1_state *s);

/* Makes all features with a nonzero norm the active set, in order. */
void l1_activate_all(l1_state *s);
void l1_activate(l1_state *s, size_t j);
/* Makes the features with a nonzero weight and the unpenalised ones the active set. */
void l1_activate_support(l1_state *s);
/* Removes the active features for which drop(j, payload) holds, except unpenalised ones; their
 * weights become 0. The intercept is at its optimum afterwards, which models of losses that are not
 * quadratic begin from. Returns how many were removed. */
size_t l1_drop(l1_state *s, bool (*drop)(const l1_state *s, size_t j, const void *payload),
               const void *payload);

/* Called when an epoch visits feature j with its product x_j'r: true when the feature is to be
 * removed because its weight is 0 and it is further below its threshold than the violations of the
 * previous epoch (LIBLINEAR's rule). */
bool l1_shrinks_out(l1_state *s, size_t j, double product);

/* Up to `epochs` epochs of coordinate minimisation ("shooting") over the active set; for a loss
 * that is not quadratic, on its second-order model, followed by one step, or by coordinate gradient
 * descent if that is requested. Returns the greatest change |d| |x_j| of the last epoch or of the
 * step; ends early when the run must stop. */
double l1_sweep(l1_state *s, long epochs, solve_progress *progress);

/* Used by l1_sweep: epochs of coordinate gradient descent (coordinate_gradient.c). */
double l1_coordinate_gradient_sweep(l1_state *s, long epochs, solve_progress *progress);
/* Used by l1_sweep: the proximal Newton step of newton.c, and its workspace. */
double l1_newton_sweep(l1_state *s, long epochs, solve_progress *progress);
/* The same with the model minimised with its Hessian, in so many rounds of epochs and Newton steps;
 * `objective` is that of the present weights. */
tm_status l1_newton_exact(l1_state *s, double objective, long rounds, double *change,
                          solve_progress *progress, tm_error *err);
/* Passes over the active features from place `from` on, none of them unpenalised, with a separate
 * step for each (newton_coordinates.c). Requires predictions that match w, and keeps them so.
 * Undoes what raises the objective. TM_ENOMEM. */
tm_status l1_newton_coordinates(l1_state *s, size_t from, int passes, solve_progress *progress,
                                tm_error *err);
/* A Newton step of the nonzero weights for their present signs, by conjugate gradients; costs
 * passes over their columns. Weights that would change sign become zero. Takes no step when there
 * are limits or unpenalised features. Requires predictions and products of the active set that
 * match w. *kept: whether it was a whole step that changed no sign. TM_ENOMEM. */
tm_status l1_newton_signs(l1_state *s, bool *kept, solve_progress *progress, tm_error *err);
/* Newton steps until the active set's gap is at most `goal` or nothing changes any more: with
 * the Hessian where that is cheap, otherwise by sweeps over the model and steps with fixed
 * signs; when many of these have not sufficed, features are nearly dependent and the Hessian is
 * worth its cost. The last `joined` features of the set are new. Requires predictions and dual
 * variables that match w. */
tm_status l1_newton_set(l1_state *s, double goal, size_t joined, solve_progress *progress,
                        tm_error *err);
bool l1_model_new(l1_model **out, size_t n, size_t p);
void l1_model_free(l1_model *model);

/* Computes the products x_j'(r + shift) of the active set, or of all p features, into xr. Returns
 * false when the run must stop. */
bool l1_products_active(l1_state *s, solve_progress *progress);
bool l1_products_all(l1_state *s, solve_progress *progress);
/* The same for all features where products below exact_from f_j may be estimates: as in a
 * certificate, with the products of earlier vectors (product_bounds.h). `ahead`: so many passes are
 * expected to follow. TM_ENOMEM; a stop is seen in `progress`. */
tm_status l1_products_from(l1_state *s, double exact_from, size_t ahead, solve_progress *progress,
                           tm_error *err);
/* The same for `count` listed features. */
bool l1_products_listed(l1_state *s, const size_t *features, size_t count,
                        solve_progress *progress);
/* Computes products of all p features with any vector v of n entries, into out. */
bool l1_products_of(l1_state *s, const double *v, double *out, solve_progress *progress);

static inline double l1_factor(const l1_state *s, size_t j)
{
    return s->penalty.factors ? s->penalty.factors[j] : 1;
}

/* The norm of feature j. */
static inline double l1_norm(const l1_state *s, size_t j)
{
    return s->penalty.norms ? s->penalty.norms[j] : sqrt(s->problem.squares[j]);
}

/* p values that are 0 where the norm is: the norms, or their squares if there is no array of
 * norms. */
static inline const double *l1_sizes(const l1_state *s)
{
    return s->penalty.norms ? s->penalty.norms : s->problem.squares;
}

/* For a product c with feature j, the value that its constraint bounds: |c|, or 0 if the weight
 * cannot have the sign of c. */
static inline double l1_correlation_of(const l1_state *s, size_t j, double c)
{
    if (!s->penalty.signs || s->penalty.signs[j] == 0)
        return fabs(c);
    return fmax(s->penalty.signs[j] * c, 0);
}

static inline double l1_correlation(const l1_state *s, size_t j)
{
    return l1_correlation_of(s, j, s->it.xr[j]);
}

/* The objective at the iterate, and the gap for the residual scaled to be feasible for the active
 * features, or for all, according to their xr. Valid right after l1_state_refresh and a pass of
 * products. */
l1_gap l1_gap_active(const l1_state *s);
l1_gap l1_gap_all(const l1_state *s);
l1_gap l1_gap_listed(const l1_state *s, const size_t *features, size_t count);

/* For a loss that is not quadratic and predictions that match w: the objective with the penalty of
 * the active features from place `from` on. */
double l1_objective(const l1_state *s, size_t from);

/* max |x_j'r| / f_j over the active set, or over all features, from xr, without unpenalised
 * features. */
double l1_greatest_active(const l1_state *s);
double l1_greatest_all(const l1_state *s);

/* The dual objective of dual variables a other than the iterate's (n values that sum to zero with
 * an intercept): that of the best multiple with |x_j'a| <= lambda f_j, where `greatest` is the
 * greatest |x_j'a| / f_j, together with that multiple; or that of a itself. */
double l1_dual_at(const l1_state *s, const double *a, double greatest, double *scale);
double l1_dual_value(const l1_state *s, const double *a);
/* Converts predictions, up to a constant with an intercept, to their dual variables. For the
 * squared loss they are dual variables already, except for their sum. */
void l1_dual_of_predictions(const l1_state *s, double *v);

/* Balls around the dual optimum of the problem on the features that the gap refers to: SAIF eq.
 * 2.13 and theorem 2. */
ball l1_gap_ball(const l1_state *s, const l1_gap *g);
ball l1_null_ball(const l1_state *s, const l1_gap *g);

screen_features l1_features(const l1_state *s);

/* lambda = 0, for any strategy: every feature that no limit or factor excludes is unpenalised. */
tm_status l1_solve_unpenalised(l1_state *s, solve_progress *progress, l1_end *end, tm_error *err);

/* Whether the coordinates changed so little that the gap can decrease no further. */
bool l1_stalled(const l1_state *s, double greatest_change);

#endif
