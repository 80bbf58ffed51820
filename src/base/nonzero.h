/* The nonzero values of a long vector of few. */
#ifndef BASE_NONZERO_H
#define BASE_NONZERO_H

#include <stddef.h>

/* Eight doubles, and their bits; the compiler splits them where the machine's registers are shorter. */
typedef double nonzero_eight __attribute__((vector_size(64), aligned(8), may_alias));
typedef unsigned long long nonzero_bits __attribute__((vector_size(64)));

/* The first place from `from` on whose value is not zero; count when there is none. Loops that visit those alone
 * read
 *     for (size_t j = next_nonzero(v, 0, p); j < p; j = next_nonzero(v, j + 1, p))
 * Many are looked at as one: what is left of a number's bits without its sign is 0 for zeros alone. */
static inline size_t next_nonzero(const double *v, size_t from, size_t count)
{
    enum { LANES_AT_ONCE = 8, MANY = 4 * LANES_AT_ONCE };
    for (; from + MANY <= count; from += MANY) {
        const nonzero_eight *at = (const nonzero_eight *)(v + from);
        nonzero_bits bits =
            (nonzero_bits)at[0] | (nonzero_bits)at[1] | (nonzero_bits)at[2] | (nonzero_bits)at[3];
        unsigned long long any = 0;
        for (int k = 0; k < LANES_AT_ONCE; k++)
            any |= bits[k];
        if (any << 1)
            break;
    }
    while (from < count && v[from] == 0)
        from++;
    return from;
}

#endif
