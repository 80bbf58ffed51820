#include "solve/l1/core/by_columns.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "solve/common/line_search.h"
#include "solve/l1/core/signs.h"
#include "solve/l1/core/tuning.h"

#include <string.h>

/* ---- cost ------------------------------------------------------------------------------------ */

/* Multiply-adds of column products in the time of solving a set with its Gram matrix. */
static double gram_cost(const l1_state *s)
{
    double count = (double)s->active.count;
    return count * count * (count / GRAM_FACTOR_SPEED + GRAM_PASSES);
}

/* Entries of the active columns; 0 when access to single columns costs more than that. */
static double entries_of(const l1_state *s)
{
    double sum = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t entries = tm_matrix_column_nnz(s->problem.x, s->active.features[k]);
        if (entries == 0)
            return 0;
        sum += (double)entries;
    }
    return sum;
}

bool l1_columns_pay(const l1_state *s)
{
    if (s->penalty.free || s->penalty.lower || !tm_matrix_is_sparse(s->problem.x))
        return false;
    double n = (double)s->problem.n, full = fmin(1, (double)s->active.count / n);
    double passes = COLUMN_PASSES * (1 + MORE_PASSES * full * full), entries = entries_of(s);
    return entries > 0 && passes * (entries + n) < gram_cost(s);
}

/* ---- a Newton step -----------------------------------------------------------------------------
 */

typedef struct column_step {
    l1_state *s;
    signs signs;
    double *dz;   /* n: the change of the predictions */
    double here;  /* the objective before the step */
    double share; /* of the right-hand side that conjugate gradients leave */
    unproven_steps unproven;
    solve_progress *progress;
} column_step;

/* Requires products of the active set. */
static void begin_signs(column_step *q)
{
    const l1_state *s = q->s;
    q->signs.h = s->problem.of.weights;
    q->signs.means = s->problem.intercept ? s->problem.means : NULL;
    q->signs.total = s->problem.of.total;
    q->signs.count = 0;
    q->signs.slope = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        if (s->it.w[j] != 0)
            signs_add(&q->signs, s, j, l1_norm(s, j) * l1_norm(s, j),
                      penalty_square(&s->penalty.terms, j));
    }
}

/* The change of the loss by dz. */
static double loss_change(const column_step *q)
{
    const l1_state *s = q->s;
    const samples *of = &s->problem.of;
    size_t n = s->problem.n;
    double sum = !s->problem.intercept ? 0
                 : of->weights         ? kernel_dot(of->weights, q->dz, n)
                                       : loss_total(q->dz, n);
    double mean = s->problem.intercept ? sum / of->total : 0, square = 0;
    for (size_t i = 0; i < n; i++)
        square += samples_weight(of, i) * (q->dz[i] - mean) * (q->dz[i] - mean);
    return square / 2 - kernel_dot(s->it.r, q->dz, n);
}

/* The objective after a step of length t; sets the weights. The residual is without a shift. */
static double objective_at(double t, void *payload)
{
    column_step *q = payload;
    l1_state *s = q->s;
    double penalty = 0;
    memset(q->dz, 0, s->problem.n * sizeof *q->dz);
    for (size_t k = 0; k < q->signs.count; k++) {
        size_t j = q->signs.support[k];
        double before = q->signs.before[k], next = signs_weight(&q->signs, k, t);
        s->it.w[j] = next;
        if (next == before)
            continue;
        penalty += s->penalty.lambda * l1_factor(s, j) * (fabs(next) - fabs(before)) +
                   q->signs.ridge[k] * (next + before) * (next - before) / 2;
        tm_matrix_axpy(s->problem.x, j, next - before, q->dz);
    }
    q->progress->columns += q->signs.count;
    progress_work(q->progress, 2 * s->problem.n);
    return q->here + loss_change(q) + penalty;
}

static tm_status take_step(column_step *q, tm_error *err)
{
    double reached;
    begin_signs(q);
    tm_status status = signs_solve(&q->signs, q->s, q->share, q->progress, err);
    if (status != TM_OK)
        return status;
    line_search search = {objective_at, q, q->here, q->signs.slope, &q->unproven};
    double t = line_search_halve(&search, &reached);
    for (size_t k = 0; t == 0 && k < q->signs.count; k++)
        q->s->it.w[q->signs.support[k]] = q->signs.before[k];
    q->share =
        t == 1 && signs_kept(&q->signs, q->s) ? fmax(q->share * CG_CLOSER, CG_LEAST) : CG_SHARE;
    return TM_OK;
}

/* ---- the set --------------------------------------------------------------------------------- */

/* Epochs, then a step with the signs that they have found. */
static tm_status sweep_and_step(column_step *q, tm_error *err)
{
    l1_state *s = q->s;
    l1_sweep(s, BETWEEN_STEPS, q->progress);
    l1_state_refresh(s);
    if (!l1_products_active(s, q->progress))
        return TM_OK;
    q->here = l1_gap_active(s).primal;
    tm_status status = take_step(q, err);
    l1_state_refresh(s);
    return status;
}

static tm_status solve_set(column_step *q, double goal, bool *exceeded, tm_error *err)
{
    l1_state *s = q->s;
    double least = INFINITY, most = COLUMNS_BUDGET * gram_cost(s), entries = entries_of(s);
    int idle = 0;
    tm_status status = TM_OK;
    uint64_t round = (uint64_t)(3 * BETWEEN_STEPS + 4) * (uint64_t)(entries + (double)s->problem.n);
    l1_state_refresh(s);
    for (uint64_t rounds = 0;
         status == TM_OK && !q->progress->stopped && s->it.epochs < s->options.max_iter; rounds++) {
        if (!l1_products_active(s, q->progress))
            break;
        double gap = l1_gap_active(s).gap;
        if (gap <= goal)
            break;
        idle = gap < FASTER * least ? 0 : idle + 1;
        least = fmin(least, gap);
        *exceeded = idle > MAX_IDLE_STEPS || (double)(q->signs.work + rounds * round) > most;
        if (*exceeded)
            break;
        status = sweep_and_step(q, err);
    }
    return status;
}

tm_status l1_by_columns(l1_state *s, double goal, bool *exceeded, solve_progress *progress,
                        tm_error *err)
{
    column_step q = {.s = s, .progress = progress, .share = CG_SHARE};
    q.dz = mem_array(s->problem.n, sizeof *q.dz);
    *exceeded = false;
    tm_status status =
        q.dz && signs_new(&q.signs, s) ? TM_OK : tm_fail_memory(err, "the working set");
    if (status == TM_OK)
        status = solve_set(&q, goal, exceeded, err);
    signs_free(&q.signs);
    free(q.dz);
    return status;
}
