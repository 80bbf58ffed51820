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

/* The place of `value` among the first `count` ascending values: where it is or belongs. */
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

/* False when there are too many. */
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

static tm_status find(tm_classes *c, const tm_dataset *data, tm_error *err)
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
    if (c->count < 2)
        return tm_fail(err, TM_EDATA, "%s: the response is the same in every row; expected classes",
                       tm_dataset_name(data));
    for (size_t k = 0; k < c->count; k++) {
        c->labels[k] = label_of(data, c->values[k]);
        if (!c->labels[k])
            return tm_fail_memory(err, "the classes");
    }
    return TM_OK;
}

tm_status tm_classes_find(tm_classes *out, const tm_dataset *data, tm_error *err)
{
    *out = (tm_classes)TM_CLASSES_INIT;
    tm_status status = find(out, data, err);
    if (status != TM_OK)
        tm_classes_clear(out);
    return status;
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

/* Labels that are the same number are the same class, as 1 and 1.0. */
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
    tm_status status = tm_classes_find(&c, data, err);
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
