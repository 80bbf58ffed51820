/* Drawing into the cells of the screen: text in a style, boxes, plots; and the screen as text. */
#include "tui/terminal/inside.h"

#include "tui/terminal/cells.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static attr_t style_attributes(const terminal *t, terminal_style style, short *pair)
{
    static const struct {
        attr_t attributes;
        int role;    /* < 0: the terminal's own colour */
        attr_t mono; /* attributes on a terminal without colours */
    } table[STYLE_COUNT] = {
        [STYLE_NORMAL] = {A_NORMAL, -1, A_NORMAL},
        [STYLE_DIM] = {A_DIM, -1, A_DIM},
        [STYLE_BOLD] = {A_BOLD, -1, A_BOLD},
        [STYLE_BAR] = {A_NORMAL, ROLE_BAR, A_REVERSE},
        [STYLE_BORDER] = {A_NORMAL, ROLE_BORDER, A_DIM},
        [STYLE_TITLE] = {A_BOLD, ROLE_TITLE, A_BOLD},
        [STYLE_SELECTED] = {A_NORMAL, ROLE_SELECTED, A_REVERSE},
        [STYLE_VALUE] = {A_NORMAL, ROLE_VALUE, A_NORMAL},
        [STYLE_ERROR] = {A_BOLD, ROLE_ERROR, A_BOLD},
        [STYLE_GOOD] = {A_NORMAL, ROLE_GOOD, A_NORMAL},
        [STYLE_WARN] = {A_NORMAL, ROLE_WARN, A_BOLD},
    };
    int role = table[style].role;
    bool own = role >= 0 && t->theme.colours[role].rgb < 0;
    bool plain = !t->coloured || own; /* a role without a colour is drawn as on a terminal without
                                       * colours */
    attr_t attributes = plain ? table[style].mono : table[style].attributes;
    *pair = (short)(plain || role < 0 ? 0 : PAIR_ROLE + role);
    return t->theme.plain ? attributes & ~(attr_t)A_DIM : attributes;
}

static int series_pair(int colour)
{
    return PAIR_ROLE + ROLE_SERIES + colour % THEME_SERIES;
}

static int put_run(terminal *t, int row, int col, int width, const char *text, size_t length)
{
    enum { CHUNK = 256 };
    wchar_t run[CHUNK];
    int count = 0, used = 0, at = col;
    if (row < 0 || row >= t->rows || col < 0 || col >= t->cols)
        return 0;
    width = width > t->cols - col ? t->cols - col : width;
    while (length > 0 && *text != '\n') {
        wchar_t ch;
        size_t taken = cells_decode(text, length, &ch);
        ch = cells_shown(ch, t->utf8);
        int columns = cells_columns(ch);
        if (used + columns > width)
            break;
        if (count == CHUNK) {
            mvaddnwstr(row, at, run, count);
            at = col + used;
            count = 0;
        }
        run[count++] = ch;
        used += columns;
        text += taken;
        length -= taken;
    }
    if (count > 0)
        mvaddnwstr(row, at, run, count);
    return used;
}

int terminal_put_bytes(terminal *t, int row, int col, int width, terminal_style style,
                       const char *text, size_t length)
{
    short pair;
    attr_t attributes = style_attributes(t, style, &pair);
    attr_set(attributes, pair, NULL);
    int used = put_run(t, row, col, width, text, length);
    attr_set(A_NORMAL, 0, NULL);
    return used;
}

/* The number of bytes of the text's first line that fit; an ellipsis takes the last column when
 * more follow. */
static size_t cut(const terminal *t, int col, int width, const char *text, bool *ellipsis)
{
    enum { MIN_CUT = 3 }; /* fewer columns show more without one */
    size_t length = strcspn(text, "\n");
    width = width > t->cols - col ? t->cols - col : width;
    size_t fits = cells_fit(text, length, width, t->utf8);
    *ellipsis = fits < length && width >= MIN_CUT;
    return *ellipsis ? cells_fit(text, length, width - 1, t->utf8) : fits;
}

