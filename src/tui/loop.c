/* The loop: one poll() over the terminal, signals, news and stray output. */
#include "tui/loop.h"
#include "tui/shell/scrub.h"

#include "tui/actions.h"
#include "tui/dispatch.h"
#include "tui/frame.h"
#include "tui/paste.h"
#include "tui/script_requests.h"
#include "tui/shell/paging.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* At most 30 frames a second, and showing progress may use about 1 % of the thread's time, whatever
 * a frame costs on this machine. For a moment after a key it may use more, as the news are then the
 * response to the key. */
static const double frame_seconds = 1.0 / 30.0;
static const double frame_share = 100.0;
static const double answer_seconds = 0.3;
/* Esc counts as a key of its own if nothing follows within this time. */
static const double escape_seconds = 0.04;
/* A pasted text without an end mark ends when nothing has followed for this time. */
static const double paste_seconds = 2;
/* The interval for checking a script that was told to stop. */
static const double stop_seconds = 0.1;
static const double watch_seconds = 0.5; /* between looks at the time of a script that is limited */
/* The longest time that keys wait for init.lua to end. */
static const double init_seconds = 2;

/* The maximum width of tables that scripts print: longer lines are hard to read. */
enum { PRINT_COLUMNS_MAX = 100 };

size_t loop_print_columns(const app *a)
{
    int width = terminal_cols(a->terminal) - 2; /* a pager has a frame */
    return (size_t)(width > PRINT_COLUMNS_MAX ? PRINT_COLUMNS_MAX : width < 40 ? 40 : width);
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The key bindings of init.lua must be set before the first key is acted on. The wait is short, and
 * Ctrl-C or a full queue end it. */
static bool wait_for_init(app *a)
{
    if (a->input.init_ticket == 0)
        return false;
    if (a->input.init_deadline == 0)
        a->input.init_deadline = now(CLOCK_MONOTONIC) + init_seconds;
    bool over = script_wait(a->session->script, a->input.init_ticket, 0, NULL) ||
                now(CLOCK_MONOTONIC) >= a->input.init_deadline || a->input.count == QUEUE_SIZE ||
                memchr(a->input.bytes, 3, a->input.count) != NULL;
    a->input.init_ticket = over ? 0 : a->input.init_ticket;
    return !over;
}

static void end_paste(app *a)
{
    bool cut = a->input.paste.cut;
    char *text = paste_end(&a->input.paste);
    if (text)
        dispatch_paste(a, text);
    if (cut)
        app_message(a, STYLE_ERROR, "the pasted text was too long: its end is left out");
    free(text);
}

/* Takes the bytes of a pasted text that cannot be part of the end mark; with `final`, all. */
static size_t take_paste(app *a, const char *bytes, size_t length, bool final)
{
    bool ended;
    size_t taken = paste_take(&a->input.paste, bytes, length, &ended);
    if (ended || final)
        end_paste(a);
    return final ? length : taken;
}

static void decode_queue(app *a, bool final)
{
    size_t used = 0;
    if (wait_for_init(a))
        return;
    while (used < a->input.count && !a->end.now) {
        bool asked = a->end.asked;
        key_event key;
        const char *bytes = a->input.bytes + used;
        size_t left = a->input.count - used;
        bool pasting = a->input.paste.open;
        size_t taken = pasting ? take_paste(a, bytes, left, final)
                               : keyboard_decode(a->input.keyboard, bytes, left, final, &key);
        if (taken == 0)
            break;
        used += taken;
        a->due.changed = true;
        if (!pasting && key.code == TK_PASTE)
            paste_begin(&a->input.paste);
        if (pasting || key.code == TK_PASTE)
            continue;
        if (!a->typing && key.code >= TK_ALT) { /* views have no Alt keys: it was Esc followed
                                                 * quickly by a key */
            key.code = TK_ESC;
            used -= taken - 1;
            taken = 1;
        }
        dispatch_key(a, &key, bytes, taken);
        a->end.asked = a->end.asked && !asked;
    }
    memmove(a->input.bytes, a->input.bytes + used, a->input.count - used);
    a->input.count -= used;
    tm_error err = TM_ERROR_INIT;
    explore_runs_go(&a->explore_runs, &err);
    app_error(a, &err);
}

static void lose_terminal(app *a)
{
    a->end.status = 128 + SIGHUP;
    a->end.now = true;
    tty_deadline(a->end.status, 0.8);
}

static void read_terminal(app *a)
{
    ssize_t got =
        read(a->input.tty.fd, a->input.bytes + a->input.count, QUEUE_SIZE - a->input.count);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got <= 0) {
        lose_terminal(a);
        return;
    }
    a->input.count += (size_t)got;
    a->input.at = now(CLOCK_MONOTONIC);
    decode_queue(a, a->input.count == QUEUE_SIZE);
}

