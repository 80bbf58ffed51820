/* A few sparse columns stored row by row, so that a new column's products with all of them take
 * time proportional to the entries in its rows. */
#ifndef SOLVE_GRAM_SET_ROWS_H
#define SOLVE_GRAM_SET_ROWS_H

#include "tamis/matrix.h"

#include <stdbool.h>

/* Places are 16 bits wide, because the rows are read repeatedly. */
enum { MAX_SET_ROWS = 1 << 16 };

/* Row i holds places[starts[i] .. starts[i+1]-1], ascending, and the values there. */
typedef struct set_rows {
    size_t n;
    uint64_t *starts; /* n + 1 */
    uint16_t *places;
    double *values;
    uint64_t capacity; /* capacity in entries */
    uint32_t *added;   /* n: scratch */
    double *column;    /* n: scratch */
} set_rows;

/* An empty set. False when memory ran out. */
bool set_rows_new(set_rows *r, size_t n);
void set_rows_free(set_rows *r);
/* Removes all features. */
void set_rows_clear(set_rows *r);

/* Adds features[from .. count-1] at the places from .. count-1 (count <= MAX_SET_ROWS); sets
 * lengths[k] to the number of entries of feature k. False when memory ran out. */
bool set_rows_add(set_rows *r, const tm_matrix *x, const size_t *features, size_t from,
                  size_t count, uint64_t *lengths);

static inline uint64_t set_rows_entries(const set_rows *r)
{
    return r->starts[r->n];
}

#endif
