#include "data/ranks/row_shard.h"

#include "base/memory.h"
#include "base/ranks/agree.h"
#include "data/matrix/kind.h"

#include <string.h>

/* The rows at hand are in `whole`. */
typedef struct row_shard {
    const tm_comm *comm;
    size_t all;      /* rows of all processes */
    uint64_t summed; /* numbers that have been summed over all processes */
    int counts[];    /* the rows of each */
} row_shard;

static row_shard *shard_of(const tm_matrix *m)
{
    return m->source;
}

static void add_all(const tm_matrix *m, double *values, size_t count)
{
    row_shard *s = shard_of(m);
    s->summed += count;
    comm_add(s->comm, values, count);
}

static double row_shard_dot(const tm_matrix *m, size_t j, const double *v)
{
    double product = tm_matrix_dot(m->whole, j, v);
    add_all(m, &product, 1);
    return product;
}

static void row_shard_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                                double *out)
{
    tm_matrix_dot_range(m->whole, from, count, v, out);
    add_all(m, out, count);
}

static void row_shard_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    tm_matrix_axpy(m->whole, j, a, y);
}

static void row_shard_column(const tm_matrix *m, size_t j, double *out)
{
    tm_matrix_column(m->whole, j, out);
}

static void row_shard_part(const tm_matrix *m, size_t j, size_t from, size_t count, double *out)
{
    tm_matrix_part(m->whole, j, from, count, out);
}

static size_t row_shard_entries(const tm_matrix *m, size_t j, double *scratch,
                                const uint32_t **rows, const double **values)
{
    return tm_matrix_entries(m->whole, j, scratch, rows, values);
}

/* Of the rows at hand, which are then without the others. */
static tm_status row_shard_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                       size_t count, tm_error *err)
{
    return tm_matrix_select_rows(out, m->whole, rows, count, err);
}

static size_t row_shard_stored(const tm_matrix *m, size_t j)
{
    return matrix_stored(m->whole, j);
}

static size_t row_shard_cost(const tm_matrix *m, size_t j)
{
    return tm_matrix_column_nnz(m->whole, j);
}

static const matrix_ops row_shard_ops = {
    .kind = "row shard",
    .dot = row_shard_dot,
    .axpy = row_shard_axpy,
    .dot_range = row_shard_dot_range,
    .joint = true, /* a message costs more than its numbers */
    .column = row_shard_column,
    .part = row_shard_part,
    .entries = row_shard_entries,
    .select_rows = row_shard_select_rows,
    .stored = row_shard_stored,
    .cost = row_shard_cost,
};

static bool is_row_shard(const tm_matrix *m)
{
    return m->ops == &row_shard_ops;
}

const tm_comm *matrix_row_comm(const tm_matrix *m)
{
    return is_row_shard(m) ? shard_of(m)->comm : NULL;
}

size_t matrix_all_rows(const tm_matrix *m)
{
    return is_row_shard(m) ? shard_of(m)->all : m->n;
}

const tm_matrix *matrix_own_rows(const tm_matrix *m)
{
    return is_row_shard(m) ? m->whole : m;
}

void matrix_add_rows(const tm_matrix *m, double *values, size_t count)
{
    if (is_row_shard(m))
        add_all(m, values, count);
}

bool matrix_is_plain(const tm_matrix *m)
{
    return m->ops->plain;
}

uint64_t matrix_summed(const tm_matrix *m)
{
    return is_row_shard(m) ? shard_of(m)->summed : 0;
}

void matrix_gather_rows(const tm_matrix *m, const double *mine, double *all)
{
    const row_shard *s = is_row_shard(m) ? shard_of(m) : NULL;
    if (s)
        s->comm->gather(s->comm, mine, all, s->counts);
    else
        memcpy(all, mine, m->n * sizeof *all);
}

static tm_matrix *make(tm_matrix *own, const tm_comm *comm)
{
    tm_matrix *m = matrix_new(&row_shard_ops, own->n, own->p);
    row_shard *s = calloc(1, sizeof *s + (size_t)comm->size * sizeof *s->counts);
    if (!m || !s) {
        free(m);
        free(s);
        return NULL;
    }
    s->comm = comm;
    m->source = s;
    m->nnz = own->nnz;
    m->bytes = own->bytes;
    m->sparse = own->sparse;
    m->whole = own;
    return m;
}

tm_status matrix_new_row_shard(tm_matrix **out, tm_matrix *own, const tm_comm *comm, tm_error *err)
{
    tm_matrix *m = make(own, comm);
    tm_status status =
        comm_share(comm, m ? TM_OK : tm_fail_memory(err, "a shard of the rows"), err);
    if (status != TM_OK) {
        tm_matrix_unref(m ? m : own);
        *out = NULL;
        return status;
    }
    row_shard *s = shard_of(m);
    for (int r = 0; r < comm->size; r++) {
        double rows = (double)own->n;
        comm->broadcast(comm, &rows, 1, r);
        s->counts[r] = (int)rows;
        s->all += (size_t)rows;
    }
    *out = m;
    return TM_OK;
}
