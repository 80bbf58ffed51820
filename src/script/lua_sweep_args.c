/* What tm.sweep is given, as the description of a sweep.
 *
 * Values become the texts that a shell would be given, so that both are checked by the same table.
 * All texts and arrays live in Lua blocks that are kept in one table, so an error frees them. */
#include "state.h"

#include "base/text.h"
#include "tamis/method.h"
#include "tamis/prepare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char OWNER[] = "tm.sweep";
const char *const script_sweep_extras[] = {
    "data",   "method",   "grid",   "random", "list",   "folds", "repeats", "nested",
    "groups", "stratify", "metric", "name",   "warm",   "test",  "seed",    "fresh",
    "params", "extra",    "append", "scale",  "filter", "keep",  NULL};

/* Arguments stand at 1; here the table of what must live as long as the description. */
enum { KEPT = 3 };

typedef struct reader {
    lua_State *L;
    tm_sweep_spec spec;
    tm_sweep_axis *axes;
    size_t axis_count;
    char **values; /* malloc'ed; freed by the caller of read_configs */
} reader;

/* ---- blocks and texts ---------------------------------------------------------------------- */

static void keep_top(lua_State *L)
{
    luaL_ref(L, KEPT);
}

static void *keep_block(lua_State *L, size_t count, size_t size)
{
    void *block = lua_newuserdatauv(L, (count + 1) * size, 0);
    memset(block, 0, (count + 1) * size);
    keep_top(L);
    return block;
}

static void push_number(lua_State *L, int index)
{
    char text[40];
    if (lua_isinteger(L, index)) {
        lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, index));
        return;
    }
    text_from_real(lua_tonumber(L, index), text, sizeof text);
    lua_pushstring(L, text);
}

/* A list of numbers as "1,2,3", pushed. */
static void push_joined(lua_State *L, int list, const char *name)
{
    luaL_Buffer joined;
    luaL_buffinit(L, &joined);
    lua_Integer count = luaL_len(L, list);
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&joined, ',');
        lua_geti(L, list, i);
        if (lua_type(L, -1) != LUA_TNUMBER)
            script_args_error(L, "%s: '%s' has %s at place %d; expected a number", OWNER, name,
                              script_what_is(L, -1), (int)i);
        push_number(L, lua_gettop(L));
        lua_remove(L, -2);
        luaL_addvalue(&joined);
    }
    luaL_pushresult(&joined);
}

/* The value on top as text, which is kept; the value is popped. */
static const char *take_text(lua_State *L, const char *name)
{
    int value = lua_gettop(L);
    switch (lua_type(L, value)) {
    case LUA_TNUMBER:
        push_number(L, value);
        break;
    case LUA_TSTRING:
        lua_pushvalue(L, value);
        break;
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, value) ? "true" : "false");
        break;
    case LUA_TTABLE:
        push_joined(L, value, name);
        break;
    default:
        script_args_error(L, "%s: '%s' is %s; expected a number, text, true or false", OWNER, name,
                          script_what_is(L, value));
    }
    const char *text = lua_tostring(L, -1);
    keep_top(L);
    lua_settop(L, value - 1);
    return text;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The text keys of the table on top in byte order, whatever order Lua has them in; `skip` (or NULL) is
 * left out. */
static const char **sorted_keys(lua_State *L, const char *what, const char *skip, size_t *count)
{
    int table = lua_gettop(L);
    size_t room = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        room++;
    const char **keys = keep_block(L, room, sizeof *keys);
    *count = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            script_args_error(L, "%s: %s takes name=value; [%s] has no name", OWNER, what,
                              luaL_tolstring(L, -2, NULL));
        const char *key = lua_tostring(L, -2);
        if (!skip || strcmp(key, skip) != 0)
            keys[(*count)++] = key; /* lives in the caller's table */
    }
    qsort(keys, *count, sizeof *keys, compare_texts);
    return keys;
}

