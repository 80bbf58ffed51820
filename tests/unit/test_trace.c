/* Traces: what is kept when there is room for everything, when there is not, and what readers see
 * meanwhile. */
#include "tests/core_check.h"

#include <pthread.h>
#include <stdatomic.h>

/* Event number i carries its number in every counter, so that a torn one would show. */
static tm_event event_of(uint64_t i, tm_event_kind kind, uint64_t active)
{
    return (tm_event){.kind = kind,
                      .point = (uint32_t)i,
                      .seconds = (double)i,
                      .lambda = (double)i + 0.5,
                      .gap = 1.0 / (double)(i + 1),
                      .columns = i,
                      .updates = 3 * i,
                      .active = active,
                      .screened = active + 1};
}

static void append(tm_trace *trace, uint64_t i, tm_event_kind kind, uint64_t active)
{
    tm_event event = event_of(i, kind, active);
    tm_trace_append(trace, &event);
}

/* The first `count` events are whole, and in the order they were appended. */
static void check_whole(const tm_event *events, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        tm_event expected = event_of(events[k].columns, events[k].kind, events[k].active);
        assert_true(events[k].point == expected.point && events[k].seconds == expected.seconds);
        assert_true(events[k].lambda == expected.lambda && events[k].gap == expected.gap);
        assert_true(events[k].updates == expected.updates);
        assert_true(events[k].screened == expected.screened);
        assert_true(k == 0 || events[k].columns > events[k - 1].columns);
    }
}

/* Whether event number i is in the trace. */
static bool has(const tm_trace *trace, uint64_t i)
{
    const tm_event *events;
    size_t count = tm_trace_read(trace, &events);
    for (size_t k = 0; k < count; k++)
        if (events[k].columns == i)
            return true;
    return false;
}

static tm_trace *trace_of(size_t capacity)
{
    tm_trace *trace = tm_trace_new(capacity);
    assert_non_null(trace);
    return trace;
}

/* ---- room for everything ------------------------------------------------------------------- */

CHECK(test_order)
{
    tm_trace *trace = trace_of(64);
    const tm_event *events;
    assert_int_equal(tm_trace_read(trace, &events), 0);
    assert_true(tm_trace_total(trace) == 0);
    for (uint64_t i = 0; i < 64; i++) {
        append(trace, i, (tm_event_kind)(i % 4), i / 3);
        assert_int_equal(tm_trace_read(trace, &events), i + 1);
        assert_true(tm_trace_total(trace) == i + 1);
        assert_true(events[i].columns == i);
    }
    check_whole(events, 64);
    tm_trace_finish(trace);
    assert_int_equal(tm_trace_read(trace, &events), 64);
    tm_trace_free(trace);
}

CHECK(test_empty_trace_finishes)
{
    tm_trace *trace = trace_of(16);
    const tm_event *events;
    tm_trace_finish(trace);
    assert_int_equal(tm_trace_read(trace, &events), 0);
    tm_trace_free(trace);
    tm_trace_free(NULL);
}

/* ---- thinning ------------------------------------------------------------------------------ */

/* Plain checks with, here and there, a change of the active set and a finished point. */
CHECK(test_what_matters_is_kept)
{
    static const size_t capacities[] = {256, 300, 1024};
    for (size_t c = 0; c < 3; c++) {
        tm_trace *trace = trace_of(capacities[c]);
        const uint64_t total = 100 * capacities[c] + 7, changes = total / 60, points = total / 40;
        for (uint64_t i = 0; i < total; i++)
            append(trace, i, i % points == points - 1 ? TM_EVENT_POINT : TM_EVENT_CHECK,
                   i / changes);
        tm_trace_finish(trace);
        const tm_event *events;
        size_t count = tm_trace_read(trace, &events);
        check_whole(events, count);
        assert_true(count <= capacities[c] && count >= capacities[c] / 4);
        assert_true(events[0].columns == 0 && events[count - 1].columns == total - 1);
        for (uint64_t i = 0; i < total; i++)
            if (i % points == points - 1 || i % changes == 0)
                assert_true(has(trace, i));
        assert_true(tm_trace_total(trace) == total);
        tm_trace_free(trace);
    }
}

/* What is left of plain checks is spread over the whole run. */
CHECK(test_thinning_is_even)
{
    tm_trace *trace = trace_of(128);
    const uint64_t total = 50000;
    for (uint64_t i = 0; i < total; i++)
        append(trace, i, TM_EVENT_CHECK, 5);
    tm_trace_finish(trace);
    const tm_event *events;
    size_t count = tm_trace_read(trace, &events);
    assert_true(count >= 32 && count <= 128);
    for (size_t k = 1; k < count; k++)
        assert_true(events[k].columns - events[k - 1].columns <= 4 * total / count);
    tm_trace_free(trace);
}

/* More changes than there is room for: the finished points stay, every one. */
CHECK(test_points_go_before_changes)
{
    tm_trace *trace = trace_of(128);
    const uint64_t total = 20000;
    for (uint64_t i = 0; i < total; i++)
        append(trace, i, i % 500 == 499 ? TM_EVENT_POINT : TM_EVENT_ADD, i);
    tm_trace_finish(trace);
    for (uint64_t i = 499; i < total; i += 500)
        assert_true(has(trace, i));
    assert_true(has(trace, 0));
    tm_trace_free(trace);
}

/* Whatever the pattern, the array stays within its capacity, keeps its ends and is replaced a
 * logarithmic number of times: replaced arrays stay in memory for readers. */
