#include "base/threads/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    MAX_THREADS = 256,
    /* How often a thread looks before it sleeps: some microseconds, about what waking it costs, so
     * that a loop that soon follows another finds it awake. */
    LOOKS = 8192,
};

/* A loop. */
typedef struct team_loop {
    size_t parts, next; /* the next part to take */
    void (*work)(size_t part, void *payload);
    void *payload;
} team_loop;

struct thread_team {
    int threads; /* including the caller's */
    int started;
    bool refused; /* no more threads can be started */
    pthread_t others[MAX_THREADS];
    pthread_mutex_t lock; /* of all below; the atomics are also looked at without it */
    pthread_cond_t begun, finished;
    int sleeping; /* threads that wait for `begun` */
    bool busy, ended;
    team_loop loop;
    atomic_size_t left;  /* parts of the loop that are not done */
    atomic_uint changes; /* loops begun, and the end */
};

/* Takes and does parts of the loop until none is left to take; called with the lock held. Not
 * inlined: scripts/bench serial counts what is done in it by its name. */
__attribute__((noinline)) static void take_parts(thread_team *team)
{
    while (team->loop.next < team->loop.parts) {
        const team_loop loop = team->loop;
        team->loop.next++;
        pthread_mutex_unlock(&team->lock);
        loop.work(loop.next, loop.payload);
        pthread_mutex_lock(&team->lock);
        if (atomic_fetch_sub(&team->left, 1) == 1)
            pthread_cond_signal(&team->finished);
    }
}

/* Returns when there is something new, or soon; called with the lock held. */
static void look_for_change(thread_team *team)
{
    unsigned seen = atomic_load(&team->changes);
    pthread_mutex_unlock(&team->lock);
    for (int k = 0; k < LOOKS && atomic_load_explicit(&team->changes, memory_order_relaxed) == seen;
         k++)
        continue;
    pthread_mutex_lock(&team->lock);
}

static void *run(void *argument)
{
    thread_team *team = argument;
    pthread_mutex_lock(&team->lock);
    while (!team->ended) {
        take_parts(team);
        if (!team->ended)
            look_for_change(team);
        team->sleeping++;
        while (!team->ended && team->loop.next >= team->loop.parts)
            pthread_cond_wait(&team->begun, &team->lock);
        team->sleeping--;
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

thread_team *team_new(int threads)
{
    thread_team *team = threads > 1 ? calloc(1, sizeof *team) : NULL;
    if (!team)
        return NULL;
    team->threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begun, NULL);
    pthread_cond_init(&team->finished, NULL);
    return team;
}

void team_free(thread_team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->ended = true;
    atomic_fetch_add(&team->changes, 1);
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->lock);
    for (int k = 0; k < team->started; k++)
        pthread_join(team->others[k], NULL);
    pthread_cond_destroy(&team->finished);
    pthread_cond_destroy(&team->begun);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

int team_threads(const thread_team *team)
{
    return team ? team->threads : 1;
}

/* Starts the threads that a loop of so many parts can use. Signals are left to the program's own
 * threads. */
static void start(thread_team *team, size_t parts)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (!team->refused && team->started + 1 < team->threads &&
           (size_t)team->started + 1 < parts) {
        team->refused = pthread_create(&team->others[team->started], NULL, run, team) != 0;
        team->started += !team->refused;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void begin(thread_team *team, const team_loop *loop)
{
    team->busy = true;
    team->loop = *loop;
    atomic_store(&team->left, loop->parts);
    atomic_fetch_add(&team->changes, 1);
    for (size_t k = 1; k < loop->parts && k <= (size_t)team->sleeping; k++)
        pthread_cond_signal(&team->begun);
    start(team, loop->parts);
}

/* Waits for the parts that others have taken; called with the lock held. */
static void wait_for_others(thread_team *team)
{
    pthread_mutex_unlock(&team->lock);
    for (int k = 0; k < LOOKS && atomic_load_explicit(&team->left, memory_order_relaxed) > 0; k++)
        continue;
    pthread_mutex_lock(&team->lock);
    while (atomic_load(&team->left) > 0)
        pthread_cond_wait(&team->finished, &team->lock);
    team->busy = false;
}

void team_run(thread_team *team, size_t parts, void (*work)(size_t part, void *payload),
              void *payload)
{
    const team_loop loop = {parts, 0, work, payload};
    bool shared = false;
    if (team && parts > 1) {
        pthread_mutex_lock(&team->lock);
        shared = !team->busy;
        if (shared) {
            begin(team, &loop);
            take_parts(team);
            wait_for_others(team);
        }
        pthread_mutex_unlock(&team->lock);
    }
    for (size_t k = 0; k < parts && !shared; k++)
        work(k, payload);
}
