/* The loop of epochs and looks at the gap. */
#include "solve/samples/svm.h"
#include "solve/samples/tuning.h"

#include <math.h>

/* Looks that bring nothing before rounding is taken to have stopped the descent. */
enum { MAX_IDLE = 4 };

/* Epochs until the estimate of the gap says that a look is worth it. */
static bool go_on(svm *m, double target, solve_progress *progress)
{
    svm_state *s = &m->state;
    double goal = fmax(target, LOOK_SHARE * m->gap.gap), estimate = INFINITY;
    for (int k = 0; k < MAX_EPOCHS_UNSEEN && estimate > goal && s->counts.epochs < m->max_iter; k++)
        if (!s->space->epoch(s, m->screen != SVM_NONE, &estimate, progress))
            return false;
    return estimate <= target || svm_newton(m, progress);
}

bool svm_descend(svm *m, double target, solve_progress *progress, bool *converged, bool *stalled)
{
    svm_state *s = &m->state;
    double best = INFINITY, before = -INFINITY;
    *converged = *stalled = false;
    for (int idle = 0;;) {
        if (!svm_state_unshrink(s, progress) || !svm_state_look(s, &m->gap, progress))
            return false;
        const svm_gap *at = &m->gap;
        progress_emit(progress, TM_EVENT_CHECK, at->dual + at->gap, at->dual, at->gap, s->count,
                      s->problem->n);
        bool better = at->gap < 0.99 * best || at->dual > before + 1e-15 * m->null_objective;
        idle = better ? 0 : idle + 1;
        best = fmin(best, at->gap);
        before = at->dual;
        *converged = at->gap <= target;
        *stalled = !*converged && idle > MAX_IDLE;
        if (*converged || *stalled || s->counts.epochs >= m->max_iter)
            return true;
        if (!go_on(m, target, progress))
            return false;
    }
}
