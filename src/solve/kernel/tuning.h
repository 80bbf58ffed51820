/* Constants that affect how fast structured kernel selection is solved, never the answer, which is
 * certified. None has been measured yet: with these values the tests' chains of up to 700 features
 * and small grids converge. */
#ifndef SOLVE_KERNEL_TUNING_H
#define SOLVE_KERNEL_TUNING_H

/* ---- interior point ------------------------------------------------------------------------ */

/* Greatest number of steps; 15 to 30 are typical, so that only rounding leads to this limit. */
enum { MAX_STEPS = 100 };
/* Fraction of the distance to the boundary that a step may cover. More: fewer steps, which may end
 * near the boundary. */
static const double BOUNDARY_SHARE = 0.995;
/* Residuals at the end, relative to margins of 1 and values of Z of at most 1. */
static const double RESIDUAL = 1e-9;
/* Added to the diagonal of the Hessian in each step: when all features of a connected component of
 * the graph have weights, constants along it are almost unpenalised. It changes the steps, not the
 * point they converge to. */
static const double PROXIMAL = 1e-9;
/* The factor by which it grows when rounding makes the matrix indefinite, and the number of
 * attempts. */
static const double MORE_PROXIMAL = 100;
enum { MAX_TRIALS = 5 };

/* ---- working sets -------------------------------------------------------------------------- */

/* Features added at once: at least this many, otherwise as many as the set has already. */
enum { LEAST_JOIN = 200 };
/* A feature may be added along with those above lambda when its product is above this fraction of
 * lambda: with a graph, neighbours would otherwise follow one by one, a round for each. */
static const double NEAR_LAMBDA = 0.5;
/* The sets' own target as a fraction of the whole one, and the factor applied when the set is
 * complete. */
static const double SET_TARGET = 0.2, TIGHTER = 0.05;
/* The least target, as a fraction of the null objective. */
static const double LEAST_TARGET = 1e-14;

/* ---- dual averaging ------------------------------------------------------------------------ */

/* Passes over the samples between two evaluations of the gap, each of which costs about as much as
 * a pass. */
enum { LOOK_EVERY = 5 };

#endif
