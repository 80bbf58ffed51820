/* The k-th smallest of many numbers, without sorting all of them. */
#ifndef BASE_NUMERIC_SELECT_H
#define BASE_NUMERIC_SELECT_H

#include <stddef.h>

/* Of `count` numbers, none NaN, the one at index k (< count) in ascending order. Reorders the
 * numbers. */
double select_rising(double *v, size_t count, size_t k);

#endif
