#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { MAX_THREADS = 256 };

typedef struct range {
    size_t from, to;
    void (*work)(size_t from, size_t to, void *payload);
    void *payload;
    pthread_t thread;
    bool started;
} range;

static void *run(void *argument)
{
    const range *r = argument;
    r->work(r->from, r->to, r->payload);
    return NULL;
}

/* Signals are left to the program's own threads. */
static bool start(range *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&r->thread, NULL, run, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void parallel_ranges(size_t count, int threads, void (*work)(size_t from, size_t to, void *payload),
                     void *payload)
{
    range ranges[MAX_THREADS];
    size_t parts = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : (size_t)threads;
    parts = parts > count ? (count ? count : 1) : parts;
    for (size_t k = 0; k < parts; k++)
        ranges[k] =
            (range){count / parts * k + (k < count % parts ? k : count % parts),
                    count / parts * (k + 1) + (k + 1 < count % parts ? k + 1 : count % parts),
                    work,
                    payload,
                    0,
                    false};
    for (size_t k = 1; k < parts; k++)
        ranges[k].started = start(&ranges[k]);
    for (size_t k = 0; k < parts; k++)
        if (!ranges[k].started)
            run(&ranges[k]);
    for (size_t k = 1; k < parts; k++)
        if (ranges[k].started)
            pthread_join(ranges[k].thread, NULL);
}

typedef struct groups {
    size_t count;
    void (*work)(size_t from, size_t to, void *payload);
    void *payload;
} groups;

static void take_groups(size_t from, size_t to, void *payload)
{
    const groups *g = payload;
    size_t last = to * PARALLEL_GROUP;
    g->work(from * PARALLEL_GROUP, last < g->count ? last : g->count, g->payload);
}

void parallel_groups(size_t count, int threads, void (*work)(size_t from, size_t to, void *payload),
                     void *payload)
{
    groups g = {count, work, payload};
    size_t whole = count / PARALLEL_GROUP + (count % PARALLEL_GROUP > 0);
    parallel_ranges(whole, threads, take_groups, &g);
}

typedef struct chunks {
    size_t count, size;
    void (*work)(size_t from, size_t to, void *payload);
    void *payload;
    atomic_size_t next; /* the next chunk to take */
} chunks;

static void take_chunks(size_t from, size_t to, void *payload)
{
    chunks *c = payload;
    (void)from;
    (void)to;
    for (;;) {
        size_t start = atomic_fetch_add(&c->next, 1) * c->size;
        if (start >= c->count)
            break;
        c->work(start, c->count - start < c->size ? c->count : start + c->size, c->payload);
    }
}

void parallel_chunks(size_t count, size_t chunk, int threads,
                     void (*work)(size_t from, size_t to, void *payload), void *payload)
{
    chunks c = {.count = count, .size = chunk ? chunk : 1, .work = work, .payload = payload};
    size_t total = count / c.size + (count % c.size > 0);
    threads = threads < 1 ? 1 : threads;
    parallel_ranges((size_t)threads < total ? (size_t)threads : total, threads, take_chunks, &c);
}
