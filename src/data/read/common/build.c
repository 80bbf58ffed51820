#include "data/read/common/build.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static const double dense_share = 0.6;

enum {
    FIRST_CAPACITY = 1 << 12,
    TILE = 32, /* side of the squares in which rows are transposed to columns */
    /* Values of rows that are given back together once they are transposed: of long rows so many of
     * each row, of short ones so many rows. */
    PANEL = 1 << 11,
    PAGE = 512,         /* values of a page, of which the last panel may have left a part */
    RELEASED = 1 << 16, /* entries that are given back together */
};

/* Half of the memory is reserved for later copies of the values. */
static bool fits(uint64_t count, size_t size)
{
    return (double)count * (double)size <= mem_physical() / 2.0;
}

static bool grow(void **array, uint64_t capacity, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(capacity, size, &bytes))
        return false;
    void *grown = realloc(*array, bytes);
    if (!grown)
        return false;
    *array = grown;
    return true;
}

bool value_list_reserve(value_list *list, uint64_t more)
{
    uint64_t want = list->count + more;
    if (want <= list->capacity)
        return true;
    uint64_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
    if (capacity < want)
        capacity = want;
    void *values = list->values;
    if (!fits(want, sizeof *list->values) || !grow(&values, capacity, sizeof *list->values))
        return false;
    list->values = values;
    list->capacity = capacity;
    return true;
}

void value_list_clear(value_list *list)
{
    free(list->values);
    *list = (value_list){0};
}

static bool grow_triplets(triplet_list *list)
{
    uint64_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
    void *rows = list->rows, *cols = list->cols, *values = list->values;
    bool grown = fits(list->count, 2 * sizeof(uint32_t) + sizeof(double)) &&
                 grow(&rows, capacity, sizeof *list->rows);
    list->rows = rows;
    grown = grown && grow(&cols, capacity, sizeof *list->cols);
    list->cols = cols;
    grown = grown && grow(&values, capacity, sizeof *list->values);
    list->values = values;
    if (grown)
        list->capacity = capacity;
    return grown;
}

bool triplet_list_add(triplet_list *list, uint32_t row, uint32_t col, double value)
{
    if (value == 0.0)
        return true;
    if (list->count == list->capacity && !grow_triplets(list))
        return false;
    list->rows[list->count] = row;
    list->cols[list->count] = col;
    list->values[list->count++] = value;
    return true;
}

void triplet_list_clear(triplet_list *list)
{
    free(list->rows);
    free(list->cols);
    free(list->values);
    *list = (triplet_list){0};
}

/* --- compressed columns -------------------------------------------------------------------- */

typedef struct columns {
    uint64_t *starts;
    uint32_t *rows;
    double *values;
} columns;

static void columns_clear(columns *c)
{
    free(c->starts);
    free(c->rows);
    free(c->values);
    *c = (columns){0};
}

static bool columns_new(columns *c, size_t p, uint64_t entries)
{
    c->starts = mem_zeros(p + 1, sizeof *c->starts);
    c->rows = mem_array(entries, sizeof *c->rows);
    c->values = mem_array(entries, sizeof *c->values);
    if (c->starts && c->rows && c->values)
        return true;
    columns_clear(c);
    return false;
}

static bool is_dense(uint64_t nonzero, size_t n, size_t p)
{
    return (double)nonzero > dense_share * (double)n * (double)p;
}

/* --- from dense values --------------------------------------------------------------------- */

static uint64_t count_nonzero(const double *values, uint64_t count)
{
    uint64_t nonzero = 0;
    for (uint64_t k = 0; k < count; k++)
        nonzero += values[k] != 0.0;
    return nonzero;
}

static void compress(columns *c, const double *values, size_t n, size_t p)
{
    uint64_t place = 0;
    for (size_t j = 0; j < p; j++) {
        for (size_t i = 0; i < n; i++)
            if (values[i + j * n] != 0.0) {
                c->rows[place] = (uint32_t)i;
                c->values[place++] = values[i + j * n];
            }
        c->starts[j + 1] = place;
    }
}

tm_status build_from_columns(tm_matrix **out, value_list *list, size_t n, size_t p, tm_error *err)
{
    double *values = list->values;
    uint64_t nonzero = count_nonzero(values, list->count);
    double *shrunk = list->count ? realloc(values, list->count * sizeof *values) : NULL;
    values = shrunk ? shrunk : values;
    *list = (value_list){0};
    if (is_dense(nonzero, n, p))
        return tm_matrix_new_dense(out, n, p, values, err);
    columns c;
    bool enough = columns_new(&c, p, nonzero);
    if (enough)
        compress(&c, values, n, p);
    free(values);
    return enough ? tm_matrix_new_csc(out, n, p, c.starts, c.rows, c.values, err)
                  : tm_fail_memory(err, "sparse matrix");
}

