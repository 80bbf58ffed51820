/* Callbacks of a sweep: metrics, and transformations of the rows of each split.
 *
 * They are called by the sweep's workers, several at once, and end with TM_ECANCELLED when
 * `cancel` (or NULL) is set. A failure is that of the cell, or of all cells of the split. A store
 * identifies results by the functions' keys: a function that has changed needs another key. */
#ifndef TAMIS_SWEEP_HOOKS_H
#define TAMIS_SWEEP_HOOKS_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"

typedef struct tm_sweep_metric {
    const char *name; /* of the column; at most 31 bytes, different from all other names */
    const char *key;
    bool greater_is_better;
    void *payload;
} tm_sweep_metric;

typedef struct tm_sweep_transform {
    const char *name; /* a value of the axis "prepare" */
    const char *key;
    void *payload;
} tm_sweep_transform;

/* n predictions z of a model, and the responses y. */
typedef struct tm_sweep_scored {
    const double *z, *y;
    size_t n;
} tm_sweep_scored;

/* Must be valid while the sweep lives. */
typedef struct tm_sweep_hooks {
    const tm_sweep_metric *metrics;
    size_t metric_count;
    const tm_sweep_transform *transforms;
    size_t transform_count;
    tm_status (*score)(double *out, const tm_sweep_scored *scored, void *payload, tm_cancel *cancel,
                       tm_error *err);
    /* Learns from `train` alone; parts[0] receives the transformed training rows, parts[1] those of
     * `test`, with the same number of rows and the same responses. NULL without a test part. */
    tm_status (*transform)(tm_dataset *parts[2], const tm_dataset *train, const tm_dataset *test,
                           void *payload, tm_cancel *cancel, tm_error *err);
    void (*release)(void *owner); /* called when the sweep is freed; or NULL */
    void *owner;
} tm_sweep_hooks;

#endif
