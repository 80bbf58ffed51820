/* Stores rows while they are read, and makes a matrix of them. */
#include "data/read/common/row_store.h"

#include "base/memory.h"

#include <stdlib.h>

/* Bytes for each column: starts, means and deviations of the data, and three tables of a solver. */
enum { TABLE_BYTES = 48 };

static const double dense_share = 0.6;

static void free_blocks(row_store *store)
{
    while (store->first) {
        row_block *next = store->first->next;
        free(store->first);
        store->first = next;
    }
    store->last = NULL;
}

void row_store_clear(row_store *store)
{
    free_blocks(store);
    free(store->y);
    free(store->sizes);
    *store = (row_store){0};
}

/* The matrix will take about as much memory again. A text that decompresses without end must be
 * rejected before the system kills the process for lack of memory. */
static bool fits(const row_store *store, size_t more_entries, size_t rows)
{
    double entries = (double)store->nnz + (double)more_entries;
    double bytes = entries * (sizeof(uint32_t) + sizeof(double)) +
                   (double)rows * (sizeof *store->y + sizeof *store->sizes);
    return bytes <= mem_physical() / 2.0;
}

bool row_store_grow(row_store *store)
{
    if (!fits(store, ROW_BLOCK, store->capacity))
        return false;
    row_block *block = malloc(sizeof *block);
    if (!block)
        return false;
    block->next = NULL;
    if (store->last)
        store->last->next = block;
    else
        store->first = block;
    store->last = block;
    store->used = 0;
    return true;
}

static bool grow_rows(row_store *store)
{
    size_t capacity = store->capacity ? 2 * store->capacity : 256;
    if (!fits(store, 0, capacity))
        return false;
    double *y = realloc(store->y, capacity * sizeof *y);
    if (!y)
        return false;
    store->y = y;
    uint32_t *sizes = realloc(store->sizes, capacity * sizeof *sizes);
    if (!sizes)
        return false;
    store->sizes = sizes;
    store->capacity = capacity;
    return true;
}

bool row_store_end_row(row_store *store, double y)
{
    if (store->rows == store->capacity && !grow_rows(store))
        return false;
    store->y[store->rows] = y;
    store->sizes[store->rows] = (uint32_t)(store->nnz - store->row_start);
    store->rows++;
    store->row_start = store->nnz;
    return true;
}

static void free_after(row_store *store, row_block *block)
{
    row_block *next = block->next;
    block->next = NULL;
    store->last = block;
    while (next) {
        row_block *following = next->next;
        free(next);
        next = following;
    }
}

/* All blocks except the last are full, so that an entry's index determines its block. */
void row_store_drop_row(row_store *store)
{
    if (store->nnz == store->row_start)
        return;
    uint64_t before = (store->nnz - 1) / ROW_BLOCK, now = store->row_start / ROW_BLOCK;
    if (now < before) {
        row_block *block = store->first;
        for (uint64_t k = 0; k < now; k++)
            block = block->next;
        free_after(store, block);
    }
    store->used = (size_t)(store->row_start % ROW_BLOCK);
    store->nnz = store->row_start;
}

/* Iterates over the stored entries; frees blocks when done with them if `consume` is set. */
typedef struct walk {
    row_store *store;
    row_block *block;
    size_t at;
    bool consume;
} walk;

static inline void walk_next(walk *w, uint32_t *feature, double *value)
{
    if (w->at == ROW_BLOCK) {
        row_block *next = w->block->next;
        if (w->consume) {
            free(w->block);
            w->store->first = next;
        }
        w->block = next;
        w->at = 0;
    }
    *feature = w->block->features[w->at] - w->store->base;
    *value = w->block->values[w->at];
    w->at++;
}

static tm_status fill_dense(tm_matrix **out, row_store *store, size_t p, tm_error *err)
{
    size_t n = store->rows;
    double *values = calloc(n * p, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "dense matrix");
    walk w = {store, store->first, 0, true};
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < store->sizes[i]; k++) {
            uint32_t feature;
            double value;
            walk_next(&w, &feature, &value);
            values[i + (size_t)feature * n] = value;
        }
    free_blocks(store);
    return tm_matrix_new_dense(out, n, p, values, err);
}

/* Converts the counts in starts[j + 1] to the index of column j's next entry, so that filling the
 * columns leaves the true starts there without a second table of p entries. */
static void place_columns(uint64_t *starts, size_t p)
{
    uint64_t sum = 0;
    for (size_t j = 1; j <= p; j++) {
        uint64_t count = starts[j];
        starts[j] = sum;
        sum += count;
    }
}

static void count_columns(row_store *store, uint64_t *starts)
{
    walk w = {store, store->first, 0, false};
    for (uint64_t k = 0; k < store->nnz; k++) {
        uint32_t feature;
        double value;
        walk_next(&w, &feature, &value);
        starts[(size_t)feature + 1]++;
    }
}

static tm_status fill_csc(tm_matrix **out, row_store *store, size_t p, tm_error *err)
{
    size_t entries = store->nnz ? store->nnz : 1;
    uint64_t *starts = calloc(p + 1, sizeof *starts);
    uint32_t *rows = malloc(entries * sizeof *rows);
    double *values = malloc(entries * sizeof *values);
    if (!starts || !rows || !values) {
        free(starts);
        free(rows);
        free(values);
        return tm_fail_memory(err, "sparse matrix");
    }
    count_columns(store, starts);
    place_columns(starts, p);
    walk w = {store, store->first, 0, true};
    for (size_t i = 0; i < store->rows; i++)
        for (uint32_t k = 0; k < store->sizes[i]; k++) {
            uint32_t feature;
            double value;
            walk_next(&w, &feature, &value);
            uint64_t place = starts[(size_t)feature + 1]++;
            rows[place] = (uint32_t)i;
            values[place] = value;
        }
    free_blocks(store);
    return tm_matrix_new_csc(out, store->rows, p, starts, rows, values, err);
}

tm_status row_store_matrix(tm_matrix **out, row_store *store, size_t p, tm_error *err)
{
    double cells = (double)store->rows * (double)p;
    bool dense = (double)store->nnz > dense_share * cells;
    tm_status status = dense ? fill_dense(out, store, p, err) : fill_csc(out, store, p, err);
    free_blocks(store);
    return status;
}

uint64_t data_feature_limit(void)
{
    double limit = mem_physical() / 4.0 / TABLE_BYTES;
    return limit < (double)(UINT32_MAX - 1) ? (uint64_t)limit : UINT32_MAX - 1;
}
