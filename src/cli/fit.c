/* tamis fit: one job, from a file to its answer. */
#include "cli/fit.h"

#include "cli/commands.h"
#include "cli/common/events.h"
#include "cli/common/load.h"
#include "cli/common/options.h"
#include "cli/common/ranks.h"
#include "cli/common/record.h"
#include "cli/common/settings.h"
#include "cli/common/shard.h"
#include "cli/common/wait.h"
#include "cli/fit_classes.h"
#include "cli/fit_trace.h"
#include "cli/info.h"
#include "cli/print/messages.h"

#include "tamis/screen.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fit_options {
    const char *method, *test, *model, *trace, *steps;
    const char *test_response; /* file of its response, or NULL */
    const char *class;         /* label of the class that is taken against the rest, or NULL */
    const char *bags, *test_bags, *sigma, *tags, *note;
    const char *holdout; /* share of the rows to hold out for scores, or NULL */
    bool json, shard_columns, shard_rows, one_vs_rest;
} fit_options;

/* The objects that are freed at the end. */
typedef struct fit_things {
    tm_params *reader, *params;
    tm_dataset *train, *test;
    tm_pool *pool;
    tm_job *job;
    tm_annotation annotation;
    cli_comm comm;
    shard_size whole; /* the rows of all processes, if these were condensed */
} fit_things;

static void things_free(fit_things *things)
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
    cli_comm_close(&things->comm);
}

/* ---- the run ------------------------------------------------------------------------------- */

static void tell_progress(const void *payload, char *text, size_t size)
{
    const tm_job *job = payload;
    const tm_event *events;
    const tm_point *points;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    size_t asked = tm_job_point_count(job), done = tm_job_points(job, &points);
    size_t used = (size_t)snprintf(text, size, "%s: %.1f s", tm_method_id(tm_job_method(job)),
                                   tm_job_seconds(job));
    if (asked > 1 && used < size)
        used += (size_t)snprintf(text + used, size - used, ", %zu of %zu lambdas", done, asked);
    if (count > 0 && used < size)
        snprintf(text + used, size - used, ", gap %.2g, %llu active", events[count - 1].gap,
                 (unsigned long long)events[count - 1].active);
}

static bool job_ended(const void *payload)
{
    return tm_job_ended(payload);
}

static void cancel_job(void *payload)
{
    tm_job_cancel(payload);
}

static fit_result collect(const tm_job *job)
{
    fit_result result = {.job = job, .outcome = TM_CONVERGED};
    result.point_count = tm_job_points(job, &result.points);
    result.path = tm_job_point_count(job) > 1 || tm_job_early(job);
    for (size_t i = 0; i < result.point_count; i++)
        if (result.points[i].solution.outcome >= result.outcome) {
            result.outcome = result.points[i].solution.outcome;
            result.stop = result.points[i].solution.stop;
        }
    if (tm_job_get_state(job) == TM_JOB_CANCELLED) {
        result.outcome = TM_CANCELLED;
        result.stop = TM_STOP_NONE;
    }
    return result;
}

/* Checks with an empty model whether models of the training data can be scored on the test data, so
 * that a long run does not fail at its end. */
static tm_status check_test(const fit_things *things, const tm_method *method, tm_error *err)
{
    double value;
    tm_model *model = NULL;
    const tm_model_parts none = {.method = tm_method_id(method), .lambda = NAN};
    if (!things->test)
        return TM_OK;
    tm_status status = tm_model_new_features(&model, things->train, &none, err);
    if (status == TM_OK) {
        tm_scorer scorer = tm_scorer_default(tm_model_is_binary(model));
        status = tm_model_score(model, things->test, &scorer, &value, err);
    }
    tm_model_unref(model);
    return status;
}

