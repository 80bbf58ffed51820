/* The order of entry. With orthonormal columns feature j enters the lasso's path at lambda =
 * |x_j'y| and its weight grows from there on, so the whole order is known beforehand. */
#include "tui/session/features_csv.h"

#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, LAMBDAS = 30 };

static const double y[N] = {0.5, -8, 3, 0, 6.5, -1.5, 0.01, 2};
static const char *const names[N] = {"plain",      "with, comma", "a \"quote\"", "never",
                                     "two\nlines", "f",           "too weak",    "h"};
static const size_t by_strength[] = {1, 4, 2, 7, 5, 0};
static const double lowest = 0.03; /* of lambda_max = 8: leaves out 0.01 */

static tm_dataset *identity(void)
{
    tm_dataset *out = NULL;
    tm_dataset_parts parts = {.name = "identity", .response.y = malloc(sizeof y)};
    double *values = calloc(N * N, sizeof *values);
    for (size_t i = 0; i < N; i++)
        values[i * N + i] = 1.0;
    memcpy(parts.response.y, y, sizeof y);
    parts.features.names = calloc(N, sizeof *parts.features.names);
    for (size_t i = 0; i < N; i++)
        parts.features.names[i] = strdup(names[i]);
    assert_int_equal(tm_matrix_new_dense(&parts.x, N, N, values, NULL), TM_OK);
    assert_int_equal(tm_dataset_new(&out, &parts, NULL), TM_OK);
    return out;
}

static tm_job *path(tm_pool *pool)
{
    tm_job *job = NULL;
    tm_params *params = NULL;
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    tm_dataset *data = identity();
    spec.method = tm_method_find("lasso", NULL);
    spec.train = data;
    assert_int_equal(tm_method_params_new(&params, spec.method, NULL), TM_OK);
    assert_int_equal(tm_params_set_bool(params, "intercept", false, NULL), TM_OK);
    assert_int_equal(tm_params_set_int(params, "lambdas", LAMBDAS, NULL), TM_OK);
    assert_int_equal(tm_params_set_real(params, "lambda_min_ratio", lowest, NULL), TM_OK);
    assert_int_equal(tm_params_set_real(params, "tol", 1e-12, NULL), TM_OK);
    spec.params = params;
    assert_int_equal(tm_pool_submit(pool, &spec, &job, NULL), TM_OK);
    tm_params_free(params);
    tm_dataset_unref(data);
    return job;
}

static void check(const track *t)
{
    size_t entered = sizeof by_strength / sizeof by_strength[0];
    assert_int_equal(t->count, LAMBDAS);
    assert_int_equal(t->feature_count, entered);
    for (size_t i = 0; i < entered; i++) {
        const track_feature *f = &t->features[i];
        double own = fabs(y[f->feature]);
        assert_int_equal(f->feature, by_strength[i]);
        assert_int_equal(t->places[f->feature], i + 1);
        double last = t->points[t->count - 1].solution.lambda;
        assert_true(fabs(f->peak - (own - last)) < 1e-4);
        /* The first lambda below |y_j|. */
        assert_true(t->points[f->entered].solution.lambda < own);
        assert_true(t->points[f->entered - 1].solution.lambda >= own * (1 - 1e-9));
    }
    assert_int_equal(t->places[3], 0);
    assert_int_equal(t->places[6], 0);
}

/* The lines up to the numbers. */
static void check_csv(const track *t)
{
    char *text = NULL;
    size_t size = 0;
    unsigned char marks[N] = {0, 0, 1, 1, 1, 0, 1, 0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(features_csv(t, 0, NULL, out), 0); /* at lambda_max */
    fflush(out);
    assert_string_equal(text, "feature,column,entered_lambda,entered_ratio,lambda,weight\n");
    /* Marked are two that entered and two that did not. */
    assert_int_equal(features_csv(t, t->count - 1, marks, out), 2);
    fclose(out);
    const char *second = strstr(text, "\"two\nlines\",5,");
    const char *third = strstr(text, "\"a \"\"quote\"\"\",3,");
    assert_non_null(second);
    assert_true(third > second);
    const char *weight = strrchr(third, ',');
    assert_true(fabs(strtod(weight + 1, NULL) - (3.0 - lowest * 8.0)) < 1e-4);
    free(text);

    out = open_memstream(&text, &size);
    assert_int_equal(features_csv(t, t->count - 1, NULL, out), t->feature_count);
    fclose(out);
    free(text);
}

static void knows_the_order_of_entry(void **state)
{
    tm_pool *pool = NULL;
    tm_error err = TM_ERROR_INIT;
    (void)state;
    assert_int_equal(tm_pool_new(&pool, 1, NULL, NULL, &err), TM_OK);
    tm_job *job = path(pool);
    track t = TRACK_INIT;
    assert_int_equal(track_follow(&t, job, &err), TM_OK);
    while (!tm_job_wait(job, 0.0001, NULL)) /* taken in bit by bit */
        assert_int_equal(track_update(&t, &err), TM_OK);
    assert_int_equal(track_update(&t, &err), TM_OK);
    check(&t);

    track whole = TRACK_INIT; /* the same at one go */
    assert_int_equal(track_follow(&whole, job, &err), TM_OK);
    assert_int_equal(track_update(&whole, &err), TM_OK);
    check(&whole);
    track_clear(&whole);

    check_csv(&t);
    size_t places[3];
    assert_int_equal(track_strongest(&t, places, 3), 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(t.features[places[i]].feature, by_strength[i]);
    assert_int_equal(track_strongest(&t, places, 0), 0);
    assert_int_equal(track_follow(&t, NULL, &err), TM_OK);
    assert_int_equal(t.count + t.feature_count, 0);
    assert_int_equal(track_update(&t, &err), TM_OK);
    tm_job_unref(job);
    tm_pool_free(pool);
}

RUN_TESTS(knows_the_order_of_entry)
