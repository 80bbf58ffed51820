/* Successive halving (Jamieson and Talwalkar 2016): the best configurations of a round are run
 * again at the next level. */
#include "script/objects/sweep/rounds.h"

#include "tamis/sweep_search.h"

#include <math.h>
#include <stdlib.h>

/* Pushes {axis=value, ...}. */
static void push_values(lua_State *L, const tm_sweep_table *t, size_t config)
{
    lua_newtable(L);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        lua_pushstring(L, tm_sweep_table_value(t, config, a));
        lua_setfield(L, -2, tm_sweep_table_axis(t, a));
    }
}

void search_halve(search *s)
{
    lua_State *L = s->L;
    search_push_given(s, 1);
    const tm_sweep_table *t = search_run_round(s, 1);
    s->count = tm_sweep_table_configs(t);
    s->all = search_block(L, s->count, sizeof *s->all);
    search_entry **of = search_block(L, s->count, sizeof(search_entry *));
    for (size_t c = 0; c < s->count; c++) {
        s->all[c].number = c + 1;
        of[c] = &s->all[c];
    }
    search_set_scores(s, t, of, 1);
    for (size_t round = 2; round <= s->rounds; round++) {
        /* Configurations of the last round come first, the best of them at the top. */
        qsort(s->all, s->count, sizeof *s->all, search_compare_reached);
        search_check_scored(s, round - 1);
        size_t left = tm_halving_left(s->count, s->eta, round - 1), k = 0;
        search_push_given(s, round);
        lua_newtable(L);
        for (; k < left && s->all[k].round == round - 1 && !isnan(s->all[k].score); k++) {
            push_values(L, s->all[k].table, s->all[k].config);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
            of[k] = &s->all[k];
        }
        search_set_list(L);
        search_set_scores(s, search_run_round(s, round), of, round);
    }
    qsort(s->all, s->count, sizeof *s->all, search_compare_reached);
    search_check_scored(s, s->rounds);
}
