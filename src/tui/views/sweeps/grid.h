/* A sweep's table laid out for the screen: as a grid of two axes, or as a list of its
 * configurations. */
#ifndef TUI_VIEWS_SWEEPS_GRID_H
#define TUI_VIEWS_SWEEPS_GRID_H

#include "tamis/sweep_table.h"

/* Arrangements, numbered from 0: each axis with several values as the horizontal axis, if that
 * fills a grid; then a list of the configurations in the sweep's order; then the same list, the
 * best first. */
typedef struct sweep_grid {
    size_t arrangements; /* their number */
    size_t axis;         /* the horizontal axis; SIZE_MAX: a list */
    bool ranked;         /* the best first */
    size_t rows, cols;
    size_t *configs;      /* rows x cols; SIZE_MAX: the sweep has no such configuration */
    tm_sweep_mean *means; /* the mean of `column` for each configuration */
    size_t done;          /* number of configurations that have a mean */
    double low, high;     /* range of the means; NaN: there are none */
    size_t best;          /* the best configuration by `column`; SIZE_MAX: not known yet */
    bool greater;         /* greater values are better */
} sweep_grid;

/* Column c of the numbers that a grid can show: the metrics, then "nnz", "seconds", "lambda",
 * "gap"; NULL past the end. */
const char *sweep_grid_column(const tm_sweep_table *table, size_t c);
/* The arrangement to show first. */
size_t sweep_grid_first(const tm_sweep_table *table);
tm_status sweep_grid_make(sweep_grid *grid, const tm_sweep_table *table, size_t arrangement,
                          const char *column, tm_error *err);
void sweep_grid_free(sweep_grid *grid);
/* "B=2, C=1": the values of a configuration on all axes except `without` (SIZE_MAX: on all). */
const char *sweep_grid_label(const tm_sweep_table *table, size_t config, size_t without,
                             char *buffer, size_t size);
/* The same in at most `columns` columns, where names that are cut from the end make it fit: the
 * values are what tells the configurations apart. */
const char *sweep_grid_label_within(const tm_sweep_table *table, size_t config, size_t without,
                                    int columns, bool utf8, char *buffer, size_t size);

#endif
