/* Rows of a matrix with values of type REAL; included once for each precision: NAME(x) is x_f64 or
 * x_f32. */

/* ---- dense --------------------------------------------------------------------------------- */

static const REAL *NAME(whole_column)(const tm_matrix *m, size_t j)
{
    matrix_touch(m->whole, j);
    return m->whole->values.FIELD + j * m->whole->n;
}

static double NAME(dense_rows_dot)(const tm_matrix *m, size_t j, const double *v)
{
    const REAL *column = NAME(whole_column)(m, j);
    if (m->run)
        return KERNEL(kernel_dot)(column + m->rows[0], v, m->n);
    return KERNEL(kernel_dot_at)(column, m->rows, v, m->n);
}

static void NAME(dense_rows_axpy)(const tm_matrix *m, size_t j, double a, double *y)
{
    const REAL *column = NAME(whole_column)(m, j);
    if (m->run) {
        KERNEL(kernel_axpy)(a, column + m->rows[0], y, m->n);
        return;
    }
    for (size_t i = 0; i < m->n; i++)
        y[i] += a * (double)column[m->rows[i]];
}

/* Four columns at a time, as for the whole matrix. */
static void NAME(dense_rows_dot_range)(const tm_matrix *m, size_t from, size_t count,
                                       const double *v, double *out)
{
    size_t k = 0, stride = m->whole->n;
    for (; k + 4 <= count; k += 4) {
        for (size_t other = 1; other < 4; other++)
            matrix_touch(m->whole, from + k + other);
        const REAL *column = NAME(whole_column)(m, from + k);
        if (m->run)
            KERNEL(kernel_dot4)(column + m->rows[0], stride, v, m->n, out + k);
        else
            KERNEL(kernel_dot4_at)(column, stride, m->rows, v, m->n, out + k);
    }
    for (; k < count; k++)
        out[k] = NAME(dense_rows_dot)(m, from + k, v);
}

static void NAME(dense_rows_part)(const tm_matrix *m, size_t j, size_t from, size_t count,
                                  double *out)
{
    const REAL *column = NAME(whole_column)(m, j);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)column[m->rows[from + i]];
}

static void NAME(dense_rows_column)(const tm_matrix *m, size_t j, double *out)
{
    NAME(dense_rows_part)(m, j, 0, m->n, out);
}

const matrix_ops DENSE_OPS = {
    .kind = "row view",
    .dot = NAME(dense_rows_dot),
    .axpy = NAME(dense_rows_axpy),
    .dot_range = NAME(dense_rows_dot_range),
    .column = NAME(dense_rows_column),
    .part = NAME(dense_rows_part),
    .entries = NAME(dense_rows_entries),
    .select_rows = rows_select_rows,
    .view_rows = rows_view_rows,
};

/* ---- sparse -------------------------------------------------------------------------------- */

/* The sums of kernel_sparse_dot over the entries that are in the view, in the same order. They are
 * gathered without a branch first, because branches on which rows are in the view could not be
 * predicted. */
static double NAME(sparse_rows_dot)(const tm_matrix *m, size_t j, const double *v)
{
    const tm_matrix *whole = m->whole;
    double sums[4] = {0}, products[GATHERED + 4];
    size_t filled = 0;
    matrix_touch(whole, j);
    for (uint64_t k = whole->starts[j], end = whole->starts[j + 1]; k < end;) {
        uint64_t stop = end - k < GATHERED ? end : k + GATHERED;
        for (; k < stop; k++) {
            uint32_t place = m->rows[whole->rows[k]];
            bool kept = place != NO_PLACE;
            products[filled] = (double)whole->values.FIELD[k] * v[kept ? place : 0];
            filled += kept;
        }
        size_t at = 0;
        for (; at + 4 <= filled; at += 4)
            for (size_t s = 0; s < 4; s++)
                sums[s] += products[at + s];
        filled -= at;
        memmove(products, products + at, filled * sizeof *products);
    }
    for (size_t s = 0; s < filled; s++)
        sums[0] += products[s];
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

static void NAME(sparse_rows_axpy)(const tm_matrix *m, size_t j, double a, double *y)
{
    const tm_matrix *whole = m->whole;
    matrix_touch(whole, j);
    for (uint64_t k = whole->starts[j]; k < whole->starts[j + 1]; k++) {
        uint32_t place = m->rows[whole->rows[k]];
        if (place != NO_PLACE)
            y[place] += a * (double)whole->values.FIELD[k];
    }
}

static void NAME(sparse_rows_dot_range)(const tm_matrix *m, size_t from, size_t count,
                                        const double *v, double *out)
{
    for (size_t k = 0; k < count; k++)
        out[k] = NAME(sparse_rows_dot)(m, from + k, v);
}

static void NAME(sparse_rows_column)(const tm_matrix *m, size_t j, double *out)
{
    const tm_matrix *whole = m->whole;
    memset(out, 0, m->n * sizeof *out);
    matrix_touch(whole, j);
    for (uint64_t k = whole->starts[j]; k < whole->starts[j + 1]; k++) {
        uint32_t place = m->rows[whole->rows[k]];
        if (place != NO_PLACE)
            out[place] = (double)whole->values.FIELD[k];
    }
}

static size_t NAME(sparse_rows_entries)(const tm_matrix *m, size_t j, double *scratch,
                                        const uint32_t **rows, const double **values)
{
    const tm_matrix *whole = m->whole;
    size_t count = stored_entries(m, j), found = 0;
    *values = scratch;
    if (count == m->n) {
        NAME(sparse_rows_column)(m, j, scratch);
        *rows = m->rows + whole->n;
        return count;
    }
    uint32_t *places = (void *)(scratch + count); /* they fit: see stored_entries */
    for (uint64_t k = whole->starts[j]; k < whole->starts[j + 1]; k++) {
        uint32_t place = m->rows[whole->rows[k]];
        if (place == NO_PLACE)
            continue;
        scratch[found] = (double)whole->values.FIELD[k];
        places[found++] = place;
    }
    *rows = places;
    return count;
}

const matrix_ops SPARSE_OPS = {
    .kind = "row view",
    .dot = NAME(sparse_rows_dot),
    .axpy = NAME(sparse_rows_axpy),
    .dot_range = NAME(sparse_rows_dot_range),
    .column = NAME(sparse_rows_column),
    .entries = NAME(sparse_rows_entries),
    .select_rows = rows_select_rows,
    .stored = stored_entries,
    .cost = sparse_rows_cost,
    .view_rows = rows_view_rows,
};

#undef REAL
#undef FIELD
#undef NAME
#undef KERNEL
#undef DENSE_OPS
#undef SPARSE_OPS
