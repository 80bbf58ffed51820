/* A sweep's table laid out for the screen: as a grid of two axes, or as a list of its
 * configurations. */
#ifndef TUI_VIEWS_SWEEPS_GRID_H
#define TUI_VIEWS_SWEEPS_GRID_H

#include "tamis/sweep_table.h"

/* Arrangements, from 0 on: each axis with several values across the others where that fills a
 * grid; then a row for each configuration, in the sweep's order; then the same, the best first. */
typedef struct sweep_grid {
    size_t arrangements; /* how many there are */
    size_t axis;         /* that runs across; SIZE_MAX: a list */
    bool ranked;         /* the best first */
    size_t rows, cols;
    size_t *configs;      /* rows x cols; SIZE_MAX: the sweep has no such configuration */
    tm_sweep_mean *means; /* of each configuration, of `column` */
    size_t done;          /* configurations that have a mean */
    double low, high;     /* of the means; NaN: there are none */
    size_t best;          /* by `column`; SIZE_MAX: not known yet */
    bool greater;         /* is better */
} sweep_grid;

/* Column c of the numbers that a grid can show: the metrics, then "nnz", "seconds", "lambda",
 * "gap"; NULL past the end. */
const char *sweep_grid_column(const tm_sweep_table *table, size_t c);
/* The arrangement that shows most at first sight. */
size_t sweep_grid_first(const tm_sweep_table *table);
tm_status sweep_grid_make(sweep_grid *grid, const tm_sweep_table *table, size_t arrangement,
                          const char *column, tm_error *err);
void sweep_grid_free(sweep_grid *grid);
/* "B=2, C=1": the values of a configuration on all axes but `without` (SIZE_MAX: on all). */
const char *sweep_grid_label(const tm_sweep_table *table, size_t config, size_t without,
                             char *buffer, size_t size);

#endif
