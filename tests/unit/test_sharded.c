/* Sharded columns over threads that stand for processes: the same answers as of the whole. */
#include "tests/core_check.h"
#include "tests/threads_comm.h"

enum { RANKS = THREAD_RANKS };

/* ---- what a rank does ---------------------------------------------------------------------- */

typedef struct task {
    tm_comm comm;
    const tm_dataset *data;
    const char *method, *param[4], *value[4];
    double close; /* how near the weights are */
    double primal, dual, gap, *weights, products_error;
    size_t nnz, bytes;
    size_t gathered, own, sent, sendings; /* values; of columns or single products */
} task;

static void solve(const tm_dataset *data, task *t)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params;
    tm_solver *solver;
    tm_solution solution;
    tm_grid grid;
    const tm_method *method = tm_method_find(t->method, &err);
    must(tm_method_params_new(&params, method, &err), &err);
    must(tm_params_set_int(params, "threads", 1, &err), &err);
    for (int i = 0; i < 4 && t->param[i]; i++)
        must(tm_params_set_text(params, t->param[i], t->value[i], &err), &err);
    must(tm_solver_new(&solver, method, data, params, NULL, &err), &err);
    if (tm_params_find(params, "lambda", NULL)) {
        must(tm_grid_make(&grid, params, tm_solver_lambda_max(solver), &err), &err);
        must(tm_params_set_real(params, "lambda", grid.values[0], &err), &err);
        tm_grid_clear(&grid);
    }
    must(tm_solver_update(solver, params, &err), &err);
    must(tm_solver_solve(solver, &solution, &err), &err);
    assert_int_equal(solution.outcome, TM_CONVERGED);
    t->primal = solution.primal;
    t->dual = solution.dual;
    t->gap = solution.gap;
    t->nnz = tm_model_nnz(solution.model);
    t->weights = calloc(tm_dataset_cols(data), sizeof *t->weights);
    assert_non_null(t->weights);
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        t->weights[j] = tm_model_weight(solution.model, j);
    tm_solution_clear(&solution);
    tm_solver_free(solver);
    tm_params_free(params);
}

/* Products of all columns against the whole's, from a start and of a length that fit no rank. */
static double products_error(const tm_dataset *shard, const tm_dataset *whole)
{
    size_t n = tm_dataset_rows(whole), p = tm_dataset_cols(whole);
    double *v = calloc(n, sizeof *v), *a = calloc(p, sizeof *a), *b = calloc(p, sizeof *b);
    double worst = 0;
    tm_rng rng;
    assert_true(v && a && b);
    tm_rng_seed(&rng, 9);
    for (size_t i = 0; i < n; i++)
        v[i] = tm_rng_normal(&rng);
    for (size_t from = 0; from < 5; from++) {
        size_t count = p - from - (from > 2 ? 4 : 0);
        tm_matrix_dot_range(tm_dataset_x(shard), from, count, v, a);
        tm_matrix_dot_range(tm_dataset_x(whole), from, count, v, b);
        for (size_t j = 0; j < count; j++)
            worst = fmax(worst, fabs(a[j] - b[j]));
    }
    worst = fmax(worst, fabs(tm_matrix_dot(tm_dataset_x(shard), 4, v) -
                             tm_matrix_dot(tm_dataset_x(whole), 4, v)));
    free(v);
    free(a);
    free(b);
    return worst;
}

static void *run(void *argument)
{
    task *t = argument;
    tm_error err = TM_ERROR_INIT;
    tm_dataset *shard;
    must(tm_dataset_shard(&shard, t->data, &t->comm, &err), &err);
    t->bytes = tm_matrix_bytes(tm_dataset_x(shard));
    t->products_error = products_error(shard, t->data);
    solve(shard, t);
    tm_dataset_unref(shard);
    return NULL;
}

static void in_step(const tm_dataset *data, const task *what, task ranks[RANKS])
{
    threads_comm w = {0};
    void *arguments[RANKS];
    for (int r = 0; r < RANKS; r++) {
        ranks[r] = *what;
        ranks[r].data = data;
        ranks[r].comm = threads_comm_rank(&w, r);
        arguments[r] = &ranks[r];
    }
    threads_comm_run(&w, run, arguments);
    for (int r = 0; r < RANKS; r++) {
        ranks[r].gathered = w.gathered[r];
        ranks[r].own = w.own[r];
        ranks[r].sent = w.sent[r];
        ranks[r].sendings = w.sendings[r];
    }
}

/* ---- data ---------------------------------------------------------------------------------- */

static tm_dataset *random_data(size_t n, size_t p, bool classes, bool sparse)
{
    double *columns = calloc(n * p, sizeof *columns), *y = calloc(n, sizeof *y);
    tm_rng rng;
    assert_true(columns && y);
    tm_rng_seed(&rng, 4);
    for (size_t i = 0; i < n * p; i++) {
        double value = tm_rng_normal(&rng);
        columns[i] = sparse && tm_rng_uniform(&rng) < 0.7 ? 0 : value;
    }
    for (size_t i = 0; i < n; i++) {
        y[i] = columns[i] - 2 * columns[i + n] + columns[i + 7 * n] + 0.3 * tm_rng_normal(&rng);
        if (classes)
            y[i] = y[i] > 0 ? 1 : -1;
    }
    tm_dataset *data =
        dataset_of(sparse ? csc_of(n, p, columns) : dense_of(n, p, columns), y, !classes);
    free(columns);
    free(y);
    return data;
}

