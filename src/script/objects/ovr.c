/* tm.ovr: one against the rest over all classes. */
#include "script/objects/ovr.h"

#include "base/clock.h"
#include "script/common/args.h"
#include "script/common/callbacks.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/data/dataset.h"
#include "script/objects/model.h"
#include "script/objects/run.h"
#include "tamis/ovr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct box {
    tm_ovr *ovr;
} box;

/* Seconds between two checks of the interrupt flag. */
static const double SLICE = 0.05;

static tm_ovr *self_ovr(lua_State *L)
{
    box *self = script_object(L, 1, &script_ovr_class, "ovr");
    if (!self->ovr)
        luaL_error(L, "this object was closed");
    return self->ovr;
}

static const char *const extras[] = {"test", NULL};

int script_tm_ovr(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    lua_settop(L, 3);
    spec.train = script_check_dataset(L, 1, "tm.ovr");
    if (lua_type(L, 2) != LUA_TSTRING)
        script_error(L, "tm.ovr: expected the name of a method, not %s", script_what_is(L, 2));
    spec.method = tm_method_find(lua_tostring(L, 2), &err);
    if (!spec.method)
        return script_raise(L, &err);
    const char *id = tm_method_id(spec.method);
    const tm_param_info *table = tm_method_params(spec.method, &count);
    tm_params *params = script_args_params(L, 3, id, table, count, extras);
    script_args_seed(L, params);
    spec.params = params;
    if (lua_istable(L, 3) && lua_getfield(L, 3, "test") != LUA_TNIL)
        spec.test = script_check_dataset(L, -1, "test");
    box *self = script_object_new(L, &script_ovr_class, sizeof *self);
    script_check(L);
    const script_host *host = &script_of(L)->host;
    if (tm_ovr_start(&self->ovr, host->pool, &spec, &err) != TM_OK)
        return script_raise(L, &err);
    for (size_t k = 0; host->started && k < tm_ovr_count(self->ovr); k++) {
        tm_job *job = tm_job_ref(tm_ovr_job(self->ovr, k));
        host->started(job, host->payload);
        tm_job_unref(job);
    }
    if (tm_job_remark(tm_ovr_job(self->ovr, 0)))
        script_remark(script_of(L), false, "%s", tm_job_remark(tm_ovr_job(self->ovr, 0)));
    return 1;
}

/* ---- what was found ------------------------------------------------------------------------ */

static void push_metrics(lua_State *L, const tm_ovr_scores *scores, const double *row)
{
    lua_newtable(L);
    for (size_t m = 0; m < scores->metrics; m++)
        script_set_real(L, scores->scorers[m].name, row[m]);
    script_as_list(L);
}

static void push_class(lua_State *L, const tm_ovr *ovr, const tm_ovr_scores *scores, size_t k)
{
    const tm_point *points;
    const tm_job *job = tm_ovr_job(ovr, k);
    const tm_confusion *t = &scores->tables[k];
    size_t count = tm_job_points(job, &points);
    lua_newtable(L);
    for (size_t m = 0; m < scores->metrics; m++)
        script_set_real(L, scores->scorers[m].name, scores->values[k * scores->metrics + m]);
    lua_pushstring(L, tm_ovr_label(ovr, k));
    lua_setfield(L, -2, "class");
    script_set_count(L, "rows", t->tp + t->fn);
    script_set_real(L, "seconds", tm_job_seconds(job));
    script_push_run(L, job);
    lua_setfield(L, -2, "run");
    if (count > 0) {
        script_set_count(L, "nnz", tm_model_nnz(points[count - 1].solution.model));
        script_set_real(L, "gap", points[count - 1].solution.gap);
        script_push_model(L, points[count - 1].solution.model);
        lua_setfield(L, -2, "model");
    }
}

/* scores(where): {macro=, micro=, accuracy=, classes={row, ...}} on the test data, or on the
 * training data. */
