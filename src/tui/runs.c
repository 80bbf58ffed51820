/* The runs view: every run of this session. */
#include "tui/app.h"

#include <stdlib.h>

typedef struct runs {
    size_t selected, top;
    int page;
} runs;

static tm_status runs_open(void **state, app *a, tm_error *err)
{
    (void)a;
    *state = calloc(1, sizeof(runs));
    return *state != NULL ? TM_OK : tm_fail_memory(err, "the runs view");
}

static void runs_close(void *state)
{
    free(state);
}

static bool runs_update(void *state, app *a, unsigned news)
{
    (void)state;
    (void)a;
    return (news & NEWS_RUNS) != 0;
}

/* The explore view's own two come first, then the script's, newest first. */
static size_t row_count(app *a)
{
    const explorer *e = app_explorer(a);
    return app_session(a)->run_count + (e->solve != NULL ? 1 : 0) + (e->path != NULL ? 1 : 0);
}

static tm_job *row_job(app *a, size_t row, const char **origin)
{
    const explorer *e = app_explorer(a);
    const session *s = app_session(a);
    tm_job *own[] = {e->solve, e->path};
    *origin = "explore";
    for (int i = 0; i < 2; i++) {
        if (own[i] != NULL && row-- == 0) {
            return own[i];
        }
    }
    *origin = "script";
    return row < s->run_count ? s->runs[s->run_count - 1 - row].job : NULL;
}

static scr_style state_style(tm_job_state state)
{
    switch (state) {
    case TM_JOB_RUNNING:
        return STYLE_VALUE;
    case TM_JOB_DONE:
        return STYLE_GOOD;
    case TM_JOB_FAILED:
        return STYLE_ERROR;
    case TM_JOB_PAUSED:
    case TM_JOB_CANCELLED:
        return STYLE_WARN;
    case TM_JOB_QUEUED:
        break;
    }
    return STYLE_DIM;
}

typedef enum column_id {
    COLUMN_NAME,
    COLUMN_STATE,
    COLUMN_POINTS,
    COLUMN_LAMBDA,
    COLUMN_GAP,
    COLUMN_NNZ,
    COLUMN_SECONDS,
    COLUMN_FROM,
    COLUMN_METHOD,
    COLUMN_COUNT,
} column_id;

/* A column that does not fit whole is left out, with those behind it. */
static const struct {
    const char *title;
    int width;
    bool right;
} columns[COLUMN_COUNT] = {
    [COLUMN_NAME] = {"name", 22, false},      [COLUMN_STATE] = {"state", 10, false},
    [COLUMN_POINTS] = {"points", 8, true},    [COLUMN_LAMBDA] = {"lambda", 10, true},
    [COLUMN_GAP] = {"gap", 10, true},         [COLUMN_NNZ] = {"nnz", 7, true},
    [COLUMN_SECONDS] = {"seconds", 10, true}, [COLUMN_FROM] = {"  from", 10, false},
    [COLUMN_METHOD] = {"method", 12, false},
};

static void cell_text(const tm_job *job, const char *origin, column_id column, char *out,
                      size_t size)
{
    const tm_point *points;
    size_t done = tm_job_points(job, &points);
    const tm_solution *last = done > 0 ? &points[done - 1].solution : NULL;
    out[0] = '\0';
    switch (column) {
    case COLUMN_NAME:
        snprintf(out, size, "%s", tm_job_name(job));
        break;
    case COLUMN_STATE:
        snprintf(out, size, "%s", tm_job_state_name(tm_job_get_state(job)));
        break;
    case COLUMN_POINTS:
        snprintf(out, size, "%zu/%zu", done, tm_job_point_count(job));
        break;
    case COLUMN_SECONDS:
        snprintf(out, size, "%.3f", tm_job_seconds(job));
        break;
    case COLUMN_FROM:
        snprintf(out, size, "  %s", origin);
        break;
    case COLUMN_METHOD:
        snprintf(out, size, "%s", tm_method_id(tm_job_method(job)));
        break;
    default:
        if (last != NULL && column == COLUMN_LAMBDA) {
            snprintf(out, size, "%.4g", last->lambda);
        } else if (last != NULL && column == COLUMN_GAP) {
            snprintf(out, size, "%.2e", last->gap);
        } else if (last != NULL) {
            snprintf(out, size, "%zu", tm_model_nnz(last->model));
        }
        break;
    }
}

static void draw_cell(screen *s, rect at, column_id c, scr_style style, const char *text)
{
    if (columns[c].right) {
        scr_put_right(s, at.row, at.col, at.cols, style, text);
    } else {
        scr_put(s, at.row, at.col, at.cols - 1, style, text);
    }
}

