#include "data/read/common/class_texts.h"

#include "base/memory.h"
#include "base/text.h"
#include "tamis/classes.h"

#include <math.h>
#include <string.h>

enum { NO_CLASS = UINT16_MAX };

static bool make_room(class_texts *texts, size_t row)
{
    if (row < texts->room)
        return true;
    size_t room = row + row / 2 + 1024;
    uint16_t *grown = realloc(texts->codes, room * sizeof *grown);
    if (!grown)
        return false;
    texts->codes = grown;
    texts->room = room;
    return true;
}

bool class_texts_set(class_texts *texts, size_t row, const char *text, size_t length)
{
    size_t number;
    if (!make_room(texts, row) || !categories_find(&texts->all, 0, text, length, &number))
        return false;
    texts->codes[row] = (uint16_t)number;
    return true;
}

bool class_texts_skip(class_texts *texts, size_t row)
{
    if (!make_room(texts, row))
        return false;
    texts->codes[row] = NO_CLASS;
    return true;
}

size_t class_texts_count(const class_texts *texts)
{
    return texts->all.count;
}

bool class_texts_has(const class_texts *texts, const char *text)
{
    for (size_t k = 0; k < texts->all.count; k++)
        if (strcmp(texts->all.list[k].text, text) == 0)
            return true;
    return false;
}

/* place[code] is the class from 1 in byte order, 0 for codes without a row; names[class - 1] is its
 * text. Returns the number of classes. */
static size_t number_classes(const class_texts *texts, size_t n, size_t *order, size_t *place,
                             const char **names)
{
    size_t count = 0;
    categories_sort(&texts->all, order);
    for (size_t i = 0; i < n; i++)
        if (texts->codes[i] != NO_CLASS)
            place[texts->codes[i]] = 1;
    for (size_t k = 0; k < texts->all.count; k++)
        if (place[order[k]] > 0) {
            names[count] = texts->all.list[order[k]].text;
            place[order[k]] = ++count;
        }
    return count;
}

static tm_status name_classes(tm_dataset_parts *parts, const char *const *names, size_t count,
                              tm_error *err)
{
    char **list = parts->response.labels;
    if (count == 0)
        return TM_OK;
    if (count != 2) {
        list = parts->response.classes = mem_zeros(count, sizeof *list);
        parts->response.class_count = count;
    }
    for (size_t k = 0; list && k < count; k++)
        if (!(list[k] = text_copy(names[k])))
            list = NULL;
    return list ? TM_OK : tm_fail_memory(err, "labels of the classes");
}

tm_status class_texts_finish(class_texts *texts, double *y, size_t n, tm_dataset_parts *parts,
                             tm_error *err)
{
    size_t all = texts->all.count;
    size_t *order = mem_array(all, sizeof *order), *place = mem_zeros(all, sizeof *place);
    const char **names = mem_array(all, sizeof *names);
    tm_status status = TM_OK;
    if (order && place && names) {
        size_t count = number_classes(texts, n, order, place, names);
        for (size_t i = 0; i < n; i++) {
            bool missing = texts->codes[i] == NO_CLASS;
            double class = missing ? NAN : (double)place[texts->codes[i]];
            y[i] = count == 2 ? 2 * class - 3 : class;
        }
        status = name_classes(parts, names, count, err);
    } else {
        status = tm_fail_memory(err, "the classes");
    }
    free(order);
    free(place);
    free(names);
    return status;
}

void class_texts_clear(class_texts *texts)
{
    categories_clear(&texts->all);
    free(texts->codes);
    *texts = (class_texts){0};
}

/* ---- lists of texts ------------------------------------------------------------------------- */

static tm_status add_rows(class_texts *classes, const class_list *list, size_t n, input *in)
{
    for (size_t i = 0; i < n; i++) {
        int64_t code = list->codes ? list->codes[i] : (int64_t)i;
        bool known = code < (int64_t)list->count;
        const char *text = known && code >= 0 ? list->texts[code] : "";
        bool enough = is_missing_word(text, strlen(text))
                          ? class_texts_skip(classes, i)
                          : class_texts_set(classes, i, text, strlen(text));
        if (!enough)
            return input_fail_memory(in, "the classes");
        if (!known || class_texts_count(classes) > TM_MAX_CLASSES)
            return input_fail_whole(in,
                                    "%.100s has more than %d distinct texts, or a code without one",
                                    list->name, TM_MAX_CLASSES);
    }
    return TM_OK;
}

tm_status class_list_response(tm_dataset_parts *parts, const class_list *list, size_t n, input *in,
                              tm_error *err)
{
    class_texts classes = {0};
    parts->response.y = mem_array(n, sizeof *parts->response.y);
    tm_status status =
        parts->response.y ? add_rows(&classes, list, n, in) : input_fail_memory(in, "the classes");
    if (status == TM_OK)
        status = class_texts_finish(&classes, parts->response.y, n, parts, err);
    class_texts_clear(&classes);
    return status;
}
