/* Constants that trade work, with their units and the part of scripts/bench that shows their
 * effect: tall. scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef SOLVE_L1_TALL_TUNING_H
#define SOLVE_L1_TALL_TUNING_H

/* Rows for each feature from which lambdas are solved together, and the greatest number of
 * features: the model's Cholesky factors must cost less than a pass, and its sums must be small
 * compared with the data. */
enum { ROWS_A_FEATURE = 32, MOST_FEATURES = 1024 };
/* Fewer points than this do not pay for a pass of eight vectors. */
enum { LEAST_POINTS = 3 };
/* Passes over the data for one group of lambdas. */
enum { MAX_PASSES = 10 };
/* Passes over the data for one lambda alone. */
enum { MOST_ALONE = 60 };
/* Sampled rows for each feature at the beginning: the error of a sampled Hessian is about the
 * square root of features / rows. More rows: a pass costs more; fewer: more passes. */
enum { SAMPLED_ROWS = 256 };
/* When a pass leaves more than this fraction of the greatest gap, the Hessians are computed again.
 */
static const double SLOW = 0.25;
/* Fraction of the target to which a point is solved: the gap is an estimate until it is
 * certified. */
static const double TOGETHER_SHARE = 0.8;
/* How far Hessians are continued along the path, in distances between the last two made. Vectors
 * multiplied with the data by l1logistic on 50,000 x 200, 100 lambdas to 0.001: 382 with 1, 355
 * with 1.25, 346 with 1.5; where Hessians fall quickly (5,000 x 60, 50 lambdas) 1.5 oversteps, and
 * l1svm costs 1.5 times as much. */
static const double MOST_AHEAD = 1.25;
/* A point whose last step left a fraction r of its gap is done after the next one if this many
 * times r times the gap is within the target: fewer passes, at the price of points that are solved
 * on alone when their certificates fail. */
static const double EXPECTED = 4;
/* A step along which the products changed by less than this fraction of what the model says
 * corrects nothing: the model would be nearly singular. */
static const double LEAST_BENDING = 0.1;
/* A feature of which the sample has less than this fraction of its square gets the rest added to
 * the diagonal of the model. */
static const double WELL_SAMPLED = 0.5;
/* Groups that fail in a row before points are solved one by one. */
enum { MAX_FAILED = 2 };
/* Greatest number of parts of the data with sums of their own; fixed by the shape of the data, so
 * that threads change no bit. They take at most a fraction of the data's memory of one in so
 * many. */
enum { MOST_PARTS = 8, PART_SHARE = 8 };
/* Relative increase of an objective that may be rounding. */
static const double RAISED = 1e-12;

#endif
