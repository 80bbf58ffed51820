/* ufomkl over random problems: its bounds against the l1 methods and the group lasso, which share
 * no code with it, against the objective by its definition, and in the number of epochs. */
#include "fgm_problem.h"

#include "model/certificate/mixed.h"

static double loss_value(const char *loss, double margin)
{
    if (strcmp(loss, "hinge") == 0)
        return fmax(0, 1 - margin);
    return margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

/* R(w) for groups of `size` consecutive features, of weights d (NULL: 1), with factors (NULL: 1).
 */
typedef struct definition {
    double alpha, q;
    size_t size;
    const double *d, *factors;
} definition;

static double penalty(size_t p, const definition *of, const double *w)
{
    double lengths = 0, powers = 0, r = of->q / (of->q - 1);
    for (size_t from = 0; from < p; from += of->size) {
        double squares = 0, d = of->d ? of->d[from / of->size] : 1;
        for (size_t j = from; j < p && j < from + of->size; j++)
            squares += pow(w[j] * (of->factors ? of->factors[j] : 1), 2);
        lengths += d * sqrt(squares);
        powers += pow(d * sqrt(squares), r);
    }
    double norm = pow(powers, 1 / r);
    return of->alpha * lengths + (1 - of->alpha) / 2 * norm * norm;
}

static double objective(const problem *q, const char *loss, double lambda, const definition *of,
                        const double *w)
{
    double sum = 0;
    for (size_t i = 0; i < q->n; i++) {
        double z = 0;
        for (size_t j = 0; j < q->p; j++)
            z += w[j] * problem_column(q, j)[i];
        sum += loss_value(loss, q->y[i] * z);
    }
    return sum + lambda * penalty(q->p, of, w);
}

/* The norm's functions meet the inequality of Fenchel and Young, and the maximiser with equality,
 * for groups with weights and features with factors. */
CHECK(norms_meet_fenchel_and_young)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(11));
    for (int round = 0; round < 200; round++) {
        enum { P = 12 };
        size_t size = 1 + tm_rng_below(&rng, 4), count = (P + size - 1) / size, features[P];
        size_t starts[P + 1];
        double d[P], c[P], w[P], u[P], *factors = calloc(P, sizeof *factors);
        for (size_t j = 0; j < P; j++) {
            features[j] = j;
            factors[j] = tm_rng_range(&rng, 0.3, 3);
            d[j] = tm_rng_range(&rng, 0.3, 3);
            c[j] = 3 * tm_rng_normal(&rng);
        }
        for (size_t g = 0; g <= count; g++)
            starts[g] = g < count ? g * size : P;
        tm_groups *groups;
        mixed_norm norm;
        assert_int_equal(tm_groups_new(&groups, P, count, starts, features, d, NULL), TM_OK);
        assert_int_equal(mixed_norm_init(&norm, groups, factors, NULL), TM_OK);
        tm_groups_unref(groups);
        norm.alpha = tm_rng_range(&rng, 0.05, 0.95);
        norm.q = round % 4 ? tm_rng_range(&rng, 2, 30) : 2;
        definition of = {norm.alpha, norm.q, size, d, factors};
        double s = pow(10, tm_rng_range(&rng, -2, 1)), product = 0;
        double conjugate = mixed_norm_conjugate(&norm, c, s);
        mixed_norm_maximiser(&norm, c, s, w);
        for (size_t j = 0; j < P; j++)
            product += c[j] * w[j];
        double scale = 1 + fabs(product) + conjugate;
        assert_true(fabs(product - s * penalty(P, &of, w) - conjugate) <= 1e-9 * scale);
        assert_true(fabs(mixed_norm_value(&norm, w) - penalty(P, &of, w)) <= 1e-9 * scale);
        for (int k = 0; k < 20; k++) {
            product = 0;
            for (size_t j = 0; j < P; j++) {
                u[j] = w[j] + pow(10, tm_rng_range(&rng, -4, 1)) * tm_rng_normal(&rng);
                product += c[j] * u[j];
            }
            assert_true(product <= s * penalty(P, &of, u) + conjugate + 1e-9 * scale);
        }
        mixed_norm_clear(&norm);
    }
}

