/* tm.search: successive halving (Jamieson and Talwalkar 2016), and the tree-structured Parzen
 * estimator (Bergstra and others 2011).
 *
 * Each round is a sweep whose configurations follow from the rounds before it. With a store the
 * rounds are therefore found again one after the other, and a search that was stopped goes on as if
 * it had not been. */
#include "script/objects/sweep/search.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/host.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/sweep/args.h"
#include "script/objects/sweep/read.h"
#include "script/objects/sweep/sweep.h"
#include "tamis/method.h"
#include "tamis/sweep_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OWNER "tm.search"

/* Where things stand on the stack of script_tm_search; at SWEEP_KEPT what sweep_reader keeps. */
enum { ARGUMENTS = 1, GIVEN = 2, SWEEPS = SWEEP_KEPT + 1, TABLES, ROUNDS, BLOCKS, TOP = BLOCKS };

/* Configurations of a batch when the description does not say. */
enum { BATCH = 5, LEAST_STARTS = 10 };

const char *const script_search_extras[] = {
    "data",   "method", "grid",    "random", "list", "folds",   "repeats", "groups", "stratify",
    "metric", "name",   "warm",    "test",   "seed", "fresh",   "params",  "extra",  "append",
    "scale",  "filter", "prepare", "keep",   "rows", "halving", "eta",     "tpe",    NULL};

/* A configuration in the last round that had it. */
typedef struct entry {
    size_t number; /* in the order they were first tried, from 1 */
    size_t round;  /* from 1 */
    const tm_sweep_table *table;
    size_t config; /* of the table */
    double score;  /* greater is better; NaN without one */
    double nnz;
} entry;

typedef struct search {
    lua_State *L;
    const char *name;
    const char *along; /* the parameter whose levels the rounds have; NULL: none */
    double *levels;
    size_t rounds; /* in all; 0: not known */
    size_t eta;
    size_t total, starts, batch; /* of TPE: configurations in all, before it begins, in a round */
    entry *all;                  /* `count` of them, in a block of Lua's */
    size_t count;
    double columns, updates;
} search;

