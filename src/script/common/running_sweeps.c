/* The sweeps that have not been freed, which the host may query from any thread. */
#include "script/common/running_sweeps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cancelled sweep ends when its solvers next check their cancel tokens. */
enum { LEAVE_SECONDS = 2 };

void script_running_sweeps_reserve(lua_State *L)
{
    script *self = script_of(L);
    pthread_mutex_lock(&self->running.lock);
    size_t capacity = self->running.capacity ? 2 * self->running.capacity : 4;
    script_running_sweep *moved = self->running.sweeps;
    if (self->running.count == self->running.capacity) {
        moved = realloc(self->running.sweeps, capacity * sizeof *moved);
        self->running.sweeps = moved ? moved : self->running.sweeps;
        self->running.capacity = moved ? capacity : self->running.capacity;
    }
    pthread_mutex_unlock(&self->running.lock);
    if (!moved)
        luaL_error(L, "not enough memory for one more sweep");
}

void script_running_sweeps_add(script *self, tm_sweep *sweep)
{
    pthread_mutex_lock(&self->running.lock);
    self->running.sweeps[self->running.count++] = (script_running_sweep){sweep, 0};
    pthread_mutex_unlock(&self->running.lock);
}

void script_running_sweeps_remove(script *self, const tm_sweep *sweep)
{
    pthread_mutex_lock(&self->running.lock);
    size_t kept = 0;
    for (size_t i = 0; i < self->running.count; i++)
        if (self->running.sweeps[i].sweep != sweep)
            self->running.sweeps[kept++] = self->running.sweeps[i];
    self->running.count = kept;
    pthread_mutex_unlock(&self->running.lock);
}

static void describe(const tm_sweep *sweep, const tm_sweep_progress *p, char *text, size_t size)
{
    int used = snprintf(text, size, "sweep %.24s %zu/%zu", tm_sweep_name(sweep), p->done, p->cells);
    if (p->failed > 0)
        used += snprintf(text + used, size - (size_t)used, ", %zu failed", p->failed);
    if (p->unconverged > 0)
        used += snprintf(text + used, size - (size_t)used, ", %zu not converged", p->unconverged);
    if (p->paused)
        snprintf(text + used, size - (size_t)used, ", paused");
    else if (p->left > 0)
        snprintf(text + used, size - (size_t)used,
                 p->left < 90 ? ", %.0f s left" : ", %.0f min left",
                 p->left < 90 ? p->left : p->left / 60);
}

size_t script_running_sweeps_describe(const script *self, char *text, size_t size)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&self->running.lock;
    size_t running = 0;
    text[0] = '\0';
    pthread_mutex_lock(lock);
    for (size_t i = 0; i < self->running.count; i++) {
        const tm_sweep *sweep = self->running.sweeps[i].sweep;
        tm_sweep_progress p = tm_sweep_get_progress(sweep);
        if (p.state != TM_SWEEP_RUNNING)
            continue;
        if (running++ == 0)
            describe(sweep, &p, text, size);
    }
    pthread_mutex_unlock(lock);
    size_t used = strlen(text);
    if (running > 1)
        snprintf(text + used, size - used, " and %zu more", running - 1);
    return running;
}

void script_running_sweeps_cancel(script *self)
{
    pthread_mutex_lock(&self->running.lock);
    for (size_t i = 0; i < self->running.count; i++)
        tm_sweep_cancel(self->running.sweeps[i].sweep);
    pthread_mutex_unlock(&self->running.lock);
}

bool script_running_sweeps_first(script *self, const tm_sweep *sweep, script_sweep_news_kind what)
{
    bool first = false;
    pthread_mutex_lock(&self->running.lock);
    for (size_t i = 0; i < self->running.count; i++) {
        script_running_sweep *one = &self->running.sweeps[i];
        if (one->sweep != sweep)
            continue;
        first = !(one->told & what);
        one->told |= what;
    }
    pthread_mutex_unlock(&self->running.lock);
    return first;
}

void script_running_sweeps_each(script *self, void (*use)(tm_sweep *sweep, void *payload),
                                void *payload)
{
    pthread_mutex_lock(&self->running.lock);
    for (size_t i = 0; i < self->running.count; i++)
        use(self->running.sweeps[i].sweep, payload);
    pthread_mutex_unlock(&self->running.lock);
}

void script_running_sweeps_leave(script *self)
{
    script_running_sweeps_cancel(self);
    pthread_mutex_lock(&self->running.lock);
    for (size_t i = 0; i < self->running.count; i++)
        tm_sweep_wait(self->running.sweeps[i].sweep, LEAVE_SECONDS);
    pthread_mutex_unlock(&self->running.lock);
}
