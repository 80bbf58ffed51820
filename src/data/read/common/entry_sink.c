#include "data/read/common/entry_sink.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double dense_share = 0.6;

bool entry_sink_count(entry_sink *sink, uint32_t feature)
{
    if (feature >= sink->counted) {
        size_t length = sink->counted ? 2 * sink->counted : 1024;
        length = length > feature ? length : (size_t)feature + 1;
        uint32_t *grown = realloc(sink->counts, length * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + sink->counted, 0, (length - sink->counted) * sizeof *grown);
        sink->counts = grown;
        sink->counted = length;
    }
    sink->counts[feature]++;
    sink->nnz++;
    return true;
}

bool entry_sink_end_row(entry_sink *sink, double y)
{
    if (sink->phase != SINK_FILL)
        return row_store_end_row(&sink->store, y);
    double before = sink->row < sink->n ? sink->store.y[sink->row] : 0;
    bool same = before == y || (isnan(before) && isnan(y));
    sink->misplaced = sink->misplaced || sink->row >= sink->n || !same;
    sink->row++;
    return true;
}

/* starts[j + 1] is set to the index of column j's first entry; after filling it is the index of its
 * end. */
static void place_columns(entry_sink *sink)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < sink->p; j++) {
        size_t feature = j + sink->base;
        sink->starts[j + 1] = sum;
        sum += feature < sink->counted ? sink->counts[feature] : 0;
    }
}

bool entry_sink_begin_fill(entry_sink *sink, size_t p, uint32_t base)
{
    double cells = (double)sink->store.rows * (double)p;
    bool dense = (double)sink->nnz > dense_share * cells;
    sink->phase = SINK_FILL;
    sink->n = sink->store.rows;
    sink->p = p;
    sink->base = base;
    bool fits = (dense ? 8 * cells : 12 * (double)sink->nnz) <= mem_physical() / 2;
    if (!fits)
        return false;
    if (dense) {
        sink->values = mem_zeros(sink->n * p, sizeof *sink->values);
        return sink->values != NULL;
    }
    sink->starts = mem_zeros(p + 1, sizeof *sink->starts);
    sink->rows = mem_array(sink->nnz, sizeof *sink->rows);
    sink->values = mem_array(sink->nnz, sizeof *sink->values);
    if (!sink->starts || !sink->rows || !sink->values)
        return false;
    place_columns(sink);
    free(sink->counts);
    sink->counts = NULL;
    return true;
}

static tm_status fail_changed(tm_error *err)
{
    return tm_fail(err, TM_EDATA, "the file has changed while it was read; read it again");
}

tm_status entry_sink_matrix(tm_matrix **out, entry_sink *sink, size_t p, tm_error *err)
{
    if (sink->phase == SINK_KEEP)
        return row_store_matrix(out, &sink->store, p, err);
    bool sparse = sink->starts != NULL;
    if (sink->misplaced || sink->row != sink->n || (sparse && sink->starts[p] != sink->nnz))
        return fail_changed(err);
    double *values = sink->values;
    sink->values = NULL;
    if (!sparse)
        return tm_matrix_new_dense(out, sink->n, p, values, err);
    uint64_t *starts = sink->starts;
    uint32_t *rows = sink->rows;
    sink->starts = NULL;
    sink->rows = NULL;
    tm_status status = tm_matrix_new_csc(out, sink->n, p, starts, rows, values, err);
    return status == TM_EDATA ? fail_changed(err) : status;
}

void entry_sink_clear(entry_sink *sink)
{
    row_store_clear(&sink->store);
    free(sink->counts);
    free(sink->values);
    free(sink->starts);
    free(sink->rows);
    *sink = (entry_sink){0};
}
