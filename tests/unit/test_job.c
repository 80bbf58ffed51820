/* Jobs and pools: every state, every way to end, and what may be read meanwhile. */
#include "random_data.h"
#include "tests/core_check.h"

#include "base/clock.h"
#include "solve/common/method.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- a method that does as it is told ------------------------------------------------------ */

/* What a script does is chosen by max_iter. */
enum { QUICK = 1, UNTIL_OPEN, FAIL_AT_SECOND, FAIL_AT_ONCE };

static atomic_bool gate;    /* lets UNTIL_OPEN end */
static atomic_uint solving; /* solves under way */
static atomic_uint solved;  /* solves begun since the test did */

typedef struct script {
    size_t p, solves;
    long what;
    double lambda;
    double *weights;
} script;

static tm_status script_init(void **work, const tm_dataset *data, const tm_params *params,
                             solve_progress *progress, tm_error *err)
{
    (void)progress;
    *work = NULL;
    if (tm_params_int(params, "max_iter") == FAIL_AT_ONCE)
        return tm_fail(err, TM_EDATA, "the script would not begin");
    script *s = calloc(1, sizeof *s);
    double *weights = calloc(tm_dataset_cols(data), sizeof *weights);
    if (!s || !weights) {
        free(s);
        free(weights);
        return tm_fail_memory(err, "a script");
    }
    *s = (script){tm_dataset_cols(data), 0, tm_params_int(params, "max_iter"), 0, weights};
    *work = s;
    return TM_OK;
}

static tm_status script_update(void *work, const tm_params *params, tm_error *err)
{
    size_t count;
    (void)err;
    ((script *)work)->lambda = tm_params_reals(params, "lambda", &count)[0];
    return TM_OK;
}

static void script_warm(void *work, const tm_model *model)
{
    ((script *)work)->weights[0] = tm_model_weight(model, 0);
}

static void script_begin(void *work)
{
    ((script *)work)->solves++;
}

static tm_status script_solve(void *work, solve_progress *progress, double target,
                              solve_answer *answer, tm_error *err)
{
    script *s = work;
    (void)target;
    progress->lambda = s->lambda;
    *answer = (solve_answer){.stalled = true,
                             .weights = s->weights,
                             .problem = {.loss = "squared", .lambda = s->lambda},
                             .active = s->p};
    if (s->what == FAIL_AT_SECOND && s->solves == 2)
        return tm_fail(err, TM_EDATA, "the script failed at its second solve");
    atomic_fetch_add(&solving, 1);
    atomic_fetch_add(&solved, 1);
    do {
        progress->updates++;
        progress_emit(progress, TM_EVENT_CHECK, 1, 0, 1, s->p, s->p);
        if (progress_work(progress, UINT64_C(1) << 20))
            break;
        clock_sleep(1e-4);
    } while (s->what == UNTIL_OPEN && !atomic_load(&gate));
    atomic_fetch_sub(&solving, 1);
    return TM_OK;
}

static void script_certified(void *work, const double *products, double gap)
{
    (void)work;
    (void)products;
    (void)gap;
}

static bool script_needs_certificate(const void *work)
{
    (void)work;
    return false;
}

static const method_batch script_batch = {.certified = script_certified,
                                          .needs_certificate = script_needs_certificate};

static double script_lambda_max(const void *work)
{
    (void)work;
    return 8;
}

static double script_null_objective(const void *work)
{
    (void)work;
    return 1;
}

static void script_finish(void *work)
{
    free(((script *)work)->weights);
    free(work);
}

static const method_ops script_ops = {
    .init = script_init,
    .update = script_update,
    .warm = script_warm,
    .begin = script_begin,
    .solve = script_solve,
    .batch = &script_batch,
    .lambda_max = script_lambda_max,
    .null_objective = script_null_objective,
    .finish = script_finish,
};

/* ---- data and pools ------------------------------------------------------------------------ */

