/* Constants of the l1 methods that trade work, with their units and the parts of scripts/bench
 * that show their effect. Bounds on rounding errors are in the last section: no measurement can
 * change them. scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef SOLVE_L1_CORE_TUNING_H
#define SOLVE_L1_CORE_TUNING_H

/* ---- the squared loss with the Gram matrix (by_gram.c): path, single --------------------------
 */

/* Budget of Newton steps with limits, in multiply-adds. A step ends at the first weight that
 * reaches its limit; when a set has about as many features as there are rows, this takes hundreds
 * of steps, and epochs over all features do better. weighted. */
static const double GRAM_LIMITED_WORK = 5e9;

/* ---- the squared loss by columns (by_columns.c): squared, threads -----------------------------
 */

/* Expected cost of a set, in multiply-adds of column products, with its Gram matrix: this many
 * passes over the matrix, and its factor, which does the second number of them in the time of one.
 */
static const double GRAM_PASSES = 20, GRAM_FACTOR_SPEED = 48;
/* By its columns: this many passes over their entries and the rows, and the second number of times
 * as many more for the squared share of the set in n: the nearer the set is to n features, the
 * worse conditioned are its equations. On 30 paths of 20 lambdas (n 500 to 20,000, p 5,000 to
 * 100,000, densities 0.0005 to 0.1) the choice is within 1.1 times the better of the two but for
 * four, at most 1.5; 400 without the second number takes 2.4 times the better one where 489 of 500
 * x 20,000 are chosen, at density 0.1. */
static const double COLUMN_PASSES = 150, MORE_PASSES = 6;
/* A set that has cost so many times what its Gram matrix was expected to is solved with that. */
static const double COLUMNS_BUDGET = 2;
/* Conjugate gradients are continued to this fraction of the last share after a step that has
 * changed no sign, down to the second number. */
static const double CG_CLOSER = 0.1, CG_LEAST = 1e-6;

/* ---- losses that are not quadratic (newton*.c): classify, classdense, classpaths, logistic ----
 */

/* Epochs on a model end when the greatest change falls to this fraction of the first epoch's: a
 * more accurate solution of an inaccurate model is of no use. */
static const double MODEL_CHANGE = 0.02;
/* Alternations of epochs and Newton steps on one model of the Hessian: a new model is available
 * before the old one is worth solving to the last digit. After more than FEW_IDLE steps that
 * lowered the gap too little they are doubled with each, at most so often: one of 19 x 52 whose
 * columns are nearly parallel ended at 17 % and converges after 200 epochs. With FEW_IDLE =
 * 0 paths cost up to 17 % more updates. */
enum { MODEL_ROUNDS = 1, FEW_IDLE = 2, MAX_DOUBLED = 10 };
/* The growth of step lengths tried beyond 1, and their limit: each costs one objective and saves
 * whole models when a feature nearly separates its rows. */
static const double LONGER = 1.5, LONGEST = 8;
/* The greatest change of a prediction by one step of one feature: beyond it the second-order model
 * is inaccurate. */
static const double MAX_PREDICTION_STEP = 2;
/* Passes over features just added, one by one, before all are fitted together: they find the size
 * of their weights at the cost of their rows. */
enum { FIRST_PASSES = 2 };
/* Epochs of a sweep before a step with fixed signs, but for one after a whole step that has kept
 * them. classpaths: 8 changes the column products by less than 5 % either way. */
enum { BETWEEN_STEPS = 4 };
/* Conjugate gradients end when the residual falls to this fraction of the right-hand side, or after
 * this many products. On sparse 2,000 x 50,000 (classpaths) 0.01 costs 62 % more column products
 * for l1svm and 8 % more for l1logistic: most steps change signs, so that further digits are lost
 * with the next. */
static const double CG_SHARE = 0.3;
enum { MAX_CG = 100 };
/* Columns of at most so many entries in the mean are copied for conjugate gradients. classpaths:
 * with 10 entries a column l1svm's path takes 0.75 of the time, on sparse 2,000 x 50,000 with 40
 * 0.82; with 200 (2,000 x 10,000) copies would cost 1.23 times the time. */
enum { SHORT_COLUMN = 64 };

/* When to compute the Hessian of a working set (newton_set.c): at once if it costs at most this
 * many epochs; otherwise after this many sweeps, plus one for each so many features; never above
 * this many features. */
