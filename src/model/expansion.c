#include "model/expansion.h"

#include "base/memory.h"
#include "model/kernel/kernel_sums.h"

#include <string.h>

void expansion_free(model_expansion *e)
{
    if (!e)
        return;
    kernel_rows_clear(&e->rows);
    free(e->coef);
    free(e);
}

/* Rows that are more than half full are stored as dense: products are then computed in blocks. This
 * depends only on the values, so that a model's predictions are bitwise the same after it was saved
 * and loaded. */
static bool make_dense(row_copy *rows)
{
    size_t entries = rows->n * rows->p;
    if (2 * rows->starts[rows->n] <= entries)
        return true;
    double *values = mem_zeros(entries, sizeof *values);
    if (!values)
        return false;
    for (size_t i = 0; i < rows->n; i++)
        for (uint64_t at = rows->starts[i]; at < rows->starts[i + 1]; at++)
            values[i * rows->p + rows->columns[at]] = rows->values[at];
    row_copy dense = {.n = rows->n, .p = rows->p, .values = values};
    row_copy_clear(rows);
    *rows = dense;
    return true;
}

tm_status expansion_take(model_expansion **out, row_copy *rows, const kernel *of, double *coef,
                         tm_error *err)
{
    model_expansion *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e || !make_dense(rows)) {
        row_copy_clear(rows);
        free(coef);
        free(e);
        return tm_fail_memory(err, "a model");
    }
    e->rows = (kernel_rows){.of = *of, .rows = *rows};
    e->coef = coef;
    tm_status status = kernel_rows_finish(&e->rows, err);
    if (status == TM_OK)
        *out = e;
    else
        expansion_free(e);
    return status;
}

/* Copies the nonzero values of the rows with a coefficient. */
static bool take_rows(row_copy *out, const row_copy *all, const double *coef, size_t count,
                      double *coefs)
{
    *out = (row_copy){.n = count, .p = all->p};
    size_t entries = 0, row = 0, at = 0;
    const double *values;
    const uint32_t *columns;
    for (size_t i = 0; i < all->n; i++)
        entries += coef[i] != 0 ? row_copy_row(all, i, &values, &columns) : 0;
    out->starts = mem_zeros(count + 1, sizeof *out->starts);
    out->columns = mem_array(entries, sizeof *out->columns);
    out->values = mem_array(entries, sizeof *out->values);
    if (!out->starts || !out->columns || !out->values)
        return false;
    for (size_t i = 0; i < all->n; i++) {
        if (coef[i] == 0)
            continue;
        size_t many = row_copy_row(all, i, &values, &columns);
        for (size_t e = 0; e < many; e++) {
            if (values[e] == 0)
                continue;
            out->columns[at] = columns ? columns[e] : (uint32_t)e;
            out->values[at++] = values[e];
        }
        coefs[row++] = coef[i];
        out->starts[row] = at;
    }
    return true;
}

tm_status expansion_make(model_expansion **out, const tm_matrix *x, const kernel *of,
                         const double *coef, tm_error *err)
{
    row_copy all, some = {0};
    size_t count = 0;
    *out = NULL;
    tm_status status = row_copy_make(&all, x, err);
    if (status != TM_OK)
        return status;
    for (size_t i = 0; i < all.n; i++)
        count += coef[i] != 0;
    double *coefs = mem_array(count, sizeof *coefs);
    bool made = coefs && take_rows(&some, &all, coef, count, coefs);
    row_copy_clear(&all);
    if (made)
        return expansion_take(out, &some, of, coefs, err);
    row_copy_clear(&some);
    free(coefs);
    return tm_fail_memory(err, "a model");
}

tm_status expansion_add(const model_expansion *e, const tm_matrix *x, double *z, tm_error *err)
{
    kernel_rows at;
    tm_status status = kernel_rows_make(&at, x, &e->rows.of, err);
    if (status != TM_OK)
        return status;
    double *sums = mem_array(at.rows.n, sizeof *sums);
    status = sums ? kernel_sums(&e->rows, e->coef, &at, NULL, NULL, sums, err)
                  : tm_fail_memory(err, "a prediction");
    for (size_t i = 0; status == TM_OK && i < at.rows.n; i++)
        z[i] += sums[i];
    free(sums);
    kernel_rows_clear(&at);
    return status;
}
