/* Rows of the kernel's matrix, as many as the memory bound allows, the least recently used one
 * first out. An entry is made when it is first asked for. */
#ifndef SOLVE_SAMPLES_CACHE_H
#define SOLVE_SAMPLES_CACHE_H

#include "model/kernel/kernel_rows.h"
#include "solve/common/progress.h"

typedef struct kernel_cache kernel_cache;

/* At least two rows are kept. `rows` outlives it. NULL when memory ran out. */
kernel_cache *kernel_cache_new(const kernel_rows *rows, double bytes);
void kernel_cache_free(kernel_cache *cache);

/* Says that samples may be asked for that were not among those asked for before: until then a row
 * that was once complete is not looked through again. */
void kernel_cache_grow(kernel_cache *cache);

/* Row i: k(x_i, x_j) stands at j for the `count` samples j of `which`. Valid until the next but one
 * call. NULL when memory ran out. What is computed is counted in `progress`. */
const double *kernel_cache_row(kernel_cache *cache, size_t i, const size_t *which, size_t count,
                               solve_progress *progress);

#endif