/* The scripted method, with the parameters of the lasso. */
static tm_method scripted(void)
{
    return (tm_method){
        .id = "script", .params = tm_method_find("lasso", NULL)->params, .ops = &script_ops};
}

typedef struct fixture {
    tm_dataset *data;
    tm_method method;
    tm_pool *pool;
} fixture;

static fixture *with_workers(int workers)
{
    fixture *f = calloc(1, sizeof *f);
    tm_error err = TM_ERROR_INIT;
    assert_non_null(f);
    atomic_store(&gate, false);
    atomic_store(&solving, 0);
    atomic_store(&solved, 0);
    f->data = linear_data(30, 8, 2, -1, 0.1, 1);
    f->method = scripted();
    must(tm_pool_new(&f->pool, workers, NULL, NULL, &err), &err);
    return f;
}

static int one_worker(void **state)
{
    *state = with_workers(1);
    return 0;
}

static int three_workers(void **state)
{
    *state = with_workers(3);
    return 0;
}

static int end(void **state)
{
    fixture *f = *state;
    tm_pool_free(f->pool);
    tm_dataset_unref(f->data);
    free(f);
    return 0;
}

/* Submits with parameters such as "lambdas=5 tol=1e-8"; NULL in `method` is the lasso. */
static tm_status try_submit(fixture *f, const tm_method *method, const char *words,
                            tm_job_spec spec, tm_job **job, tm_error *err)
{
    tm_params *params;
    spec.method = method ? method : tm_method_find("lasso", NULL);
    must(tm_method_params_new(&params, spec.method, err), err);
    set_words(params, words, err);
    spec.params = params;
    if (!spec.train)
        spec.train = f->data;
    tm_status status = tm_pool_submit(f->pool, &spec, job, err);
    tm_params_free(params);
    return status;
}

static tm_job *submit(fixture *f, const tm_method *method, const char *words)
{
    tm_job *job;
    tm_error err = TM_ERROR_INIT;
    must(try_submit(f, method, words, (tm_job_spec)TM_JOB_SPEC_INIT, &job, &err), &err);
    return job;
}

static tm_job *submit_script(fixture *f, int what, const char *more)
{
    char words[100];
    snprintf(words, sizeof words, "max_iter=%d %s", what, more);
    return submit(f, &f->method, words);
}

/* Until it holds. Waits in tests have no limit of their own: what runs the tests stops one that
 * does not end, and knows how busy the machine is. */
#define EVENTUALLY(condition)                                                                      \
    while (!(condition))                                                                           \
    clock_sleep(1e-3)

static void must_end(tm_job *job, tm_job_state how)
{
    assert_true(tm_job_wait(job, -1, NULL));
    if (tm_job_get_state(job) != how)
        fail_msg("%s is %s: %s", tm_job_name(job), tm_job_state_name(tm_job_get_state(job)),
                 tm_job_error(job)->message);
    assert_true(tm_job_ended(job));
}

static bool counts_are(const tm_pool *pool, size_t queued, size_t running, size_t ended)
{
    size_t q, r, e;
    tm_pool_counts(pool, &q, &r, &e);
    return q == queued && r == running && e == ended;
}

static void must_count(const tm_pool *pool, size_t queued, size_t running, size_t ended)
{
    EVENTUALLY(counts_are(pool, queued, running, ended));
}

/* ---- a job from beginning to end ----------------------------------------------------------- */

CHECK(test_state_names)
{
    assert_string_equal(tm_job_state_name(TM_JOB_QUEUED), "queued");
    assert_string_equal(tm_job_state_name(TM_JOB_RUNNING), "running");
    assert_string_equal(tm_job_state_name(TM_JOB_PAUSED), "paused");
    assert_string_equal(tm_job_state_name(TM_JOB_DONE), "done");
    assert_string_equal(tm_job_state_name(TM_JOB_FAILED), "failed");
    assert_string_equal(tm_job_state_name(TM_JOB_CANCELLED), "cancelled");
}

