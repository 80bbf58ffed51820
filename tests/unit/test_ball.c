/* Balls around the optimal dual point: their intersection against geometry, and that they hold the
 * optimum of small problems, which Dykstra's projections find without any solver of the library. */
#include "tests/check.h"
#include "tests/vectors.h"

#include "screen/gap.h"

#include "tamis/rng.h"

#include <math.h>
#include <string.h>

enum { MAX_N = 6, MAX_P = 8 };

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double distance(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static void fill_normal(tm_rng *rng, double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = tm_rng_normal(rng);
}

static void check_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g", found, expected);
}

/* ---- two balls ----------------------------------------------------------------------------- */

/* The plane as vectors. */
typedef struct space {
    size_t n;
    double r[MAX_N], y[MAX_N];
    ball_plane plane;
} space;

static space random_space(tm_rng *rng)
{
    space s = {.n = 2 + tm_rng_below(rng, MAX_N - 1)};
    fill_normal(rng, s.r, s.n);
    fill_normal(rng, s.y, s.n);
    s.plane = (ball_plane){dot(s.r, s.r, s.n), dot(s.r, s.y, s.n), dot(s.y, s.y, s.n)};
    return s;
}

static void centre_of(const space *s, const ball *b, double *centre)
{
    for (size_t i = 0; i < s->n; i++)
        centre[i] = b->along_r * s->r[i] + b->along_y * s->y[i];
}

static bool holds(const space *s, const ball *b, const double *point, double tolerance)
{
    double centre[MAX_N];
    centre_of(s, b, centre);
    return distance(centre, point, s->n) <= b->radius + tolerance;
}

/* A random point of the ball, uniform in direction. */
static void point_inside(tm_rng *rng, const space *s, const ball *b, double *point)
{
    double centre[MAX_N], way[MAX_N];
    centre_of(s, b, centre);
    fill_normal(rng, way, s->n);
    double length = sqrt(dot(way, way, s->n)), share = sqrt(tm_rng_uniform(rng)) * b->radius;
    for (size_t i = 0; i < s->n; i++)
        point[i] = centre[i] + share * way[i] / length;
}

/* A unit vector orthogonal to `line`. */
static void across(tm_rng *rng, const double *line, size_t n, double *way)
{
    double length;
    do {
        fill_normal(rng, way, n);
        double along = dot(way, line, n) / dot(line, line, n);
        for (size_t i = 0; i < n; i++)
            way[i] -= along * line[i];
        length = sqrt(dot(way, way, n));
    } while (length < 0.1);
    for (size_t i = 0; i < n; i++)
        way[i] /= length;
}

/* What the smallest ball around a and b's intersection must be: no point of the intersection is
 * outside, and both ends of a diameter are points of the intersection, so that nothing smaller
 * holds them. */
static void check_smallest(tm_rng *rng, const space *s, const ball *a, const ball *b,
                           const ball *found, uint64_t seed)
{
    double point[MAX_N], from[MAX_N], to[MAX_N], line[MAX_N], way[MAX_N], centre[MAX_N];
    const ball *smaller = a->radius < b->radius ? a : b;
    double tolerance = 1e-9 * (a->radius + b->radius);
    if (!(found->radius <= smaller->radius * (1 + 1e-12)))
        fail_msg("seed %lu: radius %g above the smaller ball's", seed, found->radius);
    for (int k = 0; k < 60; k++) {
        point_inside(rng, s, smaller, point);
        if (holds(s, a, point, 0) && holds(s, b, point, 0) && !holds(s, found, point, tolerance))
            fail_msg("seed %lu: a point of the intersection is outside", seed);
    }
    centre_of(s, a, from);
    centre_of(s, b, to);
    for (size_t i = 0; i < s->n; i++)
        line[i] = to[i] - from[i];
    across(rng, line, s->n, way);
    centre_of(s, found, centre);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < s->n; i++)
            point[i] = centre[i] + side * found->radius * way[i];
        if (!holds(s, a, point, tolerance) || !holds(s, b, point, tolerance))
            fail_msg("seed %lu: a smaller ball would do than radius %g", seed, found->radius);
    }
}

