/* Comparisons for qsort and bsearch. */
#ifndef BASE_NUMERIC_ORDER_H
#define BASE_NUMERIC_ORDER_H

#include <stddef.h>

/* Doubles, none NaN: the least, or the greatest, first. */
int order_reals(const void *a, const void *b);
int order_reals_descending(const void *a, const void *b);

/* size_t, the least first. */
int order_sizes(const void *a, const void *b);

/* A value and the place of what has it. Of equal values the lesser place is first, so that the
 * order does not depend on the sort. */
typedef struct ranked {
    double value;
    size_t place;
} ranked;

int order_ranked(const void *a, const void *b);
int order_ranked_descending(const void *a, const void *b);

#endif
