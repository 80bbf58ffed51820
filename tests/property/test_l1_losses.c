/* l1logistic and l1svm over random problems, against accelerated proximal gradient on the explicit
 * problem: another algorithm, other formulas, no code in common. */
#include "problem.h"

enum { PROBLEMS = SOME_OF(24), STRATEGIES = 11 };
static const char *const strategies[] = {"none",   "gap", "saif",    "auto",  "shrink", "safe",
                                         "strong", "vi",  "hessian", "blitz", "ws"};
static const char *const methods[] = {"l1logistic", "l1svm"};

/* ---- the reference ------------------------------------------------------------------------- */

typedef struct plain {
    const problem *q;
    bool logistic, intercept;
    double *factors; /* p */
    double lambda;
    double step; /* 1 / Lipschitz constant of the gradient */
} plain;

static double margin_loss(const plain *f, double m)
{
    if (f->logistic)
        return m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
    return m < 1 ? (1 - m) * (1 - m) / 2 : 0;
}

static double margin_slope(const plain *f, double m)
{
    if (f->logistic)
        return -1 / (1 + exp(m));
    return m < 1 ? m - 1 : 0;
}

/* v holds w and then b. */
static void margins(const plain *f, const double *v, double *m)
{
    const problem *q = f->q;
    for (size_t i = 0; i < q->n; i++) {
        m[i] = f->intercept ? v[q->p] : 0;
        for (size_t j = 0; j < q->p; j++)
            m[i] += v[j] * problem_column(q, j)[i];
        m[i] *= q->y[i];
    }
}

static double plain_objective(const plain *f, const double *v)
{
    double m[64], sum = 0;
    margins(f, v, m);
    for (size_t i = 0; i < f->q->n; i++)
        sum += margin_loss(f, m[i]);
    for (size_t j = 0; j < f->q->p; j++)
        sum += f->lambda * f->factors[j] * fabs(v[j]);
    return sum;
}

static void proximal_step(const plain *f, const double *from, double *to)
{
    const problem *q = f->q;
    double m[64], sum = 0;
    margins(f, from, m);
    for (size_t i = 0; i < q->n; i++) {
        m[i] = q->y[i] * margin_slope(f, m[i]);
        sum += m[i];
    }
    for (size_t j = 0; j < q->p; j++) {
        double gradient = 0;
        for (size_t i = 0; i < q->n; i++)
            gradient += problem_column(q, j)[i] * m[i];
        double target = from[j] - f->step * gradient, most = f->step * f->lambda * f->factors[j];
        to[j] = fabs(target) <= most ? 0 : target - copysign(most, target);
    }
    to[q->p] = f->intercept ? from[q->p] - f->step * sum : 0;
}

/* FISTA with restarts whenever the objective rises; returns the least value seen. */
static double plain_solve(const plain *f, int iterations)
{
    size_t size = f->q->p + 1;
    double *v = calloc(size, sizeof *v), *next = calloc(size, sizeof *v),
           *at = calloc(size, sizeof *v);
    double t = 1, best = plain_objective(f, v), last = best;
    for (int k = 0; k < iterations; k++) {
        proximal_step(f, at, next);
        double value = plain_objective(f, next), t_next = (1 + sqrt(1 + 4 * t * t)) / 2;
        bool restart = value > last;
        for (size_t j = 0; j < size; j++) {
            at[j] = restart ? v[j] : next[j] + (t - 1) / t_next * (next[j] - v[j]);
            v[j] = restart ? v[j] : next[j];
        }
        t = restart ? 1 : t_next;
        last = restart ? last : value;
        best = fmin(best, value);
    }
    free(v);
    free(next);
    free(at);
    return best;
}

static plain plain_new(const problem *q, const char *method, bool intercept, bool standardize)
{
    plain f = {.q = q, .logistic = strcmp(method, "l1logistic") == 0, .intercept = intercept};
    double squares = intercept ? (double)q->n : 0;
    f.factors = calloc(q->p, sizeof *f.factors);
    for (size_t j = 0; j < q->p; j++) {
        double mean = 0, deviation = 0;
        for (size_t i = 0; i < q->n; i++) {
            mean += intercept ? problem_column(q, j)[i] / (double)q->n : 0;
            squares += problem_column(q, j)[i] * problem_column(q, j)[i];
        }
        for (size_t i = 0; i < q->n; i++)
            deviation += pow(problem_column(q, j)[i] - mean, 2) / (double)q->n;
        f.factors[j] = standardize && deviation > 0 ? sqrt(deviation) : 1;
    }
    /* The squared Frobenius norm bounds the squared largest singular value. */
    f.step = 1 / (squares * (f.logistic ? 0.25 : 1));
    return f;
}

/* ---- agreement ----------------------------------------------------------------------------- */

static double objective_of(const plain *f, const tm_solution *s)
{
    double *v = calloc(f->q->p + 1, sizeof *v);
    for (size_t j = 0; j < f->q->p; j++)
        v[j] = tm_model_weight(s->model, j);
    v[f->q->p] = tm_model_intercept(s->model);
    double value = plain_objective(f, v);
    free(v);
    return value;
}

