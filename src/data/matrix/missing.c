/* Missing values: NaN, or the genotype code for missing. */
#include "base/memory.h"
#include "data/matrix/kind.h"

#include <math.h>

enum { CODE_MISSING = 1 };

/* The stored entries of a column: numbers or genotypes. */
typedef struct entries {
    double *values; /* NULL: packed genotypes */
    const uint8_t *packed;
    const uint32_t *rows; /* NULL: dense */
    size_t count;
} entries;

/* Only matrices that a reader has just made may have missing values: dense, compressed columns or
 * genotypes, all in double precision. */
static bool may_have_missing(const tm_matrix *m)
{
    return !m->pages &&
           (m->ops == &dense_f64_ops || m->ops == &csc_f64_ops || m->ops == &genotype_ops);
}

static entries column_of(const tm_matrix *m, size_t j)
{
    if (m->ops == &genotype_ops)
        return (entries){.packed = m->values.packed + j * genotype_stride(m->n), .count = m->n};
    if (m->ops == &dense_f64_ops)
        return (entries){.values = m->values.f64 + j * m->n, .count = m->n};
    return (entries){.values = m->values.f64 + m->starts[j],
                     .rows = m->rows + m->starts[j],
                     .count = (size_t)(m->starts[j + 1] - m->starts[j])};
}

/* For genotypes the number of copies. */
static double value_at(const entries *e, size_t k)
{
    static const double copies[4] = {2, NAN, 1, 0};
    return e->values ? e->values[k] : copies[e->packed[k / 4] >> 2 * (k % 4) & 3];
}

uint64_t tm_matrix_find_missing(const tm_matrix *matrix, bool *in_row, size_t *row, size_t *column)
{
    uint64_t found = 0;
    for (size_t j = 0; may_have_missing(matrix) && j < matrix->p; j++) {
        entries e = column_of(matrix, j);
        for (size_t k = 0; k < e.count; k++) {
            if (!isnan(value_at(&e, k)))
                continue;
            size_t i = e.rows ? e.rows[k] : k;
            if (in_row)
                in_row[i] = true;
            if (found++ == 0) {
                *row = i;
                *column = j;
            }
        }
    }
    return found;
}

static uint64_t fill_column(tm_matrix *m, size_t j, double *fill, bool *empty)
{
    entries e = column_of(m, j);
    uint64_t missing = 0;
    double sum = 0;
    for (size_t k = 0; k < e.count; k++) {
        double value = value_at(&e, k);
        missing += isnan(value) != 0;
        sum += isnan(value) ? 0 : value;
    }
    *empty = isnan(*fill) && missing == m->n;
    if (*empty)
        return missing;
    if (isnan(*fill))
        *fill = sum / (double)(m->n - missing);
    for (size_t k = 0; missing > 0 && e.values && k < e.count; k++)
        e.values[k] = isnan(e.values[k]) ? *fill : e.values[k];
    if (!e.values)
        m->missing[j] = missing > 0 ? *fill : 0;
    return missing;
}

uint64_t tm_matrix_fill_missing(tm_matrix *matrix, double *fills, size_t *empty)
{
    uint64_t filled = 0;
    *empty = SIZE_MAX;
    for (size_t j = 0; may_have_missing(matrix) && j < matrix->p; j++) {
        bool none;
        filled += fill_column(matrix, j, &fills[j], &none);
        if (none && *empty == SIZE_MAX)
            *empty = j;
    }
    return filled;
}
