#include "solve/l1/strategy/working_set.h"

#include "base/memory.h"
#include "model/loss/residual.h"
#include "screen/saif_add.h"
#include "solve/l1/core/log.h"
#include "solve/l1/core/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool working_new(l1_working *q)
{
    const l1_state *s = q->s;
    q->dual = mem_array(s->problem.n, sizeof *q->dual);
    q->fresh = mem_array(s->problem.n, sizeof *q->fresh);
    q->products = mem_array(s->problem.p, sizeof *q->products);
    q->gone = mem_zeros(s->problem.p, sizeof *q->gone);
    q->skip = mem_array(s->problem.p, sizeof *q->skip);
    q->was = mem_array(s->problem.p, sizeof *q->was);
    q->near = mem_array(s->problem.p, sizeof *q->near);
    q->chosen = mem_array(s->problem.p, sizeof *q->chosen);
    return q->was && q->near && q->dual && q->fresh && q->products && q->gone && q->skip &&
           q->chosen;
}

static void working_free(l1_working *q)
{
    free(q->dual);
    free(q->fresh);
    free(q->products);
    free(q->gone);
    free(q->skip);
    free(q->was);
    free(q->near);
    free(q->chosen);
}

void l1_working_dual(const l1_state *s, double *out)
{
    for (size_t i = 0; i < s->problem.n; i++)
        out[i] = s->it.r[i] + s->it.shift * samples_weight(&s->problem.of, i);
}

/* ---- the dual point ------------------------------------------------------------------------ */

/* Computes products of `fresh` with the remaining features, into s->it.xr. */
static bool pass(l1_working *q)
{
    l1_state *s = q->s;
    if (q->remaining > s->problem.p / 2)
        return l1_products_of(s, q->fresh, s->it.xr, q->progress);
    double left = s->problem.intercept ? residual_sum(q->fresh, s->problem.n) : 0;
    for (size_t j = 0; j < s->problem.p; j++) {
        if (q->gone[j])
            continue;
        s->it.xr[j] = tm_matrix_dot(s->problem.x, j, q->fresh) -
                      (s->problem.intercept ? s->problem.means[j] * left : 0);
        q->progress->columns++;
        if (progress_work(q->progress, s->problem.n))
            return false;
    }
    return true;
}

/* The initial dual point: the answer's dual variables, scaled; their products are known unless the
 * weights were set from outside. */
static bool begin(l1_working *q)
{
    l1_state *s = q->s;
    double scale;
    l1_state_refresh(s);
    l1_working_dual(s, q->fresh);
    q->remaining = 0;
    for (size_t j = 0; j < s->problem.p; j++) {
        q->gone[j] = s->penalty.norms[j] == 0;
        q->remaining += !q->gone[j];
    }
    if (isnan(s->it.solved_lambda) && !pass(q))
        return false;
    q->value = l1_dual_at(s, q->fresh, l1_greatest_all(s), &scale);
    for (size_t i = 0; i < s->problem.n; i++)
        q->dual[i] = scale * q->fresh[i];
    for (size_t j = 0; j < s->problem.p; j++)
        if (!q->gone[j])
            q->products[j] = scale * s->it.xr[j];
    return true;
}

/* ---- features ------------------------------------------------------------------------------ */

/* The distance of the dual point from feature j's constraint. */
static double distance(const l1_working *q, size_t j)
{
    const l1_state *s = q->s;
    return (s->penalty.lambda * l1_factor(s, j) - l1_correlation_of(s, j, q->products[j])) /
           s->penalty.norms[j];
}

static void log_ball(const l1_working *q, const l1_gap *g, double radius)
{
    tm_screen_step step =
        screen_log_step("every remaining feature against the gap's ball", q->s->active.count);
    step.primal = g->primal;
    step.dual = g->dual;
    step.gap = g->gap;
    step.radius = radius;
    step.at.centre = step.at.theta =
        l1_log_vector(q->s, q->progress, 1 / q->s->penalty.lambda, q->dual, 0);
    l1_log_terms(q->s, q->progress);
    screen_log_begin(q->progress, &step);
}

static bool is_gone(const l1_state *s, size_t j, const void *payload)
{
    (void)s;
    return ((const bool *)payload)[j];
}

/* Gap Safe around the dual point. Features of the support may be discarded too: their weights
 * become 0. */
static void discard(l1_working *q, const l1_gap *g)
{
    l1_state *s = q->s;
    double radius = l1_gap_ball(s, g).radius * s->penalty.lambda;
    size_t before = q->remaining;
    log_ball(q, g, radius / s->penalty.lambda);
    for (size_t j = 0; j < s->problem.p; j++) {
        if (q->gone[j])
            continue;
        double beyond = distance(q, j) - radius * (1 + DISTANCE);
        q->gone[j] = l1_factor(s, j) > 0 &&
                     beyond > DISTANCE * s->penalty.lambda * l1_factor(s, j) / s->penalty.norms[j];
        q->remaining -= q->gone[j];
        screen_log_feature(q->progress, j,
                           1 - beyond * s->penalty.norms[j] / (s->penalty.lambda * l1_factor(s, j)),
                           q->gone[j] ? TM_SCREEN_CERTIFIED : TM_SCREEN_KEPT);
    }
    l1_drop(s, is_gone, q->gone);
    screen_log_active(q->progress, s->active.count);
    if (q->remaining < before)
        progress_emit(q->progress, TM_EVENT_DROP, g->primal, q->value, q->gap, q->remaining,
                      s->problem.p);
}

