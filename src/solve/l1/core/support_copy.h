/* The entries of a few short sparse columns, copied column by column and row by row: both products
 * of conjugate gradients then read one array from its beginning to its end, without a call for each
 * column and without scattered writes. Columns and rows are in the order of their lengths, so that
 * the end of an inner loop is predicted. */
#ifndef SOLVE_L1_CORE_SUPPORT_COPY_H
#define SOLVE_L1_CORE_SUPPORT_COPY_H

#include "tamis/matrix.h"

#include <stdbool.h>

/* Sums of products; those with place[k] are at[end[k - 1]] .. at[end[k] - 1]. */
typedef struct entry_lists {
    size_t count;    /* sums */
    uint32_t *place; /* count: where each sum belongs */
    uint32_t *end;   /* count: the end of its entries */
    uint32_t *at;    /* the other index of each entry */
    double *values;
} entry_lists;

typedef struct support_copy {
    entry_lists columns, rows;
} support_copy;

/* Whether the columns are short enough for a copy. */
bool support_copy_pays(const tm_matrix *x, const size_t *features, size_t count);
/* Copies the entries in rows with h_i != 0 (h NULL: all); scratch: n. False when memory ran out. */
bool support_copy_make(support_copy *out, const tm_matrix *x, const size_t *features, size_t count,
                       const double *h, double *scratch);
void support_copy_clear(support_copy *copy);

/* out[place] = sum of values times in[at]. */
void entry_lists_multiply(const entry_lists *lists, const double *in, double *out);

#endif
