/* The loop of epochs and evaluations of the gap. */
#include "solve/samples/screen.h"
#include "solve/samples/tuning.h"

#include <math.h>

/* Runs epochs until the estimate of the gap says that evaluating it is worthwhile. The estimate
 * takes each sample as it was visited: steps on others behind it, or while it rested, are not in
 * it. Where it has been wrong about the target, only Newton steps look at all samples at once. */
bool svm_go_on(svm *m, double target, solve_progress *progress)
{
    svm_state *s = &m->state;
    double goal = fmax(target, LOOK_SHARE * m->gap.gap), estimate = INFINITY;
    if ((m->screen & SVM_SHRINKS) && s->space->settle)
        s->space->settle(s);
    for (int k = 0; k < MAX_EPOCHS_UNSEEN && estimate > goal && s->counts.epochs < m->max_iter; k++)
        if (!s->space->epoch(s, m->screen & SVM_SHRINKS, &estimate, progress))
            return false;
    bool met = estimate <= target && !m->promised;
    m->promised = estimate <= target;
    return met || svm_newton(m, progress);
}

/* The optimal w is within the square root of the gap of this one. */
static bool screen_by_gap(svm *m, solve_progress *progress)
{
    svm_state *s = &m->state;
    for (size_t k = 0; k < s->count; k++)
        m->centre[s->set[k]] = s->f[s->set[k]];
    sample_ball ball = {m->centre, sqrt(fmax(m->gap.gap, 0)), svm_size(s), {0, 0, 0}};
    svm_ball_intercepts(s, &ball);
    return svm_screen_ball(m, &ball, "gap: samples certified by the ball", progress);
}

bool svm_descend(svm *m, double target, solve_progress *progress, bool *converged, bool *stalled)
{
    svm_state *s = &m->state;
    double best = INFINITY, before = -INFINITY;
    *converged = *stalled = false;
    for (int idle = 0;;) {
        if (!svm_state_unshrink(s, progress) || !svm_state_find_gap(s, &m->gap, progress))
            return false;
        const svm_gap *at = &m->gap;
        progress_emit(progress, TM_EVENT_CHECK, at->dual + at->gap, at->dual, at->gap, s->count,
                      s->problem->n);
        bool better =
            at->gap < WORTHWHILE * best || at->dual > before + INCREASE * m->null_objective;
        idle = better ? 0 : idle + 1;
        best = fmin(best, at->gap);
        before = at->dual;
        *converged = at->gap <= target;
        *stalled = !*converged && idle > MAX_IDLE;
        if (*converged || *stalled || s->counts.epochs >= m->max_iter)
            return true;
        if ((m->screen & SVM_GAP) && !screen_by_gap(m, progress))
            return false;
        if (!svm_go_on(m, target, progress))
            return false;
    }
}
