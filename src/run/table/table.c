#include "run/table/table.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/table/kept.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *tm_cell_status_name(tm_cell_status status)
{
    static const char *const names[] = {"open", "converged", "max_iter", "failed"};
    return names[status];
}

/* ---- making -------------------------------------------------------------------------------- */

/* Copies the texts; NULL entries stay NULL. NULL when memory ran out. */
static char **copy_texts(const char *const *texts, size_t count)
{
    char **copy = mem_zeros(count, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = text_copy(texts[i]);
        if (copy[i] || !texts[i])
            continue;
        while (i-- > 0)
            free(copy[i]);
        free(copy);
        return NULL;
    }
    return copy;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++)
        free(texts[i]);
    free(texts);
}

/* A cell with nothing but its status. */
static tm_sweep_cell empty_cell(tm_cell_status status, const double *scores)
{
    return (tm_sweep_cell){status, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, scores, NULL, NULL};
}

static void clear_cell(tm_sweep_cell *cell)
{
    free((char *)(uintptr_t)cell->error);
    kept_unref(cell->kept);
}

static const char train[] = "train_";

/* Scores on training rows say nothing about other rows, so their names are prefixed. */
static char **metric_names(const sweep_table_shape *shape)
{
    char **names = mem_zeros(shape->metric_count, sizeof *names);
    for (size_t m = 0; names && m < shape->metric_count; m++) {
        if (asprintf(&names[m], "%s%s", shape->on_train ? train : "", shape->metrics[m]) >= 0)
            continue;
        names[m] = NULL;
        free_texts(names, m);
        return NULL;
    }
    return names;
}

const char *sweep_table_scorer(const tm_sweep_table *t, size_t metric)
{
    return t->metrics[metric] + (t->on_train ? strlen(train) : 0);
}

static bool make_cells(tm_sweep_table *t)
{
    size_t cells = t->config_count * t->split_count;
    t->cells = mem_zeros(cells, sizeof *t->cells);
    t->scores = mem_array(cells * t->metric_count, sizeof *t->scores);
    if (!t->cells || !t->scores)
        return false;
    for (size_t i = 0; i < cells * t->metric_count; i++)
        t->scores[i] = NAN;
    for (size_t i = 0; i < cells; i++)
        t->cells[i] = empty_cell(TM_CELL_OPEN, t->scores + i * t->metric_count);
    return true;
}

tm_status sweep_table_new(tm_sweep_table **out, const sweep_table_shape *shape, tm_error *err)
{
    *out = NULL;
    tm_sweep_table *t = calloc(1, sizeof *t);
    if (!t)
        return tm_fail_memory(err, "a sweep's table");
    t->axis_count = shape->axis_count;
    t->config_count = shape->config_count;
    t->metric_count = shape->metric_count;
    t->split_count = shape->split_count;
    t->name = text_copy(shape->name);
    t->axes = copy_texts(shape->axes, shape->axis_count);
    t->values = copy_texts(shape->values, shape->config_count * shape->axis_count);
    t->metrics = metric_names(shape);
    t->on_train = shape->on_train;
    t->keep = shape->keep;
    t->directions = mem_zeros(shape->metric_count, 1);
    t->along = mem_zeros(shape->axis_count, sizeof *t->along);
    t->splits = mem_array(shape->split_count, sizeof *t->splits);
    bool made = t->name && t->axes && t->directions && t->along && t->values && t->metrics &&
                t->splits && make_cells(t);
    if (!made) {
        tm_sweep_table_free(t);
        return tm_fail_memory(err, "a sweep's table");
    }
    memcpy(t->splits, shape->splits, shape->split_count * sizeof *shape->splits);
    if (shape->directions)
        memcpy(t->directions, shape->directions, shape->metric_count);
    if (shape->along)
        memcpy(t->along, shape->along, shape->axis_count * sizeof *shape->along);
    *out = t;
    return TM_OK;
}

void tm_sweep_table_free(tm_sweep_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; t->cells && i < t->config_count * t->split_count; i++)
        clear_cell(&t->cells[i]);
    free_texts(t->axes, t->axis_count);
    free_texts(t->values, t->config_count * t->axis_count);
    free_texts(t->metrics, t->metric_count);
    free(t->along);
    free(t->directions);
    free(t->splits);
    free(t->cells);
    free(t->scores);
    free(t->name);
    free(t);
}

