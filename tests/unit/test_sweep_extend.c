/* Sweeps that take from others of their store what these have solved; and the parts of plans: what
 * differs, places along an axis. */
#include "sweep_check.h"

#include "run/plan/changes.h"
#include "run/plan/grid.h"
#include "tamis/sweep.h"

#include <sqlite3.h>

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Two rows more than the sweep of spec_of, one at each of its chains' ends. */
static const char *const more[] = {"0.5",  "none", "0.1",  "none", "0.2",  "gap",
                                   "0.05", "gap",  "0.02", "none", "0.01", "gap"};

/* Folds that the seed and the repeat decide: rows of a class of their own are dealt in order. */
static tm_sweep_spec shuffled(tm_dataset *const *data)
{
    tm_sweep_spec spec = spec_of(data);
    spec.splits.stratify = false;
    return spec;
}

/* The sweep on a store; its table. */
static tm_sweep_table *on_store(const char *path, const tm_sweep_spec *spec,
                                tm_sweep_progress *progress)
{
    tm_error err = TM_ERROR_INIT;
    tm_sweep_spec with = *spec;
    must(tm_store_open(&with.store, path, TM_STORE_WRITE, &err), &err);
    tm_sweep_table *table = table_of(&with, progress);
    tm_store_close(with.store);
    return table;
}

/* The first configurations of both, with the times that solving them took: they were copied. */
static void assert_copied(const tm_sweep_table *from, const tm_sweep_table *to, size_t configs,
                          size_t splits)
{
    for (size_t c = 0; c < configs; c++)
        for (size_t s = 0; s < splits; s++)
            assert_true(tm_sweep_table_cell(from, c, s)->seconds ==
                        tm_sweep_table_cell(to, c, s)->seconds);
}

static void one_more_value_solves_that_alone(void **state)
{
    fixture *f = *state;
    tm_sweep_progress progress;
    tm_sweep_spec spec = shuffled(&f->data);
    spec.warm = false;
    tm_sweep_table *first = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 0);
    spec.values = more;
    spec.config_count = 6;
    tm_sweep_table *plain = table_of(&spec, NULL), *t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 16);
    assert_int_equal(progress.done, 24);
    assert_same_table(plain, t);
    assert_copied(first, t, 4, 4);
    tm_sweep_table_free(t);
    /* What is recorded is read back, as that of any sweep. */
    t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.resumed_cells, 24);
    assert_int_equal(progress.reused, 0);
    assert_same_table(plain, t);
    tm_sweep_table_free(t);
    spec.fresh = true;
    t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 0);
    assert_same_table(plain, t);
    tm_sweep_table_free(t);
    tm_sweep_table_free(plain);
    tm_sweep_table_free(first);
}

/* The new ones go on from the answers of the old ones, so that they are theirs to the tolerance. */
static void a_chain_is_gone_on_with(void **state)
{
    fixture *f = *state;
    tm_sweep_progress progress;
    tm_sweep_spec spec = shuffled(&f->data);
    static const tm_setting tight[] = {{"tol", "1e-12"}};
    spec.base = tight;
    spec.base_count = 1;
    tm_sweep_table *first = on_store(f->path, &spec, NULL);
    spec.values = more;
    spec.config_count = 6;
    tm_sweep_table *plain = table_of(&spec, NULL), *t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 16);
    assert_copied(first, t, 4, 4);
    for (size_t c = 0; c < 6; c++)
        for (size_t s = 0; s < 4; s++) {
            const tm_sweep_cell *a = tm_sweep_table_cell(plain, c, s),
                                *b = tm_sweep_table_cell(t, c, s);
            assert_int_equal(b->status, TM_CELL_CONVERGED);
            assert_true(fabs(a->primal - b->primal) <= 1e-9 * fabs(a->primal));
            assert_true(fabs(a->scores[0] - b->scores[0]) <= 1e-5);
        }
    tm_sweep_table_free(t);
    tm_sweep_table_free(plain);
    tm_sweep_table_free(first);
}

/* Chains that are the same as a whole, on more splits and with more metrics. */
static void repeats_and_metrics_are_added(void **state)
{
    static const char *const three[] = {"mae", "r2", "mse"};
    fixture *f = *state;
    tm_sweep_progress progress;
    tm_sweep_spec spec = shuffled(&f->data);
    tm_sweep_table *first = on_store(f->path, &spec, NULL);
    spec.splits.repeats = 3;
    tm_sweep_table *plain = table_of(&spec, NULL), *t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 16);
    assert_same_table(plain, t);
    assert_copied(first, t, 4, 4);
    tm_sweep_table_free(plain);
    tm_sweep_table_free(t);
    spec.metrics = three;
    spec.metric_count = 3;
    plain = table_of(&spec, NULL);
    t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 48);
    assert_same_table(plain, t);
    assert_copied(first, t, 4, 4);
    tm_sweep_table_free(plain);
    tm_sweep_table_free(t);
    tm_sweep_table_free(first);
}

/* Other rows, or other parameters, are other cells, whatever the names. */
static void what_differs_is_solved(void **state)
{
    static const tm_setting loose[] = {{"tol", "1e-3"}};
    fixture *f = *state;
    tm_sweep_progress progress;
    tm_sweep_spec spec = shuffled(&f->data);
    tm_sweep_table_free(on_store(f->path, &spec, NULL));
    spec.splits.seed++;
    tm_sweep_table_free(on_store(f->path, &spec, &progress));
    assert_int_equal(progress.reused, 0);
    spec.splits.seed--;
    spec.base = loose;
    spec.base_count = 1;
    tm_sweep_table_free(on_store(f->path, &spec, &progress));
    assert_int_equal(progress.reused, 0);
    tm_dataset *other = random_data(40, 12, 0.5, false, 2);
    spec = shuffled(&other);
    tm_sweep_table_free(on_store(f->path, &spec, &progress));
    assert_int_equal(progress.reused, 0);
    tm_dataset_unref(other);
}

