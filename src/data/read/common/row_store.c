/* Stores rows while they are read, and makes a matrix of them. */
#include "data/read/common/row_store.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes for each column: starts, means and deviations of the data, and three tables of a solver. */
enum { TABLE_BYTES = 48 };

/* Entries from which rows become a band: 6 MB of blocks. */
enum { BAND_ENTRIES = 1 << 19 };

static const double dense_share = 0.6;

/* Columns are filled in this many parts, after each of which what the bands have of them is given
 * back. */
enum { FILL_PARTS = 32 };

static void free_blocks(row_store *store)
{
    while (store->first) {
        row_block *next = store->first->next;
        free(store->first);
        store->first = next;
    }
    store->last = NULL;
}

static void free_first_band(row_bands *bands)
{
    row_band *next = bands->first->next;
    free(bands->first);
    bands->first = next;
}

void row_store_clear(row_store *store)
{
    free_blocks(store);
    while (store->bands.first)
        free_first_band(&store->bands);
    free(store->y);
    free(store->sizes);
    *store = (row_store){0};
}

/* The matrix will take about as much memory again. A text that decompresses without end must be
 * rejected before the system kills the process for lack of memory. */
static bool fits(const row_store *store, double more, size_t rows)
{
    double entries = (double)(store->nnz - store->bands.nnz);
    double bytes = store->bands.bytes + entries * (sizeof(uint32_t) + sizeof(double)) +
                   (double)rows * (sizeof *store->y + sizeof *store->sizes);
    return bytes + more <= mem_physical() / 2.0;
}

bool row_store_grow(row_store *store)
{
    row_block *block = store->last ? store->last->next : NULL;
    if (!block) {
        block = fits(store, sizeof *block, store->capacity) ? malloc(sizeof *block) : NULL;
        if (!block)
            return false;
        block->next = NULL;
    }
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

/* Iterates over the entries outside bands; frees blocks when done with them if `consume` is set. */
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
    *feature = w->block->features[w->at];
    *value = w->block->values[w->at];
    w->at++;
}

/* ---- bands ---------------------------------------------------------------------------------- */

static size_t width_of(row_store *store)
{
    walk w = {store, store->first, 0, false};
    uint32_t feature, greatest = 0;
    double value;
    for (uint64_t k = store->bands.nnz; k < store->nnz; k++) {
        walk_next(&w, &feature, &value);
        greatest = feature > greatest ? feature : greatest;
    }
    return (size_t)greatest + 1;
}

static void fill_band(row_store *store, row_band *band)
{
    walk w = {store, store->first, 0, false};
    uint32_t feature;
    double value;
    for (size_t i = 0; i < band->rows; i++)
        for (uint32_t k = 0; k < store->sizes[store->bands.rows + i]; k++) {
            walk_next(&w, &feature, &value);
            band->values[i + feature * band->rows] = value;
        }
}

/* Makes a band of the rows that are outside of bands if they have enough entries and are dense.
 * False when memory ran out. */
static bool make_band(row_store *store)
{
    row_bands *bands = &store->bands;
    uint64_t entries = store->nnz - bands->nnz;
    if (entries < BAND_ENTRIES || entries < 2 * bands->tried)
        return true;
    size_t rows = store->rows - bands->rows, width = width_of(store);
    double cells = (double)rows * (double)width;
    bands->tried = entries;
    if (!((double)entries > dense_share * cells))
        return true;
    row_band *band = fits(store, 8 * cells, store->capacity)
                         ? calloc(1, sizeof *band + rows * width * sizeof *band->values)
                         : NULL;
    if (!band)
        return false;
    band->rows = rows;
    band->width = width;
    fill_band(store, band);
    if (bands->last)
        bands->last->next = band;
    else
        bands->first = band;
    *bands = (row_bands){bands->first, band, store->rows, store->nnz, bands->bytes + 8 * cells, 0};
    store->last = store->first;
    store->used = 0;
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
    return make_band(store);
}

/* All blocks up to the last are full, so that an entry's index determines its block. */
void row_store_drop_row(row_store *store)
{
    if (store->nnz == store->row_start)
        return;
    uint64_t kept = store->row_start - store->bands.nnz;
    store->last = store->first;
    for (uint64_t k = 0; k < kept / ROW_BLOCK; k++)
        store->last = store->last->next;
    store->used = (size_t)(kept % ROW_BLOCK);
    store->nnz = store->row_start;
}

/* ---- the matrix ----------------------------------------------------------------------------- */