CHECK(test_intersection_is_smallest)
{
    size_t lenses = 0, wholes = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        space s = random_space(&rng);
        ball a = {tm_rng_normal(&rng), tm_rng_normal(&rng), 0};
        ball b = {tm_rng_normal(&rng), tm_rng_normal(&rng), 0};
        /* Both radii reach a common point, by a margin that is often small. */
        double common[MAX_N], centre[MAX_N];
        fill_normal(&rng, common, s.n);
        centre_of(&s, &a, centre);
        a.radius = distance(common, centre, s.n) * (1 + pow(tm_rng_uniform(&rng), 4));
        centre_of(&s, &b, centre);
        b.radius = distance(common, centre, s.n) * (1 + pow(tm_rng_uniform(&rng), 4));
        ball found = ball_intersect(&s.plane, &a, &b), turned = ball_intersect(&s.plane, &b, &a);
        check_smallest(&rng, &s, &a, &b, &found, seed);
        if (!(fabs(found.radius - turned.radius) <= 1e-9 * found.radius))
            fail_msg("seed %lu: the order of the balls matters", seed);
        bool lens = found.radius < fmin(a.radius, b.radius);
        lenses += lens;
        wholes += !lens;
    }
    /* The test is about both cases. */
    assert_true(lenses > 300 && wholes > 300);
}

static void check_same(const ball *found, const ball *expected)
{
    assert_true(found->along_r == expected->along_r);
    assert_true(found->along_y == expected->along_y);
    assert_true(found->radius == expected->radius);
}

static void check_both_orders(const ball_plane *plane, const ball *a, const ball *b,
                              const ball *expected)
{
    ball found = ball_intersect(plane, a, b);
    check_same(&found, expected);
    found = ball_intersect(plane, b, a);
    check_same(&found, expected);
}

/* r and y orthogonal and of length 1, so that every number is exact. */
static const ball_plane UNIT = {1, 0, 1};

CHECK(test_intersection_degenerate)
{
    ball large = {0, 0, 5}, concentric = {0, 0, 2}, nested = {3, 0, 1}, inside_touching = {3, 0, 2};
    ball point = {0, 1, 0}, surface = {0, 5, 0}, zero = {0, 0, 0};
    check_both_orders(&UNIT, &large, &concentric, &concentric);
    check_both_orders(&UNIT, &large, &large, &large);
    check_both_orders(&UNIT, &large, &nested, &nested);
    check_both_orders(&UNIT, &large, &inside_touching, &inside_touching);
    check_both_orders(&UNIT, &large, &point, &point);
    check_both_orders(&UNIT, &large, &zero, &zero);
    check_both_orders(&UNIT, &large, &surface, &surface);
    /* The radical plane through the smaller centre: its great circle is the common sphere. */
    ball through_centre = {4, 0, 3};
    check_both_orders(&UNIT, &large, &through_centre, &through_centre);
    /* One direction only: centres that differ in name but not in place. */
    ball_plane same = {1, 1, 1};
    ball by_r = {1, 0, 2}, by_y = {0, 1, 1};
    check_both_orders(&same, &by_r, &by_y, &by_y);
}

CHECK(test_intersection_lens)
{
    ball a = {0, 0, 5}, b = {6, 0, 5}, c = {0, 14, 13}, found;
    found = ball_intersect(&UNIT, &a, &b);
    check_same(&found, &(ball){3, 0, 4});
    /* The 13-14-15 triangle: radii 13 and 15, height 12, foot at 5 from the side of 13. */
    ball d = {0, 0, 15};
    found = ball_intersect(&UNIT, &c, &d);
    check_close(found.along_y, 9, 1e-12);
    check_close(found.along_r, 0, 0);
    check_close(found.radius, 12, 1e-12);
}

