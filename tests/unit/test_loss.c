/* The losses against their definitions: derivatives by differences, conjugates by maximisation, the
 * best shift by its optimality. */
#include "tests/check.h"

#include "model/loss/losses.h"
#include "tamis/rng.h"

#include <math.h>
#include <string.h>

static double any_y(const loss *l, tm_rng *rng)
{
    return l->binary ? (tm_rng_below(rng, 2) ? 1 : -1) : tm_rng_range(rng, -3, 3);
}

CHECK(values_follow_their_formulas)
{
    assert_true(loss_squared.value(3, 1) == 2);
    assert_true(fabs(loss_logistic.value(1, 0) - log(2)) < 1e-15);
    assert_true(fabs(loss_logistic.value(-1, 2) - log1p(exp(2))) < 1e-14);
    assert_true(loss_squared_hinge.value(1, -1) == 2 && loss_squared_hinge.value(1, 1.5) == 0);
    /* Far out nothing overflows, and the logistic loss is the margin. */
    assert_true(loss_logistic.value(1, -1e4) == 1e4 && loss_logistic.value(1, 1e4) == 0);
    assert_true(loss_logistic.slope(1, -1e4) == -1 && loss_logistic.slope(1, 1e4) == 0);
}

CHECK(slopes_and_curvatures_are_derivatives)
{
    tm_rng rng;
    tm_rng_seed(&rng, 1);
    for (size_t k = 0; k < LOSS_COUNT; k++)
        for (int trial = 0; trial < 500; trial++) {
            const loss *l = loss_at(k);
            double y = any_y(l, &rng), z = tm_rng_range(&rng, -5, 5), h = 1e-5;
            if (fabs(y * z - 1) < 1e-3)
                continue; /* the squared hinge's kink of l' */
            double slope = (l->value(y, z + h) - l->value(y, z - h)) / (2 * h);
            double curvature = (l->slope(y, z + h) - l->slope(y, z - h)) / (2 * h);
            assert_true(fabs(slope - l->slope(y, z)) < 1e-8);
            assert_true(fabs(curvature - l->curvature(y, z)) < 1e-8);
            assert_true(l->curvature(y, z) <= l->smoothness && l->curvature(y, z) >= 0);
        }
}

/* -l*(y, -a) = min over z of l(y, z) + a z, by golden section on a wide interval. */
static double conjugate_by_search(const loss *l, double y, double a)
{
    double low = -60, high = 60, ratio = (sqrt(5) - 1) / 2;
    for (int k = 0; k < 200; k++) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low);
        if (l->value(y, left) + a * left < l->value(y, right) + a * right)
            high = right;
        else
            low = left;
    }
    return l->value(y, low) + a * low;
}

CHECK(duals_are_conjugates)
{
    tm_rng rng;
    tm_rng_seed(&rng, 2);
    for (size_t k = 0; k < LOSS_COUNT; k++)
        for (int trial = 0; trial < 300; trial++) {
            const loss *l = loss_at(k);
            double y = any_y(l, &rng), z = tm_rng_range(&rng, -8, 8);
            double a = -l->slope(y, z) * tm_rng_range(&rng, 0.01, 1);
            assert_true(fabs(l->dual(y, a) - conjugate_by_search(l, y, a)) < 1e-9);
            /* Fenchel's equality where a belongs to z. */
            a = -l->slope(y, z);
            assert_true(fabs(l->value(y, z) + a * z - l->dual(y, a)) < 1e-12);
        }
}

CHECK(the_best_shift_is_a_minimum)
{
    enum { N = 40 };
    tm_rng rng;
    tm_rng_seed(&rng, 3);
    for (size_t k = 0; k < LOSS_COUNT; k++)
        for (int trial = 0; trial < 200; trial++) {
            const loss *l = loss_at(k);
            double y[N], z[N], a[N], scale = pow(10, tm_rng_range(&rng, -2, 3)), sum = 0;
            double offset = tm_rng_range(&rng, -3, 3) * scale;
            for (size_t i = 0; i < N; i++) {
                y[i] = i < 2 && l->binary ? (i ? 1 : -1) : any_y(l, &rng);
                z[i] = offset + scale * tm_rng_normal(&rng);
            }
            double b = loss_best_shift(l, y, z, N, tm_rng_range(&rng, -100, 100));
            for (size_t i = 0; i < N; i++)
                z[i] += b;
            loss_dual_variables(l, y, z, N, a);
            double size = 0;
            for (size_t i = 0; i < N; i++) {
                sum += a[i];
                size += fabs(a[i]);
            }
            assert_true(fabs(sum) <= 1e-9 * (size + 1) * fmax(1, scale));
            double here = loss_sum(l, y, z, N);
            for (int side = -1; side <= 1; side += 2) {
                double moved[N], step = side * 1e-4 * scale;
                for (size_t i = 0; i < N; i++)
                    moved[i] = z[i] + step;
                assert_true(loss_sum(l, y, moved, N) >= here * (1 - 1e-12));
            }
        }
}

