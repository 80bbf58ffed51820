/* Rows over threads that stand for processes: the answers of the whole, certified on the whole. */
#include "tests/core_check.h"
#include "tests/threads_comm.h"

enum { RANKS = THREAD_RANKS, N = 301, P = 9 };

/* ---- data ---------------------------------------------------------------------------------- */

/* Classes in the order of the rows, so that the last rank has one class alone; a column of one
 * value, and one that is constant on some ranks only. */
static tm_dataset *classes(bool weighted, bool offset)
{
    double *columns = calloc(N * P, sizeof *columns), *y = calloc(N, sizeof *y);
    double *weights = calloc(N, sizeof *weights), *offsets = calloc(N, sizeof *offsets);
    tm_error err = TM_ERROR_INIT;
    tm_dataset *plain, *data;
    tm_rng rng;
    assert_true(columns && y && weights && offsets);
    tm_rng_seed(&rng, 11);
    for (size_t i = 0; i < N; i++) {
        double shared = tm_rng_normal(&rng);
        y[i] = i < N / 2 ? -1 : 1;
        for (size_t j = 0; j < P; j++)
            columns[j * N + i] = 100.0 * (double)j + 0.5 * shared + tm_rng_normal(&rng) +
                                 (j < 3 ? 0.4 * (double)(j + 1) * y[i] : 0);
        columns[7 * N + i] = 5;
        columns[8 * N + i] = i < N / 3 ? 2 : columns[8 * N + i];
        weights[i] = i % 7 == 0 ? 0 : i < 100 ? 1 : 0.5 + tm_rng_uniform(&rng);
        offsets[i] = 0.3 * tm_rng_normal(&rng);
    }
    plain = dataset_of(dense_of(N, P, columns), y, false);
    must(tm_dataset_weigh(&data, plain, weighted ? weights : NULL, offset ? offsets : NULL, &err),
         &err);
    tm_dataset_unref(plain);
    free(columns);
    free(y);
    free(weights);
    free(offsets);
    return data;
}

/* ---- what a rank does ---------------------------------------------------------------------- */

typedef struct fit {
    const char *method;
    bool intercept, standardize;
    double ratio;                        /* of lambda_max */
    double alpha;                        /* 0: the default */
    const char *factors, *lower, *upper; /* as texts, or NULL */
} fit;

typedef struct answer {
    double outcome, primal, gap, lambda, lambda_max, intercept, w[P], score;
} answer;

typedef struct task {
    tm_comm comm;
    const tm_dataset *whole;
    const fit *fit;
    answer got;
    double means, deviations; /* the greatest relative differences from those of the whole */
    tm_status status;
    tm_error err;
} task;

static tm_status solve(answer *out, const tm_dataset *data, const fit *f, tm_error *err)
{
    tm_params *params;
    tm_solver *solver = NULL;
    tm_solution solution;
    const tm_method *method = tm_method_find(f->method, err);
    must(tm_method_params_new(&params, method, err), err);
    must(tm_params_set_int(params, "threads", 1, err), err);
    must(tm_params_set_bool(params, "intercept", f->intercept, err), err);
    if (tm_params_find(params, "standardize", NULL))
        must(tm_params_set_bool(params, "standardize", f->standardize, err), err);
    if (f->alpha > 0)
        must(tm_params_set_real(params, "alpha", f->alpha, err), err);
    const char *const terms[][2] = {
        {"factors", f->factors}, {"lower", f->lower}, {"upper", f->upper}};
    for (size_t k = 0; k < 3; k++)
        if (terms[k][1])
            must(tm_params_set_text(params, terms[k][0], terms[k][1], err), err);
    must(tm_params_set_real(params, "tol", 1e-13, err), err);
    tm_status status = tm_solver_new(&solver, method, data, params, NULL, err);
    if (status == TM_OK) {
        out->lambda_max = tm_solver_lambda_max(solver);
        out->lambda = f->ratio * out->lambda_max;
        must(tm_params_set_real(params, "lambda", out->lambda, err), err);
        must(tm_solver_update(solver, params, err), err);
        status = tm_solver_solve(solver, &solution, err);
    }
    if (status == TM_OK) {
        tm_scorer scorer = tm_scorer_default(true);
        out->outcome = solution.outcome;
        out->primal = solution.primal;
        out->gap = solution.gap;
        out->intercept = tm_model_intercept(solution.model);
        for (size_t j = 0; j < P; j++)
            out->w[j] = tm_model_weight(solution.model, j);
        must(tm_model_score(solution.model, data, &scorer, &out->score, err), err);
        tm_solution_clear(&solution);
    }
    tm_solver_free(solver);
    tm_params_free(params);
    return status;
}

