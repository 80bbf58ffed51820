/* The state that all strategies of the l1 methods share: weights, dual variables, products, active
 * set.
 *
 *     min over w, b of  sum_i s_i l(y_i, o_i + x_i'w + b) + lambda sum_j (f_j |w_j| + g_j w_j^2/2)
 *     with lower_j <= w_j <= upper_j
 *
 * r is the vector of dual variables a_i = -s_i l'(y_i, z_i): for the squared loss the weighted
 * residual. At the optimal intercept it sums to zero, which is the same as centring every column.
 *
 * Lengths and inner products of vectors of n entries are those of model/samples.h, in which sample
 * weights leave every bound as it is: <u, v> = sum u_i v_i / s_i for dual variables, and |x_j|^2 =
 * sum s_i x_ij^2. A squared penalty is n more rows sqrt(lambda g_j) e_j: they are in the products
 * x_j'r, in the norms and in r'r, so that bounds hold as they stand. Features with f_j = 0 ("free")
 * are fitted like the intercept by l1_state_refresh, after which r is orthogonal to them; they are
 * always active and no test is for them.
 *
 * For the squared loss the intercept is eliminated and columns are centred implicitly: a change of
 * w_j by d takes d (x_j - m_j 1) out of the residual, of which the constant part d m_j is kept in
 * `shift` and the rest touches the stored entries only. For other losses the predictions z and the
 * intercept are kept, and shift is 0. Standardisation is a choice of the factors f_j. */
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
    double *own_means;   /* p: those with sample weights */
    size_t n, p;
    bool intercept;
    const loss *loss;
    samples of;
    const double *response; /* n */
    double *lengths;        /* p: |x_j|, centred with an intercept; 0: it cannot matter */
    /* There are sample weights, offsets, free features, limits or a squared penalty. */
    bool special_terms;
    bool estimates; /* certificates may bound products by those of earlier ones */
} l1_problem;

/* The penalty and the limits; fixed but for lambda and what follows from it. */
typedef struct l1_penalty {
    double lambda;
    double *norms; /* p: lengths with the squared penalty's row at this lambda; bounds use these */
    double *factors; /* p: f_j; 0: free; INFINITY: excluded, also where limits leave 0 alone */
    double *ridge;   /* p: g_j, or NULL */
    double *lower, *upper; /* p, or both NULL */
    signed char *signs;    /* p: 1 or -1 where w_j can have this sign alone, else 0; or NULL */
    feature_penalty terms; /* these at the present lambda */
    unpenalised *free;     /* NULL: no feature is free */
} l1_penalty;

/* The model of the intercept and the free features alone; fixed. */
typedef struct l1_null {
    double *weights; /* of the free features */
    double *z;       /* n: predictions */
    double *y;       /* n: dual variables; squared: y, centred with an intercept */
    double *xy;      /* p: x_j'y */
    double intercept;
    double objective;
    double yy; /* <y, y> */
    double lambda_max;
    double median, greatest; /* of |x_j'y| / f_j over all features, for SAIF's h */
} l1_null;

/* What the parameters ask of the solver; set by update. */
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
    double b;                    /* the same */
    const double *axis;          /* n: the vector that centres of balls are made of beside r, and */
    const double *axis_products; /* p: its products: those of the null model, as a rule */
    double *scratch;             /* n: a column's values where the matrix holds no doubles */
    long epochs;                 /* of this solve */
    double solved_lambda; /* xr and w are those of the answer at this lambda; NAN: they are not */
} l1_iterate;

typedef struct l1_active {
    size_t *features; /* count */
    bool *has;        /* p */
    size_t count;
} l1_active;

