/* Sums of columns over the subtrees of a forest.
 *
 * In preorder a subtree is a range of places, so that its sum is computed from stored sums over
 * blocks of about sqrt(p) places and the single columns at both ends: about 3 sqrt(p) columns of
 * work instead of p. Computed columns are cached, because the columns in use are few and are used
 * often. */
#include "data/sums/summed.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of single columns that are cached: further ones are recomputed with each use. */
static const size_t KEPT_BYTES = (size_t)1 << 28;

typedef struct forest_sums {
    size_t *nodes, *up, *column, *end; /* p; end: the place after the subtree */
    size_t *place;                     /* p: place of each column of the sums */
    size_t block, blocks;              /* places in a block, and number of blocks */
    double *sums;                      /* n x blocks */
    _Atomic(double *) *kept;           /* p: single columns, n values each */
    atomic_size_t room;                /* columns that may still be cached */
} forest_sums;

static forest_sums *sums_of(const tm_matrix *m)
{
    return m->source;
}

static void release(tm_matrix *m)
{
    forest_sums *f = m->source;
    if (!f)
        return;
    for (size_t j = 0; f->kept && j < m->p; j++)
        free(atomic_load(&f->kept[j]));
    free(f->kept);
    free(f->nodes);
    free(f->up);
    free(f->column);
    free(f->end);
    free(f->place);
    free(f->sums);
}

/* ---- single columns ------------------------------------------------------------------------ */

/* The place after `at` in the subtree that ends at `end`, and the stored sum of the block in
 * between; NULL: a single place. */
static size_t step_from(const tm_matrix *m, size_t at, size_t end, const double **block)
{
    const forest_sums *f = sums_of(m);
    bool whole = at % f->block == 0 && at + f->block <= end;
    *block = whole ? f->sums + at / f->block * m->n : NULL;
    return whole ? at + f->block : at + 1;
}

static void add_column(const tm_matrix *m, size_t j, double a, double *y)
{
    const forest_sums *f = sums_of(m);
    const double *block;
    for (size_t at = f->place[j], end = f->end[at], next; at < end; at = next) {
        next = step_from(m, at, end, &block);
        if (block)
            kernel_axpy(a, block, y, m->n);
        else
            tm_matrix_axpy(m->whole, f->nodes[at], a, y);
    }
}

static void make_column(const tm_matrix *m, size_t j, double *out)
{
    memset(out, 0, m->n * sizeof *out);
    add_column(m, j, 1, out);
}

static bool take_room(forest_sums *f)
{
    size_t room = atomic_load(&f->room);
    while (room > 0)
        if (atomic_compare_exchange_weak(&f->room, &room, room - 1))
            return true;
    return false;
}

/* The cached column; NULL: the cache is full. */
static const double *kept_column(const tm_matrix *m, size_t j)
{
    forest_sums *f = sums_of(m);
    double *have = atomic_load(&f->kept[j]);
    if (have || !take_room(f))
        return have;
    double *made = mem_array(m->n, sizeof *made), *none = NULL;
    if (!made)
        return NULL;
    make_column(m, j, made);
    if (atomic_compare_exchange_strong(&f->kept[j], &none, made))
        return made;
    free(made); /* another thread has stored it first */
    atomic_fetch_add(&f->room, 1);
    return none;
}

static double summed_dot(const tm_matrix *m, size_t j, const double *v)
{
    const forest_sums *f = sums_of(m);
    const double *kept = kept_column(m, j), *block;
    double sum = 0;
    if (kept)
        return kernel_dot(kept, v, m->n);
    for (size_t at = f->place[j], end = f->end[at], next; at < end; at = next) {
        next = step_from(m, at, end, &block);
        sum += block ? kernel_dot(block, v, m->n) : tm_matrix_dot(m->whole, f->nodes[at], v);
    }
    return sum;
}

static void summed_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    const double *kept = kept_column(m, j);
    if (kept)
        kernel_axpy(a, kept, y, m->n);
    else
        add_column(m, j, a, y);
}

static void summed_column(const tm_matrix *m, size_t j, double *out)
{
    const double *kept = atomic_load(&sums_of(m)->kept[j]);
    if (kept)
        memcpy(out, kept, m->n * sizeof *out);
    else
        make_column(m, j, out);
}

static size_t summed_entries(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                             const double **values)
{
    const double *kept = kept_column(m, j);
    if (!kept)
        return matrix_copied_entries(m, j, scratch, rows, values);
    *rows = NULL;
    *values = kept;
    return m->n;
}

/* ---- all columns --------------------------------------------------------------------------- */

void matrix_summed_products(const tm_matrix *m, const double *whole, double *out)
{
    const forest_sums *f = sums_of(m);
    for (size_t at = 0; at < m->p; at++)
        out[f->column[at]] = whole[f->nodes[at]];
    for (size_t at = m->p; at-- > 0;)
        if (f->up[at] != SIZE_MAX)
            out[f->column[f->up[at]]] += out[f->column[at]];
}

static void summed_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                             double *out)
{
    double *products = count > 1 ? mem_array(2 * m->p, sizeof *products) : NULL;
    for (size_t k = 0; !products && k < count; k++)
        out[k] = summed_dot(m, from + k, v);
    if (!products)
        return;
    tm_matrix_dot_range(m->whole, 0, m->p, v, products);
    matrix_summed_products(m, products, products + m->p);
    memcpy(out, products + m->p + from, count * sizeof *out);
    free(products);
}

