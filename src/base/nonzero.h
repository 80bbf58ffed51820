/* The nonzero values of a long vector of few. */
#ifndef BASE_NONZERO_H
#define BASE_NONZERO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first place from `from` on whose value is not zero; count when there is none. Loops that visit those alone
 * read
 *     for (size_t j = next_nonzero(v, 0, p); j < p; j = next_nonzero(v, j + 1, p)) */
static inline size_t next_nonzero(const double *v, size_t from, size_t count)
{
    enum {
        TOGETHER = 16
    }; /* looked at as one: what is left of a number without its sign is 0 for zeros alone */
    for (; from + TOGETHER <= count; from += TOGETHER) {
        uint64_t bits[TOGETHER], any = 0;
        memcpy(bits, v + from, sizeof bits);
        for (size_t k = 0; k < TOGETHER; k++)
            any |= bits[k] << 1;
        if (any)
            break;
    }
    while (from < count && v[from] == 0)
        from++;
    return from;
}

#endif
