#include "data/read/common/texts.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

bool texts_init(column_texts *texts, size_t features)
{
    *texts = (column_texts){.features = features};
    texts->kinds = mem_zeros(features, sizeof *texts->kinds);
    texts->distinct = mem_zeros(features, sizeof *texts->distinct);
    texts->known = mem_zeros(features, sizeof *texts->known);
    return texts->kinds && texts->distinct && texts->known;
}

void texts_clear(column_texts *texts)
{
    categories_clear(&texts->all);
    free(texts->kinds);
    free(texts->distinct);
    free(texts->known);
    free(texts->origin);
    free(texts->texts); /* the texts belong to the categories */
    *texts = (column_texts){0};
}

bool texts_feature(column_texts *texts, size_t column, const char *text, size_t length,
                   size_t *feature)
{
    size_t before = texts->all.count, number;
    if (!categories_find(&texts->all, column, text, length, &number))
        return false;
    texts->distinct[column] += texts->all.count > before;
    *feature = texts->distinct[column] > MAX_TEXTS ? SIZE_MAX : texts->features + number;
    return true;
}

bool texts_know(column_texts *texts, size_t column, const char *text)
{
    size_t feature;
    texts->kinds[column] = text ? COLUMN_TEXTS : COLUMN_NUMBERS;
    if (!text)
        return true;
    if (!text[0])
        texts->known[column] = KNOWN_WITH_MISSING;
    else if (texts->known[column] == KNOWN_NOT)
        texts->known[column] = KNOWN_TEXTS;
    return !text[0] || texts_feature(texts, column, text, strlen(text), &feature);
}

bool texts_allow(const column_texts *texts, size_t column, const char *text, size_t length)
{
    if (texts->known[column] == KNOWN_NOT)
        return true;
    return length == 0 ? texts->known[column] == KNOWN_WITH_MISSING
                       : categories_has(&texts->all, column, text, length);
}

/* Replaces NaN by 1 in rows with a missing text. Marks the columns that have some. */
static void mark_missing(const column_texts *texts, row_store *store, bool *missing)
{
    uint64_t left = store->nnz;
    for (row_block *block = store->first; left > 0; block = block->next) {
        size_t count = left < ROW_BLOCK ? (size_t)left : ROW_BLOCK;
        for (size_t k = 0; k < count; k++) {
            uint32_t feature = block->features[k];
            if (feature >= texts->features || texts->kinds[feature] != COLUMN_TEXTS)
                continue;
            block->values[k] = 1;
            missing[feature] = true;
        }
        left -= count;
    }
}

static void renumber(row_store *store, const uint32_t *place)
{
    uint64_t left = store->nnz;
    for (row_block *block = store->first; left > 0; block = block->next) {
        size_t count = left < ROW_BLOCK ? (size_t)left : ROW_BLOCK;
        for (size_t k = 0; k < count; k++)
            block->features[k] = place[block->features[k]];
        left -= count;
    }
}

static void append(column_texts *texts, size_t column, const char *text, uint32_t *place)
{
    texts->origin[texts->count] = column;
    texts->texts[texts->count] = text;
    *place = (uint32_t)texts->count++;
}

/* Determines the order of the result's features. place[f] is the new number of feature f of the
 * rows. */
static void number_features(column_texts *texts, const size_t *order, const bool *missing,
                            uint32_t *place)
{
    size_t k = 0;
    for (size_t column = 0; column < texts->features; column++) {
        bool is_text = texts->kinds[column] == COLUMN_TEXTS;
        texts->text_count += is_text;
        if (!is_text || missing[column] || texts->known[column] == KNOWN_WITH_MISSING)
            append(texts, column, is_text ? "" : NULL, &place[column]);
        for (; k < texts->all.count && texts->all.list[order[k]].column == column; k++)
            append(texts, column, texts->all.list[order[k]].text,
                   &place[texts->features + order[k]]);
    }
}

bool texts_finish(column_texts *texts, row_store *store)
{
    size_t all = texts->features + texts->all.count;
    size_t *order = mem_array(texts->all.count, sizeof *order);
    bool *missing = mem_zeros(texts->features, sizeof *missing);
    uint32_t *place = mem_zeros(all, sizeof *place);
    texts->origin = mem_array(all, sizeof *texts->origin);
    texts->texts = mem_array(all, sizeof *texts->texts);
    bool enough = order && missing && place && texts->origin && texts->texts;
    if (enough) {
        categories_sort(&texts->all, order);
        mark_missing(texts, store, missing);
        number_features(texts, order, missing, place);
        renumber(store, place);
    }
    free(order);
    free(missing);
    free(place);
    return enough;
}