static tm_status summed_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                    size_t count, tm_error *err)
{
    const forest_sums *f = sums_of(m);
    tm_matrix *part;
    tm_status status = m->whole->ops->select_rows(&part, m->whole, rows, count, err);
    if (status != TM_OK)
        return status;
    status = matrix_new_summed(out, part, &(summed_forest){f->nodes, f->up, f->column}, err);
    tm_matrix_unref(part);
    return status;
}

static const matrix_ops summed_ops = {
    .kind = "summed",
    .dot = summed_dot,
    .axpy = summed_axpy,
    .dot_range = summed_dot_range,
    .joint = true,
    .column = summed_column,
    .entries = summed_entries,
    .select_rows = summed_select_rows,
    .release = release,
};

/* ---- construction -------------------------------------------------------------------------- */

static size_t *copied(const size_t *from, size_t count)
{
    size_t *to = mem_array(count, sizeof *to);
    if (to)
        memcpy(to, from, count * sizeof *to);
    return to;
}

static bool copy_forest(forest_sums *f, const summed_forest *forest, size_t p)
{
    f->nodes = copied(forest->nodes, p);
    f->up = copied(forest->up, p);
    f->column = copied(forest->column, p);
    f->end = mem_array(p, sizeof *f->end);
    f->place = mem_array(p, sizeof *f->place);
    f->kept = mem_zeros(p, sizeof *f->kept);
    if (!f->nodes || !f->up || !f->column || !f->end || !f->place || !f->kept)
        return false;
    for (size_t at = 0; at < p; at++) {
        f->end[at] = at + 1;
        f->place[f->column[at]] = at;
    }
    for (size_t at = p; at-- > 0;)
        if (f->up[at] != SIZE_MAX && f->end[f->up[at]] < f->end[at])
            f->end[f->up[at]] = f->end[at];
    return true;
}

static bool fill_blocks(const tm_matrix *m, forest_sums *f)
{
    f->block = (size_t)sqrt((double)m->p) + 1;
    f->blocks = m->p / f->block + 1;
    f->sums = mem_zeros(f->blocks, m->n * sizeof *f->sums);
    for (size_t at = 0; f->sums && at < m->p; at++)
        tm_matrix_axpy(m->whole, f->nodes[at], 1, f->sums + at / f->block * m->n);
    return f->sums != NULL;
}

tm_status matrix_new_summed(tm_matrix **out, const tm_matrix *whole, const summed_forest *forest,
                            tm_error *err)
{
    tm_matrix *m = matrix_new(&summed_ops, whole->n, whole->p);
    forest_sums *f = calloc(1, sizeof *f);
    *out = NULL;
    if (m) {
        m->whole = tm_matrix_ref(whole);
        m->source = f;
        m->nnz = (uint64_t)whole->n * whole->p;
    }
    if (!m || !f || !copy_forest(f, forest, whole->p) || !fill_blocks(m, f)) {
        tm_matrix_unref(m);
        if (!m)
            free(f);
        return tm_fail_memory(err, "sums over subtrees");
    }
    m->bytes = f->blocks * m->n * sizeof(double);
    atomic_init(&f->room, KEPT_BYTES / (sizeof(double) * (m->n + 1)) + 1);
    *out = m;
    return TM_OK;
}

/* ---- statistics ---------------------------------------------------------------------------- */

static void measure(const double *column, size_t n, double *mean, double *deviation)
{
    double sum = 0, squares = 0, first = column[0];
    bool constant = true;
    for (size_t i = 0; i < n; i++) {
        sum += column[i] - first;
        constant = constant && column[i] == first;
    }
    *mean = first + sum / (double)n;
    for (size_t i = 0; !constant && i < n; i++)
        squares += (column[i] - *mean) * (column[i] - *mean);
    *deviation = squares;
}

/* From the last place to the first: a node's sum is complete when the node is reached, and is then
 * added to its parent, or becomes the parent's if that has none yet. Only the sums along one path
 * are stored at a time. */
tm_status matrix_summed_statistics(const tm_matrix *m, double *means, double *deviations,
                                   tm_error *err)
{
    const forest_sums *f = sums_of(m);
    double **waiting = mem_zeros(m->p, sizeof *waiting);
    bool enough = waiting != NULL;
    for (size_t at = m->p; enough && at-- > 0;) {
        double *sum = waiting[at] ? waiting[at] : mem_zeros(m->n, sizeof *sum);
        waiting[at] = NULL;
        enough = sum != NULL;
        if (!enough)
            break;
        tm_matrix_axpy(m->whole, f->nodes[at], 1, sum);
        measure(sum, m->n, &means[f->column[at]], &deviations[f->column[at]]);
        if (f->up[at] != SIZE_MAX && !waiting[f->up[at]]) {
            waiting[f->up[at]] = sum;
            continue;
        }
        if (f->up[at] != SIZE_MAX)
            kernel_axpy(1, sum, waiting[f->up[at]], m->n);
        free(sum);
    }
    for (size_t at = 0; waiting && at < m->p; at++)
        free(waiting[at]);
    free(waiting);
    return enough ? TM_OK : tm_fail_memory(err, "the sums' statistics");
}
