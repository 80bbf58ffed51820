/* Constants that affect how fast structured problems are solved, never the answer, which is
 * certified. scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef SOLVE_STRUCTURE_TUNING_H
#define SOLVE_STRUCTURE_TUNING_H

/* ---- interior point -------------------------------------------------------------------------- */

/* Steps are halved at most this many times: half and twice move 2 % of the updates. */
enum { MAX_HALVINGS = 12 };
/* The gradient at the end, relative to the greatest encountered. */
static const double SLOPE_LEFT = 1e-12;
/* Fraction of its length by which a step must reduce the gradient of a loss that is not quadratic,
 * and fraction of the gap that the gradient may cost regardless. */
static const double SLOPE_FALL = 1e-3, SLOPE_SHARE = 1e-2;
/* The first value added to the diagonal of normal equations that rounding makes indefinite,
 * relative to it. */
static const double MIN_SHIFT = 1e-14;
/* Least initial value of the positive and negative parts of d_k'c. */
static const double MIN_ROOM = 1e-8;

/* Greatest number of features that are processed as a dense problem when terms are not edges: p^2
 * of memory and p^3 / 3 of work for each step. More are processed as a band, and so are places that
 * are measured one by one. */
enum { MAX_WIDTH = 400 };
/* Rows of X with at most this many entries are added to the band. A row of k entries widens it to
 * k at least. */
enum { MAX_ROW_ENTRIES = 20 };
/* Bands up to this width are taken in the order of the data. */
enum { NARROW = 16 };
/* Greatest number of values of a band, or of rows outside of it: 1 GB each. */
static const size_t WIDE_ROOM = (size_t)1 << 27;
/* What is added to the diagonal of a band to which rows of low rank are added afterwards, relative
 * to the mean of theirs. Less: digits lost in the difference; more: steps of the corrections. */
static const double ROW_SHIFT = 1e-8;
/* Corrections of a solution by conjugate gradients, at most, and the residual that ends them. */
enum { MAX_CORRECTIONS = 12, MAX_WIDE_SHIFTS = 8 };
static const double CORRECTED = 1e-10;
/* What is left of the intercept's diagonal, at least, relative to it. */
static const double CORNER = 1e-14;
/* lambda_max of such terms: the first lambda as a fraction of the greatest product, and the
 * relative growth needed for the search to continue. */
static const double FIRST_RATIO = 1e-3, SAME_RATIO = 1e-11;

/* Above this many times lambda_max the multipliers of this many are taken, which balance the null
 * model as well: farther away the interior point method loses digits. */
static const double FAR_ABOVE = 1e4;
/* Weights are tried as 0 with this many limits, each MERGE_RATIO of the one before. */
enum { MAX_SHARES = 3 };

/* What may be left of products that the only multipliers balance, relative to the greatest. */
static const double BALANCED = 1e-9;

/* Columns are used unscaled when the greatest is within this power of two of 1: in this range the
 * derivatives in weights and intercept keep their digits. A limit of rounding: 10 changes no count,
 * and with 40 columns of size 1e-9 (about 2^-30) end above the tolerance. */
enum { NEAR_ONE = 20 };

/* ---- the null model -------------------------------------------------------------------------- */

/* A loss below this fraction of the loss without a model is a perfect fit. */
static const double PERFECT_FIT = 1e-14;

/* ---- screening ------------------------------------------------------------------------------- */

/* Greatest number of problems within each other; most are made at the first. */
enum { MAX_LEVELS = 8 };
/* Screening is tried again when the gap has fallen to this fraction. More: bounds that prove little
 * more, at a pass over the edges each (0.25: 1 to 2 % of the time, scripts/bench
 * structure_screening). */
static const double SCREEN_AGAIN = 0.02;
/* What each node and edge costs when a smaller problem is made, in multiply-adds of columns. */
static const double SETUP_COST = 20;
/* Fraction of the features that an attempt must take from those left apart. Less, and the flows
 * that become shorter cost more to prepare than they save; such attempts are followed by pauses. */
static const double LEAST_PROVEN = 0.1;
/* Attempts that are left out after one that proves little, at most. More: screening that begins
 * late where it begins to prove something; less: bounds for nothing. */
enum { MAX_PAUSE = 31 };

/* ---- forests --------------------------------------------------------------------------------- */

/* Epochs of SAIF after which working sets are solved by Newton's method. */
enum { TREE_EPOCHS = 1000 };

/* ---- cut pursuit ----------------------------------------------------------------------------- */

/* Fraction of the target gap to which the small problems are solved. Less: steps of the interior
 * point method with no effect on the certificate. */
static const double INNER_SHARE = 0.01;
/* Levels of neighbours are merged when their difference, relative to the greatest level, is less
 * than this times the slack of the multiplier between them, relative to its bound. */
static const double MERGE_RATIO = 1e-3;
/* Relative growth of lambda_max needed for the search to continue: less is rounding error. */
static const double SAME_LAMBDA = 1e-13;
/* On the way to a lambda below this fraction of the one before (lambda_max at first), lambdas this
 * fraction apart have a round each. More: passes over the columns; less: a cut finds too many
 * components at once, and the small problems are larger. */
static const double APPROACH_RATIO = 0.5;
/* As many of them at most: 0.5^20 is a millionth. */
enum { MAX_BETWEEN = 20 };
/* Greatest number of rounds: each splits components or ends the solve. */
enum { MAX_ROUNDS = 500 };

#endif
