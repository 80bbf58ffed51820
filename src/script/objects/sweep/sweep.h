/* Sweeps: many runs in the background. */
#ifndef SCRIPT_OBJECTS_SWEEP_SWEEP_H
#define SCRIPT_OBJECTS_SWEEP_SWEEP_H

#include "script/common/class.h"

extern const script_class script_sweep_class;

int script_tm_sweep(lua_State *L);
/* The sweep at `index`; raises an error if it is something else. */
tm_sweep *script_check_sweep(lua_State *L, int index);
/* The sweep at `index`, or NULL if it is not a sweep or was closed. */
tm_sweep *script_test_sweep(lua_State *L, int index);
/* Waits until it has ended or the deadline (clock_now) has passed, and reports trouble with the
 * store. When the script is interrupted, cancels the sweep and raises an error. False if the
 * deadline came first. */
bool script_sweep_wait(lua_State *L, tm_sweep *sweep, double deadline);
/* Reports once what went wrong with a sweep that has ended. */
void script_sweep_tell_end(script *self, const tm_sweep *sweep);
/* Notification state for callbacks. */
script_news script_sweep_news(lua_State *L, int index);

#endif
