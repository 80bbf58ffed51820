/* The step length along a direction that a model of the objective proposes. */
#ifndef SOLVE_COMMON_LINE_SEARCH_H
#define SOLVE_COMMON_LINE_SEARCH_H

#include <stdbool.h>

typedef struct line_search {
    double (*objective)(double t, void *payload); /* after a step of length t */
    void *payload;
    double here;      /* the objective at 0 */
    double predicted; /* its change by a whole step, to first order in t: negative */
    /* Steps in a row accepted without sufficient decrease because rounding hides it: the objective
     * is flat there, but the dual variables still gain digits. NULL: none is accepted, and any step
     * has to lower the objective. */
    int *unproven;
} line_search;

/* The first of 1, 1/2, 1/4, ... with sufficient decrease; 0: there is none. *reached becomes the
 * objective where the search has ended. */
double line_search_halve(const line_search *q, double *reached);

#endif
