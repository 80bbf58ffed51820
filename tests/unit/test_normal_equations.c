/* Normal equations and certificates from them against sums in long double and passes over the data;
 * paths that are solved from them against paths that are not; cancelled certificates; and which
 * data have copies in bytes, however long. */
#include "tests/core_check.h"

#include "data/bytes/byte_copy.h"
#include "model/certificate/normal_equations.h"
#include "tamis/job.h"

enum { N = 1500, P = 9 };

/* What a data set is made with. */
typedef struct make {
    uint64_t seed;
    bool weights, offset, single, rows, columns;
} make;

static double *drawn(tm_rng *rng, size_t count, double mean, double spread)
{
    double *values = malloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = mean + spread * tm_rng_normal(rng);
    return values;
}

/* Every other row, and all columns but one in reverse. */
static void choose_part(tm_matrix **x, const make *how)
{
    size_t rows[N], columns[P];
    tm_matrix *part;
    tm_error err = TM_ERROR_INIT;
    for (size_t i = 0; i < N; i++)
        rows[i] = 2 * i + i % 2;
    for (size_t j = 0; j < P; j++)
        columns[j] = P - j;
    must(tm_matrix_view_rows(&part, *x, rows, how->rows ? N : 0, &err), &err);
    if (how->rows) {
        tm_matrix_unref(*x);
        *x = tm_matrix_ref(part);
    }
    tm_matrix_unref(part);
    must(tm_matrix_select_cols(&part, *x, columns, P, &err), &err);
    tm_matrix_unref(*x);
    *x = part;
}

/* Columns that depend on each other, some with means of up to 50 deviations. */
static tm_dataset *data_of(const make *how)
{
    tm_rng rng;
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, how->seed);
    size_t n = how->rows ? 2 * N + 1 : N, p = P + 1;
    double *x = malloc(n * p * sizeof *x), *y = drawn(&rng, N, 3, 1);
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < n; i++)
            x[i + j * n] = (j > 0 ? 0.7 * x[i + (j - 1) * n] : 0) + (j % 3 == 1 ? 50 : 0) +
                           (1 + (double)j) * tm_rng_normal(&rng);
    tm_dataset_parts parts = {.name = "rows", .response.y = y, .response.numeric = true};
    must(tm_matrix_new_dense(&parts.x, n, p, x, &err), &err);
    if (how->single)
        must(tm_matrix_to_float(parts.x, &err), &err);
    if (how->rows || how->columns)
        choose_part(&parts.x, how);
    for (size_t j = 0; j < 3; j++)
        tm_matrix_axpy(parts.x, j, j == 1 ? -0.5 : 1, y);
    parts.rows.weights = how->weights ? malloc(N * sizeof *y) : NULL;
    for (size_t i = 0; how->weights && i < N; i++)
        parts.rows.weights[i] = (double)(i % 4);
    parts.rows.offset = how->offset ? drawn(&rng, N, -7, 2) : NULL;
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

static make nth(unsigned k)
{
    return (make){k, k & 1, k & 2, k & 4, k & 8, k & 16};
}

/* ---- the sums ------------------------------------------------------------------------------- */

typedef struct exact {
    long double weight[N], columns[P + 2][N]; /* centred; the last is the response */
} exact;

static void centre(exact *e, size_t j, bool intercept)
{
    long double sum = 0, total = 0;
    for (size_t i = 0; i < N; i++) {
        sum += e->weight[i] * e->columns[j][i];
        total += e->weight[i];
    }
    for (size_t i = 0; intercept && i < N; i++)
        e->columns[j][i] -= sum / total;
}

static void find_exact(exact *e, const tm_dataset *data, bool intercept)
{
    size_t p = tm_dataset_cols(data);
    double column[N];
    const double *weights = tm_dataset_weights(data), *offset = tm_dataset_offset(data);
    for (size_t i = 0; i < N; i++)
        e->weight[i] = weights ? weights[i] : 1;
    for (size_t j = 0; j <= p; j++) {
        if (j < p)
            tm_matrix_column(tm_dataset_x(data), j, column);
        for (size_t i = 0; i < N; i++)
            e->columns[j][i] =
                j < p ? (long double)column[i]
                      : (long double)tm_dataset_y(data)[i] - (offset ? (long double)offset[i] : 0);
        centre(e, j, intercept);
    }
}

static long double inner(const exact *e, size_t j, size_t k)
{
    long double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += e->weight[i] * e->columns[j][i] * e->columns[k][i];
    return sum;
}

