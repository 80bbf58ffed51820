/* Allocation of arrays with the multiplication checked. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* count elements of `size` bytes, at least one byte, uninitialised; NULL on overflow or when memory
 * ran out. Freed with free(). */
static inline void *mem_array(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    return malloc(bytes ? bytes : 1);
}

/* The same, set to zero. */
static inline void *mem_zeros(size_t count, size_t size)
{
    return calloc(count ? count : 1, size ? size : 1);
}

/* Bytes of memory this machine has: what cannot fit is refused before it is tried. */
double mem_physical(void);

#endif
