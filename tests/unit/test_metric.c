/* Metrics against their definitions, and the response of other data in a model's coding. */
#include "metric_values.h"
#include "tests/core_check.h"

static double value_of(const char *id, const double *y, const double *z, size_t n)
{
    tm_error err = TM_ERROR_INIT;
    tm_scorer scorer;
    must(tm_scorer_find(&scorer, id, &err), &err);
    return tm_scorer_value(&scorer, y, z, n);
}

/* ---- two classes --------------------------------------------------------------------------- */

typedef struct counts {
    double tp, fp, tn, fn;
} counts;

static counts count_all(const double *y, const double *z, size_t n)
{
    counts c = {0};
    for (size_t i = 0; i < n; i++) {
        bool positive = y[i] == 1, predicted = z[i] > 0;
        c.tp += positive && predicted;
        c.fp += !positive && predicted;
        c.fn += positive && !predicted;
        c.tn += !positive && !predicted;
    }
    return c;
}

static double auc_over_pairs(const double *y, const double *z, size_t n)
{
    double won = 0, pairs = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (y[i] == 1 && y[k] == -1) {
                won += z[i] > z[k] ? 1 : z[i] == z[k] ? 0.5 : 0;
                pairs++;
            }
    return won / pairs;
}

static void check_binary(const double *y, const double *z, size_t n)
{
    counts c = count_all(y, z, n);
    double precision = c.tp + c.fp > 0 ? c.tp / (c.tp + c.fp) : 0;
    double recall = c.tp + c.fn > 0 ? c.tp / (c.tp + c.fn) : 0;
    double f1 = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
    must_be_near(value_of("accuracy", y, z, n), (c.tp + c.tn) / (double)n, 1e-15);
    must_be_near(value_of("error", y, z, n), (c.fp + c.fn) / (double)n, 1e-15);
    must_be_near(value_of("precision", y, z, n), precision, 1e-15);
    must_be_near(value_of("recall", y, z, n), recall, 1e-15);
    must_be_near(value_of("f1", y, z, n), f1, 1e-14);
    double positives = c.tp + c.fn, negatives = c.fp + c.tn;
    double right = (positives > 0 ? c.tp / positives : 0) + (negatives > 0 ? c.tn / negatives : 0);
    must_be_near(value_of("balanced_accuracy", y, z, n),
                 positives > 0 && negatives > 0 ? right / 2 : right, 1e-15);
    if (c.tp + c.fn > 0 && c.fp + c.tn > 0)
        must_be_near(value_of("auc", y, z, n), auc_over_pairs(y, z, n), 1e-14);
    else
        assert_true(isnan(value_of("auc", y, z, n)));
}

/* Scores of few values, so that there are many ties, zeros among them. */
CHECK(test_binary_metrics)
{
    double y[60], z[60];
    tm_rng rng;
    tm_rng_seed(&rng, 61);
    for (int round = 0; round < 500; round++) {
        size_t n = 1 + tm_rng_below(&rng, 60), levels = 1 + tm_rng_below(&rng, 9);
        double share = tm_rng_uniform(&rng);
        for (size_t i = 0; i < n; i++) {
            y[i] = tm_rng_uniform(&rng) < share ? 1 : -1;
            z[i] = round % 3 ? (double)tm_rng_below(&rng, levels) - 3 : tm_rng_normal(&rng);
        }
        check_binary(y, z, n);
    }
}

CHECK(test_degenerate_classes)
{
    const double positive[] = {1, 1, 1}, negative[] = {-1, -1, -1}, zero[3] = {0, 0, 0};
    const double up[] = {1, 2, 3}, down[] = {-1, -2, -3};
    assert_true(value_of("accuracy", negative, zero, 3) == 1); /* a score of 0 predicts -1 */
    assert_true(value_of("accuracy", positive, zero, 3) == 0);
    assert_true(value_of("precision", positive, down, 3) == 0);
    assert_true(value_of("recall", negative, up, 3) == 0);
    assert_true(value_of("f1", negative, down, 3) == 0);
    assert_true(value_of("f1", positive, up, 3) == 1);
    assert_true(isnan(value_of("auc", positive, up, 3)));
    assert_true(isnan(value_of("auc", negative, up, 3)));
    assert_true(value_of("auc", (double[]){-1, 1}, zero, 2) == 0.5);
}

