/* What readers of whole matrices collect, and the matrix made from it: dense when more than 60 % of
 * its entries are nonzero, otherwise compressed columns without stored zeros. */
#ifndef DATA_READ_COMMON_BUILD_H
#define DATA_READ_COMMON_BUILD_H

#include "data/read/common/input.h"
#include "tamis/matrix.h"

#include <stdbool.h>

/* Numbers in the order of the file. Memory grows with the values read, not with the size that a
 * header states. */
typedef struct value_list {
    double *values;
    uint64_t count, capacity;
} value_list;

/* Ensures capacity for `more` values; false when memory ran out, or when they would not fit in the
 * machine's. */
bool value_list_reserve(value_list *list, uint64_t more);
void value_list_clear(value_list *list);

/* Entries (rows[k], cols[k]) = values[k], counted from 0, in any order. */
typedef struct triplet_list {
    uint32_t *rows, *cols;
    double *values;
    uint64_t count, capacity;
} triplet_list;

/* Zeros are not stored; false as above. */
bool triplet_list_add(triplet_list *list, uint32_t row, uint32_t col, double value);
void triplet_list_clear(triplet_list *list);

/* The n x p matrix of n*p values in column-major or row-major order. Takes ownership of the
 * values. */
tm_status build_from_columns(tm_matrix **out, value_list *list, size_t n, size_t p, tm_error *err);
tm_status build_from_rows(tm_matrix **out, value_list *list, size_t n, size_t p, tm_error *err);
/* Entries must be within n x p. TM_EDATA for duplicate entries. Takes ownership of the entries.
 * `name` is the name of the file, for the message. */
tm_status build_from_triplets(tm_matrix **out, triplet_list *list, size_t n, size_t p,
                              const char *name, tm_error *err);

/* Replaces *x by a matrix without column `drop` (SIZE_MAX: none), widened by zero columns to at
 * least `width`. The removed column is copied to `column` (n values; NULL without one). */
tm_status build_adjusted(tm_matrix **x, size_t drop, size_t width, double *column, tm_error *err);

/* Rejects a matrix with more than one row and more than one column if a list of numbers is
 * expected. */
tm_status build_check_vector(input *in, uint64_t rows, uint64_t cols);

#endif
