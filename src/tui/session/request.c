#include "tui/session/request.h"

#include "tamis/cancel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A cancel token has no link to the condition: it is looked at so often. */
static const long look_nanoseconds = 20000000;

struct ui_request {
    atomic_int references;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done;
    char *answer;
    tm_error error;
    char *verb, *words[REQUEST_WORDS];
    ui_request *next;
};

ui_request *request_new(const script_ui *wish)
{
    ui_request *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    atomic_init(&o->references, 1);
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->ended, NULL);
    o->verb = strdup(wish->verb);
    bool copied = o->verb != NULL;
    for (int i = 0; i < REQUEST_WORDS; i++) {
        o->words[i] = wish->words[i] ? strdup(wish->words[i]) : NULL;
        copied = copied && (!wish->words[i] || o->words[i]);
    }
    if (!copied) {
        request_unref(o);
        return NULL;
    }
    return o;
}

ui_request *request_ref(ui_request *o)
{
    atomic_fetch_add(&o->references, 1);
    return o;
}

void request_unref(ui_request *o)
{
    if (!o || atomic_fetch_sub(&o->references, 1) != 1)
        return;
    for (int i = 0; i < REQUEST_WORDS; i++)
        free(o->words[i]);
    free(o->verb);
    free(o->answer);
    pthread_cond_destroy(&o->ended);
    pthread_mutex_destroy(&o->lock);
    free(o);
}

const char *request_verb(const ui_request *o)
{
    return o->verb;
}

const char *request_word(const ui_request *o, int i)
{
    return o->words[i];
}

void request_finish(ui_request *o, char *answer, const tm_error *err)
{
    pthread_mutex_lock(&o->lock);
    if (o->done) {
        free(answer);
    } else {
        o->done = true;
        o->answer = answer;
        o->error = *err;
        pthread_cond_broadcast(&o->ended);
    }
    pthread_mutex_unlock(&o->lock);
}

tm_status request_wait(ui_request *o, tm_cancel *cancel, char **answer, tm_error *err)
{
    pthread_mutex_lock(&o->lock);
    while (!o->done && !(cancel && tm_cancel_is_set(cancel))) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += look_nanoseconds;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&o->ended, &o->lock, &until);
    }
    tm_status status = o->done ? o->error.code : TM_ECANCELLED;
    *answer = o->answer;
    o->answer = NULL;
    pthread_mutex_unlock(&o->lock);
    if (status == TM_OK)
        return TM_OK;
    return tm_fail(err, status, "%s", o->done ? o->error.message : "cancelled");
}

void request_append(ui_request **list, ui_request *o)
{
    while (*list)
        list = &(*list)->next;
    o->next = NULL;
    *list = o;
}

ui_request *request_take(ui_request **list)
{
    ui_request *first = *list;
    if (first)
        *list = first->next;
    return first;
}
