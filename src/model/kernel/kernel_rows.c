#include "model/kernel/kernel_rows.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "model/kernel/tuning.h"

void kernel_rows_clear(kernel_rows *k)
{
    row_copy_clear(&k->rows);
    free(k->squares);
    k->squares = NULL;
}

tm_status kernel_rows_finish(kernel_rows *k, tm_error *err)
{
    k->squares = mem_array(k->rows.n, sizeof *k->squares);
    if (!k->squares)
        return tm_fail_memory(err, "the rows");
    k->entries = 0;
    for (size_t i = 0; i < k->rows.n; i++) {
        const double *values;
        const uint32_t *columns;
        size_t count = row_copy_row(&k->rows, i, &values, &columns);
        k->squares[i] = kernel_dot(values, values, count);
        k->entries += count;
    }
    return TM_OK;
}

/* Rows with few zeros are multiplied faster as dense ones. */
static bool stays_sparse(const tm_matrix *x)
{
    double cells = (double)tm_matrix_rows(x) * (double)tm_matrix_cols(x);
    return tm_matrix_is_sparse(x) && (double)tm_matrix_nnz(x) < DENSE_SHARE * cells;
}

tm_status kernel_rows_make(kernel_rows *out, const tm_matrix *x, const kernel *of, tm_error *err)
{
    *out = (kernel_rows){.of = *of};
    tm_status status = row_copy_make_as(&out->rows, x, stays_sparse(x), err);
    if (status == TM_OK)
        status = kernel_rows_finish(out, err);
    if (status != TM_OK)
        kernel_rows_clear(out);
    return status;
}

const double *kernel_rows_spread(const kernel_rows *k, size_t i, double *point)
{
    const double *values;
    const uint32_t *columns;
    size_t count = row_copy_row(&k->rows, i, &values, &columns);
    if (!columns)
        return values;
    for (size_t e = 0; e < count; e++)
        point[columns[e]] = values[e];
    return point;
}

void kernel_rows_unspread(const kernel_rows *k, size_t i, double *point)
{
    const double *values;
    const uint32_t *columns;
    size_t count = row_copy_row(&k->rows, i, &values, &columns);
    for (size_t e = 0; columns && e < count; e++)
        point[columns[e]] = 0;
}

double kernel_rows_dot(const kernel_rows *k, size_t i, const double *v)
{
    const double *values;
    const uint32_t *columns;
    size_t count = row_copy_row(&k->rows, i, &values, &columns);
    return columns ? kernel_sparse_dot(columns, values, count, v) : kernel_dot(values, v, count);
}

void kernel_rows_axpy(const kernel_rows *k, size_t i, double a, double *v)
{
    const double *values;
    const uint32_t *columns;
    size_t count = row_copy_row(&k->rows, i, &values, &columns);
    if (columns)
        kernel_sparse_axpy(a, columns, values, count, v);
    else
        kernel_axpy(a, values, v, count);
}

/* Computes products with single rows, or with four adjacent rows at once. */
static void take_products(const kernel_rows *k, const double *point, const size_t *which,
                          size_t count, double *out)
{
    size_t e = 0, p = k->rows.p;
    for (; !k->rows.columns && e + 4 <= count; e += 4) {
        size_t first = which ? which[e] : e;
        if (which &&
            (which[e + 1] != first + 1 || which[e + 2] != first + 2 || which[e + 3] != first + 3))
            for (size_t i = e; i < e + 4; i++)
                out[i] = kernel_rows_dot(k, which[i], point);
        else
            kernel_dot4(k->rows.values + first * p, p, point, p, out + e);
    }
    for (; e < count; e++)
        out[e] = kernel_rows_dot(k, which ? which[e] : e, point);
}

void kernel_rows_values(const kernel_rows *k, const double *point, double square,
                        const size_t *which, size_t count, double *room, double *out)
{
    take_products(k, point, which, count, out);
    if (k->of.kind == KERNEL_LINEAR)
        return;
    for (size_t e = 0; which && e < count; e++)
        room[e] = k->squares[which[e]];
    kernel_values(&k->of, square, which ? room : k->squares, count, out);
}
