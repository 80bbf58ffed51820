#include "tamis/cancel.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct tm_cancel {
    atomic_bool cancelled;
    atomic_bool paused;
    _Atomic double slept, asleep_since; /* seconds; clock, 0 while awake */
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

tm_cancel *tm_cancel_new(void)
{
    tm_cancel *token = calloc(1, sizeof *token);
    if (!token)
        return NULL;
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
    double began = clock_now();
    atomic_store(&token->asleep_since, began);
    pthread_mutex_lock(&token->lock);
    while (atomic_load(&token->paused) && !atomic_load(&token->cancelled))
        pthread_cond_wait(&token->changed, &token->lock);
    pthread_mutex_unlock(&token->lock);
    atomic_store(&token->slept, atomic_load(&token->slept) + clock_now() - began);
    atomic_store(&token->asleep_since, 0);
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
    /* The sleep under way counts too, so that clocks stand still during a pause. */
    double since = atomic_load(&token->asleep_since);
    return atomic_load(&token->slept) + (since > 0 ? clock_now() - since : 0);
}
