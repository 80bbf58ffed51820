#include "tamis/classes.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/relabel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tm_classes_clear(tm_classes *classes)
{
    for (size_t k = 0; classes->labels && k < classes->count; k++)
        free(classes->labels[k]);
    free(classes->labels);
    free(classes->values);
    free(classes->sizes);
    *classes = (tm_classes)TM_CLASSES_INIT;
}

/* The insertion index of `value` among the first `count` ascending values. */
static size_t place_of(const double *values, size_t count, double value)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (values[middle] < value)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Counts a value as a class; false when there are too many. */
static bool count_value(tm_classes *c, double value)
{
    size_t at = place_of(c->values, c->count, value);
    if (at < c->count && c->values[at] == value) {
        c->sizes[at]++;
        return true;
    }
    if (c->count == TM_MAX_CLASSES)
        return false;
    memmove(c->values + at + 1, c->values + at, (c->count - at) * sizeof *c->values);
    memmove(c->sizes + at + 1, c->sizes + at, (c->count - at) * sizeof *c->sizes);
    c->values[at] = value;
    c->sizes[at] = 1;
    c->count++;
    return true;
}

static char *label_of(const tm_dataset *data, double value)
{
    char text[64];
    size_t named;
    const char *const *names = tm_dataset_class_names(data, &named);
    if (names)
        return text_copy(names[(size_t)value - 1]);
    if (tm_dataset_is_binary(data))
        return text_copy(tm_dataset_label(data, value > 0 ? 1 : -1));
    text_from_real(value, text, sizeof text);
    return text_copy(text);
}

static tm_status find(tm_classes *c, const tm_dataset *data, size_t least, tm_error *err)
{
    c->values = mem_array(TM_MAX_CLASSES, sizeof *c->values);
    c->sizes = mem_array(TM_MAX_CLASSES, sizeof *c->sizes);
    c->labels = mem_zeros(TM_MAX_CLASSES, sizeof *c->labels);
    if (!c->values || !c->sizes || !c->labels)
        return tm_fail_memory(err, "the classes");
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        if (!count_value(c, tm_dataset_y(data)[i]))
            return tm_fail(err, TM_EDATA,
                           "%s: the response has more than %d distinct values; it is a number, not "
                           "a class",
                           tm_dataset_name(data), TM_MAX_CLASSES);
    if (c->count < least)
        return tm_fail(err, TM_EDATA, "%s: the response is the same in every row; expected classes",
                       tm_dataset_name(data));
    for (size_t k = 0; k < c->count; k++) {
        c->labels[k] = label_of(data, c->values[k]);
        if (!c->labels[k])
            return tm_fail_memory(err, "the classes");
    }
    return TM_OK;
}

/* Finds the classes, of which there must be at least `least`. */
static tm_status find_classes(tm_classes *out, const tm_dataset *data, size_t least, tm_error *err)
{
    *out = (tm_classes)TM_CLASSES_INIT;
    tm_status status = find(out, data, least, err);
    if (status != TM_OK)
        tm_classes_clear(out);
    return status;
}

tm_status tm_classes_find(tm_classes *out, const tm_dataset *data, tm_error *err)
{
    return find_classes(out, data, 2, err);
}

/* ---- one against the rest ------------------------------------------------------------------- */

/* "1, 2, 3, ... 58" */
static void list_labels(const tm_classes *c, char *buffer, size_t size)
{
    enum { SHOWN = 8 };
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t k = 0; k < c->count && used < size; k++) {
        bool left_out = c->count > SHOWN + 2 && k >= SHOWN && k + 1 < c->count;
        if (left_out && k > SHOWN)
            continue;
        used += (size_t)snprintf(buffer + used, size - used, "%s%.40s", k ? ", " : "",
                                 left_out ? "..." : c->labels[k]);
    }
}

static tm_status fail_label(const tm_classes *c, const tm_dataset *data, const char *label,
                            tm_error *err)
{
    char list[480];
    list_labels(c, list, sizeof list);
    return tm_fail(err, TM_EDATA, "%s: no row has the class '%.60s'; the classes are %s",
                   tm_dataset_name(data), label, list);
}

/* Labels that are equal as numbers are the same class, for example 1 and 1.0. */
static bool same_label(const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 || (text_to_real(a, &x) && text_to_real(b, &y) && x == y);
}

tm_status tm_dataset_one_vs_rest(tm_dataset **out, const tm_dataset *data, const char *label,
                                 bool may_lack, tm_error *err)
{
    tm_classes c;
    char name[320];
    *out = NULL;
    tm_status status = find_classes(&c, data, may_lack ? 1 : 2, err);
    if (status != TM_OK)
        return status;
    size_t k = 0, n = tm_dataset_rows(data);
    while (k < c.count && !same_label(c.labels[k], label))
        k++;
    double *y = mem_array(n, sizeof *y);
    if (k == c.count && !may_lack)
        status = fail_label(&c, data, label, err);
    else if (!y)
        status = tm_fail_memory(err, "a response");
    for (size_t i = 0; status == TM_OK && i < n; i++)
        y[i] = k < c.count && tm_dataset_y(data)[i] == c.values[k] ? 1 : -1;
    tm_classes_clear(&c);
    if (status != TM_OK) {
        free(y);
        return status;
    }
    snprintf(name, sizeof name, "%.200s: %.80s", tm_dataset_name(data), label);
    return dataset_relabel(out, data, name, y, "rest", label, err);
}

/* ---- several responses combined -------------------------------------------------------------- */

/* The number of names of classes, including those without rows; 0: the response is numeric. */
static size_t name_count(const tm_dataset *data)
{
    size_t count;
    tm_dataset_class_names(data, &count);
    return tm_dataset_is_binary(data) ? 2 : count;
}

