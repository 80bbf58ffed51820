#include "base/memory.h"

#include <string.h>
#include <unistd.h>

bool mem_grow(void *array, size_t *room, size_t count, size_t first, size_t size)
{
    if (count < *room)
        return true;
    void *old;
    size_t more = *room ? 2 * *room : first;
    memcpy(&old, array, sizeof old); /* a pointer of any type */
    void *grown = reallocarray(old, more, size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *room = more;
    /* cppcheck-suppress memleak ; owned by array */
    return true;
}

double mem_physical(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
