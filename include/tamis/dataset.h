/* Data sets: a matrix, a response, and metadata from the file. Immutable and reference counted;
 * threads share them without locks.
 *
 * A response with exactly two distinct values is a two-class problem: the greater value (for text:
 * the later one in byte order) becomes +1, the other -1, independent of the order of the rows, and
 * the original labels are kept. A response with more than two texts consists of classes, coded 1,
 * 2, ... in byte order of their names. Any other response is numeric and is not changed. */
#ifndef TAMIS_DATASET_H
#define TAMIS_DATASET_H

#include "tamis/comm.h"
#include "tamis/error.h"
#include "tamis/matrix.h"
#include "tamis/reading.h"
#include "tamis/rng.h"

#include <stdbool.h>

typedef struct tm_dataset tm_dataset;

/* The operations on rows and columns after reading, so that they can be applied to other data. */
typedef struct tm_making {
    double *scales;       /* p: divisors of the columns; NULL: not scaled */
    size_t *origin;       /* p: original numbers of the columns, from 0; NULL: all columns */
    size_t whole;         /* original number of columns */
    tm_dataset *concepts; /* rows are bags, and columns similarities to these rows; or NULL */
    double sigma;         /* of the similarities */
    char *bags;           /* the column that defined the bags; NULL: a file or a list */
    bool rest;            /* the class -1 is every class but +1 */
} tm_making;

/* The response. */
typedef struct tm_response {
    double *y;       /* n values, malloc'ed; ownership taken */
    char *labels[2]; /* texts of the classes -1 and +1 when y is already +-1 from text labels,
                      * malloc'ed, ownership taken; NULL: determined from y */
    char **classes;  /* texts of more than two classes, where y is 1 to class_count, malloc'ed,
                      * ownership taken; or NULL */
    size_t class_count;
    bool numeric; /* y is numeric whatever its values: no classes are looked for */
    char *name;   /* malloc'ed, ownership taken; or NULL */
} tm_response;

/* Further data for each row: n values each, malloc'ed, ownership taken; or NULL. */
typedef struct tm_row_facts {
    double *weights;  /* at least 0, not all 0; NULL: all 1 */
    double *offset;   /* added to the predictions */
    bool zero_offset; /* all offsets are 0; otherwise `offset` has them */
    double *qids;     /* equal for rows that belong together: the qid of a LIBSVM file, or ids */
} tm_row_facts;

/* Data about the features, or NULL: malloc'ed, ownership taken. */
typedef struct tm_feature_facts {
    char **names;    /* p names, all malloc'ed */
    double *truth;   /* synthetic data: the p weights from which the response was computed */
    uint32_t *edges; /* pairs of features (from 0) that are edges of a graph, 2 * edge_count
                      * values */
    size_t edge_count;
    double *means, *deviations; /* p values each, if already computed; or both NULL */
} tm_feature_facts;

typedef struct tm_dataset_parts {
    const char *name; /* display name; copied */
    tm_matrix *x;     /* n x p; ownership taken */
    tm_response response;
    tm_row_facts rows;
    tm_feature_facts features;
    bool derived;        /* derived from other data, which were validated */
    tm_reading *reading; /* what the reader has recorded; ownership taken; or NULL */
    tm_making making;    /* ownership of what it points to is taken */
    const char *note;    /* remarks of the reader for `tamis info`, lines of text; copied, or
                          * NULL */
    const char *sha256;  /* the fingerprint, if already computed; copied, or NULL */
} tm_dataset_parts;

/* Takes ownership also on failure. Detects two-class responses and computes column statistics.
 * TM_EDATA: no rows, no columns, a value that is not finite, or inconsistent dimensions. */
tm_status tm_dataset_new(tm_dataset **out, tm_dataset_parts *parts, tm_error *err);
tm_dataset *tm_dataset_ref(const tm_dataset *data);
void tm_dataset_unref(tm_dataset *data);

const char *tm_dataset_name(const tm_dataset *data);
const tm_matrix *tm_dataset_x(const tm_dataset *data);
const double *tm_dataset_y(const tm_dataset *data); /* n values */
/* The sample weights and the offsets of the predictions, n values each; NULL: 1 and 0 for all. */
const double *tm_dataset_weights(const tm_dataset *data);
const double *tm_dataset_offset(const tm_dataset *data);
/* Whether there are offsets, also when they are all 0 and therefore NULL. */
bool tm_dataset_has_offset(const tm_dataset *data);
/* n numbers, equal for rows that belong together (the qid of a LIBSVM file, or the reader's ids);
 * NULL: there are none. */