static void *block(lua_State *L, size_t count, size_t size)
{
    void *memory = lua_newuserdatauv(L, (count + 1) * size, 0);
    memset(memory, 0, (count + 1) * size);
    lua_rawseti(L, BLOCKS, (lua_Integer)lua_rawlen(L, BLOCKS) + 1);
    return memory;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static bool given(lua_State *L, const char *key)
{
    bool found = lua_getfield(L, ARGUMENTS, key) != LUA_TNIL;
    lua_pop(L, 1);
    return found;
}

static void check_keys(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t count = 0;
    const tm_param_info *table = NULL;
    if (!script_args_options(L, ARGUMENTS, OWNER))
        script_error(L, "%s: expected a table {data=, method=, random=, halving= or tpe=, ...}",
                     OWNER);
    if (lua_getfield(L, ARGUMENTS, "method") == LUA_TSTRING) {
        const tm_method *method = tm_method_find(lua_tostring(L, -1), &err);
        if (!method)
            script_raise(L, &err);
        table = tm_method_params(method, &count);
    }
    lua_pop(L, 1);
    if (given(L, "nested"))
        script_error(L,
                     "%s: nested folds would be seen by the search, which chooses by the mean over "
                     "all splits; search on each outer training set instead",
                     OWNER);
    /* Several methods: their parameters are the sweeps' to check. */
    if (table)
        script_args_keys(L, ARGUMENTS, OWNER, table, count, script_search_extras);
    if (given(L, "halving") == given(L, "tpe"))
        script_error(L,
                     "%s: give halving={parameter={levels}} or tpe=true; tm.sweep draws all "
                     "configurations at once",
                     OWNER);
}

static size_t read_whole(lua_State *L, int table, const char *key, size_t fallback, size_t least)
{
    int whole = 1;
    lua_Integer value = (lua_Integer)fallback;
    if (lua_getfield(L, table, key) != LUA_TNIL)
        value = lua_tointegerx(L, -1, &whole);
    if (!whole || value < (lua_Integer)least)
        script_error(L, "%s: %s is %s; expected a whole number of at least %d", OWNER, key,
                     luaL_tolstring(L, -1, NULL), (int)least);
    lua_pop(L, 1);
    return (size_t)value;
}

/* halving={tol={0.1, 0.01, 1e-4}} */
static void read_halving(search *s)
{
    lua_State *L = s->L;
    if (lua_getfield(L, ARGUMENTS, "halving") != LUA_TTABLE)
        script_error(L, "%s: halving is %s; expected {parameter={levels}}, like {tol={0.1, 1e-4}}",
                     OWNER, script_what_is(L, -1));
    int table = lua_gettop(L);
    lua_pushnil(L);
    if (!lua_next(L, table) || lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TTABLE)
        script_error(L, "%s: halving: expected {parameter={levels}}, like {rows={0.1, 0.3, 1}}",
                     OWNER);
    s->along = lua_tostring(L, -2); /* lives in the caller's table */
    double *levels = script_args_numbers(L, OWNER, "halving", &s->rounds);
    s->levels = block(L, s->rounds, sizeof *s->levels);
    memcpy(s->levels, levels, s->rounds * sizeof *levels);
    lua_pop(L, 1);
    if (lua_next(L, table))
        script_error(L, "%s: halving has several parameters; expected one", OWNER);
    lua_settop(L, TOP);
    if (s->rounds < 2)
        script_error(L, "%s: halving has %d level; expected at least 2, the costliest one last",
                     OWNER, (int)s->rounds);
    if (given(L, s->along))
        script_error(L, "%s: '%s' is given, and its levels are halving's", OWNER, s->along);
    s->eta = read_whole(L, ARGUMENTS, "eta", 3, 2);
}

/* tpe=true or {starts=, batch=} */
static void read_tpe(search *s)
{
    static const char *const keys[] = {"starts", "batch", NULL};
    lua_State *L = s->L;
    if (lua_getfield(L, ARGUMENTS, "random") != LUA_TTABLE)
        script_error(L, "%s: tpe needs random={n=, name={min=, max=}, ...}, what to draw from",
                     OWNER);
    s->total = read_whole(L, lua_gettop(L), "n", 0, 2);
    s->starts = s->total / 4 > LEAST_STARTS ? s->total / 4 : LEAST_STARTS;
    s->batch = BATCH;
    if (lua_getfield(L, ARGUMENTS, "tpe") == LUA_TTABLE) {
        int table = lua_gettop(L);
        script_args_keys(L, table, "tpe", NULL, 0, keys);
        s->starts = read_whole(L, table, "starts", s->starts, 1);
        s->batch = read_whole(L, table, "batch", s->batch, 1);
    } else if (!lua_isboolean(L, -1) || !lua_toboolean(L, -1)) {
        script_error(L, "%s: tpe is %s; expected true or {starts=, batch=}", OWNER,
                     script_what_is(L, -1));
    }
    s->starts = s->starts < s->total ? s->starts : s->total;
    lua_settop(L, TOP);
    if (given(L, "eta"))
        script_error(L, "%s: eta is halving's", OWNER);
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* The arguments of the next round's sweep at GIVEN: the search's, without what is its own. */
static void push_given(const search *s, size_t round)
{
    static const char *const own[] = {"halving", "eta", "tpe"};
    lua_State *L = s->L;
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, ARGUMENTS); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -5);
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, own[i]);
    }
    if (s->along) {
        lua_pushnumber(L, s->levels[round - 1]);
        lua_setfield(L, -2, s->along);
        lua_pushfstring(L, "%s %d/%d", s->name, (int)round, (int)s->rounds);
    } else {
        lua_pushfstring(L, "%s %d", s->name, (int)round);
    }
    lua_setfield(L, -2, "name");
    lua_replace(L, GIVEN);
}

/* The list on top takes the place of the configurations of GIVEN. */
static void set_list(lua_State *L)
{
    static const char *const before[] = {"grid", "random"};
    lua_setfield(L, GIVEN, "list");
    for (size_t i = 0; i < 2; i++) {
        lua_pushnil(L);
        lua_setfield(L, GIVEN, before[i]);
    }
}

static double sum_of(const tm_sweep_table *t, const char *column)
{
    tm_error err;
    double sum = 0, value;
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        for (size_t k = 0; k < tm_sweep_table_splits(t); k++)
            if (tm_sweep_column(t, column, c, k, &value, &err) == TM_OK && !isnan(value))
                sum += value;
    return sum;
}