/* A bit that has changed in the file is noticed. */
static void damaged_answers_are_not_used(void **state)
{
    static const char *const one[] = {"mae"};
    fixture *f = *state;
    tm_sweep_progress progress;
    tm_sweep_spec spec = shuffled(&f->data);
    tm_sweep_table_free(on_store(f->path, &spec, NULL));
    run_sql(f->path, "UPDATE answers SET model = replace(model, '1', '2')");
    spec.metrics = one;
    spec.metric_count = 1;
    tm_sweep_table *plain = table_of(&spec, NULL), *t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 0);
    assert_same_table(plain, t);
    tm_sweep_table_free(plain);
    tm_sweep_table_free(t);
    run_sql(f->path, "UPDATE results SET gap = gap + 1");
    spec = shuffled(&f->data);
    spec.name = "another";
    plain = table_of(&spec, NULL);
    t = on_store(f->path, &spec, &progress);
    assert_int_equal(progress.reused, 0);
    assert_same_table(plain, t);
    tm_sweep_table_free(plain);
    tm_sweep_table_free(t);
}

/* Answers come along with the sweeps of a store that is merged. */
static void merged_stores_are_extended(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_merge_counts counts;
    tm_store *store;
    tm_sweep_progress progress;
    tm_sweep_spec spec = shuffled(&f->data);
    tm_sweep_table_free(on_store(f->other, &spec, NULL));
    must(tm_store_open(&store, f->path, TM_STORE_WRITE, &err), &err);
    must(tm_store_merge(store, f->other, &counts, &err), &err);
    tm_store_close(store);
    spec.splits.repeats = 2;
    tm_sweep_table_free(on_store(f->path, &spec, &progress));
    assert_int_equal(progress.reused, 16);
}

/* ---- in words ------------------------------------------------------------------------------ */

static void assert_changes(const char *before, const char *now, const char *expected)
{
    char *text = sweep_changes(before, now);
    assert_string_equal(text, expected);
    free(text);
}

static void changes_are_named(void **state)
{
    (void)state;
#define START                                                                                      \
    "{\"method\":\"fgm\",\"base\":{\"B\":\"5\"},\"axes\":[\"C\"],\"values\":[[\"1\"],[\"10\"]],"   \
    "\"metrics\":[\"f1\"],\"splits\":[[1,1,0],[1,2,0]],\"folds\":2,"                               \
    "\"data\":[{\"name\":\"a\",\"sha256\":\"0\"}]}"
    assert_changes(START, START, "");
    assert_changes(START,
                   "{\"method\":\"fgm\",\"base\":{\"B\":\"5\"},\"axes\":[\"C\"],"
                   "\"values\":[[\"1\"],[\"10\"],[\"100\"]],\"metrics\":[\"f1\",\"auc\"],"
                   "\"splits\":[[1,1,0],[2,2,0]],\"folds\":2,"
                   "\"data\":[{\"name\":\"b\",\"sha256\":\"0\"}]}",
                   "C: 100 is new; metric: auc is new; repeats: 2 (was 1)");
    assert_changes(START,
                   "{\"method\":null,\"base\":{\"tol\":\"1e-8\"},\"axes\":[\"C\",\"method\"],"
                   "\"values\":[[\"1\",\"fgm\"],[\"10\",\"svm\"],[\"2\",\"l1svm\"]],"
                   "\"metrics\":[\"f1\"],\"splits\":[[1,1,0]],\"folds\":3,"
                   "\"data\":[{\"name\":\"a\",\"sha256\":\"1\"}]}",
                   "C: 2 is new; method: svm, l1svm are new; tol: 1e-8 is new; B: the default is "
                   "new; the data differ; folds: 3 (was 2)");
    assert_null(sweep_changes(START, "no JSON"));
}

/* ---- places -------------------------------------------------------------------------------- */

static void places_and_values_agree(void **state)
{
    static const tm_sweep_axis kinds[] = {
        {.name = "a", .min = -3, .max = 5},
        {.name = "b", .min = 1e-4, .max = 1e3, .log = true},
        {.name = "c", .min = 2, .max = 9, .whole = true},
        {.name = "d", .min = 1, .max = 1000, .whole = true, .log = true},
    };
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 4);
    for (size_t a = 0; a < 4; a++)
        for (int i = 0; i < 200; i++) {
            double place = tm_rng_uniform(&rng);
            char *text = sweep_axis_text(&kinds[a], place);
            double value = strtod(text, NULL), back = sweep_axis_place(&kinds[a], value);
            char *again = sweep_axis_text(&kinds[a], back);
            assert_true(value >= kinds[a].min && value <= kinds[a].max);
            if (kinds[a].whole)
                assert_string_equal(again, text);
            else
                assert_true(fabs(back - place) < 1e-9);
            free(text);
            free(again);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_more_value_solves_that_alone, begin, end),
        cmocka_unit_test_setup_teardown(a_chain_is_gone_on_with, begin, end),
        cmocka_unit_test_setup_teardown(repeats_and_metrics_are_added, begin, end),
        cmocka_unit_test_setup_teardown(what_differs_is_solved, begin, end),
        cmocka_unit_test_setup_teardown(damaged_answers_are_not_used, begin, end),
        cmocka_unit_test_setup_teardown(merged_stores_are_extended, begin, end),
        cmocka_unit_test(changes_are_named),
        cmocka_unit_test(places_and_values_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
