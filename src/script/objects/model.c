/* Fitted models. */
#include "script/objects/model.h"

#include "model/metric/metrics.h"
#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/data/dataset.h"
#include "tamis/debias.h"
#include "tamis/metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct box {
    tm_model *model;
} box;

void script_push_model(lua_State *L, const tm_model *model)
{
    box *self = script_object_new(L, &script_model_class, sizeof *self);
    self->model = tm_model_ref(model);
}

tm_model *script_test_model(lua_State *L, int index)
{
    box *self = script_object_test(L, index, &script_model_class);
    return self ? self->model : NULL;
}

int script_tm_model(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    if (lua_type(L, 1) != LUA_TSTRING)
        script_error(L, "tm.model: expected the path of a model file, not %s",
                     script_what_is(L, 1));
    box *self = script_object_new(L, &script_model_class, sizeof *self);
    if (tm_model_load(&self->model, lua_tostring(L, 1), &err) != TM_OK)
        return script_raise(L, &err);
    return 1;
}

static const tm_model *self_model(lua_State *L)
{
    box *self = script_object(L, 1, &script_model_class, "model");
    if (!self->model)
        luaL_error(L, "this model was closed");
    return self->model;
}

/* ---- fields -------------------------------------------------------------------------------- */

static int get_number(lua_State *L)
{
    const tm_model *model = self_model(L);
    script_push_real(L, strcmp(lua_tostring(L, 2), "lambda") == 0 ? tm_model_lambda(model)
                                                                  : tm_model_intercept(model));
    return 1;
}

double script_model_levels(const tm_model *model)
{
    size_t levels = tm_model_levels(model);
    return levels == TM_NO_LEVELS ? NAN : (double)levels;
}

static int get_levels(lua_State *L)
{
    if (tm_model_levels(self_model(L)) == TM_NO_LEVELS)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)tm_model_levels(self_model(L)));
    return 1;
}

static int get_count(lua_State *L)
{
    const tm_model *model = self_model(L);
    const char *key = lua_tostring(L, 2);
    lua_pushinteger(L, (lua_Integer)(strcmp(key, "p") == 0     ? tm_model_cols(model)
                                     : strcmp(key, "nnz") == 0 ? tm_model_nnz(model)
                                                               : tm_model_support_vectors(model)));
    return 1;
}

static int get_method(lua_State *L)
{
    bool kernel = strcmp(lua_tostring(L, 2), "kernel") == 0;
    lua_pushstring(L, kernel ? tm_model_kernel(self_model(L)) : tm_model_method(self_model(L)));
    return 1;
}

static int get_selection(lua_State *L)
{
    const tm_model *model = self_model(L);
    if (strcmp(lua_tostring(L, 2), "selection") == 0)
        lua_pushboolean(L, tm_model_is_selection(model));
    else if (tm_model_predictor(model))
        script_push_model(L, tm_model_predictor(model));
    else
        lua_pushnil(L);
    return 1;
}

