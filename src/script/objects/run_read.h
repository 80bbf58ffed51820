/* The fields of a run: each pushes the one whose name is at index 2, of the run at index 1. */
#ifndef SCRIPT_OBJECTS_RUN_READ_H
#define SCRIPT_OBJECTS_RUN_READ_H

#include "script/common/state.h"

/* The job of the run at index 1, or an error. */
tm_job *script_run_self(lua_State *L);
/* The state, or for a finished run the worst outcome of its lambdas. */
const char *script_run_status(const tm_job *job);

int script_run_field(lua_State *L);
int script_run_number(lua_State *L);
int script_run_text(lua_State *L);
int script_run_id(lua_State *L);
int script_run_params(lua_State *L);
int script_run_data(lua_State *L);
int script_run_trace(lua_State *L);
int script_run_last(lua_State *L);
int script_run_models(lua_State *L);
int script_run_score(lua_State *L);
int script_run_table(lua_State *L);

#endif
