/* Sharded columns.
 * The processes run the same solver in lockstep on what appears to be the whole matrix. A pass over
 * many columns is shared: each rank multiplies the columns it stores, and the products are
 * gathered. A single column that is used is broadcast once and cached in a pool, which contains the
 * same columns on every rank, including the rank's own: all ranks therefore compute with the same
 * values and take the same branches. Columns that are never used stay on their rank, so that
 * strategies that screen are preferable. */
#include "data/ranks/sharded.h"

#include "base/memory.h"
#include "base/ranks/agree.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <string.h>

/* The pool has space for half as much as a rank's own columns, but at least for so many columns and
 * so many doubles (64 MB): small data are worked on in less time than it takes to send them. */
enum { POOL_LEAST = 256, POOL_LEAST_SIZE = 1 << 23 };
/* Numbers that are gathered together. */
enum { PIECE = 4096 };
/* A column that is not in the pool: whose product has been sent alone, or not. */
static const uint64_t ASKED = UINT64_MAX - 1, NOWHERE = UINT64_MAX;

/* The tm_matrix has the pool in values.f64, the rank's own columns in `whole`, in starts[j] the
 * place of column j in the pool, and for sparse columns in rows[j] its entries, or n if it is sent
 * and stored with all its zeros.
 *
 * In the pool a column is a block: its number, its values, and for a sparse one its rows, two in
 * the space of a double. Blocks follow each other in the order in which they were fetched: from
 * `tail` to `head`, or, when the newest ones are at the front of the pool again, from `tail` to
 * `end` and from 0 to `head`. */
typedef struct shard {
    const tm_comm *comm;
    size_t room, head, tail, end; /* in doubles */
    bool wrapped, full;           /* full: columns have left the pool */
    matrix_traffic traffic;
    uint32_t *every; /* sparse: 0 .. n - 1, the rows of a column that is stored with its zeros */
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

/* ---- the pool ------------------------------------------------------------------------------ */

static size_t entries_of(const tm_matrix *m, size_t j)
{
    return m->sparse ? m->rows[j] : m->n;
}

/* Doubles that a column with so many entries takes in a message; a block has its number too. */
static size_t message_size(const tm_matrix *m, size_t entries)
{
    return entries < m->n ? entries + (entries + 1) / 2 : m->n;
}

static size_t block_size(const tm_matrix *m, size_t j)
{
    return 1 + message_size(m, entries_of(m, j));
}

/* The oldest column leaves the pool, the same on every rank. */
static void evict(const tm_matrix *m)
{
    shard *s = shard_of(m);
    uint64_t j;
    memcpy(&j, m->values.f64 + s->tail, sizeof j);
    m->starts[j] = NOWHERE;
    s->tail += block_size(m, (size_t)j);
    if (s->wrapped && s->tail == s->end) {
        s->tail = 0;
        s->wrapped = false;
    }
}

/* The place of a new block for column j. */
static size_t reserve(const tm_matrix *m, size_t j)
{
    shard *s = shard_of(m);
    size_t size = block_size(m, j);
    while (s->wrapped ? s->head + size > s->tail : s->head + size > s->room)
        if (s->wrapped) {
            evict(m);
        } else {
            s->end = s->head;
            s->head = 0;
            s->full = true;
            s->wrapped = s->tail < s->end;
            s->tail = s->wrapped ? s->tail : 0;
        }
    size_t place = s->head;
    s->head += size;
    return place;
}

/* Writes the rank's own column k as a message. */
static void write_message(const tm_matrix *m, size_t k, size_t entries, double *out)
{
    const uint32_t *rows;
    const double *values;
    if (entries == m->n) {
        tm_matrix_column(m->whole, k, out);
        return;
    }
    size_t count = tm_matrix_entries(m->whole, k, out, &rows, &values);
    if (values != out)
        memcpy(out, values, count * sizeof *out);
    memset(out + count, 0, (count + 1) / 2 * sizeof *out);
    memcpy(out + count, rows, count * sizeof *rows);
}

/* Returns the values of column j in the pool, with its rows after them if it has fewer entries than
 * rows. */
static const double *fetch(const tm_matrix *m, size_t j)
{
    shard *s = shard_of(m);
    size_t size = (size_t)s->comm->size, root = j % size;
    if (m->starts[j] >= ASKED) {
        uint64_t number = j;
        size_t place = reserve(m, j), length = message_size(m, entries_of(m, j));
        double *block = m->values.f64 + place;
        memcpy(block, &number, sizeof number);
        m->starts[j] = place;
        if (root == (size_t)s->comm->rank)
            write_message(m, j / size, entries_of(m, j), block + 1);
        if (length > 0)
            s->comm->broadcast(s->comm, block + 1, length, (int)root);
        s->traffic.columns++;
        s->traffic.column_bytes += root == (size_t)s->comm->rank ? 0 : length * sizeof(double);
    }
    return m->values.f64 + m->starts[j] + 1;
}

static const uint32_t *rows_after(const double *values, size_t count)
{
    return (const uint32_t *)(const void *)(values + count);
}

static double pool_dot(const tm_matrix *m, size_t j, const double *v)
{
    size_t count = entries_of(m, j);
    const double *values = fetch(m, j);
    return count < m->n ? kernel_sparse_dot(rows_after(values, count), values, count, v)
                        : kernel_dot(values, v, m->n);
}

/* ---- single columns ------------------------------------------------------------------------ */

/* A column whose product is needed again belongs to a working set. Those that are already in the
 * pool are not evicted for it. */
static bool should_fetch(const tm_matrix *m, size_t j)
{
    const shard *s = shard_of(m);
    return m->starts[j] < ASKED ||
           (m->starts[j] == ASKED && !s->full && s->head + block_size(m, j) <= s->room);
}

/* For a column that is not in the pool the product is sent instead of the column. */
static double sharded_dot(const tm_matrix *m, size_t j, const double *v)
{
    shard *s = shard_of(m);
    size_t size = (size_t)s->comm->size, root = j % size;
    double product = 0;
    if (should_fetch(m, j))
        return pool_dot(m, j, v);
    m->starts[j] = ASKED;
    if (root == (size_t)s->comm->rank)
        product = tm_matrix_dot(m->whole, j / size, v);
    s->comm->broadcast(s->comm, &product, 1, (int)root);
    s->traffic.products++;
    s->traffic.product_bytes += root == (size_t)s->comm->rank ? 0 : sizeof product;
    return product;
}

static void sharded_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    size_t count = entries_of(m, j);
    const double *values = fetch(m, j);
    if (count < m->n)
        kernel_sparse_axpy(a, rows_after(values, count), values, count, y);
    else
        kernel_axpy(a, values, y, m->n);
}