static int get_support(lua_State *L)
{
    const tm_model *model = self_model(L);
    size_t nnz = tm_model_nnz(model);
    lua_createtable(L, (int)nnz, 0);
    for (size_t k = 0; k < nnz; k++) {
        lua_pushinteger(L, (lua_Integer)tm_model_features(model)[k] + 1);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    script_as_list(L);
    return 1;
}

static int get_coef(lua_State *L)
{
    const tm_model *model = self_model(L);
    size_t nnz = tm_model_nnz(model);
    lua_createtable(L, 0, (int)nnz);
    for (size_t k = 0; k < nnz; k++) {
        lua_pushnumber(L, tm_model_weights(model)[k]);
        lua_rawseti(L, -2, (lua_Integer)tm_model_features(model)[k] + 1);
    }
    script_as_list(L);
    return 1;
}

/* ---- methods ------------------------------------------------------------------------------- */

script_predicted script_read_as(lua_State *L, const char *owner, script_predicted fallback)
{
    static const char *const keys[] = {"as", "calibrate", NULL};
    static const char *const names[] = {"score", "probability", "class"};
    if (!script_args_options(L, 3, owner))
        return fallback;
    script_args_keys(L, 3, owner, NULL, 0, keys);
    const char *as = script_args_text(L, 3, owner, "as", names[fallback]);
    script_predicted what = SCRIPT_SCORES;
    while (what < SCRIPT_CLASSES && strcmp(as, names[what]) != 0)
        what++;
    if (strcmp(as, names[what]) != 0)
        script_error(L, "%s: as is '%.40s'; expected \"score\", \"probability\" or \"class\"",
                     owner, as);
    if (what != SCRIPT_PROBABILITIES && lua_getfield(L, 3, "calibrate") != LUA_TNIL)
        script_error(L, "%s: calibrate is for as=\"probability\"", owner);
    lua_settop(L, 3);
    return what;
}

tm_sigmoid script_read_sigmoid(lua_State *L, const char *owner, const tm_model *model)
{
    tm_error err = TM_ERROR_INIT;
    tm_sigmoid sigmoid;
    tm_status status =
        lua_getfield(L, 3, "calibrate") == LUA_TNIL
            ? tm_model_sigmoid(&sigmoid, model, &err)
            : tm_model_calibrate(&sigmoid, model, script_check_dataset(L, -1, owner), &err);
    lua_pop(L, 1);
    if (status != TM_OK)
        script_raise(L, &err);
    return sigmoid;
}

static int model_predict(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    tm_sigmoid sigmoid = {1, 0};
    const tm_model *model = self_model(L);
    const tm_dataset *data = script_check_dataset(L, 2, "predict");
    script_predicted what = script_read_as(L, "predict", SCRIPT_SCORES);
    if (what == SCRIPT_CLASSES && !tm_model_is_binary(model))
        script_error(L, "predict: the model's response is a number: it has no classes");
    if (what == SCRIPT_PROBABILITIES)
        sigmoid = script_read_sigmoid(L, "predict", model);
    size_t n = tm_dataset_rows(data);
    double *z = lua_newuserdatauv(L, n * sizeof *z, 0);
    if (tm_model_predict_data(model, data, z, &err) != TM_OK)
        return script_raise(L, &err);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        if (what == SCRIPT_CLASSES)
            lua_pushstring(L, tm_model_label(model, z[i] > 0 ? 1 : -1));
        else
            lua_pushnumber(L, what == SCRIPT_SCORES ? z[i] : tm_sigmoid_value(&sigmoid, z[i]));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
    return 1;
}

static int model_score(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    double value;
    const tm_model *model = self_model(L);
    const tm_dataset *data = script_check_dataset(L, 2, "score");
    tm_scorer scorer = tm_scorer_default(tm_model_is_binary(model));
    if ((!lua_isnoneornil(L, 3) &&
         tm_scorer_find(&scorer, luaL_checkstring(L, 3), &err) != TM_OK) ||
        tm_model_score(model, data, &scorer, &value, &err) != TM_OK)
        return script_raise(L, &err);
    lua_pushnumber(L, value);
    return 1;
}

static void push_confusion(lua_State *L, const tm_confusion *t)
{
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, (lua_Integer)t->tp);
    lua_setfield(L, -2, "tp");
    lua_pushinteger(L, (lua_Integer)t->fp);
    lua_setfield(L, -2, "fp");
    lua_pushinteger(L, (lua_Integer)t->fn);
    lua_setfield(L, -2, "fn");
    lua_pushinteger(L, (lua_Integer)t->tn);
    lua_setfield(L, -2, "tn");
    script_as_list(L);
}

static int model_confusion(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    tm_confusion table;
    if (tm_model_confusion(self_model(L), script_check_dataset(L, 2, "confusion"), &table, &err) !=
        TM_OK)
        return script_raise(L, &err);
    push_confusion(L, &table);
    return 1;
}

void script_push_scores(lua_State *L, const tm_model *model, const tm_dataset *data)
{
    tm_error err = TM_ERROR_INIT;
    size_t count, n = tm_dataset_rows(data);
    const tm_metric *metrics = tm_metrics(&count);
    lua_newtable(L);
    double *y = lua_newuserdatauv(L, 2 * n * sizeof *y, 0), *z = y + n;
    if (tm_model_judge(model, data, y, z, &err) != TM_OK)
        script_raise(L, &err);
    for (size_t k = 0; k < count; k++) {
        if (metrics[k].binary != tm_model_is_binary(model))
            continue;
        tm_scorer scorer = tm_scorer_usual(&metrics[k]);
        double value;
        if (metric_value(&scorer, y, z, n, &value, &err) != TM_OK)
            script_raise(L, &err);
        if (isnan(value))
            continue;
        lua_pushnumber(L, value);
        lua_setfield(L, -3, scorer.name);
    }
    lua_pop(L, 1);
    script_as_list(L);
}

