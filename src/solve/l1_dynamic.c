/* Coordinate minimisation over all features, with or without dynamic screening (SAIF eq. 1.21). */
#include "solve/l1.h"
#include "solve/l1_log.h"

#include <math.h>

static bool outside_ball(const l1_state *s, size_t j, const void *payload)
{
    screen_features features = l1_features(s);
    return screen_inactive(&features, j, payload);
}

/* Gap Safe: every remaining feature against the ball around the current dual point. */
static void screen(l1_state *s, solve_progress *progress, const l1_gap *g, double best_dual)
{
    ball b = l1_gap_ball(s, g);
    l1_log_test(s, progress,
                &(l1_log_ground){"every remaining feature against the gap's ball", g, &b, 1},
                TM_SCREEN_CERTIFIED);
    if (l1_drop(s, outside_ball, &b) > 0)
        progress_emit(progress, TM_EVENT_DROP, g->primal, best_dual, g->primal - best_dual,
                      s->active_count, s->p);
}

tm_status l1_solve_dynamic(l1_state *s, solve_progress *progress, double target, l1_end *end,
                           tm_error *err)
{
    (void)err;
    double best_dual = -INFINITY, change = INFINITY;
    l1_activate_all(s);
    l1_log_start(s, progress, "all features", NULL);
    while (!progress->stopped) {
        l1_state_refresh(s);
        if (!l1_products_active(s, progress))
            break;
        l1_gap g = l1_gap_of(s, l1_greatest_active(s));
        best_dual = fmax(best_dual, g.dual);
        double gap = g.primal - best_dual;
        progress_emit(progress, TM_EVENT_CHECK, g.primal, best_dual, gap, s->active_count, s->p);
        end->converged = gap <= target;
        end->stalled = l1_stalled(s, change);
        if (end->converged || end->stalled || s->epochs >= s->max_iter)
            break;
        if (s->rule == SCREEN_gap)
            screen(s, progress, &g, best_dual);
        change = l1_sweep(s, s->check_every, progress);
    }
    return TM_OK;
}
