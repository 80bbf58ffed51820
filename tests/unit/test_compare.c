/* Paired tests against figures of scipy 1.10.1 (stats.ttest_rel, stats.wilcoxon). */
#include "tests/core_check.h"

#include "tamis/compare.h"

#include <float.h>

static void check(const double *a, const double *b, size_t n, double t, double t_p, double w,
                  double w_p)
{
    tm_error err = TM_ERROR_INIT;
    tm_comparison found;
    must(tm_compare_paired(&found, a, b, n, &err), &err);
    assert_true(fabs(found.t - t) <= 1e-12 * fabs(t));
    assert_true(fabs(found.t_p - t_p) <= 1e-12 * t_p);
    assert_true(found.wilcoxon == w);
    assert_true(fabs(found.wilcoxon_p - w_p) <= 1e-12 * w_p);
}

static void exact(void **state)
{
    static const double a[] = {0.912, 0.881, 0.933, 0.794, 0.855, 0.906, 0.877, 0.928};
    static const double b[] = {0.89, 0.85, 0.94, 0.75, 0.8, 0.83, 0.86, 0.9};
    (void)state;
    check(a, b, 8, 3.7259976702704605, 0.007397525079974327, 1.0, 0.015625);
}

/* Zeros are left out, equal sizes share a rank: the normal approximation. */
static void ties(void **state)
{
    static const double a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const double b[] = {1.5, 1.5, 3, 3.5, 6, 5, 7.5, 8, 7, 9.5};
    (void)state;
    check(a, b, 10, 0.9214426752509267, 0.3808561812412816, 12.5, 0.42907607720227137);
}

static void many(void **state)
{
    static const double a[] = {
        2.041,  -2.556, 0.418,  -0.568, -0.453, -0.216, -2.02,  -0.232, -0.865, 3.323,
        0.226,  -0.353, -0.281, -0.668, -1.055, -0.391, 0.482,  -0.239, 0.958,  -0.2,
        0.024,  1.546,  0.545,  -0.505, -0.183, 0.541,  1.935,  -0.27,  -0.244, 1.002,
        -0.886, -0.292, 0.883,  0.58,   0.092,  0.67,   -2.828, 1.021,  -0.96,  -1.669,
        0.276,  0.701,  -0.445, -1.076, 0.026,  -0.053, 1.406,  0.747,  0.194,  1.112,
        -0.206, -0.926, 0.584,  0.583,  -0.215, -0.783, 0.229,  -2.494, 0.69,   0.491};
    static const double b[] = {
        0.93,   -2.307, -0.153, 0.238,  -1.88,  -0.747, -1.252, 0.893,  -2.392, 3.125,
        0.688,  -0.64,  1.191,  -1.421, -0.572, -1.03,  1.807,  -0.056, 0.86,   -1.374,
        1.57,   2.348,  1.348,  0.605,  0.297,  0.229,  1.495,  -0.71,  1.052,  0.034,
        -1.164, -0.349, 1.262,  1.241,  -0.708, -0.514, -2.632, 2.192,  -0.154, -1.296,
        0.223,  1.135,  -0.439, -0.223, -0.409, 0.255,  1.517,  1.382,  0.574,  3.352,
        1.193,  0.471,  -0.848, 0.51,   -0.502, -0.157, -1.394, -1.354, 1.744,  -0.35};
    (void)state;
    check(a, b, 60, -1.3908612338445423, 0.16949109157796807, 732.0, 0.17792000137174424);
}

static void equal_pairs_tell_nothing(void **state)
{
    static const double a[] = {1, 2, 3};
    tm_error err = TM_ERROR_INIT;
    tm_comparison found;
    (void)state;
    must(tm_compare_paired(&found, a, a, 3, &err), &err);
    assert_true(found.t == 0 && found.t_p == 1 && found.wilcoxon == 0 && found.wilcoxon_p == 1);
}

static void refused(void **state)
{
    static const double a[] = {1, 2}, b[] = {1, NAN};
    tm_error err = TM_ERROR_INIT;
    tm_comparison found;
    (void)state;
    must_refuse(tm_compare_paired(&found, a, a, 1, &err), TM_EUSAGE, &err, "two pairs");
    must_refuse(tm_compare_paired(&found, a, b, 2, &err), TM_EDATA, &err, "pair 2");
}

RUN_TESTS(exact, ties, many, refused, equal_pairs_tell_nothing)
