/* How the picture of the weights looks: the figure, the marked feature, the list of levels. */
#include "tui/views/picture/picture.h"

#include "tui/widgets/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- in words ------------------------------------------------------------------------------ */

void picture_title(const picture *p, char *buffer, size_t size)
{
    size_t count = p->levels.count, used = 0;
    const char *parts = p->layout.groups ? "groups" : p->layout.graph ? "levels" : "features";
    if (p->layout.kind == LAYOUT_GRID) {
        const size_t *sizes = layout_sizes(&p->layout);
        used = (size_t)snprintf(buffer, size, "%zu x %zu", sizes[0], sizes[1]);
        if (sizes[2] > 1)
            used += (size_t)snprintf(buffer + used, size - used, " x %zu", sizes[2]);
        if (sizes[2] > 1 && !p->all_slices)
            used += (size_t)snprintf(buffer + used, size - used, ", slice %zu", p->slice + 1);
        used += (size_t)snprintf(buffer + used, size - used, ", ");
    } else if (p->layout.kind == LAYOUT_CHAIN) {
        used = (size_t)snprintf(buffer, size, "chain of %zu, ", p->layout.p);
    }
    snprintf(buffer + used, size - used, "%zu %s", count, parts);
}

static void put_place(const picture *p, size_t feature, char *buffer, size_t size)
{
    const size_t *sizes;
    size_t group;
    buffer[0] = '\0';
    switch (p->layout.kind) {
    case LAYOUT_GRID:
        sizes = layout_sizes(&p->layout);
        if (sizes[2] > 1)
            snprintf(buffer, size, " (slice %zu, row %zu, column %zu)",
                     feature / (sizes[1] * sizes[2]) + 1, feature / sizes[2] % sizes[1] + 1,
                     feature % sizes[2] + 1);
        else
            snprintf(buffer, size, " (row %zu, column %zu)", feature / sizes[1] + 1,
                     feature % sizes[1] + 1);
        return;
    case LAYOUT_GROUPS:
        group = layout_group(&p->layout, feature);
        if (group == TM_NO_GROUP)
            snprintf(buffer, size, " (in no group)");
        else if (tm_groups_name(p->layout.groups, group))
            snprintf(buffer, size, " (group %.40s)", tm_groups_name(p->layout.groups, group));
        else
            snprintf(buffer, size, " (group %zu)", group + 1);
        return;
    case LAYOUT_CHAIN:
    case LAYOUT_BARS:
        return;
    }
}

void picture_readout(const picture *p, char *buffer, size_t size)
{
    char name[96], place[96];
    buffer[0] = '\0';
    if (p->marked == SIZE_MAX)
        return;
    put_place(p, p->marked, place, sizeof place);
    size_t used = (size_t)snprintf(
        buffer, size, "%s%s: %.4g",
        tm_dataset_feature_label(tm_job_train(p->job), p->marked, name, sizeof name), place,
        p->weights[p->marked]);
    size_t at = p->levels.of ? p->levels.of[p->marked] : SIZE_MAX;
    if (at != SIZE_MAX && p->layout.kind == LAYOUT_CHAIN && p->levels.at[at].size > 1 &&
        used < size)
        snprintf(buffer + used, size - used, ", one of %zu", p->levels.at[at].size);
}

/* ---- the figure ---------------------------------------------------------------------------- */

static tm_status add_chain(picture *p, double *x, tm_error *err)
{
    size_t count = p->layout.p;
    const double zero = 0;
    for (size_t i = 0; i <= count; i++)
        x[i] = (double)i + 0.5; /* a feature's step is centred on its number */
    memcpy(x + count + 1, p->weights, count * sizeof *x);
    x[2 * count + 1] = count > 0 ? p->weights[count - 1] : 0;
    tm_status status = plot_figure_add(
        p->pane.figure, &(plot_curve){NULL, PLOT_LEVEL, NULL, &zero, 1, PLOT_FAINT}, NULL, err);
    if (status == TM_OK)
        status = plot_figure_add(p->pane.figure,
                                 &(plot_curve){NULL, PLOT_STEP, x, x + count + 1, count + 1, 0},
                                 NULL, err);
    return status;
}

/* Alternating colours for groups, and one for features in no group. */
static int colour_of(const layout *l, size_t feature)
{
    if (!l->groups)
        return 0;
    size_t group = layout_group(l, feature);
    return group == TM_NO_GROUP ? 2 : (int)(group % 2);
}

static tm_status add_bars(picture *p, double *x, tm_error *err)
{
    tm_status status = TM_OK;
    const double zero = 0;
    status = plot_figure_add(
        p->pane.figure, &(plot_curve){NULL, PLOT_LEVEL, NULL, &zero, 1, PLOT_FAINT}, NULL, err);
    for (int colour = 0; colour < (p->layout.groups ? 3 : 1) && status == TM_OK; colour++) {
        size_t used = 0;
        double *y = x + p->layout.p;
        for (size_t i = 0; i < p->layout.p; i++) {
            size_t feature = layout_feature(&p->layout, i);
            if (p->weights[feature] == 0 || colour_of(&p->layout, feature) != colour)
                continue;
            x[used] = (double)i + 1;
            y[used++] = p->weights[feature];
        }
        if (used > 0)
            status = plot_figure_add(p->pane.figure,
                                     &(plot_curve){NULL, PLOT_BARS, x, y, used, colour}, NULL, err);
    }
    return status;
}

