#include "data/pairs/columns.h"

#include "base/memory.h"
#include "base/numeric/exp_log.h"
#include "base/threads/parallel.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <sched.h>
#include <stdatomic.h>

/* The buffers of one thread: n values each. */
typedef struct pair_room {
    atomic_flag taken;
    double *column; /* a column of the data */
    double *at;     /* in the layout's order, scaled so that the kernel is exp(-(at_i - at_j)^2) */
    double *row;    /* a row of a kernel's triangle */
    double *sums;   /* row sums of a kernel */
    double *v_sums; /* row sums of the vector in a product */
} pair_room;

typedef struct pair_source {
    tm_dataset *data;
    pair_layout layout;
    double *factor; /* p: 1 / (sqrt(2) sigma deviation); 0: the feature is constant */
    double *scale;  /* p: scale of the column */
    double *response, *with_response; /* a copy of the response, and each column's product with it;
                                       * NULL: none */
    pair_room *rooms;
    size_t room_count;
    double *values; /* the values of all buffers */
} pair_source;

/* ---- inner loops --------------------------------------------------------------------------- */

PER_MACHINE
void pair_kernel_row(const double *restrict at, double point, size_t count, double *restrict out)
{
    for (size_t j = 0; j < count; j++) {
        double d = at[j] - point;
        out[j] = exp_negative(-d * d);
    }
}

PER_MACHINE
static double sum_values(const double *values, size_t count)
{
    lanes total = {0};
    double rest = 0;
    size_t j = 0;
    for (; j + LANES <= count; j += LANES)
        total += *(const lanes *)(values + j);
    for (; j < count; j++)
        rest += values[j];
    return add_lanes(&total) + rest;
}

PER_MACHINE
static void axpy_row(double *restrict y, const double *restrict row, const double *restrict means,
                     size_t count, double own, double a)
{
    for (size_t j = 0; j < count; j++)
        y[j] += a * (row[j] + (own - means[j]));
}

/* Adds the row to `sums` and returns its sum. */
PER_MACHINE
static double add_row(const double *restrict row, size_t count, double *restrict sums)
{
    lanes total = {0};
    double rest = 0;
    size_t j = 0;
    for (; j + LANES <= count; j += LANES) {
        lanes values = *(const lanes *)(row + j);
        total += values;
        *(lanes *)(sums + j) += values;
    }
    for (; j < count; j++) {
        rest += row[j];
        sums[j] += row[j];
    }
    return add_lanes(&total) + rest;
}

/* ---- buffers ------------------------------------------------------------------------------- */

/* There are as many sets of buffers as threads announced; an additional thread waits for the end of
 * a call. */
static pair_room *enter(const tm_matrix *m)
{
    pair_source *s = m->source;
    for (;; sched_yield())
        for (size_t k = 0; k < s->room_count; k++)
            if (!atomic_flag_test_and_set_explicit(&s->rooms[k].taken, memory_order_acquire))
                return &s->rooms[k];
}

static void leave(pair_room *room)
{
    atomic_flag_clear_explicit(&room->taken, memory_order_release);
}

static bool make_rooms(pair_source *s, size_t count)
{
    size_t n = s->layout.n;
    s->rooms = mem_zeros(count, sizeof *s->rooms);
    s->values = mem_array(5 * count * n, sizeof *s->values);
    if (!s->rooms || !s->values)
        return false;
    for (size_t k = 0; k < count; k++) {
        double *from = s->values + 5 * k * n;
        pair_room *room = &s->rooms[k];
        atomic_flag_clear(&room->taken);
        room->column = from;
        room->at = from + n;
        room->row = from + 2 * n;
        room->sums = from + 3 * n;
        room->v_sums = from + 4 * n;
    }
    s->room_count = count;
    return true;
}

static void load(const pair_source *s, pair_room *room, size_t j)
{
    double mean = tm_dataset_means(s->data)[j];
    tm_matrix_column(tm_dataset_x(s->data), j, room->column);
    for (size_t i = 0; i < s->layout.n; i++)
        room->at[i] = (room->column[s->layout.order[i]] - mean) * s->factor[j];
}

/* ---- products ------------------------------------------------------------------------------ */

/* Row sums of the symmetric matrix represented by v. */
static void sum_vector(const pair_source *s, pair_room *room, const double *v)
{
    for (size_t b = 0; b < s->layout.blocks; b++) {
        size_t m = s->layout.starts[b + 1] - s->layout.starts[b];
        double *sums = room->v_sums + s->layout.starts[b];
        memset(sums, 0, m * sizeof *sums);
        for (size_t i = 0; i < m; i++, v += m - i + 1) {
            double own = sums[i] / PAIR_SCALE + *v;
            sums[i] = own + add_row(v + 1, m - i - 1, sums + i + 1) / PAIR_SCALE;
        }
    }
}

