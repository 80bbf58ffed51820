/* A response whose values are words, which are the names of classes. */
#ifndef DATA_READ_COMMON_CLASS_TEXTS_H
#define DATA_READ_COMMON_CLASS_TEXTS_H

#include "data/read/common/categories.h"
#include "data/read/common/input.h"
#include "tamis/dataset.h"

#include <string.h>
#include <strings.h>

/* Whether a text means a missing value. */
static inline bool is_missing_word(const char *text, size_t length)
{
    static const char *const words[] = {"", "na", "n/a", "nan", "null", "none", "?"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0)
            return true;
    return false;
}

typedef struct class_texts {
    categories all;
    uint16_t *codes; /* the category of each row */
    size_t room;
} class_texts;

/* Sets the text of a row; may be called again for the same row. At most 65535 distinct texts, which
 * the caller checks. False when memory ran out. */
bool class_texts_set(class_texts *texts, size_t row, const char *text, size_t length);
/* The row has no class: its response is NaN. False when memory ran out. */
bool class_texts_skip(class_texts *texts, size_t row);
/* The number of distinct texts, and whether the text is one of them. */
size_t class_texts_count(const class_texts *texts);
bool class_texts_has(const class_texts *texts, const char *text);
/* The response of the first n rows, n > 0, all of which were set or skipped: for two classes -1 and
 * +1, the later one in byte order, with parts->labels; for one class or more than two 1, 2, ... in
 * byte order, with parts->classes. Classes without a row are left out. tm_read decides whether one
 * class alone is allowed. */
tm_status class_texts_finish(class_texts *texts, double *y, size_t n, tm_dataset_parts *parts,
                             tm_error *err);
void class_texts_clear(class_texts *texts);

/* The texts of a response: row i has texts[i], or texts[codes[i]] if there are codes; a negative
 * code is missing. `name` is its name in messages. */
typedef struct class_list {
    const char *name;
    char *const *texts;
    uint64_t count;
    const int64_t *codes;
} class_list;

/* Sets the response of n rows, with the names of its classes. */
tm_status class_list_response(tm_dataset_parts *parts, const class_list *list, size_t n, input *in,
                              tm_error *err);

#endif
