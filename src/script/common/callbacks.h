/* Jobs and sweeps that the script started, and the functions of tm.on that hear of them. */
#ifndef SCRIPT_COMMON_CALLBACKS_H
#define SCRIPT_COMMON_CALLBACKS_H

#include "script/common/state.h"

/* Room for one more job; raises when memory ran out. */
void script_callbacks_reserve(lua_State *L);
/* Takes a reference; `push` makes the object that callbacks get. */
void script_callbacks_add(script *self, tm_job *job, void (*push)(lua_State *, const tm_job *));
/* Keeps the sweep at `index` alive, and tells of it, until it has ended. */
void script_callbacks_add_sweep(lua_State *L, int index);
/* Appends all that is under way to the list at `list`. */
void script_callbacks_push_all(lua_State *L, int list);
/* Forgets what ended and calls the callbacks of what has news. Raises nothing. */
void script_callbacks_call(lua_State *L);
/* The same, then raises when the running code must unwind. */
void script_callbacks_poll(lua_State *L);
/* True when an idle script must poll. */
bool script_callbacks_needed(const script *self);
void script_callbacks_free(script *self);
/* Waits for all; false when `seconds` (negative: no limit) passed first. Raises, after cancelling
 * the jobs, when the script is interrupted. */
bool script_wait_jobs(lua_State *L, tm_job *const *jobs, size_t count, double seconds);
int script_tm_on(lua_State *L);

#endif
