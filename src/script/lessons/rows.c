#include "script/lessons/rows.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

size_t lesson_find(const char *word)
{
    long number;
    if (text_to_long(word, &number) && number >= 1 && (size_t)number <= lesson_count)
        return (size_t)number - 1;
    size_t i = 0;
    while (i < lesson_count && strcmp(lesson_rows[i].name, word) != 0)
        i++;
    return i;
}

const char *lesson_title(const char *text, char *buffer, size_t size)
{
    text += strspn(text, "\n");
    text += strspn(text, "- ");
    snprintf(buffer, size, "%.*s", (int)strcspn(text, "\r\n"), text);
    return buffer;
}
