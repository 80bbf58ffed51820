/* The splits of a sweep and their data, which are made when they are first needed and released
 * when no task is left that wants them. */
#ifndef RUN_PLAN_SPLIT_H
#define RUN_PLAN_SPLIT_H

#include "tamis/prepare.h"
#include "tamis/sweep.h"

#include <pthread.h>

/* Data as some configurations get them: a data set, and what is done to its rows once they are
 * split. */
typedef struct sweep_variant {
    size_t data;
    tm_params *prepare; /* of tm_prepare_params */
    size_t append;      /* place in the description's extra data; SIZE_MAX: none */
    tm_dataset *more;   /* the same, a reference; or NULL */
    size_t transform;   /* place in the hooks'; SIZE_MAX: none */
} sweep_variant;

/* The rows of one split of one variant. */
typedef struct sweep_part {
    pthread_mutex_t lock;
    tm_dataset *train, *test; /* NULL: not made yet, or no more */
    size_t users;             /* tasks at work */
    size_t pending;           /* tasks that are not finished */
} sweep_part;

typedef struct sweep_splits {
    size_t count, rows;
    tm_sweep_split *splits;
    size_t folds, nested; /* 0: none */
    bool own;         /* the folds are given, and may overlap: one is a repeat of its own below */
    uint16_t **outer; /* by repeat: the fold of each row; of given folds, by fold: how often it
                         trains on each row, or SPLIT_SCORES */
    uint16_t **inner; /* by repeat and outer fold, when nested */
    size_t outer_count, inner_count;
    tm_dataset **data; /* references */
    size_t data_count;
    sweep_variant *variants; /* filled before the splits are made */
    size_t variant_count;
    const tm_sweep_hooks *hooks; /* or NULL */
    tm_dataset *test;            /* or NULL */
    sweep_part *parts;           /* count x variant_count */
} sweep_splits;

/* Fills one that has its variants; cleared with sweep_splits_clear, also after a failure. */
tm_status sweep_splits_make(sweep_splits *splits, const tm_sweep_spec *spec, tm_error *err);
void sweep_splits_clear(sweep_splits *splits);

/* Which data are wanted, and who gives up waiting for a transform of them. */
typedef struct sweep_place {
    size_t split, variant;
    tm_cancel *cancel;
} sweep_place;

/* References of the caller's to the training data and the data to score on (NULL: the training
 * data), both prepared as the variant says, by what the training rows say; given back with
 * sweep_splits_release. Any thread. */
tm_status sweep_splits_take(sweep_splits *splits, const sweep_place *at, tm_dataset **train,
                            tm_dataset **test, tm_error *err);
void sweep_splits_release(sweep_splits *splits, size_t split, size_t variant, tm_dataset *train,
                          tm_dataset *test);
/* All rows as the variant is trained on them, whole, into out[0], and what becomes of `other` (or
 * NULL), which is scored on, into out[1]; both the caller's. at->split is not looked at. */
tm_status sweep_splits_whole(tm_dataset *out[2], const sweep_splits *splits, const sweep_place *at,
                             const tm_dataset *other, tm_error *err);
/* How often the split trains on the row. */
size_t sweep_splits_times(const sweep_splits *splits, size_t split, size_t row);
/* A tm_row_role. */
int sweep_splits_role(const sweep_splits *splits, size_t split, size_t row);
/* One task of this split is finished, here or by another process. */
void sweep_splits_finished(sweep_splits *splits, size_t split, size_t variant);

#endif