void sweep_table_set(tm_sweep_table *t, size_t config, size_t split, const tm_sweep_cell *cell)
{
    size_t i = config * t->split_count + split;
    double *scores = t->scores + i * t->metric_count;
    const tm_kept *kept = kept_ref(cell->kept);
    clear_cell(&t->cells[i]);
    t->cells[i] = *cell;
    t->cells[i].error = text_copy(cell->error);
    t->cells[i].scores = scores;
    t->cells[i].kept = kept;
    memcpy(scores, cell->scores, t->metric_count * sizeof *scores);
}

void sweep_table_fail(tm_sweep_table *t, size_t config, size_t split, const char *why)
{
    size_t i = config * t->split_count + split;
    double *scores = t->scores + i * t->metric_count;
    clear_cell(&t->cells[i]);
    for (size_t m = 0; m < t->metric_count; m++)
        scores[m] = NAN;
    t->cells[i] = empty_cell(TM_CELL_FAILED, scores);
    t->cells[i].error = text_copy(why);
}

void sweep_table_open(tm_sweep_table *t, size_t config, size_t split)
{
    sweep_table_fail(t, config, split, "");
    size_t i = config * t->split_count + split;
    clear_cell(&t->cells[i]);
    t->cells[i] = empty_cell(TM_CELL_OPEN, t->cells[i].scores);
}

/* A table of the same shape with open cells. */
static tm_status new_like(tm_sweep_table **out, const tm_sweep_table *t)
{
    const char **metrics = mem_array(t->metric_count, sizeof *metrics);
    for (size_t m = 0; metrics && m < t->metric_count; m++)
        metrics[m] = sweep_table_scorer(t, m);
    const sweep_table_shape shape = {
        .name = t->name,
        .axes = (const char *const *)t->axes,
        .axis_count = t->axis_count,
        .values = (const char *const *)t->values,
        .config_count = t->config_count,
        .metrics = metrics,
        .metric_count = t->metric_count,
        .splits = t->splits,
        .split_count = t->split_count,
        .along = t->along,
        .on_train = t->on_train,
        .directions = t->directions,
        .keep = t->keep,
    };
    tm_status status = metrics ? sweep_table_new(out, &shape, NULL) : TM_ENOMEM;
    free(metrics);
    return status;
}

tm_sweep_table *sweep_table_copy(const tm_sweep_table *t)
{
    tm_sweep_table *copy;
    if (new_like(&copy, t) != TM_OK)
        return NULL;
    for (size_t c = 0; c < t->config_count; c++)
        for (size_t s = 0; s < t->split_count; s++)
            sweep_table_set(copy, c, s, &t->cells[c * t->split_count + s]);
    return copy;
}

/* ---- reading ------------------------------------------------------------------------------- */

const char *tm_sweep_table_name(const tm_sweep_table *table)
{
    return table->name;
}

size_t tm_sweep_table_axes(const tm_sweep_table *table)
{
    return table->axis_count;
}

const char *tm_sweep_table_axis(const tm_sweep_table *table, size_t axis)
{
    return table->axes[axis];
}

size_t tm_sweep_table_configs(const tm_sweep_table *table)
{
    return table->config_count;
}

const char *tm_sweep_table_value(const tm_sweep_table *table, size_t config, size_t axis)
{
    return table->values[config * table->axis_count + axis];
}

size_t tm_sweep_table_metrics(const tm_sweep_table *table)
{
    return table->metric_count;
}

const char *tm_sweep_table_metric(const tm_sweep_table *table, size_t metric)
{
    return table->metrics[metric];
}

size_t tm_sweep_table_splits(const tm_sweep_table *table)
{
    return table->split_count;
}

const tm_sweep_split *tm_sweep_table_split(const tm_sweep_table *table, size_t split)
{
    return &table->splits[split];
}

const tm_sweep_cell *tm_sweep_table_cell(const tm_sweep_table *table, size_t config, size_t split)
{
    return &table->cells[config * table->split_count + split];
}

size_t sweep_table_count(const tm_sweep_table *table, tm_cell_status status)
{
    size_t count = 0;
    for (size_t i = 0; i < table->config_count * table->split_count; i++)
        count += table->cells[i].status == status;
    return count;
}

size_t tm_sweep_table_done(const tm_sweep_table *table, size_t *failed)
{
    if (failed)
        *failed = sweep_table_count(table, TM_CELL_FAILED);
    return table->config_count * table->split_count - sweep_table_count(table, TM_CELL_OPEN);
}
