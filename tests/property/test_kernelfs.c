/* `kernelfs` against values made here from the definition: kernels centred by multiplying matrices,
 * the objective summed term by term, brute force over small problems, and the two solvers against
 * each other. */
#include "problem.h"

#include "tests/core_check.h"

#include "data/pairs/alignment.h"

/* ---- the definition ------------------------------------------------------------------------ */

/* k = H k H of an n x n matrix. */
static void centre(double *k, size_t n)
{
    double *half = calloc(n * n, sizeof *half);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t l = 0; l < n; l++)
                half[i * n + j] += ((i == l) - 1 / (double)n) * k[l * n + j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            k[i * n + j] = 0;
            for (size_t l = 0; l < n; l++)
                k[i * n + j] += half[i * n + l] * ((l == j) - 1 / (double)n);
        }
    free(half);
}

static double variance_of(const double *v, size_t n)
{
    double mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        sum += (v[i] - mean) * (v[i] - mean) / (double)n;
    return sum;
}

static double centred_y(const problem *q, size_t m)
{
    double mean = 0;
    for (size_t i = 0; i < q->n; i++)
        mean += q->y[i] / (double)q->n;
    return q->y[m] - mean;
}

/* Z, n x p: entry (m, i) is column m of H Y Y'H times column m of H G_i H. */
static double *explicit_z(const problem *q, double sigma)
{
    size_t n = q->n;
    double *z = calloc(n * q->p, sizeof *z), *k = malloc(n * n * sizeof *k);
    for (size_t i = 0; i < q->p; i++) {
        const double *x = q->x + i * n;
        double v = variance_of(x, n);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                k[a * n + b] =
                    v > 0 ? exp(-(x[a] - x[b]) * (x[a] - x[b]) / (2 * sigma * sigma * v)) : 1;
        centre(k, n);
        for (size_t m = 0; m < n; m++)
            for (size_t l = 0; l < n; l++)
                z[i * n + m] += centred_y(q, l) * centred_y(q, m) * k[l * n + m];
    }
    free(k);
    return z;
}

/* The objective with a chain of edges of weight 1. */
static double objective(const problem *q, const double *z, const double *a, double lambda,
                        double lambda2)
{
    double sum = 0;
    for (size_t m = 0; m < q->n; m++) {
        double margin = 0;
        for (size_t i = 0; i < q->p; i++)
            margin += z[i * q->n + m] * a[i];
        sum += fmax((double)q->n - margin, 0);
    }
    for (size_t i = 0; i < q->p; i++)
        sum += lambda * a[i];
    for (size_t i = 0; i + 1 < q->p; i++)
        sum += lambda2 * (a[i] - a[i + 1]) * (a[i] - a[i + 1]);
    return sum;
}

/* ---- problems ------------------------------------------------------------------------------ */

/* Normal values; the class is whether the features in the middle lie outside a sphere. */
static problem planted(uint64_t seed, size_t n, size_t p)
{
    problem q = {.seed = seed, .kind = "planted", .n = n, .p = p};
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(seed));
    q.x = malloc(n * p * sizeof *q.x);
    q.y = malloc(n * sizeof *q.y);
    for (size_t k = 0; k < n * p; k++)
        q.x[k] = tm_rng_normal(&rng);
    for (size_t i = 0; i < n; i++) {
        double squares = 0, middle = p > 3 ? 3 : 1;
        for (size_t j = 0; j < (size_t)middle; j++)
            squares += pow(q.x[i + (p / 2 - (p > 3) + j) * n], 2);
        q.y[i] = squares + 0.3 * tm_rng_normal(&rng) > middle ? 1 : -1;
    }
    q.y[0] = 1;
    q.y[1] = -1;
    return q;
}

static tm_solution solve_at(const tm_dataset *data, const char *words, double share)
{
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver;
    tm_params *params = method_params("kernelfs", words);
    must(tm_solver_new(&solver, tm_method_find("kernelfs", NULL), data, params, NULL, &err), &err);
    double lambda = share * tm_solver_lambda_max(solver);
    tm_solver_free(solver);
    tm_params_free(params);
    return method_solve("kernelfs", data, words, lambda);
}

static double lambda2_of(const tm_solution *s, const problem *q, double ratio)
{
    return ratio * pow(s->lambda_max / (double)q->n, 2);
}

static double *weights_of(const tm_solution *s, size_t p)
{
    double *a = calloc(p, sizeof *a);
    for (size_t j = 0; j < p; j++)
        a[j] = tm_model_weight(s->model, j);
    return a;
}