/* Weights and values that overflow make scores that are no numbers. */
/* So many rows that they are sorted by digits, with every size of number, zeros of both signs and
 * ties among them; the pairs are counted one by one. */
CHECK(test_many_rows)
{
    enum { N = 6000 };
    static double y[N], z[N];
    tm_rng rng;
    tm_rng_seed(&rng, 5);
    for (size_t i = 0; i < N; i++) {
        double size = pow(10, tm_rng_range(&rng, -310, 300));
        y[i] = tm_rng_uniform(&rng) < 0.3 ? 1 : -1;
        z[i] = i % 7 == 0   ? (i % 2 ? 0.0 : -0.0)
               : i % 7 == 1 ? (double)(i % 50)
               : i == 2     ? INFINITY
               : i == 3     ? -INFINITY
                            : size * (tm_rng_normal(&rng) + y[i]);
    }
    assert_float_equal(value_of("auc", y, z, N), auc_over_pairs(y, z, N), 1e-12);
}

CHECK(test_scores_that_are_no_numbers)
{
    const double y[] = {1, -1, 1, -1}, none[] = {NAN, NAN, NAN, NAN}, some[] = {1, NAN, 2, -1};
    const double unbounded[] = {INFINITY, -INFINITY, INFINITY, 0};
    assert_true(isnan(value_of("auc", y, none, 4)));
    assert_true(isnan(value_of("auc", y, some, 4)));
    assert_true(value_of("auc", y, unbounded, 4) == 1);
    assert_true(value_of("accuracy", y, unbounded, 4) == 1);
}

/* ---- numbers ------------------------------------------------------------------------------- */

CHECK(test_numeric_metrics)
{
    double y[80], z[80];
    tm_rng rng;
    tm_rng_seed(&rng, 62);
    for (int round = 0; round < 200; round++) {
        size_t n = 2 + tm_rng_below(&rng, 78);
        double shift = round % 2 ? 1e5 : 0;
        long double squares = 0, absolute = 0, mean = 0, spread = 0;
        for (size_t i = 0; i < n; i++) {
            y[i] = shift + tm_rng_normal(&rng);
            z[i] = y[i] + 0.5 * tm_rng_normal(&rng);
            squares += ((long double)y[i] - z[i]) * ((long double)y[i] - z[i]);
            absolute += fabsl((long double)y[i] - z[i]);
            mean += (long double)y[i] / (long double)n;
        }
        for (size_t i = 0; i < n; i++)
            spread += (y[i] - mean) * (y[i] - mean);
        double r2 = (double)(1 - squares / spread);
        must_be_near(value_of("mse", y, z, n), (double)squares / (double)n, 1e-12);
        must_be_near(value_of("mae", y, z, n), (double)absolute / (double)n, 1e-12);
        must_be_near(value_of("r2", y, z, n), r2, 1e-9 * (1 + fabs(r2)));
    }
}

CHECK(test_r2_of_simple_predictions)
{
    const double y[] = {1, 2, 6}, mean[] = {3, 3, 3}, off[] = {6, 2, 1};
    assert_true(value_of("r2", y, y, 3) == 1);
    must_be_near(value_of("r2", y, mean, 3), 0, 1e-15);
    must_be_near(value_of("r2", y, off, 3), 1 - 50.0 / 14, 1e-14);
    assert_true(isnan(value_of("r2", y, y, 1)));
}

/* The mean of ten times 0.1 is not 0.1 in double precision: what rounding leaves is no variance. */
CHECK(test_r2_of_a_constant_response)
{
    static const double values[] = {0, 1, 0.1, -0.7, 1e16, 1.0 / 3};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        for (size_t n = 2; n < 30; n++) {
            double y[30], near[30];
            for (size_t i = 0; i < n; i++) {
                y[i] = values[k];
                near[i] = values[k] + (i == 1 ? 4 : 0);
            }
            assert_true(value_of("r2", y, y, n) == 1);
            assert_true(value_of("r2", y, near, n) == 0);
        }
}

