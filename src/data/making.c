/* The record of operations on the columns of a data set after it was read. */
#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"

#include <stdlib.h>

void dataset_making_free(tm_making *making)
{
    free(making->scales);
    free(making->origin);
    tm_dataset_unref(making->concepts);
    free(making->bags);
    *making = (tm_making){0};
}

/* Records the original numbers of the chosen columns. */
static bool pick_origin(tm_making *making, const tm_making *from, const size_t *cols, size_t count,
                        size_t p)
{
    if (!from->origin && !cols)
        return true;
    making->whole = from->origin ? from->whole : p;
    making->origin = mem_array(count, sizeof *making->origin);
    for (size_t k = 0; making->origin && k < count; k++) {
        size_t j = cols ? cols[k] : k;
        making->origin[k] = from->origin ? from->origin[j] : j;
    }
    return making->origin != NULL;
}

static bool pick_scales(tm_making *making, const tm_making *from, const size_t *cols, size_t count)
{
    making->scales = from->scales ? mem_array(count, sizeof *making->scales) : NULL;
    for (size_t k = 0; making->scales && k < count; k++)
        making->scales[k] = from->scales[cols ? cols[k] : k];
    return making->scales || !from->scales;
}

tm_status dataset_making_copy(tm_making *making, const tm_dataset *data, const size_t *cols,
                              size_t count, tm_error *err)
{
    const tm_making *from = tm_dataset_making(data);
    *making = (tm_making){.rest = from->rest, .sigma = from->sigma};
    making->concepts = from->concepts ? tm_dataset_ref(from->concepts) : NULL;
    making->bags = text_copy(from->bags);
    bool copied = pick_scales(making, from, cols, count) &&
                  pick_origin(making, from, cols, count, tm_dataset_cols(data)) &&
                  (making->bags || !from->bags);
    return copied ? TM_OK : tm_fail_memory(err, "what was done to the columns");
}
