#include "tui/session/session.h"

#include "tui/session/error_line.h"
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

/* Share of the rows that scores are taken on. */
static const double test_share = 0.3;

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

static tm_status host_ui(const script_ui *wish, tm_cancel *cancel, char **answer, void *payload,
                         tm_error *err)
{
    session *s = payload;
    ui_order *o = order_new(wish);
    if (!o)
        return tm_fail_memory(err, "the workbench");
    mailbox_send(s->mailbox, &(letter){.kind = LETTER_ORDER, .order = order_ref(o)});
    tm_status status = order_wait(o, cancel, answer, err);
    order_unref(o);
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
    tm_status status = tm_pool_new(&s->pool, workers, pool_news, s, err);
    if (status == TM_OK)
        status = tm_pool_new(&s->bench, workers > 1 ? 2 : 1, pool_news, s, err);
    if (status == TM_OK)
        status = tm_pool_new(&s->study, 1, pool_news, s, err);
    return status;
}

/* A store that cannot be read is said and stops nothing. */
static void open_past(session *s, tm_store *store)
{
    tm_error err = TM_ERROR_INIT;
    if (stored_runs_open(&s->past, store, &err) != TM_OK)
        session_note(s, LINE_ERROR, err.message);
}

tm_status session_open(session **out, const tui_options *options, bool utf8, size_t columns,
                       tm_error *err)
{
    session *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the workbench");
    s->seed = options->seed;
    s->quiet = options->quiet;
    s->recorder = options->recorder;
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->mailbox = mailbox_new(s->wake_fd);
    s->text = scrollback_new(SCROLLBACK_LINES);
    tm_status status = s->wake_fd < 0 || !s->mailbox || !s->text
                           ? tm_fail_memory(err, "the workbench")
                           : start_pools(s, options->jobs, err);
    if (status == TM_OK) {
        script_host host = {
            .pool = s->pool,
            .seed = options->seed,
            .utf8 = utf8,
            .colours = PLOT_MONO, /* the scrollback keeps text alone */
            .columns = columns,
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
        open_past(s, options->store);
    if (status != TM_OK) {
        session_close(s);
        return status;
    }
    *out = s;
    return TM_OK;
}

static void forget_data(session *s)
{
    tm_dataset_unref(s->data);
    tm_dataset_unref(s->train);
    tm_dataset_unref(s->test);
    s->data = s->train = s->test = NULL;
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
    choose(&s->path, job);
}

void session_choose_study(session *s, tm_job *job)
{
    choose(&s->studied, job);
}

void session_close(session *s)
{
    if (!s)
        return;
    /* A script that waits for room in the mailbox must not be waited for. */
    if (s->mailbox)
        mailbox_shut(s->mailbox);
    loader_free(s->loader);
    if (s->script)
        script_free(s->script);
    for (size_t i = 0; i < s->run_count; i++)
        tm_job_unref(s->runs[i].job);
    if (s->pool)
        tm_pool_free(s->pool);
    if (s->bench)
        tm_pool_free(s->bench);
    if (s->study)
        tm_pool_free(s->study);
    for (size_t i = 0; i < s->figure_count; i++)
        plot_figure_free(s->figures[i]);
    for (size_t i = 0; i < s->name_count; i++)
        free(s->names[i]);
    for (ui_order *o = order_take(&s->orders); o; o = order_take(&s->orders))
        order_unref(o);
    forget_data(s);
    session_choose_path(s, NULL);
    session_choose_study(s, NULL);
    tm_dataset_unref(s->offered);
    mailbox_free(s->mailbox);
    scrollback_free(s->text);
    for (size_t i = 0; i < s->deleted_count; i++)
        tm_job_unref(s->deleted[i].job);
    stored_runs_free(&s->past);
    free(s->deleted);
    free(s->chunk);
    free(s->runs);
    free(s->figures);
    free(s->names);
    if (s->wake_fd >= 0)
        close(s->wake_fd);
    free(s);
}

/* ---- data ---------------------------------------------------------------------------------- */

tm_status session_explore(session *s, tm_dataset *data, tm_error *err)
{
    tm_dataset *train = NULL, *test = NULL;
    tm_split how = {.test = test_share, .stratify = tm_dataset_is_binary(data), .seed = s->seed};
    tm_status status = tm_dataset_split(&train, &test, data, &how, err);
    if (status == TM_ENOMEM)
        return status;
    if (status != TM_OK) { /* too few rows for two parts: explore without scores */
        train = tm_dataset_ref(data);
        test = NULL;
    }
    tm_dataset *kept = tm_dataset_ref(data);
    forget_data(s);
    session_choose_path(s, NULL);
    session_choose_study(s, NULL);
    s->data = kept;
    s->train = train;
    s->test = test;
    s->generation++;
    s->load_error = (tm_error)TM_ERROR_INIT;
    return TM_OK;
}

tm_status session_load(session *s, const char *path, const tm_params *reader, tm_error *err)
{
    loader_free(s->loader);
    s->loader = NULL;
    s->load_error = (tm_error)TM_ERROR_INIT;
    return loader_start(&s->loader, path, reader, s->seed, s->wake_fd, err);
}

double session_load_share(const session *s, const char **name)
{
    *name = s->loader ? loader_name(s->loader) : "";
    return s->loader ? loader_share(s->loader) : -1.0;
}

static void fail_loading(session *s, const tm_error *error)
{
    s->load_error = *error;
    session_note(s, LINE_ERROR, error->message);
}

static unsigned update_loader(session *s)
{
    tm_dataset *data = NULL;
    tm_status status;
    tm_error error = TM_ERROR_INIT;
    if (!s->loader)
        return 0;
    if (!loader_ended(s->loader, &data, &status, &error))
        return NEWS_DATA;
    loader_free(s->loader);
    s->loader = NULL;
    if (status == TM_OK) {
        status = session_explore(s, data, &error);
        const char *note = tm_dataset_note(data);
        if (note && note[0] != '\0')
            session_note(s, LINE_NOTE, note);
        tm_dataset_unref(data);
    }
    if (status != TM_OK) {
        fail_loading(s, &error);
        return NEWS_DATA | NEWS_TEXT | NEWS_FAILED;
    }
    return NEWS_DATA | NEWS_TEXT;
}

/* ---- news ---------------------------------------------------------------------------------- */

/* Takes in one letter; what the session keeps is taken out of it. */
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
        tm_dataset_unref(s->offered);
        s->offered = l->data;
        l->data = NULL;
        return NEWS_OFFER;
    case LETTER_ORDER:
        order_append(&s->orders, l->order);
        l->order = NULL;
        return NEWS_ORDER;
    case LETTER_ENDED:
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
    unsigned news = update_loader(s) | NEWS_RUNS | s->pending;
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
    tm_pool_acknowledge(s->pool);
    tm_pool_acknowledge(s->bench);
    tm_pool_acknowledge(s->study);
}

static size_t runs_left(const tm_pool *pool)
{
    size_t queued, running, ended;
    tm_pool_counts(pool, &queued, &running, &ended);
    return queued + running;
}

size_t session_runs_left(const session *s)
{
    return runs_left(s->pool);
}

bool session_busy(const session *s)
{
    return s->loader || script_busy(s->script) || runs_left(s->pool) > 0 || runs_left(s->bench) > 0;
}

/* ---- acting -------------------------------------------------------------------------------- */

tm_status session_submit(session *s, const char *text, tm_error *err)
{
    free(s->chunk);
    s->chunk = strdup(text);
    session_note(s, LINE_INPUT, text);
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
    if (s->loader) {
        tm_error error = {.code = TM_ECANCELLED};
        snprintf(error.message, sizeof error.message, "loading %.400s was cancelled",
                 loader_name(s->loader));
        loader_free(s->loader);
        s->loader = NULL;
        s->load_error = error;
        session_note(s, LINE_NOTE, error.message);
    }
    if (script_busy(s->script))
        script_interrupt(s->script);
    for (size_t i = 0; i < s->run_count; i++)
        tm_job_cancel(s->runs[i].job);
    return busy;
}

void session_note(session *s, line_kind kind, const char *text)
{
    scrollback_add(s->text, kind, text, strlen(text));
    scrollback_add(s->text, kind, "\n", 1);
}
