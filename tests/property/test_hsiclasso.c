/* `hsiclasso` against the explicit design, which is made here by multiplying matrices: H K H with H
 * = I - 1 1'/m for each feature, solved by `lasso` with weights of at least 0. */
#include "problem.h"

#include "tests/core_check.h"

#include "data/pairs/data.h"

/* ---- the explicit design ------------------------------------------------------------------- */

/* H K H of an n x n matrix, in place. */
static void centre(double *k, size_t n)
{
    double *h = calloc(n * n, sizeof *h), *hk = calloc(n * n, sizeof *hk);
    for (size_t i = 0; i < n * n; i++)
        h[i] = (i % (n + 1) == 0) - 1 / (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t l = 0; l < n; l++)
                hk[i * n + j] += h[i * n + l] * k[l * n + j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            k[i * n + j] = 0;
            for (size_t l = 0; l < n; l++)
                k[i * n + j] += hk[i * n + l] * h[l * n + j];
        }
    free(h);
    free(hk);
}

static void gaussian(double *k, const double *v, size_t n, double sigma)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        variance += (v[i] - mean) * (v[i] - mean) / (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            k[i * n + j] =
                variance > 0 ? exp(-(v[i] - v[j]) * (v[i] - v[j]) / (2 * sigma * sigma * variance))
                             : 1;
    centre(k, n);
}

static void delta(double *k, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double alike = 0;
        for (size_t j = 0; j < n; j++)
            alike += y[i] == y[j];
        for (size_t j = 0; j < n; j++)
            k[i * n + j] = y[i] == y[j] ? 1 / alike : 0;
    }
    centre(k, n);
}

/* What rounding leaves of a constant's kernel stays zero. */
static void make_unit(double *k, size_t n)
{
    double square = 0;
    for (size_t i = 0; i < n * n; i++)
        square += k[i] * k[i];
    for (size_t i = 0; i < n * n; i++)
        k[i] = square > 1e-24 * (double)(n * n) ? k[i] / sqrt(square) : 0;
}

