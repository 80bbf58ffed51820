/* The internals of a sweep's table. */
#ifndef RUN_TABLE_TABLE_H
#define RUN_TABLE_TABLE_H

#include "tamis/sweep_table.h"

struct tm_sweep_table {
    char *name;
    size_t axis_count, config_count, metric_count, split_count;
    char **axes;    /* axis_count */
    bool *along;    /* by axis: whether curves run along it */
    char **values;  /* config_count x axis_count; NULL: default */
    char **metrics; /* names; prefixed by "train_" if there are no held-out rows */
    bool on_train;
    tm_sweep_split *splits;  /* split_count */
    tm_sweep_cell *cells;    /* config_count x split_count, config by config */
    signed char *directions; /* by metric: 0 if it is in the table of metrics; otherwise 1 if
                              * greater is better, -1 if smaller */
    unsigned keep;           /* bits of tm_sweep_keep */
    double *scores;          /* cells x metric_count: what the cells point to */
};

/* The data from which a table is made; all texts are copied. */
typedef struct sweep_table_shape {
    const char *name;
    const char *const *axes;
    size_t axis_count;
    const char *const *values; /* config_count x axis_count; NULL: default */
    size_t config_count;
    const char *const *metrics;
    size_t metric_count;
    const tm_sweep_split *splits;
    size_t split_count;
    const bool *along;             /* by axis: whether configurations are solved in sequence along
                                    * it; NULL: none */
    bool on_train;                 /* scores are on the training rows */
    const signed char *directions; /* by metric, as in the table; NULL: all are 0 */
    unsigned keep;                 /* bits of tm_sweep_keep */
} sweep_table_shape;

/* The metric's name as tm_scorer_find takes it. */
const char *sweep_table_scorer(const tm_sweep_table *table, size_t metric);

/* Makes a table with open cells. */
tm_status sweep_table_new(tm_sweep_table **out, const sweep_table_shape *shape, tm_error *err);
/* Fills one cell with copies; `cell`'s scores are metric_count numbers. An error text for which
 * memory runs out is omitted. */
void sweep_table_set(tm_sweep_table *table, size_t config, size_t split, const tm_sweep_cell *cell);
/* The number of cells with this status. */
size_t sweep_table_count(const tm_sweep_table *table, tm_cell_status status);
/* Makes one cell a failed one that has only the reason. */
void sweep_table_fail(tm_sweep_table *table, size_t config, size_t split, const char *why);
/* Makes one cell an open one. */
void sweep_table_open(tm_sweep_table *table, size_t config, size_t split);
/* NULL when memory ran out. */
tm_sweep_table *sweep_table_copy(const tm_sweep_table *table);

#endif
