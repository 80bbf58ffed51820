#include "solve/l1/core/signs.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "solve/l1/core/tuning.h"

#include <string.h>

bool signs_new(signs *q, const l1_state *s)
{
    size_t most = s->active.count;
    q->count = 0;
    q->work = 0;
    q->slope = 0;
    q->support = mem_array(most, sizeof *q->support);
    q->before = mem_array(7 * most + s->problem.n, sizeof *q->before);
    if (!q->support || !q->before)
        return false;
    q->d = q->before + most;
    q->rest = q->d + most;
    q->square = q->rest + most;
    q->ridge = q->square + most;
    q->along = q->ridge + most;
    q->product = q->along + most;
    q->v = q->product + most;
    return true;
}

void signs_free(signs *q)
{
    free(q->support);
    free(q->before);
}

void signs_add(signs *q, const l1_state *s, size_t j, double square, double ridge)
{
    size_t k = q->count++;
    q->support[k] = j;
    q->before[k] = s->it.w[j];
    q->d[k] = 0;
    q->rest[k] = s->it.xr[j] - copysign(s->penalty.lambda * l1_factor(s, j), s->it.w[j]);
    q->square[k] = square;
    q->ridge[k] = ridge;
}

/* v = the columns times along. */
static void combine_columns(signs *q, const l1_state *s)
{
    memset(q->v, 0, s->problem.n * sizeof *q->v);
    for (size_t k = 0; k < q->count; k++)
        tm_matrix_axpy(s->problem.x, q->support[k], q->along[k], q->v);
}

/* product = the matrix times along. */
static void multiply(signs *q, const l1_state *s, solve_progress *progress)
{
    size_t n = s->problem.n;
    uint64_t entries = 0;
    if (q->copied)
        entry_lists_multiply(&q->copy.rows, q->along, q->v);
    else
        combine_columns(q, s);
    double sum = !q->means ? 0 : q->h ? kernel_dot(q->h, q->v, n) : loss_total(q->v, n);
    double mean = q->total > 0 ? sum / q->total : 0;
    for (size_t i = 0; (q->h || q->means) && i < n; i++)
        q->v[i] = (q->h ? q->h[i] : 1) * (q->v[i] - mean);
    if (q->copied)
        entry_lists_multiply(&q->copy.columns, q->v, q->product);
    for (size_t k = 0; k < q->count; k++) {
        if (!q->copied)
            q->product[k] = tm_matrix_dot(s->problem.x, q->support[k], q->v);
        q->product[k] += q->ridge[k] * q->along[k];
        entries += tm_matrix_column_nnz(s->problem.x, q->support[k]);
    }
    q->work += 2 * entries + 2 * n;
    progress->columns += 2 * q->count;
    progress_work(progress, 2 * entries + 2 * n);
}

/* rest'M rest with the preconditioner M. */
static double scaled_size(const signs *q)
{
    double sum = 0;
    for (size_t k = 0; k < q->count; k++)
        sum += q->rest[k] * q->rest[k] / q->square[k];
    return sum;
}

/* along = M rest + share * along */
static void turn(signs *q, double share)
{
    for (size_t k = 0; k < q->count; k++)
        q->along[k] = q->rest[k] / q->square[k] + share * q->along[k];
}

static void solve(signs *q, const l1_state *s, double share, solve_progress *progress)
{
    double size = scaled_size(q), goal = share * share * size;
    memset(q->along, 0, q->count * sizeof *q->along);
    turn(q, 0);
    for (int step = 0; step < MAX_CG && size > goal && !progress->stopped; step++) {
        multiply(q, s, progress);
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

tm_status signs_solve(signs *q, const l1_state *s, double share, solve_progress *progress,
                      tm_error *err)
{
    const tm_matrix *x = s->problem.x;
    tm_status status = TM_OK;
    q->copied = support_copy_pays(x, q->support, q->count);
    if (q->copied && !support_copy_make(&q->copy, x, q->support, q->count, q->h, q->v))
        status = tm_fail_memory(err, "a Newton step");
    else
        solve(q, s, share, progress);
    support_copy_clear(&q->copy);
    q->copy = (support_copy){0};
    return status;
}

double signs_weight(const signs *q, size_t k, double t)
{
    double next = q->before[k] + t * q->d[k];
    return q->before[k] * next > 0 ? next : 0;
}

bool signs_kept(const signs *q, const l1_state *s)
{
    size_t k = 0;
    while (k < q->count && s->it.w[q->support[k]] != 0)
        k++;
    return k == q->count;
}