/* The path of a real method: each point certified, the trace naming each of them once. */
static void check_path(const tm_job *job, const tm_dataset *data, size_t expected)
{
    const tm_point *points;
    const tm_event *events;
    tm_problem problem = {.loss = "squared", .lambda = 1, .intercept = true};
    double lambda_max, null;
    must(tm_lambda_max(&lambda_max, &null, data, &problem, NULL), NULL);
    must_be_near(tm_job_lambda_max(job), lambda_max, 1e-12 * lambda_max);
    must_be_near(tm_job_null_objective(job), null, 1e-12 * null);
    assert_int_equal(tm_job_point_count(job), expected);
    assert_int_equal(tm_job_points(job, &points), expected);
    for (size_t k = 0; k < expected; k++) {
        assert_true(k == 0 || points[k].solution.lambda < points[k - 1].solution.lambda);
        assert_int_equal(points[k].solution.outcome, TM_CONVERGED);
        assert_true(points[k].solution.gap <= 1e-8 * null);
        assert_true(points[k].train_score <= 1);
    }
    size_t count = tm_trace_read(tm_job_trace(job), &events), finished = 0;
    assert_true(count > 0 && events[count - 1].kind == TM_EVENT_POINT);
    for (size_t i = 0; i < count; i++)
        finished += events[i].kind == TM_EVENT_POINT;
    assert_int_equal(finished, expected);
}

static void test_path_is_done(void **state)
{
    fixture *f = *state;
    tm_dataset *test = linear_data(20, 8, 2, -1, 0.1, 2);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    tm_job *job;
    tm_error err = TM_ERROR_INIT;
    const tm_point *points;
    spec.name = "mine";
    spec.test = test;
    must(try_submit(f, NULL, "lambdas=7 tol=1e-8", spec, &job, &err), &err);
    must_end(job, TM_JOB_DONE);
    assert_string_equal(tm_job_name(job), "mine");
    assert_string_equal(tm_method_id(tm_job_method(job)), "lasso");
    assert_int_equal(tm_params_int(tm_job_params(job), "lambdas"), 7);
    assert_ptr_equal(tm_job_train(job), f->data);
    assert_ptr_equal(tm_job_test(job), test);
    assert_true(tm_job_progress(job) == 1 && tm_job_seconds(job) > 0);
    check_path(job, f->data, 7);
    assert_int_equal(tm_job_points(job, &points), 7);
    double r2 = NAN;
    tm_scorer scorer = tm_scorer_default(false);
    must(tm_model_score(points[6].solution.model, test, &scorer, &r2, &err), &err);
    assert_true(r2 > 0.9 && points[6].test_score == r2);
    tm_job_unref(job);
    tm_dataset_unref(test);
}

static void check_name(fixture *f, const char *words, const char *expected)
{
    tm_job *job = submit(f, NULL, words);
    assert_string_equal(tm_job_name(job), expected);
    must_end(job, TM_JOB_DONE);
    tm_job_unref(job);
}

static void test_default_names(void **state)
{
    check_name(*state, "screen=saif", "lasso saif 0.1");
    check_name(*state, "screen=gap lambda_ratio=0.25", "lasso gap 0.25");
    check_name(*state, "screen=none lambda=10", "lasso none 10");
    check_name(*state, "lambdas=3 screen=saif", "lasso saif path");
}

static void test_no_test_data(void **state)
{
    const tm_point *points;
    tm_job *job = submit(*state, NULL, "");
    must_end(job, TM_JOB_DONE);
    assert_null(tm_job_test(job));
    assert_int_equal(tm_job_points(job, &points), 1);
    assert_true(isnan(points[0].test_score) && !isnan(points[0].train_score));
    tm_job_unref(job);
}

