/* The frame around the views: header, tabs, messages, the prompt. */
#include "tui/frame.h"
#include "tui/shell/scrub.h"

#include "tui/shell/paging.h"
#include "tui/terminal/cells.h"
#include "tui/terminal/wrap.h"
#include "tui/widgets/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The smallest screen that has room for a view. */
enum { ROWS_MIN = 8, COLS_MIN = 30 };

static void draw_too_small(app *a)
{
    char message[64];
    int rows = terminal_rows(a->terminal), cols = terminal_cols(a->terminal);
    snprintf(message, sizeof message, "too small: %dx%d, %dx%d needed", cols, rows, COLS_MIN,
             ROWS_MIN);
    static const char *const shorter[] = {"too small", "small", "!"};
    const char *text = message;
    for (size_t i = 0; i < sizeof shorter / sizeof shorter[0] && (int)strlen(text) > cols; i++)
        text = shorter[i];
    terminal_put(a->terminal, rows / 2, 0, cols, STYLE_BOLD, text);
    terminal_cursor(a->terminal, -1, 0);
}

/* The names of the classes and their sizes; with more than two classes, which one is explored. */
static void class_text(const tm_dataset *data, const class_choice *classes, char *buffer,
                       size_t size)
{
    size_t n = tm_dataset_rows(data), positive = 0;
    const double *y = tm_dataset_y(data);
    buffer[0] = '\0';
    if (classes->all.count > 0 && !classes->label)
        snprintf(buffer, size, "  %zu classes?", classes->all.count);
    else if (classes->all.count > 0)
        snprintf(buffer, size, "  class %.20s of %zu", classes->label, classes->all.count);
    if (classes->all.count > 0 || !tm_dataset_is_binary(data))
        return;
    for (size_t i = 0; i < n; i++)
        positive += y[i] > 0 ? 1 : 0;
    const char *minus = tm_dataset_label(data, -1), *plus = tm_dataset_label(data, 1);
    snprintf(buffer, size, "  %.16s:%zu %.16s:%zu", minus ? minus : "-1", n - positive,
             plus ? plus : "+1", positive);
}

/* Facts about the data, in pieces; where there is no room, the last ones are left out first. */
static void header_data(app *a, int width, char *buffer, size_t size)
{
    const tm_dataset *data = a->session->data.all;
    char pieces[4][80] = {" tamis"};
    size_t used = 0;
    if (data) {
        bool several = a->session->data.classes.all.count > 0;
        snprintf(pieces[1], sizeof pieces[1], "  %.*s", several ? 20 : 40, tm_dataset_name(data));
        snprintf(pieces[2], sizeof pieces[2], "  %zux%zu %s", tm_dataset_rows(data),
                 tm_dataset_cols(data), tm_matrix_kind(tm_dataset_x(data)));
        /* With more than two classes, this comes first: the data could be misunderstood
         * otherwise. */
        if (several)
            memcpy(pieces[3], pieces[2], sizeof pieces[3]);
        class_text(data, &a->session->data.classes, pieces[several ? 2 : 3], sizeof pieces[3]);
    }
    buffer[0] = '\0';
    for (int i = 0; i < 4; i++) {
        int used_cols = cells_width(buffer, true) + cells_width(pieces[i], true);
        if (used_cols > width)
            return;
        used += (size_t)snprintf(buffer + used, size - used, "%s", pieces[i]);
    }
}

/* The gap of the form's answer, or of the solve in progress. */
static void header_gap(const explore_runs *e, char *buffer, size_t size)
{
    const tm_point *answer = explore_runs_answer(e);
    explore_stage stage = explore_runs_stage(e);
    double gap = stage == EXPLORE_ANSWERED && answer ? answer->solution.gap : explore_runs_gap(e);
    if (stage == EXPLORE_FAILED)
        snprintf(buffer, size, "  no answer");
    else if (stage == EXPLORE_ANSWERED && answer)
        snprintf(buffer, size, "  gap %.1e", gap);
    else if (stage != EXPLORE_ANSWERED && isfinite(gap))
        snprintf(buffer, size, "  %s, gap %.1e", explore_stage_name(stage), gap);
    else if (stage != EXPLORE_ANSWERED)
        snprintf(buffer, size, "  %s", explore_stage_name(stage));
}

