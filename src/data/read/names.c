/* Reads names of the features from a separate file, one on each line. */
#include "base/memory.h"
#include "base/text.h"
#include "data/read/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer names are rejected. */
enum { MAX_NAME = 4096 };

typedef struct name_list {
    char **names;
    size_t count, room;
} name_list;

static bool add_name(name_list *list, const char *text, size_t length)
{
    if (!mem_grow(&list->names, &list->room, list->count, 1024, sizeof *list->names))
        return false;
    list->names[list->count] = text_part(text, length);
    return list->names[list->count] && ++list->count;
}

/* Reads the rest of the line into `text`; false and an error when it is too long. */
static bool take_name(input *in, char *text, size_t *length)
{
    *length = 0;
    for (;;) {
        input_need(in);
        if (in->cur == in->end || *in->cur == '\n' || *in->cur == '\r')
            return true;
        if (*length + 1 >= MAX_NAME) {
            input_fail(in, in->line, input_column(in, in->cur),
                       "a name of more than %d bytes; expected one name a line", MAX_NAME - 1);
            return false;
        }
        text[(*length)++] = *in->cur++;
    }
}

static void cut_blanks(const char **text, size_t *length)
{
    while (*length > 0 && (**text == ' ' || **text == '\t')) {
        ++*text;
        --*length;
    }
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t'))
        --*length;
}

static tm_status read_list(name_list *list, input *in)
{
    char line[MAX_NAME];
    for (;;) {
        size_t length;
        const char *text = line;
        input_need(in);
        if (in->cur == in->end && in->eof)
            return input_status(in);
        if (!take_name(in, line, &length))
            return input_status(in);
        cut_blanks(&text, &length);
        if (length == 0)
            return input_fail(in, in->line, 1, "an empty name; expected one name a line");
        if (memchr(text, '\0', length))
            return input_fail(in, in->line, 1, "a NUL byte; expected text, one name a line");
        if (!add_name(list, text, length))
            return input_fail_memory(in, "feature names");
        input_end_line(in);
    }
}

tm_status read_names_file(char ***out, size_t *count, const input_spec *spec, tm_error *err)
{
    input *in;
    name_list list = {NULL, 0, 0};
    *out = NULL;
    *count = 0;
    tm_status status = input_open(&in, spec, err);
    if (status != TM_OK)
        return status;
    status = input_as_text(in);
    if (status == TM_OK)
        status = read_list(&list, in);
    input_close(in);
    if (status != TM_OK) {
        text_list_free(list.names, list.count);
        return status;
    }
    *out = list.names;
    *count = list.count;
    return TM_OK;
}
