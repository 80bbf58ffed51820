/* Converts the arguments of tm.sweep to the description of a sweep. axes.c reads axes and
 * configurations. */
#include "script/objects/sweep/args.h"

#include "base/text.h"
#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/host.h"
#include "script/objects/data/dataset.h"
#include "script/objects/data/split.h"
#include "script/objects/run.h"
#include "tamis/method.h"
#include "tamis/prepare.h"

#include <string.h>

const char *const script_sweep_extras[] = {
    "data",     "method",  "grid",  "random", "list", "folds", "repeats", "nested", "groups",
    "stratify", "metric",  "name",  "warm",   "test", "seed",  "fresh",   "params", "extra",
    "append",   "prepare", "scale", "filter", "keep", "rows",  "tags",    "note",   NULL};

size_t sweep_args_count(lua_State *L, const char *key, size_t fallback)
{
    int whole = 1;
    lua_Integer value = (lua_Integer)fallback;
    if (lua_getfield(L, 1, key) != LUA_TNIL)
        value = lua_tointegerx(L, -1, &whole);
    if (!whole || value < 0 || value > 1000000)
        script_error(L, "%s: parameter '%s' is %s; expected a whole number from 0 to 1000000",
                     SWEEP_OWNER, key, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return (size_t)value;
}

/* ---- data ---------------------------------------------------------------------------------- */

/* Reads the table on top, {name=data set, ...}. */
static const tm_dataset **read_named(lua_State *L, const char *who, const char ***names,
                                     size_t *count)
{
    *names = sweep_args_keys(L, who, NULL, count);
    const tm_dataset **data = sweep_args_block(L, *count, sizeof *data);
    for (size_t d = 0; d < *count; d++) {
        lua_getfield(L, -1, (*names)[d]);
        data[d] = script_check_dataset(L, -1, who);
        lua_pop(L, 1);
    }
    return data;
}

/* Reads the data sets whose rows may be appended to training parts. */
static void read_extra(sweep_reader *r)
{
    lua_State *L = r->L;
    const char **names;
    if (lua_getfield(L, 1, "extra") != LUA_TNIL) {
        if (!lua_istable(L, -1))
            script_error(L, "%s: 'extra' is %s; expected {name=data set, ...}", SWEEP_OWNER,
                         script_what_is(L, -1));
        r->spec.inputs.extra =
            read_named(L, "tm.sweep: extra", &names, &r->spec.inputs.extra_count);
        r->spec.inputs.extra_names = names;
    }
    lua_pop(L, 1);
}

static void read_data(sweep_reader *r)
{
    lua_State *L = r->L;
    lua_getfield(L, 1, "data");
    if (script_object_test(L, -1, &script_dataset_class)) {
        const tm_dataset **one = sweep_args_block(L, 1, sizeof *one);
        one[0] = script_check_dataset(L, -1, SWEEP_OWNER);
        r->spec.inputs.data = one;
        r->spec.inputs.data_count = 1;
    } else if (lua_istable(L, -1)) {
        const char **names;
        r->spec.inputs.data = read_named(L, "tm.sweep: data", &names, &r->spec.inputs.data_count);
        r->spec.inputs.data_names = names;
    }
    if (r->spec.inputs.data_count == 0)
        script_error(L, "%s: 'data' is %s; expected a data set, or {name=data set, ...}",
                     SWEEP_OWNER, script_what_is(L, -1));
    lua_pop(L, 1);
    read_extra(r);
    if (lua_getfield(L, 1, "test") != LUA_TNIL)
        r->spec.inputs.test = script_check_dataset(L, -1, "tm.sweep: test");
    lua_pop(L, 1);
}

/* ---- what is kept of cells ----------------------------------------------------------------- */

/* Whether `keep` names what is kept of each cell, rather than the number of features that a filter
 * keeps. */
static bool names_keeps(lua_State *L)
{
    int type = lua_getfield(L, 1, "keep");
    if (type == LUA_TTABLE)
        type = lua_rawgeti(L, -1, 1) == LUA_TNUMBER ? LUA_TNUMBER : LUA_TSTRING;
    else
        lua_pushnil(L);
    double number;
    bool names = type == LUA_TSTRING;
    if (lua_type(L, -2) == LUA_TSTRING)
        names = !text_to_real(lua_tostring(L, -2), &number);
    lua_pop(L, 2);
    return names;
}

static unsigned keep_named(lua_State *L, const char *name)
{
    for (unsigned i = 0; name && tm_sweep_keeps[i].name; i++)
        if (strcmp(tm_sweep_keeps[i].name, name) == 0)
            return 1u << i;
    script_error(L, "%s: keep names '%.40s'; expected \"predictions\", \"support\" or \"model\"",
                 SWEEP_OWNER, name ? name : script_what_is(L, -1));
    return 0;
}

static unsigned read_keep(lua_State *L)
{
    unsigned keep = 0;
    if (!names_keeps(L))
        return 0;
    if (lua_getfield(L, 1, "keep") == LUA_TSTRING)
        keep = keep_named(L, lua_tostring(L, -1));
    else
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL || (lua_pop(L, 1), false); i++) {
            keep |= keep_named(L, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL);
            lua_pop(L, 1);
        }
    lua_pop(L, 1);
    return keep;
}

