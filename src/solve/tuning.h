/* Numbers of paths and of the loop around every method. They decide how fast answers are certified,
 * and never whether: a certificate above the tolerance is not converged. Exercised by the bench
 * parts "path" and "tall"; scripts/bench tuning tells what half and twice of each moves
 * (docs/benchmarks.md). */
#ifndef SOLVE_TUNING_H
#define SOLVE_TUNING_H

#include <float.h>
#include <stddef.h>

/* Points of a path certified in one pass: more share it, but one that fails throws more away (bench
 * path). */
enum { MAX_BATCH = 8 };
/* Their weights and products together, in doubles: 256 MB. */
static const size_t BATCH_SIZE = (size_t)1 << 25;
/* Passes over the data that a point of the path costs without the normal equations: its certificate
 * shares one with others, and its features join the Gram cache. Dense 40,000 x 1,000, where 64
 * lambdas to 0.01 are just too few: 1.14 s for those without the sums, 0.95 s for 72 with them. */
static const double PASSES_A_POINT = 0.5;
/* Passes in the time of centring a copy of the data block by block. */
static const double PASSES_TO_COPY = 2;

/* Means above this many deviations are far from zero. Below it a product loses two of its 16 digits
 * and a square four, and a copy of the column is not worth while; at 1000, stochastic dual
 * coordinate ascent no longer converges (tests/property/test_shift.c solves on both sides). */
static const double FAR_MEAN = 100;

/* Share of the tolerance that rounding of the normal equations may take. */
static const double ROUNDING_SHARE = 0.1;
/* A dual value above the primal by more than this share of the null objective is more than
 * rounding; and what the values of a certificate round to. */
static const double ABOVE_PRIMAL = 1e-9, VALUES_LOST = 16 * DBL_EPSILON;
/* A method whose certificate is above the tolerance is asked for this share of the gap, and of that
 * the next time. */
static const double RETRY_SHARE = 0.1;
enum { MAX_RETRIES = 3 };

/* Rounds of a reweighted problem before the last are solved to this share of the tolerance: the
 * next factors depend on them. */
static const double BEFORE_SHARE = 0.01;
/* Seconds that a round is given when none are left: a limit of zero is none. */
static const double LEAST_SECONDS = 1e-9;
/* Steps of a fit of the chosen features without a penalty: a limit that rounding alone leads to. */
enum { MAX_DEBIAS_STEPS = 1000 };

#endif
