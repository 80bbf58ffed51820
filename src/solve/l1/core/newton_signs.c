/* Newton steps with fixed signs: minimises the model over the nonzero weights, keeping their signs,
 * by conjugate gradients. A product with the Hessian takes two passes over the support's columns,
 * so that the Hessian is never formed: for many short columns this costs far less than computing or
 * factorising it. */
#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "solve/common/line_search.h"
#include "solve/l1/core/newton.h"
#include "solve/l1/core/tuning.h"

#include <stdlib.h>
#include <string.h>

typedef struct cg {
    size_t *support, count;                      /* features with a nonzero weight */
    double *d, *rest, *along, *product, *square; /* count */
    double *v;                                   /* n */
    double slope; /* the change of the objective along d, to first order */
} cg;

static bool cg_new(cg *q, const l1_state *s)
{
    size_t most = s->active.count;
    q->support = mem_array(most, sizeof *q->support);
    q->d = mem_array(5 * most + s->problem.n, sizeof *q->d);
    if (!q->support || !q->d)
        return false;
    q->rest = q->d + most;
    q->along = q->rest + most;
    q->product = q->along + most;
    q->square = q->product + most;
    q->v = q->square + most;
    return true;
}

static void cg_free(cg *q)
{
    free(q->support);
    free(q->d);
}

/* product = X_S'H X_S along, with columns centred by their weighted means when there is an
 * intercept. */
static void multiply(const l1_state *s, cg *q, solve_progress *progress)
{
    const l1_model *m = s->model;
    memset(q->v, 0, s->problem.n * sizeof *q->v);
    for (size_t k = 0; k < q->count; k++)
        tm_matrix_axpy(s->problem.x, q->support[k], q->along[k], q->v);
    double mean =
        s->problem.intercept && m->total > 0 ? kernel_dot(m->h, q->v, s->problem.n) / m->total : 0;
    for (size_t i = 0; i < s->problem.n; i++)
        q->v[i] = m->h[i] * (q->v[i] - mean);
    for (size_t k = 0; k < q->count; k++)
        q->product[k] = tm_matrix_dot(s->problem.x, q->support[k], q->v) +
                        l1_model_square(s, q->support[k], 0) * q->along[k];
    progress->columns += 2 * q->count;
    progress_work(progress, 2 * q->count * (tm_matrix_nnz(s->problem.x) / s->problem.p + 1) +
                                2 * s->problem.n);
}

/* Sets up the support, the right-hand side (in `rest`) and the squares used as preconditioner. */
static void begin_cg(l1_state *s, cg *q)
{
    l1_model *m = s->model;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        m->before[j] = s->it.w[j];
        if (s->it.w[j] == 0)
            continue;
        m->means[j] = s->problem.intercept && m->total > 0
                          ? tm_matrix_dot(s->problem.x, j, m->h) / m->total
                          : 0;
        q->square[q->count] = l1_model_square(s, j, l1_model_column_square(s, m, j, m->means[j]));
        q->rest[q->count] = s->it.xr[j] - copysign(s->penalty.lambda * l1_factor(s, j), s->it.w[j]);
        q->d[q->count] = 0;
        q->support[q->count++] = j;
    }
}

/* rest'M rest with the preconditioner M, and along = M rest + share * along. */
static double scaled_size(const cg *q)
{
    double sum = 0;
    for (size_t k = 0; k < q->count; k++)
        sum += q->rest[k] * q->rest[k] / q->square[k];
    return sum;
}

static void turn(cg *q, double share)
{
    for (size_t k = 0; k < q->count; k++)
        q->along[k] = q->rest[k] / q->square[k] + share * q->along[k];
}

static void solve_cg(const l1_state *s, cg *q, solve_progress *progress)
{
    double size = scaled_size(q), goal = CG_SHARE * CG_SHARE * size;
    memset(q->along, 0, q->count * sizeof *q->along);
    turn(q, 0);
    for (int step = 0; step < MAX_CG && size > goal && !progress->stopped; step++) {
        multiply(s, q, progress);
        double curvature = kernel_dot(q->along, q->product, q->count);
        if (!(curvature > 0))
            return;
        kernel_axpy(size / curvature, q->along, q->d, q->count);
        q->slope -= size / curvature * size;
        kernel_axpy(-size / curvature, q->product, q->rest, q->count);
        double next = scaled_size(q);
        turn(q, next / size);
        size = next;
    }
}

/* ---- the step ------------------------------------------------------------------------------ */

typedef struct bent {
    l1_state *s;
    const cg *q;
    solve_progress *progress;
} bent;

/* The objective after a step of length t, on which each weight stops at zero; sets the weights. */
static double objective_at(double t, void *payload)
{
    const bent *b = payload;
    l1_state *s = b->s;
    for (size_t k = 0; k < b->q->count; k++) {
        size_t j = b->q->support[k];
        double before = s->model->before[j], next = before + t * b->q->d[k];
        s->it.w[j] = before * next > 0 ? next : 0;
    }
    l1_model_direction(s);
    b->progress->columns += b->q->count;
    progress_work(b->progress, 2 * s->problem.n);
    return l1_model_objective(s, 1);
}

/* The path bends where a weight becomes zero. A straight one, to the weights that the whole step
 * leaves, allows far shorter steps when many change their sign: with nearly as many features as
 * rows, setting these to zero alone raises the objective. */
static void take_bent_step(l1_state *s, const cg *q, double here, solve_progress *progress)
{
    bent b = {s, q, progress};
    double reached;
    line_search search = {objective_at, &b, here, q->slope, &s->model->unproven};
    l1_model_step(s, line_search_halve(&search, &reached) > 0 ? 1 : 0);
}

tm_status l1_newton_signs(l1_state *s, solve_progress *progress, tm_error *err)
{
    cg q = {0};
    if (s->penalty.free || s->penalty.lower)
        return TM_OK;
    tm_status status = TM_OK;
    if (!cg_new(&q, s)) {
        status = tm_fail_memory(err, "a Newton step");
        goto done;
    }
    double here = l1_gap_active(s).primal;
    l1_model_weigh(s, NULL);
    begin_cg(s, &q);
    solve_cg(s, &q, progress);
    take_bent_step(s, &q, here, progress);
done:
    cg_free(&q);
    return status;
}
