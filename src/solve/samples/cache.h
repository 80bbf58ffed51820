/* Rows of the kernel matrix, as many as the memory bound allows; the least recently used is evicted
 * first. An entry is computed when it is first requested. */
#ifndef SOLVE_SAMPLES_CACHE_H
#define SOLVE_SAMPLES_CACHE_H

#include "model/kernel/kernel_rows.h"
#include "solve/common/progress.h"

typedef struct kernel_cache kernel_cache;

/* Rows occupy at most `bytes`, or two rows where those are more: a step needs two. `rows` must
 * outlive the cache. NULL when memory ran out. */
kernel_cache *kernel_cache_new(const kernel_rows *rows, double bytes);
void kernel_cache_free(kernel_cache *cache);
/* What the rows and their slots occupy at present. */
double kernel_cache_bytes(const kernel_cache *cache);

/* Announces that samples not requested before may be requested: until then a row that was once
 * complete is not checked again. */
void kernel_cache_grow(kernel_cache *cache);

/* Row i: entry j holds k(x_i, x_j) for the `count` samples j of `which`. Valid until the next but
 * one call. NULL when memory ran out. Computed entries are counted in `progress`. */
const double *kernel_cache_row(kernel_cache *cache, size_t i, const size_t *which, size_t count,
                               solve_progress *progress);

#endif
