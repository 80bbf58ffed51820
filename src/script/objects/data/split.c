/* Splits and folds of a data set: d:split and d:folds. */
#include "script/objects/data/split.h"

#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/objects/data/dataset.h"

#include <stdio.h>

#define STRATIFY                                                                                   \
    {                                                                                              \
        "stratify", TM_PARAM_BOOL, NULL, 0, 0, NULL,                                               \
            "keep each class's share in every part (default: when there are two classes)", NULL, 0 \
    }
#define SEED                                                                                       \
    {                                                                                              \
        "seed", TM_PARAM_INT, "1", 0, 9007199254740992.0, NULL, "seed of the random split", NULL,  \
            0                                                                                      \
    }

static const tm_param_info split_params[] = {
    {"test", TM_PARAM_REAL, "0.25", 0, 1, NULL, "share of the rows in the test part", NULL,
     TM_PARAM_MIN_OPEN},
    STRATIFY,
    SEED,
};
static const tm_param_info folds_params[] = {
    {"k", TM_PARAM_INT, "5", 2, 1.0e6, NULL, "number of folds", NULL, 0},
    STRATIFY,
    SEED,
};
const char *const script_split_extras[] = {"groups", NULL};

const tm_param_info *script_split_params(size_t *count)
{
    *count = sizeof split_params / sizeof *split_params;
    return split_params;
}

const tm_param_info *script_folds_params(size_t *count)
{
    *count = sizeof folds_params / sizeof *folds_params;
    return folds_params;
}

static const tm_dataset *self_data(lua_State *L)
{
    script_object(L, 1, &script_dataset_class, "data set");
    return script_check_dataset(L, 1, "data set");
}

const size_t *script_args_row_groups(lua_State *L, int index, const char *owner, const char *key,
                                     size_t n)
{
    if (lua_isnoneornil(L, index) || lua_getfield(L, index, key) == LUA_TNIL)
        return NULL;
    int list = lua_gettop(L);
    if (!lua_istable(L, list) || lua_rawlen(L, list) != n)
        script_error(L, "%s: '%s' is %s%s; expected a list of %zu numbers or texts, one a row",
                     owner, key, script_what_is(L, list),
                     lua_istable(L, list) ? " of another length" : "", n);
    size_t *ids = lua_newuserdatauv(L, n * sizeof *ids, 0);
    lua_Integer found = 0;
    lua_newtable(L);
    int seen = lua_gettop(L);
    for (size_t i = 0; i < n; i++) {
        int type = lua_rawgeti(L, list, (lua_Integer)i + 1);
        if (type != LUA_TSTRING &&
            (type != LUA_TNUMBER || lua_tonumber(L, -1) != lua_tonumber(L, -1)))
            script_error(L, "%s: %s[%zu] is %s; expected a number or text", owner, key, i + 1,
                         script_what_is(L, -1));
        lua_pushvalue(L, -1);
        if (lua_rawget(L, seen) == LUA_TNIL) {
            lua_pushvalue(L, -2);
            lua_pushinteger(L, ++found);
            lua_rawset(L, seen);
            ids[i] = (size_t)found;
        } else {
            ids[i] = (size_t)lua_tointeger(L, -1);
        }
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return ids;
}

typedef struct request {
    const tm_dataset *data;
    const tm_params *params;
    const size_t *groups;
    bool stratify;
    uint64_t seed;
} request;

static request read_request(lua_State *L, const char *owner, const tm_param_info *table,
                            size_t count)
{
    const tm_dataset *data = self_data(L);
    tm_params *params = script_args_params(L, 2, owner, table, count, script_split_extras);
    script_args_seed(L, params);
    return (request){
        .data = data,
        .params = params,
        .groups = script_args_row_groups(L, 2, owner, "groups", tm_dataset_rows(data)),
        .stratify = tm_params_has(params, "stratify") ? tm_params_bool(params, "stratify")
                                                      : tm_dataset_has_classes(data),
        .seed = (uint64_t)tm_params_int(params, "seed"),
    };
}

int script_data_split(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    request asked =
        read_request(L, "split", split_params, sizeof split_params / sizeof *split_params);
    double share = tm_params_real(asked.params, "test");
    tm_dataset **train = script_new_dataset(L), **test = script_new_dataset(L);
    tm_split how = {share, asked.stratify, asked.groups, asked.seed};
    if (tm_dataset_split(train, test, asked.data, &how, &err) != TM_OK)
        return script_raise(L, &err);
    return 2;
}

/* Pushes one part of fold f. `rows` has room for all row numbers. */
static void push_part(lua_State *L, const tm_dataset *data, const size_t *fold, size_t f, bool test,
                      size_t *rows)
{
    tm_error err = TM_ERROR_INIT;
    char name[256];
    size_t count = 0;
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        if ((fold[i] == f) == test)
            rows[count++] = i;
    snprintf(name, sizeof name, "%.200s fold %zu %s", tm_dataset_name(data), f + 1,
             test ? "test" : "train");
    tm_dataset **part = script_new_dataset(L);
    if (tm_dataset_select_rows(part, data, rows, count, name, &err) != TM_OK)
        script_raise(L, &err);
}

/* Pushes {train={rows}, test={rows}} of fold f. */
static void push_rows(lua_State *L, const size_t *fold, size_t f, size_t n)
{
    static const char *const parts[] = {"train", "test"};
    lua_createtable(L, 0, 2);
    for (int test = 0; test < 2; test++) {
        lua_Integer count = 0;
        lua_newtable(L);
        for (size_t i = 0; i < n; i++)
            if ((fold[i] == f) == test) {
                lua_pushinteger(L, (lua_Integer)i + 1);
                lua_rawseti(L, -2, ++count);
            }
        lua_setfield(L, -2, parts[test]);
    }
}

int script_data_folds(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    request asked =
        read_request(L, "folds", folds_params, sizeof folds_params / sizeof *folds_params);
    size_t n = tm_dataset_rows(asked.data), k = (size_t)tm_params_int(asked.params, "k");
    size_t *fold = lua_newuserdatauv(L, n * sizeof *fold, 0);
    size_t *rows = lua_newuserdatauv(L, n * sizeof *rows, 0);
    if (tm_dataset_folds(fold, asked.data, k, asked.stratify, asked.groups, asked.seed, &err) !=
        TM_OK)
        return script_raise(L, &err);
    lua_createtable(L, (int)k, 0);
    for (size_t f = 0; f < k; f++) {
        static const char *const parts[] = {"train", "test"};
        lua_createtable(L, 2, 3);
        push_rows(L, fold, f, n);
        lua_setfield(L, -2, "rows");
        for (int part = 0; part < 2; part++) {
            push_part(L, asked.data, fold, f, part == 1, rows);
            lua_pushvalue(L, -1);
            lua_setfield(L, -3, parts[part]);
            lua_rawseti(L, -2, part + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)f + 1);
    }
    return 1;
}
