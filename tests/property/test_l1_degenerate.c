/* Data on which solvers divide by zero, loop or answer NaN, under every loss x strategy and every
 * solver of grouplasso: the right answer, or a clear message. */
#include "variants.h"

/* Both classes mixed, some noise; 12 x 6. */
enum { N = 12, P = 6 };

static void fill(uint64_t seed, bool binary, double *x, double *y)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(seed));
    for (size_t k = 0; k < N * P; k++)
        x[k] = tm_rng_uniform(&rng) < 0.5 ? tm_rng_normal(&rng) : 0;
    for (size_t i = 0; i < N; i++) {
        double z = x[i] - x[i + N] + tm_rng_normal(&rng);
        y[i] = !binary ? z + 2 : i % 5 == 0 ? 1 : i % 5 == 1 ? -1 : z > 0 ? 1 : -1;
    }
}

/* All-zero columns have weight 0 and change nothing else, stored sparse or dense. */
CHECK(zero_columns_change_nothing)
{
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 8; form++) {
            const variant *v = &variants[k];
            double x[N * P], y[N], wider[N * (P + 3)] = {0};
            char more[80];
            fill(1, v->loss > 0, x, y);
            for (size_t j = 0; j < P; j++) /* zeros at 0, 3 and the end */
                memcpy(wider + (j + 1 + (j >= 2)) * N, x + j * N, N * sizeof *x);
            tm_dataset *data = variant_data(N, P, x, y, v->loss == 0, form & 1);
            tm_dataset *more_data = variant_data(N, P + 3, wider, y, v->loss == 0, form & 1);
            snprintf(more, sizeof more, "tol=1e-10 intercept=%s standardize=%s",
                     form & 2 ? "true" : "false", form & 4 ? "true" : "false");
            tm_solution probe = variant_solve(v, data, more, 1e9);
            tm_solution a = variant_converge(v, data, more, 0.2 * probe.lambda_max);
            tm_solution b = variant_converge(v, more_data, more, 0.2 * probe.lambda_max);
            assert_true(fabs(a.lambda_max - b.lambda_max) <= 1e-12 * a.lambda_max);
            assert_true(fabs(a.primal - b.primal) <= 2.1e-10 * a.null_objective);
            assert_true(tm_model_weight(b.model, 0) == 0 && tm_model_weight(b.model, 3) == 0 &&
                        tm_model_weight(b.model, P + 2) == 0);
            tm_solution_clear(&probe);
            tm_solution_clear(&a);
            tm_solution_clear(&b);
            tm_dataset_unref(data);
            tm_dataset_unref(more_data);
        }
}

/* No column has content at all: lambda_max is 0 and the null model is the answer. */
CHECK(only_zero_columns_leave_the_null_model)
{
    const double x[8] = {0}, numbers[] = {1, 4, 2, 5}, classes[] = {1, -1, 1, 1};
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 4; form++) {
            const variant *v = &variants[k];
            const double *y = v->loss ? classes : numbers;
            tm_dataset *data = variant_data(4, 2, x, y, v->loss == 0, form & 1);
            tm_solution s =
                variant_converge(v, data, form & 2 ? "intercept=true" : "intercept=false", 0.5);
            double b = form & 2 ? variant_null(v->loss, y, NULL, 4) : 0;
            assert_true(s.lambda_max == 0 && tm_model_nnz(s.model) == 0);
            assert_true(fabs(tm_model_intercept(s.model) - b) <= 1e-9);
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
}

/* A constant response with an intercept is the null model, also by weights: its intercept is the
 * constant. */
CHECK(constant_response_is_the_intercept)
{
    const double weights[] = {1, 0.3, 0, 2, 0.7, 1, 1, 3, 0, 1, 0.2, 5};
    double x[N * P], y[N];
    fill(2, false, x, y);
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 8; form++) {
            const variant *v = &variants[k];
            if (v->loss > 0)
                continue;
            for (size_t i = 0; i < N; i++)
                y[i] = form & 2 ? 0.1 : -1e8;
            tm_dataset *plain = variant_data(N, P, x, y, true, form & 1), *data;
            assert_int_equal(tm_dataset_weigh(&data, plain, form & 4 ? weights : NULL, NULL, NULL),
                             TM_OK);
            tm_solution s = variant_converge(v, data, "", 0.01);
            assert_true(s.lambda_max <= 1e-6 * fabs(y[0]) && tm_model_nnz(s.model) == 0);
            assert_true(fabs(tm_model_intercept(s.model) - y[0]) <= 1e-14 * fabs(y[0]));
            tm_solution_clear(&s);
            tm_dataset_unref(data);
            tm_dataset_unref(plain);
        }
}

