/* The lua view: everything that was typed and printed. */
#include "tui/luaview.h"

#include "tui/app.h"
#include "tui/wrap.h"

#include <stdlib.h>
#include <string.h>

typedef struct luaview {
    uint64_t last; /* the line at the foot, counted from the end: 0 follows new text */
    uint64_t seen; /* end of the text at the last update */
    int page;
} luaview;

static tm_status lua_open(void **state, app *a, tm_error *err)
{
    (void)a;
    *state = calloc(1, sizeof(luaview));
    return *state != NULL ? TM_OK : tm_fail_memory(err, "the lua view");
}

static void lua_close(void *state)
{
    free(state);
}

static bool lua_update(void *state, app *a, unsigned news)
{
    luaview *v = state;
    uint64_t end = scrollback_end(app_session(a)->text);
    /* Scrolled back, the view stays where it is while text arrives below. */
    if (v->last > 0) {
        v->last += end - v->seen;
    }
    v->seen = end;
    return (news & NEWS_TEXT) != 0;
}

static scr_style line_style(line_kind kind)
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

/* Draws a line whose first row goes to `row` (may be above the area). */
static void draw_line(screen *s, rect area, int row, const char *text, size_t length,
                      scr_style style)
{
    do {
        size_t skip, part = wrap_part(text, length, area.cols, scr_utf8(s), &skip);
        if (row >= area.row && row < area.row + area.rows) {
            scr_put_bytes(s, row, area.col, area.cols, style, text, part);
        }
        text += part + skip;
        length -= part + skip;
        row++;
    } while (length > 0);
}

/* Draws the lines in [from, end) upwards from the foot of the area. */
static void draw_upwards(const scrollback *text, screen *s, rect area, uint64_t from, uint64_t end)
{
    int row = area.row + area.rows;
    for (uint64_t i = end; i > from && row > area.row; i--) {
        size_t length;
        line_kind kind;
        const char *bytes = scrollback_line(text, i - 1, &length, &kind);
        row -= wrap_rows(bytes, length, area.cols, scr_utf8(s));
        draw_line(s, area, row, bytes, length, line_style(kind));
    }
}

/* Rows of the lines in [from, end), counted up to `most`. */
static int rows_between(const scrollback *text, screen *s, int cols, uint64_t from, uint64_t end,
                        int most)
{
    int rows = 0;
    for (uint64_t i = from; i < end && rows < most; i++) {
        size_t length;
        line_kind kind;
        const char *bytes = scrollback_line(text, i, &length, &kind);
        rows += wrap_rows(bytes, length, cols, scr_utf8(s));
    }
    return rows;
}

int lua_tail_rows(const scrollback *text, screen *s, uint64_t from, int most)
{
    uint64_t first = scrollback_first(text);
    int rows =
        rows_between(text, s, scr_cols(s), from < first ? first : from, scrollback_end(text), most);
    return rows < most ? rows : most;
}

void lua_tail_draw(const scrollback *text, screen *s, rect area, uint64_t from)
{
    uint64_t first = scrollback_first(text);
    scr_erase(s, area);
    draw_upwards(text, s, area, from < first ? first : from, scrollback_end(text));
}

static void lua_draw(void *state, app *a, screen *s, rect area)
{
    luaview *v = state;
    const scrollback *text = app_session(a)->text;
    uint64_t first = scrollback_first(text), end = scrollback_end(text);
    v->page = area.rows;
    if (v->last > end - first) {
        v->last = end - first;
    }
    /* A short text starts at the top, as on any terminal, and no text is scrolled past its top. */
    int rows = rows_between(text, s, area.cols, first, end - v->last, area.rows);
    while (v->last > 0 && rows < area.rows) {
        v->last--;
        rows = rows_between(text, s, area.cols, first, end - v->last, area.rows);
    }
    rect used = area;
    used.rows = rows < area.rows ? rows : area.rows;
    draw_upwards(text, s, used, first, end - v->last);
    if (v->last > 0) {
        char more[64];
        snprintf(more, sizeof more, " %llu more below ", (unsigned long long)v->last);
        scr_put_right(s, area.row + area.rows - 1, area.col, area.cols, STYLE_SELECTED, more);
    }
}

static void scroll(luaview *v, const scrollback *text, long by)
{
    uint64_t most = scrollback_end(text) - scrollback_first(text);
    if (by > 0) {
        v->last = v->last + (uint64_t)by > most ? most : v->last + (uint64_t)by;
    } else {
        v->last = v->last > (uint64_t)-by ? v->last - (uint64_t)-by : 0;
    }
}

static bool lua_request(void *state, app *a, int request, const key_event *key)
{
    luaview *v = state;
    const scrollback *text = app_session(a)->text;
    long page = v->page > 2 ? v->page - 1 : 1;
    (void)key;
    switch (request) {
    case REQ_UP:
        scroll(v, text, 1);
        return true;
    case REQ_DOWN:
        scroll(v, text, -1);
        return true;
    case REQ_PAGE_UP:
        scroll(v, text, page);
        return true;
    case REQ_PAGE_DOWN:
        scroll(v, text, -page);
        return true;
    case REQ_FIRST:
        scroll(v, text, (long)(scrollback_end(text) - scrollback_first(text)));
        return true;
    case REQ_LAST:
    case REQ_BACK:
        v->last = 0;
        return true;
    default:
        return false;
    }
}

const view_ops lua_view = {
    .name = "lua",
    .open = lua_open,
    .close = lua_close,
    .update = lua_update,
    .draw = lua_draw,
    .request = lua_request,
};
