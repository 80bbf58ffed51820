/* The results of a run: the fields of its object.
 *
 * For a run with several lambdas, results (gap, nnz, intercept, ...) are those of the last finished
 * lambda, and costs (seconds, columns, updates, passes) are those of the whole run. */
#include "script/objects/run_read.h"

#include "script/common/args.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/data/dataset.h"
#include "script/objects/model.h"
#include "script/objects/trace.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- what a run found ---------------------------------------------------------------------- */

typedef struct solution_field {
    const char *name;
    size_t offset; /* in tm_solution */
    bool whole;    /* a uint64_t; a double otherwise */
    bool cost;     /* summed over a run */
} solution_field;

#define FIELD(name, member, whole, cost)                                                           \
    {                                                                                              \
        name, offsetof(tm_solution, member), whole, cost                                           \
    }
static const solution_field fields[] = {
    FIELD("lambda", lambda, false, false),
    FIELD("B", B, false, false),
    FIELD("C", C, false, false),
    FIELD("primal", primal, false, false),
    FIELD("dual", dual, false, false),
    FIELD("gap", gap, false, false),
    FIELD("seconds", seconds, false, true),
    FIELD("columns", columns, true, true),
    FIELD("updates", updates, true, true),
    FIELD("passes", passes, false, true),
    FIELD("active", active, true, false),
    FIELD("screened", screening.screened, true, false),
    FIELD("rejection", screening.rejection, false, false),
    FIELD("power", screening.power, false, false),
    FIELD("epochs", epochs, true, true),
    FIELD("support", screening.support, true, false),
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

/* The run's newest event as a solution: the facts known before a lambda is finished. */
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
        .screening = {e->screened, tm_event_rejection(e), NAN, 0},
    };
    return true;
}

/* NaN if not known yet. Costs include the lambda that is being solved. */
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

static void push_whole(lua_State *L, double value)
{
    if (isnan(value))
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)value);
}

static void push_field(lua_State *L, const solution_field *field, double value)
{
    if (field->whole)
        push_whole(L, value);
    else
        script_push_real(L, value);
}

int script_run_field(lua_State *L)
{
    const tm_job *job = script_run_self(L);
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

int script_run_number(lua_State *L)
{
    const tm_job *job = script_run_self(L);
    const char *key = lua_tostring(L, 2);
    script_push_real(L, strcmp(key, "lambda_max") == 0  ? tm_job_lambda_max(job)
                        : strcmp(key, "progress") == 0  ? tm_job_progress(job)
                        : strcmp(key, "worst_gap") == 0 ? worst_gap(job)
                                                        : tm_job_null_objective(job));
    return 1;
}

/* The last of the points with the worst outcome; NULL without points, or before the end. */
static const tm_solution *worst_point(const tm_job *job)
{
    const tm_point *points;
    const tm_solution *worst = NULL;
    size_t count = tm_job_get_state(job) == TM_JOB_DONE ? tm_job_points(job, &points) : 0;
    for (size_t i = 0; i < count; i++)
        if (!worst || points[i].solution.outcome >= worst->outcome)
            worst = &points[i].solution;
    return worst;
}

const char *script_run_status(const tm_job *job)
{
    tm_job_state state = tm_job_get_state(job);
    if (state != TM_JOB_DONE)
        return tm_job_state_name(state);
    const tm_solution *worst = worst_point(job);
    return tm_outcome_name(worst ? worst->outcome : TM_CONVERGED);
}

int script_run_text(lua_State *L)
{
    const tm_job *job = script_run_self(L);
    const char *key = lua_tostring(L, 2);
    if (strcmp(key, "status") == 0)
        lua_pushstring(L, script_run_status(job));
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, tm_job_name(job));
    else if (strcmp(key, "method") == 0)
        lua_pushstring(L, tm_method_id(tm_job_method(job)));
    else if (strcmp(key, "stopped_by") == 0)
        lua_pushstring(L, worst_point(job) ? tm_stop_name(worst_point(job)->stop) : NULL);
    else if (strcmp(key, "early") == 0)
        lua_pushstring(L, tm_job_early(job)); /* pushes nil for NULL */
    else if (tm_job_get_state(job) == TM_JOB_FAILED)
        lua_pushstring(L, tm_job_error(job)->message);
    else
        lua_pushnil(L);
    return 1;
}