static void transpose_tile(double *to, const double *from, size_t n, size_t p, size_t i, size_t j)
{
    for (size_t l = j; l < p && l < j + TILE; l++)
        for (size_t k = i; k < n && k < i + TILE; k++)
            to[k + l * n] = from[k * p + l];
}

static void release_between(const double *values, size_t from, size_t to)
{
    mem_release(values + from, (to - from) * sizeof *values);
}

/* Gives the values back piece by piece, so that they and the columns are not all in memory at
 * once. */
static void transpose(double *to, const double *from, size_t n, size_t p)
{
    size_t width = p > PANEL ? PANEL : p, rows = p > PANEL ? n : PANEL / p / TILE * TILE + TILE;
    for (size_t j0 = 0; j0 < p; j0 += width)
        for (size_t i0 = 0; i0 < n; i0 += rows) {
            size_t i1 = n - i0 < rows ? n : i0 + rows, j1 = p - j0 < width ? p : j0 + width;
            for (size_t i = i0; i < i1; i += TILE)
                for (size_t j = j0; j < j1; j += TILE)
                    transpose_tile(to, from, n, p, i, j);
            for (size_t i = i0; p > PANEL && i < i1; i++)
                release_between(from + i * p, j0 > 0 ? j0 - PAGE : 0, j1);
            if (p <= PANEL)
                release_between(from, i0 * p, i1 * p);
        }
}

tm_status build_from_rows(tm_matrix **out, value_list *list, size_t n, size_t p, tm_error *err)
{
    if (n > 1 && p > 1) {
        double *turned = mem_array(list->count, sizeof *turned);
        if (!turned)
            return tm_fail_memory(err, "dense matrix");
        transpose(turned, list->values, n, p);
        free(list->values);
        list->values = turned;
    }
    return build_from_columns(out, list, n, p, err);
}

/* --- from entries -------------------------------------------------------------------------- */

static void release_triplets(const triplet_list *list, uint64_t from)
{
    mem_release(list->rows + from, RELEASED * sizeof *list->rows);
    mem_release(list->cols + from, RELEASED * sizeof *list->cols);
    mem_release(list->values + from, RELEASED * sizeof *list->values);
}

/* Entries are given back while they are placed, so that those of a file that goes column by column
 * and the matrix are not all in memory at once. starts[j + 1] is first a count, then the index of
 * the next entry, and finally the true start. */
static void scatter(columns *c, const triplet_list *list, size_t p)
{
    uint64_t sum = 0;
    for (uint64_t k = 0; k < list->count; k++)
        c->starts[(size_t)list->cols[k] + 1]++;
    for (size_t j = 1; j <= p; j++) {
        uint64_t count = c->starts[j];
        c->starts[j] = sum;
        sum += count;
    }
    for (uint64_t k = 0; k < list->count; k++) {
        uint64_t place = c->starts[(size_t)list->cols[k] + 1]++;
        c->rows[place] = list->rows[k];
        c->values[place] = list->values[k];
        if ((k + 1) % RELEASED == 0)
            release_triplets(list, k + 1 - RELEASED);
    }
}

typedef struct entry {
    uint32_t row;
    double value;
} entry;

static int compare_entries(const void *a, const void *b)
{
    uint32_t left = ((const entry *)a)->row, right = ((const entry *)b)->row;
    return (left > right) - (left < right);
}

static bool ascending(const uint32_t *rows, uint64_t count)
{
    for (uint64_t k = 1; k < count; k++)
        if (rows[k] <= rows[k - 1])
            return false;
    return true;
}

static bool sort_column(uint32_t *rows, double *values, uint64_t count)
{
    entry *entries = mem_array(count, sizeof *entries);
    if (!entries)
        return false;
    for (uint64_t k = 0; k < count; k++)
        entries[k] = (entry){rows[k], values[k]};
    qsort(entries, count, sizeof *entries, compare_entries);
    for (uint64_t k = 0; k < count; k++) {
        rows[k] = entries[k].row;
        values[k] = entries[k].value;
    }
    free(entries);
    return true;
}

