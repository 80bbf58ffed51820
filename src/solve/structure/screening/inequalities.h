/* The inequalities behind bounds: sums of rows of D'v + s = q, each with the length of the sum of
 * its columns, over which its interval reaches. */
#ifndef SOLVE_STRUCTURE_SCREENING_INEQUALITIES_H
#define SOLVE_STRUCTURE_SCREENING_INEQUALITIES_H

#include "model/penalty/graph_kernel.h"

/* Which sums of products have intervals of their own. */
typedef enum bounds_kind {
    BOUNDS_FEATURES, /* none: only the products of single features */
    BOUNDS_SUBTREES, /* also sums over the subtrees that hang on the graph by one edge (3.3.4.1) */
    BOUNDS_PATHS,    /* also sums along the paths between features of three and more edges */
} bounds_kind;

/* Sum i of products: the first p are the features, each of the others is that of two earlier
 * ones. */
typedef struct product_sums {
    size_t count, room;
    size_t *parts;   /* two for each beyond p */
    double *lengths; /* of the sum of the columns; with an intercept of its component orthogonal to
                      * the ones */
} product_sums;

typedef struct inequalities {
    size_t p, terms;
    product_sums sums;
    size_t count, room, entries, entry_room;
    size_t *sum;    /* of each inequality */
    size_t *starts; /* its entries: starts[i] .. starts[i + 1] - 1 */
    size_t *at;     /* variables: terms, then penalties of single features */
    double *values;
} inequalities;

/* columns is increased by the number of columns read. */
tm_status inequalities_new(inequalities *s, const tm_dataset *data, const samples *of,
                           const graph_terms *terms, bounds_kind kind, uint64_t *columns,
                           tm_error *err);
void inequalities_clear(inequalities *s);

#endif
