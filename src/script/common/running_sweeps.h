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

/* What is said of a sweep once. */
typedef enum script_sweep_news_kind {
    SCRIPT_SWEEP_ENDED = 1, /* how it ended */
    SCRIPT_SWEEP_BEST = 2,  /* that its best configuration did not converge */
} script_sweep_news_kind;

/* True the first time it is asked of this sweep. */
bool script_running_sweeps_first(script *self, const tm_sweep *sweep, script_sweep_news_kind what);
/* Calls `use` with each, which must not free any. */
void script_running_sweeps_each(script *self, void (*use)(tm_sweep *sweep, void *payload),
                                void *payload);

#endif
