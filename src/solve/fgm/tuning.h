/* Constants that affect how fast FGM's problems are solved, never the answer, which is certified.
 * Those of the engine and of `support`, the solver that `auto` uses, are exercised by the bench
 * parts "fgm" and "fgm_size", those of the other solvers of the master problem by their part of
 * "fgm". scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef SOLVE_FGM_TUNING_H
#define SOLVE_FGM_TUNING_H

/* The least fraction of the gap to which a master problem is solved, and the factor applied to that
 * fraction when only a more accurate solution can help. Less: iterations beyond the accuracy of the
 * planes. */
static const double INNER_LEAST = 1e-4, INNER_FALL = 0.1;

/* Relative rounding error of losses and quadratic models: smaller differences carry no
 * information. */
static const double ROUNDING = 1e-13;
/* The factor by which the curvature grows when a step was too long, and shrinks after one that was
 * not. Less caution: more steps are tried twice. */
static const double TAU_GROWTH = 2, TAU_FALL = 0.9;
/* The initial curvature of `apg` for each row and unit of C (FGM section 5.2). */
static const double FIRST_TAU = 0.01;
/* Steps in a row that change the objective by no more than rounding while the gap, which is more
 * sensitive, does not decrease to this fraction of its minimum. */
enum { MAX_FLAT = 200 };
static const double WORTHWHILE = 0.9;

/* Newton steps of a ridge problem, and Hessian products of each step: limits that are reached only
 * because of rounding. */
enum { MAX_RIDGE_NEWTON = 200, MAX_CG = 500 };
/* The greatest relative accuracy (of the squared gradient) to which a Newton step is solved; the
 * relative rounding error of that square; and the gradient of the intercept, for each row and unit
 * of C, that counts as zero. */
static const double CG_SHARE = 0.01, CG_ROUNDING = 1e-28, CENTRED = 1e-9;

/* `simplemkl`: descents, ridge problems in one line search, and the relative width of the interval
 * at which it ends. */
enum { MAX_DESCENTS = 10000, MAX_GOLDEN = 30 };
static const double GOLDEN_WIDTH = 1e-3;
/* The fraction of the target to which its ridge problems are solved, and its minimum when it is
 * lowered, by INNER_FALL, because their values are too inaccurate to compare. */
static const double RIDGE_SHARE = 0.1, RIDGE_LEAST = 1e-6;

/* `scd` (MSLR section IV). q starts at MSLR's value and is multiplied by Q_GROWTH when the
 * smoothing contributes the greater part of the gap. Faster growth, or lowering q when it
 * contributes little, reached no gap in fewer passes. */
static const double Q_GROWTH = 5.0 / 3, FIRST_Q = 0.01;
/* Iterations of a root search; the relative accuracy of the root, which need not be high because
 * the next pass moves it again; and the passes without a worthwhile decrease of the gap after which
 * the solver ends. */
enum { MAX_ROOT_STEPS = 100, MAX_IDLE = 200 };
static const double ROOT_WIDTH = 1e-6;
/* The initial distance of alpha / C from 0 and 1, where the entropy's derivative is infinite. */
static const double FIRST_SHARE = 1e-12;

/* What is added to the intercept's diagonal of a ridge problem's Hessian when no row has curvature;
 * the least initial curvature, so that it is not zero; and the least distance of alpha / C from 0
 * and 1 in `scd`, which keeps the entropy's derivative finite. */
static const double INTERCEPT_RIDGE = 1e-12, LEAST_TAU = 1e-300;
static const double LEAST_ALPHA = 1e-300, MOST_ALPHA = 1 - 1e-16;

#endif
