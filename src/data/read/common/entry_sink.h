/* Collects the entries that a reader of sparse rows produces, in two passes over the text or in
 * one.
 *
 * A text that can be read again is read twice: first the entries of each column are counted, then
 * every entry is written to its place in the matrix, so that only the matrix is ever in memory. A
 * text that cannot (a pipe, a compressed file) is stored as rows until its end is known, at the
 * cost of about as much memory again. */
#ifndef DATA_READ_COMMON_ENTRY_SINK_H
#define DATA_READ_COMMON_ENTRY_SINK_H

#include "data/read/common/row_store.h"

typedef enum sink_phase {
    SINK_KEEP,  /* entries are stored in rows */
    SINK_COUNT, /* entries are counted */
    SINK_FILL,  /* entries are written into the matrix */
} sink_phase;

typedef struct entry_sink {
    sink_phase phase;
    row_store store;  /* rows, with their entries in SINK_KEEP */
    uint32_t *counts; /* number of entries of each feature */
    size_t counted;   /* length of counts */
    uint64_t nnz;
    size_t n, p, row; /* while filling: dimensions, and the row being read */
    uint32_t base;    /* number of the first feature */
    double *values;   /* dense: n*p; else nnz */
    uint64_t *starts; /* starts[j + 1]: index of the next entry of column j; NULL: dense */
    uint32_t *rows;
    bool misplaced; /* an entry had no place: the text has changed since it was counted */
} entry_sink;

bool entry_sink_count(entry_sink *sink, uint32_t feature);

/* The text may have changed since it was counted: nothing is written outside the arrays, and the
 * result is checked as a whole. */
static inline void entry_sink_place(entry_sink *sink, uint32_t feature, double value)
{
    size_t j = feature - sink->base;
    if (feature < sink->base || j >= sink->p || sink->row >= sink->n) {
        sink->misplaced = true;
        return;
    }
    if (!sink->starts) {
        sink->values[sink->row + j * sink->n] = value;
        return;
    }
    uint64_t place = sink->starts[j + 1]++;
    if (place >= sink->nnz) {
        sink->misplaced = true;
        return;
    }
    sink->rows[place] = (uint32_t)sink->row;
    sink->values[place] = value;
}

/* Adds an entry of the row being read; zeros are not stored. False when memory ran out. */
static inline bool entry_sink_add(entry_sink *sink, uint32_t feature, double value)
{
    if (sink->phase == SINK_KEEP)
        return row_store_add(&sink->store, feature, value);
    if (value == 0.0)
        return true;
    if (sink->phase == SINK_COUNT)
        return entry_sink_count(sink, feature);
    entry_sink_place(sink, feature, value);
    return true;
}

/* Ends the row being read. False when memory ran out. */
bool entry_sink_end_row(entry_sink *sink, double y);
/* Switches from counting to filling an n x p matrix, dense when more than 60 % of its entries are
 * nonzero. False when memory ran out. */
bool entry_sink_begin_fill(entry_sink *sink, size_t p, uint32_t base);
/* The matrix of the entries. TM_EDATA when they differ from those that were counted. */
tm_status entry_sink_matrix(tm_matrix **out, entry_sink *sink, size_t p, tm_error *err);
void entry_sink_clear(entry_sink *sink);

#endif
