/* The second-order model of a loss that is not quadratic, and the step to its minimum: shared by
 * the ways of minimising it (newton.c: sweeps; newton_exact.c: with its Hessian; newton_signs.c:
 * with fixed signs). */
#ifndef SOLVE_L1_CORE_NEWTON_H
#define SOLVE_L1_CORE_NEWTON_H

#include "solve/common/line_search.h"
#include "solve/gram/hessian.h"
#include "solve/l1/core/state.h"

struct l1_model {
    double *h, *u, *dz;      /* n */
    double *scratch;         /* n: a column's values when the matrix does not store doubles */
    double total;            /* sum of h */
    double db;               /* the change of the intercept in dz */
    double shift;            /* the residual is u + shift h */
    double *means, *squares; /* p: of the active features, weighted by h; centred squares */
    double *before;          /* p: w when the model was made */
    struct hessian *hessian; /* NULL until needed */
    unproven_steps unproven;
};

/* Computes the row weights at the present predictions, near those of the last Hessian when one is
 * to be reused (or NULL), and the residual. */
void l1_model_weigh(l1_state *s, const hessian *kept);
/* The second derivative of the model for one weight, from sum_i h_i x_ij^2; a small fraction of the
 * unweighted square is added in case the row weights have nearly vanished. */
double l1_model_square(const l1_state *s, size_t j, double weighted);
/* sum_i h_i (x_ij - mean)^2. */
double l1_model_column_square(const l1_state *s, const l1_model *m, size_t j, double mean);
/* Computes means, stores the present weights and, if asked for, computes squares, by passes over
 * the active columns. Returns false when the run must stop. */
bool l1_model_measure(l1_state *s, bool squares, solve_progress *progress);

/* Computes model->hessian of the active set. TM_ENOMEM. */
tm_status l1_model_hessian(l1_state *s, tm_error *err);

/* Writes the change of the predictions due to w - before, including the intercept, to dz. Returns
 * the change of the penalty. */
double l1_model_direction(const l1_state *s);
/* The objective at z + t dz; the limits of unpenalised features are not checked. */
double l1_model_objective(const l1_state *s, double t);
/* The stored entries of a column. */
typedef struct l1_column {
    const uint32_t *rows; /* NULL: dense */
    const double *values;
    size_t count;
} l1_column;

static inline size_t l1_column_row(const l1_column *x, size_t k)
{
    return x->rows ? x->rows[k] : k;
}

/* The derivative of the loss in a column's weight at the present predictions, and the second
 * derivative. */
double l1_column_curve(const l1_state *s, const l1_column *x, double *slope);

/* The step length along the direction; 0: no decrease. `here` is the objective at 0; *reached is
 * set to the objective at the last point evaluated. */
double l1_model_search(l1_state *s, double penalty_change, double here, double *reached);
/* Takes a step of length t. Returns the greatest change |d| |x_j|. */
double l1_model_step(l1_state *s, double t);

#endif
