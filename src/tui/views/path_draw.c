/* Drawing of the path view: the lines, the values at the cursor, the order of entry. */
#include "tui/views/path.h"

#include "run/model_size.h"
#include "tui/terminal/cells.h"
#include "tui/terminal/wrap.h"
#include "tui/time/timeline.h"
#include "tui/widgets/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum {
    SIDE_MIN = 34,
    SIDE_MAX = 64,
    PLOT_COLS_MIN = 34,
    READOUT_ROWS = 2,
};

/* ---- what is at the cursor ----------------------------------------------------------------- */

/* Whether its path is the one that the explore view's plots have their cursors on. */
static bool shares_point(const path_view *v)
{
    return v->track.job && v->track.job == timeline_path(app_session(v->app), app_explorer(v->app));
}

size_t *path_view_cursor_place(path_view *v)
{
    return shares_point(v) ? &app_explorer(v->app)->point : &v->cursor;
}

size_t path_view_cursor_point(const path_view *v)
{
    size_t at = shares_point(v) ? app_explorer(v->app)->point : v->cursor;
    return at < v->track.count ? at : v->track.count - 1;
}

static const tm_point *at_cursor(const path_view *v)
{
    return v->track.count > 0 ? &v->track.points[path_view_cursor_point(v)] : NULL;
}

place_kind path_view_kind_of(const path_view *v)
{
    return place_kind_of(v->track.points, v->track.count);
}

double path_view_ratio_of(const path_view *v, const tm_solution *solution)
{
    return place_value(path_view_kind_of(v), solution);
}

size_t path_view_chosen_place(const path_view *v)
{
    size_t place = v->chosen != SIZE_MAX && v->track.places ? v->track.places[v->chosen] : 0;
    return place > 0 ? place - 1 : 0;
}

const char *path_view_label_of(const path_view *v, size_t place, char *buffer, size_t size)
{
    return tm_dataset_feature_label(v->data, v->track.features[place].feature, buffer, size);
}

/* Colour of a feature's line, or -1. */
static int colour_of(const path_view *v, size_t place)
{
    for (size_t i = 0; i < v->drawn_count; i++)
        if (v->drawn[i] == place)
            return (int)i;
    return -1;
}

/* ---- the plot ------------------------------------------------------------------------------ */

/* A line begins at the point before the feature enters: earlier zeros would only hide other
 * lines. */
static tm_status add_line(path_view *v, size_t place, int colour, tm_error *err)
{
    const track_feature *f = &v->track.features[place];
    size_t from = f->entered > 0 ? f->entered - 1 : 0;
    size_t count = v->track.count - from;
    char label[128];
    double *x = malloc(2 * count * sizeof *x);
    if (!x)
        return tm_fail_memory(err, "the plot");
    for (size_t i = 0; i < count; i++) {
        const tm_solution *solution = &v->track.points[from + i].solution;
        x[i] = path_view_ratio_of(v, solution);
        x[count + i] = tm_model_weight(solution->model, f->feature);
    }
    tm_status status = plot_figure_add(
        v->pane.figure,
        &(plot_curve){path_view_label_of(v, place, label, sizeof label),
                      count > 1 ? PLOT_LINE : PLOT_POINTS, x, x + count, count, colour},
        NULL, err);
    free(x);
    return status;
}

/* Chooses the features with the greatest peaks, and always includes the chosen one. */
static void choose_lines(path_view *v)
{
    size_t place = path_view_chosen_place(v);
    v->drawn_count = track_strongest(&v->track, v->drawn, DRAWN);
    if (v->drawn_count > 0 && colour_of(v, place) < 0)
        v->drawn[v->drawn_count - 1] = place;
}

