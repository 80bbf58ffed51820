#include "tui/time/timeline.h"

#include "tui/time/again.h"

#include <stdio.h>

bool timeline_is_chosen(const session *s)
{
    return s->chosen.timed.job || s->chosen.timed.stored;
}

bool timeline_is(const session *s, const tm_job *job, const stored_run *stored)
{
    const session_timed *chosen = &s->chosen.timed;
    return (job && chosen->job == job) || (stored && chosen->stored == stored);
}

bool timeline_now(timeline *out, const session *s, const explore_runs *e)
{
    const stored_run *stored = s->chosen.timed.stored;
    const tm_job *job = s->chosen.timed.job ? s->chosen.timed.job : e->shown;
    *out = (timeline){.name = ""};
    if (stored) {
        *out = (timeline){.name = stored->name,
                          .stored = stored,
                          .events = stored->loaded.events,
                          .event_count = stored->loaded.event_count,
                          .seconds = stored->seconds};
        return true;
    }
    if (!job)
        return false;
    out->job = job;
    out->name = tm_job_name(job);
    out->event_count = tm_trace_read(tm_job_trace(job), &out->events);
    out->seconds = tm_job_seconds(job);
    return true;
}

/* ---- choosing ------------------------------------------------------------------------------ */

void timeline_choose_job(session *s, tm_job *job)
{
    bool chosen = timeline_is_chosen(s);
    if (job == s->chosen.timed.job && !s->chosen.timed.stored)
        return;
    session_forget_timed(s);
    s->chosen.timed.job = job ? tm_job_ref(job) : NULL;
    if (job || chosen) { /* keeps what the user chose there without a timeline */
        session_choose_study(s, job);
        session_choose_path(s, job && tm_job_point_count(job) > 1 ? job : NULL);
    }
}

tm_status timeline_choose_stored(session *s, stored_run *run, tm_error *err)
{
    tm_job *again = NULL;
    tm_error none = TM_ERROR_INIT;
    if (s->chosen.timed.stored == run)
        return TM_OK;
    tm_status status = stored_runs_load(&s->stored, run, err);
    if (status == TM_OK)
        status = again_start(&again, s, run, err);
    if (status != TM_OK)
        return status;
    session_forget_timed(s);
    s->chosen.timed.stored = run;
    s->chosen.timed.again = again;
    if (tm_store_model(s->stored.store, run->id, &s->chosen.timed.model, &none) != TM_OK)
        s->chosen.timed.model = NULL; /* a run that was cut short has none */
    session_choose_study(s, again);
    session_choose_path(s, again && run->points > 1 ? again : NULL);
    return TM_OK;
}

bool timeline_elsewhere(const session *s, const char *what, char *buffer, size_t size)
{
    const stored_run *run = s->chosen.timed.stored;
    if (!run || s->chosen.timed.again)
        return false;
    snprintf(buffer, size,
             "run %lld of the store is on other data. Open them (%.60s, %lldx%lld) to see the %s; "
             "the explore view shows what the store has of the run.",
             (long long)run->id, run->data, (long long)run->n, (long long)run->p, what);
    return true;
}

/* ---- its path ------------------------------------------------------------------------------ */

tm_job *timeline_path(const session *s, const explore_runs *e)
{
    const session_timed *chosen = &s->chosen.timed;
    return chosen->stored ? chosen->again : chosen->job ? chosen->job : e->shown_path;
}

static size_t job_points(const tm_job *job, const tm_point **points)
{
    *points = NULL;
    return job ? tm_job_points(job, points) : 0;
}

size_t timeline_points(const session *s, const explore_runs *e)
{
    const tm_point *points;
    const stored_run *stored = s->chosen.timed.stored;
    return stored ? stored->loaded.count : job_points(timeline_path(s, e), &points);
}

place_facts timeline_place(const session *s, const explore_runs *e, size_t i)
{
    const tm_point *points;
    const stored_run *stored = s->chosen.timed.stored;
    if (stored)
        return stored_run_place(stored, &stored->loaded.points[i]);
    job_points(timeline_path(s, e), &points);
    return place_facts_of(&points[i].solution);
}

place_kind timeline_kind(const session *s, const explore_runs *e)
{
    const tm_point *points;
    const stored_run *stored = s->chosen.timed.stored;
    if (stored)
        return stored_run_kind(stored);
    size_t count = job_points(timeline_path(s, e), &points);
    return place_kind_of(points, count);
}

/* Points that a trace tells the end of, up to this moment. */
static size_t points_told(const tm_event *events, size_t count, double seconds)
{
    size_t told = 0;
    for (size_t i = 0; i < count && events[i].seconds <= seconds; i++)
        told = events[i].kind == TM_EVENT_POINT ? (size_t)events[i].point + 1 : told;
    return told;
}

size_t timeline_point_at(const session *s, const explore_runs *e, double share)
{
    const stored_run *stored = s->chosen.timed.stored;
    const tm_job *job = timeline_path(s, e);
    const tm_event *events = stored ? stored->loaded.events : NULL;
    size_t count = timeline_points(s, e);
    size_t known = stored ? stored->loaded.event_count
                   : job  ? tm_trace_read(tm_job_trace(job), &events)
                          : 0;
    double seconds = stored ? stored->seconds : job ? tm_job_seconds(job) : 0;
    /* A run that was cut short has points, but no trace. */
    size_t told = share >= 1   ? count
                  : known == 0 ? (size_t)(share * (double)count)
                               : points_told(events, known, share * seconds);
    if (count == 0 || (count == 1 && told == 0))
        return SIZE_MAX;
    told = told < count ? told : count;
    return told > 0 ? told - 1 : 0;
}

const tm_model *timeline_model(const session *s, const explore_runs *e, size_t point,
                               const tm_dataset **data)
{
    const tm_point *points;
    const tm_job *job = timeline_path(s, e);
    bool form = !timeline_is_chosen(s);
    if (point == SIZE_MAX && form)
        job = e->answered;
    size_t count = job_points(job, &points);
    *data = job ? tm_job_train(job) : NULL;
    if (point == SIZE_MAX && s->chosen.timed.stored)
        return s->chosen.timed.model;
    point = point == SIZE_MAX && count > 0 ? count - 1 : point;
    if (point + 1 == timeline_points(s, e) && point >= count && s->chosen.timed.stored)
        return s->chosen.timed.model; /* the store has the last one's */
    return point < count ? points[point].solution.model : NULL;
}
