/* The l1 problem on a small set of features, with their Gram matrix; see gram_solver.h. */
#ifndef SOLVE_L1_GRAM_GRAM_PROBLEM_H
#define SOLVE_L1_GRAM_GRAM_PROBLEM_H

#include "solve/common/progress.h"

typedef struct gram_factor gram_factor;

typedef struct gram_problem {
    size_t count, capacity; /* G is count x count, column-major with leading dimension capacity */
    const double *products; /* the Gram matrix G */
    const double *linear, *factors;      /* count */
    const double *ridge, *lower, *upper; /* count; NULL: none */
    double constant, lambda;
    const size_t *set; /* places of the features that may be nonzero, among 0 .. count-1 */
    size_t set_count;
    double *w;           /* count: the starting point, then the answer; 0 outside the set */
    gram_factor *factor; /* kept from a problem near this one, so that the starting point's signs
                          * are expected to be right but for a few; NULL: there is none */
    solve_progress *progress;
    long epochs, max_epochs; /* incremented; their limit */
    long rounds;             /* at most this many rounds of epochs and Newton steps; 0: no limit */
    double work;             /* multiply-adds of Newton steps; their budget; 0: no limit */
    bool exceeded;           /* ended because of the budget */
} gram_problem;

#endif
