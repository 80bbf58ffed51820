/* A smooth loss with a weighted ridge, over the cached columns:
 *
 *     min over w, b of  1/2 sum_k w_k^2 / d_k + C sum_i l(y_i, (Xw)_i + b),
 *     d_k >= 0, w_k = 0 where d_k = 0
 *
 * by Newton's method with conjugate gradients, for the squared hinge and the logistic loss. */
#ifndef SOLVE_FGM_RIDGE_H
#define SOLVE_FGM_RIDGE_H

#include "solve/fgm/fgm.h"

typedef struct fgm_ridge {
    size_t n, columns;
    double *u, *slope, *step, *r, *p, *hp; /* columns + 1, the last one for the intercept */
    double *roots;                         /* columns: square roots of d */
    double *z, *a, *h, *xp;                /* n; a: -l' at the answer, h: l'' */
} fgm_ridge;

void fgm_ridge_free(fgm_ridge *s);
typedef struct fgm_ridge_problem {
    fgm_inner *inner;
    cutting_plane *cp;
    const double *d; /* by cached column */
    double target;   /* for the gap of this problem */
} fgm_ridge_problem;

/* Starts from cp->weights and cp->intercept, which receive the answer; sets *value to its objective
 * and s->a to the dual variables. Ends when the gap is at most the target or the run must stop. */
tm_status fgm_ridge_solve(fgm_ridge *s, const fgm_ridge_problem *problem, double *value,
                          solve_progress *progress, tm_error *err);

#endif