static void check_bounded(size_t capacity, tm_event_kind (*kind)(uint64_t i),
                          uint64_t (*active)(uint64_t i))
{
    const uint64_t total = 200000;
    tm_trace *trace = trace_of(capacity);
    const tm_event *events, *before;
    size_t replaced = 0;
    append(trace, 0, kind(0), active(0));
    tm_trace_read(trace, &before);
    for (uint64_t i = 1; i < total; i++) {
        append(trace, i, kind(i), active(i));
        size_t count = tm_trace_read(trace, &events);
        assert_true(count <= capacity);
        replaced += events != before;
        before = events;
    }
    tm_trace_finish(trace);
    size_t count = tm_trace_read(trace, &events);
    check_whole(events, count);
    assert_true(events[0].columns == 0 && events[count - 1].columns == total - 1);
    assert_true((double)replaced <= 3 * (log2((double)total / (double)capacity) + 2));
    tm_trace_free(trace);
}

static tm_event_kind only_checks(uint64_t i)
{
    (void)i;
    return TM_EVENT_CHECK;
}

static tm_event_kind only_points(uint64_t i)
{
    (void)i;
    return TM_EVENT_POINT;
}

static tm_event_kind add_after_check(uint64_t i)
{
    return i % 2 ? TM_EVENT_ADD : TM_EVENT_CHECK;
}

static tm_event_kind mixed(uint64_t i)
{
    return i % 5 == 3 ? TM_EVENT_POINT : i % 3 == 1 ? TM_EVENT_DROP : TM_EVENT_CHECK;
}

static uint64_t always(uint64_t i)
{
    (void)i;
    return 7;
}

static uint64_t growing(uint64_t i)
{
    return i;
}

static uint64_t by_pairs(uint64_t i)
{
    return (i + 1) / 2; /* changes at the odd events, as ADD after CHECK does */
}

static uint64_t nearly_by_pairs(uint64_t i)
{
    return (i + 1) / 2 - i / 34;
}

static uint64_t back_and_forth(uint64_t i)
{
    return i / 3 % 2;
}

CHECK(test_memory_is_bounded)
{
    static tm_event_kind (*const kinds[])(uint64_t) = {only_checks, only_points, add_after_check,
                                                       mixed};
    static uint64_t (*const actives[])(uint64_t) = {always, growing, by_pairs, nearly_by_pairs,
                                                    back_and_forth};
    static const size_t capacities[] = {16, 17, 100, 1024};
    for (size_t k = 0; k < 4; k++)
        for (size_t a = 0; a < 5; a++)
            for (size_t c = 0; c < 4; c++)
                check_bounded(capacities[c], kinds[k], actives[a]);
}

/* The events a reader was given stay as they were, whatever comes after. */
CHECK(test_what_was_read_stays)
{
    enum { CAPACITY = 50, TOTAL = 5000 };
    tm_trace *trace = trace_of(CAPACITY);
    const tm_event *held;
    tm_event copy[CAPACITY];
    for (uint64_t i = 0; i < 40; i++)
        append(trace, i, TM_EVENT_CHECK, 1);
    size_t count = tm_trace_read(trace, &held);
    memcpy(copy, held, count * sizeof *copy);
    for (uint64_t i = 40; i < TOTAL; i++)
        append(trace, i, i % 100 ? TM_EVENT_CHECK : TM_EVENT_POINT, i / 9);
    for (size_t k = 0; k < count; k++)
        assert_true(held[k].columns == copy[k].columns && held[k].gap == copy[k].gap);
    tm_trace_free(trace);
}

/* ---- a reader beside the writer ------------------------------------------------------------ */

typedef struct watch {
    tm_trace *trace;
    atomic_bool ended;
    size_t reads, bad;
} watch;

static bool whole(const tm_event *e)
{
    return e->point == (uint32_t)e->columns && e->updates == 3 * e->columns &&
           e->seconds == (double)e->columns && e->screened == e->active + 1;
}

/* Every read is a whole, ascending sequence from event 0, never beyond what was appended. */
static void *watch_trace(void *payload)
{
    watch *w = payload;
    uint64_t before = 0;
    for (bool last = false; !last;) {
        last = atomic_load(&w->ended);
        const tm_event *events;
        size_t count = tm_trace_read(w->trace, &events);
        uint64_t total = tm_trace_total(w->trace);
        w->bad += total < before || (count > 0 && events[0].columns != 0);
        for (size_t k = 0; k < count; k++)
            w->bad += !whole(&events[k]) || (k > 0 && events[k].columns <= events[k - 1].columns) ||
                      events[k].columns > total;
        before = total;
        w->reads++;
    }
    return NULL;
}

CHECK(test_readers_see_valid_prefixes)
{
    enum { READERS = 2, TOTAL = 100000 };
    watch watches[READERS];
    pthread_t threads[READERS];
    tm_trace *trace = trace_of(200);
    for (size_t k = 0; k < READERS; k++) {
        watches[k] = (watch){.trace = trace};
        atomic_init(&watches[k].ended, false);
        assert_int_equal(pthread_create(&threads[k], NULL, watch_trace, &watches[k]), 0);
    }
    for (uint64_t i = 0; i < TOTAL; i++)
        append(trace, i, i % 1000 == 999 ? TM_EVENT_POINT : TM_EVENT_CHECK, i / 500);
    tm_trace_finish(trace);
    for (size_t k = 0; k < READERS; k++) {
        atomic_store(&watches[k].ended, true);
        pthread_join(threads[k], NULL);
        assert_int_equal(watches[k].bad, 0);
        assert_true(watches[k].reads > 0);
    }
    tm_trace_free(trace);
}

RUN_TESTS(test_order, test_empty_trace_finishes, test_what_matters_is_kept, test_thinning_is_even,
          test_points_go_before_changes, test_memory_is_bounded, test_what_was_read_stays,
          test_readers_see_valid_prefixes)
