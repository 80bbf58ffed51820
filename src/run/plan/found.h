/* What a task of a sweep has found, and where its chain stands. */
#ifndef RUN_PLAN_FOUND_H
#define RUN_PLAN_FOUND_H

#include "tamis/model.h"
#include "tamis/sweep_table.h"

/* What a task found: one cell for each configuration of its chain, in the chain's order. Those
 * before `first` were found by an earlier process and are not in it. */
typedef struct sweep_found {
    tm_sweep_cell *cells;
    double *scores;
    size_t first, count;
    size_t recorded; /* those before it are in the store */
} sweep_found;

/* Where a chain stands: all that its next piece depends on. A chain that was broken off and taken
 * up again at a mark gives the same bytes as one that was not. */
typedef struct sweep_mark {
    size_t cells;      /* finished */
    double lambda_max; /* NaN: not known, or none */
    tm_model *model;   /* the next one starts from it; or NULL */
} sweep_mark;

tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err);
void sweep_found_clear(sweep_found *found);
void sweep_mark_clear(sweep_mark *mark);

#endif