static const tm_param_info debias_params[] = {
    {.name = "C",
     .type = TM_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1e12,
     .help = "weight of the loss against the l2 penalty",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .help = "loss; squared for numbers and logistic for two classes unless given",
     .choices = tm_debias_losses},
    {.name = "intercept",
     .type = TM_PARAM_BOOL,
     .fallback = "true",
     .help = "fit an intercept, which is never penalised"},
    {.name = "tol",
     .type = TM_PARAM_REAL,
     .fallback = "1e-8",
     .min = 0,
     .max = 1,
     .unit = "null objective",
     .help = "stop when the duality gap is at most this times the objective without features",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},
};

const tm_param_info *script_debias_params(size_t *count)
{
    *count = sizeof debias_params / sizeof debias_params[0];
    return debias_params;
}

const char *const script_debias_extras[] = {"data", NULL};

/* model:debias{data=, C=, ...}: the retrained model, and its certificate as a table. */
static int model_debias(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    tm_certificate certificate;
    const tm_model *model = self_model(L);
    const tm_param_info *table = script_debias_params(&count);
    tm_params *params = script_args_params(L, 2, "debias", table, count, script_debias_extras);
    if (!lua_istable(L, 2))
        script_error(L, "debias: expected {data=..., C=...}");
    lua_getfield(L, 2, "data");
    const tm_dataset *data = script_check_dataset(L, -1, "debias");
    tm_debias_options options = TM_DEBIAS_OPTIONS_INIT;
    options.C = tm_params_real(params, "C");
    options.loss = tm_params_text(params, "loss");
    options.intercept = tm_params_bool(params, "intercept");
    options.tol = tm_params_real(params, "tol");
    tm_model *trained;
    if (tm_debias(&trained, &certificate, model, data, &options, &err) != TM_OK)
        return script_raise(L, &err);
    script_push_model(L, trained);
    tm_model_unref(trained);
    lua_createtable(L, 0, 3);
    script_set_real(L, "primal", certificate.primal);
    script_set_real(L, "dual", certificate.dual);
    script_set_real(L, "gap", certificate.gap);
    script_as_list(L);
    return 2;
}

static int model_save(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    if (tm_model_save(self_model(L), luaL_checkstring(L, 2), &err) != TM_OK)
        return script_raise_unsaved(L, 1, &err);
    lua_settop(L, 1);
    return 1;
}

static int model_weight(lua_State *L)
{
    const tm_model *model = self_model(L);
    lua_Integer j = luaL_checkinteger(L, 2);
    if (j < 1 || (uint64_t)j > tm_model_cols(model))
        script_error(L, "weight: feature %lld; expected a number from 1 to %zu", (long long)j,
                     tm_model_cols(model));
    lua_pushnumber(L, tm_model_weight(model, (size_t)j - 1));
    return 1;
}

typedef struct ranked {
    size_t feature;
    double weight;
} ranked;

static int by_size(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    double x = fabs(a->weight), y = fabs(b->weight);
    if (x != y)
        return x < y ? 1 : -1;
    return a->feature < b->feature ? -1 : a->feature > b->feature;
}

