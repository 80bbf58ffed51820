/* Lua functions in a sweep. Each call has a Lua state of its own, like a task of tm.map: the result
 * of a function depends only on its arguments, whichever worker calls it and in whatever order. */
#include "script/objects/sweep/args.h"

#include "base/memory.h"
#include "base/text.h"
#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/objects/data/dataset.h"
#include "script/objects/pack.h"

#include <stdlib.h>
#include <string.h>

/* Seconds between two checks of the token. */
static const double LOOK_SECONDS = 0.02;

typedef struct function {
    struct sweep_functions *owner;
    bool metric;
    bool greater_is_better;
    char *name;
    char key[33];
    script_packed code;
} function;

/* All functions of one sweep. */
struct sweep_functions {
    script *parent;
    uint64_t seed; /* seed of math.random in each call */
    char *module_path;
    function *all;
    size_t count, room;
    tm_sweep_metric *metrics;
    tm_sweep_transform *transforms;
    tm_sweep_hooks hooks;
};

/* One call; in memory of its own, because a Lua state that cannot be stopped keeps it. */
typedef struct call {
    const function *of;
    double *values; /* n scores, then n responses */
    size_t n;
    tm_dataset *train, *test, *parts[2]; /* references */
    double result;
    char *error; /* NULL: none */
} call;

/* ---- in the call's own state --------------------------------------------------------------- */

static void push_values(lua_State *L, const double *values, size_t n)
{
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_dataset(lua_State *L, const tm_dataset *data)
{
    *script_new_dataset(L) = tm_dataset_ref(data);
}

static void compute_metric(lua_State *L, call *c)
{
    int number;
    push_values(L, c->values, c->n);
    push_values(L, c->values + c->n, c->n);
    lua_call(L, 2, 1);
    c->result = lua_tonumberx(L, -1, &number);
    if (!number)
        script_error(L, "metric '%s' gave %s; expected a number", c->of->name,
                     script_what_is(L, -1));
}

/* Applies the fitted transform, which is at 2. */
static void apply(lua_State *L, call *c, const tm_dataset *rows, tm_dataset **out)
{
    lua_pushvalue(L, 2);
    push_dataset(L, rows);
    lua_call(L, 1, 1);
    if (!script_object_test(L, -1, &script_dataset_class))
        script_error(L, "what prepare '%s' returned gave %s; expected a data set", c->of->name,
                     script_what_is(L, -1));
    *out = tm_dataset_ref(script_check_dataset(L, -1, "prepare"));
    lua_settop(L, 2);
}

static void compute_transform(lua_State *L, call *c)
{
    lua_pushvalue(L, 1);
    push_dataset(L, c->train);
    lua_call(L, 1, 1);
    lua_settop(L, 2);
    if (!lua_isfunction(L, 2))
        script_error(L, "prepare '%s' gave %s; expected a function of a data set", c->of->name,
                     script_what_is(L, 2));
    apply(L, c, c->train, &c->parts[0]);
    if (c->test)
        apply(L, c, c->test, &c->parts[1]);
}

static int compute(lua_State *L)
{
    call *c = lua_touserdata(L, lua_upvalueindex(1));
    lua_getglobal(L, "package");
    lua_pushstring(L, c->of->owner->module_path);
    lua_setfield(L, -2, "path");
    lua_settop(L, 0);
    script_unpack(L, &c->of->code);
    if (c->of->metric)
        compute_metric(L, c);
    else
        compute_transform(L, c);
    return 0;
}

static int run_call(lua_State *L)
{
    call *c = lua_touserdata(L, 1);
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, compute, 1);
    if (script_call(L, 0, 0) == LUA_OK)
        return 0;
    const char *message =
        script_of(L)->stop.exiting ? "a function of the sweep called os.exit" : lua_tostring(L, -1);
    c->error = text_copy(message ? message : "(error object is not text)");
    return 0;
}

/* ---- in a worker --------------------------------------------------------------------------- */

static void call_free(call *c)
{
    tm_dataset_unref(c->train);
    tm_dataset_unref(c->test);
    tm_dataset_unref(c->parts[0]);
    tm_dataset_unref(c->parts[1]);
    free(c->values);
    free(c->error);
    free(c);
}

static bool stopped(const tm_cancel *cancel)
{
    return cancel && tm_cancel_is_set(cancel);
}