static void end_by_signal(app *a, int number)
{
    a->end.status = 128 + number;
    a->end.now = true;
    tty_deadline(a->end.status, number == SIGHUP ? 0.8 : 3.0);
}

static void take_signal(app *a, int number)
{
    switch (number) {
    case SIGWINCH:
        terminal_resize(a->terminal);
        script_set_columns(a->session->script, loop_print_columns(a));
        break;
    case SIGINT:
        action_interrupt(a);
        break;
    case SIGTSTP:
        action_suspend(a);
        break;
    case SIGCONT:
        terminal_enter(a->terminal);
        break;
    default:
        end_by_signal(a, number);
        break;
    }
    a->due.changed = true;
}

static void read_signals(app *a)
{
    char numbers[64];
    ssize_t got = read(a->input.tty.signal_fd, numbers, sizeof numbers);
    for (ssize_t i = 0; i < got && !a->end.now; i++)
        take_signal(a, numbers[i]);
}

static void read_capture(app *a)
{
    char text[4096];
    ssize_t got = read(a->input.tty.capture_fd, text, sizeof text);
    if (got > 0) {
        scrollback_add(a->session->text, LINE_STRAY, text, (size_t)got);
        a->due.news = true;
    }
}

static void read_wake(app *a)
{
    uint64_t count;
    ssize_t got = read(a->session->wake_fd, &count, sizeof count);
    (void)got;
    a->due.news = true;
}

/* Seconds between a frame and the next one that shows news. */
static double news_pause(const app *a, double time)
{
    double pause = time - a->input.at < answer_seconds ? 0 : a->due.frame_cost * frame_share;
    return pause > frame_seconds ? pause < 1.0 ? pause : 1.0 : frame_seconds;
}

/* Seconds without input after which a key sequence counts as complete. */
static double pause_of(const app *a)
{
    return a->input.paste.open ? paste_seconds : escape_seconds;
}

/* Seconds until the next action that is due without an event; negative: none is. */
static double until_due(const app *a, double time)
{
    double due = -1.0;
    if (a->due.changed)
        due = a->due.last_frame + frame_seconds;
    else if (a->due.news)
        due = a->due.last_frame + news_pause(a, time);
    if (a->due.wake_at > 0 && (due < 0 || a->due.wake_at < due))
        due = a->due.wake_at;
    double wait = due < 0 ? -1.0 : due > time ? due - time : 0.0;
    if (a->input.count > 0 || a->input.paste.open) {
        double until =
            a->input.init_ticket != 0 ? a->input.init_deadline : a->input.at + pause_of(a);
        double escape = until - time;
        escape = escape > 0 ? escape : 0.0;
        wait = wait < 0 || escape < wait ? escape : wait;
    }
    if (session_stopping(a->session) && (wait < 0 || wait > stop_seconds))
        wait = stop_seconds;
    if (session_limited(a->session) && (wait < 0 || wait > watch_seconds))
        wait = watch_seconds;
    return wait;
}

