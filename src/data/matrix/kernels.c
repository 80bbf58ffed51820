#include "data/matrix/kernels.h"
#include "base/numeric/lanes.h"

PER_MACHINE
double kernel_dot(const double *a, const double *b, size_t n)
{
    lanes s0 = {0}, s1 = {0};
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        s0 += *(const lanes *)(a + i) * *(const lanes *)(b + i);
        s1 += *(const lanes *)(a + i + LANES) * *(const lanes *)(b + i + LANES);
    }
    s0 += s1;
    double tail = 0;
    for (; i < n; i++)
        tail += a[i] * b[i];
    return add_lanes(&s0) + tail;
}

PER_MACHINE
void kernel_axpy(double a, const double *x, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

PER_MACHINE
void kernel_dot4(const double *x, size_t stride, const double *v, size_t n, double out[4])
{
    const double *x0 = x, *x1 = x + stride, *x2 = x + 2 * stride, *x3 = x + 3 * stride;
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const lanes w = *(const lanes *)(v + i);
        s0 += *(const lanes *)(x0 + i) * w;
        s1 += *(const lanes *)(x1 + i) * w;
        s2 += *(const lanes *)(x2 + i) * w;
        s3 += *(const lanes *)(x3 + i) * w;
    }
    double t0 = 0, t1 = 0, t2 = 0, t3 = 0;
    for (; i < n; i++) {
        t0 += x0[i] * v[i];
        t1 += x1[i] * v[i];
        t2 += x2[i] * v[i];
        t3 += x3[i] * v[i];
    }
    out[0] = add_lanes(&s0) + t0;
    out[1] = add_lanes(&s1) + t1;
    out[2] = add_lanes(&s2) + t2;
    out[3] = add_lanes(&s3) + t3;
}

/* Eight values of a column; a macro, since a vector that a function returned would depend on the
 * machine it is compiled for. */
#define values_at(x, rows)                                                                         \
    ((lanes){(x)[(rows)[0]], (x)[(rows)[1]], (x)[(rows)[2]], (x)[(rows)[3]], (x)[(rows)[4]],       \
             (x)[(rows)[5]], (x)[(rows)[6]], (x)[(rows)[7]]})

PER_MACHINE
double kernel_dot_at(const double *x, const uint32_t *rows, const double *v, size_t n)
{
    lanes s0 = {0}, s1 = {0};
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        s0 += values_at(x, rows + i) * *(const lanes *)(v + i);
        s1 += values_at(x, rows + i + LANES) * *(const lanes *)(v + i + LANES);
    }
    s0 += s1;
    double tail = 0;
    for (; i < n; i++)
        tail += x[rows[i]] * v[i];
    return add_lanes(&s0) + tail;
}

PER_MACHINE
void kernel_dot4_at(const double *x, size_t stride, const uint32_t *rows, const double *v, size_t n,
                    double out[4])
{
    for (int k = 0; k < 4; k++, x += stride) {
        lanes sum = {0};
        size_t i = 0;
        for (; i + LANES <= n; i += LANES)
            sum += values_at(x, rows + i) * *(const lanes *)(v + i);
        double tail = 0;
        for (; i < n; i++)
            tail += x[rows[i]] * v[i];
        out[k] = add_lanes(&sum) + tail;
    }
}

/* Entries are asked for well before they are used: the machine's own guess of what a column reads
 * next begins too late. What lies behind a column is the next one. */
enum { AHEAD = 128 };

double kernel_sparse_dot(const uint32_t *rows, const double *values, size_t count, const double *v)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        if (i % 8 == 0) {
            __builtin_prefetch((const void *)((uintptr_t)(values + i) + AHEAD * sizeof *values));
            __builtin_prefetch((const void *)((uintptr_t)(rows + i) + AHEAD * sizeof *rows));
        }
        s0 += values[i] * v[rows[i]];
        s1 += values[i + 1] * v[rows[i + 1]];
        s2 += values[i + 2] * v[rows[i + 2]];
        s3 += values[i + 3] * v[rows[i + 3]];
    }
    for (; i < count; i++)
        s0 += values[i] * v[rows[i]];
    return (s0 + s2) + (s1 + s3);
}

void kernel_sparse_axpy(double a, const uint32_t *rows, const double *values, size_t count,
                        double *y)
{
    for (size_t i = 0; i < count; i++)
        y[rows[i]] += a * values[i];
}
