/* Runs: jobs as objects, and the functions that start them. */
#ifndef SCRIPT_OBJECTS_RUN_H
#define SCRIPT_OBJECTS_RUN_H

#include "script/common/class.h"

extern const script_class script_run_class;

/* Pushes an object, which takes a reference. */
void script_push_run(lua_State *L, const tm_job *job);
tm_job *script_test_run(lua_State *L, int index); /* NULL if it is not a run */
tm_job *script_check_run(lua_State *L, int index, const char *who);

int script_tm_path(lua_State *L);
/* The function of a method: upvalue 1 is the tm_method as light userdata. */
int script_tm_method(lua_State *L);
extern const char *const script_run_extras[]; /* arguments of a run that are not parameters */

/* Reads `tags` and `note` of the table at `options`, replacing what `out` has; returns whether one
 * is given. For other types clears `out` and raises an error. */
bool script_args_annotation(lua_State *L, int options, const char *owner, tm_annotation *out);
/* The name of argument 1 in messages, and its tags and note. */
typedef struct script_labelled {
    const char *owner;
    tm_status (*get)(lua_State *L, tm_annotation *out, tm_error *err);
    tm_status (*set)(lua_State *L, const tm_annotation *label, tm_error *err);
} script_labelled;

/* Pushes its field "tags" (a list) or "note" (text or nil), named by argument 2. Returns 1. */
int script_push_annotation(lua_State *L, const script_labelled *of);
/* Replaces them by those of argument 2, {tags=, note=}. Returns argument 1. */
int script_annotate(lua_State *L, const script_labelled *of);

#endif
