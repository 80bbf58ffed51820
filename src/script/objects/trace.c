/* Traces: the events of a run up to the time when r.trace was read. */
#include "script/objects/trace.h"

#include "script/common/class.h"
#include "script/common/table.h"
#include "script/common/values.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Both kinds of object begin with the job, whose reference keeps the events alive. */
typedef struct trace {
    tm_job *job;
    const tm_event *events;
    size_t count;
} trace;

typedef struct event_field event_field;

typedef struct series {
    trace of;
    const event_field *field;
} series;

struct event_field {
    const char *name;
    double (*value)(const trace *of, const tm_event *event);
    bool whole; /* a count */
};

#define EVENT_VALUE(name, expression)                                                              \
    static double event_##name(const trace *of, const tm_event *event)                             \
    {                                                                                              \
        (void)of;                                                                                  \
        return (double)(expression);                                                               \
    }
EVENT_VALUE(time, event->seconds)
EVENT_VALUE(gap, event->gap)
EVENT_VALUE(primal, event->primal)
EVENT_VALUE(dual, event->dual)
EVENT_VALUE(lambda, event->lambda)
EVENT_VALUE(point, event->point + 1u)
EVENT_VALUE(active, event->active)
EVENT_VALUE(screened, event->screened)
EVENT_VALUE(columns, event->columns)
EVENT_VALUE(updates, event->updates)
EVENT_VALUE(score, event->score)
EVENT_VALUE(inner_gap, event->inner_gap)
EVENT_VALUE(feature, event->feature == TM_NO_FEATURE ? NAN : (double)event->feature + 1)
EVENT_VALUE(rejected, event->rejected == TM_NO_COUNT ? NAN : (double)event->rejected)
EVENT_VALUE(aggregated, event->aggregated == TM_NO_COUNT ? NAN : (double)event->aggregated)
EVENT_VALUE(rejection, tm_event_rejection(event))

static const event_field fields[] = {
    {"time", event_time, false},           {"gap", event_gap, false},
    {"primal", event_primal, false},       {"dual", event_dual, false},
    {"lambda", event_lambda, false},       {"point", event_point, true},
    {"active", event_active, true},        {"screened", event_screened, true},
    {"columns", event_columns, true},      {"updates", event_updates, true},
    {"rejection", event_rejection, false}, {"feature", event_feature, true},
    {"score", event_score, false},         {"inner_gap", event_inner_gap, false},
    {"rejected", event_rejected, true},    {"aggregated", event_aggregated, true},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const char *kind_name(tm_event_kind kind)
{
    static const char *const names[] = {
        [TM_EVENT_CHECK] = "check",
        [TM_EVENT_ADD] = "add",
        [TM_EVENT_DROP] = "drop",
        [TM_EVENT_POINT] = "point",
    };
    return names[kind];
}

void script_push_trace(lua_State *L, const tm_job *job)
{
    trace *self = script_object_new(L, &script_trace_class, sizeof *self);
    self->job = tm_job_ref(job);
    self->count = tm_trace_read(tm_job_trace(job), &self->events);
}

static const trace *self_trace(lua_State *L)
{
    const trace *self = script_object(L, 1, &script_trace_class, "trace");
    if (!self->job)
        luaL_error(L, "this trace was closed");
    return self;
}

static int get_series(lua_State *L)
{
    const trace *of = self_trace(L);
    const char *name = lua_tostring(L, 2);
    series *self = script_object_new(L, &script_series_class, sizeof *self);
    self->of = *of;
    self->of.job = tm_job_ref(of->job);
    for (size_t k = 0; k < FIELDS; k++)
        if (strcmp(fields[k].name, name) == 0)
            self->field = &fields[k];
    return 1;
}

static void push_value(lua_State *L, const event_field *field, const trace *of, size_t i)
{
    double value = field->value(of, &of->events[i]);
    if (field->whole && !isnan(value))
        lua_pushinteger(L, (lua_Integer)value);
    else
        script_push_real(L, value);
}

static int trace_item(lua_State *L)
{
    const trace *self = self_trace(L);
    lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || (uint64_t)i > self->count)
        return 0;
    lua_createtable(L, 0, FIELDS + 1);
    for (size_t k = 0; k < FIELDS; k++) {
        push_value(L, &fields[k], self, (size_t)i - 1);
        lua_setfield(L, -2, fields[k].name);
    }
    lua_pushstring(L, kind_name(self->events[i - 1].kind));
    lua_setfield(L, -2, "kind");
    script_as_list(L);
    return 1;
}

