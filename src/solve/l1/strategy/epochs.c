/* Coordinate minimisation over all features that are not certified inactive: `none`, `gap` (SAIF
 * eq. 1.21), the sequential rules, and shrinking (VI 4.1). */
#include "solve/l1/strategy/epochs.h"
#include "solve/l1/core/log.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/sequential.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool outside_ball(const l1_state *s, size_t j, const void *payload)
{
    screen_features features = l1_features(s);
    return screen_inactive(&features, j, payload);
}

/* Gap Safe: tests every remaining feature against the ball around the current dual point. */
static void screen_by_gap(l1_state *s, solve_progress *progress, const l1_gap *g, double best_dual)
{
    ball b = l1_gap_ball(s, g);
    l1_log_test(s, progress,
                &(l1_log_ground){"every remaining feature against the gap's ball", g, &b, 1, NULL},
                TM_SCREEN_CERTIFIED);
    if (l1_drop(s, outside_ball, &b) > 0)
        progress_emit(progress, TM_EVENT_DROP, g->primal, best_dual, g->primal - best_dual,
                      s->active.count, s->problem.p);
}

/* ---- shrinking ----------------------------------------------------------------------------- */

/* Begins shrinking; the present active set is the full set that is restored later. */
static tm_status begin_shrinking(l1_state *s, l1_shrinking *q, tm_error *err)
{
    if (!q->whole_set)
        q->whole_set = mem_array(s->problem.p, sizeof *q->whole_set);
    if (!q->whole_set)
        return tm_fail_memory(err, "shrinking");
    memcpy(q->whole_set, s->active.features, s->active.count * sizeof *s->active.features);
    q->whole_count = s->active.count;
    q->violation_before = INFINITY;
    s->shrinking = q;
    return TM_OK;
}

/* Restores all features, after those that have stayed. */
static void reactivate(l1_state *s, l1_shrinking *q)
{
    for (size_t k = 0; k < q->whole_count; k++)
        l1_activate(s, q->whole_set[k]);
    q->violation_before = INFINITY;
}

static double level_of(const l1_state *s, size_t j)
{
    return l1_correlation(s, j) / (s->penalty.lambda * l1_factor(s, j));
}

/* Leaves out again all but the first `count` of the active set, except features with a weight or no
 * longer below their threshold. */
static void leave_out(l1_state *s, solve_progress *progress, size_t count)
{
    size_t kept = count, before = s->active.count;
    l1_log_begin(s, progress,
                 &(l1_log_ground){"features left out by shrinking stay out", NULL, NULL, 1, NULL});
    for (size_t k = count; k < before; k++) {
        size_t j = s->active.features[k];
        double level = level_of(s, j);
        s->active.has[j] = !(level < 1);
        if (s->active.has[j])
            s->active.features[kept++] = j;
        else
            screen_log_feature(progress, j, level, TM_SCREEN_DELETED);
    }
    s->active.count = kept;
    screen_log_active(progress, kept);
}

/* Epochs with shrinking, and their entry in the screen log. */
static double sweep(l1_state *s, solve_progress *progress)
{
    size_t count = s->active.count, *before = NULL;
    if (s->shrinking && screen_log_wanted(progress))
        before = mem_array(count, sizeof *before);
    if (before)
        memcpy(before, s->active.features, count * sizeof *before);
    double change = l1_sweep(s, s->options.check_every, progress);
    if (before && s->active.count < count) {
        l1_log_ground ground = {
            "shrinking: features of weight 0 well below their threshold are left out", NULL, NULL,
            1, NULL};
        l1_log_begin(s, progress, &ground);
        for (size_t k = 0; k < count; k++)
            if (!s->active.has[before[k]])
                screen_log_feature(progress, before[k], level_of(s, before[k]), TM_SCREEN_DELETED);
    }
    free(before);
    return change;
}

/* Restores the features left out by shrinking and checks their constraints: the solution of the
 * shrunken problem does not cover them. */
static void check_left_out(l1_state *s, solve_progress *progress, const l1_gap *g)
{
    size_t stayed = s->active.count;
    reactivate(s, s->shrinking);
    l1_log_begin(
        s, progress,
        &(l1_log_ground){"the rest is solved, or takes long: features left out by shrinking return",
                         g, NULL, 1, NULL});
    for (size_t k = stayed; k < s->active.count; k++)
        screen_log_feature(progress, s->active.features[k], level_of(s, s->active.features[k]),
                           TM_SCREEN_ADDED);
}

/* ---- epochs -------------------------------------------------------------------------------- */

