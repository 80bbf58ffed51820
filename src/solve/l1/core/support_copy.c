#include "solve/l1/core/support_copy.h"

#include "base/memory.h"
#include "solve/l1/core/tuning.h"

#include <string.h>

bool support_copy_pays(const tm_matrix *x, const size_t *features, size_t count)
{
    uint64_t entries = 0, most = (uint64_t)count * SHORT_COLUMN;
    if (!tm_matrix_is_sparse(x) || most > UINT32_MAX)
        return false;
    for (size_t k = 0; k < count && entries <= most; k++) {
        size_t own = tm_matrix_column_nnz(x, features[k]);
        entries += own > 0 ? own : most + 1;
    }
    return entries <= most;
}

static bool lists_new(entry_lists *lists, size_t count, size_t entries)
{
    lists->count = count;
    lists->place = mem_array(count, sizeof *lists->place);
    lists->end = mem_array(count, sizeof *lists->end);
    lists->at = mem_array(entries, sizeof *lists->at);
    lists->values = mem_array(entries, sizeof *lists->values);
    return lists->place && lists->end && lists->at && lists->values;
}

static void lists_clear(entry_lists *lists)
{
    free(lists->place);
    free(lists->end);
    free(lists->at);
    free(lists->values);
}

/* Orders the sums by their lengths, of which none is above `longest`. begin (count) is set to where
 * the entries of each begin; ranks: longest + 2, scratch. */
static void lay_out(entry_lists *lists, const uint32_t *lengths, size_t longest, uint32_t *begin,
                    uint32_t *ranks)
{
    uint32_t total = 0;
    memset(ranks, 0, (longest + 2) * sizeof *ranks);
    for (size_t k = 0; k < lists->count; k++)
        ranks[lengths[k] + 1]++;
    for (size_t length = 1; length <= longest; length++)
        ranks[length] += ranks[length - 1];
    for (size_t k = 0; k < lists->count; k++)
        lists->place[ranks[lengths[k]]++] = (uint32_t)k;
    for (size_t k = 0; k < lists->count; k++) {
        begin[lists->place[k]] = total;
        total += lengths[lists->place[k]];
        lists->end[k] = total;
    }
}

static size_t greatest(const uint32_t *values, size_t count)
{
    uint32_t most = 0;
    for (size_t k = 0; k < count; k++)
        most = values[k] > most ? values[k] : most;
    return most;
}

/* The lengths of columns and rows, and where their entries begin. */
typedef struct layout {
    uint32_t *columns, *rows, *column_begin, *row_begin, *ranks;
} layout;

static bool layout_new(layout *l, size_t n, size_t count)
{
    size_t longest = n > count ? n : count;
    l->columns = mem_zeros(2 * (n + count) + longest + 2, sizeof *l->columns);
    if (!l->columns)
        return false;
    l->column_begin = l->columns + count;
    l->rows = l->column_begin + count;
    l->row_begin = l->rows + n;
    l->ranks = l->row_begin + n;
    return true;
}

/* Copies the entries, or only counts them. */
static void copy_entries(support_copy *out, const tm_matrix *x, const size_t *features,
                         const double *h, double *scratch, layout *l, bool counts)
{
    const uint32_t *rows;
    const double *values;
    for (size_t k = 0; k < out->columns.count; k++) {
        size_t count = tm_matrix_entries(x, features[k], scratch, &rows, &values);
        for (size_t e = 0; e < count; e++) {
            size_t i = rows[e];
            if (h && h[i] == 0)
                continue;
            if (counts) {
                l->columns[k]++;
                l->rows[i]++;
                continue;
            }
            uint32_t column = l->column_begin[k]++, row = l->row_begin[i]++;
            out->columns.at[column] = (uint32_t)i;
            out->rows.at[row] = (uint32_t)k;
            out->columns.values[column] = out->rows.values[row] = values[e];
        }
    }
}

bool support_copy_make(support_copy *out, const tm_matrix *x, const size_t *features, size_t count,
                       const double *h, double *scratch)
{
    size_t n = tm_matrix_rows(x), entries = 0;
    layout l = {0};
    for (size_t k = 0; k < count; k++)
        entries += tm_matrix_column_nnz(x, features[k]);
    bool made = lists_new(&out->columns, count, entries) && lists_new(&out->rows, n, entries) &&
                layout_new(&l, n, count);
    if (made) {
        copy_entries(out, x, features, h, scratch, &l, true);
        lay_out(&out->columns, l.columns, greatest(l.columns, count), l.column_begin, l.ranks);
        lay_out(&out->rows, l.rows, greatest(l.rows, n), l.row_begin, l.ranks);
        copy_entries(out, x, features, h, scratch, &l, false);
    }
    free(l.columns);
    return made;
}

void support_copy_clear(support_copy *copy)
{
    lists_clear(&copy->columns);
    lists_clear(&copy->rows);
}

void entry_lists_multiply(const entry_lists *lists, const double *in, double *out)
{
    size_t e = 0;
    for (size_t k = 0; k < lists->count; k++) {
        double even = 0, odd = 0;
        size_t end = lists->end[k];
        for (; e + 2 <= end; e += 2) {
            even += lists->values[e] * in[lists->at[e]];
            odd += lists->values[e + 1] * in[lists->at[e + 1]];
        }
        if (e < end) {
            even += lists->values[e] * in[lists->at[e]];
            e++;
        }
        out[lists->place[k]] = even + odd;
    }
}