/* Copies what a band has of columns from .. to - 1, and gives it back. */
static void copy_band(const row_band *band, size_t base, size_t from, size_t to, size_t n,
                      double *values)
{
    size_t width = band->width > base ? band->width - base : 0;
    to = to < width ? to : width;
    const double *first = band->values + base * band->rows;
    for (size_t j = from; j < to; j++)
        memcpy(values + j * n, first + j * band->rows, band->rows * sizeof *values);
    if (from < to)
        mem_release(first + from * band->rows, (to - from) * band->rows * sizeof *values);
}

static tm_status fill_dense(tm_matrix **out, row_store *store, size_t p, tm_error *err)
{
    size_t n = store->rows, part = p / FILL_PARTS + 1;
    double *values = calloc(n * p, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "dense matrix");
    for (size_t j = 0; j < p; j += part) {
        size_t row = 0;
        for (row_band *band = store->bands.first; band; row += band->rows, band = band->next)
            copy_band(band, store->base, j, j + part < p ? j + part : p, n, values + row);
    }
    walk w = {store, store->first, 0, true};
    for (size_t i = store->bands.rows; i < n; i++)
        for (uint32_t k = 0; k < store->sizes[i]; k++) {
            uint32_t feature;
            double value;
            walk_next(&w, &feature, &value);
            values[i + (size_t)(feature - store->base) * n] = value;
        }
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
    for (const row_band *band = store->bands.first; band; band = band->next)
        for (size_t j = store->base; j < band->width; j++)
            for (size_t i = 0; i < band->rows; i++)
                starts[j - store->base + 1] += band->values[i + j * band->rows] != 0;
    walk w = {store, store->first, 0, false};
    for (uint64_t k = store->bands.nnz; k < store->nnz; k++) {
        uint32_t feature;
        double value;
        walk_next(&w, &feature, &value);
        starts[(size_t)(feature - store->base) + 1]++;
    }
}

typedef struct columns {
    uint64_t *starts; /* entry j + 1: the place of column j's next entry */
    uint32_t *rows;
    double *values;
} columns;

static inline void add_entry(columns *c, size_t column, size_t row, double value)
{
    uint64_t place = c->starts[column + 1]++;
    c->rows[place] = (uint32_t)row;
    c->values[place] = value;
}

/* Frees the bands. */
static void scatter_bands(columns *c, row_store *store)
{
    for (size_t row = 0; store->bands.first; free_first_band(&store->bands)) {
        const row_band *band = store->bands.first;
        for (size_t j = store->base; j < band->width; j++)
            for (size_t i = 0; i < band->rows; i++)
                if (band->values[i + j * band->rows] != 0)
                    add_entry(c, j - store->base, row + i, band->values[i + j * band->rows]);
        row += band->rows;
    }
}

static tm_status fill_csc(tm_matrix **out, row_store *store, size_t p, tm_error *err)
{
    size_t entries = store->nnz ? store->nnz : 1;
    columns c = {calloc(p + 1, sizeof *c.starts), malloc(entries * sizeof *c.rows),
                 malloc(entries * sizeof *c.values)};
    if (!c.starts || !c.rows || !c.values) {
        free(c.starts);
        free(c.rows);
        free(c.values);
        return tm_fail_memory(err, "sparse matrix");
    }
    count_columns(store, c.starts);
    place_columns(c.starts, p);
    scatter_bands(&c, store);
    walk w = {store, store->first, 0, true};
    for (size_t i = store->bands.rows; i < store->rows; i++)
        for (uint32_t k = 0; k < store->sizes[i]; k++) {
            uint32_t feature;
            double value;
            walk_next(&w, &feature, &value);
            add_entry(&c, feature - store->base, i, value);
        }
    return tm_matrix_new_csc(out, store->rows, p, c.starts, c.rows, c.values, err);
}

tm_status row_store_matrix(tm_matrix **out, row_store *store, size_t p, tm_error *err)
{
    double cells = (double)store->rows * (double)p;
    bool dense = (double)store->nnz > dense_share * cells;
    tm_status status = dense ? fill_dense(out, store, p, err) : fill_csc(out, store, p, err);
    free_blocks(store);
    while (store->bands.first)
        free_first_band(&store->bands);
    return status;
}

uint64_t data_feature_limit(void)
{
    double limit = mem_physical() / 4.0 / TABLE_BYTES;
    return limit < (double)(UINT32_MAX - 1) ? (uint64_t)limit : UINT32_MAX - 1;
}