/* The script's first weight is that of the model it was started from. */
static void test_warm_start(void **state)
{
    fixture *f = *state;
    const double weights[8] = {2.5};
    const tm_point *points;
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    tm_model *warm;
    tm_job *job;
    tm_error err = TM_ERROR_INIT;
    must(tm_model_new(&warm, f->data, "lasso", 1, weights, 0, &err), &err);
    spec.warm = warm;
    must(try_submit(f, &f->method, "max_iter=1", spec, &job, &err), &err);
    tm_model_unref(warm);
    must_end(job, TM_JOB_DONE);
    assert_int_equal(tm_job_points(job, &points), 1);
    assert_true(tm_model_weight(points[0].solution.model, 0) == 2.5);
    tm_job_unref(job);
}

static void test_refused_at_once(void **state)
{
    fixture *f = *state;
    const double weights[9] = {1};
    tm_dataset *wide = linear_data(5, 9, 2, -1, 0.1, 3);
    tm_model *model;
    tm_error err = TM_ERROR_INIT;
    must(tm_model_new(&model, wide, "lasso", 1, weights, 0, &err), &err);
    tm_job_spec test = {.test = wide}, warm = {.warm = model}, plain = TM_JOB_SPEC_INIT;
    tm_job *job = (tm_job *)&job;
    must_refuse(try_submit(f, NULL, "", test, &job, &err), TM_EDATA, &err, "has 9 features");
    must_refuse(try_submit(f, NULL, "", warm, &job, &err), TM_EUSAGE, &err, "has 9 features");
    must_refuse(try_submit(f, NULL, "lambda=1 lambdas=2", plain, &job, &err), TM_EUSAGE, &err,
                "not both");
    assert_null(job);
    must_count(f->pool, 0, 0, 0);
    tm_pool *pool = (tm_pool *)&pool;
    must_refuse(tm_pool_new(&pool, 0, NULL, NULL, &err), TM_EUSAGE, &err, "at least one worker");
    assert_null(pool);
    tm_model_unref(model);
    tm_dataset_unref(wide);
}

/* ---- failing ------------------------------------------------------------------------------- */

static void test_failed_jobs(void **state)
{
    const tm_point *points;
    tm_job *job = submit_script(*state, FAIL_AT_ONCE, "");
    must_end(job, TM_JOB_FAILED);
    assert_int_equal(tm_job_error(job)->code, TM_EDATA);
    assert_string_equal(tm_job_error(job)->message, "the script would not begin");
    assert_int_equal(tm_job_points(job, &points), 0);
    assert_int_equal(tm_job_point_count(job), 0);
    assert_true(isnan(tm_job_lambda_max(job)) && tm_job_progress(job) == 0);
    tm_job_unref(job);
    job = submit_script(*state, FAIL_AT_SECOND, "lambdas=4");
    must_end(job, TM_JOB_FAILED);
    assert_string_equal(tm_job_error(job)->message, "the script failed at its second solve");
    assert_int_equal(tm_job_points(job, &points), 1); /* what was finished stays */
    assert_true(points[0].solution.lambda == 8 && tm_job_progress(job) < 1);
    assert_int_equal(tm_job_point_count(job), 4);
    tm_job_unref(job);
    job = submit_script(*state, QUICK, ""); /* the worker goes on */
    must_end(job, TM_JOB_DONE);
    tm_job_unref(job);
}

/* ---- cancelling ---------------------------------------------------------------------------- */

static void test_cancel_running(void **state)
{
    fixture *f = *state;
    const tm_point *points;
    tm_job *job = submit_script(f, UNTIL_OPEN, "lambdas=5");
    EVENTUALLY(tm_trace_total(tm_job_trace(job)) > 3);
    assert_int_equal(tm_job_get_state(job), TM_JOB_RUNNING);
    assert_false(tm_job_ended(job));
    assert_false(tm_job_wait(job, 0, NULL));
    tm_job_cancel(job);
    must_end(job, TM_JOB_CANCELLED);
    /* The solution reached when it was stopped, and no further one. */
    assert_true(tm_job_points(job, &points) <= 1);
    assert_int_equal(atomic_load(&solved), 1);
    tm_job_cancel(job); /* once more does no harm */
    tm_job_pause(job, true);
    must_end(job, TM_JOB_CANCELLED);
    must_count(f->pool, 0, 0, 1);
    tm_job_unref(job);
}