static tm_status fill_lines(picture *p, tm_error *err)
{
    size_t count = p->layout.p;
    double *x = malloc((2 * count + 2) * sizeof *x);
    if (!x)
        return tm_fail_memory(err, "the picture");
    plot_figure_xlim(p->pane.figure, 0.5, (double)count + 0.5);
    plot_figure_labels(p->pane.figure,
                       p->layout.kind == LAYOUT_GROUPS ? "features, group by group" : "feature",
                       NULL);
    tm_status status = p->layout.kind == LAYOUT_CHAIN ? add_chain(p, x, err) : add_bars(p, x, err);
    free(x);
    pane_set_cursor(&p->pane, p->marked == SIZE_MAX
                                  ? (double)NAN
                                  : (double)layout_place(&p->layout, p->marked) + 1);
    return status;
}

static tm_status fill(picture *p, tm_error *err)
{
    char title[192], readout[256], what[96];
    picture_title(p, what, sizeof what);
    snprintf(title, sizeof title, "weights of %.60s: %s", tm_dataset_name(tm_job_train(p->job)),
             what);
    picture_readout(p, readout, sizeof readout);
    plot_figure_clear(p->pane.figure);
    plot_figure_caption(p->pane.figure, title, "weight");
    plot_figure_whole(p->pane.figure, true, false);
    plot_figure_readout(p->pane.figure, readout);
    if (p->layout.kind != LAYOUT_GRID)
        return fill_lines(p, err);
    plot_slices s =
        plot_slices_of(layout_sizes(&p->layout), p->all_slices ? PLOT_NO_PLACE : p->slice);
    if (s.slice == PLOT_NO_PLACE)
        snprintf(what, sizeof what, "slices 1 to %zu, from left to right and row by row", s.count);
    plot_figure_labels(p->pane.figure, s.slice == PLOT_NO_PLACE ? what : NULL, NULL);
    return plot_figure_slices(p->pane.figure, &s, p->weights,
                              p->marked == SIZE_MAX ? PLOT_NO_PLACE : p->marked, err);
}

void picture_draw(picture *p, terminal *t, rect body)
{
    tm_error err = TM_ERROR_INIT;
    if (body.rows <= 0 || body.cols <= 0)
        return;
    if (p->error.code != TM_OK) {
        terminal_put(t, body.row, body.col, body.cols, STYLE_ERROR, p->error.message);
        body.row++;
        body.rows--;
    }
    if (p->stale) {
        p->stale = fill(p, &err) != TM_OK;
        p->pane.stale = true;
    }
    if (err.code != TM_OK)
        terminal_put(t, body.row, body.col, body.cols, STYLE_ERROR, err.message);
    else
        pane_draw(&p->pane, t, body, &err);
}

/* ---- the list ------------------------------------------------------------------------------ */

enum { VALUE_WIDTH = 10, COUNT_WIDTH = 8 };

static void level_name(const picture *p, const level *v, char *buffer, size_t size)
{
    char first[64], last[64];
    const tm_dataset *data = tm_job_train(p->job);
    tm_dataset_feature_label(data, v->first, first, sizeof first);
    tm_dataset_feature_label(data, v->last, last, sizeof last);
    if (p->layout.groups && v->group != TM_NO_GROUP) {
        const char *name = tm_groups_name(p->layout.groups, v->group);
        if (name)
            snprintf(buffer, size, "%s", name);
        else
            snprintf(buffer, size, "group %zu", v->group + 1);
    } else if (v->size > 1 && p->layout.kind == LAYOUT_CHAIN) {
        snprintf(buffer, size, "%s to %s", first, last);
    } else {
        snprintf(buffer, size, v->size > 1 ? "%s ..." : "%s", first);
    }
}

static void draw_level(const picture *p, terminal *t, rect at, const level *v, bool chosen)
{
    char text[160];
    int names = at.cols - VALUE_WIDTH - COUNT_WIDTH - 2;
    int bars = names >= 28 ? names - 20 : 0;
    names -= bars;
    terminal_style style = chosen ? STYLE_SELECTED : STYLE_NORMAL;
    if (chosen)
        terminal_put_padded(t, at.row, at.col, at.cols - bars, style, "");
    level_name(p, v, text, sizeof text);
    terminal_put(t, at.row, at.col + 1, names, style, text);
    snprintf(text, sizeof text, "%zu", v->size);
    terminal_put_right(t, at.row, at.col + 1 + names, COUNT_WIDTH, style, text);
    snprintf(text, sizeof text, p->layout.groups ? "%.3g" : "%+.3g", v->value);
    terminal_put_right(t, at.row, at.col + 1 + names + COUNT_WIDTH, VALUE_WIDTH, style, text);
    if (bars > 0)
        bar_draw(t, at.row, at.col + at.cols - bars + 1, bars - 1,
                 fabs(v->value) / fabs(p->levels.at[0].value), v->value < 0 ? 1 : 0, v->value < 0);
}

void picture_draw_levels(picture *p, terminal *t, rect body)
{
    size_t row;
    rect at;
    if (body.rows > 4) {
        int names = body.cols - VALUE_WIDTH - COUNT_WIDTH - 2;
        names -= names >= 28 ? names - 20 : 0;
        terminal_put(t, body.row, body.col + 1, names, STYLE_BOLD,
                     p->layout.groups  ? "group"
                     : p->layout.graph ? "level"
                                       : "feature");
        terminal_put_right(t, body.row, body.col + 1 + names, COUNT_WIDTH, STYLE_BOLD, "size");
        terminal_put_right(t, body.row, body.col + 1 + names + COUNT_WIDTH, VALUE_WIDTH, STYLE_BOLD,
                           p->layout.groups ? "length" : "weight");
        body.row++;
        body.rows--;
    }
    list_show(&p->rows, body, p->levels.count);
    for (int i = 0; list_row(&p->rows, i, &row, &at); i++)
        draw_level(p, t, at, &p->levels.at[row], row == p->rows.chosen);
}
