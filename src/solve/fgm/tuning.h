/* Numbers that decide how fast FGM's problems are solved, and never what the answer is: that is
 * certified. Those of the engine and of `support`, the master that `auto` takes, are exercised by
 * the bench parts "fgm" and "fgm_size", those of the others by the part of "fgm" on masters.
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_FGM_TUNING_H
#define SOLVE_FGM_TUNING_H

/* Share of the gap below which no master problem is asked for, and what a share falls to where only
 * a better solution of the master can help. Less: iterations beyond what the planes are worth. */
static const double INNER_LEAST = 1e-4, INNER_FALL = 0.1;

/* What losses and quadratic models round to, as a share: differences below it tell nothing. */
static const double ROUNDING = 1e-13;
/* Growth of the curvature where a step was too long, and what it falls to after one that was not.
 * Less caution: more steps are tried twice. */
static const double TAU_GROWTH = 2, TAU_FALL = 0.9;
/* `apg` begins with this curvature a row and unit of C (FGM section 5.2, which has it). */
static const double FIRST_TAU = 0.01;
/* Steps in a row that change the objective by no more than rounding, while the gap, which is more
 * sensitive, does not fall, to this share of the least, either. */
enum { MAX_FLAT = 200 };
static const double WORTHWHILE = 0.9;

/* Newton steps of a ridge problem, and products with the Hessian for each: limits that rounding
 * alone leads to. */
enum { MAX_RIDGE_NEWTON = 200, MAX_CG = 500 };
/* What a Newton step is solved to, as a share of the square of the slope, at most; what rounding
 * leaves of that square; and the slope of the intercept, a row and unit of C, that is zero. */
static const double CG_SHARE = 0.01, CG_ROUNDING = 1e-28, CENTRED = 1e-9;

/* `simplemkl`: descents, ridge problems of one line search, and the share of the step at which it
 * ends. */
enum { MAX_DESCENTS = 10000, MAX_GOLDEN = 30 };
static const double GOLDEN_WIDTH = 1e-3;
/* Share of the target to which its ridge problems are solved, and what that falls to, by
 * INNER_FALL, where their values are not exact enough to tell. */
static const double RIDGE_SHARE = 0.1, RIDGE_LEAST = 1e-6;

/* `scd` (MSLR section IV). q begins where MSLR has it, and grows by Q_GROWTH where the smoothing
 * has the greater part in the gap. Growing faster, or decreasing where it has a small part, brought
 * no gap in fewer passes. */
static const double Q_GROWTH = 5.0 / 3, FIRST_Q = 0.01;
/* Steps of a root, the share of it that is near enough, because the next pass moves it again, and
 * passes that do not lower the gap to the worthwhile share of what it was before the master ends.
 */
enum { MAX_ROOT_STEPS = 100, MAX_IDLE = 200 };
static const double ROOT_WIDTH = 1e-6;
/* How near alpha / C begins to 0 and 1, where the entropy's slope is not finite. */
static const double FIRST_SHARE = 1e-12;

/* What the Hessian of a ridge problem has for the intercept when no row has curvature, as a share
 * of the step; a first curvature that is not zero; and how near alpha / C comes to 0 and to 1 in
 * `scd`, which keeps the entropy's slope finite. */
static const double INTERCEPT_RIDGE = 1e-12, LEAST_TAU = 1e-300;
static const double LEAST_ALPHA = 1e-300, MOST_ALPHA = 1 - 1e-16;

#endif
