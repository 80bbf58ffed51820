/* Safe active incremental support vector selection (SAIF algorithms 5 and 6): a small set of
 * samples grows by those that are worst according to the ball around its optimum (REC), and loses
 * those that the ball certifies (SCR). It is complete when every sample left out is beyond its
 * margin in the whole ball: then the optimum over the set is that over all samples. */
#include "solve/samples/screen.h"
#include "solve/samples/tuning.h"

#include "base/memory.h"
#include "base/numeric/order.h"
#include "solve/common/screen_log.h"

#include <math.h>
#include <string.h>

/* A sample left out: the range of its margin over the ball, minus the required margin. */
typedef struct outsider {
    double low, high;
    size_t sample;
} outsider;

typedef struct saiv {
    svm *m;
    outsider *out;
    double *lows;       /* of all of them, ascending */
    size_t count, step; /* samples left out; greatest number added at once */
    sample_ball ball;
    bool closing; /* the set was solved once; from then on it only grows, so that the method
                   * terminates */
} saiv;

static int by_middle(const void *a, const void *b)
{
    const outsider *x = a, *y = b;
    double s = x->low + x->high, t = y->low + y->high;
    return s != t ? (s > t) - (s < t) : (x->sample > y->sample) - (x->sample < y->sample);
}

/* Chooses the samples with a nonzero theta_i, and some of the others at random, from both classes
 * if the intercept is free. */
static void choose_first(saiv *q)
{
    svm *m = q->m;
    svm_state *s = &m->state;
    size_t n = m->problem.n, left[2] = {q->step, q->step};
    bool both = m->problem.of.intercept == HINGE_FREE;
    tm_rng_permutation(&s->rng, s->order, n);
    s->count = 0;
    for (size_t k = 0; k < n; k++) {
        size_t i = s->order[k], class = both && svm_y(s, i) > 0;
        bool joins = m->problem.u[i] > 0 && (s->theta[i] > 0 || left[class] > 0);
        s->place[i] = joins ? SAMPLE_WORKED : SAMPLE_OUT;
        if (!joins)
            continue;
        s->set[s->count++] = i;
        left[class] -= s->theta[i] == 0;
    }
    s->live = s->count;
}

static void log_step(const saiv *q, const char *what, solve_progress *progress)
{
    svm_log_begin(q->m, &q->m->gap, q->ball.radius, what, progress);
}

/* ---- SCR ----------------------------------------------------------------------------------- */

/* Removes samples that the ball of the set's problem certifies not to be its support vectors. */
static bool remove_certified(saiv *q, solve_progress *progress)
{
    svm_state *s = &q->m->state;
    size_t before = s->count, chosen = 0;
    bool free_b = q->m->problem.of.intercept == HINGE_FREE;
    log_step(q, "SCR: samples that are not support vectors of the set are removed", progress);
    for (size_t k = 0; k < s->count; k++) {
        size_t i = s->set[k];
        bool leaves = svm_ball_margin(s, &q->ball, i).low > q->m->problem.c[i] &&
                      (!free_b || s->theta[i] == 0);
        svm_log_sample(s, &q->ball, i, leaves ? TM_SCREEN_DELETED : TM_SCREEN_KEPT, progress);
        s->place[i] = leaves ? SAMPLE_OUT : SAMPLE_WORKED;
        chosen += leaves;
    }
    for (size_t k = s->count; chosen > 0 && k-- > 0;) {
        size_t i = s->set[k];
        if (s->place[i] == SAMPLE_WORKED)
            continue;
        if (s->theta[i] != 0 && !s->space->step(s, i, -s->theta[i], progress))
            return false;
        s->theta[i] = 0;
        svm_state_move(s, k, SAMPLE_OUT);
    }
    screen_log_active(progress, s->count);
    if (s->count < before)
        progress_emit(progress, TM_EVENT_DROP, q->m->gap.dual + q->m->gap.gap, q->m->gap.dual,
                      q->m->gap.gap, s->count, s->problem->n);
    return true;
}

/* ---- REC ----------------------------------------------------------------------------------- */

/* Computes the ranges of the samples left out; *loss is their contribution to the objective. */
static bool find_outside_margins(saiv *q, double *loss, solve_progress *progress)
{
    svm_state *s = &q->m->state;
    const svm_problem *of = &q->m->problem;
    size_t count = 0;
    for (size_t i = 0; i < of->n; i++)
        if (s->place[i] == SAMPLE_OUT && of->u[i] > 0)
            s->order[count++] = i;
    q->count = count;
    *loss = 0;
    if (!s->space->products(s, s->order, count, progress))
        return false;
    for (size_t k = 0; k < count; k++) {
        size_t i = s->order[k];
        hinge_interval margin = svm_ball_margin(s, &q->ball, i);
        double z = s->f[i] + q->m->gap.b.best;
        *loss += of->u[i] * fmax(0, of->c[i] - svm_y(s, i) * z);
        q->out[k] = (outsider){margin.low - of->c[i], margin.high - of->c[i], i};
    }
    return true;
}

