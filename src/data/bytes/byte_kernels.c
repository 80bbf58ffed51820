#include "data/bytes/byte_kernels.h"

#include "base/numeric/lanes.h"

#include <math.h>
#include <string.h>

/* Sums of so many products of a byte and an entry of at most 16383 fit in 32 bits, in any order. */
enum { INTEGER_ROWS = 1024 };

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

/* Only with leave to ignore signs of zeros and NaN, of which there are none, do compilers find the
 * instructions for the least and the greatest; neither depends on the order. */
#if defined(__GNUC__) && !defined(__clang__)
#define ANY_ORDER                                                                                  \
    __attribute__((                                                                                \
        optimize("finite-math-only", "no-signed-zeros", "associative-math", "no-trapping-math")))
#else
#define ANY_ORDER
#endif

PER_MACHINE ANY_ORDER void kernel_range(const double *x, size_t n, double *low, double *high)
{
    double least = x[0], most = x[0];
    for (size_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    *low = least;
    *high = most;
}

/* Values that are converted together, in loops that compilers turn into vector instructions. */
enum { TOGETHER = 256 };

PER_MACHINE double kernel_to_bytes(const double *x, size_t n, double centre, double scale,
                                   int8_t *out)
{
    lanes squares = {0};
    for (size_t i = 0; i < n; i += TOGETHER) {
        double left[TOGETHER];
        int32_t wide[TOGETHER];
        size_t count = n - i < TOGETHER ? n - i : TOGETHER, k = 0;
        for (; k < count; k++) {
            double exact = (x[i + k] - centre) * scale, whole = exact + TO_WHOLE - TO_WHOLE;
            left[k] = exact - whole;
            wide[k] = (int32_t)whole;
        }
        for (k = 0; k < count; k++)
            out[i + k] = (int8_t)wide[k];
        for (k = 0; k + LANES <= count; k += LANES)
            squares += *(const lanes *)(left + k) * *(const lanes *)(left + k);
        for (; k < count; k++)
            squares[0] += left[k] * left[k];
    }
    return add_lanes(&squares);
}
