/* Keeps what is resident of a file mapped into memory within a budget.
 *
 * Readers report what they are about to touch; when that adds up to the budget all pages of the
 * mapping are given back to the system, which has them in its cache or reads them again. */
#ifndef DATA_MATRIX_PAGE_BUDGET_H
#define DATA_MATRIX_PAGE_BUDGET_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pager pager;

/* Maps the file that `fd` is of, `size` bytes, read-only; `fd` may be closed. A budget of 0:
 * everything may stay resident. */
tm_status pager_open(pager **out, int fd, size_t size, size_t budget, const char *name,
                     tm_error *err);
/* The same interface over memory, which is taken (malloc'ed), also on failure. */
tm_status pager_of_memory(pager **out, void *bytes, size_t size, tm_error *err);
void pager_close(pager *pages);
/* False for one over memory. */
bool pager_is_file(const pager *pages);
const uint8_t *pager_bytes(const pager *pages);
size_t pager_size(const pager *pages);
/* The most that should be touched between two reports; SIZE_MAX without a budget. */
size_t pager_piece(const pager *pages);
/* `bytes` more are about to be touched; any thread. */
void pager_touch(pager *pages, size_t bytes);

#endif