static void check_sums(const tm_dataset *data, bool intercept)
{
    static exact e;
    size_t p = tm_dataset_cols(data);
    normal_equations *sums;
    tm_error err = TM_ERROR_INIT;
    data_pass pass = {data, NULL, NULL};
    must(normal_equations_new(&sums, intercept, &pass, &err), &err);
    find_exact(&e, data, intercept);
    assert_true(sums->rounding < 1e-12);
    for (size_t j = 0; j < p; j++) {
        assert_true(sums->lengths[j] * sums->lengths[j] >= (double)inner(&e, j, j));
        for (size_t k = 0; k <= p; k++) {
            double found = k < p ? sums->products[j * p + k] : sums->xy[j];
            double sizes = sums->lengths[j] * (k < p ? sums->lengths[k] : sums->length);
            if (!(fabsl(inner(&e, j, k) - found) <= sums->rounding * sizes))
                fail_msg("products of %zu and %zu: %Lg, but %g", j, k, inner(&e, j, k), found);
        }
    }
    assert_true(fabsl(inner(&e, p, p) - sums->yy) <= sums->rounding * sums->length * sums->length);
    normal_equations_free(sums);
}

CHECK(test_sums_are_within_their_rounding)
{
    for (unsigned k = 0; k < 32; k++) {
        make how = nth(k);
        tm_dataset *data = data_of(&how);
        assert_true(normal_equations_fit(data));
        check_sums(data, k % 3 > 0);
        tm_dataset_unref(data);
    }
}

CHECK(test_threads_change_no_bit)
{
    tm_dataset *data = data_of(&(make){.seed = 4});
    size_t p = tm_dataset_cols(data);
    normal_equations *one, *many;
    tm_error err = TM_ERROR_INIT;
    must(normal_equations_new(&one, true, &(data_pass){data, NULL, NULL}, &err), &err);
    thread_team *team = team_new(3);
    must(normal_equations_new(&many, true, &(data_pass){data, team, NULL}, &err), &err);
    team_free(team);
    assert_memory_equal(one->products, many->products, p * p * sizeof(double));
    assert_memory_equal(one->xy, many->xy, p * sizeof(double));
    normal_equations_free(one);
    normal_equations_free(many);
    tm_dataset_unref(data);
}

CHECK(test_matrices_that_do_not_fit)
{
    double x[12] = {1, 2, 3};
    tm_matrix *sparse = csc_of(4, 3, x), *dense = dense_of(4, 3, x);
    assert_false(tm_matrix_has_parts(sparse));
    assert_true(tm_matrix_has_parts(dense));
    tm_matrix_unref(sparse);
    tm_matrix_unref(dense);
}

/* ---- paths ---------------------------------------------------------------------------------- */

typedef struct answers {
    const tm_dataset *data;
    const char *words;
    double tol;
    size_t count;
    double primal[64];
    uint64_t columns, updates;
} answers;

/* The gap reported is no less than that of a pass over the data, but for rounding, and not above
 * the tolerance. */
static tm_status keep_answer(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    (void)err;
    answers *a = payload;
    assert_true(k < 64);
    if (solution->outcome != TM_CONVERGED || !(solution->gap <= a->tol * solution->null_objective))
        fail_msg("%s, point %zu: gap %g", a->words, k, solution->gap);
    a->primal[a->count++] = solution->primal;
    a->columns += solution->columns;
    a->updates += solution->updates;
    tm_solution_clear(solution);
    return TM_OK;
}

static void run(answers *out, const tm_dataset *data, const char *words, const char *screen,
                size_t points)
{
    const tm_method *method;
    tm_params *params;
    tm_solver *solver;
    double lambdas[64];
    tm_error err = TM_ERROR_INIT;
    method = tm_method_find("lasso", &err);
    must(tm_method_params_new(&params, method, &err), &err);
    set_words(params, words, &err);
    must(tm_params_set_text(params, "screen", screen, &err), &err);
    must(tm_solver_new(&solver, method, data, params, NULL, &err), &err);
    double top = tm_solver_lambda_max(solver);
    for (size_t k = 0; k < points; k++)
        lambdas[k] = top * pow(1e-3, (double)k / (double)(points - 1));
    *out = (answers){.data = data, .words = words, .tol = tm_params_real(params, "tol")};
    must(tm_solver_path(solver, params, lambdas, points, keep_answer, out, &err), &err);
    assert_int_equal(out->count, points);
    tm_solver_free(solver);
    tm_params_free(params);
}