static void *run(void *argument)
{
    task *t = argument;
    tm_dataset *own, *shared;
    const tm_part part = {true, (size_t)t->comm.rank + 1, RANKS};
    must(tm_dataset_part(&own, t->whole, &part, &t->err), &t->err);
    t->status = tm_dataset_share_rows(&shared, own, &t->comm, &t->err);
    tm_dataset_unref(own);
    if (t->status == TM_OK) {
        for (size_t j = 0; j < P; j++) {
            double mean = tm_dataset_means(t->whole)[j];
            double deviation = tm_dataset_deviations(t->whole)[j];
            t->means = fmax(t->means, fabs(tm_dataset_means(shared)[j] - mean) / (1 + fabs(mean)));
            t->deviations = fmax(t->deviations, fabs(tm_dataset_deviations(shared)[j] - deviation) /
                                                    (1 + deviation));
        }
        t->status = solve(&t->got, shared, t->fit, &t->err);
        tm_dataset_unref(shared);
    }
    return NULL;
}

static void in_step(task ranks[RANKS], const tm_dataset *whole, const fit *f)
{
    void *tasks[RANKS];
    threads_comm world = {0};
    for (int r = 0; r < RANKS; r++) {
        ranks[r] = (task){.comm = threads_comm_rank(&world, r), .whole = whole, .fit = f};
        tasks[r] = &ranks[r];
    }
    threads_comm_run(&world, run, tasks);
}

/* ---- tests --------------------------------------------------------------------------------- */

/* One number for all columns, or one for each; `otherwise` where there is none. */
static void read_numbers(const char *text, double otherwise, double out[P])
{
    for (size_t j = 0; j < P; j++) {
        const char *comma = text ? strchr(text, ',') : NULL;
        out[j] = text ? strtod(text, NULL) : otherwise;
        text = comma ? comma + 1 : text;
    }
}

/* The certificate of the answer is computed from the whole, by what knows of no processes. */
static void check_certificate(const answer *got, const tm_dataset *data, const fit *f)
{
    tm_error err = TM_ERROR_INIT;
    tm_certificate certificate;
    double factors[P], ridge[P], lower[P], upper[P];
    double n = (double)tm_dataset_rows(data), alpha = f->alpha > 0 ? f->alpha : 1;
    read_numbers(f->factors, 1, factors);
    read_numbers(f->lower, -INFINITY, lower);
    read_numbers(f->upper, INFINITY, upper);
    for (size_t j = 0; j < P; j++) {
        double mean = tm_dataset_means(data)[j];
        double square = tm_dataset_deviations(data)[j] + (f->intercept ? 0 : n * mean * mean);
        double scale = f->standardize && square > 0 ? sqrt(square / n) : 1;
        ridge[j] = isinf(factors[j]) ? 0 : (1 - alpha) * factors[j] * scale * scale;
        factors[j] *= alpha * scale;
        /* A column of one value has no weight next to an intercept. */
        factors[j] = f->intercept && tm_dataset_deviations(data)[j] == 0 ? INFINITY : factors[j];
        assert_true(got->w[j] >= lower[j] && got->w[j] <= upper[j]);
    }
    const tm_problem problem = {.loss =
                                    strcmp(f->method, "l1svm") == 0 ? "squared_hinge" : "logistic",
                                .lambda = got->lambda,
                                .intercept = f->intercept,
                                .factors = factors,
                                .ridge = alpha < 1 ? ridge : NULL,
                                .lower = f->lower || f->upper ? lower : NULL,
                                .upper = f->lower || f->upper ? upper : NULL};
    must(tm_certify(&certificate, data, &problem, got->w, got->intercept, &err), &err);
    assert_true(certificate.gap <= fmax(1e-11 * certificate.primal, 2 * got->gap));
    assert_true(fabs(certificate.primal - got->primal) <= 1e-12 * certificate.primal);
}

/* The ranks have the same bits, and the answer of one process; their own certificate is met. */
static void compare(const tm_dataset *data, const fit *f)
{
    tm_error err = TM_ERROR_INIT;
    task ranks[RANKS];
    answer one;
    must(solve(&one, data, f, &err), &err);
    in_step(ranks, data, f);
    for (int r = 0; r < RANKS; r++) {
        const answer *got = &ranks[r].got;
        must(ranks[r].status, &ranks[r].err);
        assert_true(ranks[r].means <= 1e-13 && ranks[r].deviations <= 1e-11);
        /* Rounding may keep either from its tolerance, which is another on each processor: with
         * free features gaps of 2e-10 to 2.4e-8 of the value were seen. */
        assert_true(got->outcome == TM_CONVERGED || got->gap <= 1e-6 * got->primal);
        assert_memory_equal(got, &ranks[0].got, sizeof *got);
        assert_true(fabs(got->lambda_max - one.lambda_max) <= 1e-12 * one.lambda_max);
        assert_true(fabs(got->primal - one.primal) <= 1e-12 * one.primal);
        assert_true(fabs(got->score - one.score) <= 1e-12);
        assert_true(got->w[7] == 0 || !f->intercept);
    }
    if (!tm_dataset_weights(data))
        check_certificate(&ranks[0].got, data, f);
}

static void the_answers_of_the_whole(void **state)
{
    static const char *const methods[] = {"l1logistic", "l1svm"};
    static const double ratios[] = {1.1, 0.5, 0.1, 0.01};
    (void)state;
    for (size_t k = 0; k < 64; k++) {
        const fit f = {methods[k % 2], k / 2 % 2, k / 4 % 2, ratios[k / 16], 0, NULL, NULL, NULL};
        bool weighted = k / 8 % 2;
        tm_dataset *data = classes(weighted, weighted);
        compare(data, &f);
        tm_dataset_unref(data);
    }
}