static tm_status fill_figure(path_view *v, tm_error *err)
{
    char title[160];
    tm_status status = TM_OK;
    plot_figure_clear(v->pane.figure);
    plot_figure_labels(v->pane.figure, place_label(path_view_kind_of(v)), NULL);
    snprintf(title, sizeof title, "weights along the path: %.40s on %.80s",
             tm_job_name(v->track.job), tm_dataset_name(v->data));
    plot_figure_caption(v->pane.figure, title, "weight");
    plot_figure_log(v->pane.figure, true, false);
    plot_figure_legend(v->pane.figure, false);
    choose_lines(v);
    if (v->drawn_count == 0)
        return TM_OK;
    int own = colour_of(v, path_view_chosen_place(v));
    for (int i = 0; i < (int)v->drawn_count && status == TM_OK && !v->alone; i++)
        status = i != own ? add_line(v, v->drawn[i], i, err) : TM_OK;
    if (status == TM_OK) /* last, so that it is drawn over the others */
        status = add_line(v, v->drawn[own], own, err);
    double first = path_view_ratio_of(v, &v->track.points[0].solution);
    double last = path_view_ratio_of(v, &v->track.points[v->track.count - 1].solution);
    plot_figure_xlim(v->pane.figure, fmin(first, last), fmax(first, last));
    pane_set_cursor(&v->pane, path_view_ratio_of(v, &at_cursor(v)->solution));
    return status;
}

static void embolden(plot_grid *grid, int colour)
{
    for (size_t i = 0; i < grid->rows * grid->cols; i++)
        grid->cells[i].bold = grid->cells[i].bold || grid->cells[i].colour == colour;
}

static void draw_plot(path_view *v, terminal *t, rect body)
{
    tm_error err = TM_ERROR_INIT;
    if (body.rows <= 0 || body.cols <= 0)
        return;
    if (model_is_of_vectors(at_cursor(v)->solution.model)) {
        wrap_draw(t, (rect){body.row + body.rows / 3, body.col + 1, body.rows / 2, body.cols - 2},
                  STYLE_DIM,
                  "A model of support vectors has no weights of features. View 4 shows its samples "
                  "step by step.");
        return;
    }
    if (v->stale) {
        v->stale = fill_figure(v, &err) != TM_OK;
        v->pane.stale = true;
    }
    if (err.code != TM_OK) {
        terminal_put(t, body.row, body.col, body.cols, STYLE_ERROR, err.message);
        return;
    }
    bool fresh =
        v->pane.stale || (int)v->pane.grid.rows != body.rows || (int)v->pane.grid.cols != body.cols;
    if (pane_draw(&v->pane, t, body, &err) == TM_OK && fresh && v->drawn_count > 0) {
        embolden(&v->pane.grid, colour_of(v, path_view_chosen_place(v)));
        pane_draw(&v->pane, t, body, &err);
    }
}

/* ---- the read-out -------------------------------------------------------------------------- */

enum { PIECES_MAX = 6, PIECE_SIZE = 64 };

/* The facts of the point at the cursor, the most important first. */
static int readout_pieces(const path_view *v, char pieces[PIECES_MAX][PIECE_SIZE])
{
    const tm_point *point = at_cursor(v);
    const tm_solution *solution = &point->solution;
    run_scores *known = app_session(v->app)->chosen.scores;
    tm_scorer by = scores_scorer(known, v->data);
    double score = scores_of(known, &by, v->track.job, (size_t)(point - v->track.points));
    int count = 0;
    if (path_view_kind_of(v) == PLACE_LAMBDA) {
        snprintf(pieces[count++], PIECE_SIZE, "lambda %.4g (%.3g max)", solution->lambda,
                 path_view_ratio_of(v, solution));
    } else {
        snprintf(pieces[count++], PIECE_SIZE, "%s %.4g", place_label(path_view_kind_of(v)),
                 path_view_ratio_of(v, solution));
    }
    bool vectors = model_is_of_vectors(solution->model);
    snprintf(pieces[count++], PIECE_SIZE, "%s %zu", vectors ? "vectors" : "nnz",
             model_size(solution->model));
    snprintf(pieces[count++], PIECE_SIZE, "gap %.1e", solution->gap);
    if (isfinite(score))
        snprintf(pieces[count++], PIECE_SIZE, "test %s %.3g", by.name, score);
    if (scores_at_hand(&by) && isfinite(point->train_score))
        snprintf(pieces[count++], PIECE_SIZE, "train %.3g", point->train_score);
    return count;
}

/* A fact is never cut, as the first digits of a number are another number. */
static void draw_readout(const path_view *v, terminal *t, rect area)
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
        if (row >= area.rows || col + width > area.cols)
            return;
        terminal_put(t, area.row + row, area.col + col, width, i == 0 ? STYLE_BOLD : STYLE_NORMAL,
                     pieces[i]);
        col += width;
    }
}