/* <H K H, V> = <K, V> - 2/m sum_i (K1)_i (V1)_i + 1'K1 1'V1 / m^2. */
static double block_product(const pair_room *room, size_t from, size_t m, const double *v)
{
    double *sums = room->sums, *row = room->row;
    const double *at = room->at + from, *v_sums = room->v_sums + from;
    double diagonal = 0, others = 0, mixed = 0, k_all = 0, v_all = 0, size = (double)m;
    memset(sums, 0, m * sizeof *sums);
    for (size_t i = 0; i < m; i++, v += m - i + 1) {
        size_t rest = m - i - 1;
        pair_kernel_row(at + i + 1, at[i], rest, row);
        diagonal += *v;
        others += kernel_dot(row, v + 1, rest);
        sums[i] += 1 + add_row(row, rest, sums + i + 1);
        mixed += sums[i] * v_sums[i];
        k_all += sums[i];
        v_all += v_sums[i];
    }
    return diagonal + PAIR_SCALE * others - 2 * mixed / size + k_all / size * (v_all / size);
}

static double product(const pair_source *s, pair_room *room, size_t j, const double *v)
{
    double sum = 0;
    if (s->factor[j] == 0)
        return 0;
    load(s, room, j);
    for (size_t b = 0; b < s->layout.blocks; b++) {
        size_t from = s->layout.starts[b], m = s->layout.starts[b + 1] - from;
        sum += block_product(room, from, m, v);
        v += pair_count(m);
    }
    return s->scale[j] * sum;
}

/* The first products that a solver asks for are those with the response. */
static bool is_response(const tm_matrix *m, const double *v)
{
    const pair_source *s = m->source;
    return s->response && memcmp(v, s->response, m->n * sizeof *v) == 0;
}

static void pairs_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                            double *out)
{
    if (is_response(m, v)) {
        memcpy(out, ((pair_source *)m->source)->with_response + from, count * sizeof *out);
        return;
    }
    pair_room *room = enter(m);
    sum_vector(m->source, room, v);
    for (size_t k = 0; k < count; k++)
        out[k] = product(m->source, room, from + k, v);
    leave(room);
}

static double pairs_dot(const tm_matrix *m, size_t j, const double *v)
{
    double out;
    pairs_dot_range(m, j, 1, v, &out);
    return out;
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Computes the row sums of the block's kernel, and its triangle when `out` is not NULL. */
static void block_kernel(const pair_room *room, size_t from, size_t m, double *out)
{
    memset(room->sums, 0, m * sizeof *room->sums);
    for (size_t i = 0; i < m; i++) {
        size_t rest = m - i - 1;
        double *row = out ? out + 1 : room->row;
        pair_kernel_row(room->at + from + i + 1, room->at[from + i], rest, row);
        room->sums[i] += 1 + add_row(row, rest, room->sums + i + 1);
        if (!out)
            continue;
        *out = 1;
        out += rest + 1;
    }
}

static void fill_column(const pair_source *s, pair_room *room, size_t j, double *out)
{
    load(s, room, j);
    for (size_t b = 0; b < s->layout.blocks; b++) {
        size_t from = s->layout.starts[b], m = s->layout.starts[b + 1] - from;
        block_kernel(room, from, m, out);
        pair_centre(out, m, room->sums, s->scale[j]);
        out += pair_count(m);
    }
}

static void pairs_column(const tm_matrix *m, size_t j, double *out)
{
    const pair_source *s = m->source;
    if (s->factor[j] == 0) {
        memset(out, 0, m->n * sizeof *out);
        return;
    }
    pair_room *room = enter(m);
    fill_column(s, room, j, out);
    leave(room);
}

/* y += a x_j for one block, given the row sums. */
static void block_axpy(const pair_room *room, size_t from, size_t m, double a, double *y)
{
    double all = pair_means(room->sums, m);
    for (size_t i = 0; i < m; i++, y += m - i + 1) {
        double own = all - room->sums[i];
        pair_kernel_row(room->at + from + i + 1, room->at[from + i], m - i - 1, room->row);
        *y += a * (1 + (own - room->sums[i]));
        axpy_row(y + 1, room->row, room->sums + i + 1, m - i - 1, own, PAIR_SCALE * a);
    }
}

static void pairs_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    const pair_source *s = m->source;
    if (s->factor[j] == 0)
        return;
    pair_room *room = enter(m);
    load(s, room, j);
    for (size_t b = 0; b < s->layout.blocks; b++) {
        size_t from = s->layout.starts[b], size = s->layout.starts[b + 1] - from;
        block_kernel(room, from, size, NULL);
        block_axpy(room, from, size, s->scale[j] * a, y);
        y += pair_count(size);
    }
    leave(room);
}

