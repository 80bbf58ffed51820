#include "tamis/matrix.h"

#include "base/memory.h"
#include "data/kernels.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What each kind of storage does its own way. */
typedef struct matrix_ops {
    const char *kind;
    double (*dot)(const tm_matrix *m, size_t j, const double *v);
    void (*axpy)(const tm_matrix *m, size_t j, double a, double *y);
    void (*dot_range)(const tm_matrix *m, size_t from, size_t count, const double *v, double *out);
    void (*column)(const tm_matrix *m, size_t j, double *out);
    size_t (*entries)(const tm_matrix *m, size_t j, const uint32_t **rows, const double **values);
    tm_status (*select_rows)(tm_matrix **out, const tm_matrix *m, const size_t *rows, size_t count,
                             tm_error *err);
} matrix_ops;

struct tm_matrix {
    const matrix_ops *ops;
    atomic_size_t references;
    size_t n, p;
    uint64_t nnz;
    size_t bytes;
    double *values;   /* dense: n*p column-major; csc: nnz */
    uint64_t *starts; /* csc: p + 1 */
    uint32_t *rows;   /* csc: nnz */
};

/* ---- dense --------------------------------------------------------------------------------- */

static double dense_dot(const tm_matrix *m, size_t j, const double *v)
{
    return kernel_dot(m->values + j * m->n, v, m->n);
}

static void dense_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    kernel_axpy(a, m->values + j * m->n, y, m->n);
}

static void dense_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                            double *out)
{
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        kernel_dot4(m->values + (from + k) * m->n, v, m->n, out + k);
    for (; k < count; k++)
        out[k] = dense_dot(m, from + k, v);
}

static void dense_column(const tm_matrix *m, size_t j, double *out)
{
    memcpy(out, m->values + j * m->n, m->n * sizeof *out);
}

static size_t dense_entries(const tm_matrix *m, size_t j, const uint32_t **rows,
                            const double **values)
{
    *rows = NULL;
    *values = m->values + j * m->n;
    return m->n;
}

static tm_status dense_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                   size_t count, tm_error *err)
{
    double *values = mem_array(count * m->p, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "a selection of rows");
    for (size_t j = 0; j < m->p; j++)
        for (size_t i = 0; i < count; i++)
            values[i + j * count] = m->values[rows[i] + j * m->n];
    return tm_matrix_new_dense(out, count, m->p, values, err);
}

static const matrix_ops dense_ops = {
    .kind = "dense",
    .dot = dense_dot,
    .axpy = dense_axpy,
    .dot_range = dense_dot_range,
    .column = dense_column,
    .entries = dense_entries,
    .select_rows = dense_select_rows,
};

/* ---- compressed sparse columns ------------------------------------------------------------- */

static size_t csc_entries(const tm_matrix *m, size_t j, const uint32_t **rows,
                          const double **values)
{
    *rows = m->rows + m->starts[j];
    *values = m->values + m->starts[j];
    return (size_t)(m->starts[j + 1] - m->starts[j]);
}

static double csc_dot(const tm_matrix *m, size_t j, const double *v)
{
    const uint32_t *rows;
    const double *values;
    size_t count = csc_entries(m, j, &rows, &values);
    return kernel_sparse_dot(rows, values, count, v);
}

static void csc_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    const uint32_t *rows;
    const double *values;
    size_t count = csc_entries(m, j, &rows, &values);
    kernel_sparse_axpy(a, rows, values, count, y);
}

static void csc_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                          double *out)
{
    for (size_t k = 0; k < count; k++)
        out[k] = csc_dot(m, from + k, v);
}

static void csc_column(const tm_matrix *m, size_t j, double *out)
{
    memset(out, 0, m->n * sizeof *out);
    csc_axpy(m, j, 1, out);
}

/* Where each old row goes: places[starts[i] .. starts[i+1]-1] are the new rows made from row i. */
typedef struct row_map {
    size_t *starts, *places;
} row_map;

