/* Finds the step length along a direction that a model of the objective proposes. */
#ifndef SOLVE_COMMON_LINE_SEARCH_H
#define SOLVE_COMMON_LINE_SEARCH_H

#include <stdbool.h>

/* Steps in a row that were accepted without sufficient decrease because rounding hides it, and the
 * least change predicted for one of those that count as progress. Zeros at first. */
typedef struct unproven_steps {
    int count;
    double least;
} unproven_steps;

typedef struct line_search {
    double (*objective)(double t, void *payload); /* the objective after a step of length t */
    void *payload;
    double here;      /* the objective at 0 */
    double predicted; /* the change predicted for a whole step, to first order in t; negative */
    /* Steps whose decrease rounding hides are accepted up to a number, which begins again when the
     * predicted change falls: the objective is flat there, but the dual variables still gain
     * digits. NULL: no such step is accepted, and every step has to lower the objective. */
    unproven_steps *unproven;
} line_search;

/* The first of 1, 1/2, 1/4, ... that gives sufficient decrease, or 0 when none does. Sets *reached
 * to the objective at the last point evaluated. */
double line_search_halve(const line_search *q, double *reached);

#endif
