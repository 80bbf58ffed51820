/* The nonzero values of a long vector of few. */
#ifndef BASE_NONZERO_H
#define BASE_NONZERO_H

#include "base/lanes.h"

#include <stddef.h>

/* The first place from `from` on whose value is not zero; count when there is none. Loops that visit those alone
 * read
 *     for (size_t j = next_nonzero(v, 0, p); j < p; j = next_nonzero(v, j + 1, p))
 * Many are looked at as one: what is left of a number's bits without its sign is 0 for zeros alone. */
static inline size_t next_nonzero(const double *v, size_t from, size_t count)
{
    enum { MANY = 4 * LANES };
    for (; from + MANY <= count; from += MANY) {
        const lanes *at = (const lanes *)(v + from);
        lane_bits bits = (lane_bits)at[0] | (lane_bits)at[1] | (lane_bits)at[2] | (lane_bits)at[3];
        if (lanes_any(&bits) & MAGNITUDE)
            break;
    }
    while (from < count && v[from] == 0)
        from++;
    return from;
}

#endif