/* Runs the call; on failure takes it over. */
static tm_status run(call *c, tm_cancel *cancel, tm_error *err)
{
    script *parent = c->of->owner->parent, *child;
    const script_children *children = parent->children;
    const script_call_spec what = {run_call, c, c->of->owner->seed};
    tm_status status = children->start(&child, parent, &what, err);
    if (status != TM_OK) {
        call_free(c);
        return status;
    }
    while (!children->ended(child, LOOK_SECONDS))
        if (stopped(cancel)) {
            children->interrupt(child);
            break;
        }
    bool freed = children->free(child);
    if (freed && !stopped(cancel) && !c->error)
        return TM_OK;
    status = stopped(cancel) || !freed ? tm_fail(err, TM_ECANCELLED, "cancelled")
                                       : tm_fail(err, TM_EDATA, "%s", c->error);
    if (freed)
        call_free(c);
    return status;
}

static call *new_call(const function *of, tm_error *err)
{
    call *c = calloc(1, sizeof *c);
    if (!c)
        tm_fail_memory(err, "a call of a sweep's function");
    else
        c->of = of;
    return c;
}

static tm_status score(double *out, const tm_sweep_scored *scored, void *payload, tm_cancel *cancel,
                       tm_error *err)
{
    call *c = new_call(payload, err);
    if (!c)
        return TM_ENOMEM;
    c->n = scored->n;
    c->values = mem_array(2 * c->n, sizeof *c->values);
    if (!c->values) {
        call_free(c);
        return tm_fail_memory(err, "a call of a sweep's function");
    }
    memcpy(c->values, scored->z, c->n * sizeof *c->values);
    memcpy(c->values + c->n, scored->y, c->n * sizeof *c->values);
    tm_status status = run(c, cancel, err);
    if (status != TM_OK)
        return status;
    *out = c->result;
    call_free(c);
    return TM_OK;
}

static tm_status transform(tm_dataset *parts[2], const tm_dataset *train, const tm_dataset *test,
                           void *payload, tm_cancel *cancel, tm_error *err)
{
    call *c = new_call(payload, err);
    if (!c)
        return TM_ENOMEM;
    c->train = tm_dataset_ref(train);
    c->test = test ? tm_dataset_ref(test) : NULL;
    tm_status status = run(c, cancel, err);
    if (status != TM_OK)
        return status;
    for (int k = 0; k < 2; k++)
        parts[k] = c->parts[k] ? tm_dataset_ref(c->parts[k]) : NULL;
    call_free(c);
    return TM_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

static void release(void *payload)
{
    struct sweep_functions *f = payload;
    for (size_t i = 0; f && i < f->count; i++) {
        script_packed_free(&f->all[i].code);
        free(f->all[i].name);
    }
    if (!f)
        return;
    free(f->all);
    free(f->metrics);
    free(f->transforms);
    free(f->module_path);
    free(f);
}

static int functions_gc(lua_State *L)
{
    struct sweep_functions **held = lua_touserdata(L, 1);
    release(*held);
    *held = NULL;
    return 0;
}

/* Created at the first function; owned by Lua until the sweep takes it over. */
static struct sweep_functions *functions_of(sweep_reader *r)
{
    lua_State *L = r->L;
    if (r->functions)
        return *r->functions;
    struct sweep_functions **held = lua_newuserdatauv(L, sizeof(struct sweep_functions *), 0);
    *held = NULL;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, functions_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    luaL_ref(L, SWEEP_KEPT);
    *held = calloc(1, sizeof **held);
    if (!*held)
        luaL_error(L, "not enough memory for a sweep's functions");
    (*held)->parent = script_of(L);
    (*held)->seed = r->spec.splits.seed & (((uint64_t)1 << 53) - 1);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "path");
    (*held)->module_path = text_copy(luaL_optstring(L, -1, ""));
    lua_pop(L, 2);
    if (!(*held)->module_path)
        luaL_error(L, "not enough memory for a sweep's functions");
    r->functions = held;
    return *held;
}

/* Pops and adds the function on top. */
static void add_function(sweep_reader *r, const char *name, bool metric, bool greater)
{
    lua_State *L = r->L;
    struct sweep_functions *f = functions_of(r);
    const char *what = metric ? "tm.sweep: metric" : "tm.sweep: prepare";
    if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1))
        script_error(L, "%s '%.60s' is %s; expected a function written in Lua", what, name,
                     lua_isfunction(L, -1) ? "one of C" : script_what_is(L, -1));
    if (!mem_grow(&f->all, &f->room, f->count, 4, sizeof *f->all))
        luaL_error(L, "not enough memory for a sweep's functions");
    function *one = &f->all[f->count];
    *one = (function){.metric = metric, .greater_is_better = greater, .name = text_copy(name)};
    f->count++;
    if (!one->name)
        luaL_error(L, "not enough memory for a sweep's functions");
    one->code.plain_code = true;
    script_pack(L, lua_gettop(L), &one->code, what);
    script_packed_key(&one->code, metric, one->key);
    script_packed_free(&one->code);
    script_pack(L, lua_gettop(L), &one->code, what);
    lua_pop(L, 1);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Appends the string keys of the table on top in byte order from names[count] on; ignores numeric
 * keys. Returns the new count. */
