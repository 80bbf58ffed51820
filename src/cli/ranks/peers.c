#include "cli/ranks/peers.h"

#include "base/memory.h"
#include "base/ranks/agree.h"
#include "cli/print/messages.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two looks; how long a process may be missing at the end, when the others may not
 * have noticed yet that it was the end; and the time in which the first one tells and records. */
static const double LOOKS_EVERY = 0.1, MAY_BE_EARLY = 3, TIME_TO_TELL = 2;

static void wait_some(peers_watch *w, double seconds)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += (long)(seconds * 1e9);
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&w->changed, &w->lock, &at);
}

/* The first process that has died, and the first that lives; *dead is -1 if all live. */
static void look(const peers_watch *w, int *dead, int *first)
{
    *dead = *first = -1;
    for (int r = 0; r < w->size; r++)
        if (r == w->rank || owner_alive(&w->peers[r]))
            *first = *first < 0 ? r : *first;
        else
            *dead = *dead < 0 ? r : *dead;
}

static void leave(const peers_watch *w, int dead, int first)
{
    if (first == w->rank)
        w->lost(dead, w->payload);
    else
        usleep((useconds_t)(TIME_TO_TELL * 1e6)); /* mpirun ends all when one has ended */
    _exit(CLI_FAILED);
}

static void *watch_peers(void *argument)
{
    peers_watch *w = argument;
    double missing = 0;
    pthread_mutex_lock(&w->lock);
    while (!w->ended) {
        int dead, first;
        look(w, &dead, &first);
        missing = dead < 0 ? 0 : missing + LOOKS_EVERY;
        if (dead >= 0 && (!w->closing || missing > MAY_BE_EARLY))
            leave(w, dead, first);
        wait_some(w, LOOKS_EVERY);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Who all processes are, in the order of their ranks. */
static void exchange(peers_watch *w, const tm_comm *comm)
{
    enum { WORDS = (sizeof(owner) + sizeof(double) - 1) / sizeof(double) };
    for (int r = 0; r < comm->size; r++) {
        double sent[WORDS] = {0};
        const owner self = owner_self();
        if (r == comm->rank)
            memcpy(sent, &self, sizeof self);
        comm->broadcast(comm, sent, WORDS, r);
        memcpy(&w->peers[r], sent, sizeof *w->peers);
    }
}

tm_status peers_watch_begin(peers_watch *w, const tm_comm *comm, peers_lost *lost, void *payload,
                            tm_error *err)
{
    owner *peers = mem_array((size_t)comm->size, sizeof *peers);
    tm_status status = peers ? TM_OK : tm_fail_memory(err, "the processes");
    *w = (peers_watch){.rank = comm->rank, .size = comm->size, .lost = lost, .payload = payload};
    status = comm_share(comm, status, err);
    if (status != TM_OK) {
        free(peers);
        return status;
    }
    w->peers = peers;
    exchange(w, comm);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    int problem = pthread_create(&w->thread, NULL, watch_peers, w);
    if (problem != 0) {
        free(w->peers);
        w->peers = NULL;
        status = tm_fail(err, TM_ENOMEM, "cannot start a thread: %s", strerror(problem));
    }
    return comm_share(comm, status, err);
}

void peers_watch_close(peers_watch *w)
{
    if (!w->peers)
        return;
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    pthread_mutex_unlock(&w->lock);
}

void peers_watch_end(peers_watch *w)
{
    if (!w->peers)
        return;
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    free(w->peers);
    w->peers = NULL;
}
