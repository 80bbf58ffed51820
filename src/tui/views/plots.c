/* The plots view: figures that scripts showed, one at a time. */
#include "tui/shell/app.h"
#include "tui/widgets/pane.h"

#include <math.h>
#include <stdlib.h>

typedef struct plots {
    size_t current;
    app *app;
    pane pane;        /* while drawing, its figure is one of the session's */
    plot_figure *own; /* the pane's own empty figure */
    bool in_plot;
} plots;

static void plots_close(void *state)
{
    plots *v = state;
    pane_close(&v->pane);
    free(v);
}

static tm_status plots_open(void **state, app *a, tm_error *err)
{
    plots *v = calloc(1, sizeof *v);
    if (!v || pane_open(&v->pane, err) != TM_OK) {
        free(v);
        return tm_fail_memory(err, "the plots view");
    }
    v->app = a;
    v->own = v->pane.figure;
    *state = v;
    return TM_OK;
}

/* Shows figure i without zoom. */
static void show(plots *v, size_t i)
{
    v->current = i;
    pane_request(&v->pane, REQ_RESET);
    pane_set_cursor(&v->pane, (double)NAN);
}

static bool plots_update(void *state, app *a, unsigned news)
{
    plots *v = state;
    size_t count = app_session(a)->figures.count;
    if ((news & NEWS_FIGURE) != 0 && count > 0)
        show(v, count - 1); /* show the newest */
    return (news & NEWS_FIGURE) != 0;
}

static void plots_draw(void *state, app *a, terminal *t, rect area)
{
    plots *v = state;
    const session *work = app_session(a);
    char title[64];
    rect body = rect_inside(area);
    pane_hide(&v->pane);
    if (work->figures.count == 0) {
        terminal_box(t, area, "plots", false);
        terminal_put(t, area.row + area.rows / 2, area.col + 2, area.cols - 4, STYLE_DIM,
                     "no plot yet: a script shows one with  tm.plot{...}:show()");
        return;
    }
    snprintf(title, sizeof title, "plot %zu of %zu%s", v->current + 1, work->figures.count,
             pane_zoomed(&v->pane) ? ", zoomed" : "");
    terminal_box(t, area, title, v->in_plot);
    tm_error err = TM_ERROR_INIT;
    v->pane.figure = work->figures.at[v->current];
    pane_draw(&v->pane, t, body, &err);
    v->pane.figure = v->own;
}

static tm_status write_figure(const char *path, void *payload, tm_error *err)
{
    plots *v = payload;
    const session *s = app_session(v->app);
    if (v->current >= s->figures.count)
        return tm_fail(err, TM_EUSAGE, "the plot has been dropped");
    v->pane.figure = s->figures.at[v->current];
    tm_status status = pane_save(path, &v->pane, err);
    v->pane.figure = v->own;
    return status;
}

static void drop(void *payload)
{
    plots *v = payload;
    session *s = app_session(v->app);
    if (v->current < s->figures.count) {
        session_drop_figure(s, v->current);
        show(v, v->current > 0 && v->current == s->figures.count ? v->current - 1 : v->current);
    }
}

static void turn(plots *v, const session *s, size_t to)
{
    if (to < s->figures.count)
        show(v, to);
}

static bool plots_request(void *state, app *a, int request, const key_event *key)
{
    plots *v = state;
    session *s = app_session(a);
    if (pane_mouse(&v->pane, request, key) || (v->in_plot && pane_request(&v->pane, request)))
        return true;
    switch (request) {
    case REQ_PLOT:
        v->in_plot = s->figures.count > 0;
        return true;
    case REQ_BACK:
        v->in_plot = false;
        return true;
    case REQ_LEFT:
    case REQ_PREVIOUS:
        turn(v, s, v->current - 1); /* wraps around to a number that is too large and is clamped */
        return true;
    case REQ_RIGHT:
    case REQ_NEXT:
        turn(v, s, v->current + 1);
        return true;
    case REQ_FIRST:
        turn(v, s, 0);
        return true;
    case REQ_LAST:
        turn(v, s, s->figures.count - 1);
        return true;
    case REQ_SAVE:
        if (s->figures.count > 0)
            app_save(a, "save as: ", "plot.svg", write_figure, v);
        return true;
    case REQ_DELETE:
        if (v->current < s->figures.count)
            app_confirm(a, "drop this plot?", drop, v);
        return true;
    default:
        return false;
    }
}

static bool plots_in_plot(const void *state)
{
    return ((const plots *)state)->in_plot;
}

static const key_row keys[] = {
    KEYS_TO_PLOT,
    {{TK_LEFT, '-', TK_PAGE_UP}, REQ_LEFT, "the previous plot"},
    {{TK_RIGHT, '+', TK_PAGE_DOWN}, REQ_RIGHT, "the next plot"},
    {{'e', TK_ENTER}, REQ_SAVE, "save it (.svg .png .pdf .txt .csv)"},
    {{TK_DELETE}, REQ_DELETE, "remove it"},
    {{0}, REQ_NONE, NULL},
};

const view_ops plots_ops = {
    .keys = keys,
    .open = plots_open,
    .close = plots_close,
    .update = plots_update,
    .draw = plots_draw,
    .request = plots_request,
    .in_plot = plots_in_plot,
};
