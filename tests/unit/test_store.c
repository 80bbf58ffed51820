/* The run store: what is recorded is read back, whatever happens to the file or the process. */
#include "random_data.h"
#include "tests/core_check.h"

#include "tamis/store.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder, data, workers --------------------------------------------------------------- */

typedef struct fixture {
    char folder[64], path[96];
    tm_dataset *data;
    tm_pool *pool;
} fixture;

static int begin(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    tm_error err = TM_ERROR_INIT;
    assert_non_null(f);
    strcpy(f->folder, "/tmp/tamis-store-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/runs.db", f->folder);
    f->data = linear_data(30, 8, 2, -1, 0.1, 1);
    must(tm_pool_new(&f->pool, 1, NULL, NULL, &err), &err);
    *state = f;
    return 0;
}

static int end(void **state)
{
    fixture *f = *state;
    char command[128];
    tm_pool_free(f->pool);
    tm_dataset_unref(f->data);
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

/* Lambdas that keep the only worker busy until they are cancelled. */
#define LONG "100000"

/* A lasso with parameters such as "lambdas" and "5", submitted. */
static tm_job *submit(fixture *f, const char *name, const char *param, const char *value)
{
    tm_error err = TM_ERROR_INIT;
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    tm_params *params;
    tm_job *job;
    spec.name = name;
    spec.method = tm_method_find("lasso", &err);
    spec.train = f->data;
    must(tm_method_params_new(&params, spec.method, &err), &err);
    must(tm_params_set_text(params, param, value, &err), &err);
    spec.params = params;
    must(tm_pool_submit(f->pool, &spec, &job, &err), &err);
    tm_params_free(params);
    return job;
}

static tm_store *open_store(const fixture *f, tm_store_mode mode)
{
    tm_store *store;
    tm_error err = TM_ERROR_INIT;
    must(tm_store_open(&store, f->path, mode, &err), &err);
    return store;
}

static int64_t record(tm_store *store, tm_job *job)
{
    tm_error err = TM_ERROR_INIT;
    int64_t id;
    must(tm_store_begin(store, job, &id, &err), &err);
    assert_true(tm_job_wait(job, -1, NULL));
    must(tm_store_finish(store, id, job, &err), &err);
    return id;
}

/* What SQL from outside says: the first column of the first row. */
static void ask(const fixture *f, const char *sql, char *answer, size_t size)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    int code = sqlite3_step(statement);
    assert_true(code == SQLITE_ROW || code == SQLITE_DONE);
    snprintf(answer, size, "%s",
             code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : "");
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

static void must_answer(const fixture *f, const char *sql, const char *expected)
{
    char answer[256];
    ask(f, sql, answer, sizeof answer);
    assert_string_equal(answer, expected);
}

/* ---- what is read -------------------------------------------------------------------------- */

typedef struct seen {
    tm_stored_run run; /* the last one; its texts below */
    char name[64], status[32], params[512], sha256[65], error[256];
    tm_stored_point points[16];
    size_t runs, point_count;
} seen;

static tm_status see_run(const tm_stored_run *run, void *payload, tm_error *err)
{
    seen *s = payload;
    (void)err;
    s->run = *run;
    s->runs++;
    snprintf(s->name, sizeof s->name, "%s", run->name);
    snprintf(s->status, sizeof s->status, "%s", run->status);
    snprintf(s->params, sizeof s->params, "%s", run->params);
    snprintf(s->sha256, sizeof s->sha256, "%s", run->sha256);
    snprintf(s->error, sizeof s->error, "%s", run->error ? run->error : "");
    return TM_OK;
}

static tm_status see_point(const tm_stored_point *point, void *payload, tm_error *err)
{
    seen *s = payload;
    (void)err;
    assert_true(s->point_count < 16);
    s->points[s->point_count++] = *point;
    return TM_OK;
}

static seen look(tm_store *store, int64_t id)
{
    seen s = {0};
    tm_error err = TM_ERROR_INIT;
    must(tm_store_get(store, id, see_run, &s, &err), &err);
    must(tm_store_each_point(store, id, see_point, &s, &err), &err);
    return s;
}

static size_t count_runs(tm_store *store, const char *method, const char *status, double before)
{
    seen s = {0};
    tm_error err = TM_ERROR_INIT;
    tm_store_filter filter = TM_STORE_FILTER_INIT;
    filter.method = method;
    filter.status = status;
    filter.before = before;
    must(tm_store_each_run(store, &filter, see_run, &s, &err), &err);
    return s.runs;
}

/* ---- recording ----------------------------------------------------------------------------- */

static void test_a_path_reads_back_as_it_was(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *job = submit(f, "five", "lambdas", "5");
    int64_t id = record(store, job);
    tm_store_close(store);
    store = open_store(f, TM_STORE_READ);
    seen s = look(store, id);
    const tm_point *points;
    assert_int_equal(tm_job_points(job, &points), 5);
    assert_int_equal(s.point_count, 5);
    assert_int_equal(s.run.points, 5);
    for (size_t k = 0; k < 5; k++) {
        const tm_solution *x = &points[k].solution;
        assert_true(s.points[k].lambda == x->lambda && s.points[k].primal == x->primal &&
                    s.points[k].dual == x->dual && s.points[k].gap == x->gap &&
                    s.points[k].train_score == points[k].train_score);
        assert_int_equal(s.points[k].nnz, tm_model_nnz(x->model));
        assert_int_equal(s.points[k].columns, x->columns);
        assert_true(isnan(s.points[k].test_score));
    }
    const tm_solution *last = &points[4].solution;
    assert_string_equal(s.name, "five");
    assert_string_equal(s.status, "converged");
    assert_string_equal(s.sha256, tm_dataset_sha256(f->data));
    assert_non_null(strstr(s.params, "\"lambdas\":5"));
    assert_int_equal(s.run.n, 30);
    assert_int_equal(s.run.p, 8);
    assert_true(s.run.answer.lambda == last->lambda && s.run.answer.gap == last->gap &&
                s.run.answer.lambda_max == tm_job_lambda_max(job));
    assert_true(s.run.ended >= s.run.begun && s.run.begun > 1.7e9);
    tm_model *model;
    must(tm_store_model(store, id, &model, &err), &err);
    assert_int_equal(tm_model_nnz(model), tm_model_nnz(last->model));
    for (size_t j = 0; j < 8; j++)
        assert_true(tm_model_weight(model, j) == tm_model_weight(last->model, j));
    assert_true(tm_model_intercept(model) == tm_model_intercept(last->model));
    tm_model_unref(model);
    tm_store_close(store);
    tm_job_unref(job);
    must_answer(f, "PRAGMA integrity_check", "ok");
    must_answer(f, "PRAGMA foreign_key_check", "");
    must_answer(f, "SELECT count(*) FROM models", "5");
}

/* What is kept of a trace: its ends, every finished point, and no more than there is room for. */
static void check_trace(tm_store *store, int64_t id, const tm_job *job)
{
    tm_error err = TM_ERROR_INIT;
    tm_event *kept;
    const tm_event *all;
    size_t count, total = tm_trace_read(tm_job_trace(job), &all), at = 0, points = 0;
    must(tm_store_trace(store, id, &kept, &count, &err), &err);
    assert_true(count > 1 && count <= TM_STORE_TRACE && count <= total);
    for (size_t i = 0; i < count; i++) {
        /* Each kept one is one of the trace's, in their order. */
        while (at < total && !(all[at].kind == kept[i].kind && all[at].gap == kept[i].gap &&
                               all[at].seconds == kept[i].seconds))
            at++;
        assert_true(at < total);
        assert_int_equal(kept[i].columns, all[at].columns);
        assert_int_equal(kept[i].active, all[at].active);
        assert_int_equal(kept[i].screened, all[at].screened);
        assert_int_equal(kept[i].point, all[at].point);
        assert_true(kept[i].feature == all[at].feature && kept[i].lambda == all[at].lambda);
        points += kept[i].kind == TM_EVENT_POINT;
        assert_true(i > 0 || at == 0);
    }
    assert_int_equal(at, total - 1);
    assert_int_equal(points, tm_job_point_count(job));
    free(kept);
}

static void test_a_trace_outlives_its_run(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *few = submit(f, "few", "lambdas", "5"), *many = submit(f, "many", "lambdas", "200");
    int64_t first = record(store, few), second = record(store, many);
    must(tm_store_finish(store, first, few, &err), &err); /* once more changes nothing */
    tm_store_close(store);
    store = open_store(f, TM_STORE_READ);
    check_trace(store, first, few);
    check_trace(store, second, many);
    tm_store_close(store);
    /* Another store takes them over with the runs; without its run a trace goes. */
    char path[128];
    tm_merge_counts counts;
    tm_store_filter all = TM_STORE_FILTER_INIT;
    size_t pruned, count;
    tm_event *events;
    snprintf(path, sizeof path, "%s/other.db", f->folder);
    must(tm_store_open(&store, path, TM_STORE_WRITE, &err), &err);
    must(tm_store_merge(store, f->path, &counts, &err), &err);
    check_trace(store, 2, many);
    must(tm_store_prune(store, &all, &pruned, &err), &err);
    must(tm_store_trace(store, 2, &events, &count, &err), &err);
    assert_true(pruned == 2 && !events && count == 0);
    tm_store_close(store);
    tm_job_unref(few);
    tm_job_unref(many);
}

static void test_cancelled_in_the_queue(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *first = submit(f, NULL, "lambdas", LONG);
    tm_job *job = submit(f, NULL, "lambda_ratio", "0.1");
    int64_t id;
    must(tm_store_begin(store, job, &id, &err), &err);
    tm_job_cancel(job);
    tm_job_cancel(first);
    assert_true(tm_job_wait(job, -1, NULL));
    must(tm_store_finish(store, id, job, &err), &err);
    seen s = look(store, id);
    assert_string_equal(s.status, "cancelled");
    assert_int_equal(s.point_count, 0);
    assert_int_equal(s.run.answer.nnz, -1);
    assert_true(isnan(s.run.answer.lambda) && isnan(s.run.answer.gap));
    tm_model *model;
    must_refuse(tm_store_model(store, id, &model, &err), TM_EDATA, &err, "no model");
    assert_null(model);
    tm_store_close(store);
    tm_job_unref(first);
    tm_job_unref(job);
}

static void test_update_keeps_what_is_finished(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *job = submit(f, NULL, "lambdas", "6");
    int64_t id;
    must(tm_store_begin(store, job, &id, &err), &err);
    assert_true(tm_job_wait(job, -1, NULL));
    must(tm_store_update(store, id, job, &err), &err);
    must(tm_store_update(store, id, job, &err), &err); /* nothing twice */
    assert_int_equal(look(store, id).point_count, 6);
    must(tm_store_finish(store, id, job, &err), &err);
    assert_int_equal(look(store, id).point_count, 6);
    tm_store_close(store);
    tm_job_unref(job);
}

static void test_finish_wants_an_end(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *first = submit(f, NULL, "lambdas", LONG);
    tm_job *job = submit(f, "waits", "lambdas", "5");
    int64_t id;
    must(tm_store_begin(store, job, &id, &err), &err);
    must_refuse(tm_store_finish(store, id, job, &err), TM_EUSAGE, &err, "'waits' has not ended");
    assert_string_equal(look(store, id).status, "running");
    tm_job_cancel(first);
    tm_job_cancel(job);
    tm_store_close(store);
    tm_job_unref(first);
    tm_job_unref(job);
}

/* ---- dead processes ------------------------------------------------------------------------ */

static void set_sql(const fixture *f, const char *sql)
{
    char nothing[8];
    ask(f, sql, nothing, sizeof nothing);
}

static void test_a_dead_owner_interrupts(void **state)
{
    fixture *f = *state;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_error err = TM_ERROR_INIT;
    tm_job *job = submit(f, NULL, "lambda_ratio", "0.1");
    int64_t id;
    must(tm_store_begin(store, job, &id, &err), &err);
    assert_string_equal(look(store, id).status, "running");
    /* The number now belongs to a process that began later. */
    set_sql(f, "UPDATE runs SET started = started - 1");
    assert_string_equal(look(store, id).status, "interrupted");
    assert_int_equal(count_runs(store, NULL, "interrupted", 0), 1);
    assert_int_equal(count_runs(store, NULL, "running", 0), 0);
    set_sql(f, "UPDATE runs SET started = started + 1, boot = 'an earlier one'");
    assert_string_equal(look(store, id).status, "interrupted");
    /* Of another machine's processes nothing is known. */
    set_sql(f, "UPDATE runs SET host = 'elsewhere.example'");
    assert_string_equal(look(store, id).status, "running");
    tm_store_close(store);
    tm_job_unref(job);
}

/* ---- files --------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void must_not_open(const fixture *f, tm_store_mode mode, tm_status expected,
                          const char *what)
{
    tm_store *store;
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_store_open(&store, f->path, mode, &err), expected, &err, what);
    assert_null(store);
    assert_non_null(strstr(err.message, f->path));
}

static void test_files_that_are_no_store_stay_as_they_are(void **state)
{
    fixture *f = *state;
    char text[4096], again[sizeof text];
    memset(text, 'x', sizeof text);
    must_not_open(f, TM_STORE_READ, TM_EIO, "no such run store");
    assert_int_not_equal(access(f->path, F_OK), 0);
    write_file(f->path, text, sizeof text);
    must_not_open(f, TM_STORE_WRITE, TM_EDATA, "not a run store");
    must_not_open(f, TM_STORE_READ, TM_EDATA, "not a run store");
    FILE *file = fopen(f->path, "r");
    assert_non_null(file);
    assert_int_equal(fread(again, 1, sizeof again, file), sizeof again);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    assert_memory_equal(text, again, sizeof text);
    unlink(f->path);
    set_sql(f, "CREATE TABLE theirs (x)");
    must_not_open(f, TM_STORE_WRITE, TM_EDATA, "database of another program");
    must_answer(f, "PRAGMA journal_mode", "delete");
    must_answer(f, "SELECT name FROM sqlite_master", "theirs");
    unlink(f->path);
    assert_int_equal(mkfifo(f->path, 0600), 0);
    must_not_open(f, TM_STORE_WRITE, TM_EIO, "not a file");
    unlink(f->path);
    write_file(f->path, "", 0);
    must_not_open(f, TM_STORE_READ, TM_EDATA, "empty");
    tm_store_close(open_store(f, TM_STORE_WRITE));
    tm_store_close(open_store(f, TM_STORE_READ));
}

static void test_a_newer_store_is_left_alone(void **state)
{
    fixture *f = *state;
    tm_store_close(open_store(f, TM_STORE_WRITE));
    must_answer(f, "PRAGMA user_version", "10");
    must_answer(f, "PRAGMA journal_mode", "wal");
    set_sql(f, "PRAGMA user_version = 99");
    must_not_open(f, TM_STORE_WRITE, TM_EDATA, "version 99");
    must_not_open(f, TM_STORE_READ, TM_EDATA, "version 99");
    must_answer(f, "PRAGMA user_version", "99");
}

static void test_a_damaged_store_is_an_error(void **state)
{
    fixture *f = *state;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *job = submit(f, NULL, "lambdas", "16");
    record(store, job);
    tm_store_close(store);
    int fd = open(f->path, O_WRONLY);
    char noise[4096];
    struct stat facts;
    memset(noise, 0xA5, sizeof noise);
    assert_true(fd >= 0 && fstat(fd, &facts) == 0 && facts.st_size > 4096);
    for (off_t at = 4096; at < facts.st_size; at += 4096) /* all but the page with the schema */
        assert_int_equal(pwrite(fd, noise, sizeof noise, at), sizeof noise);
    close(fd);
    store = open_store(f, TM_STORE_WRITE);
    tm_error err = TM_ERROR_INIT;
    seen s = {0};
    int64_t id;
    size_t count;
    must_refuse(tm_store_each_run(store, NULL, see_run, &s, &err), TM_EDATA, &err, "is damaged");
    must_refuse(tm_store_begin(store, job, &id, &err), TM_EDATA, &err, "is damaged");
    assert_int_equal(id, 0);
    must_refuse(tm_store_prune(store, NULL, &count, &err), TM_EDATA, &err, "is damaged");
    tm_store_close(store);
    tm_job_unref(job);
}

