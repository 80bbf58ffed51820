/* Constants that affect how fast ridge problems are solved, never the answer, which is certified.
 * All are exercised by the part of bench "classify" on dense classes. scripts/bench tuning measures
 * the effect of halving and doubling each (docs/benchmarks.md). */
#ifndef SOLVE_RIDGE_TUNING_H
#define SOLVE_RIDGE_TUNING_H

/* Products with the Hessian for one step, each of two passes; steps of the search along it, of no
 * pass. Only rounding leads to these limits. */
enum { MAX_CG = 500, LINE_STEPS = 50 };
/* A search along a step ends when the slope falls to this fraction of that at 0. Less: evaluations
 * of the loss that do not matter to the next step; more: shorter steps. */
static const double SLOPE_SHARE = 1e-3;
/* Number of rows up to which steps use the rows' inner products: n^2 of memory and n^3 / 3 of work
 * for each step, against passes over the data. */
enum { MAX_RIDGE_ROWS = 1024 };
/* Consecutive steps that do not reduce the gap to the worthwhile fraction of its minimum before
 * rounding is taken to be the limit. */
enum { MAX_IDLE = 5 };
static const double WORTHWHILE = 0.9;
/* C times the squared norm of a feature above which no answer can be certified, so that none is
 * tried. A limit of rounding, about 1e-3 / eps^2: the gap is at best eps^2 times this of the
 * objective. On `synth fgm` (200 x 40) `ridge` reaches 1e-7 at 2e24 and ends above it from 2e26;
 * half and twice change no count. */
static const double MAX_STIFFNESS = 1e28;
/* Accuracy of a step: the square root of the remaining fraction of the first gradient, within these
 * limits. Greater: more steps; less: more products for each. */
static const double MOST_INEXACT = 0.1, LEAST_INEXACT = 1e-6;

/* Rows of a block of products of rows: both operands stay in the cache. */
enum { ROWS_BLOCK = 64 };
/* Relative rounding error of the objective: a step may raise it by no more. And the decrease, as a
 * fraction of the null objective, that counts as progress even if the gap does not show it. */
static const double ROUNDING = 1e-14, DECREASE = 1e-15;

#endif
