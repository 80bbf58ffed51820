#include "base/numeric/select.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* The median of the first, middle and last value: ordered or equal values are halved, too. */
static double middle_of(const double *v, size_t from, size_t to)
{
    double a = v[from], b = v[from + (to - from) / 2], c = v[to];
    double least = a < b ? a : b, most = a < b ? b : a;
    return c < least ? least : c > most ? most : c;
}

double select_rising(double *v, size_t count, size_t k)
{
    size_t from = 0, to = count - 1;
    while (from < to) {
        double pivot = middle_of(v, from, to);
        size_t low = from, high = to;
        for (;;) { /* those before low are at most the pivot, those after high at least */
            while (v[low] < pivot)
                low++;
            while (v[high] > pivot)
                high--;
            if (low >= high)
                break;
            swap(&v[low++], &v[high--]);
        }
        if (k <= high)
            to = high;
        else
            from = high + 1;
    }
    return v[k];
}

/* ---- of numbers that are not stored -------------------------------------------------------- */

/* Numbers that are not negative are ordered as their bit patterns are, of which each round counts
 * DIGIT more bits, until FEW share the bits that are known. */
enum { PATTERN = 64, DIGIT = 11, DIGITS = 1 << DIGIT, FEW = 2048 };

static uint64_t pattern_of(double value)
{
    double positive = value + 0.0; /* -0 becomes 0 */
    uint64_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return bits;
}

static double value_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The numbers whose patterns, shifted right by `shift`, are `known`. */
typedef struct sharing {
    size_t count;
    double (*value)(size_t i, const void *payload);
    const void *payload;
    uint64_t known;
    unsigned shift;
} sharing;

static bool shares(const sharing *q, uint64_t bits)
{
    return q->shift == PATTERN || bits >> q->shift == q->known;
}

/* Extends the known bits by those of the number at index *k of the numbers that share them, makes
 * *k its index among those that share the new ones, too, and returns how many these are. */
static size_t extend(sharing *q, size_t *k)
{
    unsigned width = q->shift < DIGIT ? q->shift : DIGIT, shift = q->shift - width;
    size_t tally[DIGITS] = {0}, digit = 0;
    for (size_t i = 0; i < q->count; i++) {
        uint64_t bits = pattern_of(q->value(i, q->payload));
        tally[(bits >> shift) & (((uint64_t)1 << width) - 1)] += shares(q, bits);
    }
    for (; *k >= tally[digit]; digit++)
        *k -= tally[digit];
    q->known = (q->shift == PATTERN ? 0 : q->known << width) | digit;
    q->shift = shift;
    return tally[digit];
}

double select_of(size_t count, size_t k, double (*value)(size_t i, const void *payload),
                 const void *payload)
{
    sharing q = {count, value, payload, 0, PATTERN};
    size_t left = count, found = 0;
    double few[FEW];
    while (left > FEW && q.shift > 0)
        left = extend(&q, &k);
    if (q.shift == 0)
        return value_of(q.known);
    for (size_t i = 0; i < count; i++) {
        double here = value(i, payload);
        if (shares(&q, pattern_of(here)))
            few[found++] = here;
    }
    return select_rising(few, found, k);
}
