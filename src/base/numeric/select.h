/* The k-th smallest of many numbers, without sorting all of them. */
#ifndef BASE_NUMERIC_SELECT_H
#define BASE_NUMERIC_SELECT_H

#include <stddef.h>

/* Of `count` numbers, none NaN, the one at index k (< count) in ascending order. Reorders the
 * numbers. */
double select_rising(double *v, size_t count, size_t k);

/* The same of value(0), ..., value(count - 1), none of them below 0, which are computed some times
 * each instead of being stored. */
double select_of(size_t count, size_t k, double (*value)(size_t i, const void *payload),
                 const void *payload);

#endif
