/* What a sweep has kept for a configuration on each split: predictions, supports, models. */
#include "script/objects/sweep/read.h"

#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/model.h"
#include "script/objects/sweep/sweep.h"

/* Pushes what was kept of the cell; otherwise pushes nothing and returns false. */
typedef bool push_kept(lua_State *L, const tm_kept *kept);

static bool push_predictions(lua_State *L, const tm_kept *kept)
{
    size_t count;
    const double *values = tm_kept_predictions(kept, &count);
    if (!values)
        return false;
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
    return true;
}

static bool push_support(lua_State *L, const tm_kept *kept)
{
    size_t count;
    const uint64_t *features = tm_kept_support(kept, &count);
    if (!features)
        return false;
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)features[i] + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_as_list(L);
    return true;
}

static bool push_model(lua_State *L, const tm_kept *kept)
{
    tm_error err = TM_ERROR_INIT;
    tm_model *model;
    if (tm_kept_model(&model, kept, &err) != TM_OK)
        script_raise(L, &err);
    if (!model)
        return false;
    script_push_model(L, model);
    tm_model_unref(model);
    return true;
}

/* The index of the configuration at 2; by default the best. */
static size_t read_config(lua_State *L, const tm_sweep_table *t, const char *owner)
{
    size_t best;
    tm_error err = TM_ERROR_INIT;
    if (lua_isnoneornil(L, 2)) {
        if (tm_sweep_best(t, NULL, false, &best, &err) != TM_OK)
            script_raise(L, &err);
        return best;
    }
    int whole;
    lua_Integer config = lua_tointegerx(L, 2, &whole);
    if (!whole || config < 1 || (size_t)config > tm_sweep_table_configs(t))
        script_error(L, "%s: configuration %s; the sweep has the configurations 1 to %d", owner,
                     luaL_tolstring(L, 2, NULL), (int)tm_sweep_table_configs(t));
    return (size_t)config - 1;
}

/* A kind of kept result: its names in messages and in an entry. */
typedef struct kind {
    const char *owner, *field, *keep;
    push_kept *push;
    bool rows; /* it has a value for each test row */
} kind;

static void push_entry(lua_State *L, const tm_sweep_table *t, size_t split, const kind *of)
{
    const tm_sweep_split *where = tm_sweep_table_split(t, split);
    lua_createtable(L, 0, 6);
    script_set_count(L, "split", split + 1);
    script_set_count(L, "rep", (uint64_t)where->repeat);
    script_set_count(L, "outer", (uint64_t)where->outer);
    script_set_count(L, "inner", (uint64_t)where->inner);
    lua_insert(L, -2);
    lua_setfield(L, -2, of->field);
    if (of->rows && script_sweep_push_scored(L, script_check_sweep(L, 1), split))
        lua_setfield(L, -2, "rows");
    script_as_list(L);
}

static int push_all(lua_State *L, const kind *of)
{
    lua_settop(L, 2);
    const tm_sweep_table *t = script_sweep_snapshot(L, 1);
    size_t config = read_config(L, t, of->owner), splits = tm_sweep_table_splits(t), open = 0;
    lua_Integer n = 0;
    lua_newtable(L);
    for (size_t s = 0; s < splits; s++) {
        const tm_sweep_cell *cell = tm_sweep_table_cell(t, config, s);
        open += cell->status == TM_CELL_OPEN || cell->status == TM_CELL_FAILED;
        if (!cell->kept || !of->push(L, cell->kept))
            continue;
        push_entry(L, t, s, of);
        lua_rawseti(L, -2, ++n);
    }
    if (n == 0 && open < splits)
        script_error(L, "%s: the sweep does not keep them; start it with keep={\"%s\"}", of->owner,
                     of->keep);
    return 1;
}

int script_sweep_predictions(lua_State *L)
{
    return push_all(L,
                    &(kind){"sweep:predictions", "values", "predictions", push_predictions, true});
}

int script_sweep_supports(lua_State *L)
{
    return push_all(L, &(kind){"sweep:supports", "support", "support", push_support, false});
}

int script_sweep_models(lua_State *L)
{
    return push_all(L, &(kind){"sweep:models", "model", "model", push_model, false});
}
