/* Compressed sparse columns with 32-bit rows and 64-bit starts, in double or single precision. */
#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <string.h>

/* ---- validation and selection -------------------------------------------------------------- */

tm_status csc_check(size_t n, size_t p, const uint64_t *starts, const uint32_t *rows, tm_error *err)
{
    if (starts[0] != 0)
        return tm_fail(err, TM_EDATA, "sparse matrix: the first column must start at 0");
    /* All starts are checked before any row is read: ascending starts end at the arrays' length. */
    for (size_t j = 0; j < p; j++)
        if (starts[j + 1] < starts[j])
            return tm_fail(err, TM_EDATA, "sparse matrix: column %zu ends before it starts", j + 1);
    for (size_t j = 0; j < p; j++)
        for (uint64_t k = starts[j]; k < starts[j + 1]; k++)
            if (rows[k] >= n || (k > starts[j] && rows[k] <= rows[k - 1]))
                return tm_fail(err, TM_EDATA,
                               "sparse matrix: rows of column %zu are not ascending below %zu",
                               j + 1, n);
    return TM_OK;
}

/* The destinations of each old row: places[starts[i] .. starts[i+1]-1] are the new rows made from
 * row i. */
typedef struct row_map {
    size_t *starts, *places;
} row_map;

static bool row_map_make(row_map *map, size_t n, const size_t *rows, size_t count)
{
    map->starts = mem_zeros(n + 1, sizeof *map->starts);
    map->places = mem_array(count, sizeof *map->places);
    if (!map->starts || !map->places)
        return false;
    for (size_t i = 0; i < count; i++)
        map->starts[rows[i] + 1]++;
    for (size_t i = 0; i < n; i++)
        map->starts[i + 1] += map->starts[i];
    size_t *next = mem_array(n, sizeof *next);
    if (!next)
        return false;
    memcpy(next, map->starts, n * sizeof *next);
    for (size_t i = 0; i < count; i++)
        map->places[next[rows[i]]++] = i;
    free(next);
    return true;
}

typedef struct entry {
    uint32_t row;
    uint64_t from;
} entry;

static int compare_entries(const void *a, const void *b)
{
    uint32_t left = ((const entry *)a)->row, right = ((const entry *)b)->row;
    return (left > right) - (left < right);
}

/* Sorts one selected column's entries by new row; returns how many there are. */
static size_t select_column(const tm_matrix *m, size_t j, const row_map *map, entry *column)
{
    size_t found = 0;
    bool ascending = true;
    matrix_touch(m, j);
    for (uint64_t k = m->starts[j]; k < m->starts[j + 1]; k++)
        for (size_t at = map->starts[m->rows[k]]; at < map->starts[m->rows[k] + 1]; at++) {
            column[found] = (entry){(uint32_t)map->places[at], k};
            ascending = ascending && (found == 0 || column[found].row > column[found - 1].row);
            found++;
        }
    if (!ascending)
        qsort(column, found, sizeof *column, compare_entries);
    return found;
}

static uint64_t count_selected(const tm_matrix *m, const row_map *map)
{
    uint64_t total = 0;
    for (size_t j = 0; j < m->p; j++) {
        matrix_touch(m, j);
        for (uint64_t k = m->starts[j]; k < m->starts[j + 1]; k++)
            total += map->starts[m->rows[k] + 1] - map->starts[m->rows[k]];
    }
    return total;
}

/* Ascending rows without repetition keep the order of the entries. There is space for one more
 * entry, to which entries that are left out are written. */
static bool select_ascending(csc_selection *out, const tm_matrix *m, const size_t *rows,
                             size_t count)
{
    uint32_t *place = mem_array(m->n, sizeof *place);
    if (!place)
        return false;
    memset(place, 0xff, m->n * sizeof *place);
    for (size_t i = 0; i < count; i++)
        place[rows[i]] = (uint32_t)i;
    uint64_t total = 0, at = 0;
    for (uint64_t k = 0; k < m->starts[m->p]; k++)
        total += place[m->rows[k]] != UINT32_MAX;
    out->rows = mem_array(total + 1, sizeof *out->rows);
    out->from = mem_array(total + 1, sizeof *out->from);
    for (size_t j = 0; out->rows && out->from && j < m->p; j++) {
        for (uint64_t k = m->starts[j]; k < m->starts[j + 1]; k++) {
            uint32_t row = place[m->rows[k]];
            out->rows[at] = row;
            out->from[at] = k;
            at += row != UINT32_MAX;
        }
        out->starts[j + 1] = at;
    }
    free(place);
    return out->rows && out->from;
}

static bool ascend(const size_t *rows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (rows[i] <= rows[i - 1])
            return false;
    return true;
}

tm_status csc_select(csc_selection *out, const tm_matrix *m, const size_t *rows, size_t count,
                     tm_error *err)
{
    row_map map = {NULL, NULL};
    *out = (csc_selection){0};
    out->starts = mem_zeros(m->p + 1, sizeof *out->starts);
    if (out->starts && !m->pages && m->n <= UINT32_MAX && ascend(rows, count))
        return select_ascending(out, m, rows, count) ? TM_OK : matrix_fail_memory(err);
    entry *column = mem_array(count, sizeof *column);
    bool enough = column && out->starts && row_map_make(&map, m->n, rows, count);
    if (enough) {
        uint64_t total = count_selected(m, &map);
        out->rows = mem_array(total, sizeof *out->rows);
        out->from = mem_array(total, sizeof *out->from);
        enough = out->rows && out->from;
    }
    uint64_t at = 0;
    for (size_t j = 0; enough && j < m->p; j++) {
        size_t found = select_column(m, j, &map, column);
        for (size_t k = 0; k < found; k++, at++) {
            out->rows[at] = column[k].row;
            out->from[at] = column[k].from;
        }
        out->starts[j + 1] = at;
    }
    free(map.starts);
    free(map.places);
    free(column);
    return enough ? TM_OK : matrix_fail_memory(err);
}

/* ---- for both precisions ------------------------------------------------------------------- */

static size_t csc_stored(const tm_matrix *m, size_t j)
{
    return (size_t)(m->starts[j + 1] - m->starts[j]);
}

static size_t csc_entries_f64(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                              const double **values)
{
    (void)scratch;
    *rows = m->rows + m->starts[j];
    *values = m->values.f64 + m->starts[j];
    return (size_t)(m->starts[j + 1] - m->starts[j]);
}

static size_t csc_entries_f32(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                              const double **values)
{
    size_t count = (size_t)(m->starts[j + 1] - m->starts[j]);
    const float *stored = m->values.f32 + m->starts[j];
    for (size_t k = 0; k < count; k++)
        scratch[k] = (double)stored[k];
    *rows = m->rows + m->starts[j];
    *values = scratch;
    return count;
}

#define REAL double
#define FIELD f64
#define NAME(x) x##_f64
#define KERNEL(x) x
#define OPS csc_f64_ops
#define SINGLE &csc_f32_ops
#define ROWS &sparse_rows_f64_ops
#define CREATE tm_matrix_new_csc
#define KIND "csc"
#include "data/matrix/csc_of.h"

#define REAL float
#define FIELD f32
#define NAME(x) x##_f32
#define KERNEL(x) x##_f32
#define OPS csc_f32_ops
#define SINGLE NULL
#define ROWS &sparse_rows_f32_ops
#define CREATE tm_matrix_new_csc_float
#define KIND "csc float"
#include "data/matrix/csc_of.h"
