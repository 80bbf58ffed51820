/* The sweeps that have not been freed, for the host, which asks from any thread. */
#ifndef SCRIPT_COMMON_RUNNING_SWEEPS_H
#define SCRIPT_COMMON_RUNNING_SWEEPS_H

#include "script/common/state.h"

/* Room for one more; raises when memory ran out. */
void script_running_sweeps_reserve(lua_State *L);
void script_running_sweeps_add(script *self, tm_sweep *sweep);
void script_running_sweeps_remove(script *self, const tm_sweep *sweep);
/* How many run; the first one's progress as text ("" without one). */
size_t script_running_sweeps_describe(const script *self, char *text, size_t size);
void script_running_sweeps_cancel(script *self);
/* Cancels them and waits until they have wound up: their script was left behind. */
void script_running_sweeps_leave(script *self);

#endif
