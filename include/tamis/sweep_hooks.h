/* Functions of the caller's in a sweep: metrics, and what is done to the rows of each split.
 *
 * They are called by the sweep's workers, several at once, and end with TM_ECANCELLED when
 * `cancel` (or NULL) is set. A failure is the cell's, or of all cells of the split. What a store
 * has of a sweep is found by the functions' keys: a function that changed has another key. */
#ifndef TAMIS_SWEEP_HOOKS_H
#define TAMIS_SWEEP_HOOKS_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"

typedef struct tm_sweep_metric {
    const char *name; /* of the column; at most 31 bytes, and no name of another one */
    const char *key;
    bool greater_is_better;
    void *payload;
} tm_sweep_metric;

typedef struct tm_sweep_transform {
    const char *name; /* a value of the axis "prepare" */
    const char *key;
    void *payload;
} tm_sweep_transform;

/* n values z that a model predicts, and the responses y. */
typedef struct tm_sweep_scored {
    const double *z, *y;
    size_t n;
} tm_sweep_scored;

/* Valid while the sweep lives. */
typedef struct tm_sweep_hooks {
    const tm_sweep_metric *metrics;
    size_t metric_count;
    const tm_sweep_transform *transforms;
    size_t transform_count;
    tm_status (*score)(double *out, const tm_sweep_scored *scored, void *payload, tm_cancel *cancel,
                       tm_error *err);
    /* Learns from `train` alone; parts[0] is what becomes of these rows, parts[1] of those of
     * `test`, as many as it has with the same responses. NULL without one. */
    tm_status (*transform)(tm_dataset *parts[2], const tm_dataset *train, const tm_dataset *test,
                           void *payload, tm_cancel *cancel, tm_error *err);
    void (*release)(void *owner); /* when the sweep is freed; or NULL */
    void *owner;
} tm_sweep_hooks;

#endif
