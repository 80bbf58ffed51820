/* Words of parameters: of a TEXT, `choices` are words that it can be or begin with. In the name of
 * such a word, what follows a colon stands for what is typed there: "grid:ROWSxCOLUMNS",
 * "rows:FILE". */
#ifndef BASE_PARAMS_WORDS_H
#define BASE_PARAMS_WORDS_H

#include "tamis/params.h"

#include <string.h>

/* The length of the part that is typed as it is. */
static inline size_t word_length(const tm_choice *word)
{
    size_t colon = strcspn(word->name, ":");
    return word->name[colon] ? colon + 1 : colon;
}

/* The start of a file's name in a text that begins with such a word; NULL: no file follows it. */
static inline const char *word_file(const tm_choice *words, const char *text)
{
    for (const tm_choice *w = words; w && w->name; w++) {
        size_t length = word_length(w);
        if (strcmp(w->name + length, "FILE") == 0 && strncmp(text, w->name, length) == 0)
            return text + length;
    }
    return NULL;
}

#endif
