/* The k-th smallest of many numbers, without sorting them all. */
#ifndef BASE_NUMERIC_SELECT_H
#define BASE_NUMERIC_SELECT_H

#include <stddef.h>

/* Of count numbers, none NaN, the one that has k (< count) before it in rising order. They change
 * places. */
double select_rising(double *v, size_t count, size_t k);

#endif
