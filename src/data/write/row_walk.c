#include "data/write/row_walk.h"

#include "base/memory.h"

#include <stdbool.h>

/* Values in a block of a dense matrix: enough rows that each column is read in long runs. */
enum { BLOCK_VALUES = 1 << 19 };

/* Converts counts in starts[i + 1] to the indices of the next entries, which become the starts when
 * all are filled in. */
static void count_rows(row_walk *walk, size_t n, size_t p)
{
    const uint32_t *rows;
    const double *values;
    for (size_t j = 0; j < p; j++) {
        size_t count = tm_matrix_entries(walk->x, j, walk->scratch, &rows, &values);
        for (size_t k = 0; k < count; k++)
            walk->starts[rows[k] + 1]++;
    }
    uint64_t sum = 0;
    for (size_t i = 1; i <= n; i++) {
        uint64_t count = walk->starts[i];
        walk->starts[i] = sum;
        sum += count;
    }
}

static void transpose(row_walk *walk, size_t p)
{
    const uint32_t *rows;
    const double *values;
    for (size_t j = 0; j < p; j++) {
        size_t count = tm_matrix_entries(walk->x, j, walk->scratch, &rows, &values);
        for (size_t k = 0; k < count; k++) {
            uint64_t place = walk->starts[rows[k] + 1]++;
            walk->features[place] = (uint32_t)j;
            walk->values[place] = values[k];
        }
    }
}

static bool allocate(row_walk *walk, size_t n, size_t p)
{
    walk->scratch = mem_array(n, sizeof *walk->scratch);
    if (!walk->scratch)
        return false;
    if (!tm_matrix_is_sparse(walk->x)) {
        walk->block_rows = BLOCK_VALUES / p > 0 ? BLOCK_VALUES / p : 1;
        if (walk->block_rows > n)
            walk->block_rows = n;
        walk->block = n; /* no block is loaded */
        walk->values = mem_array(walk->block_rows * p, sizeof *walk->values);
        return walk->values != NULL;
    }
    uint64_t entries = tm_matrix_nnz(walk->x);
    walk->starts = mem_zeros(n + 1, sizeof *walk->starts);
    walk->features = mem_array(entries, sizeof *walk->features);
    walk->values = mem_array(entries, sizeof *walk->values);
    return walk->starts && walk->features && walk->values;
}

tm_status row_walk_open(row_walk *walk, const tm_matrix *x, tm_error *err)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    *walk = (row_walk){.x = x};
    if (!allocate(walk, n, p)) {
        row_walk_close(walk);
        return tm_fail_memory(err, "rows of the matrix");
    }
    if (walk->starts) {
        count_rows(walk, n, p);
        transpose(walk, p);
    }
    return TM_OK;
}

static void load_block(row_walk *walk, size_t p)
{
    const uint32_t *rows;
    const double *values;
    size_t left = tm_matrix_rows(walk->x) - walk->row;
    size_t count = left < walk->block_rows ? left : walk->block_rows;
    walk->block = walk->row;
    for (size_t j = 0; j < p; j++) {
        tm_matrix_entries(walk->x, j, walk->scratch, &rows, &values);
        for (size_t i = 0; i < count; i++)
            walk->values[i * p + j] = values[walk->row + i];
    }
}

row_view row_walk_next(row_walk *walk)
{
    size_t row = walk->row;
    row_view view;
    if (walk->starts) {
        uint64_t start = walk->starts[row];
        view =
            (row_view){walk->starts[row + 1] - start, walk->features + start, walk->values + start};
    } else {
        size_t p = tm_matrix_cols(walk->x);
        if (row < walk->block || row >= walk->block + walk->block_rows)
            load_block(walk, p);
        view = (row_view){p, NULL, walk->values + (row - walk->block) * p};
    }
    walk->row++;
    return view;
}

void row_walk_close(row_walk *walk)
{
    free(walk->starts);
    free(walk->features);
    free(walk->values);
    free(walk->scratch);
    *walk = (row_walk){0};
}
