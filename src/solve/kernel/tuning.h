/* Constants that affect how fast structured kernel selection is solved, never the answer, which is
 * certified. scripts/bench tuning measures the effect of halving and doubling each on chains, a
 * grid, genes and 3,000 features (docs/benchmarks.md); the figures below are the greatest changes
 * of its column products (columns) and of its steps, each counted by its features (updates). */
#ifndef SOLVE_KERNEL_TUNING_H
#define SOLVE_KERNEL_TUNING_H

/* ---- interior point ------------------------------------------------------------------------ */

/* Residuals at the end, relative to margins of 1 and values of Z of at most 1. Less: more steps, 3
 * % at a tenth; ten times as much changes no count. */
static const double RESIDUAL = 1e-9;
/* Added to the diagonal of the Hessian in each step: when all features of a connected component of
 * the graph have weights, constants along it are almost unpenalised. A limit of rounding: it
 * changes the steps, not the point they converge to. 0 and 1e-7 change no count, 1e-5 changes 7 %
 * of the updates. */
static const double PROXIMAL = 1e-9;

/* ---- working sets -------------------------------------------------------------------------- */

/* Features added at once: at least this many, otherwise as many as the set has already. Fewer: more
 * rounds (15 % more columns where features follow one another along a graph); more: larger small
 * problems (122 % more updates on genes, whose answer has few features). */
enum { LEAST_JOIN = 200 };
/* A feature may be added along with those above lambda when its product is less than this fraction
 * of lambda below it: with a graph, neighbours would otherwise follow one by one, a round for each.
 * 0.25 takes 15 % more columns where differences cost much, 0.75 24 % more on a grid.
 */
static const double NEAR_LAMBDA = 0.5;
/* The sets' own target as a fraction of the whole one, and the factor applied when the set is
 * complete. Half the first takes up to 5 % fewer columns and twice 22 % more, of the second half 7
 * % fewer and twice 8 % more: less is left for the features outside. */
static const double SET_TARGET = 0.2, TIGHTER = 0.05;
/* The least target, as a fraction of the null objective: what rounding allows. A tenth and ten
 * times as much change no count. */
static const double LEAST_TARGET = 1e-14;

/* ---- dual averaging ------------------------------------------------------------------------ */

/* Passes over the samples between two evaluations of the gap, each of which costs about as much as
 * a pass. Fewer: more evaluations; more: passes beyond the gap that was asked for (33 % more
 * updates at twice, 20 % fewer at 2, whose evaluations cost more than that). */
enum { LOOK_EVERY = 5 };

#endif
