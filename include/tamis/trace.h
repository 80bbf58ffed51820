/* Traces: what a run did, step by step. One writer, any number of readers, no locks.
 *
 * Memory is bounded: when a trace is full its resolution is halved, keeping the first and the last
 * event and, as far as space permits, every finished point and every change of the active set,
 * points in preference to changes. */
#ifndef TAMIS_TRACE_H
#define TAMIS_TRACE_H

#include "tamis/solve.h"

typedef struct tm_trace tm_trace;

tm_trace *tm_trace_new(size_t capacity); /* NULL when memory ran out; capacity >= 16 events */
void tm_trace_free(tm_trace *trace);
/* For the writer. Never fails: if memory runs out it only loses resolution. */
void tm_trace_append(tm_trace *trace, const tm_event *event);
void tm_trace_finish(tm_trace *trace); /* publishes the last event held back by thinning */
/* For a reader: the first (returned) entries of *events stay valid and unchanged while the trace
 * lives. Later calls may return a thinned array. */
size_t tm_trace_read(const tm_trace *trace, const tm_event **events);
/* Number of events appended so far, including those thinned out: increases with every append. */
uint64_t tm_trace_total(const tm_trace *trace);

#endif