/* Rows of one class only, there or by their weights: refused in words, or an answer that is finite.
 */
CHECK(one_class_is_answered_or_refused_in_words)
{
    double x[N * P], y[N], weights[N];
    fill(3, true, x, y);
    for (size_t i = 0; i < N; i++)
        weights[i] = y[i] > 0;
    for (size_t k = 0; k < count; k++)
        for (int intercept = 0; intercept < 2; intercept++) {
            const variant *v = &variants[k];
            tm_error err = TM_ERROR_INIT;
            tm_solution s;
            if (v->loss == 0)
                continue;
            tm_dataset *plain = variant_data(N, P, x, y, false, k & 1), *data;
            assert_int_equal(tm_dataset_weigh(&data, plain, weights, NULL, NULL), TM_OK);
            tm_status status = variant_try(
                v, data, intercept ? "intercept=true" : "intercept=false", 0.3, &s, &err);
            if (status == TM_EDATA)
                assert_true(strlen(err.message) > 20);
            else if (status != TM_OK || s.outcome != TM_CONVERGED || !isfinite(s.gap) ||
                     !isfinite(tm_model_intercept(s.model)))
                fail_msg("%s %s: %d %s", v->method, v->words, (int)status, err.message);
            tm_solution_clear(&s);
            tm_dataset_unref(data);
            tm_dataset_unref(plain);
        }
}

/* One row: with an intercept a number is met exactly, without it the answer is known in closed
 * form. */
CHECK(one_sample_has_its_closed_form)
{
    const double x[] = {1, 2, 3, 0}, y[] = {2};
    for (size_t k = 0; k < count; k++)
        for (int sparse = 0; sparse < 2; sparse++) {
            const variant *v = &variants[k];
            if (v->loss > 0)
                continue;
            tm_dataset *data = variant_data(1, 4, x, y, true, sparse);
            tm_solution s = variant_converge(v, data, "", 0.5);
            assert_true(tm_model_nnz(s.model) == 0 && tm_model_intercept(s.model) == 2);
            tm_solution_clear(&s);
            s = variant_converge(v, data, "intercept=false tol=1e-12", 0.5);
            assert_true(fabs(tm_model_weight(s.model, 2) - (2.0 * 3 - 0.5) / 9) < 1e-6);
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
}

/* Columns that are copies, mirror images and multiples of others do not change the optimum, which
 * is the problem's with only the longest of each kind. */
CHECK(perfectly_correlated_columns_keep_the_optimum)
{
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 4; form++) {
            const variant *v = &variants[k];
            double x[N * P], y[N], wider[N * P * 4];
            char more[80];
            fill(4, v->loss > 0, x, y);
            for (size_t j = 0; j < P; j++)
                for (size_t i = 0; i < N; i++) {
                    double value = x[i + j * N];
                    wider[i + j * N] = wider[i + (P + j) * N] = value;
                    wider[i + (2 * P + j) * N] = -value;
                    wider[i + (3 * P + j) * N] = value / 2;
                }
            tm_dataset *data = variant_data(N, P, x, y, v->loss == 0, form & 1);
            tm_dataset *copies = variant_data(N, 4 * P, wider, y, v->loss == 0, form & 1);
            snprintf(more, sizeof more, "tol=1e-9 intercept=%s", form & 2 ? "true" : "false");
            tm_solution probe = variant_solve(v, data, more, 1e9);
            tm_solution a = variant_converge(v, data, more, 0.05 * probe.lambda_max);
            tm_solution b = variant_converge(v, copies, more, 0.05 * probe.lambda_max);
            assert_true(fabs(a.primal - b.primal) <= 2.1e-9 * a.null_objective);
            tm_solution_clear(&probe);
            tm_solution_clear(&a);
            tm_solution_clear(&b);
            tm_dataset_unref(data);
            tm_dataset_unref(copies);
        }
}

/* Classes that a plane separates have an optimum for every lambda above 0. */
CHECK(separable_classes_are_solved)
{
    double x[N * P], y[N];
    fill(5, true, x, y);
    for (size_t i = 0; i < N; i++)
        x[i] = y[i] * (1 + fabs(x[i]));
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 4; form++) {
            const variant *v = &variants[k];
            if (v->loss == 0)
                continue;
            char more[80];
            tm_dataset *data = variant_data(N, P, x, y, false, form & 1);
            snprintf(more, sizeof more, "tol=1e-6 intercept=%s", form & 2 ? "true" : "false");
            tm_solution probe = variant_solve(v, data, more, 1e9);
            tm_solution s = variant_converge(v, data, more, 1e-3 * probe.lambda_max);
            for (size_t i = 0; i < N; i++) {
                double z = tm_model_intercept(s.model);
                for (size_t j = 0; j < P; j++)
                    z += tm_model_weight(s.model, j) * x[i + j * N];
                assert_true(y[i] * z > 0.5);
            }
            tm_solution_clear(&probe);
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
}

