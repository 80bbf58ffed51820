/* The state of the problem on a set of features while it is solved. */
#ifndef SOLVE_L1_GRAM_GRAM_SET_H
#define SOLVE_L1_GRAM_GRAM_SET_H

#include "solve/l1/gram/gram_problem.h"

#include <lapacke.h>

struct gram_factor {
    double *matrix;  /* leading x leading, column-major: its lower triangle */
    size_t *support; /* leading: places, in the order of the matrix */
    size_t leading;  /* the capacity */
    size_t count;    /* how many features of the support are factorised; 0: there is no factor */
};

typedef struct set_problem {
    gram_problem *p;
    double *w;           /* p->w */
    double *gradient;    /* count: linear - G w */
    bool current;        /* the gradient is that of w, but for the rounding of a few changes */
    double *kept;        /* count: w before the Newton steps */
    gram_factor *factor; /* p->factor, or one of its own */
    double *right;       /* the Newton system's right-hand side and solution */
    double *asked;       /* the right-hand side while the solution is tried */
    double *trial;       /* the changes of the solution by a projected step */
    size_t *spare;       /* places, while the factor's order changes */
    bool *held;          /* count: is in the factor; false between uses */
    lapack_int *order;   /* the factorisation's pivots, from 1 */
    double *pivoting;    /* twice as many: its scratch */
    bool dependent;      /* columns of a support have been dependent */
    long steps_most;     /* limit on consecutive Newton steps */
    double worked;       /* multiply-adds of all Newton steps */
} set_problem;

static inline const double *gram_set_column(const set_problem *q, size_t k)
{
    return q->p->products + k * q->p->capacity;
}

static inline double gram_set_square(const set_problem *q, size_t k)
{
    return gram_set_column(q, k)[k] + (q->p->ridge ? q->p->ridge[k] : 0);
}

/* Whether the weight is at a limit other than 0. */
static inline bool gram_set_at_limit(const set_problem *q, size_t k)
{
    return q->p->lower && q->w[k] != 0 && (q->w[k] == q->p->lower[k] || q->w[k] == q->p->upper[k]);
}

/* Whether Newton steps change the weight: it is not 0, or its feature is unpenalised. */
static inline bool gram_set_moves(const set_problem *q, size_t k)
{
    return q->w[k] != 0 ? !gram_set_at_limit(q, k) : q->p->factors[k] == 0 && !q->p->lower;
}

/* Counts the features that Newton steps change. */
size_t gram_set_moving(const set_problem *q);
/* Recomputes the gradient from the weights. */
void gram_set_find_gradient(set_problem *q);
/* Removals of dependent columns are not counted as steps: with such columns no other is possible.
 */
void gram_set_newton_steps(set_problem *q);

#endif
