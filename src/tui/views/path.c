/* The path view: the weights along lambda, and the order in which features enter. */
#include "tui/views/path.h"

#include "base/replace.h"
#include "tui/session/features_csv.h"
#include "tui/terminal/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- life ---------------------------------------------------------------------------------- */

static void path_close(void *state)
{
    path_view *v = state;
    track_clear(&v->track);
    pane_close(&v->pane);
    rounds_close(&v->rounds);
    picture_close(&v->picture);
    free(v->marks);
    free(v);
}

static tm_status path_open(void **state, app *a, tm_error *err)
{
    path_view *v = calloc(1, sizeof *v);
    if (!v)
        return tm_fail_memory(err, "the path view");
    v->app = a;
    v->cursor = SIZE_MAX;
    v->track = (track)TRACK_INIT;
    tm_status status = pane_open(&v->pane, err);
    if (status == TM_OK)
        status = rounds_open(&v->rounds, err);
    if (status == TM_OK)
        status = picture_open(&v->picture, err);
    if (status != TM_OK) {
        free(v);
        return status;
    }
    *state = v;
    return TM_OK;
}

/* ---- which path ---------------------------------------------------------------------------- */

/* Whether the run has a graph: then even a single point, which has no lines, has a picture. */
static bool has_graph(const tm_job *job)
{
    const tm_params *params = tm_job_params(job);
    return tm_params_find(params, "graph", NULL) && tm_params_has(params, "graph");
}

/* The last path of the script before run `i` of the list; NULL: none. */
static tm_job *script_path(const session *s, size_t i)
{
    while (i > 0) {
        tm_job *job = s->runs.at[--i].job;
        if (tm_job_point_count(job) > 1 || rounds_has(job) || has_graph(job))
            return job;
    }
    return NULL;
}

/* The chosen path, else the form's, else the script's newest. */
static tm_job *current_path(app *a)
{
    const session *s = app_session(a);
    if (s->chosen.path)
        return s->chosen.path;
    const explore_runs *e = app_explorer(a);
    if (!e->shown_path && e->answered && rounds_has(e->answered))
        return e->answered;
    return e->shown_path ? e->shown_path : script_path(s, s->runs.count);
}

/* Cycles through the form's path and the script's paths, newest first. */
static void next_path(app *a)
{
    session *s = app_session(a);
    size_t from = s->runs.count;
    for (size_t i = 0; s->chosen.path && i < s->runs.count; i++)
        from = s->runs.at[i].job == s->chosen.path ? i : from;
    tm_job *solve = app_explorer(a)->answered;
    if (!s->chosen.path && solve && rounds_has(solve)) {
        session_choose_path(s, solve); /* the rounds of the form's own solve */
        return;
    }
    tm_job *next = script_path(s, from);
    bool lost = s->chosen.path && s->chosen.path != solve && from == s->runs.count;
    session_choose_path(s, lost ? NULL : next);
    if (!next && !s->chosen.path)
        app_message(a, STYLE_NORMAL, "the explore view's path; scripts make others with tm.path");
}

/* ---- news ---------------------------------------------------------------------------------- */

static tm_status follow(path_view *v, tm_job *job, tm_error *err)
{
    const tm_dataset *data = job ? tm_job_train(job) : NULL;
    if (data != v->data) { /* marks refer to columns of the data */
        free(v->marks);
        v->marks = data ? calloc(tm_dataset_cols(data), 1) : NULL;
        v->marked = 0;
        v->chosen = SIZE_MAX;
        v->cursor = SIZE_MAX;
        v->rows.top = 0;
        v->data = v->marks ? data : NULL;
        if (data && !v->marks) {
            track_clear(&v->track);
            return tm_fail_memory(err, "the path view");
        }
    }
    return track_follow(&v->track, job, err);
}

bool path_view_update(void *state, app *a, unsigned news)
{
    path_view *v = state;
    tm_error err = TM_ERROR_INIT;
    tm_job *job = current_path(a);
    bool changed = job != v->track.job;
    size_t count = v->track.count;
    (void)news;
    tm_status status = follow(v, job, &err);
    if (status == TM_OK)
        status = track_update(&v->track, &err);
    if (status != TM_OK) {
        app_error(a, &err);
        return true;
    }
    tm_job_state now = job ? tm_job_get_state(job) : TM_JOB_QUEUED;
    changed = changed || count != v->track.count || now != v->seen_state;
    v->seen_state = now;
    v->stale = v->stale || changed;
    return changed;
}

