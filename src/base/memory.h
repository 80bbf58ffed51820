/* Allocation of arrays, with checks for overflow. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
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

/* The same for a large array that is written from one end to the other: the system is asked for
 * pages of 2 MB, without which the first access to each 4 KB costs as much as writing them. */
void *mem_large(size_t count, size_t size);

/* The same as mem_array, set to zero. */
static inline void *mem_zeros(size_t count, size_t size)
{
    return calloc(count ? count : 1, size ? size : 1);
}

/* Ensures that *array, which has capacity *room, has space for one more than `count` elements of
 * `size` bytes: the capacity is `first` elements at first, then doubled. `array` is the address of
 * the pointer. False, with nothing changed, when memory ran out. */
bool mem_grow(void *array, size_t *room, size_t count, size_t first, size_t size);

/* Returns the whole pages of `bytes` bytes from `from` on, which are the caller's and were read for
 * the last time, to the system before they are freed; their values are lost. */
void mem_release(const void *from, size_t bytes);

/* Bytes of physical memory, so that a request that cannot fit is rejected before it is
 * attempted. */
double mem_physical(void);

#endif