static void test_cancel_queued(void **state)
{
    fixture *f = *state;
    const tm_point *points;
    tm_job *busy = submit_script(f, UNTIL_OPEN, ""), *waiting = submit_script(f, QUICK, "");
    tm_job *last = submit_script(f, QUICK, "");
    EVENTUALLY(tm_job_get_state(busy) == TM_JOB_RUNNING);
    assert_int_equal(tm_job_get_state(waiting), TM_JOB_QUEUED);
    assert_true(tm_job_seconds(waiting) == 0 && tm_job_progress(waiting) == 0);
    must_count(f->pool, 2, 1, 0);
    tm_job_cancel(waiting);
    must_end(waiting, TM_JOB_CANCELLED); /* at once: the worker is still busy */
    assert_int_equal(tm_job_get_state(busy), TM_JOB_RUNNING);
    must_count(f->pool, 1, 1, 1);
    atomic_store(&gate, true);
    must_end(busy, TM_JOB_DONE);
    must_end(last, TM_JOB_DONE);
    assert_int_equal(atomic_load(&solved), 2); /* it never ran */
    assert_int_equal(tm_job_points(waiting, &points), 0);
    assert_true(tm_trace_total(tm_job_trace(waiting)) == 0 && tm_job_seconds(waiting) == 0);
    must_count(f->pool, 0, 0, 3);
    tm_job_unref(busy);
    tm_job_unref(waiting);
    tm_job_unref(last);
}

/* ---- pausing ------------------------------------------------------------------------------- */

/* Waits until the worker has come to its poll: its clock stands still while it sleeps there. */
static uint64_t settled_total(const tm_job *job)
{
    double before, after = tm_job_seconds(job);
    do {
        before = after;
        clock_sleep(2e-3);
        after = tm_job_seconds(job);
    } while (after - before > 1e-3);
    return tm_trace_total(tm_job_trace(job));
}

static void test_pause_and_resume(void **state)
{
    fixture *f = *state;
    double began = clock_now();
    tm_job *job = submit_script(f, UNTIL_OPEN, "");
    EVENTUALLY(tm_trace_total(tm_job_trace(job)) > 3);
    tm_job_pause(job, true);
    assert_int_equal(tm_job_get_state(job), TM_JOB_PAUSED);
    uint64_t total = settled_total(job);
    atomic_store(&gate, true); /* a running job would end now */
    double asleep = clock_now();
    assert_false(tm_job_wait(job, 0.2, NULL));
    assert_true(tm_trace_total(tm_job_trace(job)) == total);
    assert_int_equal(tm_job_get_state(job), TM_JOB_PAUSED);
    double slept = clock_now() - asleep;
    tm_job_pause(job, false);
    must_end(job, TM_JOB_DONE);
    /* Its time is what is left of ours without the pause. */
    assert_true(tm_job_seconds(job) <= clock_now() - began - slept + 1e-6);
    assert_true(tm_trace_total(tm_job_trace(job)) > total);
    tm_job_unref(job);
}

static void test_pause_of_a_queued_job(void **state)
{
    fixture *f = *state;
    tm_job *busy = submit_script(f, UNTIL_OPEN, ""), *waiting = submit_script(f, UNTIL_OPEN, "");
    tm_job_pause(waiting, true);
    assert_int_equal(tm_job_get_state(waiting), TM_JOB_QUEUED);
    EVENTUALLY(tm_job_get_state(busy) == TM_JOB_RUNNING);
    tm_job_cancel(busy);
    must_end(busy, TM_JOB_CANCELLED);
    EVENTUALLY(tm_job_get_state(waiting) == TM_JOB_PAUSED);
    tm_job_cancel(waiting); /* wakes it */
    must_end(waiting, TM_JOB_CANCELLED);
    tm_job_unref(busy);
    tm_job_unref(waiting);
}