static double *weights_of(const problem *q, const tm_model *model)
{
    double *w = calloc(q->p, sizeof *w);
    for (size_t j = 0; j < q->p; j++)
        w[j] = tm_model_weight(model, j);
    return w;
}

/* With q = 2 and single features it is the elastic net. */
CHECK(two_norms_are_the_elastic_net)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        const char *words = seed % 2 ? "alpha=0.5 standardize=true" : "alpha=0.8 standardize=false";
        char other[200], own[200];
        snprintf(other, sizeof other, "%s intercept=false tol=1e-9", words);
        snprintf(own, sizeof own, "%s loss=logistic q=2 tol=1e-2 max_iter=3000", words);
        tm_solution net = method_solve("l1logistic", data, other, 1);
        tm_solution s = method_solve("ufomkl", data, own, 1);
        assert_true(fabs(s.lambda_max - net.lambda_max) <= 1e-9 * net.lambda_max);
        assert_int_equal(s.outcome, TM_CONVERGED);
        assert_true(s.dual <= net.primal + 1e-9 * s.null_objective);
        assert_true(net.dual <= s.primal + 1e-9 * s.null_objective);
        assert_true(s.primal - net.primal <= 1e-2 * s.null_objective);
        tm_solution_clear(&net);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* With nearly all of the penalty on the groups' lengths it is the group lasso. */
CHECK(lengths_are_the_group_lasso)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        tm_solution lasso = method_solve("grouplasso", data,
                                         "loss=logistic groups=3 group_weights=one intercept=false "
                                         "tol=1e-8",
                                         2 * 0.99);
        tm_solution s = method_solve(
            "ufomkl", data, "loss=logistic groups=3 alpha=0.99 q=2 tol=2e-2 max_iter=2000", 2);
        double squares = 0, *w = weights_of(&q, lasso.model);
        for (size_t j = 0; j < q.p; j++)
            squares += w[j] * w[j];
        assert_true(s.primal >= lasso.dual - 1e-9 * s.null_objective);
        assert_true(s.dual <= lasso.primal + 2 * 0.005 * squares + 1e-9 * s.null_objective);
        free(w);
        tm_solution_clear(&lasso);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* The primal value is the objective by its definition, and no point has one below the dual value:
 * the answer, its multiples, and steps from it. */
CHECK(bounds_hold_by_the_definition)
{
    for (uint64_t seed = 1; seed <= 24; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed + 500));
        const char *loss = seed % 2 ? "hinge" : "logistic";
        double lambda = tm_rng_range(&rng, 0.3, 4);
        definition of = {tm_rng_range(&rng, 0.05, 0.95), tm_rng_range(&rng, 2, 12),
                         1 + tm_rng_below(&rng, 4), NULL, NULL};
        char words[200];
        snprintf(words, sizeof words, "loss=%s alpha=%.17g q=%.17g groups=%zu max_iter=60 tol=1e-3",
                 loss, of.alpha, of.q, of.size);
        tm_solution s = method_solve("ufomkl", data, words, lambda);
        double *w = weights_of(&q, s.model), *other = calloc(q.p, sizeof *other);
        double slack = 1e-9 * s.null_objective;
        assert_true(fabs(objective(&q, loss, lambda, &of, w) - s.primal) <= slack);
        assert_true(s.dual >= 0 && s.gap == s.primal - s.dual);
        for (int k = 0; k < 200; k++) {
            double scale = tm_rng_range(&rng, 0, 2), step = pow(10, tm_rng_range(&rng, -5, 0));
            for (size_t j = 0; j < q.p; j++)
                other[j] = scale * w[j] + (w[j] != 0 ? step * tm_rng_normal(&rng) : 0);
            assert_true(objective(&q, loss, lambda, &of, other) >= s.dual - slack);
        }
        free(w);
        free(other);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* The gap goes towards zero as one over the number of epochs. */
