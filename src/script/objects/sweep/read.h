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
int script_sweep_predictions(lua_State *L);
int script_sweep_supports(lua_State *L);
int script_sweep_models(lua_State *L);
int script_sweep_curve(lua_State *L);

/* A snapshot of the sweep at `index`, pushed as an object that frees it. */
const tm_sweep_table *script_sweep_snapshot(lua_State *L, int index);
/* The text of an axis's value, as a number where it is one, pushed. */
void script_sweep_push_value(lua_State *L, const char *text);
/* The values of the configuration's axes, as fields of the table on top. */
void script_sweep_set_axes(lua_State *L, const tm_sweep_table *t, size_t config);
/* The summary of a column over the splits of a configuration. */
tm_sweep_mean script_sweep_mean(lua_State *L, const tm_sweep_table *t, const char *column,
                                size_t config);
/* One configuration with its means, pushed. */
void script_sweep_push_config(lua_State *L, const tm_sweep_table *t, size_t config);
/* The values of the configuration's axes, a step's own in place of its path, pushed. */
void script_sweep_push_axes(lua_State *L, const tm_sweep_table *t, size_t config);
/* What its method is given, pushed: parameters that the sweep fixes and those of its axes, and
 * nothing that is the sweep's alone (its data, what is done to them). `sweep`: its index. */
void script_sweep_push_params(lua_State *L, int sweep, const tm_sweep_table *t, size_t config);
/* The list of columns that rows are shown by, pushed: the axes, `front`, the metrics (with their
 * `errors`), `back`; both ended by NULL. */
void script_sweep_set_columns(lua_State *L, const tm_sweep_table *t, const char *const *front,
                              const char *const *back, bool errors);
/* Rows and their columns on top become a table that prints. Returns 1. */
int script_sweep_as_table(lua_State *L);
/* Pushes the numbers of the rows that the split scores on; false, and nothing, when those are of
 * other data. */
bool script_sweep_push_scored(lua_State *L, const tm_sweep *sweep, size_t split);

#endif