/* Features that epochs over the active set may leave out for a while (LIBLINEAR). */
typedef struct l1_shrinking {
    double violation;        /* the greatest of the epoch so far, of the optimality conditions */
    double violation_before; /* that of the epoch before; INFINITY: nothing is left out */
    size_t *whole_set;       /* p: the active set with those that are left out */
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
    l1_shrinking *shrinking; /* the strategy's while epochs may leave features out, else NULL */
    struct l1_model *model;  /* of losses that are not quadratic */
    const struct l1_strategy *strategy; /* that options.rule stands for */
    void *own;                          /* what the strategy keeps from solve to solve */
    int round;                          /* solves of this lambda so far */
} l1_state;

typedef struct l1_model l1_model;

/* A feasible dual point (scale/lambda) (r + shift) and what follows from it. */
typedef struct l1_gap {
    double primal, dual, gap;
    double scale;
    ball_plane plane;
} l1_gap;

/* How a solve ended. */
typedef struct l1_end {
    bool converged, stalled;
    bool fitted; /* predictions and dual variables are those of w, whatever has stopped it */
    bool ruled;  /* its own rule has ended it, whatever the gap */
} l1_end;

/* What the parameters make of the problem. */
typedef struct l1_terms {
    bool intercept, standardize;
    double alpha;          /* share of the penalty that is not squared, above 0, at most 1 */
    double *factors;       /* p penalty factors, or NULL: all 1 */
    double *lower, *upper; /* p limits, or NULL */
} l1_terms;

#define L1_TERMS_INIT                                                                              \
    {                                                                                              \
        false, false, 1, NULL, NULL, NULL                                                          \
    }
void l1_terms_clear(l1_terms *terms);

/* TM_EDATA when the loss needs two classes and the data do not have them. */
tm_status l1_state_new(l1_state **out, const tm_dataset *data, const loss *l, const l1_terms *terms,
                       solve_progress *progress, tm_error *err);
void l1_state_free(l1_state *s);

/* Everything that depends on lambda. */
void l1_state_lambda(l1_state *s, double lambda);
/* The null model: w = 0 but for the free features. */
void l1_state_reset(l1_state *s);
/* Recomputes everything from w, with the intercept and the free features at their optimum: what
 * rounding has gathered goes. */
void l1_state_refresh(l1_state *s);
/* For a loss that is not quadratic: the same from predictions that are w's but for the intercept,
 * with the rounding that they have gathered. */
void l1_state_refit(l1_state *s);
/* The intercept that goes with w. */
double l1_state_intercept(const l1_state *s);

/* Makes the features with a nonzero norm the active set, all of them, in order. */
void l1_activate_all(l1_state *s);
void l1_activate(l1_state *s, size_t j);
/* Makes the active set: the features with a nonzero weight, and the free ones. */
void l1_activate_support(l1_state *s);
/* Removes the active features for which drop(j, payload) holds, free ones excepted; their weights
 * become 0. Returns how many went. */
size_t l1_drop(l1_state *s, bool (*drop)(const l1_state *s, size_t j, const void *payload),
               const void *payload);

/* While an epoch visits feature j with its product x_j'r: true when the feature, of weight 0 and
 * further below its threshold than the violations of the epoch before allow for, is to leave
 * (LIBLINEAR's rule). */
bool l1_shrinks_out(l1_state *s, size_t j, double product);

/* Up to `epochs` epochs of coordinate minimisation ("shooting") over the active set; for a loss
 * that is not quadratic, on its second-order model, followed by one step, or by coordinate gradient
 * descent if that is asked for. Returns the greatest
 * change |d| |x_j| that the last epoch, or the step, made; stops early when told to. */
double l1_sweep(l1_state *s, long epochs, solve_progress *progress);

/* For l1_sweep: epochs of coordinate gradient descent (coordinate_gradient.c). */
double l1_coordinate_gradient_sweep(l1_state *s, long epochs, solve_progress *progress);
/* For l1_sweep: the proximal Newton step of newton.c, and its workspace. */
double l1_newton_sweep(l1_state *s, long epochs, solve_progress *progress);
/* The same with the model solved exactly through its Hessian, from weights with that objective. */
tm_status l1_newton_exact(l1_state *s, double objective, double *change, solve_progress *progress,
                          tm_error *err);