static void wait_for_events(app *a)
{
    struct pollfd fds[] = {
        {.fd = a->input.tty.fd, .events = POLLIN},
        {.fd = a->input.tty.signal_fd, .events = POLLIN},
        {.fd = a->session->wake_fd, .events = POLLIN},
        {.fd = a->input.tty.capture_fd, .events = POLLIN},
    };
    double wait = until_due(a, now(CLOCK_MONOTONIC));
    int milliseconds = wait < 0 ? -1 : (int)(wait * 1000.0 + 0.999);
    if (poll(fds, sizeof fds / sizeof fds[0], milliseconds) < 0 && errno != EINTR) {
        lose_terminal(a);
        return;
    }
    if ((fds[1].revents & POLLIN) != 0)
        read_signals(a);
    if ((fds[0].revents & POLLIN) != 0)
        read_terminal(a);
    else if ((fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
        lose_terminal(a);
    if ((fds[2].revents & POLLIN) != 0)
        read_wake(a);
    if ((fds[3].revents & POLLIN) != 0)
        read_capture(a);
    if (a->due.wake_at > 0 && now(CLOCK_MONOTONIC) >= a->due.wake_at) {
        a->due.wake_at = 0;
        a->due.woken = a->due.news = true;
    }
    bool whole = now(CLOCK_MONOTONIC) >= a->input.at + pause_of(a);
    if (a->input.paste.open && a->input.count == 0 && whole)
        end_paste(a);
    else if (a->input.count > 0 && (whole || a->input.init_ticket != 0))
        decode_queue(a, whole);
}

/* Whether the script works on other data than the explore view, judged by their sizes. */
static bool other_data(const session *s)
{
    return s->data.offered && s->data.all &&
           (tm_dataset_rows(s->data.offered) != tm_dataset_rows(s->data.all) ||
            tm_dataset_cols(s->data.offered) != tm_dataset_cols(s->data.all));
}

/* Tells the user when a response that looks like classes is used as a number. */
static void announce_classes(app *a)
{
    const class_choice *classes = &a->session->data.classes;
    if (classes->all.count > 0 && !classes->label)
        app_message(a, STYLE_WARN,
                    "the response looks like %zu classes and is taken as a number: class in the "
                    "form (or :set class %.20s) takes one of them against the rest",
                    classes->all.count, classes->all.labels[0]);
}

/* Processes the news. */
static void update(app *a)
{
    session *s = a->session;
    tm_error err = TM_ERROR_INIT;
    unsigned news = session_update(s) | (a->due.woken ? NEWS_WAKE : 0);
    a->due.woken = false;
    bool changed = (news & (NEWS_TEXT | NEWS_ENDED)) != 0;
    if (s->data.generation != a->generation) {
        a->generation = s->data.generation;
        explore_runs_data(&a->explore_runs, s->data.train, s->data.test, &err);
        announce_classes(a);
        app_error(a, &err);
    }
    if ((news & NEWS_OFFER) != 0 && other_data(s) && !app_shown(a, VIEW_LESSONS)) {
        app_message(a, STYLE_NORMAL, "the script loaded %.60s: o in the explore view explores it",
                    tm_dataset_name(s->data.offered));
    }
    if ((news & NEWS_FAILED) != 0 && s->data.all)
        app_error(a, &s->data.error);
    scrub_tick(a);
    err = (tm_error)TM_ERROR_INIT;
    explore_runs_update(&a->explore_runs, &err);
    app_error(a, &err);
    if ((news & NEWS_ENDED) != 0 && a->layout.view != VIEW_LUA)
        app_error(a, &s->script_error);
    if ((news & NEWS_ENDED) != 0 && a->reading.page_output) {
        a->reading.page_output = false;
        paging_output(a, false);
    }
    if ((news & NEWS_FIGURE) != 0 && a->asked)
        app_show(a, VIEW_PLOTS);
    else if ((news & NEWS_FIGURE) != 0)
        app_message(a, STYLE_NORMAL, "the script showed a plot: %c has them, %c what it printed",
                    view_infos[VIEW_PLOTS].key, view_infos[VIEW_LUA].key);
    for (int i = 0; i < VIEW_COUNT; i++) {
        bool seen = a->views[i]->update(a->states[i], a, news);
        changed = changed || (seen && app_shown(a, (view_id)i));
    }
    /* The header counts runs, so the end of a run is visible in every view. */
    a->due.changed = a->due.changed || changed || (news & NEWS_RUNS) != 0;
}

static void frame(app *a)
{
    double time = now(CLOCK_MONOTONIC);
    bool due_news = a->due.news && time - a->due.last_frame >= news_pause(a, time);
    bool due_own = a->due.changed && time - a->due.last_frame >= frame_seconds;
    /* With other data, nothing of the old answer may be drawn beside the new name. */
    due_news = due_news || (due_own && a->session->data.generation != a->generation);
    if (!due_news && !due_own)
        return;
    double before = now(CLOCK_THREAD_CPUTIME_ID);
    if (due_news) {
        a->due.news = false;
        /* Before reading the news: news that arrive later then wake the loop again. */
        session_acknowledge(a->session);
        update(a);
    }
    a->due.changed = false;
    frame_draw(a);
    if (due_news)
        a->due.frame_cost = now(CLOCK_THREAD_CPUTIME_ID) - before;
    a->due.last_frame = time;
    script_requests_carry_out(a);
}

void loop_update(app *a)
{
    session_acknowledge(a->session);
    update(a);
    script_requests_carry_out(a);
}

void loop_run(app *a)
{
    a->due.changed = true;
    while (!a->end.now) {
        frame(a);
        wait_for_events(a);
        session_watch(a->session);
        if (session_stopping(a->session)) {
            session_recover(a->session);
            a->due.news = true;
        }
    }
}
