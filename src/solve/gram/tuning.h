/* The numbers that trade work, with their units and the parts of scripts/bench in which they show
 * (docs/benchmarks.md).
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_GRAM_TUNING_H
#define SOLVE_GRAM_TUNING_H

/* ---- the Gram cache (gram.c): path, single ----------------------------------------------------
 */

/* Features that are added together: those cached are read once for all of them, at the price of as
 * many dense vectors. */
enum { GRAM_TOGETHER = 16 };
/* The most features a cache holds: 4096^2 doubles are 128 MB. */
enum { MAX_GRAM = 4096 };
/* Products in the time of one entry that the rows are extended by: rows that are extended late cost
 * the columns that wait, early the copy of all rows. */
enum { ROWS_EXTENSION = 5 };
/* Share of its length that a centred column has at least to be centred after its products: below it
 * the digits would be lost, and all columns are read dense. */
static const double NEARLY_CONSTANT = 0.1;

/* ---- the Hessian of a working set (hessian.c): classify, classdense, classpaths ---------------
 */

/* Share by which a row's weight may be old: its products are not made again, and the Newton step is
 * a little worse. */
static const double STALE = 0.1;
/* Share of their greatest total weight at which products carry the rounding of what they were and
 * are made again. */
static const double VANISHED = 1e-3;
/* Features held, those of earlier sets among them, for each of the present set: more of them cost
 * products that are not asked for, fewer are made again when a feature comes back. l1logistic on
 * dense 40,000 x 200, 60 lambdas to 0.002: 1.69 s with 1, 1.51 with 1.5, 1.56 with 3. */
static const double KEPT_FEATURES = 1.5;
/* Multiply-adds of BLAS in the time of one of a column product. */
static const double BLAS_SPEED = 16;
/* Multiply-adds from which threads share the products, and shares at most. */
static const double SHARE_FROM = 1e6;
enum { MAX_SHARES = 16 };
/* Rows handed to BLAS at a time: they have to stay in the cache. */
enum { BLAS_ROWS = 256 };
/* Side of the square blocks in which a triangle is mirrored: two of them stay in the first cache.
 */
enum { MIRROR_SIDE = 32 };

#endif
