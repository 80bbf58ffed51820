/* Reading what tm.sweep is given: what the two files of it share. All texts and arrays live in Lua
 * blocks that are kept in one table, so an error frees them. */
#ifndef SCRIPT_OBJECTS_SWEEP_ARGS_H
#define SCRIPT_OBJECTS_SWEEP_ARGS_H

#include "script/common/state.h"

#define SWEEP_OWNER "tm.sweep"

/* Arguments stand at 1; here the table of what must live as long as the description. */
enum { SWEEP_KEPT = 3 };

typedef struct sweep_reader {
    lua_State *L;
    tm_sweep_spec spec;
    tm_sweep_axis *axes;
    size_t axis_count;
    struct sweep_functions **functions; /* held by Lua; NULL: none */
    const char *prepare;                /* the only one of them that prepares rows */
    tm_sweep_axis prepares;             /* several, by name; count 0: none */
    char **values;                      /* malloc'ed; freed by the caller of sweep_args_configs */
} sweep_reader;

/* Zeroed room for `count` things and one more. */
void *sweep_args_block(lua_State *L, size_t count, size_t size);
/* The value on top as text, which is kept; the value is popped. */
const char *sweep_args_text(lua_State *L, const char *name);
/* The text keys of the table on top in byte order, whatever order Lua has them in; `skip` (or NULL)
 * is left out. */
const char **sweep_args_keys(lua_State *L, const char *what, const char *skip, size_t *count);
/* The list on top (or one value) as an axis's choices; popped. */
void sweep_args_choices(lua_State *L, tm_sweep_axis *axis);
/* A whole number of tm.sweep's table. */
size_t sweep_args_count(lua_State *L, const char *key, size_t fallback);
/* `folds`; seed, stratify and data are known. */
void sweep_args_folds(sweep_reader *r);
/* functions.c: fields `metric` and `prepare`, which may be functions of Lua. */
void sweep_args_metrics(sweep_reader *r);
void sweep_args_prepare(sweep_reader *r);
/* What these have read, as the description's hooks. */
void sweep_args_hooks(sweep_reader *r);
/* The sweep has started, and releases the functions when it is freed. */
void sweep_args_give(sweep_reader *r);
/* The axes of `random`, and those that several methods, data sets or functions are. */
void sweep_args_random(sweep_reader *r);
/* The configurations of grid, random or list. */
void sweep_args_configs(sweep_reader *r);

/* Starts a sweep from the table at index 1; index 3 is overwritten. */
void script_sweep_start(lua_State *L, tm_sweep **out);
/* Keys of tm.sweep's table that are no parameters of a method. */
extern const char *const script_sweep_extras[];

#endif
