/* The optimum of fgm and mslr against a solver that shares nothing with them, and against what the
 * norm becomes at both ends of B. */
#include "fgm_problem.h"

/* ---- the reference ------------------------------------------------------------------------- */

/* min over w, b of 1/2 |(|w_g|)|_(B)^2 + C sum l, groups of `size` consecutive columns:
 * proximal gradient on w and b together, the norm and its proximal step by bisection on kappa,
 * where d_g = clamp(kappa u_g - s, 0, 1). */
typedef struct support_problem {
    const problem *q;
    size_t size;
    double B, C;
    bool logistic, intercept;
} support_problem;

static size_t group_count(const support_problem *s)
{
    return (s->q->p + s->size - 1) / s->size;
}

static double group_norm(const support_problem *s, const double *w, size_t g)
{
    double sum = 0;
    for (size_t j = g * s->size; j < (g + 1) * s->size && j < s->q->p; j++)
        sum += w[j] * w[j];
    return sqrt(sum);
}

static double clamp_sum(const double *u, size_t count, double kappa, double s)
{
    double sum = 0;
    for (size_t g = 0; g < count; g++)
        sum += u[g] > 0 ? fmin(fmax(kappa * u[g] - s, 0), 1) : 0;
    return sum;
}

static double find_kappa(const double *u, size_t count, double B, double s)
{
    double low = 0, high = 1;
    size_t nonzero = 0;
    for (size_t g = 0; g < count; g++)
        nonzero += u[g] > 0;
    if ((double)nonzero <= B)
        return INFINITY;
    while (clamp_sum(u, count, high, s) < B)
        high *= 2;
    for (int k = 0; k < 200; k++) {
        double middle = (low + high) / 2;
        *(clamp_sum(u, count, middle, s) < B ? &low : &high) = middle;
    }
    return high;
}

static double ref_penalty(const support_problem *s, const double *w)
{
    size_t count = group_count(s);
    double u[200] = {0}, sum = 0;
    for (size_t g = 0; g < count; g++)
        u[g] = group_norm(s, w, g);
    double kappa = find_kappa(u, count, s->B, 0);
    for (size_t g = 0; g < count; g++)
        sum += u[g] > 0 ? u[g] * u[g] / fmin(kappa * u[g], 1) : 0;
    return sum / 2;
}

static double ref_loss(const support_problem *s, double y, double z, double *slope)
{
    double m = y * z;
    if (s->logistic) {
        *slope = -y / (1 + exp(m));
        return m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
    }
    *slope = -y * fmax(0, 1 - m);
    return fmax(0, 1 - m) * fmax(0, 1 - m) / 2;
}

/* Loss at (w, b), its slope in both (p + 1 values). */
static double ref_smooth(const support_problem *s, const double *w, double *slope)
{
    const problem *q = s->q;
    double sum = 0;
    memset(slope, 0, (q->p + 1) * sizeof *slope);
    for (size_t i = 0; i < q->n; i++) {
        double z = w[q->p], d;
        for (size_t j = 0; j < q->p; j++)
            z += w[j] * problem_column(q, j)[i];
        sum += s->C * ref_loss(s, q->y[i], z, &d);
        for (size_t j = 0; j < q->p; j++)
            slope[j] += s->C * d * problem_column(q, j)[i];
        slope[q->p] += s->intercept ? s->C * d : 0;
    }
    return sum;
}

static double ref_objective(const support_problem *s, const double *w)
{
    double slope[201];
    return ref_smooth(s, w, slope) + ref_penalty(s, w);
}

static void ref_prox(const support_problem *s, double *w, double step)
{
    size_t count = group_count(s);
    double u[200] = {0};
    for (size_t g = 0; g < count; g++)
        u[g] = group_norm(s, w, g);
    double kappa = find_kappa(u, count, s->B, step);
    for (size_t g = 0; g < count; g++) {
        double d = u[g] > 0 ? fmin(fmax(kappa * u[g] - step, 0), 1) : 0;
        for (size_t j = g * s->size; j < (g + 1) * s->size && j < s->q->p; j++)
            w[j] *= d / (d + step);
    }
}

