/* The loop: one poll() over the terminal, signals, news and stray output. */
#include "tui/scripted.h"
#include "tui/state.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Frames: at most 30 a second, and progress may use about a hundredth of the thread's time,
 * whatever a frame costs on this machine. For a moment after a key it may use more: news are the
 * answer to it. */
static const double frame_seconds = 1.0 / 30.0;
static const double frame_share = 100.0;
static const double answer_seconds = 0.3;
/* Esc alone is a key when nothing has followed for so long. */
static const double escape_seconds = 0.04;
/* Keys wait so long for init.lua to end. */
static const double init_seconds = 2;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What init.lua binds must be there before the first key is acted on. It does not wait for long,
 * nor for Ctrl-C, nor for a full queue. */
static bool wait_for_init(app *a)
{
    if (a->init_ticket == 0)
        return false;
    if (a->init_deadline == 0)
        a->init_deadline = now(CLOCK_MONOTONIC) + init_seconds;
    bool over = script_wait(a->session->script, a->init_ticket, 0, NULL) ||
                now(CLOCK_MONOTONIC) >= a->init_deadline || a->queued == QUEUE_SIZE ||
                memchr(a->queue, 3, a->queued) != NULL;
    a->init_ticket = over ? 0 : a->init_ticket;
    return !over;
}

static void decode_queue(app *a, bool final)
{
    size_t used = 0;
    if (wait_for_init(a))
        return;
    while (used < a->queued && !a->ending) {
        bool asked = a->quit_asked;
        key_event key;
        const char *bytes = a->queue + used;
        size_t taken = keyboard_decode(a->keyboard, bytes, a->queued - used, final, &key);
        if (taken == 0)
            break;
        if (!a->typing && key.code >= TK_ALT) { /* views know no Alt: it was Esc and a quick key */
            key.code = TK_ESC;
            taken = 1;
        }
        dispatch_key(a, &key, bytes, taken);
        used += taken;
        a->quit_asked = a->quit_asked && !asked;
        a->changed = true;
    }
    memmove(a->queue, a->queue + used, a->queued - used);
    a->queued -= used;
    tm_error err = TM_ERROR_INIT;
    explore_runs_go(&a->explore_runs, &err);
    app_error(a, &err);
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
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
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
        script_set_columns(a->session->script, app_print_columns(a));
        break;
    case SIGINT:
        dispatch_interrupt(a);
        break;
    case SIGTSTP:
        dispatch_suspend(a);
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
    for (ssize_t i = 0; i < got && !a->ending; i++)
        take_signal(a, numbers[i]);
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

/* Seconds from a frame to the next one that shows news. */
static double news_pause(const app *a, double time)
{
    double pause = time - a->queued_at < answer_seconds ? 0 : a->frame_cost * frame_share;
    return pause > frame_seconds ? pause < 1.0 ? pause : 1.0 : frame_seconds;
}

/* Seconds until something must be done without any event; negative: nothing. */
static double until_due(const app *a, double time)
{
    double due = -1.0;
    if (a->changed)
        due = a->last_frame + frame_seconds;
    else if (a->news)
        due = a->last_frame + news_pause(a, time);
    if (a->wake_at > 0 && (due < 0 || a->wake_at < due))
        due = a->wake_at;
    double wait = due < 0 ? -1.0 : due > time ? due - time : 0.0;
    if (a->queued > 0) {
        double until = a->init_ticket != 0 ? a->init_deadline : a->queued_at + escape_seconds;
        double escape = until - time;
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
    if (a->wake_at > 0 && now(CLOCK_MONOTONIC) >= a->wake_at) {
        a->wake_at = 0;
        a->woken = a->news = true;
    }
    bool whole = now(CLOCK_MONOTONIC) >= a->queued_at + escape_seconds;
    if (a->queued > 0 && (whole || a->init_ticket != 0))
        decode_queue(a, whole);
}

/* Whether the script works on other data than the explore view, as far as sizes tell. */
static bool other_data(const session *s)
{
    return s->offered && s->data &&
           (tm_dataset_rows(s->offered) != tm_dataset_rows(s->data) ||
            tm_dataset_cols(s->offered) != tm_dataset_cols(s->data));
}

/* Takes the news in. */
static void update(app *a)
{
    session *s = a->session;
    tm_error err = TM_ERROR_INIT;
    unsigned news = session_update(s) | (a->woken ? NEWS_WAKE : 0);
    a->woken = false;
    bool changed = (news & (NEWS_TEXT | NEWS_ENDED)) != 0;
    if (s->generation != a->generation) {
        a->generation = s->generation;
        explore_runs_data(&a->explore_runs, s->train, s->test, &err);
        app_error(a, &err);
    }
    if ((news & NEWS_OFFER) != 0 && other_data(s)) {
        app_message(a, STYLE_NORMAL, "the script loaded %.60s: o in the explore view explores it",
                    tm_dataset_name(s->offered));
    }
    if ((news & NEWS_FAILED) != 0 && s->data)
        app_error(a, &s->load_error);
    err = (tm_error)TM_ERROR_INIT;
    explore_runs_update(&a->explore_runs, &err);
    app_error(a, &err);
    if ((news & NEWS_ENDED) != 0 && a->view != VIEW_LUA)
        app_error(a, &s->script_error);
    if ((news & NEWS_ENDED) != 0 && a->page_output) {
        a->page_output = false;
        paging_output(a, false);
    }
    if ((news & NEWS_FIGURE) != 0 && a->asked)
        app_show(a, VIEW_PLOTS);
    else if ((news & NEWS_FIGURE) != 0)
        app_message(a, STYLE_NORMAL, "the script showed a plot: 7 has them, 6 what it printed");
    for (int i = 0; i < VIEW_COUNT; i++) {
        bool seen = app_views[i]->update(a->states[i], a, news);
        changed = changed || (seen && app_shown(a, (view_id)i));
    }
    /* The header counts runs, so the end of any is seen in every view. */
    a->changed = a->changed || changed || (news & NEWS_RUNS) != 0;
}

static void frame(app *a)
{
    double time = now(CLOCK_MONOTONIC);
    bool due_news = a->news && time - a->last_frame >= news_pause(a, time);
    bool due_own = a->changed && time - a->last_frame >= frame_seconds;
    /* Other data: nothing of the old answer may be drawn beside their name. */
    due_news = due_news || (due_own && a->session->generation != a->generation);
    if (!due_news && !due_own)
        return;
    double before = now(CLOCK_THREAD_CPUTIME_ID);
    if (due_news) {
        a->news = false;
        /* Before looking: what comes afterwards is told again. */
        session_acknowledge(a->session);
        update(a);
    }
    a->changed = false;
    frame_draw(a);
    if (due_news)
        a->frame_cost = now(CLOCK_THREAD_CPUTIME_ID) - before;
    a->last_frame = time;
    orders_carry_out(a);
}

void loop_update(app *a)
{
    session_acknowledge(a->session);
    update(a);
    orders_carry_out(a);
}

void loop_run(app *a)
{
    a->changed = true;
    while (!a->ending) {
        frame(a);
        wait_for_events(a);
    }
}
