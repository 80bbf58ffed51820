#include "tui/views/sweeps/grid.h"

#include "base/text.h"
#include "tui/terminal/cells.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum ratio of grid places to configurations: random draws do not fill a grid. */
enum { GRID_SHARE = 2, COLUMNS_FIT = 8 };

static const char *const numbers[] = {"nnz", "seconds", "lambda", "gap"};

const char *sweep_grid_column(const tm_sweep_table *table, size_t c)
{
    size_t metrics = tm_sweep_table_metrics(table);
    if (c < metrics)
        return tm_sweep_table_metric(table, c);
    return c - metrics < sizeof numbers / sizeof numbers[0] ? numbers[c - metrics] : NULL;
}

/* The settings with names of at most `most` characters, the last one `mark` where one was cut. */
static void write_label(const tm_sweep_table *table, size_t config, size_t without, size_t most,
                        const char *mark, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t a = 0; a < tm_sweep_table_axes(table) && used < size; a++) {
        const char *value = tm_sweep_table_value(table, config, a);
        const char *name = tm_sweep_table_axis(table, a);
        char shown[TEXT_SHOWN];
        bool whole = strlen(name) <= most;
        if (a == without)
            continue;
        used += (size_t)snprintf(buffer + used, size - used, "%s%.*s%s=%s", used > 0 ? ", " : "",
                                 (int)(whole ? strlen(name) : most - 1), name, whole ? "" : mark,
                                 text_shown(value, "default", shown));
    }
}

const char *sweep_grid_label(const tm_sweep_table *table, size_t config, size_t without,
                             char *buffer, size_t size)
{
    write_label(table, config, without, size, "", buffer, size);
    return buffer;
}

const char *sweep_grid_label_within(const tm_sweep_table *table, size_t config, size_t without,
                                    int columns, bool utf8, char *buffer, size_t size)
{
    size_t most = 0;
    for (size_t a = 0; a < tm_sweep_table_axes(table); a++)
        if (a != without && strlen(tm_sweep_table_axis(table, a)) > most)
            most = strlen(tm_sweep_table_axis(table, a));
    for (; most > 0; most--) {
        write_label(table, config, without, most, utf8 ? "…" : "~", buffer, size);
        if (cells_width(buffer, utf8) <= columns)
            break;
    }
    return buffer;
}

/* ---- groups -------------------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t sum, const char *text)
{
    for (; text && *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
    return (sum ^ 0xffu) * 0x100000001b3u;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two configurations agree on `axis` (if `only`), or on all other axes. */
static bool agree(const tm_sweep_table *t, size_t left, size_t right, size_t axis, bool only)
{
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++)
        if ((a == axis) == only &&
            !same_text(tm_sweep_table_value(t, left, a), tm_sweep_table_value(t, right, a)))
            return false;
    return true;
}

/* Sets groups[c] to the group of such configurations that contains c, numbered by first occurrence,
 * and *count to their number; false if memory ran out. */
static bool group(const tm_sweep_table *t, size_t axis, bool only, size_t *groups, size_t *count)
{
    size_t configs = tm_sweep_table_configs(t), room = 16;
    while (room < 2 * configs)
        room *= 2;
    size_t *slots = calloc(room, sizeof *slots); /* 1 + a configuration */
    if (!slots)
        return false;
    *count = 0;
    for (size_t c = 0; c < configs; c++) {
        uint64_t sum = 0xcbf29ce484222325u;
        for (size_t a = 0; a < tm_sweep_table_axes(t); a++)
            sum = (a == axis) == only ? hash_text(sum, tm_sweep_table_value(t, c, a)) : sum;
        size_t at = (size_t)(sum & (room - 1));
        while (slots[at] != 0 && !agree(t, slots[at] - 1, c, axis, only))
            at = (at + 1) & (room - 1);
        groups[c] = slots[at] != 0 ? groups[slots[at] - 1] : (*count)++;
        slots[at] = slots[at] != 0 ? slots[at] : c + 1;
    }
    free(slots);
    return true;
}

/* ---- arrangements -------------------------------------------------------------------------- */

/* Computes the grid's sizes with this axis horizontal; false: the grid would be too sparse, or
 * memory ran out. */
static bool measure(const tm_sweep_table *t, size_t axis, size_t *rows, size_t *cols)
{
    size_t configs = tm_sweep_table_configs(t);
    size_t *groups = malloc((configs > 0 ? configs : 1) * sizeof *groups);
    bool known = groups && group(t, axis, true, groups, cols) &&
                 group(t, axis, false, groups, rows) && *cols > 1 && *rows > 1;
    free(groups);
    return known && *rows <= GRID_SHARE * configs / *cols;
}