static double reference_value(const support_problem *s, int steps)
{
    size_t size = s->q->p + 1;
    double w[201] = {0}, v[201] = {0}, next[201], slope[201], L = 1, t = 1;
    double value = ref_objective(s, w);
    for (int k = 0; k < steps; k++) {
        double smooth = ref_smooth(s, v, slope), model, after, unused[201];
        for (;; L *= 2) {
            for (size_t j = 0; j < size; j++)
                next[j] = v[j] - slope[j] / L;
            ref_prox(s, next, 1 / L);
            model = smooth;
            for (size_t j = 0; j < size; j++)
                model += slope[j] * (next[j] - v[j]) + L / 2 * (next[j] - v[j]) * (next[j] - v[j]);
            after = ref_smooth(s, next, unused);
            if (after <= model + 1e-14 * fabs(model))
                break;
        }
        double found = after + ref_penalty(s, next);
        if (found > value && t > 1) {
            t = 1;
            memcpy(v, w, sizeof w);
            continue;
        }
        double t2 = (1 + sqrt(1 + 4 * t * t)) / 2;
        for (size_t j = 0; j < size; j++) {
            v[j] = next[j] + (t - 1) / t2 * (next[j] - w[j]);
            w[j] = next[j];
        }
        t = t2;
        value = fmin(value, found);
        L *= 0.95;
    }
    return value;
}

/* ---- the optimum --------------------------------------------------------------------------- */

static void optimum_is_the_references(void **state)
{
    static const char *const masters[] = {"support", "apg", "simplemkl", "scd"};
    (void)state;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        support_problem s = {.q = &q, .size = 1, .C = seed % 3 ? 0.3 : 2};
        s.logistic = seed % 2;
        s.intercept = seed % 4 < 2;
        s.B = (double)(1 + seed % 5);
        double expected = reference_value(&s, 2000);
        double scale = s.C * (double)q.n * 0.5;
        for (size_t k = 0; k < 4; k++) {
            char words[300];
            if (k == 3 && (s.intercept || !s.logistic))
                continue;
            snprintf(words, sizeof words,
                     "master=%s B=%g C=%g loss=%s intercept=%s tol=%s max_iter=1000000", masters[k],
                     s.B, s.C, s.logistic ? "logistic" : "squared_hinge",
                     s.intercept ? "true" : "false",
                     k == 2   ? "1e-4"
                     : k == 3 ? "1e-2"
                              : "1e-6");
            tm_solution solution = solve_with("fgm", data, words);
            double slack = (k == 2 ? 3e-4 : k == 3 ? 3e-2 : 3e-6) * scale;
            if (!(fabs(solution.primal - expected) <= slack) ||
                !(solution.dual <= expected + 1e-7 * scale) || solution.outcome != TM_CONVERGED)
                fail_msg("problem %llu (%s), %s: %.12g >= %.12g, the reference %.12g, %s",
                         (unsigned long long)seed, q.kind, words, solution.primal, solution.dual,
                         expected, tm_outcome_name(solution.outcome));
            tm_solution_clear(&solution);
        }
        problem_end(&q, data);
    }
}

CHECK(groups_reach_the_references_optimum)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        support_problem s = {
            .q = &q, .size = 3, .C = 0.5, .B = 2, .logistic = seed % 2, .intercept = true};
        double expected = reference_value(&s, 2000);
        for (size_t k = 0; k < 3; k++) {
            char words[300];
            snprintf(words, sizeof words, "source=%s groups=3 master=%s B=2 C=0.5 loss=%s",
                     k == 1 ? "tree" : "groups", k == 2 ? "apg" : "support",
                     s.logistic ? "logistic" : "squared_hinge");
            double found = value_with("fgm", data, words);
            if (!(fabs(found - expected) <= 3e-6 * 0.5 * (double)q.n))
                fail_msg("problem %llu (%s), %s: %.12g, the reference %.12g",
                         (unsigned long long)seed, q.kind, words, found, expected);
        }
        problem_end(&q, data);
    }
}

/* ---- the ends of B ------------------------------------------------------------------------- */

/* Products X'a with the dual variables of a solution, C included, and the sum of those. */
static double find_products(const problem *q, const tm_model *model, double C, double *products)
{
    double sum = 0;
    memset(products, 0, q->p * sizeof *products);
    for (size_t i = 0; i < q->n; i++) {
        double z = tm_model_intercept(model);
        for (size_t k = 0; k < tm_model_nnz(model); k++)
            z += tm_model_weights(model)[k] * problem_column(q, tm_model_features(model)[k])[i];
        double a = C * q->y[i] * fmax(0, 1 - q->y[i] * z);
        sum += a;
        for (size_t j = 0; j < q->p; j++)
            products[j] += a * problem_column(q, j)[i];
    }
    return sum;
}

