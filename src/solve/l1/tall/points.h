/* The lambdas that are solved together, and what is known of their gaps. */
#ifndef SOLVE_L1_TALL_POINTS_H
#define SOLVE_L1_TALL_POINTS_H

#include "solve/l1/tall/pass.h"

/* A point of the path. Arrays have p entries. */
typedef struct tall_lambda {
    double lambda;
    double *w, *before; /* at the last evaluation accepted before the step: `before` */
    double b, b_before;
    double *moved, *change;             /* the last step, and what it took from the products */
    double *products, *trial;           /* centred, at `before`; as the pass computes them, at w */
    double objective, left, total, gap; /* at `before` */
    double rate;                        /* of the gap by the last step; INFINITY: not known */
    long epochs;
    bool done, waiting; /* done: evaluated to be, or expected to be; waiting: a halved step is
                           evaluated before the next one */
} tall_lambda;

/* What their values are computed with. */
typedef struct tall_terms {
    const l1_state *s;
    const tall_model *model; /* the newest */
    const size_t *set;       /* count: the features that may have a weight */
    size_t count;
    double *scratch; /* p */
    bool alone;      /* there is one lambda */
} tall_terms;

/* The penalty without its squared part; and that, which is like rows of the data. */
double points_penalty(const tall_terms *q, const tall_lambda *d);
double points_squares(const tall_terms *q, const tall_lambda *d);
/* An estimate of the gap, from the products and sums of the point. */
double points_gap(const tall_terms *q, const tall_lambda *d);

#endif
