/* tm.methods and similar functions: tables of what is available. */
#include "script/api/lists.h"

#include "script/common/table.h"
#include "tamis/method.h"
#include "tamis/metric.h"
#include "tamis/screen.h"
#include "tamis/synth.h"

static void add_row(lua_State *L, const char *const *keys, const char *const *values, size_t count)
{
    lua_createtable(L, 0, (int)count);
    for (size_t k = 0; k < count; k++) {
        lua_pushstring(L, values[k]);
        lua_setfield(L, -2, keys[k]);
    }
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

int script_tm_methods(lua_State *L)
{
    static const char *const keys[] = {"id", "losses", "summary"};
    const tm_method *method;
    lua_newtable(L);
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        char losses[128];
        tm_method_losses(method, losses, sizeof losses);
        const char *values[] = {tm_method_id(method), losses, tm_method_summary(method)};
        add_row(L, keys, values, 3);
    }
    script_as_rows(L, keys, 3);
    return 1;
}

int script_tm_screens(lua_State *L)
{
    static const char *const keys[] = {"id", "kind", "safe", "summary"};
    size_t count;
    const tm_screen_info *screens = tm_screens(&count);
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        const char *values[] = {screens[i].id, screens[i].kind, screens[i].safe,
                                screens[i].summary};
        add_row(L, keys, values, 4);
    }
    script_as_rows(L, keys, 4);
    return 1;
}

int script_tm_metrics(lua_State *L)
{
    static const char *const keys[] = {"id", "data", "summary"};
    size_t count;
    const tm_metric *metrics = tm_metrics(&count);
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        const char *values[] = {metrics[i].id, metrics[i].binary ? "two classes" : "numbers",
                                metrics[i].summary};
        add_row(L, keys, values, 3);
    }
    script_as_rows(L, keys, 3);
    return 1;
}

int script_tm_synths(lua_State *L)
{
    static const char *const keys[] = {"id", "summary"};
    const tm_synth_info *synth;
    lua_newtable(L);
    for (size_t i = 0; (synth = tm_synth_at(i)); i++) {
        const char *values[] = {synth->id, synth->summary};
        add_row(L, keys, values, 2);
    }
    script_as_rows(L, keys, 2);
    return 1;
}
