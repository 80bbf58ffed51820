#include "data/read/common/table.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const table_responses[] = {"y", "label", "class", "target", "response", NULL};

void table_clear(table *t)
{
    row_store_clear(&t->store);
    class_texts_clear(&t->classes);
    texts_clear(&t->words);
    categories_clear(&t->ids);
    text_list_free(t->names, t->features);
    free(t->response_name);
    free(t->left_out);
    t->left_out = NULL;
    t->names = NULL;
    t->response_name = NULL;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The column that corresponds to another file's feature; SIZE_MAX: there is none. */
static size_t place_of(const table *t, const tm_reading_feature *feature)
{
    if (!t->names || !feature->column)
        return feature->number <= t->features ? feature->number - 1 : SIZE_MAX;
    for (size_t j = 0; j < t->features; j++)
        if (strcmp(t->names[j], feature->column) == 0)
            return j;
    return SIZE_MAX;
}

/* The column named by the option `ids`. */
static size_t find_id_column(const table *t)
{
    const char *name = read_text_option(t->request, "ids");
    char numbered[32];
    for (size_t j = 0; name && j < t->features; j++) {
        if (!t->names)
            snprintf(numbered, sizeof numbered, "X%zu", j + 1);
        if (strcmp(t->names ? t->names[j] : numbered, name) == 0)
            return j;
    }
    return SIZE_MAX;
}

tm_status table_begin(table *t, bool indicators)
{
    const tm_reading *like = t->request->like;
    t->id_column = find_id_column(t);
    size_t place = SIZE_MAX;
    bool levels = false;
    for (size_t k = 0; like && k < like->count; k++)
        levels = levels || like->features[k].level;
    if (!levels && !indicators)
        return TM_OK;
    bool enough = texts_init(&t->words, t->features);
    if (enough && t->id_column != SIZE_MAX)
        t->words.kinds[t->id_column] = COLUMN_NUMBERS;
    for (size_t k = 0; levels && enough && k < like->count; k++) {
        const tm_reading_feature *feature = &like->features[k];
        if (k == 0 || feature[-1].number != feature->number)
            place = place_of(t, feature);
        enough = place == SIZE_MAX || texts_know(&t->words, place, feature->level);
    }
    return enough ? TM_OK : input_fail_memory(t->in, "texts of the data");
}

/* A number is stored as its bits, independent of the decimal separator of the locale; the byte
 * before them distinguishes it from text. */
static size_t write_number(char text[24], double number)
{
    uint64_t bits;
    number = number == 0 ? 0 : number; /* turns -0 into 0 */
    memcpy(&bits, &number, sizeof bits);
    return (size_t)snprintf(text, 24, "\1%016" PRIx64, bits);
}

static double number_of(const char *written)
{
    double number;
    uint64_t bits = strtoull(written + 1, NULL, 16);
    memcpy(&number, &bits, sizeof number);
    return number;
}

tm_status table_add_id(table *t, double number, const char *text, size_t length)
{
    char written[24];
    size_t place;
    if (!text) {
        length = write_number(written, number);
        text = written;
    }
    if (!categories_find(&t->ids, 0, text, length, &place) ||
        !row_store_add(&t->store, (uint32_t)t->id_column, (double)place + 1))
        return input_fail_memory(t->in, "ids of the rows");
    return TM_OK;
}

/* A number in place of each id's place among the distinct ones. */
static void finish_ids(table *t)
{
    if (t->id_column == SIZE_MAX)
        return;
    uint64_t left = t->store.nnz;
    for (row_block *block = t->store.first; left > 0; block = block->next) {
        size_t count = left < ROW_BLOCK ? (size_t)left : ROW_BLOCK;
        for (size_t k = 0; k < count; k++)
            if (block->features[k] == t->id_column) {
                const char *text = t->ids.list[(size_t)block->values[k] - 1].text;
                block->values[k] = *text == '\1' ? number_of(text) : categories_text_id(text);
            }
        left -= count;
    }
}

tm_status table_end_row(table *t, double y)
{
    if (t->store.rows == UINT32_MAX)
        return input_fail_whole(t->in, "more than %u rows", UINT32_MAX);
    if (!row_store_end_row(&t->store, y))
        return input_fail_memory(t->in, "rows of the data");
    return TM_OK;
}

tm_status table_leave_out_row(table *t)
{
    if (!mem_grow(&t->left_out, &t->left_out_room, t->dropped, 64, sizeof *t->left_out))
        return input_fail_memory(t->in, "rows of the data");
    t->left_out[t->dropped] = t->store.rows + t->dropped;
    t->dropped++;
    row_store_drop_row(&t->store);
    return TM_OK;
}

/* ---- the whole table ------------------------------------------------------------------------ */

static tm_status finish_classes(table *t, tm_dataset_parts *parts, tm_error *err)
{
    return t->classes_are_text
               ? class_texts_finish(&t->classes, t->store.y, t->store.rows, parts, err)
               : TM_OK;
}

/* A column without a name gets the name it would have in a file without a header. */
static char *name_of(const table *t, size_t column, const char *text)
{
    char numbered[32], *name = NULL;
    snprintf(numbered, sizeof numbered, "X%zu", column + 1);
    const char *known =
        t->names && column < t->features && t->names[column][0] ? t->names[column] : numbered;
    if (!text)
        return text_copy(known);
    return asprintf(&name, "%s=%s", known, text) < 0 ? NULL : name;
}

/* The column (not counting the response) of feature j of the result, and the text that it
 * indicates, or NULL. */
static size_t origin_of(const table *t, size_t j)
{
    const column_texts *words = &t->words;
    if (!words->kinds)
        return j;
    return j < words->count ? words->origin[j] : j - words->count + words->features;
}

static const char *text_of(const table *t, size_t j)
{
    return t->words.kinds && j < t->words.count ? t->words.texts[j] : NULL;
}

static bool finish_names(table *t, tm_dataset_parts *parts, size_t p)
{
    if (!t->names && t->words.text_count == 0)
        return true;
    parts->response.name = t->response_name;
    t->response_name = NULL;
    parts->features.names = mem_zeros(p, sizeof *parts->features.names);
    bool complete = parts->features.names != NULL;
    for (size_t j = 0; complete && j < p; j++)
        complete = (parts->features.names[j] = name_of(t, origin_of(t, j), text_of(t, j))) != NULL;
    return complete;
}

/* Records how each feature was made, if some are texts. */
static bool finish_reading(const table *t, tm_reading *reading)
{
    if (t->words.text_count == 0)
        return true;
    if (!reading_make_room(reading, t->words.count))
        return false;
    for (size_t j = 0; j < t->words.count; j++) {
        tm_reading_feature *feature = &reading->features[j];
        const char *text = text_of(t, j);
        feature->number = origin_of(t, j) + 1;
        feature->level = text_copy(text);
        feature->column = t->names ? name_of(t, origin_of(t, j), NULL) : NULL;
        if ((text && !feature->level) || (t->names && !feature->column))
            return false;
    }
    return true;
}

tm_status table_finish(table *t, read_result *result, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    if (t->store.rows == 0 && t->dropped > 0)
        return input_fail_whole(t->in, "every row has a missing value: missing = drop leaves "
                                       "nothing");
    result->left_out = t->left_out;
    result->left_out_count = t->dropped;
    t->left_out = NULL;
    finish_ids(t);
    if (t->words.kinds && !texts_finish(&t->words, &t->store))
        return input_fail_memory(t->in, "texts of the data");
    if (t->lacks) {
        t->has_response = t->classes_are_text = false;
        parts->reading->file.unlabelled = true;
    }
    size_t p = t->words.kinds ? t->words.count : t->features;
    if (t->request->features > p)
        p = t->request->features;
    tm_status status = finish_classes(t, parts, err);
    if (status == TM_OK)
        status = row_store_matrix(&parts->x, &t->store, p, err);
    if (status == TM_OK && (!finish_names(t, parts, p) || !finish_reading(t, parts->reading)))
        status = input_fail_memory(t->in, "names of the features");
    result->complete = t->has_response;
    if (t->has_response) {
        parts->response.y = t->store.y;
        t->store.y = NULL;
    }
    return status;
}

void table_note(const table *t, read_result *result)
{
    size_t used = strlen(result->note);
    if (t->words.text_count > 0)
        snprintf(result->note + used, sizeof result->note - used,
                 "\ntext: %zu column%s became %zu indicators", t->words.text_count,
                 t->words.text_count == 1 ? "" : "s",
                 t->words.count - (t->words.features - t->words.text_count));
}
