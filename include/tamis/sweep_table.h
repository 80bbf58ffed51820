/* The results of a sweep: a table of configurations by splits.
 *
 * A configuration gives every axis a value; a split is one training set with the rows that the
 * model is scored on. A cell is one configuration on one split. Tables are snapshots: they do not
 * change, and are owned by the caller. */
#ifndef TAMIS_SWEEP_TABLE_H
#define TAMIS_SWEEP_TABLE_H

#include "tamis/metric.h"
#include "tamis/params.h"

typedef struct tm_sweep_table tm_sweep_table;

/* Counted from 1. `inner` 0: scored on the outer fold itself. */
typedef struct tm_sweep_split {
    int repeat, outer, inner;
} tm_sweep_split;

typedef enum tm_cell_status {
    TM_CELL_OPEN, /* not finished yet: the other fields are meaningless */
    TM_CELL_CONVERGED,
    TM_CELL_MAX_ITER,
    TM_CELL_FAILED, /* see error */
} tm_cell_status;

const char *tm_cell_status_name(tm_cell_status status); /* "open", "converged", ... */

/* What a sweep stores of a cell besides its numbers, if its description requests it (bits). */
typedef enum tm_sweep_keep {
    TM_KEEP_PREDICTIONS = 1, /* for the rows that are scored on, in their order */
    TM_KEEP_SUPPORT = 2,
    TM_KEEP_MODEL = 4,
} tm_sweep_keep;

extern const tm_choice tm_sweep_keeps[]; /* by bit, terminated by {NULL, NULL} */

/* Immutable, valid as long as the table. */
typedef struct tm_kept tm_kept;

/* NULL when not stored. */
const double *tm_kept_predictions(const tm_kept *kept, size_t *count);
/* Features from 0, ascending. */
const uint64_t *tm_kept_support(const tm_kept *kept, size_t *count);
/* *out is owned by the caller; NULL when it was not stored. */
tm_status tm_kept_model(tm_model **out, const tm_kept *kept, tm_error *err);

/* Unknown values are NaN. */
typedef struct tm_sweep_cell {
    tm_cell_status status;
    double lambda, primal, dual, gap, nnz, seconds, columns, updates;
    const double *scores; /* one for each metric */
    const char *error;    /* of a failed cell, or NULL */
    const tm_kept *kept;  /* or NULL */
} tm_sweep_cell;

void tm_sweep_table_free(tm_sweep_table *table);

const char *tm_sweep_table_name(const tm_sweep_table *table);
size_t tm_sweep_table_axes(const tm_sweep_table *table);
const char *tm_sweep_table_axis(const tm_sweep_table *table, size_t axis);
size_t tm_sweep_table_configs(const tm_sweep_table *table);
/* As text; NULL: the method's default. */
const char *tm_sweep_table_value(const tm_sweep_table *table, size_t config, size_t axis);
size_t tm_sweep_table_metrics(const tm_sweep_table *table);
/* "train_accuracy" and so on when the sweep has neither folds nor test data: the functions below
 * accept "accuracy" too. */
const char *tm_sweep_table_metric(const tm_sweep_table *table, size_t metric);
size_t tm_sweep_table_splits(const tm_sweep_table *table);
const tm_sweep_split *tm_sweep_table_split(const tm_sweep_table *table, size_t split);
const tm_sweep_cell *tm_sweep_table_cell(const tm_sweep_table *table, size_t config, size_t split);
/* Number of cells that are not open, and of those that failed. */
size_t tm_sweep_table_done(const tm_sweep_table *table, size_t *failed);

/* ---- summaries ----------------------------------------------------------------------------- */

typedef struct tm_sweep_mean {
    size_t count;    /* number of cells with a value */
    double mean;     /* NaN when count is 0 */
    double sd, se;   /* standard deviation of the cells (with n - 1), and sd / sqrt(count); 0 for
                      * one cell */
    double min, max; /* NaN when count is 0 */
} tm_sweep_mean;

/* The number in column `column` of one cell: "lambda", "primal", "dual", "gap", "nnz", "seconds",
 * "columns", "updates" or a metric of the table. TM_EUSAGE for another name. NaN for a cell that is
 * open or failed. */
tm_status tm_sweep_column(const tm_sweep_table *table, const char *column, size_t config,
                          size_t split, double *out, tm_error *err);
/* Over the splits that configurations are compared on: all, or the inner ones when folds are
 * nested. */
tm_status tm_sweep_summary(const tm_sweep_table *table, const char *column, size_t config,
                           tm_sweep_mean *out, tm_error *err);
/* The number of these splits on which the configuration ended before its tolerance was met. */
size_t tm_sweep_unconverged(const tm_sweep_table *table, size_t config);
/* The configuration with the best mean of a metric (NULL: the first one) so far. With `one_se`:
 * among those within one standard error of it the one with the fewest features. TM_EDATA while no
 * configuration has a score. */
tm_status tm_sweep_best(const tm_sweep_table *table, const char *metric, bool one_se,
                        size_t *config, tm_error *err);

/* All configurations from the best to the worst mean of a metric (NULL: the first one), equal ones
 * ordered as tm_sweep_best chooses; those that lack a score that others have, or have none, come
 * last. order[] has space for all. *scored is the number of those before these. */
tm_status tm_sweep_order(const tm_sweep_table *table, const char *metric, size_t *order,
                         size_t *scored, tm_error *err);
/* Whether greater values of the metric (NULL: the first one) are better. */
tm_status tm_sweep_greater(const tm_sweep_table *table, const char *metric, bool *greater,
                           tm_error *err);

/* Nested folds: one entry for each outer fold whose cells are complete. */
typedef struct tm_sweep_outer {
    tm_sweep_split split;
    size_t config; /* the best on the inner folds alone */
    double score;  /* the score of that configuration on the outer fold */
} tm_sweep_outer;

/* *out (malloc'ed, freed by the caller) has *count entries. TM_EUSAGE when the folds are not
 * nested. */
tm_status tm_sweep_nested(const tm_sweep_table *table, const char *metric, bool one_se,
                          tm_sweep_outer **out, size_t *count, tm_error *err);

/* The same among the configurations for which only[config] is set (NULL: all). */
tm_status tm_sweep_nested_within(const tm_sweep_table *table, const char *metric, bool one_se,
                                 const bool *only, tm_sweep_outer **out, size_t *count,
                                 tm_error *err);

/* The mean of the outer scores, its standard error and their deviation. */
tm_sweep_mean tm_sweep_outer_mean(const tm_sweep_outer *outer, size_t count);

/* ---- curves -------------------------------------------------------------------------------- */

typedef struct tm_sweep_curve {
    char *name;         /* what its configurations have in common: "fgm T=2"; "" when there is one
                         * curve */
    double *x, *y, *se; /* se: the standard error of y; 0 for one cell */
    size_t count;       /* points by ascending x */
    bool cloud;         /* points are not joined by a line: they differ on two axes or more */
} tm_sweep_curve;

/* Means of column `y` over `x`, an axis or a column. A curve runs along x if that is an axis,
 * otherwise along the axes that are a path of the method; configurations that differ on another
 * axis are on different curves. If each curve would have a single point (settings that were drawn
 * at random), only the axes with words distinguish curves. *out has *count of them, freed with
 * tm_sweep_curves_free. */
tm_status tm_sweep_curves(const tm_sweep_table *table, const char *x, const char *y,
                          tm_sweep_curve **out, size_t *count, tm_error *err);
void tm_sweep_curves_free(tm_sweep_curve *curves, size_t count);

#endif