/* Balls that touch from outside, exactly and with a gap or overlap of rounding: the answer still
 * reaches the point where they touch, and is not larger than either. */
CHECK(test_intersection_touching)
{
    for (int ulps = -8; ulps <= 8; ulps++) {
        double slip = 1 + ulps * 0x1p-52;
        ball a = {0, 0, 1}, b = {0, 3 * slip, 2};
        ball found = ball_intersect(&UNIT, &a, &b);
        assert_true(found.radius >= 0 && found.radius <= 1);
        assert_true(fabs(found.along_y - 1) <= found.radius + 1e-14);
        assert_true(found.along_r == 0);
        ball none = {0, 1, 0};
        found = ball_intersect(&UNIT, &a, &none);
        assert_true(found.radius == 0 && found.along_y == 1);
    }
}

/* ---- small problems ------------------------------------------------------------------------ */

typedef struct problem {
    size_t n, p;
    double x[MAX_P][MAX_N], y[MAX_N], factors[MAX_P], norms[MAX_P], lambda;
    double u[MAX_N]; /* lambda theta*: the projection of y onto |x_j'u| <= lambda f_j */
    double w[MAX_P]; /* y - u = X w */
} problem;

static double greatest_product(const problem *q, const double *v)
{
    double greatest = 0;
    for (size_t j = 0; j < q->p; j++)
        greatest = fmax(greatest, fabs(dot(q->x[j], v, q->n)) / q->factors[j]);
    return greatest;
}

/* Correlated, duplicated and badly scaled columns now and then; centred as an intercept would. */
static problem random_problem(tm_rng *rng)
{
    problem q = {.n = 2 + tm_rng_below(rng, MAX_N - 1), .p = 1 + tm_rng_below(rng, MAX_P)};
    bool centred = q.n > 2 && tm_rng_below(rng, 2), scaled = tm_rng_below(rng, 3) == 0;
    fill_normal(rng, q.y, q.n);
    for (size_t j = 0; j < q.p; j++) {
        fill_normal(rng, q.x[j], q.n);
        if (j > 0 && tm_rng_below(rng, 5) == 0)
            memcpy(q.x[j], q.x[j - 1], sizeof q.x[j]);
        double scale = scaled ? pow(10, tm_rng_range(rng, -3, 3)) : 1;
        for (size_t i = 0; i < q.n; i++)
            q.x[j][i] *= scale;
        q.factors[j] = scaled || tm_rng_below(rng, 2) ? scale * tm_rng_range(rng, 0.3, 3) : 1;
        if (centred)
            centre(q.x[j], q.n);
        q.norms[j] = sqrt(dot(q.x[j], q.x[j], q.n));
    }
    if (centred)
        centre(q.y, q.n);
    q.lambda = greatest_product(&q, q.y) * pow(10, tm_rng_range(rng, -2, 0.1));
    return q;
}

/* Dykstra's alternating projections onto the slabs. False when they have not converged to 1e-13
 * within the sweeps. */
static bool project(problem *q)
{
    memcpy(q->u, q->y, sizeof q->u);
    memset(q->w, 0, sizeof q->w);
    for (int sweep = 0; sweep < 20000; sweep++) {
        double moved = 0;
        for (size_t j = 0; j < q->p; j++) {
            /* The increment taken out of u by this slab so far is w_j x_j. */
            double square = q->norms[j] * q->norms[j], bound = q->lambda * q->factors[j];
            double reach = dot(q->x[j], q->u, q->n) + q->w[j] * square;
            double w = fabs(reach) <= bound ? 0 : (reach - copysign(bound, reach)) / square;
            for (size_t i = 0; i < q->n; i++)
                q->u[i] -= (w - q->w[j]) * q->x[j][i];
            moved = fmax(moved, fabs(w - q->w[j]) * q->norms[j]);
            q->w[j] = w;
        }
        if (moved < 1e-14)
            return greatest_product(q, q->u) <= q->lambda * (1 + 1e-12);
    }
    return false;
}