/* ---- Z ------------------------------------------------------------------------------------- */

/* In memory, in a file, and by samples; column sums are HSIC, which is not negative. */
CHECK(test_z)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        problem q = problem_new(seed);
        problem_make_binary(&q);
        tm_dataset *data = problem_dataset_of(&q, false);
        tm_error err = TM_ERROR_INIT;
        double sigma = seed % 2 ? 1 : 0.5, *want = explicit_z(&q, sigma);
        for (int way = 0; way < 4; way++) {
            alignment got;
            thread_team *team = team_new(1 + way);
            const alignment_spec spec = {
                .sigma = sigma, .most = way % 2 ? 0 : 1e9, .by_samples = way / 2, .team = team};
            must(alignment_make(&got, data, &spec, &err), &err);
            size_t rows = tm_matrix_rows(got.z), cols = tm_matrix_cols(got.z);
            double *column = malloc(rows * sizeof *column);
            for (size_t c = 0; c < cols; c++) {
                tm_matrix_column(got.z, c, column);
                for (size_t r = 0; r < rows; r++)
                    assert_true(fabs(column[r] - want[way / 2 ? r * q.n + c : c * q.n + r]) <
                                1e-10 * (double)q.n);
            }
            free(column);
            alignment_clear(&got);
            team_free(team);
        }
        for (size_t i = 0; i < q.p; i++) {
            double hsic = 0;
            for (size_t m = 0; m < q.n; m++)
                hsic += want[i * q.n + m];
            assert_true(hsic > -1e-10);
        }
        free(want);
        problem_end(&q, data);
    }
}

/* ---- optima -------------------------------------------------------------------------------- */

/* The least over weight `at` and those after it, by golden sections within golden sections. Weights
 * of 55 have been seen. */
static double least_from(const problem *q, const double *z, double *a, size_t at, double lambda,
                         double lambda2)
{
    if (at == q->p)
        return objective(q, z, a, lambda, lambda2);
    double low = 0, high = 200, share = (sqrt(5) - 1) / 2;
    double left = high - share * (high - low), right = low + share * (high - low), f[2];
    int steps = q->p > 2 ? 37 : 63;
    a[at] = left;
    f[0] = least_from(q, z, a, at + 1, lambda, lambda2);
    a[at] = right;
    f[1] = least_from(q, z, a, at + 1, lambda, lambda2);
    for (int k = 0; k < steps; k++) {
        bool lower = f[0] <= f[1];
        *(lower ? &high : &low) = lower ? right : left;
        double next = lower ? high - share * (high - low) : low + share * (high - low);
        a[at] = next;
        double value = least_from(q, z, a, at + 1, lambda, lambda2);
        if (lower) {
            right = left;
            left = next;
            f[1] = f[0];
            f[0] = value;
        } else {
            left = right;
            right = next;
            f[0] = f[1];
            f[1] = value;
        }
    }
    return fmin(f[0], f[1]);
}

