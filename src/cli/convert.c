/* tamis convert: a data file in another format. */

#include "base/text.h"
#include "cli/commands.h"
#include "cli/common/events.h"
#include "cli/common/load.h"
#include "cli/common/options.h"
#include "cli/print/messages.h"
#include "cli/ranks/shard.h"
#include "data/read/common/format.h"
#include "data/read/csv/csv.h"
#include "tamis/writer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writing runs on a thread of its own, so that a signal can cancel it without leaving a
 * half-written file. */
typedef struct writing {
    const tm_dataset *data;
    const char *path;
    tm_write_options options;
    cli_events events;
    tm_status status;
    tm_error err;
    pthread_mutex_t lock;
    bool done;
} writing;

static void *write_data(void *payload)
{
    writing *task = payload;
    task->status = tm_write(task->data, task->path, &task->options, &task->err);
    pthread_mutex_lock(&task->lock);
    task->done = true;
    pthread_mutex_unlock(&task->lock);
    cli_events_wake(&task->events);
    return NULL;
}

static bool is_done(writing *task)
{
    pthread_mutex_lock(&task->lock);
    bool done = task->done;
    pthread_mutex_unlock(&task->lock);
    return done;
}

/* The first signal cancels the writing and is returned. */
static int wait_for(writing *task)
{
    int first = 0;
    while (!is_done(task)) {
        int number = cli_events_wait(&task->events, -1, 100, NULL);
        if (number && !first) {
            first = number;
            tm_cancel_set(task->options.cancel);
        }
    }
    return first;
}

static int write_with_events(writing *task)
{
    pthread_t thread;
    pthread_mutex_init(&task->lock, NULL);
    if (pthread_create(&thread, NULL, write_data, task) != 0) {
        tm_fail(&task->err, TM_ENOMEM, "no thread could be started");
        return cli_fail("convert", &task->err);
    }
    int signal = wait_for(task);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&task->lock);
    if (task->status == TM_OK)
        return CLI_DONE;
    return task->status == TM_ECANCELLED && signal ? 128 + signal : cli_fail("convert", &task->err);
}

/* Reports what the format cannot hold. */
static void remark_losses(const tm_dataset *data, const tm_writer_info *writer,
                          const cli_context *context)
{
    bool named = tm_dataset_feature_name(data, 0) || tm_dataset_response_name(data);
    if (!writer->names && named)
        cli_remark(context, "%s has no place for the names of the columns", writer->id);
    for (size_t j = 0; writer->names && j < tm_dataset_cols(data); j++) {
        const char *name = tm_dataset_feature_name(data, j);
        if (name && read_csv_usual_response(name)) {
            cli_remark(context, "a feature is called %.60s: read the file with --label %zu", name,
                       tm_dataset_cols(data) + 1);
            break;
        }
    }
    if (!writer->text_labels && tm_dataset_is_binary(data) && !tm_writer_numeric_labels(data))
        cli_remark(context, "%s has no place for words: %.60s is written as -1, %.60s as 1",
                   writer->id, tm_dataset_label(data, -1), tm_dataset_label(data, 1));
    size_t classes;
    const char *const *words = tm_dataset_class_names(data, &classes);
    if (!writer->text_labels && words)
        cli_remark(context,
                   "%s has no place for words: %.60s is written as 1, %.60s as 2, and so on",
                   writer->id, words[0], words[1]);
}

static int convert(const tm_dataset *data, const char *path, const char *format)
{
    writing task = {.data = data, .path = path};
    tm_error err;
    task.options.format = format;
    task.options.cancel = tm_cancel_new();
    if (!task.options.cancel) {
        tm_fail_memory(&err, "a cancel token");
        return cli_fail("convert", &err);
    }
    int result;
    if (cli_events_open(&task.events, false, &err) != TM_OK) {
        result = cli_fail("convert", &err);
    } else {
        result = write_with_events(&task);
        cli_events_close(&task.events);
    }
    tm_cancel_free(task.options.cancel);
    return result;
}