/* ---- a peer's figures ----------------------------------------------------------------------- */

/* A metric's value, or a cell of the confusion table. */
static double figure_of(const char *name, const metric_case *k)
{
    static const char *const cells[] = {"tp", "fp", "fn", "tn"};
    tm_confusion t = tm_confusion_of(k->y, k->z, k->n);
    const double values[] = {(double)t.tp, (double)t.fp, (double)t.fn, (double)t.tn};
    for (size_t c = 0; c < 4; c++)
        if (strcmp(name, cells[c]) == 0)
            return values[c];
    return value_of(name, k->y, k->z, k->n);
}

CHECK(test_values_of_scikit_learn)
{
    size_t checked = 0;
    for (size_t c = 0; c < sizeof metric_cases / sizeof metric_cases[0]; c++) {
        const metric_case *k = &metric_cases[c];
        for (size_t v = 0; v < 28 && k->values[v].metric; v++, checked++) {
            double got = figure_of(k->values[v].metric, k);
            if (!(fabs(got - k->values[v].value) <= 1e-12 * (1 + fabs(got))))
                fail_msg("%s, n = %zu, %s: %.17g, expected %.17g", k->name, k->n,
                         k->values[v].metric, got, k->values[v].value);
        }
    }
    assert_true(checked > 300);
}

/* ---- the table ----------------------------------------------------------------------------- */

CHECK(test_table)
{
    size_t count;
    tm_error err = TM_ERROR_INIT;
    const tm_metric *all = tm_metrics(&count);
    assert_true(count >= 9);
    for (size_t i = 0; i < count; i++) {
        tm_scorer usual = tm_scorer_usual(&all[i]), found;
        must(tm_scorer_find(&found, usual.name, &err), &err);
        assert_ptr_equal(found.metric, &all[i]);
        assert_true(found.argument.number == usual.argument.number);
        assert_int_equal(found.argument.of_positives, usual.argument.of_positives);
        assert_true(strlen(all[i].summary) > 5 && !strchr(all[i].summary, '\n'));
    }
    assert_string_equal(tm_scorer_default(true).name, "accuracy");
    assert_string_equal(tm_scorer_default(false).name, "r2");
}

static bool greater_is_better(const char *id)
{
    tm_scorer scorer;
    tm_error err = TM_ERROR_INIT;
    must(tm_scorer_find(&scorer, id, &err), &err);
    return scorer.metric->greater_is_better;
}

static void refuse_name(const char *id, const char *what)
{
    tm_scorer scorer;
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_scorer_find(&scorer, id, &err), TM_EUSAGE, &err, what);
}

CHECK(test_names)
{
    assert_false(greater_is_better("error"));
    assert_false(greater_is_better("mse"));
    assert_false(greater_is_better("logloss"));
    assert_true(greater_is_better("auc"));
    assert_true(greater_is_better("rec@0.5p"));
    refuse_name("acuracy", "no metric 'acuracy'; did you mean 'accuracy'?");
    refuse_name("weather", "no metric 'weather'; there are accuracy, error, ");
    refuse_name("prec", "metric 'prec': expected a whole number of rows");
    refuse_name("f1@2", "metric 'f1@2': it takes no argument");
    refuse_name("", "no metric ''");
    refuse_name("prec@", "as in prec@10 or rec@2p");
    refuse_name("prec@0", "as in prec@10 or rec@2p");
    refuse_name("prec@2.5", "as in prec@10 or rec@2p");
    refuse_name("rec@-1p", "as in prec@10 or rec@2p");
    refuse_name("rec@infp", "as in prec@10 or rec@2p");
    refuse_name("rec@10000000000000000000000000000000000000000000000000", "as in prec@10");
    refuse_name("fbeta@2p", "as in fbeta@2");
    refuse_name("fbeta@nan", "as in fbeta@2");
}

/* ---- scoring a model ----------------------------------------------------------------------- */

/* One feature 1, 2, ..., n with this response. */
static tm_dataset *counted(const double *y, size_t n, bool numeric)
{
    double *values = malloc(n * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)i + 1;
    tm_matrix *x = dense_of(n, 1, values);
    free(values);
    return dataset_of(x, y, numeric);
}