static void sharded_column(const tm_matrix *m, size_t j, double *out)
{
    size_t count = entries_of(m, j);
    const double *values = fetch(m, j);
    if (count == m->n) {
        memcpy(out, values, m->n * sizeof *out);
        return;
    }
    memset(out, 0, m->n * sizeof *out);
    for (size_t e = 0; e < count; e++)
        out[rows_after(values, count)[e]] = values[e];
}

/* A copy, since the next column may take the place of this one in the pool. A column with fewer
 * entries than rows has room for its rows in the scratch space: see measure_columns. */
static size_t sharded_entries(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                              const double **values)
{
    size_t count = entries_of(m, j);
    memcpy(scratch, fetch(m, j), message_size(m, count) * sizeof *scratch);
    *values = scratch;
    *rows = count < m->n ? rows_after(scratch, count) : shard_of(m)->every;
    return count;
}

/* ---- passes -------------------------------------------------------------------------------- */

/* Gathers `width` numbers for each of the columns; the rank's own ones are in s->products. */
static void gather_own(const tm_matrix *m, size_t from, size_t count, size_t width, double *out)
{
    shard *s = shard_of(m);
    int size = s->comm->size;
    size_t first, own = own_part(s, s->comm->rank, from, count, &first);
    for (int r = 0; r < size; r++)
        s->counts[r] = (int)(own_part(s, r, from, count, &first) * width);
    s->comm->gather(s->comm, s->products, s->sorted, s->counts);
    s->traffic.products += count * width;
    s->traffic.product_bytes += (count - own) * width * sizeof(double);
    const double *next = s->sorted;
    for (int r = 0; r < size; r++) {
        size_t columns = own_part(s, r, from, count, &first);
        for (size_t k = 0; k < columns; k++, next += width)
            memcpy(out + ((first + k) * (size_t)size + (size_t)r - from) * width, next,
                   width * sizeof *next);
    }
}

