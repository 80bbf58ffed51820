/* The steps of the screen log that do not belong to a test: the start, and the certificate. */
#include "solve/samples/screen.h"

#include "solve/common/screen_log.h"

#include <math.h>

void svm_log_begin(const svm *m, const svm_gap *at, double radius, const char *what,
                   solve_progress *progress)
{
    tm_screen_step step = screen_log_step(what, m->state.count);
    step.dual = at->dual;
    step.gap = at->gap;
    step.primal = at->dual + at->gap;
    step.radius = radius;
    screen_log_begin(progress, &step);
}

void svm_log_start(const svm *m, const char *what, solve_progress *progress)
{
    const svm_state *s = &m->state;
    svm_gap unknown = {.gap = NAN, .dual = NAN};
    if (!screen_log_wanted(progress))
        return;
    svm_log_begin(m, &unknown, NAN, what, progress);
    for (size_t k = 0; k < s->count; k++)
        screen_log_feature(progress, s->set[k], NAN, TM_SCREEN_STARTED);
}

/* All samples at the dual point of the certificate. */
static bool evaluate(svm_state *s, const svm *m, svm_gap *at, solve_progress *progress)
{
    hinge_feasible(&m->problem.of, m->state.theta, s->theta);
    svm_state_fill(s);
    return svm_state_refresh(s, progress) && svm_state_find_gap(s, at, progress);
}

static void log_certificate(const svm *m, svm_state *s, const svm_gap *at, solve_progress *progress)
{
    sample_ball ball = {s->f, sqrt(fmax(at->gap, 0)), svm_size(s), {0, 0, 0}};
    svm_ball_intercepts(s, &ball);
    svm_log_begin(m, at, ball.radius, "the certificate: every sample against its gap's ball",
                  progress);
    for (size_t k = 0; k < s->count; k++) {
        size_t i = s->set[k];
        hinge_interval margin = svm_ball_margin(s, &ball, i);
        double c = m->problem.c[i];
        svm_log_sample(s, &ball, i,
                       margin.low > c    ? TM_SCREEN_CERTIFIED
                       : margin.high < c ? TM_SCREEN_AT_LIMIT
                                         : TM_SCREEN_KEPT,
                       progress);
    }
}

/* Made on a state of its own and with counters of its own, so that a run with a log takes the same
 * steps and reports the same cost as one without; it needs each row once, so its cache holds none
 * beside those of the run. */
tm_status svm_log_certificate(svm *m, solve_progress *progress, tm_error *err)
{
    svm_gap at;
    solve_progress uncounted = *progress;
    if (!screen_log_wanted(progress))
        return TM_OK;
    svm_state s;
    tm_status status = svm_state_make(&s, &m->problem, 0, err);
    uncounted.monitor.log = NULL;
    if (status == TM_OK && evaluate(&s, m, &at, &uncounted))
        log_certificate(m, &s, &at, progress);
    if (status == TM_OK && s.no_memory)
        status = tm_fail_memory(err, "rows of the kernel");
    svm_state_clear(&s);
    return status;
}
