/* Safe active incremental feature selection (SAIF 2.2, algorithms 1 and 2).
 *
 * Starts from a few features and repeats: coordinate minimisation on the active set until the
 * sub-problem's gap is small compared with that of the whole problem, as far as it is known; the
 * ball around the sub-problem's dual optimum (gap ball intersected with theorem 2's); DEL of active
 * features that the ball certifies inactive; ADD of remaining features that the ball ranks above
 * the others. Once no remaining feature can reach its constraint inside the full ball (delta = 1),
 * the sub-problem's optimum is the whole problem's, and only DEL and minimisation continue.
 *
 * Where this goes beyond the text of the algorithm (reasons in docs/screening.md):
 *   - DEL always uses the full ball; delta shrinks it only for ADD, so that the optimum of the
 *     sub-problem never increases;
 *   - features that the whole problem's ball certifies inactive are not visited again; the first
 *     test uses products that are already known;
 *   - between two evaluations of the sub-problem's gap epochs visit only the features with a
 *     weight;
 *   - while max < 1 and delta < 1, delta is increased with the same products, without another pass;
 *   - a pass over the remaining features also yields a dual point feasible for all of them, so that
 *     the whole problem's gap is known while features are still being added, and may end the run;
 *   - when the ball cannot rank the remaining features (exact duplicates), those with the greatest
 *     scores are added anyway: those that violate their constraint, or any once the sub-problem is
 *     solved;
 *   - when one ADD could add a third of all features the run starts with all. */
#include "solve/common/working_set.h"
#include "solve/l1/core/log.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/earlier_ball.h"
#include "solve/l1/strategy/strategy.h"

#include "base/memory.h"
#include "base/numeric/order.h"
#include "screen/saif_add.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct saif {
    l1_state *s;
    solve_progress *progress;
    double target;
    double delta;
    bool adding;
    int idle; /* consecutive passes after which nothing was added */
    saif_add_limits limits;
    size_t *chosen; /* limits.most */
    bool *gone;     /* p: certified inactive in the whole problem: never visited again */
    bool *skip;     /* p: active or gone */
    size_t *left;   /* p: the features that are not gone, active ones first */
    size_t left_count;
    size_t *support; /* p: the active features with a nonzero weight */
    earlier_ball earlier;
    double whole_dual; /* greatest dual value of a point known to be feasible for the whole problem,
                        * or any lower bound on the whole problem's optimum */
    double whole_gap;
    double goal; /* the gap to which the sub-problem is solved next */
    double change;
} saif;

/* ---- the ball ------------------------------------------------------------------------------ */

static ball sub_problem_ball(const saif *a, const l1_gap *g)
{
    ball_plane plane = g->plane;
    ball by_gap = l1_gap_ball(a->s, g);
    ball by_theorem_2 = a->earlier.usable
                            ? earlier_ball_at(&a->earlier, a->s, g, a->whole_dual, &plane)
                            : l1_null_ball(a->s, g);
    return ball_intersect(&plane, &by_gap, &by_theorem_2);
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
    l1_log_test(a->s, a->progress, &(l1_log_ground){what, g, b, 1, NULL},
                a->adding ? TM_SCREEN_DELETED : TM_SCREEN_CERTIFIED);
    if (l1_drop(a->s, outside_ball, b) == 0)
        return;
    emit(a, TM_EVENT_DROP, g);
    if (a->adding)
        earlier_ball_check(&a->earlier, a->s);
}

/* A sub-problem solved to this gap counts as solved: more accuracy would not give more
 * information. */
static double least_goal(const saif *a)
{
    return SAIF_SHARE * a->target;
}

/* Keeps the active set in the order of the columns, whatever the order in which features were
 * added: once all are, epochs are those of `none`. */
static void activate(l1_state *s, const size_t *features, size_t count)
{
    for (size_t k = 0; k < count; k++)
        l1_activate(s, features[k]);
    qsort(s->active.features, s->active.count, sizeof *s->active.features, order_sizes);
}

/* ---- ADD ----------------------------------------------------------------------------------- */

