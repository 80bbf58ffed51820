/* Constants that affect how fast groups are solved, never the answer, which is certified. All are
 * exercised by the bench part "groups". scripts/bench tuning measures the effect of halving and
 * doubling each (docs/benchmarks.md). */
#ifndef SOLVE_GROUP_TUNING_H
#define SOLVE_GROUP_TUNING_H

/* Fraction of the target to which a working set is solved. Less: more epochs on sets that are not
 * yet complete; more: too little of the target is left for rounding, and sets are solved again. */
static const double SET_SHARE = 0.3;
/* Fraction of the whole problem's gap below which a set is not solved, because the blocks still
 * missing would undo the digits. Less: more epochs a round; more: more rounds, each with a pass. */
static const double SWEEP_SHARE = 0.05;
/* Blocks in the initial set beyond the support, and blocks added in a round beyond twice the
 * working set. More: larger sets; fewer: more rounds. */
enum { FEW = 10 };
/* Blocks in the initial set beyond the support when the strong rule applies. Column products of
 * paths with 15, 50 and 60 in place of 30: on genes (golub, blocks of ten) 7 % more and the same,
 * on independent features 1 % fewer, 3 % and 2 % more. */
enum { FEW_NEAR = 30 };
/* The first gap is estimated as this fraction of the null objective when the set does not contain
 * all blocks that the rule selects. */
static const double FAR_GAP = 0.1;

/* Epochs over a model end when the greatest change falls to this fraction of the first epoch's.
 * Less: models are solved beyond their accuracy; more: more models are built, each with a line
 * search. */
static const double INNER_CHANGE = 0.02;
/* Differences of iterates that an extrapolation combines. More: longer steps, from older iterates.
 */
enum { DEPTH = 5 };

/* Epochs, beyond one for each member of the working set, after which all nonzero groups are moved
 * at once, and again; twice as many after each time that was in vain. Where groups share
 * columns, half takes 40 % fewer columns and twice 66 % more; half takes 17 % more where epochs end
 * by themselves. */
enum { JOINT_AFTER = 100 };
/* Members of nonzero groups up to which that is tried: a matrix of them is factorised in each of
 * its Newton steps. Those end at a predicted decrease of this many times the objective's rounding
 * error, or, by rounding, after this many. */
enum { MAX_SUPPORT = 500, SUPPORT_STEPS = 50 };
static const double SUPPORT_CHANGE = 1e-6;
/* Added to the diagonal of its matrix, as a fraction: a limit of rounding. */
static const double SUPPORT_RIDGE = 1e-14;

/* Proximal steps within a block end at this fraction of the first step's change, or after this
 * many: updates of other blocks undo further digits. */
static const double BLOCK_CHANGE = 0.01;
enum { BLOCK_STEPS = 50 };
/* The curvature of a block too large for a Gram matrix: the factor by which it decreases with each
 * model; the factor by which it grows when a step shows that it is too small (or to slightly above
 * the curvature of that step); and its minimum, as a fraction of the block's greatest product. */
static const double BOUND_FALL = 0.9, BOUND_GROWTH = 1.5, BOUND_ABOVE = 1.01, BOUND_LEAST = 1e-10;
/* `fista`: the growth of the inverse step size when a step was too long. */
static const double STEP_GROWTH = 1.5;
/* Fraction of the unweighted square that a model adds in case the rows' weights have nearly
 * vanished. */
static const double LEAST_CURVATURE = 1e-10;
/* A greatest change below this fraction of |a| of the null model is rounding error. */
static const double LEAST_CHANGE = 1e-16;
/* Members up to which a block's Gram matrix is computed: size^2 / 2 products for each model,
 * against two passes over the block's columns for each step. */
enum { SMALL_BLOCK = 64 };

/* `ufomkl`: epochs between two certificates, as a fraction of the epochs so far. A certificate
 * costs the passes of one epoch: more of them cost more, with fewer the run ends later than it
 * could. Columns of two hinge problems: 5 % more at 0.1, 11 % and 18 % fewer at 0.3 and 0.4, 14 %
 * more at 0.6; over 30 problems on genes and small data the mean is 1 %, 8 % and 3 % less, and each
 * value is the best on some. */
static const double UFO_LOOKS = 0.2;
/* The factor by which a bound of a block's curvature is enlarged, so that rounding does not
 * invalidate it; and how far the objective may exceed its model, as a fraction of the null
 * objective. */
static const double BOUND_LOST = 1 + 1e-12, MODEL_LOST = 1e-13;
/* Added to the diagonal of the matrix of the last iterates' differences, as a fraction of its
 * trace. */
static const double DEPTH_RIDGE = 1e-12;
/* Rounding error of the gap as a fraction of primal and null objective, and its increase with each
 * row: a sum of n terms has up to about n rounding errors. */
static const double GAP_LOST = 1e-14, GAP_LOST_A_ROW = 1e-16;

#endif
