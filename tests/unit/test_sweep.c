/* Sweeps: what a cell is, and that nothing depends on who does the work. */
#include "sweep_check.h"

/* ---- cells --------------------------------------------------------------------------------- */

/* With test data a cell is what the method finds by itself, to its tolerance. */
static void a_cell_is_a_run(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_dataset *test = random_data(30, 12, 0.5, false, 2);
    tm_sweep_spec spec = spec_of(&f->data);
    spec.splits.folds = 0;
    spec.inputs.test = test;
    tm_sweep_table *table = table_of(&spec, NULL);
    for (size_t c = 0; c < 4; c++) {
        tm_params *params;
        tm_solver *solver;
        tm_solution solution;
        double score;
        const tm_method *method = tm_method_find("lasso", &err);
        tm_scorer scorer;
        must(tm_scorer_find(&scorer, "mse", &err), &err);
        must(tm_method_params_new(&params, method, &err), &err);
        must(tm_solver_new(&solver, method, f->data, params, NULL, &err), &err);
        double lambda = strtod(values[2 * c], NULL) * tm_solver_lambda_max(solver);
        must(tm_params_set_real(params, "lambda", lambda, &err), &err);
        must(tm_params_set_real(params, "tol", 1e-12, &err), &err);
        must(tm_solver_update(solver, params, &err), &err);
        must(tm_solver_solve(solver, &solution, &err), &err);
        must(tm_model_score(solution.model, test, &scorer, &score, &err), &err);
        const tm_sweep_cell *cell = tm_sweep_table_cell(table, c, 0);
        assert_true(fabs(cell->lambda - lambda) <= 1e-12 * lambda);
        assert_true(fabs(cell->primal - solution.primal) <= 2e-6 * solution.null_objective);
        assert_true(fabs(cell->scores[1] - score) <= 0.02 * score);
        tm_solution_clear(&solution);
        tm_solver_free(solver);
        tm_params_free(params);
    }
    tm_sweep_table_free(table);
    tm_dataset_unref(test);
}

static void workers_change_nothing(void **state)
{
    fixture *f = *state;
    tm_sweep_spec spec = spec_of(&f->data);
    spec.splits.repeats = 2;
    tm_sweep_table *one = table_of(&spec, NULL);
    spec.workers = 3;
    tm_sweep_table *three = table_of(&spec, NULL);
    assert_int_equal(tm_sweep_table_splits(one), 8);
    assert_same_table(one, three);
    tm_sweep_table_free(one);
    tm_sweep_table_free(three);
}

/* Warm and cold, and by lambda_ratio or the lambdas it stands for, find the same optimum. */
static void assert_chains(tm_sweep_spec *spec, size_t chains, double tolerance)
{
    tm_sweep_progress warm, cold;
    tm_sweep_table *a = table_of(spec, &warm);
    spec->warm = false;
    tm_sweep_table *b = table_of(spec, &cold);
    assert_int_equal(warm.tasks, 4 * chains); /* on four folds */
    assert_int_equal(cold.tasks, 4 * spec->config_count);
    for (size_t c = 0; c < spec->config_count; c++)
        for (size_t s = 0; s < 4; s++) {
            const tm_sweep_cell *x = tm_sweep_table_cell(a, c, s),
                                *y = tm_sweep_table_cell(b, c, s);
            assert_int_equal(x->status, TM_CELL_CONVERGED);
            assert_true(isnan(y->lambda) || fabs(x->lambda - y->lambda) <= 1e-12 * y->lambda);
            assert_true(fabs(x->primal - y->primal) <= tolerance * y->primal);
        }
    tm_sweep_table_free(a);
    tm_sweep_table_free(b);
}

static void chains_find_the_same(void **state)
{
    fixture *f = *state;
    tm_sweep_spec spec = spec_of(&f->data);
    assert_chains(&spec, 2, 1e-3);
}

/* Each method has chains along an axis of its own. */
static void each_method_has_its_chains(void **state)
{
    static const char *const axis[] = {"method", "lambda_ratio", "features", "C", "loss"};
    static const char *const value[] = {
        "lasso", "0.5", NULL, NULL,  NULL, "gomp",  NULL, "2",  NULL, "squared",
        "lasso", "0.1", NULL, NULL,  NULL, "gomp",  NULL, "4",  NULL, "squared",
        "lasso", "0.2", NULL, NULL,  NULL, "gomp",  NULL, "3",  NULL, "squared",
        "ridge", NULL,  NULL, "0.5", NULL, "ridge", NULL, NULL, "2",  NULL,
    };
    fixture *f = *state;
    tm_sweep_spec spec = spec_of(&f->data);
    const tm_setting base[] = {{"tol", "1e-10"}};
    spec.method = NULL;
    spec.base = base;
    spec.base_count = 1;
    spec.axes = axis;
    spec.axis_count = 5;
    spec.values = value;
    spec.config_count = 8;
    assert_chains(&spec, 3, 1e-6);
}

