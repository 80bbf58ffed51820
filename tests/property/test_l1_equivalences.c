/* What general l1 problems must equal: other problems that need none of the generality. */
#include "general.h"
#include "tests/vectors.h"

enum { PROBLEMS = 18 };
static const char *const methods[] = {"lasso", "l1logistic", "l1svm"};
static const char *const strategies[] = {"auto", "gap", "saif"};

static general plain_of(const problem *q, const char *method, bool intercept)
{
    return (general){.q = q, .method = method, .intercept = intercept, .alpha = 1};
}

static problem problem_for(uint64_t seed, const char *method)
{
    problem q = problem_new(seed);
    if (strcmp(method, "lasso") != 0)
        problem_make_binary(&q);
    return q;
}

static tm_solution solve_at(const general *g, const char *strategy, double lambda)
{
    char words[80];
    tm_dataset *data = general_dataset(g);
    snprintf(words, sizeof words, "tol=1e-9 screen=%s", strategy);
    tm_solution s = general_solve(g, data, words, lambda);
    tm_dataset_unref(data);
    return s;
}

/* NAN where free features separate the classes, which is refused. */
static double lambda_of(const general *g, double ratio)
{
    tm_error err = TM_ERROR_INIT;
    tm_solution s;
    tm_dataset *data = general_dataset(g);
    tm_status status = general_try(g, data, "tol=1e-9", 1e9, &s, &err);
    double lambda = status == TM_OK ? ratio * s.lambda_max : NAN;
    if (status != TM_OK && !strstr(err.message, "separate"))
        fail_msg("%s", err.message);
    tm_solution_clear(&s);
    tm_dataset_unref(data);
    return lambda;
}

/* Converged, or ended by rounding where the unpenalised part fits perfectly and the tolerance,
 * which is relative to the null model's objective, asks for nothing that double precision has. */
static bool ended(const tm_solution *s)
{
    return s->outcome == TM_CONVERGED || (fabs(s->gap) <= 1e-15 && s->null_objective <= 1e-12);
}

/* In rounds of scripts/soak epochs without a working set may need more of them, and between two
 * nearly parallel columns each may lower the objective by less than its rounding error. */
static bool slow(const tm_solution *s)
{
    return !check_committed() && (s->stop == TM_STOP_ITER || (s->stop == TM_STOP_ROUNDING &&
                                                              s->gap <= 1e-8 * s->null_objective));
}

/* Two certified intervals for the same optimum must overlap. */
static void same_optimum(const tm_solution *a, const tm_solution *b, double scale, const char *what)
{
    double slack = 1e-9 * (fabs(a->primal) + a->null_objective);
    if ((!ended(a) || !ended(b)) && !slow(a) && !slow(b))
        fail_msg("%s: not converged: gaps %g and %g of %g", what, a->gap, b->gap,
                 a->null_objective);
    if (!(a->primal >= scale * b->dual - slack && scale * b->primal >= a->dual - slack))
        fail_msg("%s: %.15g..%.15g against %.15g..%.15g", what, a->dual, a->primal, scale * b->dual,
                 scale * b->primal);
}

/* ---- weights ------------------------------------------------------------------------------- */

static problem repeated(const problem *q, const double *times)
{
    problem r = *q;
    size_t n = 0, at = 0;
    for (size_t i = 0; i < q->n; i++)
        n += (size_t)times[i];
    r.n = n;
    r.x = calloc(n * q->p, sizeof *r.x);
    r.y = calloc(n, sizeof *r.y);
    for (size_t i = 0; i < q->n; i++)
        for (size_t k = 0; k < (size_t)times[i]; k++, at++) {
            r.y[at] = q->y[i];
            for (size_t j = 0; j < q->p; j++)
                r.x[at + j * n] = q->x[i + j * q->n];
        }
    return r;
}

