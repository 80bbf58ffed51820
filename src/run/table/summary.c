/* Summaries of a sweep's table: means, the best configuration, nested estimates. */
#include "run/table/table.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- columns ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t offset;
} columns[] = {
    {"lambda", offsetof(tm_sweep_cell, lambda)},   {"primal", offsetof(tm_sweep_cell, primal)},
    {"dual", offsetof(tm_sweep_cell, dual)},       {"gap", offsetof(tm_sweep_cell, gap)},
    {"nnz", offsetof(tm_sweep_cell, nnz)},         {"seconds", offsetof(tm_sweep_cell, seconds)},
    {"columns", offsetof(tm_sweep_cell, columns)}, {"updates", offsetof(tm_sweep_cell, updates)},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *column_name(size_t i, const void *payload)
{
    const tm_sweep_table *t = payload;
    return i < COLUMNS                     ? columns[i].name
           : i - COLUMNS < t->metric_count ? t->metrics[i - COLUMNS]
                                           : NULL;
}

static tm_status find_column(const tm_sweep_table *t, const char *name, size_t *out, tm_error *err)
{
    const char *known;
    for (*out = 0; (known = column_name(*out, t)); ++*out)
        if (strcmp(known, name) == 0 ||
            (*out >= COLUMNS && strcmp(sweep_table_scorer(t, *out - COLUMNS), name) == 0))
            return TM_OK;
    const char *close = text_closest(name, column_name, t);
    if (close)
        return tm_fail(err, TM_EUSAGE, "the sweep has no column '%.60s'; did you mean '%s'?", name,
                       close);
    return tm_fail(
        err, TM_EUSAGE,
        "the sweep has no column '%.60s'; it has lambda, primal, dual, gap, nnz, seconds, "
        "columns, updates and its metrics",
        name);
}

static double column_value(const tm_sweep_table *t, size_t column, size_t config, size_t split)
{
    const tm_sweep_cell *cell = tm_sweep_table_cell(t, config, split);
    double value;
    if (cell->status == TM_CELL_OPEN || cell->status == TM_CELL_FAILED)
        return NAN;
    if (column >= COLUMNS)
        return cell->scores[column - COLUMNS];
    memcpy(&value, (const char *)cell + columns[column].offset, sizeof value);
    return value;
}

tm_status tm_sweep_column(const tm_sweep_table *t, const char *column, size_t config, size_t split,
                          double *out, tm_error *err)
{
    size_t k;
    tm_status status = find_column(t, column, &k, err);
    *out = status == TM_OK ? column_value(t, k, config, split) : NAN;
    return status;
}

/* ---- means --------------------------------------------------------------------------------- */

/* The splits to use: those of one outer fold, or all by which configurations are ranked. */
typedef struct choice {
    int repeat, outer; /* 0: any */
    bool inner;        /* only the inner folds */
} choice;

static bool is_nested(const tm_sweep_table *t)
{
    for (size_t s = 0; s < t->split_count; s++)
        if (t->splits[s].inner > 0)
            return true;
    return false;
}

static bool chosen(const tm_sweep_split *split, const choice *which)
{
    return (!which->repeat || (split->repeat == which->repeat && split->outer == which->outer)) &&
           (split->inner > 0) == which->inner;
}

/* Sums accumulated in two passes, so that equal numbers have a deviation of exactly zero. */
typedef struct sums {
    tm_sweep_mean mean;
    double sum, squares;
} sums;

static const tm_sweep_mean no_mean = {0, NAN, 0, 0, NAN, NAN};

static void add(sums *s, int pass, double value)
{
    if (isnan(value))
        return;
    if (pass == 1) {
        s->squares += (value - s->mean.mean) * (value - s->mean.mean);
        return;
    }
    s->sum += value;
    s->mean.mean = s->sum / (double)++s->mean.count;
    s->mean.min = fmin(s->mean.min, value);
    s->mean.max = fmax(s->mean.max, value);
}

static tm_sweep_mean finish(sums *s)
{
    if (s->mean.count > 1) {
        s->mean.sd = sqrt(s->squares / (double)(s->mean.count - 1));
        s->mean.se = s->mean.sd / sqrt((double)s->mean.count);
    }
    return s->mean;
}

static tm_sweep_mean mean_of(const tm_sweep_table *t, size_t column, size_t config,
                             const choice *which)
{
    sums all = {.mean = no_mean};
    for (int pass = 0; pass < 2; pass++)
        for (size_t s = 0; s < t->split_count; s++)
            if (chosen(&t->splits[s], which))
                add(&all, pass, column_value(t, column, config, s));
    return finish(&all);
}

tm_sweep_mean tm_sweep_outer_mean(const tm_sweep_outer *outer, size_t count)
{
    sums all = {.mean = no_mean};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++)
            add(&all, pass, outer[i].score);
    return finish(&all);
}