CHECK(test_paths_agree)
{
    static const char *const words[] = {"tol=1e-8",
                                        "tol=1e-9 standardize=true",
                                        "tol=1e-8 alpha=0.6",
                                        "tol=1e-8 positive=true",
                                        "tol=1e-9 intercept=false",
                                        "tol=1e-13"};
    enum { WORDS = sizeof words / sizeof words[0], POINTS = 30 };
    for (unsigned k = 0; k < (unsigned)SOME_OF(32); k++) {
        make how = nth(k);
        answers sums, other;
        tm_dataset *data = data_of(&how);
        const char *with = words[k % WORDS];
        run(&sums, data, with, "auto", POINTS);
        run(&other, data, with, "gap", POINTS);
        for (size_t i = 0; i < POINTS; i++)
            assert_true(fabs(sums.primal[i] - other.primal[i]) <=
                        sums.tol * fmax(sums.primal[i], sums.primal[0]) + 1e-11 * sums.primal[0]);
        /* All products of pairs, and the passes that norms and lambda_max take. */
        if (sums.tol > 1e-12 && sums.columns > P * (P + 1) / 2 + 8 * P)
            fail_msg("%s: %llu columns", with, (unsigned long long)sums.columns);
        tm_dataset_unref(data);
    }
}

/* Certificates from the sums beside those of passes, at weights near and far from the optimum. */
CHECK(test_certificates_are_bounds)
{
    for (unsigned k = 0; k < 24; k++) {
        make how = nth(k);
        tm_dataset *data = data_of(&how);
        tm_rng rng;
        normal_equations *sums;
        tm_error err = TM_ERROR_INIT;
        size_t p = tm_dataset_cols(data);
        double w[P + 1] = {0}, products[P + 1], ridge[P + 1];
        data_pass pass = {data, NULL, NULL};
        tm_rng_seed(&rng, k);
        must(normal_equations_new(&sums, true, &pass, &err), &err);
        for (size_t j = 0; j < p; j++) {
            w[j] = j < 3 ? (j == 1 ? -0.5 : 1) + 0.01 * tm_rng_normal(&rng) : 0;
            ridge[j] = (double)j;
        }
        certificate_item item = {.problem = {.loss = "squared",
                                             .lambda = 40,
                                             .intercept = true,
                                             .ridge = k % 2 ? ridge : NULL},
                                 .w = w,
                                 .b = 0.7,
                                 .products = products};
        tm_certificate whole;
        must(tm_certify(&whole, data, &item.problem, w, item.b, &err), &err);
        assert_true(normal_equations_certify(sums, &item, 1e-8 * whole.primal));
        double slack = 1e-11 * whole.primal, near = 1e-8 * whole.primal;
        assert_true(item.certificate.primal >= whole.primal - slack);
        assert_true(item.certificate.primal <= whole.primal + near);
        /* With weights a pass looks for scales above 0 alone. */
        assert_true(whole.dual == 0 || item.certificate.dual <= whole.dual + slack);
        assert_true(item.certificate.dual >= whole.dual - near);
        assert_false(normal_equations_certify(sums, &item, 0));
        normal_equations_free(sums);
        tm_dataset_unref(data);
    }
}

static tm_dataset *tall_data(bool classes)
{
    enum { ROWS = 4099, COLUMNS = 66 };
    tm_rng rng;
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, 5);
    tm_dataset_parts parts = {.name = "tall", .response.y = drawn(&rng, ROWS, 0, 1)};
    must(tm_matrix_new_dense(&parts.x, ROWS, COLUMNS, drawn(&rng, ROWS * COLUMNS, 0, 1), &err),
         &err);
    parts.response.numeric = !classes;
    for (size_t j = 0; j < COLUMNS / 4; j++)
        tm_matrix_axpy(parts.x, j, 1 / (1 + (double)j), parts.response.y);
    for (size_t i = 0; classes && i < ROWS; i++)
        parts.response.y[i] = parts.response.y[i] > 0 ? 1 : -1;
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

