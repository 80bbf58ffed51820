#include "model/kernel/kernel_sums.h"

#include "base/cancel_grace.h"
#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/threads/parallel.h"
#include "model/kernel/tuning.h"

#include <cblas.h>
#include <stdatomic.h>
#include <string.h>

typedef struct sum_pass {
    const kernel_rows *from, *at;
    const double *coef;
    const size_t *used; /* the rows of `from` with a nonzero coefficient */
    size_t used_count;
    double *out;
    const tm_cancel *cancel;
    double began;
    atomic_bool stopped, no_memory;
} sum_pass;

/* out[i] += coef k(point, y_i) for a block of rows, from the products in `values`. */
static void add_values(const sum_pass *pass, size_t j, size_t first, size_t count, double *values)
{
    kernel_values(&pass->at->of, pass->from->squares[j], pass->at->squares + first, count, values);
    for (size_t i = 0; i < count; i++)
        pass->out[first + i] += pass->coef[j] * values[i];
}

/* `room` is scratch for a block of rows of `from` and its products with the block of `at`. */
static void sum_dense(const sum_pass *pass, size_t first, size_t count, double *room)
{
    size_t p = pass->at->rows.p;
    double *values = room + SUM_BLOCK * p;
    for (size_t k = 0; k < pass->used_count; k += SUM_BLOCK) {
        size_t many = pass->used_count - k < SUM_BLOCK ? pass->used_count - k : SUM_BLOCK;
        for (size_t e = 0; e < many; e++)
            memcpy(room + e * p, pass->from->rows.values + pass->used[k + e] * p, p * sizeof *room);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)many, (int)count, (int)p, 1, room,
                    (int)p, pass->at->rows.values + first * p, (int)p, 0, values, SUM_BLOCK);
        for (size_t e = 0; e < many; e++)
            add_values(pass, pass->used[k + e], first, count, values + e * SUM_BLOCK);
    }
}

/* Scatters the rows of `from` one by one; also used when only one of the matrices is sparse. */
static void sum_spread(const sum_pass *pass, size_t first, size_t count, double *room)
{
    double *values = room + pass->from->rows.p;
    for (size_t k = 0; k < pass->used_count; k++) {
        size_t j = pass->used[k];
        const double *point = kernel_rows_spread(pass->from, j, room);
        for (size_t i = 0; i < count; i++)
            values[i] = kernel_rows_dot(pass->at, first + i, point);
        kernel_rows_unspread(pass->from, j, room);
        add_values(pass, j, first, count, values);
    }
}

static void take_rows(size_t from, size_t to, void *payload)
{
    sum_pass *pass = payload;
    bool dense = !pass->from->rows.columns && !pass->at->rows.columns &&
                 pass->at->rows.p == pass->from->rows.p && pass->at->rows.p > 0;
    size_t rows = dense ? SUM_BLOCK : 1; /* rows of products, SUM_BLOCK values each */
    double *room = mem_zeros(rows * (pass->from->rows.p + SUM_BLOCK), sizeof *room);
    if (!room || (dense && blas_begin(NULL) != TM_OK)) {
        free(room);
        atomic_store(&pass->no_memory, true);
        return;
    }
    for (size_t first = from; first < to; first += SUM_BLOCK) {
        size_t count = to - first < SUM_BLOCK ? to - first : SUM_BLOCK;
        memset(pass->out + first, 0, count * sizeof *pass->out);
        if (cancel_grace_is_over(pass->cancel, pass->began))
            atomic_store(&pass->stopped, true);
        if (!atomic_load(&pass->stopped))
            (dense ? sum_dense : sum_spread)(pass, first, count, room);
    }
    free(room);
}

tm_status kernel_sums(const kernel_rows *from, const double *coef, const kernel_rows *at,
                      thread_team *team, const tm_cancel *cancel, double *out, tm_error *err)
{
    size_t *used = mem_array(from->rows.n, sizeof *used), count = 0;
    if (!used)
        return tm_fail_memory(err, "a kernel expansion");
    for (size_t j = 0; j < from->rows.n; j++)
        if (coef[j] != 0)
            used[count++] = j;
    sum_pass pass = {.from = from,
                     .at = at,
                     .coef = coef,
                     .used = used,
                     .used_count = count,
                     .out = out,
                     .cancel = cancel,
                     .began = clock_now()};
    parallel_chunks(at->rows.n, SUM_BLOCK, team, take_rows, &pass);
    free(used);
    if (atomic_load(&pass.no_memory))
        return tm_fail_memory(err, "a kernel expansion");
    return atomic_load(&pass.stopped) ? tm_fail(err, TM_ECANCELLED, "cancelled while certifying")
                                      : TM_OK;
}
