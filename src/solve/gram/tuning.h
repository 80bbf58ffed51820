/* Constants that trade work, with their units and the parts of scripts/bench that show their
 * effect. scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef SOLVE_GRAM_TUNING_H
#define SOLVE_GRAM_TUNING_H

/* ---- the Gram cache (gram.c): path, single ----------------------------------------------------
 */

/* Features added together: the cached columns are read once for all of them, at the price of as
 * many dense vectors. */
enum { GRAM_TOGETHER = 16 };
/* Multiply-adds of a thread between two checks of the cancel token: a few milliseconds. */
enum { FILL_WORK = 1 << 23 };
/* The greatest number of features in a cache: 4096^2 doubles are 128 MB. */
enum { MAX_GRAM = 4096 };
/* The cost of adding one entry to the rows, in products of one entry: extending late makes products
 * with the columns outside the rows, extending early copies all rows. */
enum { ROWS_EXTENSION = 5 };
/* The least length of a centred column, as a fraction of its length before, for centring after the
 * products: below it the digits would be lost, and all columns are read as dense. */
static const double NEARLY_CONSTANT = 0.1;

/* ---- the Hessian of a working set (hessian.c): classify, classdense, classpaths ---------------
 */

/* The relative change up to which a row's old weight is kept: its products are not recomputed, at
 * the price of a slightly worse Newton step. */
static const double STALE = 0.1;
/* When the total weight of products has fallen to this fraction of its maximum they are recomputed,
 * because they carry the rounding errors of their former size. */
static const double VANISHED = 1e-3;
/* Cached features, including those of earlier sets, for each feature of the present set: more of
 * them cost products that are not used, with fewer of them returning features are recomputed.
 * l1logistic on dense 40,000 x 200, 60 lambdas to 0.002: 1.69 s with 1, 1.51 with 1.5, 1.56 with
 * 3. */
static const double KEPT_FEATURES = 1.5;
/* Multiply-adds that BLAS does in the time of one multiply-add of a column product. */
static const double BLAS_SPEED = 16;
/* Multiply-adds from which threads share the products, and the greatest number of shares. */
static const double SHARE_FROM = 1e6;
enum { MAX_SHARES = 16 };
/* Rows passed to BLAS at a time: they must fit in the cache. */
enum { BLAS_ROWS = 256 };
/* Columns of the triangle that one call of BLAS computes, so that threads share them. */
enum { BLAS_COLUMNS = 64 };
/* Multiply-adds of a block of rows from which threads share it. */
static const double BLAS_SHARE_FROM = 4e6;
/* Side of the square blocks in which a triangle is mirrored: two of them fit in the L1 cache. */
enum { MIRROR_SIDE = 32 };

#endif
