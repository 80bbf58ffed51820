#include "base/page_budget.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct page_budget {
    void *base;
    size_t size;
    size_t budget;
    bool in_memory;        /* malloc'ed, not mapped */
    atomic_size_t touched; /* bytes since pages were last released */
};

/* Each of several threads may be reading a piece. */
enum { PIECES = 8 };

tm_status page_budget_open(page_budget **out, int fd, size_t size, size_t budget, const char *name,
                           tm_error *err)
{
    *out = NULL;
    page_budget *pages = calloc(1, sizeof *pages);
    if (!pages)
        return tm_fail_memory(err, "a mapped file");
    pages->base = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (pages->base == MAP_FAILED) {
        int reason = errno;
        free(pages);
        return tm_fail(err, TM_EIO, "%s: cannot be mapped into memory: %s", name, strerror(reason));
    }
    pages->size = size;
    pages->budget = budget;
    atomic_init(&pages->touched, 0);
    *out = pages;
    return TM_OK;
}

tm_status page_budget_of_memory(page_budget **out, void *bytes, size_t size, tm_error *err)
{
    *out = NULL;
    page_budget *pages = calloc(1, sizeof *pages);
    if (!pages) {
        free(bytes);
        return tm_fail_memory(err, "a mapped file");
    }
    pages->base = bytes;
    pages->size = size;
    pages->in_memory = true;
    atomic_init(&pages->touched, 0);
    *out = pages;
    return TM_OK;
}

void page_budget_close(page_budget *pages)
{
    if (!pages)
        return;
    if (pages->in_memory)
        free(pages->base);
    else
        munmap(pages->base, pages->size);
    free(pages);
}

bool page_budget_is_file(const page_budget *pages)
{
    return !pages->in_memory;
}

const uint8_t *page_budget_bytes(const page_budget *pages)
{
    return pages->base;
}

size_t page_budget_size(const page_budget *pages)
{
    return pages->size;
}

size_t page_budget_piece(const page_budget *pages)
{
    return pages->budget ? pages->budget / PIECES + 1 : SIZE_MAX;
}

void page_budget_release(page_budget *pages, size_t from, size_t to)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    from = (from + page - 1) / page * page;
    to = to / page * page;
    if (!pages->in_memory && from < to)
        madvise((char *)pages->base + from, to - from, MADV_DONTNEED);
}

void page_budget_touch(page_budget *pages, size_t bytes)
{
    if (pages->budget == 0)
        return;
    size_t before = atomic_fetch_add_explicit(&pages->touched, bytes, memory_order_relaxed);
    if (before + bytes < pages->budget)
        return;
    /* Other threads may be reading these pages: they are loaded again when they are accessed. */
    atomic_store_explicit(&pages->touched, bytes, memory_order_relaxed);
    madvise(pages->base, pages->size, MADV_DONTNEED);
}
