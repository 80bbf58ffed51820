/* What is learnt from training rows: filters and scales, and that sweeps learn them from nothing
 * else. */
#include "sweep_check.h"

#include "data/dataset_parts.h"
#include "tamis/prepare.h"

enum { ROWS = 40, COLS = 9 };

/* Normal columns, some values tied; classes or a number as the response. */
static void fill(uint64_t seed, size_t p, bool classes, double *x, double *y)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    fill_normal(&rng, x, ROWS * p, 1);
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = floor(2 * x[i]); /* many ties */
        double z = x[i] - 2 * x[i + ROWS] + tm_rng_normal(&rng);
        y[i] = !classes ? z : z > 0 ? 1 : -1;
    }
}

/* ---- filters ------------------------------------------------------------------------------- */

/* By the definitions, pair by pair and sum by sum. */
static double score_by_hand(tm_filter by, const double *x, const double *y)
{
    double n[2] = {0}, mean[2] = {0}, var[2] = {0}, all = 0, ybar = 0, sxy = 0, sxx = 0, syy = 0;
    double wins = 0;
    for (int i = 0; i < ROWS; i++) {
        n[y[i] > 0]++;
        mean[y[i] > 0] += x[i];
        all += x[i] / ROWS;
        ybar += y[i] / ROWS;
    }
    mean[0] /= n[0];
    mean[1] /= n[1];
    for (int i = 0; i < ROWS; i++) {
        int c = y[i] > 0;
        var[c] += (x[i] - mean[c]) * (x[i] - mean[c]) / (n[c] - 1);
        sxy += (x[i] - all) * (y[i] - ybar);
        sxx += (x[i] - all) * (x[i] - all);
        syy += (y[i] - ybar) * (y[i] - ybar);
        for (int k = 0; k < ROWS; k++)
            if (y[i] > 0 && y[k] < 0)
                wins += x[i] > x[k] ? 1 : x[i] == x[k] ? 0.5 : 0;
    }
    switch (by) {
    case TM_FILTER_CORRELATION:
        return fabs(sxy) / sqrt(sxx * syy);
    case TM_FILTER_T:
        return fabs(mean[1] - mean[0]) / sqrt(var[0] / n[0] + var[1] / n[1]);
    case TM_FILTER_AUC:
        return fabs(wins / n[0] / n[1] - 0.5);
    default:
        return sxx / ROWS;
    }
}

static void scores_are_what_they_are_called(void **state)
{
    double x[ROWS * COLS], y[ROWS], scores[COLS];
    (void)state;
    fill(4, COLS, true, x, y);
    for (int sparse = 0; sparse < 2; sparse++) {
        tm_error err = TM_ERROR_INIT;
        tm_dataset *data =
            dataset_of(sparse ? csc_of(ROWS, COLS, x) : dense_of(ROWS, COLS, x), y, false);
        for (int by = 0; by <= TM_FILTER_VARIANCE; by++) {
            must(tm_filter_scores(scores, data, (tm_filter)by, NULL, &err), &err);
            for (size_t j = 0; j < COLS; j++)
                must_be_near(scores[j], score_by_hand((tm_filter)by, x + j * ROWS, y), 1e-12);
        }
        tm_dataset_unref(data);
    }
}

static void constant_columns_and_numbers(void **state)
{
    double x[ROWS * COLS], y[ROWS], scores[COLS];
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data, *kept;
    (void)state;
    fill(5, COLS, false, x, y);
    for (size_t i = 0; i < ROWS; i++)
        x[i + 2 * ROWS] = 3;
    data = dataset_of(dense_of(ROWS, COLS, x), y, true);
    must(tm_filter_scores(scores, data, TM_FILTER_CORRELATION, NULL, &err), &err);
    assert_true(scores[2] == 0);
    must_refuse(tm_filter_scores(scores, data, TM_FILTER_T, NULL, &err), TM_EUSAGE, &err,
                "two classes");
    must_refuse(tm_dataset_filter(&kept, data, TM_FILTER_AUC, 2, NULL, NULL, &err), TM_EUSAGE, &err,
                "two classes");
    must_refuse(tm_dataset_filter(&kept, data, TM_FILTER_VARIANCE, 0, NULL, NULL, &err), TM_EUSAGE,
                &err, "at least one");
    /* The response is x_1 - 2 x_2 and noise; more than there are is all. */
    must(tm_dataset_filter(&kept, data, TM_FILTER_CORRELATION, 2, NULL, NULL, &err), &err);
    assert_int_equal(tm_dataset_cols(kept), 2);
    assert_string_equal(tm_dataset_feature_name(kept, 0), "X1");
    assert_string_equal(tm_dataset_feature_name(kept, 1), "X2");
    tm_dataset_unref(kept);
    must(tm_dataset_filter(&kept, data, TM_FILTER_CORRELATION, 99, NULL, NULL, &err), &err);
    assert_int_equal(tm_dataset_cols(kept), COLS);
    tm_dataset_unref(kept);
    tm_dataset_unref(data);
}

