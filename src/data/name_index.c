#include "data/name_index.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *name_at(size_t j, const void *payload)
{
    const tm_dataset *data = payload;
    return j < tm_dataset_cols(data) ? tm_dataset_feature_name(data, j) : NULL;
}

static int compare_names(const void *a, const void *b, void *payload)
{
    const tm_dataset *data = payload;
    return strcmp(name_at(*(const size_t *)a, data), name_at(*(const size_t *)b, data));
}

static bool make_order(name_index *index)
{
    size_t p = tm_dataset_cols(index->data);
    index->order = mem_array(p, sizeof *index->order);
    if (!index->order)
        return false;
    for (size_t j = 0; j < p; j++)
        index->order[j] = j;
    /* The data set is only read, but qsort_r's payload is not const. */
    qsort_r(index->order, p, sizeof *index->order, compare_names, (void *)(uintptr_t)index->data);
    return true;
}

void name_index_clear(name_index *index)
{
    free(index->order);
    index->order = NULL;
}

/* The position of the first name not before `name`. */
static size_t place_of(const name_index *index, const char *name)
{
    size_t low = 0, high = tm_dataset_cols(index->data);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(name_at(index->order[middle], index->data), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_called(const name_index *index, size_t place, const char *name)
{
    return place < tm_dataset_cols(index->data) &&
           strcmp(name_at(index->order[place], index->data), name) == 0;
}

static tm_status find_number(const name_index *index, const char *name, size_t *feature,
                             const char **why)
{
    long number;
    *why = "expected the number of a feature or a range, found";
    if (name[0] != 'X' || !text_to_long(name + 1, &number) || number < 1 ||
        (size_t)number > tm_dataset_cols(index->data))
        return TM_EDATA;
    *feature = (size_t)number - 1;
    return TM_OK;
}

tm_status name_index_find(name_index *index, const char *name, size_t *feature, const char **why,
                          const char **close)
{
    *close = NULL;
    if (!name_at(0, index->data))
        return find_number(index, name, feature, why);
    if (!index->order && !make_order(index))
        return TM_ENOMEM;
    size_t place = place_of(index, name);
    if (!is_called(index, place, name)) {
        *why = "no feature is called";
        *close = text_closest(name, name_at, index->data);
        return TM_EDATA;
    }
    *why = "several features are called";
    *feature = index->order[place];
    return is_called(index, place + 1, name) ? TM_EDATA : TM_OK;
}
