/* Reading the arguments of tm.sweep: declarations shared by its files. All texts and arrays are in
 * Lua blocks that are kept in one table, so an error frees them. */
#ifndef SCRIPT_OBJECTS_SWEEP_ARGS_H
#define SCRIPT_OBJECTS_SWEEP_ARGS_H

#include "script/common/state.h"

#define SWEEP_OWNER "tm.sweep"

/* The arguments are at stack position 1; this is the position of the table with everything that
 * must live as long as the description. */
enum { SWEEP_KEPT = 3 };

typedef struct sweep_reader {
    lua_State *L;
    tm_sweep_spec spec;
    tm_sweep_axis *axes;
    size_t axis_count;
    struct sweep_functions **functions; /* owned by Lua; NULL: none */
    const char *prepare;                /* name of the only function that prepares rows */
    tm_sweep_axis prepares;             /* several, by name; count 0: none */
    char **values;                      /* malloc'ed; freed by the caller of sweep_args_configs */
} sweep_reader;

/* A zeroed block for `count` + 1 items. */
void *sweep_args_block(lua_State *L, size_t count, size_t size);
/* Pops the value on top and returns it as text, which is kept. */
const char *sweep_args_text(lua_State *L, const char *name);
/* The string keys of the table on top in byte order, without `skip` (may be NULL). */
const char **sweep_args_keys(lua_State *L, const char *what, const char *skip, size_t *count);
/* Pops the list (or single value) on top as the choices of an axis. */
void sweep_args_choices(lua_State *L, tm_sweep_axis *axis);
/* Reads a whole number from tm.sweep's table. */
size_t sweep_args_count(lua_State *L, const char *key, size_t fallback);
/* Reads `folds`; seed, stratify and data must be known. */
void sweep_args_folds(sweep_reader *r);
/* Defined in functions.c: reads the fields `metric` and `prepare`, which may be Lua functions. */
void sweep_args_metrics(sweep_reader *r);
void sweep_args_prepare(sweep_reader *r);
/* Stores what these have read in the description's hooks. */
void sweep_args_hooks(sweep_reader *r);
/* Call it when the sweep has started; the sweep then releases the functions when it is freed. */
void sweep_args_give(sweep_reader *r);
/* Reads the axes of `random`, and those of several methods, data sets or functions. */
void sweep_args_random(sweep_reader *r);
/* Makes the configurations of grid, random or list. */
void sweep_args_configs(sweep_reader *r);

/* Starts a sweep from the table at index 1; index 3 is overwritten. */
void script_sweep_start(lua_State *L, tm_sweep **out);
/* Keys of tm.sweep's table that are not parameters of a method. */
extern const char *const script_sweep_extras[];

#endif
