/* Limits the resident memory of a mapped file to a budget.
 *
 * Readers report the bytes that they are about to access; when their sum reaches the budget, all
 * pages of the mapping are released to the system, which has them in its cache or reads them
 * again. */
#ifndef BASE_PAGE_BUDGET_H
#define BASE_PAGE_BUDGET_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct page_budget page_budget;

/* Maps the file of `fd`, `size` bytes, read-only; `fd` may be closed afterwards. Budget 0: no
 * limit. */
tm_status page_budget_open(page_budget **out, int fd, size_t size, size_t budget, const char *name,
                           tm_error *err);
/* The same interface for memory (malloc'ed), whose ownership is taken, also on failure. */
tm_status page_budget_of_memory(page_budget **out, void *bytes, size_t size, tm_error *err);
void page_budget_close(page_budget *pages);
/* False for one over memory. */
bool page_budget_is_file(const page_budget *pages);
const uint8_t *page_budget_bytes(const page_budget *pages);
size_t page_budget_size(const page_budget *pages);
/* The greatest number of bytes to access between two reports; SIZE_MAX without a budget. */
size_t page_budget_piece(const page_budget *pages);
/* Releases the pages between two places of a file: what they have was copied. */
void page_budget_release(page_budget *pages, size_t from, size_t to);
/* Reports that `bytes` more are about to be accessed; any thread. */
void page_budget_touch(page_budget *pages, size_t bytes);

#endif
