/* Sweeps in a store: resumed, shared, merged; and the parts of a store: owners, parameters. */
#include "sweep_check.h"

#include "run/params_json.h"
#include "run/store/owner.h"
#include "run/store/sweep.h"
#include "run/sweep/task.h"

#include <sqlite3.h>

/* ---- stores -------------------------------------------------------------------------------- */

static int64_t number_in(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

static void finished_tasks_are_not_repeated(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_sweep_progress progress;
    tm_store *store;
    tm_sweep_spec spec = spec_of(&f->data);
    tm_sweep_table *plain = table_of(&spec, NULL), *t;
    must(tm_store_open(&store, f->path, TM_STORE_WRITE, &err), &err);
    spec.store = store;
    spec.shards = 3;
    for (spec.shard = 0; spec.shard < 3; spec.shard++) {
        t = table_of(&spec, &progress);
        assert_int_equal(progress.resumed, 0);
        assert_int_equal(progress.tasks_done, progress.tasks);
        tm_sweep_table_free(t);
    }
    spec.shard = spec.shards = 0;
    spec.workers = 2;
    t = table_of(&spec, &progress);
    assert_int_equal(progress.resumed, 8);
    assert_same_table(plain, t);
    tm_sweep_table_free(t);
    must(tm_store_sweep_table(store, progress.id, &t, &err), &err);
    assert_same_table(plain, t);
    tm_sweep_table_free(t);
    tm_store_close(store);
    assert_int_equal(number_in(f->path, "SELECT count(*) FROM tasks WHERE finished = 1"), 8);
    assert_int_equal(number_in(f->path, "SELECT count(*) FROM tasks"), 8);
    tm_sweep_table_free(plain);
}

/* Another description is another sweep; `fresh` forgets. */
static void equal_sweeps_alone_are_shared(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_sweep_progress progress;
    tm_sweep_spec spec = spec_of(&f->data);
    must(tm_store_open(&spec.store, f->path, TM_STORE_WRITE, &err), &err);
    tm_sweep_table_free(table_of(&spec, NULL));
    spec.splits.seed++;
    tm_sweep_table_free(table_of(&spec, &progress));
    assert_int_equal(progress.resumed, 0);
    spec.fresh = true;
    tm_sweep_table_free(table_of(&spec, &progress));
    assert_int_equal(progress.resumed, 0);
    tm_store_close(spec.store);
    assert_int_equal(number_in(f->path, "SELECT count(*) FROM sweeps"), 2);
}

static void shards_are_merged(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_merge_counts counts;
    tm_store *store;
    tm_sweep_spec spec = spec_of(&f->data);
    tm_sweep_table *plain = table_of(&spec, NULL), *t;
    spec.shards = 2;
    for (spec.shard = 0; spec.shard < 2; spec.shard++) {
        must(tm_store_open(&spec.store, spec.shard ? f->other : f->path, TM_STORE_WRITE, &err),
             &err);
        tm_sweep_table_free(table_of(&spec, NULL));
        tm_store_close(spec.store);
    }
    must(tm_store_open(&store, f->path, TM_STORE_WRITE, &err), &err);
    must(tm_store_merge(store, f->other, &counts, &err), &err);
    assert_int_equal(counts.sweeps, 0);
    assert_int_equal(counts.tasks, 4);
    must(tm_store_merge(store, f->other, &counts, &err), &err);
    assert_int_equal(counts.tasks, 0);
    must(tm_store_vacuum(store, &err), &err);
    must(tm_store_sweep_table(store, 1, &t, &err), &err);
    assert_same_table(plain, t);
    tm_sweep_table_free(t);
    must_refuse(tm_store_delete_sweep(store, 5, &err), TM_EUSAGE, &err, "no sweep 5");
    must(tm_store_delete_sweep(store, 1, &err), &err);
    tm_store_close(store);
    assert_int_equal(number_in(f->path, "SELECT count(*) FROM results"), 0);
    tm_sweep_table_free(plain);
}

/* A store of version 1 had runs alone. */
static void an_older_store_is_brought_up_to_date(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_sweep_spec spec = spec_of(&f->data);
    sqlite3 *db;
    must(tm_store_open(&spec.store, f->path, TM_STORE_WRITE, &err), &err);
    tm_store_close(spec.store);
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "DROP TABLE answers; DROP TABLE traces; DROP TABLE marks;"
                                  "DROP TABLE results; DROP TABLE tasks;"
                                  "DROP TABLE sweeps; ALTER TABLE points DROP COLUMN B;"
                                  "ALTER TABLE points DROP COLUMN C;"
                                  "ALTER TABLE runs DROP COLUMN tags;"
                                  "ALTER TABLE runs DROP COLUMN note;"
                                  "PRAGMA user_version = 1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    must(tm_store_open(&spec.store, f->path, TM_STORE_WRITE, &err), &err);
    tm_sweep_table_free(table_of(&spec, NULL));
    tm_store_close(spec.store);
    assert_int_equal(number_in(f->path, "SELECT count(*) FROM tasks WHERE status = 'done'"), 8);
}

/* ---- chains that are broken off ------------------------------------------------------------ */

/* Classes by the sign of x_1 - 2 x_2 + noise. */
static tm_dataset *two_classes(size_t n, size_t p, uint64_t seed)
{
    tm_rng rng;
    double *columns = malloc(n * p * sizeof *columns), *y = malloc(n * sizeof *y);
    assert_true(columns && y);
    tm_rng_seed(&rng, seed);
    fill_normal(&rng, columns, n * p, 1);
    for (size_t i = 0; i < n; i++)
        y[i] = columns[i] - 2 * columns[i + n] + tm_rng_normal(&rng) > 0 ? 1 : -1;
    tm_dataset *data = dataset_of(dense_of(n, p, columns), y, false);
    free(columns);
    free(y);
    return data;
}

typedef struct breaker {
    tm_store *store;
    const sweep_plan *plan;
    int64_t sweep;
    size_t task;
} breaker;

/* Records the piece, and gives the chain up. */
static bool break_off(sweep_found *found, const sweep_mark *mark, void *payload)
{
    const breaker *b = payload;
    tm_error err = TM_ERROR_INIT;
    store_claim state;
    must(store_sweep_record(b->store, &(store_task){b->sweep, b->task, b->plan}, found, mark,
                            &state, &err),
         &err);
    assert_int_equal(state, STORE_CLAIM_HELD);
    return false;
}

/* Does the task in as many starts as it has pieces, each from the store alone; returns how many. */
static size_t run_in_pieces(breaker *b, sweep_plan *plan, sweep_current *current)
{
    for (size_t starts = 1;; starts++) {
        tm_error err = TM_ERROR_INIT;
        store_claim state;
        sweep_mark mark;
        sweep_found found;
        must(store_sweep_claim(b->store, b->sweep, b->task, &state, &mark, &err), &err);
        assert_int_equal(state, STORE_CLAIM_MINE);
        assert_true(starts == 1 ? mark.cells == 0 : mark.cells > 0);
        const sweep_task_spec spec = {b->task, current, &mark, NULL, break_off, b};
        tm_status status = sweep_task_run(plan, &spec, &found, &err);
        sweep_mark_clear(&mark);
        if (status == TM_OK) {
            must(store_sweep_record(b->store, &(store_task){b->sweep, b->task, plan}, &found, NULL,
                                    &state, &err),
                 &err);
            sweep_found_clear(&found);
            return starts;
        }
        assert_int_equal(status, TM_ECANCELLED);
        sweep_found_clear(&found);
        must(store_sweep_release(b->store, b->sweep, b->task, &err), &err);
    }
}

/* The whole sweep with every chain broken off wherever that can be. */
static size_t run_broken(const tm_sweep_spec *spec)
{
    tm_error err = TM_ERROR_INIT;
    sweep_plan plan;
    tm_sweep_table *table;
    sweep_current current = {.cancel = tm_cancel_new()};
    breaker b = {.store = spec->store, .plan = &plan};
    size_t starts = 0;
    assert_non_null(current.cancel);
    pthread_mutex_init(&current.lock, NULL);
    must(sweep_plan_make(&plan, &table, spec, &err), &err);
    must(store_sweep_open(b.store, &plan, spec->name, spec->method, false, &b.sweep, &err), &err);
    for (b.task = 0; b.task < sweep_plan_tasks(&plan); b.task++)
        starts += run_in_pieces(&b, &plan, &current);
    tm_sweep_table_free(table);
    sweep_plan_clear(&plan);
    pthread_mutex_destroy(&current.lock);
    tm_cancel_free(current.cancel);
    return starts;
}

typedef struct chain_case {
    const char *method, *const *axes, *const *values;
    size_t axis_count, configs;
    tm_setting base[3];
    size_t base_count;
    size_t pieces; /* of both folds' chains */
} chain_case;

/* The k-th case: broken off in pieces, and whole. */
static void check_chain(fixture *f, const chain_case *c, size_t k)
{
    tm_error err = TM_ERROR_INIT;
    tm_sweep_progress progress;
    tm_dataset *two = NULL;
    tm_sweep_spec spec = spec_of(&f->data);
    if (strcmp(c->method, "lasso") != 0) {
        two = two_classes(60, 80, k);
        spec = spec_of(&two);
        spec.metric_count = 0;
    }
    spec.method = c->method;
    spec.axes = c->axes;
    spec.axis_count = c->axis_count;
    spec.values = c->values;
    spec.config_count = c->configs;
    spec.base = c->base;
    spec.base_count = c->base_count;
    spec.splits.folds = 2;
    tm_sweep_table *whole = table_of(&spec, NULL);
    char path[128];
    snprintf(path, sizeof path, "%s/%zu.db", f->folder, k);
    must(tm_store_open(&spec.store, path, TM_STORE_WRITE, &err), &err);
    assert_int_equal(run_broken(&spec), c->pieces);
    tm_sweep_table *broken = table_of(&spec, &progress);
    assert_int_equal(progress.resumed_cells, progress.cells);
    tm_store_close(spec.store);
    assert_same_table(whole, broken);
    assert_int_equal(number_in(path, "SELECT count(*) FROM marks"), 0);
    tm_sweep_table_free(whole);
    tm_sweep_table_free(broken);
    tm_dataset_unref(two);
}

static void a_chain_goes_on_where_it_was_broken_off(void **state)
{
    static const char *const ratio[] = {"lambda_ratio"}, *const c[] = {"C"}, *const none[] = {NULL};
    static const char *const ratios[] = {"0.9",  "0.7",  "0.5",  "0.4",  "0.3",    "0.25", "0.2",
                                         "0.15", "0.12", "0.1",  "0.08", "0.05",   "0.03", "0.02",
                                         "0.01", "6e-3", "4e-3", "3e-3", "2.5e-3", "2e-3"};
    static const char *const cs[] = {"0.1", "0.3", "1", "3", "10", "30"};
    const chain_case cases[] = {
        {"lasso", ratio, ratios, 1, 20, {{"screen", "saif"}}, 1, 8},
        {"lasso", ratio, ratios, 1, 20, {{"screen", "auto"}}, 1, 8},
        {"l1logistic", none, none, 0, 1, {{"lambdas", "30"}}, 1, 10},
        {"l1svm",
         none,
         none,
         0,
         1,
         {{"lambdas", "20"}, {"lambda_min_ratio", "0.1"}, {"screen", "vi"}},
         3,
         8},
        {"fgm", c, cs, 1, 6, {{"B", "3"}}, 1, 2},
        {"fgm", none, none, 0, 1, {{"B", "1,2,3,4,5,6,7,8,9,10,11,12"}}, 1, 4},
        {"fgm", none, none, 0, 1, {{"B", "2,3,4"}, {"C", "0.1,1,10"}}, 2, 6},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_chain(*state, &cases[k], k);
}

static void cancelled_and_gone(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_sweep *sweep;
    tm_sweep_spec spec = spec_of(&f->data);
    const tm_setting base[] = {{"lambdas", "100000"}, {"lambda_min_ratio", "0.5"}};
    spec.axis_count = 0;
    spec.config_count = 1;
    spec.base = base;
    spec.base_count = 2;
    must(tm_store_open(&spec.store, f->path, TM_STORE_WRITE, &err), &err);
    must(tm_sweep_start(&sweep, &spec, &err), &err);
    assert_false(tm_sweep_wait(sweep, 0.05));
    tm_sweep_cancel(sweep);
    assert_true(tm_sweep_wait(sweep, -1));
    assert_int_equal(tm_sweep_get_progress(sweep).state, TM_SWEEP_CANCELLED);
    tm_sweep_free(sweep);
    tm_store_close(spec.store);
    assert_int_equal(number_in(f->path, "SELECT count(*) FROM tasks WHERE status = 'running'"), 0);
}

/* ---- parts of a store ---------------------------------------------------------------------- */

CHECK(test_owners)
{
    owner self = owner_self(), other = self;
    assert_true(self.started > 0);
    assert_true(owner_alive(&self));
    other.pid = 4194304 + 7; /* above the greatest number Linux gives */
    assert_false(owner_alive(&other));
    other = self;
    other.pid = 1;
    assert_false(owner_alive(&other));
    other.pid = -1; /* kill() would take it for every process */
    assert_false(owner_alive(&other));
}

/* What the store has of parameters gives the same ones, with those at their default unset. */
CHECK(test_parameters_read_back)
{
    static const struct {
        const char *method, *name, *value;
    } given[] = {
        {"lasso", "lambda", "0.5,0.1,0.02"},
        {"lasso", "lambda_ratio", "0.05"},
        {"lasso", "screen", "saif"},
        {"lasso", "factors", "1,2,inf,0.5"},
        {"lasso", "lower", "X2=-0.5"},
        {"lasso", "positive", "true"},
        {"lasso", "max_iter", "77"},
        {"lasso", "tol", "1e-9"},
        {"fgm", "B", "7"},
        {"fgm", "C", "0.3"},
        {"grouplasso", "groups", "size:4"},
        {"genlasso", "graph", "grid:2x4"},
    };
    char before[256], after[256];
    tm_error err = TM_ERROR_INIT;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        tm_params *params = NULL, *again = NULL;
        const tm_method *method = tm_method_find(given[i].method, &err);
        must(tm_method_params_new(&params, method, &err), &err);
        must(tm_method_params_new(&again, method, &err), &err);
        must(tm_params_set_text(params, given[i].name, given[i].value, &err), &err);
        json_t *json = params_json(params, json_string);
        char *text = json_dumps(json, 0);
        json_decref(json);
        must(params_json_take(again, text, &err), &err);
        free(text);
        for (size_t k = 0; k < tm_params_count(params); k++) {
            const char *name = tm_params_info(params, k)->name;
            tm_params_format(params, name, before, sizeof before);
            tm_params_format(again, name, after, sizeof after);
            assert_string_equal(before, after);
            assert_int_equal(tm_params_given(params, name), tm_params_given(again, name));
        }
        must_refuse(params_json_take(again, "{\"lambada\": 1}", &err), TM_EUSAGE, &err, "lambada");
        must_refuse(params_json_take(again, "[1]", &err), TM_EDATA, &err, "no JSON object");
        must_refuse(params_json_take(again, "{\"tol\"", &err), TM_EDATA, &err, "no JSON object");
        tm_params_free(params);
        tm_params_free(again);
    }
}

RUN_TESTS_WITH(begin, end, finished_tasks_are_not_repeated, equal_sweeps_alone_are_shared,
               shards_are_merged, an_older_store_is_brought_up_to_date,
               a_chain_goes_on_where_it_was_broken_off, cancelled_and_gone, test_owners,
               test_parameters_read_back)
