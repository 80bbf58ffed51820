/* Jobs and sweeps that the script started, and the functions of tm.on that are notified of them. */
#ifndef SCRIPT_COMMON_CALLBACKS_H
#define SCRIPT_COMMON_CALLBACKS_H

#include "script/common/state.h"

/* Makes room for one more job; raises an error when memory runs out. */
void script_callbacks_reserve(lua_State *L);
/* Adds a job and takes a reference; `push` makes the object that callbacks get. */
void script_callbacks_add(script *self, tm_job *job, void (*push)(lua_State *, const tm_job *));
/* Keeps the sweep at `index` alive and notifies of it until it has ended. */
void script_callbacks_add_sweep(lua_State *L, int index);
/* Appends all running jobs and sweeps to the list at `list`. */
void script_callbacks_push_all(lua_State *L, int list);
/* Removes jobs and sweeps that have ended and calls the callbacks of those with news. Raises
 * nothing. */
void script_callbacks_call(lua_State *L);
/* The same, then raises an error if the running code must unwind. */
void script_callbacks_poll(lua_State *L);
/* True when an idle script must poll. */
bool script_callbacks_needed(const script *self);
void script_callbacks_free(script *self);
/* Waits for all; false if `seconds` (negative: no limit) have passed first. When the script is
 * interrupted, cancels the jobs and raises an error. */
bool script_wait_jobs(lua_State *L, tm_job *const *jobs, size_t count, double seconds);
int script_tm_on(lua_State *L);

#endif
