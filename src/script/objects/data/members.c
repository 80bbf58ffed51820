/* The members of a data set. */
#include "script/objects/data/dataset.h"

#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/objects/data/classes.h"
#include "script/objects/data/miles.h"
#include "script/objects/data/prepare.h"
#include "script/objects/data/split.h"
#include "tamis/reader.h"
#include "tamis/synth.h"
#include "tamis/writer.h"

#include <stdio.h>
#include <string.h>

/* d:weigh{weights={...}, offset={...}}: fields that are not given stay unchanged. */
static int data_weigh(lua_State *L)
{
    static const char *const keys[] = {"weights", "offset", NULL};
    static const char owner[] = "weigh";
    tm_error err = TM_ERROR_INIT;
    const tm_dataset *data = script_check_dataset(L, 1, owner);
    if (!script_args_options(L, 2, owner))
        script_error(L, "%s: expected a table {weights={...}, offset={...}}", owner);
    lua_settop(L, 2);
    script_args_keys(L, 2, owner, NULL, 0, keys);
    const double *weights = script_args_rows(L, 2, owner, "weights", data);
    const double *offset = script_args_rows(L, 2, owner, "offset", data);
    tm_dataset **own = script_new_dataset(L);
    if (tm_dataset_weigh(own, data, weights ? weights : tm_dataset_weights(data),
                         offset ? offset : tm_dataset_offset(data), &err) != TM_OK)
        return script_raise(L, &err);
    return script_announce_dataset(L, *own);
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
    const char *key = lua_tostring(L, 2);
    const double *values = strcmp(key, "weights") == 0 ? tm_dataset_weights(data)
                           : strcmp(key, "ids") == 0   ? tm_dataset_qids(data)
                                                       : tm_dataset_offset(data);
    if (values)
        push_list(L, values, tm_dataset_rows(data));
    else
        lua_pushnil(L);
    return 1;
}

/* The nonzero true weights by feature number, so that truth[j] can be used as a condition. */
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
        script_error(L, "label: expected 1 or -1, not %lld", (long long)sign);
    lua_pushstring(L, tm_dataset_label(data, (int)sign));
    return 1;
}

/* The feature number of argument 2, converted to start from 0. */
static size_t check_feature(lua_State *L, const tm_dataset *data)
{
    lua_Integer j = luaL_checkinteger(L, 2);
    size_t p = tm_dataset_cols(data);
    if (j < 1 || (uint64_t)j > p)
        script_error(L, "feature %lld: expected a number from 1 to %zu", (long long)j, p);
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
    else if (names && classes == 1)
        snprintf(text + used, sizeof text - (size_t)used, ", one class (%.60s)", names[0]);
    else if (names)
        snprintf(text + used, sizeof text - (size_t)used, ", %zu classes (%.60s, %.60s, ...)",
                 classes, names[0], names[1]);
    else
        snprintf(text + used, sizeof text - (size_t)used, ", numeric response");
    lua_pushstring(L, text);
    return 1;
}

static void data_release(lua_State *L, void *held)
{
    (void)L;
    tm_dataset_unref(held);
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
    {"truth", NULL,
     "synthetic data: the weights that made the response; truth[j] is nil where feature j has none",
     NULL, get_truth},
    {"edges", NULL, "pairs of features {i, j} that the data's graph joins, or nil", NULL,
     get_edges},
    {"weights", NULL, "how often each row counts, a list of n numbers, or nil", NULL, get_rows},
    {"offset", NULL, "what each row's prediction begins with, a list, or nil", NULL, get_rows},
    {"ids", NULL, "numbers, equal for rows that belong together (the reader's ids, qid), or nil",
     NULL, get_rows},
    {"weigh", "{weights=, offset=}", "the same data with other sample weights or offsets",
     "dataset", data_weigh},
    {"select", "{columns=, rows=, name=}",
     "some columns (numbers or names, without a copy) and rows (numbers)", "dataset",
     script_data_select},
    {"scale", "{how=\"standard\", like=}",
     "columns divided by their standard deviation, or by maxabs or norm; like=train uses train's",
     "dataset", script_data_scale},
    {"filter", "{by=\"correlation\", keep=100, like=}",
     "the columns with the best individual scores; like=train takes train's choice", "dataset",
     script_data_filter},
    {"thin", "(share)",
     "that share of the rows, of each class its share; a greater share has the rows of a smaller "
     "one",
     "dataset", script_data_thin},
    {"append", "(d2, ...)", "the concatenated rows of all", "dataset", script_data_append},
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
     "writes a file in the format of its name (.svm, .csv, ...; .gz ... compresses)", NULL,
     data_save},
    {NULL, NULL, NULL, NULL, NULL},
};

static const script_keys keys[] = {
    {"split", "split's", script_split_params, script_split_extras, NULL},
    {"folds", "folds'", script_folds_params, script_split_extras,
     "both:\n  groups            a list of n numbers or strings: rows of one group stay "
     "together\n"},
    {"scale", "scale's", script_scale_params, script_scale_extras, NULL},
    {"filter", "filter's", script_filter_params, script_scale_extras,
     "both:\n  like              the data set that the scales or the choice come from\n"},
    {"select", "select's", NULL, script_select_extras, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_dataset_class = {
    .id = "dataset",
    .title = "a data set",
    .summary = "a matrix and a response; immutable",
    .members = members,
    .tostring = data_tostring,
    .release = data_release,
    .keys = keys,
};
