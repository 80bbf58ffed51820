/* Another matrix with a number subtracted from some of its columns, which avoids the rounding
 * errors that every product with a column far from zero has. */
#include "data/matrix/shifted.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <stdlib.h>
#include <string.h>

/* The columns that differ from those of the whole matrix, in ascending order; their values are in
 * values.f64. */
typedef struct shifted_columns {
    size_t count;
    double *amounts; /* count, stored after the numbers in the same block */
    size_t features[];
} shifted_columns;

/* The index of the first shifted column not before column j. */
static size_t place_of(const shifted_columns *s, size_t j)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->features[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The values of column j, or NULL when it is unchanged. */
static const double *own_values(const tm_matrix *m, size_t j)
{
    const shifted_columns *s = m->source;
    size_t at = place_of(s, j);
    return at < s->count && s->features[at] == j ? m->values.f64 + at * m->n : NULL;
}

static double shifted_dot(const tm_matrix *m, size_t j, const double *v)
{
    const double *own = own_values(m, j);
    return own ? kernel_dot(own, v, m->n) : tm_matrix_dot(m->whole, j, v);
}

static void shifted_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    const double *own = own_values(m, j);
    if (own)
        kernel_axpy(a, own, y, m->n);
    else
        tm_matrix_axpy(m->whole, j, a, y);
}

/* A single call: when other processes store columns, all processes must make the same calls. */
static void shifted_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                              double *out)
{
    const shifted_columns *s = m->source;
    tm_matrix_dot_range(m->whole, from, count, v, out);
    for (size_t k = place_of(s, from); k < s->count && s->features[k] < from + count; k++)
        out[s->features[k] - from] = kernel_dot(m->values.f64 + k * m->n, v, m->n);
}

static void shifted_column(const tm_matrix *m, size_t j, double *out)
{
    const double *own = own_values(m, j);
    if (own)
        memcpy(out, own, m->n * sizeof *out);
    else
        tm_matrix_column(m->whole, j, out);
}

static void shifted_part(const tm_matrix *m, size_t j, size_t from, size_t count, double *out)
{
    const double *own = own_values(m, j);
    if (own)
        memcpy(out, own + from, count * sizeof *out);
    else
        tm_matrix_part(m->whole, j, from, count, out);
}

static size_t shifted_entries(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                              const double **values)
{
    const double *own = own_values(m, j);
    if (!own)
        return tm_matrix_entries(m->whole, j, scratch, rows, values);
    *rows = m->rows;
    *values = own;
    return m->n;
}

static size_t shifted_stored(const tm_matrix *m, size_t j)
{
    return own_values(m, j) ? m->n : tm_matrix_column_nnz(m->whole, j);
}

static tm_status shifted_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                     size_t count, tm_error *err)
{
    const shifted_columns *s = m->source;
    tm_matrix *part;
    tm_status status = m->whole->ops->select_rows(&part, m->whole, rows, count, err);
    if (status != TM_OK)
        return status;
    status = matrix_new_shifted(out, part, s->features, s->amounts, s->count, err);
    tm_matrix_unref(part);
    return status;
}

static const matrix_ops shifted_ops = {
    .kind = "shifted",
    .dot = shifted_dot,
    .axpy = shifted_axpy,
    .dot_range = shifted_dot_range,
    .column = shifted_column,
    .part = shifted_part,
    .entries = shifted_entries,
    .stored = shifted_stored,
    .cost = shifted_stored,
    .select_rows = shifted_select_rows,
};

/* In a sparse matrix the shifted columns have an entry in every row. */
static bool number_rows(tm_matrix *m)
{
    if (!m->sparse)
        return true;
    m->rows = mem_array(m->n, sizeof *m->rows);
    for (size_t i = 0; m->rows && i < m->n; i++)
        m->rows[i] = (uint32_t)i;
    return m->rows != NULL;
}

static shifted_columns *columns_new(const size_t *features, const double *amounts, size_t count)
{
    shifted_columns *s = malloc(sizeof *s + count * (sizeof *features + sizeof *amounts));
    if (!s)
        return NULL;
    s->count = count;
    memcpy(s->features, features, count * sizeof *features);
    void *behind = s->features + count;
    s->amounts = behind;
    memcpy(s->amounts, amounts, count * sizeof *amounts);
    return s;
}

tm_status matrix_new_shifted(tm_matrix **out, const tm_matrix *whole, const size_t *features,
                             const double *amounts, size_t count, tm_error *err)
{
    size_t n = whole->n;
    tm_matrix *m = matrix_new(&shifted_ops, n, whole->p);
    *out = NULL;
    if (!m)
        return tm_fail_memory(err, "shifted columns");
    m->whole = tm_matrix_ref(whole);
    m->sparse = whole->sparse;
    m->nnz = whole->nnz;
    m->source = columns_new(features, amounts, count);
    m->values.f64 = n > 0 && count > SIZE_MAX / n ? NULL : mem_array(n * count, sizeof(double));
    if (!m->source || !m->values.f64 || !number_rows(m)) {
        tm_matrix_unref(m);
        return tm_fail_memory(err, "shifted columns");
    }
    m->bytes = n * count * sizeof(double);
    for (size_t k = 0; k < count; k++) {
        double *values = m->values.f64 + k * n;
        tm_matrix_column(whole, features[k], values);
        m->nnz += n - (whole->sparse ? tm_matrix_column_nnz(whole, features[k]) : n);
        for (size_t i = 0; i < n; i++)
            values[i] -= amounts[k];
    }
    *out = m;
    return TM_OK;
}
