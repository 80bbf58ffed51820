/* The results of a task of a sweep, and the position of its chain. */
#ifndef RUN_PLAN_FOUND_H
#define RUN_PLAN_FOUND_H

#include "tamis/model.h"
#include "tamis/sweep_table.h"

/* The results of a task: one cell for each configuration of its chain, in the chain's order. Those
 * before `first` were found by an earlier process and are not included. */
typedef struct sweep_found {
    tm_sweep_cell *cells;
    double *scores;
    size_t first, count;
    size_t recorded; /* the cells before this one are in the store */
    /* The answers of the cells not recorded yet; NULL if there is no store to record them. */
    tm_model **models;
    double lambda_max; /* NaN: not known, or none */
} sweep_found;

/* The position of a chain: everything that its next piece depends on. A chain that is interrupted
 * and resumed at a mark gives identical bytes. */
typedef struct sweep_mark {
    size_t cells;      /* number of finished cells */
    double lambda_max; /* NaN: not known, or none */
    tm_model *model;   /* the next one starts from it; or NULL */
} sweep_mark;

/* The first cells of a chain that other sweeps in the store have already solved. */
typedef struct sweep_reuse {
    sweep_found found; /* results of the whole chain */
    size_t count;      /* number of cells reused */
    bool *lacks;       /* by cell: some scores are not known and must be computed from its model */
} sweep_reuse;

tm_status sweep_reuse_make(sweep_reuse *reuse, size_t cells, size_t metrics, tm_error *err);
void sweep_reuse_clear(sweep_reuse *reuse);

tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err);
void sweep_found_clear(sweep_found *found);
/* Reopens the cells from `from` on. */
void sweep_found_drop(sweep_found *found, size_t from);
/* Notes that the cells before `end` are in the store. */
void sweep_found_recorded(sweep_found *found, size_t end);
void sweep_mark_clear(sweep_mark *mark);

#endif
