/* Data sets derived from others: d:select, d:scale, d:filter, d:thin, d:append. */
#include "script/objects/data/prepare.h"

#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/objects/data/dataset.h"
#include "tamis/prepare.h"

#include <string.h>

static const tm_dataset *self_data(lua_State *L)
{
    script_object(L, 1, &script_dataset_class, "data set");
    return script_check_dataset(L, 1, "data set");
}

static size_t find_feature(lua_State *L, const tm_dataset *data, const char *name)
{
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        const char *known = tm_dataset_feature_name(data, j);
        if (known && strcmp(known, name) == 0)
            return j;
    }
    script_error(L, "select: no feature is called '%.60s'", name);
    return 0;
}

/* Reads the list `key` of the table at 2 (numbers from 1, or names of features) into a block that
 * is pushed, as numbers from 0; NULL if there is none. */
static size_t *read_places(lua_State *L, const tm_dataset *data, const char *key, size_t most,
                           size_t *count)
{
    int type = lua_getfield(L, 2, key);
    if (type == LUA_TNIL)
        return NULL;
    int list = lua_gettop(L);
    *count = type == LUA_TTABLE ? lua_rawlen(L, list) : 0;
    if (*count == 0)
        script_error(L, "select: '%s' is %s; expected a list of numbers%s", key,
                     type == LUA_TTABLE ? "empty" : script_what_is(L, list),
                     strcmp(key, "columns") == 0 ? " or names" : "");
    size_t *places = lua_newuserdatauv(L, *count * sizeof *places, 0);
    for (size_t k = 0; k < *count; k++) {
        type = lua_rawgeti(L, list, (lua_Integer)k + 1);
        int whole;
        lua_Integer number = lua_tointegerx(L, -1, &whole);
        if (type == LUA_TSTRING && strcmp(key, "columns") == 0)
            places[k] = find_feature(L, data, lua_tostring(L, -1));
        else if (type == LUA_TNUMBER && whole && number >= 1 && (size_t)number <= most)
            places[k] = (size_t)number - 1;
        else
            script_error(L, "select: %s[%zu] is not a number from 1 to %zu", key, k + 1, most);
        lua_pop(L, 1);
    }
    return places;
}

const char *const script_select_extras[] = {"columns", "rows", "name", NULL};

int script_data_select(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    const tm_dataset *data = self_data(L);
    if (!script_args_options(L, 2, "select"))
        script_error(L, "select: expected a table {columns={...}, rows={...}}");
    lua_settop(L, 2);
    script_args_keys(L, 2, "select", NULL, 0, script_select_extras);
    const char *name = script_args_text(L, 2, "select", "name", tm_dataset_name(data));
    size_t row_count = 0, col_count = 0;
    size_t *cols = read_places(L, data, "columns", tm_dataset_cols(data), &col_count);
    size_t *rows = read_places(L, data, "rows", tm_dataset_rows(data), &row_count);
    if (!cols && !rows)
        script_error(L, "select: expected columns, rows or both");
    tm_dataset **narrow = cols ? script_new_dataset(L) : NULL;
    if (cols && tm_dataset_select_cols(narrow, data, cols, col_count, name, &err) != TM_OK)
        return script_raise(L, &err);
    if (!rows)
        return 1;
    tm_dataset **out = script_new_dataset(L);
    if (tm_dataset_select_rows(out, narrow ? *narrow : data, rows, row_count, name, &err) != TM_OK)
        return script_raise(L, &err);
    return 1;
}

static const tm_param_info scale_params[] = {
    {"how", TM_PARAM_CHOICE, "standard", 0, 0, NULL, "what each column is divided by", tm_scalings,
     0},
};
const char *const script_scale_extras[] = {"like", NULL};

const tm_param_info *script_scale_params(size_t *count)
{
    *count = sizeof scale_params / sizeof *scale_params;
    return scale_params;
}

static const tm_param_info filter_params[] = {
    {"by", TM_PARAM_CHOICE, "correlation", 0, 0, NULL, "what a column is judged by", tm_filters, 0},
    {"keep", TM_PARAM_INT, "100", 1, 1e15, NULL, "how many columns are kept", NULL, 0},
};

const tm_param_info *script_filter_params(size_t *count)
{
    *count = sizeof filter_params / sizeof *filter_params;
    return filter_params;
}

/* The data set `like` of the table at 2, or NULL. */
static const tm_dataset *read_like(lua_State *L, const char *who)
{
    if (!lua_istable(L, 2) || lua_getfield(L, 2, "like") == LUA_TNIL)
        return NULL;
    return script_check_dataset(L, lua_gettop(L), who);
}

/* The arguments of d:scale or d:filter, which are on the stack. */
typedef struct prepared {
    const tm_dataset *data, *like; /* like may be NULL */
    const tm_params *params;
    tm_dataset **out;
} prepared;

static prepared read_prepared(lua_State *L, const char *owner, const char *like,
                              const tm_param_info *(*params)(size_t *count))
{
    size_t count;
    prepared it = {.data = self_data(L)};
    const tm_param_info *table = params(&count);
    it.params = script_args_params(L, 2, owner, table, count, script_scale_extras);
    it.like = read_like(L, like);
    it.out = script_new_dataset(L);
    return it;
}

int script_data_scale(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    prepared it = read_prepared(L, "scale", "scale: like", script_scale_params);
    tm_scaling how = (tm_scaling)tm_params_choice(it.params, "how");
    if (tm_dataset_scale(it.out, it.data, how, it.like, &err) != TM_OK)
        return script_raise(L, &err);
    return 1;
}

int script_data_filter(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    prepared it = read_prepared(L, "filter", "filter: like", script_filter_params);
    tm_cancel *cancel = script_cancel_begin(script_of(L));
    tm_status status =
        tm_dataset_filter(it.out, it.data, (tm_filter)tm_params_choice(it.params, "by"),
                          (size_t)tm_params_int(it.params, "keep"), it.like, cancel, &err);
    script_cancel_end(script_of(L), cancel);
    return status == TM_OK ? 1 : script_raise(L, &err);
}

int script_data_thin(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    const tm_dataset *data = self_data(L);
    double share = luaL_checknumber(L, 2);
    if (tm_dataset_thin(script_new_dataset(L), data, share, &err) != TM_OK)
        return script_raise(L, &err);
    return 1;
}

int script_data_append(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    int count = lua_gettop(L);
    const tm_dataset *first = self_data(L);
    if (count < 2)
        script_error(L, "append: expected one data set more, or several");
    const tm_dataset **list = lua_newuserdatauv(L, (size_t)count * sizeof *list, 0);
    for (int k = 0; k < count; k++)
        list[k] = script_check_dataset(L, k + 1, "append");
    tm_dataset **out = script_new_dataset(L);
    if (tm_dataset_append(out, list, (size_t)count, tm_dataset_name(first), &err) != TM_OK)
        return script_raise(L, &err);
    return 1;
}