/* A residual r of weights near the optimum or far from it, and a scaling that makes it feasible. */
typedef struct iterate {
    double r[MAX_N], scale, gap;
    double xr[MAX_P], xy[MAX_P];
    ball_plane plane;
} iterate;

static iterate random_iterate(tm_rng *rng, const problem *q)
{
    iterate t = {.scale = 0};
    double penalty = 0, spread = pow(10, tm_rng_range(rng, -6, 0.5));
    memcpy(t.r, q->y, sizeof t.r);
    for (size_t j = 0; j < q->p; j++) {
        double w = q->w[j];
        if (w != 0 || tm_rng_below(rng, 3) == 0)
            w += spread * tm_rng_normal(rng) / q->norms[j];
        for (size_t i = 0; i < q->n; i++)
            t.r[i] -= w * q->x[j][i];
        penalty += q->factors[j] * fabs(w);
    }
    double most = q->lambda / greatest_product(q, t.r);
    t.plane = (ball_plane){dot(t.r, t.r, q->n), dot(t.r, q->y, q->n), dot(q->y, q->y, q->n)};
    double best = fmin(fmax(t.plane.ry / t.plane.rr, -most), most);
    t.scale = tm_rng_below(rng, 2) ? best : tm_rng_range(rng, -most, most);
    double dual = t.scale * t.plane.ry - t.scale * t.scale * t.plane.rr / 2;
    /* With the allowance for rounding that ball_from_gap leaves to its caller. */
    double primal = t.plane.rr / 2 + q->lambda * penalty;
    t.gap = fmax(primal - dual, 0) + 1e-14 * (primal + t.plane.yy);
    for (size_t j = 0; j < q->p; j++) {
        t.xr[j] = dot(q->x[j], t.r, q->n);
        t.xy[j] = dot(q->x[j], q->y, q->n);
    }
    return t;
}

/* The ball holds theta*, and discards no feature that is at its constraint there. */
static void check_ball(const problem *q, const iterate *t, const ball *b, const char *which,
                       uint64_t seed)
{
    double from[MAX_N], theta[MAX_N];
    for (size_t i = 0; i < q->n; i++) {
        from[i] = b->along_r * t->r[i] + b->along_y * q->y[i];
        theta[i] = q->u[i] / q->lambda;
    }
    double tolerance = 1e-10 * sqrt(t->plane.yy) / q->lambda;
    double away = distance(from, theta, q->n);
    if (!(away <= b->radius + tolerance))
        fail_msg("seed %lu: theta* is %g from the %s ball's centre, radius %g", seed, away, which,
                 b->radius);
    screen_features features = {t->xr, t->xy, q->norms, q->factors, q->p, NULL};
    for (size_t j = 0; j < q->p; j++) {
        double reach = fabs(dot(q->x[j], theta, q->n)) / q->factors[j];
        double slack = 1e-9 * (1 + q->norms[j] * sqrt(t->plane.yy) / (q->lambda * q->factors[j]));
        if (!(screen_upper(&features, j, b) >= reach - slack))
            fail_msg("seed %lu: the %s ball bounds feature %zu below its value", seed, which, j);
        ball wider = {b->along_r, b->along_y, b->radius + tolerance};
        if (q->w[j] != 0 && screen_inactive(&features, j, &wider))
            fail_msg("seed %lu: the %s ball discards the active feature %zu", seed, which, j);
    }
}

CHECK(test_balls_hold_the_optimum)
{
    size_t solved = 0, discarded = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        problem q = random_problem(&rng);
        if (!project(&q))
            continue;
        solved++;
        for (int k = 0; k < 8; k++) {
            iterate t = random_iterate(&rng, &q);
            ball by_gap = ball_from_gap(t.scale, t.gap, q.lambda);
            ball by_theorem_2 = ball_from_lambda_max(&t.plane, t.scale, q.lambda);
            ball both = ball_intersect(&t.plane, &by_gap, &by_theorem_2);
            check_ball(&q, &t, &by_gap, "gap", seed);
            check_ball(&q, &t, &by_theorem_2, "theorem 2", seed);
            check_ball(&q, &t, &both, "common", seed);
            screen_features features = {t.xr, t.xy, q.norms, q.factors, q.p, NULL};
            for (size_t j = 0; j < q.p; j++)
                discarded += screen_inactive(&features, j, &both);
        }
    }
    assert_true(solved > 1200);
    /* Balls that never discard anything would pass as well. */
    assert_true(discarded > 2000);
}

