/* tm.compare, tm.holm, tm.rank: tests and ranks of scores. */
#include "script/objects/compare.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "tamis/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads {ratio=} or {folds=} at 3: the number of test rows divided by that of training rows. */
static double read_ratio(lua_State *L, bool *given)
{
    static const char *const keys[] = {"ratio", "folds", NULL};
    if (!script_args_options(L, 3, "tm.compare"))
        return 0;
    script_args_keys(L, 3, "tm.compare", NULL, 0, keys);
    for (int k = 0; k < 2; k++) {
        int number;
        if (lua_getfield(L, 3, keys[k]) == LUA_TNIL) {
            lua_pop(L, 1);
            continue;
        }
        double value = lua_tonumberx(L, -1, &number);
        if (!number || (k == 1 && !(value > 1)))
            script_error(
                L, "tm.compare: '%s' is %s; expected %s", keys[k], luaL_tolstring(L, -1, NULL),
                k ? "the number of folds, 2 or more" : "the rows scored on by the rows trained on");
        lua_pop(L, 1);
        *given = true;
        return k ? 1 / (value - 1) : value;
    }
    return 0;
}

int script_tm_compare(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    tm_comparison found;
    size_t n, m;
    lua_settop(L, 3);
    bool corrected = false;
    double ratio = read_ratio(L, &corrected), t, p;
    lua_pushvalue(L, 1);
    const double *a = script_args_numbers(L, "tm.compare", "a", &n);
    lua_pushvalue(L, 2);
    const double *b = script_args_numbers(L, "tm.compare", "b", &m);
    if (n != m)
        script_error(L, "tm.compare: the lists have %zu and %zu numbers; pairs are needed", n, m);
    if (tm_compare_paired(&found, a, b, n, &err) != TM_OK)
        return script_raise(L, &err);
    if (corrected && tm_compare_corrected(&t, &p, a, b, n, ratio, &err) != TM_OK)
        return script_raise(L, &err);
    lua_createtable(L, 0, 8);
    if (corrected) {
        script_set_real(L, "corrected_t", t);
        script_set_real(L, "corrected_p", p);
    }
    script_set_count(L, "n", n);
    script_set_real(L, "mean_difference", found.mean_difference);
    script_set_real(L, "t", found.t);
    script_set_real(L, "t_p", found.t_p);
    script_set_real(L, "wilcoxon", found.wilcoxon);
    script_set_real(L, "wilcoxon_p", found.wilcoxon_p);
    lua_pushboolean(L, found.exact);
    lua_setfield(L, -2, "exact");
    script_as_list(L);
    return 1;
}

int script_tm_holm(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    lua_settop(L, 1);
    const double *given = script_args_numbers(L, "tm.holm", "p", &count);
    double *p = lua_newuserdatauv(L, (count + 1) * sizeof *p, 0);
    memcpy(p, given, count * sizeof *p);
    if (tm_compare_holm(p, count, &err) != TM_OK)
        return script_raise(L, &err);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushnumber(L, p[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
    return 1;
}

/* ---- ranks --------------------------------------------------------------------------------- */

typedef struct contender {
    const char *name;
    const double *scores;
    double mean, rank;
    size_t wins; /* number of splits on which it is strictly the best */
} contender;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const contender *)a)->name, ((const contender *)b)->name);
}

static int compare_ranks(const void *a, const void *b)
{
    const contender *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank) : compare_names(a, b);
}

/* Ranks on each split, where 1 is the best; equal scores get the mean of their ranks. */
static void rank_all(contender *all, size_t count, size_t n, double sign)
{
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < n; s++) {
            size_t better = 0, equal = 0;
            for (size_t k = 0; k < count; k++) {
                double lead = sign * (all[k].scores[s] - all[i].scores[s]);
                better += lead > 0;
                equal += lead == 0;
            }
            all[i].mean += all[i].scores[s] / (double)n;
            all[i].rank += ((double)better + ((double)equal + 1) / 2) / (double)n;
            all[i].wins += better == 0 && equal == 1;
        }
}

/* Reads the lists of the table at 1, which stay on the stack. */
static contender *read_contenders(lua_State *L, size_t *count, size_t *n)
{
    *count = *n = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        ++*count;
    contender *all = lua_newuserdatauv(L, (*count + 1) * sizeof *all, 0);
    memset(all, 0, (*count + 1) * sizeof *all);
    luaL_checkstack(L, (int)(2 * *count) + LUA_MINSTACK, "too many lists");
    *count = 0;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        size_t length;
        if (lua_type(L, -2) != LUA_TSTRING)
            script_error(L, "tm.rank: expected {name={scores}, ...}");
        contender *one = &all[(*count)++];
        one->name = lua_tostring(L, -2);
        one->scores = script_args_numbers(L, "tm.rank", one->name, &length);
        if (*count > 1 && length != *n)
            script_error(L, "tm.rank: '%s' has %d scores, another list %d; each split needs all",
                         one->name, (int)length, (int)*n);
        *n = length;
        for (size_t i = 0; i < length; i++)
            if (!isfinite(one->scores[i]))
                script_error(L, "tm.rank: score %d of '%s' is not finite; leave such splits out",
                             (int)i + 1, one->name);
        lua_pushvalue(L, -2);
        lua_remove(L, -3); /* keep the list, below the key */
    }
    return all;
}

int script_tm_rank(lua_State *L)
{
    static const char *const keys[] = {"greater", NULL};
    static const char *const columns[] = {"name", "rank", "mean", "wins"};
    size_t count, n;
    lua_settop(L, 2);
    if (!lua_istable(L, 1))
        script_error(L, "tm.rank: expected {name={scores}, ...}, not %s", script_what_is(L, 1));
    bool greater = true;
    if (script_args_options(L, 2, "tm.rank")) {
        script_args_keys(L, 2, "tm.rank", NULL, 0, keys);
        greater = script_args_bool(L, 2, "tm.rank", "greater", true);
    }
    contender *all = read_contenders(L, &count, &n);
    qsort(all, count, sizeof *all, compare_names);
    rank_all(all, count, n, greater ? 1 : -1);
    qsort(all, count, sizeof *all, compare_ranks);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 4);
        lua_pushstring(L, all[i].name);
        lua_setfield(L, -2, "name");
        script_set_real(L, "rank", all[i].rank);
        script_set_real(L, "mean", all[i].mean);
        script_set_count(L, "wins", all[i].wins);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_rows(L, columns, sizeof columns / sizeof *columns);
    return 1;
}
