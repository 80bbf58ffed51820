#include "tui/views/chart_grid.h"

#include "tui/time/timeline.h"

#include <math.h>
#include <string.h>

enum {
    PLOT_COLS_MIN = 24, /* a plot with its frame */
    PLOT_ROWS_MIN = 6,
};

static bool of_time(int id)
{
    return id == CHART_GAP || id == CHART_ACTIVE;
}

tm_status chart_grid_open(chart_grid *g, app *a, tm_error *err)
{
    tm_status status = TM_OK;
    *g = (chart_grid){.large = -1, .focus = -1, .seconds = NAN, .point = SIZE_MAX, .app = a};
    g->log_time = true; /* strategies differ by orders of magnitude */
    for (int i = 0; i < CHART_COUNT && status == TM_OK; i++) {
        status = pane_open(&g->panes[i], err);
        g->stale[i] = true;
    }
    return status;
}

void chart_grid_close(chart_grid *g)
{
    for (int i = 0; i < CHART_COUNT; i++)
        pane_close(&g->panes[i]);
}

void chart_grid_stale(chart_grid *g)
{
    for (int i = 0; i < CHART_COUNT; i++)
        g->stale[i] = true;
}

void chart_grid_hide(chart_grid *g)
{
    for (int i = 0; i < CHART_COUNT; i++) {
        g->areas[i] = (rect){0, 0, 0, 0};
        pane_hide(&g->panes[i]);
    }
}

/* Places the charts two by two if there is room, otherwise fewer. */
static void place(chart_grid *g, rect area)
{
    int across = area.cols >= 2 * PLOT_COLS_MIN ? 2 : area.cols >= PLOT_COLS_MIN ? 1 : 0;
    int down = area.rows >= 2 * PLOT_ROWS_MIN ? 2 : area.rows >= 3 ? 1 : 0;
    chart_grid_hide(g);
    if (g->large >= 0) {
        g->areas[g->large] = area;
        return;
    }
    for (int i = 0; i < across * down; i++) {
        int x = i % across, y = i / across;
        int left = area.cols * x / across, right = area.cols * (x + 1) / across;
        int top = area.rows * y / down, bottom = area.rows * (y + 1) / down;
        g->areas[i] = (rect){area.row + top, area.col + left, bottom - top, right - left};
    }
}

/* ---- the cursor ---------------------------------------------------------------------------- */

static size_t path_points(const chart_grid *g)
{
    return timeline_points(app_session(g->app), app_explorer(g->app));
}

/* What the points of the path differ in. */
static place_kind path_kind(const chart_grid *g)
{
    return timeline_kind(app_session(g->app), app_explorer(g->app));
}

/* The x value of a path point in one of the charts. */
static double point_x(const chart_grid *g, int id, size_t i)
{
    place_facts at = timeline_place(app_session(g->app), app_explorer(g->app), i);
    return place_at(id == CHART_REJECTION ? path_kind(g) : PLACE_FEATURES, &at);
}

/* Sets the cursors of all charts, each in the units of its axis. */
static void place_cursors(chart_grid *g)
{
    size_t count = path_points(g);
    size_t at = app_explorer(g->app)->point;
    for (int i = 0; i < CHART_COUNT; i++) {
        double x = of_time(i) ? g->seconds : at < count ? point_x(g, i, at) : (double)NAN;
        pane_set_cursor(&g->panes[i], x);
    }
    g->point = at;
}

/* After a chart's cursor has moved, updates the others. */
static void take_cursor(chart_grid *g, int id)
{
    double x = g->panes[id].cursor, nearest = INFINITY;
    if (of_time(id)) {
        g->seconds = x;
        place_cursors(g);
        return;
    }
    size_t count = path_points(g);
    for (size_t i = 0; i < count; i++) {
        double at = point_x(g, id, i);
        double away = id == CHART_REJECTION ? fabs(log(at) - log(x)) : fabs(at - x);
        if (away < nearest) {
            nearest = away;
            app_explorer(g->app)->point = i;
        }
    }
    place_cursors(g);
}

