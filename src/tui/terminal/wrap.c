#include "tui/terminal/wrap.h"

#include "tui/terminal/cells.h"

#include <string.h>

size_t wrap_part(const char *text, size_t length, int cols, bool utf8, size_t *skip)
{
    size_t part = cells_fit(text, length, cols, utf8);
    *skip = 0;
    if (part >= length)
        return length;
    part = part == 0 ? 1 : part;
    if (text[part] == ' ') {
        *skip = 1;
        return part;
    }
    /* Prefer to break at two spaces, which separate facts; words are separated by one. */
    for (size_t k = part; k > part / 2; k--) {
        if (k > 2 && text[k - 1] == ' ' && text[k - 2] == ' ' && text[k] != ' ') {
            *skip = 2;
            return k - 2;
        }
    }
    for (size_t k = part; k > part / 2; k--) {
        if (text[k - 1] == ' ' && k > 1) {
            *skip = 1;
            return k - 1;
        }
    }
    return part;
}

int wrap_rows(const char *text, size_t length, int cols, bool utf8)
{
    int rows = 0;
    do {
        size_t skip, part = wrap_part(text, length, cols, utf8, &skip);
        text += part + skip;
        length -= part + skip;
        rows++;
    } while (length > 0);
    return rows;
}

int wrap_draw(terminal *t, rect area, terminal_style style, const char *text)
{
    size_t length = strlen(text);
    int row = 0;
    for (; length > 0 && row < area.rows; row++) {
        size_t skip, part = wrap_part(text, length, area.cols, terminal_utf8(t), &skip);
        terminal_put_bytes(t, area.row + row, area.col, area.cols, style, text, part);
        text += part + skip;
        length -= part + skip;
    }
    return row;
}
