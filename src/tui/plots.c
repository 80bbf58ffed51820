/* The plots view: figures that scripts showed, one at a time. */
#include "tui/app.h"

#include <stdlib.h>

typedef struct plots {
    size_t current;
    app *app;
} plots;

static tm_status plots_open(void **state, app *a, tm_error *err)
{
    plots *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return tm_fail_memory(err, "the plots view");
    }
    v->app = a;
    *state = v;
    return TM_OK;
}

static void plots_close(void *state)
{
    free(state);
}

static bool plots_update(void *state, app *a, unsigned news)
{
    plots *v = state;
    size_t count = app_session(a)->figure_count;
    if ((news & NEWS_FIGURE) != 0 && count > 0) {
        v->current = count - 1; /* the newest comes to the front */
    }
    return (news & NEWS_FIGURE) != 0;
}

static void plots_draw(void *state, app *a, screen *s, rect area)
{
    plots *v = state;
    const session *work = app_session(a);
    char title[64];
    rect body = {area.row + 1, area.col + 1, area.rows - 2, area.cols - 2};
    if (work->figure_count == 0) {
        scr_box(s, area, "plots", false);
        scr_put(s, area.row + area.rows / 2, area.col + 2, area.cols - 4, STYLE_DIM,
                "no plot yet: a script shows one with  tm.plot{...}:show()");
        return;
    }
    snprintf(title, sizeof title, "plot %zu of %zu", v->current + 1, work->figure_count);
    scr_box(s, area, title, false);
    if (body.rows <= 0 || body.cols <= 0) {
        return;
    }
    plot_grid grid = PLOT_GRID_INIT;
    tm_error err = TM_ERROR_INIT;
    if (plot_draw_text(work->figures[v->current], (size_t)body.rows, (size_t)body.cols, scr_utf8(s),
                       &grid, &err) == TM_OK) {
        scr_grid(s, body.row, body.col, &grid);
    } else {
        scr_put(s, body.row, body.col, body.cols, STYLE_ERROR, err.message);
    }
    plot_grid_free(&grid);
}

static void save(const char *text, void *payload)
{
    plots *v = payload;
    const session *s = app_session(v->app);
    tm_error err = TM_ERROR_INIT;
    if (text == NULL || text[0] == '\0' || v->current >= s->figure_count) {
        return;
    }
    if (plot_save(s->figures[v->current], text, &err) == TM_OK) {
        app_message(v->app, STYLE_GOOD, "saved as %s", text);
    } else {
        app_error(v->app, &err);
    }
}

static void move(plots *v, const session *s, size_t to)
{
    v->current = to < s->figure_count ? to : v->current;
}

static bool plots_request(void *state, app *a, int request, const key_event *key)
{
    plots *v = state;
    session *s = app_session(a);
    (void)key;
    switch (request) {
    case REQ_LEFT:
        move(v, s, v->current - 1); /* wraps around to a number that is too large */
        return true;
    case REQ_RIGHT:
        move(v, s, v->current + 1);
        return true;
    case REQ_FIRST:
        move(v, s, 0);
        return true;
    case REQ_LAST:
        move(v, s, s->figure_count - 1);
        return true;
    case REQ_SAVE:
        if (s->figure_count > 0) {
            app_ask(a, "save as: ", "plot.svg", save, v);
        }
        return true;
    case REQ_DELETE:
        if (v->current < s->figure_count) {
            session_drop_figure(s, v->current);
            v->current -= v->current > 0 && v->current == s->figure_count ? 1 : 0;
        }
        return true;
    default:
        return false;
    }
}

const view_ops plots_view = {
    .name = "plots",
    .open = plots_open,
    .close = plots_close,
    .update = plots_update,
    .draw = plots_draw,
    .request = plots_request,
};