static void test_names_that_sqlite_has_plans_for(void **state)
{
    fixture *f = *state;
    static const char *const names[] = {":memory:", "file:runs.db?mode=memory", "a b%20#.db"};
    char before[4096];
    tm_error err = TM_ERROR_INIT;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(f->folder), 0);
    for (size_t i = 0; i < 3; i++) {
        tm_store *store;
        must(tm_store_open(&store, names[i], TM_STORE_WRITE, &err), &err);
        tm_store_close(store);
        assert_int_equal(access(names[i], R_OK), 0);
    }
    tm_store *store;
    must_refuse(tm_store_open(&store, "", TM_STORE_WRITE, &err), TM_EUSAGE, &err, "empty");
    assert_int_equal(chdir(before), 0);
}

static void test_the_default_place_is_private(void **state)
{
    fixture *f = *state;
    char state_home[96], folder[128], expected[160], *path;
    struct stat facts;
    tm_store *store;
    tm_error err = TM_ERROR_INIT;
    snprintf(state_home, sizeof state_home, "%s/a/b", f->folder);
    snprintf(folder, sizeof folder, "%s/tamis", state_home);
    snprintf(expected, sizeof expected, "%s/runs.db", folder);
    setenv("XDG_STATE_HOME", state_home, 1);
    must_refuse(tm_store_open(&store, NULL, TM_STORE_READ, &err), TM_EIO, &err, expected);
    assert_int_not_equal(stat(state_home, &facts), 0); /* reading makes nothing */
    must(tm_store_open(&store, NULL, TM_STORE_WRITE, &err), &err);
    assert_string_equal(tm_store_path(store), expected);
    tm_store_close(store);
    assert_int_equal(stat(folder, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/home/somebody", 1);
    must(tm_store_default_path(&path, &err), &err);
    assert_string_equal(path, "/home/somebody/.local/state/tamis/runs.db");
    free(path);
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    must_refuse(tm_store_default_path(&path, &err), TM_EUSAGE, &err, "no place");
    assert_null(path);
}

/* ---- several at once ----------------------------------------------------------------------- */

enum { WRITERS = 4, EACH = 25 };

typedef struct writer {
    tm_store *store;
    tm_job *job;
} writer;

static void *write_many(void *payload)
{
    const writer *w = payload;
    for (int i = 0; i < EACH; i++)
        record(w->store, w->job);
    return NULL;
}

/* Threads two by two share a connection; the two connections share the file. */
static void test_writers_at_once(void **state)
{
    fixture *f = *state;
    tm_store *stores[2] = {open_store(f, TM_STORE_WRITE), open_store(f, TM_STORE_WRITE)};
    tm_job *job = submit(f, NULL, "lambdas", "3");
    pthread_t threads[WRITERS];
    writer writers[WRITERS];
    assert_true(tm_job_wait(job, -1, NULL));
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (writer){stores[i % 2], job};
        assert_int_equal(pthread_create(&threads[i], NULL, write_many, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(count_runs(stores[0], "lasso", "converged", 0), WRITERS * EACH);
    tm_store_close(stores[0]);
    tm_store_close(stores[1]);
    tm_job_unref(job);
    must_answer(f, "SELECT count(*) FROM points", "300");
    must_answer(f,
                "SELECT count(*) FROM (SELECT run FROM points GROUP BY run"
                " HAVING count(*) = 3 AND max(k) = 2)",
                "100");
    must_answer(f, "PRAGMA integrity_check", "ok");
}

/* ---- deleting ------------------------------------------------------------------------------ */

static void test_prune(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *job = submit(f, NULL, "lambdas", "3");
    tm_store_filter filter = TM_STORE_FILTER_INIT;
    size_t count;
    int64_t ids[4], running;
    for (int i = 0; i < 4; i++)
        ids[i] = record(store, job);
    must(tm_store_begin(store, job, &running, &err), &err);
    set_sql(f, "UPDATE runs SET begun = 1000 WHERE id <= 2");
    assert_int_equal(count_runs(store, NULL, NULL, 2000), 2);
    assert_int_equal(count_runs(store, "l1svm", NULL, 0), 0);
    filter.before = 2000;
    must(tm_store_prune(store, &filter, &count, &err), &err);
    assert_int_equal(count, 2);
    filter = (tm_store_filter)TM_STORE_FILTER_INIT;
    filter.id = ids[3];
    must(tm_store_prune(store, &filter, &count, &err), &err);
    assert_int_equal(count, 1);
    seen s = {0};
    must_refuse(tm_store_get(store, ids[3], see_run, &s, &err), TM_EUSAGE, &err, "no run 4");
    must_refuse(tm_store_get(store, 0, see_run, &s, &err), TM_EUSAGE, &err, "no run 0");
    filter.id = 0;
    filter.status = "finished";
    must_refuse(tm_store_prune(store, &filter, &count, &err), TM_EUSAGE, &err, "'finished'");
    must(tm_store_prune(store, NULL, &count, &err), &err);
    assert_int_equal(count, 1); /* the running one stays */
    assert_int_equal(count_runs(store, NULL, NULL, 0), 1);
    assert_string_equal(look(store, running).status, "running");
    int64_t next = record(store, job);
    assert_true(next > running);
    tm_store_close(store);
    tm_job_unref(job);
    must_answer(f, "SELECT count(*) FROM points", "3");
    must_answer(f, "SELECT count(*) FROM models", "3");
}

static tm_status stop_at_once(const tm_stored_run *run, void *payload, tm_error *err)
{
    (void)run;
    ++*(int *)payload;
    return tm_fail(err, TM_ECANCELLED, "enough");
}

static void test_a_callback_ends_the_reading(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_store *store = open_store(f, TM_STORE_WRITE);
    tm_job *job = submit(f, NULL, "lambda_ratio", "0.1");
    int calls = 0;
    record(store, job);
    record(store, job);
    must_refuse(tm_store_each_run(store, NULL, stop_at_once, &calls, &err), TM_ECANCELLED, &err,
                "enough");
    assert_int_equal(calls, 1);
    record(store, job); /* the store goes on */
    tm_store_close(store);
    tm_job_unref(job);
}

RUN_TESTS_WITH(begin, end, test_a_path_reads_back_as_it_was, test_a_trace_outlives_its_run,
               test_cancelled_in_the_queue, test_update_keeps_what_is_finished,
               test_finish_wants_an_end, test_a_dead_owner_interrupts,
               test_files_that_are_no_store_stay_as_they_are, test_a_newer_store_is_left_alone,
               test_a_damaged_store_is_an_error, test_names_that_sqlite_has_plans_for,
               test_writers_at_once, test_prune, test_a_callback_ends_the_reading,
               test_the_default_place_is_private)
