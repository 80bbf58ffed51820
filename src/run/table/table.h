/* The inside of a sweep's table. */
#ifndef RUN_TABLE_TABLE_H
#define RUN_TABLE_TABLE_H

#include "tamis/sweep_table.h"

struct tm_sweep_table {
    char *name;
    size_t axis_count, config_count, metric_count, split_count;
    char **axes;    /* axis_count */
    bool *along;    /* by axis: curves run along it */
    char **values;  /* config_count x axis_count; NULL: default */
    char **metrics; /* names; "train_" before each when there are no held-out rows */
    bool on_train;
    tm_sweep_split *splits;  /* split_count */
    tm_sweep_cell *cells;    /* config_count x split_count, config by config */
    signed char *directions; /* by metric: 0 in the table of metrics; else 1 or -1, the better */
    unsigned keep;           /* bits of tm_sweep_keep */
    double *scores;          /* cells x metric_count: what the cells point to */
};

/* What a table is made from; all texts are copied. */
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
    const bool *along;             /* by axis: configurations are solved along it; NULL: none */
    bool on_train;                 /* scores are of the rows that were trained on */
    const signed char *directions; /* by metric, as the table has them; NULL: all are 0 */
    unsigned keep;                 /* bits of tm_sweep_keep */
} sweep_table_shape;

/* The metric's name as tm_scorer_find knows it. */
const char *sweep_table_scorer(const tm_sweep_table *table, size_t metric);

/* The cells are open. */
tm_status sweep_table_new(tm_sweep_table **out, const sweep_table_shape *shape, tm_error *err);
/* Fills one cell with copies; `cell`'s scores are metric_count numbers. An error text that cannot
 * be copied for want of memory is left out. */
void sweep_table_set(tm_sweep_table *table, size_t config, size_t split, const tm_sweep_cell *cell);
/* Cells of that status. */
size_t sweep_table_count(const tm_sweep_table *table, tm_cell_status status);
/* Makes one cell a failed one that has nothing but the reason. */
void sweep_table_fail(tm_sweep_table *table, size_t config, size_t split, const char *why);
/* Makes one cell an open one. */
void sweep_table_open(tm_sweep_table *table, size_t config, size_t split);
/* NULL when memory ran out. */
tm_sweep_table *sweep_table_copy(const tm_sweep_table *table);

#endif