enum { HESSIAN_EPOCHS = 80, SWEEPS_FIRST = 12, SWEEPS_SHARE = 4, MAX_EXACT = 2500 };
/* Costs relative to a multiply-add of a column product: each entry of the Hessian's passes over
 * itself; moving on to another column. The last is the number of multiply-adds of a factorisation
 * in the time of one. */
static const double COPIES = 4, VISIT = 16, FACTOR_SPEED = 48;
/* Exact steps in a row that do not lower the least gap: then rounding is the limit, or kinks of the
 * loss allow only tiny steps along directions that change all weights at once. Sweeps (at most the
 * second number), which change one weight at a time, can move past kinks. */
enum { MAX_IDLE_STEPS = 20, SWEEPS_LAST = 300 };
/* A gap below this fraction of the least so far counts as progress. */
static const double FASTER = 0.9;

/* ---- `auto` (auto.c): path, single, classify, classpaths, growth ------------------------------
 */

/* Fraction of the target to which a set is solved, by sweeps and Newton steps, and with its Gram
 * matrix: the rest is left for rounding, and for the next lambdas, which start from this answer.
 * The Gram matrix makes accuracy cheap: 0.9 there costs 9 % more column products on a path of 200 x
 * 20,000 to lambda_max / 100 at a tolerance of 1e-6, and saves 2 % of the updates. */
static const double SET_SHARE = 0.9, GRAM_SET_SHARE = 0.3;
/* Sets of more than this many features, of which less than this fraction has a weight, are pruned
 * to those that do: each additional feature adds to the cost of every Hessian, each that has to
 * return costs a round. auto_grid: 500 takes 1.1 times the time of 100 for the losses that are not
 * quadratic, 30 up to 1.4 times it for some and 0.97 in the mean. */
enum { PRUNE_ABOVE = 100 };
static const double NEEDED = 0.6;
/* Sweeps end at this fraction of the whole problem's gap: features still missing would undo further
 * digits. */
static const double SWEEP_SHARE = 0.3;
/* When fewer than this fraction of a set were just added, they are taken to be the last. */
static const double FEW_JOINED = 0.1;
/* Features beyond the support (times the first number) that may be added in one round: most soon
 * prove unnecessary. */
enum { JOIN_FACTOR = 2, JOIN_MORE = 20 };
/* Features beyond the support whose products may be near lambda; when there are more, they are
 * chosen by their scores: as many as the support has, or for losses that are not quadratic, whose
 * every sweep visits them, this fraction of it. classpaths: a whole support costs l1svm and
 * l1logistic 3 and 5 % more column products on sparse 2,000 x 50,000, a quarter 5 % more and none.
 */
enum { STRONG_MORE = 100 };
static const double STRONG_SHARE = 0.5;
/* Dense features beyond as many as the support has that a set begins with when the last lambda is
 * too far away for such a rule, if its Gram matrix is used: one for each so many features, at most
 * the first number. A set that lacks many leaves a residual that selects hundreds of wrong ones, of
 * many features more. One lambda at 0.05 takes 0.8 of the time on 500 x 20,000 (single), 0.4 with
 * correlation 0.9; at 0.01 0.97 and 0.4; 100 are 1.05 times as slow as 50. On 260 x 1,500 always 50
 * take up to 1.45 times the time. Text, whose columns with the greatest products are the longest,
 * would take up to 1.5 times the time. */
enum { FAR_MORE = 50, FAR_EACH = 400 };
/* Fraction of the initial features chosen to substitute for an intercept that is not fitted. */
static const double FOR_INTERCEPT = 0.35;
/* A lambda below this fraction of the last one is reached through intermediate lambdas, each about
 * this fraction of the previous one, solved to this fraction of the null objective, which itself
 * shrinks with lambda. single. */
static const double FAR = 0.5, LAMBDA_STEP = 0.6, INTERMEDIATE_GAP = 1e-3;
/* When at most this many features can have a weight, wrong ones cost less than intermediate
 * lambdas. At most the second number of intermediate lambdas are used: further down sets hardly
 * change. single. */
enum { FEW_FEATURES = 200, MAX_INTERMEDIATE = 20 };
/* How much a product is assumed to change at most from one lambda to the next, as a share of the
 * difference, for the set to begin with and the products that must be exact. The strong rule, 1,
 * selects about as many features without a weight as with one, each of which is multiplied with all
 * that the Gram matrix has, or visited by every sweep; what is missing joins after the certificate.
 * Paths with 0.1 in place of 1: lasso on dense 500 x 20,000, 100 lambdas to 0.01, 0.91 of the time,
 * with correlation 0.9 0.77, on 2,000 x 5,000, 20 lambdas to 0.05, 0.65, on text the same; l1svm
 * and l1logistic (classpaths) 0.9 to 1.02. With 0 the lasso on text takes 1.2 times the time. */