static bool is_paused(const tm_job *job)
{
    return job && tm_job_get_state(job) == TM_JOB_PAUSED;
}

static size_t paused_runs(const session *s, const explore_runs *e)
{
    size_t count = (size_t)is_paused(e->solve) + (size_t)is_paused(e->path);
    for (size_t i = 0; i < s->runs.count; i++)
        count += is_paused(s->runs.at[i].job);
    return count;
}

/* Runs and the answer, in pieces; where there is no room, the least important ones are left out
 * first. */
static void header_runs(app *a, int cols, char *buffer, size_t size)
{
    enum { RUNNING, PAUSED, DONE, FAILED, WAITING, SCRIPT, SWEEPS, GAP, HELP, PIECES };
    static const int dispensable[] = {DONE, HELP, WAITING, FAILED, GAP};
    size_t queued, running, ended, more_queued, more_running, more_ended;
    char sweeps[96];
    tm_pool_counts(a->session->pools.script, &queued, &running, &ended);
    tm_pool_counts(a->session->pools.explore, &more_queued, &more_running, &more_ended);
    size_t failed =
        tm_pool_failed(a->session->pools.script) + tm_pool_failed(a->session->pools.explore);
    char pieces[PIECES][104] = {[HELP] = "  ?:help"};
    size_t paused = paused_runs(a->session, &a->explore_runs);
    running = running + more_running > paused ? running + more_running - paused : 0;
    snprintf(pieces[RUNNING], sizeof pieces[0], "%zu running", running);
    if (paused > 0)
        snprintf(pieces[PAUSED], sizeof pieces[0], " %zu PAUSED", paused);
    snprintf(pieces[DONE], sizeof pieces[0], " %zu done", ended + more_ended - failed);
    if (failed > 0)
        snprintf(pieces[FAILED], sizeof pieces[0], " %zu failed", failed);
    if (queued + more_queued > 0)
        snprintf(pieces[WAITING], sizeof pieces[0], " %zu waiting", queued + more_queued);
    if (script_busy(a->session->script))
        snprintf(pieces[SCRIPT], sizeof pieces[0], "  script");
    if (script_sweeps(a->session->script, sweeps, sizeof sweeps) > 0) {
        snprintf(pieces[SWEEPS], sizeof pieces[0], "  %s", sweeps);
        app_wake(a, 0.5); /* sweeps do not notify about their progress */
    }
    header_gap(&a->explore_runs, pieces[GAP], sizeof pieces[0]);
    for (size_t left = 0; left <= sizeof dispensable / sizeof dispensable[0]; left++) {
        size_t used = 0;
        for (int i = 0; i < PIECES; i++)
            used += (size_t)snprintf(buffer + used, size - used, "%s", pieces[i]);
        snprintf(buffer + used, size - used, " ");
        if ((int)used + 1 + (int)sizeof " tamis" <= cols ||
            left == sizeof dispensable / sizeof dispensable[0])
            return;
        pieces[dispensable[left]][0] = '\0';
    }
}

static void draw_header(app *a)
{
    char left[160], right[256];
    int cols = terminal_cols(a->terminal);
    /* On a narrow screen, the pieces that change are kept and constant ones are left out. */
    header_runs(a, cols, right, sizeof right);
    int width = (int)strlen(right);
    int left_cols = cols - width > 7 ? cols - width : 7;
    header_data(a, left_cols - 1, left, sizeof left);
    terminal_put_padded(a->terminal, 0, 0, cols, STYLE_BAR, "");
    terminal_put(a->terminal, 0, 0, left_cols - 1, STYLE_BAR, left);
    terminal_put_right(a->terminal, 0, left_cols, cols - left_cols, STYLE_BAR, right);
}

/* What keys do in the present mode; NULL: the view's own keys apply. */
static const char *mode_text(const app *a)
{
    if (a->palette)
        return NULL;
    if (a->question.confirm.open)
        return "y: yes  n: no";
    if (prompt_asking(a->prompt))
        return "Enter takes it, Esc leaves all as it was";
    if (a->typing)
        return "Enter runs it, Tab completes, Esc leaves";
    return app_context(a) == CONTEXT_PLOT ? "plot: arrows  +- zoom  e saves  ? all  Esc: back"
                                          : NULL;
}

