/* The tree-structured Parzen estimator (Bergstra and others 2011): the configurations of a round
 * are drawn from regions where earlier ones scored well. */
#include "script/objects/sweep/rounds.h"

#include "script/common/errors.h"
#include "script/common/host.h"
#include "script/common/values.h"
#include "script/objects/sweep/args.h"
#include "tamis/sweep_search.h"

#include <stdlib.h>
#include <string.h>

/* Reads the axes to draw from; they are owned by the table at SWEEP_KEPT. */
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

/* The configurations tried so far, as texts by axis. */
static const char **texts_of(const search *s, const sweep_reader *r)
{
    const char **texts = search_block(s->L, s->count * r->axis_count, sizeof *texts);
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

/* Pushes the next configurations as a list; returns how many. */
static size_t propose(const search *s, const sweep_reader *r, uint64_t seed)
{
    lua_State *L = s->L;
    tm_error err = TM_ERROR_INIT;
    size_t left = s->total - s->count;
    double *scores = search_block(L, s->count, sizeof *scores);
    for (size_t i = 0; i < s->count; i++)
        scores[i] = s->all[i].score;
    tm_sweep_tried tried = {r->axes, r->axis_count, texts_of(s, r), scores, s->count};
    proposals p = {.reader = r};
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (tm_sweep_propose(&p.values, &p.count, &tried, left < s->batch ? left : s->batch, seed,
                         &err) != TM_OK)
        script_raise(L, &err);
    /* Called in protected mode, so that the proposals are freed when memory runs out. */
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
    search_entry **of = search_block(s->L, tm_sweep_table_configs(t), sizeof(search_entry *));
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++) {
        of[c] = &s->all[s->count++];
        of[c]->number = s->count;
    }
    search_set_scores(s, t, of, round);
}

void search_estimate(search *s)
{
    lua_State *L = s->L;
    uint64_t seed = script_of(L)->host.seed;
    if (lua_getfield(L, ARGUMENTS, "seed") != LUA_TNIL)
        seed = (uint64_t)lua_tointeger(L, -1);
    lua_settop(L, TOP);
    sweep_reader r = read_axes(L);
    s->all = search_block(L, s->total, sizeof *s->all);
    search_push_given(s, 1);
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
    add_entries(s, search_run_round(s, 1), 1);
    for (size_t round = 2; s->count < s->total; round++) {
        search_push_given(s, round);
        if (propose(s, &r, seed + s->count) == 0)
            break; /* all configurations have been tried */
        search_set_list(L);
        add_entries(s, search_run_round(s, round), round);
    }
    qsort(s->all, s->count, sizeof *s->all, search_compare);
    search_check_scored(s, 1);
}
