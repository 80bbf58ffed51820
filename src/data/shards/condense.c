/* Tall data condensed to p + 2 rows by orthogonal transformations, each process's rows first and
 * then what is left of all of them.
 *
 * The columns are 1, the features, and the response minus the offset, all multiplied with the roots
 * of the weights. Their triangular factor has the same sums of products, without the squared
 * condition of a matrix of sums. Its first row gives the means. The remaining rows are the centred
 * columns; a reflection that maps the last unit vector to (1, ..., 1) / sqrt(m) makes their sums
 * zero, and the means are added again. */
#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/ranks/agree.h"
#include "data/dataset_parts.h"
#include "data/shards/shards.h"
#include "tamis/comm.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are added to the factor together, in columns: each costs as much as reading them, and
 * the factor's own rows are transformed again for each block. */
enum { BLOCK_FACTOR = 4 };

typedef struct condensing {
    const tm_dataset *data;
    size_t n, p, k, block; /* k = p + 2 columns */
    size_t *next;          /* p: sparse: the first entry of each column that is not taken */
    double *stack;         /* (k + block) x k: the factor, and the next rows below it */
    double *tau, *scratch; /* k; n */
} condensing;

/* Clears below the factor's diagonal, where the reflections are. */
static void clear_below(condensing *c)
{
    for (size_t j = 0; j < c->k; j++)
        for (size_t i = j + 1; i < c->k; i++)
            c->stack[j * (c->k + c->block) + i] = 0;
}

/* Replaces the factor by that of itself and `rows` rows below it. */
static tm_status add_rows(condensing *c, size_t rows, tm_error *err)
{
    lapack_int ld = (lapack_int)(c->k + c->block), height = (lapack_int)(c->k + rows);
    lapack_int k = (lapack_int)c->k;
    /* With memory of its own: where there is none, LAPACKE would print that. */
    double room = 0;
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, height, k, c->stack, ld, c->tau, &room, -1);
    double *work = mem_array((size_t)room, sizeof *work);
    if (work)
        LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, height, k, c->stack, ld, c->tau, work,
                            (lapack_int)room);
    free(work);
    if (!work)
        return tm_fail_memory(err, "the factor of the rows");
    clear_below(c);
    return TM_OK;
}

/* Writes rows from .. from + count - 1 of column j. */
static void read_part(condensing *c, size_t j, size_t from, size_t count, double *out)
{
    const tm_matrix *x = tm_dataset_x(c->data);
    const uint32_t *rows;
    const double *values;
    if (tm_matrix_has_parts(x)) {
        tm_matrix_part(x, j, from, count, out);
        return;
    }
    size_t entries = tm_matrix_entries(x, j, c->scratch, &rows, &values);
    if (!rows) {
        memcpy(out, values + from, count * sizeof *out);
        return;
    }
    memset(out, 0, count * sizeof *out);
    for (; c->next[j] < entries && rows[c->next[j]] < from + count; c->next[j]++)
        out[rows[c->next[j]] - from] = values[c->next[j]];
}

static void read_block(condensing *c, size_t from, size_t count)
{
    const double *y = tm_dataset_y(c->data), *weights = tm_dataset_weights(c->data);
    const double *offset = tm_dataset_offset(c->data);
    for (size_t j = 0; j < c->k; j++) {
        double *out = c->stack + j * (c->k + c->block) + c->k;
        if (j > 0 && j <= c->p)
            read_part(c, j - 1, from, count, out);
        for (size_t i = 0; i < count; i++) {
            double weight = weights ? sqrt(weights[from + i]) : 1;
            double value = j == 0 ? 1 : j <= c->p ? out[i] : y[from + i];
            if (j > c->p && offset)
                value -= offset[from + i];
            out[i] = weight * value;
        }
    }
}

static tm_status factor_rows(condensing *c, tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t from = 0; status == TM_OK && from < c->n; from += c->block) {
        size_t count = c->n - from < c->block ? c->n - from : c->block;
        read_block(c, from, count);
        status = add_rows(c, count, err);
    }
    return status;
}

/* ---- all processes ------------------------------------------------------------------------- */

/* The upper triangle of the factor, column by column. */
static void pack(const condensing *c, double *packed)
{
    for (size_t j = 0; j < c->k; j++, packed += j)
        memcpy(packed, c->stack + j * (c->k + c->block), (j + 1) * sizeof *packed);
}

/* Places a packed triangle in the rows below the factor, or in its place. */
static void unpack(condensing *c, const double *packed, size_t row)
{
    for (size_t j = 0; j < c->k; j++, packed += j) {
        double *out = c->stack + j * (c->k + c->block) + row;
        memset(out, 0, c->k * sizeof *out);
        memcpy(out, packed, (j + 1) * sizeof *out);
    }
}