static void report(const l1_state *s, solve_progress *progress, const l1_gap *g, double dual)
{
    if (isfinite(dual))
        progress_emit(progress, TM_EVENT_CHECK, g->primal, dual, g->primal - dual, s->active.count,
                      s->problem.p);
}

void l1_minimise(l1_state *s, solve_progress *progress, const l1_epochs *e, l1_end *end)
{
    double best_dual = -INFINITY, change = INFINITY;
    uint64_t looked = progress->columns; /* columns counted when all features were last checked */
    size_t stayed = s->active.count;
    *end = (l1_end){0};
    while (!progress->stopped) {
        l1_state_refresh(s);
        if (!l1_products_active(s, progress))
            break;
        l1_gap g = l1_gap_active(s);
        const l1_shrinking *q = s->shrinking;
        bool left_out = q && s->active.count < q->whole_count;
        if (!left_out) {
            best_dual = fmax(best_dual, g.dual);
            looked = progress->columns;
        }
        report(s, progress, &g, e->whole_dual ? *e->whole_dual : best_dual);
        bool stalled = l1_stalled(s, change);
        bool waited = q && progress->columns - looked >= REST_EPOCHS * q->whole_count;
        if (left_out && (g.gap <= e->target || waited || stalled)) {
            stayed = s->active.count;
            check_left_out(s, progress, &g);
            if (stalled) /* whether rounding is the limit has to be decided on all of them */
                s->shrinking = NULL;
            change = INFINITY;
            continue;
        }
        end->converged = g.gap <= e->target /* as the certificate will compute it */
                         || change <= e->steady;
        end->stalled = stalled;
        if (end->converged || stalled || s->it.epochs >= s->options.max_iter)
            break;
        if (e->screens)
            screen_by_gap(s, progress, &g, best_dual);
        stayed = s->active.count;
        change = sweep(s, progress);
    }
    if (s->shrinking && end->converged && stayed < s->active.count)
        leave_out(s, progress, stayed);
    s->shrinking = NULL;
}

/* ---- the strategies ------------------------------------------------------------------------- */

typedef struct epochs_own {
    l1_shrinking shrinking;
    l1_earlier *earlier; /* for sequential rules; NULL until needed */
} epochs_own;

static void close(void *own)
{
    epochs_own *q = own;
    free(q->shrinking.whole_set);
    l1_earlier_free(q->earlier);
}

static void certified(l1_state *s, double gap)
{
    (void)gap;
    l1_earlier_keep(s, ((epochs_own *)s->own)->earlier);
}

static void forget(l1_state *s)
{
    l1_earlier_forget(((epochs_own *)s->own)->earlier);
}

tm_status l1_screen_by_region(l1_state *s, solve_progress *progress, tm_error *err)
{
    screen_rule_region *region = screen_region_of(s->options.rule);
    epochs_own *own = s->own;
    return region ? l1_screen_sequential(s, &own->earlier, region, progress, err) : TM_OK;
}

/* Epochs over all features; those left out by shrinking are restored in each round. */
static tm_status solve_all(l1_state *s, solve_progress *progress, double target, int round,
                           l1_end *end, tm_error *err)
{
    tm_status status = TM_OK;
    epochs_own *own = s->own;
    bool shrinks = s->options.shrink || s->options.rule == SCREEN_shrink;
    if (round == 0) {
        l1_activate_all(s);
        l1_log_start(s, progress, "all features", NULL);
        status = l1_screen_by_region(s, progress, err);
        if (status == TM_OK && shrinks)
            status = begin_shrinking(s, &own->shrinking, err);
    } else if (shrinks) {
        reactivate(s, &own->shrinking);
        s->shrinking = &own->shrinking;
    }
    if (status == TM_OK)
        l1_minimise(s, progress, &(l1_epochs){.target = target}, end);
    return status;
}

tm_status l1_solve_gap(l1_state *s, solve_progress *progress, double target, int round, l1_end *end,
                       tm_error *err)
{
    (void)err;
    if (round == 0) {
        l1_activate_all(s);
        l1_log_start(s, progress, "all features", NULL);
    }
    l1_minimise(s, progress, &(l1_epochs){.target = target, .screens = true}, end);
    return TM_OK;
}

const l1_strategy l1_strategy_none = {
    .solve = solve_all, .own_size = sizeof(epochs_own), .close = close};
const l1_strategy l1_strategy_shrink = {
    .solve = solve_all, .own_size = sizeof(epochs_own), .close = close};
const l1_strategy l1_strategy_gap = {.solve = l1_solve_gap};
const l1_strategy l1_strategy_region = {.solve = solve_all,
                                        .own_size = sizeof(epochs_own),
                                        .close = close,
                                        .certified = certified,
                                        .forget = forget};
