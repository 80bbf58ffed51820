/* d.classes, d:one_vs_rest: the classes of a data set, and data sets of one. */
#include "script/objects/data/classes.h"

#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/data/dataset.h"
#include "tamis/classes.h"
#include "tamis/ovr.h"

int script_data_one_vs_rest(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    const tm_dataset *data = script_check_dataset(L, 1, "one_vs_rest");
    const char *label = luaL_checkstring(L, 2);
    bool may_lack = lua_toboolean(L, 3);
    tm_dataset **out = script_new_dataset(L);
    if (tm_dataset_one_vs_rest(out, data, label, may_lack, &err) != TM_OK)
        return script_raise(L, &err);
    return 1;
}

int script_data_classes(lua_State *L)
{
    static const char *const columns[] = {"label", "rows"};
    tm_error err = TM_ERROR_INIT;
    tm_classes classes;
    const tm_dataset *data = script_check_dataset(L, 1, "classes");
    lua_newtable(L);
    if (tm_classes_find(&classes, data, &err) != TM_OK) {
        lua_pushnil(L);
        return 1;
    }
    for (size_t k = 0; k < classes.count; k++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, classes.labels[k]);
        lua_setfield(L, -2, "label");
        script_set_count(L, "rows", classes.sizes[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    tm_classes_clear(&classes);
    script_as_rows(L, columns, 2);
    return 1;
}