static void check(const problem *q, const tm_dataset *data, const char *method, bool intercept,
                  bool standardize, double ratio)
{
    plain f = plain_new(q, method, intercept, standardize);
    char words[120];
    const char *options =
        intercept ? (standardize ? "intercept=true standardize=true" : "")
                  : (standardize ? "intercept=false standardize=true" : "intercept=false");
    tm_solution probe = method_solve(method, data, options, 1e9);
    f.lambda = ratio * probe.lambda_max;
    assert_int_equal(tm_model_nnz(probe.model), 0);
    double reached = plain_solve(&f, 3000);
    for (int k = 0; k < STRATEGIES; k++) {
        /* Without an intercept a common offset makes the columns nearly parallel: coordinate
         * minimisation crawls, and only `auto` must get there; the others must certify what they
         * have. */
        bool may_crawl = !intercept && strcmp(q->kind, "offset") == 0 && k != 3;
        snprintf(words, sizeof words, "screen=%s tol=1e-9 %s%s", strategies[k], options,
                 may_crawl ? " max_iter=2000" : " max_iter=5000000");
        tm_solution s = method_solve(method, data, words, f.lambda);
        double value = objective_of(&f, &s), null = s.null_objective;
        bool certified = fabs(value - s.primal) <= 1e-10 * null &&
                         s.dual <= reached + 1e-11 * null &&
                         fabs(s.gap - (s.primal - s.dual)) <= 1e-15 * null;
        bool reaches =
            s.outcome == TM_CONVERGED && value <= reached + 1.1e-9 * null && s.gap <= 1e-9 * null;
        bool good = certified && (reaches || (may_crawl && s.outcome == TM_MAX_ITER));
        if (!good)
            fail_msg(
                "problem %llu (%s, %zux%zu) %s %s ratio %g: %s primal %.15g (really %.15g) dual "
                "%.15g reference %.15g null %g",
                (unsigned long long)q->seed, q->kind, q->n, q->p, method, words, ratio,
                tm_outcome_name(s.outcome), s.primal, value, s.dual, reached, null);
        tm_solution_clear(&s);
    }
    tm_solution_clear(&probe);
    free(f.factors);
}

CHECK(strategies_beat_the_reference_and_certify)
{
    static const double ratios[] = {0.7, 0.2, 0.03};
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        problem q = problem_new(seed);
        problem_make_binary(&q);
        tm_dataset *data = problem_dataset_of(&q, false);
        for (int options = 0; options < 4; options++)
            check(&q, data, methods[(seed + (uint64_t)options) % 2], options & 1, options & 2,
                  ratios[seed % 3]);
        problem_end(&q, data);
    }
}

/* Nearly parallel columns, where sweeps take some 100,000 steps; rounding hides what the last
 * thousands gain, and they ended at three times the tolerance. */
CHECK(slow_sweeps_reach_the_tolerance)
{
    problem q = problem_of("offset", 316000017);
    problem_make_binary(&q);
    tm_dataset *data = problem_dataset_of(&q, false);
    check(&q, data, "l1logistic", true, true, 0.03);
    problem_end(&q, data);
}

/* Just below lambda_max a feature enters, and the gap of the null model is positive; at it, none.
 */
CHECK(lambda_max_is_exact)
{
    for (uint64_t seed = 50; seed < 62; seed++) {
        problem q = problem_new(seed);
        problem_make_binary(&q);
        tm_dataset *data = problem_dataset_of(&q, false);
        for (int k = 0; k < 2; k++) {
            tm_solution probe = method_solve(methods[k], data, "", 1e9);
            tm_solution at = method_solve(methods[k], data, "", probe.lambda_max);
            tm_solution below =
                method_solve(methods[k], data, "tol=1e-12", probe.lambda_max * 0.99);
            assert_int_equal(tm_model_nnz(at.model), 0);
            assert_int_equal(at.updates, 0);
            assert_true(fabs(at.gap) <= 1e-12 * at.null_objective);
            assert_true(tm_model_nnz(below.model) > 0);
            assert_true(below.primal < at.null_objective);
            tm_solution_clear(&probe);
            tm_solution_clear(&at);
            tm_solution_clear(&below);
        }
        problem_end(&q, data);
    }
}

/* The intercept of the null model has a closed form: VI eq. 7-8, and the log-odds. */
CHECK(null_models_have_their_closed_form)
{
    problem q = problem_new(0);
    problem_make_binary(&q);
    double positive = 0;
    for (size_t i = 0; i < q.n; i++)
        positive += q.y[i] > 0;
    double negative = (double)q.n - positive;
    tm_dataset *data = problem_dataset_of(&q, false);
    tm_solution svm = method_solve("l1svm", data, "", 1e9);
    tm_solution logistic = method_solve("l1logistic", data, "", 1e9);
    assert_true(fabs(tm_model_intercept(svm.model) - (positive - negative) / (double)q.n) < 1e-14);
    assert_true(fabs(tm_model_intercept(logistic.model) - log(positive / negative)) < 1e-13);
    tm_solution_clear(&svm);
    tm_solution_clear(&logistic);
    problem_end(&q, data);
}

