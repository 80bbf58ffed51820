/* Sums of columns of another matrix over the subtrees of a forest, which are never stored. */
#ifndef DATA_SUMS_SUMMED_H
#define DATA_SUMS_SUMMED_H

#include "tamis/matrix.h"

/* A forest of the whole's columns in preorder: a node comes before its children, and the nodes of a
 * subtree follow each other. */
typedef struct summed_forest {
    const size_t *nodes;  /* p: the whole's column at each place */
    const size_t *up;     /* p: the place of its parent, before it; SIZE_MAX: a root */
    const size_t *column; /* p: the sum's column of each place */
} summed_forest;

/* The matrix whose column column[k] is the sum of the whole's columns over the subtree of place k.
 * Copies the forest and takes a reference to `whole`. A product with all columns costs one with all
 * of the whole's and p sums; single columns, which are made from sums over runs of places, are kept
 * as long as there is room. */
tm_status matrix_new_summed(tm_matrix **out, const tm_matrix *whole, const summed_forest *forest,
                            tm_error *err);

/* The mean of each column and the sum of squared deviations from it, in one sweep over the whole's
 * columns. TM_EMEMORY when memory ran out. */
tm_status matrix_summed_statistics(const tm_matrix *m, double *means, double *deviations,
                                   tm_error *err);
/* From products with the whole's columns those with the sums, in place. */
void matrix_summed_products(const tm_matrix *m, const double *whole, double *out);

#endif