/* Passes over the active features from place `from` on, none of them free, with a step of its own
 * for each (newton_coordinates.c). Predictions have to be those of w, and are after it. What raises
 * the objective is taken back. TM_ENOMEM. */
tm_status l1_newton_coordinates(l1_state *s, size_t from, int passes, solve_progress *progress,
                                tm_error *err);
/* A Newton step of the weights that are not zero, for their present signs, by conjugate gradients:
 * it costs passes over their columns. Weights that would change their sign become zero. None is
 * made with limits or free features. Predictions and the products of the active set have to be
 * those of w. TM_ENOMEM. */
tm_status l1_newton_signs(l1_state *s, solve_progress *progress, tm_error *err);
/* Newton steps until the active set's gap is at most `goal` or nothing moves any more: through the
 * Hessian where that is cheap, else by sweeps over the model and steps with fixed signs, until many
 * of them have not been enough: then features are nearly dependent and the Hessian is worth its
 * price. The last `joined` features of the set are new; `fitted`: predictions and dual variables
 * are those of w. */
tm_status l1_newton_set(l1_state *s, double goal, bool fitted, size_t joined,
                        solve_progress *progress, tm_error *err);
bool l1_model_new(l1_model **out, size_t n, size_t p);
void l1_model_free(l1_model *model);

/* Products x_j'(r + shift) of the active set, or of all p features, into xr. False when stopped. */
bool l1_products_active(l1_state *s, solve_progress *progress);
bool l1_products_all(l1_state *s, solve_progress *progress);
/* The same of `count` features. */
bool l1_products_listed(l1_state *s, const size_t *features, size_t count,
                        solve_progress *progress);
/* Products of all p features with any vector v of n entries, into out. */
bool l1_products_of(l1_state *s, const double *v, double *out, solve_progress *progress);

/* Of a product c with feature j what its constraint is about: |c|, or 0 where the weight cannot
 * have its sign. */
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

/* The objective at the iterate, and the gap of the residual scaled to be feasible for the active
 * features, or for all, by their xr. Right after l1_state_refresh and a pass of products. */
l1_gap l1_gap_active(const l1_state *s);
l1_gap l1_gap_all(const l1_state *s);
l1_gap l1_gap_listed(const l1_state *s, const size_t *features, size_t count);

/* max |x_j'r| / f_j over the active set, or over all features, from xr; free features left out. */
double l1_greatest_active(const l1_state *s);
double l1_greatest_all(const l1_state *s);

/* The dual objective of other dual variables a than the iterate's (n values that sum to zero with
 * an intercept): of the best multiple that keeps |x_j'a| <= lambda f_j, `greatest` being the
 * greatest |x_j'a| / f_j, and that multiple; or of a itself. */
double l1_dual_at(const l1_state *s, const double *a, double greatest, double *scale);
double l1_dual_value(const l1_state *s, const double *a);
/* Turns predictions, up to a constant with an intercept, into their dual variables. For the squared
 * loss they are dual variables already, but for their sum. */
void l1_dual_of_predictions(const l1_state *s, double *v);

/* The balls around the dual optimum of the problem on the features that the gap is of: SAIF
 * eq. 2.13 and theorem 2. */
ball l1_gap_ball(const l1_state *s, const l1_gap *g);
ball l1_null_ball(const l1_state *s, const l1_gap *g);

screen_features l1_features(const l1_state *s);

/* lambda = 0, whatever the strategy: every feature that no limit or factor excludes is free. */
tm_status l1_solve_unpenalised(l1_state *s, solve_progress *progress, l1_end *end, tm_error *err);

/* Whether the coordinates have moved so little that the gap can fall no further. */
bool l1_stalled(const l1_state *s, double greatest_change);

#endif
