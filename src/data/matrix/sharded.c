/* Sharded columns.
 *
 * The processes run the same solver in lockstep on what appears to be the whole matrix. A pass over
 * many columns is shared: each rank multiplies the columns it stores, and the products are
 * gathered. A single column that is used is broadcast once and cached in a pool, which contains the
 * same columns on every rank, including the rank's own: all ranks therefore compute with the same
 * values and take the same branches. Columns that are never used stay on their rank, so that
 * strategies that screen are preferable. */
#include "data/matrix/sharded.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <string.h>

enum { POOL_LEAST = 256, PIECE = 4096 };
static const uint64_t NOWHERE = UINT64_MAX;

/* The tm_matrix has the pool in values.f64, the rank's own columns in `whole`, and in starts[j] the
 * slot of column j in the pool. */
typedef struct shard {
    const tm_comm *comm;
    size_t room, next; /* slots of the pool; the next slot to overwrite */
    double products[PIECE], sorted[PIECE];
    int counts[]; /* one for each rank */
} shard;

static shard *shard_of(const tm_matrix *m)
{
    return m->source;
}

/* How many of columns from .. from + count - 1 the rank stores, and the first of them among its
 * own. */
static size_t own_part(const shard *s, int rank, size_t from, size_t count, size_t *first)
{
    size_t size = (size_t)s->comm->size, r = (size_t)rank;
    size_t before = (from + size - 1 - r) / size, until = (from + count + size - 1 - r) / size;
    *first = before;
    return until - before;
}

/* ---- single columns ------------------------------------------------------------------------ */

/* Returns column j in the pool. The oldest column is evicted, the same on every rank. */
static const double *fetch(const tm_matrix *m, size_t j)
{
    shard *s = shard_of(m);
    size_t size = (size_t)s->comm->size;
    if (m->starts[j] != NOWHERE)
        return m->values.f64 + m->starts[j] * m->n;
    size_t place = s->next;
    s->next = (s->next + 1) % s->room;
    if (m->rows[place] != UINT32_MAX)
        m->starts[m->rows[place]] = NOWHERE;
    m->rows[place] = (uint32_t)j;
    m->starts[j] = place;
    double *column = m->values.f64 + place * m->n;
    if (j % size == (size_t)s->comm->rank)
        tm_matrix_column(m->whole, j / size, column);
    s->comm->broadcast(s->comm, column, m->n, (int)(j % size));
    return column;
}

/* For a column that is not in the pool the product is sent instead of the column. */
static double sharded_dot(const tm_matrix *m, size_t j, const double *v)
{
    shard *s = shard_of(m);
    size_t size = (size_t)s->comm->size;
    double product = 0;
    if (m->starts[j] != NOWHERE)
        return kernel_dot(m->values.f64 + m->starts[j] * m->n, v, m->n);
    if (j % size == (size_t)s->comm->rank)
        product = tm_matrix_dot(m->whole, j / size, v);
    s->comm->broadcast(s->comm, &product, 1, (int)(j % size));
    return product;
}

static void sharded_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    kernel_axpy(a, fetch(m, j), y, m->n);
}

static void sharded_column(const tm_matrix *m, size_t j, double *out)
{
    memcpy(out, fetch(m, j), m->n * sizeof *out);
}

/* ---- passes -------------------------------------------------------------------------------- */

static void gather_piece(const tm_matrix *m, size_t from, size_t count, const double *v,
                         double *out)
{
    shard *s = shard_of(m);
    int size = s->comm->size;
    size_t first, own = own_part(s, s->comm->rank, from, count, &first);
    if (own > 0)
        tm_matrix_dot_range(m->whole, first, own, v, s->products);
    for (int r = 0; r < size; r++) {
        size_t unused;
        s->counts[r] = (int)own_part(s, r, from, count, &unused);
    }
    s->comm->gather(s->comm, s->products, s->sorted, s->counts);
    const double *next = s->sorted;
    for (int r = 0; r < size; r++) {
        own_part(s, r, from, count, &first);
        for (int k = 0; k < s->counts[r]; k++)
            out[(first + (size_t)k) * (size_t)size + (size_t)r - from] = *next++;
    }
}

static void sharded_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                              double *out)
{
    for (size_t done = 0; done < count; done += PIECE) {
        size_t piece = count - done < PIECE ? count - done : PIECE;
        gather_piece(m, from + done, piece, v, out + done);
    }
}

/* ---- construction -------------------------------------------------------------------------- */

static tm_status make_sharded(tm_matrix **out, tm_matrix *own, size_t p, const tm_comm *comm,
                              tm_error *err);

static tm_status sharded_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                     size_t count, tm_error *err)
{
    tm_matrix *own;
    tm_status status = tm_matrix_select_rows(&own, m->whole, rows, count, err);
    return status == TM_OK ? make_sharded(out, own, m->p, shard_of(m)->comm, err) : status;
}

