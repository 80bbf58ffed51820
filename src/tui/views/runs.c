/* The runs view: all runs of the session and of the store, with sorting, filtering, marking and
 * control. */
#include "tui/shell/app.h"
#include "tui/time/timeline.h"
#include "tui/views/rounds.h"
#include "tui/views/run_table.h"
#include "tui/widgets/charts.h"
#include "tui/widgets/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DETAIL_ROWS = 6, DETAIL_FROM = 18, TEXT_MAX = 160 };

typedef struct runs {
    run_list list;
    list rows;          /* its rows on the screen */
    const void *chosen; /* the job or the run of the store; used as an identifier, never
                         * dereferenced */
    int64_t doomed;     /* id of the stored run that is to be deleted */
    app *app;
} runs;

/* ---- life ---------------------------------------------------------------------------------- */

static tm_status runs_open(void **state, app *a, tm_error *err)
{
    runs *v = calloc(1, sizeof *v);
    if (!v)
        return tm_fail_memory(err, "the runs view");
    v->app = a;
    *state = v;
    return TM_OK;
}

static void runs_close(void *state)
{
    runs *v = state;
    run_list_free(&v->list);
    free(v);
}

static bool runs_update(void *state, app *a, unsigned news)
{
    (void)state;
    (void)a;
    return (news & NEWS_RUNS) != 0;
}

static const void *identity(const run_row *row)
{
    return row->stored ? (const void *)row->stored : row->job;
}

/* Chooses the row at which the list stands. */
static void take_choice(runs *v)
{
    v->chosen = v->list.count > 0 ? identity(&v->list.rows[v->rows.chosen]) : NULL;
}

/* Collects the rows; the same run stays chosen wherever it moves. */
static void gather(runs *v)
{
    run_list_fill(&v->list, app_explorer(v->app), app_session(v->app));
    for (size_t i = 0; i < v->list.count; i++)
        if (identity(&v->list.rows[i]) == v->chosen)
            v->rows.chosen = i;
    list_resize(&v->rows, v->list.count);
    take_choice(v);
}

static run_row *chosen_row(runs *v)
{
    gather(v);
    return v->list.count > 0 ? &v->list.rows[v->rows.chosen] : NULL;
}

