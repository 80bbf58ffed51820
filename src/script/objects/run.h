/* Runs: jobs as objects, and the functions that start them. */
#ifndef SCRIPT_OBJECTS_RUN_H
#define SCRIPT_OBJECTS_RUN_H

#include "script/common/class.h"

extern const script_class script_run_class;

/* Pushes an object; a reference is taken. */
void script_push_run(lua_State *L, const tm_job *job);
tm_job *script_test_run(lua_State *L, int index); /* NULL when it is none */
tm_job *script_check_run(lua_State *L, int index, const char *who);

int script_tm_path(lua_State *L);
/* A method's own function: upvalue 1 is the tm_method as light userdata. */
int script_tm_method(lua_State *L);
extern const char *const script_run_extras[]; /* arguments of a run that are no parameters */

#endif