typedef struct sleeper {
    tm_cancel *token;
    atomic_bool ended;
} sleeper;

static void *poll_for_ever(void *payload)
{
    sleeper *s = payload;
    while (!tm_cancel_poll(s->token))
        continue;
    atomic_store(&s->ended, true);
    return NULL;
}

/* The time slept only grows, also while a sleep begins or ends: clocks of a run are made of it. */
CHECK(test_time_slept_never_falls)
{
    sleeper s = {.token = tm_cancel_new()};
    pthread_t thread;
    double before = 0;
    size_t fell = 0;
    assert_non_null(s.token);
    atomic_init(&s.ended, false);
    assert_int_equal(pthread_create(&thread, NULL, poll_for_ever, &s), 0);
    for (int round = 0; round < 3000; round++) {
        double began = before;
        tm_cancel_pause(s.token, true);
        for (int k = 0; before <= began || k < 20; k++) {
            if (before > began) /* asleep: wake it while we look on */
                tm_cancel_pause(s.token, false);
            double slept = tm_cancel_slept(s.token);
            fell += slept < before;
            before = slept;
        }
    }
    tm_cancel_set(s.token);
    pthread_join(thread, NULL);
    assert_true(atomic_load(&s.ended) && before > 0);
    assert_int_equal(fell, 0);
    assert_true(tm_cancel_slept(NULL) == 0 && !tm_cancel_poll(NULL));
    tm_cancel_free(s.token);
    tm_cancel_free(NULL);
}

/* ---- waiting ------------------------------------------------------------------------------- */

static void *set_soon(void *token)
{
    clock_sleep(0.02);
    tm_cancel_set(token);
    return NULL;
}

static void test_wait_with_a_wake_token(void **state)
{
    fixture *f = *state;
    pthread_t thread;
    tm_cancel *wake = tm_cancel_new();
    assert_non_null(wake);
    tm_job *job = submit_script(f, UNTIL_OPEN, "");
    assert_int_equal(pthread_create(&thread, NULL, set_soon, wake), 0);
    assert_false(tm_job_wait(job, -1, wake)); /* without the token this would be for ever */
    pthread_join(thread, NULL);
    assert_false(tm_job_wait(job, -1, wake));
    assert_false(tm_job_wait(job, 0.05, NULL));
    assert_false(tm_job_ended(job));
    atomic_store(&gate, true);
    assert_true(tm_job_wait(job, -1, NULL));
    assert_true(tm_job_wait(job, -1, wake)); /* ended is ended, woken or not */
    assert_true(tm_job_wait(job, 0, NULL));
    tm_job_unref(job);
    tm_cancel_free(wake);
}

/* ---- pools --------------------------------------------------------------------------------- */

static void test_no_more_at_once_than_workers(void **state)
{
    fixture *f = *state;
    tm_job *jobs[7];
    assert_int_equal(tm_pool_workers(f->pool), 3);
    for (size_t k = 0; k < 7; k++) {
        jobs[k] = submit_script(f, UNTIL_OPEN, "");
        assert_int_equal(tm_job_id(jobs[k]), k + 1);
    }
    EVENTUALLY(atomic_load(&solving) == 3);
    must_count(f->pool, 4, 3, 0);
    assert_int_equal(atomic_load(&solved), 3);
    for (size_t k = 0; k < 3; k++) /* first come, first served */
        assert_int_equal(tm_job_get_state(jobs[k]), TM_JOB_RUNNING);
    atomic_store(&gate, true);
    for (size_t k = 0; k < 7; k++) {
        must_end(jobs[k], TM_JOB_DONE);
        tm_job_unref(jobs[k]);
    }
    must_count(f->pool, 0, 0, 7);
}

