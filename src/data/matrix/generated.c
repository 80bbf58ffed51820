#include "data/matrix/generated.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <string.h>

/* Values generated at a time, on the stack. */
enum { CHUNK = 512 };

static double generated_dot(const tm_matrix *m, size_t j, const double *v)
{
    double values[CHUNK], sum = 0;
    random_column stream;
    random_column_begin(&stream, m->source, j);
    for (size_t from = 0; from < m->n; from += CHUNK) {
        size_t count = m->n - from < CHUNK ? m->n - from : CHUNK;
        random_column_draw(&stream, values, count);
        sum += kernel_dot(values, v + from, count);
    }
    return sum;
}

static void generated_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    double values[CHUNK];
    random_column stream;
    random_column_begin(&stream, m->source, j);
    for (size_t from = 0; from < m->n; from += CHUNK) {
        size_t count = m->n - from < CHUNK ? m->n - from : CHUNK;
        random_column_draw(&stream, values, count);
        kernel_axpy(a, values, y + from, count);
    }
}

static void generated_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                                double *out)
{
    for (size_t k = 0; k < count; k++)
        out[k] = generated_dot(m, from + k, v);
}

static void generated_column(const tm_matrix *m, size_t j, double *out)
{
    random_columns_draw(m->source, j, out);
}

tm_status matrix_store_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows, size_t count,
                            tm_error *err)
{
    size_t cells;
    bool fits =
        !__builtin_mul_overflow(count, m->p, &cells) && 8.0 * (double)cells < mem_physical();
    double *values = fits ? mem_array(cells, sizeof *values) : NULL;
    double *column = mem_array(m->n, sizeof *column);
    if (!values || !column) {
        free(values);
        free(column);
        return matrix_fail_memory(err);
    }
    for (size_t j = 0; j < m->p; j++) {
        m->ops->column(m, j, column);
        for (size_t i = 0; i < count; i++)
            values[i + j * count] = column[rows[i]];
    }
    free(column);
    return tm_matrix_new_dense(out, count, m->p, values, err);
}

static const matrix_ops generated_ops = {
    .kind = "generated",
    .dot = generated_dot,
    .axpy = generated_axpy,
    .dot_range = generated_dot_range,
    .column = generated_column,
    .entries = matrix_copied_entries,
    .select_rows = matrix_store_rows,
};

tm_status matrix_new_generated(tm_matrix **out, const random_columns *columns, tm_error *err)
{
    *out = NULL;
    random_columns *source = malloc(sizeof *source);
    tm_matrix *m = source ? matrix_new(&generated_ops, columns->n, columns->p) : NULL;
    if (!m) {
        free(source);
        return tm_fail_memory(err, "a matrix");
    }
    *source = *columns;
    m->nnz = (uint64_t)columns->n * columns->p;
    m->bytes = sizeof *source;
    m->source = source;
    *out = m;
    return TM_OK;
}