/* Small problems against brute force, which may end a little above the optimum. */
CHECK(test_brute_force)
{
    for (uint64_t seed = 1; seed <= SOME_OF(8); seed++) {
        problem q = planted(seed, 8 + seed, seed % 4 == 0 ? 3 : 2);
        tm_dataset *data = problem_dataset_of(&q, false);
        double ratio = seed % 3 ? 0.1 : 0, share = seed % 2 ? 0.2 : 0.6;
        char words[80];
        snprintf(words, sizeof words, "tol=1e-10 lambda2_ratio=%g", ratio);
        tm_solution s = solve_at(data, words, share);
        double *z = explicit_z(&q, 1), a[3], lambda = share * s.lambda_max;
        double least = least_from(&q, z, a, 0, lambda, lambda2_of(&s, &q, ratio));
        assert_int_equal(s.outcome, TM_CONVERGED);
        if (!(s.primal <= least + 1e-8 * s.null_objective) ||
            fabs(s.primal - least) > 1e-5 * s.null_objective)
            fail_msg("seed %llu: %.12g, by brute force %.12g", (unsigned long long)seed, s.primal,
                     least);
        free(z);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* The certificate's primal value is that of the definition at the weights; no weights found by
 * other means lie below its dual value; the gap is as small as was asked for. */
CHECK(test_certificate)
{
    static const char *const graphs[] = {"lambda2_ratio=0", "lambda2_ratio=0.01", "lambda2_ratio=1",
                                         "lambda2_ratio=30"};
    static const double ratios[] = {0, 0.01, 1, 30};
    for (uint64_t seed = 1; seed <= SOME_OF(12); seed++) {
        problem q = seed % 2 ? planted(seed, 30, 60) : problem_new(seed);
        if (seed % 2 == 0)
            problem_make_binary(&q);
        tm_dataset *data = problem_dataset_of(&q, false);
        char words[80];
        snprintf(words, sizeof words, "tol=1e-9 %s", graphs[seed % 4]);
        tm_solution s = solve_at(data, words, seed % 5 ? 0.3 : 0.02);
        double *z = explicit_z(&q, 1), *a = weights_of(&s, q.p);
        double lambda2 = lambda2_of(&s, &q, ratios[seed % 4]), lambda = s.lambda;
        double primal = objective(&q, z, a, lambda, lambda2);
        if (s.outcome != TM_CONVERGED || s.gap > 1e-9 * s.null_objective ||
            fabs(primal - s.primal) > 1e-9 * s.null_objective)
            fail_msg("seed %llu: gap %g, primal %.15g, by definition %.15g",
                     (unsigned long long)seed, s.gap, s.primal, primal);
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        for (int k = 0; k < 200; k++) {
            double *near = weights_of(&s, q.p), far = pow(10, -tm_rng_range(&rng, 0, 6));
            for (size_t j = 0; j < q.p; j++)
                if (near[j] > 0 || tm_rng_below(&rng, q.p) < 2)
                    near[j] = fmax(near[j] + far * tm_rng_normal(&rng), 0);
            assert_true(objective(&q, z, near, lambda, lambda2) >=
                        s.dual - 1e-9 * s.null_objective);
            free(near);
        }
        free(z);
        free(a);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* From lambda_max on there are no weights, just below it there are some. */
CHECK(test_lambda_max)
{
    problem q = planted(3, 24, 40);
    tm_dataset *data = problem_dataset_of(&q, false);
    tm_solution none = solve_at(data, "", 1), some = solve_at(data, "tol=1e-12", 0.99);
    assert_true(none.outcome == TM_CONVERGED && tm_model_nnz(none.model) == 0);
    assert_true(none.primal == (double)(q.n * q.n) && none.gap <= 1e-9 * none.primal);
    assert_true(some.outcome == TM_CONVERGED && tm_model_nnz(some.model) > 0);
    tm_solution_clear(&none);
    tm_solution_clear(&some);
    problem_end(&q, data);
}

/* Dual averaging's bounds enclose the optimum and come near it, with either place for Z: what 1500
 * passes leave is up to about 1 % of the null objective, more or less by chance. */
CHECK(test_solvers_agree)
{
    static const char *const places[] = {"memory=1000", "memory=0"};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        problem q = planted(seed, 40, 30);
        tm_dataset *data = problem_dataset_of(&q, false);
        char words[120];
        snprintf(words, sizeof words, "tol=1e-9 lambda2_ratio=0.1 %s", places[seed % 2]);
        tm_solution exact = solve_at(data, words, 0.4);
        snprintf(words, sizeof words,
                 "tol=1e-6 lambda2_ratio=0.1 solver=dual_averaging max_iter=1500 %s",
                 places[seed % 2]);
        tm_solution average = solve_at(data, words, 0.4);
        double slack = 1e-8 * exact.null_objective;
        assert_true(average.primal >= exact.dual - slack && average.dual <= exact.primal + slack);
        if (average.gap > 0.03 * exact.null_objective)
            fail_msg("gap %g", average.gap / exact.null_objective);
        tm_solution_clear(&exact);
        tm_solution_clear(&average);
        problem_end(&q, data);
    }
}

/* One graph given in several ways has one optimum, in whatever order features are taken. */
CHECK(test_graphs)
{
    static const char *const ways[] = {"graph=chain", "graph=grid:24", "graph=trend:0"};
    problem q = planted(5, 30, 24);
    tm_dataset *data = problem_dataset_of(&q, false);
    tm_solution first = solve_at(data, "tol=1e-9 lambda2_ratio=1", 0.3);
    for (size_t k = 0; k < 3; k++) {
        char words[80];
        snprintf(words, sizeof words, "tol=1e-9 lambda2_ratio=1 %s", ways[k]);
        tm_solution s = solve_at(data, words, 0.3);
        assert_true(fabs(s.primal - first.primal) <= 2e-9 * first.null_objective);
        tm_solution_clear(&s);
    }
    tm_solution plane = solve_at(data, "tol=1e-9 lambda2_ratio=1 graph=grid:4x6", 0.3);
    tm_solution smooth = solve_at(data, "tol=1e-9 lambda2_ratio=1 graph=trend:2", 0.3);
    assert_true(plane.outcome == TM_CONVERGED && smooth.outcome == TM_CONVERGED);
    assert_true(fabs(plane.primal - first.primal) > 1e-6 * first.null_objective);
    tm_solution_clear(&first);
    tm_solution_clear(&plane);
    tm_solution_clear(&smooth);
    problem_end(&q, data);
}

/* Working sets that grow, along a chain on which one feature pulls the next: the same optimum as
 * with all features at once, which a start from weights everywhere gives. In the second problem a
 * weight of the optimum is next to zero. */
CHECK(test_sets_grow)
{
    static const uint64_t seeds[] = {2, 84000002};
    for (size_t k = 0; k < 2; k++) {
        problem q = planted(seeds[k], 20, 700);
        tm_dataset *data = problem_dataset_of(&q, false);
        tm_error err = TM_ERROR_INIT;
        tm_solver *solver;
        tm_solution grown = solve_at(data, "tol=1e-9 lambda2_ratio=100", 0.1), whole;
        tm_params *params = method_params("kernelfs", "tol=1e-9 lambda2_ratio=100");
        double *ones = malloc(q.p * sizeof *ones);
        for (size_t j = 0; j < q.p; j++)
            ones[j] = 1;
        tm_model *everywhere;
        must(tm_params_set_real(params, "lambda", grown.lambda, &err), &err);
        must(tm_solver_new(&solver, tm_method_find("kernelfs", NULL), data, params, NULL, &err),
             &err);
        must(tm_model_new(&everywhere, data, "kernelfs", NAN, ones, 0, &err), &err);
        must(tm_solver_warm(solver, everywhere, &err), &err);
        must(tm_solver_update(solver, params, &err), &err);
        must(tm_solver_solve(solver, &whole, &err), &err);
        assert_true(grown.outcome == TM_CONVERGED && whole.outcome == TM_CONVERGED);
        assert_true(grown.active < q.p && whole.active == q.p);
        assert_true(fabs(grown.primal - whole.primal) <= 2e-9 * grown.null_objective);
        tm_solution_clear(&grown);
        tm_solution_clear(&whole);
        tm_solver_free(solver);
        tm_model_unref(everywhere);
        tm_params_free(params);
        free(ones);
        problem_end(&q, data);
    }
}

/* Penalties a hundred and ten thousand times as strong, under which some weights of the optimum are
 * next to zero: each answer converges, and so does its objective. The slope of the stronger one, of
 * differences of weights times 10^6 and more, has rounding errors of up to 5e-9 of lambda. */
CHECK(test_strong_penalties)
{
    static const char *const graphs[] = {"chain", "trend:2", "grid:20x6"};
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (size_t k = 0; k < 6; k++) {
            const char *tols[] = {"1e-6", k % 2 ? "1e-8" : "1e-9"};
            problem q = planted(seed, 20, 120);
            tm_dataset *data = problem_dataset_of(&q, false);
            double share = seed % 2 ? 0.1 : 0.01, primal[2];
            for (size_t i = 0; i < 2; i++) {
                char words[80];
                snprintf(words, sizeof words, "tol=%s lambda2_ratio=%d graph=%s", tols[i],
                         k % 2 ? 10000 : 100, graphs[k / 2]);
                tm_solution s = solve_at(data, words, share);
                if (s.outcome != TM_CONVERGED)
                    fail_msg("%s, seed %d: gap %g", words, (int)seed, s.gap / s.null_objective);
                primal[i] = s.primal / s.null_objective;
                tm_solution_clear(&s);
            }
            assert_true(primal[0] >= primal[1] - 1e-8 && primal[0] <= primal[1] + 1e-6);
            problem_end(&q, data);
        }
}

/* ---- predictions --------------------------------------------------------------------------- */

/* sum_m y~_m sum_i a_i k~_i(x, x_m), k~ centred by the training samples' means. */
static double defined_prediction(const problem *q, const double *a, const double *x)
{
    size_t n = q->n;
    double sum = 0, *k = malloc(n * n * sizeof *k), *at = malloc(n * sizeof *at);
    for (size_t i = 0; i < q->p; i++) {
        const double *column = q->x + i * n;
        double v = variance_of(column, n), all = 0, own = 0;
        if (a[i] == 0)
            continue;
        for (size_t m = 0; m < n; m++) {
            at[m] = exp(-pow(x[i] - column[m], 2) / (2 * v));
            own += at[m] / (double)n;
            for (size_t l = 0; l < n; l++) {
                k[m * n + l] = exp(-pow(column[l] - column[m], 2) / (2 * v));
                all += k[m * n + l] / (double)(n * n);
            }
        }
        for (size_t m = 0; m < n; m++) {
            double mean = 0;
            for (size_t l = 0; l < n; l++)
                mean += k[m * n + l] / (double)n;
            sum += centred_y(q, m) * a[i] * (at[m] - own - mean + all);
        }
    }
    free(k);
    free(at);
    return sum;
}

/* Of new rows, and of the training rows, whose predictions times y~ are their margins; a model that
 * was saved predicts the same to the bit. */
CHECK(test_predictions)
{
    problem q = planted(4, 40, 20), other = planted(5, 25, 20);
    tm_dataset *data = problem_dataset_of(&q, false), *rows = problem_dataset_of(&other, false);
    tm_error err = TM_ERROR_INIT;
    tm_solution s = solve_at(data, "tol=1e-8 lambda2_ratio=0.1", 0.3);
    double *a = weights_of(&s, q.p), *z = explicit_z(&q, 1), got[40], again[40], x[20];
    tm_model *loaded = model_reload(s.model);
    must(tm_model_predict_data(s.model, rows, got, &err), &err);
    must(tm_model_predict_data(loaded, rows, again, &err), &err);
    assert_memory_equal(got, again, other.n * sizeof *got);
    assert_string_equal(tm_map_kind(tm_model_map(loaded)), "gaussian_sums");
    for (size_t r = 0; r < other.n; r++) {
        for (size_t j = 0; j < q.p; j++)
            x[j] = other.x[r + j * other.n];
        assert_true(fabs(got[r] - defined_prediction(&q, a, x)) < 1e-8);
    }
    must(tm_model_predict_data(s.model, data, got, &err), &err);
    for (size_t m = 0; m < q.n; m++) {
        double margin = 0;
        for (size_t i = 0; i < q.p; i++)
            margin += a[i] * z[i * q.n + m];
        assert_true(fabs(centred_y(&q, m) * got[m] - margin) < 1e-8);
    }
    free(a);
    free(z);
    tm_model_unref(loaded);
    tm_solution_clear(&s);
    problem_end(&q, data);
    problem_end(&other, rows);
}

/* Numbers are refused, and so are files that are no models. */
CHECK(test_refusals)
{
    problem q = planted(1, 20, 5);
    tm_error err = TM_ERROR_INIT;
    tm_dataset *numbers = problem_dataset_of(&q, true);
    tm_params *params = method_params("kernelfs", "");
    tm_solver *solver;
    must_refuse(
        tm_solver_new(&solver, tm_method_find("kernelfs", NULL), numbers, params, NULL, &err),
        TM_EDATA, &err, "two classes");
    tm_params_free(params);
    static const char *const broken[] = {
        "{\"kind\":\"gaussian_sums\"}",
        "{\"kind\":\"gaussian_sums\",\"coef\":[1,-1],\"columns\":[[1,1,[0]]]}",
        "{\"kind\":\"gaussian_sums\",\"coef\":[1,-1],\"columns\":[[9,1,[0,1]]]}",
        "{\"kind\":\"gaussian_sums\",\"coef\":[1,\"x\"],\"columns\":[[1,1,[0,1]]]}",
        "{\"kind\":\"gaussian_sums\",\"coef\":[1,-1],\"columns\":[[1,-1,[0,1]]]}",
        "{\"kind\":\"gaussian_sums\",\"coef\":[1,-1],\"columns\":[[2,1,[0,1]],[1,1,[0,1]]]}"};
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        char text[400];
        tm_model *model;
        snprintf(text, sizeof text,
                 "{\"tamis\":\"model\",\"version\":1,\"method\":\"kernelfs\",\"intercept\":0,"
                 "\"features\":5,\"coef\":[[1,2]],\"map\":%s}",
                 broken[k]);
        must_refuse(tm_model_from_text(&model, text, "text", &err), TM_EDATA, &err, "map");
    }
    problem_end(&q, numbers);
}

RUN_TESTS(test_z, test_brute_force, test_certificate, test_lambda_max, test_solvers_agree,
          test_graphs, test_sets_grow, test_strong_penalties, test_predictions, test_refusals)