static void test_many_jobs(void **state)
{
    enum { JOBS = 150 };
    fixture *f = *state;
    tm_job *jobs[JOBS];
    static const char *const words[] = {"screen=none tol=1e-8 lambdas=3",
                                        "screen=gap tol=1e-8 lambdas=3",
                                        "screen=saif tol=1e-8 lambdas=3"};
    for (size_t k = 0; k < JOBS; k++)
        jobs[k] = submit(f, NULL, words[k % 3]);
    for (size_t k = 0; k < JOBS; k++) {
        must_end(jobs[k], TM_JOB_DONE);
        check_path(jobs[k], f->data, 3);
        tm_job_unref(jobs[k]);
    }
    must_count(f->pool, 0, 0, JOBS);
}

static void test_unreferenced_jobs_run_on(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < 20; k++)
        tm_job_unref(submit_script(f, QUICK, ""));
    must_count(f->pool, 0, 0, 20);
    assert_int_equal(atomic_load(&solved), 20);
}

static void check_after_pool(tm_job *job)
{
    const tm_point *points;
    const tm_event *events;
    must_end(job, TM_JOB_CANCELLED);
    assert_true(tm_job_wait(job, -1, NULL));
    assert_int_equal(strncmp(tm_job_name(job), "script ", 7), 0);
    assert_int_equal(tm_dataset_rows(tm_job_train(job)), 30);
    assert_true(tm_params_int(tm_job_params(job), "max_iter") >= QUICK);
    assert_true(tm_job_points(job, &points) <= 1);
    assert_true(tm_trace_read(tm_job_trace(job), &events) <= tm_trace_total(tm_job_trace(job)));
    tm_job_cancel(job);
    tm_job_pause(job, true);
    tm_job_pause(job, false);
    assert_int_equal(tm_job_get_state(job), TM_JOB_CANCELLED);
    tm_job_unref(job);
}

/* Running, paused and queued jobs end as cancelled when their pool goes; they stay readable. */
static void test_free_with_jobs(void **state)
{
    fixture *f = *state;
    tm_job *jobs[6], *second = NULL;
    for (size_t k = 0; k < 6; k++)
        jobs[k] = submit_script(f, UNTIL_OPEN, "");
    EVENTUALLY(atomic_load(&solving) == 3);
    tm_job_pause(jobs[1], true);
    tm_job_pause(jobs[4], true);
    second = tm_job_ref(jobs[0]);
    assert_ptr_equal(second, jobs[0]);
    tm_pool_free(f->pool);
    f->pool = NULL;
    assert_int_equal(atomic_load(&solving), 0);
    for (size_t k = 0; k < 6; k++)
        check_after_pool(jobs[k]);
    assert_int_equal(tm_job_id(second), 1);
    tm_job_unref(second);
    tm_job_unref(NULL);
}

CHECK(test_free_at_once)
{
    tm_error err = TM_ERROR_INIT;
    for (int k = 0; k < 50; k++) {
        tm_pool *pool;
        must(tm_pool_new(&pool, 1 + k % 4, NULL, NULL, &err), &err);
        tm_pool_free(pool);
    }
    tm_pool_free(NULL);
}

/* ---- notifications ------------------------------------------------------------------------- */

static void count_call(void *payload)
{
    atomic_fetch_add((atomic_uint *)payload, 1);
}

static void test_notifications_are_coalesced(void **state)
{
    fixture *f = *state;
    atomic_uint calls = 0;
    tm_error err = TM_ERROR_INIT;
    tm_pool_free(f->pool);
    must(tm_pool_new(&f->pool, 1, count_call, &calls, &err), &err);
    tm_job *job = submit_script(f, UNTIL_OPEN, "");
    EVENTUALLY(tm_trace_total(tm_job_trace(job)) > 10);
    assert_int_equal(atomic_load(&calls), 1);
    tm_pool_acknowledge(f->pool);
    EVENTUALLY(atomic_load(&calls) == 2); /* the trace goes on growing */
    atomic_store(&gate, true);
    must_end(job, TM_JOB_DONE);
    must_count(f->pool, 0, 0, 1);
    assert_int_equal(atomic_load(&calls), 2);
    tm_pool_acknowledge(f->pool);
    tm_job_unref(job);
    job = submit_script(f, QUICK, "");
    must_end(job, TM_JOB_DONE);
    EVENTUALLY(atomic_load(&calls) == 3);
    tm_job_unref(job);
    tm_pool_free(f->pool);
    f->pool = NULL; /* before `calls` goes */
}

