#include "tui/terminal/cells.h"

#include <string.h>
#include <wctype.h>

size_t cells_decode(const char *text, size_t length, wchar_t *ch)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t taken = mbrtowc(ch, text, length, &state);
    if (taken == (size_t)-1 || taken == (size_t)-2) {
        *ch = L'?';
        return 1;
    }
    return taken == 0 ? 1 : taken;
}

wchar_t cells_shown(wchar_t ch, bool utf8)
{
    if (ch == L'\t')
        return L' ';
    if (ch < 32 || ch == 127 || (!utf8 && ch > 126) || (ch > 126 && wcwidth(ch) < 0))
        return L'?';
    return ch;
}

int cells_columns(wchar_t shown)
{
    if (shown < 127)
        return 1;
    int width = wcwidth(shown);
    return width < 0 ? 1 : width;
}

int cells_width(const char *text, bool utf8)
{
    int columns = 0;
    size_t length = strlen(text);
    while (length > 0) {
        wchar_t ch;
        size_t taken = cells_decode(text, length, &ch);
        columns += cells_columns(cells_shown(ch, utf8));
        text += taken;
        length -= taken;
    }
    return columns;
}

size_t cells_fit(const char *text, size_t length, int columns, bool utf8)
{
    size_t used = 0;
    int width = 0;
    while (used < length) {
        wchar_t ch;
        size_t taken = cells_decode(text + used, length - used, &ch);
        width += cells_columns(cells_shown(ch, utf8));
        if (width > columns)
            break;
        used += taken;
    }
    return used;
}