static void add_features(saif *a, const l1_gap *g, size_t count)
{
    size_t before = a->s->active.count;
    activate(a->s, a->chosen, count);
    if (a->s->active.count > before)
        emit(a, TM_EVENT_ADD, g);
}

/* Chooses by score among features that the ball does not rank: any of them when the sub-problem is
 * solved, so that the ball cannot improve, otherwise those that violate their constraint at its
 * centre. */
static tm_status choose_by_score(saif *a, const screen_features *features, const ball *b,
                                 bool solved, size_t *count, tm_error *err)
{
    tm_status status = screen_best(features, a->skip, b, a->limits.most, a->chosen, count, err);
    while (status == TM_OK && !solved && *count > 0 &&
           screen_centre(features, a->chosen[*count - 1], b) < 1)
        --*count;
    return status;
}

/* Decides on the remaining features from products that are up to date for all p. Increases delta
 * until something can be added or nothing remains to be added; in the latter case `adding` ends. */
static tm_status choose_added(saif *a, const l1_gap *g, const ball *b, bool solved, tm_error *err)
{
    screen_features features = l1_features(a->s);
    size_t count = 0;
    for (;;) {
        ball shrunk = *b;
        shrunk.radius *= a->delta;
        saif_added added = {.features = a->chosen};
        tm_status status = saif_add_choose(&features, a->skip, &shrunk, &a->limits, &added, err);
        count = added.count;
        if (status != TM_OK)
            return status;
        if (added.greatest_upper >= 1)
            break;
        if (a->delta >= 1) {
            l1_log_join(
                a->s, a->progress,
                &(l1_log_ground){"no remaining feature reaches 1 in the whole ball: ADD ends", g, b,
                                 1, a->gone},
                NULL, 0, TM_SCREEN_ADDED, TM_SCREEN_CERTIFIED);
            a->adding = false;
            a->goal = a->target;
            a->whole_dual = fmax(a->whole_dual, g->dual);
            delete_features(a, g, b);
            return TM_OK;
        }
        a->delta = fmin(10 * a->delta, 1); /* half and twice of 10 change the work by only 1 % */
    }
    const char *what = "ADD: the features the ball ranks above the others";
    if (count == 0) {
        what = "ADD: the ball ranks no feature: the best by score";
        tm_status status = choose_by_score(a, &features, b, solved, &count, err);
        if (status != TM_OK)
            return status;
    }
    a->idle = count > 0 ? 0 : a->idle + 1;
    a->goal = fmax(SAIF_SHARE * (count ? a->whole_gap : g->gap), least_goal(a));
    ball shrunk = {b->along_r, b->along_y, a->delta * b->radius};
    l1_log_join(a->s, a->progress, &(l1_log_ground){what, g, &shrunk, a->delta, a->gone}, a->chosen,
                count, TM_SCREEN_ADDED, TM_SCREEN_KEPT);
    add_features(a, g, count);
    return TM_OK;
}

/* Lists the features that are not gone, active ones first. */
static void list_left(saif *a)
{
    const l1_state *s = a->s;
    a->left_count = s->active.count;
    memcpy(a->left, s->active.features, s->active.count * sizeof *a->left);
    for (size_t j = 0; j < s->problem.p; j++) {
        a->skip[j] = s->active.has[j] || a->gone[j];
        if (!a->skip[j])
            a->left[a->left_count++] = j;
    }
}

static size_t rest_count(const saif *a)
{
    return a->left_count > a->s->active.count ? a->left_count - a->s->active.count : 0;
}

/* Computes the products of the features that are neither active nor gone; those of the active ones
 * are known. */
static bool pass(saif *a)
{
    l1_state *s = a->s;
    list_left(a);
    if (rest_count(a) > s->problem.p / 2)
        return l1_products_all(s, a->progress);
    return l1_products_listed(s, a->left + s->active.count, rest_count(a), a->progress);
}