CHECK(test_whole_weights_are_repeated_rows)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        const char *method = methods[seed % 3];
        problem q = problem_for(seed, method);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed));
        double *times = malloc(q.n * sizeof *times);
        for (size_t i = 0; i < q.n; i++)
            times[i] = i < 2 ? 1 : (double)tm_rng_below(&rng, 4);
        problem r = repeated(&q, times);
        general weighted = plain_of(&q, method, true), rows = plain_of(&r, method, true);
        weighted.weights = times;
        weighted.standardize = rows.standardize = seed % 2 == 1;
        double lambda = lambda_of(&rows, 0.2);
        tm_solution a = solve_at(&rows, "gap", lambda);
        for (int k = 0; k < 3; k++) {
            tm_solution b = solve_at(&weighted, strategies[k], lambda);
            assert_true(fabs(a.lambda_max - b.lambda_max) <= 1e-12 * a.lambda_max);
            assert_true(fabs(a.null_objective - b.null_objective) <= 1e-12 * a.null_objective);
            same_optimum(&a, &b, 1, "repeated rows");
            tm_solution_clear(&b);
        }
        tm_solution_clear(&a);
        problem_free(&r);
        problem_free(&q);
        free(times);
    }
}

/* ---- the elastic net ----------------------------------------------------------------------- */

/* p more rows sqrt(ridge) e_j with response 0, without an intercept. */
static problem augmented(const problem *q, double ridge)
{
    problem r = *q;
    r.n = q->n + q->p;
    r.x = calloc(r.n * q->p, sizeof *r.x);
    r.y = calloc(r.n, sizeof *r.y);
    memcpy(r.y, q->y, q->n * sizeof *r.y);
    for (size_t j = 0; j < q->p; j++) {
        memcpy(r.x + j * r.n, problem_column(q, j), q->n * sizeof *r.x);
        r.x[q->n + j + j * r.n] = sqrt(ridge);
    }
    return r;
}

CHECK(test_elastic_net_is_a_lasso_with_more_rows)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        problem q = problem_for(seed, "lasso");
        general net = plain_of(&q, "lasso", false);
        net.alpha = 0.1 + 0.1 * (double)(seed % 9);
        double lambda = lambda_of(&net, 0.1);
        problem r = augmented(&q, lambda * (1 - net.alpha));
        general rows = plain_of(&r, "lasso", false);
        tm_solution a = solve_at(&rows, "auto", lambda * net.alpha);
        for (int k = 0; k < 3; k++) {
            tm_solution b = solve_at(&net, strategies[k], lambda);
            same_optimum(&a, &b, 1, "augmented rows");
            for (size_t j = 0; j < q.p; j++) /* it is strictly convex */
                assert_true(fabs(tm_model_weight(a.model, j) - tm_model_weight(b.model, j)) <=
                            1e-3 * (1 + fabs(tm_model_weight(a.model, j))));
            tm_solution_clear(&b);
        }
        tm_solution_clear(&a);
        problem_free(&r);
        problem_free(&q);
    }
}

/* ---- factors ------------------------------------------------------------------------------- */

CHECK(test_factors_are_scaled_columns)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        const char *method = methods[seed % 3];
        problem q = problem_for(seed, method), scaled = problem_for(seed, method);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed));
        double *factors = malloc(q.p * sizeof *factors);
        for (size_t j = 0; j < q.p; j++) {
            factors[j] = tm_rng_below(&rng, 6) == 0 ? INFINITY : tm_rng_range(&rng, 0.1, 5);
            for (size_t i = 0; i < q.n; i++)
                problem_column(&scaled, j)[i] /= factors[j]; /* INFINITY: a column of zeros */
        }
        general g = plain_of(&q, method, true), plain = plain_of(&scaled, method, true);
        g.factors = factors;
        double lambda = lambda_of(&g, 0.15);
        tm_solution a = solve_at(&plain, "gap", lambda);
        for (int k = 0; k < 3; k++) {
            tm_solution b = solve_at(&g, strategies[k], lambda);
            assert_true(fabs(a.lambda_max - b.lambda_max) <= 1e-10 * a.lambda_max);
            same_optimum(&a, &b, 1, "scaled columns");
            for (size_t j = 0; j < q.p; j++)
                assert_true(!isinf(factors[j]) || tm_model_weight(b.model, j) == 0);
            tm_solution_clear(&b);
        }
        tm_solution_clear(&a);
        problem_free(&q);
        problem_free(&scaled);
        free(factors);
    }
}

