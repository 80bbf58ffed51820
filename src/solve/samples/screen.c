#include "solve/samples/screen.h"

#include "data/matrix/kernels.h"
#include "solve/common/screen_log.h"
#include "solve/samples/tuning.h"

#include <math.h>

double svm_size(const svm_state *s)
{
    double squares = 0;
    if (!svm_keeps_products(s))
        return sqrt(kernel_dot(s->w, s->w, s->problem->p) + s->w0 * s->w0);
    for (size_t i = 0; i < s->problem->n; i++)
        squares += s->theta[i] > 0 ? s->theta[i] * svm_y(s, i) * s->f[i] : 0;
    return sqrt(fmax(squares, 0));
}

static double radius_of(const svm_state *s, const sample_ball *ball, size_t i)
{
    return s->problem->length[i] * (ball->radius * (1 + PRODUCT_LOST) + PRODUCT_LOST * ball->size);
}

/* The optimal b decreases when all predictions increase: the ends of its interval are those for the
 * greatest and the least predictions. */
void svm_ball_intercepts(svm_state *s, sample_ball *ball)
{
    ball->b = (hinge_interval){0, 0, 0};
    if (s->problem->of.intercept != HINGE_FREE)
        return;
    for (size_t k = 0; k < s->count; k++)
        s->value[s->set[k]] = ball->f[s->set[k]] + radius_of(s, ball, s->set[k]);
    ball->b.low = svm_state_intercepts(s, s->value).low;
    for (size_t k = 0; k < s->count; k++)
        s->value[s->set[k]] = ball->f[s->set[k]] - radius_of(s, ball, s->set[k]);
    ball->b.high = svm_state_intercepts(s, s->value).high;
}

hinge_interval svm_ball_margin(const svm_state *s, const sample_ball *ball, size_t i)
{
    double r = radius_of(s, ball, i), middle = svm_y(s, i) * ball->f[i];
    if (svm_y(s, i) > 0)
        return (hinge_interval){middle - r + ball->b.low, middle + r + ball->b.high, middle};
    return (hinge_interval){middle - r - ball->b.high, middle + r - ball->b.low, middle};
}

void svm_log_sample(const svm_state *s, const sample_ball *ball, size_t i, tm_screen_action action,
                    solve_progress *progress)
{
    if (!screen_log_wanted(progress))
        return;
    double low = svm_ball_margin(s, ball, i).low;
    screen_log_feature(progress, i, 1 + s->problem->c[i] - low, action);
}

/* Whether the sample at `i` can be moved where the test says. */
static bool may_be_put(const svm_state *s, size_t i, double theta)
{
    return s->problem->of.intercept != HINGE_FREE || s->theta[i] == theta;
}

/* The place that the test proves for the sample; SAMPLE_WORKED: it proves none. */
static sample_place tested(const svm_state *s, const sample_ball *ball, size_t i)
{
    const svm_problem *q = s->problem;
    hinge_interval margin = svm_ball_margin(s, ball, i);
    if (margin.low > q->c[i] && may_be_put(s, i, 0))
        return SAMPLE_OUT;
    if (margin.high < q->c[i] && may_be_put(s, i, q->u[i]))
        return SAMPLE_BOUND;
    return SAMPLE_WORKED;
}

static const tm_screen_action actions[] = {[SAMPLE_WORKED] = TM_SCREEN_KEPT,
                                           [SAMPLE_OUT] = TM_SCREEN_CERTIFIED,
                                           [SAMPLE_BOUND] = TM_SCREEN_AT_LIMIT};

/* All samples are tested before the first one moves, because steps change f. */
bool svm_screen_ball(svm *m, const sample_ball *ball, const char *what, solve_progress *progress)
{
    svm_state *s = &m->state;
    size_t before = s->count, moved = 0;
    svm_log_begin(m, &m->gap, ball->radius, what, progress);
    for (size_t k = 0; k < s->count; k++) {
        size_t i = s->set[k];
        sample_place to = tested(s, ball, i);
        s->place[i] = (unsigned char)to;
        moved += to != SAMPLE_WORKED;
        svm_log_sample(s, ball, i, actions[to], progress);
    }
    for (size_t k = s->count; moved > 0 && k-- > 0;) {
        size_t i = s->set[k];
        sample_place to = (sample_place)s->place[i];
        if (to == SAMPLE_WORKED)
            continue;
        double d = (to == SAMPLE_BOUND ? s->problem->u[i] : 0) - s->theta[i];
        if (d != 0 && !s->space->step(s, i, d, progress))
            return false;
        s->theta[i] = to == SAMPLE_BOUND ? s->problem->u[i] : 0;
        svm_state_move(s, k, to);
    }
    screen_log_active(progress, s->count);
    if (s->count < before)
        progress_emit(progress, TM_EVENT_DROP, m->gap.dual + m->gap.gap, m->gap.dual, m->gap.gap,
                      s->count, s->problem->n);
    return true;
}