int terminal_put(terminal *t, int row, int col, int width, terminal_style style, const char *text)
{
    bool ellipsis;
    size_t length = cut(t, col, width, text, &ellipsis);
    int used = terminal_put_bytes(t, row, col, width, style, text, length);
    if (ellipsis)
        used += terminal_put_bytes(t, row, col + used, 1, style, t->utf8 ? "…" : "~",
                                   t->utf8 ? strlen("…") : 1);
    return used;
}

static void put_blanks(terminal *t, int row, int col, int width, terminal_style style)
{
    short pair;
    if (row < 0 || row >= t->rows || col < 0 || col >= t->cols || width <= 0)
        return;
    attr_t attributes = style_attributes(t, style, &pair);
    attr_set(attributes, pair, NULL);
    mvhline(row, col, ' ' | (chtype)attributes, width > t->cols - col ? t->cols - col : width);
    attr_set(A_NORMAL, 0, NULL);
}

void terminal_put_padded(terminal *t, int row, int col, int width, terminal_style style,
                         const char *text)
{
    int used = terminal_put(t, row, col, width, style, text);
    put_blanks(t, row, col + used, width - used, style);
}

void terminal_put_right(terminal *t, int row, int col, int width, terminal_style style,
                        const char *text)
{
    int columns = cells_width(text, t->utf8);
    int offset = columns < width ? width - columns : 0;
    terminal_put(t, row, col + offset, width - offset, style, text);
}

int terminal_put_colour(terminal *t, int row, int col, int width, int colour, const char *text)
{
    attr_set(A_NORMAL, (short)(t->coloured ? series_pair(colour) : 0), NULL);
    int used = put_run(t, row, col, width, text, strlen(text));
    attr_set(A_NORMAL, 0, NULL);
    return used;
}

void terminal_erase(terminal *t, rect area)
{
    for (int row = 0; row < area.rows; row++)
        put_blanks(t, area.row + row, area.col, area.cols, STYLE_NORMAL);
}

static void box_edge(terminal *t, rect area, int row, const char *left, const char *right,
                     terminal_style style)
{
    const char *flat = terminal_pick(t, "─", "-");
    terminal_put(t, row, area.col, 1, style, left);
    for (int col = 1; col < area.cols - 1; col++)
        terminal_put(t, row, area.col + col, 1, style, flat);
    terminal_put(t, row, area.col + area.cols - 1, 1, style, right);
}

void terminal_box(terminal *t, rect area, const char *title, bool focus)
{
    terminal_style style = focus ? STYLE_BOLD : STYLE_BORDER;
    if (area.rows < 2 || area.cols < 2)
        return;
    box_edge(t, area, area.row, terminal_pick(t, "┌", "+"), terminal_pick(t, "┐", "+"), style);
    const char *side = terminal_pick(t, "│", "|");
    for (int row = 1; row < area.rows - 1; row++) {
        terminal_put(t, area.row + row, area.col, 1, style, side);
        terminal_put(t, area.row + row, area.col + area.cols - 1, 1, style, side);
    }
    box_edge(t, area, area.row + area.rows - 1, terminal_pick(t, "└", "+"),
             terminal_pick(t, "┘", "+"), style);
    if (title && title[0] != '\0' && area.cols > 6) {
        terminal_put(t, area.row, area.col + 1, 1, STYLE_NORMAL, " ");
        int used = terminal_put(t, area.row, area.col + 2, area.cols - 4, STYLE_TITLE, title);
        terminal_put(t, area.row, area.col + 2 + used, 1, STYLE_NORMAL, " ");
    }
}

void terminal_box_foot(terminal *t, rect area, const char *text)
{
    int width = cells_width(text, t->utf8), row = area.row + area.rows - 1;
    if (area.rows < 3 || width + 4 > area.cols)
        return;
    int col = area.col + area.cols - 2 - width;
    terminal_put(t, row, col - 1, 1, STYLE_NORMAL, " ");
    terminal_put(t, row, col, width, STYLE_DIM, text);
    terminal_put(t, row, col + width, 1, STYLE_NORMAL, " ");
}