/* ---- which rows it is learnt from --------------------------------------------------------------
 */

static tm_params *prepare_of(const char *scale, const char *filter, const char *keep)
{
    size_t count;
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    const tm_param_info *table = tm_prepare_params(&count);
    must(tm_params_new(&params, "test", table, count, &err), &err);
    must(tm_params_set_text(params, "scale", scale, &err), &err);
    must(tm_params_set_text(params, "filter", filter, &err), &err);
    must(tm_params_set_text(params, "keep", keep, &err), &err);
    return params;
}

static void scales_are_the_training_rows(void **state)
{
    double x[ROWS * COLS], y[ROWS], other[ROWS * COLS], column[2 * ROWS];
    tm_error err = TM_ERROR_INIT;
    tm_dataset *got, *held;
    (void)state;
    fill(6, COLS, true, x, y);
    fill(7, COLS, true, other, y);
    for (size_t k = 0; k < ROWS * COLS; k++)
        other[k] = 100 * other[k] + 5; /* would change every statistic */
    tm_dataset *train = dataset_of(dense_of(ROWS, COLS, x), y, false),
               *test = dataset_of(dense_of(ROWS, COLS, other), y, false);
    tm_params *params = prepare_of("standard", "t", "3");
    must(tm_prepare(&got, &held, train, test, params, NULL, &err), &err);
    assert_int_equal(tm_dataset_cols(got), 3);
    double worst = INFINITY;
    bool kept[COLS] = {false};
    for (size_t k = 0; k < 3; k++) {
        size_t j = (size_t)strtol(tm_dataset_feature_name(got, k) + 1, NULL, 10) - 1;
        assert_string_equal(tm_dataset_feature_name(held, k), tm_dataset_feature_name(got, k));
        kept[j] = true;
        worst = fmin(worst, score_by_hand(TM_FILTER_T, x + j * ROWS, y));
        double scale = sqrt(score_by_hand(TM_FILTER_VARIANCE, x + j * ROWS, y));
        tm_matrix_column(tm_dataset_x(held), k, column);
        for (size_t i = 0; i < ROWS; i++)
            must_be_near(column[i], other[j * ROWS + i] / scale,
                         1e-12 * (1 + fabs(other[j * ROWS + i] / scale)));
    }
    for (size_t j = 0; j < COLS; j++)
        assert_true(kept[j] || score_by_hand(TM_FILTER_T, x + j * ROWS, y) <= worst);
    tm_dataset_unref(got);
    tm_dataset_unref(held);
    tm_params_free(params);
    /* Rows that are appended are trained on and counted in what is learnt, never scored on. */
    params = prepare_of("maxabs", "none", "1");
    must(tm_prepare(&got, &held, train, train, params, test, &err), &err);
    assert_int_equal(tm_dataset_rows(got), 2 * ROWS);
    assert_int_equal(tm_dataset_rows(held), ROWS);
    for (size_t j = 0; j < COLS; j++) {
        double most = 0;
        for (size_t i = 0; i < ROWS; i++)
            most = fmax(most, fmax(fabs(x[j * ROWS + i]), fabs(other[j * ROWS + i])));
        tm_matrix_column(tm_dataset_x(held), j, column);
        must_be_near(column[3], x[j * ROWS + 3] / most, 1e-12);
    }
    tm_dataset_unref(got);
    tm_dataset_unref(held);
    tm_params_free(params);
    tm_dataset_unref(train);
    tm_dataset_unref(test);
}

