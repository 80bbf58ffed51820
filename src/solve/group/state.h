/* The state that the solvers of the group lasso share.
 *
 *     min over v, b of  sum_i l(y_i, x_i'w + b) + lambda sum_g f_g |v_g|_2
 *     with w = sum of the groups' values
 *
 * Solvers work on u_m = v_m f_j, where f_j is the standardisation factor of feature j, and on
 * columns x_j / f_j; member m of the penalty is one such column. With an intercept columns are
 * centred implicitly: a change of u_m does not change the mean prediction. */
#ifndef SOLVE_GROUP_STATE_H
#define SOLVE_GROUP_STATE_H

#include "model/loss/samples.h"
#include "model/penalty/group_penalty.h"
#include "solve/common/progress.h"
#include "solve/common/working_set.h"

typedef enum group_solver {
    GROUP_AUTO,
    GROUP_FISTA,
    GROUP_BCD,
    GROUP_ACTIVE,
} group_solver;

typedef struct group_model group_model;

/* The problem given by the data and the penalty; fixed by init. */
typedef struct group_problem {
    tm_dataset *data;
    const tm_matrix *x;
    size_t n, p;
    bool intercept;
    const loss *loss;
    samples of;
    bool unweighted_square; /* squared loss without sample weights: curvatures are 1 */
    tm_group_penalty *penalty;
    const size_t *features; /* members: the feature of each */
    double *means;          /* p: weighted by the sample weights */
    double *factors;        /* p: f_j > 0; NULL: all 1 */
    double *scale;          /* members: 1 / f_j; 0: the column is constant and cannot affect the
                             * fit */
    double
        *squares;  /* members: |x_j / f_j|^2 with the samples' weights, centred with an intercept */
    double *reach; /* blocks: upper bound of the greatest singular value of the block's columns */
    size_t most;   /* members of the largest block */
} group_problem;

/* The model in which all groups are zero. */
typedef struct group_null {
    double *dual;     /* n: its dual variables */
    double *products; /* p: x_j'dual */
    double intercept, objective;
    double lambda_max;
} group_null;

/* Set by update. */
typedef struct group_settings {
    group_solver solver;
    bool warm;
    long max_iter, check_every;
} group_settings;

/* The working set of blocks. */
typedef struct group_set {
    size_t *blocks; /* count */
    bool *has;      /* blocks: membership */
    size_t count;
    set_goal goal;
    int round; /* solves of this lambda so far */
} group_set;

typedef struct group_state {
    group_problem problem;
    group_null null;
    group_settings settings;
    group_set set;
    double lambda;
    double *u; /* members */
    double *z; /* n: predictions, including offset and intercept b */
    double b;
    double *a;            /* n: dual variables at z; with an intercept their sum is zero */
    double *products;     /* p: x_j'a as last computed */
    double *w;            /* p: weights on the original scale, as last requested */
    double *v;            /* members: the groups' values on the original scale, as last requested */
    double *room;         /* 4 x most: scratch */
    group_model *model;   /* allocated by its user; NULL before that */
    long epochs;          /* of this solve */
    double solved_lambda; /* the lambda whose answer `products` and `u` belong to; NAN: none */
} group_state;

/* The terms of the problem that the parameters give. */
typedef struct group_terms {
    const loss *loss;
    bool intercept;
    tm_group_penalty *penalty;
    double *factors; /* p, or NULL */
} group_terms;

/* Takes ownership of `penalty` and `factors`, also on failure. TM_EDATA when the loss needs two
 * classes. */
tm_status group_state_new(group_state **out, const tm_dataset *data, const group_terms *terms,
                          solve_progress *progress, tm_error *err);
void group_state_free(group_state *s);

/* Resets the iterate to the null model. */
void group_state_reset(group_state *s);
/* Recomputes z, b and a from u with the optimal intercept, free of the rounding errors that updates
 * accumulate. */
void group_state_refresh(group_state *s);
/* Computes w and v of the iterate. */
void group_state_weights(group_state *s);
/* Whether the weights and the predictions are finite. */
bool group_state_is_finite(const group_state *s);

static inline size_t group_size(const group_state *s, size_t block)
{
    return s->problem.penalty->starts[block + 1] - s->problem.penalty->starts[block];
}

void group_work_on(group_state *s, size_t block);
void group_work_on_all(group_state *s);
/* Makes the blocks with a nonzero value the working set. */
void group_work_on_support(group_state *s);
/* The number of members of the working set. */
size_t group_working_members(const group_state *s);

/* Computes the products of block b's columns with a, scaled as the members are, into c; counts
 * columns. */
void group_block_products(const group_state *s, size_t block, double *c, solve_progress *progress);
/* The same from the stored products of all features. */
void group_known_products(const group_state *s, size_t block, double *c);

typedef struct group_gap {
    double primal, dual, gap;
    double scale; /* scale * a is feasible */
} group_gap;

/* The gap at the iterate, of the problem restricted to the blocks whose dual norm is given. */
group_gap group_gap_of(const group_state *s, double dual_norm);
/* The dual norm of a over the working set; returns false when the run must stop. */
bool group_working_norm(group_state *s, double *norm, solve_progress *progress);
/* The dual norm over all blocks, from the stored products. */
double group_known_norm(const group_state *s);
/* Radius of the ball around scale * a that contains the dual optimum: sqrt(2 L gap), enlarged for
 * rounding. */
double group_radius(const group_state *s, const group_gap *g);

#endif