static size_t read_count(lua_State *L, const char *key, size_t fallback)
{
    int whole = 1;
    lua_Integer value = (lua_Integer)fallback;
    if (lua_getfield(L, 1, key) != LUA_TNIL)
        value = lua_tointegerx(L, -1, &whole);
    if (!whole || value < 0 || value > 1000000)
        script_args_error(L, "%s: parameter '%s' is %s; expected a whole number of 0 or more",
                          OWNER, key, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return (size_t)value;
}

/* ---- data ---------------------------------------------------------------------------------- */

/* The table on top, {name=data set, ...}. */
static const tm_dataset **read_named(lua_State *L, const char *who, const char ***names,
                                     size_t *count)
{
    *names = sorted_keys(L, who, NULL, count);
    const tm_dataset **data = keep_block(L, *count, sizeof *data);
    for (size_t d = 0; d < *count; d++) {
        lua_getfield(L, -1, (*names)[d]);
        data[d] = script_check_dataset(L, -1, who);
        lua_pop(L, 1);
    }
    return data;
}

/* Rows that training parts may get. */
static void read_extra(reader *r)
{
    lua_State *L = r->L;
    const char **names;
    if (lua_getfield(L, 1, "extra") != LUA_TNIL) {
        if (!lua_istable(L, -1))
            script_args_error(L, "%s: 'extra' is %s; expected {name=data set, ...}", OWNER,
                              script_what_is(L, -1));
        r->spec.extra = read_named(L, "tm.sweep: extra", &names, &r->spec.extra_count);
        r->spec.extra_names = names;
    }
    lua_pop(L, 1);
}

static void read_data(reader *r)
{
    lua_State *L = r->L;
    lua_getfield(L, 1, "data");
    if (script_object_test(L, -1, &script_dataset_class)) {
        const tm_dataset **one = keep_block(L, 1, sizeof *one);
        one[0] = script_check_dataset(L, -1, OWNER);
        r->spec.data = one;
        r->spec.data_count = 1;
    } else if (lua_istable(L, -1)) {
        const char **names;
        r->spec.data = read_named(L, "tm.sweep: data", &names, &r->spec.data_count);
        r->spec.data_names = names;
    }
    if (r->spec.data_count == 0)
        script_args_error(L, "%s: 'data' is %s; expected a data set, or {name=data set, ...}",
                          OWNER, script_what_is(L, -1));
    lua_pop(L, 1);
    read_extra(r);
    if (lua_getfield(L, 1, "test") != LUA_TNIL)
        r->spec.test = script_check_dataset(L, -1, "tm.sweep: test");
    lua_pop(L, 1);
}

/* ---- axes ---------------------------------------------------------------------------------- */

/* The list on top (or one value) as an axis's choices; popped. */
static void read_choices(lua_State *L, tm_sweep_axis *axis)
{
    if (!lua_istable(L, -1)) {
        const char **one = keep_block(L, 1, sizeof *one);
        one[0] = take_text(L, axis->name);
        axis->values = one;
        axis->count = 1;
        return;
    }
    axis->count = lua_rawlen(L, -1);
    const char **values = keep_block(L, axis->count, sizeof *values);
    for (size_t i = 0; i < axis->count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        values[i] = take_text(L, axis->name);
    }
    axis->values = values;
    lua_pop(L, 1);
}

static double range_end(lua_State *L, const char *axis, const char *key)
{
    int number;
    lua_getfield(L, -1, key);
    double value = lua_tonumberx(L, -1, &number);
    if (!number)
        script_args_error(L, "%s: the range of '%s' has no number '%s'; expected {min=, max=}",
                          OWNER, axis, key);
    lua_pop(L, 1);
    return value;
}

/* {min=, max=, log=, integer=} on top, or choices; popped. */
static void read_range(lua_State *L, tm_sweep_axis *axis)
{
    static const char *const keys[] = {"min", "max", "log", "integer", NULL};
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) > 0) {
        read_choices(L, axis);
        return;
    }
    int table = lua_gettop(L);
    script_args_keys(L, table, axis->name, NULL, 0, keys);
    axis->min = range_end(L, axis->name, "min");
    axis->max = range_end(L, axis->name, "max");
    axis->log = script_args_bool(L, table, OWNER, "log", false);
    axis->whole = script_args_bool(L, table, OWNER, "integer", false);
    lua_pop(L, 1);
}

/* The axes of the table on top, which is kept; with `ranges` for a random search. */
static void read_axes(reader *r, const char *what, bool ranges)
{
    lua_State *L = r->L;
    if (!lua_istable(L, -1))
        script_args_error(L, "%s: '%s' is %s; expected {name={values}, ...}", OWNER, what,
                          script_what_is(L, -1));
    const char **names = sorted_keys(L, what, ranges ? "n" : NULL, &r->axis_count);
    r->axes = keep_block(L, r->axis_count + 2, sizeof *r->axes);
    for (size_t a = 0; a < r->axis_count; a++) {
        r->axes[a].name = names[a];
        lua_getfield(L, -1, names[a]);
        if (ranges)
            read_range(L, &r->axes[a]);
        else
            read_choices(L, &r->axes[a]);
    }
    keep_top(L);
}

static bool has_axis(const reader *r, const char *name)
{
    for (size_t a = 0; a < r->axis_count; a++)
        if (strcmp(r->axes[a].name, name) == 0)
            return true;
    return false;
}