int script_run_id(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)tm_job_id(script_run_self(L)));
    return 1;
}

/* Pushes a number, a list, or a table by name. */
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

int script_run_params(lua_State *L)
{
    const tm_params *params = tm_job_params(script_run_self(L));
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

int script_run_data(lua_State *L)
{
    const tm_job *job = script_run_self(L);
    bool train = strcmp(lua_tostring(L, 2), "train") == 0;
    const tm_dataset *data = train ? tm_job_train(job) : tm_job_test(job);
    if (data)
        script_push_dataset(L, data);
    else
        lua_pushnil(L);
    return 1;
}

int script_run_trace(lua_State *L)
{
    script_push_trace(L, script_run_self(L));
    return 1;
}

/* ---- models and points --------------------------------------------------------------------- */

/* The last finished lambda; raises an error that says why there is none. */
static const tm_point *last_point(lua_State *L, const tm_job *job)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    if (count > 0)
        return &points[count - 1];
    if (tm_job_get_state(job) == TM_JOB_FAILED)
        script_error(L, "run '%.60s' failed: %.600s", tm_job_name(job), tm_job_error(job)->message);
    script_error(L, "run '%.60s' has no model yet; wait for it with :wait()", tm_job_name(job));
    return NULL;
}

int script_run_last(lua_State *L)
{
    const tm_job *job = script_run_self(L);
    const char *key = lua_tostring(L, 2);
    const tm_point *points;
    if (strcmp(key, "model") == 0)
        script_push_model(L, last_point(L, job)->solution.model);
    else if (tm_job_points(job, &points) == 0)
        lua_pushnil(L);
    else if (strcmp(key, "levels") == 0)
        push_whole(L, script_model_levels(last_point(L, job)->solution.model));
    else if (strcmp(key, "nnz") == 0)
        lua_pushinteger(L, (lua_Integer)tm_model_nnz(last_point(L, job)->solution.model));
    else
        lua_pushnumber(L, tm_model_intercept(last_point(L, job)->solution.model));
    return 1;
}

int script_run_models(lua_State *L)
{
    const tm_point *points;
    size_t count = tm_job_points(script_run_self(L), &points);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        script_push_model(L, points[i].solution.model);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
    return 1;
}

int script_run_score(lua_State *L)
{
    const tm_job *job = script_run_self(L);
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
    lua_createtable(L, 0, FIELDS + 6);
    for (size_t k = 0; k < FIELDS; k++) {
        push_field(L, &fields[k], field_value(&point->solution, &fields[k]));
        lua_setfield(L, -2, fields[k].name);
    }
    script_set_count(L, "nnz", tm_model_nnz(point->solution.model));
    push_whole(L, script_model_levels(point->solution.model));
    lua_setfield(L, -2, "levels");
    script_set_real(L, "train_score", point->train_score);
    script_set_real(L, "test_score", point->test_score);
    lua_pushstring(L, tm_outcome_name(point->solution.outcome));
    lua_setfield(L, -2, "status");
    lua_pushstring(L, tm_stop_name(point->solution.stop)); /* pushes nil for NULL */
    lua_setfield(L, -2, "stopped_by");
}

static double setting_of(const tm_solution *solution, const char *name)
{
    return strcmp(name, "lambda") == 0 ? solution->lambda
           : strcmp(name, "B") == 0    ? solution->B
           : strcmp(name, "C") == 0    ? solution->C
                                       : script_model_levels(solution->model);
}

int script_run_table(lua_State *L)
{
    static const char *const names[] = {
        "lambda",  "B",       "C",       "levels",   "nnz",       "primal",      "gap",
        "seconds", "columns", "updates", "screened", "rejection", "train_score", "test_score",
    };
    enum { NAMES = sizeof names / sizeof *names, SETTINGS = 4 };
    const char *columns[NAMES];
    const tm_job *job = script_run_self(L);
    const tm_point *points;
    size_t count = tm_job_points(job, &points), shown = 0;
    /* A method has only some of these parameters. */
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
