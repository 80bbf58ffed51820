/* Reference counts of objects shared by several threads: only the count of a constant object
 * changes. */
#ifndef BASE_REFERENCES_H
#define BASE_REFERENCES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Increments the count and returns the object. */
static inline void *reference_take(const void *object, const atomic_size_t *count)
{
    atomic_fetch_add((atomic_size_t *)(uintptr_t)count, 1);
    return (void *)(uintptr_t)object;
}

/* Decrements the count; true when it was the last reference and the object has to be freed. */
static inline bool reference_drop(atomic_size_t *count)
{
    return atomic_fetch_sub(count, 1) == 1;
}

#endif
