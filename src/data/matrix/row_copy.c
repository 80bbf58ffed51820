#include "data/matrix/row_copy.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void row_copy_clear(row_copy *rows)
{
    free(rows->starts);
    free(rows->columns);
    free(rows->values);
    *rows = (row_copy){0};
}

static bool allocate(row_copy *out, const tm_matrix *x, bool sparse)
{
    size_t entries;
    if (!sparse) {
        if (__builtin_mul_overflow(out->n, out->p, &entries))
            return false;
        out->values = mem_array(entries, sizeof *out->values);
        return out->values != NULL;
    }
    entries = (size_t)tm_matrix_nnz(x);
    out->starts = mem_zeros(out->n + 1, sizeof *out->starts);
    out->columns = mem_array(entries, sizeof *out->columns);
    out->values = mem_array(entries, sizeof *out->values);
    return out->starts && out->columns && out->values;
}

static void copy_dense(row_copy *out, const tm_matrix *x, double *scratch)
{
    for (size_t j = 0; j < out->p; j++) {
        tm_matrix_column(x, j, scratch);
        for (size_t i = 0; i < out->n; i++)
            out->values[i * out->p + j] = scratch[i];
    }
}

/* Counting sort: starts[] first holds the number of entries of each row, then the next free
 * index. */
static void copy_sparse(row_copy *out, const tm_matrix *x, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    for (size_t j = 0; j < out->p; j++) {
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        for (size_t k = 0; k < count; k++)
            out->starts[rows[k] + 1]++;
    }
    for (size_t i = 0; i < out->n; i++)
        out->starts[i + 1] += out->starts[i];
    for (size_t j = 0; j < out->p; j++) {
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        for (size_t k = 0; k < count; k++) {
            uint64_t at = out->starts[rows[k]]++;
            out->columns[at] = (uint32_t)j;
            out->values[at] = values[k];
        }
    }
    memmove(out->starts + 1, out->starts, out->n * sizeof *out->starts);
    out->starts[0] = 0;
}

tm_status row_copy_make_as(row_copy *out, const tm_matrix *x, bool sparse, tm_error *err)
{
    *out = (row_copy){.n = tm_matrix_rows(x), .p = tm_matrix_cols(x)};
    double *scratch = mem_array(out->n, sizeof *scratch);
    if (!scratch || !allocate(out, x, sparse)) {
        free(scratch);
        row_copy_clear(out);
        return tm_fail_memory(err, "the matrix by rows");
    }
    if (sparse)
        copy_sparse(out, x, scratch);
    else
        copy_dense(out, x, scratch);
    free(scratch);
    return TM_OK;
}

tm_status row_copy_make(row_copy *out, const tm_matrix *x, tm_error *err)
{
    return row_copy_make_as(out, x, tm_matrix_is_sparse(x), err);
}
