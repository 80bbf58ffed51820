/* The closed form of the greatest product over ball x half-space x hyperplane, against two solvers
 * of the convex problem that share nothing with it: projected gradient ascent on the points
 * themselves (Dykstra's alternating projections), which no true bound may fall below, and a search
 * over the Lagrangian dual's multipliers, which none may exceed. */
#include "tests/check.h"
#include "tests/vectors.h"

#include "screen/dome.h"

#include "tamis/rng.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MAX = 8, CASES = 150 };

typedef struct region {
    size_t n;
    double c[MAX], g[MAX], radius, offset; /* |theta - c| <= radius, g'theta <= offset */
    bool flat;                             /* and the entries of theta sum to zero */
} region;

/* A region whose half-space cuts the ball somewhere between its ends, now and then exactly there.
 */
static region draw_region(tm_rng *rng)
{
    region q = {.n = 3 + tm_rng_below(rng, MAX - 2), .flat = tm_rng_below(rng, 2) == 1};
    for (size_t i = 0; i < q.n; i++) {
        q.c[i] = 2 * tm_rng_normal(rng);
        q.g[i] = tm_rng_normal(rng);
    }
    if (q.flat) {
        centre(q.c, q.n);
        centre(q.g, q.n);
    }
    double size = length(q.g, q.n);
    for (size_t i = 0; i < q.n; i++)
        q.g[i] /= size;
    q.radius = pow(10, tm_rng_range(rng, -1, 1));
    static const double cuts[] = {-0.95, 0, 0.999, 1.5};
    size_t kind = tm_rng_below(rng, 8);
    double cut = kind < 4 ? cuts[kind] : tm_rng_range(rng, -0.9, 1);
    q.offset = inner(q.g, q.c, q.n) + cut * q.radius;
    return q;
}

/* ---- projected gradient ascent ------------------------------------------------------------- */

enum { SETS = 3 };

static void project_one(const region *q, int set, double *v)
{
    double excess, distance = 0;
    switch (set) {
    case 0:
        for (size_t i = 0; i < q->n; i++)
            distance += (v[i] - q->c[i]) * (v[i] - q->c[i]);
        distance = sqrt(distance);
        for (size_t i = 0; i < q->n && distance > q->radius; i++)
            v[i] = q->c[i] + (v[i] - q->c[i]) * q->radius / distance;
        break;
    case 1:
        excess = inner(q->g, v, q->n) - q->offset;
        for (size_t i = 0; i < q->n && excess > 0; i++)
            v[i] -= excess * q->g[i];
        break;
    default:
        if (q->flat)
            centre(v, q->n);
    }
}

static void project(const region *q, int rounds, double *v)
{
    double kept[SETS][MAX] = {{0}};
    for (int round = 0; round < rounds; round++)
        for (int set = 0; set < SETS; set++) {
            double before[MAX];
            for (size_t i = 0; i < q->n; i++)
                before[i] = v[i] = v[i] + kept[set][i];
            project_one(q, set, v);
            for (size_t i = 0; i < q->n; i++)
                kept[set][i] = before[i] - v[i];
        }
}

/* The greatest x'theta that is found among points of the region. */
static double by_ascent(const region *q, const double *x)
{
    double theta[MAX], step = q->radius / (length(x, q->n) + 1e-300);
    memcpy(theta, q->c, sizeof theta);
    for (int k = 0; k < 400; k++) {
        for (size_t i = 0; i < q->n; i++)
            theta[i] += step * x[i];
        project(q, k == 399 ? 5000 : 60, theta);
    }
    return inner(x, theta, q->n);
}

/* ---- the Lagrangian dual ------------------------------------------------------------------- */

/* max over the ball of (x - alpha g - rho 1)'theta, plus alpha offset: an upper bound for every
 * alpha >= 0 and every rho. */
static double lagrangian(const region *q, const double *x, double alpha, double rho)
{
    double v[MAX];
    for (size_t i = 0; i < q->n; i++)
        v[i] = x[i] - alpha * q->g[i] - (q->flat ? rho : 0);
    return alpha * q->offset + inner(v, q->c, q->n) + q->radius * length(v, q->n);
}

