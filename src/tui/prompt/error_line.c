#include "tui/prompt/error_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Line `number` (from 1) of a text. */
static bool line_of(const char *text, long number, char *out, size_t size)
{
    while (number > 1 && text) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
        number--;
    }
    if (!text)
        return false;
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
    return true;
}

static bool line_of_file(const char *path, long number, char *out, size_t size)
{
    FILE *file = fopen(path, "re");
    bool found = file != NULL;
    while (found && number-- > 0)
        found = fgets(out, (int)size, file) != NULL;
    if (file)
        fclose(file);
    out[found ? strcspn(out, "\n") : 0] = '\0';
    return found;
}

bool error_line(const char *message, const char *chunk, char *out, size_t size)
{
    char path[1024], line[512];
    const char *colon = strchr(message, ':');
    while (colon && (colon[1] < '0' || colon[1] > '9'))
        colon = strchr(colon + 1, ':');
    if (!colon || (size_t)(colon - message) >= sizeof path)
        return false;
    char *end;
    long number = strtol(colon + 1, &end, 10);
    if (*end != ':' || number < 1 || number > 1000000)
        return false;
    snprintf(path, sizeof path, "%.*s", (int)(colon - message), message);
    bool typed = strcmp(path, "prompt") == 0;
    bool found =
        typed ? chunk != NULL && strchr(chunk, '\n') && line_of(chunk, number, line, sizeof line)
              : line_of_file(path, number, line, sizeof line);
    if (found)
        snprintf(out, size, "%5ld | %s", number, line);
    return found;
}
