/* Dense columns of values of type REAL; included once for each precision: NAME(x) is x_f64 or
 * x_f32. */

static const REAL *NAME(dense_values)(const tm_matrix *m, size_t j)
{
    return m->values.FIELD + j * m->n;
}

static double NAME(dense_dot)(const tm_matrix *m, size_t j, const double *v)
{
    return KERNEL(kernel_dot)(NAME(dense_values)(m, j), v, m->n);
}

static void NAME(dense_axpy)(const tm_matrix *m, size_t j, double a, double *y)
{
    KERNEL(kernel_axpy)(a, NAME(dense_values)(m, j), y, m->n);
}

static void NAME(dense_dot_range)(const tm_matrix *m, size_t from, size_t count, const double *v,
                                  double *out)
{
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        KERNEL(kernel_dot4)(NAME(dense_values)(m, from + k), m->n, v, m->n, out + k);
    for (; k < count; k++)
        out[k] = NAME(dense_dot)(m, from + k, v);
}

static void NAME(dense_part)(const tm_matrix *m, size_t j, size_t from, size_t count, double *out)
{
    const REAL *values = NAME(dense_values)(m, j) + from;
    for (size_t i = 0; i < count; i++)
        out[i] = (double)values[i];
}

static void NAME(dense_column)(const tm_matrix *m, size_t j, double *out)
{
    NAME(dense_part)(m, j, 0, m->n, out);
}

static tm_status NAME(dense_select_rows)(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                         size_t count, tm_error *err)
{
    size_t cells;
    REAL *values =
        __builtin_mul_overflow(count, m->p, &cells) ? NULL : mem_array(cells, sizeof *values);
    if (!values)
        return matrix_fail_memory(err);
    for (size_t j = 0; j < m->p; j++) {
        const REAL *whole = NAME(dense_values)(m, j);
        matrix_touch(m, j);
        for (size_t i = 0; i < count; i++)
            values[i + j * count] = whole[rows[i]];
    }
    return CREATE(out, count, m->p, values, err);
}

tm_status CREATE(tm_matrix **out, size_t n, size_t p, REAL *values, tm_error *err)
{
    *out = NULL;
    tm_matrix *m = matrix_new(&OPS, n, p);
    if (!m) {
        free(values);
        return tm_fail_memory(err, "a matrix");
    }
    m->nnz = (uint64_t)n * p;
    m->bytes = n * p * sizeof *values;
    m->values.FIELD = values;
    *out = m;
    return TM_OK;
}

static size_t NAME(dense_file_bytes)(const tm_matrix *m, size_t from, size_t count)
{
    (void)from;
    return count * m->n * sizeof(REAL);
}

const matrix_ops OPS = {
    .kind = KIND,
    .dot = NAME(dense_dot),
    .axpy = NAME(dense_axpy),
    .dot_range = NAME(dense_dot_range),
    .column = NAME(dense_column),
    .plain = true,
    .in_place = sizeof(REAL) == sizeof(double),
    .part = NAME(dense_part),
    .entries = NAME(dense_entries),
    .select_rows = NAME(dense_select_rows),
    .file_bytes = NAME(dense_file_bytes),
    .rows = ROWS,
    .single = SINGLE,
};

#undef REAL
#undef FIELD
#undef NAME
#undef KERNEL
#undef OPS
#undef SINGLE
#undef ROWS
#undef CREATE
#undef KIND
