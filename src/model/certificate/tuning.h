/* Numbers that decide how fast certificates are computed, and what counts as rounding in them:
 * never what they say beyond that. All are exercised by the bench parts "path" and "tall", those of
 * graphs and planes by the tuning part's problems of "structure" and "fgm". scripts/bench tuning
 * tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef MODEL_CERTIFICATE_TUNING_H
#define MODEL_CERTIFICATE_TUNING_H

#include <stddef.h>

/* Share of the dual variables' sizes by which the sums of two classes may differ and count as
 * equal. More: a dual point that is not feasible; less: points are scaled for rounding. */
static const double SUMS_DIFFER = 1e-9;

/* What D'v + s may differ from X'a by, as a share of the greatest product: rounding of the sums
 * along a spanning forest. And as a share of |x_j| |a|: products that are rounding themselves. */
static const double ROUNDING = 1e-9, NO_PRODUCT = 1e-13;

/* Bounds by earlier products: at most so many vectors, of together at most so many products (256
 * MB); fewer where a pass over the data costs no more than PASS_SHARE times the sums over them.
 * When there is no more room memory begins again. More: tighter bounds, and longer sums. */
enum { MAX_VECTORS = 24, VECTORS_LEAST = 4, PASS_SHARE = 4 };
static const size_t MAX_PRODUCTS = (size_t)1 << 25;
/* A vector of which less than this share is new adds rounding and little else. */
static const double NEW_SHARE = 1e-3;
/* Of the entries of the matrix, the share that may be visited apart before a whole pass costs less:
 * it tightens the bounds of vectors to come. Where it would not, single columns still cost less
 * than a pass up to the other share. */
static const double MAX_APART = 0.12, APART_MOST_KNOWN = 0.5;

/* Columns of a block, and values: few enough that a dense block stays in the cache while every
 * vector passes over it; a multiple of four, as products are taken four columns at a time. */
enum { MAX_BLOCK = 1024, BLOCK_VALUES = 1 << 15 };
/* Columns between two looks at the cancel token in the certificate of the hinge loss. */
enum { LOOK_COLUMNS = 256 };

/* Normal equations. Rows that are multiplied together: 256 of 200 columns take 400 kB, which the
 * second cache holds. */
enum { ROWS_TOGETHER = 256 };
/* Rows for each feature from which the sums, of which each share has its own, are at most a quarter
 * of the data; and shares at most. They do not depend on the threads, whose number changes no bit.
 */
enum { ROWS_A_FEATURE = 32, MAX_PARTS = 8 };
/* Features at most: sums of 128 MB. */
enum { MAX_FEATURES = 4096 };

#endif
