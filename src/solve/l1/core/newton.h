/* The second-order model of a loss that is not quadratic, and the step that its minimum leads to:
 * what the ways of minimising it share (newton.c: sweeps; newton_exact.c: through its Hessian;
 * newton_signs.c: with fixed signs). */
#ifndef SOLVE_L1_CORE_NEWTON_H
#define SOLVE_L1_CORE_NEWTON_H

#include "solve/gram/hessian.h"
#include "solve/l1/core/state.h"

struct l1_model {
    double *h, *u, *dz;      /* n */
    double *scratch;         /* n: a column's values where the matrix holds no doubles */
    double total;            /* sum of h */
    double db;               /* the intercept's part of dz */
    double shift;            /* the residual is u + shift h */
    double *means, *squares; /* p: of the active features, weighted by h; centred squares */
    double *before;          /* p: w at the start */
    struct hessian *hessian; /* NULL until it is needed */
    int unproven;            /* steps in a row accepted below the objective's rounding */
};

/* The weights of the rows at the present predictions, near those of the last Hessian when there is
 * one to be kept (or NULL), and the residual. */
void l1_model_weigh(l1_state *s, const hessian *kept);
/* The square of a weight in the model, from sum_i h_i x_ij^2; a little of the unweighted length is
 * added, where the weights have nearly vanished. */
double l1_model_square(const l1_state *s, size_t j, double weighted);
/* sum_i h_i (x_ij - mean)^2. */
double l1_model_column_square(const l1_state *s, const l1_model *m, size_t j, double mean);
/* Means, the weights before and, where asked for, squares by passes over the active columns. False
 * when it was told to stop. */
bool l1_model_measure(l1_state *s, bool squares, solve_progress *progress);

/* Makes model->hessian that of the active set. TM_ENOMEM. */
tm_status l1_model_hessian(l1_state *s, tm_error *err);

/* What w - before does to the predictions, the intercept's part included, into dz. Returns the
 * change of the penalty. */
double l1_model_direction(const l1_state *s);
/* The objective at z + t dz, free features' limits aside. */
double l1_model_objective(const l1_state *s, double t);
/* The stored entries of a column. */
typedef struct l1_column {
    const uint32_t *rows; /* NULL: all */
    const double *values;
    size_t count;
} l1_column;

static inline size_t l1_column_row(const l1_column *x, size_t k)
{
    return x->rows ? x->rows[k] : k;
}

/* The loss's slope in the weight of a column, at the predictions, and its second derivative. */
double l1_column_curve(const l1_state *s, const l1_column *x, double *slope);

/* How far to go along the direction; 0: it leads nowhere. `here` is the objective at 0, *reached
 * becomes that where the search has ended. */
double l1_model_search(l1_state *s, double penalty_change, double here, double *reached);
/* Goes there. Returns the greatest change |d| |x_j|. */
double l1_model_step(l1_state *s, double t);

#endif