/* A path is one task, and its steps are configurations. */
static void a_path_has_steps(void **state)
{
    fixture *f = *state;
    tm_sweep_progress progress;
    tm_sweep_spec spec = spec_of(&f->data);
    const tm_setting base[] = {{"lambdas", "6"}};
    spec.axis_count = 0;
    spec.config_count = 1;
    spec.base = base;
    spec.base_count = 1;
    tm_sweep_table *t = table_of(&spec, &progress);
    assert_int_equal(tm_sweep_table_configs(t), 6);
    assert_string_equal(tm_sweep_table_axis(t, 0), "lambda_ratio");
    assert_string_equal(tm_sweep_table_axis(t, 1), "step");
    assert_string_equal(tm_sweep_table_value(t, 5, 0), "0.01");
    assert_string_equal(tm_sweep_table_value(t, 5, 1), "6");
    for (size_t c = 0; c < 6; c++)
        assert_true(fabs(strtod(tm_sweep_table_value(t, c, 0), NULL) -
                         tm_sweep_table_cell(t, c, 0)->lambda /
                             tm_sweep_table_cell(t, 0, 0)->lambda) < 1e-15);
    assert_int_equal(progress.tasks, 4);
    for (size_t c = 1; c < 6; c++)
        assert_true(tm_sweep_table_cell(t, c, 0)->lambda <
                    tm_sweep_table_cell(t, c - 1, 0)->lambda);
    tm_sweep_table_free(t);
}

/* Nested folds have the plain folds as their outer ones. */
static void outer_folds_are_the_plain_ones(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_sweep_outer *outer;
    size_t count;
    tm_sweep_spec spec = spec_of(&f->data);
    tm_sweep_table *plain = table_of(&spec, NULL);
    spec.splits.nested = 3;
    tm_sweep_table *nested = table_of(&spec, NULL);
    assert_int_equal(tm_sweep_table_splits(nested), 16);
    for (size_t c = 0; c < 4; c++)
        for (size_t s = 0; s < 4; s++)
            assert_same_cell(tm_sweep_table_cell(plain, c, s),
                             tm_sweep_table_cell(nested, c, 4 * s), 2);
    must(tm_sweep_nested(nested, NULL, false, &outer, &count, &err), &err);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        /* What was chosen is the best of the inner means, computed here again. */
        double best = -INFINITY;
        size_t at = 0;
        for (size_t c = 0; c < 4; c++) {
            double mean = 0;
            for (size_t k = 1; k <= 3; k++)
                mean += tm_sweep_table_cell(nested, c, 4 * i + k)->scores[0] / 3;
            at = mean > best ? c : at;
            best = fmax(best, mean);
        }
        assert_int_equal(outer[i].config, at);
        assert_true(outer[i].score == tm_sweep_table_cell(plain, at, i)->scores[0]);
    }
    free(outer);
    tm_sweep_table_free(plain);
    tm_sweep_table_free(nested);
}

/* Each row is there twice and the response is mostly noise: a model that has seen the twin does
 * well, one that has not cannot. */
static void groups_stay_together(void **state)
{
    tm_error err = TM_ERROR_INIT;
    (void)state;
    tm_dataset *data = random_data(60, 90, 4, true, 3);
    size_t twins[60];
    for (size_t i = 0; i < 60; i++)
        twins[i] = i % 30;
    static const char *const axis[] = {"lambda_ratio"}, *const value[] = {"0.01"};
    tm_sweep_spec spec = spec_of(&data);
    spec.axes = axis;
    spec.values = value;
    spec.axis_count = spec.config_count = 1;
    spec.splits.folds = 5;
    spec.splits.stratify = false;
    tm_sweep_mean apart, together;
    tm_sweep_table *t = table_of(&spec, NULL);
    must(tm_sweep_summary(t, "r2", 0, &apart, &err), &err);
    tm_sweep_table_free(t);
    spec.splits.groups = twins;
    t = table_of(&spec, NULL);
    must(tm_sweep_summary(t, "r2", 0, &together, &err), &err);
    tm_sweep_table_free(t);
    assert_true(apart.mean > 0.6);
    assert_true(together.mean < 0.5 && together.mean < apart.mean - 0.3);
    tm_dataset_unref(data);
}

/* ---- configurations ------------------------------------------------------------------------ */

