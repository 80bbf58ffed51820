/* Sequential strategies that are not safe by themselves: `strong`, `hessian` and `strong_once`.
 *
 * Each predicts from the answer at the previous lambda which features will be active and solves the
 * problem on those. The caller's certificate checks all others: those that violate their constraint
 * are added and the problem is solved again, so that the answer is certified. `strong_once` differs
 * from `strong` in that it never adds features: whatever the prediction has missed stays missing,
 * and the certificate shows it. */
#include "solve/common/working_set.h"
#include "solve/l1/core/log.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/epochs.h"
#include "solve/l1/strategy/hessian.h"

#include <math.h>

typedef struct guess_own {
    set_goal goal;
    gram *cache; /* for `hessian`; NULL until needed */
} guess_own;

static void close(void *own)
{
    gram_free(((guess_own *)own)->cache);
}

static tm_status begin(l1_state *s, solve_progress *progress, tm_error *err)
{
    guess_own *own = s->own;
    own->goal.share = 1;
    l1_activate_support(s);
    if (s->options.rule == SCREEN_hessian)
        return l1_hessian_begin(s, &own->cache, progress, err);
    l1_strong_begin(s);
    l1_log_start(s, progress, "the last answer's features, and those the strong rule selects",
                 NULL);
    return TM_OK;
}

/* Adds the features that violate their constraint in the certificate; returns how many. */
static size_t repair(l1_state *s, solve_progress *progress)
{
    size_t joined = 0;
    l1_log_begin(s, progress,
                 &(l1_log_ground){"the check: features that violate their constraint are added",
                                  NULL, NULL, 1, NULL});
    for (size_t j = 0; j < s->problem.p; j++) {
        double size = l1_correlation(s, j), limit = s->penalty.lambda * l1_factor(s, j);
        if (s->active.has[j] || s->penalty.norms[j] == 0)
            continue;
        screen_log_feature(progress, j, size / limit,
                           size > limit ? TM_SCREEN_ADDED : TM_SCREEN_KEPT);
        if (size > limit) {
            l1_activate(s, j);
            joined++;
        }
    }
    screen_log_active(progress, s->active.count);
    return joined;
}

static tm_status solve_guess(l1_state *s, solve_progress *progress, double target, int round,
                             l1_end *end, tm_error *err)
{
    guess_own *own = s->own;
    double none = -INFINITY;
    bool complete = false; /* the last certificate found nothing to add */
    if (round == 0) {
        tm_status status = begin(s, progress, err);
        if (status != TM_OK)
            return status;
    } else if (repair(s, progress) == 0) {
        own->goal.share *= CLOSER;
        complete = true;
    }
    l1_epochs epochs = {.target = own->goal.share * target, .whole_dual = &none};
    l1_minimise(s, progress, &epochs, end);
    /* However it ended, the certificate may still find features to add. */
    end->stalled = complete && (end->stalled || set_goal_exhausted(&own->goal));
    end->converged = !progress->stopped && s->it.epochs < s->options.max_iter;
    return TM_OK;
}

/* Converged once the set is solved, whatever the certificate will find. */
static tm_status solve_once(l1_state *s, solve_progress *progress, double target, int round,
                            l1_end *end, tm_error *err)
{
    tm_status status = solve_guess(s, progress, target, round, end, err);
    end->stalled = end->ruled = true;
    return status;
}

static bool needs_certificate(const l1_state *s)
{
    (void)s;
    return true;
}

#define GUESS(solver)                                                                              \
    {                                                                                              \
        .solve = (solver), .own_size = sizeof(guess_own), .close = close,                          \
        .needs_certificate = needs_certificate                                                     \
    }
const l1_strategy l1_strategy_strong = GUESS(solve_guess);
const l1_strategy l1_strategy_hessian = GUESS(solve_guess);
const l1_strategy l1_strategy_strong_once = GUESS(solve_once);
