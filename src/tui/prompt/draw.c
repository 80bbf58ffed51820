/* How the prompt looks: the line laid out in rows, the list of completions above it. */
#include "tui/prompt/inside.h"

#include "tui/terminal/cells.h"

#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

enum { LIST_ROWS = 8 };

static void list_shape(const prompt *p, const terminal *t, int *across, int *width);

bool prompt_listing(const prompt *p)
{
    return p->list != NULL;
}

bool prompt_chosen(const prompt *p)
{
    return p->list && p->list_at != SIZE_MAX;
}

void prompt_walk(prompt *p, const terminal *t, int words, int rows)
{
    int across, width;
    if (!p->list || p->list_start > (size_t)rl_point)
        return;
    list_shape(p, t, &across, &width);
    long count = (long)p->list_count, by = words + rows * across;
    long from = p->list_at != SIZE_MAX ? (long)p->list_at : by > 0 ? -1 : 0;
    p->list_at = (size_t)(((from + by) % count + count) % count);
    prompt_replace_word(p->list_start, p->list[p->list_at], strlen(p->list[p->list_at]));
}

/* The layout of the prompt and the line in `cols` columns, one character at a time. */
typedef struct layout {
    int row, col;
    int cols, indent;
    bool utf8;
    rect area; /* where it is drawn, */
    int skip;  /* the number of rows scrolled out at the top */
} layout;

/* Places one character and returns its position; the layout then stands after it. */
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

static void layout_label(layout *l, const terminal *t)
{
    *l = (layout){.cols = terminal_cols(t), .utf8 = terminal_utf8(t)};
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

static int line_rows(const terminal *t)
{
    layout l;
    layout_label(&l, t);
    for (int i = 0; i < rl_end;) {
        wchar_t ch;
        int row, col;
        i += (int)cells_decode(rl_line_buffer + i, (size_t)(rl_end - i), &ch);
        layout_step(&l, ch, &row, &col);
    }
    /* The cursor after a full last row needs one more row. */
    return l.row + 1 + (l.col >= l.cols ? 1 : 0);
}

/* The shape of the completion list: the number of words per row and the width of each. */
static void list_shape(const prompt *p, const terminal *t, int *across, int *width)
{
    int widest = 1;
    for (size_t i = 0; i < p->list_count; i++) {
        int columns = cells_width(p->list[i], terminal_utf8(t));
        widest = columns > widest ? columns : widest;
    }
    *width = widest + 2;
    *across = terminal_cols(t) / *width > 0 ? terminal_cols(t) / *width : 1;
}

static int list_rows(const prompt *p, const terminal *t, int most)
{
    int across, width;
    if (!p->list || most <= 0)
        return 0;
    list_shape(p, t, &across, &width);
    int rows = ((int)p->list_count + across - 1) / across;
    rows = rows > LIST_ROWS ? LIST_ROWS : rows;
    return rows > most ? most : rows;
}

int prompt_rows(const prompt *p, const terminal *t, int most)
{
    int rows = line_rows(t);
    if (rows >= most)
        return most;
    return rows + list_rows(p, t, most - rows);
}

static void draw_list(const prompt *p, terminal *t, rect area)
{
    int across, width;
    list_shape(p, t, &across, &width);
    size_t places = (size_t)(area.rows * across), first = 0;
    if (p->list_at != SIZE_MAX && p->list_at + 1 >= places) /* scroll so that the chosen word is
                                                             * visible */
        first = ((p->list_at + 1 - places) / (size_t)across + 1) * (size_t)across;
    for (size_t i = first; i < p->list_count && i < first + places; i++) {
        int row = area.row + (int)(i - first) / across;
        int col = area.col + (int)(i - first) % across * width;
        if (i + 1 == first + places && p->list_count > i + 1) {
            char more[32];
            snprintf(more, sizeof more, "... %zu more", p->list_count - i);
            terminal_put(t, row, col, terminal_cols(t) - col, STYLE_DIM, more);
        } else {
            terminal_style style = i == p->list_at ? STYLE_SELECTED : STYLE_VALUE;
            terminal_put(t, row, col, width - 1, style, p->list[i]);
        }
    }
}

/* Draws text at the layout's position; cursor -1: the cursor is not in this text. */
static void draw_text(terminal *t, layout *l, terminal_style style, const char *text, int length,
                      int cursor)
{
    rect area = l->area;
    int skip = l->skip;
    for (int i = 0; i < length;) {
        wchar_t ch;
        int row, col;
        int taken = (int)cells_decode(text + i, (size_t)(length - i), &ch);
        layout_step(l, ch, &row, &col);
        if (i == cursor)
            terminal_cursor(t, area.row + row - skip, area.col + col);
        if (ch != L'\n' && row >= skip && row - skip < area.rows) {
            terminal_put_bytes(t, area.row + row - skip, area.col + col, 2, style, text + i,
                               (size_t)taken);
        }
        i += taken;
    }
    if (cursor == length) {
        bool wrapped = l->col >= l->cols;
        terminal_cursor(t, area.row + l->row - skip + (wrapped ? 1 : 0), wrapped ? 0 : l->col);
    }
}

/* The row that the cursor is in. */
static int cursor_row(const terminal *t)
{
    layout l;
    int row = 0, col = 0;
    layout_label(&l, t);
    for (int i = 0; i < rl_end && i <= rl_point;) {
        wchar_t ch;
        i += (int)cells_decode(rl_line_buffer + i, (size_t)(rl_end - i), &ch);
        layout_step(&l, ch, &row, &col);
    }
    return rl_point >= rl_end ? l.row + (l.col >= l.cols ? 1 : 0) : row;
}

void prompt_draw(const prompt *p, terminal *t, rect area, bool focus)
{
    int lines = line_rows(t);
    int shown = lines > area.rows ? area.rows : lines;
    int listed = list_rows(p, t, area.rows - shown);
    terminal_erase(t, area);
    if (listed > 0)
        draw_list(p, t, (rect){area.row, area.col, listed, area.cols});
    rect text = {area.row + listed, area.col, area.rows - listed, area.cols};
    int skip = cursor_row(t) - text.rows + 1;
    skip = skip < 0 ? 0 : skip;
    layout l;
    layout_label(&l, t);
    l.area = text;
    l.skip = skip;
    layout from = {.cols = l.cols, .utf8 = l.utf8, .area = text, .skip = skip};
    const char *label = shown_label();
    draw_text(t, &from, focus ? STYLE_BOLD : STYLE_DIM, label, (int)strlen(label), -1);
    draw_text(t, &l, p->fresh ? STYLE_SELECTED : STYLE_NORMAL, rl_line_buffer, rl_end,
              focus ? rl_point : -1);
}