static void preparing_ends_when_it_is_cancelled(void **state)
{
    double x[ROWS * COLS], y[ROWS];
    tm_error err = TM_ERROR_INIT;
    tm_dataset *out[2];
    (void)state;
    fill(8, COLS, true, x, y);
    tm_dataset *data = dataset_of(dense_of(ROWS, COLS, x), y, false);
    const tm_dataset *const rows[2] = {data, data};
    tm_params *params = prepare_of("standard", "auc", "3");
    tm_cancel *cancel = tm_cancel_new();
    tm_cancel_set(cancel);
    assert_int_equal(dataset_prepare(out, rows, params, NULL, cancel, &err), TM_ECANCELLED);
    assert_true(!out[0] && !out[1]);
    tm_cancel_free(cancel);
    tm_params_free(params);
    tm_dataset_unref(data);
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static const char *const prepare_axes[] = {"filter", "keep", "scale"};
static const char *const prepare_values[] = {"t",    "3",        "none", "auc",  "4",
                                             "norm", "variance", "5",    "none", "correlation",
                                             "2",    "standard", "none", "1",    "maxabs"};

static tm_sweep_spec prepared_spec(tm_dataset *const *data)
{
    tm_sweep_spec spec = spec_of(data);
    static const tm_setting base[] = {{"lambda_ratio", "0.1"}, {"tol", "1e-9"}};
    spec.method = "l1logistic";
    spec.base = base;
    spec.base_count = 2;
    spec.axes = prepare_axes;
    spec.axis_count = 3;
    spec.values = prepare_values;
    spec.config_count = 5;
    spec.splits.stratify = false; /* the folds do not look at the response */
    spec.metrics = NULL;
    spec.metric_count = 0;
    return spec;
}

/* Whatever stands in the rows that are held out, and whatever their classes: what is trained is the
 * same to the bit. Each fold in turn is made nonsense of. */
static void held_out_rows_are_not_learnt_from(void **state)
{
    double x[ROWS * COLS], y[ROWS];
    size_t fold[ROWS];
    (void)state;
    fill(8, COLS, true, x, y);
    tm_dataset *data = dataset_of(dense_of(ROWS, COLS, x), y, false);
    tm_sweep_spec spec = prepared_spec(&data);
    tm_sweep_table *plain = table_of(&spec, NULL);
    /* The sweep's folds, told by where a change of one row changes scores alone. */
    for (size_t i = 0; i < ROWS; i++) {
        double held = x[i];
        x[i] += 1000;
        tm_dataset *other = dataset_of(dense_of(ROWS, COLS, x), y, false);
        tm_sweep_spec one = prepared_spec(&other);
        one.values = prepare_values + 12; /* maxabs of all */
        one.config_count = 1;
        tm_sweep_table *t = table_of(&one, NULL);
        size_t same = 0;
        for (size_t s = 0; s < 4; s++)
            if (tm_sweep_table_cell(t, 0, s)->primal == tm_sweep_table_cell(plain, 4, s)->primal) {
                fold[i] = s;
                same++;
            }
        assert_int_equal(same, 1); /* the row is held out once, and trained on otherwise */
        tm_sweep_table_free(t);
        tm_dataset_unref(other);
        x[i] = held;
    }
    for (size_t s = 0; s < 4; s++) {
        double wild[ROWS * COLS], wrong[ROWS];
        memcpy(wild, x, sizeof wild);
        memcpy(wrong, y, sizeof wrong);
        for (size_t i = 0; i < ROWS; i++)
            if (fold[i] == s) {
                wrong[i] = -y[i];
                for (size_t j = 0; j < COLS; j++)
                    wild[i + j * ROWS] = 1e4 * (double)(j + i) * (y[i] > 0 ? 1 : -3);
            }
        tm_dataset *nonsense = dataset_of(dense_of(ROWS, COLS, wild), wrong, false);
        tm_sweep_spec other = prepared_spec(&nonsense);
        tm_sweep_table *t = table_of(&other, NULL);
        bool differs = false;
        for (size_t c = 0; c < 5; c++) {
            const tm_sweep_cell *a = tm_sweep_table_cell(plain, c, s),
                                *b = tm_sweep_table_cell(t, c, s);
            assert_int_equal(a->status, TM_CELL_CONVERGED);
            assert_true(a->primal == b->primal && a->dual == b->dual && a->nnz == b->nnz);
            differs = differs || a->scores[0] != b->scores[0];
        }
        assert_true(differs);
        tm_sweep_table_free(t);
        tm_dataset_unref(nonsense);
    }
    tm_sweep_table_free(plain);
    tm_dataset_unref(data);
}

/* Mean accuracy over the folds of a filter by the classes on pure noise. */
static double accuracy_on_noise(uint64_t seed, bool outside)
{
    enum { WIDE = 400 };
    static const char *const filter[] = {"filter"}, *const auc[] = {"auc"};
    static const tm_setting inside[] = {{"keep", "10"}, {"C", "1"}};
    double *x = malloc(sizeof *x * ROWS * WIDE), y[ROWS];
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    assert_non_null(x);
    tm_rng_seed(&rng, seed);
    fill_normal(&rng, x, ROWS * WIDE, 1);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = i % 2 ? 1 : -1;
    tm_dataset *data = dataset_of(dense_of(ROWS, WIDE, x), y, false), *chosen = NULL;
    must(tm_dataset_filter(&chosen, data, TM_FILTER_AUC, 10, NULL, NULL, &err), &err);
    tm_sweep_spec spec = spec_of(outside ? &chosen : &data);
    spec.method = "ridge";
    spec.axes = filter;
    spec.axis_count = outside ? 0 : 1;
    spec.values = auc;
    spec.config_count = 1;
    spec.base = outside ? inside + 1 : inside;
    spec.base_count = outside ? 1 : 2;
    spec.metric_count = 0;
    tm_sweep_table *t = table_of(&spec, NULL);
    tm_sweep_mean mean;
    must(tm_sweep_summary(t, "accuracy", 0, &mean, &err), &err);
    tm_sweep_table_free(t);
    tm_dataset_unref(data);
    tm_dataset_unref(chosen);
    free(x);
    return mean.mean;
}

/* The best ten of 400 columns of noise: chosen on all rows they seem to predict, chosen on each
 * training part they do not. */
static void noise_is_found_to_be_noise(void **state)
{
    enum { SETS = 40 };
    double honest = 0, leaking = 0;
    (void)state;
    for (uint64_t k = 0; k < SETS; k++) {
        honest += accuracy_on_noise(k + 1, false) / SETS;
        leaking += accuracy_on_noise(k + 1, true) / SETS;
    }
    assert_true(leaking > 0.75);
    /* One set's accuracy has a deviation of about 0.08; four of the mean's. */
    if (fabs(honest - 0.5) > 4 * 0.08 / sqrt(SETS))
        fail_msg("accuracy %g on noise", honest);
}

static void bad_descriptions_are_refused(void **state)
{
    double x[ROWS * COLS], y[ROWS];
    static const char *const append[] = {"append"}, *const names[] = {"more"};
    static const char *const wrong[] = {"mroe"}, *const right[] = {"more"};
    static const tm_setting lambda[] = {{"lambda_ratio", "0.1"}},
                            keep[] = {{"lambda_ratio", "0.1"}, {"keep", "3"}};
    tm_error err = TM_ERROR_INIT;
    tm_sweep *sweep;
    (void)state;
    fill(9, COLS, true, x, y);
    tm_dataset *data = dataset_of(dense_of(ROWS, COLS, x), y, false);
    tm_sweep_spec spec = prepared_spec(&data);
    spec.base = lambda;
    spec.base_count = 1;
    spec.axes = append;
    spec.axis_count = 1;
    spec.config_count = 1;
    spec.values = wrong;
    spec.inputs.extra = (const tm_dataset *const *)&data;
    spec.inputs.extra_names = names;
    spec.inputs.extra_count = 1;
    must_refuse(tm_sweep_start(&sweep, &spec, &err), TM_EUSAGE, &err, "did you mean 'more'");
    spec.values = right;
    tm_sweep_table_free(table_of(&spec, NULL));
    /* Rows of a third class are trained on, which no row that is scored on can have. */
    for (size_t i = 0; i < ROWS; i++)
        y[i] = (double)(i % 3);
    tm_dataset *third = dataset_of(dense_of(ROWS, COLS, x), y, false);
    spec.inputs.extra = (const tm_dataset *const *)&third;
    tm_sweep_table *t = table_of(&spec, NULL);
    assert_int_equal(tm_sweep_table_cell(t, 0, 0)->status, TM_CELL_FAILED);
    assert_non_null(strstr(tm_sweep_table_cell(t, 0, 0)->error, "has classes that the rows"));
    tm_sweep_table_free(t);
    tm_dataset_unref(third);
    spec.inputs.extra = (const tm_dataset *const *)&data;
    spec.axis_count = 0;
    must_refuse(tm_sweep_start(&sweep, &spec, &err), TM_EUSAGE, &err, "append=\"more\"");
    spec.inputs.extra_count = 0;
    spec.base = keep;
    spec.base_count = 2;
    must_refuse(tm_sweep_start(&sweep, &spec, &err), TM_EUSAGE, &err, "give filter too");
    tm_dataset_unref(data);
}

RUN_TESTS(scores_are_what_they_are_called, constant_columns_and_numbers,
          scales_are_the_training_rows, preparing_ends_when_it_is_cancelled,
          held_out_rows_are_not_learnt_from, noise_is_found_to_be_noise,
          bad_descriptions_are_refused)
