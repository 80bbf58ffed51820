/* Drawing of the screen view: one step of a run, its features, the picture beside them. */
#include "tui/views/screen/screen.h"

#include "tui/terminal/wrap.h"
#include "tui/time/timeline.h"
#include "tui/widgets/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FACT_ROWS = 9,
    LEGEND_FROM = 8, /* rows from which the list has room for the meaning of its signs */
    LIST_MIN = 36,
    WORDS_MIN = 56, /* columns from which the list has room for the meaning of its signs */
    SIDE_MIN = 30,
    WIDE_MIN = 120,  /* columns from which a plane fits beside the bounds */
    LINES_FROM = 12, /* rows from which a picture has room for its numbers, */
    SLIDER_FROM = 6, /* and for the lambda slider */
    SLIDER_WORDS = 30,
    LINE_WIDTH = 72, /* below this width a line of numbers takes two rows */
    NAME_WIDTH = 14,
    EDGE_WIDTH = 20, /* of a name of two features */
    ACTION_WIDTH = 11,
    BOUND_WIDTH = 9,
};

/* The bound at the end of the bars; the threshold 1 is in their middle. */
static const double bound_most = 2;

/* ---- the step ------------------------------------------------------------------------------ */

const tm_screen_step *screen_view_step_of(const screen_view *v)
{
    return &v->replay.steps[v->replay.at];
}

static int fact(terminal *t, rect body, int row, const char *text)
{
    if (row < body.rows)
        terminal_put(t, body.row + row, body.col, body.cols, STYLE_NORMAL, text);
    return row + 1;
}

/* Draws the numbers of items that are worked on, waiting, and certified. */
static void draw_shares(const screen_view *v, terminal *t, rect body, int row)
{
    if (row >= body.rows)
        return;
    double p = (double)v->replay.p;
    size_t worked = v->replay.now.at[PLACE_ACTIVE];
    int active = (int)lround((double)worked / p * body.cols);
    int out = (int)lround((double)replay_certified(&v->replay.now) / p * body.cols);
    active = active == 0 && worked > 0 ? 1 : active;
    active = active + out > body.cols ? body.cols - out : active;
    bar_draw(t, body.row + row, body.col, active, 1, 2, false);
    bar_draw(t, body.row + row, body.col + body.cols - out, out, 1, 1, true);
}

/* The name of the rule of the step: the strategy's own, or the certificate's at the end. */
static const char *rule_name(const screen_view *v)
{
    return replay_at_certificate(&v->replay) ? "the certificate" : screen_view_strategy_of(v);
}

static const char *step_title(const screen_view *v, char *buffer, size_t size)
{
    snprintf(buffer, size, "step %zu of %zu%s: %s", v->replay.at + 1, v->replay.count,
             v->playing ? ", playing" : "", rule_name(v));
    return buffer;
}

/* Writes the numbers of certified items: "12 out", for samples "9 at 0, 3 at C". */
static const char *certified_text(const screen_view *v, const replay_counts *c, char *buffer,
                                  size_t size)
{
    const tm_item_info *item = tm_item_find(v->replay.item);
    if (v->replay.item == TM_ITEM_SAMPLE)
        snprintf(buffer, size, "%zu %s, %zu %s", c->at[PLACE_OUT], item->at_zero,
                 c->at[PLACE_LIMIT], item->at_limit);
    else
        snprintf(buffer, size, "%zu out", replay_certified(c));
    return buffer;
}

/* The numbers of items in each place; those of samples take a row more. */
static int draw_counts(const screen_view *v, terminal *t, rect body, int row)
{
    char text[160], certified[64];
    const replay_counts *now = &v->replay.now;
    certified_text(v, now, certified, sizeof certified);
    size_t used =
        (size_t)snprintf(text, sizeof text, "%s %zu in, %zu waiting", terminal_pick(t, "█", "+"),
                         now->at[PLACE_ACTIVE], now->at[PLACE_WAITING]);
    if (v->replay.item == TM_ITEM_SAMPLE) {
        row = fact(t, body, row, text);
        used = 0;
    }
    snprintf(text + used, sizeof text - used, "%s%s %s", used > 0 ? ", " : "",
             terminal_pick(t, "▒", "-"), certified);
    return fact(t, body, row, text);
}