static const double ASSUMED_CHANGE = 0.1;
/* The next lambda is assumed to be at least this fraction of the present one. */
static const double LEAST_STEP = 0.5;

/* Weights are extrapolated to a lambda at most so many times as far from the last as that is from
 * the one before. classpaths: without extrapolation sparse 2,000 x 50,000 costs l1svm and
 * l1logistic 9 and 6 % more column products. */
static const double MAX_EXTRAPOLATED = 1.5;

/* ---- other strategies: growth, squared, logistic, paths ---------------------------------------
 */

/* The factor applied to the last target when `strong`, `hessian`, `blitz` and `ws` solve a set that
 * lacks no feature, or whose last round did not lower the gap. tuning: half, twice and 1 change no
 * count; a set that is complete up to rounding needs it to end. */
static const double CLOSER = 0.1;
/* `saif`: fraction of the whole gap to which a sub-problem is solved before the next pass, and the
 * greatest number of column products, in passes over the remaining features (the K of algorithm 1).
 * Less of the first: digits that the next ADD undoes; more of it, or less of the second: more
 * passes. saif_grid: twice the first 5 % more columns in the median, half of the second 1 %, none
 * of them more than `none`. */
static const double SAIF_SHARE = 0.015;
enum { SAIF_WORK = 2 };
/* `saif`: when an ADD could add more than one in this many features, the run starts with all. */
enum { SAIF_WHOLE = 3 };
/* `saif`: iterations of the section search on the segment between two dual points, each a dual
 * value of n rows, when it has no closed form. */
enum { SEGMENT_STEPS = 8 };
/* `blitz`, `ws`: fraction of the whole gap to which a working set is solved, multiplied by CLOSER
 * while rounds do not lower the gap. */
static const double WORKING_SHARE = 0.2;
/* `blitz`, `ws`: least number of features in a working set, and the fraction of the last gap below
 * which the set need not grow beyond twice the support. */
enum { WORKING_LEAST = 20 };
static const double GOOD_PROGRESS = 0.5;
/* `blitz`, `ws`: consecutive rounds without a lower gap and without missing features after which
 * rounding is taken to be the limit. */
enum { MAX_IDLE_ROUNDS = 3 };
/* `ws`: number of iterates combined (celer's K). */
enum { EXTRAPOLATED = 5 };
/* Shrinking: features left out wait at most for the work of this many epochs over all features:
 * recovering from a wrong guess can take far more epochs than this. configs. */
enum { REST_EPOCHS = 10 };

/* `sdca`: epochs on one of the sub-problems between two evaluations of the gap (in no part of
 * scripts/bench). */
enum { SDCA_EPOCHS = 5 };

/* Rows of several processes: fraction of the target that is aimed at after each certificate above
 * it, and such certificates (in no part of scripts/bench). */
static const double SHARED_TIGHTER = 0.1;
enum { SHARED_ROUNDS = 6 };
/* How many times p x p numbers they need: two models, one between them, and the sums of a pass. */
static const double SHARED_MODELS = 5;

/* ---- rounding ---------------------------------------------------------------------------------
 */

/* Fraction of the unweighted square that a model adds in case the row weights have nearly
 * vanished. */
static const double LEAST_CURVATURE = 1e-10;
/* Fraction of |y|: a greatest change below it cannot lower the gap. */
static const double LEAST_CHANGE = 1e-16;
/* Relative rounding error of a difference of two objectives, and its increase with each row. */
static const double LOST = 1e-14, LOST_A_ROW = 1e-16;
/* Relative amount by which a feasible point may exceed a constraint, and tolerance of a distance in
 * a ball test. */
static const double FEASIBLE = 1e-14, DISTANCE = 1e-12;

/* Features that are compared with a threshold before those above it are processed: a page of
 * memory. */
enum { LISTED_TOGETHER = 1024 };
/* Least null objective, as a fraction of the objective without any coefficient: when unpenalised
 * coefficients fit perfectly, tolerances must not be relative to rounding errors. */
static const double LEAST_NULL = 1e-20;

#endif
