/* Along a path the answer at the next lambda is extrapolated from the last two: between two changes
 * of the support, and of the rows within the margin, weights of the squared hinge are linear in
 * lambda, and those of other losses nearly so. */
#ifndef SOLVE_L1_STRATEGY_EXTRAPOLATE_H
#define SOLVE_L1_STRATEGY_EXTRAPOLATE_H

#include "solve/l1/core/state.h"

/* The nonzero weights of an answer: an array of all p would be resident for each column. */
typedef struct l1_answer {
    size_t count;
    size_t *features; /* count, rising */
    double *w;        /* count */
} l1_answer;

typedef struct l1_line {
    l1_answer before;     /* the answer before the last */
    double lambda;        /* its lambda */
    double answer_lambda; /* that of the last answer, 0: none */
} l1_line;

/* For a loss that is not quadratic, when a lambda begins: moves the weights to those expected at
 * s->penalty.lambda, if that lowers the objective. Weights stop at zero. Predictions match the
 * weights afterwards. TM_ENOMEM. */
tm_status l1_line_extrapolate(l1_line *line, l1_state *s, tm_error *err);
void l1_line_clear(l1_line *line);

#endif
