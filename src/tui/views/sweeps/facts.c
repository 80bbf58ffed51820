/* The parts of the sweeps view around the grid: progress, the best configuration, the spread of the
 * folds of the chosen one, its runs, and scores against the number of features. */
#include "tui/views/sweeps/sweeps.h"

#include "tui/terminal/wrap.h"
#include "tui/widgets/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES_MAX = 8, SPLIT_COL = 10 };

/* The axis is logarithmic if the greatest x is more than this multiple of the least. */
static const double log_from = 30;

/* ---- facts --------------------------------------------------------------------------------- */

static void time_text(double seconds, char *out, size_t size)
{
    snprintf(out, size,
             seconds < 90     ? "%.0f s"
             : seconds < 5400 ? "%.0f min"
                              : "%.1f h",
             seconds < 90     ? seconds
             : seconds < 5400 ? seconds / 60
                              : seconds / 3600);
}

static void draw_progress(const sweeps_view *v, terminal *t, rect body, int *row)
{
    const sweep_entry *entry = sweeps_current(v);
    const tm_sweep_table *table = sweeps_table(v);
    char text[96], left[32];
    size_t failed = 0, done = tm_sweep_table_done(table, &failed);
    size_t cells = tm_sweep_table_configs(table) * tm_sweep_table_splits(table);
    int used = snprintf(text, sizeof text, "%zu of %zu runs", done, cells);
    if (failed > 0)
        used += snprintf(text + used, sizeof text - (size_t)used, ", %zu failed", failed);
    if (entry->running && entry->handle && isfinite(entry->last.left)) {
        time_text(entry->last.left, left, sizeof left);
        snprintf(text + used, sizeof text - (size_t)used, ", %s left", left);
    }
    *row += wrap_draw(t, (rect){body.row + *row, body.col, 2, body.cols},
                      failed > 0 ? STYLE_WARN : STYLE_NORMAL, text);
    if (*row < body.rows)
        bar_draw(t, body.row + *row, body.col, body.cols,
                 cells > 0 ? (double)done / (double)cells : 0, 2, false);
    ++*row;
}

