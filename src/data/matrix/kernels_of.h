/* The loops over values of type REAL; included once for each precision: WIDEN(at) loads the eight
 * values at `at` as doubles. */

PARTS double NAME(long_dot)(const REAL *a, const double *b, size_t n)
{
    kept_sum sum = {0};
    for (size_t i = 0; i < n; i += SUM_ROWS)
        kept_add(&sum, NAME(kernel_dot)(a + i, b + i, part_rows(i, n)));
    return kept_total(&sum);
}

PER_MACHINE
double NAME(kernel_dot)(const REAL *a, const double *b, size_t n)
{
    if (n > SUM_ROWS)
        return NAME(long_dot)(a, b, n);
    lanes s0 = {0}, s1 = {0};
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        s0 += WIDEN(a + i) * *(const lanes *)(b + i);
        s1 += WIDEN(a + i + LANES) * *(const lanes *)(b + i + LANES);
    }
    s0 += s1;
    double tail = 0;
    for (; i < n; i++)
        tail += (double)a[i] * b[i];
    return add_lanes(&s0) + tail;
}

PER_MACHINE
void NAME(kernel_axpy)(double a, const REAL *x, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * (double)x[i];
}

PARTS void NAME(long_dot4)(const REAL *x, size_t stride, const double *v, size_t n, double out[4])
{
    kept_sum sums[4] = {{0}};
    double part[4];
    for (size_t i = 0; i < n; i += SUM_ROWS) {
        NAME(kernel_dot4)(x + i, stride, v + i, part_rows(i, n), part);
        for (int k = 0; k < 4; k++)
            kept_add(&sums[k], part[k]);
    }
    for (int k = 0; k < 4; k++)
        out[k] = kept_total(&sums[k]);
}

PER_MACHINE
void NAME(kernel_dot4)(const REAL *x, size_t stride, const double *v, size_t n, double out[4])
{
    if (n > SUM_ROWS) {
        NAME(long_dot4)(x, stride, v, n, out);
        return;
    }
    const REAL *x0 = x, *x1 = x + stride, *x2 = x + 2 * stride, *x3 = x + 3 * stride;
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const lanes w = *(const lanes *)(v + i);
        s0 += WIDEN(x0 + i) * w;
        s1 += WIDEN(x1 + i) * w;
        s2 += WIDEN(x2 + i) * w;
        s3 += WIDEN(x3 + i) * w;
    }
    double t0 = 0, t1 = 0, t2 = 0, t3 = 0;
    for (; i < n; i++) {
        t0 += (double)x0[i] * v[i];
        t1 += (double)x1[i] * v[i];
        t2 += (double)x2[i] * v[i];
        t3 += (double)x3[i] * v[i];
    }
    out[0] = add_lanes(&s0) + t0;
    out[1] = add_lanes(&s1) + t1;
    out[2] = add_lanes(&s2) + t2;
    out[3] = add_lanes(&s3) + t3;
}

PARTS double NAME(long_dot_at)(const REAL *x, const uint32_t *rows, const double *v, size_t n)
{
    kept_sum sum = {0};
    for (size_t i = 0; i < n; i += SUM_ROWS)
        kept_add(&sum, NAME(kernel_dot_at)(x, rows + i, v + i, part_rows(i, n)));
    return kept_total(&sum);
}

PER_MACHINE
double NAME(kernel_dot_at)(const REAL *x, const uint32_t *rows, const double *v, size_t n)
{
    if (n > SUM_ROWS)
        return NAME(long_dot_at)(x, rows, v, n);
    lanes s0 = {0}, s1 = {0};
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        s0 += values_at(x, rows + i) * *(const lanes *)(v + i);
        s1 += values_at(x, rows + i + LANES) * *(const lanes *)(v + i + LANES);
    }
    s0 += s1;
    double tail = 0;
    for (; i < n; i++)
        tail += (double)x[rows[i]] * v[i];
    return add_lanes(&s0) + tail;
}

PARTS void NAME(long_dot4_at)(const REAL *x, size_t stride, const uint32_t *rows, const double *v,
                              size_t n, double out[4])
{
    kept_sum sums[4] = {{0}};
    double part[4];
    for (size_t i = 0; i < n; i += SUM_ROWS) {
        NAME(kernel_dot4_at)(x, stride, rows + i, v + i, part_rows(i, n), part);
        for (int k = 0; k < 4; k++)
            kept_add(&sums[k], part[k]);
    }
    for (int k = 0; k < 4; k++)
        out[k] = kept_total(&sums[k]);
}

PER_MACHINE
void NAME(kernel_dot4_at)(const REAL *x, size_t stride, const uint32_t *rows, const double *v,
                          size_t n, double out[4])
{
    if (n > SUM_ROWS) {
        NAME(long_dot4_at)(x, stride, rows, v, n, out);
        return;
    }
    for (int k = 0; k < 4; k++, x += stride) {
        lanes sum = {0};
        size_t i = 0;
        for (; i + LANES <= n; i += LANES)
            sum += values_at(x, rows + i) * *(const lanes *)(v + i);
        double tail = 0;
        for (; i < n; i++)
            tail += (double)x[rows[i]] * v[i];
        out[k] = add_lanes(&sum) + tail;
    }
}

PARTS double NAME(long_sparse_dot)(const uint32_t *rows, const REAL *values, size_t count,
                                   const double *v)
{
    kept_sum sum = {0};
    for (size_t i = 0; i < count; i += SUM_ROWS)
        kept_add(&sum, NAME(kernel_sparse_dot)(rows + i, values + i, part_rows(i, count), v));
    return kept_total(&sum);
}

double NAME(kernel_sparse_dot)(const uint32_t *rows, const REAL *values, size_t count,
                               const double *v)
{
    if (count > SUM_ROWS)
        return NAME(long_sparse_dot)(rows, values, count, v);
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        if (i % 8 == 0) {
            __builtin_prefetch((const void *)((uintptr_t)(values + i) + AHEAD * sizeof *values));
            __builtin_prefetch((const void *)((uintptr_t)(rows + i) + AHEAD * sizeof *rows));
        }
        s0 += (double)values[i] * v[rows[i]];
        s1 += (double)values[i + 1] * v[rows[i + 1]];
        s2 += (double)values[i + 2] * v[rows[i + 2]];
        s3 += (double)values[i + 3] * v[rows[i + 3]];
    }
    for (; i < count; i++)
        s0 += (double)values[i] * v[rows[i]];
    return (s0 + s2) + (s1 + s3);
}

void NAME(kernel_sparse_axpy)(double a, const uint32_t *rows, const REAL *values, size_t count,
                              double *y)
{
    for (size_t i = 0; i < count; i++)
        y[rows[i]] += a * (double)values[i];
}

#undef REAL
#undef NAME
#undef WIDEN