/* The axis of arrangement i, SIZE_MAX for the lists; *all is the number of arrangements. */
static size_t axis_of(const tm_sweep_table *t, size_t i, size_t *all)
{
    size_t found = 0, axis = SIZE_MAX, rows, cols;
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        if (!measure(t, a, &rows, &cols))
            continue;
        axis = found == i ? a : axis;
        found++;
    }
    *all = found + 2;
    return axis;
}

size_t sweep_grid_first(const tm_sweep_table *table)
{
    size_t found = 0, first = SIZE_MAX, most = 0, rows, cols;
    for (size_t a = 0; a < tm_sweep_table_axes(table); a++) {
        if (!measure(table, a, &rows, &cols))
            continue;
        if (cols <= COLUMNS_FIT && cols >= most) {
            most = cols;
            first = found;
        }
        found++;
    }
    return first != SIZE_MAX ? first : found > 0 ? found - 1 : 0;
}

/* ---- values -------------------------------------------------------------------------------- */

/* Fewer features, fewer seconds and a smaller gap are better; lambda has no direction. */
static void take_means(sweep_grid *g, const tm_sweep_table *t, const char *column)
{
    tm_scorer scorer;
    const char *plain = strncmp(column, "train_", 6) == 0 ? column + 6 : column;
    bool metric = tm_scorer_find(&scorer, plain, NULL) == TM_OK;
    g->greater = metric && scorer.metric->greater_is_better;
    g->low = g->high = NAN;
    g->best = SIZE_MAX;
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++) {
        double mean = NAN;
        if (tm_sweep_summary(t, column, c, &g->means[c], NULL) == TM_OK && g->means[c].count > 0)
            mean = g->means[c].mean;
        if (isnan(mean))
            continue;
        g->done++;
        g->low = isnan(g->low) ? mean : fmin(g->low, mean);
        g->high = isnan(g->high) ? mean : fmax(g->high, mean);
        bool better = g->best == SIZE_MAX ||
                      (g->greater ? mean > g->means[g->best].mean : mean < g->means[g->best].mean);
        if (better && strcmp(column, "lambda") != 0)
            g->best = c;
    }
    size_t best;
    if (metric && tm_sweep_best(t, column, false, &best, NULL) == TM_OK)
        g->best = best; /* ties are broken as in the sweep's table */
}

/* Better values first, missing ones last. */
static int compare_means(const void *a, const void *b, void *payload)
{
    const sweep_grid *g = payload;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    double x = g->means[left].count > 0 ? g->means[left].mean : NAN;
    double y = g->means[right].count > 0 ? g->means[right].mean : NAN;
    if (isnan(x) != isnan(y))
        return isnan(x) ? 1 : -1;
    if (x < y || x > y)
        return (x < y) == g->greater ? 1 : -1;
    return left < right ? -1 : 1;
}

static void fill_list(sweep_grid *g, size_t configs)
{
    for (size_t c = 0; c < configs; c++)
        g->configs[c] = c;
    if (g->ranked)
        qsort_r(g->configs, configs, sizeof *g->configs, compare_means, g);
}

static bool fill_grid(sweep_grid *g, const tm_sweep_table *t)
{
    size_t configs = tm_sweep_table_configs(t), count;
    size_t *across = malloc(2 * (configs > 0 ? configs : 1) * sizeof *across);
    bool done = across && group(t, g->axis, true, across, &count) &&
                group(t, g->axis, false, across + configs, &count);
    for (size_t i = 0; done && i < g->rows * g->cols; i++)
        g->configs[i] = SIZE_MAX;
    for (size_t c = 0; done && c < configs; c++)
        g->configs[across[configs + c] * g->cols + across[c]] = c;
    free(across);
    return done;
}

tm_status sweep_grid_make(sweep_grid *grid, const tm_sweep_table *table, size_t arrangement,
                          const char *column, tm_error *err)
{
    sweep_grid g = {.rows = tm_sweep_table_configs(table), .cols = 1};
    size_t configs = g.rows;
    g.axis = axis_of(table, arrangement, &g.arrangements);
    g.ranked = arrangement + 1 >= g.arrangements;
    if (g.axis != SIZE_MAX)
        measure(table, g.axis, &g.rows, &g.cols);
    size_t places = g.rows * g.cols;
    g.configs = malloc((places > 0 ? places : 1) * sizeof *g.configs);
    g.means = calloc(configs > 0 ? configs : 1, sizeof *g.means);
    bool whole = g.configs && g.means;
    if (whole) {
        take_means(&g, table, column);
        if (g.axis == SIZE_MAX)
            fill_list(&g, configs);
        else
            whole = fill_grid(&g, table);
    }
    if (!whole) {
        sweep_grid_free(&g);
        return tm_fail_memory(err, "the sweep's grid");
    }
    sweep_grid_free(grid);
    *grid = g;
    return TM_OK;
}

void sweep_grid_free(sweep_grid *grid)
{
    free(grid->configs);
    free(grid->means);
    *grid = (sweep_grid){0};
}
