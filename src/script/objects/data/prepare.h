/* Data sets derived from others: d:select, d:scale, d:filter, d:append. */
#ifndef SCRIPT_OBJECTS_DATA_PREPARE_H
#define SCRIPT_OBJECTS_DATA_PREPARE_H

#include "script/common/state.h"

const tm_param_info *script_scale_params(size_t *count);
const tm_param_info *script_filter_params(size_t *count);
extern const char *const script_select_extras[], *const script_scale_extras[];
int script_data_select(lua_State *L);
int script_data_scale(lua_State *L);
int script_data_filter(lua_State *L);
int script_data_thin(lua_State *L);
int script_data_append(lua_State *L);

#endif
