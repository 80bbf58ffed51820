/* How the race view looks: the winner and why, a table, the gap of each strategy side by side. */
#include "tui/views/race/race.h"

#include "tui/terminal/wrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COL = 11, NAME = 12, PLOT_COLS = 26, PLOT_ROWS = 8 };

/* ---- the winner ---------------------------------------------------------------------------- */

/* The reason, as far as the counts show it. */
static void reason(const race_result *first, char *out, size_t size)
{
    double passes = first->columns / first->features;
    if (first->most_active < 0.5 * first->features)
        snprintf(out, size,
                 "it worked on %.0f of the %.0f features at most; all its products are %.2g "
                 "passes over them",
                 first->most_active, first->features, passes);
    else if (first->rejection > 0.5)
        snprintf(out, size, "it ruled out %.1f %% of the features on the way, %.3g passes in all",
                 100 * first->rejection, passes);
    else
        snprintf(out, size, "it needed the fewest passes over the features, %.3g", passes);
}

static void sentence(const race_view *v, const size_t ranks[MAX_LANES], size_t met, char *out,
                     size_t size)
{
    char why[160], than[96] = "";
    if (met == 0) {
        snprintf(out, size,
                 v->running < v->count ? "racing: none has met the tolerance yet"
                                       : "no strategy met the tolerance");
        return;
    }
    race_result first = race_result_of(&v->lanes[ranks[0]]);
    reason(&first, why, sizeof why);
    if (met > 1) {
        race_result next = race_result_of(&v->lanes[ranks[1]]);
        race_result last = race_result_of(&v->lanes[ranks[met - 1]]);
        snprintf(than, sizeof than, ", %.3g times fewer than %s and %.3g than %s",
                 next.columns / first.columns, v->lanes[ranks[1]].strategy,
                 last.columns / first.columns, v->lanes[ranks[met - 1]].strategy);
    }
    snprintf(out, size, "%s %s with %.0f column products%s: %s", v->lanes[ranks[0]].strategy,
             v->running < v->count ? "leads" : "wins", first.columns, met > 2 ? than : "", why);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void put(terminal *t, rect at, int *col, terminal_style style, const char *format,
                double value)
{
    char text[32];
    if (isnan(value))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, strcmp(format, "%") == 0 ? "%.1f %%" : format, value);
    if (*col + COL <= at.cols)
        terminal_put_right(t, at.row, at.col + *col, COL - 1, style, text);
    *col += COL;
}

static const char *state_text(const race_view *v, size_t lane, const race_result *r)
{
    if (v->lanes[lane].error[0] != '\0')
        return "failed";
    if (!v->lanes[lane].job)
        return "waits";
    return !r->over ? "runs" : r->met ? "met" : "not met";
}

static void draw_row(const race_view *v, terminal *t, rect at, size_t lane, double best,
                     bool chosen)
{
    race_result r = race_result_of(&v->lanes[lane]);
    terminal_style style = chosen                            ? STYLE_SELECTED
                           : r.met && r.columns == best      ? STYLE_GOOD
                           : v->lanes[lane].error[0] != '\0' ? STYLE_ERROR
                           : r.over && !r.met                ? STYLE_WARN
                           : v->lanes[lane].job              ? STYLE_NORMAL
                                                             : STYLE_DIM;
    int col = NAME;
    if (chosen)
        terminal_put_padded(t, at.row, at.col, at.cols, style, "");
    terminal_put(t, at.row, at.col, NAME - 1, style, v->lanes[lane].strategy);
    put(t, at, &col, style, "%.0f", r.columns);
    put(t, at, &col, style, "%.2f", r.met ? r.columns / best : NAN);
    put(t, at, &col, style, "%.3g", r.seconds);
    terminal_put_right(t, at.row, at.col + col, COL - 1, style, state_text(v, lane, &r));
    col += COL;
    put(t, at, &col, style, "%.1e", r.gap);
    put(t, at, &col, style, "%", 100 * r.rejection);
    put(t, at, &col, style, "%.0f", r.nnz);
    put(t, at, &col, style, "%.0f", v->lanes[lane].job ? r.most_active : NAN);
}

static void draw_table(race_view *v, terminal *t, rect body, const size_t ranks[MAX_LANES],
                       size_t met)
{
    static const char *const titles[] = {"columns", "x best",   "seconds", "state",
                                         "gap",     "screened", "nnz",     "most in"};
    size_t row;
    rect at;
    double best = met > 0 ? race_result_of(&v->lanes[ranks[0]]).columns : NAN;
    terminal_put(t, body.row, body.col, NAME - 1, STYLE_BOLD, "strategy");
    for (int i = 0; i < (int)(sizeof titles / sizeof titles[0]); i++)
        if (NAME + (i + 1) * COL <= body.cols)
            terminal_put_right(t, body.row, body.col + NAME + i * COL, COL - 1, STYLE_BOLD,
                               titles[i]);
    list_show(&v->rows, (rect){body.row + 1, body.col, body.rows - 1, body.cols}, v->count);
    for (int i = 0; list_row(&v->rows, i, &row, &at); i++)
        draw_row(v, t, at, ranks[row], best, row == v->rows.chosen);
}

/* ---- the plots ----------------------------------------------------------------------------- */

/* The gaps of a lane, those of its checks and of its answer, as x and y; returns how many. Both
 * have room for all events. */
