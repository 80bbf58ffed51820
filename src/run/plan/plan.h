/* What a sweep will do, determined before it starts by its description alone: the configurations,
 * the chains that they form, the splits, and the key that equal sweeps share. */
#ifndef RUN_PLAN_PLAN_H
#define RUN_PLAN_PLAN_H

#include "run/plan/digest.h"
#include "run/plan/split.h"
#include "run/table/table.h"
#include "tamis/sweep.h"

typedef struct sweep_config {
    size_t point; /* row of the description's values */
    size_t step;  /* place in its point's path, from 0 */
} sweep_config;

/* One row of the description: the method and parameters of a solver. */
typedef struct sweep_point {
    const tm_method *method;
    tm_params *params;
    size_t variant; /* index of the variant in the splits */
    size_t steps;   /* number of steps of the path that its parameters request; 1: no path */
} sweep_point;

typedef enum sweep_chain_kind {
    SWEEP_SINGLE, /* one configuration, or the steps of one path */
    SWEEP_PATH,   /* along an axis for which methods take lists: one path */
    SWEEP_RATIO,  /* along the axis lambda_ratio: one path, once lambda_max is known */
    SWEEP_STEPS,  /* along another axis: each is a run of its own that starts from the previous
                   * answer */
} sweep_chain_kind;

/* Configurations that one worker solves one after the other. */
typedef struct sweep_chain {
    sweep_chain_kind kind;
    const char *axis; /* for all kinds except SWEEP_SINGLE */
    size_t *configs;  /* in the order of solving */
    size_t count;
} sweep_chain;

typedef struct sweep_plan {
    sweep_point *points;
    size_t point_count;
    sweep_config *configs;
    size_t config_count;
    sweep_chain *chains;
    size_t chain_count;
    sweep_splits splits;
    tm_scorer *scorers;
    size_t metric_count;
    const tm_sweep_metric **functions; /* by metric; NULL for those in the table of metrics */
    const tm_sweep_hooks *hooks;       /* or NULL */
    unsigned keep;                     /* bits of tm_sweep_keep */
    sweep_contents contents;           /* empty without a store, or with functions of the caller */
    char remark[160];                  /* names the methods that run in place of others, or "" */
    char *description;                 /* JSON; NULL without a store */
    char key[65];                      /* SHA-256 of the description */
} sweep_plan;

/* Fills an empty plan and makes its table. Free it with sweep_plan_clear, also after a failure. */
tm_status sweep_plan_make(sweep_plan *plan, tm_sweep_table **table, const tm_sweep_spec *spec,
                          tm_error *err);
void sweep_plan_clear(sweep_plan *plan);

/* Tasks are numbered split by split, so that the data of few splits are needed at a time. */
static inline size_t sweep_plan_tasks(const sweep_plan *plan)
{
    return plan->chain_count * plan->splits.count;
}

/* ---- chain.c -----------------------------------------------------------------------------------
 */

tm_status sweep_chains_make(sweep_plan *plan, const tm_sweep_spec *spec, tm_error *err);
void sweep_chains_clear(sweep_plan *plan);
/* Whether the methods' chains run along several axes. */
bool sweep_chains_differ(const sweep_plan *plan);
/* Whether configurations of this method can be solved in sequence along the axis. */
bool sweep_chain_along(const char *method, const char *axis);

/* ---- table.c -----------------------------------------------------------------------------------
 */

/* Makes the table with all cells open. A path's steps are configurations, distinguished by the
 * values of its parameters (for lambda the share of lambda_max, which does not depend on the data)
 * and by "step". */
tm_status sweep_plan_table(const sweep_plan *plan, const tm_sweep_spec *spec,
                           tm_sweep_table **table, tm_error *err);

/* ---- variant.c ---------------------------------------------------------------------------------
 */

/* The index of the metric of this name among the caller's; SIZE_MAX: it is not one of them. */
size_t sweep_metric_place(const tm_sweep_spec *spec, const char *name);
/* The text of the point's value of this name, on its axis or fixed; NULL if there is none. */
const char *sweep_variant_text(const tm_sweep_spec *spec, size_t point, const char *name);
/* Finds the variant of the point, and adds it if it is new. */
tm_status sweep_variant_find(sweep_plan *plan, const tm_sweep_spec *spec, size_t point, size_t *out,
                             tm_error *err);
/* TM_EUSAGE if extra data are given that no configuration appends. */
tm_status sweep_variant_check(const sweep_plan *plan, const tm_sweep_spec *spec, tm_error *err);

/* ---- piece.c -----------------------------------------------------------------------------------
 */

/* The configurations of a chain that one job solves: a few steps of a path, so that a killed
 * process loses only those; otherwise one. Determined by the chain alone, not by the process that
 * solves it. */
typedef struct sweep_piece {
    const sweep_point *point;
    tm_params *params;
    size_t count; /* 0: the chain ends before `from` */
} sweep_piece;

/* Makes the piece that begins at the chain's configuration `from`. If from > 0, lambda_max must be
 * given for methods that have one. Clear it with sweep_piece_clear, also after a failure. */
tm_status sweep_piece_make(sweep_piece *piece, const sweep_plan *plan, const sweep_chain *chain,
                           size_t from, double lambda_max, tm_error *err);
void sweep_piece_clear(sweep_piece *piece);
/* The end of the unit of configurations that starts at `from` and can be reused from another sweep
 * only as a whole. To the tolerance, its results are the same as in a longer chain. */
size_t sweep_piece_unit(const sweep_chain *chain, size_t from);
/* Whether the results of a piece can end the chain before its last configuration. */
bool sweep_piece_may_end(const sweep_plan *plan, const sweep_chain *chain);

/* ---- content.c ---------------------------------------------------------------------------------
 */

/* Fills the plan's contents; its points, splits and chains must exist. */
tm_status sweep_contents_make(sweep_plan *plan, tm_error *err);
void sweep_contents_clear(sweep_contents *contents);
/* Writes the digests of the task's cells, in the chain's order, to out[]. They do not include the
 * metrics, which are computed from the answer. A cell's digest also covers everything that its
 * chain solves before it, as its answer starts from there. */
void sweep_contents_of(const sweep_plan *plan, size_t task, sweep_digest *out);

/* ---- key.c -------------------------------------------------------------------------------------
 */

/* Sets description and key. */
tm_status sweep_key_make(sweep_plan *plan, const tm_sweep_spec *spec, const tm_sweep_table *table,
                         tm_error *err);
/* The table of a description, with all cells open. TM_EDATA if the description is invalid. */
tm_status sweep_key_table(tm_sweep_table **out, const char *name, const char *description,
                          tm_error *err);

#endif
