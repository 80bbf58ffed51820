/* Safe active incremental feature selection (SAIF 2.2, algorithms 1 and 2).
 *
 * Starts from a few features. In turns: coordinate minimisation on the active set until the
 * sub-problem's gap is small against what is known of the whole problem; the ball around the
 * sub-problem's dual optimum (gap ball intersected with theorem 2's); DEL of active features the
 * ball certifies inactive; ADD of remaining features that the ball ranks above the others. Once no
 * remaining feature can reach its constraint inside the whole ball (delta = 1), the sub-problem's
 * optimum is the whole problem's, and only DEL and minimisation go on.
 *
 * Where this goes beyond the text of the algorithm (reasons in docs/screening.md):
 *   - DEL always uses the full ball; delta shrinks it for ADD alone, so that no sub-optimum rises;
 *   - while max < 1 and delta < 1, delta grows on the same products, without another pass;
 *   - a pass over the remaining features also yields a dual point feasible for all of them, so the
 *     whole problem's gap is known while features are still being added, and may end the run;
 *   - when the sub-problem is solved and the ball still cannot rank the remaining features (exact
 *     duplicates), the best-scoring ones are added all the same. */
#include "solve/common/working_set.h"
#include "solve/l1/core/log.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/strategy.h"

#include "base/memory.h"
#include "screen/saif_add.h"

#include <math.h>
#include <stdlib.h>

typedef struct saif {
    l1_state *s;
    solve_progress *progress;
    double target;
    double delta;
    bool adding;
    saif_add_limits limits;
    size_t *chosen;
    double whole_dual; /* greatest dual value of a point known to be feasible for the whole problem,
                          or not above the whole problem's optimum */
    double whole_gap;
    double goal; /* gap to which the sub-problem is solved next */
    double change;
} saif;

/* ---- the ball ------------------------------------------------------------------------------ */

static ball sub_problem_ball(const saif *a, const l1_gap *g)
{
    ball by_gap = l1_gap_ball(a->s, g);
    ball by_theorem_2 = l1_null_ball(a->s, g);
    return ball_intersect(&g->plane, &by_gap, &by_theorem_2);
}

static bool outside_ball(const l1_state *s, size_t j, const void *payload)
{
    screen_features features = l1_features(s);
    return screen_inactive(&features, j, payload);
}

static void emit(const saif *a, tm_event_kind kind, const l1_gap *g)
{
    progress_emit(a->progress, kind, g->primal, a->whole_dual, g->primal - a->whole_dual,
                  a->s->active.count, a->s->problem.p);
}

/* ---- DEL ----------------------------------------------------------------------------------- */

static void delete_features(saif *a, const l1_gap *g, const ball *b)
{
    const char *what = a->adding ? "DEL: the active features against the sub-problem's ball"
                                 : "DEL: the last features against the whole problem's ball";
    l1_log_test(a->s, a->progress, &(l1_log_ground){what, g, b, 1},
                a->adding ? TM_SCREEN_DELETED : TM_SCREEN_CERTIFIED);
    if (l1_drop(a->s, outside_ball, b) > 0)
        emit(a, TM_EVENT_DROP, g);
}

/* A sub-problem solved to here counts as solved: a finer answer would not tell more. */
static double least_goal(const saif *a)
{
    return SAIF_SHARE * a->target;
}

/* ---- ADD ----------------------------------------------------------------------------------- */

static void add_features(saif *a, const l1_gap *g, size_t count)
{
    size_t before = a->s->active.count;
    for (size_t k = 0; k < count; k++)
        l1_activate(a->s, a->chosen[k]);
    if (a->s->active.count > before)
        emit(a, TM_EVENT_ADD, g);
}

/* Decides on the remaining features from products that are up to date for all p. Grows delta until
 * something can be added, or nothing remains to be added: then `adding` ends. */
static tm_status choose_added(saif *a, const l1_gap *g, const ball *b, bool solved, tm_error *err)
{
    screen_features features = l1_features(a->s);
    size_t count = 0;
    for (;;) {
        ball shrunk = *b;
        shrunk.radius *= a->delta;
        saif_added added = {.features = a->chosen};
        tm_status status =
            saif_add_choose(&features, a->s->active.has, &shrunk, &a->limits, &added, err);
        count = added.count;
        if (status != TM_OK)
            return status;
        if (added.greatest_upper >= 1)
            break;
        if (a->delta >= 1) {
            l1_log_join(a->s, a->progress,
                        &(l1_log_ground){
                            "no remaining feature reaches 1 in the whole ball: ADD ends", g, b, 1},
                        NULL, 0, TM_SCREEN_ADDED, TM_SCREEN_CERTIFIED);
            a->adding = false;
            a->goal = a->target;
            return TM_OK;
        }
        a->delta = fmin(DELTA_GROWTH * a->delta, 1);
    }
    const char *what = "ADD: the features the ball ranks above the others";
    if (count == 0 && solved) {
        what = "ADD: the sub-problem is solved and its ball ranks no feature: the best by score";
        tm_status status =
            screen_best(&features, a->s->active.has, b, a->limits.most, a->chosen, &count, err);
        if (status != TM_OK)
            return status;
    }
    a->goal = fmax(SAIF_SHARE * (count ? a->whole_gap : g->gap), least_goal(a));
    ball shrunk = {b->along_r, b->along_y, a->delta * b->radius};
    l1_log_join(a->s, a->progress, &(l1_log_ground){what, g, &shrunk, a->delta}, a->chosen, count,
                TM_SCREEN_ADDED, TM_SCREEN_KEPT);
    add_features(a, g, count);
    return TM_OK;
}

