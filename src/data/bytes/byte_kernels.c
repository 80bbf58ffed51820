#include "data/bytes/byte_kernels.h"

#include "base/numeric/lanes.h"

#include <math.h>
#include <string.h>

/* Sums of so many products of a byte and an entry of at most 16383 fit in 32 bits, in any order. */
enum { INTEGER_ROWS = 1024 };

typedef int32_t whole_lanes __attribute__((vector_size(32), aligned(4), may_alias));

/* Adding it to a number of at most 2^51 and subtracting it rounds to whole numbers. */
static const double TO_WHOLE = 0x1.8p52;

/* Compilers find the instruction that multiplies and adds pairs of 16-bit integers. */
PER_MACHINE int64_t kernel_byte_dot(const int8_t *q, const int16_t *v, size_t n)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i += INTEGER_ROWS) {
        size_t rows = n - i < INTEGER_ROWS ? n - i : INTEGER_ROWS;
        int32_t part = 0;
        for (size_t k = i; k < i + rows; k++) {
            int16_t wide = q[k];
            part += wide * v[k];
        }
        sum += part;
    }
    return sum;
}

/* The lesser of two in each lane, and the greater. */
static inline void lower_lanes(lanes *least, const lanes *values)
{
    lane_bits take = *values < *least;
    *least = (lanes)(((lane_bits)*values & take) | ((lane_bits)*least & ~take));
}

static inline void raise_lanes(lanes *most, const lanes *values)
{
    lane_bits take = *values > *most;
    *most = (lanes)(((lane_bits)*values & take) | ((lane_bits)*most & ~take));
}

/* Two of each at a time: a comparison waits for the one before. */
PER_MACHINE void kernel_range(const double *x, size_t n, double *low, double *high)
{
    lanes least0 = (lanes){0} + x[0], least1 = least0, most0 = least0, most1 = least0;
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        const lanes *values = (const lanes *)(x + i);
        lower_lanes(&least0, values);
        raise_lanes(&most0, values);
        lower_lanes(&least1, values + 1);
        raise_lanes(&most1, values + 1);
    }
    lower_lanes(&least0, &least1);
    raise_lanes(&most0, &most1);
    double a = x[0], b = x[0];
    for (int k = 0; k < LANES; k++) {
        a = least0[k] < a ? least0[k] : a;
        b = most0[k] > b ? most0[k] : b;
    }
    for (; i < n; i++) {
        a = x[i] < a ? x[i] : a;
        b = x[i] > b ? x[i] : b;
    }
    *low = a;
    *high = b;
}

/* Whole numbers that are made narrower together: compilers find no instruction for eight alone. */
enum { TOGETHER = 256 };

PER_MACHINE double kernel_to_bytes(const double *x, size_t n, double centre, double scale,
                                   int8_t *out)
{
    double tail = 0;
    lanes squares = {0};
    size_t i = 0;
    while (i + LANES <= n) {
        int32_t wide[TOGETHER];
        size_t rows = n - i < TOGETHER ? (n - i) / LANES * LANES : TOGETHER;
        for (size_t k = 0; k < rows; k += LANES) {
            lanes exact = (*(const lanes *)(x + i + k) - centre) * scale;
            lanes whole = exact + TO_WHOLE - TO_WHOLE, left = exact - whole;
            squares += left * left;
            *(whole_lanes *)(wide + k) = __builtin_convertvector(whole, whole_lanes);
        }
        for (size_t k = 0; k < rows; k++)
            out[i + k] = (int8_t)wide[k];
        i += rows;
    }
    for (; i < n; i++) {
        double exact = (x[i] - centre) * scale, whole = exact + TO_WHOLE - TO_WHOLE;
        double left = exact - whole;
        tail += left * left;
        out[i] = (int8_t)(int32_t)whole;
    }
    return add_lanes(&squares) + tail;
}