/* ---- the rest ------------------------------------------------------------------------------ */

/* Whether a key is neither a parameter of the method nor one of the treatment of the data. */
static bool is_extra(lua_State *L, const char *name)
{
    size_t count;
    if (strcmp(name, "keep") == 0 && names_keeps(L))
        return true;
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

/* Adds the parameters of the table at `index`; from the sweep's own table those that are not
 * extras. */
static void add_settings(sweep_reader *r, int index, tm_setting *settings)
{
    lua_State *L = r->L;
    size_t count;
    lua_pushvalue(L, index);
    const char **names = sweep_args_keys(L, "a sweep", NULL, &count);
    for (size_t i = 0; i < count; i++) {
        if (index == 1 && is_extra(L, names[i]))
            continue;
        lua_getfield(L, -1, names[i]);
        settings[r->spec.base_count++] = (tm_setting){names[i], sweep_args_text(L, names[i])};
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

static void read_base(sweep_reader *r)
{
    lua_State *L = r->L;
    if (lua_getfield(L, 1, "params") != LUA_TNIL && !lua_istable(L, -1))
        script_error(L, "%s: 'params' is %s; expected {name=value, ...}", SWEEP_OWNER,
                     script_what_is(L, -1));
    int params = lua_gettop(L);
    size_t capacity = count_fields(L, 1) + (lua_istable(L, params) ? count_fields(L, params) : 0);
    tm_setting *settings = sweep_args_block(L, capacity + 1, sizeof *settings);
    r->spec.base = settings;
    add_settings(r, 1, settings);
    if (lua_istable(L, params))
        add_settings(r, params, settings);
    if (r->prepare)
        settings[r->spec.base_count++] = (tm_setting){"prepare", r->prepare};
    lua_settop(L, params - 1);
}

/* Raises an error for a name that belongs neither to the sweep nor to the method, with the closest
 * name of both. */
static void check_names(lua_State *L, const char *method)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    if (!script_args_options(L, 1, SWEEP_OWNER))
        script_error(L, "%s: expected a table {data=, method=, ...}", SWEEP_OWNER);
    if (!method)
        return;
    const tm_method *known = tm_method_find(method, &err);
    if (!known)
        script_raise(L, &err);
    const tm_param_info *table = tm_method_params(known, &count);
    script_args_keys(L, 1, SWEEP_OWNER, table, count, script_sweep_extras);
}

static void read_method(sweep_reader *r)
{
    lua_State *L = r->L;
    int type = lua_istable(L, 1) ? lua_getfield(L, 1, "method") : (lua_pushnil(L), LUA_TNIL);
    if (type != LUA_TSTRING && type != LUA_TTABLE && type != LUA_TNIL)
        script_error(L, "%s: 'method' is %s; expected the name of a method, or several",
                     SWEEP_OWNER, script_what_is(L, -1));
    r->spec.method = type == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    check_names(L, r->spec.method);
}

static void read_seed(sweep_reader *r)
{
    int whole = 1;
    lua_State *L = r->L;
    r->spec.splits.seed = script_of(L)->host.seed;
    if (lua_getfield(L, 1, "seed") != LUA_TNIL)
        r->spec.splits.seed = (uint64_t)lua_tointegerx(L, -1, &whole);
    if (!whole)
        script_error(L, "%s: parameter 'seed' is %s; expected a whole number", SWEEP_OWNER,
                     script_what_is(L, -1));
    lua_pop(L, 1);
}

/* Raises errors in tags and note before anything starts. */
static void check_annotation(lua_State *L)
{
    tm_annotation annotation = {NULL, NULL};
    script_args_annotation(L, 1, SWEEP_OWNER, &annotation);
    tm_annotation_clear(&annotation);
}

/* Tags and note that are given replace those of the same sweep in the store. */
static void annotate(lua_State *L, tm_sweep *sweep)
{
    tm_error err = TM_ERROR_INIT;
    tm_annotation annotation;
    tm_status status = tm_sweep_annotation(sweep, &annotation, &err);
    if (status == TM_OK && script_args_annotation(L, 1, SWEEP_OWNER, &annotation))
        status = tm_sweep_annotate(sweep, &annotation, &err);
    tm_annotation_clear(&annotation);
    if (status != TM_OK)
        script_raise(L, &err);
}

void script_sweep_start(lua_State *L, tm_sweep **out)
{
    sweep_reader r = {.L = L, .spec = TM_SWEEP_SPEC_INIT};
    tm_error err = TM_ERROR_INIT;
    const script_host *host = &script_of(L)->host;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_newtable(L);
    lua_replace(L, 3);
    read_method(&r);
    read_data(&r);
    read_seed(&r);
    r.spec.name = script_args_text(L, 1, SWEEP_OWNER, "name", NULL);
    r.spec.splits.repeats = sweep_args_count(L, "repeats", 1);
    r.spec.splits.nested = sweep_args_count(L, "nested", 0);
    r.spec.splits.stratify = script_args_bool(L, 1, SWEEP_OWNER, "stratify",
                                              tm_dataset_is_binary(r.spec.inputs.data[0]));
    sweep_args_folds(&r);
    r.spec.keep = read_keep(L);
    r.spec.warm = script_args_bool(L, 1, SWEEP_OWNER, "warm", true);
    r.spec.fresh = script_args_bool(L, 1, SWEEP_OWNER, "fresh", false);
    if (r.spec.fresh && host->ranks > 1)
        script_error(L,
                     "%s: 'fresh' is not for several ranks: each would delete what the others "
                     "do. Delete the sweep first: tamis runs prune --sweep ID --yes",
                     SWEEP_OWNER);
    r.spec.splits.groups =
        script_args_row_groups(L, 1, SWEEP_OWNER, "groups", tm_dataset_rows(r.spec.inputs.data[0]));
    sweep_args_metrics(&r);
    sweep_args_prepare(&r);
    sweep_args_hooks(&r);
    read_base(&r);
    r.spec.workers = tm_pool_workers(host->pool);
    r.spec.store = host->store;
    r.spec.shard = host->shard;
    r.spec.shards = host->shards;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    check_annotation(L);
    sweep_args_configs(&r); /* last, as nothing may raise an error from here until the values are
                             * freed */
    tm_status status = tm_sweep_start(out, &r.spec, &err);
    tm_sweep_values_free(r.values, r.spec.config_count * r.spec.axis_count);
    if (status != TM_OK)
        script_raise(L, &err);
    sweep_args_give(&r);
    annotate(L, *out);
}
