#include "tui/widgets/pager.h"

#include "tui/terminal/cells.h"
#include "tui/terminal/wrap.h"
#include "tui/widgets/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static terminal_style line_style(line_kind kind)
{
    switch (kind) {
    case LINE_INPUT:
        return STYLE_BOLD;
    case LINE_ERROR:
        return STYLE_ERROR;
    case LINE_STRAY:
        return STYLE_WARN;
    case LINE_NOTE:
        return STYLE_DIM;
    case LINE_OUTPUT:
        break;
    }
    return STYLE_NORMAL;
}

static int rows_of(const scrollback *text, uint64_t line, int cols, bool utf8)
{
    size_t length;
    line_kind kind;
    const char *bytes = scrollback_line(text, line, &length, &kind);
    return wrap_rows(bytes, length, cols > 0 ? cols : 1, utf8);
}

/* Draws a line whose first row is at `row` (which may be above the area); returns its number of
 * rows. */
static int draw_line(terminal *t, rect area, int row, const char *text, size_t length,
                     terminal_style style)
{
    int rows = 0;
    do {
        size_t skip, part = wrap_part(text, length, area.cols, terminal_utf8(t), &skip);
        if (row >= area.row && row < area.row + area.rows)
            terminal_put_bytes(t, row, area.col, area.cols, style, text, part);
        text += part + skip;
        length -= part + skip;
        row++;
        rows++;
    } while (length > 0);
    return rows;
}

/* ---- the end of a text --------------------------------------------------------------------- */

int pager_tail_rows(const scrollback *text, const terminal *t, uint64_t from, int most)
{
    uint64_t first = scrollback_first(text), end = scrollback_end(text);
    int rows = 0;
    for (uint64_t i = from < first ? first : from; i < end && rows < most; i++)
        rows += rows_of(text, i, terminal_cols(t), terminal_utf8(t));
    return rows < most ? rows : most;
}

void pager_tail_draw(const scrollback *text, terminal *t, rect area, uint64_t from)
{
    int row = area.row + area.rows;
    uint64_t first = scrollback_first(text);
    from = from < first ? first : from;
    terminal_erase(t, area);
    for (uint64_t i = scrollback_end(text); i > from && row > area.row; i--) {
        size_t length;
        line_kind kind;
        const char *bytes = scrollback_line(text, i - 1, &length, &kind);
        row -= wrap_rows(bytes, length, area.cols, terminal_utf8(t));
        draw_line(t, area, row, bytes, length, line_style(kind));
    }
}

/* ---- where it is --------------------------------------------------------------------------- */

void pager_start(pager *p, const scrollback *text, uint64_t from, bool at_end)
{
    *p = (pager){
        .text = text, .from = from, .top = from, .follow = at_end, .found = UINT64_MAX, .cols = 80};
}

static uint64_t first_of(const pager *p)
{
    uint64_t first = scrollback_first(p->text);
    return p->from > first ? p->from : first;
}

static int height(const pager *p, uint64_t line)
{
    return rows_of(p->text, line, p->cols, p->utf8);
}

/* The top of the last page; the first line when all fits. */
static void last_page(const pager *p, uint64_t *top, int *row)
{
    uint64_t first = first_of(p);
    int left = p->rows > 0 ? p->rows : 1;
    *top = scrollback_end(p->text);
    *row = 0;
    while (*top > first && left > 0) {
        (*top)--;
        int rows = height(p, *top);
        *row = rows > left ? rows - left : 0;
        left -= rows;
    }
}

/* Limits the position to the text; at the last page, the pager follows the end. */
static void settle(pager *p)
{
    uint64_t top;
    int row;
    last_page(p, &top, &row);
    if (p->top < first_of(p)) {
        p->top = first_of(p);
        p->top_row = 0;
    }
    bool beyond = p->top > top || (p->top == top && p->top_row >= row);
    if (p->follow || beyond) {
        p->top = top;
        p->top_row = row;
    }
}

static void scroll(pager *p, int by)
{
    uint64_t first = first_of(p), end = scrollback_end(p->text), last;
    int row;
    settle(p);
    p->follow = false;
    p->top_row += by;
    while (p->top_row < 0 && p->top > first) {
        p->top--;
        p->top_row += height(p, p->top);
    }
    p->top_row = p->top_row < 0 ? 0 : p->top_row;
    while (p->top + 1 < end && p->top_row >= height(p, p->top)) {
        p->top_row -= height(p, p->top);
        p->top++;
    }
    last_page(p, &last, &row);
    p->follow = by > 0 && (p->top > last || (p->top == last && p->top_row >= row));
}