/* If there is no room for all names beside a message or the help on keys, the tabs of the other
 * views show only their numbers. The tab of the lessons is always its key alone: with its name, the
 * others would not fit in 80 columns. */
int frame_tab_text(const app *a, int view, char *buffer, size_t size)
{
    const char *beside = a->message.text[0] != '\0' ? a->message.text : mode_text(a);
    int all = 1 + (beside ? cells_width(beside, terminal_utf8(a->terminal)) + 2 : 0);
    bool shown = view == (int)a->layout.view;
    for (int i = 0; i < VIEW_COUNT; i++) {
        bool key_alone = i == VIEW_LESSONS && i != (int)a->layout.view;
        all += key_alone ? 2 : (int)strlen(view_infos[i].name) + 3;
    }
    bool named = shown || (all <= terminal_cols(a->terminal) && view != VIEW_LESSONS);
    return named ? snprintf(buffer, size, "%c:%s", view_infos[view].key, view_infos[view].name)
                 : snprintf(buffer, size, "%c", view_infos[view].key);
}

static void hint_text(app *a, char *out, size_t size)
{
    const char *mode = mode_text(a);
    snprintf(out, size, "%s", mode ? mode : "");
    if (!mode && a->views[a->layout.view]->hint)
        a->views[a->layout.view]->hint(a->states[a->layout.view], a, out, size);
}

/* The columns that are left beside the tabs for a message or a hint. */
static int beside_tabs(const app *a)
{
    char text[TM_ERROR_MAX];
    int left = terminal_cols(a->terminal) - 2;
    for (int i = 0; i < VIEW_COUNT; i++)
        left -= frame_tab_text(a, i, text, sizeof text) + 1;
    return left;
}

static bool hint_fits(app *a)
{
    char text[TM_ERROR_MAX];
    hint_text(a, text, sizeof text);
    return cells_width(text, terminal_utf8(a->terminal)) <= beside_tabs(a);
}

static void draw_tabs(app *a, int row)
{
    char text[TM_ERROR_MAX];
    int col = 1, cols = terminal_cols(a->terminal);
    for (int i = 0; i < VIEW_COUNT; i++) {
        frame_tab_text(a, i, text, sizeof text);
        terminal_style style = i == (int)a->layout.view   ? STYLE_SELECTED
                               : app_shown(a, (view_id)i) ? STYLE_BOLD
                                                          : STYLE_NORMAL;
        col += terminal_put(a->terminal, row, col, cols - col, style, text) + 1;
    }
    if (a->message.text[0] != '\0') {
        terminal_put(a->terminal, row, col + 1, cols - col - 1, a->message.style, a->message.text);
    } else if (hint_fits(a)) {
        hint_text(a, text, sizeof text);
        terminal_put(a->terminal, row, col + 1, cols - col - 1, STYLE_DIM, text);
    }
}

/* A hint that does not fit beside the tabs is shown in the prompt's line while that is empty. */
static void draw_hint_below(app *a, int row)
{
    enum { BEHIND_LABEL = 6 };
    char text[TM_ERROR_MAX];
    if (a->typing || !prompt_empty(a->prompt) || a->message.text[0] != '\0' || hint_fits(a))
        return;
    hint_text(a, text, sizeof text);
    terminal_put(a->terminal, row, BEHIND_LABEL, terminal_cols(a->terminal) - BEHIND_LABEL,
                 STYLE_DIM, text);
}

/* A message that does not fit beside the tabs gets rows of its own. */
static int message_rows(const app *a)
{
    int cols = terminal_cols(a->terminal);
    bool utf8 = terminal_utf8(a->terminal);
    return a->message.text[0] != '\0' && cells_width(a->message.text, utf8) > beside_tabs(a)
               ? wrap_rows(a->message.text, strlen(a->message.text), cols - 2, utf8)
               : 0;
}

static void draw_message(app *a, int row, int rows)
{
    terminal_erase(a->terminal, (rect){row, 0, rows, terminal_cols(a->terminal)});
    wrap_draw(a->terminal, (rect){row, 1, rows, terminal_cols(a->terminal) - 2}, a->message.style,
              a->message.text);
}

