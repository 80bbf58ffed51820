/* The sweeps that have not been freed, which the host may query from any thread. */
#ifndef SCRIPT_COMMON_RUNNING_SWEEPS_H
#define SCRIPT_COMMON_RUNNING_SWEEPS_H

#include "script/common/state.h"

/* Makes room for one more; raises an error when memory runs out. */
void script_running_sweeps_reserve(lua_State *L);
void script_running_sweeps_add(script *self, tm_sweep *sweep);
void script_running_sweeps_remove(script *self, const tm_sweep *sweep);
/* The number of running sweeps, and the first one's progress as text ("" without one). */
size_t script_running_sweeps_describe(const script *self, char *text, size_t size);
void script_running_sweeps_cancel(script *self);
/* Cancels them and waits until they have ended; called when their script is abandoned. */
void script_running_sweeps_leave(script *self);

/* Messages about a sweep that are given only once. */
typedef enum script_sweep_news_kind {
    SCRIPT_SWEEP_ENDED = 1, /* how it ended */
    SCRIPT_SWEEP_BEST = 2,  /* its best configuration did not converge */
} script_sweep_news_kind;

/* True on the first call for this sweep and kind. */
bool script_running_sweeps_first(script *self, const tm_sweep *sweep, script_sweep_news_kind what);
/* Calls `use` with each, which must not free any. */
void script_running_sweeps_each(script *self, void (*use)(tm_sweep *sweep, void *payload),
                                void *payload);

#endif