tm_status tm_sweep_summary(const tm_sweep_table *t, const char *column, size_t config,
                           tm_sweep_mean *out, tm_error *err)
{
    size_t k;
    choice which = {0, 0, is_nested(t)};
    tm_status status = find_column(t, column, &k, err);
    if (status == TM_OK)
        *out = mean_of(t, k, config, &which);
    return status;
}

size_t tm_sweep_unconverged(const tm_sweep_table *t, size_t config)
{
    choice which = {0, 0, is_nested(t)};
    size_t count = 0;
    for (size_t s = 0; s < t->split_count; s++)
        count += chosen(&t->splits[s], &which) &&
                 tm_sweep_table_cell(t, config, s)->status == TM_CELL_MAX_ITER;
    return count;
}

/* ---- the best ------------------------------------------------------------------------------ */

typedef struct judge {
    size_t column;    /* column of the metric */
    bool greater;     /* greater is better */
    size_t nnz;       /* column of nnz */
    const bool *only; /* by configuration: whether it is considered; NULL: all are */
} judge;

static tm_status find_judge(const tm_sweep_table *t, const char *metric, judge *out, tm_error *err)
{
    const char *name = metric ? metric : t->metrics[0];
    tm_status status = find_column(t, name, &out->column, err);
    if (status == TM_OK && out->column < COLUMNS)
        return tm_fail(err, TM_EUSAGE, "'%s' is no metric of the sweep", name);
    if (status != TM_OK)
        return status;
    tm_scorer scorer;
    int direction = t->directions[out->column - COLUMNS];
    if (direction == 0)
        status = tm_scorer_find(&scorer, sweep_table_scorer(t, out->column - COLUMNS), err);
    if (status != TM_OK)
        return status;
    out->only = NULL;
    out->greater = direction == 0 ? scorer.metric->greater_is_better : direction > 0;
    return find_column(t, "nnz", &out->nnz, err);
}

/* Whether a is better than b; ties are broken by fewer features, then by order. */
static bool better(const tm_sweep_mean *a, double a_nnz, const tm_sweep_mean *b, double b_nnz,
                   bool greater)
{
    if (b->count == 0 || a->mean != b->mean)
        return b->count == 0 || (greater ? a->mean > b->mean : a->mean < b->mean);
    return a_nnz < b_nnz;
}

static bool takes_part(const judge *by, size_t config)
{
    return !by->only || by->only[config];
}

/* Configurations with fewer cells than others are not comparable; returns the greatest count. */
static size_t full_count(const tm_sweep_table *t, const judge *by, const choice *which)
{
    size_t most = 0;
    for (size_t c = 0; c < t->config_count; c++) {
        size_t count = takes_part(by, c) ? mean_of(t, by->column, c, which).count : 0;
        most = count > most ? count : most;
    }
    return most;
}

static bool find_best(const tm_sweep_table *t, const judge *by, const choice *which, bool one_se,
                      size_t *config)
{
    size_t full = full_count(t, by, which);
    tm_sweep_mean best = {0};
    double best_nnz = INFINITY;
    for (size_t c = 0; c < t->config_count && full > 0; c++) {
        tm_sweep_mean m = mean_of(t, by->column, c, which);
        double nnz = mean_of(t, by->nnz, c, which).mean;
        if (!takes_part(by, c) || m.count < full || !better(&m, nnz, &best, best_nnz, by->greater))
            continue;
        best = m;
        best_nnz = nnz;
        *config = c;
    }
    for (size_t c = 0; c < t->config_count && full > 0 && one_se; c++) {
        tm_sweep_mean m = mean_of(t, by->column, c, which);
        double nnz = mean_of(t, by->nnz, c, which).mean;
        bool near = by->greater ? m.mean >= best.mean - best.se : m.mean <= best.mean + best.se;
        if (!takes_part(by, c) || m.count < full || !near || !(nnz < best_nnz))
            continue;
        best_nnz = nnz;
        *config = c;
    }
    return full > 0;
}

/* Reports why there is no best configuration: nothing has been solved, or no answer has a score. */
static tm_status fail_best(const tm_sweep_table *t, const char *metric, tm_error *err)
{
    for (size_t c = 0; c < t->config_count; c++)
        for (size_t s = 0; s < t->split_count; s++) {
            tm_cell_status status = tm_sweep_table_cell(t, c, s)->status;
            if (status == TM_CELL_CONVERGED || status == TM_CELL_MAX_ITER)
                return tm_fail(
                    err, TM_EDATA,
                    "no run of the sweep '%.60s' has a value of %.60s, as where all rows "
                    "that are scored have one class (leave-one-out); choose larger "
                    "folds or another metric",
                    t->name, metric ? metric : t->metrics[0]);
        }
    return tm_fail(err, TM_EDATA, "the sweep '%.60s' has no finished configuration yet", t->name);
}

