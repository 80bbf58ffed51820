#include "tui/session/session.h"

#include "tamis/graph.h"

#include "tui/prompt/error_line.h"
#include "tui/session/loader.h"
#include "tui/session/mailbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    SCROLLBACK_LINES = 10000,
};

/* ---- what other threads call --------------------------------------------------------------- */

static void pool_news(void *payload)
{
    const session *s = payload;
    uint64_t one = 1;
    ssize_t written = write(s->wake_fd, &one, sizeof one);
    (void)written;
}

static void host_print(const char *text, size_t length, void *payload)
{
    session *s = payload;
    mailbox_text(s->mailbox, text, length);
}

static void host_show(plot_figure *figure, void *payload)
{
    session *s = payload;
    mailbox_send(s->mailbox, &(letter){.kind = LETTER_FIGURE, .figure = figure});
}

static void host_started(tm_job *job, void *payload)
{
    session *s = payload;
    if (s->recorder)
        s->recorder->started(job, s->recorder->payload);
    mailbox_send(s->mailbox, &(letter){.kind = LETTER_JOB, .job = tm_job_ref(job)});
}

static void host_loaded(tm_dataset *data, void *payload)
{
    session *s = payload;
    mailbox_send(s->mailbox, &(letter){.kind = LETTER_DATA, .data = tm_dataset_ref(data)});
}

static tm_status host_ui(const script_ui *asked, tm_cancel *cancel, char **answer, void *payload,
                         tm_error *err)
{
    session *s = payload;
    ui_request *r = request_new(asked);
    if (!r)
        return tm_fail_memory(err, "the workbench");
    mailbox_send(s->mailbox, &(letter){.kind = LETTER_REQUEST, .request = request_ref(r)});
    tm_status status = request_wait(r, cancel, answer, asked->objects, err);
    request_unref(r);
    return status;
}

static void host_ended(uint64_t ticket, const tm_error *error, void *payload)
{
    session *s = payload;
    letter l = {.kind = LETTER_ENDED};
    (void)ticket;
    if (error) {
        l.code = error->code;
        l.text = strdup(error->message);
        l.length = l.text ? strlen(l.text) : 0;
    }
    mailbox_send(s->mailbox, &l);
}

/* ---- life ---------------------------------------------------------------------------------- */

static tm_status start_pools(session *s, int jobs, tm_error *err)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int workers = jobs > 0 ? jobs : cores > 0 ? (int)cores : 1;
    tm_status status = tm_pool_new(&s->pools.script, workers, pool_news, s, err);
    if (status == TM_OK)
        status = tm_pool_new(&s->pools.explore, workers > 1 ? 2 : 1, pool_news, s, err);
    if (status == TM_OK)
        status = tm_pool_new(&s->pools.study, 1, pool_news, s, err);
    return status;
}

/* A store that cannot be read is reported, but does not stop the workbench. */
static void open_store(session *s, tm_store *store)
{
    tm_error err = TM_ERROR_INIT;
    if (stored_runs_open(&s->stored, store, &err) != TM_OK)
        session_note(s, LINE_ERROR, err.message);
}

tm_status session_open(session **out, const session_options *options, tm_error *err)
{
    session *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the workbench");
    s->seed = options->seed;
    s->recorder = options->recorder;
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->mailbox = mailbox_new(s->wake_fd);
    s->text = scrollback_new(SCROLLBACK_LINES);
    s->chosen.scores = calloc(1, sizeof *s->chosen.scores);
    tm_status status = s->wake_fd < 0 || !s->mailbox || !s->text || !s->chosen.scores
                           ? tm_fail_memory(err, "the workbench")
                           : start_pools(s, options->jobs, err);
    if (status == TM_OK) {
        script_host host = {
            .pool = s->pools.script,
            .seed = options->seed,
            .sandbox = {.on = options->sandbox},
            .utf8 = options->utf8,
            .colours = PLOT_MONO, /* the scrollback stores text without colours */
            .columns = options->columns,
            .print = host_print,
            .show = host_show,
            .store = options->recorder ? options->recorder->store : NULL,
            .started = host_started,
            .loaded = host_loaded,
            .ui = host_ui,
            .ended = host_ended,
            .payload = s,
        };
        status = script_new(&s->script, &host, err);
    }
    if (status == TM_OK)
        open_store(s, options->store);
    if (status != TM_OK) {
        session_close(s);
        return status;
    }
    *out = s;
    return TM_OK;
}

