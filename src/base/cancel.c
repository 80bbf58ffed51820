#include "tamis/cancel.h"

#include "base/cancel_grace.h"
#include "base/cancel_time.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct tm_cancel {
    atomic_bool cancelled;
    atomic_bool paused;
    atomic_bool in_step;        /* see cancel_keep_step */
    _Atomic double told;        /* see cancel_told_time */
    pthread_mutex_t lock;       /* guards the fields below */
    double slept, asleep_since; /* seconds of pauses; clock at the start of the present one, 0:
                                 * running */
    pthread_cond_t changed;
};

tm_cancel *tm_cancel_new(void)
{
    tm_cancel *token = calloc(1, sizeof *token);
    if (!token)
        return NULL;
    atomic_init(&token->told, -1);
    pthread_mutex_init(&token->lock, NULL);
    pthread_cond_init(&token->changed, NULL);
    return token;
}

void tm_cancel_free(tm_cancel *token)
{
    if (!token)
        return;
    pthread_cond_destroy(&token->changed);
    pthread_mutex_destroy(&token->lock);
    free(token);
}

void cancel_keep_step(tm_cancel *token)
{
    atomic_store(&token->in_step, true);
}

bool cancel_keeps_step(const tm_cancel *token)
{
    return atomic_load(&((tm_cancel *)(uintptr_t)token)->in_step);
}

void cancel_await_time(tm_cancel *token)
{
    cancel_tell_time(token, 0);
}

void cancel_tell_time(tm_cancel *token, double seconds)
{
    atomic_store(&token->told, seconds);
}

double cancel_told_time(const tm_cancel *token)
{
    return token ? atomic_load(&((tm_cancel *)(uintptr_t)token)->told) : -1;
}

void tm_cancel_set(tm_cancel *token)
{
    pthread_mutex_lock(&token->lock);
    atomic_store(&token->cancelled, true);
    pthread_cond_broadcast(&token->changed);
    pthread_mutex_unlock(&token->lock);
}

void tm_cancel_pause(tm_cancel *token, bool paused)
{
    pthread_mutex_lock(&token->lock);
    atomic_store(&token->paused, paused);
    pthread_cond_broadcast(&token->changed);
    pthread_mutex_unlock(&token->lock);
}

bool tm_cancel_is_set(const tm_cancel *token)
{
    return atomic_load_explicit(&token->cancelled, memory_order_relaxed);
}

bool tm_cancel_is_paused(const tm_cancel *token)
{
    return atomic_load_explicit(&token->paused, memory_order_relaxed);
}

static void sleep_while_paused(tm_cancel *token)
{
    pthread_mutex_lock(&token->lock);
    token->asleep_since = clock_now();
    while (atomic_load(&token->paused) && !atomic_load(&token->cancelled))
        pthread_cond_wait(&token->changed, &token->lock);
    token->slept += clock_now() - token->asleep_since;
    token->asleep_since = 0;
    pthread_mutex_unlock(&token->lock);
}

bool tm_cancel_poll(tm_cancel *token)
{
    if (!token)
        return false;
    if (tm_cancel_is_paused(token) && !tm_cancel_is_set(token))
        sleep_while_paused(token);
    return tm_cancel_is_set(token);
}

double tm_cancel_slept(const tm_cancel *token)
{
    if (!token)
        return 0;
    /* Includes the pause in progress, so that clocks stand still during a pause. Both values are
     * read under one lock: a pause that ended in between would be counted twice, and clocks would
     * run backwards. */
    tm_cancel *t = (tm_cancel *)(uintptr_t)token;
    pthread_mutex_lock(&t->lock);
    double since = t->asleep_since;
    double slept = t->slept + (since > 0 ? clock_now() - since : 0);
    pthread_mutex_unlock(&t->lock);
    return slept;
}
