/* The sparse columns of a few features, row by row: what a new feature's products with all of them
 * are made from in the time of its own rows. */
#ifndef SOLVE_GRAM_SET_ROWS_H
#define SOLVE_GRAM_SET_ROWS_H

#include "tamis/matrix.h"

#include <stdbool.h>

/* Places are short, as the rows are read again and again. */
enum { MAX_SET_ROWS = 1 << 16 };

/* Row i holds places[starts[i] .. starts[i+1]-1], ascending, and the values there. */
typedef struct set_rows {
    size_t n;
    uint64_t *starts; /* n + 1 */
    uint16_t *places;
    double *values;
    uint64_t capacity; /* entries that fit */
    uint32_t *added;   /* n: scratch */
    double *column;    /* n: scratch */
} set_rows;

/* No feature so far. False without memory. */
bool set_rows_new(set_rows *r, size_t n);
void set_rows_free(set_rows *r);
/* Forgets all features. */
void set_rows_clear(set_rows *r);

/* Adds features[from .. count-1] at the places from .. count-1 (count <= MAX_SET_ROWS), behind
 * those before; lengths[k] becomes the entries of feature k. False without memory. */
bool set_rows_add(set_rows *r, const tm_matrix *x, const size_t *features, size_t from,
                  size_t count, uint64_t *lengths);

static inline uint64_t set_rows_entries(const set_rows *r)
{
    return r->starts[r->n];
}

#endif