static size_t add_names(lua_State *L, const char **names, size_t count)
{
    size_t first = count;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING)
            names[count++] = lua_tostring(L, -2);
    qsort(names + first, count - first, sizeof *names, compare_names);
    return count;
}

static size_t count_entries(lua_State *L)
{
    size_t count = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        count++;
    return count;
}

/* Pops and adds a function, or {function, greater=}. */
static void add_metric(sweep_reader *r, const char *name)
{
    lua_State *L = r->L;
    bool greater = true;
    if (lua_istable(L, -1)) {
        int table = lua_gettop(L);
        for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
            if (lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "greater") != 0)
                script_error(L,
                             "tm.sweep: metric '%.60s' has '%.60s'; expected {function, greater=}",
                             name, lua_tostring(L, -2));
        greater = script_args_bool(L, table, SWEEP_OWNER, "greater", true);
        lua_rawgeti(L, table, 1);
        lua_remove(L, table);
    }
    add_function(r, name, true, greater);
}

void sweep_args_metrics(sweep_reader *r)
{
    lua_State *L = r->L;
    int type = lua_getfield(L, 1, "metric");
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    size_t listed = type == LUA_TTABLE ? lua_rawlen(L, -1) : 1;
    const char **names =
        sweep_args_block(L, type == LUA_TTABLE ? count_entries(L) : 1, sizeof *names);
    r->spec.metrics = names;
    r->spec.metric_count = listed;
    if (type == LUA_TFUNCTION) {
        names[0] = "metric";
        add_function(r, "metric", true, true);
        return;
    }
    if (type != LUA_TTABLE) {
        names[0] = sweep_args_text(L, "metric");
        return;
    }
    for (size_t i = 0; i < listed; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TFUNCTION)
            script_error(L, "%s: metric[%d] is a function; name it: metric={NAME=function}",
                         SWEEP_OWNER, (int)i + 1);
        names[i] = sweep_args_text(L, "metric");
    }
    r->spec.metric_count = add_names(L, names, listed);
    for (size_t i = listed; i < r->spec.metric_count; i++) {
        lua_getfield(L, -1, names[i]);
        add_metric(r, names[i]);
    }
    lua_pop(L, 1);
}

void sweep_args_prepare(sweep_reader *r)
{
    lua_State *L = r->L;
    int type = lua_getfield(L, 1, "prepare");
    if (type == LUA_TFUNCTION) {
        add_function(r, "function", false, false);
        r->prepare = "function";
        return;
    }
    if (type == LUA_TTABLE) {
        const char **names = sweep_args_block(L, count_entries(L), sizeof *names);
        r->prepares.count = add_names(L, names, 0);
        r->prepares.values = names;
        for (size_t i = 0; i < r->prepares.count; i++) {
            lua_getfield(L, -1, names[i]);
            add_function(r, names[i], false, false);
        }
    }
    if (type != LUA_TNIL && r->prepares.count == 0)
        script_error(L, "%s: 'prepare' is %s; expected a function, or {NAME=function, ...}",
                     SWEEP_OWNER, type == LUA_TTABLE ? "empty" : script_what_is(L, -1));
    lua_pop(L, 1);
}

/* Hooks point into f->all, which no longer grows. */
void sweep_args_hooks(sweep_reader *r)
{
    struct sweep_functions *f = r->functions ? *r->functions : NULL;
    if (!f)
        return;
    f->metrics = mem_zeros(f->count, sizeof *f->metrics);
    f->transforms = mem_zeros(f->count, sizeof *f->transforms);
    if (!f->metrics || !f->transforms)
        luaL_error(r->L, "not enough memory for a sweep's functions");
    f->hooks = (tm_sweep_hooks){.metrics = f->metrics,
                                .transforms = f->transforms,
                                .score = score,
                                .transform = transform,
                                .release = release,
                                .owner = f};
    for (size_t i = 0; i < f->count; i++) {
        function *one = &f->all[i];
        one->owner = f;
        if (one->metric)
            f->metrics[f->hooks.metric_count++] =
                (tm_sweep_metric){one->name, one->key, one->greater_is_better, one};
        else
            f->transforms[f->hooks.transform_count++] =
                (tm_sweep_transform){one->name, one->key, one};
    }
    r->spec.hooks = &f->hooks;
}

void sweep_args_give(sweep_reader *r)
{
    if (r->functions)
        *r->functions = NULL;
}
