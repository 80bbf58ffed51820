/* The folds of tm.sweep: a number of folds, samples to draw, lists of rows, or the fold number of
 * each row. */
#include "script/objects/sweep/args.h"

#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/objects/data/dataset.h"

#include <math.h>

/* Destinations of the row numbers read from a fold's list. */
typedef struct rows_of {
    uint8_t *held;   /* set to 1; or NULL */
    uint16_t *times; /* counted up; or NULL */
    size_t rows;
} rows_of;

/* Reads the row numbers (from 1) of the list on top. */
static void read_rows(lua_State *L, size_t fold, const char *part, rows_of to)
{
    lua_Integer count = luaL_len(L, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        int whole;
        lua_geti(L, -1, i);
        lua_Integer row = lua_tointegerx(L, -1, &whole);
        if (!whole || row < 1 || (size_t)row > to.rows)
            script_error(L, "%s: folds[%d]%s[%d] is %s; expected a row, 1 to %d", SWEEP_OWNER,
                         (int)fold + 1, part, (int)i, luaL_tolstring(L, -1, NULL), (int)to.rows);
        if (to.held)
            to.held[row - 1] = 1;
        else if (to.times[row - 1] < UINT16_MAX)
            to.times[row - 1]++;
        lua_pop(L, 1);
    }
}

/* Reads the fold number of each row, from 1; 0: never scored on. The list is on top. */
static void read_fold_of(sweep_reader *r, size_t rows)
{
    lua_State *L = r->L;
    lua_Integer most = 0;
    if ((size_t)luaL_len(L, -1) != rows)
        script_error(L, "%s: 'folds' has %d numbers, the data %d rows", SWEEP_OWNER,
                     (int)luaL_len(L, -1), (int)rows);
    size_t *fold_of = sweep_args_block(L, rows, sizeof *fold_of);
    for (size_t i = 0; i < rows; i++) {
        int whole;
        lua_geti(L, -1, (lua_Integer)i + 1);
        lua_Integer fold = lua_tointegerx(L, -1, &whole);
        if (!whole || fold < 0 || fold > 65535)
            script_error(L, "%s: folds[%d] is %s; expected the number of a fold, or 0", SWEEP_OWNER,
                         (int)i + 1, luaL_tolstring(L, -1, NULL));
        fold_of[i] = (size_t)fold;
        most = fold > most ? fold : most;
        lua_pop(L, 1);
    }
    uint8_t *held = sweep_args_block(L, (size_t)most * rows, 1);
    for (size_t i = 0; i < rows; i++)
        if (fold_of[i] > 0)
            held[(fold_of[i] - 1) * rows + i] = 1;
    r->spec.splits.held = held;
    r->spec.splits.folds = (size_t)most;
}

/* Replaces the fold on top by its entry `rows`, if it is one that d:folds returned. */
static void find_rows(lua_State *L, size_t fold)
{
    if (!lua_istable(L, -1))
        script_error(L, "%s: folds[%d] is %s; expected the rows that it scores on", SWEEP_OWNER,
                     (int)fold + 1, script_what_is(L, -1));
    if (lua_getfield(L, -1, "rows") == LUA_TTABLE)
        lua_remove(L, -2);
    else
        lua_pop(L, 1);
}

/* Reads {test={rows}, train={rows}} on top, or a list of the rows to score on. Without `train`, all
 * other rows are used for training. */
static void read_fold(lua_State *L, size_t fold, uint8_t *held, uint16_t *times, size_t rows)
{
    find_rows(L, fold);
    bool parts = lua_getfield(L, -1, "test") == LUA_TTABLE;
    if (parts) {
        read_rows(L, fold, ".test", (rows_of){held, NULL, rows});
        lua_pop(L, 1);
        if (lua_getfield(L, -1, "train") == LUA_TTABLE) {
            read_rows(L, fold, ".train", (rows_of){NULL, times, rows});
            return;
        }
    } else {
        lua_pop(L, 1);
        read_rows(L, fold, "", (rows_of){held, NULL, rows});
    }
    for (size_t i = 0; i < rows; i++)
        times[i] = !held[i];
}

