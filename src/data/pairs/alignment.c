#include "data/pairs/alignment.h"

#include "base/memory.h"
#include "base/threads/parallel.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"
#include "data/pairs/columns.h"
#include "data/pairs/scratch.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* Features computed and written together: when Z is stored by samples, the runs written have this
 * many values. */
enum { TOGETHER = 64 };

typedef struct alignment_job {
    const tm_dataset *data;
    alignment *out;
    scratch *to;
    const tm_cancel *cancel;
    pthread_mutex_t lock; /* protects the fields below */
    tm_status status;
    tm_error *err;
} alignment_job;

void alignment_clear(alignment *a)
{
    tm_matrix_unref(a->z);
    free(a->y);
    free(a->rate);
    free(a->mean);
    *a = (alignment){0};
}

/* The buffers of one thread. */
typedef struct alignment_room {
    double *at, *row, *sums, *block; /* n, n, n; TOGETHER x n */
} alignment_room;

/* Computes column j of Z; overwrites `at` and `sums`. */
static void align_feature(const alignment_job *q, const alignment_room *room, size_t j, double *out)
{
    alignment *a = q->out;
    double mean = tm_dataset_means(q->data)[j], rate = a->rate[j];
    memset(out, 0, a->n * sizeof *out);
    a->mean[j] = 0;
    if (rate == 0)
        return;
    tm_matrix_column(tm_dataset_x(q->data), j, room->at);
    for (size_t m = 0; m < a->n; m++) {
        room->at[m] = (room->at[m] - mean) * rate;
        room->sums[m] = 0;
    }
    for (size_t m = 0; m < a->n; m++) {
        size_t rest = a->n - m - 1;
        pair_kernel_row(room->at + m + 1, room->at[m], rest, room->row);
        room->sums[m] += a->y[m] + kernel_dot(room->row, a->y + m + 1, rest);
        kernel_axpy(a->y[m], room->row, room->sums + m + 1, rest);
    }
    for (size_t m = 0; m < a->n; m++)
        a->mean[j] += room->sums[m] / (double)a->n;
    for (size_t m = 0; m < a->n; m++)
        out[m] = a->y[m] * (room->sums[m] - a->mean[j]);
}

/* Writes the columns from .. to - 1, which are in the block; overwrites `at`. */
static tm_status write_block(const alignment_job *q, const alignment_room *room, size_t from,
                             size_t to, tm_error *err)
{
    const alignment *a = q->out;
    size_t size = sizeof(double), n = a->n;
    if (!a->by_samples)
        return scratch_write(q->to, from * n * size, room->block, (to - from) * n * size, err);
    tm_status status = TM_OK;
    double run[TOGETHER];
    for (size_t m = 0; status == TM_OK && m < n; m++) {
        for (size_t j = from; j < to; j++)
            run[j - from] = room->block[(j - from) * n + m];
        status = scratch_write(q->to, (m * a->p + from) * size, run, (to - from) * size, err);
    }
    return status;
}

static void align_chunk(size_t from, size_t to, void *payload)
{
    alignment_job *q = payload;
    tm_error err = TM_ERROR_INIT;
    size_t n = q->out->n;
    double *values = mem_array((3 + TOGETHER) * n, sizeof *values);
    tm_status status = values ? TM_OK : tm_fail_memory(&err, "the kernels of features");
    alignment_room room = {values, values + n, values + 2 * n, values + 3 * n};
    for (size_t j = from; status == TM_OK && j < to; j++)
        if (tm_cancel_poll((tm_cancel *)(uintptr_t)q->cancel))
            status =
                tm_fail(&err, TM_ECANCELLED, "cancelled while computing the features' kernels");
        else
            align_feature(q, &room, j, room.block + (j - from) * n);
    if (status == TM_OK)
        status = write_block(q, &room, from, to, &err);
    free(values);
    pthread_mutex_lock(&q->lock);
    if (q->status == TM_OK && status != TM_OK) {
        q->status = status;
        if (q->err)
            *q->err = err;
    }
    pthread_mutex_unlock(&q->lock);
}

static tm_status prepare(alignment *a, const tm_dataset *data, const alignment_spec *spec,
                         tm_error *err)
{
    const double *y = tm_dataset_y(data);
    double mean = 0;
    *a = (alignment){.n = tm_dataset_rows(data), .p = tm_dataset_cols(data)};
    a->by_samples = spec->by_samples;
    a->y = mem_array(a->n, sizeof *a->y);
    a->rate = mem_array(a->p, sizeof *a->rate);
    a->mean = mem_array(a->p, sizeof *a->mean);
    if (!a->y || !a->rate || !a->mean)
        return tm_fail_memory(err, "the kernels of features");
    for (size_t m = 0; m < a->n; m++)
        mean += y[m] / (double)a->n;
    for (size_t m = 0; m < a->n; m++)
        a->y[m] = y[m] - mean;
    pair_rates(data, spec->sigma, a->rate);
    return TM_OK;
}

/* Makes Z from what was written. */
static tm_status take_matrix(alignment *a, scratch *from, tm_error *err)
{
    size_t rows = a->by_samples ? a->p : a->n, cols = a->by_samples ? a->n : a->p;
    page_budget *pages;
    tm_status status = scratch_finish(&pages, from, err);
    if (status != TM_OK)
        return status;
    a->z = matrix_new(&dense_f64_ops, rows, cols);
    if (!a->z) {
        page_budget_close(pages);
        return tm_fail_memory(err, "the kernels of features");
    }
    a->z->values.f64 = (double *)(uintptr_t)page_budget_bytes(pages);
    a->z->pages = pages;
    a->z->nnz = (uint64_t)rows * cols;
    a->z->bytes = rows * cols * sizeof(double);
    return TM_OK;
}

tm_status alignment_make(alignment *out, const tm_dataset *data, const alignment_spec *spec,
                         tm_error *err)
{
    scratch *to = NULL;
    size_t bytes;
    tm_status status = prepare(out, data, spec, err);
    if (status == TM_OK && (__builtin_mul_overflow(out->n, out->p, &bytes) ||
                            __builtin_mul_overflow(bytes, sizeof(double), &bytes)))
        status = tm_fail_memory(err, "the kernels of features");
    if (status == TM_OK)
        status = scratch_new(&to, bytes, spec->most, err);
    if (status == TM_OK) {
        alignment_job job = {
            .data = data, .out = out, .to = to, .cancel = spec->cancel, .err = err};
        pthread_mutex_init(&job.lock, NULL);
        parallel_chunks(out->p, TOGETHER, spec->team, align_chunk, &job);
        pthread_mutex_destroy(&job.lock);
        status = job.status;
    }
    if (status == TM_OK)
        status = take_matrix(out, to, err);
    else
        scratch_free(to);
    if (status != TM_OK)
        alignment_clear(out);
    return status;
}
