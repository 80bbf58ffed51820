/* Numbers that decide how fast structured kernel selection is solved, and never what the answer is:
 * that is certified. None has been measured yet: they are the values with which the tests' chains
 * of up to 700 features and small grids converge. */
#ifndef SOLVE_KERNEL_TUNING_H
#define SOLVE_KERNEL_TUNING_H

/* ---- interior point ------------------------------------------------------------------------ */

/* Steps at most; 15 to 30 are usual, so that these are reached by rounding alone. */
enum { MAX_STEPS = 100 };
/* Share of the way to the boundary that a step may take. More: fewer steps that may end near it. */
static const double BOUNDARY_SHARE = 0.995;
/* Residuals at the end, beside margins of 1 and values of Z of at most 1. */
static const double RESIDUAL = 1e-9;
/* What each step adds to the Hessian's diagonal: a connected part of the graph whose features all
 * have weights leaves constants almost free. It bends steps and not the answer, where they end. */
static const double PROXIMAL = 1e-9;
/* Factor of it, and trials, when rounding makes the matrix indefinite. */
static const double MORE_PROXIMAL = 100;
enum { MAX_TRIALS = 5 };

/* ---- working sets -------------------------------------------------------------------------- */

/* Features that join at once: at least so many, else as many as there are already. */
enum { LEAST_JOIN = 200 };
/* Share of lambda by which a feature may lie below it and still join with those above: with a graph
 * neighbours follow one another, a round for each step along it. */
static const double NEAR_LAMBDA = 0.5;
/* The sets' own target as a share of the whole one, and the factor when the set is complete. */
static const double SET_TARGET = 0.2, TIGHTER = 0.05;
/* The least target, as a share of the null objective. */
static const double LEAST_TARGET = 1e-14;

/* ---- dual averaging ------------------------------------------------------------------------ */

/* Passes over the samples between two looks at the gap, each about as much work as a pass. */
enum { LOOK_EVERY = 5 };

#endif