/* Logs the features that were added to or removed from the working set; `was` is the previous
 * one. */
static void log_choice(const l1_working *q)
{
    const l1_state *s = q->s;
    if (!screen_log_wanted(q->progress))
        return;
    l1_log_ground ground = {
        "the working set: the support, and the features nearest to their constraint", NULL, NULL, 1,
        NULL};
    l1_log_begin(s, q->progress, &ground);
    for (size_t j = 0; j < s->problem.p; j++) {
        double level =
            l1_correlation_of(s, j, q->products[j]) / (s->penalty.lambda * l1_factor(s, j));
        if (s->active.has[j] != q->was[j])
            screen_log_feature(q->progress, j, level,
                               s->active.has[j] ? TM_SCREEN_ADDED : TM_SCREEN_DELETED);
    }
}

/* The next working set: the support, and the others nearest to their constraint. */
static tm_status choose(l1_working *q, tm_error *err)
{
    l1_state *s = q->s;
    size_t count = 0;
    memcpy(q->was, s->active.has, s->problem.p * sizeof *q->was);
    l1_activate_support(s);
    for (size_t j = 0; j < s->problem.p; j++) {
        q->skip[j] = q->gone[j] || s->active.has[j];
        q->near[j] = q->skip[j] ? 0 : -distance(q, j);
    }
    tm_status status =
        screen_greatest(q->near, q->skip, s->problem.p, q->size, q->chosen, &count, err);
    for (size_t k = 0; status == TM_OK && k < count; k++)
        l1_activate(s, q->chosen[k]);
    log_choice(q);
    progress_emit(q->progress, TM_EVENT_ADD, q->value + q->gap, q->value, q->gap, s->active.count,
                  s->problem.p);
    return status;
}

static size_t support_size(const l1_state *s)
{
    size_t count = 0;
    for (size_t k = 0; k < s->active.count; k++)
        count += s->it.w[s->active.features[k]] != 0;
    return count;
}

/* ---- the run ------------------------------------------------------------------------------- */

/* The whole problem's gap: primal at w, dual at the point. */
static l1_gap whole_gap(l1_working *q)
{
    l1_gap g = l1_gap_active(q->s);
    g.dual = q->value;
    q->gap = g.gap = g.primal - q->value;
    progress_emit(q->progress, TM_EVENT_CHECK, g.primal, q->value, q->gap, q->s->active.count,
                  q->s->problem.p);
    return g;
}

static tm_status run(l1_working *q, const l1_working_ops *ops, l1_end *end, tm_error *err)
{
    l1_state *s = q->s;
    bool stalled = false, complete = false;
    double before = INFINITY, share = WORKING_SHARE;
    int idle_complete = 0;
    for (;;) {
        l1_gap g = whole_gap(q);
        end->converged = q->gap <= q->target;
        q->idle = q->gap < before ? 0 : q->idle + 1;
        share = q->idle ? CLOSER * share : WORKING_SHARE;
        idle_complete = q->idle && complete ? idle_complete + 1 : 0;
        end->stalled = complete && (stalled || idle_complete > MAX_IDLE_ROUNDS);
        if (end->converged || end->stalled || q->progress->stopped ||
            s->it.epochs >= s->options.max_iter)
            return TM_OK;
        discard(q, &g);
        size_t twice = 2 * support_size(s);
        size_t grown = q->gap <= GOOD_PROGRESS * before ? WORKING_LEAST : 2 * q->size;
        q->size = twice > grown ? twice : grown;
        before = fmin(before, q->gap);
        tm_status status = choose(q, err);
        if (status != TM_OK)
            return status;
        complete = s->active.count >= q->remaining;
        stalled = ops->solve(q, fmax(share * q->gap, CLOSER * share * q->target), ops->payload);
        if (q->progress->stopped || !pass(q))
            return TM_OK;
        ops->advance(q);
    }
}

tm_status l1_solve_working(l1_state *s, solve_progress *progress, double target, int round,
                           const l1_working_ops *ops, l1_end *end, tm_error *err)
{
    l1_working q = {.s = s, .progress = progress, .target = target, .size = WORKING_LEAST / 2};
    tm_status status = working_new(&q) ? TM_OK : tm_fail_memory(err, "the working set");
    if (status == TM_OK) {
        if (round == 0) {
            l1_activate_support(s);
            l1_log_start(s, progress, "the last answer's features", NULL);
        }
        if (begin(&q))
            status = run(&q, ops, end, err);
    }
    working_free(&q);
    return status;
}
