#include "tui/views/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 16, ROUND_WIDTH = 6, SCORE_WIDTH = 10, WEIGHT_WIDTH = 11, SIDE_MIN = 50 };

bool rounds_has(const tm_job *job)
{
    const tm_event *events;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    for (size_t i = 0; i < count && tm_job_point_count(job) == 1; i++)
        if (events[i].kind == TM_EVENT_ADD && events[i].feature != TM_NO_FEATURE)
            return true;
    return false;
}

tm_status rounds_open(rounds *r, tm_error *err)
{
    *r = (rounds){0};
    return pane_open(&r->pane, err);
}

void rounds_close(rounds *r)
{
    pane_close(&r->pane);
}

/* ---- the bounds ---------------------------------------------------------------------------- */

static tm_status fill(rounds *r, const tm_event *events, size_t count, tm_error *err)
{
    double *x = malloc((3 * count + 1) * sizeof *x);
    size_t checks = 0;
    if (!x)
        return tm_fail_memory(err, "the plot");
    bool positive = true;
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == TM_EVENT_CHECK) {
            x[checks] = (double)checks + 1;
            x[count + checks] = events[i].primal;
            x[2 * count + checks] = events[i].dual;
            positive = positive && events[i].dual > 0;
            checks++;
        }
    }
    plot_figure_clear(r->pane.figure);
    plot_figure_labels(r->pane.figure, "round", NULL);
    plot_figure_caption(r->pane.figure, "bounds by round", "objective");
    plot_figure_log(r->pane.figure, false, positive);
    tm_status status = plot_figure_add(
        r->pane.figure, &(plot_curve){"upper", PLOT_LINE, x, x + count, checks, 1}, NULL, err);
    if (status == TM_OK) {
        status = plot_figure_add(r->pane.figure,
                                 &(plot_curve){"lower", PLOT_LINE, x, x + 2 * count, checks, 0},
                                 NULL, err);
    }
    free(x);
    return status;
}

static void draw_bounds(rounds *r, const tm_event *events, size_t count, terminal *t, rect area,
                        const char *title, bool focus)
{
    tm_error err = TM_ERROR_INIT;
    rect body = rect_inside(area);
    terminal_box(t, area, title, focus);
    if (r->pane.stale || r->seen != count) {
        fill(r, events, count, &err);
        r->pane.stale = true;
        r->seen = count;
    }
    if (err.code != TM_OK)
        terminal_put(t, body.row, body.col, body.cols, STYLE_ERROR, err.message);
    else
        pane_draw(&r->pane, t, body, &err);
}

/* ---- what came in -------------------------------------------------------------------------- */

/* Units are columns of the data only for the source `columns`. */
static const char *unit_label(const tm_job *job, uint64_t unit, char *buffer, size_t size)
{
    const tm_params *params = tm_job_params(job);
    bool columns = !tm_params_find(params, "source", NULL) ||
                   strcmp(tm_params_text(params, "source"), "columns") == 0;
    if (columns && unit < tm_dataset_cols(tm_job_train(job)))
        return tm_dataset_feature_label(tm_job_train(job), (size_t)unit, buffer, size);
    snprintf(buffer, size, "unit %llu", (unsigned long long)unit + 1);
    return buffer;
}

