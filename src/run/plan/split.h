/* The splits of a sweep and their data, which are made when they are first needed and released when
 * no remaining task needs them. */
#ifndef RUN_PLAN_SPLIT_H
#define RUN_PLAN_SPLIT_H

#include "tamis/prepare.h"
#include "tamis/sweep.h"

#include <pthread.h>

/* The data of some configurations: a data set, and the treatment of its rows after splitting. */
typedef struct sweep_variant {
    size_t data;
    tm_params *prepare; /* parameters of tm_prepare_params */
    size_t append;      /* index in the description's extra data; SIZE_MAX: none */
    tm_dataset *more;   /* the data set to append, a reference; or NULL */
    size_t transform;   /* index in the hooks; SIZE_MAX: none */
} sweep_variant;

/* The rows of one split of one variant. */
typedef struct sweep_part {
    pthread_mutex_t lock;
    tm_dataset *train, *test; /* NULL: not made yet, or released */
    size_t users;             /* number of tasks that use them */
    size_t pending;           /* number of tasks that are not finished */
} sweep_part;

typedef struct sweep_splits {
    size_t count, rows;
    tm_sweep_split *splits;
    size_t folds, nested; /* 0: none */
    bool own;         /* the folds are given and may overlap: below, each is a repeat of its own */
    uint16_t **outer; /* by repeat: the fold of each row; for given folds, by fold: how often it
                       * trains on each row, or SPLIT_SCORES */
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

/* Fills splits that have their variants; clear them with sweep_splits_clear, also after a
 * failure. */
tm_status sweep_splits_make(sweep_splits *splits, const tm_sweep_spec *spec, tm_error *err);
void sweep_splits_clear(sweep_splits *splits);

/* Which data are needed, and the token that ends the wait for their transform. */
typedef struct sweep_place {
    size_t split, variant;
    tm_cancel *cancel;
} sweep_place;

/* Gives the caller references to the training data and the test data (NULL: the training data),
 * both prepared as the variant says, with what is learnt from the training rows; release them with
 * sweep_splits_release. Any thread. */
tm_status sweep_splits_take(sweep_splits *splits, const sweep_place *at, tm_dataset **train,
                            tm_dataset **test, tm_error *err);
void sweep_splits_release(sweep_splits *splits, size_t split, size_t variant, tm_dataset *train,
                          tm_dataset *test);
/* Prepares all rows as training data of the variant into out[0], and `other` (may be NULL) as test
 * data into out[1]; both are owned by the caller. at->split is ignored. */
tm_status sweep_splits_whole(tm_dataset *out[2], const sweep_splits *splits, const sweep_place *at,
                             const tm_dataset *other, tm_error *err);
/* How often the split trains on the row. */
size_t sweep_splits_times(const sweep_splits *splits, size_t split, size_t row);
/* The role of the row, a tm_row_role. */
int sweep_splits_role(const sweep_splits *splits, size_t split, size_t row);
/* Notes that a task of this split is finished, here or in another process. */
void sweep_splits_finished(sweep_splits *splits, size_t split, size_t variant);

#endif