static void draw_facts(const screen_view *v, terminal *t, rect area)
{
    const tm_screen_step *step = screen_view_step_of(v);
    char text[160], certified[64];
    rect body = rect_inside(area);
    terminal_box(t, area, step_title(v, text, sizeof text), false);
    int row = wrap_draw(t, (rect){body.row, body.col, 2, body.cols}, STYLE_BOLD, step->what);
    double lambda_max = tm_job_lambda_max(v->replay.job);
    if (isnan(step->lambda))
        snprintf(text, sizeof text, "C %.4g", step->C);
    else
        snprintf(text, sizeof text, "lambda %.4g (%.3g max)", step->lambda,
                 step->lambda / lambda_max);
    row = fact(t, body, row, text);
    if (isfinite(step->gap)) {
        snprintf(text, sizeof text, "gap %.2e", step->gap);
        size_t used = strlen(text);
        if (isfinite(step->radius)) {
            snprintf(text + used, sizeof text - used, "  radius %.3g%s", step->radius,
                     step->delta < 1 ? " (shrunk)" : "");
        }
        row = fact(t, body, row, text);
    }
    snprintf(text, sizeof text, "%zu came in, %zu went out", step->added, step->removed);
    row = fact(t, body, row, text);
    row = draw_counts(v, t, body, row);
    draw_shares(v, t, body, row);
    const replay_counts *last = &v->replay.after[v->replay.count - 1];
    certified_text(v, last, certified, sizeof certified);
    if (v->replay.item == TM_ITEM_SAMPLE)
        snprintf(text, sizeof text, "the end: %s of %zu", certified, v->replay.p);
    else
        snprintf(text, sizeof text, "at the end %zu of %zu out", replay_certified(last),
                 v->replay.p);
    if (row + 1 < body.rows)
        terminal_put(t, body.row + row + 1, body.col, body.cols, STYLE_GOOD, text);
}

/* ---- the items ----------------------------------------------------------------------------- */

static const struct {
    const char *utf8, *ascii;
    int colour;
    bool light;
} looks[TM_SCREEN_ACTIONS] = {
    [TM_SCREEN_KEPT] = {" ", " ", 0, false},     [TM_SCREEN_STARTED] = {"●", "*", 2, false},
    [TM_SCREEN_ADDED] = {"+", "+", 2, false},    [TM_SCREEN_DELETED] = {"-", "-", 1, true},
    [TM_SCREEN_CERTIFIED] = {"×", "x", 1, true}, [TM_SCREEN_AT_LIMIT] = {"▲", "^", 3, true},
};

static int action_width(rect at)
{
    return at.cols >= WORDS_MIN ? ACTION_WIDTH : 0;
}

static int name_width(const screen_view *v)
{
    return v->replay.item == TM_ITEM_EDGE || v->replay.item == TM_ITEM_TERM ? EDGE_WIDTH
                                                                            : NAME_WIDTH;
}

static void draw_item(const screen_view *v, terminal *t, rect at, const tm_screen_record *record,
                      bool chosen)
{
    char label[300], value[32];
    tm_screen_action action = (tm_screen_action)record->action;
    terminal_style style = chosen ? STYLE_SELECTED : STYLE_NORMAL;
    const char *name = replay_label(&v->replay, record, label, sizeof label);
    int col = at.col;
    if (chosen) {
        terminal_put_padded(t, at.row, at.col, 2 + name_width(v) + action_width(at) + BOUND_WIDTH,
                            style, "");
    }
    terminal_put(t, at.row, col, 1, style,
                 terminal_pick(t, looks[action].utf8, looks[action].ascii));
    terminal_put(t, at.row, col + 2, name_width(v) - 1, style, name);
    col += 2 + name_width(v);
    terminal_put(t, at.row, col, action_width(at) - 1, style, tm_screen_action_name(action));
    col += action_width(at);
    snprintf(value, sizeof value, record->bound < 100 ? "%.4f" : "%.3g", record->bound);
    if (isnan(record->bound))
        snprintf(value, sizeof value, "-");
    terminal_put_right(t, at.row, col, BOUND_WIDTH - 1, style, value);
    col += BOUND_WIDTH;
    int width = at.col + at.cols - col;
    bar_draw(t, at.row, col, width, record->bound / bound_most, looks[action].colour,
             looks[action].light);
    if (width > 2)
        terminal_put(t, at.row, col + width / 2, 1, STYLE_BOLD, terminal_pick(t, "│", "|"));
}

/* The meaning of the signs before the names. Items with bounds below 1 are excluded; of the kinds
 * only samples can be certified at a limit. */