static bool row_map_make(row_map *map, size_t n, const size_t *rows, size_t count)
{
    map->starts = mem_zeros(n + 1, sizeof *map->starts);
    map->places = mem_array(count, sizeof *map->places);
    if (!map->starts || !map->places)
        return false;
    for (size_t i = 0; i < count; i++)
        map->starts[rows[i] + 1]++;
    for (size_t i = 0; i < n; i++)
        map->starts[i + 1] += map->starts[i];
    size_t *next = mem_array(n, sizeof *next);
    if (!next)
        return false;
    memcpy(next, map->starts, n * sizeof *next);
    for (size_t i = 0; i < count; i++)
        map->places[next[rows[i]]++] = i;
    free(next);
    return true;
}

static int compare_entries(const void *a, const void *b)
{
    const uint32_t ra = *(const uint32_t *)a, rb = *(const uint32_t *)b;
    return (ra > rb) - (ra < rb);
}

typedef struct entry {
    uint32_t row;
    double value;
} entry;

static size_t count_selected(const tm_matrix *m, const row_map *map)
{
    size_t total = 0;
    for (uint64_t k = 0; k < m->nnz; k++)
        total += map->starts[m->rows[k] + 1] - map->starts[m->rows[k]];
    return total;
}

/* Fills one selected column's entries, sorted by new row; returns how many. */
static size_t select_column(const tm_matrix *m, size_t j, const row_map *map, entry *column)
{
    size_t found = 0;
    for (uint64_t k = m->starts[j]; k < m->starts[j + 1]; k++) {
        uint32_t old = m->rows[k];
        for (size_t at = map->starts[old]; at < map->starts[old + 1]; at++)
            column[found++] = (entry){(uint32_t)map->places[at], m->values[k]};
    }
    qsort(column, found, sizeof *column, compare_entries);
    return found;
}

static tm_status csc_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                 size_t count, tm_error *err)
{
    row_map map = {NULL, NULL};
    tm_status status = TM_ENOMEM;
    entry *column = mem_array(count, sizeof *column);
    uint64_t *starts = mem_array(m->p + 1, sizeof *starts);
    uint32_t *new_rows = NULL;
    double *values = NULL;
    if (column && starts && row_map_make(&map, m->n, rows, count)) {
        size_t total = count_selected(m, &map);
        new_rows = mem_array(total, sizeof *new_rows);
        values = mem_array(total, sizeof *values);
        status = new_rows && values ? TM_OK : TM_ENOMEM;
    }
    size_t at = 0;
    for (size_t j = 0; status == TM_OK && j < m->p; j++) {
        size_t found = select_column(m, j, &map, column);
        starts[j] = at;
        for (size_t k = 0; k < found; k++, at++) {
            new_rows[at] = column[k].row;
            values[at] = column[k].value;
        }
    }
    free(map.starts);
    free(map.places);
    free(column);
    if (status != TM_OK) {
        free(starts);
        free(new_rows);
        free(values);
        return tm_fail_memory(err, "a selection of rows");
    }
    starts[m->p] = at;
    return tm_matrix_new_csc(out, count, m->p, starts, new_rows, values, err);
}

static const matrix_ops csc_ops = {
    .kind = "csc",
    .dot = csc_dot,
    .axpy = csc_axpy,
    .dot_range = csc_dot_range,
    .column = csc_column,
    .entries = csc_entries,
    .select_rows = csc_select_rows,
};

/* ---- common -------------------------------------------------------------------------------- */

static void free_arrays(uint64_t *starts, uint32_t *rows, double *values)
{
    free(starts);
    free(rows);
    free(values);
}

tm_status tm_matrix_new_dense(tm_matrix **out, size_t n, size_t p, double *values, tm_error *err)
{
    *out = NULL;
    tm_matrix *m = calloc(1, sizeof *m);
    if (!m) {
        free(values);
        return tm_fail_memory(err, "a matrix");
    }
    *m = (tm_matrix){.ops = &dense_ops,
                     .n = n,
                     .p = p,
                     .nnz = (uint64_t)n * p,
                     .bytes = n * p * sizeof *values,
                     .values = values};
    atomic_init(&m->references, 1);
    *out = m;
    return TM_OK;
}

