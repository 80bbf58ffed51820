/* Coordinate minimisation over all features, with or without dynamic screening (SAIF eq. 1.21). */
#include "solve/lasso.h"

#include <math.h>

static bool outside_ball(const lasso_state *s, size_t j, const void *payload)
{
    screen_features features = lasso_features(s);
    return screen_inactive(&features, j, payload);
}

/* Gap Safe: every remaining feature against the ball around the current dual point. */
static void screen(lasso_state *s, solve_progress *progress, const lasso_gap *g, double best_dual)
{
    ball b = ball_from_gap(g->scale, lasso_gap_widened(s, g), s->lambda);
    if (lasso_drop(s, outside_ball, &b) > 0)
        progress_emit(progress, TM_EVENT_DROP, g->primal, best_dual, g->primal - best_dual,
                      s->active_count, s->p);
}

tm_status lasso_solve_dynamic(lasso_state *s, solve_progress *progress, double target,
                              lasso_end *end, tm_error *err)
{
    (void)err;
    double best_dual = -INFINITY, change = INFINITY;
    lasso_activate_all(s);
    while (!progress->stopped) {
        lasso_state_refresh(s);
        if (!lasso_products_active(s, progress))
            break;
        lasso_gap g = lasso_gap_of(s, lasso_greatest_active(s));
        best_dual = fmax(best_dual, g.dual);
        double gap = g.primal - best_dual;
        progress_emit(progress, TM_EVENT_CHECK, g.primal, best_dual, gap, s->active_count, s->p);
        end->converged = gap <= target;
        end->stalled = lasso_stalled(s, change);
        if (end->converged || end->stalled || s->epochs >= s->max_iter)
            break;
        if (s->rule == SCREEN_gap)
            screen(s, progress, &g, best_dual);
        change = 0;
        for (long k = 0; k < s->check_every && s->epochs < s->max_iter && !progress->stopped; k++)
            change = lasso_epoch(s, progress);
    }
    return TM_OK;
}