/* 0, because a single column may have to be fetched from another process. */
static size_t no_cost(const tm_matrix *m, size_t j)
{
    (void)m;
    (void)j;
    return 0;
}

static const matrix_ops sharded_ops = {
    .kind = "sharded",
    .dot = sharded_dot,
    .axpy = sharded_axpy,
    .dot_range = sharded_dot_range,
    .column = sharded_column,
    .entries = matrix_copied_entries,
    .select_rows = sharded_select_rows,
    .cost = no_cost,
};

/* The pool's capacity, the same on every rank; its pages are first touched when they are needed. */
static size_t pool_room(size_t p, int size)
{
    size_t room = p / (2 * (size_t)size);
    room = room > POOL_LEAST ? room : POOL_LEAST;
    return room < p ? room : p;
}

/* Takes ownership of `own`, also on failure. */
static tm_status make_sharded(tm_matrix **out, tm_matrix *own, size_t p, const tm_comm *comm,
                              tm_error *err)
{
    *out = NULL;
    size_t n = tm_matrix_rows(own), room = pool_room(p, comm->size), cells;
    tm_matrix *m = p < UINT32_MAX ? matrix_new(&sharded_ops, n, p) : NULL;
    if (!m) {
        tm_matrix_unref(own);
        return tm_fail_memory(err, "a sharded matrix");
    }
    shard *s = calloc(1, sizeof *s + (size_t)comm->size * sizeof *s->counts);
    bool fits = !__builtin_mul_overflow(room, n, &cells);
    m->whole = own;
    m->source = s;
    m->values.f64 = fits ? mem_array(cells, sizeof(double)) : NULL;
    m->starts = mem_array(p, sizeof *m->starts);
    m->rows = mem_array(room, sizeof *m->rows);
    if (!s || !m->values.f64 || !m->starts || !m->rows) {
        tm_matrix_unref(m);
        return tm_fail_memory(err, "a sharded matrix");
    }
    s->comm = comm;
    s->room = room;
    memset(m->starts, 0xff, p * sizeof *m->starts);
    memset(m->rows, 0xff, room * sizeof *m->rows);
    m->nnz = (uint64_t)n * p;
    m->bytes = tm_matrix_bytes(own);
    *out = m;
    return TM_OK;
}

/* A copy in memory of the given columns, in the format of the whole matrix. */
static tm_status copy_columns(tm_matrix **out, const tm_matrix *view, tm_error *err)
{
    size_t n = tm_matrix_rows(view), p = tm_matrix_cols(view);
    uint64_t nnz = tm_matrix_nnz(view);
    const uint32_t *from_rows;
    const double *from;
    double *scratch = mem_array(n, sizeof *scratch);
    double *values = mem_array(nnz, sizeof *values);
    bool sparse = tm_matrix_is_sparse(view);
    uint64_t *starts = sparse ? mem_array(p + 1, sizeof *starts) : NULL, used = 0;
    uint32_t *rows = sparse ? mem_array(nnz, sizeof *rows) : NULL;
    if (!scratch || !values || (sparse && (!starts || !rows))) {
        free(scratch);
        free(values);
        free(starts);
        free(rows);
        return tm_fail_memory(err, "a shard of the columns");
    }
    for (size_t j = 0; j < p; j++) {
        size_t count = tm_matrix_entries(view, j, scratch, &from_rows, &from);
        memcpy(values + used, from, count * sizeof *values);
        if (sparse) {
            starts[j] = used;
            memcpy(rows + used, from_rows, count * sizeof *rows);
        }
        used += count;
    }
    free(scratch);
    if (!sparse)
        return tm_matrix_new_dense(out, n, p, values, err);
    starts[p] = used;
    return tm_matrix_new_csc(out, n, p, starts, rows, values, err);
}

tm_status matrix_new_sharded(tm_matrix **out, const tm_matrix *whole, const tm_comm *comm,
                             tm_error *err)
{
    size_t p = tm_matrix_cols(whole), size = (size_t)comm->size, count = 0;
    *out = NULL;
    if (p < size)
        return tm_fail(err, TM_EUSAGE, "%zu columns cannot be shared by %d processes", p,
                       comm->size);
    size_t *own = mem_array(p / size + 1, sizeof *own);
    if (!own)
        return tm_fail_memory(err, "a shard of the columns");
    for (size_t j = (size_t)comm->rank; j < p; j += size)
        own[count++] = j;
    tm_matrix *view, *copy = NULL;
    tm_status status = tm_matrix_select_cols(&view, whole, own, count, err);
    free(own);
    /* A matrix that is mapped from a file stays there: only the pages of the rank's own columns are
     * read. */
    if (status == TM_OK && !tm_matrix_is_mapped(whole)) {
        status = copy_columns(&copy, view, err);
        tm_matrix_unref(view);
        view = copy;
    }
    return status == TM_OK ? make_sharded(out, view, p, comm, err) : status;
}