static tm_status csc_check(size_t n, size_t p, const uint64_t *starts, const uint32_t *rows,
                           tm_error *err)
{
    if (starts[0] != 0)
        return tm_fail(err, TM_EDATA, "sparse matrix: the first column must start at 0");
    /* All of them before any row is read: ascending starts end at the arrays' length. */
    for (size_t j = 0; j < p; j++)
        if (starts[j + 1] < starts[j])
            return tm_fail(err, TM_EDATA, "sparse matrix: column %zu ends before it starts", j + 1);
    for (size_t j = 0; j < p; j++)
        for (uint64_t k = starts[j]; k < starts[j + 1]; k++)
            if (rows[k] >= n || (k > starts[j] && rows[k] <= rows[k - 1]))
                return tm_fail(err, TM_EDATA,
                               "sparse matrix: rows of column %zu are not ascending below %zu",
                               j + 1, n);
    return TM_OK;
}

tm_status tm_matrix_new_csc(tm_matrix **out, size_t n, size_t p, uint64_t *starts, uint32_t *rows,
                            double *values, tm_error *err)
{
    *out = NULL;
    tm_status status = csc_check(n, p, starts, rows, err);
    tm_matrix *m = status == TM_OK ? calloc(1, sizeof *m) : NULL;
    if (!m) {
        free_arrays(starts, rows, values);
        return status == TM_OK ? tm_fail_memory(err, "a matrix") : status;
    }
    uint64_t nnz = starts[p];
    *m = (tm_matrix){.ops = &csc_ops,
                     .n = n,
                     .p = p,
                     .nnz = nnz,
                     .bytes = (p + 1) * sizeof *starts + nnz * (sizeof *rows + sizeof *values),
                     .values = values,
                     .starts = starts,
                     .rows = rows};
    atomic_init(&m->references, 1);
    *out = m;
    return TM_OK;
}

tm_matrix *tm_matrix_ref(const tm_matrix *matrix)
{
    /* Only the count changes; the content stays as the const promises. */
    tm_matrix *m = (tm_matrix *)(uintptr_t)matrix;
    atomic_fetch_add(&m->references, 1);
    return m;
}

void tm_matrix_unref(tm_matrix *matrix)
{
    if (!matrix || atomic_fetch_sub(&matrix->references, 1) != 1)
        return;
    free_arrays(matrix->starts, matrix->rows, matrix->values);
    free(matrix);
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

size_t tm_matrix_bytes(const tm_matrix *matrix)
{
    return matrix->bytes;
}

const char *tm_matrix_kind(const tm_matrix *matrix)
{
    return matrix->ops->kind;
}

double tm_matrix_dot(const tm_matrix *matrix, size_t j, const double *v)
{
    assert(j < matrix->p);
    return matrix->ops->dot(matrix, j, v);
}

void tm_matrix_axpy(const tm_matrix *matrix, size_t j, double a, double *y)
{
    assert(j < matrix->p);
    matrix->ops->axpy(matrix, j, a, y);
}

void tm_matrix_dot_range(const tm_matrix *matrix, size_t from, size_t count, const double *v,
                         double *out)
{
    assert(from + count <= matrix->p);
    matrix->ops->dot_range(matrix, from, count, v, out);
}

void tm_matrix_column(const tm_matrix *matrix, size_t j, double *out)
{
    assert(j < matrix->p);
    matrix->ops->column(matrix, j, out);
}

bool tm_matrix_is_sparse(const tm_matrix *matrix)
{
    return matrix->starts != NULL;
}

size_t tm_matrix_entries(const tm_matrix *matrix, size_t j, double *scratch, const uint32_t **rows,
                         const double **values)
{
    assert(j < matrix->p);
    (void)scratch;
    return matrix->ops->entries(matrix, j, rows, values);
}

tm_status tm_matrix_select_rows(tm_matrix **out, const tm_matrix *matrix, const size_t *rows,
                                size_t count, tm_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < count; i++)
        if (rows[i] >= matrix->n)
            return tm_fail(err, TM_EUSAGE, "row %zu selected, but there are %zu", rows[i] + 1,
                           matrix->n);
    return matrix->ops->select_rows(out, matrix, rows, count, err);
}
