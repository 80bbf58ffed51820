/* The members of a sweep that read its results. */
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

/* A snapshot of the sweep at `index`; pushes an object that frees it. */
const tm_sweep_table *script_sweep_snapshot(lua_State *L, int index);
/* Pushes the value of an axis, as a number if its text is one. */
void script_sweep_push_value(lua_State *L, const char *text);
/* Sets the values of the configuration's axes as fields of the table on top. */
void script_sweep_set_axes(lua_State *L, const tm_sweep_table *t, size_t config);
/* The summary of a column over the splits of a configuration. */
tm_sweep_mean script_sweep_mean(lua_State *L, const tm_sweep_table *t, const char *column,
                                size_t config);
/* Pushes one configuration with its means. */
void script_sweep_push_config(lua_State *L, const tm_sweep_table *t, size_t config);
/* Pushes the values of the configuration's axes; for a point of a path its own lambda instead of
 * the path. */
void script_sweep_push_axes(lua_State *L, const tm_sweep_table *t, size_t config);
/* Pushes the parameters of its method: those that the sweep fixes and those of its axes, without
 * those of the sweep itself (data and their treatment). `sweep` is the stack index of the sweep. */
void script_sweep_push_params(lua_State *L, int sweep, const tm_sweep_table *t, size_t config);
/* Pushes the list of columns to show: the axes, `front`, the metrics (with their `errors`), `back`;
 * `front` and `back` end with NULL. */
void script_sweep_set_columns(lua_State *L, const tm_sweep_table *t, const char *const *front,
                              const char *const *back, bool errors);
/* Converts rows and columns on top to a table that prints. Returns 1. */
int script_sweep_as_table(lua_State *L);
/* Pushes the numbers of the rows that the split scores on; pushes nothing and returns false if
 * these are of other data. */
bool script_sweep_push_scored(lua_State *L, const tm_sweep *sweep, size_t split);

#endif