static void add_round(search *s, const tm_sweep_table *t, size_t round)
{
    lua_State *L = s->L;
    double columns = sum_of(t, "columns"), updates = sum_of(t, "updates");
    s->columns += columns;
    s->updates += updates;
    lua_createtable(L, 0, 5);
    script_set_count(L, "round", round);
    if (s->along) {
        lua_pushnumber(L, s->levels[round - 1]);
        lua_setfield(L, -2, s->along);
    }
    script_set_count(L, "configs", tm_sweep_table_configs(t));
    script_set_real(L, "columns", columns);
    script_set_real(L, "updates", updates);
    lua_rawseti(L, ROUNDS, (lua_Integer)round);
}

/* A path's steps are one run's, and cannot be chosen one by one. */
static void check_steps(lua_State *L, const tm_sweep_table *t)
{
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++)
        if (strcmp(tm_sweep_table_axis(t, a), "step") == 0)
            script_error(L, "%s: a path's steps are not chosen one by one; give lambda_ratio",
                         OWNER);
}

/* Runs the sweep of GIVEN to its end. */
static const tm_sweep_table *run_round(search *s, size_t round)
{
    lua_State *L = s->L;
    lua_pushcfunction(L, script_tm_sweep);
    lua_pushvalue(L, GIVEN);
    lua_call(L, 1, 1);
    int sweep = lua_gettop(L);
    script_sweep_wait(L, script_check_sweep(L, sweep), INFINITY);
    const tm_sweep_table *t = script_sweep_snapshot(L, sweep);
    if (tm_sweep_table_done(t, NULL) < tm_sweep_table_configs(t) * tm_sweep_table_splits(t))
        script_error(L, "%s: round %d did not end, so what comes next is not known%s", OWNER,
                     (int)round, script_of(L)->host.shards > 0 ? "; a search has no shards" : "");
    check_steps(L, t);
    lua_rawseti(L, TABLES, (lua_Integer)round);
    lua_rawseti(L, SWEEPS, (lua_Integer)round);
    add_round(s, t, round);
    return t;
}

/* What round `round` says of the configurations first..first+n-1 of its table. */
static void set_scores(search *s, const tm_sweep_table *t, entry *const *of, size_t round)
{
    tm_error err = TM_ERROR_INIT;
    bool greater;
    size_t configs = tm_sweep_table_configs(t), scored;
    size_t *order = block(s->L, configs, sizeof *order);
    if (tm_sweep_order(t, NULL, order, &scored, &err) != TM_OK ||
        tm_sweep_greater(t, NULL, &greater, &err) != TM_OK)
        script_raise(s->L, &err);
    for (size_t k = 0; k < configs; k++) {
        entry *e = of[order[k]];
        tm_sweep_mean mean, nnz;
        if (tm_sweep_summary(t, tm_sweep_table_metric(t, 0), order[k], &mean, &err) != TM_OK ||
            tm_sweep_summary(t, "nnz", order[k], &nnz, &err) != TM_OK)
            script_raise(s->L, &err);
        *e = (entry){e->number, round, t, order[k], greater ? mean.mean : -mean.mean, nnz.mean};
        if (k >= scored)
            e->score = NAN;
    }
}

/* Those that went farthest first, of them the best; of equal ones the one with fewer features. */
static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (isnan(x->score) != isnan(y->score))
        return isnan(x->score) ? 1 : -1;
    if (!isnan(x->score) && x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->nnz != y->nnz && !isnan(x->score))
        return x->nnz < y->nnz ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int compare_reached(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->round != y->round)
        return x->round > y->round ? -1 : 1;
    return compare_entries(a, b);
}

/* ---- halving ------------------------------------------------------------------------------- */

/* {axis=value, ...}, pushed. */
static void push_values(lua_State *L, const tm_sweep_table *t, size_t config)
{
    lua_newtable(L);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        lua_pushstring(L, tm_sweep_table_value(t, config, a));
        lua_setfield(L, -2, tm_sweep_table_axis(t, a));
    }
}

static void check_scored(const search *s, size_t round)
{
    const char *why = NULL;
    const tm_sweep_table *t = s->all[0].table;
    for (size_t c = 0; !why && c < tm_sweep_table_configs(t); c++)
        for (size_t k = 0; !why && k < tm_sweep_table_splits(t); k++)
            why = tm_sweep_table_cell(t, c, k)->error;
    if (isnan(s->all[0].score))
        script_error(s->L, "%s: no configuration of round %d has a score%s%s", OWNER, (int)round,
                     why ? ": " : "", why ? why : "");
}