/* One row of the table; the titles when `job` is NULL. */
static void draw_cells(screen *s, rect at, const tm_job *job, const char *origin, bool selected)
{
    char text[128];
    int col = at.col + 1;
    if (selected) {
        scr_put_padded(s, at.row, at.col, at.cols, STYLE_SELECTED, "");
    }
    for (int c = 0; c < COLUMN_COUNT && col + columns[c].width <= at.col + at.cols; c++) {
        rect cell = {at.row, col, 1, columns[c].width};
        scr_style style = selected ? STYLE_SELECTED : STYLE_NORMAL;
        col += columns[c].width;
        if (job == NULL) {
            draw_cell(s, cell, (column_id)c, STYLE_BOLD, columns[c].title);
            continue;
        }
        if (c == COLUMN_STATE && !selected) {
            style = state_style(tm_job_get_state(job));
        }
        cell_text(job, origin, (column_id)c, text, sizeof text);
        draw_cell(s, cell, (column_id)c, style, text);
    }
}

static void runs_draw(void *state, app *a, screen *s, rect area)
{
    runs *v = state;
    size_t count = row_count(a);
    rect body = {area.row + 2, area.col + 1, area.rows - 3, area.cols - 2};
    scr_box(s, area, "runs", false);
    if (body.rows <= 0 || body.cols <= 0) {
        return;
    }
    draw_cells(s, (rect){area.row + 1, body.col, 1, body.cols}, NULL, NULL, false);
    v->page = body.rows;
    v->selected = count > 0 && v->selected >= count ? count - 1 : v->selected;
    if (v->selected < v->top) {
        v->top = v->selected;
    }
    if (v->selected >= v->top + (size_t)body.rows) {
        v->top = v->selected - (size_t)body.rows + 1;
    }
    for (int i = 0; i < body.rows && v->top + (size_t)i < count; i++) {
        const char *origin;
        const tm_job *job = row_job(a, v->top + (size_t)i, &origin);
        if (job != NULL) {
            draw_cells(s, (rect){body.row + i, body.col, 1, body.cols}, job, origin,
                       v->top + (size_t)i == v->selected);
        }
    }
}

static void choose(runs *v, app *a, long by)
{
    long last = (long)row_count(a) - 1;
    long to = (long)v->selected + by;
    v->selected = (size_t)(to > last ? (last > 0 ? last : 0) : to < 0 ? 0 : to);
}

static bool act(runs *v, app *a, int request)
{
    const char *origin;
    tm_job *job = row_job(a, v->selected, &origin);
    if (job == NULL) {
        return true;
    }
    if (request == REQ_CANCEL) {
        tm_job_cancel(job);
    } else {
        tm_job_pause(job, tm_job_get_state(job) != TM_JOB_PAUSED);
    }
    return true;
}

/* A path in the path view, a single solve step by step. The form's own are shown as they change, a
 * script's run as it is. */
static bool show_run(runs *v, app *a, bool steps)
{
    const char *origin;
    const explorer *e = app_explorer(a);
    tm_job *job = row_job(a, v->selected, &origin);
    if (job == NULL) {
        return true;
    }
    if (steps || tm_job_point_count(job) == 1) {
        session_choose_study(app_session(a), job == e->solve ? NULL : job);
        app_show(a, VIEW_SCREEN);
    } else {
        session_choose_path(app_session(a), job == e->path ? NULL : job);
        app_show(a, VIEW_PATH);
    }
    return true;
}

static bool runs_request(void *state, app *a, int request, const key_event *key)
{
    runs *v = state;
    long all = (long)row_count(a);
    switch (request) {
    case REQ_UP:
        choose(v, a, -1);
        return true;
    case REQ_DOWN:
        choose(v, a, 1);
        return true;
    case REQ_PAGE_UP:
        choose(v, a, -v->page);
        return true;
    case REQ_PAGE_DOWN:
        choose(v, a, v->page);
        return true;
    case REQ_FIRST:
        choose(v, a, -all);
        return true;
    case REQ_LAST:
        choose(v, a, all);
        return true;
    case REQ_CANCEL:
    case REQ_PAUSE:
        return act(v, a, request);
    case REQ_SHOW_PATH:
    case REQ_SHOW_SCREEN:
        return show_run(v, a, request == REQ_SHOW_SCREEN);
    case REQ_CLICK:
        if (key->row >= 3 && (long)v->top + key->row - 3 < all) {
            v->selected = v->top + (size_t)(key->row - 3);
        }
        return true;
    default:
        return false;
    }
}

/* Why a run failed is told where it is chosen. */
static void runs_hint(void *state, app *a, char *buffer, size_t size)
{
    const runs *v = state;
    const char *origin;
    const tm_job *job = row_job(a, v->selected, &origin);
    if (job != NULL && tm_job_get_state(job) == TM_JOB_FAILED) {
        snprintf(buffer, size, "%s", tm_job_error(job)->message);
    } else if (job != NULL && !tm_job_ended(job)) {
        snprintf(buffer, size, "%.0f %% done", 100.0 * tm_job_progress(job));
    }
}

const view_ops runs_view = {
    .name = "runs",
    .open = runs_open,
    .close = runs_close,
    .update = runs_update,
    .draw = runs_draw,
    .request = runs_request,
    .hint = runs_hint,
};
