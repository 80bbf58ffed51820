/* Sorts rows by descending score, for the search of labelings. */
#ifndef MODEL_METRIC_LABELING_SORT_H
#define MODEL_METRIC_LABELING_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A row, and the bits of its score encoded so that ascending keys are descending scores. */
typedef struct sort_entry {
    uint64_t key;
    uint32_t row;
} sort_entry;

uint64_t sort_key(double score); /* not NaN */
/* Stable, linear in count. `room` is scratch for as many entries; the result is in `entries`. */
void sort_entries(sort_entry *entries, sort_entry *room, size_t count);

#endif
