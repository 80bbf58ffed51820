#include "tui/views/data_warnings.h"

#include "tui/terminal/wrap.h"

#include <string.h>

int datawarn_rows(const screen *s, const profile *result, int cols)
{
    int rows = 0;
    for (size_t k = 0; result && cols > 0 && k < result->warnings.count; k++) {
        const char *text = result->warnings.text[k];
        rows += wrap_rows(text, strlen(text), cols, scr_utf8(s));
    }
    return rows;
}

int datawarn_draw(screen *s, rect area, const profile *result)
{
    int row = 0;
    for (size_t k = 0; result && k < result->warnings.count && row < area.rows; k++) {
        rect rest = {area.row + row, area.col, area.rows - row, area.cols};
        row += wrap_draw(s, rest, STYLE_WARN, result->warnings.text[k]);
    }
    return row;
}
