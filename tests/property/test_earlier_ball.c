/* SAIF's theorem 2 from an earlier lambda: the ball around an inexact earlier answer's dual
 * variables holds the dual optimum at the next lambda, of all features and of sub-problems that
 * have the earlier support, for each loss; and so does its intersection with the gap's ball. */
#include "tests/check.h"

#include "model/loss/losses.h"
#include "solve/l1/strategy/earlier_ball.h"
#include "solve/l1/strategy/strategy.h"
#include "solve/l1/strategy/working_set.h"

#include "tamis/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 14, P = 24, SEEDS = 60 };

static tm_dataset *made(uint64_t seed, bool numeric)
{
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(seed));
    double *x = malloc(sizeof(double) * N * P), *y = malloc(sizeof(double) * N);
    assert_true(x && y);
    for (size_t k = 0; k < N * P; k++)
        x[k] = tm_rng_normal(&rng) + (k >= N ? 0.4 * x[k - N] : 0);
    for (size_t i = 0; i < N; i++) {
        y[i] = x[i] + x[N + i] + tm_rng_normal(&rng);
        y[i] = numeric ? y[i] : i == 0 || (i > 1 && y[i] > 0) ? 1 : -1;
    }
    tm_dataset_parts parts = {.name = "random", .response.numeric = numeric, .response.y = y};
    tm_dataset *data = NULL;
    if (tm_matrix_new_dense(&parts.x, N, P, x, &err) != TM_OK ||
        tm_dataset_new(&data, &parts, &err) != TM_OK)
        fail_msg("%s", err.message);
    return data;
}

/* Dual variables and products of all features are those of the weights. */
static void renew(l1_state *s, solve_progress *progress)
{
    l1_state_refresh(s);
    assert_true(l1_products_all(s, progress));
}

static double away(const l1_state *s, const ball *b, const double *r, const double *axis,
                   const double *optimum)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        double d = b->along_r * r[i] + b->along_y * axis[i] - optimum[i] / s->penalty.lambda;
        sum += d * d;
    }
    return sqrt(sum);
}

/* What a state and its earlier answer say somewhere on the way to the next lambda's optimum. */
typedef struct view {
    ball theorem, common;
    double r[N], axis[N];
    double radius_without; /* the radius without the segment */
} view;

static view look(l1_state *s, const earlier_ball *q)
{
    view v;
    ball_plane plane;
    l1_gap g = l1_gap_active(s);
    v.theorem = earlier_ball_at(q, s, &g, 0, &plane);
    ball by_gap = l1_gap_ball(s, &g);
    v.common = ball_intersect(&plane, &by_gap, &v.theorem);
    l1_working_dual(s, v.r);
    memcpy(v.axis, q->a, sizeof v.axis);
    l1_gap without = {.primal = q->primal, .gap = q->primal - fmax(g.dual, q->dual)};
    v.radius_without = l1_gap_ball(s, &without).radius;
    return v;
}

/* Returns in how many views the segment made the ball smaller. */
static int check(uint64_t seed, const char *loss_id, bool intercept)
{
    enum { VIEWS = 5 };
    tm_dataset *data = made(seed, strcmp(loss_id, "squared") == 0);
    tm_monitor monitor = TM_MONITOR_INIT;
    solve_progress progress;
    progress_begin(&progress, &monitor);
    l1_terms terms = L1_TERMS_INIT;
    terms.intercept = intercept;
    l1_state *s;
    l1_end end;
    earlier_ball q;
    view views[VIEWS];
    double optimum[N];
    int smaller = 0;
    assert_int_equal(l1_state_new(&s, data, loss_find(loss_id, NULL), &terms, &progress, NULL),
                     TM_OK);
    assert_true(earlier_ball_new(&q, s));
    l1_state_reset(s);
    assert_int_equal(l1_strategy_use(s, SCREEN_none, NULL), TM_OK);
    s->options.max_iter = 100000;
    s->options.check_every = 10;
    double earlier = s->null.lambda_max * (0.3 + 0.6 * (double)(seed % 7) / 7);
    l1_state_lambda(s, earlier);
    s->strategy->solve(s, &progress, pow(10, -1 - (double)(seed % 5)) * s->null.objective, 0, &end,
                       NULL);
    renew(s, &progress);
    l1_state_lambda(s, earlier * (0.5 + 0.45 * (double)(seed % 3) / 2));
    if (seed % 2) /* the sub-problem of the support and every other feature */
        for (size_t k = 0; k < s->active.count;) {
            size_t j = s->active.features[k];
            s->active.has[j] = s->it.w[j] != 0 || j % 2 == 0;
            if (s->active.has[j])
                k++;
            else
                s->active.features[k] = s->active.features[--s->active.count];
        }
    l1_active set = s->active;
    l1_gap whole = l1_gap_all(s);
    earlier_ball_keep(&q, s, &whole);
    for (int k = 0; k < VIEWS; k++) {
        views[k] = look(s, &q);
        smaller += views[k].theorem.radius < views[k].radius_without * (1 - 1e-6);
        l1_sweep(s, 1, &progress);
        renew(s, &progress);
    }
    for (int k = 0; k < 3000 && l1_gap_active(s).gap > 1e-14 * s->null.objective; k++) {
        l1_sweep(s, 5, &progress);
        renew(s, &progress);
    }
    double rest = l1_gap_active(s).gap;
    double tolerance = sqrt(2 * s->problem.loss->smoothness * fmax(rest, 0)) / s->penalty.lambda;
    assert_int_equal(s->active.count, set.count);
    assert_true(rest < 1e-9 * s->null.objective);
    l1_working_dual(s, optimum);
    for (int k = 0; k < VIEWS; k++) {
        const view *v = &views[k];
        double slack = tolerance * (1 + 1e-6) + 1e-9 * (1 + v->theorem.radius);
        if (away(s, &v->theorem, v->r, v->axis, optimum) > v->theorem.radius + slack ||
            away(s, &v->common, v->r, v->axis, optimum) > v->common.radius + slack)
            fail_msg("seed %lu, %s, view %d: the optimum is outside the ball", seed, loss_id, k);
    }
    earlier_ball_free(&q, s);
    assert_true(s->it.axis == s->null.y && s->it.axis_products == s->null.xy);
    l1_strategy_close(s);
    l1_state_free(s);
    tm_dataset_unref(data);
    return smaller;
}

CHECK(balls_hold_the_next_optimum)
{
    static const char *const losses[] = {"squared", "logistic", "squared_hinge"};
    for (int l = 0; l < 3; l++) {
        int smaller = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            smaller += check(seed, losses[l], seed % 4 < 2);
        if (smaller == 0 && check_committed())
            fail_msg("%s: the segment of (2.4) never made a ball smaller", losses[l]);
    }
}

RUN_TESTS(balls_hold_the_next_optimum)
