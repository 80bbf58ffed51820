/* Sweeps: many runs in the background. */
#ifndef SCRIPT_OBJECTS_SWEEP_SWEEP_H
#define SCRIPT_OBJECTS_SWEEP_SWEEP_H

#include "script/common/class.h"

extern const script_class script_sweep_class;

int script_tm_sweep(lua_State *L);
/* The sweep at `index`, or an error. */
tm_sweep *script_check_sweep(lua_State *L, int index);
/* The sweep at `index`, or NULL when it is none (or was closed). */
tm_sweep *script_test_sweep(lua_State *L, int index);
/* Waits until it has ended or the deadline (clock_now) has passed, and tells of trouble with the
 * store. Cancels it, and raises, when the script is interrupted. False when the deadline came
 * first. */
bool script_sweep_wait(lua_State *L, tm_sweep *sweep, double deadline);
/* Says, once, what went wrong with a sweep that has ended. */
void script_sweep_tell_end(script *self, const tm_sweep *sweep);
/* For the callbacks. */
script_news script_sweep_news(lua_State *L, int index);

#endif