/* A pass sends one number for each column, by the rank that has it, and nothing is sent that is
 * longer than a column. */
static void check_traffic(const task *t, size_t n, size_t p)
{
    assert_true(t->gathered >= p);
    assert_true(fabs((double)t->own / (double)t->gathered - 1.0 / RANKS) <= 0.02);
    assert_true(t->sendings >= 1 && t->sent <= n * t->sendings);
}

/* All ranks have the same bits; one process's answer is the same to rounding, which a pass sums up
 * in another order. */
static void check_size(const task *what, bool classes, bool sparse, size_t p)
{
    tm_dataset *data = random_data(50, p, classes, sparse);
    size_t all = tm_matrix_bytes(tm_dataset_x(data));
    task ranks[RANKS], one = *what;
    solve(data, &one);
    in_step(data, what, ranks);
    for (int r = 0; r < RANKS; r++) {
        const task *t = &ranks[r];
        assert_true(t->products_error <= 1e-13);
        assert_true(t->bytes <= all * 11 / (10 * RANKS));
        check_traffic(t, 50, p);
        assert_true(fabs(t->primal - one.primal) <= 1e-12 * fabs(one.primal));
        assert_true(fabs(t->gap - one.gap) <= 1e-12 * fabs(one.primal));
        assert_int_equal(t->nnz, one.nnz);
        for (size_t j = 0; j < p; j++) {
            assert_true(t->weights[j] == ranks[0].weights[j]);
            assert_true(fabs(t->weights[j] - one.weights[j]) <= what->close);
        }
    }
    assert_true(one.nnz >= 1);
    for (int r = 0; r < RANKS; r++)
        free(ranks[r].weights);
    free(one.weights);
    tm_dataset_unref(data);
}

static void check(const task *what, bool classes, bool sparse)
{
    check_size(what, classes, sparse, 700);
}

static void lasso(void **state)
{
    static const char *const screens[] = {"auto", "saif", "gap", "none"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const task t = {.method = "lasso",
                        .param = {"lambda_ratio", "tol", "screen"},
                        .value = {"0.2", "1e-12", screens[i]},
                        .close = 1e-9};
        check(&t, false, false);
    }
    const task sparse = {.method = "lasso",
                         .param = {"lambda_ratio", "tol"},
                         .value = {"0.2", "1e-12"},
                         .close = 1e-9};
    check(&sparse, false, true);
}

static void classifiers(void **state)
{
    const task l1 = {.method = "l1logistic",
                     .param = {"lambda_ratio", "tol"},
                     .value = {"0.2", "1e-12"},
                     .close = 1e-9};
    const task fgm = {.method = "fgm", .param = {"B", "C"}, .value = {"3", "1"}, .close = 1e-9};
    (void)state;
    check(&l1, true, false);
    check(&fgm, true, false);
}

static void groups(void **state)
{
    static const char *const losses[] = {"squared", "logistic", "squared_hinge"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const task t = {.method = "grouplasso",
                        .param = {"lambda_ratio", "groups", "loss", "tol"},
                        .value = {"0.3", "4", losses[i], "1e-12"},
                        .close = 1e-9};
        check(&t, i > 0, i == 1);
    }
}

/* What a source computes from the columns is computed by the rank that has them. */
static void sources(void **state)
{
    static const char *const given[][4] = {{"source", "groups", "groups", "5"},
                                           {"source", "tree", "groups", "[1-3; 4-9; 1-9; 10]"},
                                           {"source", "hik", NULL, NULL},
                                           {"source", "additive", "kernel", "chi2"},
                                           {"source", "additive", "sigma", "0.2"}};
    (void)state;
    for (size_t i = 0; i < 10; i++) {
        const char *const *with = given[i % 5];
        const task t = {.method = "fgm",
                        .param = {"B", "tol", with[0], with[2]},
                        .value = {"2", "1e-3", with[1], with[3]},
                        .close = 1e-9};
        check_size(&t, true, i >= 5, 120);
    }
    for (size_t i = 0; i < 2; i++) {
        const task pairs = {
            .method = "fgm", .param = {"B", "source"}, .value = {"3", "poly2"}, .close = 1e-9};
        check_size(&pairs, true, i == 1, 30);
    }
}

static void too_few_columns(void **state)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *shard, *data = random_data(10, 8, false, false);
    const tm_comm comm = {0, 9, threads_gather, threads_broadcast, NULL};
    (void)state;
    must_refuse(tm_dataset_shard(&shard, data, &comm, &err), TM_EUSAGE, &err, "9 processes");
    tm_dataset_unref(data);
}

RUN_TESTS(lasso, classifiers, groups, sources, too_few_columns)
