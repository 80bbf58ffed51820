/* Newton steps with fixed signs: a quadratic is minimised over the nonzero weights, keeping their
 * signs, by conjugate gradients. A product with its matrix takes two passes over the support's
 * columns, so that the matrix is never formed: for many short columns this costs far less than
 * computing or factorising it. Short columns are copied for that (support_copy.h). Shared by
 * newton_signs.c and by_columns.c. */
#ifndef SOLVE_L1_CORE_SIGNS_H
#define SOLVE_L1_CORE_SIGNS_H

#include "solve/l1/core/state.h"
#include "solve/l1/core/support_copy.h"

/* The matrix is X_S' diag(h) X_S + diag(ridge) on the support S, of columns minus their weighted
 * means when there is an intercept. */
typedef struct signs {
    size_t *support, count;  /* features with a nonzero weight; at most the active ones */
    double *before;          /* count: their weights */
    double *d;               /* count: the direction */
    double *rest;            /* count: the negative gradient; then what is left of it */
    double *square, *ridge;  /* count: the matrix's diagonal, its preconditioner; see above */
    const double *h;         /* n, or NULL: all 1 */
    const double *means;     /* p, or NULL: columns are not centred */
    double total;            /* the sum of h */
    double slope;            /* the change of the objective along d, to first order */
    double *along, *product; /* count: scratch */
    double *v;               /* n: scratch */
    support_copy copy;       /* of the support's columns, if `copied`, while solving */
    bool copied;
    uint64_t work; /* multiply-adds so far */
} signs;

/* Space for the present active set; h, means and total are the caller's. False when memory ran out.
 */
bool signs_new(signs *q, const l1_state *s);
void signs_free(signs *q);

/* Adds an active feature to the support: its present weight, the diagonal's entry and what of it is
 * a ridge, and the product x_j'r that its gradient follows from. */
void signs_add(signs *q, const l1_state *s, size_t j, double square, double ridge);
/* Computes d, until what is left of the right-hand side is at most `share` of it. TM_ENOMEM. */
tm_status signs_solve(signs *q, const l1_state *s, double share, solve_progress *progress,
                      tm_error *err);
/* The weight of entry k of the support after a step of length t, which stops at zero: the path
 * bends there. A straight one, to the weights that the whole step leaves, allows far shorter steps
 * when many change their sign: with nearly as many features as rows, setting these to zero alone
 * raises the objective. */
double signs_weight(const signs *q, size_t k, double t);
/* Whether the step that s has taken has changed no sign. */
bool signs_kept(const signs *q, const l1_state *s);

#endif