CHECK(scaled_duals_stay_below_the_primal)
{
    enum { N = 20 };
    tm_rng rng;
    tm_rng_seed(&rng, 4);
    for (size_t k = 0; k < LOSS_COUNT; k++)
        for (int trial = 0; trial < 200; trial++) {
            const loss *l = loss_at(k);
            double y[N], z[N], a[N], zero[N] = {0};
            for (size_t i = 0; i < N; i++) {
                y[i] = any_y(l, &rng);
                z[i] = tm_rng_range(&rng, -4, 4);
            }
            loss_dual_variables(l, y, z, N, a);
            double most = tm_rng_uniform(&rng), scale = l->scale(y, a, N, most);
            assert_true(fabs(scale) <= most);
            /* Weak duality against z = 0, where the pairing of a and z vanishes. */
            assert_true(loss_dual_sum(l, y, a, scale, N) <= loss_sum(l, y, zero, N) + 1e-12);
        }
}

CHECK(the_best_dual_variable_is_a_maximum)
{
    tm_rng rng;
    tm_rng_seed(&rng, 6);
    for (size_t k = 0; k < LOSS_COUNT; k++)
        for (int trial = 0; trial < 300; trial++) {
            const loss *l = loss_at(k);
            double y = any_y(l, &rng), weight = tm_rng_range(&rng, 0.2, 3);
            double q = tm_rng_range(&rng, 0, 5), z = tm_rng_range(&rng, -4, 4);
            double a = -weight * l->slope(y, tm_rng_range(&rng, -3, 3));
            double next = l->ascend(y, z, a, weight, q);
            double slope = l->dual_slope(y, next / weight) - z - q * (next - a);
            bool at_bound = l->binary && next == 0;
            assert_true(at_bound ? y * slope <= 1e-9 : fabs(slope) <= 1e-7);
        }
}

/* Newton's steps alone jump between the flat ends of the sigmoid. */
CHECK(the_best_dual_variable_of_a_long_row_is_a_maximum)
{
    const loss *l = loss_find("logistic", NULL);
    tm_rng rng;
    tm_rng_seed(&rng, 8);
    for (int trial = 0; trial < 3000; trial++) {
        double y = trial % 2 ? 1 : -1, q = pow(10, tm_rng_range(&rng, -2, 5));
        double z = tm_rng_range(&rng, -4, 4), a = -l->slope(y, tm_rng_range(&rng, -20, 20));
        double next = l->ascend(y, z, a, 1, q);
        double slope = l->dual_slope(y, next) - z - q * (next - a);
        bool near_bound = y * next < 1e-9 || y * next > 1 - 1e-9;
        assert_true(near_bound || fabs(slope) <= 1e-6 * (1 + q));
    }
}

CHECK(the_best_multiple_is_a_maximum)
{
    enum { N = 12 };
    tm_rng rng;
    tm_rng_seed(&rng, 7);
    for (size_t k = 0; k < LOSS_COUNT; k++)
        for (int trial = 0; trial < 200; trial++) {
            const loss *l = loss_at(k);
            double y[N], a[N], penalty = pow(10, tm_rng_range(&rng, -2, 2));
            for (size_t i = 0; i < N; i++) {
                y[i] = any_y(l, &rng);
                a[i] = -l->slope(y[i], tm_rng_range(&rng, -2, 2));
            }
            double s = l->multiple(y, a, N, penalty);
            double here = loss_dual_sum(l, y, a, s, N) - penalty * s * s / 2;
            for (int side = -1; side <= 1; side += 2) {
                double t = fmax(s * (1 + side * 1e-3), 0);
                double there = loss_dual_sum(l, y, a, t, N) - penalty * t * t / 2;
                assert_true(there <= here + 1e-12 * (1 + fabs(here)));
            }
        }
}

CHECK(unknown_losses_are_named)
{
    tm_error err = TM_ERROR_INIT;
    assert_null(loss_find("huber", &err));
    assert_int_equal(err.code, TM_EUSAGE);
    assert_non_null(strstr(err.message, "huber"));
}

