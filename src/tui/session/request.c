#include "tui/session/request.h"

#include "tamis/cancel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The condition variable is not signalled by a cancel token, so the token is polled at this
 * interval. */
static const long look_nanoseconds = 20000000;

struct ui_request {
    atomic_int references;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done;
    char *answer;
    tm_error error;
    char *verb, *words[REQUEST_WORDS];
    tm_dataset *data;         /* argument of the request, or NULL */
    script_ui_answer objects; /* objects passed to the script */
    ui_request *next;
};

ui_request *request_new(const script_ui *asked)
{
    ui_request *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    atomic_init(&r->references, 1);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->ended, NULL);
    r->verb = strdup(asked->verb);
    r->data = asked->data ? tm_dataset_ref(asked->data) : NULL;
    bool copied = r->verb != NULL;
    for (int i = 0; i < REQUEST_WORDS; i++) {
        r->words[i] = asked->words[i] ? strdup(asked->words[i]) : NULL;
        copied = copied && (!asked->words[i] || r->words[i]);
    }
    if (!copied) {
        request_unref(r);
        return NULL;
    }
    return r;
}

ui_request *request_ref(ui_request *r)
{
    atomic_fetch_add(&r->references, 1);
    return r;
}

void request_unref(ui_request *r)
{
    if (!r || atomic_fetch_sub(&r->references, 1) != 1)
        return;
    for (int i = 0; i < REQUEST_WORDS; i++)
        free(r->words[i]);
    tm_dataset_unref(r->data);
    request_hand(r, NULL, NULL);
    free(r->verb);
    free(r->answer);
    pthread_cond_destroy(&r->ended);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

const char *request_verb(const ui_request *r)
{
    return r->verb;
}

const char *request_word(const ui_request *r, int i)
{
    return r->words[i];
}

tm_dataset *request_data(const ui_request *r)
{
    return r->data;
}

void request_hand(ui_request *r, tm_dataset *data, tm_job *run)
{
    tm_dataset_unref(r->objects.data);
    if (r->objects.run)
        tm_job_unref(r->objects.run);
    r->objects = (script_ui_answer){data, run};
}

void request_finish(ui_request *r, char *answer, const tm_error *err)
{
    pthread_mutex_lock(&r->lock);
    if (r->done) {
        free(answer);
    } else {
        r->done = true;
        r->answer = answer;
        r->error = *err;
        pthread_cond_broadcast(&r->ended);
    }
    pthread_mutex_unlock(&r->lock);
}

tm_status request_wait(ui_request *r, tm_cancel *cancel, char **answer, script_ui_answer *objects,
                       tm_error *err)
{
    pthread_mutex_lock(&r->lock);
    while (!r->done && !(cancel && tm_cancel_is_set(cancel))) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += look_nanoseconds;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&r->ended, &r->lock, &until);
    }
    tm_status status = r->done ? r->error.code : TM_ECANCELLED;
    *answer = r->answer;
    r->answer = NULL;
    if (r->done && objects) {
        *objects = r->objects;
        r->objects = (script_ui_answer){NULL, NULL};
    }
    pthread_mutex_unlock(&r->lock);
    if (status == TM_OK)
        return TM_OK;
    return tm_fail(err, status, "%s", r->done ? r->error.message : "cancelled");
}

void request_append(ui_request **list, ui_request *r)
{
    while (*list)
        list = &(*list)->next;
    r->next = NULL;
    *list = r;
}

ui_request *request_take(ui_request **list)
{
    ui_request *first = *list;
    if (first)
        *list = first->next;
    return first;
}
