#include "tamis/trace.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* One array of events; its first `count` entries never change once published. */
typedef struct buffer {
    struct buffer *older; /* retired, kept for readers that still hold it */
    atomic_size_t count;
    tm_event events[];
} buffer;

struct tm_trace {
    size_t capacity;
    _Atomic(buffer *) current;
    _Atomic uint64_t total;
    /* the writer's own */
    uint64_t stride;  /* every stride-th plain check is kept */
    uint64_t skipped; /* plain checks since the last kept one */
    tm_event held;    /* the newest event, when thinning has not kept it */
    bool holds;
    uint64_t active; /* of the last kept event */
    bool frozen;     /* no memory for a thinned copy: only the held event moves on */
};

static buffer *buffer_new(size_t capacity)
{
    buffer *b = malloc(sizeof *b + capacity * sizeof b->events[0]);
    if (b) {
        b->older = NULL;
        atomic_init(&b->count, 0);
    }
    return b;
}

tm_trace *tm_trace_new(size_t capacity)
{
    tm_trace *trace = calloc(1, sizeof *trace);
    buffer *b = buffer_new(capacity);
    if (!trace || !b) {
        free(trace);
        free(b);
        return NULL;
    }
    trace->capacity = capacity;
    trace->stride = 1;
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

/* Whether event i of n must survive thinning as far as there is room. */
static bool matters(const tm_event *events, size_t i, size_t n)
{
    return i == 0 || i + 1 == n || events[i].kind == TM_EVENT_POINT ||
           events[i].active != events[i - 1].active;
}

/* Copies half of the events: those that matter while they fit, every second one of the rest. When
 * what matters alone is too much, every second one of everything. */
static size_t thin(const tm_event *from, size_t n, tm_event *to)
{
    size_t important = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        important += matters(from, i, n);
    bool all_important = important <= n / 2;
    for (size_t i = 0; i < n; i++) {
        bool edge = i == 0 || i + 1 == n;
        if (edge || (all_important && matters(from, i, n)) || i % 2 == 0)
            to[kept++] = from[i];
    }
    return kept;
}

/* Publishes a thinned copy. Readers keep what they hold: the old array stays as it is, and as each
 * thinning needs twice the events of the one before, the retired arrays are few. */
static void halve(tm_trace *trace)
{
    buffer *old = atomic_load_explicit(&trace->current, memory_order_relaxed);
    size_t count = atomic_load_explicit(&old->count, memory_order_relaxed);
    buffer *thinned = buffer_new(trace->capacity);
    if (!thinned) {
        trace->frozen = true;
        return;
    }
    size_t kept = thin(old->events, count, thinned->events);
    atomic_store_explicit(&thinned->count, kept, memory_order_relaxed);
    thinned->older = old;
    atomic_store_explicit(&trace->current, thinned, memory_order_release);
    trace->stride *= 2;
}

static bool push(tm_trace *trace, const tm_event *event)
{
    buffer *b = atomic_load_explicit(&trace->current, memory_order_relaxed);
    size_t count = atomic_load_explicit(&b->count, memory_order_relaxed);
    if (count == trace->capacity)
        return false;
    b->events[count] = *event;
    atomic_store_explicit(&b->count, count + 1, memory_order_release);
    trace->active = event->active;
    trace->holds = false;
    trace->skipped = 0;
    return true;
}

void tm_trace_append(tm_trace *trace, const tm_event *event)
{
    uint64_t total = atomic_load_explicit(&trace->total, memory_order_relaxed);
    bool keep = total == 0 || event->kind == TM_EVENT_POINT || event->active != trace->active ||
                ++trace->skipped >= trace->stride;
    if (keep && !trace->frozen && !push(trace, event)) {
        halve(trace);
        keep = !trace->frozen && push(trace, event);
    }
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
