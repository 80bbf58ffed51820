#include "run/plan/found.h"

#include "base/memory.h"
#include "run/table/kept.h"

#include <math.h>
#include <stdlib.h>

tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err)
{
    *found = (sweep_found){.cells = mem_zeros(cells, sizeof(tm_sweep_cell)),
                           .scores = mem_array(cells * metrics, sizeof(double)),
                           .count = cells,
                           .models = mem_zeros(cells, sizeof(tm_model *)),
                           .lambda_max = NAN};
    if (!found->cells || !found->scores || !found->models)
        return tm_fail_memory(err, "a sweep's results");
    for (size_t i = 0; i < cells * metrics; i++)
        found->scores[i] = NAN;
    for (size_t i = 0; i < cells; i++)
        found->cells[i] = (tm_sweep_cell){TM_CELL_OPEN, NAN, NAN, NAN, NAN,
                                          NAN,          NAN, NAN, NAN, found->scores + i * metrics,
                                          NULL,         NULL};
    return TM_OK;
}

static void drop_models(sweep_found *found, size_t from, size_t end)
{
    for (size_t i = from; found->models && i < end; i++) {
        tm_model_unref(found->models[i]);
        found->models[i] = NULL;
    }
}

void sweep_found_drop(sweep_found *found, size_t from)
{
    drop_models(found, from, found->count);
    for (size_t i = from; i < found->count; i++) {
        free((char *)(uintptr_t)found->cells[i].error);
        found->cells[i].error = NULL;
        found->cells[i].status = TM_CELL_OPEN;
    }
}

void sweep_found_recorded(sweep_found *found, size_t end)
{
    drop_models(found, found->recorded, end);
    found->recorded = end;
}

void sweep_found_clear(sweep_found *found)
{
    drop_models(found, 0, found->count);
    free(found->models);
    for (size_t i = 0; found->cells && i < found->count; i++) {
        free((char *)(uintptr_t)found->cells[i].error);
        kept_unref(found->cells[i].kept);
    }
    free(found->cells);
    free(found->scores);
    *found = (sweep_found){0};
}

tm_status sweep_reuse_make(sweep_reuse *reuse, size_t cells, size_t metrics, tm_error *err)
{
    *reuse = (sweep_reuse){.lacks = mem_zeros(cells, sizeof(bool))};
    tm_status status = sweep_found_make(&reuse->found, cells, metrics, err);
    return status == TM_OK && !reuse->lacks ? tm_fail_memory(err, "a sweep's results") : status;
}

void sweep_reuse_clear(sweep_reuse *reuse)
{
    sweep_found_clear(&reuse->found);
    free(reuse->lacks);
    *reuse = (sweep_reuse){0};
}

void sweep_mark_clear(sweep_mark *mark)
{
    tm_model_unref(mark->model);
    *mark = (sweep_mark){0, NAN, NULL};
}