/* Writes the parts of the data that the processes of a fit read, one file each. */
static int convert_parts(const tm_dataset *data, const char *path, const char *format,
                         const tm_part *parts)
{
    tm_error err;
    int result = CLI_DONE;
    for (size_t k = 1; k <= parts->count && result == CLI_DONE; k++) {
        tm_dataset *part = NULL;
        const tm_part which = {parts->rows, k, parts->count};
        char *file = shard_file(path, k, parts->count);
        tm_status status = file ? tm_dataset_part(&part, data, &which, &err)
                                : tm_fail_memory(&err, "the name of a file");
        result = status == TM_OK ? convert(part, file, format) : cli_fail("convert", &err);
        tm_dataset_unref(part);
        free(file);
    }
    return result;
}

/* What `--shards` and `--shard-by` ask for; count 0: one file. */
static tm_status read_parts(tm_part *out, const char *count, const char *by,
                            const tm_writer_info *writer, tm_error *err)
{
    long number = 0;
    *out = (tm_part){.rows = by && strcmp(by, "rows") == 0};
    if (by && !count)
        return tm_fail(err, TM_EUSAGE, "'--shard-by' needs '--shards N' too");
    if (by && !out->rows && strcmp(by, "columns") != 0)
        return tm_fail(err, TM_EUSAGE, "'--shard-by' is '%.40s'; expected columns or rows", by);
    if (!count)
        return TM_OK;
    if (!text_to_long(count, &number) || number < 1)
        return tm_fail(err, TM_EUSAGE, "'--shards' is '%.40s'; expected a number of files", count);
    if (!writer->notes)
        return tm_fail(err, TM_EUSAGE,
                       "'--shards' writes .tam files: name OUT so, or add '--to "
                       "tam'");
    out->count = (size_t)number;
    return TM_OK;
}

int cli_convert(cli_context *context, int argc, char **argv)
{
    const char *format = NULL, *shards = NULL, *by = NULL;
    char ids[128], endings[128], to[160], summary[512];
    snprintf(to, sizeof to, "format of OUT: %s", tm_writer_list(false, ids, sizeof ids));
    snprintf(summary, sizeof summary,
             "Writes the data of IN ('-': standard input) to OUT ('-': standard output). The "
             "format of OUT is that of its name (%s), compressed when the name goes on with .gz, "
             ".bz2, .xz, .zst or .lz4. mtx and npy keep the response in a second file: x.npy in "
             "x_response.npy.",
             tm_writer_list(true, endings, sizeof endings));
    const cli_option options[] = {
        {"to", "FORMAT", to, NULL, &format},
        {"shards", "N", "N files for N processes: OUT.tam becomes OUT.1ofN.tam ...", NULL, &shards},
        {"shard-by", "WHAT", "what '--shards' divides: columns (default) or rows", NULL, &by},
    };
    cli_syntax syntax = {
        .command = "convert",
        .no_store = true,
        .usage = "convert IN OUT [OPTION...]",
        .summary = summary,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .params_title = {"data options (of IN)"},
    };
    cli_arguments arguments;
    tm_dataset *data = NULL;
    const tm_writer_info *writer;
    tm_part parts = {0};
    tm_error err;
    int result;
    if (cli_reader_params_new(&syntax.params[0], &err) != TM_OK) {
        result = cli_fail("convert", &err);
        goto done;
    }
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &result))
        goto done;
    if (arguments.count != 2) {
        result = cli_usage("convert", "name a data file and a new one: tamis convert IN OUT");
        goto done;
    }
    writer = tm_writer_find(arguments.words[1], format, &err);
    if (!writer || read_parts(&parts, shards, by, writer, &err) != TM_OK ||
        cli_load(&data, arguments.words[0], syntax.params[0], context, &err) != TM_OK) {
        result = cli_fail("convert", &err);
        goto done;
    }
    result = parts.count ? convert_parts(data, arguments.words[1], format, &parts)
                         : convert(data, arguments.words[1], format);
    if (result == CLI_DONE)
        remark_losses(data, writer, context);
done:
    tm_dataset_unref(data);
    tm_params_free(syntax.params[0]);
    return result;
}
