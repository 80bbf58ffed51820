#include "solve/group/solve.h"

#include "base/memory.h"
#include "model/loss/residual.h"
#include "solve/common/products.h"
#include "solve/group/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The intercept is not a variable: f(u) = min over b of the loss, whose gradient is -X'a at the
 * optimal b, with centred columns. Predictions of the extrapolated point are the same linear
 * combination as the point itself. */
typedef struct fista {
    group_state *s;
    double *next, *point; /* members: the result of the step, and its starting point */
    double *step;         /* members: next - point */
    double *now, *moved;  /* n: predictions Xu without intercept of s->u and of `next` */
    double *at;           /* n: predictions of `point` */
    double *w;            /* p */
    double inverse_step;  /* 1 / step size: the curvature estimate */
    double momentum;
} fista;

static bool fista_new(fista *q, group_state *s)
{
    size_t members = s->problem.penalty->members;
    *q = (fista){.s = s,
                 .next = mem_array(members, sizeof(double)),
                 .point = mem_array(members, sizeof(double)),
                 .step = mem_array(members, sizeof(double)),
                 .now = mem_array(s->problem.n, sizeof(double)),
                 .moved = mem_array(s->problem.n, sizeof(double)),
                 .at = mem_array(s->problem.n, sizeof(double)),
                 .w = mem_array(s->problem.p, sizeof(double)),
                 .momentum = 1};
    for (size_t m = 0; m < members; m++)
        q->inverse_step =
            fmax(q->inverse_step, s->problem.loss->smoothness * s->problem.squares[m]);
    return q->next && q->point && q->step && q->now && q->moved && q->at && q->w;
}

static void fista_free(fista *q)
{
    free(q->next);
    free(q->point);
    free(q->step);
    free(q->now);
    free(q->moved);
    free(q->at);
    free(q->w);
}

/* z = offset + Xu without an intercept. */
static void predict(fista *q, const double *u, double *z)
{
    const group_state *s = q->s;
    memset(q->w, 0, s->problem.p * sizeof *q->w);
    for (size_t m = 0; m < s->problem.penalty->members; m++)
        q->w[s->problem.features[m]] += u[m] * s->problem.scale[m];
    samples_predict(&s->problem.of, s->problem.data, q->w, 0, z);
}

/* The loss at predictions without the intercept, minimised over the intercept, which is stored in
 * s->b; s->z receives the predictions. */
static double loss_at(group_state *s, const double *z)
{
    s->b = s->problem.intercept ? samples_best_shift(&s->problem.of, z, s->b) : 0;
    for (size_t i = 0; i < s->problem.n; i++)
        s->z[i] = z[i] + s->b;
    return samples_loss(&s->problem.of, s->z);
}

/* The gradient at `point`: sets s->a and s->products. Returns false when the run must stop. */
static bool find_gradient(fista *q, double *value, solve_progress *progress)
{
    group_state *s = q->s;
    *value = loss_at(s, q->at);
    samples_dual_variables(&s->problem.of, s->z, s->a);
    return products_all(s->problem.data, s->problem.intercept, s->a, s->products, progress);
}

/* The proximal step from `point` with the present step size. */
static void take_step(fista *q)
{
    const group_state *s = q->s;
    const tm_group_penalty *penalty = s->problem.penalty;
    for (size_t m = 0; m < penalty->members; m++)
        q->next[m] = q->point[m] +
                     s->problem.scale[m] * s->products[s->problem.features[m]] / q->inverse_step;
    for (size_t b = 0; b < penalty->blocks; b++)
        group_prox(penalty, b, s->lambda / q->inverse_step, q->next + penalty->starts[b]);
    for (size_t m = 0; m < penalty->members; m++)
        q->step[m] = q->next[m] - q->point[m];
}

/* Backtracks until the quadratic model bounds the loss; the last term allows for rounding. */
static void search(fista *q, double start, solve_progress *progress)
{
    group_state *s = q->s;
    while (q->inverse_step > 0 && !progress->stopped) {
        double slope = 0, squares = 0;
        take_step(q);
        predict(q, q->next, q->moved);
        for (size_t m = 0; m < s->problem.penalty->members; m++) {
            slope -= s->problem.scale[m] * s->products[s->problem.features[m]] * q->step[m];
            squares += q->step[m] * q->step[m];
        }
        double most =
            start + slope + q->inverse_step * squares / 2 + MODEL_LOST * s->null.objective;
        if (!(loss_at(s, q->moved) > most))
            return;
        q->inverse_step *= STEP_GROWTH;
        progress_work(progress, s->problem.penalty->members);
    }
}

/* Sets the next extrapolated point, beyond `next` as seen from s->u, and s->u = next. */
static double advance(fista *q)
{
    group_state *s = q->s;
    double uphill = 0, change = 0;
    for (size_t m = 0; m < s->problem.penalty->members; m++) {
        double way = q->next[m] - s->u[m];
        uphill -= q->step[m] * way;
        change = fmax(change, fabs(way) * sqrt(s->problem.squares[m]));
    }
    double before = uphill > 0 ? 1 : q->momentum;
    q->momentum = (1 + sqrt(1 + 4 * before * before)) / 2;
    double further = uphill > 0 ? 0 : (before - 1) / q->momentum;
    for (size_t m = 0; m < s->problem.penalty->members; m++) {
        q->point[m] = q->next[m] + further * (q->next[m] - s->u[m]);
        s->u[m] = q->next[m];
    }
    for (size_t i = 0; i < s->problem.n; i++) {
        q->at[i] = q->moved[i] + further * (q->moved[i] - q->now[i]);
        q->now[i] = q->moved[i];
    }
    return change;
}

static double iterate(fista *q, solve_progress *progress)
{
    double start;
    if (!find_gradient(q, &start, progress))
        return INFINITY;
    search(q, start, progress);
    q->s->epochs++;
    progress->updates += q->s->problem.penalty->members;
    return progress->stopped ? INFINITY : advance(q);
}

tm_status group_solve_fista(group_state *s, solve_progress *progress, double target, group_end *end,
                            tm_error *err)
{
    tm_status status = TM_OK;
    fista q;
    double best_dual = -INFINITY, change = INFINITY;
    if (!fista_new(&q, s)) {
        status = tm_fail_memory(err, "the solver");
        goto done;
    }
    group_work_on_all(s);
    memcpy(q.point, s->u, s->problem.penalty->members * sizeof *q.point);
    predict(&q, s->u, q.now);
    memcpy(q.at, q.now, s->problem.n * sizeof *q.at);
    while (!progress->stopped) {
        group_state_refresh(s);
        if (!products_all(s->problem.data, s->problem.intercept, s->a, s->products, progress))
            break;
        group_gap g = group_gap_of(s, group_known_norm(s));
        best_dual = fmax(best_dual, g.dual);
        progress_emit(progress, TM_EVENT_CHECK, g.primal, best_dual, g.primal - best_dual,
                      s->problem.penalty->members, s->problem.penalty->members);
        end->converged = g.primal - best_dual <= target;
        end->stalled = change <= LEAST_CHANGE * sqrt(residual_squares(s->null.dual, s->problem.n));
        if (end->converged || end->stalled || s->epochs >= s->settings.max_iter)
            break;
        for (long k = 0;
             k < s->settings.check_every && s->epochs < s->settings.max_iter && !progress->stopped;
             k++)
            change = iterate(&q, progress);
    }
done:
    fista_free(&q);
    return status;
}
