/* tamis fit: one job, from a file to its answer. */
#include "cli/fit/result.h"

#include "cli/commands.h"
#include "cli/common/load.h"
#include "cli/common/options.h"
#include "cli/common/ranks.h"
#include "cli/common/record.h"
#include "cli/common/settings.h"
#include "cli/fit/trace.h"
#include "cli/fit_classes.h"
#include "cli/fit_run.h"
#include "cli/info.h"
#include "cli/print/messages.h"
#include "cli/ranks/shard.h"
#include "solve/common/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void things_free(fit_things *things, bool failed)
{
    if (things->job)
        tm_job_unref(things->job);
    if (things->pool)
        tm_pool_free(things->pool);
    if (things->train)
        tm_dataset_unref(things->train);
    if (things->test)
        tm_dataset_unref(things->test);
    tm_params_free(things->params);
    tm_params_free(things->reader);
    tm_annotation_clear(&things->annotation);
    cli_comm_close(&things->comm, failed);
}

/* Sets tags and note, which only a store uses. */
static tm_status annotate(fit_things *things, const fit_options *options,
                          const cli_context *context, tm_error *err)
{
    tm_status status = TM_OK;
    char *tags = strdup(options->tags ? options->tags : ""), *rest = tags;
    if (!tags)
        return tm_fail_memory(err, "tags");
    if ((options->tags || options->note) && !cli_store(context))
        status = tm_fail(err, TM_EUSAGE, "'--%s' is for recorded runs: add '--store FILE'",
                         options->tags ? "tags" : "note");
    for (char *tag; status == TM_OK && options->tags && (tag = strsep(&rest, ","));)
        status = tm_annotation_add(&things->annotation, tag, err);
    free(tags);
    return status == TM_OK ? tm_annotation_set_note(&things->annotation, options->note, err)
                           : status;
}

/* ---- the command line ---------------------------------------------------------------------- */

static const char *method_names(char *buffer, size_t size)
{
    size_t used = (size_t)snprintf(buffer, size, "the method:");
    for (size_t i = 0; tm_methods_at(i) && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s %s", i ? "," : "",
                                 tm_method_id(tm_methods_at(i)));
    return buffer;
}

/* Replaces rows of instances by rows of bags; for the test data, with the training data's
 * instances. */
static tm_status take_bags(fit_things *things, const fit_options *options, tm_error *err)
{
    tm_dataset *concepts = NULL;
    const char *test_bags = options->test_bags ? options->test_bags : options->bags;
    tm_status status = fit_take_bags(&things->train, &concepts, options->bags, options->sigma, err);
    if (status == TM_OK && things->test)
        status = fit_take_bags(&things->test, &concepts, test_bags, options->sigma, err);
    tm_dataset_unref(concepts);
    return status;
}

/* Takes one class against the rest if requested; test data may lack it. */
static tm_status take_class(fit_things *things, const fit_options *options, tm_error *err)
{
    if (!options->class)
        return TM_OK;
    tm_status status = fit_take_class(&things->train, options->class, false, err);
    if (status == TM_OK && things->test)
        status = fit_take_class(&things->test, options->class, true, err);
    return status;
}

/* The option given that is about one class only. */
static const char *of_one_class(const fit_options *options)
{
    return options->class           ? "class"
           : options->model         ? "model"
           : options->trace         ? "trace"
           : options->steps         ? "steps"
           : options->shard_columns ? "shard-columns"
           : options->shard_rows    ? "shard-rows"
                                    : NULL;
}

/* The option given that cannot be used with rows of several processes. */
static const char *not_with_rows(const fit_options *options)
{
    return options->shard_columns ? "shard-columns" : options->bags ? "bags" : NULL;
}

/* Rows in files of their own would be held out by each process for itself; condensed rows of two
 * classes have lost them. */
static tm_status check_rows(const fit_things *things, const fit_options *options,
                            const tm_method *method, tm_error *err)
{
    if (!options->shard_rows)
        return TM_OK;
    if (options->holdout && shard_is_part(things->train))
        return tm_fail(err, TM_EUSAGE,
                       "'--holdout' needs all rows in one file: use '--test FILE' with files of "
                       "parts");
    bool tested = options->test || options->holdout;
    if ((options->class || (tested && tm_dataset_is_binary(things->train))) &&
        method_uses_sums(method, things->params))
        return tm_fail(err, TM_EUSAGE,
                       "'--shard-rows' with the squared loss has no classes to test: use "
                       "'--method l1logistic' or l1svm");
    return TM_OK;
}