static int trace_length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)self_trace(L)->count);
    return 1;
}

static int trace_tostring(lua_State *L)
{
    const trace *self = self_trace(L);
    char text[256];
    if (self->count == 0)
        snprintf(text, sizeof text, "trace of %.80s: no steps yet", tm_job_name(self->job));
    else
        snprintf(text, sizeof text, "trace of %.80s: %zu steps, gap %.3g to %.3g in %.3g s",
                 tm_job_name(self->job), self->count, self->events[0].gap,
                 self->events[self->count - 1].gap, self->events[self->count - 1].seconds);
    lua_pushstring(L, text);
    return 1;
}

static void trace_release(lua_State *L, void *held)
{
    (void)L;
    tm_job_unref(held);
}

static const script_member trace_members[] = {
    {"time", NULL, "seconds since the run began, pauses left out", "series", get_series},
    {"gap", NULL, "duality gap as the solver knew it", "series", get_series},
    {"primal", NULL, "primal objective", "series", get_series},
    {"dual", NULL, "dual objective", "series", get_series},
    {"lambda", NULL, "lambda that was being solved", "series", get_series},
    {"point", NULL, "its place along the path, from 1", "series", get_series},
    {"active", NULL, "features the solver was working on", "series", get_series},
    {"screened", NULL, "features left out: p - active", "series", get_series},
    {"rejection", NULL, "screened / p", "series", get_series},
    {"columns", NULL, "column products so far", "series", get_series},
    {"updates", NULL, "coordinate updates so far", "series", get_series},
    {"feature", NULL, "the feature that came in, counted from 1", "series", get_series},
    {"score", NULL, "the score it was taken for", "series", get_series},
    {"inner_gap", NULL, "gap of the inner layer, in methods of two", "series", get_series},
    {"rejected", NULL, "terms of a graph that screening has proven zero", "series", get_series},
    {"aggregated", NULL, "features proven equal to another one or 0", "series", get_series},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_trace_class = {
    .id = "trace",
    .title = "a trace",
    .summary = "what a run did: trace.gap[i], trace.time[i], #trace; trace[i] is a step",
    .members = trace_members,
    .tostring = trace_tostring,
    .release = trace_release,
    .length = trace_length,
    .item = trace_item,
};

/* ---- one quantity over all steps ----------------------------------------------------------- */

static const series *self_series(lua_State *L)
{
    const series *self = script_object(L, 1, &script_series_class, "series");
    if (!self->of.job)
        luaL_error(L, "this series was closed");
    return self;
}

static int series_item(lua_State *L)
{
    const series *self = self_series(L);
    lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || (uint64_t)i > self->of.count)
        return 0;
    push_value(L, self->field, &self->of, (size_t)i - 1);
    return 1;
}

static int series_length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)self_series(L)->of.count);
    return 1;
}

static int series_tostring(lua_State *L)
{
    const series *self = self_series(L);
    char text[256];
    if (self->of.count == 0)
        snprintf(text, sizeof text, "%s: no values yet", self->field->name);
    else
        snprintf(text, sizeof text, "%s: %zu values, %.6g ... %.6g", self->field->name,
                 self->of.count, self->field->value(&self->of, self->of.events),
                 self->field->value(&self->of, &self->of.events[self->of.count - 1]));
    lua_pushstring(L, text);
    return 1;
}

static const script_member series_members[] = {{NULL, NULL, NULL, NULL, NULL}};

const script_class script_series_class = {
    .id = "series",
    .title = "a series",
    .summary = "one quantity of a trace: series[i], #series",
    .members = series_members,
    .tostring = series_tostring,
    .release = trace_release,
    .length = series_length,
    .item = series_item,
    .numbers = true,
};
