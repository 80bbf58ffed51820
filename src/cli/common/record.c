#include "cli/common/record.h"

#include "base/clock.h"
#include "cli/print/messages.h"
#include "run/store/resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between recordings of a running job's points; killing the program loses at most those of
 * one interval. */
static const double UPDATE_EVERY = 1;

static void tell(const cli_record *record, const tm_error *err)
{
    tm_error told;
    tm_fail(&told, err->code, "not recorded, though the run itself goes on: %s", err->message);
    cli_fail(record->command, &told);
}

/* Prints one line for the first failure only: a thousand runs of a script on a full disk fail for
 * the same reason. */
static void lose(cli_record *record, const tm_error *err)
{
    if (record->lost++ > 0)
        return;
    if (record->later) {
        record->first = *err;
        return;
    }
    tell(record, err);
}

static void open_store(cli_record *record, const char *path, tm_store_mode mode)
{
    tm_error err;
    pthread_mutex_init(&record->lock, NULL);
    if (path && tm_store_open(&record->store, strcmp(path, "default") == 0 ? NULL : path, mode,
                              &err) != TM_OK)
        lose(record, &err);
}

void cli_record_open(cli_record *record, const char *command, const char *path, bool shared)
{
    *record = (cli_record){.command = command};
    open_store(record, path, shared ? TM_STORE_SHARED : TM_STORE_WRITE);
}

void cli_record_open_later(cli_record *record, const char *path)
{
    *record = (cli_record){.later = true};
    open_store(record, path, TM_STORE_WRITE);
}

/* Makes room for one more run, before anything of it is written. */
static tm_status reserve(cli_record *record, tm_error *err)
{
    if (record->count < record->capacity)
        return TM_OK;
    size_t capacity = record->capacity ? record->capacity * 2 : 16;
    cli_recorded *more = reallocarray(record->runs, capacity, sizeof *more);
    if (!more)
        return tm_fail_memory(err, "the runs to record");
    record->runs = more;
    record->capacity = capacity;
    return TM_OK;
}

/* `id` 0: a new run; else one that goes on after `known` points. */
static void begin(cli_record *record, const tm_job *job, int64_t id, size_t known)
{
    tm_error err;
    if (!record->store)
        return;
    pthread_mutex_lock(&record->lock);
    tm_status status = reserve(record, &err);
    if (status == TM_OK)
        status = id ? store_continue(record->store, id, job, known, &err)
                    : tm_store_begin(record->store, job, &id, &err);
    if (status == TM_OK)
        record->runs[record->count++] = (cli_recorded){tm_job_ref(job), id};
    else
        lose(record, &err);
    pthread_mutex_unlock(&record->lock);
}

void cli_record_begin(cli_record *record, const tm_job *job)
{
    begin(record, job, 0, 0);
}

void cli_record_continue(cli_record *record, const tm_job *job, int64_t id, size_t known)
{
    begin(record, job, id, known);
}

/* Removes an ended run from the list. */
static void finish(cli_record *record, size_t i)
{
    tm_error err;
    cli_recorded run = record->runs[i];
    record->runs[i] = record->runs[--record->count];
    if (tm_store_finish(record->store, run.id, run.job, &err) != TM_OK)
        lose(record, &err);
    tm_job_unref(run.job);
}

static void record_points(cli_record *record, double interval)
{
    tm_error err;
    pthread_mutex_lock(&record->lock);
    bool update = clock_now() - record->updated >= interval;
    for (size_t i = record->count; i-- > 0;) {
        const cli_recorded *run = &record->runs[i];
        if (tm_job_ended(run->job))
            finish(record, i);
        else if (update && tm_store_update(record->store, run->id, run->job, &err) != TM_OK)
            update = false; /* the end of the run tries again and reports the failure */
    }
    if (update)
        record->updated = clock_now();
    pthread_mutex_unlock(&record->lock);
}

void cli_record_sweep(cli_record *record)
{
    record_points(record, UPDATE_EVERY);
}

void cli_record_flush(cli_record *record)
{
    record_points(record, 0);
}

void cli_record_lose(cli_record *record, const tm_error *err)
{
    pthread_mutex_lock(&record->lock);
    lose(record, err);
    pthread_mutex_unlock(&record->lock);
}

bool cli_record_pending(cli_record *record)
{
    pthread_mutex_lock(&record->lock);
    bool pending = record->count > 0;
    pthread_mutex_unlock(&record->lock);
    return pending;
}

int cli_record_close(cli_record *record, int status)
{
    cli_record_sweep(record);
    /* Jobs that have not ended were never started. */
    for (size_t i = 0; i < record->count; i++)
        tm_job_unref(record->runs[i].job);
    if (record->later && record->lost > 0)
        tell(record, &record->first);
    if (record->store && record->lost > 1)
        fprintf(stderr, "tamis%s%s: %zu runs are not recorded, or not wholly\n",
                record->command ? " " : "", record->command ? record->command : "", record->lost);
    tm_store_close(record->store);
    free(record->runs);
    pthread_mutex_destroy(&record->lock);
    return status == CLI_DONE && record->lost > 0 ? CLI_FAILED : status;
}