static size_t checks(const race_lane *lane, bool seconds, double *x, double *y)
{
    const tm_event *events;
    size_t count = lane->job ? tm_trace_read(tm_job_trace(lane->job), &events) : 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        bool has_gap = events[i].kind == TM_EVENT_CHECK || events[i].kind == TM_EVENT_POINT;
        if (!has_gap || !isfinite(events[i].gap))
            continue;
        if (x) {
            x[used] = seconds ? events[i].seconds : (double)events[i].columns;
            y[used] = events[i].gap;
        }
        used++;
    }
    return used;
}

static tm_status fill(race_view *v, size_t lane, const double xlim[2], tm_error *err)
{
    plot_figure *figure = v->panes[lane].figure;
    size_t room = checks(&v->lanes[lane], false, NULL, NULL);
    double *x = malloc((2 * room + 1) * sizeof *x);
    if (!x)
        return tm_fail_memory(err, "the plot");
    size_t count = checks(&v->lanes[lane], v->by_seconds, x, x + room);
    count = count < room ? count : room;
    plot_figure_clear(figure);
    plot_figure_log(figure, true, true);
    plot_figure_xlim(figure, xlim[0], xlim[1]);
    plot_figure_labels(figure, v->by_seconds ? "s" : "columns", NULL);
    tm_status status = plot_figure_add(
        figure, &(plot_curve){NULL, PLOT_LINE, x, x + room, count, (int)lane}, NULL, err);
    free(x);
    return status;
}

/* A common x axis, so that the plots can be compared. */
static void common_axis(const race_view *v, double xlim[2])
{
    xlim[0] = INFINITY;
    xlim[1] = 0;
    for (size_t i = 0; i < v->count; i++) {
        const tm_event *events;
        size_t count = v->lanes[i].job ? tm_trace_read(tm_job_trace(v->lanes[i].job), &events) : 0;
        for (size_t k = 0; k < count; k++) {
            double x = v->by_seconds ? events[k].seconds : (double)events[k].columns;
            xlim[0] = x > 0 ? fmin(xlim[0], x) : xlim[0];
            xlim[1] = fmax(xlim[1], x);
        }
    }
    if (!(xlim[1] > xlim[0]))
        xlim[0] = xlim[1] = NAN;
}

static void draw_plots(race_view *v, terminal *t, rect area, const size_t ranks[MAX_LANES])
{
    tm_error err = TM_ERROR_INIT;
    double xlim[2];
    int across = area.cols / PLOT_COLS > 0 ? area.cols / PLOT_COLS : 1;
    int down = area.rows / PLOT_ROWS > 0 ? area.rows / PLOT_ROWS : 1;
    int needed = ((int)v->count + across - 1) / across;
    down = needed < down ? needed : down;
    int width = area.cols / across, height = area.rows / down;
    size_t room = (size_t)(across * down);
    size_t from = v->rows.chosen + 1 > room ? v->rows.chosen + 1 - room : 0;
    common_axis(v, xlim);
    for (size_t i = 0; i < room && from + i < v->count; i++) {
        size_t lane = ranks[from + i];
        rect at = {area.row + (int)i / across * height, area.col + (int)i % across * width, height,
                   width};
        terminal_box(t, at, v->lanes[lane].strategy, from + i == v->rows.chosen);
        if (v->panes[lane].stale && fill(v, lane, xlim, &err) != TM_OK)
            return;
        if (checks(&v->lanes[lane], false, NULL, NULL) > 0)
            pane_draw(&v->panes[lane], t, rect_inside(at), &err);
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

void race_draw(void *state, app *a, terminal *t, rect area)
{
    race_view *v = state;
    char text[400], title[128];
    size_t ranks[MAX_LANES];
    list_hide(&v->rows);
    for (size_t i = 0; i < MAX_LANES; i++)
        pane_hide(&v->panes[i]);
    if (!v->train) {
        terminal_box(t, area, "race", false);
        wrap_draw(t, (rect){area.row + area.rows / 2, area.col + 2, 2, area.cols - 4}, STYLE_DIM,
                  app_explorer(a)->train ? "this method has no strategies to race"
                                         : "there are no data yet");
        return;
    }
    size_t met = race_ranks(v, ranks);
    bool changed = v->solves != app_explorer(a)->solves;
    snprintf(title, sizeof title, "race: %s on %.60s%s", tm_method_id(v->method),
             tm_dataset_name(v->train), changed ? ", the form has changed: 0 races again" : "");
    sentence(v, ranks, met, text, sizeof text);
    int said = wrap_rows(text, strlen(text), area.cols - 2, terminal_utf8(t));
    int table = (int)v->count + said + 3;
    int most = area.rows < 2 * PLOT_ROWS ? area.rows : area.rows - PLOT_ROWS;
    table = table < most ? table : most;
    rect top = {area.row, area.col, table, area.cols}, body = rect_inside(top);
    terminal_box(t, top, title, false);
    said = said < body.rows ? said : body.rows;
    if (said > 0 && body.cols > 0)
        wrap_draw(t, (rect){body.row, body.col, said, body.cols}, met > 0 ? STYLE_GOOD : STYLE_DIM,
                  text);
    if (body.rows > said + 1)
        draw_table(v, t, (rect){body.row + said, body.col, body.rows - said, body.cols}, ranks,
                   met);
    if (area.rows - table >= 4 && area.cols >= 12)
        draw_plots(v, t, (rect){area.row + table, area.col, area.rows - table, area.cols}, ranks);
}