/* z = weight x + intercept, trained on this response. */
static tm_model *model_of(const double *y, size_t n, bool numeric, double weight, double intercept)
{
    tm_dataset *data = counted(y, n, numeric);
    tm_model *model;
    tm_error err = TM_ERROR_INIT;
    must(tm_model_new(&model, data, "lasso", 1, &weight, intercept, &err), &err);
    tm_dataset_unref(data);
    return model;
}

static double score(const tm_model *model, tm_dataset *data, const char *metric)
{
    double value = NAN;
    tm_error err = TM_ERROR_INIT;
    tm_scorer scorer;
    must(tm_scorer_find(&scorer, metric, &err), &err);
    must(tm_model_score(model, data, &scorer, &value, &err), &err);
    tm_dataset_unref(data);
    return value;
}

static void refuse(const tm_model *model, tm_dataset *data, const char *metric, const char *what)
{
    double value = 7;
    tm_error err = TM_ERROR_INIT;
    tm_scorer scorer;
    must(tm_scorer_find(&scorer, metric, &err), &err);
    must_refuse(tm_model_score(model, data, &scorer, &value, &err), TM_EDATA, &err, what);
    assert_true(value == 7);
    tm_dataset_unref(data);
}

CHECK(test_score_of_two_classes)
{
    /* Positive from x = 3 on: right on 1, 1, 2, 2. */
    tm_model *model = model_of((double[]){1, 2, 1, 2}, 4, false, 1, -2.5);
    assert_true(score(model, counted((double[]){1, 1, 2, 2}, 4, false), "accuracy") == 1);
    assert_true(score(model, counted((double[]){2, 1, 2, 1}, 4, false), "accuracy") == 0.5);
    must_be_near(score(model, counted((double[]){1, 1, 2, 2}, 4, false), "mse"),
                 (0.25 + 0.25 + 0.25 + 0.25) / 4, 1e-15);
    tm_model_unref(model);
}

/* Test rows of one class alone are numbers to a data set, but the model knows what they mean. */
CHECK(test_score_of_one_class)
{
    tm_model *model = model_of((double[]){1, 2, 1, 2}, 4, false, 1, -2.5);
    assert_true(score(model, counted((double[]){2, 2, 2, 2}, 4, false), "accuracy") == 0.5);
    assert_true(score(model, counted((double[]){1, 1, 1, 1, 1}, 5, false), "accuracy") == 0.4);
    assert_true(score(model, counted((double[]){1}, 1, false), "accuracy") == 1);
    assert_true(isnan(score(model, counted((double[]){2, 2, 2}, 3, false), "auc")));
    refuse(model, counted((double[]){3, 3, 3}, 3, false), "accuracy",
           "has the value 3; the model was trained on 1 and 2");
    refuse(model, counted((double[]){1, 2, 3}, 3, false), "accuracy", "the value 3");
    tm_model_unref(model);
}

CHECK(test_score_of_other_labels)
{
    tm_model *model = model_of((double[]){1, 2, 1, 2}, 4, false, 1, -2.5);
    refuse(model, counted((double[]){0, 1, 0, 1}, 4, false), "accuracy",
           "here: the response has the classes 0 and 1; the model was trained on 1 and 2");
    refuse(model, counted((double[]){1, 3, 1, 3}, 4, false), "accuracy", "the classes 1 and 3");
    tm_model_unref(model);
}

CHECK(test_score_of_text_labels)
{
    const double columns[] = {1, 2, 3}, weight = 1;
    tm_dataset *data;
    tm_model *model;
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "text", .x = dense_of(3, 1, columns)};
    parts.response.y = copy_of((double[]){-1, 1, 1}, 3 * sizeof(double));
    parts.response.labels[0] = strdup("no");
    parts.response.labels[1] = strdup("yes");
    must(tm_dataset_new(&data, &parts, &err), &err);
    must(tm_model_new(&model, data, "lasso", 1, &weight, -1.5, &err), &err);
    assert_true(score(model, data, "accuracy") == 1);
    refuse(model, counted((double[]){1, 2, 2}, 3, false), "accuracy", "trained on no and yes");
    refuse(model, counted((double[]){1, 1, 1}, 3, false), "accuracy", "trained on no and yes");
    tm_model_unref(model);
}

