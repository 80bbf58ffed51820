/* The iterate of the inner bundle's small problem (qcqp.h) and its two kinds of Newton steps.
 *
 * Everything is in the scaled variables beta = alpha / unit, with Q and q scaled so that |q| is at
 * most 1 and beta of the order of 1. theta bounds the quadratics: 1/2 beta'Q_t beta - theta + s_t =
 * r_t, where s_t > 0 and the residual r_t, which the curvature introduces in each step, goes to
 * zero. rest = C / unit - sum beta > 0. */
#ifndef SOLVE_MULTI_QCQP_POINT_H
#define SOLVE_MULTI_QCQP_POINT_H

#include <stdbool.h>
#include <stddef.h>

/* The Newton step of each variable. */
typedef struct qcqp_step {
    double *beta, *lambda; /* K */
    double *s, *mu;        /* T; s: to first order */
    double *curve;         /* T: step'Q_t step */
    double rest, nu;
} qcqp_step;

/* Parts of the normal equations. */
typedef struct qcqp_normal {
    double *mean;   /* K: the mean of g_t with the weights mu_t / s_t */
    double *spread; /* T x K: g_t minus the mean, times the square root of its weight */
    double *matrix; /* K x K */
} qcqp_normal;

typedef struct qcqp_point {
    const struct qcqp *problem;
    size_t K, T;
    double unit, scale;    /* scales of alpha and of the objective */
    double ridge;          /* relative increase of the diagonals of Q */
    double rest, nu;       /* slack of the bound on the sum, and its multiplier */
    double *beta, *lambda; /* K, and the multipliers of beta >= 0 */
    double *s, *mu, *r;    /* T */
    double *g;             /* T x K: Q_t beta */
    qcqp_step step;
    qcqp_normal normal;
    double *room; /* the allocation that holds all of these */
} qcqp_point;

/* Adds a times Q_t, scaled, to the lower triangle of a matrix. */
void qcqp_add_matrix(const qcqp_point *x, size_t t, double a, double *matrix, size_t stride);

/* out = Q_t v, scaled; `exactly`: summed in long double, at several times the cost. When terms are
 * 1e13 times their sum, summation in double leaves no correct digit. */
void qcqp_multiply(const qcqp_point *x, size_t t, const double *v, bool exactly, double *out);

/* The system before theta and the multipliers are eliminated, with its factor. */
typedef struct qcqp_whole {
    size_t size;                          /* K + T + 2 */
    double *matrix, *factor;              /* size x size */
    double *right, *scale, *step, *error; /* size */
    int *pivots;                          /* size */
} qcqp_whole;

/* False when memory ran out; then there is nothing to free. */
bool qcqp_whole_new(qcqp_whole *w, const qcqp_point *x);
void qcqp_whole_free(qcqp_whole *w);
/* Sets x->step to a predictor towards nearly zero products, then to a step with the centring that
 * this permits. Uses the whole system unless `whole` is NULL. False when rounding has made the
 * matrix indefinite. */
bool qcqp_find_step(qcqp_point *x, qcqp_whole *whole);
/* Sets x->step.curve; afterwards x->normal.spread holds Q_t step. */
void qcqp_find_curvature(qcqp_point *x);
/* The longest step, at most 1, that keeps everything nonnegative. */
double qcqp_longest_step(const qcqp_point *x);

/* For the whole system only. */
bool qcqp_whole_factorise(const qcqp_point *x, qcqp_whole *w);
void qcqp_whole_step(qcqp_point *x, qcqp_whole *w, double tau);
/* q_k minus the weighted products, scaled. */
double qcqp_margin(const qcqp_point *x, size_t k);

#endif