tm_status tm_sweep_best(const tm_sweep_table *t, const char *metric, bool one_se, size_t *config,
                        tm_error *err)
{
    judge by;
    choice which = {0, 0, is_nested(t)};
    tm_status status = find_judge(t, metric, &by, err);
    if (status == TM_OK && !find_best(t, &by, &which, one_se, config))
        return fail_best(t, metric, err);
    return status;
}

/* ---- their order --------------------------------------------------------------------------- */

typedef struct rank {
    tm_sweep_mean mean;
    double nnz;
    size_t config;
    bool full, greater;
} rank;

static int compare_ranks(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->full != y->full)
        return x->full ? -1 : 1;
    if (x->full && better(&x->mean, x->nnz, &y->mean, y->nnz, x->greater))
        return -1;
    if (x->full && better(&y->mean, y->nnz, &x->mean, x->nnz, x->greater))
        return 1;
    return x->config < y->config ? -1 : x->config > y->config;
}

tm_status tm_sweep_order(const tm_sweep_table *t, const char *metric, size_t *order, size_t *scored,
                         tm_error *err)
{
    judge by;
    choice which = {0, 0, is_nested(t)};
    tm_status status = find_judge(t, metric, &by, err);
    if (status != TM_OK)
        return status;
    rank *ranks = mem_array(t->config_count, sizeof *ranks);
    if (!ranks)
        return tm_fail_memory(err, "a sweep's order");
    size_t full = full_count(t, &by, &which);
    for (size_t c = 0; c < t->config_count; c++) {
        tm_sweep_mean mean = mean_of(t, by.column, c, &which);
        ranks[c] = (rank){mean, mean_of(t, by.nnz, c, &which).mean, c,
                          full > 0 && mean.count == full, by.greater};
    }
    qsort(ranks, t->config_count, sizeof *ranks, compare_ranks);
    *scored = 0;
    for (size_t c = 0; c < t->config_count; c++) {
        order[c] = ranks[c].config;
        *scored += ranks[c].full;
    }
    free(ranks);
    return TM_OK;
}

tm_status tm_sweep_greater(const tm_sweep_table *t, const char *metric, bool *greater,
                           tm_error *err)
{
    judge by;
    tm_status status = find_judge(t, metric, &by, err);
    *greater = status == TM_OK && by.greater;
    return status;
}

/* ---- nested folds -------------------------------------------------------------------------- */

/* Whether every cell of this outer fold is done. */
static bool complete(const tm_sweep_table *t, const judge *by, const tm_sweep_split *outer)
{
    for (size_t s = 0; s < t->split_count; s++) {
        if (t->splits[s].repeat != outer->repeat || t->splits[s].outer != outer->outer)
            continue;
        for (size_t c = 0; c < t->config_count; c++)
            if (takes_part(by, c) && tm_sweep_table_cell(t, c, s)->status == TM_CELL_OPEN)
                return false;
    }
    return true;
}

tm_status tm_sweep_nested(const tm_sweep_table *t, const char *metric, bool one_se,
                          tm_sweep_outer **out, size_t *count, tm_error *err)
{
    return tm_sweep_nested_within(t, metric, one_se, NULL, out, count, err);
}

tm_status tm_sweep_nested_within(const tm_sweep_table *t, const char *metric, bool one_se,
                                 const bool *only, tm_sweep_outer **out, size_t *count,
                                 tm_error *err)
{
    judge by;
    *out = NULL;
    *count = 0;
    if (!is_nested(t))
        return tm_fail(err, TM_EUSAGE, "the sweep '%.60s' has no nested folds; give nested=K",
                       t->name);
    tm_status status = find_judge(t, metric, &by, err);
    if (status != TM_OK)
        return status;
    by.only = only;
    tm_sweep_outer *all = mem_array(t->split_count, sizeof *all);
    if (!all)
        return tm_fail_memory(err, "a sweep's folds");
    for (size_t s = 0; s < t->split_count; s++) {
        const tm_sweep_split *split = &t->splits[s];
        choice which = {split->repeat, split->outer, true};
        size_t config = 0;
        if (split->inner > 0 || !complete(t, &by, split) ||
            !find_best(t, &by, &which, one_se, &config))
            continue;
        all[(*count)++] = (tm_sweep_outer){*split, config, column_value(t, by.column, config, s)};
    }
    *out = all;
    return TM_OK;
}
