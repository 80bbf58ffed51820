/* Data sets: tm.load, tm.synth, tm.dataset and the object they give. */
#include "state.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/class_texts.h"
#include "data/dataset_parts.h"
#include "tamis/classes.h"
#include "tamis/reader.h"
#include "tamis/synth.h"
#include "tamis/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct box {
    tm_dataset *data;
} box;

tm_dataset **script_new_dataset(lua_State *L)
{
    box *self = script_object_new(L, &script_dataset_class, sizeof *self);
    return &self->data;
}

void script_push_dataset(lua_State *L, const tm_dataset *data)
{
    *script_new_dataset(L) = tm_dataset_ref(data);
}

tm_dataset *script_check_dataset(lua_State *L, int index, const char *who)
{
    box *self = script_object_test(L, index, &script_dataset_class);
    if (self && self->data)
        return self->data;
    script_args_error(L,
                      "%s: expected a data set, not %s; tm.load, tm.synth and tm.dataset "
                      "make one",
                      who, script_what_is(L, index));
    return NULL;
}

static int announce(lua_State *L, tm_dataset *data)
{
    script *self = script_of(L);
    script_check(L);
    if (self->host.loaded)
        self->host.loaded(data, self->host.payload);
    return 1;
}

/* ---- making one ---------------------------------------------------------------------------- */

int script_tm_load(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    if (lua_type(L, 1) != LUA_TSTRING)
        script_args_error(L, "tm.load: expected the path of a file, not %s", script_what_is(L, 1));
    const char *path = lua_tostring(L, 1);
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.params = script_args_params(L, 2, "tm.load", table, count, NULL);
    tm_dataset **data = script_new_dataset(L);
    tm_cancel *token = script_cancel_begin(script_of(L));
    if (!token)
        return luaL_error(L, "not enough memory");
    options.cancel = token;
    tm_status status = tm_read(data, path, &options, &err);
    script_cancel_end(script_of(L), token);
    if (status != TM_OK)
        return script_raise(L, &err);
    return announce(L, *data);
}

int script_tm_synth(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    if (lua_type(L, 1) != LUA_TSTRING)
        script_args_error(L, "tm.synth: expected the name of a generator, not %s",
                          script_what_is(L, 1));
    const tm_synth_info *info = tm_synth_find(lua_tostring(L, 1), &err);
    if (!info)
        return script_raise(L, &err);
    const tm_params *params =
        script_args_params(L, 2, info->id, info->params, info->param_count, NULL);
    script_args_seed(L, (tm_params *)params);
    tm_dataset **data = script_new_dataset(L);
    tm_cancel *token = script_cancel_begin(script_of(L));
    if (!token)
        return luaL_error(L, "not enough memory");
    tm_status status = tm_synth_make(data, info, params, token, &err);
    script_cancel_end(script_of(L), token);
    if (status != TM_OK)
        return script_raise(L, &err);
    return announce(L, *data);
}

const char *const script_dataset_extras[] = {"x", "y", "names", "name", "weights", "offset", NULL};
static const char OWNER[] = "tm.dataset";