/* An elastic net, limits, features without penalty, lambda 0, and all of them. */
static void the_terms_of_the_whole(void **state)
{
    static const char *const methods[] = {"l1logistic", "l1svm"};
    static const char *const free = "1,0,1,0,1,1,1,1,0";
    static const char *const mixed = "1,2,0,inf,1,1,0.5,1,1";
    static const fit terms[] = {
        {NULL, true, false, 0.1, 0.5, NULL, NULL, NULL},
        {NULL, true, false, 0.1, 0.9, NULL, "-0.2", NULL},
        {NULL, true, false, 0.1, 0, NULL, "0", NULL},
        {NULL, true, false, 0.02, 0, NULL, NULL, "0.2,0.1,1,0,1,1,1,1,0.5"},
        {NULL, true, false, 0.1, 0, free, NULL, NULL},
        {NULL, true, false, 0.05, 0.3, mixed, NULL, "0.4"},
        {NULL, true, false, 0.05, 0, mixed, "-0.05", NULL},
        {NULL, true, false, 0, 0, NULL, NULL, NULL},
    };
    (void)state;
    for (size_t k = 0; k < 64; k++) {
        fit f = terms[k / 8];
        bool weighted = k / 4 % 2;
        tm_dataset *data = classes(weighted, weighted);
        f.method = methods[k % 2];
        f.intercept = k / 2 % 2;
        f.standardize = f.intercept;
        compare(data, &f);
        tm_dataset_unref(data);
    }
}

/* About a third of the entries, in a column that is far from zero all of them. */
static tm_dataset *sparse_classes(void)
{
    double *columns = calloc(N * P, sizeof *columns), *y = calloc(N, sizeof *y);
    tm_rng rng;
    assert_true(columns && y);
    tm_rng_seed(&rng, 12);
    for (size_t i = 0; i < N; i++) {
        double sum = tm_rng_normal(&rng);
        for (size_t j = 0; j < P; j++) {
            double value = 1 + tm_rng_normal(&rng);
            bool stored = j == 5 || tm_rng_uniform(&rng) < 0.3;
            columns[j * N + i] = stored ? value + (j == 5 ? 400 : 0) : 0;
            sum += stored && j < 4 ? value - 1 : 0;
        }
        columns[7 * N + i] = 0;
        y[i] = sum > 0 ? 1 : -1;
    }
    tm_dataset *data = dataset_of(csc_of(N, P, columns), y, false);
    free(columns);
    free(y);
    return data;
}

static void sparse_rows_of_the_whole(void **state)
{
    static const char *const methods[] = {"l1logistic", "l1svm"};
    static const double ratios[] = {0.5, 0.1, 0.01};
    tm_dataset *data = sparse_classes();
    (void)state;
    for (size_t k = 0; k < 24; k++) {
        const fit f = {methods[k % 2],
                       k / 2 % 2,
                       k / 4 % 2,
                       ratios[k / 8],
                       k / 2 % 3 == 2 ? 0.5 : 0,
                       k / 8 == 1 ? "0,1,1,1,1,1,1,1,2" : NULL,
                       NULL,
                       k % 5 == 4 ? "0.2" : NULL};
        compare(data, &f);
    }
    tm_dataset_unref(data);
}

/* Features that separate the classes have no least loss without penalty: all ranks say so. */
static void classes_that_are_separated(void **state)
{
    const fit f = {"l1logistic", true, false, 0.1, 0, "0,1,1,1,1,1,1,1,1", NULL, NULL};
    double *columns = calloc(N * P, sizeof *columns), *y = calloc(N, sizeof *y);
    task ranks[RANKS];
    (void)state;
    assert_true(columns && y);
    for (size_t i = 0; i < N; i++) {
        y[i] = i < N / 2 ? -1 : 1;
        for (size_t j = 0; j < P; j++)
            columns[j * N + i] = j == 0 ? (double)i : sin((double)(i * (j + 1)));
    }
    tm_dataset *data = dataset_of(dense_of(N, P, columns), y, false);
    in_step(ranks, data, &f);
    for (int r = 0; r < RANKS; r++)
        must_refuse(ranks[r].status, TM_EDATA, &ranks[r].err, "separate the classes");
    tm_dataset_unref(data);
    free(columns);
    free(y);
}

static void what_sums_do_not_solve(void **state)
{
    static const char *const refused[] = {"lasso", "grouplasso", "fgm", "genlasso"};
    tm_dataset *data = classes(false, false);
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        const fit f = {refused[k], true, false, 0.5, 0, NULL, NULL, NULL};
        task ranks[RANKS];
        in_step(ranks, data, &f);
        for (int r = 0; r < RANKS; r++)
            must_refuse(ranks[r].status, TM_EUSAGE, &ranks[r].err, "rows of several processes");
    }
    tm_dataset_unref(data);
}

RUN_TESTS(the_answers_of_the_whole, the_terms_of_the_whole, sparse_rows_of_the_whole,
          classes_that_are_separated, what_sums_do_not_solve)