/* A problem of two classes at 0.1 lambda_max, and the same with a constant added to each feature.
 */
typedef struct moved_pair {
    tm_solution near, far;
} moved_pair;

static moved_pair moved_pair_new(uint64_t seed, const char *method, double by, const char *words)
{
    moved_pair pair;
    problem q = problem_new(seed);
    q.sparse = false;
    problem_make_binary(&q);
    tm_dataset *data = problem_dataset_of(&q, false);
    tm_solution probe = method_solve(method, data, "", 1e9);
    double lambda = 0.1 * probe.lambda_max;
    pair.near = method_solve(method, data, "tol=1e-10", lambda);
    for (size_t i = 0; i < q.n * q.p; i++)
        q.x[i] += by;
    tm_dataset *moved = problem_dataset_of(&q, false);
    pair.far = method_solve(method, moved, words, lambda);
    tm_solution_clear(&probe);
    tm_dataset_unref(data);
    tm_dataset_unref(moved);
    problem_free(&q);
    return pair;
}

static void moved_pair_clear(moved_pair *pair)
{
    tm_solution_clear(&pair->near);
    tm_solution_clear(&pair->far);
}

/* A constant added to every feature moves the intercept, not the fit. */
CHECK(shifted_features_give_the_same_fit)
{
    for (uint64_t seed = 70; seed < 82; seed++) {
        moved_pair pair = moved_pair_new(seed, methods[seed % 2], 100, "tol=1e-10");
        assert_true(fabs(pair.near.primal - pair.far.primal) <= 1e-8 * pair.near.null_objective);
        moved_pair_clear(&pair);
    }
}

/* Means a million times the deviations: rounding may be the limit before the tolerance is reached.
 * Then the run ends and says so, and what it says is certified by the fit of the unshifted
 * features. */
CHECK(distant_features_end_certified)
{
    for (uint64_t seed = 90; seed < 138; seed++) {
        moved_pair pair = moved_pair_new(seed / 2, methods[seed % 2], 1e6, "max_iter=5000");
        const tm_solution *near = &pair.near, *far = &pair.far;
        double slack = 1e-6 * near->null_objective;
        assert_true(far->outcome == TM_CONVERGED || far->outcome == TM_MAX_ITER);
        assert_true(far->primal >= near->dual - slack && far->dual <= near->primal + slack);
        moved_pair_clear(&pair);
    }
}

/* Means beyond what doubles resolve the deviations to: nothing can be solved, and what is answered
 * is still a model with a certificate. */
CHECK(drowned_features_end_with_numbers)
{
    for (uint64_t seed = 140; seed < 164; seed++) {
        problem q = problem_new(seed);
        char words[60];
        q.sparse = false;
        problem_make_binary(&q);
        for (size_t i = 0; i < q.n * q.p; i++)
            q.x[i] += seed % 2 ? 1e10 : 1e13;
        tm_dataset *data = problem_dataset_of(&q, false);
        for (int k = 0; k < 3 * STRATEGIES; k++) {
            const char *method = k < STRATEGIES ? "lasso" : methods[k / STRATEGIES - 1];
            tm_solution probe = method_solve(method, data, "", 1e30);
            snprintf(words, sizeof words, "max_iter=200 screen=%s", strategies[k % STRATEGIES]);
            tm_solution s = method_solve(method, data, words, 0.1 * probe.lambda_max);
            if (!isfinite(s.primal) || !isfinite(s.dual) || !isfinite(s.gap))
                fail_msg("problem %llu: %s %s: primal %g dual %g gap %g", (unsigned long long)seed,
                         method, words, s.primal, s.dual, s.gap);
            tm_solution_clear(&s);
            tm_solution_clear(&probe);
        }
        problem_end(&q, data);
    }
}

CHECK(other_responses_are_refused)
{
    problem q = problem_new(1);
    tm_dataset *numeric = problem_dataset(&q);
    for (int k = 0; k < 2; k++) {
        tm_error err = TM_ERROR_INIT;
        tm_solver *solver = NULL;
        const tm_method *method = tm_method_find(methods[k], NULL);
        tm_params *params = method_params(methods[k], "");
        assert_int_equal(tm_solver_new(&solver, method, numeric, params, NULL, &err), TM_EDATA);
        assert_non_null(strstr(err.message, "two values"));
        assert_null(solver);
        tm_params_free(params);
    }
    tm_dataset_unref(numeric);
    problem_free(&q);
}

RUN_TESTS(strategies_beat_the_reference_and_certify, slow_sweeps_reach_the_tolerance,
          lambda_max_is_exact, null_models_have_their_closed_form,
          shifted_features_give_the_same_fit, distant_features_end_certified,
          drowned_features_end_with_numbers, other_responses_are_refused)
