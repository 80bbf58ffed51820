/* Paths of l1logistic and l1svm on tall dense data, where several lambdas are solved together:
 * certified, as good as those of another strategy, and the same bits for any number of threads. */
#include "tests/core_check.h"

enum { N = 4100, P = 30, POINTS = 18 };

/* What a data set is made with. */
typedef struct make {
    uint64_t seed;
    bool weights, offset, single, rare, sorted, alike;
} make;

/* Correlated columns. With `rare` two are nonzero in a few rows, none of them sampled; with `alike`
 * two are nearly the same; with `sorted` rows of one class come first. */
static void fill(double *x, tm_rng *rng, const make *how)
{
    for (size_t j = 1; j < P; j++)
        for (size_t i = 0; i < N; i++)
            x[i + j * N] = 0.6 * x[i + (j - 1) * N] + (1 + (double)(j % 3)) * x[i + j * N];
    for (size_t j = P - 2; how->rare && j < P; j++)
        for (size_t i = 0; i < N; i++)
            x[i + j * N] = i % 512 == 250 + j % 2 ? 5 : 0;
    for (size_t i = 0; how->alike && i < N; i++)
        x[i + 3 * N] = x[i + 2 * N] + 1e-4 * tm_rng_normal(rng);
}

static tm_dataset *data_of(const make *how)
{
    tm_rng rng;
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, how->seed);
    double *x = normals(&rng, (size_t)N * P), *y = normals(&rng, N);
    fill(x, &rng, how);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < P; j += 4)
            y[i] += x[i + j * N] / (1 + (double)j);
        y[i] = y[i] > (how->rare ? 0.8 : 0) ? 1 : -1;
    }
    for (size_t i = 0, k = N - 1; how->sorted && i < k;) {
        if (y[i] > 0 && y[k] < 0) {
            for (size_t j = 0; j < P; j++) {
                double kept = x[i + j * N];
                x[i + j * N] = x[k + j * N];
                x[k + j * N] = kept;
            }
            y[i] = -1;
            y[k] = 1;
        }
        i += y[i] < 0;
        k -= y[k] > 0;
    }
    tm_dataset_parts parts = {.name = "tall", .response.y = y};
    must(tm_matrix_new_dense(&parts.x, N, P, x, &err), &err);
    if (how->single)
        must(tm_matrix_to_float(parts.x, &err), &err);
    if (how->weights)
        parts.rows.weights = malloc(N * sizeof *y);
    for (size_t i = 0; how->weights && i < N; i++)
        parts.rows.weights[i] = (double)(i % 4);
    parts.rows.offset = how->offset ? normals(&rng, N) : NULL;
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

typedef struct answers {
    const tm_dataset *data;
    const char *method;
    double tol;
    bool intercept;
    double lambdas[POINTS], primal[POINTS], w[POINTS][P + 1];
    size_t count;
    uint64_t columns;
} answers;

/* Without factors, the certificate computed from the data is the one reported. */
static void check_certificate(const answers *a, const tm_solution *solution, const double *w)
{
    tm_error err = TM_ERROR_INIT;
    tm_certificate found;
    tm_problem problem = {.loss = strcmp(a->method, "l1svm") == 0 ? "squared_hinge" : "logistic",
                          .lambda = solution->lambda,
                          .intercept = a->intercept};
    must(tm_certify(&found, a->data, &problem, w, w[P], &err), &err);
    assert_true(fabs(found.primal - solution->primal) <= 1e-12 * solution->null_objective);
    assert_true(fabs(found.gap - solution->gap) <= 1e-10 * solution->null_objective);
}

static tm_status keep_answer(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    (void)err;
    answers *a = payload;
    if (solution->outcome != TM_CONVERGED || !(solution->gap <= a->tol * solution->null_objective))
        fail_msg("%s, point %zu: gap %g", a->method, k, solution->gap / solution->null_objective);
    const tm_model *model = solution->model;
    for (size_t i = 0; i < tm_model_nnz(model); i++)
        a->w[k][tm_model_features(model)[i]] = tm_model_weights(model)[i];
    a->w[k][P] = tm_model_intercept(model);
    check_certificate(a, solution, a->w[k]);
    a->lambdas[k] = solution->lambda;
    a->primal[k] = solution->primal;
    a->columns += solution->columns;
    a->count++;
    tm_solution_clear(solution);
    return TM_OK;
}

static answers *run(const tm_dataset *data, const char *method, const char *words)
{
    tm_params *params;
    tm_solver *solver;
    double lambdas[POINTS];
    tm_error err = TM_ERROR_INIT;
    answers *a = calloc(1, sizeof *a);
    assert_non_null(a);
    const tm_method *found = tm_method_find(method, &err);
    must(tm_method_params_new(&params, found, &err), &err);
    set_words(params, words, &err);
    must(tm_solver_new(&solver, found, data, params, NULL, &err), &err);
    for (size_t k = 0; k < POINTS; k++)
        lambdas[k] = tm_solver_lambda_max(solver) * pow(3e-3, (double)k / (POINTS - 1));
    *a = (answers){.data = data,
                   .method = method,
                   .tol = tm_params_real(params, "tol"),
                   .intercept = tm_params_bool(params, "intercept")};
    must(tm_solver_path(solver, params, lambdas, POINTS, keep_answer, a, &err), &err);
    assert_int_equal(a->count, POINTS);
    tm_solver_free(solver);
    tm_params_free(params);
    return a;
}

static const char *const methods[] = {"l1logistic", "l1svm"};

/* Both answers' objectives are within the tolerance of the optimum. */
static void paths_agree_with_those_of_another_strategy(void **state)
{
    static const char *const words[] = {"tol=1e-6 ", "tol=1e-8 ", "tol=1e-7 intercept=false "};
    (void)state;
    for (unsigned k = 0; k < (unsigned)SOME_OF(10); k++) {
        make how = {k, k & 1, k & 2, k & 4, k & 8, k % 3 == 1, k % 5 == 2};
        char with[100];
        tm_dataset *data = data_of(&how);
        snprintf(with, sizeof with, "%s screen=gap", words[k % 3]);
        answers *together = run(data, methods[k / 2 % 2], words[k % 3]);
        answers *other = run(data, methods[k / 2 % 2], with);
        for (size_t i = 0; i < POINTS; i++)
            if (!(fabs(together->primal[i] - other->primal[i]) <=
                  together->tol * 2 * fmax(together->primal[0], together->primal[i])))
                fail_msg("seed %u, point %zu: %.17g and %.17g", k, i, together->primal[i],
                         other->primal[i]);
        free(together);
        free(other);
        tm_dataset_unref(data);
    }
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        tm_dataset *data = data_of(&(make){.seed = k});
        answers *one = run(data, methods[k], "threads=1");
        answers *three = run(data, methods[k], "threads=3");
        assert_memory_equal(one->w, three->w, sizeof one->w);
        assert_true(one->columns == three->columns);
        free(one);
        free(three);
        tm_dataset_unref(data);
    }
}

/* One lambda after the other costs more passes: each of them has its own Hessians and steps. A
 * point here takes part in fewer passes than that. */
static void points_share_their_work(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        tm_dataset *data = data_of(&(make){.seed = 7 + k});
        answers *a = run(data, methods[k], "tol=1e-6");
        assert_true(a->columns <= 9 * P * POINTS);
        free(a);
        tm_dataset_unref(data);
    }
}

RUN_TESTS(paths_agree_with_those_of_another_strategy, threads_change_no_bit,
          points_share_their_work)