/* All n^2 pairs as rows. */
static tm_dataset *explicit_design(const problem *q, bool classes, double sigma, bool unit)
{
    size_t n = q->n;
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    double *x = malloc(n * n * q->p * sizeof *x), *y = malloc(n * n * sizeof *y);
    for (size_t j = 0; j < q->p; j++) {
        gaussian(x + j * n * n, q->x + j * n, n, sigma);
        if (unit)
            make_unit(x + j * n * n, n);
    }
    if (classes)
        delta(y, q->y, n);
    else
        gaussian(y, q->y, n, 1);
    if (unit)
        make_unit(y, n);
    tm_dataset_parts parts = {
        .name = "pairs", .response.y = y, .response.numeric = true, .derived = true};
    must(tm_matrix_new_dense(&parts.x, n * n, q->p, x, &err), &err);
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

/* ---- solving ------------------------------------------------------------------------------- */

static tm_dataset *data_of(const problem *q, bool classes)
{
    return problem_dataset_of(q, !classes);
}

/* At a share of lambda_max. */
static tm_solution solve_at(const char *method, const tm_dataset *data, const char *words,
                            double share)
{
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver;
    tm_params *params = method_params(method, words);
    must(tm_solver_new(&solver, tm_method_find(method, NULL), data, params, NULL, &err), &err);
    double lambda = share * tm_solver_lambda_max(solver);
    tm_solver_free(solver);
    tm_params_free(params);
    return method_solve(method, data, words, lambda);
}

static void must_agree(const tm_solution *got, const tm_solution *want, uint64_t seed)
{
    double slack = 1e-7 * want->null_objective;
    if (got->outcome != TM_CONVERGED || want->outcome != TM_CONVERGED ||
        fabs(got->primal - want->primal) > slack ||
        fabs(got->lambda_max - want->lambda_max) > 1e-9 * want->lambda_max)
        fail_msg("problem %llu: %s by %s, gap %g of %g, %.15g with lambda_max %.15g, explicitly "
                 "%.15g and %.15g",
                 (unsigned long long)seed, tm_outcome_name(got->outcome),
                 tm_stop_name(got->stop) ? tm_stop_name(got->stop) : "nothing", got->gap,
                 got->null_objective, got->primal, got->lambda_max, want->primal, want->lambda_max);
    for (size_t k = 0; k < tm_model_nnz(got->model); k++)
        assert_true(tm_model_weights(got->model)[k] > 0);
}

CHECK(test_explicit_design)
{
    for (uint64_t seed = 1; seed <= SOME_OF(24); seed++) {
        problem q = problem_new(seed);
        bool classes = seed % 2, unit = seed % 3 == 0;
        double sigma = seed % 4 ? 1 : 0.4, share = seed % 5 ? 0.3 : 0.02;
        char words[160];
        if (classes)
            problem_make_binary(&q);
        tm_dataset *data = data_of(&q, classes), *pairs;
        pairs = explicit_design(&q, classes, sigma, unit);
        snprintf(words, sizeof words, "tol=1e-9 refit=none sigma=%g unit_norm=%s", sigma,
                 unit ? "true" : "false");
        tm_solution got = solve_at("hsiclasso", data, words, share);
        tm_solution want =
            solve_at("lasso", pairs, "positive=true intercept=false tol=1e-10", share);
        must_agree(&got, &want, seed);
        tm_solution_clear(&got);
        tm_solution_clear(&want);
        tm_dataset_unref(pairs);
        problem_end(&q, data);
    }
}

/* Every strategy that fits reaches the same optimum; threads change no bit. */
CHECK(test_strategies)
{
    static const char *const screens[] = {"none", "gap",   "saif", "strong", "ws",
                                          "vi",   "blitz", "safe", "hessian"};
    problem q = problem_new(8);
    tm_dataset *data = data_of(&q, false);
    tm_solution first = solve_at("hsiclasso", data, "tol=1e-8 refit=none", 0.1);
    tm_solution threads = solve_at("hsiclasso", data, "tol=1e-8 refit=none threads=3", 0.1);
    assert_true(first.primal == threads.primal && first.columns == threads.columns);
    for (size_t k = 0; k < sizeof screens / sizeof *screens; k++) {
        char words[80];
        snprintf(words, sizeof words, "tol=1e-8 refit=none screen=%s", screens[k]);
        tm_solution s = solve_at("hsiclasso", data, words, 0.1);
        must_agree(&s, &first, 8);
        tm_solution_clear(&s);
    }
    tm_solution_clear(&first);
    tm_solution_clear(&threads);
    problem_end(&q, data);
}

/* ---- the matrix of pairs ------------------------------------------------------------------- */

/* Every operation against the values of the columns, which are those of the explicit design of each
 * block; HSIC, the product with the output, is not negative. */
CHECK(test_columns)
{
    static const size_t blocks[] = {0, 5, 7, 100};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = data_of(&q, false), *pairs;
        tm_error err = TM_ERROR_INIT;
        tm_rng rng;
        pair_spec spec = {.terms = {.sigma = 1, .unit_norm = seed % 3 == 0},
                          .output_sigma = 1,
                          .block = blocks[seed % 4],
                          .seed = seed};
        must(pair_data_new(&pairs, data, &spec, &err), &err);
        const tm_matrix *x = tm_dataset_x(pairs);
        size_t rows = tm_matrix_rows(x), some[2] = {rows - 1, 0};
        double *column = malloc(4 * rows * sizeof *column), *v = column + rows, *sum = v + rows;
        double all = 0, chosen[2];
        tm_matrix *part;
        tm_rng_seed(&rng, seed);
        must(tm_matrix_select_rows(&part, x, some, 2, &err), &err);
        for (size_t j = 0; j < q.p; j++) {
            double product = 0, squares = 0, output = 0;
            tm_matrix_column(x, j, column);
            for (size_t r = 0; r < rows; r++) {
                v[r] = tm_rng_normal(&rng);
                sum[r] = v[r];
                product += column[r] * v[r];
                squares += column[r] * column[r];
                output += column[r] * tm_dataset_y(pairs)[r];
            }
            double slack = 1e-12 * (double)rows;
            assert_true(fabs(tm_matrix_dot(x, j, v) - product) < slack);
            tm_matrix_axpy(x, j, 0.5, sum);
            for (size_t r = 0; r < rows; r++)
                assert_true(fabs(sum[r] - v[r] - 0.5 * column[r]) < 1e-13);
            double mean = tm_dataset_means(pairs)[j];
            assert_true(fabs(tm_dataset_deviations(pairs)[j] + (double)rows * mean * mean -
                             squares) < slack);
            assert_true(output > -slack);
            /* Products with the response are known; those with another vector that begins alike
             * are not. */
            assert_true(fabs(tm_matrix_dot(x, j, tm_dataset_y(pairs)) - output) < slack);
            memcpy(v, tm_dataset_y(pairs), rows * sizeof *v);
            v[rows - 1] += 1;
            assert_true(fabs(tm_matrix_dot(x, j, v) - output - column[rows - 1]) < slack);
            tm_matrix_column(part, j, chosen);
            assert_true(chosen[0] == column[rows - 1] && chosen[1] == column[0]);
            all += output;
        }
        assert_true(all > 0);
        tm_matrix_unref(part);
        free(column);
        tm_dataset_unref(pairs);
        problem_end(&q, data);
    }
}