static double product(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Whether no row is on the wrong side of the plane with this normal, and some row not on it. */
static bool is_separating(double rows[N][3], const double normal[3])
{
    double least = 0, greatest = 0;
    for (size_t i = 0; i < N; i++) {
        double side = product(rows[i], normal);
        double rounding = 1e-12 * sqrt(product(rows[i], rows[i]) * product(normal, normal));
        least = fmin(least, fabs(side) > rounding ? side : 0);
        greatest = fmax(greatest, fabs(side) > rounding ? side : 0);
    }
    return least == 0 && greatest > 0;
}

/* Whether the classes can be separated by two features and perhaps an intercept, so that a logistic
 * loss has no minimum: then an extreme ray of the normals does, which is orthogonal to as many rows
 * as there are dimensions but one. */
static bool are_separable(const double *x, const double *y, bool intercept)
{
    double rows[N][3];
    for (size_t i = 0; i < N; i++) {
        rows[i][0] = y[i] * x[i];
        rows[i][1] = y[i] * x[i + N];
        rows[i][2] = intercept ? y[i] : 0;
    }
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k <= i; k++)
            for (int sign = -1; sign <= 1; sign += 2) {
                static const double axis[3] = {0, 0, 1};
                const double *a = rows[i], *b = intercept ? rows[k] : axis;
                double normal[3] = {sign * (a[1] * b[2] - a[2] * b[1]),
                                    sign * (a[2] * b[0] - a[0] * b[2]),
                                    sign * (a[0] * b[1] - a[1] * b[0])};
                if (is_separating(rows, normal))
                    return true;
            }
    return false;
}

/* lambda = 0 with n > p: the gradient vanishes, unless there is no optimum. */
CHECK(without_a_penalty_the_gradient_vanishes)
{
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 4; form++) {
            const variant *v = &variants[k];
            double x[N * P], y[N];
            tm_error err = TM_ERROR_INIT;
            tm_solution s;
            char more[80];
            fill(6, v->loss > 0, x, y);
            bool intercept = form & 2;
            tm_dataset *data = variant_data(N, 2, x, y, v->loss == 0, form & 1);
            snprintf(more, sizeof more, "tol=1e-11 intercept=%s", intercept ? "true" : "false");
            tm_status status = variant_try(v, data, more, 0, &s, &err);
            bool separable = v->loss == 1 && are_separable(x, y, intercept);
            if (status != TM_OK && !(separable && strstr(err.message, "separate")))
                fail_msg("%s %s %s: %s", v->method, v->words, more, err.message);
            /* Where there is no optimum weights grow slowly, and without bound. */
            bool ends = s.outcome == TM_CONVERGED || (separable && s.outcome == TM_MAX_ITER);
            /* Groups have no lambda 0 for users; in rounds of scripts/soak rounding may end them,
             * and first-order steps be too few. */
            if (v->grouped && !check_committed())
                ends = ends || (s.stop == TM_STOP_ROUNDING && s.gap <= 1e-9 * s.null_objective) ||
                       (s.stop == TM_STOP_ITER && s.gap <= 1e-6 * s.null_objective);
            if (status == TM_OK && !(ends && s.gap >= -1e-12 * s.null_objective))
                fail_msg("%s %s %s: %s, gap %g", v->method, v->words, more,
                         tm_outcome_name(s.outcome), s.gap);
            bool least = status == TM_OK && s.outcome == TM_CONVERGED;
            for (size_t j = 0; least && j < 2 + (size_t)intercept; j++) {
                double slope = 0, size = 0;
                for (size_t i = 0; i < N; i++) {
                    double z = tm_model_intercept(s.model) + tm_model_weight(s.model, 0) * x[i] +
                               tm_model_weight(s.model, 1) * x[i + N];
                    double at = j < 2 ? x[i + j * N] : 1;
                    slope += at * variant_slope(v->loss, y[i], z);
                    size += fabs(at);
                }
                if (!(fabs(slope) <= 1e-4 * size))
                    fail_msg("%s %s %s: slope %g of %g", v->method, v->words, more, slope, size);
            }
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
}

RUN_TESTS_BETWEEN(make_variants, NULL, zero_columns_change_nothing,
                  only_zero_columns_leave_the_null_model, constant_response_is_the_intercept,
                  one_class_is_answered_or_refused_in_words, one_sample_has_its_closed_form,
                  perfectly_correlated_columns_keep_the_optimum, separable_classes_are_solved,
                  without_a_penalty_the_gradient_vanishes)
