/* The sweeps that live, for the host, which may ask from any thread what they are doing. */
#include "script/common/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void script_live_reserve(lua_State *L)
{
    script *self = script_of(L);
    pthread_mutex_lock(&self->live_lock);
    size_t room = self->live_room ? 2 * self->live_room : 4;
    tm_sweep **moved = self->live;
    if (self->live_count == self->live_room) {
        moved = realloc(self->live, room * sizeof(tm_sweep *));
        self->live = moved ? moved : self->live;
        self->live_room = moved ? room : self->live_room;
    }
    pthread_mutex_unlock(&self->live_lock);
    if (!moved)
        luaL_error(L, "not enough memory for one more sweep");
}

void script_live_add(script *self, tm_sweep *sweep)
{
    pthread_mutex_lock(&self->live_lock);
    self->live[self->live_count++] = sweep;
    pthread_mutex_unlock(&self->live_lock);
}

void script_live_remove(script *self, const tm_sweep *sweep)
{
    pthread_mutex_lock(&self->live_lock);
    size_t kept = 0;
    for (size_t i = 0; i < self->live_count; i++)
        if (self->live[i] != sweep)
            self->live[kept++] = self->live[i];
    self->live_count = kept;
    pthread_mutex_unlock(&self->live_lock);
}

static void describe(const tm_sweep *sweep, const tm_sweep_progress *p, char *text, size_t size)
{
    int used = snprintf(text, size, "sweep %.24s %zu/%zu", tm_sweep_name(sweep), p->done, p->cells);
    if (p->failed > 0)
        used += snprintf(text + used, size - (size_t)used, ", %zu failed", p->failed);
    if (p->paused)
        snprintf(text + used, size - (size_t)used, ", paused");
    else if (p->left > 0)
        snprintf(text + used, size - (size_t)used,
                 p->left < 90 ? ", %.0f s left" : ", %.0f min left",
                 p->left < 90 ? p->left : p->left / 60);
}

size_t script_sweeps(const script *self, char *text, size_t size)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&self->live_lock;
    size_t running = 0;
    text[0] = '\0';
    pthread_mutex_lock(lock);
    for (size_t i = 0; i < self->live_count; i++) {
        tm_sweep_progress p = tm_sweep_get_progress(self->live[i]);
        if (p.state != TM_SWEEP_RUNNING)
            continue;
        if (running++ == 0)
            describe(self->live[i], &p, text, size);
    }
    pthread_mutex_unlock(lock);
    size_t used = strlen(text);
    if (running > 1)
        snprintf(text + used, size - used, " and %zu more", running - 1);
    return running;
}

void script_sweeps_cancel(script *self)
{
    pthread_mutex_lock(&self->live_lock);
    for (size_t i = 0; i < self->live_count; i++)
        tm_sweep_cancel(self->live[i]);
    pthread_mutex_unlock(&self->live_lock);
}