/* Several data sets, or several methods, are an axis although no grid names them. */
static void add_special_axes(reader *r)
{
    lua_State *L = r->L;
    if (r->spec.data_names && !has_axis(r, "data"))
        r->axes[r->axis_count++] = (tm_sweep_axis){
            .name = "data", .values = r->spec.data_names, .count = r->spec.data_count};
    if (lua_getfield(L, 1, "method") == LUA_TTABLE && !has_axis(r, "method")) {
        tm_sweep_axis *axis = &r->axes[r->axis_count++];
        *axis = (tm_sweep_axis){.name = "method"};
        read_choices(L, axis);
        return;
    }
    lua_pop(L, 1);
}

/* ---- configurations ------------------------------------------------------------------------ */

static void check_status(reader *r, tm_status status, const tm_error *err)
{
    if (status != TM_OK)
        script_raise(r->L, err);
}

/* {{name=value, ...}, ...} on top: every name that occurs is an axis. */
static void read_list(reader *r)
{
    lua_State *L = r->L;
    size_t count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0, names = 0;
    if (count == 0)
        script_args_error(L, "%s: 'list' is %s; expected {{name=value, ...}, ...}", OWNER,
                          lua_istable(L, -1) ? "empty" : script_what_is(L, -1));
    int list = lua_gettop(L);
    lua_newtable(L); /* the set of all names */
    for (size_t i = 1; i <= count; i++) {
        if (lua_rawgeti(L, list, (lua_Integer)i) != LUA_TTABLE)
            script_args_error(L, "%s: list[%d] is %s; expected {name=value, ...}", OWNER, (int)i,
                              script_what_is(L, -1));
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, list + 1);
        }
        lua_pop(L, 1);
    }
    const char **axes = sorted_keys(L, "list", NULL, &names);
    const char **values = keep_block(L, names * count, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        for (size_t a = 0; a < names; a++) {
            if (lua_getfield(L, -1, axes[a]) == LUA_TNIL)
                lua_pop(L, 1);
            else
                values[i * names + a] = take_text(L, axes[a]);
        }
        lua_pop(L, 1);
    }
    keep_top(L); /* the names live in it */
    r->spec.axes = axes;
    r->spec.axis_count = names;
    r->spec.values = values;
    r->spec.config_count = count;
    lua_pop(L, 1);
}

/* What the axes give. */
static void combine(reader *r, bool random, size_t draws)
{
    tm_error err = TM_ERROR_INIT;
    const char **names = keep_block(r->L, r->axis_count, sizeof *names);
    for (size_t a = 0; a < r->axis_count; a++)
        names[a] = r->axes[a].name;
    r->spec.axes = names;
    r->spec.axis_count = r->axis_count;
    r->spec.config_count = draws;
    check_status(
        r,
        random ? tm_sweep_random(&r->values, r->axes, r->axis_count, draws, r->spec.seed, &err)
               : tm_sweep_grid(&r->values, &r->spec.config_count, r->axes, r->axis_count, &err),
        &err);
    r->spec.values = (const char *const *)r->values;
}

static void read_configs(reader *r)
{
    lua_State *L = r->L;
    bool grid = lua_getfield(L, 1, "grid") != LUA_TNIL;
    bool random = lua_getfield(L, 1, "random") != LUA_TNIL;
    bool list = lua_getfield(L, 1, "list") != LUA_TNIL;
    size_t draws = 0;
    if (grid + random + list > 1)
        script_args_error(L, "%s: give one of grid, random and list", OWNER);
    if (list) {
        read_list(r);
        lua_pop(L, 2);
        return;
    }
    lua_pop(L, 1);
    if (random) {
        int whole = 0;
        lua_Integer n =
            lua_istable(L, -1) ? (lua_getfield(L, -1, "n"), lua_tointegerx(L, -1, &whole)) : 0;
        if (!whole || n < 1)
            script_args_error(L, "%s: random needs n=, the number of configurations to draw",
                              OWNER);
        lua_pop(L, 1);
        draws = (size_t)n;
        read_axes(r, "random", true);
        lua_pop(L, 1);
    } else {
        lua_pop(L, 1);
        if (!grid) {
            lua_pop(L, 1);
            lua_newtable(L);
        }
        read_axes(r, "grid", false);
    }
    add_special_axes(r);
    combine(r, random, draws);
}

/* ---- the rest ------------------------------------------------------------------------------ */

/* A key that is neither a parameter of the method nor one of what is done to the data. */
static bool is_extra(const char *name)
{
    size_t count;
    const tm_param_info *table = tm_prepare_params(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, table[i].name) == 0)
            return false;
    if (strcmp(name, "append") == 0)
        return false;
    for (size_t i = 0; script_sweep_extras[i]; i++)
        if (strcmp(name, script_sweep_extras[i]) == 0)
            return true;
    return false;
}

/* Adds the parameters of the table at `index`; of the sweep's own table those that are no extras. */
static void add_settings(reader *r, int index, tm_setting *settings)
{
    lua_State *L = r->L;
    size_t count;
    lua_pushvalue(L, index);
    const char **names = sorted_keys(L, "a sweep", NULL, &count);
    for (size_t i = 0; i < count; i++) {
        if (index == 1 && is_extra(names[i]))
            continue;
        lua_getfield(L, -1, names[i]);
        settings[r->spec.base_count++] = (tm_setting){names[i], take_text(L, names[i])};
    }
    lua_pop(L, 1);
}

