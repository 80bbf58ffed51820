/* One loop over several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Calls work(from, to, payload) for disjoint ranges that together are 0 .. count-1, on `threads`
 * threads, the caller's among them, each at most once; returns when all are done. Threads are made
 * for the call, so the work should take longer than a few hundred microseconds. Where a thread
 * cannot be made its range is done by the caller. */
void parallel_ranges(size_t count, int threads, void (*work)(size_t from, size_t to, void *payload),
                     void *payload);

/* The same in chunks of `chunk` items, of which every thread takes the next when it has done one,
 * so that items may differ in cost: work is called many times, for disjoint ranges that begin at
 * multiples of chunk. */
void parallel_chunks(size_t count, size_t chunk, int threads,
                     void (*work)(size_t from, size_t to, void *payload), void *payload);

#endif
