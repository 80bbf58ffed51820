/* A view of some rows of another matrix, without a copy of its values.
 *
 * For dense columns `rows` of the view maps each row to a row of the whole matrix; for compressed
 * ones it maps each row of the whole to its row in the view, or NO_PLACE, followed by the numbers 0
 * .. n-1. All sums are added in the same order as for a copy of the rows, so that a view and a copy
 * give the same bits. */
#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <string.h>

#define NO_PLACE UINT32_MAX

enum { GATHERED = 512 }; /* entries examined before those in the view are added */

static tm_status rows_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                  size_t count, tm_error *err);

static tm_status rows_view_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                size_t count, tm_error *err);

/* Consecutive rows are read in place. */
static size_t dense_rows_entries_f64(const tm_matrix *m, size_t j, double *scratch,
                                     const uint32_t **rows, const double **values)
{
    *rows = NULL;
    if (m->run)
        matrix_touch(m->whole, j);
    else
        m->ops->column(m, j, scratch);
    *values = m->run ? m->whole->values.f64 + j * m->whole->n + m->rows[0] : scratch;
    return m->n;
}

static size_t dense_rows_entries_f32(const tm_matrix *m, size_t j, double *scratch,
                                     const uint32_t **rows, const double **values)
{
    m->ops->column(m, j, scratch);
    *rows = NULL;
    *values = scratch;
    return m->n;
}

/* The entries of column j of a view over compressed columns. The caller of tm_matrix_entries
 * provides space for n doubles, in which both values and rows must fit: a column that does not fit
 * is returned as dense, including zeros. */
static size_t stored_entries(const tm_matrix *m, size_t j)
{
    const tm_matrix *whole = m->whole;
    size_t count = 0;
    matrix_touch(whole, j);
    for (uint64_t k = whole->starts[j]; k < whole->starts[j + 1]; k++)
        count += m->rows[whole->rows[k]] != NO_PLACE;
    bool fits = count * (sizeof(double) + sizeof(uint32_t)) <= m->n * sizeof(double);
    return fits ? count : m->n;
}

/* All entries of the whole matrix are read. */
static size_t sparse_rows_cost(const tm_matrix *m, size_t j)
{
    return tm_matrix_column_nnz(m->whole, j);
}

#define REAL double
#define FIELD f64
#define NAME(x) x##_f64
#define KERNEL(x) x
#define DENSE_OPS dense_rows_f64_ops
#define SPARSE_OPS sparse_rows_f64_ops
#include "data/matrix/rows_of.h"

#define REAL float
#define FIELD f32
#define NAME(x) x##_f32
#define KERNEL(x) x##_f32
#define DENSE_OPS dense_rows_f32_ops
#define SPARSE_OPS sparse_rows_f32_ops
#include "data/matrix/rows_of.h"

/* ---- construction -------------------------------------------------------------------------- */

/* The rows of the whole matrix for `rows` of the view; NULL when memory ran out. Freed by the
 * caller. */
static size_t *compose(const tm_matrix *m, const size_t *rows, size_t count)
{
    size_t *of_whole = mem_array(count, sizeof *of_whole);
    size_t *back = m->sparse ? mem_array(m->n, sizeof *back) : NULL;
    bool good = of_whole && (back || !m->sparse);
    for (size_t i = 0; good && back && i < m->whole->n; i++)
        if (m->rows[i] != NO_PLACE)
            back[m->rows[i]] = i;
    for (size_t i = 0; good && i < count; i++)
        of_whole[i] = back ? back[rows[i]] : m->rows[rows[i]];
    free(back);
    if (good)
        return of_whole;
    free(of_whole);
    return NULL;
}

static tm_status rows_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                  size_t count, tm_error *err)
{
    size_t *of_whole = compose(m, rows, count);
    if (!of_whole)
        return matrix_fail_memory(err);
    tm_status status = tm_matrix_select_rows(out, m->whole, of_whole, count, err);
    free(of_whole);
    return status;
}

/* The row table of the view, with its length in *length; NULL when memory ran out. */
static uint32_t *make_table(const tm_matrix *whole, const size_t *rows, size_t count,
                            size_t *length)
{
    *length = whole->sparse ? whole->n + count : count;
    uint32_t *table = mem_array(*length, sizeof *table);
    for (size_t i = 0; table && whole->sparse && i < whole->n; i++)
        table[i] = NO_PLACE;
    for (size_t i = 0; table && i < count; i++) {
        if (whole->sparse) {
            table[rows[i]] = (uint32_t)i;
            table[whole->n + i] = (uint32_t)i;
        } else {
            table[i] = (uint32_t)rows[i];
        }
    }
    return table;
}

static tm_status view_whole(tm_matrix **out, const tm_matrix *whole, const size_t *rows,
                            size_t count, tm_error *err)
{
    bool ascending = true, run = true;
    for (size_t i = 1; i < count; i++) {
        ascending = ascending && rows[i] > rows[i - 1];
        run = run && rows[i] == rows[i - 1] + 1;
    }
    const matrix_ops *ops = ascending || !whole->sparse ? whole->ops->rows : NULL;
    if (!ops || count == 0 || whole->n > UINT32_MAX)
        return tm_matrix_select_rows(out, whole, rows, count, err);
    size_t length;
    tm_matrix *m = matrix_new(ops, count, whole->p);
    uint32_t *table = m ? make_table(whole, rows, count, &length) : NULL;
    if (!table) {
        free(m);
        return matrix_fail_memory(err);
    }
    m->rows = table;
    m->run = run;
    m->sparse = whole->sparse;
    m->whole = tm_matrix_ref(whole);
    m->bytes = length * sizeof *table;
    for (size_t j = 0; j < m->p; j++)
        m->nnz += matrix_stored(m, j);
    *out = m;
    return TM_OK;
}

static tm_status rows_view_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                size_t count, tm_error *err)
{
    size_t *of_whole = compose(m, rows, count);
    if (!of_whole)
        return matrix_fail_memory(err);
    tm_status status = view_whole(out, m->whole, of_whole, count, err);
    free(of_whole);
    return status;
}

tm_status tm_matrix_view_rows(tm_matrix **out, const tm_matrix *matrix, const size_t *rows,
                              size_t count, tm_error *err)
{
    *out = NULL;
    tm_status status = matrix_check_rows(matrix, rows, count, err);
    if (status != TM_OK)
        return status;
    return matrix->ops->view_rows ? matrix->ops->view_rows(out, matrix, rows, count, err)
                                  : view_whole(out, matrix, rows, count, err);
}
