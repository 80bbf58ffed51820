/* The iterate of the inner bundle's small problem (qcqp.h) and its two kinds of Newton steps.
 *
 * Everything is in the scaled variables beta = alpha / unit, with Q and q so scaled that q is at
 * most 1 in size and beta about that. theta bounds the quadratics: 1/2 beta'Q_t beta - theta + s_t
 * = r_t, where s_t > 0 and r_t, which the curvature leaves behind after each step, goes to zero.
 * rest = C / unit - sum beta > 0. */
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

/* What the normal equations are made of. */
typedef struct qcqp_normal {
    double *mean;   /* K: the mean of g_t with the weights mu_t / s_t */
    double *spread; /* T x K: what g_t is off the mean, times the root of its weight */
    double *matrix; /* K x K */
} qcqp_normal;

typedef struct qcqp_point {
    const struct qcqp *problem;
    size_t K, T;
    double unit, scale;    /* of alpha, and of the objective */
    double ridge;          /* what the diagonals of Q are increased by, as a share */
    double rest, nu;       /* the bound on the sum and its multiplier */
    double *beta, *lambda; /* K, and the multipliers of beta >= 0 */
    double *s, *mu, *r;    /* T */
    double *g;             /* T x K: Q_t beta */
    qcqp_step step;
    qcqp_normal normal;
    double *room; /* what all of these are in */
} qcqp_point;

/* Adds a times Q_t in scaled terms to the lower triangle of a matrix. */
void qcqp_add_matrix(const qcqp_point *x, size_t t, double a, double *matrix, size_t stride);

/* out = Q_t v in scaled terms; `exactly`: summed up in long double, at several times the cost.
 * Where terms are 1e13 times what they cancel to, sums in double leave nothing. */
void qcqp_multiply(const qcqp_point *x, size_t t, const double *v, bool exactly, double *out);

/* The system before the elimination of theta and the multipliers, with its factor. */
typedef struct qcqp_whole {
    size_t size;                          /* K + T + 2 */
    double *matrix, *factor;              /* size x size */
    double *right, *scale, *step, *error; /* size */
    int *pivots;                          /* size */
} qcqp_whole;

/* False: no memory, and there is nothing to free. */
bool qcqp_whole_new(qcqp_whole *w, const qcqp_point *x);
void qcqp_whole_free(qcqp_whole *w);
/* Sets x->step to a step nearly to zero, then to one that aims as low as that one could get. By the
 * whole system unless `whole` is NULL. False when rounding has made the matrix indefinite. */
bool qcqp_find_step(qcqp_point *x, qcqp_whole *whole);
/* Sets x->step.curve; x->normal.spread holds Q_t step from then on. */
void qcqp_find_curvature(qcqp_point *x);
/* The longest step, at most 1, that keeps everything nonnegative. */
double qcqp_longest_step(const qcqp_point *x);

/* Of the whole system alone. */
bool qcqp_whole_factorise(const qcqp_point *x, qcqp_whole *w);
void qcqp_whole_step(qcqp_point *x, qcqp_whole *w, double tau);
/* q_k in scaled terms. */
double qcqp_margin(const qcqp_point *x, size_t k);

#endif