/* Takes the part along `v` out of u. */
static void project_out(double *u, const double *v, size_t n)
{
    double uv = 0, vv = 0;
    for (size_t i = 0; i < n; i++) {
        uv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    for (size_t i = 0; vv > 1e-20 && i < n; i++)
        u[i] -= uv / vv * v[i];
}

/* Least squares: features with factor 0 can be partialled out of the response and of all others. */
CHECK(test_free_features_are_partialled_out)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        problem q = problem_for(seed, "lasso"), rest = problem_for(seed, "lasso");
        size_t one = 0, two = q.p / 2, n = q.n;
        double *factors = malloc(q.p * sizeof *factors);
        for (size_t j = 0; j < q.p; j++)
            factors[j] = j == one || j == two ? 0 : 1;
        for (size_t j = 0; j < q.p; j++)
            centre(problem_column(&rest, j), n);
        centre(rest.y, n);
        double *v1 = problem_column(&rest, one), *v2 = problem_column(&rest, two);
        project_out(v2, v1, n);
        for (int round = 0; round < 2; round++)
            for (size_t j = 0; j <= q.p; j++) {
                double *u = j < q.p ? problem_column(&rest, j) : rest.y;
                if (u == v1 || u == v2)
                    continue;
                project_out(u, v1, n);
                project_out(u, v2, n);
            }
        memset(v1, 0, n * sizeof *v1);
        memset(v2, 0, n * sizeof *v2);
        rest.sparse = false;
        general g = plain_of(&q, "lasso", true), other = plain_of(&rest, "lasso", false);
        g.factors = factors;
        double lambda = lambda_of(&other, 0.1);
        tm_solution a = solve_at(&other, "gap", lambda);
        for (int k = 0; k < 3; k++) {
            tm_solution b = solve_at(&g, strategies[k], lambda);
            assert_true(fabs(a.lambda_max - b.lambda_max) <= 1e-8 * a.lambda_max);
            assert_true(fabs(a.null_objective - b.null_objective) <= 1e-8 * a.null_objective);
            same_optimum(&a, &b, 1, "partialled out");
            tm_solution_clear(&b);
        }
        tm_solution_clear(&a);
        problem_free(&q);
        problem_free(&rest);
        free(factors);
    }
}

/* ---- limits -------------------------------------------------------------------------------- */

/* Non-negative lasso of three features by all eight sets of positive weights. */
static double best_of_supports(const problem *q, double lambda)
{
    double best = INFINITY;
    for (unsigned support = 0; support < 8; support++) {
        double w[3] = {0}, value = 0;
        /* Exact coordinate minimisation on the support; negative weights disqualify it. */
        for (int sweep = 0; sweep < 20000; sweep++)
            for (size_t j = 0; j < 3; j++) {
                const double *x = problem_column(q, j);
                double product = 0, square = 0;
                for (size_t i = 0; i < q->n; i++) {
                    double r = q->y[i];
                    for (size_t k = 0; k < 3; k++)
                        r -= k == j ? 0 : w[k] * problem_column(q, k)[i];
                    product += x[i] * r;
                    square += x[i] * x[i];
                }
                w[j] = support >> j & 1 ? (product - lambda) / square : 0;
            }
        bool allowed = w[0] >= 0 && w[1] >= 0 && w[2] >= 0;
        for (size_t i = 0; i < q->n; i++) {
            double r = q->y[i] - w[0] * problem_column(q, 0)[i] - w[1] * problem_column(q, 1)[i] -
                       w[2] * problem_column(q, 2)[i];
            value += r * r / 2;
        }
        value += lambda * (w[0] + w[1] + w[2]);
        best = allowed ? fmin(best, value) : best;
    }
    return best;
}

