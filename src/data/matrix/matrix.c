/* Shared by all kinds of storage: reference counts, and dispatch of calls. */
#include "data/matrix/kind.h"

#include "base/references.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

tm_matrix *matrix_new(const matrix_ops *ops, size_t n, size_t p)
{
    tm_matrix *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->ops = ops;
    m->n = n;
    m->p = p;
    atomic_init(&m->references, 1);
    return m;
}

tm_status matrix_fail_memory(tm_error *err)
{
    return tm_fail_memory(err, "a selection of rows");
}

size_t matrix_copied_entries(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                             const double **values)
{
    m->ops->column(m, j, scratch);
    *rows = NULL;
    *values = scratch;
    return m->n;
}

tm_matrix *tm_matrix_ref(const tm_matrix *matrix)
{
    return reference_take(matrix, &matrix->references);
}

void tm_matrix_unref(tm_matrix *matrix)
{
    if (!matrix || !reference_drop(&matrix->references))
        return;
    if (matrix->pages) {
        page_budget_close(matrix->pages);
    } else {
        free(matrix->values.f64);
        free(matrix->starts);
        free(matrix->rows);
    }
    if (matrix_derived(matrix))
        matrix->free_derived(matrix_derived(matrix));
    free(matrix->missing);
    free(matrix->cols);
    if (matrix->ops->release)
        matrix->ops->release(matrix);
    free(matrix->source);
    tm_matrix_unref(matrix->whole);
    free(matrix);
}

void *matrix_derived(const tm_matrix *m)
{
    return atomic_load(&m->derived);
}

void *matrix_keep_derived(const tm_matrix *m, void *derived, void (*release)(void *derived))
{
    tm_matrix *owner = (tm_matrix *)(uintptr_t)m; /* immutable but for this */
    void *none = NULL;
    if (!atomic_compare_exchange_strong(&owner->derived, &none, derived)) {
        release(derived);
        return none;
    }
    owner->free_derived = release;
    return derived;
}

size_t tm_matrix_rows(const tm_matrix *matrix)
{
    return matrix->n;
}

size_t tm_matrix_cols(const tm_matrix *matrix)
{
    return matrix->p;
}

uint64_t tm_matrix_nnz(const tm_matrix *matrix)
{
    return matrix->nnz;
}

size_t tm_matrix_column_nnz(const tm_matrix *matrix, size_t j)
{
    assert(j < matrix->p);
    return matrix->ops->cost ? matrix->ops->cost(matrix, j) : matrix->n;
}

size_t tm_matrix_bytes(const tm_matrix *matrix)
{
    return matrix->bytes;
}

const char *tm_matrix_kind(const tm_matrix *matrix)
{
    return matrix->ops->kind;
}

bool tm_matrix_is_sparse(const tm_matrix *matrix)
{
    return matrix->sparse;
}

bool tm_matrix_is_joint(const tm_matrix *matrix)
{
    return matrix->ops->joint;
}

bool tm_matrix_is_mapped(const tm_matrix *matrix)
{
    return (matrix->pages && page_budget_is_file(matrix->pages)) ||
           (matrix->whole && tm_matrix_is_mapped(matrix->whole));
}

static inline void touch(const tm_matrix *m, size_t j)
{
    if (m->pages)
        page_budget_touch(m->pages, m->ops->file_bytes(m, j, 1));
}

bool matrix_is_limited(const tm_matrix *m)
{
    return m->pages && page_budget_piece(m->pages) != SIZE_MAX;
}

void matrix_touch(const tm_matrix *m, size_t j)
{
    touch(m, j);
}

double tm_matrix_dot(const tm_matrix *matrix, size_t j, const double *v)
{
    assert(j < matrix->p);
    touch(matrix, j);
    return matrix->ops->dot(matrix, j, v);
}

void tm_matrix_axpy(const tm_matrix *matrix, size_t j, double a, double *y)
{
    assert(j < matrix->p);
    touch(matrix, j);
    matrix->ops->axpy(matrix, j, a, y);
}