static void draw_signs(tm_item item, terminal *t, rect at)
{
    char text[160];
    size_t used = 0;
    bool words = at.cols >= WORDS_MIN;
    const char *const meanings[TM_SCREEN_ACTIONS] = {
        NULL, "start", "in", "out", tm_item_find(item)->at_zero, tm_item_find(item)->at_limit};
    int end = item == TM_ITEM_SAMPLE ? TM_SCREEN_AT_LIMIT : TM_SCREEN_CERTIFIED;
    for (int i = TM_SCREEN_STARTED; i <= end; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s%s",
                                 terminal_pick(t, looks[i].utf8, looks[i].ascii), meanings[i],
                                 words || end == TM_SCREEN_CERTIFIED ? "  " : " ");
    snprintf(text + used, sizeof text - used, "%s", words ? "below 1: ruled out" : "<1 no");
    terminal_put(t, at.row, at.col, at.cols, STYLE_DIM, text);
}

static void draw_list(screen_view *v, terminal *t, rect area)
{
    char text[96];
    size_t row;
    rect at;
    rect body = {area.row + 2, area.col + 1, area.rows - 3, area.cols - 2};
    snprintf(text, sizeof text, "%s: bounds of %zu %s", screen_view_strategy_of(v),
             v->replay.row_count, tm_item_plural(v->replay.item));
    terminal_box(t, area, text, false);
    terminal_box_foot(t, area,
                      v->replay.item == TM_ITEM_FEATURE ? "?: why  /: find  Enter: dual"
                                                        : "?: why  /: find");
    list_hide(&v->rows);
    if (body.rows <= 0)
        return;
    int bars = body.col + 2 + name_width(v) + action_width(body) + BOUND_WIDTH;
    int width = body.col + body.cols - bars;
    terminal_put(t, body.row - 1, body.col + 2, name_width(v), STYLE_BOLD,
                 tm_item_name(v->replay.item));
    terminal_put_right(t, body.row - 1, bars - BOUND_WIDTH, BOUND_WIDTH - 1, STYLE_BOLD, "bound");
    terminal_put(t, body.row - 1, bars, width, STYLE_DIM, "0");
    terminal_put(t, body.row - 1, bars + width / 2, width - width / 2, STYLE_BOLD, "1");
    terminal_put_right(t, body.row - 1, bars, width, STYLE_DIM, "2");
    if (body.rows >= LEGEND_FROM)
        draw_signs(v->replay.item, t, (rect){body.row + --body.rows, body.col, 1, body.cols});
    list_show(&v->rows, body, v->replay.row_count);
    for (int i = 0; list_row(&v->rows, i, &row, &at); i++)
        draw_item(v, t, at, &v->replay.rows[row], row == v->rows.chosen);
    if (v->replay.row_count == 0) {
        snprintf(text, sizeof text, "this step looked at no %s", tm_item_name(v->replay.item));
        terminal_put(t, body.row, body.col, body.cols, STYLE_DIM, text);
    }
}

/* ---- the picture --------------------------------------------------------------------------- */

/* Adds the number of items in a place after each step; x has room for `count` more values. */
static tm_status add_counts(screen_view *v, const char *name, replay_place place, double *x,
                            int colour, tm_error *err)
{
    const replay *r = &v->replay;
    for (size_t k = 0; k < r->count; k++)
        x[r->count + k] =
            place == PLACE_ACTIVE ? (double)r->steps[k].active : (double)r->after[k].at[place];
    return plot_figure_add(v->pane.figure,
                           &(plot_curve){name, PLOT_STEP, x, x + r->count, r->count, colour}, NULL,
                           err);
}

/* Plots the size of the active set and the numbers of certified items over the steps. */
static tm_status fill_steps(screen_view *v, tm_error *err)
{
    const replay *r = &v->replay;
    const tm_item_info *item = tm_item_find(r->item);
    bool samples = r->item == TM_ITEM_SAMPLE;
    char caption[64];
    double *x = malloc(2 * r->count * sizeof *x);
    if (!x)
        return tm_fail_memory(err, "the plot");
    for (size_t k = 0; k < r->count; k++)
        x[k] = (double)k + 1;
    plot_figure_clear(v->pane.figure);
    plot_figure_whole(v->pane.figure, true, true);
    plot_figure_equal(v->pane.figure, false);
    plot_figure_labels(v->pane.figure, "step", NULL);
    snprintf(caption, sizeof caption, "%s by step", item->plural);
    plot_figure_caption(v->pane.figure, caption, item->plural);
    plot_figure_log(v->pane.figure, false, false);
    plot_figure_xlim(v->pane.figure, 1, r->count > 1 ? (double)r->count : 2);
    plot_figure_ylim(v->pane.figure, 0, NAN);
    pane_set_cursor(&v->pane, (double)r->at + 1);
    tm_status status = add_counts(v, "worked on", PLACE_ACTIVE, x, 2, err);
    if (status == TM_OK)
        status = add_counts(v, samples ? item->at_zero : "out", PLACE_OUT, x, 1, err);
    if (status == TM_OK && samples)
        status = add_counts(v, item->at_limit, PLACE_LIMIT, x, 3, err);
    free(x);
    return status;
}

