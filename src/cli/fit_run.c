#include "cli/fit_run.h"

#include "base/ranks/agree.h"
#include "cli/common/events.h"
#include "cli/common/settings.h"
#include "cli/common/wait.h"
#include "cli/fit/result.h"
#include "cli/fit/trace.h"
#include "cli/info.h"
#include "cli/print/messages.h"
#include "cli/ranks/resume.h"
#include "run/job.h"

#include "tamis/screen.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void tell_progress(const void *payload, char *text, size_t size)
{
    const tm_job *job = ((const fit_things *)payload)->job;
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
    return tm_job_ended(((const fit_things *)payload)->job);
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
        status[0] = cli_output_failed(errno, &why[0]);
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

/* ---- several processes ----------------------------------------------------------------------- */

static void cancel_job(void *payload)
{
    fit_things *things = payload;
    if (things->comm.module)
        cli_comm_stop(&things->comm, SIGINT);
    else
        tm_job_cancel(things->job);
}

void fit_lost(int rank, void *payload)
{
    fit_things *things = payload;
    const tm_point *points;
    cli_record *record = atomic_load(&things->record);
    const tm_job *job = atomic_load(&things->comm.job);
    bool kept = record && record->store && job && tm_job_point_count(job) > 1;
    if (record)
        cli_record_flush(record);
    fprintf(stderr, "tamis fit: process %d of %d was lost, and the run ends", rank + 1,
            things->comm.comm.size);
    if (kept)
        fprintf(stderr,
                "; %zu of %zu points are recorded: the same command with '--resume' goes on",
                tm_job_points(job, &points), tm_job_point_count(job));
    fputc('\n', stderr);
}

int fit_fail(const fit_things *things, const tm_error *err)
{
    /* Wrong usage and unsuitable data are found by all processes. */
    bool all = things->shared || err->code == TM_EUSAGE || err->code == TM_EDATA;
    if (!all || things->comm.comm.rank == 0)
        return cli_fail("fit", err);
    return err->code == TM_EUSAGE ? CLI_USAGE : CLI_FAILED;
}

tm_status fit_share(fit_things *things, tm_status status, tm_error *err)
{
    if (!things->comm.module)
        return status;
    status = comm_share(&things->comm.comm, status, err);
    things->shared = status != TM_OK;
    return status;
}

/* ---- the job --------------------------------------------------------------------------------- */

static tm_status begin_job(fit_things *things, tm_job_spec *spec, const fit_options *options,
                           cli_record *record, cli_events *events, tm_error *err)
{
    store_rest rest = {0};
    tm_status status = tm_pool_new(&things->pool, 1, cli_events_wake, events, err);
    if (status == TM_OK && options->resume)
        status = resume_find(spec, &rest, record, &things->comm, err);
    bool in_step = things->comm.module && !things->whole.condensed;
    const job_start start = {rest.points, rest.count, in_step};
    if (status == TM_OK && in_step)
        cli_comm_count_time(&things->comm);
    if (status == TM_OK)
        status = pool_submit_from(things->pool, spec, &start, &things->job, err);
    if (status == TM_OK) {
        atomic_store(&things->comm.job, things->job);
        if (rest.id)
            cli_record_continue(record, things->job, rest.id, rest.count);
        else
            cli_record_begin(record, things->job);
        atomic_store(&things->record, record);
    }
    store_rest_clear(&rest);
    return status;
}

static tm_status finish_job(fit_things *things, const fit_options *options,
                            const cli_context *context, tm_error *err)
{
    if (tm_job_get_state(things->job) == TM_JOB_FAILED) {
        *err = *tm_job_error(things->job);
        return err->code;
    }
    fit_result result = collect(things->job);
    result.whole = things->whole;
    tm_status status = hand_over(&result, options, context, err);
    if (things->comm.comm.rank > 0)
        return status;
    if (status == TM_OK && result.outcome == TM_MAX_ITER) {
        cli_remark(context, "%s", why_not_reached(tm_job_params(things->job), result.stop));
        remark_scale(things, context);
    }
    if (status == TM_OK && tm_job_early(things->job))
        cli_remark(context, "%s", tm_job_early(things->job));
    return status;
}

int fit_job(fit_things *things, const fit_options *options, const tm_method *method,
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
        status = begin_job(things, &spec, options, record, &events, &err);
    int interrupted = 0;
    if (status == TM_OK) {
        if (tm_job_remark(things->job))
            cli_remark(context, "%s", tm_job_remark(things->job));
        const cli_waited what = {things, job_ended, cancel_job, tell_progress};
        interrupted = cli_wait(&what, &events, things->pool, record, context);
        if (!interrupted)
            interrupted = atomic_load(&things->comm.stopped);
        status = finish_job(things, options, context, &err);
    }
    if (things->pool)
        tm_pool_free(things->pool);
    things->pool = NULL;
    cli_events_close(&events);
    if (status != TM_OK)
        return fit_fail(things, &err);
    if (interrupted && things->comm.comm.rank == 0)
        fprintf(stderr, "tamis fit: interrupted; the result is what was reached until then\n");
    return cli_finish("fit", interrupted ? 128 + interrupted : CLI_DONE);
}
