#include "script/objects/sweep/rounds.h"

#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/sweep/read.h"
#include "script/objects/sweep/sweep.h"
#include "tamis/sweep_search.h"

#include <math.h>
#include <string.h>

void *search_block(lua_State *L, size_t count, size_t size)
{
    void *memory = lua_newuserdatauv(L, (count + 1) * size, 0);
    memset(memory, 0, (count + 1) * size);
    lua_rawseti(L, BLOCKS, (lua_Integer)lua_rawlen(L, BLOCKS) + 1);
    return memory;
}

void search_push_given(const search *s, size_t round)
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

void search_set_list(lua_State *L)
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

/* The points of a path belong to one run and cannot be chosen one by one. */
static void check_steps(lua_State *L, const tm_sweep_table *t)
{
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++)
        if (strcmp(tm_sweep_table_axis(t, a), "step") == 0)
            script_error(L, "%s: a path's steps are not chosen one by one; give lambda_ratio",
                         OWNER);
}

const tm_sweep_table *search_run_round(search *s, size_t round)
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

void search_set_scores(search *s, const tm_sweep_table *t, search_entry *const *of, size_t round)
{
    tm_error err = TM_ERROR_INIT;
    bool greater;
    size_t configs = tm_sweep_table_configs(t), scored;
    size_t *order = search_block(s->L, configs, sizeof *order);
    if (tm_sweep_order(t, NULL, order, &scored, &err) != TM_OK ||
        tm_sweep_greater(t, NULL, &greater, &err) != TM_OK)
        script_raise(s->L, &err);
    for (size_t k = 0; k < configs; k++) {
        search_entry *e = of[order[k]];
        tm_sweep_mean mean, nnz;
        if (tm_sweep_summary(t, tm_sweep_table_metric(t, 0), order[k], &mean, &err) != TM_OK ||
            tm_sweep_summary(t, "nnz", order[k], &nnz, &err) != TM_OK)
            script_raise(s->L, &err);
        *e = (search_entry){e->number, round, t, order[k], greater ? mean.mean : -mean.mean,
                            nnz.mean};
        if (k >= scored)
            e->score = NAN;
    }
}

int search_compare(const void *a, const void *b)
{
    const search_entry *x = a, *y = b;
    if (isnan(x->score) != isnan(y->score))
        return isnan(x->score) ? 1 : -1;
    if (!isnan(x->score) && x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->nnz != y->nnz && !isnan(x->score))
        return x->nnz < y->nnz ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

int search_compare_reached(const void *a, const void *b)
{
    const search_entry *x = a, *y = b;
    if (x->round != y->round)
        return x->round > y->round ? -1 : 1;
    return search_compare(a, b);
}

void search_check_scored(const search *s, size_t round)
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