/* With B >= p the penalty is |w|^2 / 2, whose optimum is w = X'alpha with sum alpha y = 0. */
CHECK(large_B_is_the_ridge)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        double products[200];
        char words[200];
        snprintf(words, sizeof words, "B=%zu C=0.3 tol=1e-12", q.p + seed % 3);
        tm_solution solution = solve_with("fgm", data, words);
        double sum = find_products(&q, solution.model, 0.3, products);
        assert_true(fabs(sum) < 1e-4);
        for (size_t j = 0; j < q.p; j++)
            assert_true(fabs(products[j] - tm_model_weight(solution.model, j)) < 1e-4);
        tm_solution_clear(&solution);
        problem_end(&q, data);
    }
}

/* With B = 1 it is |w|_1^2 / 2: x_j'alpha = |w|_1 sign(w_j) where w_j is not 0, and no greater
 * elsewhere. */
CHECK(B_of_one_is_the_squared_l1_norm)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        double products[200], norm = 0;
        tm_solution solution = solve_with("fgm", data, "B=1 C=0.3 tol=1e-12");
        find_products(&q, solution.model, 0.3, products);
        for (size_t k = 0; k < tm_model_nnz(solution.model); k++)
            norm += fabs(tm_model_weights(solution.model)[k]);
        for (size_t j = 0; j < q.p; j++) {
            double w = tm_model_weight(solution.model, j);
            assert_true(fabs(products[j]) <= norm + 1e-4);
            if (fabs(w) > 1e-4)
                assert_true(fabs(products[j] - copysign(norm, w)) < 1e-3);
        }
        tm_solution_clear(&solution);
        problem_end(&q, data);
    }
}

/* Where objectives no longer tell two points apart, the gap still does. */
CHECK(small_gaps_are_reached)
{
    for (uint64_t seed = 1; seed <= 16; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        char words[100];
        snprintf(words, sizeof words, "B=3 C=0.3 tol=1e-10 loss=%s intercept=%s",
                 seed % 2 ? "logistic" : "squared_hinge", seed % 4 < 2 ? "true" : "false");
        value_with("fgm", data, words);
        problem_end(&q, data);
    }
}

/* Problems on which solvers of the master problem have ended short of the gap: one plane left of
 * several, and steps too long by less than the objective's values tell. */
CHECK(nothing_ends_short_of_the_gap)
{
    static const struct {
        uint64_t seed;
        const char *words;
    } cases[] = {
        {106000016, "master=simplemkl B=2 C=0.3 tol=1e-4 max_iter=1000000"},
        {99000003, "B=3 C=0.3 tol=1e-10 loss=logistic intercept=false"},
        {1243, "master=apg B=3 C=0.3 tol=1e-10 loss=logistic"},
        {1287, "master=apg B=3 C=0.3 tol=1e-10 loss=logistic"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        problem q = tame_problem(cases[k].seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        value_with("fgm", data, cases[k].words);
        problem_end(&q, data);
    }
}

/* ---- methods that are the same -------------------------------------------------------------- */

static void mslr_is_fgm_with_the_logistic_loss(void **state)
{
    static const char *const masters[] = {"auto", "apg"};
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        double fgm = value_with("fgm", data, "B=3 C=1 loss=logistic intercept=false master=apg");
        for (size_t k = 0; k < 2; k++) {
            char words[100];
            snprintf(words, sizeof words, "B=3 C=1 master=%s", masters[k]);
            same_value(value_with("mslr", data, words), fgm, (double)q.n, words, seed);
        }
        /* Coordinate descent alone may end above the tolerance; its bounds hold all the same. */
        tm_solution alone = solve_with("mslr", data, "B=3 C=1 master=scd");
        assert_true(alone.dual <= fgm + 2e-6 * (double)q.n);
        assert_true(alone.primal >= fgm - 2e-6 * (double)q.n);
        assert_true(alone.gap <= 0.03 * (double)q.n);
        tm_solution_clear(&alone);
        problem_end(&q, data);
    }
}

RUN_TESTS(optimum_is_the_references, groups_reach_the_references_optimum, small_gaps_are_reached,
          nothing_ends_short_of_the_gap, large_B_is_the_ridge, B_of_one_is_the_squared_l1_norm,
          mslr_is_fgm_with_the_logistic_loss)
