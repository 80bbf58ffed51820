/* Runs: jobs as objects of the script, and the functions that start them.
 *
 * A run of several lambdas is read as follows: results (gap, nnz, intercept, ...) are those of its
 * last finished lambda, costs (seconds, columns, updates, passes) those of the whole run. */
#include "state.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct box {
    tm_job *job;
} box;

void script_push_run(lua_State *L, const tm_job *job)
{
    box *self = script_object_new(L, &script_run_class, sizeof *self);
    self->job = tm_job_ref(job);
}

tm_job *script_test_run(lua_State *L, int index)
{
    box *self = script_object_test(L, index, &script_run_class);
    return self ? self->job : NULL;
}

tm_job *script_check_run(lua_State *L, int index, const char *who)
{
    tm_job *job = script_test_run(L, index);
    if (!job)
        script_args_error(L, "%s: expected a run, not %s", who, script_what_is(L, index));
    return job;
}

void script_push_real(lua_State *L, double value)
{
    if (isnan(value))
        lua_pushnil(L);
    else
        lua_pushnumber(L, value);
}

void script_set_real(lua_State *L, const char *key, double value)
{
    script_push_real(L, value);
    lua_setfield(L, -2, key);
}

void script_set_count(lua_State *L, const char *key, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, key);
}

/* ---- starting ------------------------------------------------------------------------------ */

const char *const script_run_extras[] = {"test", "name", "from", "weights", "offset", NULL};

/* The values of the options that are no parameters; objects stay alive through the table. */
static void read_extras(lua_State *L, int options, const char *owner, tm_job_spec *spec)
{
    if (!lua_istable(L, options))
        return;
    spec->name = script_args_text(L, options, owner, "name", NULL);
    if (lua_getfield(L, options, "test") != LUA_TNIL)
        spec->test = script_check_dataset(L, -1, "test");
    lua_pop(L, 1);
    if (lua_getfield(L, options, "from") != LUA_TNIL) {
        tm_job *job = script_test_run(L, -1);
        const tm_point *points;
        size_t count = job ? tm_job_points(job, &points) : 0;
        spec->warm = count > 0 ? points[count - 1].solution.model : script_test_model(L, -1);
        if (!spec->warm)
            script_args_error(L, "%s: 'from' is %s; expected a model, or a run that has one", owner,
                              script_what_is(L, -1));
    }
    lua_pop(L, 1);
}

/* A path needs lambdas; 100 of them unless the script says otherwise. */
static void set_path(lua_State *L, const char *id, tm_params *params)
{
    tm_error err = TM_ERROR_INIT;
    if (!tm_params_find(params, "lambdas", &err))
        script_args_error(L, "tm.path: %s has no path over lambda", id);
    if (!tm_params_given(params, "lambda") && !tm_params_given(params, "lambdas") &&
        tm_params_set_int(params, "lambdas", 100, &err) != TM_OK)
        script_raise(L, &err);
}

/* The data with the options' weights and offsets, which stay on the stack; the data as they are without. */
static const tm_dataset *weighed(lua_State *L, int options, const char *owner,
                                 const tm_dataset *data)
{
    tm_error err = TM_ERROR_INIT;
    if (!lua_istable(L, options))
        return data;
    const double *weights = script_args_rows(L, options, owner, "weights", data);
    const double *offset = script_args_rows(L, options, owner, "offset", data);
    if (!weights && !offset)
        return data;
    tm_dataset **own = script_new_dataset(L);
    if (tm_dataset_weigh(own, data, weights ? weights : tm_dataset_weights(data),
                         offset ? offset : tm_dataset_offset(data), &err) != TM_OK)
        script_raise(L, &err);
    return *own;
}

static int start(lua_State *L, const tm_method *method, int options, bool path)
{
    tm_error err = TM_ERROR_INIT;
    script *self = script_of(L);
    const char *id = tm_method_id(method);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    size_t count;
    spec.method = method;
    spec.train = script_check_dataset(L, 1, path ? "tm.path" : id);
    const tm_param_info *table = tm_method_params(method, &count);
    tm_params *params = script_args_params(L, options, id, table, count, script_run_extras);
    script_args_seed(L, params);
    if (path)
        set_path(L, id, params);
    spec.params = params;
    spec.train = weighed(L, options, id, spec.train);
    read_extras(L, options, id, &spec);
    script_watch_reserve(L);
    box *run = script_object_new(L, &script_run_class, sizeof *run);
    script_check(L);
    if (tm_pool_submit(self->host.pool, &spec, &run->job, &err) != TM_OK)
        return script_raise(L, &err);
    script_watch_add(self, run->job);
    if (self->host.started)
        self->host.started(run->job, self->host.payload);
    return 1;
}

