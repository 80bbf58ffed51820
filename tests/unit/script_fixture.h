/* A script with a host that collects what it is told. */
#ifndef SCRIPT_FIXTURE_H
#define SCRIPT_FIXTURE_H

#include "tests/check.h"

#include "script/script.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    tm_pool *pool;
    script *script;
    pthread_mutex_t mutex; /* guards what follows */
    char output[65536];    /* what was printed since it was last cleared */
    size_t length;
    tm_error error; /* of the last chunk that ended */
    uint64_t last;  /* its ticket */
    int ended, started, loaded, shown;
    size_t shown_series;
} fixture;

static inline void on_print(const char *text, size_t length, void *payload)
{
    fixture *f = payload;
    pthread_mutex_lock(&f->mutex);
    size_t room = sizeof f->output - 1 - f->length;
    size_t count = length < room ? length : room;
    memcpy(f->output + f->length, text, count);
    f->length += count;
    f->output[f->length] = '\0';
    pthread_mutex_unlock(&f->mutex);
}

static inline void on_show(plot_figure *figure, void *payload)
{
    fixture *f = payload;
    pthread_mutex_lock(&f->mutex);
    f->shown++;
    f->shown_series = plot_figure_series(figure);
    pthread_mutex_unlock(&f->mutex);
    plot_figure_free(figure);
}

static inline void on_started(tm_job *job, void *payload)
{
    fixture *f = payload;
    (void)job;
    pthread_mutex_lock(&f->mutex);
    f->started++;
    pthread_mutex_unlock(&f->mutex);
}

static inline void on_loaded(tm_dataset *data, void *payload)
{
    fixture *f = payload;
    (void)data;
    pthread_mutex_lock(&f->mutex);
    f->loaded++;
    pthread_mutex_unlock(&f->mutex);
}

static inline void on_ended(uint64_t ticket, const tm_error *error, void *payload)
{
    fixture *f = payload;
    pthread_mutex_lock(&f->mutex);
    f->ended++;
    f->last = ticket;
    f->error = error ? *error : (tm_error)TM_ERROR_INIT;
    pthread_mutex_unlock(&f->mutex);
}

static inline int fixture_open(void **state, bool workbench)
{
    tm_error err = TM_ERROR_INIT;
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    pthread_mutex_init(&f->mutex, NULL);
    assert_int_equal(tm_pool_new(&f->pool, 2, NULL, NULL, &err), TM_OK);
    script_host host = {.pool = f->pool,
                        .seed = 7,
                        .colours = PLOT_MONO,
                        .columns = 60,
                        .print = on_print,
                        .show = workbench ? on_show : NULL,
                        .started = on_started,
                        .loaded = on_loaded,
                        .ended = on_ended,
                        .payload = f};
    assert_int_equal(script_new(&f->script, &host, &err), TM_OK);
    *state = f;
    return 0;
}

static inline int setup(void **state)
{
    return fixture_open(state, false);
}

static inline int setup_workbench(void **state)
{
    return fixture_open(state, true);
}

static inline int teardown(void **state)
{
    fixture *f = *state;
    script_free(f->script);
    tm_pool_free(f->pool);
    pthread_mutex_destroy(&f->mutex);
    free(f);
    return 0;
}

/* Runs a chunk to its end; what it printed is in f->output, its error in f->error. */
static inline tm_status run(fixture *f, const char *text, bool echo)
{
    tm_status status = TM_OK;
    pthread_mutex_lock(&f->mutex);
    f->length = 0;
    f->output[0] = '\0';
    pthread_mutex_unlock(&f->mutex);
    uint64_t ticket = script_submit(f->script, text, "=test", echo);
    assert_true(ticket > 0);
    assert_true(script_wait(f->script, ticket, -1, &status));
    return status;
}

/* What an expression prints, without the last newline. */
static inline const char *value(fixture *f, const char *expression)
{
    tm_status status = run(f, expression, true);
    if (status != TM_OK)
        fail_msg("%s: %s", expression, f->error.message);
    if (f->length > 0 && f->output[f->length - 1] == '\n')
        f->output[f->length - 1] = '\0';
    return f->output;
}

static inline void must_run(fixture *f, const char *text)
{
    if (run(f, text, false) != TM_OK)
        fail_msg("%s: %s", text, f->error.message);
}

/* The chunk must end with exactly this message. */
static inline void must_fail(fixture *f, const char *text, const char *message)
{
    assert_int_not_equal(run(f, text, false), TM_OK);
    assert_string_equal(f->error.message, message);
}

/* The text must be somewhere in the output. */
static inline void must_print(const fixture *f, const char *text)
{
    if (!strstr(f->output, text))
        fail_msg("'%s' is not in:\n%s", text, f->output);
}

#endif