CHECK(epochs_lower_the_gap)
{
    double few = 0, many = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        const char *loss = seed % 2 ? "hinge" : "logistic";
        char words[200];
        for (int k = 0; k < 2; k++) {
            snprintf(words, sizeof words, "loss=%s tol=1e-12 max_iter=%d", loss, k ? 1000 : 20);
            tm_solution s = method_solve("ufomkl", data, words, 2);
            *(k ? &many : &few) += s.gap / s.null_objective;
            tm_solution_clear(&s);
        }
        problem_end(&q, data);
    }
    assert_true(many <= 0.15 * few);
}

/* From lambda_max on, and not before, there are no weights. */
CHECK(lambda_max_is_exact)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        const char *words =
            seed % 2 ? "loss=hinge groups=3 max_iter=400" : "loss=logistic max_iter=400";
        tm_solution at = method_solve("ufomkl", data, words, 1e6);
        double lambda_max = at.lambda_max;
        assert_int_equal(tm_model_nnz(at.model), 0);
        assert_true(fabs(at.primal - at.null_objective) <= 1e-12 * at.null_objective);
        tm_solution_clear(&at);
        at = method_solve("ufomkl", data, words, lambda_max);
        assert_int_equal(tm_model_nnz(at.model), 0);
        assert_int_equal(at.outcome, TM_CONVERGED);
        assert_true(fabs(at.gap) <= 1e-9 * at.null_objective);
        tm_solution_clear(&at);
        at = method_solve("ufomkl", data, words, 0.7 * lambda_max);
        assert_true(tm_model_nnz(at.model) > 0);
        assert_true(at.dual < at.null_objective);
        tm_solution_clear(&at);
        problem_end(&q, data);
    }
}

/* Dual points that are not feasible, or no numbers, bound the optimum from below all the same. */
CHECK(bogus_points_bound)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        tm_groups *groups;
        mixed_norm norm;
        tm_rng rng;
        const char *loss = seed % 2 ? "hinge" : "logistic";
        char words[100];
        tm_rng_seed(&rng, check_seed(seed));
        snprintf(words, sizeof words, "loss=%s groups=2 alpha=0.4 q=3 tol=1e-2", loss);
        tm_solution s = method_solve("ufomkl", data, words, 1.5);
        assert_int_equal(tm_groups_consecutive(&groups, q.p, 2, NULL), TM_OK);
        assert_int_equal(mixed_norm_init(&norm, groups, NULL, NULL), TM_OK);
        tm_groups_unref(groups);
        norm.alpha = 0.4;
        norm.q = 3;
        mixed_problem of = {margin_loss_of(loss), 1.5, &norm};
        data_pass pass = {data, NULL, NULL};
        double *w = weights_of(&q, s.model), *a = calloc(q.n, sizeof *a);
        for (int k = 0; k < 60; k++) {
            tm_certificate c;
            for (size_t i = 0; i < q.n; i++)
                a[i] = k % 3 == 0   ? 2 * tm_rng_normal(&rng)
                       : k % 3 == 1 ? q.y[i] * tm_rng_uniform(&rng)
                                    : (double[]){NAN, INFINITY, -INFINITY, 1e300}[i % 4];
            assert_int_equal(certificate_mixed(&c, &of, w, a, &pass, NULL), TM_OK);
            assert_true(c.dual <= s.primal + 1e-9 * s.null_objective);
            assert_true(fabs(c.primal - s.primal) <= 1e-9 * s.null_objective);
        }
        mixed_norm_clear(&norm);
        free(w);
        free(a);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

RUN_TESTS(norms_meet_fenchel_and_young, two_norms_are_the_elastic_net, lengths_are_the_group_lasso,
          bounds_hold_by_the_definition, epochs_lower_the_gap, lambda_max_is_exact,
          bogus_points_bound)
