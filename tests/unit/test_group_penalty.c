/* The group penalty: its proximal step and dual norm against their definitions, and the
 * certificate. */
#include "tests/core_check.h"

#include "model/penalty/group_penalty.h"
#include "tamis/certificate.h"
#include "tamis/rng.h"

#include <math.h>

typedef struct layout {
    const char *name;
    size_t p, count, starts[8], features[24];
    bool nested;
} layout;

static const layout layouts[] = {
    {"apart", 5, 2, {0, 2, 5}, {3, 0, 1, 2, 4}, false},
    {"single", 3, 3, {0, 1, 2, 3}, {0, 1, 2}, false},
    {"shared", 4, 3, {0, 2, 4, 6}, {0, 1, 1, 2, 2, 3}, false},
    {"tree", 6, 4, {0, 1, 3, 7, 9}, {2, 0, 2, 0, 1, 2, 3, 4, 5}, true},
    {"chain", 4, 3, {0, 4, 6, 7}, {0, 1, 2, 3, 1, 3, 1}, true},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static tm_group_penalty *penalty_of(const layout *q)
{
    tm_groups *groups;
    tm_group_penalty *penalty;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(tm_groups_new(&groups, q->p, q->count, q->starts, q->features, NULL, &err),
                     TM_OK);
    assert_int_equal(tm_group_penalty_new(&penalty, groups, true, q->nested, &err), TM_OK);
    tm_groups_unref(groups);
    return penalty;
}

/* Omega by its definition: w has the layout's features, v the penalty's values. */
static double plain_value(const layout *q, const tm_group_penalty *penalty, const double *v)
{
    double sum = 0, w[8] = {0};
    tm_group_penalty_weights(penalty, v, w);
    for (size_t g = 0, m = 0; g < q->count; g++) {
        double squares = 0;
        for (size_t i = q->starts[g]; i < q->starts[g + 1]; i++, m++) {
            double value = q->nested ? w[q->features[i]] : v[m];
            squares += value * value;
        }
        sum += sqrt((double)(q->starts[g + 1] - q->starts[g]) * squares);
    }
    return sum;
}

static double whole_value(const tm_group_penalty *q, const double *v)
{
    double sum = 0;
    for (size_t b = 0; b < q->blocks; b++)
        sum += group_value(q, b, v + q->starts[b]);
    return sum;
}

CHECK(values_follow_the_definition)
{
    tm_rng rng;
    tm_rng_seed(&rng, 1);
    for (size_t k = 0; k < LAYOUTS; k++) {
        tm_group_penalty *q = penalty_of(&layouts[k]);
        double v[24];
        for (int trial = 0; trial < 20; trial++) {
            for (size_t m = 0; m < q->members; m++)
                v[m] = tm_rng_normal(&rng);
            double expected = plain_value(&layouts[k], q, v);
            assert_true(fabs(whole_value(q, v) - expected) <= 1e-13 * expected);
        }
        tm_group_penalty_free(q);
    }
}

/* 1/2 |u - v|^2 + t Omega(u) is nowhere lower than at the proximal step's answer. */
CHECK(proximal_steps_minimise)
{
    tm_rng rng;
    tm_rng_seed(&rng, 2);
    for (size_t k = 0; k < LAYOUTS; k++) {
        tm_group_penalty *q = penalty_of(&layouts[k]);
        for (int trial = 0; trial < 200; trial++) {
            double v[24], u[24], other[24], t = pow(10, -1.5 * tm_rng_uniform(&rng)), at = 0;
            for (size_t m = 0; m < q->members; m++)
                u[m] = v[m] = tm_rng_normal(&rng);
            for (size_t b = 0; b < q->blocks; b++)
                group_prox(q, b, t, u + q->starts[b]);
            for (size_t m = 0; m < q->members; m++)
                at += (u[m] - v[m]) * (u[m] - v[m]) / 2;
            at += t * whole_value(q, u);
            for (int direction = 0; direction < 30; direction++) {
                double value = 0, size = pow(10, -4 * tm_rng_uniform(&rng));
                for (size_t m = 0; m < q->members; m++) {
                    /* Also along the groups' own edges, where some values stay zero. */
                    bool stays = u[m] == 0 && direction % 2;
                    other[m] = u[m] + (stays ? 0 : size * tm_rng_normal(&rng));
                    value += (other[m] - v[m]) * (other[m] - v[m]) / 2;
                }
                value += t * whole_value(q, other);
                assert_true(value >= at - 1e-14 * at);
            }
        }
        tm_group_penalty_free(q);
    }
}

/* c'v <= norm Omega(v) for every v, and nearly equal for one of them: the proximal step's answer
 * just below the norm. */
CHECK(dual_norms_bound_and_are_reached)
{
    tm_rng rng;
    tm_rng_seed(&rng, 3);
    for (size_t k = 0; k < LAYOUTS; k++) {
        tm_group_penalty *q = penalty_of(&layouts[k]);
        for (int trial = 0; trial < 100; trial++) {
            double c[24], v[24], room[24], norm = 0;
            for (size_t m = 0; m < q->members; m++)
                c[m] = tm_rng_normal(&rng) * (tm_rng_uniform(&rng) < 0.5 ? 0.1 : 1);
            for (size_t b = 0; b < q->blocks; b++)
                norm = group_dual_norm(q, b, c + q->starts[b], norm, room);
            for (int direction = 0; direction < 50; direction++) {
                double product = 0;
                for (size_t m = 0; m < q->members; m++) {
                    v[m] = tm_rng_uniform(&rng) < 0.5 ? 0 : c[m] * tm_rng_uniform(&rng);
                    product += c[m] * v[m];
                }
                assert_true(product <= norm * whole_value(q, v) * (1 + 1e-14));
            }
            double product = 0;
            memcpy(v, c, sizeof v);
            for (size_t b = 0; b < q->blocks; b++)
                group_prox(q, b, 0.999999 * norm, v + q->starts[b]);
            for (size_t m = 0; m < q->members; m++)
                product += c[m] * v[m];
            assert_true(product >= 0.99999 * norm * whole_value(q, v));
            assert_true(whole_value(q, v) > 0);
        }
        tm_group_penalty_free(q);
    }
}

CHECK(trees_alone_are_nested)
{
    tm_groups *groups;
    tm_group_penalty *penalty = (tm_group_penalty *)&groups;
    tm_error err = TM_ERROR_INIT;
    const layout *shared = &layouts[2];
    assert_int_equal(tm_groups_new(&groups, shared->p, shared->count, shared->starts,
                                   shared->features, NULL, &err),
                     TM_OK);
    assert_int_equal(tm_group_penalty_new(&penalty, groups, true, true, &err), TM_EUSAGE);
    assert_null(penalty);
    assert_non_null(strstr(err.message, "not a tree"));
    tm_groups_unref(groups);
}

/* For any weights whatever the certificate's dual value is below the objective of any others. */
CHECK(certificates_bound_every_objective)
{
    static const char *const losses[] = {"squared", "logistic", "squared_hinge"};
    tm_rng rng;
    tm_rng_seed(&rng, 4);
    for (size_t k = 0; k < 3 * LAYOUTS; k++) {
        const layout *q = &layouts[k / 3];
        enum { N = 12 };
        double *x = malloc(N * q->p * sizeof *x), *y = malloc(N * sizeof *y);
        for (size_t i = 0; i < N * q->p; i++)
            x[i] = tm_rng_normal(&rng);
        for (size_t i = 0; i < N; i++)
            y[i] = i % 3 ? 1 : -1;
        tm_error err = TM_ERROR_INIT;
        tm_dataset *data;
        tm_dataset_parts parts = {.name = "d", .response.y = y};
        assert_int_equal(tm_matrix_new_dense(&parts.x, N, q->p, x, &err), TM_OK);
        assert_int_equal(tm_dataset_new(&data, &parts, &err), TM_OK);
        tm_group_penalty *penalty = penalty_of(q);
        tm_problem problem = {
            .loss = losses[k % 3], .intercept = k % 2 == 0, .groups = penalty, .lambda = 1};
        double lambda_max, null_objective, best_dual = -INFINITY, least = INFINITY, v[24] = {0};
        assert_int_equal(tm_lambda_max(&lambda_max, &null_objective, data, &problem, &err), TM_OK);
        problem.lambda = 0.3 * lambda_max;
        for (int trial = 0; trial < 60; trial++) {
            tm_certificate c;
            double b = problem.intercept ? 0.3 * tm_rng_normal(&rng) : 0;
            for (size_t m = 0; m < penalty->members; m++)
                v[m] = trial ? 0.2 * tm_rng_normal(&rng) : 0;
            assert_int_equal(tm_certify(&c, data, &problem, v, b, &err), TM_OK);
            best_dual = fmax(best_dual, c.dual);
            least = fmin(least, c.primal);
        }
        assert_true(best_dual <= least + 1e-12 * null_objective);
        assert_true(best_dual > 0);
        tm_group_penalty_free(penalty);
        tm_dataset_unref(data);
    }
}

RUN_TESTS(values_follow_the_definition, proximal_steps_minimise, dual_norms_bound_and_are_reached,
          trees_alone_are_nested, certificates_bound_every_objective)
