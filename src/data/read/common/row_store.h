/* Stores rows while they are read, and makes a matrix of them.
 *
 * Nonzero entries are kept in the order of the file, 12 bytes each, in blocks. When there are many
 * and they are dense, their rows become a band, 8 bytes for each cell, and the blocks are used
 * again. Bands are given back while the matrix is filled, some columns after the others, so that a
 * dense matrix takes little more than its own memory; a sparse one takes twice that. */
#ifndef DATA_READ_COMMON_ROW_STORE_H
#define DATA_READ_COMMON_ROW_STORE_H

#include "tamis/matrix.h"

#include <stdbool.h>

enum { ROW_BLOCK = 1 << 16 };

typedef struct row_block {
    struct row_block *next;
    uint32_t features[ROW_BLOCK];
    double values[ROW_BLOCK];
} row_block;

/* Rows that are stored densely, column by column. */
typedef struct row_band {
    struct row_band *next;
    size_t rows, width; /* width: columns, by the numbers of the entries added */
    double values[];    /* rows x width */
} row_band;

/* The rows so far that are in bands: the first ones. */
typedef struct row_bands {
    row_band *first, *last;
    size_t rows;
    uint64_t nnz;
    double bytes;
    uint64_t tried; /* entries outside bands when they were last found not to be dense; 0: never */
} row_bands;

typedef struct row_store {
    row_bands bands;
    row_block *first, *last; /* of the other rows; those behind `last` are free */
    size_t used;             /* entries of the last block */
    uint64_t nnz;            /* of all rows */
    double *y;               /* one response for each row */
    uint32_t *sizes;         /* number of entries of each row */
    size_t rows, capacity;
    uint64_t row_start; /* nnz at the start of the row being read */
    uint32_t base;      /* number of the first feature in the entries added, 0 or 1 */
} row_store;

void row_store_clear(row_store *store);

/* Adds a block; false when memory ran out, or when the matrix would not fit in the machine's. */
bool row_store_grow(row_store *store);

/* Adds an entry of the row being read. Zeros are not stored. NaN represents a missing value. */
static inline bool row_store_add(row_store *store, uint32_t feature, double value)
{
    if (value == 0.0)
        return true;
    if ((!store->last || store->used == ROW_BLOCK) && !row_store_grow(store))
        return false;
    store->last->features[store->used] = feature;
    store->last->values[store->used] = value;
    store->used++;
    store->nnz++;
    return true;
}

/* Ends the row being read; y is its response. */
bool row_store_end_row(row_store *store, double y);

/* Removes the entries of the row being read. */
void row_store_drop_row(row_store *store);
/* The n x p matrix, dense when more than 60 % of its entries are nonzero (CSC takes 12 bytes for
 * each of these, a dense matrix 8 for each entry), else CSC. Consumes the entries, also on failure;
 * y stays. */
tm_status row_store_matrix(tm_matrix **out, row_store *store, size_t p, tm_error *err);

/* The greatest number of features accepted: the tables with one entry for each feature that data
 * sets and solvers need must not take more than a quarter of the machine's memory. */
uint64_t data_feature_limit(void);

#endif