static void choose(tm_job **place, tm_job *job)
{
    tm_job *kept = job ? tm_job_ref(job) : NULL;
    if (*place)
        tm_job_unref(*place);
    *place = kept;
}

void session_choose_path(session *s, tm_job *job)
{
    choose(&s->chosen.path, job);
}

void session_choose_study(session *s, tm_job *job)
{
    choose(&s->chosen.study, job);
}

void session_forget_timed(session *s)
{
    session_timed *timed = &s->chosen.timed;
    if (timed->again)
        tm_job_cancel(timed->again);
    choose(&timed->job, NULL);
    choose(&timed->again, NULL);
    tm_model_unref(timed->model);
    *timed = (session_timed){.job = NULL};
}

tm_status session_choose_shape(session *s, const char *shape, tm_error *err)
{
    char *copy = *shape ? strdup(shape) : NULL;
    if (*shape && !copy)
        return tm_fail_memory(err, "the shape");
    if (copy && s->data.all) {
        tm_graph *graph = NULL;
        tm_status status = tm_graph_parse(&graph, copy, s->data.all, err);
        tm_graph_unref(graph);
        if (status != TM_OK) {
            free(copy);
            return status;
        }
    }
    free(s->chosen.shape);
    s->chosen.shape = copy;
    return TM_OK;
}

void session_close(session *s)
{
    if (!s)
        return;
    /* First release a script that waits because the mailbox is full. */
    if (s->mailbox)
        mailbox_shut(s->mailbox);
    session_forget_timed(s);
    loader_free(s->data.loader);
    if (s->script)
        script_free(s->script);
    tm_ovr_free(s->ovr);
    for (size_t i = 0; i < s->runs.count; i++)
        tm_job_unref(s->runs.at[i].job);
    if (s->pools.script)
        tm_pool_free(s->pools.script);
    if (s->pools.explore)
        tm_pool_free(s->pools.explore);
    if (s->pools.study)
        tm_pool_free(s->pools.study);
    for (size_t i = 0; i < s->figures.count; i++)
        plot_figure_free(s->figures.at[i]);
    session_free_names(&s->names);
    session_free_names(&s->typed);
    session_forget_origin(&s->data.origin);
    session_forget_origin(&s->data.coming);
    for (ui_request *r = request_take(&s->requests); r; r = request_take(&s->requests))
        request_unref(r);
    session_forget_data(s);
    session_choose_path(s, NULL);
    session_choose_study(s, NULL);
    free(s->chosen.scores);
    session_choose_shape(s, "", NULL);
    tm_dataset_unref(s->data.offered);
    mailbox_free(s->mailbox);
    scrollback_free(s->text);
    for (size_t i = 0; i < s->runs.deleted_count; i++)
        tm_job_unref(s->runs.deleted[i].job);
    stored_runs_free(&s->stored);
    free(s->runs.deleted);
    free(s->chunk);
    free(s->runs.at);
    free(s->figures.at);
    if (s->wake_fd >= 0)
        close(s->wake_fd);
    free(s);
}

/* ---- news ---------------------------------------------------------------------------------- */

/* Processes one letter; takes from it what the session keeps. */
static unsigned open_letter(session *s, letter *l)
{
    switch (l->kind) {
    case LETTER_TEXT:
        scrollback_add(s->text, LINE_OUTPUT, l->text, l->length);
        return NEWS_TEXT;
    case LETTER_FIGURE:
        if (session_keep_figure(s, l->figure))
            l->figure = NULL;
        return NEWS_FIGURE;
    case LETTER_JOB:
        session_add_run(s, l->job);
        return NEWS_RUNS;
    case LETTER_DATA:
        tm_dataset_unref(s->data.offered);
        s->data.offered = l->data;
        l->data = NULL;
        return NEWS_OFFER;
    case LETTER_REQUEST:
        request_append(&s->requests, l->request);
        l->request = NULL;
        return NEWS_REQUEST;
    case LETTER_ENDED:
        s->stopping = false;
        s->script_error = (tm_error){.code = l->code};
        if (l->text) {
            snprintf(s->script_error.message, sizeof s->script_error.message, "%s", l->text);
            session_note(s, l->code == TM_ECANCELLED ? LINE_NOTE : LINE_ERROR, l->text);
            char line[600];
            if (l->code != TM_ECANCELLED && error_line(l->text, s->chunk, line, sizeof line))
                session_note(s, LINE_ERROR, line);
        }
        return NEWS_ENDED | NEWS_TEXT;
    }
    return 0;
}

