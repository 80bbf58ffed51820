/* Iterates over the nonzero values of a long sparse vector. */
#ifndef BASE_NUMERIC_NONZERO_H
#define BASE_NUMERIC_NONZERO_H

#include <stddef.h>

/* The first place from `from` on whose value is not zero; count when there is none. Loops that
 * visit those alone read for (size_t j = next_nonzero(v, 0, p); j < p; j = next_nonzero(v, j + 1,
 * p))
 */
size_t next_nonzero(const double *v, size_t from, size_t count);

#endif