/* ---- reading while it runs ----------------------------------------------------------------- */

typedef struct reader {
    tm_job *job;
    size_t bad, greatest;
} reader;

/* Points only ever get more, those read before stay as they were, and each is whole. */
static void *read_points(void *payload)
{
    reader *r = payload;
    double lambdas[40] = {0};
    for (bool last = false; !last;) {
        last = tm_job_ended(r->job);
        const tm_point *points;
        size_t asked = tm_job_point_count(r->job), count = tm_job_points(r->job, &points);
        double progress = tm_job_progress(r->job);
        r->bad += count < r->greatest || (asked > 0 && asked != 40) || count > 40;
        r->bad += !(progress >= 0 && progress <= 1) || tm_job_seconds(r->job) < 0;
        for (size_t k = 0; k < count; k++) {
            const tm_solution *s = &points[k].solution;
            r->bad += k < r->greatest ? s->lambda != lambdas[k] : !s->model || !(s->lambda > 0);
            lambdas[k] = s->lambda;
        }
        r->greatest = count;
    }
    return NULL;
}

/* The readers are there before the job begins, and it takes a while to find lambda_max. */
static void test_points_are_published_in_order(void **state)
{
    fixture *f = *state;
    tm_dataset *data = linear_data(100, 2000, 2, -1, 0.1, 4);
    tm_job_spec spec = {.train = data};
    tm_error err = TM_ERROR_INIT;
    for (int round = 0; round < 5; round++) {
        reader readers[2];
        pthread_t threads[2];
        tm_job *busy = submit_script(f, UNTIL_OPEN, ""), *job;
        must(try_submit(f, NULL, "lambdas=40 lambda_min_ratio=0.5", spec, &job, &err), &err);
        for (size_t k = 0; k < 2; k++) {
            readers[k] = (reader){job, 0, 0};
            assert_int_equal(pthread_create(&threads[k], NULL, read_points, &readers[k]), 0);
        }
        atomic_store(&gate, true);
        for (size_t k = 0; k < 2; k++) {
            pthread_join(threads[k], NULL);
            assert_int_equal(readers[k].bad, 0);
            assert_int_equal(readers[k].greatest, 40);
        }
        must_end(job, TM_JOB_DONE);
        tm_job_unref(busy);
        tm_job_unref(job);
        atomic_store(&gate, false);
    }
    tm_dataset_unref(data);
}

#define ON_ONE(test) cmocka_unit_test_setup_teardown(test, one_worker, end)
#define ON_THREE(test) cmocka_unit_test_setup_teardown(test, three_workers, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_names),
        ON_ONE(test_path_is_done),
        ON_ONE(test_default_names),
        ON_ONE(test_no_test_data),
        ON_ONE(test_warm_start),
        ON_ONE(test_refused_at_once),
        ON_ONE(test_failed_jobs),
        ON_ONE(test_cancel_running),
        ON_ONE(test_cancel_queued),
        ON_ONE(test_pause_and_resume),
        ON_ONE(test_pause_of_a_queued_job),
        cmocka_unit_test(test_time_slept_never_falls),
        ON_ONE(test_wait_with_a_wake_token),
        ON_THREE(test_no_more_at_once_than_workers),
        ON_THREE(test_many_jobs),
        ON_THREE(test_unreferenced_jobs_run_on),
        ON_THREE(test_free_with_jobs),
        cmocka_unit_test(test_free_at_once),
        ON_ONE(test_notifications_are_coalesced),
        ON_ONE(test_points_are_published_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
