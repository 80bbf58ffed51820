#include "tui/app.h"

#include "tamis/tamis.h"
#include "tui/commands.h"
#include "tui/help.h"
#include "tui/luaview.h"
#include "tui/tty.h"
#include "tui/tui.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUEUE_SIZE = 8192, ROWS_MIN = 8, COLS_MIN = 30, PRINT_COLUMNS_MAX = 100 };

/* Frames: at most 30 a second, and progress may use about a hundredth of the thread's time,
 * whatever a frame costs on this machine. */
static const double frame_seconds = 1.0 / 30.0;
static const double frame_share = 100.0;
/* Esc alone is a key when nothing has followed for so long. */
static const double escape_seconds = 0.04;

static const view_ops *const views[VIEW_COUNT] = {
    [VIEW_EXPLORE] = &explore_view,
    [VIEW_RUNS] = &runs_view,
    [VIEW_PLOTS] = &plots_view,
    [VIEW_LUA] = &lua_view,
};

struct app {
    term_device term;
    screen *screen;
    keyboard *keyboard;
    prompt *prompt;
    session *session;
    explorer explorer;
    void *states[VIEW_COUNT];
    view_id view;
    bool typing; /* keys go to the prompt */
    bool help;
    int help_top, help_lines;
    char message[TM_ERROR_MAX];
    scr_style message_style;
    bool tail; /* output shown over another view, from line tail_from on */
    uint64_t tail_from;
    unsigned generation; /* of the data that the explorer has */

    char queue[QUEUE_SIZE]; /* bytes typed, not yet decoded */
    size_t queued;
    double queued_at;
    bool changed; /* something is to be drawn for the user's own doing */
    bool news;    /* other threads have news */
    double last_frame, frame_cost;
    bool quit_asked; /* the last key was one that quits */
    bool ending;
    int status;
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what views ask for -------------------------------------------------------------------- */

session *app_session(app *a)
{
    return a->session;
}

explorer *app_explorer(app *a)
{
    return &a->explorer;
}

screen *app_screen(app *a)
{
    return a->screen;
}

void app_message(app *a, scr_style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->message, sizeof a->message, format, arguments);
    va_end(arguments);
    a->message_style = style;
    a->changed = true;
}

void app_error(app *a, const tm_error *err)
{
    if (err->code != TM_OK) {
        app_message(a, STYLE_ERROR, "%s", err->message);
    }
}

static void start_typing(app *a)
{
    a->typing = true;
    a->changed = true;
    scr_prompt_mode(a->screen, true);
}

static void stop_typing(app *a)
{
    prompt_give_up(a->prompt);
    prompt_close_list(a->prompt);
    a->typing = false;
    a->changed = true;
    scr_prompt_mode(a->screen, false);
}

/* A question is asked from the view, and answered into the view. */
void app_ask(app *a, const char *label, const char *initial,
             void (*done)(const char *text, void *payload), void *payload)
{
    prompt_ask(a->prompt, label, initial, done, payload);
    start_typing(a);
}

void app_changed(app *a)
{
    a->changed = true;
}

void app_show(app *a, view_id view)
{
    a->view = view;
    a->help = false;
    a->changed = true;
    if (view == VIEW_LUA) {
        a->tail = false;
    }
}

void app_help(app *a)
{
    a->help = !a->help;
    a->help_top = 0;
    a->changed = true;
}

void app_quit(app *a)
{
    a->ending = true;
}

/* ---- the prompt's hooks -------------------------------------------------------------------- */

static void accept_chunk(const char *text, void *payload)
{
    app *a = payload;
    tm_error err = TM_ERROR_INIT;
    bool colon = text[0] == ':' && text[1] != ':';
    a->message[0] = '\0';
    if (colon && command_run(a, text)) {
        return;
    }
    if (!a->tail) {
        a->tail_from = scrollback_end(a->session->text);
        a->tail = a->view != VIEW_LUA;
    }
    session_submit(a->session, colon ? text + 1 : text, &err);
    app_error(a, &err);
    a->news = true;
}