static session_run *run_of(const runs *v, const run_row *row)
{
    session *s = app_session(v->app);
    return row->index < s->runs.count ? &s->runs.at[row->index] : NULL;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void title_text(const runs *v, char *out, size_t size)
{
    const session *s = app_session(v->app);
    size_t marked = session_marked(s);
    int used = snprintf(out, size, "runs: %zu", v->list.total);
    if (v->list.filter[0] != '\0') {
        used += snprintf(out + used, size - (size_t)used, ", %zu match /%.40s/", v->list.count,
                         v->list.filter);
    }
    if (v->list.order != BY_AGE)
        used += snprintf(out + used, size - (size_t)used, ", by %s", run_order_name(v->list.order));
    if (marked > 0)
        snprintf(out + used, size - (size_t)used, ", %zu marked", marked);
}

static void runs_draw(void *state, app *a, terminal *t, rect area)
{
    runs *v = state;
    char title[TEXT_MAX];
    size_t at;
    rect line;
    (void)a;
    gather(v);
    title_text(v, title, sizeof title);
    int details = area.rows >= DETAIL_FROM && v->list.count > 0 ? DETAIL_ROWS : 0;
    area.rows -= details;
    rect body = {area.row + 2, area.col + 1, area.rows - 3, area.cols - 2};
    terminal_box(t, area, title, false);
    list_hide(&v->rows);
    if (body.rows <= 0 || body.cols <= 0)
        return;
    run_table_titles(t, (rect){area.row + 1, body.col, 1, body.cols}, &v->list);
    list_show(&v->rows, body, v->list.count);
    for (int i = 0; list_row(&v->rows, i, &at, &line); i++) {
        const run_row *row = &v->list.rows[at];
        const session_run *run = run_of(v, row);
        bool marked = row->stored ? row->stored->marked : run != NULL && run->marked;
        run_table_row(t, line, row, marked, at == v->rows.chosen);
    }
    if (details > 0) {
        run_table_details(t, (rect){area.row + area.rows, area.col, details, area.cols},
                          &v->list.rows[v->rows.chosen]);
    }
}

/* ---- requests ------------------------------------------------------------------------------ */

static void steer(runs *v, int request)
{
    run_row *row = chosen_row(v);
    if (row && row->stored)
        app_message(v->app, STYLE_NORMAL, "a run of the store is not this workbench's to steer");
    else if (row && request == REQ_CANCEL)
        tm_job_cancel(row->job);
    else if (row)
        tm_job_pause(row->job, tm_job_get_state(row->job) != TM_JOB_PAUSED);
}

/* Loads a run of the store; false when there is nothing to draw. */
static bool load_stored(runs *v, stored_run *run)
{
    session *s = app_session(v->app);
    tm_error err = TM_ERROR_INIT;
    if (stored_runs_load(&s->stored, run, &err) != TM_OK) {
        app_error(v->app, &err);
        return false;
    }
    run->colour = session_colour(s, run->name);
    for (int id = 0; id < CHART_COUNT; id++)
        if (chart_fits_stored((chart_id)id, run))
            return true;
    app_message(v->app, STYLE_NORMAL, "the store has no trace of this run: nothing to draw");
    return false;
}

/* The mark of a row; NULL: the run cannot be marked, and the user was told. */
static bool *mark_of(runs *v, const run_row *row)
{
    session_run *run = run_of(v, row);
    if (!row->stored) {
        if (!run)
            app_message(v->app, STYLE_NORMAL, "the explore view's own runs are always drawn");
        return run ? &run->marked : NULL;
    }
    if (!row->stored->marked && !load_stored(v, row->stored))
        return NULL;
    if (!row->stored->marked && !chart_stored_comparable(app_explorer(v->app), row->stored)) {
        app_message(v->app, STYLE_NORMAL, "a run on other data: Enter draws it by itself");
        return NULL;
    }
    return &row->stored->marked;
}

static void toggle_mark(runs *v)
{
    const run_row *row = chosen_row(v);
    bool *mark = row ? mark_of(v, row) : NULL;
    if (!mark)
        return;
    *mark = !*mark;
    gather(v);
    list_request(&v->rows, REQ_DOWN);
    take_choice(v);
    size_t marked = session_marked(app_session(v->app));
    if (marked > 0) {
        app_message(v->app, STYLE_NORMAL, "%zu marked: the explore view draws these over its own",
                    marked);
    }
}

/* Runs of the session can be restored, those of the store cannot. */
static void delete_marked(void *payload)
{
    runs *v = payload;
    session *s = app_session(v->app);
    tm_error err = TM_ERROR_INIT;
    size_t deleted = 0, gone = 0;
    timeline_choose_job(s, NULL); /* it may be one of them */
    for (size_t i = s->runs.count; i > 0; i--)
        if (s->runs.at[i - 1].marked && tm_job_ended(s->runs.at[i - 1].job))
            deleted += session_delete_run(s, i - 1) ? 1 : 0;
    for (size_t i = s->stored.count; i > 0 && err.code == TM_OK; i--)
        if (s->stored.runs[i - 1]->marked)
            gone +=
                stored_runs_delete(&s->stored, s->stored.runs[i - 1]->id, &err) == TM_OK ? 1 : 0;
    app_message(v->app, STYLE_NORMAL, "%zu deleted; u brings %zu back, one after the other",
                deleted + gone, deleted);
    app_error(v->app, &err);
}

static void delete_stored(void *payload)
{
    runs *v = payload;
    tm_error err = TM_ERROR_INIT;
    timeline_choose_job(app_session(v->app), NULL); /* it may be the one to go */
    if (stored_runs_delete(&app_session(v->app)->stored, v->doomed, &err) != TM_OK) {
        app_error(v->app, &err);
        return;
    }
    app_message(v->app, STYLE_NORMAL, "run %lld is deleted", (long long)v->doomed);
}

static void ask_to_delete_marked(runs *v)
{
    const session *s = app_session(v->app);
    char question[80] = "delete all marked runs?";
    size_t stored = 0;
    for (size_t i = 0; i < s->stored.count; i++)
        stored += s->stored.runs[i]->marked ? 1 : 0;
    if (stored > 0) {
        snprintf(question, sizeof question, "delete all marked runs, %zu of the store for good?",
                 stored);
    }
    app_confirm(v->app, question, delete_marked, v);
}

static void delete_run(runs *v)
{
    session *s = app_session(v->app);
    run_row *row = chosen_row(v);
    if (session_marked(s) > 0) {
        ask_to_delete_marked(v);
        return;
    }
    if (row && row->stored) {
        v->doomed = row->stored->id;
        app_confirm(v->app, "delete this run from the store, for good?", delete_stored, v);
    } else if (!row || !run_of(v, row)) {
        app_message(v->app, STYLE_NORMAL, "the explore view's own runs go by themselves");
    } else if (!tm_job_ended(row->job)) {
        app_message(v->app, STYLE_WARN, "it is still at work: c cancels it");
    } else if (session_delete_run(s, row->index)) {
        app_message(v->app, STYLE_NORMAL, "deleted; u brings it back");
    }
}

static void undo(runs *v)
{
    tm_job *job = session_restore_run(app_session(v->app));
    if (!job) {
        app_message(v->app, STYLE_NORMAL, "nothing was deleted");
        return;
    }
    v->chosen = job;
    app_message(v->app, STYLE_GOOD, "%s is back", tm_job_name(job));
}

/* A run of the store has no data set, so its charts are shown in the plots view. */
static void show_stored(runs *v, stored_run *run)
{
    session *s = app_session(v->app);
    tm_error err = TM_ERROR_INIT;
    if (!load_stored(v, run))
        return;
    for (int id = CHART_COUNT; id > 0 && err.code == TM_OK; id--) {
        plot_figure *figure;
        if (chart_fits_stored((chart_id)(id - 1), run) &&
            chart_stored_figure((chart_id)(id - 1), run, &figure, &err) == TM_OK)
            session_add_figure(s, figure, &err);
    }
    app_error(v->app, &err);
    app_asked(v->app); /* brings the newest to the front */
    app_show(v->app, VIEW_PLOTS);
}

/* The chosen run is the one whose time is looked at from now on, in all views. */
static void look_at_time(runs *v)
{
    const explore_runs *e = app_explorer(v->app);
    session *s = app_session(v->app);
    tm_error err = TM_ERROR_INIT;
    run_row *row = chosen_row(v);
    if (!row || timeline_is(s, row->job, row->stored))
        return;
    bool own = row->job && (row->job == e->solve || row->job == e->path);
    if (own && !timeline_is_chosen(s))
        return;
    if (row->stored && load_stored(v, row->stored))
        timeline_choose_stored(s, row->stored, &err);
    else if (!row->stored)
        timeline_choose_job(s, own ? NULL : row->job);
    app_error(v->app, &err);
    app_begin_time(v->app);
}

/* Shows a path in the path view, a single solve step by step. The views follow the form's own runs
 * as they change; a script's run is fixed. */
static void show_run(runs *v, bool steps)
{
    const explore_runs *e = app_explorer(v->app);
    session *s = app_session(v->app);
    run_row *row = chosen_row(v);
    if (!row)
        return;
    if (row->stored) {
        show_stored(v, row->stored);
        return;
    }
    if (steps || (tm_job_point_count(row->job) == 1 && !rounds_has(row->job))) {
        session_choose_study(s, row->job == e->solve ? NULL : row->job);
        app_show(v->app, VIEW_SCREEN);
    } else {
        session_choose_path(s, row->job == e->path ? NULL : row->job);
        app_show(v->app, VIEW_PATH);
    }
}

static void filtered(const char *text, void *payload)
{
    runs *v = payload;
    tm_error err = TM_ERROR_INIT;
    if (text) {
        run_list_filter(&v->list, text, &err);
        app_error(v->app, &err);
    }
}

/* A click on a title sorts by it; a second click reverses the order. */
static void click(runs *v, const key_event *key)
{
    rect body = v->rows.area;
    if (key->row == body.row - 1) {
        run_order order = run_table_title_at(key->col - body.col, body.cols);
        if (order != RUN_ORDERS) {
            v->list.backwards = v->list.order == order && !v->list.backwards;
            v->list.order = order;
        }
        return;
    }
    gather(v);
    list_click(&v->rows, key);
    take_choice(v);
}

static bool arrange(runs *v, int request)
{
    switch (request) {
    case REQ_ORDER:
        v->list.order = (run_order)((v->list.order + 1) % RUN_ORDERS);
        return true;
    case REQ_REVERSE:
        v->list.backwards = !v->list.backwards;
        return true;
    case REQ_FIND:
        app_ask(v->app, "show runs that match: ", v->list.filter, filtered, v);
        return true;
    case REQ_MARK:
        toggle_mark(v);
        return true;
    case REQ_UNSET:
        session_unmark(app_session(v->app));
        return true;
    case REQ_DELETE:
        delete_run(v);
        return true;
    case REQ_UNDO:
        undo(v);
        return true;
    default:
        return false;
    }
}

static bool runs_request(void *state, app *a, int request, const key_event *key)
{
    runs *v = state;
    (void)a;
    switch (request) {
    case REQ_CANCEL:
    case REQ_PAUSE:
        steer(v, request);
        return true;
    case REQ_SHOW_PATH:
    case REQ_SHOW_SCREEN:
        show_run(v, request == REQ_SHOW_SCREEN);
        return true;
    case REQ_CLICK:
        click(v, key);
        return true;
    case REQ_TIME_BACK:
    case REQ_TIME_ON:
    case REQ_TIME_PLAY:
        look_at_time(v);
        return false; /* then it is moved */
    default:
        if (arrange(v, request))
            return true;
        gather(v); /* keys may arrive before the view is drawn */
        bool moved = list_request(&v->rows, request);
        take_choice(v);
        return moved;
    }
}

/* Why a run failed, or its progress and the estimated time left. */
static void runs_hint(void *state, app *a, char *buffer, size_t size)
{
    runs *v = state;
    const run_row *row = chosen_row(v);
    (void)a;
    if (!row)
        return;
    if (row->stored) {
        bool failed = row->stored->error[0] != '\0';
        snprintf(buffer, size, "%s",
                 failed ? row->stored->error : "Enter: its plots   , . ; through its time");
        return;
    }
    if (tm_job_get_state(row->job) == TM_JOB_FAILED) {
        snprintf(buffer, size, "%s", tm_job_error(row->job)->message);
    } else if (!tm_job_ended(row->job)) {
        double share = tm_job_progress(row->job), spent = tm_job_seconds(row->job);
        int used = snprintf(buffer, size, "%.0f %% done", 100 * share);
        if (share > 0.01 && used > 0 && (size_t)used < size) {
            snprintf(buffer + used, size - (size_t)used, ", about %.3g s left",
                     spent * (1 - share) / share);
        }
    }
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{'c'}, REQ_CANCEL, "cancel the run"},
    {{TK_DELETE}, REQ_DELETE, "delete the run, or all that are marked"},
    {{'u'}, REQ_UNDO, "undo the last deletion"},
    {{'x'}, REQ_MARK, "mark the run: the explore view draws the marked ones"},
    {{TK_BACKSPACE}, REQ_UNSET, "remove all marks"},
    {{'o'}, REQ_ORDER, "sort by the next column"},
    {{'O'}, REQ_REVERSE, "reverse the order"},
    {{'/'}, REQ_FIND, "show only runs that match a regular expression"},
    {{' '}, REQ_PAUSE, "pause or resume the run"},
    {{TK_ENTER}, REQ_SHOW_PATH, "show the run: a path in the path view, else its steps"},
    {{'v'}, REQ_SHOW_SCREEN, "show the run in the screen view"},
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops runs_ops = {
    .keys = keys,
    .open = runs_open,
    .close = runs_close,
    .update = runs_update,
    .draw = runs_draw,
    .request = runs_request,
    .hint = runs_hint,
};
