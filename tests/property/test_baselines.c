/* sdca and reweighted against the l1 methods and conditions of optimality that are computed here.
 */
#include "problem.h"

static const char *const losses[] = {"squared", "logistic", "squared_hinge"};
static const char *const singles[] = {"lasso", "l1logistic", "l1svm"};

static problem problem_for(uint64_t seed, int l)
{
    problem q = problem_new(seed);
    if (l > 0)
        problem_make_binary(&q);
    return q;
}

static bool is_hard(const problem *q)
{
    /* Stochastic steps crawl where columns are nearly parallel to each other or to the constant. */
    return strcmp(q->kind, "offset") == 0 || strcmp(q->kind, "badscaled") == 0;
}

/* ---- sdca ------------------------------------------------------------------------------------ */

CHECK(sdca_reaches_the_l1_methods_optimum)
{
    for (uint64_t seed = 0; seed < 36; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(seed / 3, l);
        if (is_hard(&q)) {
            problem_free(&q);
            continue;
        }
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        char words[200];
        snprintf(words, sizeof words, "tol=1e-6 alpha=%s %s", seed % 2 ? "1" : "0.6",
                 seed % 4 < 2 ? "intercept=false" : "standardize=true");
        tm_solution probe = method_solve(singles[l], data, words, 1e30);
        double lambda = 0.3 * probe.lambda_max;
        tm_solution single = method_solve(singles[l], data, words, lambda);
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, " loss=%s max_iter=20000", losses[l]);
        tm_solution s = method_solve("sdca", data, words, lambda);
        double null = s.null_objective;
        assert_true(fabs(s.lambda_max - probe.lambda_max) <= 1e-12 * s.lambda_max);
        if (s.outcome != TM_CONVERGED || s.gap > 1e-6 * null ||
            s.primal < single.dual - 1e-10 * null || single.primal < s.dual - 1e-10 * null)
            fail_msg("problem %llu (%s %zux%zu) %s: %s, [%.12g, %.12g] and [%.12g, %.12g]",
                     (unsigned long long)q.seed, q.kind, q.n, q.p, words,
                     tm_outcome_name(s.outcome), s.dual, s.primal, single.dual, single.primal);
        tm_solution_clear(&probe);
        tm_solution_clear(&single);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* From lambda_max on there is nothing to do, and a response that is constant has no other model. */
CHECK(sdca_gives_the_null_model_at_once)
{
    for (int l = 0; l < 3; l++) {
        problem q = problem_for(7, l);
        for (size_t i = 0; l == 0 && i < q.n; i++)
            q.y[i] = 4.2;
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        char words[40];
        snprintf(words, sizeof words, "loss=%s", losses[l]);
        tm_solution probe = method_solve("sdca", data, words, 1e9);
        tm_solution at = method_solve("sdca", data, words, fmax(probe.lambda_max, 1e-3));
        assert_true(l > 0 || (at.lambda_max == 0 && tm_model_intercept(at.model) == 4.2));
        assert_int_equal(at.outcome, TM_CONVERGED);
        assert_int_equal(tm_model_nnz(at.model), 0);
        assert_int_equal(at.updates, 0);
        tm_solution_clear(&probe);
        tm_solution_clear(&at);
        problem_end(&q, data);
    }
}

/* The same seed gives the same bits, another one other steps to the same optimum. */
CHECK(sdca_follows_its_seed)
{
    problem q = problem_for(2, 1);
    tm_dataset *data = problem_dataset_of(&q, false);
    double lambda = 1;
    tm_solution first = method_solve("sdca", data, "seed=7 tol=1e-5", lambda);
    tm_solution same = method_solve("sdca", data, "seed=7 tol=1e-5", lambda);
    tm_solution other = method_solve("sdca", data, "seed=8 tol=1e-5", lambda);
    size_t nnz = tm_model_nnz(first.model);
    assert_true(nnz > 0 && nnz == tm_model_nnz(same.model));
    assert_memory_equal(tm_model_weights(first.model), tm_model_weights(same.model),
                        nnz * sizeof(double));
    assert_true(first.primal == same.primal && first.primal != other.primal);
    assert_true(fabs(first.primal - other.primal) <= 2e-5 * first.null_objective);
    tm_solution_clear(&first);
    tm_solution_clear(&same);
    tm_solution_clear(&other);
    problem_end(&q, data);
}

/* ---- reweighted ------------------------------------------------------------------------------ */

static tm_solution reweighted_at(const problem *q, const tm_dataset *data, int l, long rounds,
                                 double lambda)
{
    char words[160];
    (void)q;
    snprintf(words, sizeof words, "loss=%s rounds=%ld epsilon=0.2 tol=1e-11", losses[l], rounds);
    return method_solve("reweighted", data, words, lambda);
}

static double loss_of(const problem *q, int l, const tm_model *model, double *a)
{
    double sum = 0;
    for (size_t i = 0; i < q->n; i++) {
        double z = tm_model_intercept(model), y = q->y[i];
        for (size_t j = 0; j < q->p; j++)
            z += tm_model_weight(model, j) * problem_column(q, j)[i];
        if (l == 0) {
            sum += (y - z) * (y - z) / 2;
            a[i] = y - z;
        } else if (l == 1) {
            sum += log1p(exp(-y * z));
            a[i] = y / (1 + exp(y * z));
        } else {
            a[i] = y * fmax(0, 1 - y * z);
            sum += a[i] * a[i] / 2;
        }
    }
    return sum;
}

static double concave_objective(const problem *q, int l, const tm_model *model, double lambda)
{
    double a[64], sum = loss_of(q, l, model, a);
    for (size_t j = 0; j < q->p; j++)
        sum += lambda * 0.2 * log1p(fabs(tm_model_weight(model, j)) / 0.2);
    return sum;
}

/* |x_j'a| <= lambda f_j and = where w_j is not 0, with the factors that the answer before gives;
 * `before` NULL: all 1. */
static void check_round(const problem *q, int l, const tm_solution *s, const tm_model *before)
{
    double a[64], worst = 0;
    loss_of(q, l, s->model, a);
    for (size_t j = 0; j < q->p; j++) {
        double w = tm_model_weight(s->model, j), product = 0;
        double factor = before ? 0.2 / (0.2 + fabs(tm_model_weight(before, j))) : 1;
        for (size_t i = 0; i < q->n; i++)
            product += problem_column(q, j)[i] * a[i];
        product /= s->lambda * factor;
        worst = fmax(worst, fabs(product) - 1);
        /* A step that is lengthened may leave 3e-17 of a weight, of either sign. */
        worst = fmax(worst, fabs(w) > 1e-15 ? fabs(product - (w > 0 ? 1 : -1)) : 0);
    }
    if (worst > 1e-3)
        fail_msg("problem %llu (%s) %s: off by %g", (unsigned long long)q->seed, q->kind, losses[l],
                 worst);
}

CHECK(rounds_are_l1_problems_and_lower_the_logarithms)
{
    for (uint64_t seed = 0; seed < 24; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(100 + seed / 3, l);
        if (is_hard(&q)) {
            problem_free(&q);
            continue;
        }
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        tm_solution probe = method_solve(singles[l], data, "", 1e30);
        double lambda = 0.3 * probe.lambda_max, last = INFINITY;
        tm_solution before = TM_SOLUTION_INIT;
        for (long rounds = 1; rounds <= 4; rounds++) {
            tm_solution s = reweighted_at(&q, data, l, rounds, lambda);
            assert_int_equal(s.outcome, TM_CONVERGED);
            check_round(&q, l, &s, before.model);
            double objective = concave_objective(&q, l, s.model, lambda);
            assert_true(objective <= last + 1e-8 * s.null_objective);
            last = objective;
            tm_solution_clear(&before);
            before = s;
        }
        tm_solution_clear(&before);
        tm_solution_clear(&probe);
        problem_end(&q, data);
    }
}

RUN_TESTS(sdca_reaches_the_l1_methods_optimum, sdca_gives_the_null_model_at_once,
          sdca_follows_its_seed, rounds_are_l1_problems_and_lower_the_logarithms)