static void halve(search *s)
{
    lua_State *L = s->L;
    push_given(s, 1);
    const tm_sweep_table *t = run_round(s, 1);
    s->count = tm_sweep_table_configs(t);
    s->all = block(L, s->count, sizeof *s->all);
    entry **of = block(L, s->count, sizeof(entry *));
    for (size_t c = 0; c < s->count; c++) {
        s->all[c].number = c + 1;
        of[c] = &s->all[c];
    }
    set_scores(s, t, of, 1);
    for (size_t round = 2; round <= s->rounds; round++) {
        /* Those of the last round stand first, and of them the best. */
        qsort(s->all, s->count, sizeof *s->all, compare_reached);
        check_scored(s, round - 1);
        size_t left = tm_halving_left(s->count, s->eta, round - 1), k = 0;
        push_given(s, round);
        lua_newtable(L);
        for (; k < left && s->all[k].round == round - 1 && !isnan(s->all[k].score); k++) {
            push_values(L, s->all[k].table, s->all[k].config);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
            of[k] = &s->all[k];
        }
        set_list(L);
        set_scores(s, run_round(s, round), of, round);
    }
    qsort(s->all, s->count, sizeof *s->all, compare_reached);
    check_scored(s, s->rounds);
}

/* ---- TPE ----------------------------------------------------------------------------------- */

/* The axes that are drawn from, read once; they live in what SWEEP_KEPT holds. */
static sweep_reader read_axes(lua_State *L)
{
    sweep_reader r = {.L = L, .spec = TM_SWEEP_SPEC_INIT};
    if (lua_getfield(L, ARGUMENTS, "method") == LUA_TSTRING)
        r.spec.method = lua_tostring(L, -1);
    lua_pop(L, 1);
    if (lua_getfield(L, ARGUMENTS, "data") == LUA_TTABLE)
        r.spec.inputs.data_names = sweep_args_keys(L, "data", NULL, &r.spec.inputs.data_count);
    lua_settop(L, TOP);
    if (lua_getfield(L, ARGUMENTS, "prepare") == LUA_TTABLE)
        r.prepares.values = sweep_args_keys(L, "prepare", NULL, &r.prepares.count);
    lua_settop(L, TOP);
    sweep_args_random(&r);
    lua_settop(L, TOP);
    return r;
}

/* What was tried, as texts by axis. */
static const char **texts_of(const search *s, const sweep_reader *r)
{
    const char **texts = block(s->L, s->count * r->axis_count, sizeof *texts);
    for (size_t i = 0; i < s->count; i++)
        for (size_t a = 0; a < r->axis_count; a++)
            for (size_t k = 0; k < tm_sweep_table_axes(s->all[i].table); k++)
                if (strcmp(tm_sweep_table_axis(s->all[i].table, k), r->axes[a].name) == 0)
                    texts[i * r->axis_count + a] =
                        tm_sweep_table_value(s->all[i].table, s->all[i].config, k);
    return texts;
}

typedef struct proposals {
    const sweep_reader *reader;
    char **values;
    size_t count;
} proposals;

