/* Runs: jobs as objects of the script, and the functions that start them. */
#include "script/objects/run.h"

#include "run/model_size.h"
#include "script/common/args.h"
#include "script/common/callbacks.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/objects/data/dataset.h"
#include "script/objects/model.h"
#include "script/objects/run_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a model takes besides its weights, in bytes; the longest step of the collector, in kB. */
enum { POINT_BYTES = 512, MAX_STEP = 1 << 20 };

typedef struct box {
    tm_job *job;
    bool counted; /* see tell_collector */
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
        script_error(L, "%s: expected a run, not %s", who, script_what_is(L, index));
    return job;
}

/* ---- starting ------------------------------------------------------------------------------ */

const char *const script_run_extras[] = {"test",   "name", "from", "weights",
                                         "offset", "tags", "note", NULL};

/* Reads the options that are not parameters; the table keeps objects alive. */
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
            script_error(L, "%s: 'from' is %s; expected a model, or a run that has one", owner,
                         script_what_is(L, -1));
    }
    lua_pop(L, 1);
}

/* A path needs lambdas: 100 unless the script sets another number. */
static void set_path(lua_State *L, const char *id, tm_params *params)
{
    tm_error err = TM_ERROR_INIT;
    if (!tm_params_find(params, "lambdas", &err))
        script_error(L, "tm.path: %s has no path over lambda", id);
    if (!tm_params_given(params, "lambda") && !tm_params_given(params, "lambdas") &&
        tm_params_set_int(params, "lambdas", 100, &err) != TM_OK)
        script_raise(L, &err);
}

/* The data with the options' weights and offsets, which stay on the stack; without these, the data
 * unchanged. */
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
    script_callbacks_reserve(L);
    box *run = script_object_new(L, &script_run_class, sizeof *run);
    script_check(L);
    tm_annotation annotation = {NULL, NULL};
    if (script_args_annotation(L, options, id, &annotation))
        spec.annotation = &annotation;
    tm_status status = tm_pool_submit(self->host.pool, &spec, &run->job, &err);
    tm_annotation_clear(&annotation);
    if (status != TM_OK)
        return script_raise(L, &err);
    script_callbacks_add(self, run->job, script_push_run);
    if (tm_job_remark(run->job))
        script_remark(self, false, "%s", tm_job_remark(run->job));
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
        script_error(L, "tm.path: expected the name of a method, not %s", script_what_is(L, 2));
    const tm_method *method = tm_method_find(lua_tostring(L, 2), &err);
    if (!method)
        return script_raise(L, &err);
    return start(L, method, 3, true);
}

tm_job *script_run_self(lua_State *L)
{
    script_object(L, 1, &script_run_class, "run");
    return script_check_run(L, 1, "run");
}

/* ---- methods ------------------------------------------------------------------------------- */

/* Lua's collector sees a few bytes of a run whose models take far more, and would let them pile up.
 * A run that has ended counts once, as an eighth of what it holds: a step of the collector costs
 * about as much as a run that makes so much. */
static void tell_collector(lua_State *L, box *run)
{
    const tm_point *points;
    size_t bytes = 0, count = tm_job_points(run->job, &points);
    if (run->counted || !tm_job_ended(run->job) || !lua_gc(L, LUA_GCISRUNNING))
        return;
    for (size_t k = 0; k < count; k++)
        bytes += sizeof *points + POINT_BYTES +
                 tm_model_nnz(points[k].solution.model) * (sizeof(size_t) + sizeof(double));
    run->counted = true;
    size_t kilobytes = bytes / 8192 + 1;
    lua_gc(L, LUA_GCSTEP, kilobytes < MAX_STEP ? (int)kilobytes : MAX_STEP);
}

static int run_wait(lua_State *L)
{
    tm_job *job = script_run_self(L);
    double seconds = luaL_optnumber(L, 2, -1);
    lua_settop(L, 1);
    script_wait_jobs(L, &job, 1, isnan(seconds) ? -1 : seconds);
    lua_settop(L, 1);
    tell_collector(L, script_object_test(L, 1, &script_run_class));
    return 1;
}

static int run_cancel(lua_State *L)
{
    tm_job_cancel(script_run_self(L));
    lua_settop(L, 1);
    return 1;
}

static int run_pause(lua_State *L)
{
    tm_job_pause(script_run_self(L), true);
    lua_settop(L, 1);
    return 1;
}

static int run_resume(lua_State *L)
{
    tm_job_pause(script_run_self(L), false);
    lua_settop(L, 1);
    return 1;
}

static tm_status job_label(lua_State *L, tm_annotation *out, tm_error *err)
{
    return tm_job_annotation(script_run_self(L), out, err);
}

static tm_status set_job_label(lua_State *L, const tm_annotation *label, tm_error *err)
{
    tm_job *job = script_run_self(L);
    tm_store *store = script_of(L)->host.store;
    tm_status status = tm_job_annotate(job, label, err);
    if (status == TM_OK && store && tm_store_number(job) > 0)
        status = tm_store_annotate(store, TM_STORED_RUN, tm_store_number(job), label, err);
    return status;
}

static const script_labelled labelled = {"run:annotate", job_label, set_job_label};

static int run_annotation(lua_State *L)
{
    return script_push_annotation(L, &labelled);
}

static int run_annotate(lua_State *L)
{
    return script_annotate(L, &labelled);
}

