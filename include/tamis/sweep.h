/* Sweeps: many configurations of a method on many splits of the data.
 *
 * A sweep's cells (configuration x split) are solved by its own worker threads. Cells that differ
 * only in lambda, C or B form a chain, solved in sequence on one worker, each from the previous
 * answer; a chain is one task. Its results depend on the sweep's description alone, so that a
 * sweep's table is independent of the number of workers, processes and interruptions.
 *
 * With a store, results are recorded as they are computed, within a chain after each piece of it
 * (one cell, or eight along lambda), with the model that the next piece starts from. A sweep with
 * the same description continues where the other stopped, even in the middle of a chain, and does
 * not solve again what is recorded; one that has cells in common with another (the same rows,
 * method, parameters and beginning of the chain) reuses them; processes that work on it at the same
 * time divide its tasks. */
#ifndef TAMIS_SWEEP_H
#define TAMIS_SWEEP_H

#include "tamis/store.h"
#include "tamis/sweep_hooks.h"
#include "tamis/sweep_table.h"

typedef struct tm_sweep tm_sweep;

typedef struct tm_setting {
    const char *name, *value; /* as text for tm_params_set_text */
} tm_setting;

typedef struct tm_sweep_inputs {
    const tm_dataset *const *data; /* at least one; all with the same rows */
    const char *const *data_names; /* NULL with a single data set */
    size_t data_count;
    const tm_dataset *const *extra; /* with the same features */
    const char *const *extra_names;
    size_t extra_count;
    const tm_dataset *test; /* used for scores instead of folds; or NULL */
} tm_sweep_inputs;

/* How the rows are split. */
typedef struct tm_sweep_splits {
    size_t folds;          /* 0: one split, with all rows */
    const uint8_t *held;   /* folds x rows, fold by fold: nonzero if the fold scores on the row;
                            * used instead of random folds, and may overlap; or NULL */
    const uint16_t *times; /* with `held`, likewise: how often the fold trains on the row; NULL:
                            * once on each row that it does not score on */
    size_t repeats;        /* repetitions of the folds, each reshuffled; 0 counts as 1 */
    size_t nested;         /* inner folds of each outer training set; 0: none */
    bool stratify;         /* each class has the same fraction in all folds */
    const size_t *groups;  /* a number for each row: rows with equal numbers stay in one fold; or
                            * NULL */
    uint64_t seed;         /* for the folds, and for methods that have a seed */
} tm_sweep_splits;

typedef struct tm_sweep_spec {
    const char *name;       /* NULL: "sweep" */
    const char *method;     /* NULL: there is an axis "method" */
    const tm_setting *base; /* parameters that are the same in all configurations */
    size_t base_count;
    /* Axes are parameters of the method; "method"; "data" (a name in data_names); and the
     * preparation learnt from each split's training rows (tamis/prepare.h): "scale", "filter",
     * "keep", and "append" (a name in extra_names: rows added to the training rows, or "none"). All
     * but "method" and "data" may be in `base` too. */
    const char *const *axes;
    size_t axis_count;
    const char *const *values; /* config_count x axis_count, row by row; NULL: the default */
    size_t config_count;
    tm_sweep_inputs inputs;
    tm_sweep_splits splits;
    const char *const *metrics;  /* as for tm_scorer_find; the first one determines the best
                                  * configuration */
    size_t metric_count;         /* 0: the default for the data */
    unsigned keep;               /* bits of tm_sweep_keep: what cells store besides numbers */
    const tm_sweep_hooks *hooks; /* or NULL; `metrics` may contain names of its metrics, and the
                                  * axis "prepare" names of its transforms and "none" */
    bool warm;                   /* solves chains along lambda, C or B */
    tm_store *store;             /* or NULL; must outlive the sweep */
    bool fresh;                  /* deletes the store's results of an equal sweep first */
    size_t shard, shards;        /* only tasks number t with t % shards == shard; 0, 0: all */
    int workers;
} tm_sweep_spec;

#define TM_SWEEP_SPEC_INIT                                                                         \
    {                                                                                              \
        .splits = {.repeats = 1, .stratify = true}, .warm = true, .workers = 1                     \
    }

typedef enum tm_sweep_state {
    TM_SWEEP_RUNNING,
    TM_SWEEP_DONE,      /* every task of this shard is finished; single cells may have failed */
    TM_SWEEP_CANCELLED, /* finished tasks are kept */
    TM_SWEEP_FAILED,    /* the store failed, see tm_sweep_error; the table has all results; a store
                         * that cannot be used at the start does not stop the sweep either */
} tm_sweep_state;

/* Whether an axis or a setting of this name belongs to the sweep itself, not to a method: the
 * method, the data, and their preparation. */
bool tm_sweep_takes(const char *name);