static tm_status hand_over(const fit_result *result, const fit_options *options,
                           const cli_context *context, tm_error *err)
{
    /* Every output is tried, so that one that cannot be written does not prevent the others; the
     * page is printed before the files. The first failure is reported. */
    tm_error why[4];
    tm_status status[4] = {TM_OK, TM_OK, TM_OK, TM_OK};
    cli_terminal terminal = cli_terminal_find(context);
    status[0] = options->json ? fit_print_json(result, &why[0])
                              : fit_print_page(result, &terminal, &why[0]);
    errno = 0;
    if (status[0] == TM_OK && fflush(stdout) != 0 && errno != EPIPE)
        status[0] =
            tm_fail(&why[0], TM_EIO, "writing to standard output failed: %s", strerror(errno));
    if (options->trace)
        status[1] = fit_write_trace(options->trace, tm_job_trace(result->job), &why[1]);
    if (options->model && result->point_count > 0)
        status[2] = tm_model_save(result->points[result->point_count - 1].solution.model,
                                  options->model, &why[2]);
    if (options->steps)
        status[3] = fit_write_steps(options->steps, result->job, &why[3]);
    for (size_t k = 0; k < 4; k++)
        if (status[k] != TM_OK) {
            *err = why[k];
            return status[k];
        }
    return TM_OK;
}