/* Reads x = {{...}, ...} of the table at 1 column by column into a block that is pushed. */
static double *read_rows(lua_State *L, size_t *n, size_t *p)
{
    if (lua_getfield(L, 1, "x") != LUA_TTABLE)
        script_args_error(L, "%s: 'x' is %s; expected a list of rows {{...}, ...}", OWNER,
                          script_what_is(L, -1));
    int x = lua_gettop(L);
    *n = lua_rawlen(L, x);
    *p = lua_rawgeti(L, x, 1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    lua_pop(L, 1);
    if (*n == 0 || *p == 0)
        script_args_error(L, "%s: 'x' has no %s; expected a list of rows {{...}, ...}", OWNER,
                          *n ? "columns in its first row" : "rows");
    double *values = lua_newuserdatauv(L, *n * *p * sizeof *values, 0);
    for (size_t i = 0; i < *n; i++) {
        if (lua_rawgeti(L, x, (lua_Integer)i + 1) != LUA_TTABLE)
            script_args_error(L, "%s: row %zu of 'x' is %s; expected a list of numbers", OWNER,
                              i + 1, script_what_is(L, -1));
        if (lua_rawlen(L, -1) != *p)
            script_args_error(L, "%s: row %zu of 'x' has %zu values, the first row has %zu", OWNER,
                              i + 1, (size_t)lua_rawlen(L, -1), *p);
        for (size_t j = 0; j < *p; j++) {
            if (lua_rawgeti(L, -1, (lua_Integer)j + 1) != LUA_TNUMBER)
                script_args_error(L, "%s: x[%zu][%zu] is %s; expected a number", OWNER, i + 1,
                                  j + 1, script_what_is(L, -1));
            values[i + j * *n] = lua_tonumber(L, -1);
            if (!isfinite(values[i + j * *n]))
                script_args_error(L, "%s: x[%zu][%zu] is not finite", OWNER, i + 1, j + 1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return values;
}

/* Text labels, which live in the list at index y. */
static const char **read_labels(lua_State *L, int y, size_t n)
{
    const char **labels = lua_newuserdatauv(L, n * sizeof *labels, 0);
    for (size_t i = 0; i < n; i++) {
        if (lua_rawgeti(L, y, (lua_Integer)i + 1) != LUA_TSTRING)
            script_args_error(L, "%s: y[%zu] is %s, but y[1] is text", OWNER, i + 1,
                              script_what_is(L, -1));
        labels[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return labels;
}

/* NULL when it is text: then *labels are. */
static double *read_response(lua_State *L, size_t n, const char ***labels)
{
    if (lua_getfield(L, 1, "y") != LUA_TTABLE)
        script_args_error(L, "%s: 'y' is %s; expected a list of numbers or of labels", OWNER,
                          script_what_is(L, -1));
    int y = lua_gettop(L);
    if (lua_rawlen(L, y) != n)
        script_args_error(L, "%s: y has %zu values, x has %zu rows", OWNER,
                          (size_t)lua_rawlen(L, y), n);
    bool text = lua_rawgeti(L, y, 1) == LUA_TSTRING;
    lua_pop(L, 1);
    if (text) {
        *labels = read_labels(L, y, n);
        return NULL;
    }
    double *values = lua_newuserdatauv(L, n * sizeof *values, 0);
    for (size_t i = 0; i < n; i++) {
        if (lua_rawgeti(L, y, (lua_Integer)i + 1) != LUA_TNUMBER)
            script_args_error(L, "%s: y[%zu] is %s; expected a number", OWNER, i + 1,
                              script_what_is(L, -1));
        values[i] = lua_tonumber(L, -1);
        if (!isfinite(values[i]))
            script_args_error(L, "%s: y[%zu] is not finite", OWNER, i + 1);
        lua_pop(L, 1);
    }
    return values;
}

/* Leaves the checked list of names on the stack; false when there is none. */
static bool check_names(lua_State *L, size_t p)
{
    int type = lua_getfield(L, 1, "names");
    if (type == LUA_TNIL)
        return false;
    if (type != LUA_TTABLE || lua_rawlen(L, -1) != p)
        script_args_error(L, "%s: 'names' is not a list of %zu feature names", OWNER, p);
    for (size_t j = 0; j < p; j++) {
        if (lua_rawgeti(L, -1, (lua_Integer)j + 1) != LUA_TSTRING)
            script_args_error(L, "%s: names[%zu] is %s; expected text", OWNER, j + 1,
                              script_what_is(L, -1));
        lua_pop(L, 1);
    }
    return true;
}

static double *copy_values(const double *values, size_t count)
{
    double *copy = mem_array(count, sizeof *copy);
    if (copy)
        memcpy(copy, values, count * sizeof *copy);
    return copy;
}

/* The names of the list on top of the stack, malloc'ed; NULL when memory ran out. */
static char **copy_names(lua_State *L, size_t p)
{
    char **names = mem_zeros(p, sizeof *names);
    for (size_t j = 0; names && j < p; j++) {
        lua_rawgeti(L, -1, (lua_Integer)j + 1);
        names[j] = text_copy(lua_tostring(L, -1));
        lua_pop(L, 1);
        if (names[j])
            continue;
        while (j-- > 0)
            free(names[j]);
        free(names);
        names = NULL;
    }
    return names;
}

/* The classes that the labels name go into the parts, and their numbers into parts->y. */
static tm_status take_labels(tm_dataset_parts *parts, const char *const *labels, size_t n,
                             tm_error *err)
{
    class_texts classes = {.room = 0};
    const char *only = NULL;
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < n; i++)
        if (!class_texts_set(&classes, i, labels[i], strlen(labels[i])))
            status = tm_fail_memory(err, "labels of the classes");
        else if (class_texts_count(&classes) > TM_CLASSES_MOST)
            status = tm_fail(err, TM_EUSAGE, "%s: y has more than %d distinct labels", OWNER,
                             TM_CLASSES_MOST);
    if (status == TM_OK)
        status = class_texts_finish(&classes, parts->y, n, parts, &only, err);
    if (status == TM_OK && only)
        status = tm_fail(err, TM_EUSAGE, "%s: y has the one label '%.40s'; expected two or more",
                         OWNER, only);
    class_texts_clear(&classes);
    return status;
}

int script_tm_dataset(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t n, p;
    const char **labels = NULL;
    if (!script_args_options(L, 1, OWNER))
        script_args_error(L, "%s: expected a table {x={{...}, ...}, y={...}}", OWNER);
    lua_settop(L, 1);
    script_args_keys(L, 1, OWNER, NULL, 0, script_dataset_extras);
    const char *name = script_args_text(L, 1, OWNER, "name", "data");
    const double *values = read_rows(L, &n, &p);
    const double *response = read_response(L, n, &labels);
    tm_dataset **data = script_new_dataset(L);
    bool named = check_names(L, p);
    /* From here to tm_dataset_new nothing may raise: what is allocated has no owner. */
    tm_matrix *x = NULL;
    double *copy = copy_values(values, n * p);
    if (copy && tm_matrix_new_dense(&x, n, p, copy, &err) != TM_OK)
        return script_raise(L, &err);
    tm_dataset_parts parts = {.name = name, .x = x};
    parts.y = response ? copy_values(response, n) : mem_zeros(n, sizeof *parts.y);
    parts.feature_names = named ? copy_names(L, p) : NULL;
    lua_pop(L, 1);
    tm_status status = x && parts.y && (!named || parts.feature_names)
                           ? TM_OK
                           : tm_fail_memory(&err, "the data set");
    if (status == TM_OK && labels)
        status = take_labels(&parts, labels, n, &err);
    if (status == TM_OK)
        status = tm_dataset_new(data, &parts, &err);
    else
        dataset_parts_free(&parts, parts.feature_names ? p : 0);
    if (status != TM_OK)
        return script_raise(L, &err);
    const double *weights = script_args_rows(L, 1, OWNER, "weights", *data);
    const double *offset = script_args_rows(L, 1, OWNER, "offset", *data);
    if (weights || offset) {
        tm_dataset **own = script_new_dataset(L);
        if (tm_dataset_weigh(own, *data, weights, offset, &err) != TM_OK)
            return script_raise(L, &err);
        data = own;
    }
    return announce(L, *data);
}

/* d:weigh{weights={...}, offset={...}}: what is not given stays as it is. */
static int data_weigh(lua_State *L)
{
    static const char *const keys[] = {"weights", "offset", NULL};
    static const char owner[] = "weigh";
    tm_error err = TM_ERROR_INIT;
    const tm_dataset *data = script_check_dataset(L, 1, owner);
    if (!script_args_options(L, 2, owner))
        script_args_error(L, "%s: expected a table {weights={...}, offset={...}}", owner);
    lua_settop(L, 2);
    script_args_keys(L, 2, owner, NULL, 0, keys);
    const double *weights = script_args_rows(L, 2, owner, "weights", data);
    const double *offset = script_args_rows(L, 2, owner, "offset", data);
    tm_dataset **own = script_new_dataset(L);
    if (tm_dataset_weigh(own, data, weights ? weights : tm_dataset_weights(data),
                         offset ? offset : tm_dataset_offset(data), &err) != TM_OK)
        return script_raise(L, &err);
    return announce(L, *own);
}

/* ---- the object ---------------------------------------------------------------------------- */

static const tm_dataset *self_data(lua_State *L)
{
    script_object(L, 1, &script_dataset_class, "data set");
    return script_check_dataset(L, 1, "data set");
}

static int get_count(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    const char *key = lua_tostring(L, 2);
    uint64_t value = strcmp(key, "n") == 0   ? tm_dataset_rows(data)
                     : strcmp(key, "p") == 0 ? tm_dataset_cols(data)
                                             : tm_matrix_nnz(tm_dataset_x(data));
    lua_pushinteger(L, (lua_Integer)value);
    return 1;
}

static int get_text(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    const char *key = lua_tostring(L, 2);
    lua_pushstring(L, strcmp(key, "name") == 0     ? tm_dataset_name(data)
                      : strcmp(key, "kind") == 0   ? tm_matrix_kind(tm_dataset_x(data))
                      : strcmp(key, "sha256") == 0 ? tm_dataset_sha256(data)
                      : strcmp(key, "note") == 0   ? tm_dataset_note(data)
                                                   : tm_dataset_response_name(data));
    return 1;
}

static int get_binary(lua_State *L)
{
    lua_pushboolean(L, tm_dataset_is_binary(self_data(L)));
    return 1;
}

static void push_list(lua_State *L, const double *values, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
}

static int get_response(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    push_list(L, tm_dataset_y(data), tm_dataset_rows(data));
    return 1;
}

static int get_rows(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    bool weights = strcmp(lua_tostring(L, 2), "weights") == 0;
    const double *values = weights ? tm_dataset_weights(data) : tm_dataset_offset(data);
    if (values)
        push_list(L, values, tm_dataset_rows(data));
    else
        lua_pushnil(L);
    return 1;
}

/* The nonzero weights by feature number, so that truth[j] is a test. */
static int get_truth(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    const double *truth = tm_dataset_truth(data);
    if (!truth) {
        lua_pushnil(L);
        return 1;
    }
    lua_newtable(L);
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        if (truth[j] != 0) {
            lua_pushnumber(L, truth[j]);
            lua_rawseti(L, -2, (lua_Integer)j + 1);
        }
    return 1;
}

static int get_edges(lua_State *L)
{
    size_t count;
    const uint32_t *edges = tm_dataset_edges(self_data(L), &count);
    if (!edges) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, (int)count, 0);
    for (size_t e = 0; e < count; e++) {
        lua_createtable(L, 2, 0);
        for (size_t end = 0; end < 2; end++) {
            lua_pushinteger(L, (lua_Integer)edges[2 * e + end] + 1);
            lua_rawseti(L, -2, (lua_Integer)end + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)e + 1);
    }
    return 1;
}

static int data_label(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    lua_Integer sign = luaL_checkinteger(L, 2);
    if (sign != 1 && sign != -1)
        script_args_error(L, "label: expected 1 or -1, not %lld", (long long)sign);
    lua_pushstring(L, tm_dataset_label(data, (int)sign));
    return 1;
}

/* The feature whose number is argument 2, counted from 0. */
static size_t check_feature(lua_State *L, const tm_dataset *data)
{
    lua_Integer j = luaL_checkinteger(L, 2);
    size_t p = tm_dataset_cols(data);
    if (j < 1 || (uint64_t)j > p)
        script_args_error(L, "feature %lld: expected a number from 1 to %zu", (long long)j, p);
    return (size_t)j - 1;
}

static int data_feature(lua_State *L)
{
    char buffer[128];
    const tm_dataset *data = self_data(L);
    size_t j = check_feature(L, data);
    lua_pushstring(L, tm_dataset_feature_label(data, j, buffer, sizeof buffer));
    return 1;
}

static int data_column(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    size_t j = check_feature(L, data), n = tm_dataset_rows(data);
    double *column = lua_newuserdatauv(L, n * sizeof *column, 0);
    tm_matrix_column(tm_dataset_x(data), j, column);
    push_list(L, column, n);
    return 1;
}

static int data_save(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    const tm_dataset *data = self_data(L);
    const char *path = luaL_checkstring(L, 2);
    tm_write_options options = {NULL, script_cancel_begin(script_of(L))};
    if (!options.cancel)
        return luaL_error(L, "not enough memory");
    tm_status status = tm_write(data, path, &options, &err);
    script_cancel_end(script_of(L), options.cancel);
    if (status != TM_OK)
        return script_raise(L, &err);
    lua_settop(L, 1);
    return 1;
}

static int data_tostring(lua_State *L)
{
    const tm_dataset *data = self_data(L);
    char text[512];
    const char *minus = tm_dataset_label(data, -1), *plus = tm_dataset_label(data, 1);
    size_t classes;
    const char *const *names = tm_dataset_class_names(data, &classes);
    int used =
        snprintf(text, sizeof text, "data set %.100s: %zu x %zu %s", tm_dataset_name(data),
                 tm_dataset_rows(data), tm_dataset_cols(data), tm_matrix_kind(tm_dataset_x(data)));
    if (tm_dataset_is_binary(data))
        snprintf(text + used, sizeof text - (size_t)used, ", two classes (-1: %.60s, +1: %.60s)",
                 minus ? minus : "-1", plus ? plus : "1");
    else if (names)
        snprintf(text + used, sizeof text - (size_t)used, ", %zu classes (%.60s, %.60s, ...)",
                 classes, names[0], names[1]);
    else
        snprintf(text + used, sizeof text - (size_t)used, ", numeric response");
    lua_pushstring(L, text);
    return 1;
}

static int data_gc(lua_State *L)
{
    box *self = script_object_test(L, 1, &script_dataset_class);
    if (self) {
        tm_dataset_unref(self->data);
        self->data = NULL;
    }
    return 0;
}

static const script_member members[] = {
    {"n", NULL, "number of rows (samples)", NULL, get_count},
    {"p", NULL, "number of columns (features)", NULL, get_count},
    {"nnz", NULL, "stored entries", NULL, get_count},
    {"kind", NULL,
     "how columns are stored: dense, csc, dense float, csc float, genotypes, generated, view", NULL,
     get_text},
    {"name", NULL, "name of the data set", NULL, get_text},
    {"binary", NULL, "true when the response has two classes", NULL, get_binary},
    {"y", NULL, "the response, a list of n numbers", NULL, get_response},
    {"response", NULL, "name of the response, or nil", NULL, get_text},
    {"note", NULL, "remarks of the reader", NULL, get_text},
    {"sha256", NULL, "digest of the content, equal whatever the file format", NULL, get_text},
    {"truth", NULL, "synthetic data: the weights that made the response, truth[j] for feature j",
     NULL, get_truth},
    {"edges", NULL, "pairs of features {i, j} that the data's graph joins, or nil", NULL,
     get_edges},
    {"weights", NULL, "how often each row counts, a list of n numbers, or nil", NULL, get_rows},
    {"offset", NULL, "what each row's prediction begins with, a list, or nil", NULL, get_rows},
    {"weigh", "{weights=, offset=}", "the same data with other sample weights or offsets",
     "dataset", data_weigh},
    {"select", "{columns=, rows=, name=}",
     "some columns (numbers or names, without a copy) and rows (numbers)", "dataset",
     script_data_select},
    {"scale", "{how=\"standard\", like=}",
     "columns divided by their deviation, or maxabs or norm; like=train takes train's", "dataset",
     script_data_scale},
    {"filter", "{by=\"correlation\", keep=100, like=}",
     "the columns that are the best one by one; like=train takes train's choice", "dataset",
     script_data_filter},
    {"append", "(d2, ...)", "the rows of all, one below the other", "dataset", script_data_append},
    {"split", "{test=0.25, seed=, stratify=}", "random split; returns the train and the test part",
     "dataset", script_data_split},
    {"folds", "{k=5, seed=, stratify=}",
     "k folds, a list of {train, test}: every row is in the test part of one", NULL,
     script_data_folds},
    {"classes", NULL, "the classes of the response with their rows, or nil when it is a number",
     NULL, script_data_classes},
    {"one_vs_rest", "(label, may_lack)",
     "the same rows, that class as +1 and the others as -1; may_lack: it may have no rows",
     "dataset", script_data_one_vs_rest},
    {"miles", "{bags=, sigma=, concepts=}",
     "a row for each bag, a feature for each instance (of `concepts`, another data set): bags is a "
     "column's "
     "name or number, a file, or a list of an identifier a row",
     "dataset", script_data_miles},
    {"label", "(sign)", "the original label of class 1 or -1; nil for a numeric response", NULL,
     data_label},
    {"feature", "(j)", "the name of feature j, counted from 1", NULL, data_feature},
    {"column", "(j)", "the values of feature j, a list of n numbers", NULL, data_column},
    {"save", "(path)",
     "writes a file in the format of its name (.svm .csv .mtx .npy .npz .tam, .gz ...)", NULL,
     data_save},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_dataset_class = {
    "dataset", "a data set", "a matrix and a response; immutable", members, data_tostring, data_gc,
    NULL,      NULL,
};
