/* The workbench: tm.screen and tm.ui. */
#ifndef SCRIPT_OBJECTS_UI_H
#define SCRIPT_OBJECTS_UI_H

#include "script/common/state.h"

/* Carries out a request on the workbench's own thread and waits for it; pushes its answer if there
 * is one. Returns the number of values pushed. */
int script_ui_order(lua_State *L, const script_ui *request);
int script_tm_screen(lua_State *L);
int script_ui_view(lua_State *L);
int script_ui_request(lua_State *L);
int script_ui_set(lua_State *L);
int script_ui_command(lua_State *L);
int script_ui_call(lua_State *L);
int script_ui_open(lua_State *L);
/* The fields of tm.ui that are looked up when they are read. */
int script_ui_index(lua_State *L);
int script_ui_bind(lua_State *L);
int script_ui_theme(lua_State *L);

#endif