int script_tm_method(lua_State *L)
{
    lua_settop(L, 2);
    return start(L, lua_touserdata(L, lua_upvalueindex(1)), 2, false);
}

int script_tm_path(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    lua_settop(L, 3);
    script_check_dataset(L, 1, "tm.path");
    if (lua_type(L, 2) != LUA_TSTRING)
        script_args_error(L, "tm.path: expected the name of a method, not %s",
                          script_what_is(L, 2));
    const tm_method *method = tm_method_find(lua_tostring(L, 2), &err);
    if (!method)
        return script_raise(L, &err);
    return start(L, method, 3, true);
}

/* ---- what a run found ---------------------------------------------------------------------- */

static tm_job *self_job(lua_State *L)
{
    script_object(L, 1, &script_run_class, "run");
    return script_check_run(L, 1, "run");
}

typedef struct solution_field {
    const char *name;
    size_t offset; /* in tm_solution */
    bool whole;    /* a uint64_t; a double otherwise */
    bool cost;     /* summed over a run */
} solution_field;

#define FIELD(name, whole, cost)                                                                   \
    {                                                                                              \
#name, offsetof(tm_solution, name), whole, cost                                            \
    }
static const solution_field fields[] = {
    FIELD(lambda, false, false),    FIELD(B, false, false),     FIELD(C, false, false),
    FIELD(primal, false, false),    FIELD(dual, false, false),  FIELD(gap, false, false),
    FIELD(seconds, false, true),    FIELD(columns, true, true), FIELD(updates, true, true),
    FIELD(passes, false, true),     FIELD(active, true, false), FIELD(screened, true, false),
    FIELD(rejection, false, false), FIELD(power, false, false), FIELD(epochs, true, true),
};
#undef FIELD
enum { FIELDS = sizeof fields / sizeof *fields };

static double field_value(const tm_solution *solution, const solution_field *field)
{
    const char *at = (const char *)solution + field->offset;
    uint64_t whole;
    double real;
    if (field->whole) {
        memcpy(&whole, at, sizeof whole);
        return (double)whole;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

/* The run's newest event as if it were a solution: what is known before a lambda is done. */
static bool newest(const tm_job *job, tm_solution *out)
{
    const tm_event *events;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    if (count == 0)
        return false;
    const tm_event *e = &events[count - 1];
    double p = (double)tm_dataset_cols(tm_job_train(job));
    *out = (tm_solution){
        .lambda = e->lambda,
        .B = NAN,
        .C = NAN,
        .primal = e->primal,
        .dual = e->dual,
        .gap = e->gap,
        .columns = e->columns,
        .updates = e->updates,
        .passes = (double)e->columns / p,
        .active = e->active,
        .screened = e->screened,
        .rejection = (double)e->screened / p,
        .power = NAN,
    };
    return true;
}

/* NaN when nothing is known yet. Costs include the lambda that is being solved. */
static double run_value(const tm_job *job, const solution_field *field)
{
    const tm_point *points;
    tm_solution live;
    size_t count = tm_job_points(job, &points);
    bool known = newest(job, &live);
    if (!field->cost && count > 0)
        return field_value(&points[count - 1].solution, field);
    double value = known ? field_value(&live, field) : NAN;
    if (!field->cost)
        return value;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += field_value(&points[i].solution, field);
    return isnan(value) ? sum : fmax(sum, value);
}

static void push_field(lua_State *L, const solution_field *field, double value)
{
    if (field->whole && !isnan(value))
        lua_pushinteger(L, (lua_Integer)value);
    else
        script_push_real(L, value);
}

static int get_field(lua_State *L)
{
    const tm_job *job = self_job(L);
    const char *key = lua_tostring(L, 2);
    if (strcmp(key, "seconds") == 0) {
        lua_pushnumber(L, tm_job_seconds(job));
        return 1;
    }
    for (size_t k = 0; k < FIELDS; k++)
        if (strcmp(fields[k].name, key) == 0) {
            push_field(L, &fields[k], run_value(job, &fields[k]));
            return 1;
        }
    return 0;
}

static double worst_gap(const tm_job *job)
{
    const tm_point *points;
    double worst = NAN;
    size_t count = tm_job_points(job, &points);
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, points[i].solution.gap);
    return worst;
}

static int get_number(lua_State *L)
{
    const tm_job *job = self_job(L);
    const char *key = lua_tostring(L, 2);
    script_push_real(L, strcmp(key, "lambda_max") == 0  ? tm_job_lambda_max(job)
                        : strcmp(key, "progress") == 0  ? tm_job_progress(job)
                        : strcmp(key, "worst_gap") == 0 ? worst_gap(job)
                                                        : tm_job_null_objective(job));
    return 1;
}

/* The state, and for a finished run the least good outcome of its lambdas. */
static const char *status_of(const tm_job *job)
{
    const tm_point *points;
    tm_job_state state = tm_job_get_state(job);
    if (state != TM_JOB_DONE)
        return tm_job_state_name(state);
    size_t count = tm_job_points(job, &points);
    tm_outcome worst = TM_CONVERGED;
    for (size_t i = 0; i < count; i++)
        if (points[i].solution.outcome > worst)
            worst = points[i].solution.outcome;
    return tm_outcome_name(worst);
}

static int get_text(lua_State *L)
{
    const tm_job *job = self_job(L);
    const char *key = lua_tostring(L, 2);
    if (strcmp(key, "status") == 0)
        lua_pushstring(L, status_of(job));
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, tm_job_name(job));
    else if (strcmp(key, "method") == 0)
        lua_pushstring(L, tm_method_id(tm_job_method(job)));
    else if (strcmp(key, "early") == 0)
        lua_pushstring(L, tm_job_early(job)); /* NULL is nil */
    else if (tm_job_get_state(job) == TM_JOB_FAILED)
        lua_pushstring(L, tm_job_error(job)->message);
    else
        lua_pushnil(L);
    return 1;
}

