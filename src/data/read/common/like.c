#include "data/read/common/like.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare(const like_index *index, const tm_reading_feature *a,
                   const tm_reading_feature *b)
{
    int order = index->by_name ? strcmp(a->column, b->column)
                               : (a->number > b->number) - (a->number < b->number);
    if (order != 0 || (!a->level && !b->level))
        return order;
    return !a->level ? -1 : !b->level ? 1 : strcmp(a->level, b->level);
}

static int compare_places(const void *a, const void *b, void *index)
{
    const tm_reading_feature *features = ((const like_index *)index)->like->features;
    return compare(index, &features[*(const size_t *)a], &features[*(const size_t *)b]);
}

bool like_has_names(const tm_reading *like)
{
    return like->count > 0 && like->features[0].column;
}

bool like_open(like_index *index, const tm_reading *like, bool by_name)
{
    *index = (like_index){.like = like, .by_name = by_name && like_has_names(like)};
    index->order = mem_array(like->count, sizeof *index->order);
    if (!index->order)
        return false;
    for (size_t k = 0; k < like->count; k++)
        index->order[k] = k;
    qsort_r(index->order, like->count, sizeof *index->order, compare_places, index);
    return true;
}

void like_close(like_index *index)
{
    free(index->order);
    index->order = NULL;
}

const tm_reading_feature *like_find(const like_index *index, const tm_reading_feature *feature,
                                    size_t hint)
{
    const tm_reading *like = index->like;
    if (hint < like->count && compare(index, feature, &like->features[hint]) == 0)
        return &like->features[hint];
    size_t from = 0, to = like->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const tm_reading_feature *found = &like->features[index->order[middle]];
        int order = compare(index, feature, found);
        if (order == 0)
            return found;
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return NULL;
}

/* ---- the response -------------------------------------------------------------------------- */

static tm_status lack(like_place *out, const read_request *request, const like_columns *columns)
{
    const char *name = request->like->file.response;
    *out = LIKE_NONE;
    if (request->may_lack)
        return TM_OK;
    return input_fail_whole(columns->in,
                            "no column \"%s\", which the training data have for the response; name "
                            "the response column with label",
                            input_quoted(name, strlen(name)).text);
}

/* The place of the column called as the response: where it was, or the only one. */
static tm_status find_named(like_place *out, size_t *place, const read_request *request,
                            const like_columns *columns)
{
    const tm_reading_file *file = &request->like->file;
    size_t count = 0;
    *out = LIKE_COLUMN;
    *place = file->place;
    if (file->place < columns->count && columns->is_called(columns->of, *place, file->response))
        return TM_OK;
    for (size_t i = 0; i < columns->count; i++)
        if (columns->is_called(columns->of, i, file->response) && count++ == 0)
            *place = i;
    if (count == 1)
        return TM_OK;
    if (count == 0)
        return lack(out, request, columns);
    return input_fail_whole(columns->in,
                            "%zu columns are called \"%s\"; give the response's number as label",
                            count, input_quoted(file->response, strlen(file->response)).text);
}

tm_status like_response(like_place *out, size_t *place, const read_request *request,
                        const like_columns *columns)
{
    const tm_reading_file *file = request->like ? &request->like->file : NULL;
    *out = LIKE_UNKNOWN;
    if (!file || file->fields == 0)
        return TM_OK;
    if (file->apart) {
        *out = request->may_lack ? LIKE_NONE : LIKE_UNKNOWN;
        return TM_OK;
    }
    if (columns->named && file->response)
        return find_named(out, place, request, columns);
    *out = LIKE_COLUMN;
    *place = file->place;
    if (columns->count == file->fields)
        return TM_OK;
    *out = LIKE_NONE;
    if (columns->count + 1 == file->fields && request->may_lack)
        return TM_OK;
    return input_fail_whole(columns->in,
                            "%zu columns; the training data have %zu, the response among them",
                            columns->count, file->fields);
}
