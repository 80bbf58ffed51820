/* The path view: how the weights grow along lambda, and in which order the features enter. */
#include "base/replace.h"
#include "tui/app.h"
#include "tui/bars.h"
#include "tui/cells.h"
#include "tui/features_csv.h"
#include "tui/pane.h"
#include "tui/place.h"
#include "tui/rounds.h"
#include "tui/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum {
    DRAWN = 8, /* lines in the plot: as many as the palette tells apart */
    SIDE_MIN = 34,
    SIDE_MAX = 64,
    PLOT_COLS_MIN = 34,
    READOUT_ROWS = 2,
};

typedef struct pathview {
    app *app;
    track track;
    const tm_dataset *data; /* what the path is on: the tracked job's */
    unsigned char *marks;   /* of its columns */
    size_t marked;
    size_t chosen;   /* a column */
    size_t cursor;   /* point; the last one while the path has fewer (cursor_place) */
    size_t drawn_at; /* the point that the plot's cursor was drawn at */
    bool alone;      /* the chosen feature's line only */

    pane pane;
    bool stale;          /* its figure has to be filled anew */
    bool in_plot;        /* keys belong to it */
    rounds rounds;       /* in place of all of it, for a single solve of a cutting-plane method */
    size_t drawn[DRAWN]; /* places in the track; the index is the colour */
    size_t drawn_count;

    size_t top;     /* first row of the list */
    rect list_area; /* rows of the list */
    tm_job_state seen_state;
} pathview;

/* ---- life ---------------------------------------------------------------------------------- */

static void path_close(void *state)
{
    pathview *v = state;
    track_clear(&v->track);
    pane_close(&v->pane);
    rounds_close(&v->rounds);
    free(v->marks);
    free(v);
}

static tm_status path_open(void **state, app *a, tm_error *err)
{
    pathview *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return tm_fail_memory(err, "the path view");
    }
    v->app = a;
    v->cursor = SIZE_MAX;
    v->track = (track)TRACK_INIT;
    tm_status status = pane_open(&v->pane, err);
    if (status == TM_OK) {
        status = rounds_open(&v->rounds, err);
    }
    if (status != TM_OK) {
        free(v);
        return status;
    }
    *state = v;
    return TM_OK;
}

/* ---- which path ---------------------------------------------------------------------------- */

/* The script's run before run `i` (counted from the end of the list) that is a path; NULL: none. */
static tm_job *script_path(const session *s, size_t i)
{
    while (i > 0) {
        tm_job *job = s->runs[--i].job;
        if (tm_job_point_count(job) > 1 || rounds_has(job)) {
            return job;
        }
    }
    return NULL;
}

/* What was chosen, else the form's path, else the script's newest. */
static tm_job *current_path(app *a)
{
    const session *s = app_session(a);
    if (s->path != NULL) {
        return s->path;
    }
    const explorer *e = app_explorer(a);
    if (e->shown_path == NULL && e->answered != NULL && rounds_has(e->answered)) {
        return e->answered;
    }
    return e->shown_path != NULL ? e->shown_path : script_path(s, s->run_count);
}

/* The form's path, then the script's ones from the newest back, and around. */
static void next_path(app *a)
{
    session *s = app_session(a);
    size_t from = s->run_count;
    for (size_t i = 0; s->path != NULL && i < s->run_count; i++) {
        from = s->runs[i].job == s->path ? i : from;
    }
    tm_job *solve = app_explorer(a)->answered;
    if (s->path == NULL && solve != NULL && rounds_has(solve)) {
        session_choose_path(s, solve); /* the rounds of the form's own solve */
        return;
    }
    tm_job *next = script_path(s, from);
    bool lost = s->path != NULL && s->path != solve && from == s->run_count;
    session_choose_path(s, lost ? NULL : next);
    if (next == NULL && s->path == NULL) {
        app_message(a, STYLE_NORMAL, "the explore view's path; scripts make others with tm.path");
    }
}

/* ---- news ---------------------------------------------------------------------------------- */