static char **complete(const char *text, size_t cursor, size_t *start, void *payload)
{
    app *a = payload;
    if (text[0] == ':' && text[1] != ':') {
        return command_complete(text, cursor, start);
    }
    return script_complete(a->session->script, text, cursor, start);
}

static bool incomplete(const char *text)
{
    return text[0] != ':' && script_incomplete(text);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void draw_too_small(app *a)
{
    char message[64];
    int rows = scr_rows(a->screen), cols = scr_cols(a->screen);
    snprintf(message, sizeof message, "too small: %dx%d, %dx%d needed", cols, rows, COLS_MIN,
             ROWS_MIN);
    static const char *const shorter[] = {"too small", "small", "!"};
    const char *text = message;
    for (size_t i = 0; i < sizeof shorter / sizeof shorter[0] && (int)strlen(text) > cols; i++) {
        text = shorter[i];
    }
    scr_put(a->screen, rows / 2, 0, cols, STYLE_BOLD, text);
    scr_cursor(a->screen, -1, 0);
}

/* What the classes are called and how many of each there are. */
static void class_text(const tm_dataset *data, char *buffer, size_t size)
{
    size_t n = tm_dataset_rows(data), positive = 0;
    const double *y = tm_dataset_y(data);
    buffer[0] = '\0';
    if (!tm_dataset_is_binary(data)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        positive += y[i] > 0 ? 1 : 0;
    }
    const char *minus = tm_dataset_label(data, -1), *plus = tm_dataset_label(data, 1);
    snprintf(buffer, size, "  %.16s:%zu %.16s:%zu", minus != NULL ? minus : "-1", n - positive,
             plus != NULL ? plus : "+1", positive);
}

static void header_data(app *a, char *buffer, size_t size)
{
    const tm_dataset *data = a->session->data;
    char classes[80];
    if (data == NULL) {
        snprintf(buffer, size, " tamis");
        return;
    }
    class_text(data, classes, sizeof classes);
    snprintf(buffer, size, " tamis  %.40s  %zux%zu %s%s", tm_dataset_name(data),
             tm_dataset_rows(data), tm_dataset_cols(data), tm_matrix_kind(tm_dataset_x(data)),
             classes);
}

static void header_runs(app *a, char *buffer, size_t size)
{
    size_t queued, running, ended, more_queued, more_running, more_ended;
    tm_pool_counts(a->session->pool, &queued, &running, &ended);
    tm_pool_counts(a->session->bench, &more_queued, &more_running, &more_ended);
    const tm_point *answer = explorer_answer(&a->explorer);
    int used =
        snprintf(buffer, size, "%zu running %zu done", running + more_running, ended + more_ended);
    if (queued + more_queued > 0) {
        used += snprintf(buffer + used, size - (size_t)used, " %zu waiting", queued + more_queued);
    }
    if (script_busy(a->session->script)) {
        used += snprintf(buffer + used, size - (size_t)used, "  script");
    }
    if (answer != NULL) {
        used += snprintf(buffer + used, size - (size_t)used, "  gap %.1e", answer->solution.gap);
    }
    snprintf(buffer + used, size - (size_t)used, "  ?:help ");
}

static void draw_header(app *a)
{
    char left[160], right[160];
    int cols = scr_cols(a->screen);
    header_data(a, left, sizeof left);
    header_runs(a, right, sizeof right);
    /* On a narrow screen what moves is kept, and what is known already is cut. */
    int width = (int)strlen(right);
    int room = cols - width > 7 ? cols - width : 7;
    scr_put_padded(a->screen, 0, 0, cols, STYLE_BAR, "");
    scr_put(a->screen, 0, 0, room - 1, STYLE_BAR, left);
    scr_put_right(a->screen, 0, room, cols - room, STYLE_BAR, right);
}

static void draw_tabs(app *a, int row)
{
    char text[TM_ERROR_MAX];
    int col = 1, cols = scr_cols(a->screen);
    for (int i = 0; i < VIEW_COUNT; i++) {
        snprintf(text, sizeof text, "%d:%s", i + 1, views[i]->name);
        scr_style style = i == (int)a->view ? STYLE_SELECTED : STYLE_NORMAL;
        col += scr_put(a->screen, row, col, cols - col, style, text) + 1;
    }
    text[0] = '\0';
    scr_style style = STYLE_DIM;
    if (a->message[0] != '\0') {
        snprintf(text, sizeof text, "%s", a->message);
        style = a->message_style;
    } else if (views[a->view]->hint != NULL) {
        views[a->view]->hint(a->states[a->view], a, text, sizeof text);
    }
    scr_put(a->screen, row, col + 1, cols - col - 1, style, text);
}

/* A message that does not fit beside the tabs gets rows of its own. */
static int message_rows(const app *a)
{
    int cols = scr_cols(a->screen);
    int room = cols - 34;
    int length = (int)strlen(a->message);
    return length > room && cols > 0 ? (length + cols - 3) / (cols - 2) : 0;
}

static void draw_message(app *a, int row, int rows)
{
    int width = scr_cols(a->screen) - 2;
    const char *text = a->message;
    scr_erase(a->screen, (rect){row, 0, rows, scr_cols(a->screen)});
    for (int i = 0; i < rows && text[0] != '\0'; i++) {
        size_t part = strlen(text) < (size_t)width ? strlen(text) : (size_t)width;
        scr_put_bytes(a->screen, row + i, 1, width, a->message_style, text, part);
        text += part;
    }
}

static void draw_tail(app *a, rect area)
{
    const scrollback *text = a->session->text;
    int rows = lua_tail_rows(text, a->screen, a->tail_from, area.rows / 3);
    if (!a->tail || rows <= 0) {
        return;
    }
    rect tail = {area.row + area.rows - rows, area.col, rows, area.cols};
    for (int col = 0; col < area.cols; col++) {
        scr_put(a->screen, tail.row - 1, col, 1, STYLE_BORDER, scr_pick(a->screen, "─", "-"));
    }
    scr_put(a->screen, tail.row - 1, area.col + 2, area.cols - 4, STYLE_DIM,
            " output: Esc closes it, 4 shows all ");
    lua_tail_draw(text, a->screen, tail, a->tail_from);
}

static void draw(app *a)
{
    screen *s = a->screen;
    int rows = scr_rows(s), cols = scr_cols(s);
    scr_erase(s, (rect){0, 0, rows, cols});
    scr_cursor(s, -1, 0);
    if (rows < ROWS_MIN || cols < COLS_MIN) {
        draw_too_small(a);
        scr_flush(s);
        return;
    }
    int lines = prompt_rows(a->prompt, s, rows / 2);
    int message = message_rows(a);
    rect area = {1, 0, rows - 2 - lines, cols};
    draw_header(a);
    views[a->view]->draw(a->states[a->view], a, s, area);
    draw_tail(a, area);
    if (a->help) {
        a->help_lines = help_draw(s, area, a->view, views[a->view]->name, a->help_top);
    }
    draw_tabs(a, rows - 1 - lines);
    if (message > 0) {
        draw_message(a, rows - 1 - lines - message + 1, message);
    }
    prompt_draw(a->prompt, s, (rect){rows - lines, 0, lines, cols}, a->typing);
    scr_flush(s);
}

/* ---- requests ------------------------------------------------------------------------------ */

static void interrupt(app *a)
{
    if (prompt_asking(a->prompt)) {
        stop_typing(a);
        return;
    }
    bool searching = prompt_searching(a->prompt);
    bool stopped = !searching && session_interrupt(a->session);
    stopped = (!searching && explorer_cancel(&a->explorer)) || stopped;
    if (stopped) {
        app_message(a, STYLE_WARN, "stopped");
    } else if (a->typing && !prompt_empty(a->prompt)) {
        prompt_clear(a->prompt);
    } else {
        app_message(a, STYLE_NORMAL, "nothing is running; q (at the prompt :q) quits");
    }
    a->news = true;
}

/* A key pressed by mistake must not end a script that has run all night: then it takes two. */
static void quit_once_sure(app *a)
{
    bool working = script_busy(a->session->script) || session_runs_left(a->session) > 0;
    if (!working || a->quit_asked) {
        app_quit(a);
        return;
    }
    a->quit_asked = true;
    app_message(a, STYLE_WARN, "the script is still at work: once more quits, Ctrl-C stops it");
}

static void suspend(app *a)
{
    scr_leave(a->screen);
    term_stop(&a->term);
    scr_enter(a->screen);
    a->changed = true;
}

static void close_open(app *a)
{
    a->help = false;
    a->tail = false;
}

static void type_text(app *a, const char *text, size_t length)
{
    start_typing(a);
    prompt_feed(a->prompt, text, length);
}

/* Requests that no view answers. */
static void general_request(app *a, int request)
{
    if (request >= REQ_VIEW && request <= REQ_VIEW_LAST) {
        app_show(a, (view_id)(request - REQ_VIEW));
        return;
    }
    switch (request) {
    case REQ_QUIT:
        quit_once_sure(a);
        break;
    case REQ_HELP:
        app_help(a);
        break;
    case REQ_PROMPT:
        start_typing(a);
        break;
    case REQ_SEARCH:
        type_text(a, "\022", 1);
        break;
    case REQ_COMMAND:
        if (prompt_empty(a->prompt)) {
            type_text(a, ":", 1);
        } else {
            start_typing(a);
        }
        break;
    case REQ_INTERRUPT:
        interrupt(a);
        break;
    case REQ_SUSPEND:
        suspend(a);
        break;
    case REQ_REPAINT:
        scr_repaint(a->screen);
        break;
    case REQ_VIEW_NEXT:
        app_show(a, (view_id)((a->view + 1) % VIEW_COUNT));
        break;
    case REQ_VIEW_PREVIOUS:
        app_show(a, (view_id)((a->view + VIEW_COUNT - 1) % VIEW_COUNT));
        break;
    default:
        break;
    }
}

/* The help page scrolls; any other key closes it. */
static bool help_request(app *a, int request)
{
    int page = scr_rows(a->screen) / 2;
    int by = request == REQ_UP          ? -1
             : request == REQ_DOWN      ? 1
             : request == REQ_PAGE_UP   ? -page
             : request == REQ_PAGE_DOWN ? page
                                        : 0;
    if (by == 0) {
        a->help = false;
        return request != REQ_INTERRUPT && request != REQ_SUSPEND && request != REQ_REPAINT;
    }
    int most = a->help_lines - (scr_rows(a->screen) - 5);
    a->help_top += by;
    a->help_top = a->help_top > most ? most : a->help_top;
    a->help_top = a->help_top < 0 ? 0 : a->help_top;
    return true;
}

static bool tab_clicked(app *a, const key_event *key)
{
    int lines = prompt_rows(a->prompt, a->screen, scr_rows(a->screen) / 2);
    int col = 1;
    if (key->row >= scr_rows(a->screen) - lines) {
        start_typing(a);
        return true;
    }
    if (key->row != scr_rows(a->screen) - 1 - lines) {
        return false;
    }
    for (int i = 0; i < VIEW_COUNT; i++) {
        int width = (int)strlen(views[i]->name) + 2;
        if (key->col >= col && key->col < col + width) {
            app_show(a, (view_id)i);
        }
        col += width + 1;
    }
    return true;
}

static void view_key(app *a, const key_event *key, const char *bytes, size_t length)
{
    const key_row *row = keys_find(a->view, key->code);
    int request = row != NULL ? row->request : REQ_NONE;
    a->message[0] = '\0';
    if (a->help && help_request(a, request)) {
        return;
    }
    if (request == REQ_NONE) {
        if (key->code >= ' ' && key->code != TK_BACKSPACE && key->code < KEYS_BASE) {
            type_text(a, bytes, length);
        }
        return;
    }
    if (request == REQ_CLICK && tab_clicked(a, key)) {
        return;
    }
    if (request == REQ_BACK && (a->tail || a->help)) {
        close_open(a);
        return;
    }
    if (!views[a->view]->request(a->states[a->view], a, request, key)) {
        general_request(a, request);
    }
}

/* Esc and Ctrl-G: out of the list, the search, the question, the prompt, in this order. */
static void prompt_back(app *a, const char *bytes, size_t length, bool escape)
{
    if (prompt_close_list(a->prompt)) {
        return;
    }
    bool readlines = escape ? prompt_wants_escape(a->prompt) : prompt_searching(a->prompt);
    if (readlines) {
        prompt_feed(a->prompt, bytes, length);
    } else {
        close_open(a);
        stop_typing(a);
    }
}

static void prompt_key_event(app *a, const key_event *key, const char *bytes, size_t length)
{
    bool question = prompt_asking(a->prompt);
    switch (key->code) {
    case 3:
        interrupt(a);
        return;
    case 4:
        if (prompt_empty(a->prompt) && !question) {
            quit_once_sure(a);
            return;
        }
        break;
    case 7:
    case TK_ESC:
        prompt_back(a, bytes, length, key->code == TK_ESC);
        return;
    case 12:
        scr_repaint(a->screen);
        return;
    case 26:
        suspend(a);
        return;
    case TK_F1:
        app_help(a);
        return;
    case TK_PAGE_UP:
    case TK_PAGE_DOWN:
        views[a->view]->request(a->states[a->view], a,
                                key->code == TK_PAGE_UP ? REQ_PAGE_UP : REQ_PAGE_DOWN, key);
        return;
    case TK_CLICK:
    case TK_WHEEL_UP:
    case TK_WHEEL_DOWN:
        return;
    default:
        break;
    }
    prompt_feed(a->prompt, bytes, length);
    /* An answered question gives the keys back to the view it came from. */
    if (question && !prompt_asking(a->prompt)) {
        stop_typing(a);
    }
}

/* ---- events -------------------------------------------------------------------------------- */

static void decode_queue(app *a, bool final)
{
    size_t used = 0;
    while (used < a->queued && !a->ending) {
        bool asked = a->quit_asked;
        key_event key;
        const char *bytes = a->queue + used;
        size_t taken = keyboard_decode(a->keyboard, bytes, a->queued - used, final, &key);
        if (taken == 0) {
            break;
        }
        if (a->typing) {
            prompt_key_event(a, &key, bytes, taken);
        } else if (key.code >= TK_ALT) { /* views know no Alt: it was Esc and a quick key */
            taken = 1;
            view_key(a, &(key_event){.code = TK_ESC}, bytes, 1);
        } else {
            view_key(a, &key, bytes, taken);
        }
        used += taken;
        a->quit_asked = a->quit_asked && !asked;
        a->changed = true;
    }
    memmove(a->queue, a->queue + used, a->queued - used);
    a->queued -= used;
}

static void lose_terminal(app *a)
{
    a->status = 128 + SIGHUP;
    a->ending = true;
    term_deadline(a->status, 0.8);
}

static void read_terminal(app *a)
{
    ssize_t got = read(a->term.fd, a->queue + a->queued, QUEUE_SIZE - a->queued);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    if (got <= 0) {
        lose_terminal(a);
        return;
    }
    a->queued += (size_t)got;
    a->queued_at = now(CLOCK_MONOTONIC);
    decode_queue(a, a->queued == QUEUE_SIZE);
}

static void end_by_signal(app *a, int number)
{
    a->status = 128 + number;
    a->ending = true;
    term_deadline(a->status, number == SIGHUP ? 0.8 : 3.0);
}

static void take_signal(app *a, int number)
{
    switch (number) {
    case SIGWINCH:
        scr_resize(a->screen);
        break;
    case SIGINT:
        interrupt(a);
        break;
    case SIGTSTP:
        suspend(a);
        break;
    case SIGCONT:
        scr_enter(a->screen);
        break;
    default:
        end_by_signal(a, number);
        break;
    }
    a->changed = true;
}

static void read_signals(app *a)
{
    char numbers[64];
    ssize_t got = read(a->term.signal_fd, numbers, sizeof numbers);
    for (ssize_t i = 0; i < got && !a->ending; i++) {
        take_signal(a, numbers[i]);
    }
}

static void read_capture(app *a)
{
    char text[4096];
    ssize_t got = read(a->term.capture_fd, text, sizeof text);
    if (got > 0) {
        scrollback_add(a->session->text, LINE_STRAY, text, (size_t)got);
        a->news = true;
    }
}

static void read_wake(app *a)
{
    uint64_t count;
    ssize_t got = read(a->session->wake_fd, &count, sizeof count);
    (void)got;
    a->news = true;
}

/* Seconds until something must be done without any event; negative: nothing. */
static double until_due(const app *a, double time)
{
    double due = -1.0;
    if (a->changed) {
        due = a->last_frame + frame_seconds;
    } else if (a->news) {
        double pause = a->frame_cost * frame_share;
        due = a->last_frame + (pause > frame_seconds ? pause < 1.0 ? pause : 1.0 : frame_seconds);
    }
    double wait = due < 0 ? -1.0 : due > time ? due - time : 0.0;
    if (a->queued > 0) {
        double escape = a->queued_at + escape_seconds - time;
        escape = escape > 0 ? escape : 0.0;
        wait = wait < 0 || escape < wait ? escape : wait;
    }
    return wait;
}

static void wait_for_events(app *a)
{
    struct pollfd fds[] = {
        {.fd = a->term.fd, .events = POLLIN},
        {.fd = a->term.signal_fd, .events = POLLIN},
        {.fd = a->session->wake_fd, .events = POLLIN},
        {.fd = a->term.capture_fd, .events = POLLIN},
    };
    double wait = until_due(a, now(CLOCK_MONOTONIC));
    int milliseconds = wait < 0 ? -1 : (int)(wait * 1000.0 + 0.999);
    if (poll(fds, sizeof fds / sizeof fds[0], milliseconds) < 0 && errno != EINTR) {
        lose_terminal(a);
        return;
    }
    if ((fds[1].revents & POLLIN) != 0) {
        read_signals(a);
    }
    if ((fds[0].revents & POLLIN) != 0) {
        read_terminal(a);
    } else if ((fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
        lose_terminal(a);
    }
    if ((fds[2].revents & POLLIN) != 0) {
        read_wake(a);
    }
    if ((fds[3].revents & POLLIN) != 0) {
        read_capture(a);
    }
    if (a->queued > 0 && now(CLOCK_MONOTONIC) >= a->queued_at + escape_seconds) {
        decode_queue(a, true);
    }
}

/* Whether the script works on other data than the explore view, as far as sizes tell. */
static bool other_data(const session *s)
{
    return s->offered != NULL && s->data != NULL &&
           (tm_dataset_rows(s->offered) != tm_dataset_rows(s->data) ||
            tm_dataset_cols(s->offered) != tm_dataset_cols(s->data));
}

/* Takes the news in. */
static void update(app *a)
{
    session *s = a->session;
    tm_error err = TM_ERROR_INIT;
    unsigned news = session_update(s);
    bool changed = (news & (NEWS_TEXT | NEWS_ENDED)) != 0;
    if (s->generation != a->generation) {
        a->generation = s->generation;
        explorer_data(&a->explorer, s->train, s->test, &err);
        app_error(a, &err);
    }
    if ((news & NEWS_OFFER) != 0 && other_data(s)) {
        app_message(a, STYLE_NORMAL, "the script loaded %.60s: o in the explore view explores it",
                    tm_dataset_name(s->offered));
    }
    err = (tm_error)TM_ERROR_INIT;
    explorer_update(&a->explorer, &err);
    app_error(a, &err);
    if ((news & NEWS_ENDED) != 0 && a->view != VIEW_LUA) {
        app_error(a, &s->script_error);
    }
    if ((news & NEWS_FIGURE) != 0) {
        app_show(a, VIEW_PLOTS);
    }
    for (int i = 0; i < VIEW_COUNT; i++) {
        bool seen = views[i]->update(a->states[i], a, news);
        changed = changed || (seen && i == (int)a->view);
    }
    /* The header counts runs, so the end of any is seen in every view. */
    a->changed = a->changed || changed || (news & NEWS_RUNS) != 0;
}

static void frame(app *a)
{
    double time = now(CLOCK_MONOTONIC);
    double pause = a->frame_cost * frame_share;
    pause = pause > frame_seconds ? pause < 1.0 ? pause : 1.0 : frame_seconds;
    bool due_news = a->news && time - a->last_frame >= pause;
    bool due_own = a->changed && time - a->last_frame >= frame_seconds;
    if (!due_news && !due_own) {
        return;
    }
    double before = now(CLOCK_THREAD_CPUTIME_ID);
    if (due_news) {
        a->news = false;
        /* Before looking: what comes afterwards is told again. */
        session_acknowledge(a->session);
        update(a);
    }
    a->changed = false;
    draw(a);
    if (due_news) {
        a->frame_cost = now(CLOCK_THREAD_CPUTIME_ID) - before;
    }
    a->last_frame = time;
}

/* ---- life ---------------------------------------------------------------------------------- */

static tm_status open_screen(app *a, const tui_options *options, tm_error *err)
{
    char history[4096];
    prompt_hooks hooks = {accept_chunk, incomplete, complete, a};
    bool has_history = prompt_history_path(history, sizeof history);
    tm_status status = term_open(&a->term, err);
    if (status == TM_OK) {
        status =
            prompt_new(&a->prompt, a->term.in, "tm> ", has_history ? history : NULL, &hooks, err);
    }
    if (status == TM_OK) {
        status = scr_open(&a->screen, &a->term, options->charset, options->color, err);
    }
    if (status == TM_OK) {
        a->keyboard = keyboard_new();
        status =
            a->keyboard != NULL ? term_capture(&a->term, err) : tm_fail_memory(err, "the keyboard");
    }
    return status == TM_OK ? term_signals(&a->term, err) : status;
}

static tm_status open_views(app *a, tm_error *err)
{
    for (int i = 0; i < VIEW_COUNT; i++) {
        tm_status status = views[i]->open(&a->states[i], a, err);
        if (status != TM_OK) {
            return status;
        }
    }
    return TM_OK;
}

static void greet(app *a)
{
    session_note(a->session, LINE_NOTE,
                 "Tamis " TAMIS_VERSION ". Type Lua at the prompt: tm.lasso(...), help(tm). "
                 "? shows the keys of a view.");
}

static tm_status open_work(app *a, const tui_options *options, tm_error *err)
{
    int width = scr_cols(a->screen) - 1;
    width = width > PRINT_COLUMNS_MAX ? PRINT_COLUMNS_MAX : width < 40 ? 40 : width;
    tm_status status = session_open(&a->session, options, scr_utf8(a->screen), (size_t)width, err);
    if (status == TM_OK) {
        status = explorer_open(&a->explorer, a->session->bench, err);
    }
    if (status == TM_OK) {
        status = open_views(a, err);
    }
    if (status == TM_OK) {
        status = session_load(a->session, options->path, err);
    }
    if (status == TM_OK && !options->quiet) {
        greet(a);
    }
    if (status == TM_OK && options->script != NULL) {
        status = session_run_file(a->session, options->script, options->script_args,
                                  options->script_arg_count, err);
    }
    return status;
}

static void close_all(app *a)
{
    scr_close(a->screen); /* first: the terminal is free while workers wind up */
    for (int i = 0; i < VIEW_COUNT; i++) {
        if (a->states[i] != NULL) {
            views[i]->close(a->states[i]);
        }
    }
    explorer_close(&a->explorer);
    session_close(a->session);
    keyboard_free(a->keyboard);
    prompt_free(a->prompt);
    term_close(&a->term);
}

/* Returns the exit status; the error is told when the screen has been given back. */
static int run(app *a, const tui_options *options, tm_error *err)
{
    tm_status status = open_screen(a, options, err);
    if (status == TM_OK) {
        status = open_work(a, options, err);
    }
    if (status != TM_OK) {
        return status == TM_EUSAGE ? 2 : 1;
    }
    a->changed = true;
    while (!a->ending) {
        frame(a);
        wait_for_events(a);
    }
    return a->status;
}

int tui_main(const tui_options *options)
{
    tm_error err = TM_ERROR_INIT;
    int status = 1;
    setlocale(LC_CTYPE, "");
    app *a = calloc(1, sizeof *a);
    if (a == NULL) {
        tm_fail_memory(&err, "the workbench");
    } else {
        status = run(a, options, &err);
        close_all(a);
        free(a);
    }
    if (err.code != TM_OK) {
        fprintf(stderr, "tamis: %s\n", err.message);
    }
    return status;
}