/* The test rows, and the response and rows that the options choose of the data. */
static tm_status prepare_data(fit_things *things, const fit_options *options,
                              const cli_context *context, tm_error *err)
{
    tm_status status = TM_OK;
    if (options->test)
        status = cli_load_test(&things->test, options->test, things->reader, options->test_response,
                               things->train, context, err);
    if (status == TM_OK && options->bags)
        status = take_bags(things, options, err);
    if (status == TM_OK)
        status = take_class(things, options, err);
    if (status == TM_OK && options->holdout)
        status = cli_hold_out(&things->train, &things->test, options->holdout, context, err);
    return status;
}

/* All processes fail when one does. */
static tm_status load_data(fit_things *things, const fit_options *options, const tm_method *method,
                           const char *path, const cli_context *context, tm_error *err)
{
    const shard_fit fit = {method, things->params, options->shard_rows};
    tm_status status = cli_read_bags(things->reader, options->bags, err);
    if (status == TM_OK)
        status = shard_load(&things->train, path, things->reader, &things->comm, context, err);
    status = fit_share(things, status, err);
    if (status == TM_OK)
        status = fit_share(things, check_rows(things, options, method, err), err);
    if (status == TM_OK)
        status = fit_share(things, prepare_data(things, options, context, err), err);
    if (status == TM_OK)
        status = fit_share(
            things, shard_data(&things->train, &things->whole, &fit, &things->comm, context, err),
            err);
    return status == TM_OK ? fit_share(things, annotate(things, options, context, err), err)
                           : status;
}

static int fit_checked(fit_things *things, const fit_options *options, const tm_method *method,
                       const cli_arguments *arguments, const cli_context *context)
{
    tm_error err;
    if (arguments->count != 1)
        return cli_usage("fit",
                         arguments->count ? "one data file at a time, not '%.100s' too"
                                          : "name a data file: tamis fit FILE --method M%s",
                         arguments->count ? arguments->words[1] : "");
    const char *path = arguments->words[0];
    if (options->test && strcmp(options->test, "-") == 0 && strcmp(path, "-") == 0)
        return cli_usage("fit", "FILE and '--test' cannot both be standard input");
    if (options->holdout && (options->test || options->bags))
        return cli_usage("fit", "'--holdout' and '--%s' do not go together",
                         options->test ? "test" : "bags");
    if (options->test_response && !options->test)
        return cli_usage("fit", "'--test-response' is the response of '--test', which is missing");
    if (!options->bags != !options->sigma)
        return cli_usage("fit", "'--%s' needs '--%s' too", options->bags ? "bags" : "bags-sigma",
                         options->bags ? "bags-sigma" : "bags");
    if (options->one_vs_rest && of_one_class(options))
        return cli_usage("fit", "'--%s' is about one class; '--one-vs-rest' fits all of them",
                         of_one_class(options));
    if (options->resume && (!cli_store(context) || options->one_vs_rest))
        return cli_usage("fit", options->one_vs_rest
                                    ? "'--resume' and '--one-vs-rest' do not go together"
                                    : "'--resume' is for recorded paths: add '--store FILE'");
    if (options->shard_rows && not_with_rows(options))
        return cli_usage("fit", "'--shard-rows' and '--%s' do not go together",
                         not_with_rows(options));
    if ((options->shard_columns || options->shard_rows) &&
        (cli_comm_open(&things->comm, &err) != TM_OK ||
         cli_comm_watch(&things->comm, fit_lost, things, &err) != TM_OK))
        return cli_fail("fit", &err);
    if (fit_check_writable("model", options->model, &err) != TM_OK ||
        fit_check_writable("trace", options->trace, &err) != TM_OK ||
        fit_check_writable("steps", options->steps, &err) != TM_OK)
        return cli_fail("fit", &err);
    if (load_data(things, options, method, path, context, &err) != TM_OK)
        return fit_fail(things, &err);
    cli_record record;
    cli_record_open(&record, "fit", things->comm.comm.rank > 0 ? NULL : cli_store(context), false);
    tm_job_spec spec = {.method = method, .params = things->params, .train = things->train};
    spec.test = things->test;
    spec.annotation = &things->annotation;
    int code = options->one_vs_rest ? fit_all_classes(&spec, options->json, &record, context)
                                    : fit_job(things, options, method, &record, context);
    if (things->comm.module && !things->whole.condensed && code == CLI_DONE)
        shard_tell_traffic(things->train, &things->comm, context);
    atomic_store(&things->record, NULL);
    return cli_record_close(&record, code);
}

