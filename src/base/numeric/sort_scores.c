#include "base/numeric/sort_scores.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The digits of the radix sort; 16 bits give four passes over a list. */
enum { DIGIT_BITS = 16, DIGITS = 64 / DIGIT_BITS, VALUES = 1 << DIGIT_BITS };
/* Number of pairs from which the radix sort is faster, in spite of iterating over all digit values.
 * A merge sort takes 0.05 ms for 1,000, 0.16 for 2,000 and 12.7 for 100,000; the radix sort takes
 * 0.12, 0.14 and 2.5. */
enum { MANY = 2048 };

/* A key that increases as the score decreases. */
static uint64_t key_of(double score)
{
    uint64_t bits, sign = (uint64_t)1 << 63;
    score += 0.0;
    memcpy(&bits, &score, sizeof bits);
    return bits & sign ? bits : ~bits & ~sign;
}

static size_t digit_of(double score, int digit)
{
    return (size_t)(key_of(score) >> (digit * DIGIT_BITS)) & (VALUES - 1);
}

/* Sorts one list into the other; false when all have the same digit and nothing was done. */
static bool sort_by_digit(const scored *from, scored *to, size_t count, int digit, size_t *starts)
{
    memset(starts, 0, VALUES * sizeof *starts);
    for (size_t i = 0; i < count; i++)
        starts[digit_of(from[i].score, digit)]++;
    if (starts[digit_of(from[0].score, digit)] == count)
        return false;
    for (size_t v = 0, next = 0; v < VALUES; v++) {
        size_t size = starts[v];
        starts[v] = next;
        next += size;
    }
    for (size_t i = 0; i < count; i++)
        to[starts[digit_of(from[i].score, digit)]++] = from[i];
    return true;
}

static int descending(const void *a, const void *b)
{
    double x = ((const scored *)a)->score, y = ((const scored *)b)->score;
    return (x < y) - (x > y);
}

bool sort_scores(scored *list, size_t count)
{
    if (count < MANY) {
        qsort(list, count, sizeof *list, descending);
        return true;
    }
    scored *copy = mem_array(count, sizeof *copy), *from = list, *to = copy;
    size_t *starts = mem_array(VALUES, sizeof *starts);
    bool enough = copy && starts;
    for (int digit = 0; enough && digit < DIGITS; digit++)
        if (sort_by_digit(from, to, count, digit, starts)) {
            scored *sorted = to;
            to = from;
            from = sorted;
        }
    if (enough && from != list)
        memcpy(list, from, count * sizeof *list);
    free(copy);
    free(starts);
    return enough;
}