/* Fills the figure for a plot area of rows x cols cells; the size is needed to give both axes the
 * same scale. */
static tm_status fill(screen_view *v, size_t rows, size_t cols, tm_error *err)
{
    section cut;
    int high = (int)rows, wide = (int)cols;
    if (!v->planar && v->polygon.known)
        return polygon_fill(&v->polygon, screen_view_step_of(v), v->pane.figure, high, wide, err);
    if (!v->planar)
        return fill_steps(v, err);
    tm_status status = section_of(&cut, &v->replay, v->replay.at, v->feature, err);
    pane_set_cursor(&v->pane, NAN);
    if (status == TM_OK && cut.missing)
        return tm_fail(err, TM_EDATA, "%s", cut.missing);
    return status == TM_OK ? section_fill(&cut, v->pane.figure, high, wide, err) : status;
}

/* The space that the axes take is known only after drawing; then the figure is drawn again for the
 * remaining area. */
static tm_status draw_pane(screen_view *v, terminal *t, rect body, tm_error *err)
{
    const plot_frame *f = &v->pane.grid.frame;
    bool resized = v->pane.body.rows != body.rows || v->pane.body.cols != body.cols;
    if (v->drawn == v->replay.at && !resized)
        return pane_draw(&v->pane, t, body, err);
    bool scaled = v->planar || v->polygon.known;
    size_t rows = (size_t)body.rows, cols = (size_t)body.cols;
    tm_status status = TM_OK;
    for (int turn = 0; turn < (scaled ? 2 : 1) && status == TM_OK; turn++) {
        status = fill(v, rows, cols, err);
        v->pane.stale = true;
        if (status == TM_OK)
            status = pane_draw(&v->pane, t, body, err);
        if (f->rows == rows && f->cols == cols)
            break;
        rows = f->rows;
        cols = f->cols;
    }
    v->drawn = status == TM_OK ? v->replay.at : SIZE_MAX;
    return status;
}

/* Draws the numbers of a plane's picture; returns the number of rows used. */
static int draw_lines(const screen_view *v, terminal *t, rect body)
{
    section cut;
    tm_error err = TM_ERROR_INIT;
    char text[200];
    int each = body.cols < LINE_WIDTH ? 2 : 1, row = 0;
    if (section_of(&cut, &v->replay, v->replay.at, v->feature, &err) != TM_OK)
        return 0;
    for (int i = 0; i < SECTION_LINES && 2 * (row + each) <= body.rows; i++) {
        section_line(&cut, i, text, sizeof text);
        if (text[0] != '\0')
            row += wrap_draw(t, (rect){body.row + row, body.col, each, body.cols},
                             i == 0 ? STYLE_BOLD : STYLE_NORMAL, text);
    }
    return row;
}

/* The lambda slider for the mouse, from STUDY_LEAST times lambda_max to lambda_max. */
static void draw_slider(screen_view *v, terminal *t, rect line)
{
    char text[64];
    double lambda = study_lambda(v), most = tm_job_lambda_max(v->replay.job);
    bool solving = v->study != v->replay.job;
    snprintf(text, sizeof text, "lambda %.4g (%.3g max)%s", lambda, lambda / most,
             solving ? " ..." : "");
    terminal_put(t, line.row, line.col, SLIDER_WORDS, STYLE_NORMAL, text);
    v->slider = (rect){line.row, line.col + SLIDER_WORDS, 1, line.cols - SLIDER_WORDS};
    double share = 1 - log(lambda / most) / log(STUDY_LEAST);
    int at = (int)lround(fmin(fmax(share, 0), 1) * (v->slider.cols - 1));
    for (int k = 0; k < v->slider.cols; k++)
        terminal_put(t, line.row, v->slider.col + k, 1, k == at ? STYLE_BOLD : STYLE_DIM,
                     k == at ? terminal_pick(t, "●", "O") : terminal_pick(t, "─", "-"));
}