/* The factor of all processes' rows, in the order of the ranks on each. */
static tm_status factor_all(condensing *c, const tm_comm *comm, tm_status status, tm_error *err)
{
    size_t size = c->k * (c->k + 1) / 2;
    double *packed = status == TM_OK ? mem_array(size, 2 * sizeof *packed) : NULL;
    if (status == TM_OK && !packed)
        status = tm_fail_memory(err, "the factor of the rows");
    status = comm_share(comm, status, err);
    if (status != TM_OK) {
        free(packed);
        return status;
    }
    pack(c, packed);
    for (size_t r = 0; r < (size_t)comm->size; r++) {
        double *other = packed + size;
        if (r == (size_t)comm->rank)
            memcpy(other, packed, size * sizeof *other);
        comm->broadcast(comm, other, size, (int)r);
        unpack(c, other, r == 0 ? 0 : c->k);
        if (r > 0 && status == TM_OK)
            status = add_rows(c, c->k, err);
    }
    free(packed);
    return status;
}

/* ---- the rows that remain ------------------------------------------------------------------ */

/* Writes column j (from 0; p: the response) of the m = k rows. The reflection with the vector u =
 * e_m - 1 / sqrt(m) maps e_m to (1, ..., 1) / sqrt(m). */
static void write_column(const condensing *c, size_t j, double *out)
{
    size_t m = c->k, ld = c->k + c->block;
    const double *factor = c->stack + (j + 1) * ld;
    double total = c->stack[0], mean = factor[0] / total, end = 1 / sqrt((double)m), along = 0;
    memset(out, 0, m * sizeof *out);
    memcpy(out, factor + 1, (j + 1 < c->k ? j + 1 : c->k) * sizeof *out);
    out[m - 1] = 0;
    for (size_t i = 0; i < m; i++)
        along -= end * out[i];
    double step = along / (1 - end), scale = sqrt((double)m) / fabs(total);
    for (size_t i = 0; i < m; i++) {
        double u = i + 1 < m ? -end : 1 - end;
        out[i] = scale * (out[i] - step * u) + mean;
    }
}

static tm_status make_data(tm_dataset **out, const condensing *c, const char *sha256, tm_error *err)
{
    size_t m = c->k;
    double total = c->stack[0] * c->stack[0];
    double *x = mem_array(m * c->p, sizeof *x), *y = mem_array(m, sizeof *y);
    double *weights = mem_array(m, sizeof *weights);
    tm_dataset_parts parts = {.name = tm_dataset_name(c->data), .sha256 = sha256};
    tm_status status = x && y && weights ? TM_OK : tm_fail_memory(err, "the condensed rows");
    if (status == TM_OK)
        status = dataset_parts_copy(&parts, c->data, NULL, NULL, NULL, c->n, err);
    dataset_parts_drop_response(&parts);
    free(parts.rows.qids);
    parts.rows = (tm_row_facts){.weights = weights};
    parts.response = (tm_response){.y = y, .numeric = true};
    if (status == TM_OK) {
        for (size_t j = 0; j < c->p; j++)
            write_column(c, j, x + j * m);
        write_column(c, c->p, y);
        for (size_t i = 0; i < m; i++)
            weights[i] = total / (double)m;
        status = tm_matrix_new_dense(&parts.x, m, c->p, x, err);
        x = NULL;
    }
    free(x);
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    dataset_parts_free(&parts, c->p);
    return status;
}

static tm_status allocate(condensing *c, tm_error *err)
{
    size_t cells;
    bool fits = !__builtin_mul_overflow(c->k + c->block, c->k, &cells);
    c->stack = fits ? mem_zeros(cells, sizeof *c->stack) : NULL;
    c->tau = mem_array(c->k, sizeof *c->tau);
    c->scratch = mem_array(c->n, sizeof *c->scratch);
    c->next = mem_zeros(c->p, sizeof *c->next);
    if (!c->stack || !c->tau || !c->scratch || !c->next)
        return tm_fail_memory(err, "the factor of the rows");
    return blas_begin(err);
}

tm_status tm_dataset_condense(tm_dataset **out, const tm_dataset *own, const tm_comm *comm,
                              size_t *rows, tm_error *err)
{
    size_t n = tm_dataset_rows(own), p = tm_dataset_cols(own);
    condensing c = {.data = own, .n = n, .p = p, .k = p + 2, .block = BLOCK_FACTOR * (p + 2)};
    shard_origin of;
    *out = NULL;
    if (comm && shard_check_rows(own, comm, err) != TM_OK)
        return TM_EDATA;
    *rows = comm ? (size_t)comm_sum(comm, (double)n) : n;
    if (p > TM_CONDENSE_COLUMNS || p > *rows)
        return tm_fail(err, TM_EUSAGE,
                       "%s: rows can be condensed when there are fewer columns than rows, and at "
                       "most %d; it has %zu rows and %zu columns",
                       tm_dataset_name(own), TM_CONDENSE_COLUMNS, *rows, p);
    tm_status status = allocate(&c, err);
    if (status == TM_OK)
        status = factor_rows(&c, err);
    if (comm)
        status = factor_all(&c, comm, status, err);
    if (status == TM_OK)
        status = make_data(out, &c, shard_find_origin(&of, own) ? of.sha256 : NULL, err);
    if (comm)
        status = comm_share(comm, status, err);
    if (status != TM_OK) {
        tm_dataset_unref(*out);
        *out = NULL;
    }
    free(c.stack);
    free(c.tau);
    free(c.scratch);
    free(c.next);
    return status;
}
