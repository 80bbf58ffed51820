/* Numbers that decide how fast structured problems are solved, and never what the answer is: that
 * is certified.
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_STRUCTURE_TUNING_H
#define SOLVE_STRUCTURE_TUNING_H

/* ---- interior point -------------------------------------------------------------------------- */

/* Steps at most; about 20 are usual, so that these are reached by rounding alone. */
enum { MAX_NEWTON = 100, MAX_HALVINGS = 12 };
/* Share of the way to the boundary that a step may take. More: fewer steps that may end near it. */
static const double BOUNDARY_SHARE = 0.995;
/* Slope left at the end, as a share of the greatest that was met. */
static const double SLOPE_LEFT = 1e-12;
/* By which share of its length a step must reduce the slope of a loss that is no square, and which
 * share of the gap the slope may cost all the same. */
static const double SLOPE_FALL = 1e-3, SLOPE_SHARE = 1e-2;
/* What is added to the diagonal of normal equations that rounding makes indefinite, as a share of
 * it: first, and times 100 with each of so many further trials. */
static const double MIN_SHIFT = 1e-14;
enum { MAX_SHIFTS = 5 };
/* Least distance from 0 that the parts of d_k'c begin with. */
static const double MIN_ROOM = 1e-8;

/* Features at most of terms that are no edges: p^2 of memory and p^3 / 3 of work a step. */
enum { MAX_WIDTH = 3000 };
/* lambda_max of such terms: the first lambda as a share of the greatest product, and the share by
 * which it must grow for the search to go on. */
static const double FIRST_RATIO = 1e-3, SAME_RATIO = 1e-11;

/* Columns are taken as they are when the greatest is at most this power of two from 1: within it
 * the slopes of weights and intercept share their digits. */
enum { NEAR_ONE = 20 };

/* ---- the null model -------------------------------------------------------------------------- */

/* A loss below this share of that without a model is a perfect fit. */
static const double PERFECT_FIT = 1e-14;

/* ---- screening ------------------------------------------------------------------------------- */

/* Terms are proven zero when their bounds are this share below lambda: rounding of the bounds. */
static const double SAFE_SHARE = 1e-6;
/* Rounds of propagation, and the share by which an interval must become narrower for another one.
 * More rounds: bounds that hardly move, each for a pass over the edges. */
enum { MAX_PROPAGATION = 20 };
static const double LEAST_NARROWING = 1e-3;
/* Share of the features that may be left for a smaller problem to pay for its columns. */
static const double MOST_LEFT = 0.7;

/* ---- cut pursuit ----------------------------------------------------------------------------- */

/* Share of the wanted gap that the small problems are solved to. Less: steps of the interior point
 * method that the certificate cannot see. */
static const double INNER_SHARE = 0.01;
/* When no component splits and the gap is above the target the share goes down by this factor, as
 * far as this. */
static const double TIGHTER = 0.01, LEAST_SHARE = 1e-7;
/* Levels of neighbours are one when their difference, as a share of the greatest level, is less
 * than this times the slack of the multiplier between them, as a share of its bound. */
static const double MERGE_RATIO = 1e-3;
/* Amounts of flow below this share of the greatest supply or capacity are rounding. */
static const double SMALL_FLOW = 1e-14;
/* Share by which lambda_max must grow for the search to go on: beyond that it is rounding. */
static const double SAME_LAMBDA = 1e-13;
/* Rounds at most: each splits components or ends the solve. */
enum { MAX_ROUNDS = 500 };

#endif
