#include "solve/gram/set_rows.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool set_rows_new(set_rows *r, size_t n)
{
    *r = (set_rows){.n = n,
                    .starts = mem_zeros(n + 1, sizeof *r->starts),
                    .added = mem_array(n, sizeof *r->added),
                    .column = mem_array(n, sizeof *r->column)};
    return r->starts && r->added && r->column;
}

void set_rows_free(set_rows *r)
{
    free(r->starts);
    free(r->places);
    free(r->values);
    free(r->added);
    free(r->column);
    *r = (set_rows){0};
}

void set_rows_clear(set_rows *r)
{
    memset(r->starts, 0, (r->n + 1) * sizeof *r->starts);
}

static bool reserve(set_rows *r, uint64_t entries)
{
    if (entries <= r->capacity)
        return true;
    uint64_t capacity = entries + entries / 2;
    uint16_t *places = realloc(r->places, capacity * sizeof *places);
    if (places)
        r->places = places;
    double *values = realloc(r->values, capacity * sizeof *values);
    if (values)
        r->values = values;
    if (!places || !values)
        return false;
    r->capacity = capacity;
    return true;
}

/* Counts, in `added`, the entries in each row of the features from place `from` on. Returns the
 * sum. */
static uint64_t count_added(set_rows *r, const tm_matrix *x, const size_t *features, size_t from,
                            size_t count, uint64_t *lengths)
{
    uint64_t sum = 0;
    memset(r->added, 0, r->n * sizeof *r->added);
    for (size_t k = from; k < count; k++) {
        const uint32_t *rows;
        const double *values;
        size_t entries = tm_matrix_entries(x, features[k], r->column, &rows, &values);
        lengths[k] = entries;
        sum += entries;
        for (size_t i = 0; i < entries; i++)
            r->added[rows[i]]++;
    }
    return sum;
}

/* Makes space at the end of each row for its new entries, starting at the last row since rows move
 * to the right. */
static void spread(set_rows *r, uint64_t entries)
{
    uint64_t end = entries;
    for (size_t i = r->n; i-- > 0;) {
        uint64_t start = r->starts[i], old = r->starts[i + 1] - start;
        r->starts[i + 1] = end;
        end -= old + r->added[i];
        memmove(r->places + end, r->places + start, old * sizeof *r->places);
        memmove(r->values + end, r->values + start, old * sizeof *r->values);
    }
}

/* Appends the entries of the columns from place `from` on to their rows. */
static void append_columns(set_rows *r, const tm_matrix *x, const size_t *features, size_t from,
                           size_t count)
{
    for (size_t k = from; k < count; k++) {
        const uint32_t *rows;
        const double *values;
        size_t entries = tm_matrix_entries(x, features[k], r->column, &rows, &values);
        for (size_t i = 0; i < entries; i++) {
            uint64_t at = r->starts[rows[i] + 1] - r->added[rows[i]]--;
            r->places[at] = (uint16_t)k;
            r->values[at] = values[i];
        }
    }
}

bool set_rows_add(set_rows *r, const tm_matrix *x, const size_t *features, size_t from,
                  size_t count, uint64_t *lengths)
{
    uint64_t entries = set_rows_entries(r) + count_added(r, x, features, from, count, lengths);
    if (!reserve(r, entries))
        return false;
    spread(r, entries);
    append_columns(r, x, features, from, count);
    return true;
}