/* Shows two views if there is room for both, otherwise the one with the focus. */
static void share_area(app *a, rect area)
{
    rect first = area, second = area;
    bool both = false;
    if (a->layout.split == SPLIT_BESIDE) {
        first.cols = area.cols / 2;
        second.cols = area.cols - first.cols;
        second.col = area.col + first.cols;
        both = first.cols >= COLS_MIN;
    } else if (a->layout.split == SPLIT_BELOW) {
        first.rows = area.rows / 2;
        second.rows = area.rows - first.rows;
        second.row = area.row + first.rows;
        both = first.rows >= ROWS_MIN;
    }
    a->layout.area = !both ? area : a->layout.second ? second : first;
    a->layout.other_area = !both ? (rect){0, 0, 0, 0} : a->layout.second ? first : second;
}

/* The progress of loading, while other data are explored. */
static void draw_loading(const app *a, rect line)
{
    enum { TRACK_MIN = 12 };
    terminal *t = a->terminal;
    char text[160] = "";
    if (line.rows == 0)
        return;
    double share = session_loading(a->session, text, sizeof text);
    int col = 1 + terminal_put(t, line.row, 1, line.cols - 1, STYLE_BOLD, text) + 2;
    const char *hint = "Ctrl-C stops it";
    int track = line.cols - col - (int)strlen(hint) - 3;
    bool bar = share >= 0 && track >= TRACK_MIN;
    for (int i = 0; bar && i < track; i++)
        terminal_put(t, line.row, col + i, 1, i < share * track ? STYLE_BOLD : STYLE_DIM,
                     i < share * track ? terminal_pick(t, "━", "=") : terminal_pick(t, "─", "-"));
    col += bar ? track + 2 : 0;
    terminal_put(t, line.row, col, line.cols - col, STYLE_DIM, hint);
}

/* Spends at most `work` on scores; the rest is computed in later frames. */
static void compose(app *a, size_t work)
{
    terminal *t = a->terminal;
    scores_begin(a->session->chosen.scores, work);
    int rows = terminal_rows(t), cols = terminal_cols(t);
    terminal_erase(t, (rect){0, 0, rows, cols});
    terminal_cursor(t, -1, 0);
    if (rows < ROWS_MIN || cols < COLS_MIN) {
        draw_too_small(a);
        return;
    }
    int lines = prompt_rows(a->prompt, t, rows / 2);
    int message = message_rows(a);
    int time = rows > 2 * ROWS_MIN ? scrub_rows(a) : 0;
    int loading = rows > 2 * ROWS_MIN && a->session->data.loader && a->session->data.all ? 1 : 0;
    int tabs = rows - 1 - lines;
    rect area = {1, 0, tabs - 1 - time - loading, cols};
    terminal_cursor(t, -1, 0);
    draw_header(a);
    share_area(a, area);
    if (a->layout.other_area.rows > 0)
        a->views[a->layout.other]->draw(a->states[a->layout.other], a, t, a->layout.other_area);
    a->views[a->layout.view]->draw(a->states[a->layout.view], a, t, a->layout.area);
    paging_draw(a, area);
    draw_loading(a, (rect){tabs - time - loading, 0, loading, cols});
    scrub_draw(a, (rect){tabs - time, 0, time, cols});
    draw_tabs(a, tabs);
    if (a->palette)
        palette_draw(a->palette, t, area);
    if (message > 0)
        draw_message(a, rows - 1 - lines - message + 1, message);
    prompt_draw(a->prompt, t, (rect){rows - lines, 0, lines, cols}, a->typing);
    draw_hint_below(a, rows - 1);
}

void frame_draw(app *a)
{
    enum { SCORE_WORK = 4000000 }; /* multiplications and comparisons: a few milliseconds */
    compose(a, SCORE_WORK);
    a->due.changed = a->session->chosen.scores->waiting;
    terminal_flush(a->terminal);
}

tm_status frame_text(app *a, view_id view, bool alone, char **out, tm_error *err)
{
    view_id kept = a->layout.view;
    int split = a->layout.split;
    if (alone) {
        a->layout.view = view;
        a->layout.split = SPLIT_NONE;
        a->views[view]->update(a->states[view], a, 0);
    }
    compose(a, SIZE_MAX);
    tm_status status = terminal_text(a->terminal, out, err);
    a->layout.view = kept;
    a->layout.split = split;
    a->due.changed = true; /* the next frame shows the whole screen again */
    return status;
}
