/* Classes, one against the rest, and their averages, which do not depend on the number of workers.
 */
#include "tests/core_check.h"

/* Three classes on two features; class c has mean (cos, sin) of its angle. */
static tm_dataset *three_classes(size_t n, uint64_t seed, bool numeric)
{
    double *x = malloc(2 * n * sizeof *x), *y = malloc(n * sizeof *y);
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    assert_true(x && y);
    for (size_t i = 0; i < n; i++) {
        double c = (double)tm_rng_below(&rng, 3);
        y[i] = c == 0 ? 10 : c == 1 ? -2.5 : 7;
        x[i] = 2 * cos(2.1 * c) + tm_rng_normal(&rng);
        x[n + i] = 2 * sin(2.1 * c) + tm_rng_normal(&rng);
    }
    tm_dataset *data = dataset_of(dense_of(n, 2, x), y, numeric);
    free(x);
    free(y);
    return data;
}

CHECK(test_classes)
{
    tm_classes c;
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = three_classes(60, 1, false), *one;
    must(tm_classes_find(&c, data, &err), &err);
    assert_int_equal(c.count, 3);
    assert_string_equal(c.labels[0], "-2.5");
    assert_string_equal(c.labels[1], "7");
    assert_string_equal(c.labels[2], "10");
    assert_int_equal(c.sizes[0] + c.sizes[1] + c.sizes[2], 60);
    must(tm_dataset_one_vs_rest(&one, data, "7.0", false, &err), &err);
    assert_true(tm_dataset_is_binary(one) && tm_dataset_x(one) == tm_dataset_x(data));
    assert_string_equal(tm_dataset_label(one, 1), "7.0");
    assert_string_equal(tm_dataset_label(one, -1), "rest");
    for (size_t i = 0; i < 60; i++)
        assert_true((tm_dataset_y(one)[i] > 0) == (tm_dataset_y(data)[i] == 7));
    tm_dataset_unref(one);
    must_refuse(tm_dataset_one_vs_rest(&one, data, "8", false, &err), TM_EDATA, &err,
                "no row has the class '8'; the classes are -2.5, 7, 10");
    must(tm_dataset_one_vs_rest(&one, data, "8", true, &err), &err);
    assert_true(tm_dataset_is_binary(one) && tm_dataset_y(one)[0] == -1);
    tm_dataset_unref(one);
    tm_classes_clear(&c);
    tm_dataset_unref(data);
}

CHECK(test_what_is_no_class)
{
    tm_classes c;
    tm_error err = TM_ERROR_INIT;
    size_t n = 1001;
    double *values = malloc(n * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)i;
    tm_dataset *data = dataset_of(dense_of(n, 1, values), values, true);
    must_refuse(tm_classes_find(&c, data, &err), TM_EDATA, &err, "more than 1000 distinct values");
    tm_dataset_unref(data);
    for (size_t i = 0; i < n; i++)
        values[i] = 3;
    data = dataset_of(dense_of(n, 1, values), values, true);
    must_refuse(tm_classes_find(&c, data, &err), TM_EDATA, &err, "the same in every row");
    tm_dataset_unref(data);
    free(values);
}

static tm_ovr_scores run(int workers, const tm_dataset *train, const tm_dataset *test, bool on_test)
{
    tm_error err = TM_ERROR_INIT;
    tm_pool *pool;
    tm_ovr *ovr;
    tm_params *params;
    tm_ovr_scores scores;
    must(tm_pool_new(&pool, workers, NULL, NULL, &err), &err);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    spec.method = tm_method_find("svmperf", NULL);
    must(tm_method_params_new(&params, spec.method, &err), &err);
    spec.params = params;
    spec.train = train;
    spec.test = test;
    must(tm_ovr_start(&ovr, pool, &spec, &err), &err);
    assert_true(tm_ovr_wait(ovr, -1, NULL) && tm_ovr_ended(ovr) && tm_ovr_progress(ovr) == 1);
    assert_int_equal(tm_ovr_count(ovr), 3);
    assert_string_equal(tm_ovr_label(ovr, 1), "7");
    must(tm_ovr_score(&scores, ovr, on_test, &err), &err);
    tm_ovr_free(ovr);
    tm_params_free(params);
    tm_pool_free(pool);
    return scores;
}

static size_t place_of(const tm_ovr_scores *s, const char *name)
{
    for (size_t m = 0; m < s->metrics; m++)
        if (strcmp(s->scorers[m].name, name) == 0)
            return m;
    fail_msg("no metric %s", name);
    return 0;
}

/* Averages by their definitions from the tables; equal whatever the number of workers. */
CHECK(test_averages)
{
    tm_dataset *train = three_classes(150, 2, false), *test = three_classes(90, 3, false);
    tm_ovr_scores a = run(1, train, test, true), b = run(3, train, test, true);
    double tp = 0, fp = 0, fn = 0, macro = 0;
    size_t f1 = place_of(&a, "f1"), recall = place_of(&a, "recall");
    for (size_t k = 0; k < 3; k++) {
        const tm_confusion *t = &a.tables[k];
        assert_int_equal(t->tp + t->fp + t->fn + t->tn, 90);
        tp += (double)t->tp;
        fp += (double)t->fp;
        fn += (double)t->fn;
        double own = 2 * (double)t->tp / (double)(2 * t->tp + t->fp + t->fn);
        must_be_near(a.values[k * a.metrics + f1], own, 1e-14);
        macro += own / 3;
    }
    must_be_near(a.macro[f1], macro, 1e-14);
    must_be_near(a.micro[f1], 2 * tp / (2 * tp + fp + fn), 1e-14);
    must_be_near(a.micro[recall], tp / (tp + fn), 1e-14);
    assert_int_equal(tp + fn, 90);
    assert_true(a.accuracy > 0.6 && a.accuracy <= 1);
    assert_memory_equal(a.values, b.values, 5 * a.metrics * sizeof *a.values);
    assert_true(a.accuracy == b.accuracy);
    tm_ovr_scores_clear(&a);
    tm_ovr_scores_clear(&b);
    tm_dataset_unref(train);
    tm_dataset_unref(test);
}

/* A class that the test data lack has no positive: its recall is 0 and its auc undefined. */
CHECK(test_a_class_that_lacks)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *train = three_classes(150, 2, false), *all = three_classes(90, 3, false), *test;
    size_t rows[90], count = 0;
    for (size_t i = 0; i < 90; i++)
        if (tm_dataset_y(all)[i] != 7)
            rows[count++] = i;
    must(tm_dataset_select_rows(&test, all, rows, count, "two", &err), &err);
    tm_ovr_scores s = run(2, train, test, true);
    size_t auc = place_of(&s, "auc");
    assert_true(isnan(s.values[1 * s.metrics + auc]) && !isnan(s.values[auc]));
    must_be_near(s.macro[auc], (s.values[auc] + s.values[2 * s.metrics + auc]) / 2, 1e-15);
    assert_int_equal(s.tables[1].tp + s.tables[1].fn, 0);
    assert_true(s.tables[0].tp > 0 && s.tables[2].tp > 0);
    tm_ovr_scores_clear(&s);
    tm_dataset_unref(train);
    tm_dataset_unref(all);
    tm_dataset_unref(test);
}

RUN_TESTS(test_classes, test_what_is_no_class, test_averages, test_a_class_that_lacks)