const double *tm_dataset_qids(const tm_dataset *data);
size_t tm_dataset_rows(const tm_dataset *data);
size_t tm_dataset_cols(const tm_dataset *data);
bool tm_dataset_is_binary(const tm_dataset *data); /* y is +-1 */
/* The original label of class -1 or +1 as text; NULL when the response is numeric. */
const char *tm_dataset_label(const tm_dataset *data, int sign);
bool tm_dataset_has_classes(const tm_dataset *data); /* y is +-1, or the number of one of more than
                                                      * two named classes */
/* The texts of more than two classes, whose numbers in y are 1 to *count; NULL and 0 for other
 * responses. A selection of rows may lack some of them. */
const char *const *tm_dataset_class_names(const tm_dataset *data, size_t *count);
/* Name of feature j (from 0), or NULL when the file has no names. */
const char *tm_dataset_feature_name(const tm_dataset *data, size_t j);
/* "X17" or the name, for display: written to buffer, never NULL. */
const char *tm_dataset_feature_label(const tm_dataset *data, size_t j, char *buffer, size_t size);
const char *tm_dataset_response_name(const tm_dataset *data); /* or NULL */
const char *tm_dataset_note(const tm_dataset *data);          /* "" when there is none */
/* Never NULL; subsets and copies have that of the whole file. */
const tm_reading *tm_dataset_reading(const tm_dataset *data);
/* Kept by subsets and copies, column by column. */
const tm_making *tm_dataset_making(const tm_dataset *data);
/* Whether several columns have the same name. */
bool tm_dataset_names_repeat(const tm_dataset *data);
/* The p weights from which a synthetic response was computed; NULL for other data. */
const double *tm_dataset_truth(const tm_dataset *data);
/* The edges of the data's graph as pairs of features, 2 * *count values; NULL and 0 without a
 * graph. */
const uint32_t *tm_dataset_edges(const tm_dataset *data, size_t *count);
/* For each column, p values each: mean, and sum of squared deviations from it, which is exactly 0
 * for columns whose deviations are only rounding errors. */
const double *tm_dataset_means(const tm_dataset *data);
const double *tm_dataset_deviations(const tm_dataset *data);
/* SHA-256 of the content (dimensions, response, columns, weights and offsets) as 64 hex digits:
 * equal data give equal digits, independent of the file format. Computed by the first call; any
 * thread. */
const char *tm_dataset_sha256(const tm_dataset *data);

/* The same data with other weights and offsets: n values each, copied; NULL: none. */
tm_status tm_dataset_weigh(tm_dataset **out, const tm_dataset *data, const double *weights,
                           const double *offset, tm_error *err);

/* The columns assigned to this process, with the rest of the data set: solvers use it like the
 * whole, in lockstep with the other processes (see tamis/comm.h), and with one thread. Keeps a
 * reference to `data` only when that is mapped from a file. */
tm_status tm_dataset_shard(tm_dataset **out, const tm_dataset *data, const tm_comm *comm,
                           tm_error *err);

/* A part of a data set, to be stored where one process reads it: part `number` (from 1) of `count`,
 * consecutive rows or every count-th column. Its note says of what it is a part. */
typedef struct tm_part {
    bool rows;
    size_t number, count;
} tm_part;
tm_status tm_dataset_part(tm_dataset **out, const tm_dataset *data, const tm_part *part,
                          tm_error *err);
/* The whole of which every process has its part of the columns, as from tm_dataset_shard. TM_EDATA
 * in all processes when one has no part, or a wrong one. */
tm_status tm_dataset_join(tm_dataset **out, const tm_dataset *own, const tm_comm *comm,
                          tm_error *err);
/* Data with p + 2 rows that have the same weighted sums of squares and products, means included, as
 * the rows of all processes together (comm NULL: of this one): every problem of weighted least
 * squares has the same answers. A row stands for n / (p + 2) rows. Each process reads its own rows
 * once, and sends (p + 2)(p + 3) / 2 numbers. *rows is the number of all rows. TM_EUSAGE for data
 * with more columns than rows or more than TM_CONDENSE_COLUMNS. */
enum { TM_CONDENSE_COLUMNS = 8192 };
tm_status tm_dataset_condense(tm_dataset **out, const tm_dataset *own, const tm_comm *comm,
                              size_t *rows, tm_error *err);

