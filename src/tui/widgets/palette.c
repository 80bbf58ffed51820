#include "tui/widgets/palette.h"

#include "tui/terminal/cells.h"
#include "tui/terminal/wrap.h"
#include "tui/widgets/list.h"
#include "tui/widgets/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64, TITLE_MAX = 160, PAGE_ROWS = 10, WIDTH_MAX = 90, ROWS_MAX = 16 };

typedef struct entry {
    palette_choice choice;
    char title[TITLE_MAX], key[32];
} entry;

struct palette {
    entry *entries;
    size_t count;
    size_t *shown; /* count: number of matching entries */
    size_t shown_count;
    char text[TEXT_MAX];
    list rows; /* rows of the entries shown */
};

/* ---- what there is ------------------------------------------------------------------------- */

palette *palette_new(void)
{
    palette *p = calloc(1, sizeof *p);
    if (p)
        p->rows.page = PAGE_ROWS;
    return p;
}

bool palette_add(palette *p, const palette_choice *choice, const char *title, const char *key)
{
    entry *entries = realloc(p->entries, (p->count + 1) * sizeof *entries);
    if (!entries)
        return false;
    p->entries = entries;
    size_t *shown = realloc(p->shown, (p->count + 1) * sizeof *shown);
    if (!shown)
        return false;
    p->shown = shown;
    entry *e = &p->entries[p->count];
    *e = (entry){.choice = *choice};
    snprintf(e->title, sizeof e->title, "%s", title);
    snprintf(e->key, sizeof e->key, "%s", key);
    p->shown[p->shown_count++] = p->count++;
    list_resize(&p->rows, p->shown_count);
    return true;
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Whether every word typed occurs in the title. */
static bool matches(const char *title, const char *text)
{
    char words[TEXT_MAX];
    char *rest = NULL;
    snprintf(words, sizeof words, "%s", text);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (!strcasestr(title, word))
            return false;
    return true;
}

static void find(palette *p)
{
    p->shown_count = 0;
    for (size_t i = 0; i < p->count; i++)
        if (matches(p->entries[i].title, p->text))
            p->shown[p->shown_count++] = i;
    list_resize(&p->rows, p->shown_count);
    list_choose(&p->rows, 0);
}

void palette_free(palette *p)
{
    if (p) {
        free(p->entries);
        free(p->shown);
        free(p);
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void type(palette *p, int code, const char *bytes, size_t length)
{
    size_t used = strlen(p->text);
    if (code == TK_BACKSPACE || code == KEY_CTRL('H')) {
        while (used > 0 && (p->text[used - 1] & 0xc0) == 0x80)
            used--; /* the remaining bytes of a character */
        p->text[used > 0 ? used - 1 : 0] = '\0';
    } else if (code == KEY_CTRL('U')) {
        p->text[0] = '\0';
    } else if (code >= ' ' && code < KEYS_BASE && used + length < sizeof p->text) {
        memcpy(p->text + used, bytes, length);
        p->text[used + length] = '\0';
    }
    find(p);
}

bool palette_key(palette *p, const key_event *key, const char *bytes, size_t length,
                 palette_choice *choice)
{
    choice->kind = PALETTE_NOTHING;
    switch (key->code) {
    case TK_ENTER:
    case '\n':
        if (p->rows.chosen < p->shown_count)
            *choice = p->entries[p->shown[p->rows.chosen]].choice;
        return false;
    case TK_ESC:
    case KEY_CTRL('C'):
    case KEY_CTRL('G'):
    case KEY_CTRL('P'):
        return false;
    case TK_UP:
    case TK_WHEEL_UP:
        list_request(&p->rows, REQ_UP);
        return true;
    case TK_DOWN:
    case TK_WHEEL_DOWN:
        list_request(&p->rows, REQ_DOWN);
        return true;
    case TK_PAGE_UP:
    case TK_PAGE_DOWN:
        list_request(&p->rows, key->code == TK_PAGE_UP ? REQ_PAGE_UP : REQ_PAGE_DOWN);
        return true;
    default:
        type(p, key->code, bytes, length);
        return true;
    }
}

void palette_paste(palette *p, const char *text)
{
    size_t used = strlen(p->text), length = strcspn(text, "\n");
    if (used + length < sizeof p->text)
        snprintf(p->text + used, sizeof p->text - used, "%.*s", (int)length, text);
    find(p);
}

/* ---- drawing ------------------------------------------------------------------------------- */

/* What there is of a title beside the entry's key. */
static bool is_cut(const terminal *t, const entry *e, int cols)
{
    int keys = cells_width(e->key, terminal_utf8(t));
    return cells_width(e->title, terminal_utf8(t)) > cols - (keys > 0 ? keys + 2 : 0);
}

static void draw_entry(const palette *p, terminal *t, rect at, size_t row)
{
    const entry *e = &p->entries[p->shown[row]];
    terminal_style style = row == p->rows.chosen ? STYLE_SELECTED : STYLE_NORMAL;
    int keys = cells_width(e->key, terminal_utf8(t));
    terminal_put_padded(t, at.row, at.col, at.cols, style, e->title);
    if (keys > 0 && at.cols > keys + 18) {
        terminal_put(t, at.row, at.col + at.cols - 2 - keys, keys + 2, style, "  ");
        terminal_put(t, at.row, at.col + at.cols - keys, keys, style, e->key);
    }
}

/* Rows below the list for the whole of the chosen title: none when no title is cut. */
static int foot_rows(const palette *p, const terminal *t, int cols, int most)
{
    int rows = 0;
    for (size_t i = 0; i < p->shown_count; i++) {
        const entry *e = &p->entries[p->shown[i]];
        int taken = wrap_rows(e->title, strlen(e->title), cols, terminal_utf8(t));
        rows = is_cut(t, e, cols) && taken > rows ? taken : rows;
    }
    return rows < most ? rows : most;
}

void palette_draw(palette *p, terminal *t, rect area)
{
    enum { FOOT_MAX = 3 };
    size_t row;
    rect at;
    int cols = area.cols - 4 < WIDTH_MAX ? area.cols - 4 : WIDTH_MAX, inside = cols - 2;
    int foot = area.rows >= 12 ? foot_rows(p, t, inside, FOOT_MAX) : 0;
    int most = area.rows - 4 - foot < ROWS_MAX ? area.rows - 4 - foot : ROWS_MAX;
    int rows = (int)p->shown_count < most ? (int)p->shown_count : most;
    bool nothing = p->shown_count == 0;
    rows = nothing && most > 0 ? 1 : rows;
    rect box = {area.row + 1, area.col + (area.cols - cols) / 2, rows + 3 + foot, cols};
    if (rows < 0 || cols < 10)
        return;
    terminal_erase(t, box);
    terminal_box(t, box, "what to do: type a part of it, Enter does it", true);
    int used = terminal_put(t, box.row + 1, box.col + 1, inside, STYLE_BOLD, "> ");
    used += terminal_put(t, box.row + 1, box.col + 1 + used, inside - used, STYLE_NORMAL, p->text);
    terminal_cursor(t, box.row + 1, box.col + 1 + used);
    if (nothing)
        terminal_put(t, box.row + 2, box.col + 1, inside, STYLE_WARN,
                     "nothing fits; Backspace takes letters off, Ctrl-U all of them");
    list_show(&p->rows, (rect){box.row + 2, box.col + 1, rows, inside}, p->shown_count);
    for (int i = 0; list_row(&p->rows, i, &row, &at); i++)
        draw_entry(p, t, at, row);
    const entry *chosen =
        p->rows.chosen < p->shown_count ? &p->entries[p->shown[p->rows.chosen]] : NULL;
    if (foot > 0 && chosen && is_cut(t, chosen, inside))
        wrap_draw(t, (rect){box.row + 2 + rows, box.col + 1, foot, inside}, STYLE_DIM,
                  chosen->title);
}