static void draw_entry(const rounds *r, terminal *t, rect at, const tm_event *event, size_t round,
                       bool chosen)
{
    char label[128], value[32];
    const tm_point *points;
    terminal_style style = chosen ? STYLE_SELECTED : STYLE_NORMAL;
    int col = at.col;
    if (chosen)
        terminal_put_padded(t, at.row, col, at.cols, style, "");
    snprintf(value, sizeof value, "%zu", round);
    terminal_put_right(t, at.row, col, ROUND_WIDTH - 1, style, value);
    col += ROUND_WIDTH;
    terminal_put(t, at.row, col, NAME_WIDTH - 1, style,
                 unit_label(r->job, event->feature, label, sizeof label));
    col += NAME_WIDTH;
    snprintf(value, sizeof value, "%.4g", event->score);
    terminal_put_right(t, at.row, col, SCORE_WIDTH, style, value);
    col += SCORE_WIDTH;
    size_t done = tm_job_points(r->job, &points);
    if (done > 0 && !tm_model_map(points[done - 1].solution.model) &&
        event->feature < tm_model_cols(points[done - 1].solution.model)) {
        double weight = tm_model_weight(points[done - 1].solution.model, (size_t)event->feature);
        snprintf(value, sizeof value, weight == 0 ? "0" : "%+.4g", weight);
        terminal_put_right(t, at.row, col, WEIGHT_WIDTH, style, value);
    }
}

static void draw_list(rounds *r, const tm_event *events, size_t count, terminal *t, rect area)
{
    char title[64];
    size_t entries = 0, round = 0, row = 0, shown;
    rect at;
    rect body = {area.row + 2, area.col + 1, area.rows - 3, area.cols - 2};
    for (size_t i = 0; i < count; i++)
        entries += events[i].kind == TM_EVENT_ADD && events[i].feature != TM_NO_FEATURE;
    snprintf(title, sizeof title, "came in: %zu", entries);
    terminal_box(t, area, title, false);
    list_hide(&r->rows);
    if (body.rows <= 0)
        return;
    terminal_put(t, body.row - 1, body.col, ROUND_WIDTH, STYLE_BOLD, "round");
    terminal_put(t, body.row - 1, body.col + ROUND_WIDTH, NAME_WIDTH, STYLE_BOLD, "feature");
    terminal_put_right(t, body.row - 1, body.col + ROUND_WIDTH + NAME_WIDTH, SCORE_WIDTH,
                       STYLE_BOLD, "score");
    terminal_put_right(t, body.row - 1, body.col + ROUND_WIDTH + NAME_WIDTH + SCORE_WIDTH,
                       WEIGHT_WIDTH, STYLE_BOLD, "weight");
    list_show(&r->rows, body, entries);
    for (size_t i = 0; i < count; i++) {
        round += events[i].kind == TM_EVENT_CHECK;
        if (events[i].kind != TM_EVENT_ADD || events[i].feature == TM_NO_FEATURE)
            continue;
        int line = (int)(row - r->rows.top);
        if (row >= r->rows.top && list_row(&r->rows, line, &shown, &at))
            draw_entry(r, t, at, &events[i], round, row == r->rows.chosen);
        row++;
    }
}

void rounds_draw(rounds *r, const tm_job *job, terminal *t, rect area, bool focus)
{
    const tm_event *events;
    char title[128];
    size_t count = tm_trace_read(tm_job_trace(job), &events), checks = 0;
    if (job != r->job) {
        r->job = job;
        r->seen = 0;
        r->rows = (list){0};
        pane_request(&r->pane, REQ_RESET);
        pane_set_cursor(&r->pane, NAN);
    }
    for (size_t i = 0; i < count; i++)
        checks += events[i].kind == TM_EVENT_CHECK;
    snprintf(title, sizeof title, "%.40s: %zu rounds, %s", tm_job_name(job), checks,
             tm_job_state_name(tm_job_get_state(job)));
    if (area.cols < 2 * SIDE_MIN - 14) {
        int half = area.rows >= 16 ? area.rows / 2 : 0;
        if (half > 0) {
            draw_bounds(r, events, count, t, (rect){area.row, area.col, half, area.cols}, title,
                        focus);
        }
        draw_list(r, events, count, t,
                  (rect){area.row + half, area.col, area.rows - half, area.cols});
        return;
    }
    int side = SIDE_MIN - 2;
    draw_bounds(r, events, count, t, (rect){area.row, area.col, area.rows, area.cols - side}, title,
                focus);
    draw_list(r, events, count, t, (rect){area.row, area.col + area.cols - side, area.rows, side});
}
