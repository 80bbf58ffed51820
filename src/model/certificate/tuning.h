/* Constants that affect how fast certificates are computed, and what counts as rounding error in
 * them, but not what they say beyond that. All are exercised by the bench parts "path" and "tall",
 * those of graphs and planes by the tuning part's problems of "structure" and "fgm". scripts/bench
 * tuning measures the effect of halving and doubling each (docs/benchmarks.md). */
#ifndef MODEL_CERTIFICATE_TUNING_H
#define MODEL_CERTIFICATE_TUNING_H

#include <stddef.h>

/* The difference of the sums of two classes, relative to the absolute sum of the dual variables, up
 * to which they count as equal. More: a dual point that is not feasible; less: points are scaled
 * because of rounding. */
static const double SUMS_DIFFER = 1e-13;

/* The greatest difference of D'v + s and X'a, relative to the greatest product: rounding errors of
 * the sums along a spanning forest. And relative to |x_j| |a|: products that are rounding errors
 * themselves. And relative to the greatest |v_k| times the sum of a column of |D|: sums of high
 * differences lose what their multipliers, which are greater than all products, have in common. */
static const double ROUNDING = 1e-9, NO_PRODUCT = 1e-13, SUM_ROUNDING = 1e-15;

/* Bounds from earlier products: the greatest number of vectors, with at most MAX_PRODUCTS products
 * together (256 MB); fewer when a pass over the data costs no more than PASS_SHARE times the sums
 * over them. When the capacity is reached the stored vectors are discarded. More: tighter bounds,
 * and longer sums. */
enum { MAX_VECTORS = 24, VECTORS_LEAST = 4, PASS_SHARE = 4 };
static const size_t MAX_PRODUCTS = (size_t)1 << 25;
/* A vector whose new component is less than this fraction of it adds little but rounding errors. */
static const double NEW_SHARE = 1e-3;
/* The least length of a vector that is bounded: what is lost of squares below 1e-308 is far less
 * than the rounding errors that are allowed for. Weights of 1e-161 had a dual value above the
 * optimum. */
static const double LEAST_LENGTH = 1e-130;
/* The fraction of the matrix's entries that may be visited column by column before a full pass is
 * preferred, which tightens the bounds of later vectors. When a full pass would not tighten them,
 * single columns still cost less than a pass up to the second fraction. */
static const double MAX_APART = 0.12, APART_MOST_KNOWN = 0.5;

/* Passes over the data before one makes the copy in bytes, which takes as long as another one to
 * three: single lambdas seldom need so many. Fewer along a path, of which so many points follow. */
enum { COPY_AFTER = 4, COPY_AFTER_PATH = 0, COPY_POINTS = 3 };
/* Columns of the copy that read as many bytes as one of the data, which is how they are counted;
 * and that take as long, where they are not read one after the other. */
enum { BYTE_SHARE = 8, BYTE_WORK = 4 };
/* The same fractions with a copy: of the features whose estimates are refined by their products
 * with the copy right after a new vector, and of the entries visited. */
static const double MAX_LISTED = 0.3, MAX_VISITED = 0.12;
/* Vectors with a copy: at most, and the least for which it is made at all. 6 vectors make dense
 * paths 1.3 times as slow, 10 up to 1.09; 24 are 3 % slower than 16. */
enum { VECTORS_WITH_COPY = 16, LEAST_WITH_COPY = 8 };
/* Greatest memory with the copy, relative to the data, and the bytes that a path of `auto` keeps
 * for each feature beside it and the products. */
static const double MAX_MEMORY = 1.29;
enum { FEATURE_BYTES = 64 };

/* Greatest number of columns of a block, and of values: few enough that a dense block stays in the
 * cache while every vector passes over it; a multiple of four, since products are computed four
 * columns at a time. */
enum { MAX_BLOCK = 1024, BLOCK_VALUES = 1 << 15 };
/* Columns between two checks of the cancel token in the certificate of the hinge loss. */
enum { LOOK_COLUMNS = 256 };

/* Normal equations. Rows multiplied together: 256 rows of 200 columns take 400 kB, which fits in
 * the L2 cache. */
enum { ROWS_TOGETHER = 256 };
/* Rows for each feature from which the sums, of which each part has its own copy, take at most a
 * quarter of the data's memory; and the greatest number of parts. They do not depend on the number
 * of threads, which changes no bit. */
enum { ROWS_A_FEATURE = 32, MAX_PARTS = 8 };
/* Greatest number of features: sums of 128 MB. */
enum { MAX_FEATURES = 4096 };

/* Features from which threads share finding those that must be visited: each takes some tens of
 * multiply-adds. At most so many parts. */
enum { LIST_SHARED_FROM = 1 << 15, MAX_LIST_PARTS = 64 };

#endif
