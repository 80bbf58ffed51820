/* The numbers that trade work of the l1 methods, with their units and the parts of scripts/bench in
 * which they show (docs/benchmarks.md). What bounds rounding is in the last section: no measurement
 * can raise it.
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_L1_CORE_TUNING_H
#define SOLVE_L1_CORE_TUNING_H

/* ---- the solver in the space of a Gram matrix (gram_solver.c): path, single -------------------
 */

enum {
    /* Epochs before Newton steps: where signs are still far from right, epochs find them faster. */
    GRAM_EPOCHS = 5,
    /* Features for which there is one epoch more: a factorisation costs more the more there are. */
    GRAM_FEATURES_AN_EPOCH = 100,
    /* Newton steps in a row in the first round. Each round may take twice as many, up to the
     * second number: of nearly dependent columns rounds do not end otherwise. */
    GRAM_STEPS = 8,
    GRAM_MAX_STEPS = 1024,
    /* Features: above it a factorisation costs more than epochs. */
    GRAM_MAX_NEWTON = 3000
};
/* Share of the first epoch's greatest change at which epochs end: Newton steps do the rest. */
static const double GRAM_EPOCH_CHANGE = 1e-3;
/* Multiply-adds of Newton steps with limits. A step ends at the first weight that reaches one;
 * where a set has about as many features as there are rows, hundreds of such steps go by, and
 * epochs over all features do better. weighted. */
static const double GRAM_LIMITED_WORK = 5e9;
/* Share of |x_j| |y| that the product of a feature without penalty may have on the side where no
 * limit holds it, in a set with limits. Safety margin, not speed: far above the rounding of
 * products, and the last of it is fitted away before the certificate. */
static const double GRAM_FREE_PRODUCT = 1e-9;

/* ---- losses that are not quadratic (newton*.c): classify, classdense, classpaths, logistic ----
 */

/* Share of the first epoch's greatest change at which epochs on a model end: a more exact answer to
 * an inexact model is of no use. */
static const double MODEL_CHANGE = 0.02;
/* Epochs and Newton steps in turn on one model of the Hessian: there is a new model before the old
 * one is worth solving to the last digit. */
enum { MODEL_ROUNDS = 1 };
/* Growth of the steps beyond 1 that are tried, and their limit: each costs one objective, and
 * spares whole models where a feature nearly separates its rows. */
static const double LONGER = 1.5, LONGEST = 8;
/* The prediction that one step of one feature may move at most: beyond it the second-order model
 * says little. */
static const double MAX_PREDICTION_STEP = 2;
/* Passes over features that have just joined, one by one, before all are fitted together: they find
 * the size of their weights at the price of their rows. */
enum { FIRST_PASSES = 2 };
/* Epochs of a sweep that a step with fixed signs follows. */
enum { BETWEEN_STEPS = 4 };
/* Share of the right side at which conjugate gradients end, and products at most. */
static const double CG_SHARE = 1e-2;
enum { MAX_CG = 100 };

/* When the Hessian of a working set is made (newton_set.c): at once where it costs at most so many
 * epochs; else after a number of sweeps and one more for so many features; never above so many
 * features. */
enum { HESSIAN_EPOCHS = 80, SWEEPS_FIRST = 12, SWEEPS_SHARE = 4, MAX_EXACT = 2500 };
/* Multiply-adds of a column product in the time of: one of the Hessian's passes over itself, for
 * each entry; coming to another column. And those of a factorisation in the time of one. */
static const double COPIES = 4, VISIT = 16, FACTOR_SPEED = 48;
/* Exact steps in a row that leave the least gap where it was: rounding is the limit then, or kinks
 * of the loss allow no more than tiny steps along directions that change all weights at once.
 * Sweeps, at most so many, which change one weight after the other, get past those. */
enum { MAX_IDLE_STEPS = 20, SWEEPS_LAST = 300 };
/* A gap below this share of the least so far counts as progress. */
static const double FASTER = 0.9;

/* ---- `auto` (auto.c): path, single, classify, classpaths, growth ------------------------------
 */

/* Share of the target to which a set is solved, by sweeps and Newton steps, and by its Gram matrix:
 * the rest is left to rounding, and to the next lambdas, which begin where this one ends. The Gram
 * matrix makes accuracy cheap: 0.9 there costs 14 % more column products on a path of 500 x 20,000
 * to lambda_max / 100, and saves less than 1 % of the updates. */
static const double SET_SHARE = 0.9, GRAM_SET_SHARE = 0.3;
/* Sets above so many features, of which less than this share has a weight, are cut back to those:
 * each feature more has a price in every Hessian, each that has to return costs a round. */
