#include "tui/paste.h"

#include <stdlib.h>
#include <string.h>

/* Scripts are kilobytes long; a data file pasted by mistake must not fill the memory. */
enum { MAX_PASTE = 1 << 24 };

void paste_begin(app_paste *paste)
{
    *paste = (app_paste){.open = true};
}

static void keep(app_paste *paste, const char *bytes, size_t length)
{
    if (paste->length + length + 1 > paste->capacity) {
        size_t wanted = 2 * (paste->length + length + 1);
        char *more = wanted <= MAX_PASTE ? realloc(paste->text, wanted) : NULL;
        paste->cut = paste->cut || !more;
        if (!more)
            return;
        paste->text = more;
        paste->capacity = wanted;
    }
    memcpy(paste->text + paste->length, bytes, length);
    paste->length += length;
}

size_t paste_take(app_paste *paste, const char *bytes, size_t length, bool *ended)
{
    static const char mark[] = KEYBOARD_PASTE_END;
    size_t mark_length = sizeof mark - 1, at = 0;
    while (at < length && (length - at < mark_length ? memcmp(bytes + at, mark, length - at) != 0
                                                     : memcmp(bytes + at, mark, mark_length) != 0))
        at++;
    *ended = at < length && length - at >= mark_length;
    if (at > 0 && !paste->cut)
        keep(paste, bytes, at);
    return *ended ? at + mark_length : at;
}

char *paste_end(app_paste *paste)
{
    char *text = paste->text;
    size_t used = 0;
    for (size_t i = 0; text && i < paste->length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\r') {
            text[used++] = '\n';
            i += i + 1 < paste->length && text[i + 1] == '\n';
        } else if ((c >= ' ' && c != 127) || c == '\n' || c == '\t') {
            text[used++] = (char)c;
        }
    }
    while (used > 0 && text[used - 1] == '\n')
        used--; /* the newline at the end would add an empty line */
    if (text)
        text[used] = '\0';
    *paste = (app_paste){.open = false};
    return text;
}