/* ---- export -------------------------------------------------------------------------------- */

static tm_status write_features(const char *path, void *payload, tm_error *err)
{
    path_view *v = payload;
    replacement file;
    if (v->track.count == 0)
        return tm_fail(err, TM_EUSAGE, "the path is no longer there");
    tm_status status = replace_begin(&file, path, err);
    if (status == TM_OK) {
        features_csv(&v->track, path_view_cursor_point(v), v->marked > 0 ? v->marks : NULL,
                     file.stream);
        status = replace_end(&file, TM_OK, err);
    }
    return status;
}

/* ---- requests ------------------------------------------------------------------------------ */

/* The list is in the order of entry, where positions change while the path grows; the chosen
 * feature stays the same. */
static void take_place(path_view *v)
{
    if (v->track.feature_count > 0)
        v->chosen = v->track.features[v->rows.chosen].feature;
    v->stale = true;
}

static bool move_place(path_view *v, int request)
{
    v->rows.chosen = path_view_chosen_place(v);
    list_resize(&v->rows, v->track.feature_count);
    bool moved = list_request(&v->rows, request);
    if (moved && v->track.feature_count > 0)
        take_place(v);
    return moved;
}

/* Moves by points; later ones have smaller lambdas, on the left, or greater B, on the right. */
static void move_cursor(path_view *v, long by)
{
    long last = (long)v->track.count - 1;
    by = path_view_kind_of(v) == PLACE_LAMBDA ? by : -by;
    if (last < 0)
        return;
    long to = (long)path_view_cursor_point(v) + by;
    to = to < 0 ? 0 : to > last ? last : to;
    /* At the end, the cursor stays on the last point while the path grows. */
    *path_view_cursor_place(v) = to == last ? SIZE_MAX : (size_t)to;
    v->stale = true;
}

static void toggle_mark(path_view *v)
{
    if (v->track.feature_count == 0)
        return;
    unsigned char *mark = &v->marks[v->track.features[path_view_chosen_place(v)].feature];
    v->marked += *mark ? (size_t)-1 : 1;
    *mark = !*mark;
    move_place(v, REQ_DOWN);
}

static bool path_move(path_view *v, int request)
{
    long steps = requests_steps(request);
    if (steps == 0)
        return move_place(v, request);
    move_cursor(v, -steps);
    return true;
}

/* Moves the cursor to the point nearest to a lambda, given as a share of lambda_max. */
static void cursor_to(path_view *v, double ratio)
{
    double nearest = INFINITY;
    for (size_t i = 0; i < v->track.count; i++) {
        double away = fabs(log(path_view_ratio_of(v, &v->track.points[i].solution)) - log(ratio));
        if (away < nearest) {
            nearest = away;
            *path_view_cursor_place(v) = i;
        }
    }
}

/* Handles requests while the plot has the focus. */
static bool plot_request(path_view *v, int request)
{
    switch (request) {
    case REQ_BACK:
        v->in_plot = false;
        return true;
    case REQ_SAVE:
        app_save(v->app, "save the plot as: ", "path.svg", pane_save, &v->pane);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
    case REQ_LESS:
    case REQ_MORE:
        return false; /* moves by points, as in the list */
    case REQ_FIRST:
    case REQ_LAST:
        move_cursor(v, request == REQ_LAST ? -(long)v->track.count : (long)v->track.count);
        return true;
    default:
        return pane_request(&v->pane, request);
    }
}

static bool plot_mouse(path_view *v, int request, const key_event *key)
{
    if (!pane_mouse(&v->pane, request, key))
        return false;
    if (request == REQ_CLICK)
        cursor_to(v, v->pane.cursor);
    return true;
}

static bool rounds_request(path_view *v, int request, const key_event *key)
{
    if (pane_mouse(&v->rounds.pane, request, key))
        return true;
    switch (request) {
    case REQ_PLOT:
    case REQ_BACK:
        v->in_plot = request == REQ_PLOT;
        return true;
    case REQ_SAVE:
        app_save(v->app, "save the plot as: ", "rounds.svg", pane_save, &v->rounds.pane);
        return true;
    case REQ_USE:
        next_path(v->app);
        return true;
    default:
        if (v->in_plot && (request == REQ_FIRST || request == REQ_LAST))
            return pane_request(&v->rounds.pane, request);
        return list_request(&v->rounds.rows, request) ||
               (v->in_plot && pane_request(&v->rounds.pane, request));
    }
}