static int run_tostring(lua_State *L)
{
    const tm_job *job = script_run_self(L);
    char text[512];
    const tm_point *points;
    size_t done = tm_job_points(job, &points), asked = tm_job_point_count(job);
    int used =
        snprintf(text, sizeof text, "run %llu %.100s: %s", (unsigned long long)tm_job_id(job),
                 tm_job_name(job), script_run_status(job));
    if (tm_job_get_state(job) == TM_JOB_FAILED)
        used += snprintf(text + used, sizeof text - (size_t)used, ": %.200s",
                         tm_job_error(job)->message);
    if (asked > 1)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, ", %zu of %zu lambdas", done, asked);
    if (done > 0) {
        const tm_solution *last = &points[done - 1].solution;
        used += snprintf(text + used, sizeof text - (size_t)used, ", gap %.3g, %zu %s", last->gap,
                         model_size(last->model), model_size_noun(last->model));
    }
    snprintf(text + used, sizeof text - (size_t)used, ", %.3g s", tm_job_seconds(job));
    lua_pushstring(L, text);
    return 1;
}

static void run_release(lua_State *L, void *held)
{
    (void)L;
    tm_job_unref(held);
}

static const script_member members[] = {
    {"status", NULL,
     "queued, running, paused, failed, cancelled; when done: converged or max_iter (any lambda)",
     NULL, script_run_text},
    {"stopped_by", NULL, "why status is max_iter: max_iter, max_seconds, rounding or rule; or nil",
     NULL, script_run_text},
    {"early", NULL, "why a path ended before its last lambda, or nil", NULL, script_run_text},
    {"gap", NULL, "certified duality gap; of the last lambda, while running: of the last step",
     NULL, script_run_field},
    {"worst_gap", NULL, "the greatest gap of all finished lambdas", NULL, script_run_number},
    {"primal", NULL, "primal objective, likewise", NULL, script_run_field},
    {"dual", NULL, "dual objective, likewise", NULL, script_run_field},
    {"lambda", NULL, "lambda, likewise", NULL, script_run_field},
    {"B", NULL, "B, likewise; nil for a method without", NULL, script_run_field},
    {"C", NULL, "C, likewise; nil for a method without", NULL, script_run_field},
    {"lambda_max", NULL, "the least lambda whose answer is w = 0", NULL, script_run_number},
    {"null_objective", NULL, "objective at w = 0, what tol is relative to", NULL,
     script_run_number},
    {"nnz", NULL, "features of the last finished lambda", NULL, script_run_last},
    {"intercept", NULL, "intercept of the last finished lambda", NULL, script_run_last},
    {"seconds", NULL, "running time so far, pauses left out", NULL, script_run_field},
    {"columns", NULL, "column products of the whole run", NULL, script_run_field},
    {"updates", NULL, "coordinate updates of the whole run", NULL, script_run_field},
    {"passes", NULL, "columns / p", NULL, script_run_field},
    {"epochs", NULL, "epochs of coordinate updates of the whole run; 0 where they are not counted",
     NULL, script_run_field},
    {"active", NULL, "features (svm: samples) the solver worked on at the end of the last point",
     NULL, script_run_field},
    {"screened", NULL, "p - active (svm: n - active)", NULL, script_run_field},
    {"rejection", NULL, "screened / p (svm: / n)", NULL, script_run_field},
    {"power", NULL, "screened / features of weight zero", NULL, script_run_field},
    {"support", NULL, "svm: support vectors of the last answer", NULL, script_run_field},
    {"levels", NULL, "genlasso: joined features of one weight, other than 0, count once", NULL,
     script_run_last},
    {"progress", NULL, "0 to 1, an estimate", NULL, script_run_number},
    {"name", NULL, "the run's name in plots and lists", NULL, script_run_text},
    {"method", NULL, "id of the method", NULL, script_run_text},
    {"tags", NULL, "its tags, a list of words", NULL, run_annotation},
    {"note", NULL, "what was noted of it, or nil", NULL, run_annotation},
    {"params", NULL, "its parameters by name", NULL, script_run_params},
    {"error", NULL, "why it failed, or nil", NULL, script_run_text},
    {"id", NULL, "its number in this session", NULL, script_run_id},
    {"train", NULL, "the data it was fitted on", "dataset", script_run_data},
    {"test", NULL, "the test data, or nil", "dataset", script_run_data},
    {"trace", NULL, "what it did so far, step by step", "trace", script_run_trace},
    {"model", NULL, "the model of the last finished lambda", "model", script_run_last},
    {"models", NULL, "the models of all finished lambdas, a list", NULL, script_run_models},
    {"table", NULL, "one row for each finished lambda", NULL, script_run_table},
    {"score", NULL, "metrics of the last model: score.train.accuracy, score.test.r2, ...", NULL,
     script_run_score},
    {"wait", "(seconds)", "waits until it has ended, or for that long; returns the run", "run",
     run_wait},
    {"cancel", "()", "stops it; finished lambdas are kept; returns the run", "run", run_cancel},
    {"pause", "()", "pauses it until :resume(); returns the run", "run", run_pause},
    {"resume", "()", "continues a paused run; returns the run", "run", run_resume},
    {"annotate", "({tags=, note=})",
     "replaces its tags (a word, or a list of words), its note or both, in the store, too; returns "
     "the run",
     "run", run_annotate},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_run_class = {
    .id = "run",
    .title = "a run",
    .summary = "a solver at work in the background; results are of its last lambda",
    .members = members,
    .tostring = run_tostring,
    .release = run_release,
};