static tm_status follow(pathview *v, tm_job *job, tm_error *err)
{
    const tm_dataset *data = job != NULL ? tm_job_train(job) : NULL;
    if (data != v->data) { /* marks mean columns of the data */
        free(v->marks);
        v->marks = data != NULL ? calloc(tm_dataset_cols(data), 1) : NULL;
        v->marked = 0;
        v->chosen = SIZE_MAX;
        v->cursor = SIZE_MAX;
        v->top = 0;
        v->data = v->marks != NULL ? data : NULL;
        if (data != NULL && v->marks == NULL) {
            track_clear(&v->track);
            return tm_fail_memory(err, "the path view");
        }
    }
    return track_follow(&v->track, job, err);
}

static bool path_update(void *state, app *a, unsigned news)
{
    pathview *v = state;
    tm_error err = TM_ERROR_INIT;
    tm_job *job = current_path(a);
    bool changed = job != v->track.job;
    size_t count = v->track.count;
    (void)news;
    tm_status status = follow(v, job, &err);
    if (status == TM_OK) {
        status = track_update(&v->track, &err);
    }
    if (status != TM_OK) {
        app_error(a, &err);
        return true;
    }
    tm_job_state now = job != NULL ? tm_job_get_state(job) : TM_JOB_QUEUED;
    changed = changed || count != v->track.count || now != v->seen_state;
    v->seen_state = now;
    v->stale = v->stale || changed;
    return changed;
}

/* ---- what is at the cursor ----------------------------------------------------------------- */

/* On the form's path the explore view's plots show the same place. */
static size_t *cursor_place(pathview *v)
{
    explorer *e = app_explorer(v->app);
    return v->track.job != NULL && v->track.job == e->shown_path ? &e->point : &v->cursor;
}

static size_t cursor_point(const pathview *v)
{
    const explorer *e = app_explorer(v->app);
    bool own = v->track.job != NULL && v->track.job == e->shown_path;
    size_t at = own ? e->point : v->cursor;
    return at < v->track.count ? at : v->track.count - 1;
}

static const tm_point *at_cursor(const pathview *v)
{
    return v->track.count > 0 ? &v->track.points[cursor_point(v)] : NULL;
}

static place_kind kind_of(const pathview *v)
{
    return place_kind_of(v->track.points, v->track.count);
}

static double ratio_of(const pathview *v, const tm_solution *solution)
{
    return place_value(kind_of(v), solution);
}

/* Place of the chosen feature; the first when the path does not have it. */
static size_t chosen_place(const pathview *v)
{
    size_t place =
        v->chosen != SIZE_MAX && v->track.places != NULL ? v->track.places[v->chosen] : 0;
    return place > 0 ? place - 1 : 0;
}

static const char *label_of(const pathview *v, size_t place, char *buffer, size_t size)
{
    return tm_dataset_feature_label(v->data, v->track.features[place].feature, buffer, size);
}