enum { PRUNE_ABOVE = 500 };
static const double NEEDED = 0.6;
/* Share of the whole problem's gap below which sweeps do not go: features that are still missing
 * would undo the digits. */
static const double SWEEP_SHARE = 0.3;
/* Fewer than this share of a set that have joined it are taken for the last. */
static const double FEW_JOINED = 0.1;
/* Features beyond the support (times the first number) that may join in one round: most are soon
 * found not to be needed. */
enum { JOIN_FACTOR = 2, JOIN_MORE = 20 };
/* Features beyond the support that the strong rule may expect; more are chosen by their scores. */
enum { STRONG_MORE = 100 };
/* Share of the first features that is chosen to make up for an intercept that is not fitted. */
static const double FOR_INTERCEPT = 0.35;
/* Share of the last lambda below which intermediate lambdas are solved, each about that share of
 * the one before, to this share of the null objective, which itself shrinks with lambda. single. */
static const double FAR = 0.5, LAMBDA_STEP = 0.6, INTERMEDIATE_GAP = 1e-3;
/* Where no more features than these can have a weight, wrong ones cost less than intermediate
 * lambdas, of which there are at most so many: further down sets hardly change. single. */
enum { FEW_FEATURES = 200, MAX_INTERMEDIATE = 20 };
/* Share of lambda to which the next lambda is supposed to fall at least. */
static const double LEAST_STEP = 0.5;

/* ---- other strategies: growth, squared, logistic, paths ---------------------------------------
 */

/* Share of the last target to which `strong`, `hessian`, `blitz` and `ws` solve a set that lacks
 * nothing, or whose last round did not lower the gap. tuning: half, twice and 1 move no count; a
 * set that is complete to rounding needs it to end. */
static const double CLOSER = 0.1;
/* `saif`: share of the whole gap to which a sub-problem is solved before the next pass, and column
 * products at most in passes over the remaining features (the K of algorithm 1). Less of the first:
 * digits that the next ADD undoes; more, or less of the second: more passes. saif_grid: twice the
 * first 5 % more columns in the median, half of the second 1 %, none of them more than `none`. */
static const double SAIF_SHARE = 0.015;
enum { SAIF_WORK = 2 };
/* `saif`: where an ADD could take more than one of so many features, the run begins with all. */
enum { SAIF_WHOLE = 3 };
/* `saif`: sections of the segment between two dual points, each a dual value of n rows, where it
 * has no closed form. */
enum { SEGMENT_STEPS = 8 };
/* `blitz`, `ws`: share of the whole gap to which a working set is solved, multiplied by CLOSER
 * while rounds do not lower the gap. */
static const double WORKING_SHARE = 0.2;
/* `blitz`, `ws`: a working set's least number of features, and share of the last gap that asks for
 * no larger set than twice the support. */
enum { WORKING_LEAST = 20 };
static const double GOOD_PROGRESS = 0.5;
/* `blitz`, `ws`: rounds in a row without a lower gap and without missing features before rounding
 * is the limit. */
enum { MAX_IDLE_ROUNDS = 3 };
/* `ws`: iterates that are combined (celer's K). */
enum { EXTRAPOLATED = 5 };
/* Shrinking: what is left out waits at most for the work of so many epochs over all features: the
 * rest of a wrong guess can take far more epochs than all together. configs. */
enum { REST_EPOCHS = 10 };

/* `sdca`: epochs on one of the problems in the row, between two looks at the gap (in no
 * part of scripts/bench). */
enum { SDCA_EPOCHS = 5 };

/* ---- rounding ---------------------------------------------------------------------------------
 */

/* Share of a column that the others leave unexplained at which it counts as dependent on them. */
static const double DEPENDENT = 1e-9;
/* Share of the unweighted square that a model adds where the rows' weights have nearly vanished. */
static const double LEAST_CURVATURE = 1e-10;
/* Share of |y|: a greatest change below it cannot lower the gap. */
static const double LEAST_CHANGE = 1e-16;
/* Share of the constant term: an objective that falls by less in a round falls no more. */
static const double LEAST_DECREASE = 1e-15;
/* Share of the objective that a difference of two objectives may lose, and more for each row. */
static const double LOST = 1e-14, LOST_A_ROW = 1e-16;
/* Share of a constraint by which a feasible point may exceed it, and of a distance in the test of a
 * ball. */
static const double FEASIBLE = 1e-14, DISTANCE = 1e-12;

/* Features that are compared with a threshold before those above it are used: a page of memory. */
enum { LISTED_TOGETHER = 1024 };
/* Share of the objective without any coefficient that the null objective is at least: where
 * coefficients without a penalty fit perfectly, tolerances are not relative to rounding. */
static const double LEAST_NULL = 1e-20;

#endif
