/* Sums of columns of another matrix over the subtrees of a forest, computed and not stored. */
#ifndef DATA_SUMS_SUMMED_H
#define DATA_SUMS_SUMMED_H

#include "tamis/matrix.h"

/* A forest over the whole matrix's columns in preorder: a node comes before its children, and the
 * nodes of a subtree are consecutive. */
typedef struct summed_forest {
    const size_t *nodes;  /* p: the column of the whole matrix at each place */
    const size_t *up;     /* p: the place of its parent, which is before it; SIZE_MAX: a root */
    const size_t *column; /* p: the column of the sum for each place */
} summed_forest;

/* The matrix whose column column[k] is the sum of the whole matrix's columns over the subtree of
 * place k. Copies the forest and takes a reference to `whole`. A product with all columns costs a
 * product with all columns of the whole and p additions; single columns, computed from sums over
 * ranges of places, are cached up to a limit. */
tm_status matrix_new_summed(tm_matrix **out, const tm_matrix *whole, const summed_forest *forest,
                            tm_error *err);

/* The mean of each column and the sum of squared deviations from it, in one pass over the whole
 * matrix's columns. TM_EMEMORY when memory ran out. */
tm_status matrix_summed_statistics(const tm_matrix *m, double *means, double *deviations,
                                   tm_error *err);
/* Converts products with the whole matrix's columns to those with the sums, in place. */
void matrix_summed_products(const tm_matrix *m, const double *whole, double *out);

#endif
