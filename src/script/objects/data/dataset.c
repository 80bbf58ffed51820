/* Data sets: tm.load, tm.synth and the object that they return. */
#include "script/objects/data/dataset.h"

#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "tamis/reader.h"
#include "tamis/synth.h"
#include "tamis/writer.h"

#include <string.h>

typedef struct box {
    tm_dataset *data;
} box;

tm_dataset **script_new_dataset(lua_State *L)
{
    box *self = script_object_new(L, &script_dataset_class, sizeof *self);
    return &self->data;
}

void script_push_dataset(lua_State *L, const tm_dataset *data)
{
    *script_new_dataset(L) = tm_dataset_ref(data);
}

tm_dataset *script_check_dataset(lua_State *L, int index, const char *who)
{
    box *self = script_object_test(L, index, &script_dataset_class);
    if (self && self->data)
        return self->data;
    script_error(L,
                 "%s: expected a data set, not %s; tm.load, tm.synth and tm.dataset "
                 "make one",
                 who, script_what_is(L, index));
    return NULL;
}

int script_announce_dataset(lua_State *L, tm_dataset *data)
{
    script *self = script_of(L);
    script_check(L);
    if (self->host.loaded)
        self->host.loaded(data, self->host.payload);
    return 1;
}

/* ---- making one ---------------------------------------------------------------------------- */

/* The option columns by its other name. */
static void take_columns(lua_State *L, tm_params *params)
{
    tm_error err = TM_ERROR_INIT;
    if (!lua_istable(L, 2))
        return;
    if (lua_getfield(L, 2, "features") != LUA_TNIL &&
        tm_params_set_int(params, "columns", luaL_checkinteger(L, -1), &err) != TM_OK)
        script_raise(L, &err);
    lua_pop(L, 1);
}

int script_load_dataset(lua_State *L, const tm_reading *like, bool may_lack,
                        const char *const *extras)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    if (lua_type(L, 1) != LUA_TSTRING)
        script_error(L, "tm.load: expected the path of a file, not %s", script_what_is(L, 1));
    const char *path = lua_tostring(L, 1);
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.params = script_args_params(L, 2, "tm.load", table, count, extras);
    take_columns(L, (tm_params *)options.params);
    options.like = like;
    options.may_lack = may_lack;
    tm_dataset **data = script_new_dataset(L);
    tm_cancel *token = script_cancel_begin(script_of(L));
    if (!token)
        return luaL_error(L, "not enough memory");
    options.cancel = token;
    tm_status status = tm_read(data, path, &options, &err);
    script_cancel_end(script_of(L), token);
    if (status != TM_OK)
        return script_raise(L, &err);
    return script_announce_dataset(L, *data);
}

int script_tm_synth(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    if (lua_type(L, 1) != LUA_TSTRING)
        script_error(L, "tm.synth: expected the name of a generator, not %s", script_what_is(L, 1));
    const tm_synth_info *info = tm_synth_find(lua_tostring(L, 1), &err);
    if (!info)
        return script_raise(L, &err);
    const tm_params *params =
        script_args_params(L, 2, info->id, info->params, info->param_count, NULL);
    script_args_seed(L, (tm_params *)params);
    tm_dataset **data = script_new_dataset(L);
    tm_cancel *token = script_cancel_begin(script_of(L));
    if (!token)
        return luaL_error(L, "not enough memory");
    tm_status status = tm_synth_make(data, info, params, token, &err);
    script_cancel_end(script_of(L), token);
    if (status != TM_OK)
        return script_raise(L, &err);
    return script_announce_dataset(L, *data);
}
