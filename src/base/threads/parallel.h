/* Distributes a loop over the threads of a team. */
#ifndef BASE_THREADS_PARALLEL_H
#define BASE_THREADS_PARALLEL_H

#include "base/threads/team.h"

/* Calls work(from, to, payload) for at most as many disjoint ranges as the team has threads, which
 * together cover 0 .. count-1, each in one of them; returns when all are done. A thread that sleeps
 * takes some ten microseconds to begin, so that the work should take several times as long. */
void parallel_ranges(size_t count, thread_team *team,
                     void (*work)(size_t from, size_t to, void *payload), void *payload);

/* The same in ranges that begin at multiples of PARALLEL_GROUP: a pass over the columns of a matrix
 * takes several at a time, and how a column's product is rounded depends on which. So ranges of
 * whole groups give the same bits on any number of threads. */
enum { PARALLEL_GROUP = 64 };
void parallel_groups(size_t count, thread_team *team,
                     void (*work)(size_t from, size_t to, void *payload), void *payload);

/* The same in chunks of `chunk` items, for items of different cost: every thread takes the next
 * chunk when it has finished one, so that work is called many times, for disjoint ranges that begin
 * at multiples of `chunk`. */
void parallel_chunks(size_t count, size_t chunk, thread_team *team,
                     void (*work)(size_t from, size_t to, void *payload), void *payload);

#endif
