#include "tamis/reading.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/reading.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool reading_make_room(tm_reading *reading, size_t count)
{
    if (reading->features)
        return true;
    reading->features = mem_zeros(count, sizeof *reading->features);
    if (!reading->features)
        return false;
    reading->count = count;
    for (size_t j = 0; j < count; j++)
        reading->features[j].fill = NAN;
    return true;
}

bool reading_add_option(tm_reading *reading, const char *name, const char *value)
{
    tm_reading_file *file = &reading->file;
    char **grown = realloc(file->options, (file->count + 2) * sizeof *grown);
    if (!grown)
        return false;
    file->options = grown;
    grown[file->count] = text_copy(name);
    grown[file->count + 1] = text_copy(value);
    file->count += 2;
    return grown[file->count - 2] && grown[file->count - 1];
}

static void free_feature(tm_reading_feature *feature)
{
    free(feature->column);
    free(feature->level);
}

void reading_drop(tm_reading *reading, size_t j)
{
    if (j >= reading->count)
        return;
    free_feature(&reading->features[j]);
    reading->count--;
    memmove(reading->features + j, reading->features + j + 1,
            (reading->count - j) * sizeof *reading->features);
}

tm_reading *tm_reading_new(size_t count)
{
    tm_reading *reading = calloc(1, sizeof *reading);
    if (!reading)
        return NULL;
    reading->references = 1;
    if (count > 0 && !reading_make_room(reading, count)) {
        free(reading);
        return NULL;
    }
    return reading;
}

tm_reading *tm_reading_ref(const tm_reading *reading)
{
    /* Only the reference count changes; the content stays const. */
    tm_reading *counted = (tm_reading *)(uintptr_t)reading;
    if (counted)
        __atomic_fetch_add(&counted->references, 1, __ATOMIC_SEQ_CST);
    return counted;
}

void tm_reading_unref(tm_reading *reading)
{
    if (!reading || __atomic_fetch_sub(&reading->references, 1, __ATOMIC_SEQ_CST) != 1)
        return;
    for (size_t j = 0; j < reading->count; j++)
        free_feature(&reading->features[j]);
    free(reading->features);
    free(reading->file.format);
    free(reading->file.response);
    text_list_free(reading->file.options, reading->file.count);
    free(reading);
}