/* The list of folds is on top. */
static void read_lists(sweep_reader *r, size_t rows)
{
    lua_State *L = r->L;
    int list = lua_gettop(L);
    r->spec.splits.folds = (size_t)luaL_len(L, list);
    if (r->spec.splits.folds == 0)
        script_error(L, "%s: 'folds' is empty", SWEEP_OWNER);
    uint8_t *held = sweep_args_block(L, r->spec.splits.folds * rows, 1);
    uint16_t *times = sweep_args_block(L, r->spec.splits.folds * rows, sizeof *times);
    bool others = true; /* every fold trains on all rows that it does not score on */
    for (size_t f = 0; f < r->spec.splits.folds; f++) {
        lua_geti(L, list, (lua_Integer)f + 1);
        read_fold(L, f, held + f * rows, times + f * rows, rows);
        lua_settop(L, list);
        for (size_t i = f * rows; i < (f + 1) * rows; i++)
            others = others && times[i] == !held[i];
    }
    r->spec.splits.held = held;
    r->spec.splits.times = others ? NULL : times;
}

static size_t read_sets(lua_State *L, int table, const char *key)
{
    int whole;
    lua_getfield(L, table, key);
    lua_Integer count = lua_tointegerx(L, -1, &whole);
    if (!whole || count < 1 || count > 65535)
        script_error(L, "%s: folds: %s is %s; expected a whole number from 1 to 65535", SWEEP_OWNER,
                     key, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return (size_t)count;
}

/* Reads {bootstrap=B}, or {subsamples=B, share=, pairs=}, on top. */
static void read_samples(sweep_reader *r, bool bootstrap, size_t rows)
{
    static const char *const keys[] = {"bootstrap", NULL}, *const shares[] = {"subsamples", "share",
                                                                              "pairs", NULL};
    lua_State *L = r->L;
    tm_error err = TM_ERROR_INIT;
    int table = lua_gettop(L);
    script_args_keys(L, table, "folds", NULL, 0, bootstrap ? keys : shares);
    tm_resample how = {
        .count = read_sets(L, table, bootstrap ? "bootstrap" : "subsamples"),
        .bootstrap = bootstrap,
        .pairs = !bootstrap && script_args_bool(L, table, SWEEP_OWNER, "pairs", false),
        .share = 0.5,
        .stratify = r->spec.splits.stratify,
        .seed = r->spec.splits.seed,
    };
    if (!bootstrap && lua_getfield(L, table, "share") != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TNUMBER || how.pairs)
            script_error(L, "%s: folds: share is %s; %s", SWEEP_OWNER, luaL_tolstring(L, -1, NULL),
                         how.pairs ? "pairs are halves" : "expected a number");
        how.share = lua_tonumber(L, -1);
    }
    size_t sets = tm_resample_sets(&how);
    uint16_t *times = sweep_args_block(L, sets * rows, sizeof *times);
    uint8_t *held = sweep_args_block(L, sets * rows, 1);
    if (tm_dataset_resample(times, r->spec.inputs.data[0], &how, &err) != TM_OK)
        script_raise(L, &err);
    for (size_t i = 0; i < sets * rows; i++)
        held[i] = times[i] == 0;
    r->spec.splits.folds = sets;
    r->spec.splits.held = held;
    r->spec.splits.times = times;
}

static bool has(lua_State *L, int table, const char *key)
{
    bool found = lua_getfield(L, table, key) != LUA_TNIL;
    lua_pop(L, 1);
    return found;
}

void sweep_args_folds(sweep_reader *r)
{
    lua_State *L = r->L;
    size_t rows = tm_dataset_rows(r->spec.inputs.data[0]);
    int top = lua_gettop(L);
    if (!lua_istable(L, 1) || lua_getfield(L, 1, "folds") != LUA_TTABLE) {
        lua_settop(L, top);
        r->spec.splits.folds = sweep_args_count(L, "folds", 0);
        return;
    }
    bool numbers = lua_geti(L, -1, 1) == LUA_TNUMBER;
    lua_pop(L, 1);
    bool bootstrap = has(L, top + 1, "bootstrap");
    if (numbers)
        read_fold_of(r, rows);
    else if (bootstrap || has(L, top + 1, "subsamples"))
        read_samples(r, bootstrap, rows);
    else
        read_lists(r, rows);
    lua_settop(L, top);
}
