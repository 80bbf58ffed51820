#include "solve/group/solve.h"

#include "base/numeric/top_k.h"
#include "model/loss/residual.h"
#include "solve/group/newton.h"
#include "solve/group/tuning.h"

#include <math.h>

/* Runs sweeps over the working set until the gap of its problem is at most `goal`. */
static void sweep_to(group_state *s, solve_progress *progress, double goal, group_end *end)
{
    double best_dual = -INFINITY, change = INFINITY, norm;
    size_t members = group_working_members(s);
    while (!progress->stopped) {
        group_state_refresh(s);
        if (!group_working_norm(s, &norm, progress))
            break;
        group_gap g = group_gap_of(s, norm);
        best_dual = fmax(best_dual, g.dual);
        progress_emit(progress, TM_EVENT_CHECK, g.primal, best_dual, g.primal - best_dual, members,
                      s->problem.penalty->members);
        end->converged = g.primal - best_dual <= goal;
        end->stalled = change <= LEAST_CHANGE * sqrt(residual_squares(s->null.dual, s->problem.n));
        if (end->converged || end->stalled || s->epochs >= s->settings.max_iter)
            break;
        change = group_sweep(s, s->settings.check_every, progress);
    }
}

tm_status group_solve_bcd(group_state *s, solve_progress *progress, double target, group_end *end,
                          tm_error *err)
{
    (void)err;
    group_work_on_all(s);
    sweep_to(s, progress, target, end);
    return TM_OK;
}

/* ---- the working set --------------------------------------------------------------------------
 */

/* Adds the blocks, at most `most`, whose products exceed t by the most. */
static tm_status join(group_state *s, double t, size_t most, size_t *joined, tm_error *err)
{
    best furthest;
    *joined = 0;
    if (!best_init(&furthest,
                   most < s->problem.penalty->blocks ? most : s->problem.penalty->blocks))
        return tm_fail_memory(err, "the working set");
    for (size_t b = 0; b < s->problem.penalty->blocks; b++) {
        if (s->set.has[b] || s->problem.reach[b] == 0)
            continue;
        group_known_products(s, b, s->room);
        double excess = group_excess(s->problem.penalty, b, t, s->room, s->room + s->problem.most);
        if (excess > 1)
            best_put(&furthest, b, excess);
    }
    best_sort(&furthest);
    for (; *joined < furthest.count; ++*joined)
        group_work_on(s, (size_t)furthest.picks[*joined].unit);
    best_clear(&furthest);
    return TM_OK;
}

/* Gap Safe screening for groups: the dual optimum is within `radius` of scale * a, so that a block
 * whose products stay within the dual ball for every point of that ball is zero. Such blocks leave
 * the working set. */
static void screen(group_state *s, solve_progress *progress)
{
    group_gap g = group_gap_of(s, group_known_norm(s));
    double radius = group_radius(s, &g);
    size_t kept = 0, before = s->set.count;
    bool moved = false;
    for (size_t k = 0; k < before; k++) {
        size_t b = s->set.blocks[k], start = s->problem.penalty->starts[b],
               count = group_size(s, b);
        group_known_products(s, b, s->room);
        for (size_t i = 0; i < count; i++)
            s->room[i] *= g.scale;
        if (!(group_excess_within(s->problem.penalty, b, s->lambda, s->room,
                                  radius * s->problem.reach[b], s->room + s->problem.most) < 1)) {
            s->set.blocks[kept++] = b;
            continue;
        }
        s->set.has[b] = false;
        for (size_t m = start; m < start + count; m++) {
            moved = moved || s->u[m] != 0;
            s->u[m] = 0;
        }
    }
    s->set.count = kept;
    if (moved)
        group_state_refresh(s);
    if (kept < before)
        progress_emit(progress, TM_EVENT_DROP, g.primal, g.dual, g.gap, group_working_members(s),
                      s->problem.penalty->members);
}

/* The initial working set of a lambda: the support and the blocks the strong rule selects, but at
 * most about as many again, since with many similar features the rule selects most of them. */
static tm_status begin_set(group_state *s, tm_error *err)
{
    size_t joined;
    if (s->lambda == 0) { /* no block is zero for sure, and a certificate's products all vanish */
        for (size_t b = 0; b < s->problem.penalty->blocks; b++)
            group_work_on(s, b);
        s->set.goal.whole_gap = 0;
        return TM_OK;
    }
    group_work_on_support(s);
    double threshold = strong_threshold(s->lambda, s->solved_lambda);
    bool near = strong_rule_applies(s->lambda, s->solved_lambda);
    size_t most = s->set.count + (near ? FEW_NEAR : FEW);
    tm_status status = join(s, near ? threshold : s->lambda, most, &joined, err);
    /* A set that contains all blocks the rule selects is assumed to be complete. */
    s->set.goal.whole_gap = near && joined < most ? 0 : FAR_GAP * s->null.objective;
    return status;
}

tm_status group_solve_active(group_state *s, solve_progress *progress, double target,
                             group_end *end, tm_error *err)
{
    size_t joined = 0;
    tm_status status;
    double known = SWEEP_SHARE * s->set.goal.whole_gap;
    if (s->set.round == 0) {
        status = begin_set(s, err);
        known = SWEEP_SHARE * s->set.goal.whole_gap;
        s->set.goal.share = SET_SHARE;
    } else {
        screen(s, progress);
        status = join(s, s->lambda, 2 * s->set.count + FEW, &joined, err);
    }
    if (status != TM_OK)
        return status;
    if (s->set.round > 0 && joined == 0) {
        set_goal_tighten(&s->set.goal);
        known = 0;
    }
    if (joined > 0)
        progress_emit(progress, TM_EVENT_ADD, NAN, NAN, s->set.goal.whole_gap,
                      group_working_members(s), s->problem.penalty->members);
    s->set.round++;
    sweep_to(s, progress, set_goal_next(&s->set.goal, target, known), end);
    end->converged = !progress->stopped && s->epochs < s->settings.max_iter;
    end->stalled = set_goal_exhausted(&s->set.goal);
    return TM_OK;
}
