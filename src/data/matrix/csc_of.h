/* Compressed columns of values of type REAL; included once for each precision: NAME(x) is x_f64 or
 * x_f32. */

static double NAME(csc_dot)(const tm_matrix *m, size_t j, const double *v)
{
    uint64_t start = m->starts[j];
    return KERNEL(kernel_sparse_dot)(m->rows + start, m->values.FIELD + start,
                                     (size_t)(m->starts[j + 1] - start), v);
}

static void NAME(csc_axpy)(const tm_matrix *m, size_t j, double a, double *y)
{
    uint64_t start = m->starts[j];
    KERNEL(kernel_sparse_axpy)
    (a, m->rows + start, m->values.FIELD + start, (size_t)(m->starts[j + 1] - start), y);
}

static void NAME(csc_dot_range)(const tm_matrix *m, size_t from, size_t count, const double *v,
                                double *out)
{
    for (size_t k = 0; k < count; k++)
        out[k] = NAME(csc_dot)(m, from + k, v);
}

static void NAME(csc_column)(const tm_matrix *m, size_t j, double *out)
{
    memset(out, 0, m->n * sizeof *out);
    for (uint64_t k = m->starts[j]; k < m->starts[j + 1]; k++)
        out[m->rows[k]] = (double)m->values.FIELD[k];
}

static tm_status NAME(csc_select_rows)(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                       size_t count, tm_error *err)
{
    csc_selection chosen;
    tm_status status = csc_select(&chosen, m, rows, count, err);
    REAL *values = NULL;
    if (status == TM_OK) {
        uint64_t total = chosen.starts[m->p];
        values = mem_array(total, sizeof *values);
        for (size_t j = 0; values && j < m->p; j++) {
            matrix_touch(m, j);
            for (uint64_t k = chosen.starts[j]; k < chosen.starts[j + 1]; k++)
                values[k] = m->values.FIELD[chosen.from[k]];
        }
        status = values ? TM_OK : matrix_fail_memory(err);
    }
    free(chosen.from);
    if (status == TM_OK)
        return CREATE(out, count, m->p, chosen.starts, chosen.rows, values, err);
    free(chosen.starts);
    free(chosen.rows);
    return status;
}

tm_status CREATE(tm_matrix **out, size_t n, size_t p, uint64_t *starts, uint32_t *rows,
                 REAL *values, tm_error *err)
{
    *out = NULL;
    tm_status status = csc_check(n, p, starts, rows, err);
    tm_matrix *m = status == TM_OK ? matrix_new(&OPS, n, p) : NULL;
    if (!m) {
        free(starts);
        free(rows);
        free(values);
        return status == TM_OK ? tm_fail_memory(err, "a matrix") : status;
    }
    m->sparse = true;
    m->nnz = starts[p];
    m->bytes = (p + 1) * sizeof *starts + m->nnz * (sizeof *rows + sizeof *values);
    m->starts = starts;
    m->rows = rows;
    m->values.FIELD = values;
    *out = m;
    return TM_OK;
}

static size_t NAME(csc_file_bytes)(const tm_matrix *m, size_t from, size_t count)
{
    return (size_t)(m->starts[from + count] - m->starts[from]) * (sizeof(REAL) + sizeof *m->rows);
}

const matrix_ops OPS = {
    .kind = KIND,
    .dot = NAME(csc_dot),
    .axpy = NAME(csc_axpy),
    .dot_range = NAME(csc_dot_range),
    .column = NAME(csc_column),
    .entries = NAME(csc_entries),
    .select_rows = NAME(csc_select_rows),
    .stored = csc_stored,
    .cost = csc_stored,
    .file_bytes = NAME(csc_file_bytes),
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