/* The pass: products of all features, the whole problem's dual point, then ADD. */
static tm_status add_step(saif *a, const l1_gap *sub, const ball *b, bool solved, tm_error *err)
{
    if (!l1_products_all(a->s, a->progress))
        return TM_OK;
    l1_gap whole = l1_gap_all(a->s);
    a->whole_dual = fmax(a->whole_dual, whole.dual);
    a->whole_gap = whole.primal - a->whole_dual;
    emit(a, TM_EVENT_CHECK, &whole);
    if (a->whole_gap <= a->target)
        return TM_OK;
    return choose_added(a, sub, b, solved, err);
}

/* ---- minimisation -------------------------------------------------------------------------- */

/* Epochs on the active set until its gap is at most the goal, it stalls, or it is stopped;
 * while features are still being added, no more than SAIF_EPOCHS (the K of algorithm 1). */
static l1_gap minimise(saif *a)
{
    l1_state *s = a->s;
    l1_gap g = {0};
    long until = a->adding ? s->it.epochs + SAIF_EPOCHS : s->options.max_iter;
    for (;;) {
        l1_state_refresh(s);
        if (!l1_products_active(s, a->progress))
            return g;
        g = l1_gap_active(s);
        if (!a->adding)
            a->whole_dual = fmax(a->whole_dual, g.dual);
        emit(a, TM_EVENT_CHECK, &g);
        if (g.gap <= a->goal || l1_stalled(s, a->change) || s->it.epochs >= s->options.max_iter ||
            s->it.epochs >= until)
            return g;
        ball b = sub_problem_ball(a, &g);
        delete_features(a, &g, &b);
        a->change = l1_sweep(s, s->options.check_every, a->progress);
        if (a->progress->stopped)
            return g;
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* A warm start begins with the features of the answer before it, and with those the strong rule
 * expects to join them at the new lambda, going by the products of that answer. Wrong guesses cost
 * an epoch or a DEL, never the optimum. */
static void begin_warm(l1_state *s)
{
    double threshold = strong_threshold(s->penalty.lambda, s->it.solved_lambda);
    for (size_t j = 0; threshold > 0 && j < s->problem.p; j++)
        if (l1_correlation(s, j) >= threshold * s->penalty.factors[j])
            l1_activate(s, j);
}

/* The features the run begins with: those of a warm start, or the h best against y. */
static tm_status begin(saif *a, tm_error *err)
{
    l1_state *s = a->s;
    size_t count = 0;
    l1_activate_support(s);
    if (s->active.count > 0) {
        begin_warm(s);
        l1_log_start(s, a->progress,
                     "the last answer's features, and those the strong rule expects", NULL);
        return TM_OK;
    }
    screen_features features = l1_features(s);
    ball at_y = {0, 1 / s->penalty.lambda, 0};
    tm_status status =
        screen_best(&features, s->active.has, &at_y, a->limits.most, a->chosen, &count, err);
    for (size_t k = 0; k < count; k++)
        l1_activate(s, a->chosen[k]);
    l1_log_start(s, a->progress, "the features with the greatest scores against the response",
                 &at_y);
    return status;
}

static tm_status run(saif *a, l1_end *end, tm_error *err)
{
    l1_state *s = a->s;
    tm_status status = begin(a, err);
    while (status == TM_OK) {
        a->change = INFINITY;
        l1_gap g = minimise(a);
        if (a->progress->stopped)
            break;
        bool solved = g.gap <= least_goal(a) || l1_stalled(s, a->change);
        ball b = sub_problem_ball(a, &g);
        if (a->adding)
            status = add_step(a, &g, &b, solved, err);
        end->converged = (a->adding ? a->whole_gap : g.primal - a->whole_dual) <= a->target;
        end->stalled = !a->adding && l1_stalled(s, a->change);
        if (end->converged || end->stalled || s->it.epochs >= s->options.max_iter ||
            a->progress->stopped)
            break;
    }
    return status;
}

static tm_status solve_saif(l1_state *s, solve_progress *progress, double target, int round,
                            l1_end *end, tm_error *err)
{
    (void)round; /* the features of the answer so far are a warm start like any other */
    saif a = {.s = s,
              .progress = progress,
              .target = target,
              .delta = s->penalty.lambda / s->null.lambda_max,
              .adding = true,
              .whole_dual = 0, /* that of theta = 0, which is feasible for every loss here */
              .whole_gap = s->null.objective,
              .goal = SAIF_SHARE * s->null.objective};
    a.limits = saif_add_limits_of(s->null.median, s->null.greatest, s->penalty.lambda, s->problem.p,
                                  s->options.add_rate, s->options.add_slack);
    a.chosen = mem_array(a.limits.most, sizeof *a.chosen);
    if (!a.chosen)
        return tm_fail_memory(err, "the active set");
    tm_status status = run(&a, end, err);
    free(a.chosen);
    return status;
}

const l1_strategy l1_strategy_saif = {.solve = solve_saif};
