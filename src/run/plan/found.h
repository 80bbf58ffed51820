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
    /* The answers of those that are not; each NULL when no store wants them. */
    tm_model **models;
    double lambda_max; /* NaN: not known, or none */
} sweep_found;

/* Where a chain stands: all that its next piece depends on. A chain that was broken off and taken
 * up again at a mark gives the same bytes as one that was not. */
typedef struct sweep_mark {
    size_t cells;      /* finished */
    double lambda_max; /* NaN: not known, or none */
    tm_model *model;   /* the next one starts from it; or NULL */
} sweep_mark;

/* The first cells of a chain, found in a store: other sweeps have solved the same. */
typedef struct sweep_reuse {
    sweep_found found; /* of the whole chain */
    size_t count;      /* the cells before it */
    bool *lacks;       /* by cell: scores that are not known, which its model gives */
} sweep_reuse;

tm_status sweep_reuse_make(sweep_reuse *reuse, size_t cells, size_t metrics, tm_error *err);
void sweep_reuse_clear(sweep_reuse *reuse);

tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err);
void sweep_found_clear(sweep_found *found);
/* The cells from there on are open. */
void sweep_found_drop(sweep_found *found, size_t from);
/* The cells before `end` are in the store. */
void sweep_found_recorded(sweep_found *found, size_t end);
void sweep_mark_clear(sweep_mark *mark);

#endif