static tm_status order_rows(columns *c, size_t p, const char *name, tm_error *err)
{
    for (size_t j = 0; j < p; j++) {
        uint32_t *rows = c->rows + c->starts[j];
        uint64_t count = c->starts[j + 1] - c->starts[j];
        if (ascending(rows, count))
            continue;
        if (!sort_column(rows, c->values + c->starts[j], count))
            return tm_fail_memory(err, "sparse matrix");
        for (uint64_t k = 1; k < count; k++)
            if (rows[k] == rows[k - 1])
                return tm_fail(err, TM_EDATA,
                               "%s: row %lu, column %zu of the matrix is given twice; add the two "
                               "values or remove one",
                               name, (unsigned long)rows[k] + 1, j + 1);
    }
    return TM_OK;
}

static tm_status expand(tm_matrix **out, const columns *c, size_t n, size_t p, tm_error *err)
{
    double *values = mem_zeros(n * p, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "dense matrix");
    for (size_t j = 0; j < p; j++)
        for (uint64_t k = c->starts[j]; k < c->starts[j + 1]; k++)
            values[c->rows[k] + j * n] = c->values[k];
    return tm_matrix_new_dense(out, n, p, values, err);
}

tm_status build_from_triplets(tm_matrix **out, triplet_list *list, size_t n, size_t p,
                              const char *name, tm_error *err)
{
    columns c;
    uint64_t count = list->count;
    if (!columns_new(&c, p, count))
        return tm_fail_memory(err, "sparse matrix");
    scatter(&c, list, p);
    triplet_list_clear(list);
    tm_status status = order_rows(&c, p, name, err);
    if (status == TM_OK && !is_dense(count, n, p))
        return tm_matrix_new_csc(out, n, p, c.starts, c.rows, c.values, err);
    if (status == TM_OK)
        status = expand(out, &c, n, p, err);
    columns_clear(&c);
    return status;
}

/* --- adjusting ----------------------------------------------------------------------------- */

static tm_status adjust_dense(tm_matrix **out, const tm_matrix *x, size_t drop, size_t width,
                              tm_error *err)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    size_t cells;
    double *values = __builtin_mul_overflow(n, width, &cells) || !fits(cells, sizeof *values)
                         ? NULL
                         : mem_zeros(cells, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "dense matrix");
    for (size_t j = 0, to = 0; j < p; j++)
        if (j != drop)
            tm_matrix_column(x, j, values + n * to++);
    return tm_matrix_new_dense(out, n, width, values, err);
}

static tm_status adjust_sparse(tm_matrix **out, const tm_matrix *x, size_t drop, size_t width,
                               tm_error *err)
{
    columns c;
    double *scratch = mem_array(tm_matrix_rows(x), sizeof *scratch);
    if (!scratch || !columns_new(&c, width, tm_matrix_nnz(x))) {
        free(scratch);
        return tm_fail_memory(err, "sparse matrix");
    }
    uint64_t place = 0;
    size_t to = 0;
    for (size_t j = 0; j < tm_matrix_cols(x); j++) {
        const uint32_t *rows;
        const double *values;
        if (j == drop)
            continue;
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        memcpy(c.rows + place, rows, count * sizeof *rows);
        memcpy(c.values + place, values, count * sizeof *values);
        c.starts[++to] = place += count;
    }
    free(scratch);
    while (to < width)
        c.starts[++to] = place;
    return tm_matrix_new_csc(out, tm_matrix_rows(x), width, c.starts, c.rows, c.values, err);
}

tm_status build_adjusted(tm_matrix **x, size_t drop, size_t width, double *column, tm_error *err)
{
    size_t left = tm_matrix_cols(*x) - (drop != SIZE_MAX);
    if (width < left)
        width = left;
    if (drop == SIZE_MAX && width == left)
        return TM_OK;
    if (drop != SIZE_MAX)
        tm_matrix_column(*x, drop, column);
    tm_matrix *adjusted = NULL;
    tm_status status = tm_matrix_is_sparse(*x) ? adjust_sparse(&adjusted, *x, drop, width, err)
                                               : adjust_dense(&adjusted, *x, drop, width, err);
    if (status != TM_OK)
        return status;
    tm_matrix_unref(*x);
    *x = adjusted;
    return TM_OK;
}

tm_status build_check_vector(input *in, uint64_t rows, uint64_t cols)
{
    if (rows == 1 || cols == 1)
        return TM_OK;
    return input_fail_whole(in, "%" PRIu64 " x %" PRIu64 " numbers; expected a single column", rows,
                            cols);
}
