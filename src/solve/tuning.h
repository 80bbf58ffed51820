/* Constants of paths and of the loop around every method. They affect how fast answers are
 * certified, never whether: an answer whose certificate is above the tolerance is not converged.
 * Exercised by the bench parts "path" and "tall"; scripts/bench tuning measures the effect of
 * halving and doubling each (docs/benchmarks.md). */
#ifndef SOLVE_TUNING_H
#define SOLVE_TUNING_H

#include <float.h>
#include <stddef.h>

/* Points of a path certified in one pass: more of them share it, but one that fails discards more
 * (bench path). */
enum { MAX_BATCH = 8 };
/* Greatest size of their weights and products together, in doubles: 256 MB. */
static const size_t BATCH_SIZE = (size_t)1 << 25;
/* Entries of the data for each product that a batch keeps, so that these take at most an eighth of
 * the data's memory. Where columns have fewer entries a pass hardly costs more than its products:
 * sparse 100,000 x 1,000,000 with ten entries a column, 40 lambdas to 0.02: 2.3 s without batches,
 * 3.2 s with batches of 8 (lasso), 3.7 s and 4.1 s (l1logistic). */
enum { BATCH_ENTRIES = 8 };
/* Features from which the predictions of a batch, MAX_BATCH columns, are small compared with the
 * data. */
enum { PREDICTED_FROM = 64 };
/* Passes over the data that a point of the path costs without the normal equations: its
 * certificate shares one with others, and its features are added to the Gram cache. Dense 40,000
 * x 1,000, where 64 lambdas to 0.01 are just too few: 1.14 s for those without the sums, 0.95 s
 * for 72 with them. */
static const double PASSES_A_POINT = 0.5;
/* The cost of centring a copy of the data block by block, in passes. */
static const double PASSES_TO_COPY = 2;

/* A mean above this many standard deviations is far from zero. Below it a product loses two of its
 * 16 digits and a square four, which does not justify a copy of the column; at 1000, stochastic
 * dual coordinate ascent no longer converges (tests/property/test_shift.c solves on both sides). */
static const double FAR_MEAN = 100;

/* Fraction of the tolerance that rounding errors of the normal equations may use up. */
static const double ROUNDING_SHARE = 0.1;
/* A dual value above the primal one by more than this fraction of the null objective is more than
 * rounding error; and the relative rounding error of a certificate's values. */
static const double ABOVE_PRIMAL = 1e-9, VALUES_LOST = 16 * DBL_EPSILON;
/* A method whose certificate is above the tolerance is asked for this fraction of the gap, and of
 * that the next time. */
static const double RETRY_SHARE = 0.1;
enum { MAX_RETRIES = 3 };

/* Rounds of a reweighted problem before the last are solved to this fraction of the tolerance,
 * because the next factors depend on them. */
static const double BEFORE_SHARE = 0.01;
/* Seconds given to a round when none are left, since a limit of zero means no limit. */
static const double LEAST_SECONDS = 1e-9;
/* Steps of an unpenalised fit of the chosen features; only rounding leads to this limit. */
enum { MAX_DEBIAS_STEPS = 1000 };

#endif
