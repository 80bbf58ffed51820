#include "run/plan/found.h"

#include "base/memory.h"
#include "run/table/kept.h"

#include <math.h>
#include <stdlib.h>

tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err)
{
    *found = (sweep_found){mem_zeros(cells, sizeof(tm_sweep_cell)),
                           mem_array(cells * metrics, sizeof(double)), 0, cells, 0};
    if (!found->cells || !found->scores)
        return tm_fail_memory(err, "a sweep's results");
    for (size_t i = 0; i < cells * metrics; i++)
        found->scores[i] = NAN;
    for (size_t i = 0; i < cells; i++)
        found->cells[i] = (tm_sweep_cell){TM_CELL_OPEN, NAN, NAN, NAN, NAN,
                                          NAN,          NAN, NAN, NAN, found->scores + i * metrics,
                                          NULL,         NULL};
    return TM_OK;
}

void sweep_found_clear(sweep_found *found)
{
    for (size_t i = 0; found->cells && i < found->count; i++) {
        free((char *)(uintptr_t)found->cells[i].error);
        kept_unref(found->cells[i].kept);
    }
    free(found->cells);
    free(found->scores);
    *found = (sweep_found){0};
}

void sweep_mark_clear(sweep_mark *mark)
{
    tm_model_unref(mark->model);
    *mark = (sweep_mark){0, NAN, NULL};
}
