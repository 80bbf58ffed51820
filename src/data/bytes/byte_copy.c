#include "data/bytes/byte_copy.h"

#include "base/memory.h"
#include "data/bytes/byte_kernels.h"
#include "data/matrix/kind.h"

#include <math.h>

struct byte_copy {
    size_t n;
    int8_t *values;                 /* p columns of n */
    double *centres, *steps, *left; /* p each */
};

/* The bytes of a column that are fetched ahead, and a cache line: the hardware continues. Lists of
 * columns take 0.93 to 0.95 of the time of a path (500 x 20,000 and 500 x 200,000). */
enum { FETCHED = 1024, LINE = 64 };
/* Greatest absolute value of a byte, and of a vector's entries. */
enum { MOST_BYTE = 127, MOST_ENTRY = 16383 };

bool byte_copy_sizes(const tm_matrix *x, size_t *copy, size_t *column)
{
    const tm_matrix *stored = x;
    while (stored->whole)
        stored = stored->whole;
    if (!stored->ops->plain || matrix_is_limited(stored) || x->ops->joint)
        return false;
    *copy = x->n + 3 * sizeof(double);
    *column = stored->ops->file_bytes(stored, 0, 1) / stored->n * x->n;
    return true;
}

byte_copy *byte_copy_new(const tm_matrix *x)
{
    byte_copy *copy = mem_zeros(1, sizeof *copy);
    size_t cells;
    if (!copy || __builtin_mul_overflow(x->n, x->p, &cells))
        goto done;
    copy->n = x->n;
    copy->values = mem_large(cells, sizeof *copy->values);
    copy->centres = mem_array(x->p, sizeof *copy->centres);
    copy->steps = mem_array(x->p, sizeof *copy->steps);
    copy->left = mem_array(x->p, sizeof *copy->left);
    if (copy->values && copy->centres && copy->steps && copy->left)
        return copy;
done:
    byte_copy_free(copy);
    return NULL;
}

void byte_copy_free(byte_copy *copy)
{
    if (!copy)
        return;
    free(copy->values);
    free(copy->centres);
    free(copy->steps);
    free(copy->left);
    free(copy);
}

/* An upper bound of |r_j|, for `squares` of what was left in steps: each entry has up to four
 * rounding errors relative to the column's greatest value, and the sum of squares n. */
static double length_left(double squares, double step, double greatest, size_t n)
{
    double rows = (double)n;
    return step * sqrt(squares) * (1 + (rows + 8) * 0x1p-52) + sqrt(rows) * greatest * 0x1p-49;
}

/* Half a range that is not much above the smallest double counts as a step in which the bytes are
 * 0. */
static void take_column(byte_copy *copy, size_t j, const double *x)
{
    double low, high;
    kernel_range(x, copy->n, &low, &high);
    double centre = low / 2 + high / 2, half = high / 2 - low / 2, step = half / MOST_BYTE;
    bool none = !isnormal(step) || !isfinite(1 / step);
    double squares =
        kernel_to_bytes(x, copy->n, centre, none ? 0 : 1 / step, copy->values + j * copy->n);
    if (none) {
        step = half;
        squares = (double)copy->n;
    }
    copy->centres[j] = centre;
    copy->steps[j] = none ? 0 : step;
    copy->left[j] = length_left(squares, step, fmax(fabs(low), fabs(high)), copy->n);
}

void byte_copy_take(byte_copy *copy, const tm_matrix *x, size_t from, size_t count, double *scratch)
{
    for (size_t j = from; j < from + count; j++) {
        const uint32_t *rows;
        const double *values;
        tm_matrix_entries(x, j, scratch, &rows, &values);
        take_column(copy, j, values);
    }
}

void byte_vector_round(byte_vector *out, const double *v, size_t n)
{
    double low, high;
    kernel_range(v, n, &low, &high);
    double step = fmax(-low, high) / MOST_ENTRY;
    int64_t sum = 0;
    bool none = !isnormal(step) || !isfinite(1 / step);
    for (size_t i = 0; i < n; i++) {
        out->values[i] = none ? 0 : (int16_t)lrint(v[i] / step);
        sum += out->values[i];
    }
    out->step = none ? 0 : step;
    out->sum = out->step * (double)sum;
}

double byte_copy_dot(const byte_copy *copy, size_t j, const byte_vector *v)
{
    int64_t sum = kernel_byte_dot(copy->values + j * copy->n, v->values, copy->n);
    return copy->centres[j] * v->sum + copy->steps[j] * v->step * (double)sum;
}

void byte_copy_prefetch(const byte_copy *copy, size_t j)
{
    const int8_t *at = copy->values + j * copy->n;
    for (size_t k = 0; k < copy->n && k < FETCHED; k += LINE)
        __builtin_prefetch(at + k);
}

const double *byte_copy_left(const byte_copy *copy)
{
    return copy->left;
}

static void free_copy(void *copy)
{
    byte_copy_free(copy);
}

const byte_copy *byte_copy_of(const tm_matrix *x)
{
    return matrix_derived(x);
}

const byte_copy *byte_copy_keep(const tm_matrix *x, byte_copy *copy)
{
    return matrix_keep_derived(x, copy, free_copy);
}