/* Draws the folds' values on a scale from the least to the greatest value of all configurations. */
static void draw_spread(const sweeps_view *v, terminal *t, rect at, size_t config)
{
    const sweep_grid *g = &v->grid;
    const tm_sweep_table *table = sweeps_table(v);
    double low = g->low, high = g->high, value;
    for (size_t s = 0; s < tm_sweep_table_splits(table); s++) {
        if (tm_sweep_column(table, sweeps_quantity(v), config, s, &value, NULL) != TM_OK ||
            isnan(value))
            continue;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (at.cols < 8 || !(high > low))
        return;
    for (int i = 0; i < at.cols; i++)
        terminal_put(t, at.row, at.col + i, 1, STYLE_DIM, terminal_pick(t, "─", "-"));
    for (size_t s = 0; s < tm_sweep_table_splits(table); s++) {
        if (tm_sweep_column(table, sweeps_quantity(v), config, s, &value, NULL) != TM_OK ||
            isnan(value))
            continue;
        int place = (int)lround((value - low) / (high - low) * (at.cols - 1));
        terminal_put_colour(t, at.row, at.col + place, 1, 1, terminal_pick(t, "●", "o"));
    }
    int mean = (int)lround((g->means[config].mean - low) / (high - low) * (at.cols - 1));
    terminal_put(t, at.row, at.col + mean, 1, STYLE_BOLD, terminal_pick(t, "┃", "|"));
}

/* A configuration: its settings, the mean and the spread of the folds. */
static void draw_config(const sweeps_view *v, terminal *t, rect body, int *row, const char *what,
                        size_t config)
{
    char label[160], text[224];
    const tm_sweep_mean *mean = &v->grid.means[config];
    if (*row >= body.rows)
        return;
    sweep_grid_label(sweeps_table(v), config, SIZE_MAX, label, sizeof label);
    snprintf(text, sizeof text, "%s %s", what, label);
    int room = body.rows - *row < 2 ? body.rows - *row : 2;
    *row += wrap_draw(t, (rect){body.row + *row, body.col, room, body.cols}, STYLE_BOLD, text);
    if (mean->count == 0 || *row >= body.rows)
        return;
    snprintf(text, sizeof text, "%s %.4g", sweeps_quantity(v), mean->mean);
    size_t used = strlen(text);
    if (mean->count > 1) {
        snprintf(text + used, sizeof text - used, " %s %.2g", terminal_pick(t, "±", "+-"),
                 mean->se);
        used = strlen(text);
        if ((int)used + 10 <= body.cols)
            snprintf(text + used, sizeof text - used, ", sd %.2g", mean->sd);
    }
    terminal_put(t, body.row + (*row)++, body.col, body.cols, STYLE_NORMAL, text);
    if (mean->count > 1 && *row < body.rows) {
        draw_spread(v, t, (rect){body.row + *row, body.col, 1, body.cols}, config);
        ++*row;
    }
}

void sweeps_draw_facts(const sweeps_view *v, terminal *t, rect area)
{
    const sweep_entry *entry = sweeps_current(v);
    char title[96];
    rect body = rect_inside(area);
    int row = 0;
    if (entry->id != 0)
        snprintf(title, sizeof title, "s%lld, %s", (long long)entry->id, entry->status);
    else
        snprintf(title, sizeof title, "%s", entry->status);
    if (v->list.count > 1) {
        size_t used = strlen(title);
        snprintf(title + used, sizeof title - used, ", %zu of %zu", v->current + 1, v->list.count);
    }
    terminal_box(t, area, title, false);
    if (body.rows <= 0 || body.cols <= 0)
        return;
    draw_progress(v, t, body, &row);
    if (v->grid.best != SIZE_MAX)
        draw_config(v, t, body, &row, "best:", v->grid.best);
    if (v->config != SIZE_MAX && v->config != v->grid.best)
        draw_config(v, t, body, &row, "here:", v->config);
}

/* ---- the runs of a configuration ----------------------------------------------------------- */

static void put_real(terminal *t, rect at, int *col, terminal_style style, double value)
{
    char text[32];
    snprintf(text, sizeof text, isnan(value) ? "-" : "%.4g", value);
    if (*col + SPLIT_COL <= at.cols)
        terminal_put_right(t, at.row, at.col + *col, SPLIT_COL - 1, style, text);
    *col += SPLIT_COL;
}

static void draw_split(const sweeps_view *v, terminal *t, rect at, size_t s)
{
    const tm_sweep_table *table = sweeps_table(v);
    const tm_sweep_split *split = tm_sweep_table_split(table, s);
    const tm_sweep_cell *cell = tm_sweep_table_cell(table, v->config, s);
    bool open = cell->status == TM_CELL_OPEN, chosen = s == v->splits.chosen;
    terminal_style style = chosen                             ? STYLE_SELECTED
                           : open                             ? STYLE_DIM
                           : cell->status == TM_CELL_FAILED   ? STYLE_ERROR
                           : cell->status == TM_CELL_MAX_ITER ? STYLE_WARN
                                                              : STYLE_NORMAL;
    char text[48];
    int col = 2 * SPLIT_COL, used = snprintf(text, sizeof text, "%d", split->outer);
    if (split->inner > 0)
        snprintf(text + used, sizeof text - (size_t)used, ".%d", split->inner);
    if (chosen)
        terminal_put_padded(t, at.row, at.col, at.cols, style, "");
    terminal_put(t, at.row, at.col, SPLIT_COL - 1, style, text);
    if (split->repeat > 1) {
        snprintf(text, sizeof text, "rep %d", split->repeat);
        terminal_put_right(t, at.row, at.col + 3, SPLIT_COL - 4, style, text);
    }
    terminal_put(t, at.row, at.col + SPLIT_COL, SPLIT_COL - 1, style,
                 tm_cell_status_name(cell->status));
    if (open)
        return;
    double score = NAN;
    tm_sweep_column(table, sweeps_quantity(v), v->config, s, &score, NULL);
    put_real(t, at, &col, style, score);
    put_real(t, at, &col, style, cell->nnz);
    put_real(t, at, &col, style, cell->gap);
    put_real(t, at, &col, style, cell->lambda);
    put_real(t, at, &col, style, cell->seconds);
    put_real(t, at, &col, style, cell->columns);
}

void sweeps_draw_splits(sweeps_view *v, terminal *t, rect area)
{
    const char *const titles[] = {"fold", "status", sweeps_quantity(v), "nnz",
                                  "gap",  "lambda", "seconds",          "columns"};
    char label[160], title[192];
    size_t row;
    rect at, body = rect_inside(area);
    sweep_grid_label(sweeps_table(v), v->config, SIZE_MAX, label, sizeof label);
    snprintf(title, sizeof title, "runs of %s", label);
    terminal_box(t, area, title, true);
    if (body.rows <= 1 || body.cols <= 0)
        return;
    for (int i = 0; i < (int)(sizeof titles / sizeof titles[0]); i++) {
        if ((i + 1) * SPLIT_COL > body.cols)
            break;
        if (i < 2)
            terminal_put(t, body.row, body.col + i * SPLIT_COL, SPLIT_COL - 1, STYLE_BOLD,
                         titles[i]);
        else
            terminal_put_right(t, body.row, body.col + i * SPLIT_COL, SPLIT_COL - 1, STYLE_BOLD,
                               titles[i]);
    }
    list_show(&v->splits, (rect){body.row + 1, body.col, body.rows - 1, body.cols},
              tm_sweep_table_splits(sweeps_table(v)));
    for (int i = 0; list_row(&v->splits, i, &row, &at); i++)
        draw_split(v, t, at, row);
}

/* ---- curves -------------------------------------------------------------------------------- */

/* The metric of the curves: the one shown, else the one that ranks configurations. */
static const char *curve_metric(const sweeps_view *v)
{
    const tm_sweep_table *table = sweeps_table(v);
    size_t metrics = tm_sweep_table_metrics(table);
    return tm_sweep_table_metric(table, v->quantity < metrics ? v->quantity : 0);
}

static tm_status fill(sweeps_view *v, tm_error *err)
{
    plot_figure *figure = v->pane.figure;
    tm_sweep_curve *curves = NULL;
    size_t count = 0;
    double least = INFINITY, most = 0;
    const char *metric = curve_metric(v);
    tm_status status = tm_sweep_curves(sweeps_table(v), "nnz", metric, &curves, &count, err);
    plot_figure_clear(figure);
    plot_figure_labels(figure, "features", metric);
    plot_figure_caption(figure, "score by features, with standard errors", NULL);
    for (size_t i = 0; i < count && i < CURVES_MAX && status == TM_OK; i++) {
        const tm_sweep_curve *c = &curves[i];
        if (c->count == 0)
            continue;
        least = fmin(least, c->x[0]);
        most = fmax(most, c->x[c->count - 1]);
        plot_mark mark = c->cloud ? PLOT_POINTS : PLOT_LINE;
        size_t at = 0;
        status = plot_figure_add(
            figure, &(plot_curve){c->name, mark, c->x, c->y, c->count, (int)i + 1}, &at, err);
        if (status == TM_OK && c->se)
            status = plot_figure_spread(figure, at, c->se, err);
    }
    tm_sweep_curves_free(curves, count);
    plot_figure_log(figure, least > 0 && most > log_from * least, false);
    plot_figure_whole(figure, true, false);
    return status;
}

void sweeps_draw_curves(sweeps_view *v, terminal *t, rect area)
{
    tm_error err = TM_ERROR_INIT;
    char title[96];
    rect body = rect_inside(area);
    snprintf(title, sizeof title, "%s by features, with standard errors", curve_metric(v));
    terminal_box(t, area, title, v->in_plot);
    if (body.rows <= 0 || body.cols <= 0)
        return;
    bool resized = v->pane.body.rows != body.rows || v->pane.body.cols != body.cols;
    if ((v->pane.stale || resized) && fill(v, &err) != TM_OK) {
        wrap_draw(t, body, STYLE_DIM, err.message);
        return;
    }
    tm_sweep_mean nnz = {0};
    if (v->config != SIZE_MAX && !v->in_plot &&
        tm_sweep_summary(sweeps_table(v), "nnz", v->config, &nnz, NULL) == TM_OK && nnz.count > 0)
        pane_set_cursor(&v->pane, nnz.mean);
    if (plot_figure_series(v->pane.figure) == 0)
        terminal_put(t, body.row, body.col, body.cols, STYLE_DIM, "no run has ended yet");
    else
        pane_draw(&v->pane, t, body, &err);
}