/* Parses the options, which depend on the method, and fits. */
static int fit_with(cli_syntax *syntax, fit_things *things, fit_options *given,
                    cli_context *context, int argc, char **argv)
{
    char title[64];
    tm_error err;
    const char *id = cli_peek(syntax, argc, argv, "method");
    const tm_method *method = id ? tm_method_find(id, &err) : NULL;
    if (id && !method)
        return cli_fail("fit", &err);
    if (cli_reader_params_new(&things->reader, &err) != TM_OK ||
        (method && tm_method_params_new(&things->params, method, &err) != TM_OK))
        return cli_fail("fit", &err);
    snprintf(title, sizeof title, "parameters of %s", method ? tm_method_id(method) : "");
    syntax->params[0] = things->params;
    syntax->params[1] = things->reader;
    syntax->params_title[0] = title;
    cli_arguments arguments;
    tm_status status = cli_parse(syntax, context, argc, argv, &arguments, &err);
    if (status == TM_OK && arguments.help) {
        cli_print_help(syntax, context);
        return cli_finish("fit", CLI_DONE);
    }
    if (!method)
        return cli_missing(syntax, argc, argv, "method",
                           "name a method with '--method M'; 'tamis methods' lists them");
    if (status != TM_OK)
        return cli_fail("fit", &err);
    if ((given->shard_columns || given->shard_rows) && cli_ranks_find().rank > 0)
        given->model = given->trace = given->steps = NULL; /* the first rank writes them */
    return fit_checked(things, given, method, &arguments, context);
}

int cli_fit(cli_context *context, int argc, char **argv)
{
    fit_options given = {0};
    fit_things things = {0};
    char names[512];
    const cli_option options[] = {
        {"method", "M", method_names(names, sizeof names), NULL, &given.method},
        {"test", "FILE2", "score on these data too", NULL, &given.test},
        {"test-response", "FILE3", "file of the response of FILE2, as '--response' for FILE", NULL,
         &given.test_response},
        {"holdout", "SHARE", "score on this share of FILE's rows, which are left out of the fit",
         NULL, &given.holdout},
        {"json", NULL, "print one JSON object", &given.json, NULL},
        {"model", "OUT", "save the model (of a path: that of the last lambda)", NULL, &given.model},
        {"shard-columns", NULL, "under mpirun: deal the columns out over the processes",
         &given.shard_columns, NULL},
        {"shard-rows", NULL, "under mpirun: each process reads some of the rows", &given.shard_rows,
         NULL},
        {"trace", "OUT.csv", "write what the run did, step by step", NULL, &given.trace},
        {"steps", "OUT.csv", "write what screening found of each feature, step by step", NULL,
         &given.steps},
        {"resume", NULL, "with '--store': go on with a path that was interrupted or cancelled",
         &given.resume, NULL},
        {"tags", "A,B", "with '--store': words that 'tamis runs --tag' finds it by", NULL,
         &given.tags},
        {"note", "TEXT", "with '--store': what is to be known of it", NULL, &given.note},
        {"class", "LABEL", "of several classes this one against the rest", NULL, &given.class},
        {"bags", "BAGS", "rows are instances of bags: the bag's column (name or number), or a file",
         NULL, &given.bags},
        {"bags-sigma", "S", "width of the similarity that makes features of bags (MILES)", NULL,
         &given.sigma},
        {"test-bags", "FILE", "the bags of FILE2, where '--bags' is a file", NULL,
         &given.test_bags},
        {"one-vs-rest", NULL, "each class against the rest, with a table and averages",
         &given.one_vs_rest, NULL},
    };
    cli_syntax syntax = {
        .command = "fit",
        .usage = "fit FILE --method M [--PARAM VALUE]... [OPTION...]",
        .summary = "Fits a method to the data in FILE ('-': standard input) and prints the answer "
                   "with its certificate. With several values of lambda the answer is that of the "
                   "last one, and a table has them all. Ctrl-C stops the run and prints what it "
                   "has reached.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .params_title = {NULL, "data options"},
    };
    int status = fit_with(&syntax, &things, &given, context, argc, argv);
    things_free(&things, status == CLI_FAILED || status == CLI_USAGE);
    return status;
}
