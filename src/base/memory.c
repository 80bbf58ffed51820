#include "base/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *mem_large(size_t count, size_t size)
{
    const size_t page = (size_t)1 << 21;
    size_t bytes;
    void *array;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes < 2 * page)
        return mem_array(count, size);
    if (posix_memalign(&array, page, bytes) != 0)
        return NULL;
    madvise(array, bytes, MADV_HUGEPAGE);
    return array;
}

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

void mem_release(const void *from, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)from;
    uintptr_t first = (start + page - 1) / page * page, end = (start + bytes) / page * page;
    if (first < end)
        madvise((void *)first, end - first, MADV_DONTNEED);
}

double mem_physical(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
