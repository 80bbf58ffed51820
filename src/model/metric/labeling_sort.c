/* Radix sort of scores: the search for a labeling is called hundreds of times on all rows, and
 * sorting is nearly all of its cost. */
#include "model/metric/labeling_sort.h"

#include <stdbool.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS };

/* The bits of positive doubles are ordered like their values, those of negative ones in reverse;
 * inverted for descending order. */
uint64_t sort_key(double score)
{
    uint64_t bits;
    score += 0.0; /* turns -0 into 0 */
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~(bits | (uint64_t)1 << 63);
}

static unsigned digit(uint64_t key, int d)
{
    return (unsigned)(key >> (d * DIGIT_BITS)) & (BUCKETS - 1);
}

/* For short lists, where counting buckets would cost more than the sort. */
static void sort_by_insertion(sort_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        sort_entry entry = entries[i];
        size_t k = i;
        for (; k > 0 && entries[k - 1].key > entry.key; k--)
            entries[k] = entries[k - 1];
        entries[k] = entry;
    }
}

static bool all_in_one(const uint32_t *starts, size_t count)
{
    for (unsigned b = 0; b < BUCKETS; b++)
        if (starts[b] > 0)
            return starts[b] == count;
    return true;
}

/* One pass by digit d; false when all entries have the same digit and nothing was moved. */
static bool sort_pass(const sort_entry *from, sort_entry *to, size_t count, int d)
{
    uint32_t starts[BUCKETS] = {0}, at = 0;
    for (size_t i = 0; i < count; i++)
        starts[digit(from[i].key, d)]++;
    if (all_in_one(starts, count))
        return false;
    for (unsigned b = 0; b < BUCKETS; b++) {
        uint32_t size = starts[b];
        starts[b] = at;
        at += size;
    }
    for (size_t i = 0; i < count; i++)
        to[starts[digit(from[i].key, d)]++] = from[i];
    return true;
}

void sort_entries(sort_entry *entries, sort_entry *room, size_t count)
{
    sort_entry *from = entries, *to = room;
    if (count < 64) {
        sort_by_insertion(entries, count);
        return;
    }
    for (int d = 0; d < DIGITS; d++)
        if (sort_pass(from, to, count, d)) {
            sort_entry *moved = from;
            from = to;
            to = moved;
        }
    if (from != entries)
        memcpy(entries, from, count * sizeof *entries);
}
