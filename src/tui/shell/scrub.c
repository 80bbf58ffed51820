#include "tui/shell/scrub.h"

#include "tui/shell/state.h"
#include "tui/time/timeline.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* The step of a key press; the duration of a replay at speed 1, and of a frame, in seconds; the
 * range of speeds. */
static const double step = 0.02, whole_seconds = 6, frame_seconds = 0.05;
static const double speed_least = 0.125, speed_most = 16;

static double clock_now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

double app_moment(const app *a)
{
    return a->scrub.on ? a->scrub.at : NAN;
}

/* Moves to the last point of the path that had been solved by then. */
static void move_point(app *a)
{
    a->explore_runs.point = timeline_point_at(a->session, &a->explore_runs, a->scrub.at);
}

static void go(app *a, double to)
{
    a->scrub.at = fmin(fmax(to, 0), 1);
    move_point(a);
    a->due.changed = a->due.news = true;
}

static void begin(app *a)
{
    if (!a->scrub.on)
        a->scrub = (app_scrub){.on = true, .at = 1, .speed = 1};
}

void scrub_go(app *a, double share)
{
    begin(a);
    a->scrub.playing = false;
    go(a, share);
}

static void play(app *a)
{
    bool was = a->scrub.on;
    begin(a);
    a->scrub.playing = !a->scrub.playing;
    a->scrub.ticked = clock_now();
    if (a->scrub.playing && (!was || a->scrub.at >= 1))
        go(a, 0);
    a->due.changed = a->due.news = true;
}

static void change_speed(app *a, double by)
{
    begin(a);
    a->scrub.speed = fmin(fmax(a->scrub.speed * by, speed_least), speed_most);
    a->due.changed = true;
}

void app_begin_time(app *a)
{
    scrub_go(a, 1);
}

void scrub_tick(app *a)
{
    double now = clock_now();
    if (!a->scrub.playing)
        return;
    double passed = now - a->scrub.ticked;
    a->scrub.ticked = now;
    go(a, a->scrub.at + passed / whole_seconds * a->scrub.speed);
    a->scrub.playing = a->scrub.at < 1;
    if (a->scrub.playing)
        app_wake(a, frame_seconds);
}

static bool end(app *a)
{
    bool was = a->scrub.on;
    a->scrub = (app_scrub){.on = false};
    if (timeline_is_chosen(a->session))
        a->explore_runs.point = SIZE_MAX; /* it was a place on the path of the run chosen */
    timeline_choose_job(a->session, NULL);
    a->due.changed = a->due.news = true;
    return was;
}

/* Handles the mouse on the time line, including a drag that has left it. */
static bool point_at(app *a, const key_event *key)
{
    rect line = a->scrub.line;
    if (line.rows == 0 || key->row != line.row || line.cols < 2)
        return false;
    a->scrub.playing = false;
    go(a, (double)(key->col - line.col) / (line.cols - 1));
    return true;
}

bool scrub_request(app *a, int request, const key_event *key)
{
    switch (request) {
    case REQ_TIME_BACK:
    case REQ_TIME_ON:
        begin(a);
        a->scrub.playing = false;
        go(a, a->scrub.at + (request == REQ_TIME_ON ? step : -step));
        return true;
    case REQ_TIME_PLAY:
        play(a);
        return true;
    case REQ_TIME_SLOWER:
    case REQ_TIME_FASTER:
        change_speed(a, request == REQ_TIME_FASTER ? 2 : 0.5);
        return true;
    case REQ_BACK:
        return a->scrub.on && end(a);
    case REQ_CLICK:
    case REQ_DRAG:
        return point_at(a, key);
    default:
        return false;
    }
}

int scrub_rows(const app *a)
{
    return a->scrub.on ? 1 : 0;
}

/* "run 12: saif" of the store, "saif" of the session; the form's has no name here. */
static void draw_name(const app *a, rect *line)
{
    timeline now;
    char text[64];
    enum { TRACK_MIN = 20 };
    if (!timeline_is_chosen(a->session) || !timeline_now(&now, a->session, &a->explore_runs))
        return;
    if (now.stored)
        snprintf(text, sizeof text, "run %lld: %.40s", (long long)now.stored->id, now.name);
    else
        snprintf(text, sizeof text, "%.50s", now.name);
    int most = line->cols - TRACK_MIN;
    int width =
        most > 0 ? terminal_put(a->terminal, line->row, line->col, most, STYLE_VALUE, text) : 0;
    line->col += width + 1;
    line->cols -= width + 1;
}

void scrub_draw(app *a, rect line)
{
    terminal *t = a->terminal;
    timeline now;
    char text[96];
    double seconds = timeline_now(&now, a->session, &a->explore_runs) ? now.seconds : 0;
    a->scrub.line = (rect){0, 0, 0, 0};
    if (line.rows <= 0)
        return;
    snprintf(text, sizeof text, " %s %9.3g of %.3g s, x%-5g ",
             a->scrub.playing ? terminal_pick(t, "▶", ">") : terminal_pick(t, "‖", "="),
             a->scrub.at * seconds, seconds, a->scrub.speed);
    int width = terminal_put(t, line.row, line.col, line.cols, STYLE_BOLD, text);
    rect track = {line.row, line.col + width, 1, line.cols - width - 1};
    draw_name(a, &track);
    if (track.cols < 2)
        return;
    int knob = (int)lround(a->scrub.at * (track.cols - 1));
    for (int i = 0; i < track.cols; i++)
        terminal_put(t, track.row, track.col + i, 1, i == knob ? STYLE_BOLD : STYLE_DIM,
                     i == knob  ? terminal_pick(t, "●", "O")
                     : i < knob ? terminal_pick(t, "━", "=")
                                : terminal_pick(t, "─", "-"));
    a->scrub.line = track;
}