/* ---- what it is for ------------------------------------------------------------------------ */

/* n x p normal values, and a response that `truth` makes of a row. */
static problem planted(uint64_t seed, size_t n, size_t p, bool (*truth)(const double *row))
{
    problem q = {.seed = seed, .kind = "planted", .n = n, .p = p};
    double row[64];
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    q.x = malloc(n * p * sizeof *q.x);
    q.y = malloc(n * sizeof *q.y);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++)
            q.x[i + j * n] = row[j] = tm_rng_normal(&rng);
        q.y[i] = truth(row) ? 1 : -1;
    }
    return q;
}

static bool outside_circle(const double *row)
{
    return row[2] * row[2] + row[6] * row[6] > 1.4;
}

static bool exclusive_or(const double *row)
{
    return (row[2] > 0) != (row[6] > 0);
}

/* Whether the two features with the greatest weights are 3 and 7. */
static bool finds_pair(const tm_model *model)
{
    double least = fmin(fabs(tm_model_weight(model, 2)), fabs(tm_model_weight(model, 6)));
    size_t above = 0;
    for (size_t k = 0; k < tm_model_nnz(model); k++)
        above += fabs(tm_model_weights(model)[k]) >= least;
    return least > 0 && above == 2;
}

/* Whether a linear method gives the pair the greatest weights; the first half of the path is long
 * enough for all to have chosen some. */
static bool is_found_linearly(const tm_dataset *data)
{
    static const char *const methods[] = {"lasso", "l1logistic", "l1svm"};
    bool found = false;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        tm_solution s = solve_at(methods[k], data, "tol=1e-6", 0.5);
        assert_true(tm_model_nnz(s.model) > 0);
        found |= finds_pair(s.model);
        tm_solution_clear(&s);
    }
    return found;
}

/* Whether the best product of two columns is that of features 3 and 7. */
static bool is_found_by_products(const tm_dataset *data)
{
    size_t parents[2];
    tm_solution s = method_solve("fgm", data, "source=poly2 B=1 T=1", NAN);
    assert_int_equal(tm_model_nnz(s.model), 1);
    int count = tm_map_parents(tm_model_map(s.model), tm_model_features(s.model)[0], parents);
    bool found = count == 2 && parents[0] + parents[1] == 8 && parents[0] * parents[1] == 12;
    tm_solution_clear(&s);
    return found;
}

/* Features 3 and 7 of y = sign(x_3^2 + x_7^2 - c), which neither linear methods nor the best
 * product of two columns name. */
CHECK(test_circle)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        problem q = planted(seed, 120, 40, outside_circle);
        tm_dataset *data = data_of(&q, true);
        tm_error err = TM_ERROR_INIT;
        double score;
        tm_scorer scorer;
        must(tm_scorer_find(&scorer, "accuracy", &err), &err);
        tm_solution s = solve_at("hsiclasso", data, "tol=1e-6", 0.5);
        if (!finds_pair(s.model))
            fail_msg("seed %llu: hsiclasso misses the pair", (unsigned long long)seed);
        assert_false(is_found_linearly(data));
        assert_false(is_found_by_products(data));
        must(tm_model_score(s.model, data, &scorer, &score, &err), &err);
        assert_true(score > 0.9);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* The pair of an exclusive or: each feature alone says nothing of it. */