static int ovr_scores(lua_State *L)
{
    static const char *const columns[] = {"class", "rows",   "nnz",   "precision", "recall",
                                          "f1",    "rec@2p", "prbep", "auc",       "gap"};
    tm_error err = TM_ERROR_INIT;
    tm_ovr_scores scores;
    const tm_ovr *ovr = self_ovr(L);
    const char *where = luaL_optstring(L, 2, "test");
    if (strcmp(where, "test") != 0 && strcmp(where, "train") != 0)
        script_error(L, "ovr:scores: '%.40s'; expected \"test\" or \"train\"", where);
    if (!tm_ovr_ended(ovr))
        script_error(L, "ovr:scores: it has not ended; wait for it with :wait()");
    if (tm_ovr_score(&scores, ovr, strcmp(where, "test") == 0, &err) != TM_OK)
        return script_raise(L, &err);
    lua_newtable(L);
    push_metrics(L, &scores, scores.macro);
    lua_setfield(L, -2, "macro");
    push_metrics(L, &scores, scores.micro);
    lua_setfield(L, -2, "micro");
    script_set_real(L, "accuracy", scores.accuracy);
    lua_newtable(L);
    for (size_t k = 0; k < tm_ovr_count(ovr); k++) {
        push_class(L, ovr, &scores, k);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    script_as_rows(L, columns, sizeof columns / sizeof columns[0]);
    lua_setfield(L, -2, "classes");
    tm_ovr_scores_clear(&scores);
    return 1;
}

/* ---- predictions --------------------------------------------------------------------------- */

/* The prediction of class k's model for each row. */
static void predict_class(lua_State *L, const tm_ovr *ovr, size_t k, const tm_dataset *data,
                          script_predicted as, double *z)
{
    tm_error err = TM_ERROR_INIT;
    const tm_point *points;
    size_t count = tm_job_points(tm_ovr_job(ovr, k), &points);
    if (!tm_ovr_ended(ovr) || count == 0)
        script_error(L, "ovr:predict: class %s has no model%s", tm_ovr_label(ovr, k),
                     tm_ovr_ended(ovr) ? "" : "; wait for it with :wait()");
    const tm_model *model = points[count - 1].solution.model;
    if (tm_model_predict_data(model, data, z, &err) != TM_OK)
        script_raise(L, &err);
    if (as != SCRIPT_PROBABILITIES)
        return;
    tm_sigmoid sigmoid = script_read_sigmoid(L, "ovr:predict", model);
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        z[i] = tm_sigmoid_value(&sigmoid, z[i]);
}

/* Pushes one row of z, with one entry per class, `step` apart. */
static void push_row(lua_State *L, const tm_ovr *ovr, const double *z, size_t step,
                     script_predicted as)
{
    size_t classes = tm_ovr_count(ovr), best = 0;
    double sum = 0;
    for (size_t k = 0; k < classes; k++) {
        best = z[k * step] > z[best * step] ? k : best;
        sum += z[k * step];
    }
    if (as == SCRIPT_CLASSES) {
        lua_pushstring(L, tm_ovr_label(ovr, best));
        return;
    }
    lua_createtable(L, 0, (int)classes);
    for (size_t k = 0; k < classes; k++) {
        double even = 1 / (double)classes;
        double share = sum > 0 ? z[k * step] / sum : even;
        lua_pushnumber(L, as == SCRIPT_SCORES ? z[k * step] : share);
        lua_setfield(L, -2, tm_ovr_label(ovr, k));
    }
    script_as_list(L);
}

/* predict(data, {as="class"}): for each row the class whose model gives the greatest score, or a
 * table of all classes' scores, or of their probabilities divided by their sum. */
static int ovr_predict(lua_State *L)
{
    const tm_ovr *ovr = self_ovr(L);
    const tm_dataset *data = script_check_dataset(L, 2, "ovr:predict");
    script_predicted as = script_read_as(L, "ovr:predict", SCRIPT_CLASSES);
    size_t n = tm_dataset_rows(data), classes = tm_ovr_count(ovr);
    double *z = lua_newuserdatauv(L, (classes * n + 1) * sizeof *z, 0);
    for (size_t k = 0; k < classes; k++)
        predict_class(L, ovr, k, data, as, z + k * n);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        push_row(L, ovr, z + i, n, as);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
    return 1;
}

static int get_progress(lua_State *L)
{
    lua_pushnumber(L, tm_ovr_progress(self_ovr(L)));
    return 1;
}

static int get_count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)tm_ovr_count(self_ovr(L)));
    return 1;
}

static int ovr_wait(lua_State *L)
{
    tm_ovr *ovr = self_ovr(L);
    double deadline = clock_now() + luaL_optnumber(L, 2, INFINITY);
    while (!tm_ovr_wait(ovr, fmin(SLICE, fmax(deadline - clock_now(), 0)), NULL)) {
        if (script_must_stop(script_of(L))) {
            tm_ovr_cancel(ovr);
            script_check(L);
        }
        script_callbacks_poll(L);
        if (clock_now() >= deadline)
            break;
    }
    lua_settop(L, 1);
    return 1;
}

static int ovr_cancel(lua_State *L)
{
    tm_ovr_cancel(self_ovr(L));
    lua_settop(L, 1);
    return 1;
}

static int ovr_tostring(lua_State *L)
{
    const tm_ovr *ovr = self_ovr(L);
    char text[160];
    snprintf(text, sizeof text, "one against the rest: %zu classes, %.0f %% done",
             tm_ovr_count(ovr), 100 * tm_ovr_progress(ovr));
    lua_pushstring(L, text);
    return 1;
}

static void ovr_release(lua_State *L, void *held)
{
    (void)L;
    tm_ovr_free(held);
}

static const script_member members[] = {
    {"count", NULL, "how many classes", NULL, get_count},
    {"progress", NULL, "0 to 1", NULL, get_progress},
    {"scores", "(where)",
     "macro and micro averages, accuracy, and classes, a row for each; on \"test\" or \"train\"",
     NULL, ovr_scores},
    {"predict", "(data, {as=\"class\", calibrate=})",
     "the class of each row, of the greatest score; as=\"score\" or \"probability\": of all "
     "classes",
     NULL, ovr_predict},
    {"wait", "(seconds)", "waits until all have ended, or for that long; returns the object", "ovr",
     ovr_wait},
    {"cancel", "()", "stops all that are still running; returns the object", "ovr", ovr_cancel},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_ovr_class = {
    .id = "ovr",
    .title = "one against the rest",
    .summary = "a run for each class of the data",
    .members = members,
    .tostring = ovr_tostring,
    .release = ovr_release,
};
