/* A view of some columns of another matrix, in any order, without a copy of them. */
#include "base/memory.h"
#include "data/matrix/kind.h"

#include <string.h>

static double view_dot(const tm_matrix *m, size_t j, const double *v)
{
    return tm_matrix_dot(m->whole, m->cols[j], v);
}

static void view_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    tm_matrix_axpy(m->whole, m->cols[j], a, y);
}

/* Columns that are adjacent in the whole matrix are still read together. */
static void view_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                           double *out)
{
    for (size_t k = 0; k < count;) {
        size_t first = m->cols[from + k], run = 1;
        while (k + run < count && m->cols[from + k + run] == first + run)
            run++;
        tm_matrix_dot_range(m->whole, first, run, v, out + k);
        k += run;
    }
}

static void view_column(const tm_matrix *m, size_t j, double *out)
{
    tm_matrix_column(m->whole, m->cols[j], out);
}

static void view_part(const tm_matrix *m, size_t j, size_t from, size_t count, double *out)
{
    tm_matrix_part(m->whole, m->cols[j], from, count, out);
}

static size_t view_entries(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                           const double **values)
{
    return tm_matrix_entries(m->whole, m->cols[j], scratch, rows, values);
}

static tm_matrix *view_new(tm_matrix *whole, size_t *cols, size_t count);

/* Selects rows of the whole matrix, then the same columns of the result. */
static tm_status view_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                  size_t count, tm_error *err)
{
    tm_matrix *part;
    tm_status status = m->whole->ops->select_rows(&part, m->whole, rows, count, err);
    if (status != TM_OK)
        return status;
    size_t *cols = mem_array(m->p, sizeof *cols);
    if (cols)
        memcpy(cols, m->cols, m->p * sizeof *cols);
    *out = cols ? view_new(part, cols, m->p) : NULL;
    if (*out)
        return TM_OK;
    free(cols);
    tm_matrix_unref(part);
    return matrix_fail_memory(err);
}

static size_t view_cost(const tm_matrix *m, size_t j)
{
    return tm_matrix_column_nnz(m->whole, m->cols[j]);
}

static size_t view_stored(const tm_matrix *m, size_t j)
{
    return matrix_stored(m->whole, m->cols[j]);
}

/* The same with a view of the rows. */
static tm_status view_view_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                size_t count, tm_error *err)
{
    tm_matrix *part;
    tm_status status = tm_matrix_view_rows(&part, m->whole, rows, count, err);
    if (status != TM_OK)
        return status;
    status = tm_matrix_select_cols(out, part, m->cols, m->p, err);
    tm_matrix_unref(part);
    return status;
}

static const matrix_ops view_ops = {
    .kind = "view",
    .dot = view_dot,
    .axpy = view_axpy,
    .dot_range = view_dot_range,
    .column = view_column,
    .part = view_part,
    .entries = view_entries,
    .select_rows = view_select_rows,
    .stored = view_stored,
    .cost = view_cost,
    .view_rows = view_view_rows,
};

static uint64_t count_entries(const tm_matrix *whole, const size_t *cols, size_t count)
{
    uint64_t total = whole->sparse ? 0 : (uint64_t)whole->n * count;
    for (size_t k = 0; whole->sparse && k < count; k++)
        total += matrix_stored(whole, cols[k]);
    return total;
}

/* Takes ownership of both on success. */
static tm_matrix *view_new(tm_matrix *whole, size_t *cols, size_t count)
{
    tm_matrix *m = matrix_new(&view_ops, whole->n, count);
    if (!m)
        return NULL;
    m->sparse = whole->sparse;
    m->nnz = count_entries(whole, cols, count);
    m->bytes = count * sizeof *cols;
    m->cols = cols;
    m->whole = whole;
    return m;
}

tm_status tm_matrix_select_cols(tm_matrix **out, const tm_matrix *matrix, const size_t *cols,
                                size_t count, tm_error *err)
{
    *out = NULL;
    for (size_t k = 0; k < count; k++)
        if (cols[k] >= matrix->p)
            return tm_fail(err, TM_EUSAGE, "column %zu selected, but there are %zu", cols[k] + 1,
                           matrix->p);
    /* A view of a view refers to the whole matrix. */
    const tm_matrix *whole = matrix->cols ? matrix->whole : matrix;
    size_t *chosen = mem_array(count, sizeof *chosen);
    if (!chosen)
        return tm_fail_memory(err, "a selection of columns");
    for (size_t k = 0; k < count; k++)
        chosen[k] = matrix->cols ? matrix->cols[cols[k]] : cols[k];
    tm_matrix *base = tm_matrix_ref(whole);
    *out = view_new(base, chosen, count);
    if (*out)
        return TM_OK;
    free(chosen);
    tm_matrix_unref(base);
    return tm_fail_memory(err, "a selection of columns");
}