/* The number of the line after the one at the bottom. */
static uint64_t beyond_foot(const pager *p)
{
    uint64_t line = p->top, end = scrollback_end(p->text);
    for (int left = p->rows + p->top_row; line < end && left > 0; line++)
        left -= height(p, line);
    return line;
}

uint64_t pager_below(const pager *p)
{
    return scrollback_end(p->text) - beyond_foot(p);
}

void pager_place(const pager *p, char *out, size_t size)
{
    uint64_t first = first_of(p), end = scrollback_end(p->text);
    if (end == first) {
        snprintf(out, size, "no lines");
        return;
    }
    snprintf(out, size, "lines %llu-%llu of %llu", (unsigned long long)(p->top - first + 1),
             (unsigned long long)(beyond_foot(p) - first), (unsigned long long)(end - first));
}

/* ---- drawing ------------------------------------------------------------------------------- */

static bool has_wanted(const pager *p, const char *bytes, size_t length)
{
    char *copy = p->wanted[0] != '\0' ? strndup(bytes, length) : NULL;
    bool found = copy && strcasestr(copy, p->wanted);
    free(copy);
    return found;
}

void pager_draw(pager *p, terminal *t, rect area)
{
    p->rows = area.rows;
    p->cols = area.cols;
    p->utf8 = terminal_utf8(t);
    if (area.rows <= 0 || area.cols <= 0)
        return;
    settle(p);
    int row = area.row - p->top_row;
    for (uint64_t i = p->top; i < scrollback_end(p->text) && row < area.row + area.rows; i++) {
        size_t length;
        line_kind kind;
        const char *bytes = scrollback_line(p->text, i, &length, &kind);
        bool here = has_wanted(p, bytes, length);
        terminal_style style = i == p->found ? STYLE_SELECTED
                               : here        ? STYLE_VALUE
                                             : line_style(kind);
        int rows = draw_line(t, area, row, bytes, length, style);
        if (p->key_column > 0 && kind == LINE_OUTPUT && i != p->found && row >= area.row) {
            size_t keys = cells_fit(bytes, length, p->key_column, p->utf8);
            terminal_put_bytes(t, row, area.col, p->key_column, STYLE_VALUE, bytes, keys);
        }
        row += rows;
    }
}

/* ---- requests ------------------------------------------------------------------------------ */

bool pager_request(pager *p, int request)
{
    int page = p->rows > 2 ? p->rows - 1 : 1;
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        scroll(p, request == REQ_UP ? -1 : 1);
        return true;
    case REQ_WHEEL_UP:
    case REQ_WHEEL_DOWN:
        scroll(p, request == REQ_WHEEL_UP ? -3 : 3);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        scroll(p, request == REQ_PAGE_UP ? -page : page);
        return true;
    case REQ_FIRST:
        p->follow = false;
        p->top = first_of(p);
        p->top_row = 0;
        return true;
    case REQ_LAST:
        p->follow = true;
        return true;
    default:
        return false;
    }
}

/* Finds the next line from `line` on that contains the wanted text, wrapping around. */
static bool search(pager *p, uint64_t line, bool forward)
{
    uint64_t first = first_of(p), end = scrollback_end(p->text), count = end - first;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t at = (line - first + (forward ? k : count - k)) % count + first;
        size_t length;
        line_kind kind;
        const char *bytes = scrollback_line(p->text, at, &length, &kind);
        if (has_wanted(p, bytes, length)) {
            bool seen = at >= p->top && at < beyond_foot(p);
            p->found = at;
            p->follow = p->follow && seen;
            if (!seen) {
                p->top = at;
                p->top_row = 0;
                scroll(p, -p->rows / 3); /* with some context before it */
            }
            return true;
        }
    }
    return false;
}

bool pager_find(pager *p, const char *wanted)
{
    snprintf(p->wanted, sizeof p->wanted, "%s", wanted);
    p->found = UINT64_MAX;
    settle(p);
    return p->wanted[0] == '\0' || search(p, p->top, true);
}

bool pager_find_next(pager *p, bool forward)
{
    uint64_t first = first_of(p), end = scrollback_end(p->text);
    if (p->wanted[0] == '\0' || end == first)
        return false;
    settle(p);
    bool from_found = p->found >= first && p->found < end;
    uint64_t at = !from_found ? p->top : forward ? p->found + 1 : p->found + (end - first) - 1;
    return search(p, (at - first) % (end - first) + first, forward);
}
