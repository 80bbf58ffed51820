#include "solve/common/progress.h"

#include "base/cancel_time.h"
#include "base/clock.h"
#include "solve/common/tuning.h"

#include <math.h>

void progress_begin(solve_progress *p, const tm_monitor *monitor)
{
    *p = (solve_progress){.began = clock_now(),
                          .deadline = INFINITY,
                          .inner_gap = NAN,
                          .C = NAN,
                          .rejected = TM_NO_COUNT,
                          .aggregated = TM_NO_COUNT};
    if (monitor)
        p->monitor = *monitor;
    p->slept_before = tm_cancel_slept(p->monitor.cancel);
}

double progress_seconds(const solve_progress *p)
{
    return clock_now() - p->began - (tm_cancel_slept(p->monitor.cancel) - p->slept_before);
}

double progress_time(const solve_progress *p)
{
    double told = cancel_told_time(p->monitor.cancel);
    return told < 0 ? progress_seconds(p) : told;
}

bool progress_work(solve_progress *p, uint64_t work)
{
    p->unpolled += work;
    if (p->unpolled < POLL_EVERY || p->stopped)
        return p->stopped;
    p->unpolled = 0;
    p->cancelled = tm_cancel_poll(p->monitor.cancel);
    p->stopped = p->cancelled || progress_time(p) > p->deadline;
    return p->stopped;
}

static void emit(const solve_progress *p, const tm_event *given, size_t features)
{
    if (!p->monitor.event)
        return;
    tm_event event = *given;
    event.point = p->point;
    event.seconds = progress_seconds(p);
    event.lambda = p->lambda;
    event.columns = p->columns;
    event.updates = p->updates;
    event.screened = features - event.active;
    event.inner_gap = p->inner_gap;
    event.rejected = p->rejected;
    event.aggregated = p->aggregated;
    p->monitor.event(&event, p->monitor.payload);
}

void progress_emit(solve_progress *p, tm_event_kind kind, double primal, double dual, double gap,
                   size_t active, size_t features)
{
    tm_event event = {.kind = kind,
                      .primal = primal,
                      .dual = dual,
                      .gap = gap,
                      .active = active,
                      .feature = TM_NO_FEATURE,
                      .score = NAN};
    emit(p, &event, features);
}

void progress_emit_feature(const solve_progress *p, uint64_t feature, double score, double upper,
                           double lower, size_t active, size_t features)
{
    tm_event event = {.kind = TM_EVENT_ADD,
                      .primal = upper,
                      .dual = lower,
                      .gap = upper - lower,
                      .active = active,
                      .feature = feature,
                      .score = score};
    emit(p, &event, features);
}