/* rho takes the mean out of x: c and g have none. */
static double by_dual(const region *q, const double *x)
{
    double low = 0, high = 10 * length(x, q->n) + 1, rho = 0;
    for (size_t i = 0; i < q->n; i++)
        rho += x[i] / (double)q->n;
    /* Far enough for the least value of a convex function whose slope ends at offset - g'c +
     * radius. */
    for (int k = 0; k < 60 && lagrangian(q, x, 2 * high, rho) < lagrangian(q, x, high, rho); k++)
        high *= 2;
    high *= 2;
    for (int k = 0; k < 300; k++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (lagrangian(q, x, a, rho) < lagrangian(q, x, b, rho))
            high = b;
        else
            low = a;
    }
    return lagrangian(q, x, low, rho);
}

/* ---- the closed form ----------------------------------------------------------------------- */

static double by_formula(const region *q, const double *x)
{
    double flat[MAX];
    memcpy(flat, x, sizeof flat);
    if (q->flat)
        centre(flat, q->n);
    dome d = {q->radius, (q->offset - inner(q->g, q->c, q->n)) / q->radius, 0};
    return dome_greatest(&d, inner(flat, q->c, q->n), inner(flat, q->g, q->n), length(flat, q->n));
}

static void compare(const region *q, const double *x, int number, int *in_case)
{
    double value = by_formula(q, x), dual = by_dual(q, x), found = by_ascent(q, x);
    double size = length(x, q->n) * (length(q->c, q->n) + q->radius);
    bool good = value >= found - 1e-7 * size && value >= dual - 1e-9 * size &&
                value <= dual + 1e-6 * size && found >= value - 1e-3 * size;
    if (!good)
        fail_msg("case %d: formula %.12g, dual %.12g, ascent %.12g", number, value, dual, found);
    double xg = inner(x, q->g, q->n), cut = (q->offset - inner(q->g, q->c, q->n)) / q->radius;
    in_case[xg > length(x, q->n) * cut]++;
}

CHECK(formula_is_the_convex_optimum)
{
    tm_rng rng;
    int in_case[2] = {0, 0};
    tm_rng_seed(&rng, 1);
    for (int k = 0; k < CASES; k++) {
        region q = draw_region(&rng);
        double x[MAX];
        for (size_t i = 0; i < q.n; i++)
            x[i] = tm_rng_normal(&rng);
        compare(&q, x, k, in_case);
        for (size_t i = 0; i < q.n; i++)
            x[i] = -x[i];
        compare(&q, x, k, in_case);
    }
    assert_true(in_case[0] > 30 && in_case[1] > 30);
}

/* VI theorem 3.5: x parallel to the half-space's normal, where two of the three multipliers vanish.
 */
CHECK(parallel_features_reach_the_plane)
{
    tm_rng rng;
    tm_rng_seed(&rng, 2);
    for (int k = 0; k < CASES; k++) {
        region q = draw_region(&rng);
        double x[MAX], factor = pow(10, tm_rng_range(&rng, -3, 3));
        for (size_t i = 0; i < q.n; i++)
            x[i] = factor * q.g[i] + (q.flat ? 1 : 0);
        double plane = fmin(q.offset, inner(q.g, q.c, q.n) + q.radius);
        double value = by_formula(&q, x), size = factor * (length(q.c, q.n) + q.radius);
        assert_true(value >= factor * plane - 1e-12 * size);
        assert_true(value <= factor * plane + 1e-5 * size);
    }
}

/* The bound on |x'theta| covers both signs; a ball alone gives |x'c| + radius |x|. */
CHECK(reach_covers_both_signs)
{
    dome whole = {2, 1, 0}, half = {2, 0, 0};
    assert_true(fabs(dome_greatest_absolute(&whole, 3, 0.5, 1.5) - 6) < 1e-11);
    assert_true(fabs(dome_greatest_absolute(&whole, -3, 0.5, 1.5) - 6) < 1e-11);
    /* c = 0, g = x: the half-space leaves 0 on its side and -radius |x| on the other. */
    assert_true(fabs(dome_greatest_absolute(&half, 0, 1.5, 1.5) - 3) < 1e-5);
    assert_true(fabs(dome_greatest(&half, 0, 1.5, 1.5)) < 1e-5);
}

RUN_TESTS(formula_is_the_convex_optimum, parallel_features_reach_the_plane, reach_covers_both_signs)