static void grid_attributes(const terminal *t, const plot_cell *cell)
{
    attr_t attributes = cell->bold ? A_BOLD : A_NORMAL;
    short pair = 0;
    if (t->shades && (cell->colour >= PLOT_SHADE || cell->ground >= PLOT_SHADE)) {
        int letters = cell->colour >= PLOT_SHADE ? cell->colour - PLOT_SHADE + 1 : 0;
        int ground = cell->ground >= PLOT_SHADE ? cell->ground - PLOT_SHADE + 1 : 0;
        pair = (short)(PAIR_SHADE + letters * SHADES + ground);
    } else if (cell->colour >= 0 && t->coloured)
        pair = (short)series_pair(cell->colour);
    else if (cell->colour == PLOT_ROLE_AXIS && !t->theme.plain)
        attributes |= A_DIM;
    else if (cell->colour == PLOT_ROLE_CURSOR)
        attributes |= A_BOLD;
    attr_set(attributes, pair, NULL);
}

static void grid_row(terminal *t, int row, int col, const plot_cell *cells, int count)
{
    enum { CHUNK = 128 };
    wchar_t run[CHUNK];
    int from = 0;
    while (from < count) {
        int length = 0, to = from;
        while (to < count && length < CHUNK && cells[to].colour == cells[from].colour &&
               cells[to].bold == cells[from].bold && cells[to].ground == cells[from].ground) {
            if (cells[to].ch != 0)
                run[length++] = cells_shown((wchar_t)cells[to].ch, t->utf8);
            to++;
        }
        grid_attributes(t, &cells[from]);
        mvaddnwstr(row, col + from, run, length);
        from = to;
    }
    attr_set(A_NORMAL, 0, NULL);
}

void terminal_grid(terminal *t, int row, int col, const plot_grid *grid)
{
    int cols = (int)grid->cols > t->cols - col ? t->cols - col : (int)grid->cols;
    for (int i = 0; i < (int)grid->rows && row + i < t->rows; i++)
        grid_row(t, row + i, col, grid->cells + (size_t)i * grid->cols, cols);
}

const char *terminal_pick(const terminal *t, const char *utf8, const char *ascii)
{
    return t->utf8 ? utf8 : ascii;
}

void terminal_cursor(terminal *t, int row, int col)
{
    t->cursor_row = row;
    t->cursor_col = col < t->cols ? col : t->cols - 1;
}

void terminal_show_single_cell(const terminal *t)
{
    wchar_t cell[2] = {0};
    char bytes[MB_LEN_MAX + 2] = "\r";
    if (t->rows == 1 && t->cols == 1 && mvinnwstr(0, 0, cell, 1) != ERR) {
        int length = wctomb(bytes + 1, cell[0]);
        bytes[length > 0 ? length + 1 : 0] = '\0';
        tty_write(t->device, bytes);
    }
}

/* The text of a row without trailing blanks. */
static size_t row_text(int row, char *out, size_t size)
{
    enum { ROW_CELLS = 4096 };
    wchar_t cells[ROW_CELLS];
    size_t used = 0, end = 0;
    /* Read to the row's end, as a combining character is a further element in the same cell. */
    if (mvinnwstr(row, 0, cells, ROW_CELLS - 1) == ERR)
        return 0;
    for (int i = 0; cells[i] != 0 && used + MB_LEN_MAX < size; i++) {
        char bytes[MB_LEN_MAX];
        int length = wctomb(bytes, cells[i]);
        if (length > 0) {
            memcpy(out + used, bytes, (size_t)length);
            used += (size_t)length;
            end = cells[i] != L' ' ? used : end;
        }
    }
    return end;
}

tm_status terminal_text(const terminal *t, char **out, tm_error *err)
{
    size_t capacity = (size_t)t->rows * ((size_t)t->cols * 2 + 2) * 4 + MB_LEN_MAX + 1, used = 0;
    char *text = malloc(capacity);
    if (!text)
        return tm_fail_memory(err, "the screen's text");
    for (int row = 0; row < t->rows; row++) {
        used += row_text(row, text + used, capacity - used - 2);
        text[used++] = '\n';
    }
    text[used] = '\0';
    *out = text;
    return TM_OK;
}
