/* Feature sources: they provide the features of a problem when these are too many to be examined
 * one by one, or to be stored at all.
 *
 * A source offers *units*, each one or several feature columns that are chosen together. It scores
 * all its units against an n-vector, block by block, keeping the best; and it computes the columns
 * of the units that were chosen. No other columns are ever stored.
 *
 *     columns   each column of the matrix is a unit
 *     groups    each group of columns is a unit; groups may overlap
 *     tree      the same for groups that form a tree, whose subtrees are skipped (FGM remark 2)
 *     poly2     each feature of that map is a unit (FGM algorithm 5)
 *     hik       each column's features by that map are a unit (FGM 6.1, 8.6.2)
 *     additive  likewise by the map of a kernel, gaussian or chi2
 *
 * The matrix is only read through its interface, so that it may be a file larger than memory. A
 * source keeps a reference to the data, and belongs to one thread at a time. */
#ifndef TAMIS_SOURCE_H
#define TAMIS_SOURCE_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"
#include "tamis/groups.h"
#include "tamis/map.h"
#include "tamis/params.h"

typedef struct tm_source tm_source;

/* A unit with its score: the sum of (column'v)^2 over its columns. */
typedef struct tm_pick {
    uint64_t unit;
    double score;
} tm_pick;

typedef struct tm_source_spec {
    const char *kind;
    const tm_groups *groups; /* groups, tree; a reference is taken */
    bool intercept;          /* vectors to score against sum to zero: constant columns score 0 */
    bool standardize;        /* columns are divided by their standard deviation (their root mean
                              * square without an intercept) before any product; not for hik and
                              * additive */
    double gamma, coef0;     /* poly2 */
    const char *kernel;      /* additive: "gaussian" or "chi2" */
    double sigma;            /* gaussian, > 0 */
    double exponent;         /* hik, > 0 */
} tm_source_spec;

/* The kinds with their help, terminated by {NULL, NULL}. */
extern const tm_choice tm_source_choices[];
/* Whether a source of this kind computes its features by a map; otherwise they are the columns. */
bool tm_source_makes_features(const char *kind);

/* TM_EUSAGE for an unknown kind or one that does not suit the groups or options; TM_EDATA for data
 * it cannot use. */
tm_status tm_source_new(tm_source **out, const tm_dataset *data, const tm_source_spec *spec,
                        tm_error *err);
void tm_source_free(tm_source *source);

uint64_t tm_source_units(const tm_source *source);
size_t tm_source_width(const tm_source *source, uint64_t unit); /* number of its columns */
uint64_t tm_source_columns(const tm_source *source);            /* number of columns of all units */
const tm_map *tm_source_map(const tm_source *source);           /* or NULL */
const tm_dataset *tm_source_data(const tm_source *source);

/* Column k of a unit, n values, as used for scores. */
tm_status tm_source_column(const tm_source *source, uint64_t unit, size_t k, double *out,
                           tm_error *err);
/* The feature of this column: a column of the data, or a feature of the map. The scored column is
 * *factor times that feature. */
uint64_t tm_source_feature(const tm_source *source, uint64_t unit, size_t k, double *factor);
/* z += sum_k weights[k] (column k of the unit). */
tm_status tm_source_apply(const tm_source *source, uint64_t unit, const double *weights, double *z,
                          tm_error *err);
/* A description of a unit for display. Returns buffer. */
const char *tm_source_label(const tm_source *source, uint64_t unit, char *buffer, size_t size);

typedef struct tm_scan {
    int threads;       /* share the pass without changing a bit of the result */
    tm_cancel *cancel; /* or NULL */
    uint64_t columns;  /* out: number of inner products with v that were computed */
} tm_scan;

/* The `most` units of greatest positive score, in descending order: written to out, their number to
 * *count. TM_ECANCELLED, TM_ENOMEM. */
tm_status tm_source_best(tm_source *source, const double *v, size_t most, tm_pick *out,
                         size_t *count, tm_scan *scan, tm_error *err);

#endif