/* Gap Safe: marks as gone the features that the whole problem's ball certifies inactive. */
static void discard(saif *a, const l1_gap *whole)
{
    l1_state *s = a->s;
    screen_features features = l1_features(s);
    ball b = l1_gap_ball(s, whole);
    l1_log_begin(s, a->progress,
                 &(l1_log_ground){"the remaining features against the whole problem's ball", whole,
                                  &b, 1, NULL});
    for (size_t k = s->active.count; k < a->left_count; k++) {
        size_t j = a->left[k];
        double bound = screen_upper(&features, j, &b);
        a->gone[j] = a->skip[j] = bound < 1;
        screen_log_feature(a->progress, j, bound, bound < 1 ? TM_SCREEN_CERTIFIED : TM_SCREEN_KEPT);
    }
}

/* The pass over the remaining features, the whole problem's dual point, then ADD. */
static tm_status add_step(saif *a, const l1_gap *sub, const ball *b, bool solved, tm_error *err)
{
    if (!pass(a))
        return TM_OK;
    l1_gap whole = l1_gap_listed(a->s, a->left, a->left_count);
    a->whole_dual = fmax(a->whole_dual, whole.dual);
    a->whole_gap = whole.primal - a->whole_dual;
    emit(a, TM_EVENT_CHECK, &whole);
    if (a->whole_gap <= a->target)
        return TM_OK;
    discard(a, &whole);
    return choose_added(a, sub, b, solved, err);
}

/* ---- minimisation -------------------------------------------------------------------------- */

/* Lists in `out`, in order, the active features that have a weight or are unpenalised; returns
 * their number. */
static size_t list_support(const l1_state *s, size_t *out)
{
    size_t count = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        if (s->it.w[j] != 0 || l1_factor(s, j) == 0)
            out[count++] = j;
    }
    return count;
}

/* `epochs`, but while features are still being added no more than the cost of a pass over the
 * others allows. */
static long affordable(const saif *a, long epochs, size_t features)
{
    long most = (long)(rest_count(a) / features);
    return a->adding && epochs > most ? most : epochs;
}

/* An epoch over the active set, then epochs over the features with a weight: as many as cost twice
 * an epoch over the whole active set, but at least `check_every`. When most have a weight, all
 * epochs are over the whole set. */
static double sweep(saif *a)
{
    l1_state *s = a->s;
    long every = s->options.check_every;
    if (2 * list_support(s, a->support) > s->active.count)
        return l1_sweep(s, affordable(a, every - 1, s->active.count) + 1, a->progress);
    double change = l1_sweep(s, 1, a->progress);
    l1_active whole = s->active;
    size_t count = list_support(s, a->support);
    if (count == 0 || a->progress->stopped)
        return change;
    /* A model of another loss holds where the intercept is at its optimum for the weights. */
    if (!s->problem.loss->quadratic)
        l1_state_refit(s);
    long even = (long)(2 * whole.count / count);
    s->active.features = a->support;
    s->active.count = count;
    l1_sweep(s, affordable(a, even > every - 1 ? even : every - 1, count), a->progress);
    s->active = whole;
    return change;
}

/* Epochs on the active set until its gap is at most the goal, it stalls, or the run must stop;
 * while features are still being added, with at most the column products of SAIF_WORK passes. */
static l1_gap minimise(saif *a)
{
    l1_state *s = a->s;
    l1_gap g = {0};
    uint64_t began = a->progress->columns;
    uint64_t most = (uint64_t)SAIF_WORK * rest_count(a) << (a->idle < 16 ? a->idle : 16);
    for (;;) {
        if (s->it.epochs < s->options.max_iter)
            a->change = sweep(a);
        l1_state_refresh(s);
        if (a->progress->stopped || !l1_products_active(s, a->progress))
            return g;
        g = l1_gap_active(s);
        if (!a->adding)
            a->whole_dual = fmax(a->whole_dual, g.dual);
        emit(a, TM_EVENT_CHECK, &g);
        if (g.gap <= a->goal || l1_stalled(s, a->change) || s->it.epochs >= s->options.max_iter ||
            (a->adding && a->progress->columns - began >= most))
            return g;
        ball b = sub_problem_ball(a, &g);
        delete_features(a, &g, &b);
    }
}

/* ---- the run ------------------------------------------------------------------------------- */

/* A warm start uses the features of the previous answer, and those the strong rule selects at the
 * new lambda by the products of that answer. Wrong predictions cost an epoch or a DEL, never the
 * optimum. */
