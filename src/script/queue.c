/* The queue of chunks that the script's thread takes from. */
#include "script/script.h"

#include "base/text.h"
#include "script/chunk.h"

#include <stdlib.h>

/* With the mutex held. */
static bool reserve_end(script *self)
{
    if (self->queue.submitted < self->queue.ends_capacity)
        return true;
    size_t capacity = self->queue.ends_capacity ? 2 * self->queue.ends_capacity : 64;
    uint8_t *ends = realloc(self->queue.ends, capacity);
    if (!ends)
        return false;
    self->queue.ends = ends;
    self->queue.ends_capacity = capacity;
    return true;
}

/* With the mutex held. */
static void append(script *self, script_chunk *chunk)
{
    if (self->queue.last)
        self->queue.last->next = chunk;
    else
        self->queue.first = chunk;
    self->queue.last = chunk;
}

static uint64_t enqueue(script *self, script_chunk *chunk)
{
    if (!chunk)
        return 0;
    pthread_mutex_lock(&self->queue.mutex);
    uint64_t ticket = 0;
    if (reserve_end(self)) {
        ticket = chunk->ticket = ++self->queue.submitted;
        append(self, chunk);
        pthread_cond_broadcast(&self->queue.changed);
    }
    pthread_mutex_unlock(&self->queue.mutex);
    if (!ticket)
        script_chunk_free(chunk);
    return ticket;
}

uint64_t script_submit(script *self, const char *text, const char *name, bool echo)
{
    script_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return 0;
    chunk->text = text_copy(text);
    chunk->name = text_copy(name);
    chunk->echo = echo;
    if (!chunk->text || !chunk->name) {
        script_chunk_free(chunk);
        return 0;
    }
    return enqueue(self, chunk);
}

uint64_t script_submit_file(script *self, const char *path, char *const *args, size_t count)
{
    script_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return 0;
    chunk->name = text_copy(path);
    chunk->args = calloc(count ? count : 1, sizeof *chunk->args);
    bool complete = chunk->name && chunk->args;
    for (size_t i = 0; complete && i < count; i++) {
        chunk->args[i] = text_copy(args[i]);
        complete = chunk->args[i] != NULL;
        chunk->arg_count = i + 1;
    }
    if (!complete) {
        script_chunk_free(chunk);
        return 0;
    }
    return enqueue(self, chunk);
}

uint64_t script_submit_call(script *self, int (*function)(lua_State *L), void *payload)
{
    script_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return 0;
    chunk->call = function;
    chunk->payload = payload;
    return enqueue(self, chunk);
}

/* Chunks queued behind one that never ends are moved to the new state; queued calls belong to the
 * old one. */
static void take_waiting(script *fresh, script *old)
{
    pthread_mutex_lock(&old->queue.mutex);
    script_chunk *chunk = old->queue.first, *next;
    old->queue.first = old->queue.last = NULL;
    for (; chunk; chunk = next) {
        next = chunk->next;
        chunk->next = NULL;
        if (chunk->call)
            append(old, chunk);
        else
            enqueue(fresh, chunk);
    }
    pthread_mutex_unlock(&old->queue.mutex);
}

tm_status script_renew(script **self, tm_error *err)
{
    script *old = *self, *fresh;
    script_host host = old->host;
    host.columns = script_columns(old);
    tm_status status = script_new(&fresh, &host, err);
    if (status != TM_OK)
        return status;
    take_waiting(fresh, old);
    script_free(old);
    *self = fresh;
    return TM_OK;
}