static int get_id(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)tm_job_id(self_job(L)));
    return 1;
}

/* A number, a list, or a table by name. */
static void push_vector(lua_State *L, const tm_vector *vector)
{
    if (vector->count == 1 && !vector->names) {
        lua_pushnumber(L, vector->values[0]);
        return;
    }
    lua_newtable(L);
    for (size_t i = 0; i < vector->count; i++) {
        lua_pushnumber(L, vector->values[i]);
        if (vector->names)
            lua_setfield(L, -2, vector->names[i]);
        else
            lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    if (!vector->names)
        script_as_list(L);
}

static void push_param(lua_State *L, const tm_params *params, const tm_param_info *info)
{
    size_t count;
    switch (info->type) {
    case TM_PARAM_REAL:
        lua_pushnumber(L, tm_params_real(params, info->name));
        break;
    case TM_PARAM_INT:
        lua_pushinteger(L, tm_params_int(params, info->name));
        break;
    case TM_PARAM_BOOL:
        lua_pushboolean(L, tm_params_bool(params, info->name));
        break;
    case TM_PARAM_CHOICE:
    case TM_PARAM_TEXT:
        lua_pushstring(L, tm_params_text(params, info->name));
        break;
    case TM_PARAM_REALS: {
        const double *values = tm_params_reals(params, info->name, &count);
        lua_createtable(L, (int)count, 0);
        for (size_t i = 0; i < count; i++) {
            lua_pushnumber(L, values[i]);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        script_as_list(L);
        break;
    }
    case TM_PARAM_VECTOR: {
        tm_vector vector = tm_params_vector(params, info->name);
        push_vector(L, &vector);
        break;
    }
    }
}

static int get_params(lua_State *L)
{
    const tm_params *params = tm_job_params(self_job(L));
    lua_newtable(L);
    for (size_t i = 0; i < tm_params_count(params); i++) {
        const tm_param_info *info = tm_params_info(params, i);
        if (!tm_params_has(params, info->name))
            continue;
        push_param(L, params, info);
        lua_setfield(L, -2, info->name);
    }
    script_as_list(L);
    return 1;
}

static int get_data(lua_State *L)
{
    const tm_job *job = self_job(L);
    bool train = strcmp(lua_tostring(L, 2), "train") == 0;
    const tm_dataset *data = train ? tm_job_train(job) : tm_job_test(job);
    if (data)
        script_push_dataset(L, data);
    else
        lua_pushnil(L);
    return 1;
}

static int get_trace(lua_State *L)
{
    script_push_trace(L, self_job(L));
    return 1;
}

/* ---- models and points --------------------------------------------------------------------- */

/* The last finished lambda; an error that says why there is none. */
static const tm_point *last_point(lua_State *L, const tm_job *job)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    if (count > 0)
        return &points[count - 1];
    if (tm_job_get_state(job) == TM_JOB_FAILED)
        script_args_error(L, "run '%.60s' failed: %.600s", tm_job_name(job),
                          tm_job_error(job)->message);
    script_args_error(L, "run '%.60s' has no model yet; wait for it with :wait()",
                      tm_job_name(job));
    return NULL;
}

static int get_last(lua_State *L)
{
    const tm_job *job = self_job(L);
    const char *key = lua_tostring(L, 2);
    const tm_point *points;
    if (strcmp(key, "model") == 0)
        script_push_model(L, last_point(L, job)->solution.model);
    else if (tm_job_points(job, &points) == 0)
        lua_pushnil(L);
    else if (strcmp(key, "nnz") == 0)
        lua_pushinteger(L, (lua_Integer)tm_model_nnz(last_point(L, job)->solution.model));
    else
        lua_pushnumber(L, tm_model_intercept(last_point(L, job)->solution.model));
    return 1;
}

static int get_models(lua_State *L)
{
    const tm_point *points;
    size_t count = tm_job_points(self_job(L), &points);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        script_push_model(L, points[i].solution.model);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
    return 1;
}

static int get_score(lua_State *L)
{
    const tm_job *job = self_job(L);
    const tm_model *model = last_point(L, job)->solution.model;
    lua_newtable(L);
    script_push_scores(L, model, tm_job_train(job));
    lua_setfield(L, -2, "train");
    if (tm_job_test(job)) {
        script_push_scores(L, model, tm_job_test(job));
        lua_setfield(L, -2, "test");
    }
    script_as_list(L);
    return 1;
}

static void push_row(lua_State *L, const tm_point *point)
{
    lua_createtable(L, 0, FIELDS + 4);
    for (size_t k = 0; k < FIELDS; k++) {
        push_field(L, &fields[k], field_value(&point->solution, &fields[k]));
        lua_setfield(L, -2, fields[k].name);
    }
    script_set_count(L, "nnz", tm_model_nnz(point->solution.model));
    script_set_real(L, "train_score", point->train_score);
    script_set_real(L, "test_score", point->test_score);
    lua_pushstring(L, tm_outcome_name(point->solution.outcome));
    lua_setfield(L, -2, "status");
}

static double setting_of(const tm_solution *solution, const char *name)
{
    return strcmp(name, "lambda") == 0 ? solution->lambda
           : strcmp(name, "B") == 0    ? solution->B
                                       : solution->C;
}

static int get_table(lua_State *L)
{
    static const char *const names[] = {
        "lambda",  "B",       "C",        "nnz",       "primal",      "gap",        "seconds",
        "columns", "updates", "screened", "rejection", "train_score", "test_score",
    };
    enum { NAMES = sizeof names / sizeof *names, SETTINGS = 3 };
    const char *columns[NAMES];
    const tm_job *job = self_job(L);
    const tm_point *points;
    size_t count = tm_job_points(job, &points), shown = 0;
    /* A method has only some of the settings. */
    for (size_t k = 0; k < NAMES - !tm_job_test(job); k++)
        if (k >= SETTINGS || (count > 0 && !isnan(setting_of(&points[0].solution, names[k]))))
            columns[shown++] = names[k];
    lua_createtable(L, (int)count, 1);
    for (size_t i = 0; i < count; i++) {
        push_row(L, &points[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_rows(L, columns, shown);
    return 1;
}

/* ---- methods ------------------------------------------------------------------------------- */

static int run_wait(lua_State *L)
{
    tm_job *job = self_job(L);
    double seconds = luaL_optnumber(L, 2, -1);
    lua_settop(L, 1);
    script_wait_jobs(L, &job, 1, isnan(seconds) ? -1 : seconds);
    lua_settop(L, 1);
    return 1;
}

static int run_cancel(lua_State *L)
{
    tm_job_cancel(self_job(L));
    lua_settop(L, 1);
    return 1;
}

static int run_pause(lua_State *L)
{
    tm_job_pause(self_job(L), true);
    lua_settop(L, 1);
    return 1;
}

static int run_resume(lua_State *L)
{
    tm_job_pause(self_job(L), false);
    lua_settop(L, 1);
    return 1;
}

static int run_tostring(lua_State *L)
{
    const tm_job *job = self_job(L);
    char text[512];
    const tm_point *points;
    size_t done = tm_job_points(job, &points), asked = tm_job_point_count(job);
    int used = snprintf(text, sizeof text, "run %llu %.100s: %s",
                        (unsigned long long)tm_job_id(job), tm_job_name(job), status_of(job));
    if (tm_job_get_state(job) == TM_JOB_FAILED)
        used += snprintf(text + used, sizeof text - (size_t)used, ": %.200s",
                         tm_job_error(job)->message);
    if (asked > 1)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, ", %zu of %zu lambdas", done, asked);
    if (done > 0)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, ", gap %.3g, %zu features",
                     points[done - 1].solution.gap, tm_model_nnz(points[done - 1].solution.model));
    snprintf(text + used, sizeof text - (size_t)used, ", %.3g s", tm_job_seconds(job));
    lua_pushstring(L, text);
    return 1;
}

static int run_gc(lua_State *L)
{
    box *self = script_object_test(L, 1, &script_run_class);
    if (self && self->job) {
        tm_job_unref(self->job);
        self->job = NULL;
    }
    return 0;
}

static const script_member members[] = {
    {"status", NULL,
     "queued, running, paused, failed, cancelled; when done: converged or max_iter (any lambda)",
     NULL, get_text},
    {"early", NULL, "why a path ended before its last lambda, or nil", NULL, get_text},
    {"gap", NULL, "certified duality gap; of the last lambda, while running: of the last step",
     NULL, get_field},
    {"worst_gap", NULL, "the greatest gap of all finished lambdas", NULL, get_number},
    {"primal", NULL, "primal objective, likewise", NULL, get_field},
    {"dual", NULL, "dual objective, likewise", NULL, get_field},
    {"lambda", NULL, "lambda, likewise", NULL, get_field},
    {"B", NULL, "B, likewise; nil for a method without", NULL, get_field},
    {"C", NULL, "C, likewise; nil for a method without", NULL, get_field},
    {"lambda_max", NULL, "the least lambda whose answer is w = 0", NULL, get_number},
    {"null_objective", NULL, "objective at w = 0, what tol is relative to", NULL, get_number},
    {"nnz", NULL, "features of the last finished lambda", NULL, get_last},
    {"intercept", NULL, "intercept of the last finished lambda", NULL, get_last},
    {"seconds", NULL, "running time so far, pauses left out", NULL, get_field},
    {"columns", NULL, "column products of the whole run", NULL, get_field},
    {"updates", NULL, "coordinate updates of the whole run", NULL, get_field},
    {"passes", NULL, "columns / p", NULL, get_field},
    {"epochs", NULL, "epochs of coordinate updates of the whole run; 0 where they are not counted",
     NULL, get_field},
    {"active", NULL, "features the solver worked on at the end of the last lambda", NULL,
     get_field},
    {"screened", NULL, "p - active", NULL, get_field},
    {"rejection", NULL, "screened / p", NULL, get_field},
    {"power", NULL, "screened / features of weight zero", NULL, get_field},
    {"progress", NULL, "0 to 1, an estimate", NULL, get_number},
    {"name", NULL, "the run's name in plots and lists", NULL, get_text},
    {"method", NULL, "id of the method", NULL, get_text},
    {"params", NULL, "its parameters by name", NULL, get_params},
    {"error", NULL, "why it failed, or nil", NULL, get_text},
    {"id", NULL, "its number in this session", NULL, get_id},
    {"train", NULL, "the data it was fitted on", "dataset", get_data},
    {"test", NULL, "the test data, or nil", "dataset", get_data},
    {"trace", NULL, "what it did so far, step by step", "trace", get_trace},
    {"model", NULL, "the model of the last finished lambda", "model", get_last},
    {"models", NULL, "the models of all finished lambdas, a list", NULL, get_models},
    {"table", NULL, "one row for each finished lambda", NULL, get_table},
    {"score", NULL, "metrics of the last model: score.train.accuracy, score.test.r2, ...", NULL,
     get_score},
    {"wait", "(seconds)", "waits until it ended, or for that long; returns the run", "run",
     run_wait},
    {"cancel", "()", "stops it; finished lambdas are kept; returns the run", "run", run_cancel},
    {"pause", "()", "holds it until :resume(); returns the run", "run", run_pause},
    {"resume", "()", "lets a paused run go on; returns the run", "run", run_resume},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_run_class = {
    "run",   "a run",      "a solver at work in the background; results are of its last lambda",
    members, run_tostring, run_gc,
    NULL,    NULL,
};
