/* Shared by the primal-dual interior point methods for small problems: the step to the boundary,
 * the centring parameter, and the Cholesky factor of the normal equations. */
#ifndef SOLVE_COMMON_INTERIOR_POINT_H
#define SOLVE_COMMON_INTERIOR_POINT_H

#include <stdbool.h>
#include <stddef.h>

/* The largest length, at most `length`, for which value + length * step stays nonnegative. */
static inline double step_within(double length, double value, double step)
{
    return value + length * step < 0 ? -value / step : length;
}

/* Positive variables and their positive multipliers, whose products are driven to zero together. */
typedef struct pairs {
    const double *values, *steps;                 /* count */
    const double *multipliers, *multiplier_steps; /* count */
    size_t count;
} pairs;

/* The largest length, at most `length`, that keeps all values and multipliers nonnegative. */
double pairs_longest(double length, const pairs *p);
/* `sum` plus the products of values and multipliers after a step of this length. */
double pairs_products(double sum, double length, const pairs *p);

/* Mehrotra's centring parameter: the fraction of the mean product `now` that the next step aims at,
 * given that the pure Newton step (towards zero) would leave `after`. */
double centring_share(double now, double after);

/* Overwrites the lower triangle of a symmetric matrix (n x n, column-major) with its Cholesky
 * factor; false when rounding has made it indefinite. */
bool normal_factorise(double *matrix, size_t n);
/* Overwrites the right-hand side with the solution. */
void normal_solve(const double *factor, size_t n, double *right);

#endif
