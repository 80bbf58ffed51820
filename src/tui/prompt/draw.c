/* How the prompt looks: the line laid out in rows, the list of completions above it. */
#include "tui/prompt/prompt_inside.h"

#include "tui/terminal/cells.h"

#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

enum { LIST_ROWS = 8 };

static void list_shape(const prompt *p, const screen *s, int *across, int *width);

bool prompt_listing(const prompt *p)
{
    return p->list != NULL;
}

bool prompt_chosen(const prompt *p)
{
    return p->list && p->list_at != SIZE_MAX;
}

void prompt_walk(prompt *p, const screen *s, int words, int rows)
{
    int across, width;
    if (!p->list || p->list_start > (size_t)rl_point)
        return;
    list_shape(p, s, &across, &width);
    long count = (long)p->list_count, by = words + rows * across;
    long from = p->list_at != SIZE_MAX ? (long)p->list_at : by > 0 ? -1 : 0;
    p->list_at = (size_t)(((from + by) % count + count) % count);
    prompt_replace_word(p->list_start, p->list[p->list_at], strlen(p->list[p->list_at]));
}

/* Walks over the prompt and the line as they are laid out in `cols` columns. */
typedef struct layout {
    int row, col;
    int cols, indent;
    bool utf8;
} layout;

/* Places one character: where it goes. The walk stands behind it afterwards. */
static void layout_step(layout *l, wchar_t ch, int *row, int *col)
{
    if (ch == L'\n') {
        *row = l->row;
        *col = l->col;
        l->row++;
        l->col = l->indent;
        return;
    }
    int columns = cells_columns(cells_shown(ch, l->utf8));
    if (l->col + columns > l->cols) {
        l->row++;
        l->col = 0;
    }
    *row = l->row;
    *col = l->col;
    l->col += columns;
}

static const char *shown_label(void)
{
    return rl_display_prompt ? rl_display_prompt : "";
}

static void layout_label(layout *l, const screen *s)
{
    *l = (layout){.cols = scr_cols(s), .utf8 = scr_utf8(s)};
    const char *label = shown_label();
    size_t left = strlen(label);
    while (left > 0) {
        wchar_t ch;
        int row, col;
        size_t taken = cells_decode(label, left, &ch);
        layout_step(l, ch, &row, &col);
        label += taken;
        left -= taken;
    }
    l->indent = l->row == 0 && l->col * 2 < l->cols ? l->col : 0;
}

static int line_rows(const screen *s)
{
    layout l;
    layout_label(&l, s);
    for (int i = 0; i < rl_end;) {
        wchar_t ch;
        int row, col;
        i += (int)cells_decode(rl_line_buffer + i, (size_t)(rl_end - i), &ch);
        layout_step(&l, ch, &row, &col);
    }
    /* The cursor behind a full last row needs one more. */
    return l.row + 1 + (l.col >= l.cols ? 1 : 0);
}

/* Columns of the list: how many words go side by side, and how wide each is. */
static void list_shape(const prompt *p, const screen *s, int *across, int *width)
{
    int widest = 1;
    for (size_t i = 0; i < p->list_count; i++) {
        int columns = cells_width(p->list[i], scr_utf8(s));
        widest = columns > widest ? columns : widest;
    }
    *width = widest + 2;
    *across = scr_cols(s) / *width > 0 ? scr_cols(s) / *width : 1;
}

static int list_rows(const prompt *p, const screen *s, int most)
{
    int across, width;
    if (!p->list || most <= 0)
        return 0;
    list_shape(p, s, &across, &width);
    int rows = ((int)p->list_count + across - 1) / across;
    rows = rows > LIST_ROWS ? LIST_ROWS : rows;
    return rows > most ? most : rows;
}

int prompt_rows(const prompt *p, const screen *s, int most)
{
    int rows = line_rows(s);
    if (rows >= most)
        return most;
    return rows + list_rows(p, s, most - rows);
}

static void draw_list(const prompt *p, screen *s, rect area)
{
    int across, width;
    list_shape(p, s, &across, &width);
    size_t places = (size_t)(area.rows * across), first = 0;
    if (p->list_at != SIZE_MAX && p->list_at + 1 >= places) /* rows go up as the choice goes on */
        first = ((p->list_at + 1 - places) / (size_t)across + 1) * (size_t)across;
    for (size_t i = first; i < p->list_count && i < first + places; i++) {
        int row = area.row + (int)(i - first) / across;
        int col = area.col + (int)(i - first) % across * width;
        if (i + 1 == first + places && p->list_count > i + 1) {
            char more[32];
            snprintf(more, sizeof more, "... %zu more", p->list_count - i);
            scr_put(s, row, col, scr_cols(s) - col, STYLE_DIM, more);
        } else {
            scr_style style = i == p->list_at ? STYLE_SELECTED : STYLE_VALUE;
            scr_put(s, row, col, width - 1, style, p->list[i]);
        }
    }
}

/* Draws text at the walk's place; rows before `skip` are scrolled out. */
static void draw_text(screen *s, layout *l, rect area, int skip, scr_style style, const char *text,
                      int length, int cursor)
{
    for (int i = 0; i < length;) {
        wchar_t ch;
        int row, col;
        int taken = (int)cells_decode(text + i, (size_t)(length - i), &ch);
        layout_step(l, ch, &row, &col);
        if (i == cursor)
            scr_cursor(s, area.row + row - skip, area.col + col);
        if (ch != L'\n' && row >= skip && row - skip < area.rows) {
            scr_put_bytes(s, area.row + row - skip, area.col + col, 2, style, text + i,
                          (size_t)taken);
        }
        i += taken;
    }
    if (cursor == length) {
        bool wrapped = l->col >= l->cols;
        scr_cursor(s, area.row + l->row - skip + (wrapped ? 1 : 0), wrapped ? 0 : l->col);
    }
}

/* The row that the cursor is in. */
static int cursor_row(const screen *s)
{
    layout l;
    int row = 0, col = 0;
    layout_label(&l, s);
    for (int i = 0; i < rl_end && i <= rl_point;) {
        wchar_t ch;
        i += (int)cells_decode(rl_line_buffer + i, (size_t)(rl_end - i), &ch);
        layout_step(&l, ch, &row, &col);
    }
    return rl_point >= rl_end ? l.row + (l.col >= l.cols ? 1 : 0) : row;
}

void prompt_draw(const prompt *p, screen *s, rect area, bool focus)
{
    int lines = line_rows(s);
    int shown = lines > area.rows ? area.rows : lines;
    int listed = list_rows(p, s, area.rows - shown);
    scr_erase(s, area);
    if (listed > 0)
        draw_list(p, s, (rect){area.row, area.col, listed, area.cols});
    rect text = {area.row + listed, area.col, area.rows - listed, area.cols};
    int skip = cursor_row(s) - text.rows + 1;
    skip = skip < 0 ? 0 : skip;
    layout l;
    layout_label(&l, s);
    layout from = {.cols = l.cols, .utf8 = l.utf8};
    const char *label = shown_label();
    draw_text(s, &from, text, skip, focus ? STYLE_BOLD : STYLE_DIM, label, (int)strlen(label), -1);
    draw_text(s, &l, text, skip, STYLE_NORMAL, rl_line_buffer, rl_end, focus ? rl_point : -1);
}