/* ---- many samples at once -------------------------------------------------------------------- */

enum { MANY = 1003 };

typedef struct truth {
    long double value, slope, curvature, dual;
} truth;

/* In longer numbers and by libm; the dual is of a = -slope as rounded. */
static truth exact_at(const char *id, double y, double z, double a)
{
    long double m = (long double)y * z, p = (long double)y * a;
    if (strcmp(id, "logistic") == 0) {
        long double e = expl(-fabsl(m)), rest = 1 / (1 + e);
        return (truth){(m > 0 ? 0 : -m) + log1pl(e), -y * (m > 0 ? e * rest : rest),
                       e * rest * rest, p > 0 && p < 1 ? -p * logl(p) - (1 - p) * log1pl(-p) : 0};
    }
    if (strcmp(id, "squared") == 0) {
        long double r = (long double)y - z;
        return (truth){r * r / 2, -r, 1, (long double)y * a - (long double)a * a / 2};
    }
    long double slack = m < 1 ? 1 - m : 0;
    return (truth){slack * slack / 2, -y * slack, m < 1, p - p * p / 2};
}

/* Within some ulp, or where the inputs' own rounding is magnified, of their size. */
static void assert_near(double got, long double want, long double size)
{
    long double room = 5 * 0x1p-52L * (fabsl(want) + size) + 1e-300L;
    if (!(fabsl(got - want) <= room))
        fail_msg("%.17g, not %.21Lg", got, want);
}

CHECK(many_samples_are_as_exact_as_one)
{
    static const double widths[] = {1e-9, 0.1, 4, 80, 1600};
    double y[MANY], z[MANY], a[MANY], values[MANY], slopes[MANY], curvatures[MANY], duals[MANY];
    tm_rng rng;
    tm_rng_seed(&rng, 5);
    for (size_t k = 0; k < LOSS_COUNT; k++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            const loss *l = loss_at(k);
            bool curved = strcmp(l->id, "logistic") == 0;
            for (size_t i = 0; i < MANY; i++) {
                y[i] = any_y(l, &rng);
                z[i] = tm_rng_range(&rng, -widths[w], widths[w]);
            }
            l->values(y, z, MANY, values);
            l->slopes(y, z, MANY, slopes, curvatures);
            for (size_t i = 0; i < MANY; i++)
                a[i] = -slopes[i];
            l->duals(y, a, MANY, duals);
            for (size_t i = 0; i < MANY; i++) {
                truth t = exact_at(l->id, y[i], z[i], a[i]);
                long double size = curved ? 0 : 1 + fabsl((long double)z[i]) + fabs(y[i]);
                assert_near(values[i], t.value, size * size);
                assert_near(slopes[i], t.slope, size);
                assert_near(curvatures[i], t.curvature, 0);
                assert_near(duals[i], t.dual, size * size);
            }
            double sum = 0;
            for (size_t i = 0; i < MANY; i++)
                sum += values[i];
            assert_true(fabs(loss_sum(l, y, z, MANY) - sum) <= 1e-13 * sum);
        }
}

CHECK(far_out_many_samples_do_not_overflow)
{
    double y[] = {1, -1, 1, -1}, z[] = {1e4, 1e4, -1e300, -1e300}, out[4], slopes[4], h[4];
    loss_logistic.values(y, z, 4, out);
    loss_logistic.slopes(y, z, 4, slopes, h);
    assert_true(out[0] == 0 && out[1] == 1e4 && out[2] == 1e300 && out[3] == 0);
    assert_true(slopes[0] == 0 && slopes[1] == 1 && slopes[2] == -1 && slopes[3] == 0);
    double p[] = {0, -0.0, 1, -1}, outside[] = {-0.5, 0.5, 2, -3};
    loss_logistic.duals(y, p, 4, out);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(out[i]) < 1e-300);
    loss_logistic.duals(y, outside, 4, out); /* y a outside [0, 1] is moved in */
    for (int i = 0; i < 4; i++)
        assert_true(fabs(out[i]) < 1e-300);
}

RUN_TESTS(values_follow_their_formulas, slopes_and_curvatures_are_derivatives, duals_are_conjugates,
          the_best_shift_is_a_minimum, scaled_duals_stay_below_the_primal,
          the_best_dual_variable_is_a_maximum, the_best_dual_variable_of_a_long_row_is_a_maximum,
          the_best_multiple_is_a_maximum, unknown_losses_are_named,
          many_samples_are_as_exact_as_one, far_out_many_samples_do_not_overflow)