CHECK(test_positive_is_the_best_of_all_supports)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        problem q = problem_for(6 * seed, "lasso"); /* tall ones */
        q.p = 3;
        double lower[3] = {0}, upper[3] = {INFINITY, INFINITY, INFINITY};
        general g = plain_of(&q, "lasso", false);
        g.lower = lower;
        g.upper = upper;
        double lambda = 0.5 + (double)seed, best = best_of_supports(&q, lambda);
        for (int k = 0; k < 3; k++) {
            tm_solution s = solve_at(&g, strategies[k], lambda);
            assert_true(s.outcome == TM_CONVERGED);
            assert_true(s.dual <= best * (1 + 1e-10) && s.primal >= best * (1 - 1e-10));
            for (size_t j = 0; j < 3; j++)
                assert_true(tm_model_weight(s.model, j) >= 0);
            tm_solution_clear(&s);
        }
        problem_free(&q);
    }
}

/* ---- the intercept ------------------------------------------------------------------------- */

CHECK(test_shifted_columns_change_nothing)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        const char *method = methods[seed % 3];
        problem q = problem_for(seed, method), moved = problem_for(seed, method);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed));
        double *weights = malloc(q.n * sizeof *weights), *factors = malloc(q.p * sizeof *factors);
        for (size_t i = 0; i < q.n; i++)
            weights[i] = tm_rng_range(&rng, 0.5, 2);
        for (size_t j = 0; j < q.p; j++) {
            double by = tm_rng_range(&rng, -5, 5);
            factors[j] = j == 1 ? 0 : 1;
            for (size_t i = 0; i < q.n; i++)
                problem_column(&moved, j)[i] += by;
        }
        moved.sparse = false;
        general g = plain_of(&q, method, true), h = plain_of(&moved, method, true);
        g.weights = h.weights = weights;
        g.factors = h.factors = factors;
        g.alpha = h.alpha = seed % 2 ? 1 : 0.7;
        double lambda = lambda_of(&g, 0.1);
        for (int k = 0; !isnan(lambda) && k < 3; k++) {
            tm_solution a = solve_at(&g, strategies[k], lambda);
            tm_solution b = solve_at(&h, strategies[k], lambda);
            assert_true(fabs(a.lambda_max - b.lambda_max) <= 1e-9 * a.lambda_max);
            char what[80];
            snprintf(what, sizeof what, "shifted columns %d %s %s", (int)seed, method,
                     strategies[k]);
            same_optimum(&a, &b, 1, what);
            tm_solution_clear(&a);
            tm_solution_clear(&b);
        }
        problem_free(&q);
        problem_free(&moved);
        free(weights);
        free(factors);
    }
}

/* An offset that is a multiple of a free feature is fitted away; a constant one goes into the
 * intercept. */
CHECK(test_offsets)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        const char *method = methods[seed % 3];
        problem q = problem_for(seed, method);
        double *offset = malloc(q.n * sizeof *offset), *factors = malloc(q.p * sizeof *factors);
        for (size_t j = 0; j < q.p; j++)
            factors[j] = j == 2 ? 0 : 1;
        for (size_t i = 0; i < q.n; i++)
            offset[i] = 0.3 + 0.2 * problem_column(&q, 2)[i];
        general g = plain_of(&q, method, true), h = g;
        g.factors = h.factors = factors;
        h.offset = offset;
        double lambda = lambda_of(&g, 0.2);
        for (int k = 0; !isnan(lambda) && k < 3; k++) {
            tm_solution a = solve_at(&g, strategies[k], lambda);
            tm_solution b = solve_at(&h, strategies[k], lambda);
            same_optimum(&a, &b, 1, "offsets");
            tm_solution_clear(&a);
            tm_solution_clear(&b);
        }
        problem_free(&q);
        free(offset);
        free(factors);
    }
}

RUN_TESTS(test_whole_weights_are_repeated_rows, test_elastic_net_is_a_lasso_with_more_rows,
          test_factors_are_scaled_columns, test_free_features_are_partialled_out,
          test_positive_is_the_best_of_all_supports, test_shifted_columns_change_nothing,
          test_offsets)