static int model_top(lua_State *L)
{
    static const char *const columns[] = {"feature", "name", "weight"};
    const tm_model *model = self_model(L);
    lua_Integer most = luaL_optinteger(L, 2, 10);
    size_t nnz = tm_model_nnz(model);
    ranked *order = lua_newuserdatauv(L, (nnz ? nnz : 1) * sizeof *order, 0);
    for (size_t k = 0; k < nnz; k++)
        order[k] = (ranked){tm_model_features(model)[k], tm_model_weights(model)[k]};
    qsort(order, nnz, sizeof *order, by_size);
    lua_newtable(L);
    for (size_t k = 0; k < nnz && (lua_Integer)k < most; k++) {
        char buffer[128];
        lua_createtable(L, 0, 3);
        lua_pushinteger(L, (lua_Integer)order[k].feature + 1);
        lua_setfield(L, -2, "feature");
        lua_pushstring(L, tm_model_feature_label(model, order[k].feature, buffer, sizeof buffer));
        lua_setfield(L, -2, "name");
        lua_pushnumber(L, order[k].weight);
        lua_setfield(L, -2, "weight");
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    script_as_rows(L, columns, 3);
    return 1;
}

static int model_tostring(lua_State *L)
{
    const tm_model *model = self_model(L);
    char text[256], lambda[40] = "", rest[80], size[80];
    const tm_map *map = tm_model_map(model);
    if (map)
        snprintf(size, sizeof size, "%zu of %llu features of %.20s", tm_model_nnz(model),
                 (unsigned long long)tm_map_features(map), tm_map_kind(map));
    else if (tm_model_kernel(model) && !tm_model_is_selection(model))
        snprintf(size, sizeof size, "%zu support vectors (%.20s)", tm_model_support_vectors(model),
                 tm_model_kernel(model));
    else
        snprintf(size, sizeof size, "%zu of %zu features", tm_model_nnz(model),
                 tm_model_cols(model));
    if (!isnan(tm_model_lambda(model)))
        snprintf(lambda, sizeof lambda, ", lambda %.6g", tm_model_lambda(model));
    if (!tm_model_is_selection(model))
        snprintf(rest, sizeof rest, "intercept %.6g", tm_model_intercept(model));
    else if (tm_model_predictor(model))
        snprintf(rest, sizeof rest, "a selection, predicts by %.40s",
                 tm_model_method(tm_model_predictor(model)));
    else
        snprintf(rest, sizeof rest, "a selection without predictions");
    snprintf(text, sizeof text, "model of %.40s: %s%s, %s", tm_model_method(model), size, lambda,
             rest);
    lua_pushstring(L, text);
    return 1;
}

static void model_release(lua_State *L, void *held)
{
    (void)L;
    tm_model_unref(held);
}

static const script_member members[] = {
    {"coef", NULL, "weights on the data's scale: coef[j] of each chosen feature j, from 1", NULL,
     get_coef},
    {"support", NULL, "the chosen features, ascending, counted from 1", NULL, get_support},
    {"intercept", NULL, "the intercept", NULL, get_number},
    {"lambda", NULL, "lambda it was fitted at, nil for a method without", NULL, get_number},
    {"nnz", NULL, "how many features were chosen", NULL, get_count},
    {"levels", NULL,
     "of a graph: joined features of one weight, other than 0, count once; nil where not known",
     NULL, get_levels},
    {"p", NULL, "how many features the data had", NULL, get_count},
    {"method", NULL, "id of the method", NULL, get_method},
    {"support_vectors", NULL, "how many support vectors it predicts by; 0: it has weights", NULL,
     get_count},
    {"kernel", NULL, "the kernel of its support vectors, nil for a model with weights", NULL,
     get_method},
    {"selection", NULL, "whether its weights choose features and predict nothing", NULL,
     get_selection},
    {"predictor", NULL, "of a selection: the model of the chosen columns that predicts, or nil",
     NULL, get_selection},
    {"predict", "(data, {as=\"score\", calibrate=})",
     "x'w + b for each row, a list; as=\"class\": the name of the class, by the sign; "
     "as=\"probability\" of the class +1, of the logistic loss or calibrated on other rows",
     NULL, model_predict},
    {"score", "(data, metric)", "a metric of its predictions (accuracy or r2 unless named)", NULL,
     model_score},
    {"confusion", "(data)", "rows by class and prediction: tp, fp, fn, tn", NULL, model_confusion},
    {"weight", "(j)", "the weight of feature j, 0 if it was not chosen", NULL, model_weight},
    {"top", "(count)", "the strongest features as a table: feature, name, weight", NULL, model_top},
    {"debias", "{data=, C=, loss=, intercept=, tol=}",
     "the model retrained on its features with only an l2 penalty, and the certificate of that",
     NULL, model_debias},
    {"save", "(path)",
     "writes a JSON file that tm.model reads; .libsvm and .liblinear: for those programs", "model",
     model_save},
    {NULL, NULL, NULL, NULL, NULL},
};

static const script_keys keys[] = {
    {"debias", "debias's", script_debias_params, script_debias_extras,
     "  data              the data set to train on, which has the model's features\n"},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_model_class = {
    .id = "model",
    .title = "a model",
    .summary = "a fitted linear model; immutable",
    .members = members,
    .tostring = model_tostring,
    .release = model_release,
    .keys = keys,
};
