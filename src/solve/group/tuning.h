/* Numbers that decide how fast groups are solved, and never what the answer is: that is certified.
 * All are exercised by the bench part "groups".
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_GROUP_TUNING_H
#define SOLVE_GROUP_TUNING_H

/* Share of the target to which a working set is solved. Less: more epochs on sets that are not yet
 * complete; more: the rest of the target is not left to rounding alone, and sets are solved again.
 */
static const double SET_SHARE = 0.3;
/* Share of the whole problem's gap beyond which a set is not solved: blocks that are still missing
 * would undo the digits. Less: more epochs a round; more: more rounds, each with a pass. */
static const double SWEEP_SHARE = 0.05;
/* Blocks that a set begins with beyond the support, and that join in a round beyond twice those
 * worked on. More: larger sets; fewer: more rounds. */
enum { FEW = 10 };
/* Blocks that a set begins with beyond the support where the strong rule applies. Column products
 * of paths with 10 and with 50 in place of 30: on genes (golub, blocks of ten) 4 to 11 % more and
 * the same, on independent features 11 % fewer and 9 % more. */
enum { FEW_NEAR = 30 };
/* The first gap is guessed to be this share of the null objective when not all blocks that were
 * expected are in the set. */
static const double FAR_GAP = 0.1;

/* Epochs over a model end when the greatest change is this share of the first epoch's. Less: models
 * are solved further than they are true; more: more of them are made, each with a line search. */
static const double INNER_CHANGE = 0.02;
/* Differences of iterates that an extrapolation combines. More: longer steps, from older iterates.
 */
enum { DEPTH = 5 };

/* Proximal steps within a block end at this share of the first one's change, or after so many:
 * more digits of one block are undone by the next. */
static const double BLOCK_CHANGE = 0.01;
enum { BLOCK_STEPS = 50 };
/* The curvature of a block too large for a Gram matrix: what it falls to with each model, grows by
 * where a step shows more (or to a little more than that step's), and has at least, as a share of
 * the block's greatest product. */
static const double BOUND_FALL = 0.9, BOUND_GROWTH = 1.5, BOUND_ABOVE = 1.01, BOUND_LEAST = 1e-10;
/* `fista`: growth of the inverse of its step where that was too long. */
static const double STEP_GROWTH = 1.5;
/* Share of the unweighted square that a model adds where the rows' weights have nearly vanished. */
static const double LEAST_CURVATURE = 1e-10;
/* Share of the size of a, in the null model, below which a greatest change is rounding. */
static const double LEAST_CHANGE = 1e-16;
/* Members up to which a block's Gram matrix is made: size^2 / 2 products, once a model, against two
 * passes over the block's columns a step. */
enum { SMALL_BLOCK = 64 };

/* `ufomkl`: epochs between two certificates, as a share of those there were. A certificate costs
 * the passes of one epoch: more of them cost more, with fewer it ends later than it could. */
static const double UFO_LOOKS = 0.2;
/* What a bound of a block's curvature is widened by, as a factor, so that rounding does not break
 * it; what the objective may exceed its model by, as a share of the null objective. */
static const double BOUND_LOST = 1 + 1e-12, MODEL_LOST = 1e-13;
/* What the matrix of the last iterates' differences gets on its diagonal, as a share of its trace.
 */
static const double DEPTH_RIDGE = 1e-12;
/* Share of primal and null objective that a gap loses to rounding, and more for each row: sums over
 * n terms lose up to about n roundings. */
static const double GAP_LOST = 1e-14, GAP_LOST_A_ROW = 1e-16;

#endif
