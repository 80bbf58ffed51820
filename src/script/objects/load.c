#include "script/objects/load.h"

#include "script/common/errors.h"
#include "script/objects/data/dataset.h"
#include "script/objects/model.h"

const char *const script_load_extras[] = {"like", "features", NULL};

int script_tm_load(lua_State *L)
{
    const tm_reading *like = NULL;
    bool rows_for_model = false;
    if (lua_istable(L, 2) && lua_getfield(L, 2, "like") != LUA_TNIL) {
        const tm_model *model = script_test_model(L, -1);
        if (model && tm_model_is_old(model))
            script_error(
                L, "tm.load: like is a model of an earlier tamis, whose file does not tell how "
                   "its training data were read; give the training data themselves");
        rows_for_model = model != NULL;
        like = model ? tm_model_reading(model)
                     : tm_dataset_reading(script_check_dataset(L, -1, "like"));
    }
    if (lua_gettop(L) > 2)
        lua_settop(L, 2);
    return script_load_dataset(L, like, rows_for_model, script_load_extras);
}