static void grids_and_draws(void **state)
{
    static const char *const b[] = {"1", "2"}, *const c[] = {"x", "y", "z"};
    const tm_sweep_axis grid[] = {{.name = "B", .values = b, .count = 2},
                                  {.name = "C", .values = c, .count = 3}};
    const tm_sweep_axis draws[] = {{.name = "B", .values = b, .count = 2},
                                   {.name = "l", .min = 1e-3, .max = 10, .log = true},
                                   {.name = "k", .min = 2, .max = 4, .whole = true}};
    tm_error err = TM_ERROR_INIT;
    char **texts, **again;
    size_t configs, seen[3] = {0}, below = 0;
    (void)state;
    must(tm_sweep_grid(&texts, &configs, grid, 2, &err), &err);
    assert_int_equal(configs, 6);
    assert_string_equal(texts[0], "1");
    assert_string_equal(texts[3], "y");
    assert_string_equal(texts[10], "2");
    assert_string_equal(texts[11], "z");
    tm_sweep_values_free(texts, 12);
    must(tm_sweep_random(&texts, draws, 3, 300, 5, &err), &err);
    must(tm_sweep_random(&again, draws, 3, 300, 5, &err), &err);
    for (size_t i = 0; i < 300; i++) {
        double l = strtod(texts[3 * i + 1], NULL);
        assert_true(l >= 1e-3 && l <= 10);
        below += l < 0.1; /* half of the range's logarithm */
        long k = strtol(texts[3 * i + 2], NULL, 10);
        assert_true(k >= 2 && k <= 4);
        seen[k - 2]++;
        for (size_t a = 0; a < 3; a++)
            assert_string_equal(texts[3 * i + a], again[3 * i + a]);
    }
    assert_true(below > 110 && below < 190);
    for (size_t k = 0; k < 3; k++)
        assert_true(seen[k] > 60);
    tm_sweep_values_free(texts, 900);
    tm_sweep_values_free(again, 900);
    must_refuse(tm_sweep_grid(&texts, &configs, draws, 2, &err), TM_EUSAGE, &err, "no values");
    const tm_sweep_axis zero = {.name = "l", .min = 0, .max = 1, .log = true};
    must_refuse(tm_sweep_random(&texts, &zero, 1, 3, 1, &err), TM_EUSAGE, &err, "no logarithm");
}

static void bad_descriptions_are_refused(void **state)
{
    fixture *f = *state;
    tm_error err = TM_ERROR_INIT;
    tm_sweep *sweep;
    tm_sweep_spec good = spec_of(&f->data), bad = good;
    bad.splits.folds = 41;
    must_refuse(tm_sweep_start(&sweep, &bad, &err), TM_EUSAGE, &err, "folds are 41");
    bad = good;
    bad.inputs.test = f->data;
    must_refuse(tm_sweep_start(&sweep, &bad, &err), TM_EUSAGE, &err, "not both");
    bad = good;
    static const char *const wrong[] = {"lambda_ratio", "scren"};
    bad.axes = wrong;
    must_refuse(tm_sweep_start(&sweep, &bad, &err), TM_EUSAGE, &err, "did you mean 'screen'");
    bad = good;
    static const char *const high[] = {"-1", "none"};
    bad.values = high;
    bad.config_count = 1;
    must_refuse(tm_sweep_start(&sweep, &bad, &err), TM_EUSAGE, &err, "lambda_ratio");
    bad = good;
    const tm_setting base[] = {{"screen", "gap"}};
    bad.base = base;
    bad.base_count = 1;
    must_refuse(tm_sweep_start(&sweep, &bad, &err), TM_EUSAGE, &err, "both fixed and");
    bad = good;
    bad.splits.folds = 0;
    bad.splits.nested = 3;
    must_refuse(tm_sweep_start(&sweep, &bad, &err), TM_EUSAGE, &err, "nested needs folds");
    assert_null(sweep);
}

/* A metric that the data do not allow fails the cell, with its reason, and not the sweep. */
static void a_failed_cell_says_why(void **state)
{
    fixture *f = *state;
    static const char *const wrong[] = {"auc"};
    tm_sweep_progress progress;
    tm_sweep_spec spec = spec_of(&f->data);
    spec.metrics = wrong;
    spec.metric_count = 1;
    tm_sweep_table *t = table_of(&spec, &progress);
    assert_int_equal(progress.failed, 16);
    assert_non_null(strstr(tm_sweep_table_cell(t, 0, 0)->error, "auc"));
    tm_sweep_table_free(t);
}

RUN_TESTS_WITH(begin, end, a_cell_is_a_run, workers_change_nothing, chains_find_the_same,
               each_method_has_its_chains, a_path_has_steps, outer_folds_are_the_plain_ones,
               groups_stay_together, grids_and_draws, bad_descriptions_are_refused,
               a_failed_cell_says_why)