unsigned session_update(session *s)
{
    unsigned news = session_update_loader(s) | session_update_classes(s) | NEWS_RUNS | s->pending;
    s->pending = 0;
    letter *next;
    for (letter *l = mailbox_take(s->mailbox); l; l = next) {
        next = l->next;
        news |= open_letter(s, l);
        letter_free(l);
    }
    if (s->recorder)
        s->recorder->sweep(s->recorder->payload);
    return news;
}

void session_acknowledge(session *s)
{
    tm_pool_acknowledge(s->pools.script);
    tm_pool_acknowledge(s->pools.explore);
    tm_pool_acknowledge(s->pools.study);
}

static size_t runs_left(const tm_pool *pool)
{
    size_t queued, running, ended;
    tm_pool_counts(pool, &queued, &running, &ended);
    return queued + running;
}

size_t session_runs_left(const session *s)
{
    return runs_left(s->pools.script);
}

bool session_busy(const session *s)
{
    return s->data.loader || script_busy(s->script) || runs_left(s->pools.script) > 0 ||
           runs_left(s->pools.explore) > 0;
}

/* ---- acting -------------------------------------------------------------------------------- */

tm_status session_submit(session *s, const char *text, tm_error *err)
{
    free(s->chunk);
    s->chunk = strdup(text);
    session_note(s, LINE_INPUT, text);
    session_keep_name(&s->typed, text);
    if (script_submit(s->script, text, "=prompt", true) == 0)
        return tm_fail_memory(err, "the chunk");
    return TM_OK;
}

tm_status session_submit_quietly(session *s, const char *text, tm_error *err)
{
    return script_submit(s->script, text, "=command", false) != 0
               ? TM_OK
               : tm_fail_memory(err, "the command");
}

tm_status session_run_file(session *s, const char *path, char *const *args, size_t count,
                           uint64_t *ticket, tm_error *err)
{
    uint64_t given = script_submit_file(s->script, path, args, count);
    if (given == 0)
        return tm_fail_memory(err, "the script");
    if (ticket)
        *ticket = given;
    return TM_OK;
}

bool session_interrupt(session *s)
{
    char sweep[96];
    bool busy = session_busy(s);
    busy = script_sweeps(s->script, sweep, sizeof sweep) > 0 || busy;
    script_sweeps_cancel(s->script);
    if (s->data.loader) {
        tm_error error = {.code = TM_ECANCELLED};
        snprintf(error.message, sizeof error.message, "loading %.400s was cancelled",
                 loader_name(s->data.loader));
        loader_free(s->data.loader);
        s->data.loader = NULL;
        s->data.error = error;
        session_note(s, LINE_NOTE, error.message);
    }
    if (script_busy(s->script)) {
        script_interrupt(s->script);
        s->stopping = true;
    }
    for (size_t i = 0; i < s->runs.count; i++)
        tm_job_cancel(s->runs.at[i].job);
    return busy;
}

bool session_stopping(const session *s)
{
    return s->stopping && script_busy(s->script);
}

bool session_limited(const session *s)
{
    return script_limited(s->script);
}

void session_watch(session *s)
{
    if (script_watch(s->script))
        s->stopping = true;
}

void session_recover(session *s)
{
    tm_error err = TM_ERROR_INIT;
    if (!script_busy(s->script))
        s->stopping = false;
    if (!s->stopping || !script_stuck(s->script))
        return;
    s->stopping = false;
    if (script_renew(&s->script, &err) != TM_OK) {
        session_note(s, LINE_ERROR, err.message);
        return;
    }
    s->script_error = (tm_error){.code = TM_ECANCELLED};
    snprintf(
        s->script_error.message, sizeof s->script_error.message,
        "interrupted; a call that cannot be stopped was left behind, and Lua starts from scratch: "
        "variables and functions are gone, runs and plots are not");
    session_note(s, LINE_ERROR, s->script_error.message);
    s->pending |= NEWS_TEXT | NEWS_ENDED;
}

void session_note(session *s, line_kind kind, const char *text)
{
    scrollback_add(s->text, kind, text, strlen(text));
    scrollback_add(s->text, kind, "\n", 1);
}