/* Moves along the path by points, whose number may differ from that of screen columns. */
static void step_point(chart_grid *g, long by)
{
    explore_runs *e = app_explorer(g->app);
    long last = (long)path_points(g) - 1;
    if (last < 0)
        return;
    long from = e->point <= (size_t)last ? (long)e->point : last / 2;
    long to = from + by;
    e->point = (size_t)(to < 0 ? 0 : to > last ? last : to);
    place_cursors(g);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void draw_chart(chart_grid *g, terminal *t, int id)
{
    char title[80];
    rect area = g->areas[id];
    rect body = rect_inside(area);
    pane *p = &g->panes[id];
    tm_error err = TM_ERROR_INIT;
    if (body.rows <= 0 || body.cols <= 0)
        return;
    const explore_runs *e = app_explorer(g->app);
    chart_title((chart_id)id, e, app_session(g->app), title, sizeof title);
    if (pane_zoomed(p))
        strncat(title, ", zoomed", sizeof title - strlen(title) - 1);
    terminal_box(t, area, title, g->focus == id);
    if (g->stale[id]) {
        tm_status status =
            chart_fill((chart_id)id, p->figure, e, app_session(g->app), g->log_time, &err);
        p->stale = true;
        g->stale[id] = id == CHART_SCORE && app_session(g->app)->chosen.scores->waiting;
        if (status != TM_OK) {
            terminal_put(t, body.row, body.col, body.cols, STYLE_ERROR, err.message);
            return;
        }
    }
    pane_draw(p, t, body, &err);
}

/* The plots against time show the moment that all views show. */
static void follow_moment(chart_grid *g)
{
    timeline now;
    double moment = app_moment(g->app);
    bool scrubbing =
        !isnan(moment) && timeline_now(&now, app_session(g->app), app_explorer(g->app));
    double seconds = scrubbing ? moment * now.seconds : NAN;
    if (scrubbing ? seconds == g->seconds : !g->scrubbing)
        return;
    g->scrubbing = scrubbing;
    g->seconds = seconds;
    place_cursors(g);
}

/* The metric may have been changed elsewhere. */
static void follow_metric(chart_grid *g)
{
    tm_scorer by = scores_scorer(app_session(g->app)->chosen.scores, app_explorer(g->app)->train);
    if (strcmp(by.name, g->by.name) == 0)
        return;
    g->by = by;
    chart_grid_stale(g);
}

void chart_grid_draw(chart_grid *g, terminal *t, rect area)
{
    follow_metric(g);
    place(g, area);
    follow_moment(g);
    if (g->point != app_explorer(g->app)->point)
        place_cursors(g);
    for (int i = 0; i < CHART_COUNT; i++)
        draw_chart(g, t, i);
}

/* ---- requests ------------------------------------------------------------------------------ */

static bool shown(const chart_grid *g, int id)
{
    return g->areas[id].rows > 0;
}

static void turn_focus(chart_grid *g, int by)
{
    for (int k = 1; k <= CHART_COUNT; k++) {
        int to = ((g->focus < 0 ? 0 : g->focus + by * k) + CHART_COUNT) % CHART_COUNT;
        to = (to + CHART_COUNT) % CHART_COUNT;
        if (shown(g, to) || g->large >= 0) {
            g->focus = to;
            g->large = g->large >= 0 ? to : -1;
            return;
        }
    }
}

/* Keeps the time axes of the plots against time equal. */
static void share_zoom(chart_grid *g, int id)
{
    if (of_time(id))
        pane_follow_x(&g->panes[id == CHART_GAP ? CHART_ACTIVE : CHART_GAP], &g->panes[id]);
}

static tm_status write_chart(const char *path, void *payload, tm_error *err)
{
    chart_grid *g = payload;
    return pane_save(path, &g->panes[g->focus >= 0 ? g->focus : 0], err);
}

static bool mouse(chart_grid *g, int request, const key_event *key)
{
    for (int i = 0; i < CHART_COUNT; i++) {
        if (!shown(g, i) || !pane_mouse(&g->panes[i], request, key))
            continue;
        if (request == REQ_CLICK) {
            g->focus = i;
            take_cursor(g, i);
        }
        share_zoom(g, i);
        return true;
    }
    return false;
}

static void toggle_time(chart_grid *g)
{
    g->log_time = !g->log_time;
    chart_grid_stale(g);
}

static bool move(chart_grid *g, int request)
{
    long steps = requests_steps(request);
    if (steps != 0 && !of_time(g->focus)) {
        bool descending = g->focus == CHART_REJECTION && path_kind(g) == PLACE_LAMBDA;
        /* Later points have smaller lambdas, which are on the left, and more features. */
        step_point(g, descending ? -steps : steps);
        return true;
    }
    if (!pane_request(&g->panes[g->focus], request))
        return false;
    if (steps != 0 || request == REQ_FIRST || request == REQ_LAST)
        take_cursor(g, g->focus);
    share_zoom(g, g->focus);
    return true;
}

/* Handles requests while a chart has the focus. */
static bool focused_request(chart_grid *g, int request)
{
    static const char *const names[CHART_COUNT] = {"gap.svg", "active.svg", "rejection.svg",
                                                   "score.svg"};
    switch (request) {
    case REQ_NEXT:
    case REQ_PREVIOUS:
        turn_focus(g, request == REQ_NEXT ? 1 : -1);
        return true;
    case REQ_ZOOM:
        g->large = g->large >= 0 ? -1 : g->focus;
        return true;
    case REQ_LOG_X:
        if (!of_time(g->focus))
            return move(g, request);
        toggle_time(g);
        return true;
    case REQ_SAVE:
        app_save(g->app, "save the plot as: ", names[g->focus], write_chart, g);
        return true;
    case REQ_BACK:
        g->focus = -1;
        return true;
    default:
        return move(g, request);
    }
}

/* Removes cursors and zoom. */
static void put_away(chart_grid *g)
{
    g->seconds = NAN;
    app_explorer(g->app)->point = SIZE_MAX;
    place_cursors(g);
    for (int i = 0; i < CHART_COUNT; i++)
        if (pane_zoomed(&g->panes[i]))
            pane_request(&g->panes[i], REQ_RESET);
}

bool chart_grid_request(chart_grid *g, int request, const key_event *key)
{
    if (mouse(g, request, key))
        return true;
    if (g->focus >= 0)
        return focused_request(g, request);
    switch (request) {
    case REQ_PLOT:
        turn_focus(g, 1);
        return true;
    case REQ_ZOOM:
        g->large = g->large + 1 < CHART_COUNT ? g->large + 1 : -1;
        return true;
    case REQ_BACK:
        if (g->large < 0)
            put_away(g);
        g->large = -1;
        return true;
    case REQ_LOG_TIME:
        toggle_time(g);
        return true;
    default:
        return false;
    }
}
