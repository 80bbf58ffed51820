/* The members of a sweep that read what it has found. */
#ifndef SCRIPT_OBJECTS_SWEEP_READ_H
#define SCRIPT_OBJECTS_SWEEP_READ_H

#include "script/common/state.h"

int script_sweep_table(lua_State *L);
int script_sweep_cells(lua_State *L);
int script_sweep_best(lua_State *L);
int script_sweep_nested(lua_State *L);
int script_sweep_scores(lua_State *L);
int script_sweep_splits(lua_State *L);
int script_sweep_refit(lua_State *L);
int script_sweep_curve(lua_State *L);

/* A snapshot of the sweep at `index`, pushed as an object that frees it. */
const tm_sweep_table *script_sweep_snapshot(lua_State *L, int index);

#endif