static bool path_request(void *state, app *a, int request, const key_event *key)
{
    path_view *v = state;
    if (path_view_shows_rounds(v))
        return rounds_request(v, request, key);
    if (request == REQ_ARRANGE && v->track.count > 0) {
        path_picture_arrange(v);
        return true;
    }
    if (path_view_shows_picture(v) && path_picture_request(v, request, key))
        return true;
    if (plot_mouse(v, request, key) || (v->in_plot && plot_request(v, request)))
        return true;
    switch (request) {
    case REQ_PLOT:
        v->in_plot = v->track.count > 0;
        return true;
    case REQ_ALONE:
        v->alone = !v->alone;
        break;
    case REQ_BACK:
        v->alone = false;
        break;
    case REQ_MARK:
        toggle_mark(v);
        break;
    case REQ_UNSET:
        if (v->marks) {
            memset(v->marks, 0, tm_dataset_cols(v->data));
            v->marked = 0;
        }
        break;
    case REQ_SAVE:
        if (v->track.count > 0) {
            app_save(a, v->marked > 0 ? "save the marked features as: " : "save the features as: ",
                     "features.csv", write_features, v);
        }
        break;
    case REQ_USE:
        next_path(a);
        break;
    case REQ_CLICK:
        if (list_click(&v->rows, key))
            take_place(v);
        break;
    default:
        return path_move(v, request);
    }
    v->stale = true;
    return true;
}

static void path_hint(void *state, app *a, char *buffer, size_t size)
{
    enum { NAME_COLS = 24 };
    const path_view *v = state;
    char label[128];
    if (path_view_shows_picture(v)) {
        if (v->picture.pane.body.rows <= 0) /* otherwise it is shown below the picture */
            picture_readout(&v->picture, buffer, size);
        return;
    }
    if (path_view_shows_rounds(v) || v->track.count == 0 || v->track.feature_count == 0)
        return;
    const track_feature *f = &v->track.features[path_view_chosen_place(v)];
    path_view_label_of(v, path_view_chosen_place(v), label, sizeof label);
    label[cells_fit(label, strlen(label), NAME_COLS, terminal_utf8(app_terminal(a)))] = '\0';
    const tm_solution *entered = &v->track.points[f->entered].solution;
    snprintf(buffer, size, "%s: entered at %.4g, peak %.3g", label,
             isfinite(entered->lambda) ? entered->lambda : path_view_ratio_of(v, entered), f->peak);
}

static bool path_in_plot(const void *state)
{
    return ((const path_view *)state)->in_plot;
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{TK_LEFT, 'h'}, REQ_LEFT, "move the cursor to the next smaller lambda"},
    {{TK_RIGHT, 'l'}, REQ_RIGHT, "move the cursor to the next greater lambda"},
    {{TK_SHIFT_LEFT, 'H'}, REQ_LESS, "ten lambdas smaller"},
    {{TK_SHIFT_RIGHT, 'L'}, REQ_MORE, "ten lambdas greater"},
    {{'x'}, REQ_ARRANGE, "lines along lambda, or a picture of the weights there"},
    {{TK_ENTER, 'z'}, REQ_ALONE, "only the chosen feature's line; all slices of a grid"},
    {{'n'}, REQ_NEXT, "the next slice of a 3-D grid"},
    {{'N'}, REQ_PREVIOUS, "the previous slice"},
    {{' '}, REQ_MARK, "mark the feature, or remove the mark"},
    {{TK_DELETE, TK_BACKSPACE}, REQ_UNSET, "remove all marks"},
    {{'e'}, REQ_SAVE, "save the marked features (or all at the cursor) as CSV"},
    {{'o'}, REQ_USE, "another path: the form's, then those of scripts"},
    KEYS_TO_PLOT,
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops path_ops = {
    .keys = keys,
    .open = path_open,
    .close = path_close,
    .update = path_view_update,
    .draw = path_view_draw,
    .request = path_request,
    .hint = path_hint,
    .in_plot = path_in_plot,
};