/* Works in pieces, each reported before it is read. Columns are taken in multiples of four. */
static void dot_mapped_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                             double *out)
{
    size_t piece = page_budget_piece(m->pages);
    for (size_t done = 0; done < count;) {
        size_t take = 4;
        while (done + take < count && m->ops->file_bytes(m, from + done, take) < piece)
            take += 4;
        take = take < count - done ? take : count - done;
        page_budget_touch(m->pages, m->ops->file_bytes(m, from + done, take));
        m->ops->dot_range(m, from + done, take, v, out + done);
        done += take;
    }
}

void tm_matrix_dot_range(const tm_matrix *matrix, size_t from, size_t count, const double *v,
                         double *out)
{
    assert(from + count <= matrix->p);
    if (matrix->pages)
        dot_mapped_range(matrix, from, count, v, out);
    else
        matrix->ops->dot_range(matrix, from, count, v, out);
}

void tm_matrix_column(const tm_matrix *matrix, size_t j, double *out)
{
    assert(j < matrix->p);
    touch(matrix, j);
    matrix->ops->column(matrix, j, out);
}

bool tm_matrix_has_parts(const tm_matrix *matrix)
{
    return matrix->ops->part && (!matrix->whole || tm_matrix_has_parts(matrix->whole));
}

void tm_matrix_part(const tm_matrix *matrix, size_t j, size_t from, size_t count, double *out)
{
    assert(j < matrix->p && from + count <= matrix->n);
    if (matrix->pages)
        page_budget_touch(matrix->pages, matrix->ops->file_bytes(matrix, j, 1) / matrix->n * count);
    matrix->ops->part(matrix, j, from, count, out);
}

size_t tm_matrix_entries(const tm_matrix *matrix, size_t j, double *scratch, const uint32_t **rows,
                         const double **values)
{
    assert(j < matrix->p);
    touch(matrix, j);
    return matrix->ops->entries(matrix, j, scratch, rows, values);
}

void matrix_describe(const tm_matrix *m, size_t from, size_t count, const matrix_description *of,
                     double *out)
{
    if (m->ops->describe) {
        m->ops->describe(m, from, count, of, out);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        matrix_column column = {.j = from + k};
        column.count = tm_matrix_entries(m, from + k, of->scratch, &column.rows, &column.values);
        of->describe(&column, of->payload, out + k * of->width);
    }
}

tm_status matrix_check_rows(const tm_matrix *m, const size_t *rows, size_t count, tm_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i] >= m->n)
            return tm_fail(err, TM_EUSAGE, "row %zu selected, but there are %zu", rows[i] + 1,
                           m->n);
    return TM_OK;
}

tm_status tm_matrix_select_rows(tm_matrix **out, const tm_matrix *matrix, const size_t *rows,
                                size_t count, tm_error *err)
{
    *out = NULL;
    tm_status status = matrix_check_rows(matrix, rows, count, err);
    return status == TM_OK ? matrix->ops->select_rows(out, matrix, rows, count, err) : status;
}

/* ---- conversion to single precision -------------------------------------------------------- */

/* In place, from the front: what is written is always before what is read. */
static void narrow(double *values, uint64_t count)
{
    unsigned char *out = (unsigned char *)values;
    for (uint64_t k = 0; k < count; k++) {
        float value = (float)values[k];
        memcpy(out + k * sizeof value, &value, sizeof value);
    }
}

tm_status tm_matrix_to_float(tm_matrix *matrix, tm_error *err)
{
    if (!matrix->ops->single || matrix->pages)
        return TM_OK;
    for (uint64_t k = 0; k < matrix->nnz; k++)
        if (fabs(matrix->values.f64[k]) > (double)FLT_MAX)
            return tm_fail(err, TM_EDATA,
                           "the value %g is out of the range of single precision; store it in "
                           "double, or scale it down",
                           matrix->values.f64[k]);
    narrow(matrix->values.f64, matrix->nnz);
    float *shrunk = realloc(matrix->values.f64, (matrix->nnz ? matrix->nnz : 1) * sizeof *shrunk);
    if (shrunk)
        matrix->values.f32 = shrunk;
    matrix->bytes -= matrix->nnz * (sizeof(double) - sizeof(float));
    matrix->ops = matrix->ops->single;
    return TM_OK;
}