static size_t count_fields(lua_State *L, int index)
{
    size_t count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        count++;
    return count;
}

static void read_base(reader *r)
{
    lua_State *L = r->L;
    if (lua_getfield(L, 1, "params") != LUA_TNIL && !lua_istable(L, -1))
        script_args_error(L, "%s: 'params' is %s; expected {name=value, ...}", OWNER,
                          script_what_is(L, -1));
    int params = lua_gettop(L);
    size_t room = count_fields(L, 1) + (lua_istable(L, params) ? count_fields(L, params) : 0);
    tm_setting *settings = keep_block(L, room, sizeof *settings);
    r->spec.base = settings;
    add_settings(r, 1, settings);
    if (lua_istable(L, params))
        add_settings(r, params, settings);
    lua_settop(L, params - 1);
}

static void read_metrics(reader *r)
{
    lua_State *L = r->L;
    tm_sweep_axis metrics = {.name = "metric"};
    if (lua_getfield(L, 1, "metric") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    read_choices(L, &metrics);
    r->spec.metrics = metrics.values;
    r->spec.metric_count = metrics.count;
}

/* A name that is neither the sweep's nor the method's is told at once, with the closest of both. */
static void check_names(lua_State *L, const char *method)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    if (!script_args_options(L, 1, OWNER))
        script_args_error(L, "%s: expected a table {data=, method=, ...}", OWNER);
    if (!method)
        return;
    const tm_method *known = tm_method_find(method, &err);
    if (!known)
        script_raise(L, &err);
    const tm_param_info *table = tm_method_params(known, &count);
    script_args_keys(L, 1, OWNER, table, count, script_sweep_extras);
}

static void read_method(reader *r)
{
    lua_State *L = r->L;
    int type = lua_istable(L, 1) ? lua_getfield(L, 1, "method") : (lua_pushnil(L), LUA_TNIL);
    if (type != LUA_TSTRING && type != LUA_TTABLE && type != LUA_TNIL)
        script_args_error(L, "%s: 'method' is %s; expected the name of a method, or several", OWNER,
                          script_what_is(L, -1));
    r->spec.method = type == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    check_names(L, r->spec.method);
}

static void read_seed(reader *r)
{
    int whole = 1;
    lua_State *L = r->L;
    r->spec.seed = script_of(L)->host.seed;
    if (lua_getfield(L, 1, "seed") != LUA_TNIL)
        r->spec.seed = (uint64_t)lua_tointegerx(L, -1, &whole);
    if (!whole)
        script_args_error(L, "%s: parameter 'seed' is %s; expected a whole number", OWNER,
                          script_what_is(L, -1));
    lua_pop(L, 1);
}

void script_sweep_start(lua_State *L, tm_sweep **out)
{
    reader r = {.L = L, .spec = TM_SWEEP_SPEC_INIT};
    tm_error err = TM_ERROR_INIT;
    const script_host *host = &script_of(L)->host;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_newtable(L);
    lua_replace(L, 3);
    read_method(&r);
    read_data(&r);
    read_seed(&r);
    r.spec.name = script_args_text(L, 1, OWNER, "name", NULL);
    r.spec.folds = read_count(L, "folds", 0);
    r.spec.repeats = read_count(L, "repeats", 1);
    r.spec.nested = read_count(L, "nested", 0);
    r.spec.stratify =
        script_args_bool(L, 1, OWNER, "stratify", tm_dataset_is_binary(r.spec.data[0]));
    r.spec.warm = script_args_bool(L, 1, OWNER, "warm", true);
    r.spec.fresh = script_args_bool(L, 1, OWNER, "fresh", false);
    if (r.spec.fresh && host->ranks > 1)
        script_args_error(L,
                          "%s: 'fresh' is not for several ranks: each would delete what the others "
                          "do. Delete the sweep first: tamis runs prune --sweep ID --yes",
                          OWNER);
    r.spec.groups = script_args_row_groups(L, 1, OWNER, tm_dataset_rows(r.spec.data[0]));
    read_metrics(&r);
    read_base(&r);
    r.spec.workers = tm_pool_workers(host->pool);
    r.spec.store = host->store;
    r.spec.shard = host->shard;
    r.spec.shards = host->shards;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    read_configs(&r); /* last: from here on nothing raises before the values are freed */
    tm_status status = tm_sweep_start(out, &r.spec, &err);
    tm_sweep_values_free(r.values, r.spec.config_count * r.spec.axis_count);
    if (status != TM_OK)
        script_raise(L, &err);
}
