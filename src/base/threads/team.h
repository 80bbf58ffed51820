/* A team of threads that share loops: the caller's and others that sleep between loops. */
#ifndef BASE_THREADS_TEAM_H
#define BASE_THREADS_TEAM_H

#include <stddef.h>

typedef struct thread_team thread_team;

/* A team of `threads` threads, the caller's included; NULL without memory, and when one is enough.
 * The others are started by the first loop that needs them. NULL is a team of the caller alone. */
thread_team *team_new(int threads);
/* Ends the team's threads, which must be idle, and waits for them. */
void team_free(thread_team *team);
/* At least 1. */
int team_threads(const thread_team *team);

/* Calls work(k, payload) for k = 0 .. parts-1, each once, by whichever thread is free; returns when
 * all are done. What the caller wrote before is visible to the threads, and what they wrote is
 * visible after. Threads that cannot be started leave their parts to the others. A loop that is
 * begun while the team has another (from one of its parts, or by another thread) is the caller's
 * alone. */
void team_run(thread_team *team, size_t parts, void (*work)(size_t part, void *payload),
              void *payload);

#endif
