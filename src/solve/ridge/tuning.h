/* Numbers that decide how fast ridge problems are solved, and never what the answer is: that is
 * certified. All are exercised by the part of bench "classify" on dense classes.
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_RIDGE_TUNING_H
#define SOLVE_RIDGE_TUNING_H

/* Products with the Hessian for one step, each of two passes; steps of the search along it, of no
 * pass. Both are limits that rounding alone leads to. */
enum { MAX_CG = 500, LINE_STEPS = 50 };
/* Share of the slope at 0 at which a search along a step ends. Less: values of the loss that do not
 * matter to the next step; more: shorter steps. */
static const double SLOPE_SHARE = 1e-3;
/* Rows up to which steps go through the rows' products, n^2 of memory and n^3 / 3 of work a step
 * against passes over the data. */
enum { MAX_RIDGE_ROWS = 1024 };
/* Steps in a row that bring the gap to no less than this share of the least, before rounding is the
 * limit. */
enum { MAX_IDLE = 5 };
static const double WORTHWHILE = 0.9;
/* C times the squares of a feature from which on no answer is certified, so that none is tried. */
static const double MAX_STIFFNESS = 1e28;
/* What a step is solved to: the root of the share of the first gradient that is left, within these
 * limits. Greater: more steps; less: more products for each. */
static const double MOST_INEXACT = 0.1, LEAST_INEXACT = 1e-6;

/* Rows of a block of products of rows: both sides stay in the cache. */
enum { ROWS_BLOCK = 64 };
/* What the objective rounds to, as a share of it: a step may raise it by no more. And the decrease,
 * as a share of the null objective, that is progress although the gap does not show it. */
static const double ROUNDING = 1e-14, DECREASE = 1e-15;

#endif