/* Colour of a feature's line, or -1. */
static int colour_of(const pathview *v, size_t place)
{
    for (size_t i = 0; i < v->drawn_count; i++) {
        if (v->drawn[i] == place) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- the plot ------------------------------------------------------------------------------ */

/* A line begins where the feature is about to enter: zeros before that would only hide others. */
static tm_status add_line(pathview *v, size_t place, int colour, tm_error *err)
{
    const track_feature *f = &v->track.features[place];
    size_t from = f->entered > 0 ? f->entered - 1 : 0;
    size_t count = v->track.count - from;
    char label[128];
    double *x = malloc(2 * count * sizeof *x);
    if (x == NULL) {
        return tm_fail_memory(err, "the plot");
    }
    for (size_t i = 0; i < count; i++) {
        const tm_solution *solution = &v->track.points[from + i].solution;
        x[i] = ratio_of(v, solution);
        x[count + i] = tm_model_weight(solution->model, f->feature);
    }
    tm_status status = plot_figure_add(v->pane.figure, label_of(v, place, label, sizeof label),
                                       count > 1 ? PLOT_LINE : PLOT_POINTS, x, x + count, count,
                                       colour, NULL, err);
    free(x);
    return status;
}

/* The strongest, and the chosen one among them whatever its strength. */
static void choose_lines(pathview *v)
{
    size_t place = chosen_place(v);
    v->drawn_count = track_strongest(&v->track, v->drawn, DRAWN);
    if (v->drawn_count > 0 && colour_of(v, place) < 0) {
        v->drawn[v->drawn_count - 1] = place;
    }
}

static tm_status fill_figure(pathview *v, tm_error *err)
{
    tm_status status = TM_OK;
    plot_figure_clear(v->pane.figure);
    plot_figure_labels(v->pane.figure, place_label(kind_of(v)), NULL);
    plot_figure_log(v->pane.figure, true, false);
    plot_figure_legend(v->pane.figure, false);
    choose_lines(v);
    if (v->drawn_count == 0) {
        return TM_OK;
    }
    int own = colour_of(v, chosen_place(v));
    for (int i = 0; i < (int)v->drawn_count && status == TM_OK && !v->alone; i++) {
        status = i != own ? add_line(v, v->drawn[i], i, err) : TM_OK;
    }
    if (status == TM_OK) { /* last, so that it lies above the others */
        status = add_line(v, v->drawn[own], own, err);
    }
    double first = ratio_of(v, &v->track.points[0].solution);
    double last = ratio_of(v, &v->track.points[v->track.count - 1].solution);
    plot_figure_xlim(v->pane.figure, fmin(first, last), fmax(first, last));
    pane_set_cursor(&v->pane, ratio_of(v, &at_cursor(v)->solution));
    return status;
}

static void embolden(plot_grid *grid, int colour)
{
    for (size_t i = 0; i < grid->rows * grid->cols; i++) {
        grid->cells[i].bold = grid->cells[i].bold || grid->cells[i].colour == colour;
    }
}

static void draw_plot(pathview *v, screen *s, rect body)
{
    tm_error err = TM_ERROR_INIT;
    if (body.rows <= 0 || body.cols <= 0) {
        return;
    }
    if (v->stale) {
        v->stale = fill_figure(v, &err) != TM_OK;
        v->pane.stale = true;
    }
    if (err.code != TM_OK) {
        scr_put(s, body.row, body.col, body.cols, STYLE_ERROR, err.message);
        return;
    }
    bool fresh =
        v->pane.stale || (int)v->pane.grid.rows != body.rows || (int)v->pane.grid.cols != body.cols;
    if (pane_draw(&v->pane, s, body, &err) == TM_OK && fresh && v->drawn_count > 0) {
        embolden(&v->pane.grid, colour_of(v, chosen_place(v)));
        pane_draw(&v->pane, s, body, &err);
    }
}

/* ---- the read-out -------------------------------------------------------------------------- */

enum { PIECES_MAX = 6, PIECE_SIZE = 64 };

/* The pieces that tell the point at the cursor, the most important first. */
static int readout_pieces(const pathview *v, char pieces[PIECES_MAX][PIECE_SIZE])
{
    const tm_point *point = at_cursor(v);
    const tm_solution *solution = &point->solution;
    const char *metric = tm_metric_default(tm_dataset_is_binary(v->data))->id;
    int count = 0;
    if (kind_of(v) == PLACE_LAMBDA) {
        snprintf(pieces[count++], PIECE_SIZE, "lambda %.4g (%.3g max)", solution->lambda,
                 ratio_of(v, solution));
    } else {
        snprintf(pieces[count++], PIECE_SIZE, "%s %.4g", place_label(kind_of(v)),
                 ratio_of(v, solution));
    }
    snprintf(pieces[count++], PIECE_SIZE, "nnz %zu", tm_model_nnz(solution->model));
    snprintf(pieces[count++], PIECE_SIZE, "gap %.1e", solution->gap);
    if (isfinite(point->test_score)) {
        snprintf(pieces[count++], PIECE_SIZE, "test %s %.3g", metric, point->test_score);
    }
    if (isfinite(point->train_score)) {
        snprintf(pieces[count++], PIECE_SIZE, "train %.3g", point->train_score);
    }
    return count;
}

/* Pieces are never cut: the front of a number would be another number. */
static void draw_readout(const pathview *v, screen *s, rect area)
{
    char pieces[PIECES_MAX][PIECE_SIZE];
    int row = 0, col = 0;
    int count = readout_pieces(v, pieces);
    for (int i = 0; i < count; i++) {
        int width = (int)strlen(pieces[i]);
        if (col > 0 && col + 2 + width > area.cols) {
            row++;
            col = 0;
        }
        col += col > 0 ? 2 : 0;
        if (row >= area.rows || col + width > area.cols) {
            return;
        }
        scr_put(s, area.row + row, area.col + col, width, i == 0 ? STYLE_BOLD : STYLE_NORMAL,
                pieces[i]);
        col += width;
    }
}

static void draw_paths(pathview *v, screen *s, rect area)
{
    char title[160], label[128];
    rect body = {area.row + 1, area.col + 1, area.rows - 2, area.cols - 2};
    const tm_job *job = v->track.job;
    snprintf(title, sizeof title, "%.40s: %zu of %zu %s, %s", tm_job_name(job), v->track.count,
             tm_job_point_count(job), kind_of(v) == PLACE_LAMBDA ? "lambdas" : "points",
             tm_job_state_name(tm_job_get_state(job)));
    if (v->alone && v->track.feature_count > 0) {
        snprintf(title, sizeof title, "%s alone",
                 label_of(v, chosen_place(v), label, sizeof label));
    }
    scr_box(s, area, title, v->in_plot);
    int readout = body.rows >= 8 ? READOUT_ROWS : body.rows >= 4 ? 1 : 0;
    draw_plot(v, s, (rect){body.row, body.col, body.rows - readout, body.cols});
    draw_readout(v, s,
                 (rect){body.row + body.rows - readout, body.col + 1, readout, body.cols - 1});
}

/* ---- the list ------------------------------------------------------------------------------ */

static void scroll_to_chosen(pathview *v, int rows)
{
    size_t chosen = chosen_place(v), page = rows > 0 ? (size_t)rows : 1;
    if (chosen < v->top) {
        v->top = chosen;
    }
    if (chosen >= v->top + page) {
        v->top = chosen - page + 1;
    }
    if (v->top + page > v->track.feature_count) {
        v->top = v->track.feature_count > page ? v->track.feature_count - page : 0;
    }
}

enum { ENTERED_WIDTH = 7, WEIGHT_WIDTH = 10, BESIDE_NAME = 3 + ENTERED_WIDTH + WEIGHT_WIDTH };

/* All that the numbers leave; where that is much, bars get a part of it. */
static int name_width(int cols)
{
    int most = cols * 2 / 5;
    int room = cols - BESIDE_NAME;
    return room > 24 && most < room ? (most > 24 ? most : 24) : room;
}

static void draw_feature(const pathview *v, screen *s, rect at, size_t place, double strongest)
{
    const track_feature *f = &v->track.features[place];
    const tm_solution *solution = &at_cursor(v)->solution;
    bool chosen = place == chosen_place(v);
    char text[128];
    int colour = colour_of(v, place);
    int names = name_width(at.cols);
    double weight = tm_model_weight(solution->model, f->feature);
    scr_style style = chosen ? STYLE_SELECTED : weight == 0 ? STYLE_DIM : STYLE_NORMAL;
    if (chosen) {
        scr_put_padded(s, at.row, at.col, names + BESIDE_NAME, style, "");
    }
    scr_put(s, at.row, at.col, 1, style, v->marks[f->feature] ? "*" : " ");
    if (colour >= 0 && (!v->alone || chosen)) {
        const plot_colour *mark = plot_palette(colour);
        char glyph[8] = {mark->ascii, '\0'};
        if (scr_utf8(s)) {
            snprintf(glyph, sizeof glyph, "%lc", (wint_t)mark->mark);
        }
        scr_put_colour(s, at.row, at.col + 1, 1, colour, glyph);
    }
    scr_put(s, at.row, at.col + 3, names, style, label_of(v, place, text, sizeof text));
    snprintf(text, sizeof text, "%.3g", ratio_of(v, &v->track.points[f->entered].solution));
    int col = at.col + 3 + names;
    scr_put_right(s, at.row, col, ENTERED_WIDTH, style, text);
    snprintf(text, sizeof text, weight == 0 ? "0" : "%+.3g", weight);
    scr_put_right(s, at.row, col + ENTERED_WIDTH, WEIGHT_WIDTH, style, text);
    col += ENTERED_WIDTH + WEIGHT_WIDTH + 1;
    bar_draw(s, at.row, col, at.col + at.cols - col, fabs(weight) / strongest, weight < 0 ? 1 : 0,
             weight < 0);
}

static double greatest_weight(const tm_model *model)
{
    double greatest = 0;
    for (size_t i = 0; i < tm_model_nnz(model); i++) {
        greatest = fmax(greatest, fabs(tm_model_weights(model)[i]));
    }
    return greatest > 0 ? greatest : 1.0;
}

static void draw_list(pathview *v, screen *s, rect area)
{
    char title[64];
    rect body = {area.row + 1, area.col + 1, area.rows - 2, area.cols - 2};
    snprintf(title, sizeof title, "order of entry: %zu", v->track.feature_count);
    if (v->marked > 0) {
        snprintf(title, sizeof title, "order of entry: %zu, %zu marked", v->track.feature_count,
                 v->marked);
    }
    scr_box(s, area, title, false);
    if (body.rows > 4) {
        int names = name_width(body.cols);
        scr_put(s, body.row, body.col + 3, names, STYLE_BOLD, "feature");
        scr_put_right(s, body.row, body.col + 3 + names, ENTERED_WIDTH, STYLE_BOLD, "entered");
        scr_put_right(s, body.row, body.col + 3 + names + ENTERED_WIDTH, WEIGHT_WIDTH, STYLE_BOLD,
                      "weight");
        body.row++;
        body.rows--;
    }
    v->list_area = body;
    scroll_to_chosen(v, body.rows);
    double strongest = greatest_weight(at_cursor(v)->solution.model);
    for (int i = 0; i < body.rows && v->top + (size_t)i < v->track.feature_count; i++) {
        draw_feature(v, s, (rect){body.row + i, body.col, 1, body.cols}, v->top + (size_t)i,
                     strongest);
    }
}

static void draw_nothing(const pathview *v, screen *s, rect area)
{
    int row = area.row + area.rows / 2;
    scr_box(s, area, "path", false);
    if (v->track.job == NULL) {
        scr_put(s, row, area.col + 2, area.cols - 4, STYLE_DIM,
                "no path yet: the explore view makes one, and scripts with  tm.path(data)");
    } else {
        char text[TM_ERROR_MAX + 64];
        tm_job_state state = tm_job_get_state(v->track.job);
        snprintf(text, sizeof text, "%.40s: %s%s%s", tm_job_name(v->track.job),
                 tm_job_state_name(state), state == TM_JOB_FAILED ? ", " : "",
                 state == TM_JOB_FAILED ? tm_job_error(v->track.job)->message : "");
        scr_put(s, row, area.col + 2, area.cols - 4, STYLE_DIM, text);
    }
}

static bool shows_rounds(const pathview *v)
{
    return v->track.job != NULL && rounds_has(v->track.job);
}

static void path_draw(void *state, app *a, screen *s, rect area)
{
    pathview *v = state;
    path_update(v, a, 0); /* another path may have been chosen */
    v->list_area = (rect){0, 0, 0, 0};
    pane_hide(&v->pane);
    pane_hide(&v->rounds.pane);
    if (shows_rounds(v)) {
        rounds_draw(&v->rounds, v->track.job, s, area, v->in_plot);
        return;
    }
    if (v->track.count > 0 && v->drawn_at != cursor_point(v)) {
        v->drawn_at = cursor_point(v);
        v->stale = true;
    }
    if (v->track.count == 0) {
        draw_nothing(v, s, area);
        return;
    }
    int side = area.cols * 2 / 5;
    side = side < SIDE_MIN ? SIDE_MIN : side > SIDE_MAX ? SIDE_MAX : side;
    if (area.cols - side >= PLOT_COLS_MIN) {
        draw_paths(v, s, (rect){area.row, area.col, area.rows, area.cols - side});
        draw_list(v, s, (rect){area.row, area.col + area.cols - side, area.rows, side});
        return;
    }
    int plot = area.rows >= 14 ? area.rows / 2 : 0;
    if (plot > 0) {
        draw_paths(v, s, (rect){area.row, area.col, plot, area.cols});
    }
    int readout = plot == 0 ? 1 : 0;
    if (readout > 0) {
        draw_readout(v, s, (rect){area.row, area.col + 1, readout, area.cols - 1});
    }
    draw_list(v, s,
              (rect){area.row + plot + readout, area.col, area.rows - plot - readout, area.cols});
}

/* ---- export -------------------------------------------------------------------------------- */

static tm_status write_features(const char *path, void *payload, tm_error *err)
{
    pathview *v = payload;
    replacement file;
    if (v->track.count == 0) {
        return tm_fail(err, TM_EUSAGE, "the path is no longer there");
    }
    tm_status status = replace_begin(&file, path, err);
    if (status == TM_OK) {
        features_csv(&v->track, cursor_point(v), v->marked > 0 ? v->marks : NULL, file.stream);
        status = replace_end(&file, TM_OK, err);
    }
    return status;
}

/* ---- requests ------------------------------------------------------------------------------ */

static void choose_place(pathview *v, long to)
{
    long last = (long)v->track.feature_count - 1;
    if (last < 0) {
        return;
    }
    to = to > last ? last : to < 0 ? 0 : to;
    v->chosen = v->track.features[to].feature;
    v->stale = true;
}

/* By points, which go on to smaller lambdas, to the left, or to greater B, to the right. */
static void move_cursor(pathview *v, long by)
{
    long last = (long)v->track.count - 1;
    by = kind_of(v) == PLACE_LAMBDA ? by : -by;
    if (last < 0) {
        return;
    }
    long to = (long)cursor_point(v) + by;
    to = to < 0 ? 0 : to > last ? last : to;
    /* At the end the cursor goes along while the path grows. */
    *cursor_place(v) = to == last ? SIZE_MAX : (size_t)to;
    v->stale = true;
}

static void toggle_mark(pathview *v)
{
    if (v->track.feature_count == 0) {
        return;
    }
    unsigned char *mark = &v->marks[v->track.features[chosen_place(v)].feature];
    v->marked += *mark ? (size_t)-1 : 1;
    *mark = !*mark;
    choose_place(v, (long)chosen_place(v) + 1);
}

static void click(pathview *v, const key_event *key)
{
    rect area = v->list_area;
    if (key->row >= area.row && key->row < area.row + area.rows && key->col >= area.col &&
        key->col < area.col + area.cols &&
        v->top + (size_t)(key->row - area.row) < v->track.feature_count) {
        choose_place(v, (long)v->top + key->row - area.row);
    }
}

static bool path_move(pathview *v, int request)
{
    long place = (long)chosen_place(v);
    long page = v->list_area.rows > 1 ? v->list_area.rows - 1 : 1;
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        choose_place(v, place + (request == REQ_UP ? -1 : 1));
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        choose_place(v, place + (request == REQ_PAGE_UP ? -page : page));
        return true;
    case REQ_FIRST:
    case REQ_LAST:
        choose_place(v, request == REQ_FIRST ? 0 : (long)v->track.feature_count);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
        move_cursor(v, request == REQ_LEFT ? 1 : -1);
        return true;
    case REQ_LESS:
    case REQ_MORE:
        move_cursor(v, request == REQ_LESS ? 10 : -10);
        return true;
    default:
        return false;
    }
}

/* The point nearest to a lambda, as a share of lambda_max. */
static void cursor_to(pathview *v, double ratio)
{
    double nearest = INFINITY;
    for (size_t i = 0; i < v->track.count; i++) {
        double away = fabs(log(ratio_of(v, &v->track.points[i].solution)) - log(ratio));
        if (away < nearest) {
            nearest = away;
            *cursor_place(v) = i;
        }
    }
}

static tm_status write_plot(const char *path, void *payload, tm_error *err)
{
    pathview *v = payload;
    return pane_save(path, &v->pane, err);
}

/* What keys mean while they belong to the plot. */
static bool plot_request(pathview *v, int request)
{
    switch (request) {
    case REQ_BACK:
        v->in_plot = false;
        return true;
    case REQ_SAVE:
        app_save(v->app, "save the plot as: ", "path.svg", write_plot, v);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
    case REQ_LESS:
    case REQ_MORE:
        return false; /* by points, as in the list */
    case REQ_FIRST:
    case REQ_LAST:
        move_cursor(v, request == REQ_LAST ? -(long)v->track.count : (long)v->track.count);
        return true;
    default:
        return pane_request(&v->pane, request);
    }
}

static bool plot_mouse(pathview *v, int request, const key_event *key)
{
    if (!pane_mouse(&v->pane, request, key)) {
        return false;
    }
    if (request == REQ_CLICK) {
        cursor_to(v, v->pane.cursor);
    }
    return true;
}

static tm_status write_rounds(const char *path, void *payload, tm_error *err)
{
    pathview *v = payload;
    return pane_save(path, &v->rounds.pane, err);
}

static bool rounds_request(pathview *v, int request, const key_event *key)
{
    long page = v->rounds.list_area.rows > 1 ? v->rounds.list_area.rows - 1 : 1;
    if (pane_mouse(&v->rounds.pane, request, key)) {
        return true;
    }
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        rounds_move(&v->rounds, request == REQ_UP ? -1 : 1);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        rounds_move(&v->rounds, request == REQ_PAGE_UP ? -page : page);
        return true;
    case REQ_PLOT:
    case REQ_BACK:
        v->in_plot = request == REQ_PLOT;
        return true;
    case REQ_SAVE:
        app_save(v->app, "save the plot as: ", "rounds.svg", write_rounds, v);
        return true;
    case REQ_USE:
        next_path(v->app);
        return true;
    case REQ_FIRST:
    case REQ_LAST:
        if (!v->in_plot) {
            rounds_move(&v->rounds, request == REQ_FIRST ? -1000000 : 1000000);
            return true;
        }
        return pane_request(&v->rounds.pane, request);
    default:
        return v->in_plot && pane_request(&v->rounds.pane, request);
    }
}