/* How many samples left out may be worse than one with this upper end. */
static size_t count_possibly_worse(const saiv *q, double high)
{
    size_t low = 0, top = q->count;
    while (low < top) {
        size_t middle = low + (top - low) / 2;
        if (q->lows[middle] < high)
            low = middle + 1;
        else
            top = middle;
    }
    return low;
}

/* Adds the worst samples while fewer than `step` others may be as bad. The thesis waits until the
 * ball separates them; when the gap is already small compared with the loss of the samples outside
 * (`now`), a smaller ball is not worth its epochs and the worst are added at once. */
static size_t add_worst(saiv *q, bool now, solve_progress *progress)
{
    svm_state *s = &q->m->state;
    size_t joined = 0;
    log_step(q, "REC: the worst samples outside are added", progress);
    for (size_t k = 0; k < q->count; k++)
        q->lows[k] = q->out[k].low;
    qsort(q->lows, q->count, sizeof *q->lows, order_reals);
    qsort(q->out, q->count, sizeof *q->out, by_middle);
    for (size_t k = 0; k < q->count; k++) {
        const outsider *o = &q->out[k];
        bool open = (now || joined == k) && joined < q->step && o->low <= 0;
        bool joins = open && (now || count_possibly_worse(q, o->high) < q->step + 1 + joined);
        svm_log_sample(s, &q->ball, o->sample, joins ? TM_SCREEN_ADDED : TM_SCREEN_KEPT, progress);
        if (joins)
            s->order[joined++] = o->sample;
    }
    for (size_t k = 0; k < joined; k++)
        svm_state_add(s, s->order[k]);
    screen_log_active(progress, s->count);
    return joined;
}

/* ---- the loop ------------------------------------------------------------------------------ */

static bool all_outside_beyond_margin(const saiv *q)
{
    for (size_t k = 0; k < q->count; k++)
        if (q->out[k].low <= 0)
            return false;
    return true;
}

/* One round: solves the set further, then SCR and REC. *done: the set holds all support vectors. */
static bool round_of(saiv *q, double target, bool *done, solve_progress *progress)
{
    svm *m = q->m;
    svm_state *s = &m->state;
    double loss;
    if (!svm_state_unshrink(s, progress) || !svm_state_find_gap(s, &m->gap, progress))
        return false;
    if (m->gap.gap > target &&
        (!svm_go_on(m, target, progress) || !svm_state_unshrink(s, progress) ||
         !svm_state_find_gap(s, &m->gap, progress)))
        return false;
    double gap = m->gap.gap;
    q->ball = (sample_ball){.f = s->f, .radius = sqrt(fmax(gap, 0)), .size = svm_size(s)};
    svm_ball_intercepts(s, &q->ball);
    if (!find_outside_margins(q, &loss, progress))
        return false;
    *done = all_outside_beyond_margin(q);
    progress_emit(progress, TM_EVENT_CHECK, m->gap.dual + gap + loss, m->gap.dual, gap + loss,
                  s->count, m->problem.n);
    if (*done)
        return true;
    q->closing |= gap <= target;
    bool now = gap <= fmax(target, loss);
    size_t joined = add_worst(q, now, progress);
    if (joined > 0)
        progress_emit(progress, TM_EVENT_ADD, m->gap.dual + gap + loss, m->gap.dual, gap + loss,
                      s->count, m->problem.n);
    return true;
}

/* Logs the samples left out at the end, which are certified. */
static void log_last(const saiv *q, solve_progress *progress)
{
    log_step(q, "every sample outside is beyond its margin in the ball: none is added", progress);
    for (size_t k = 0; k < q->count; k++)
        svm_log_sample(&q->m->state, &q->ball, q->out[k].sample, TM_SCREEN_CERTIFIED, progress);
}

bool svm_saiv(svm *m, double target, solve_progress *progress)
{
    size_t n = m->problem.n;
    saiv q = {.m = m, .step = (size_t)fmax(SAIV_SHARE * (double)n, SAIV_LEAST)};
    q.out = mem_array(n, sizeof *q.out);
    q.lows = mem_array(n, sizeof *q.lows);
    m->state.no_memory = !q.out || !q.lows;
    bool done = false, going = !m->state.no_memory;
    if (going) {
        choose_first(&q);
        svm_log_start(m, "the first samples: those of the previous answer, and some at random",
                      progress);
        going = svm_state_refresh(&m->state, progress);
    }
    while (going && !done && m->state.counts.epochs < m->max_iter) {
        going = round_of(&q, target, &done, progress);
        if (going && !done && !q.closing)
            going = remove_certified(&q, progress);
    }
    if (done) {
        log_last(&q, progress);
    } else if (going) { /* stopped by max_iter */
        svm_state_fill(&m->state);
        going = svm_state_refresh(&m->state, progress);
    }
    free(q.out);
    free(q.lows);
    return going;
}
