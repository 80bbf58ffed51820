/* `homotopy`: pathwise coordinate optimisation (Zhao, Liu and Zhang, SAIF's reference [48]).
 *
 * The initial active set consists of the last answer's features and those that the strong rule
 * selects. Coordinate minimisation runs on it until a sweep changes no product by more than delta
 * lambda; features without a weight are removed, and the feature that violates its constraint most
 * is added, one at a time, until no product exceeds (1 + delta) times its bound. The method ends
 * there, whatever the gap: an answer may lack features of the optimum, and the certificate shows
 * the resulting error. */
#include "solve/l1/core/log.h"
#include "solve/l1/strategy/epochs.h"
#include "solve/l1/strategy/hessian.h"

#include <math.h>

/* The change |d| |x_j| up to which no product with an active feature changes by more than delta
 * lambda. */
static double steady_change(const l1_state *s)
{
    double longest = 0;
    for (size_t k = 0; k < s->active.count; k++)
        longest = fmax(longest, s->penalty.norms[s->active.features[k]]);
    return longest > 0 ? s->options.delta * s->penalty.lambda / longest : 0;
}

/* The feature outside the active set that violates its constraint most, and |x_j'r| relative to the
 * bound; 0 without one. */
static double find_furthest(const l1_state *s, size_t *furthest)
{
    double greatest = 0;
    for (size_t j = 0; j < s->problem.p; j++) {
        if (s->active.has[j] || s->penalty.norms[j] == 0)
            continue;
        double level = l1_correlation(s, j) / (s->penalty.lambda * l1_factor(s, j));
        if (level > greatest) {
            greatest = level;
            *furthest = j;
        }
    }
    return greatest;
}

static void join(l1_state *s, solve_progress *progress, size_t j, double level)
{
    l1_log_begin(s, progress,
                 &(l1_log_ground){"the feature that violates its constraint most is added", NULL,
                                  NULL, 1, NULL});
    screen_log_feature(progress, j, level, TM_SCREEN_ADDED);
    l1_activate(s, j);
    screen_log_active(progress, s->active.count);
}

static tm_status solve_homotopy(l1_state *s, solve_progress *progress, double target, int round,
                                l1_end *end, tm_error *err)
{
    (void)err;
    (void)target;
    double none = -INFINITY;
    if (round == 0) {
        l1_activate_support(s);
        l1_strong_begin(s);
        l1_log_start(s, progress, "the last answer's features, and those the strong rule selects",
                     NULL);
    }
    while (!progress->stopped) {
        size_t furthest = 0;
        l1_epochs epochs = {.target = -INFINITY, .steady = steady_change(s), .whole_dual = &none};
        l1_minimise(s, progress, &epochs, end);
        if (!end->converged && !end->stalled)
            break;
        l1_activate_support(s);
        l1_state_refresh(s);
        if (!l1_products_all(s, progress))
            break;
        double level = find_furthest(s, &furthest);
        if (!(level > 1 + s->options.delta))
            break;
        join(s, progress, furthest, level);
    }
    end->stalled = end->ruled = true;
    return TM_OK;
}

const l1_strategy l1_strategy_homotopy = {.solve = solve_homotopy};