static bool has_slider(const screen_view *v, rect body)
{
    return body.rows >= SLIDER_FROM && body.cols > SLIDER_WORDS + 8 && study_lambda(v) > 0 &&
           tm_job_lambda_max(v->replay.job) > 0;
}

static void draw_title(const screen_view *v, terminal *t, rect area)
{
    char title[300], step[160], label[128], items[64];
    const tm_screen_record record = {.feature = (uint32_t)v->feature};
    step_title(v, step, sizeof step);
    snprintf(items, sizeof items, "%s by step", tm_item_plural(v->replay.item));
    if (v->planar)
        snprintf(title, sizeof title, "%.60s in %s",
                 replay_label(&v->replay, &record, label, sizeof label), step);
    else
        snprintf(title, sizeof title, "%s",
                 v->zoomed          ? step
                 : v->polygon.known ? "the dual: two samples"
                                    : items);
    terminal_box(t, area, title, v->in_plot);
}

static void draw_picture(screen_view *v, terminal *t, rect area)
{
    tm_error err = TM_ERROR_INIT;
    rect body = rect_inside(area);
    if (body.rows <= 0 || body.cols <= 0) {
        pane_hide(&v->pane);
        return;
    }
    draw_title(v, t, area);
    if ((v->planar || v->polygon.known) && has_slider(v, body)) {
        body.rows--;
        draw_slider(v, t, (rect){body.row + body.rows, body.col, 1, body.cols});
    }
    if (v->planar && body.rows >= LINES_FROM) {
        int lines = draw_lines(v, t, body);
        body.row += lines;
        body.rows -= lines;
    }
    if (draw_pane(v, t, body, &err) != TM_OK) {
        pane_hide(&v->pane);
        wrap_draw(t, body, STYLE_DIM, err.message);
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

static const char *waiting_text(const screen_view *v)
{
    if (!v->source)
        return "no run yet: the explore view and scripts make some";
    if (!v->replay.job) {
        return v->study && tm_job_ended(v->study) ? "this run cannot be solved again"
                                                  : "solving again, with a log ...";
    }
    return "this method leaves no screen log";
}

/* Without steps. */
static void draw_nothing(const screen_view *v, terminal *t, rect area)
{
    char text[400];
    if (!timeline_elsewhere(app_session(v->app), "steps of its screening", text, sizeof text))
        snprintf(text, sizeof text, "%s", waiting_text(v));
    terminal_box(t, area, "screen", false);
    wrap_draw(t, (rect){area.row + area.rows / 2, area.col + 2, area.rows / 2 - 1, area.cols - 4},
              STYLE_DIM, text);
}

void screen_view_draw(void *state, app *a, terminal *t, rect area)
{
    screen_view *v = state;
    (void)a;
    list_hide(&v->rows);
    v->slider = (rect){0, 0, 0, 0};
    if (!v->source || v->replay.count == 0) {
        pane_hide(&v->pane);
        draw_nothing(v, t, area);
        return;
    }
    if (v->zoomed || (v->planar && area.cols < WIDE_MIN)) {
        draw_picture(v, t, area);
        return;
    }
    int most =
        FACT_ROWS + 1 + (v->replay.item == TM_ITEM_SAMPLE); /* two numbers of certified ones */
    if (area.cols < LIST_MIN + SIDE_MIN) {
        pane_hide(&v->pane);
        int facts = area.rows >= most + 7 ? most : 0;
        if (facts > 0)
            draw_facts(v, t, (rect){area.row, area.col, facts, area.cols});
        draw_list(v, t, (rect){area.row + facts, area.col, area.rows - facts, area.cols});
        return;
    }
    int side = area.cols * 45 / 100 > SIDE_MIN ? area.cols * 45 / 100 : SIDE_MIN;
    int facts = area.rows > most + 5 ? most : area.rows;
    int left = area.cols - side;
    draw_list(v, t, (rect){area.row, area.col, area.rows, left});
    if (v->planar && facts == area.rows)
        facts = 0;
    if (facts > 0)
        draw_facts(v, t, (rect){area.row, area.col + left, facts, side});
    draw_picture(v, t, (rect){area.row + facts, area.col + left, area.rows - facts, side});
}