static void sharded_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                              double *out)
{
    shard *s = shard_of(m);
    for (size_t done = 0; done < count; done += PIECE) {
        size_t first, piece = count - done < PIECE ? count - done : PIECE;
        size_t own = own_part(s, s->comm->rank, from + done, piece, &first);
        if (own > 0)
            tm_matrix_dot_range(m->whole, first, own, v, s->products);
        gather_own(m, from + done, piece, 1, out + done);
    }
}

static void sharded_describe(const tm_matrix *m, size_t from, size_t count,
                             const matrix_description *of, double *out)
{
    shard *s = shard_of(m);
    size_t size = (size_t)s->comm->size, most = PIECE / of->width;
    for (size_t done = 0; done < count; done += most) {
        size_t first, piece = count - done < most ? count - done : most;
        size_t own = own_part(s, s->comm->rank, from + done, piece, &first);
        for (size_t k = 0; k < own; k++) {
            matrix_column column = {.j = (first + k) * size + (size_t)s->comm->rank};
            column.count =
                tm_matrix_entries(m->whole, first + k, of->scratch, &column.rows, &column.values);
            of->describe(&column, of->payload, s->products + k * of->width);
        }
        gather_own(m, from + done, piece, of->width, out + done * of->width);
    }
}

/* ---- construction -------------------------------------------------------------------------- */

static tm_status sharded_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                     size_t count, tm_error *err)
{
    tm_matrix *own = NULL;
    const tm_comm *comm = shard_of(m)->comm;
    tm_status status = tm_matrix_select_rows(&own, m->whole, rows, count, err);
    status = comm_share(comm, status, err);
    if (status == TM_OK)
        return matrix_join_shards(out, own, m->p, comm, err);
    tm_matrix_unref(own);
    return status;
}

/* 0, because a single column may have to be fetched from another process. */
static size_t no_cost(const tm_matrix *m, size_t j)
{
    (void)m;
    (void)j;
    return 0;
}

static void release(tm_matrix *m)
{
    free(shard_of(m)->every);
}

static const matrix_ops sharded_ops = {
    .kind = "sharded",
    .dot = sharded_dot,
    .axpy = sharded_axpy,
    .dot_range = sharded_dot_range,
    .column = sharded_column,
    .entries = sharded_entries,
    .describe = sharded_describe,
    .select_rows = sharded_select_rows,
    .stored = entries_of,
    .cost = no_cost,
    .release = release,
};

bool matrix_is_sharded(const tm_matrix *m)
{
    return m->ops == &sharded_ops || (m->whole && matrix_is_sharded(m->whole));
}

matrix_traffic matrix_shard_traffic(const tm_matrix *m)
{
    return m->ops == &sharded_ops ? shard_of(m)->traffic
           : m->whole             ? matrix_shard_traffic(m->whole)
                                  : (matrix_traffic){0};
}

/* The entries of a sparse column; n when its values and rows would take more space than n values.
 */
static void count_entries(const matrix_column *column, void *payload, double *out)
{
    const tm_matrix *m = payload;
    size_t size = column->count + (column->count + 1) / 2;
    out[0] = (double)(size < m->n ? column->count : m->n);
}

/* The doubles in the pool, the same on every rank; `most` are the entries of the largest column. */
static size_t pool_room(const tm_matrix *m, size_t most)
{
    size_t size = (size_t)shard_of(m)->comm->size, least, block = 2 + message_size(m, most);
    size_t columns = m->p < POOL_LEAST ? m->p : POOL_LEAST;
    uint64_t all = m->p + (m->sparse ? m->nnz + (m->nnz + m->p) / 2 : m->nnz);
    size_t share = (size_t)(all / (2 * size));
    if (__builtin_mul_overflow(columns, block, &least))
        return SIZE_MAX; /* fails to be allocated */
    least = least > POOL_LEAST_SIZE ? least : POOL_LEAST_SIZE;
    share = share > least ? share : least;
    return share < all + block ? share : (size_t)all + block;
}