static const char *name_of(const tm_dataset *data, size_t k)
{
    size_t count;
    return tm_dataset_is_binary(data) ? tm_dataset_label(data, k ? 1 : -1)
                                      : tm_dataset_class_names(data, &count)[k];
}

/* The index of row i's class among these names. */
static size_t class_at(const tm_dataset *data, size_t i)
{
    double y = tm_dataset_y(data)[i];
    return tm_dataset_is_binary(data) ? y > 0 : (size_t)y - 1;
}

/* Whether the response is numeric, even if its values are only two and were made classes. */
static bool has_numbers(const tm_dataset *data)
{
    double unused;
    return name_count(data) == 0 ||
           (tm_dataset_is_binary(data) && text_to_real(tm_dataset_label(data, -1), &unused) &&
            text_to_real(tm_dataset_label(data, 1), &unused));
}

static double number_at(const tm_dataset *data, size_t i)
{
    double y = tm_dataset_y(data)[i];
    if (tm_dataset_is_binary(data))
        text_to_real(tm_dataset_label(data, y > 0 ? 1 : -1), &y);
    return y;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t place_of_name(const char *const *names, size_t count, const char *name)
{
    const char *const *found = bsearch(&name, names, count, sizeof *names, compare_names);
    return (size_t)(found - names);
}

/* All names, each once, in byte order; *names is malloc'ed, the texts belong to the data. */
static tm_status join_names(const char ***names, size_t *total, const tm_dataset *const *list,
                            size_t count, tm_error *err)
{
    size_t room = 0, used = 0;
    for (size_t d = 0; d < count; d++)
        room += name_count(list[d]);
    *names = mem_array(room, sizeof **names);
    if (!*names)
        return tm_fail_memory(err, "the classes");
    for (size_t d = 0; d < count; d++)
        for (size_t k = 0; k < name_count(list[d]); k++)
            (*names)[used++] = name_of(list[d], k);
    qsort(*names, used, sizeof **names, compare_names);
    *total = 0;
    for (size_t k = 0; k < used; k++)
        if (*total == 0 || strcmp((*names)[*total - 1], (*names)[k]) != 0)
            (*names)[(*total)++] = (*names)[k];
    return *total <= TM_MAX_CLASSES
               ? TM_OK
               : tm_fail(err, TM_EDATA, "more than %d classes together", TM_MAX_CLASSES);
}

static tm_status keep_names(tm_response *out, const char *const *names, size_t count, tm_error *err)
{
    bool enough = true;
    if (count > 2) {
        out->classes = mem_zeros(count, sizeof *out->classes);
        out->class_count = out->classes ? count : 0;
        enough = out->classes;
    }
    for (size_t k = 0; enough && k < count; k++) {
        char **at = count > 2 ? &out->classes[k] : &out->labels[k];
        *at = text_copy(names[k]);
        enough = *at;
    }
    return enough ? TM_OK : tm_fail_memory(err, "the classes");
}

static tm_status join_texts(tm_response *out, const tm_dataset *const *list, size_t count,
                            tm_error *err)
{
    const char **names;
    size_t total = 0, above = 0;
    tm_status status = join_names(&names, &total, list, count, err);
    if (status == TM_OK)
        status = keep_names(out, names, total, err);
    for (size_t d = 0; status == TM_OK && d < count; above += tm_dataset_rows(list[d++]))
        for (size_t i = 0; i < tm_dataset_rows(list[d]); i++) {
            size_t k = place_of_name(names, total, name_of(list[d], class_at(list[d], i)));
            out->y[above + i] = total > 2 ? (double)k + 1 : k ? 1 : -1;
        }
    out->numeric = total > 2;
    free(names);
    return status;
}

bool dataset_same_classes(const tm_dataset *a, const tm_dataset *b)
{
    bool same = name_count(a) == name_count(b);
    for (size_t k = 0; same && k < name_count(a); k++)
        same = strcmp(name_of(a, k), name_of(b, k)) == 0;
    return same;
}

static tm_status check_join(const tm_dataset *data, bool numbers, tm_error *err)
{
    if (!numbers && name_count(data) == 0)
        return tm_fail(err, TM_EUSAGE,
                       "the response of %.200s is numeric, and other rows have classes",
                       tm_dataset_name(data));
    if (tm_dataset_making(data)->rest)
        return tm_fail(err, TM_EUSAGE,
                       "%.200s has one class against the rest, and other rows have other "
                       "classes; append first, then choose the class",
                       tm_dataset_name(data));
    return TM_OK;
}

tm_status dataset_join_responses(tm_response *out, const tm_dataset *const *list, size_t count,
                                 tm_error *err)
{
    size_t n = 0, above = 0;
    bool numbers = true, binary = false;
    tm_status status = TM_OK;
    for (size_t d = 0; d < count; d++) {
        n += tm_dataset_rows(list[d]);
        numbers = numbers && has_numbers(list[d]);
        binary = binary || tm_dataset_is_binary(list[d]);
    }
    for (size_t d = 0; status == TM_OK && d < count; d++)
        status = check_join(list[d], numbers, err);
    if (status != TM_OK)
        return status;
    out->y = mem_array(n, sizeof *out->y);
    if (!out->y)
        return tm_fail_memory(err, "a response");
    if (!numbers)
        return join_texts(out, list, count, err);
    out->numeric = !binary;
    for (size_t d = 0; d < count; above += tm_dataset_rows(list[d++]))
        for (size_t i = 0; i < tm_dataset_rows(list[d]); i++)
            out->y[above + i] = number_at(list[d], i);
    return TM_OK;
}
