/* Comparisons for qsort and bsearch. */
#ifndef BASE_NUMERIC_ORDER_H
#define BASE_NUMERIC_ORDER_H

#include <stddef.h>

/* Doubles, none NaN, in ascending or descending order. */
int order_reals(const void *a, const void *b);
int order_reals_descending(const void *a, const void *b);

/* size_t in ascending order. */
int order_sizes(const void *a, const void *b);

/* A value and the index it belongs to. Of equal values the lesser index is first, so that the order
 * does not depend on the sorting algorithm. */
typedef struct ranked {
    double value;
    size_t place;
} ranked;

int order_ranked(const void *a, const void *b);
int order_ranked_descending(const void *a, const void *b);

#endif
