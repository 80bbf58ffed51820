/* What primal-dual interior point methods for small problems share: the step to the boundary, the
 * centring, and the factor of the normal equations. */
#ifndef SOLVE_COMMON_INTERIOR_POINT_H
#define SOLVE_COMMON_INTERIOR_POINT_H

#include <stdbool.h>
#include <stddef.h>

/* `length`, or as much of it as keeps value + length step at zero or above. */
static inline double step_within(double length, double value, double step)
{
    return value + length * step < 0 ? -value / step : length;
}

/* Variables and their multipliers, all above zero, whose products go to zero together. */
typedef struct pairs {
    const double *values, *steps;                 /* count */
    const double *multipliers, *multiplier_steps; /* count */
    size_t count;
} pairs;

/* `length`, or as much of it as keeps all of them at zero or above. */
double pairs_longest(double length, const pairs *p);
/* `sum`, and the products after a step of this length added to it. */
double pairs_products(double sum, double length, const pairs *p);

/* The share of the mean product `now` that the next step is to lead to, where a step straight to
 * zero would leave `after` (Mehrotra's rule). */
double centring_share(double now, double after);

/* The lower triangle of a symmetric matrix (n x n, by columns) becomes its Cholesky factor; false
 * when rounding has made it indefinite. */
bool normal_factorise(double *matrix, size_t n);
/* Solves for the right side, which becomes the solution. */
void normal_solve(const double *factor, size_t n, double *right);

#endif
