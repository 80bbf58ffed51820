#include "base/threads/parallel.h"

#include <stdatomic.h>

typedef struct ranges {
    size_t count, parts;
    void (*work)(size_t from, size_t to, void *payload);
    void *payload;
} ranges;

/* Where range k begins: the first count % parts are longer by one. */
static size_t start_of(const ranges *r, size_t k)
{
    size_t longer = r->count % r->parts;
    return r->count / r->parts * k + (k < longer ? k : longer);
}

static void take_range(size_t part, void *payload)
{
    const ranges *r = payload;
    r->work(start_of(r, part), start_of(r, part + 1), r->payload);
}

void parallel_ranges(size_t count, thread_team *team,
                     void (*work)(size_t from, size_t to, void *payload), void *payload)
{
    size_t parts = (size_t)team_threads(team);
    parts = parts > count ? (count ? count : 1) : parts;
    ranges r = {count, parts, work, payload};
    team_run(team, parts, take_range, &r);
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

void parallel_groups(size_t count, thread_team *team,
                     void (*work)(size_t from, size_t to, void *payload), void *payload)
{
    groups g = {count, work, payload};
    size_t whole = count / PARALLEL_GROUP + (count % PARALLEL_GROUP > 0);
    parallel_ranges(whole, team, take_groups, &g);
}

typedef struct chunks {
    size_t count, size;
    void (*work)(size_t from, size_t to, void *payload);
    void *payload;
    atomic_size_t next; /* the next chunk to take */
} chunks;

static void take_chunks(size_t part, void *payload)
{
    chunks *c = payload;
    (void)part;
    for (;;) {
        size_t start = atomic_fetch_add(&c->next, 1) * c->size;
        if (start >= c->count)
            break;
        c->work(start, c->count - start < c->size ? c->count : start + c->size, c->payload);
    }
}

void parallel_chunks(size_t count, size_t chunk, thread_team *team,
                     void (*work)(size_t from, size_t to, void *payload), void *payload)
{
    chunks c = {.count = count, .size = chunk ? chunk : 1, .work = work, .payload = payload};
    size_t total = count / c.size + (count % c.size > 0);
    size_t parts = (size_t)team_threads(team);
    team_run(team, parts < total ? parts : total, take_chunks, &c);
}
