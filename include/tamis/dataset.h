/* Data sets: a matrix, a response, and what the file said about both. Immutable and reference
 * counted; threads share them without locks.
 *
 * A response with exactly two distinct values is a two-class problem: the greater value (for
 * text: the later one in byte order) becomes +1, the other -1, whatever the order of the rows, and
 * the original labels are remembered. A response of more than two texts is one of classes, coded 1,
 * 2, ... in byte order of their names. Any other response is a number and kept as it is. */
#ifndef TAMIS_DATASET_H
#define TAMIS_DATASET_H

#include "tamis/comm.h"
#include "tamis/error.h"
#include "tamis/matrix.h"
#include "tamis/reading.h"
#include "tamis/rng.h"

#include <stdbool.h>

typedef struct tm_dataset tm_dataset;

/* What was done to the rows and columns after they were read, so that others can be made alike. */
typedef struct tm_making {
    double *scales; /* p: what the columns were divided by; NULL: nothing */
    size_t *origin; /* p: the columns' numbers in the whole, from 0; NULL: they are the whole */
    size_t whole;   /* columns of that */
    tm_dataset *concepts; /* rows are bags, columns similarities to these rows; or NULL */
    double sigma;         /* of the similarities */
    char *bags;           /* what told the bags; NULL: a file or a list */
    bool rest;            /* the class -1 is all but the class +1 */
} tm_making;

/* What the rows are to answer. */
typedef struct tm_response {
    double *y;       /* n values, malloc'ed; ownership taken */
    char *labels[2]; /* text of the classes -1 and +1 when y is already +-1 by text labels,
                        malloc'ed, ownership taken; NULL: found from y */
    char **classes;  /* texts of more than two classes, y being 1 to class_count, malloc'ed,
                        ownership taken; or NULL */
    size_t class_count;
    bool numeric; /* y is a number whatever its values: no classes are looked for */
    char *name;   /* malloc'ed, ownership taken; or NULL */
} tm_response;

/* What else is known of the rows: n values each, malloc'ed, ownership taken; or NULL. */
typedef struct tm_row_facts {
    double *weights;  /* at least 0, not all 0; NULL: all 1 */
    double *offset;   /* that the predictions begin with */
    bool zero_offset; /* there are offsets, all 0; else `offset` says */
    double *qids;     /* equal for rows that belong together: qid of a LIBSVM file, or ids */
} tm_row_facts;

/* What is known of the features, or NULL: malloc'ed, ownership taken. */
typedef struct tm_feature_facts {
    char **names;    /* p names, all malloc'ed */
    double *truth;   /* synthetic data: p weights that made the response */
    uint32_t *edges; /* pairs of features (from 0) that a graph joins, 2 * edge_count of them */
    size_t edge_count;
    double *means, *deviations; /* p values each, if they are known already; or both NULL */
} tm_feature_facts;

typedef struct tm_dataset_parts {
    const char *name; /* shown to people; copied */
    tm_matrix *x;     /* n x p; ownership taken */
    tm_response response;
    tm_row_facts rows;
    tm_feature_facts features;
    bool derived;        /* of other data, which were checked as a whole */
    tm_reading *reading; /* what the reader has learnt; ownership taken; or NULL */
    tm_making making;    /* ownership of what it points to taken */
    const char *note;    /* remarks of the reader for `tamis info`, lines; copied, or NULL */
    const char *sha256;  /* the fingerprint, if it is known already; copied, or NULL */
} tm_dataset_parts;

/* Ownership passes also on failure. Finds two-class responses, computes column statistics.
 * TM_EDATA: no rows, no columns, a value that is not finite, sizes that do not agree. */
tm_status tm_dataset_new(tm_dataset **out, tm_dataset_parts *parts, tm_error *err);
tm_dataset *tm_dataset_ref(const tm_dataset *data);
void tm_dataset_unref(tm_dataset *data);

const char *tm_dataset_name(const tm_dataset *data);
const tm_matrix *tm_dataset_x(const tm_dataset *data);
const double *tm_dataset_y(const tm_dataset *data); /* n values */
/* How often each row counts, n values, and what its prediction begins with; NULL: 1 and 0 for all.
 */
const double *tm_dataset_weights(const tm_dataset *data);
const double *tm_dataset_offset(const tm_dataset *data);
/* Whether there are offsets, be they all 0 and so NULL. */
bool tm_dataset_has_offset(const tm_dataset *data);
/* n numbers, equal for rows that belong together (qid of a LIBSVM file, the reader's ids); NULL:
 * nothing is known of that. */
const double *tm_dataset_qids(const tm_dataset *data);
size_t tm_dataset_rows(const tm_dataset *data);
size_t tm_dataset_cols(const tm_dataset *data);
bool tm_dataset_is_binary(const tm_dataset *data); /* y is +-1 */
/* The original label of class -1 or +1 as text; NULL when the response is numeric. */
const char *tm_dataset_label(const tm_dataset *data, int sign);
bool tm_dataset_has_classes(const tm_dataset *data); /* y is +-1, or of more classes with names */
/* The texts of more than two classes, of which y has the numbers 1 to *count; NULL and 0 when the
 * response is something else. A selection of rows may lack some of them. */