void path_view_draw_plot(path_view *v, terminal *t, rect area, const char *title)
{
    rect body = rect_inside(area);
    terminal_box(t, area, title, v->in_plot);
    int readout = body.rows >= 8 ? READOUT_ROWS : body.rows >= 4 ? 1 : 0;
    rect plot = {body.row, body.col, body.rows - readout, body.cols};
    if (path_view_shows_picture(v))
        picture_draw(&v->picture, t, plot);
    else
        draw_plot(v, t, plot);
    draw_readout(v, t,
                 (rect){body.row + body.rows - readout, body.col + 1, readout, body.cols - 1});
}

static void draw_paths(path_view *v, terminal *t, rect area)
{
    char title[160], label[128];
    const tm_job *job = v->track.job;
    snprintf(title, sizeof title, "%.40s: %zu of %zu %s, %s", tm_job_name(job), v->track.count,
             tm_job_point_count(job), path_view_kind_of(v) == PLACE_LAMBDA ? "lambdas" : "points",
             tm_job_state_name(tm_job_get_state(job)));
    if (v->alone && v->track.feature_count > 0) {
        snprintf(title, sizeof title, "%s alone",
                 path_view_label_of(v, path_view_chosen_place(v), label, sizeof label));
    }
    path_view_draw_plot(v, t, area, title);
}

/* ---- the list ------------------------------------------------------------------------------ */

enum { ENTERED_WIDTH = 7, WEIGHT_WIDTH = 10, BESIDE_NAME = 3 + ENTERED_WIDTH + WEIGHT_WIDTH };

/* The width that the numbers leave; if that is large, bars get a part of it. */
static int name_width(int cols)
{
    int most = cols * 2 / 5;
    int left = cols - BESIDE_NAME;
    return left > 24 && most < left ? (most > 24 ? most : 24) : left;
}

static void draw_feature(const path_view *v, terminal *t, rect at, size_t place, double strongest)
{
    const track_feature *f = &v->track.features[place];
    const tm_solution *solution = &at_cursor(v)->solution;
    bool chosen = place == path_view_chosen_place(v);
    char text[128];
    int colour = colour_of(v, place);
    int names = name_width(at.cols);
    double weight = tm_model_weight(solution->model, f->feature);
    terminal_style style = chosen ? STYLE_SELECTED : weight == 0 ? STYLE_DIM : STYLE_NORMAL;
    if (chosen)
        terminal_put_padded(t, at.row, at.col, names + BESIDE_NAME, style, "");
    terminal_put(t, at.row, at.col, 1, style, v->marks[f->feature] ? "*" : " ");
    if (colour >= 0 && (!v->alone || chosen)) {
        const plot_colour *mark = plot_palette(colour);
        char glyph[8] = {mark->ascii, '\0'};
        if (terminal_utf8(t))
            snprintf(glyph, sizeof glyph, "%lc", (wint_t)mark->mark);
        terminal_put_colour(t, at.row, at.col + 1, 1, colour, glyph);
    }
    terminal_put(t, at.row, at.col + 3, names, style,
                 path_view_label_of(v, place, text, sizeof text));
    snprintf(text, sizeof text, "%.3g",
             path_view_ratio_of(v, &v->track.points[f->entered].solution));
    int col = at.col + 3 + names;
    terminal_put_right(t, at.row, col, ENTERED_WIDTH, style, text);
    snprintf(text, sizeof text, weight == 0 ? "0" : "%+.3g", weight);
    terminal_put_right(t, at.row, col + ENTERED_WIDTH, WEIGHT_WIDTH, style, text);
    col += ENTERED_WIDTH + WEIGHT_WIDTH + 1;
    bar_draw(t, at.row, col, at.col + at.cols - col, fabs(weight) / strongest, weight < 0 ? 1 : 0,
             weight < 0);
}

static double greatest_weight(const tm_model *model)
{
    double greatest = 0;
    for (size_t i = 0; i < tm_model_nnz(model); i++)
        greatest = fmax(greatest, fabs(tm_model_weights(model)[i]));
    return greatest > 0 ? greatest : 1.0;
}