static bool path_request(void *state, app *a, int request, const key_event *key)
{
    pathview *v = state;
    if (shows_rounds(v)) {
        return rounds_request(v, request, key);
    }
    if (plot_mouse(v, request, key) || (v->in_plot && plot_request(v, request))) {
        return true;
    }
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
        if (v->marks != NULL) {
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
        click(v, key);
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
    const pathview *v = state;
    char label[128];
    if (shows_rounds(v) || v->track.count == 0 || v->track.feature_count == 0) {
        return;
    }
    const track_feature *f = &v->track.features[chosen_place(v)];
    label_of(v, chosen_place(v), label, sizeof label);
    label[cells_fit(label, strlen(label), NAME_COLS, scr_utf8(app_screen(a)))] = '\0';
    const tm_solution *entered = &v->track.points[f->entered].solution;
    snprintf(buffer, size, "%s: entered at %.4g, peak %.3g", label,
             isfinite(entered->lambda) ? entered->lambda : ratio_of(v, entered), f->peak);
}

static bool path_in_plot(const void *state)
{
    return ((const pathview *)state)->in_plot;
}

const view_ops path_view = {
    .name = "path",
    .open = path_open,
    .close = path_close,
    .update = path_update,
    .draw = path_draw,
    .request = path_request,
    .hint = path_hint,
    .in_plot = path_in_plot,
};
