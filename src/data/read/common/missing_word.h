/* The words that stand for a missing value in a text. */
#ifndef DATA_READ_COMMON_MISSING_WORD_H
#define DATA_READ_COMMON_MISSING_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static inline bool is_missing_word(const char *text, size_t length)
{
    static const char *const words[] = {"", "na", "n/a", "nan", "null", "none", "?"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0)
            return true;
    return false;
}

#endif