static void begin_warm(l1_state *s)
{
    double threshold = strong_threshold(s->penalty.lambda, s->it.solved_lambda);
    for (size_t j = 0; threshold > 0 && j < s->problem.p; j++)
        if (l1_correlation(s, j) >= threshold * l1_factor(s, j))
            l1_activate(s, j);
}

/* Screens with products that are already known: those of the null model, or of the previous answer
 * unless its weights were set from outside or the squared penalty's contribution has changed. */
static void screen_by_known_products(saif *a, bool cold)
{
    l1_state *s = a->s;
    list_left(a);
    if (!cold && (isnan(s->it.solved_lambda) || s->penalty.ridge))
        return;
    l1_state_refresh(s);
    if (cold)
        memcpy(s->it.xr, s->null.xy, s->problem.p * sizeof *s->it.xr);
    l1_gap whole = l1_gap_listed(s, a->left, a->left_count);
    a->whole_dual = fmax(a->whole_dual, whole.dual);
    a->whole_gap = whole.primal - a->whole_dual;
    a->goal = fmax(SAIF_SHARE * a->whole_gap, least_goal(a));
    if (!cold)
        earlier_ball_keep(&a->earlier, s, &whole);
    discard(a, &whole);
}

/* The initial features: those of a warm start, or the h features with the greatest products with
 * y. */
static tm_status begin(saif *a, tm_error *err)
{
    l1_state *s = a->s;
    size_t count = 0;
    l1_activate_support(s);
    if (s->active.count > 0) {
        begin_warm(s);
        l1_log_start(s, a->progress,
                     "the last answer's features, and those the strong rule selects", NULL);
        screen_by_known_products(a, false);
        return TM_OK;
    }
    screen_features features = l1_features(s);
    ball at_y = {0, 1 / s->penalty.lambda, 0};
    if (a->limits.most == s->problem.p) {
        l1_activate_all(s);
        l1_log_start(s, a->progress, "all features: a first ADD would take most of them", &at_y);
        list_left(a);
        return TM_OK;
    }
    tm_status status =
        screen_best(&features, s->active.has, &at_y, a->limits.most, a->chosen, &count, err);
    activate(s, a->chosen, count);
    l1_log_start(s, a->progress, "the features with the greatest scores against the response",
                 &at_y);
    screen_by_known_products(a, true);
    return status;
}

static tm_status run(saif *a, l1_end *end, tm_error *err)
{
    l1_state *s = a->s;
    for (size_t j = 0; j < s->problem.p; j++)
        a->gone[j] = s->penalty.norms[j] == 0;
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
    (void)round; /* in later rounds the features of the answer so far are a warm start like any
                  * other */
    saif a = {.s = s,
              .progress = progress,
              .target = target,
              .delta = s->penalty.lambda / s->null.lambda_max,
              .adding = true,
              .whole_dual = 0, /* the dual value of theta = 0, which is feasible for every loss
                                * here */
              .whole_gap = s->null.objective,
              .goal = SAIF_SHARE * s->null.objective};
    a.limits = saif_add_limits_of(s->null.median, s->null.greatest, s->penalty.lambda, s->problem.p,
                                  s->options.add_rate, s->options.add_slack);
    if (a.limits.most > s->problem.p / SAIF_WHOLE) /* the remaining features would not be worth a
                                                    * pass */
        a.limits.most = s->problem.p;
    a.chosen = mem_array(a.limits.most, sizeof *a.chosen);
    a.gone = mem_zeros(s->problem.p, sizeof *a.gone);
    a.skip = mem_array(s->problem.p, sizeof *a.skip);
    a.left = mem_array(s->problem.p, sizeof *a.left);
    a.support = mem_array(s->problem.p, sizeof *a.support);
    bool made = earlier_ball_new(&a.earlier, s);
    tm_status status = made && a.chosen && a.gone && a.skip && a.left && a.support
                           ? run(&a, end, err)
                           : tm_fail_memory(err, "the active set");
    free(a.chosen);
    free(a.gone);
    free(a.skip);
    free(a.left);
    free(a.support);
    earlier_ball_free(&a.earlier, s);
    return status;
}

const l1_strategy l1_strategy_saif = {.solve = solve_saif};