static int push_proposals(lua_State *L)
{
    const proposals *p = lua_touserdata(L, 1);
    lua_newtable(L);
    for (size_t i = 0; i < p->count; i++) {
        lua_newtable(L);
        for (size_t a = 0; a < p->reader->axis_count; a++) {
            lua_pushstring(L, p->values[i * p->reader->axis_count + a]);
            lua_setfield(L, -2, p->reader->axes[a].name);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* The next configurations as a list, pushed; returns how many. */
static size_t propose(const search *s, const sweep_reader *r, uint64_t seed)
{
    lua_State *L = s->L;
    tm_error err = TM_ERROR_INIT;
    size_t left = s->total - s->count;
    double *scores = block(L, s->count, sizeof *scores);
    for (size_t i = 0; i < s->count; i++)
        scores[i] = s->all[i].score;
    tm_sweep_tried tried = {r->axes, r->axis_count, texts_of(s, r), scores, s->count};
    proposals p = {.reader = r};
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (tm_sweep_propose(&p.values, &p.count, &tried, left < s->batch ? left : s->batch, seed,
                         &err) != TM_OK)
        script_raise(L, &err);
    /* Protected, so that they are freed when memory runs out. */
    lua_pushcfunction(L, push_proposals);
    lua_pushlightuserdata(L, &p);
    int status = lua_pcall(L, 1, 1, 0);
    tm_sweep_values_free(p.values, p.count * r->axis_count);
    if (status != LUA_OK)
        lua_error(L);
    return p.count;
}

/* Adds a round's configurations. */
static void add_entries(search *s, const tm_sweep_table *t, size_t round)
{
    entry **of = block(s->L, tm_sweep_table_configs(t), sizeof(entry *));
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++) {
        of[c] = &s->all[s->count++];
        of[c]->number = s->count;
    }
    set_scores(s, t, of, round);
}

static void estimate(search *s)
{
    lua_State *L = s->L;
    uint64_t seed = script_of(L)->host.seed;
    if (lua_getfield(L, ARGUMENTS, "seed") != LUA_TNIL)
        seed = (uint64_t)lua_tointeger(L, -1);
    lua_settop(L, TOP);
    sweep_reader r = read_axes(L);
    s->all = block(L, s->total, sizeof *s->all);
    push_given(s, 1);
    lua_newtable(L); /* random with fewer draws */
    lua_getfield(L, ARGUMENTS, "random");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -6);
    }
    lua_pop(L, 1);
    script_set_count(L, "n", s->starts);
    lua_setfield(L, GIVEN, "random");
    add_entries(s, run_round(s, 1), 1);
    for (size_t round = 2; s->count < s->total; round++) {
        push_given(s, round);
        if (propose(s, &r, seed + s->count) == 0)
            break; /* everything was tried */
        set_list(L);
        add_entries(s, run_round(s, round), round);
    }
    qsort(s->all, s->count, sizeof *s->all, compare_entries);
    check_scored(s, 1);
}

/* ---- the result ---------------------------------------------------------------------------- */

static void push_entry(const search *s, const entry *e)
{
    lua_State *L = s->L;
    script_sweep_push_config(L, e->table, e->config);
    script_set_count(L, "config", e->number);
    script_set_count(L, "round", e->round);
    if (s->along) {
        lua_pushnumber(L, s->levels[e->round - 1]);
        lua_setfield(L, -2, s->along);
    }
}

static void push_best(const search *s)
{
    lua_State *L = s->L;
    push_entry(s, &s->all[0]);
    lua_rawgeti(L, SWEEPS, (lua_Integer)s->all[0].round);
    script_sweep_push_params(L, -1, s->all[0].table, s->all[0].config);
    lua_remove(L, -2);
    if (s->along && strcmp(s->along, "rows") != 0) {
        lua_pushnumber(L, s->levels[s->all[0].round - 1]);
        lua_setfield(L, -2, s->along);
    }
    lua_setfield(L, -2, "params");
}

static int push_result(search *s)
{
    static const char *const back[] = {"nnz", "gap", "seconds", "splits", NULL};
    const char *front[] = {"config", "round", s->along, NULL},
               *rounds[] = {"round", "configs", "columns", "updates", s->along};
    lua_State *L = s->L;
    const tm_sweep_table *t = s->all[0].table;
    lua_pushvalue(L, ROUNDS);
    script_as_rows(L, rounds, s->along ? 5 : 4);
    lua_pop(L, 1);
    lua_createtable(L, (int)s->count, 8);
    for (size_t i = 0; i < s->count; i++) {
        push_entry(s, &s->all[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_sweep_set_columns(L, t, front, back, tm_sweep_table_splits(t) > 1);
    script_sweep_as_table(L);
    push_best(s);
    lua_setfield(L, -2, "best");
    lua_pushvalue(L, ROUNDS);
    lua_setfield(L, -2, "rounds");
    lua_pushvalue(L, SWEEPS);
    lua_setfield(L, -2, "sweeps");
    script_set_real(L, "total_columns", s->columns);
    script_set_real(L, "total_updates", s->updates);
    return 1;
}

int script_tm_search(lua_State *L)
{
    search s = {.L = L};
    lua_settop(L, ARGUMENTS);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    for (int i = GIVEN; i <= TOP; i++)
        lua_newtable(L);
    check_keys(L);
    s.name = script_args_text(L, ARGUMENTS, OWNER, "name", "search");
    if (given(L, "halving")) {
        read_halving(&s);
        halve(&s);
    } else {
        read_tpe(&s);
        estimate(&s);
    }
    return push_result(&s);
}