CHECK(test_exclusive_or)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        problem q = planted(seed, 150, 20, exclusive_or);
        tm_dataset *data = data_of(&q, true);
        tm_solution s = solve_at("hsiclasso", data, "tol=1e-6 refit=none", 0.5);
        assert_false(finds_pair(s.model));
        assert_false(is_found_linearly(data));
        if (!is_found_by_products(data))
            fail_msg("seed %llu: products miss the pair", (unsigned long long)seed);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* ---- predictions --------------------------------------------------------------------------- */

/* What predicts is the method itself on the chosen columns, divided by their deviations. */
static void check_refit(const char *words, const char *method, const char *inner)
{
    problem q = planted(1, 60, 12, outside_circle);
    tm_dataset *data = data_of(&q, true), *part, *scaled;
    tm_error err = TM_ERROR_INIT;
    double z[60], again[60], want[60];
    for (size_t i = 0; i < q.n; i++)
        assert_true(q.y[i] == tm_dataset_y(data)[i]);
    tm_solution s = solve_at("hsiclasso", data, words, 0.4);
    tm_model *loaded = model_reload(s.model);
    assert_true(tm_model_is_selection(loaded) && tm_model_predicts(loaded));
    must(tm_model_predict_data(s.model, data, z, &err), &err);
    must(tm_model_predict_data(loaded, data, again, &err), &err);
    assert_memory_equal(z, again, sizeof z);
    must(tm_dataset_select_cols(&part, data, tm_model_features(s.model), tm_model_nnz(s.model),
                                "part", &err),
         &err);
    must(tm_dataset_scale(&scaled, part, TM_SCALE_STANDARD, NULL, &err), &err);
    tm_solution direct = method_solve(method, scaled, inner, NAN);
    must(tm_model_predict_data(direct.model, scaled, want, &err), &err);
    for (size_t i = 0; i < q.n; i++)
        assert_true(fabs(z[i] - want[i]) < 1e-9);
    tm_solution_clear(&direct);
    tm_dataset_unref(scaled);
    tm_dataset_unref(part);
    tm_model_unref(loaded);
    tm_solution_clear(&s);
    problem_end(&q, data);
}

CHECK(test_refit)
{
    check_refit("tol=1e-6", "svm", "kernel=rbf intercept=free");
    check_refit("tol=1e-6 refit=logistic", "logistic", "");
}

CHECK(test_selection_only)
{
    problem q = problem_new(2);
    tm_dataset *data = data_of(&q, false);
    tm_error err = TM_ERROR_INIT;
    double z[64], mean = 0;
    tm_solution s = solve_at("hsiclasso", data, "refit=none", 0.3);
    tm_model *loaded = model_reload(s.model);
    assert_true(tm_model_is_selection(loaded) && !tm_model_predicts(loaded));
    must_refuse(tm_model_predict_data(loaded, data, z, &err), TM_EUSAGE, &err, "refit");
    tm_solution_clear(&s);
    tm_model_unref(loaded);
    s = solve_at("hsiclasso", data, "", 1); /* no feature: the mean predicts */
    assert_int_equal(tm_model_nnz(s.model), 0);
    must(tm_model_predict_data(s.model, data, z, &err), &err);
    for (size_t i = 0; i < q.n; i++)
        mean += q.y[i] / (double)q.n;
    assert_true(fabs(z[0] - mean) < 1e-12 && z[0] == z[q.n - 1]);
    tm_solution_clear(&s);
    problem_end(&q, data);
}

CHECK(test_damaged_files)
{
    static const text_case cases[] = {
        {"{\"predictor\":3}", "'selection' needs"},
        {"{\"predictor\":{\"tamis\":\"model\"}}", "'selection' needs"},
        {"{\"other\":{}}", "'selection' needs"},
        {"[]", "'selection' needs"},
    };
    tm_error err = TM_ERROR_INIT;
    tm_model *model;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"tamis\":\"model\",\"version\":2,\"method\":\"hsiclasso\",\"intercept\":0,"
                 "\"features\":4,\"coef\":[[2,1.5]],\"selection\":%s}",
                 cases[k].text);
        must_refuse(tm_model_from_text(&model, text, "text", &err), TM_EDATA, &err, cases[k].want);
    }
}

RUN_TESTS(test_explicit_design, test_strategies, test_columns, test_circle, test_exclusive_or,
          test_refit, test_selection_only, test_damaged_files)