const char *tm_sweep_state_name(tm_sweep_state state);

/* Validates everything, makes the folds and starts the workers. Data are referenced, the rest is
 * copied. */
tm_status tm_sweep_start(tm_sweep **out, const tm_sweep_spec *spec, tm_error *err);
/* Cancels what is still running and waits for the workers. */
void tm_sweep_free(tm_sweep *sweep);

/* The functions below may be called from any thread. */
void tm_sweep_cancel(tm_sweep *sweep);
void tm_sweep_pause(tm_sweep *sweep, bool paused);
/* True when it ended within `seconds` (negative: no limit). */
bool tm_sweep_wait(tm_sweep *sweep, double seconds);
/* A snapshot, owned by the caller; NULL when memory ran out. */
tm_sweep_table *tm_sweep_snapshot(const tm_sweep *sweep);

typedef struct tm_sweep_progress {
    tm_sweep_state state;
    bool paused;
    size_t cells, done, failed; /* of this shard */
    size_t unconverged;         /* finished cells that ended before their tolerance was met */
    size_t tasks, tasks_done;
    size_t resumed, resumed_cells; /* tasks and cells that the store already had */
    size_t reused;                 /* cells that other sweeps in the store had already solved */
    size_t damaged; /* cells whose results in the store are damaged: they are recomputed */
    double seconds; /* since the start */
    double left;    /* estimate of the remaining time; NaN before it is possible, 0 when ended */
    int64_t id;     /* in the store; 0 without one */
} tm_sweep_progress;

tm_sweep_progress tm_sweep_get_progress(const tm_sweep *sweep);
/* The role of each row in a split: TM_ROW_TRAINS, TM_ROW_SCORES, or TM_ROW_UNUSED. *count of them,
 * malloc'ed and freed by the caller; without folds all rows train. NULL when memory ran out. */
typedef enum tm_row_role { TM_ROW_UNUSED, TM_ROW_TRAINS, TM_ROW_SCORES } tm_row_role;
uint8_t *tm_sweep_roles(const tm_sweep *sweep, size_t split, size_t *count);
/* All rows as the configuration's method receives them, in out[0]: prepared as on each split, with
 * the appended rows, but without `rows` selecting a share; and `other` (or NULL), prepared with
 * what was learnt from these rows, in out[1]. Both are owned by the caller; on failure there are
 * none. TM_ECANCELLED: `cancel` (or NULL) was set. */
tm_status tm_sweep_whole(tm_dataset *out[2], const tm_sweep *sweep, size_t config,
                         const tm_dataset *other, tm_cancel *cancel, tm_error *err);
/* A copy of its tags and note, cleared by the caller. */
tm_status tm_sweep_annotation(const tm_sweep *sweep, tm_annotation *out, tm_error *err);
/* Replaces them, also in the store. */
tm_status tm_sweep_annotate(tm_sweep *sweep, const tm_annotation *annotation, tm_error *err);
/* What the sweep has in common with another one in the store, and the differences: "extends sweep
 * s1: 12 of 20 runs are there, 8 to do (C: 100 is new)"; NULL when there is none. Valid while the
 * sweep lives. */
const char *tm_sweep_extends(const tm_sweep *sweep);
/* A remark before it begins, for example that another method runs than the one requested (like
 * tm_job_remark); NULL: none. */
const char *tm_sweep_remark(const tm_sweep *sweep);
/* How often the split trains on a row: once or never, unless the description says otherwise. */
size_t tm_sweep_times(const tm_sweep *sweep, size_t split, size_t row);
const char *tm_sweep_name(const tm_sweep *sweep);
/* The error of a failed sweep; valid while it lives. */
const tm_error *tm_sweep_error(const tm_sweep *sweep);

/* ---- configurations ------------------------------------------------------------------------ */

/* One axis of a grid or of a random search. */
typedef struct tm_sweep_axis {
    const char *name;
    const char *const *values; /* values to choose from */
    size_t count;              /* 0: a range */
    double min, max;
    bool log, whole; /* for a range: uniform in the logarithm; integers */
} tm_sweep_axis;

/* Every combination, the last axis varying fastest; or `count` random draws. *out has *configs x
 * axis_count texts, freed with tm_sweep_values_free. TM_EUSAGE: an axis without values, a range in
 * a grid, a range that is empty or has no logarithm, more than a million configurations. */
tm_status tm_sweep_grid(char ***out, size_t *configs, const tm_sweep_axis *axes, size_t axis_count,
                        tm_error *err);
tm_status tm_sweep_random(char ***out, const tm_sweep_axis *axes, size_t axis_count, size_t count,
                          uint64_t seed, tm_error *err);
void tm_sweep_values_free(char **values, size_t count);

#endif
