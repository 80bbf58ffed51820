/* For losses that are not quadratic: Newton steps until a working set is solved. Their Hessian
 * changes with w, so that whether to compute it is a question of cost. */
#include "solve/l1/core/newton.h"
#include "solve/l1/core/tuning.h"

#include <math.h>

/* The number of sweeps before the Hessian is considered. */
static tm_status find_first_sweeps(l1_state *s, size_t *sweeps, tm_error *err)
{
    *sweeps = SIZE_MAX;
    if (s->active.count > MAX_EXACT)
        return TM_OK;
    tm_status status = l1_model_hessian(s, err);
    if (status != TM_OK)
        return status;
    const hessian *h = s->model->hessian;
    double count = (double)s->active.count;
    double exact = hessian_work(h) + count * count * (COPIES + count / FACTOR_SPEED);
    double epoch = hessian_epoch_work(h) + VISIT * count;
    bool cheap = exact <= HESSIAN_EPOCHS * epoch;
    *sweeps = cheap ? 0 : SWEEPS_FIRST + s->active.count / SWEEPS_SHARE;
    return TM_OK;
}

/* A sweep over the model, then a step with the signs it has found. After a whole step that has kept
 * the signs one epoch sees whether they are right. */
static tm_status sweep_and_step(l1_state *s, bool *kept, double *change, solve_progress *progress,
                                tm_error *err)
{
    tm_status status = TM_OK;
    long every = s->options.check_every, epochs = *kept ? 1 : BETWEEN_STEPS;
    *change = l1_sweep(s, every < epochs ? every : epochs, progress);
    l1_state_refit(s);
    if (l1_products_active(s, progress))
        status = l1_newton_signs(s, kept, progress, err);
    l1_state_refit(s);
    return status;
}

/* Counts exact steps that no longer lower the gap. */
typedef struct idle_steps {
    double least; /* least gap so far */
    int count;    /* consecutive ones */
    bool swept;   /* sweeps have been tried since */
} idle_steps;

/* Whether rounding is the limit. When the cause may be kinks instead, sets *sweeps so that sweeps
 * are tried after sweep number `sweep`. */
static bool is_idle(idle_steps *q, double gap, size_t sweep, size_t *sweeps)
{
    q->count = gap < FASTER * q->least ? 0 : q->count + 1;
    if (q->count > MAX_IDLE_STEPS && q->swept)
        return true;
    if (q->count > MAX_IDLE_STEPS) {
        q->swept = true;
        *sweeps = sweep + SWEEPS_LAST;
        q->count = 0;
    }
    q->least = fmin(q->least, gap);
    return false;
}

/* Rounds on the next model: where columns depend on each other, one leaves it far from solved. */
static long rounds_of(const idle_steps *q)
{
    int more = q->count > FEW_IDLE ? q->count - FEW_IDLE : 0;
    return MODEL_ROUNDS << (more < MAX_DOUBLED ? more : MAX_DOUBLED);
}

tm_status l1_newton_set(l1_state *s, double goal, size_t joined, solve_progress *progress,
                        tm_error *err)
{
    bool kept = false; /* the last step was a whole one that kept the signs */
    double change = INFINITY;
    idle_steps idle = {.least = INFINITY};
    size_t sweeps;
    tm_status status = find_first_sweeps(s, &sweeps, err);
    if (status == TM_OK && joined > 0)
        status = l1_newton_coordinates(s, s->active.count - joined, FIRST_PASSES, progress, err);
    for (size_t sweep = 0;
         status == TM_OK && !progress->stopped && s->it.epochs < s->options.max_iter; sweep++) {
        if (!l1_products_active(s, progress))
            break;
        l1_gap g = l1_gap_active(s);
        if (g.gap <= goal || l1_stalled(s, change))
            break;
        if (sweep < sweeps) {
            status = sweep_and_step(s, &kept, &change, progress, err);
            continue;
        }
        if (is_idle(&idle, g.gap, sweep, &sweeps))
            break;
        status = l1_newton_exact(s, g.primal, rounds_of(&idle), &change, progress, err);
        l1_state_refit(s);
    }
    return status;
}