/* Every point's score, in any order of the lambdas, with a refit and without. */
static void scores_are_those_of_the_models(const char *method, const char *words)
{
    tm_pool *pool;
    tm_job *job;
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = tall_data(strcmp(method, "lasso") != 0);
    const tm_method *found = tm_method_find(method, &err);
    must(tm_method_params_new(&params, found, &err), &err);
    set_words(params, words, &err);
    must(tm_pool_new(&pool, 1, NULL, NULL, &err), &err);
    const tm_job_spec spec = {.method = found, .params = params, .train = data};
    must(tm_pool_submit(pool, &spec, &job, &err), &err);
    assert_true(tm_job_wait(job, -1, NULL));
    assert_int_equal(tm_job_get_state(job), TM_JOB_DONE);
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    assert_true(count > 8);
    for (size_t k = 0; k < count; k++) {
        const tm_model *model = points[k].solution.model;
        tm_scorer scorer = tm_scorer_default(tm_model_is_binary(model));
        double score;
        must(tm_model_score(model, data, &scorer, &score, &err), &err);
        assert_true(fabs(points[k].train_score - score) <= 1e-12 * fabs(score));
    }
    tm_job_unref(job);
    tm_pool_free(pool);
    tm_params_free(params);
    tm_dataset_unref(data);
}

static void paths_are_scored(void **state)
{
    (void)state;
    scores_are_those_of_the_models("lasso", "lambdas=20 lambda_min_ratio=0.01");
    scores_are_those_of_the_models("lasso", "lambdas=20 lambda_min_ratio=0.1 debias=1");
    scores_are_those_of_the_models("lasso", "lambda=90,5,300,80,70,60,50,40,2,1000");
    scores_are_those_of_the_models("l1logistic", "lambdas=12 lambda_min_ratio=0.1");
}

/* A certificate that takes long is given up once it is cancelled. */
CHECK(a_cancelled_certificate_ends)
{
    enum { ROWS = 1600, COLS = 1500 };
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    tm_rng_seed(&rng, 7);
    double *columns = malloc(sizeof *columns * ROWS * COLS), y[ROWS];
    double *w = calloc(COLS, sizeof *w);
    for (size_t k = 0; k < (size_t)ROWS * COLS; k++)
        columns[k] = tm_rng_normal(&rng);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = tm_rng_normal(&rng);
    tm_dataset *data = dataset_of(dense_of(ROWS, COLS, columns), y, false);
    tm_cancel *cancel = tm_cancel_new();
    tm_cancel_set(cancel);
    certificate_item item = {.problem = {.loss = "squared", .intercept = true}, .w = w};
    must_refuse(certificate_many(&item, 1, &(data_pass){data, NULL, cancel}, &err), TM_ECANCELLED,
                &err, "cancelled");
    tm_cancel_free(cancel);
    tm_dataset_unref(data);
    free(columns);
    free(w);
}

/* Sums of more products than 32 bits hold: all of them the greatest. */
CHECK(long_sums_of_bytes)
{
    enum { LONG = 300000 };
    tm_error err = TM_ERROR_INIT;
    double *x = malloc(sizeof *x * LONG), *v = malloc(sizeof *v * LONG);
    byte_vector rounded = {.values = malloc(sizeof *rounded.values * LONG)};
    tm_matrix *matrix;
    for (size_t i = 0; i < LONG; i++) {
        x[i] = i ? 1 : -1;
        v[i] = -2;
    }
    must(tm_matrix_new_dense(&matrix, LONG, 1, x, &err), &err);
    byte_copy *copy = byte_copy_new(matrix);
    byte_copy_take(copy, matrix, 0, 1, NULL);
    byte_vector_round(&rounded, v, LONG);
    assert_true(fabs(byte_copy_dot(copy, 0, &rounded) - -2.0 * (LONG - 2)) <= 1e-9 * LONG);
    byte_copy_free(copy);
    tm_matrix_unref(matrix);
    free(v);
    free(rounded.values);
}

/* Kinds that cannot be copied, or need not be. */
CHECK(some_kinds_have_no_copy)
{
    tm_error err = TM_ERROR_INIT;
    size_t copy, column;
    uint64_t *starts = calloc(3, sizeof *starts);
    tm_matrix *x;
    must(tm_matrix_new_csc(&x, 4, 2, starts, malloc(4), malloc(8), &err), &err);
    assert_false(byte_copy_sizes(x, &copy, &column));
    tm_matrix_unref(x);
    must(tm_matrix_new_genotypes(&x, 4, 2, calloc(2, 1), NULL, &err), &err);
    assert_false(byte_copy_sizes(x, &copy, &column));
    tm_matrix_unref(x);
}

RUN_TESTS(long_sums_of_bytes, some_kinds_have_no_copy, a_cancelled_certificate_ends,
          test_sums_are_within_their_rounding, test_threads_change_no_bit,
          test_matrices_that_do_not_fit, test_paths_agree, test_certificates_are_bounds,
          paths_are_scored)