const char *const *tm_dataset_class_names(const tm_dataset *data, size_t *count);
/* Name of feature j (from 0), or NULL when the file named none. */
const char *tm_dataset_feature_name(const tm_dataset *data, size_t j);
/* "X17" or the name, for people: written to buffer, never NULL. */
const char *tm_dataset_feature_label(const tm_dataset *data, size_t j, char *buffer, size_t size);
const char *tm_dataset_response_name(const tm_dataset *data); /* or NULL */
const char *tm_dataset_note(const tm_dataset *data);          /* "" when there is none */
/* Never NULL; parts and copies have the whole file's. */
const tm_reading *tm_dataset_reading(const tm_dataset *data);
/* Goes along to parts and copies, column by column. */
const tm_making *tm_dataset_making(const tm_dataset *data);
/* Whether several columns have one name. */
bool tm_dataset_names_repeat(const tm_dataset *data);
/* p weights that made a synthetic response; NULL for all other data. */
const double *tm_dataset_truth(const tm_dataset *data);
/* Pairs of features that the data's graph joins, 2 * *count of them; NULL and 0 without a graph. */
const uint32_t *tm_dataset_edges(const tm_dataset *data, size_t *count);
/* Per column, p values each: mean, and sum of squared deviations from it. Columns whose
 * deviations are rounding alone have exactly 0. */
const double *tm_dataset_means(const tm_dataset *data);
const double *tm_dataset_deviations(const tm_dataset *data);
/* SHA-256 of the content (sizes, response, columns, weights and offsets) as 64 hex digits: equal
 * data give equal digits whatever the file format. Computed at the first call; any thread. */
const char *tm_dataset_sha256(const tm_dataset *data);

/* The same data with other weights and offsets: n values each, copied; NULL: none. */
tm_status tm_dataset_weigh(tm_dataset **out, const tm_dataset *data, const double *weights,
                           const double *offset, tm_error *err);

/* The part of the data that this process keeps when columns are dealt out, with everything else of
 * it: solvers use it like the whole, in step with the other processes (see tamis/comm.h), and on
 * one thread. Keeps a reference to `data` only when that is read from a file in place. */
tm_status tm_dataset_shard(tm_dataset **out, const tm_dataset *data, const tm_comm *comm,
                           tm_error *err);

/* The given rows, in that order, as a data set of its own. Labels and names are kept, weights and
 * offsets go with the rows. The matrix is a view (tm_matrix_view_rows) when the data are read from
 * a file in place or a copy would take more than an eighth of this machine's memory, else a copy,
 * which is faster. */
tm_status tm_dataset_select_rows(tm_dataset **out, const tm_dataset *data, const size_t *rows,
                                 size_t count, const char *name, tm_error *err);
/* The given columns, in that order: a view, which keeps a reference to the whole. Features without
 * a name are called after their number in the whole. */
tm_status tm_dataset_select_cols(tm_dataset **out, const tm_dataset *data, const size_t *cols,
                                 size_t count, const char *name, tm_error *err);
/* What a column is divided by: its standard deviation, its largest absolute value, its length
 * |x_j|. */
typedef enum tm_scaling { TM_SCALE_STANDARD, TM_SCALE_MAXABS, TM_SCALE_NORM } tm_scaling;
/* Every column divided by its scale, or by that of `like`'s (not NULL: of the same width); columns
 * without one are left as they are. Zeros stay zeros, so sparse data stay sparse; methods with an
 * intercept centre implicitly. */
tm_status tm_dataset_scale(tm_dataset **out, const tm_dataset *data, tm_scaling how,
                           const tm_dataset *like, tm_error *err);
/* Column j divided by scales[j]. */
tm_status tm_dataset_divide(tm_dataset **out, const tm_dataset *data, const double *scales,
                            tm_error *err);
/* The rows of several data sets of the same features, one below the other, as if they had been read
 * together: classes of the same name are the same, others are added, and so are bags by their qid
 * (when all have them). TM_EUSAGE when one response is of numbers and another of texts. */
tm_status tm_dataset_append(tm_dataset **out, const tm_dataset *const *list, size_t count,
                            const char *name, tm_error *err);
typedef struct tm_split {
    double test;          /* 0 < test < 1: the share of the rows that goes to the test part */
    bool stratify;        /* each class keeps its share */
    const size_t *groups; /* n ids: rows of one group go to one part together, so the shares are
                             only as near as the groups allow; NULL: none */
    uint64_t seed;
} tm_split;

/* Random split. Both parts keep at least one row; TM_EUSAGE when that cannot be. */
tm_status tm_dataset_split(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *data,
                           const tm_split *how, tm_error *err);
/* Folds for cross-validation: fold[i] in 0..k-1 is the fold of row i, decided by the seed alone.
 * Without groups (NULL) the folds' sizes, and with `stratify` each class in them, differ by one row
 * at most. Classes are the distinct values of the response, ignored when there are more than 256.
 * With n group ids a group is never in two folds, and large groups are dealt out first to where
 * their classes are scarcest. TM_EUSAGE unless 2 <= k <= rows (groups). */
tm_status tm_dataset_folds(size_t *fold, const tm_dataset *data, size_t k, bool stratify,
                           const size_t *groups, uint64_t seed, tm_error *err);
/* A share (above 0, at most 1) of the rows, of each class its share rounded up, in their order;
 * chosen by the number of rows alone, and a greater share has all rows of a smaller one. */
tm_status tm_dataset_thin(tm_dataset **out, const tm_dataset *data, double share, tm_error *err);

/* Training sets that are drawn from the rows at random. */
typedef struct tm_resample {
    size_t count;   /* of them; with `pairs` of pairs of them */
    bool bootstrap; /* as many rows as there are, with replacement; no sample has all rows */
    bool pairs;     /* halves of the rows without a row in common, one after the other */
    double share;   /* of the rows, without replacement, when neither */
    bool stratify;  /* each class keeps its share */
    uint64_t seed;
} tm_resample;

size_t tm_resample_sets(const tm_resample *how);
/* times[s * n + i] is how often set s has row i. TM_EUSAGE when the rows are too few. */
tm_status tm_dataset_resample(uint16_t *times, const tm_dataset *data, const tm_resample *how,
                              tm_error *err);

#endif
