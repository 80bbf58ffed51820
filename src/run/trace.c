#include "tamis/trace.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One array of events; its first `count` entries never change once published. */
typedef struct buffer {
    struct buffer *older; /* retired, kept for readers that still hold it */
    atomic_size_t count;
    size_t room;
    tm_event events[];
} buffer;

/* Most runs have few events, and a script may keep 100,000 runs, so buffers start small and grow by
 * this factor. */
enum { FIRST_ROOM = 4, ROOM_GROWTH = 4 };

/* Ranks of events by importance: plain checks, changes of the active set, finished points. */
enum { PLAIN, CHANGE, POINT, RANKS };

struct tm_trace {
    size_t capacity;
    _Atomic(buffer *) current;
    _Atomic uint64_t total;
    /* used only by the writer */
    uint64_t strides[RANKS]; /* every stride-th event of a rank is kept */
    uint64_t skipped[RANKS]; /* number skipped since the last kept one of that rank */
    tm_event held;           /* the newest event, if thinning has not kept it */
    bool holds;
    uint64_t active; /* size of the active set at the last kept event */
    bool frozen;     /* no memory for a thinned copy: only the held event is updated */
};

static buffer *buffer_new(size_t room)
{
    buffer *b = malloc(sizeof *b + room * sizeof b->events[0]);
    if (b) {
        b->older = NULL;
        b->room = room;
        atomic_init(&b->count, 0);
    }
    return b;
}

tm_trace *tm_trace_new(size_t capacity)
{
    tm_trace *trace = calloc(1, sizeof *trace);
    buffer *b = buffer_new(capacity < FIRST_ROOM ? capacity : FIRST_ROOM);
    if (!trace || !b) {
        free(trace);
        free(b);
        return NULL;
    }
    trace->capacity = capacity;
    for (int rank = 0; rank < RANKS; rank++)
        trace->strides[rank] = 1;
    atomic_init(&trace->current, b);
    atomic_init(&trace->total, 0);
    return trace;
}

void tm_trace_free(tm_trace *trace)
{
    if (!trace)
        return;
    for (buffer *b = atomic_load(&trace->current), *older; b; b = older) {
        older = b->older;
        free(b);
    }
    free(trace);
}

static int rank_of(const tm_event *event, uint64_t active_before)
{
    if (event->kind == TM_EVENT_POINT)
        return POINT;
    return event->active != active_before ? CHANGE : PLAIN;
}

/* The lowest rank that is kept completely: as many ranks from the top as fit into half of the
 * buffer. Plain checks never are, so that thinning always makes room. */
static int least_whole(const tm_event *events, size_t n)
{
    size_t counts[RANKS] = {0}, sum = 0;
    for (size_t i = 1; i + 1 < n; i++)
        counts[rank_of(&events[i], events[i - 1].active)]++;
    int rank = RANKS;
    while (rank > CHANGE && sum + counts[rank - 1] <= n / 2)
        sum += counts[--rank];
    return rank;
}

/* Copies the first and the last event, the ranks from `whole` on, and every second one of each
 * rank below. */
static size_t thin(const tm_event *from, size_t n, int whole, tm_event *to)
{
    size_t kept = 0, seen[RANKS] = {0};
    for (size_t i = 0; i < n; i++) {
        bool edge = i == 0 || i + 1 == n;
        int rank = edge ? PLAIN : rank_of(&from[i], from[i - 1].active);
        if (edge || rank >= whole || seen[rank]++ % 2 == 0)
            to[kept++] = from[i];
    }
    return kept;
}

/* Publishes a thinned copy. Readers may continue to use the old array, which stays unchanged. From
 * now on, thinned ranks are kept half as often, so each array takes longer to fill than the one
 * before, and there are few retired ones. */
static void halve(tm_trace *trace)
{
    buffer *old = atomic_load_explicit(&trace->current, memory_order_relaxed);
    size_t count = atomic_load_explicit(&old->count, memory_order_relaxed);
    buffer *thinned = buffer_new(trace->capacity);
    if (!thinned) {
        trace->frozen = true;
        return;
    }
    int whole = least_whole(old->events, count);
    for (int rank = 0; rank < whole; rank++)
        trace->strides[rank] *= 2;
    size_t kept = thin(old->events, count, whole, thinned->events);
    atomic_store_explicit(&thinned->count, kept, memory_order_relaxed);
    thinned->older = old;
    atomic_store_explicit(&trace->current, thinned, memory_order_release);
}

/* Publishes a copy with more room; NULL at the maximum size or when memory runs out. Readers may
 * continue to use the old array, as in halve. */
static buffer *grow(tm_trace *trace, buffer *old)
{
    size_t count = atomic_load_explicit(&old->count, memory_order_relaxed);
    size_t room =
        old->room * ROOM_GROWTH < trace->capacity ? old->room * ROOM_GROWTH : trace->capacity;
    buffer *b = old->room < trace->capacity ? buffer_new(room) : NULL;
    if (!b)
        return NULL;
    memcpy(b->events, old->events, count * sizeof *b->events);
    atomic_store_explicit(&b->count, count, memory_order_relaxed);
    b->older = old;
    atomic_store_explicit(&trace->current, b, memory_order_release);
    return b;
}

static bool push(tm_trace *trace, const tm_event *event)
{
    buffer *b = atomic_load_explicit(&trace->current, memory_order_relaxed);
    size_t count = atomic_load_explicit(&b->count, memory_order_relaxed);
    if (count == b->room && !(b = grow(trace, b)))
        return false;
    b->events[count] = *event;
    atomic_store_explicit(&b->count, count + 1, memory_order_release);
    trace->active = event->active;
    trace->holds = false;
    return true;
}

void tm_trace_append(tm_trace *trace, const tm_event *event)
{
    uint64_t total = atomic_load_explicit(&trace->total, memory_order_relaxed);
    int rank = rank_of(event, trace->active);
    bool keep = ++trace->skipped[rank] >= trace->strides[rank] || total == 0;
    if (keep && !trace->frozen && !push(trace, event)) {
        halve(trace);
        keep = !trace->frozen && push(trace, event);
    }
    if (keep)
        trace->skipped[rank] = 0;
    if (!keep || trace->frozen) {
        trace->held = *event;
        trace->holds = true;
    }
    atomic_store_explicit(&trace->total, total + 1, memory_order_release);
}

void tm_trace_finish(tm_trace *trace)
{
    if (!trace->holds || trace->frozen)
        return;
    tm_event last = trace->held;
    if (!push(trace, &last)) {
        halve(trace);
        if (!trace->frozen)
            push(trace, &last);
    }
}

size_t tm_trace_read(const tm_trace *trace, const tm_event **events)
{
    buffer *b =
        atomic_load_explicit(&((tm_trace *)(uintptr_t)trace)->current, memory_order_acquire);
    *events = b->events;
    return atomic_load_explicit(&b->count, memory_order_acquire);
}

uint64_t tm_trace_total(const tm_trace *trace)
{
    return atomic_load_explicit(&((tm_trace *)(uintptr_t)trace)->total, memory_order_acquire);
}