CHECK(test_score_of_numbers)
{
    tm_model *model = model_of((double[]){1, 2, 5}, 3, false, 2, 1);
    assert_true(score(model, counted((double[]){3, 5, 7}, 3, false), "r2") == 1);
    assert_true(score(model, counted((double[]){3, 5, 9}, 3, false), "mse") == 4.0 / 3);
    refuse(model, counted((double[]){1, 2, 3}, 3, false), "accuracy", "a metric for two classes");
    tm_model_unref(model);
}

/* Two rows always look like two classes; to a model of numbers they are the numbers they were. */
CHECK(test_score_of_numbers_that_look_like_classes)
{
    tm_model *model = model_of((double[]){1, 2, 5}, 3, false, 2, 1);
    assert_true(score(model, counted((double[]){3, 5}, 2, false), "mse") == 0);
    assert_true(score(model, counted((double[]){5, 3}, 2, false), "mse") == 4);
    assert_true(score(model, counted((double[]){0.1, 1.0 / 3, 0.1}, 3, false), "mae") ==
                (2.9 + (5 - 1.0 / 3) + 6.9) / 3);
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "text", .x = dense_of(2, 1, (double[]){1, 2})};
    parts.response.y = copy_of((double[]){-1, 1}, 2 * sizeof(double));
    parts.response.labels[0] = strdup("no");
    parts.response.labels[1] = strdup("yes");
    must(tm_dataset_new(&data, &parts, &err), &err);
    refuse(model, data, "mse", "text: the response has the classes no and yes");
    tm_model_unref(model);
}

/* Two rows of class +1 among so many. */
static tm_dataset *two_among(size_t n)
{
    double y[64];
    for (size_t i = 0; i < n; i++)
        y[i] = i < 2 ? 1 : -1;
    return counted(y, n, false);
}

static double constant(const char *metric, const tm_dataset *data)
{
    tm_scorer by;
    tm_error err = TM_ERROR_INIT;
    must(tm_scorer_find(&by, metric, &err), &err);
    return tm_scorer_constant(&by, data, data);
}

CHECK(test_rare_classes)
{
    tm_dataset *even = two_among(10), *rare = two_among(40);
    tm_dataset *numbers = counted((double[]){1, 2, 6}, 3, false);
    assert_string_equal(tm_scorer_for(even).name, "accuracy");
    assert_string_equal(tm_scorer_for(rare).name, "auc");
    assert_string_equal(tm_scorer_for(numbers).name, "r2");
    /* The greater class alone: right on all others, no order, no hit; p = 2/40. */
    must_be_near(constant("accuracy", rare), 38.0 / 40, 1e-15);
    must_be_near(constant("balanced_accuracy", rare), 0.5, 1e-15);
    must_be_near(constant("auc", rare), 0.5, 1e-15);
    must_be_near(constant("f1", rare), 0, 1e-15);
    must_be_near(constant("logloss", rare), -(2 * log(0.05) + 38 * log(0.95)) / 40, 1e-12);
    must_be_near(constant("r2", numbers), 0, 1e-15);
    must_be_near(constant("mse", numbers), (4.0 + 1 + 9) / 3, 1e-12);
    assert_true(isnan(constant("r2", rare)) && isnan(constant("auc", numbers)));
    tm_dataset_unref(even);
    tm_dataset_unref(rare);
    tm_dataset_unref(numbers);
}

RUN_TESTS(test_binary_metrics, test_rare_classes, test_degenerate_classes,
          test_scores_that_are_no_numbers, test_many_rows, test_numeric_metrics,
          test_r2_of_simple_predictions, test_r2_of_a_constant_response,
          test_values_of_scikit_learn, test_table, test_names, test_score_of_two_classes,
          test_score_of_one_class, test_score_of_other_labels, test_score_of_text_labels,
          test_score_of_numbers, test_score_of_numbers_that_look_like_classes)