/* The rows that this process has, with the sums over all processes' rows: solvers that take sums
 * alone use it like the whole, in lockstep with the other processes, and with one thread. Dense
 * data; l1logistic and l1svm can be fitted to it. TM_EDATA, in all processes, when they have rows
 * of different data; TM_EUSAGE for sparse data. */
tm_status tm_dataset_share_rows(tm_dataset **out, const tm_dataset *own, const tm_comm *comm,
                                tm_error *err);

/* A data set with the given rows, in that order. Labels and names are kept, weights and offsets are
 * selected with the rows. The matrix is a view (tm_matrix_view_rows) when the data are mapped from
 * a file or a copy would take more than an eighth of the machine's memory, otherwise a copy, which
 * is faster. */
tm_status tm_dataset_select_rows(tm_dataset **out, const tm_dataset *data, const size_t *rows,
                                 size_t count, const char *name, tm_error *err);
/* A data set with the given columns, in that order: a view, which keeps a reference to the whole.
 * Unnamed features are named by their number in the whole. */
tm_status tm_dataset_select_cols(tm_dataset **out, const tm_dataset *data, const size_t *cols,
                                 size_t count, const char *name, tm_error *err);
/* The divisor of a column: its standard deviation, its greatest absolute value, or its norm
 * |x_j|. */
typedef enum tm_scaling { TM_SCALE_STANDARD, TM_SCALE_MAXABS, TM_SCALE_NORM } tm_scaling;
/* Divides every column by its scale, or by that of the same column of `like` (if not NULL; same
 * width); columns whose scale is 0 are unchanged. Zeros stay zeros, so that sparse data stay
 * sparse; methods with an intercept centre implicitly. */
tm_status tm_dataset_scale(tm_dataset **out, const tm_dataset *data, tm_scaling how,
                           const tm_dataset *like, tm_error *err);
/* Divides column j by scales[j]. */
tm_status tm_dataset_divide(tm_dataset **out, const tm_dataset *data, const double *scales,
                            tm_error *err);
/* Concatenates the rows of several data sets with the same features, as if they had been read
 * together: classes of the same name are the same, others are added, and the same holds for bags by
 * their qid (if all have qids). TM_EUSAGE when one response is numeric and another text. */
tm_status tm_dataset_append(tm_dataset **out, const tm_dataset *const *list, size_t count,
                            const char *name, tm_error *err);
typedef struct tm_split {
    double test;          /* 0 < test < 1: fraction of the rows in the test part */
    bool stratify;        /* both parts have the same fraction of each class */
    const size_t *groups; /* n ids: rows of one group stay together, so that the fraction is only
                           * met as closely as the groups permit; NULL: none */
    uint64_t seed;
} tm_split;

/* Splits at random. Both parts keep at least one row; TM_EUSAGE when that is impossible. */
tm_status tm_dataset_split(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *data,
                           const tm_split *how, tm_error *err);
/* Folds for cross-validation: fold[i] in 0..k-1 is the fold of row i, determined by the seed alone.
 * Without groups (NULL) the folds' sizes, and with `stratify` each class in them, differ by one row
 * at most. Classes are the distinct values of the response, ignored when there are more than 256.
 * With n group ids a group is never in two folds; large groups are assigned first, to the folds in
 * which their classes are rarest. TM_EUSAGE unless 2 <= k <= rows (groups). */
tm_status tm_dataset_folds(size_t *fold, const tm_dataset *data, size_t k, bool stratify,
                           const size_t *groups, uint64_t seed, tm_error *err);
/* A fraction (above 0, at most 1) of the rows, rounded up in each class, in their order; the choice
 * depends only on the number of rows, and a greater fraction contains all rows of a smaller one. */
tm_status tm_dataset_thin(tm_dataset **out, const tm_dataset *data, double share, tm_error *err);

/* Training sets sampled from the rows at random. */
typedef struct tm_resample {
    size_t count;   /* number of sets; with `pairs` number of pairs */
    bool bootstrap; /* as many rows as the data have, with replacement; no sample has all rows */
    bool pairs;     /* disjoint halves of the rows, one after the other */
    double share;   /* fraction of the rows, without replacement, if neither is set */
    bool stratify;  /* each class keeps its fraction */
    uint64_t seed;
} tm_resample;

size_t tm_resample_sets(const tm_resample *how);
/* times[s * n + i] is how often set s contains row i. TM_EUSAGE when there are too few rows. */
tm_status tm_dataset_resample(uint16_t *times, const tm_dataset *data, const tm_resample *how,
                              tm_error *err);

#endif
