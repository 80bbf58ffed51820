/* Traces: what a run did, step by step. One writer, any number of readers, no locks.
 *
 * Memory is bounded: when a trace is full its resolution is halved, keeping the first and the last
 * event and, as far as room allows, every finished point and every change of the active set, the
 * points before the changes. */
#ifndef TAMIS_TRACE_H
#define TAMIS_TRACE_H

#include "tamis/solve.h"

typedef struct tm_trace tm_trace;

tm_trace *tm_trace_new(size_t capacity); /* NULL when memory ran out; capacity >= 16 events */
void tm_trace_free(tm_trace *trace);
/* The writer's. Never fails: without memory it only loses resolution. */
void tm_trace_append(tm_trace *trace, const tm_event *event);
void tm_trace_finish(tm_trace *trace); /* publishes the last event held back by thinning */
/* A reader's: *events stays valid and unchanged in its first (returned) entries while the trace
 * lives. Later calls may give a thinned array. */
size_t tm_trace_read(const tm_trace *trace, const tm_event **events);
/* Events appended so far, thinned ones included: grows with every append. */
uint64_t tm_trace_total(const tm_trace *trace);

#endif