static void pairs_release(tm_matrix *m)
{
    pair_source *s = m->source;
    tm_dataset_unref(s->data);
    pair_layout_clear(&s->layout);
    free(s->factor);
    free(s->scale);
    free(s->response);
    free(s->with_response);
    free(s->rooms);
    free(s->values);
}

static const matrix_ops pairs_ops = {
    .kind = "pairs",
    .dot = pairs_dot,
    .axpy = pairs_axpy,
    .dot_range = pairs_dot_range,
    .column = pairs_column,
    .entries = matrix_copied_entries,
    .select_rows = matrix_store_rows,
    .release = pairs_release,
};

/* ---- construction -------------------------------------------------------------------------- */

void pair_rates(const tm_dataset *data, double sigma, double *rates)
{
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        double deviation = sqrt(tm_dataset_deviations(data)[j] / (double)tm_dataset_rows(data));
        rates[j] = deviation > 0 ? 1 / (PAIR_SCALE * sigma * deviation) : 0;
    }
}

typedef struct statistics_job {
    const tm_matrix *m;
    const pair_statistics *out;
    const pair_terms *terms;
    atomic_bool cancelled, no_memory;
} statistics_job;

/* Computes mean and deviations of a column while its values are in the cache; then its scale. */
static void take_statistics(statistics_job *q, size_t j, const double *column)
{
    pair_source *s = q->m->source;
    double n = (double)q->m->n, mean = sum_values(column, q->m->n) / n;
    double squares = kernel_dot(column, column, q->m->n);
    if (q->terms->unit_norm && squares > 0) {
        s->scale[j] = 1 / sqrt(squares);
        mean *= s->scale[j];
        squares = 1;
    }
    if (s->response)
        s->with_response[j] = s->scale[j] * kernel_dot(column, s->response, q->m->n);
    q->out->means[j] = mean;
    q->out->deviations[j] = fmax(squares - n * mean * mean, 0);
}

static void find_statistics(size_t from, size_t to, void *payload)
{
    statistics_job *q = payload;
    double *column = mem_array(q->m->n, sizeof *column);
    if (!column) {
        atomic_store(&q->no_memory, true);
        return;
    }
    for (size_t j = from; j < to; j++) {
        if (tm_cancel_poll((tm_cancel *)(uintptr_t)q->terms->cancel)) {
            atomic_store(&q->cancelled, true);
            break;
        }
        pairs_column(q->m, j, column);
        take_statistics(q, j, column);
    }
    free(column);
}

static bool fill_source(pair_source *s, const tm_dataset *data, const pair_terms *terms)
{
    size_t p = tm_dataset_cols(data);
    s->data = tm_dataset_ref(data);
    s->factor = mem_array(p, sizeof *s->factor);
    s->scale = mem_array(p, sizeof *s->scale);
    if (!s->factor || !s->scale || !make_rooms(s, (size_t)team_threads(terms->team) + 1))
        return false;
    if (terms->response) {
        s->response = mem_array(s->layout.rows, sizeof *s->response);
        s->with_response = mem_array(p, sizeof *s->with_response);
        if (!s->response || !s->with_response)
            return false;
        memcpy(s->response, terms->response, s->layout.rows * sizeof *s->response);
    }
    pair_rates(data, terms->sigma, s->factor);
    for (size_t j = 0; j < p; j++)
        s->scale[j] = 1;
    return true;
}

tm_status pair_columns_new(tm_matrix **out, const pair_statistics *statistics,
                           const tm_dataset *data, pair_layout *layout, const pair_terms *terms,
                           tm_error *err)
{
    enum { TOGETHER = 16 };
    size_t p = tm_dataset_cols(data);
    pair_source *source = calloc(1, sizeof *source);
    tm_matrix *m = source ? matrix_new(&pairs_ops, layout->rows, p) : NULL;
    *out = NULL;
    if (!m) {
        free(source);
        pair_layout_clear(layout);
        return tm_fail_memory(err, "the pairs of samples");
    }
    m->source = source;
    m->nnz = (uint64_t)layout->rows * p;
    source->layout = *layout;
    *layout = (pair_layout){0};
    bool made = fill_source(source, data, terms);
    m->bytes = sizeof *source + (2 * p + 5 * source->room_count * source->layout.n) * 8;
    if (source->response)
        m->bytes += (p + source->layout.rows) * 8;
    statistics_job job = {.m = m, .out = statistics, .terms = terms};
    if (made)
        parallel_chunks(p, TOGETHER, terms->team, find_statistics, &job);
    tm_status status =
        !made || atomic_load(&job.no_memory) ? tm_fail_memory(err, "the pairs of samples")
        : atomic_load(&job.cancelled)
            ? tm_fail(err, TM_ECANCELLED, "cancelled while computing the features' kernels")
            : TM_OK;
    if (status == TM_OK)
        *out = m;
    else
        tm_matrix_unref(m);
    return status;
}