/* Whether the run has a limit on the number of features. */
static bool limits_features(const tm_params *params)
{
    static const char *const names[] = {"T", "features", "change"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (tm_params_find(params, names[k], NULL) && tm_params_given(params, names[k]))
            return tm_params_find(params, "T", NULL) != NULL;
    return false;
}

/* Why a run did not reach its gap. */
static const char *why_not_reached(const tm_params *params, tm_stop stop)
{
    const tm_screen_info *screen = NULL;
    if (tm_params_find(params, "screen", NULL))
        screen = tm_screen_find(tm_params_text(params, "screen"), NULL);
    if (screen && strcmp(screen->safe, "no") == 0)
        return "the gap was not reached: this strategy is not safe, and features that it never "
               "looked at again may be missing from the answer";
    if (limits_features(params))
        return "stopped as told by T, features or change: the gap is how far from the optimum the "
               "answer is at most";
    return stop == TM_STOP_ITER      ? "stopped by max_iter before the gap was reached"
           : stop == TM_STOP_SECONDS ? "stopped by max_seconds before the gap was reached"
                                     : "stopped by the limit of rounding before the gap was "
                                       "reached: more iterations do not lower it";
}

/* Whether standardisation affects the result: kernels rescale every column themselves. */
static bool could_standardize(const tm_params *params)
{
    if (!tm_params_find(params, "standardize", NULL) || tm_params_bool(params, "standardize"))
        return false;
    const char *source =
        tm_params_find(params, "source", NULL) ? tm_params_text(params, "source") : "columns";
    return strcmp(source, "hik") != 0 && strcmp(source, "additive") != 0;
}

/* The gradient steps of a master problem are limited by the largest column, and the smallest one
 * then needs many of them. */
static void remark_scale(const fit_things *things, const cli_context *context)
{
    double least, greatest;
    const tm_params *params = things->params;
    if (!tm_params_find(params, "master", NULL) || !could_standardize(params) ||
        limits_features(params))
        return;
    if (info_deviations(things->train, &least, &greatest))
        cli_remark(context,
                   "the columns' deviations differ by a factor of %.2g, which costs many steps: "
                   "consider --standardize true",
                   greatest / least);
}

/* A single run can use all cores: its passes are divided among as many threads as --jobs allows. */
static tm_status share_cores(tm_params *params, const cli_context *context, tm_error *err)
{
    static const int most = 256;
    int jobs = cli_jobs(context);
    if (!tm_params_find(params, "threads", NULL) || tm_params_given(params, "threads"))
        return TM_OK;
    return tm_params_set_int(params, "threads", jobs < most ? jobs : most, err);
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

static int fit_job(fit_things *things, const fit_options *options, const tm_method *method,
                   cli_record *record, const cli_context *context)
{
    cli_events events;
    tm_error err;
    if (cli_events_open(&events, false, &err) != TM_OK)
        return cli_fail("fit", &err);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    spec.method = method;
    spec.params = things->params;
    spec.train = things->train;
    spec.test = things->test;
    spec.annotation = &things->annotation;
    spec.log_room = options->steps ? TM_SCREEN_LOG_ROOM : 0;
    tm_status status = share_cores(things->params, context, &err);
    if (status == TM_OK)
        status = check_test(things, method, &err);
    if (status == TM_OK)
        status = tm_pool_new(&things->pool, 1, cli_events_wake, &events, &err);
    if (status == TM_OK)
        status = tm_pool_submit(things->pool, &spec, &things->job, &err);
    int interrupted = 0;
    if (status == TM_OK) {
        cli_record_begin(record, things->job);
        if (tm_job_remark(things->job))
            cli_remark(context, "%s", tm_job_remark(things->job));
        const cli_waited what = {things->job, job_ended, cancel_job, tell_progress};
        interrupted = cli_wait(&what, &events, things->pool, record, context);
        if (tm_job_get_state(things->job) == TM_JOB_FAILED) {
            err = *tm_job_error(things->job);
            status = err.code;
        }
    }
    if (status == TM_OK) {
        fit_result result = collect(things->job);
        result.whole = things->whole;
        status = hand_over(&result, options, context, &err);
        if (status == TM_OK && result.outcome == TM_MAX_ITER) {
            cli_remark(context, "%s", why_not_reached(tm_job_params(things->job), result.stop));
            remark_scale(things, context);
        }
        if (status == TM_OK && tm_job_early(things->job))
            cli_remark(context, "%s", tm_job_early(things->job));
    }
    if (things->pool)
        tm_pool_free(things->pool);
    things->pool = NULL;
    cli_events_close(&events);
    if (status != TM_OK)
        return cli_fail("fit", &err);
    if (interrupted)
        fprintf(stderr, "tamis fit: interrupted; the result is what was reached until then\n");
    return cli_finish("fit", interrupted ? 128 + interrupted : CLI_DONE);
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

/* The option given that cannot be used with condensed rows. */
static const char *not_with_rows(const fit_options *options)
{
    return options->shard_columns ? "shard-columns"
           : options->test        ? "test"
           : options->holdout     ? "holdout"
           : options->bags        ? "bags"
           : options->class       ? "class"
                                  : NULL;
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
    if (options->shard_rows && not_with_rows(options))
        return cli_usage("fit", "'--shard-rows' and '--%s' do not go together",
                         not_with_rows(options));
    if ((options->shard_columns || options->shard_rows) &&
        cli_comm_open(&things->comm, &err) != TM_OK)
        return cli_fail("fit", &err);
    if (fit_check_writable("model", options->model, &err) != TM_OK ||
        fit_check_writable("trace", options->trace, &err) != TM_OK ||
        fit_check_writable("steps", options->steps, &err) != TM_OK)
        return cli_fail("fit", &err);
    if (cli_read_bags(things->reader, options->bags, &err) != TM_OK ||
        shard_load(&things->train, path, things->reader, &things->comm, context, &err) != TM_OK)
        return err.message[0] ? cli_fail("fit", &err) : CLI_FAILED;
    const shard_fit fit = {method, things->params, options->shard_rows};
    if (prepare_data(things, options, context, &err) != TM_OK ||
        shard_data(&things->train, &things->whole, &fit, &things->comm, context, &err) != TM_OK ||
        annotate(things, options, context, &err) != TM_OK)
        return cli_fail("fit", &err);
    cli_record record;
    cli_record_open(&record, "fit", things->comm.comm.rank > 0 ? NULL : cli_store(context), false);
    tm_job_spec spec = {.method = method, .params = things->params, .train = things->train};
    spec.test = things->test;
    spec.annotation = &things->annotation;
    int status = options->one_vs_rest ? fit_all_classes(&spec, options->json, &record, context)
                                      : fit_job(things, options, method, &record, context);
    if (options->shard_columns && status == CLI_DONE)
        shard_tell_traffic(things->train, &things->comm, context);
    return cli_record_close(&record, status);
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
        return cli_usage("fit", "name a method with '--method M'; 'tamis methods' lists them");
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
        {"shard-rows", NULL, "under mpirun: each process reads some of the rows, for squared loss",
         &given.shard_rows, NULL},
        {"trace", "OUT.csv", "write what the run did, step by step", NULL, &given.trace},
        {"steps", "OUT.csv", "write what screening found of each feature, step by step", NULL,
         &given.steps},
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
    things_free(&things);
    return status;
}