static tm_status fail_memory(tm_error *err)
{
    return tm_fail_memory(err, "a sharded matrix");
}

/* Finds the entries of all columns of sparse data; *most are those of the largest column. */
static tm_status measure_columns(tm_matrix *m, size_t *most, tm_error *err)
{
    shard *s = shard_of(m);
    m->rows = mem_array(m->p, sizeof *m->rows);
    s->every = mem_array(m->n, sizeof *s->every);
    double *counts = mem_array(m->p, sizeof *counts), *scratch = mem_array(m->n, sizeof(double));
    const matrix_description entries = {count_entries, m, 1, scratch};
    bool enough = m->rows && s->every && counts && scratch;
    tm_status status = comm_share(s->comm, enough ? TM_OK : fail_memory(err), err);
    if (status == TM_OK) {
        for (size_t i = 0; i < m->n; i++)
            s->every[i] = (uint32_t)i;
        sharded_describe(m, 0, m->p, &entries, counts);
        m->sparse = true;
        m->nnz = *most = 0;
        for (size_t j = 0; j < m->p; j++) {
            m->rows[j] = (uint32_t)counts[j];
            m->nnz += m->rows[j];
            *most = m->rows[j] > *most ? m->rows[j] : *most;
        }
    }
    free(counts);
    free(scratch);
    return status;
}

/* The pool's pages are first touched when they are needed. */
static tm_status make_pool(tm_matrix *m, size_t most, tm_error *err)
{
    shard *s = shard_of(m);
    s->room = pool_room(m, most);
    m->values.f64 = mem_array(s->room, sizeof(double));
    return comm_share(s->comm, m->values.f64 ? TM_OK : fail_memory(err), err);
}

/* A matrix without a pool; NULL, or without starts, when memory ran out. Takes the reference to
 * `own`. */
static tm_matrix *begin_matrix(tm_matrix *own, size_t p, const tm_comm *comm)
{
    size_t n = tm_matrix_rows(own);
    tm_matrix *m = p < UINT32_MAX ? matrix_new(&sharded_ops, n, p) : NULL;
    shard *s = calloc(1, sizeof *s + (size_t)comm->size * sizeof *s->counts);
    if (!m || !s) {
        tm_matrix_unref(own);
        free(m);
        free(s);
        return NULL;
    }
    s->comm = comm;
    m->whole = own;
    m->source = s;
    m->nnz = (uint64_t)n * p;
    m->bytes = tm_matrix_bytes(own);
    m->starts = mem_array(p, sizeof *m->starts);
    if (m->starts)
        memset(m->starts, 0xff, p * sizeof *m->starts);
    return m;
}

tm_status matrix_join_shards(tm_matrix **out, tm_matrix *own, size_t p, const tm_comm *comm,
                             tm_error *err)
{
    *out = NULL;
    size_t most = tm_matrix_rows(own);
    tm_matrix *m = begin_matrix(own, p, comm);
    tm_status status = comm_share(comm, m && m->starts ? TM_OK : fail_memory(err), err);
    if (status == TM_OK && tm_matrix_is_sparse(own))
        status = measure_columns(m, &most, err);
    if (status == TM_OK)
        status = make_pool(m, most, err);
    if (status == TM_OK)
        *out = m;
    else
        tm_matrix_unref(m);
    return status;
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
    tm_matrix *view = NULL, *copy = NULL;
    tm_status status = own ? TM_OK : tm_fail_memory(err, "a shard of the columns");
    for (size_t j = (size_t)comm->rank; own && j < p; j += size)
        own[count++] = j;
    if (status == TM_OK)
        status = tm_matrix_select_cols(&view, whole, own, count, err);
    free(own);
    /* A matrix that is mapped from a file stays there: only the pages of the rank's own columns are
     * read. */
    if (status == TM_OK && !tm_matrix_is_mapped(whole)) {
        status = copy_columns(&copy, view, err);
        tm_matrix_unref(view);
        view = copy;
    }
    status = comm_share(comm, status, err);
    if (status == TM_OK)
        return matrix_join_shards(out, view, p, comm, err);
    tm_matrix_unref(view);
    return status;
}