static void draw_list(path_view *v, terminal *t, rect area)
{
    char title[64];
    size_t place;
    rect at;
    rect body = rect_inside(area);
    snprintf(title, sizeof title, "order of entry: %zu", v->track.feature_count);
    if (v->marked > 0) {
        snprintf(title, sizeof title, "order of entry: %zu, %zu marked", v->track.feature_count,
                 v->marked);
    }
    terminal_box(t, area, title, false);
    if (body.rows > 4) {
        int names = name_width(body.cols);
        terminal_put(t, body.row, body.col + 3, names, STYLE_BOLD, "feature");
        terminal_put_right(t, body.row, body.col + 3 + names, ENTERED_WIDTH, STYLE_BOLD, "entered");
        terminal_put_right(t, body.row, body.col + 3 + names + ENTERED_WIDTH, WEIGHT_WIDTH,
                           STYLE_BOLD, "weight");
        body.row++;
        body.rows--;
    }
    double strongest = greatest_weight(at_cursor(v)->solution.model);
    v->rows.chosen = path_view_chosen_place(v);
    list_show(&v->rows, body, v->track.feature_count);
    for (int i = 0; list_row(&v->rows, i, &place, &at); i++)
        draw_feature(v, t, at, place, strongest);
}

/* A run of the store whose data are not explored. */
static bool draw_elsewhere(const path_view *v, terminal *t, rect area)
{
    char text[400];
    if (!timeline_elsewhere(app_session(v->app), "weights along its path", text, sizeof text))
        return false;
    terminal_box(t, area, "path", false);
    wrap_draw(t, (rect){area.row + area.rows / 2, area.col + 2, area.rows / 2 - 1, area.cols - 4},
              STYLE_DIM, text);
    return true;
}

static void draw_nothing(const path_view *v, terminal *t, rect area)
{
    int row = area.row + area.rows / 2;
    terminal_box(t, area, "path", false);
    if (!v->track.job) {
        terminal_put(t, row, area.col + 2, area.cols - 4, STYLE_DIM,
                     "no path yet: the explore view makes one, and scripts with  tm.path(data)");
    } else {
        char text[TM_ERROR_MAX + 64];
        tm_job_state state = tm_job_get_state(v->track.job);
        snprintf(text, sizeof text, "%.40s: %s%s%s", tm_job_name(v->track.job),
                 tm_job_state_name(state), state == TM_JOB_FAILED ? ", " : "",
                 state == TM_JOB_FAILED ? tm_job_error(v->track.job)->message : "");
        terminal_put(t, row, area.col + 2, area.cols - 4, STYLE_DIM, text);
    }
}

bool path_view_shows_rounds(const path_view *v)
{
    return v->track.job && rounds_has(v->track.job);
}

/* Places the list beside the plot or below it; if there is no room for both, only a line of values
 * and the list. */
static path_areas place_parts(rect area)
{
    int side = area.cols * 2 / 5;
    side = side < SIDE_MIN ? SIDE_MIN : side > SIDE_MAX ? SIDE_MAX : side;
    if (area.cols - side >= PLOT_COLS_MIN)
        return (path_areas){.plot = {area.row, area.col, area.rows, area.cols - side},
                            .list = {area.row, area.col + area.cols - side, area.rows, side}};
    int plot = area.rows >= 14 ? area.rows / 2 : 0;
    int line = plot == 0 ? 1 : 0;
    return (path_areas){
        .plot = {area.row, area.col, plot, area.cols},
        .readout = {area.row, area.col + 1, line, area.cols - 1},
        .list = {area.row + plot + line, area.col, area.rows - plot - line, area.cols}};
}

void path_view_draw(void *state, app *a, terminal *t, rect area)
{
    path_view *v = state;
    path_view_update(v, a, 0); /* another path may have been chosen */
    list_hide(&v->rows);
    pane_hide(&v->pane);
    pane_hide(&v->rounds.pane);
    picture_hide(&v->picture);
    if (draw_elsewhere(v, t, area))
        return;
    if (path_view_shows_rounds(v)) {
        rounds_draw(&v->rounds, v->track.job, t, area, v->in_plot);
        return;
    }
    if (v->track.count > 0 && v->drawn_at != path_view_cursor_point(v)) {
        v->drawn_at = path_view_cursor_point(v);
        v->stale = true;
    }
    if (v->track.count == 0) {
        draw_nothing(v, t, area);
        return;
    }
    path_areas areas = place_parts(area);
    if (path_view_shows_picture(v)) {
        path_picture_draw(v, t, &areas);
        return;
    }
    if (areas.plot.rows > 0)
        draw_paths(v, t, areas.plot);
    draw_readout(v, t, areas.readout);
    draw_list(v, t, areas.list);
}
