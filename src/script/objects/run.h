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

/* Reads `tags` and `note` of the table at `options` over what `out` has; whether one is given.
 * Raises, with `out` cleared, for other types. */
bool script_args_annotation(lua_State *L, int options, const char *owner, tm_annotation *out);
/* What argument 1 is called in messages, and its tags and note. */
typedef struct script_labelled {
    const char *owner;
    tm_status (*get)(lua_State *L, tm_annotation *out, tm_error *err);
    tm_status (*set)(lua_State *L, const tm_annotation *label, tm_error *err);
} script_labelled;

/* Its field "tags" (a list) or "note" (text or nil), named by argument 2. Returns 1. */
int script_push_annotation(lua_State *L, const script_labelled *of);
/* Replaces them by what argument 2, {tags=, note=}, has. Returns argument 1. */
int script_annotate(lua_State *L, const script_labelled *of);

#endif