/* Bounds of |x_j'theta| / f_j over a ball, against points of it, and both ends are reached. */
CHECK(test_bounds_of_a_feature)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        space s = random_space(&rng);
        double x[MAX_N], point[MAX_N], from[MAX_N];
        fill_normal(&rng, x, s.n);
        double xr = dot(x, s.r, s.n), xy = dot(x, s.y, s.n), norm = sqrt(dot(x, x, s.n));
        double factor = tm_rng_range(&rng, 0.2, 4);
        screen_features f = {&xr, &xy, &norm, &factor, 1, NULL};
        ball b = {tm_rng_normal(&rng), tm_rng_normal(&rng), tm_rng_range(&rng, 0, 2)};
        double upper = screen_upper(&f, 0, &b), lower = screen_lower(&f, 0, &b);
        centre_of(&s, &b, from);
        double middle = fabs(dot(x, from, s.n));
        for (int k = 0; k < 40; k++) {
            point_inside(&rng, &s, &b, point);
            double value = fabs(dot(x, point, s.n)) / factor;
            if (value > upper || (middle > norm * b.radius && value < lower))
                fail_msg("seed %lu: %g is outside %g .. %g", seed, value, lower, upper);
        }
        check_close(upper, (middle + norm * b.radius) / factor, 1e-10 * (1 + upper));
        check_close(lower, fabs(middle - norm * b.radius) / factor, 1e-10 * (1 + upper));
        assert_true(screen_inactive(&f, 0, &b) == (upper < 1));
    }
}

/* A feature exactly at its constraint stays, also in a ball without extent. */
CHECK(test_boundary_is_kept)
{
    double xr[] = {1, -1, 0.999, 3}, xy[] = {0, 0, 0, 0}, norms[] = {1, 1, 1, 1};
    double factors[] = {1, 1, 1, 3};
    screen_features f = {xr, xy, norms, factors, 4, NULL};
    ball b = {1, 0, 0};
    assert_false(screen_inactive(&f, 0, &b));
    assert_false(screen_inactive(&f, 1, &b));
    assert_true(screen_inactive(&f, 2, &b));
    assert_false(screen_inactive(&f, 3, &b));
}

/* lambda a hair under lambda_max: the distance from y/lambda to the feasible point is smaller than
 * the rounding of the products it is made of, and the ball must hold the optimum all the same. One
 * feature e_1 on n = 2, where the optimum is (1, y_2/lambda). */
CHECK(test_theorem_2_near_lambda_max)
{
    for (int exponent = 4; exponent <= 14; exponent++) {
        for (int k = 0; k < 200; k++) {
            double y[] = {1 + k / 3e3, 0.7 - k / 5e3}, lambda = y[0] * (1 - pow(10, -exponent));
            double square = y[0] * y[0] + y[1] * y[1];
            ball_plane plane = {square, square, square}; /* w = 0: r is y */
            ball b = ball_from_lambda_max(&plane, lambda / y[0], lambda);
            double away = hypot(1 - b.along_y * y[0], y[1] / lambda - b.along_y * y[1]);
            if (!(away <= b.radius))
                fail_msg("lambda_max (1 - 1e-%d): theta* is %g away, radius %g", exponent, away,
                         b.radius);
        }
    }
}

RUN_TESTS(test_intersection_is_smallest, test_intersection_degenerate, test_intersection_lens,
          test_intersection_touching, test_balls_hold_the_optimum, test_theorem_2_near_lambda_max,
          test_bounds_of_a_feature, test_boundary_is_kept)
