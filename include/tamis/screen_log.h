/* Screen logs: which features (or samples, groups, edges: tm_screen_log_item) a solver examined,
 * step by step, what it did with each, and why.
 *
 * A log is filled by the run whose monitor refers to it (tm_monitor.log) and read when that run has
 * ended. Its size is bounded: when half of its capacity is used, features whose state does not
 * change are no longer recorded; when it is full, nothing is. The number of steps is bounded in the
 * same way. */
#ifndef TAMIS_SCREEN_LOG_H
#define TAMIS_SCREEN_LOG_H

#include "tamis/dataset.h"
#include "tamis/item.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tm_screen_action {
    TM_SCREEN_KEPT,      /* unchanged */
    TM_SCREEN_STARTED,   /* in the initial active set of the run */
    TM_SCREEN_ADDED,     /* added to the active set */
    TM_SCREEN_DELETED,   /* removed from the active set; may return */
    TM_SCREEN_CERTIFIED, /* proven inactive at this lambda: removed for good */
    TM_SCREEN_AT_LIMIT,  /* proven to be at its upper limit at this lambda: removed for good */
    TM_SCREEN_ACTIONS,
} tm_screen_action;

/* "kept", "started", "added", "deleted", "certified", "at_limit". */
const char *tm_screen_action_name(tm_screen_action action);

/* One feature in one step. */
typedef struct tm_screen_record {
    /* The upper bound of |x_j'theta| / f_j over the step's region: below 1 the feature is inactive.
     * For a sample of 1 + c_i - y_i z_i: below 1 it is not a support vector. For a term of |D w|_1
     * of |v_k| / lambda, v being its multiplier: below 1 the term is 0. */
    double bound;
    uint32_t feature; /* or another item, from 0 */
    uint32_t action;  /* a tm_screen_action */
} tm_screen_record;

/* The step's region in the dual space: vectors with one entry for each sample, owned by the log,
 * scaled so that the constraint of feature j is |x_j'theta| <= f_j. With sample weights s_i entry i
 * is divided by sqrt(s_i), so that norms and inner products are the usual ones with columns times
 * sqrt(s_i); with an intercept columns are centred. NULL: not known here, or the log was full. */
typedef struct tm_screen_dual {
    const double *theta;  /* the feasible dual point that the step is based on */
    const double *centre; /* of the ball */
    const double *normal; /* of the half-space normal'theta <= offset that is intersected with it;
                           * NULL: none */
    double offset;
} tm_screen_dual;

typedef struct tm_screen_step {
    const char *what;         /* the operation and its basis; static text */
    uint32_t point;           /* index on the path, from 0: certified features are certified at one
                               * point only */
    double lambda, C;         /* NaN when the method has none */
    double primal, dual, gap; /* of the problem the solver is working on; NaN: not known here */
    double radius;            /* of the ball; NaN: the step used none */
    double delta;             /* SAIF's factor of the radius for ADD; 1: the full ball */
    size_t active; /* size of the active set after the step; a certificate does not change it */
    size_t added, removed; /* changes in this step, including those without records */
    size_t first, count;   /* its records */
    tm_screen_dual at;
} tm_screen_step;

/* What a record is about. An edge joins the features `first` and `last`; a term has features from
 * `first` to `last`; `first` is the first feature of a tree, and any other item's own number. From
 * 0. */
typedef struct tm_screen_item {
    tm_item kind;
    uint32_t first, last;
} tm_screen_item;

typedef struct tm_screen_log tm_screen_log;

/* A capacity for runs that are looked at. */
enum { TM_SCREEN_LOG_ROOM = 1 << 20 };
/* Capacity in records (and a sixteenth as many steps, at least 64); NULL when memory ran out.
 * Memory is allocated on demand: 16 bytes for a record, and as much again for dual points. */
tm_screen_log *tm_screen_log_new(size_t room);
void tm_screen_log_free(tm_screen_log *log);

size_t tm_screen_log_steps(const tm_screen_log *log, const tm_screen_step **steps);
const tm_screen_record *tm_screen_log_records(const tm_screen_log *log);
/* The number of column products that the run had computed when step number `step` (from 0) began,
 * counted like `columns` of the events in its trace. */
uint64_t tm_screen_log_columns(const tm_screen_log *log, size_t step);
/* Number of records and steps lost because the log was full. */
uint64_t tm_screen_log_missed(const tm_screen_log *log);
/* What the records are, and how many of these the problem has. Beside edges a log may have trees;
 * when it has features, too, its kind is TM_ITEM_TERM. */
tm_item tm_screen_log_item(const tm_screen_log *log);
size_t tm_screen_log_items(const tm_screen_log *log);
/* Item i (from 0). */
tm_screen_item tm_screen_log_at(const tm_screen_log *log, size_t i);
/* The name of item i (from 0) for display: a feature's label, "row 3", "group 2", "gene 7 - gene
 * 8"; `data` are those of the run. Returns `buffer` or a name that the data own. */
const char *tm_screen_log_label(const tm_screen_log *log, const tm_dataset *data, size_t i,
                                char *buffer, size_t size);
/* Feature j's f_j; and 1 or -1 if its weight can only have this sign, so that the constraint is
 * sign x_j'theta <= f_j, else 0. 1 and 0 if the run has not set them. */
double tm_screen_log_factor(const tm_screen_log *log, size_t j);
int tm_screen_log_sign(const tm_screen_log *log, size_t j);

#endif
