#include "tui/palette.h"

#include "tui/commands.h"
#include "tui/scripted.h"
#include "tui/terminal/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64, TITLE_MAX = 160, WIDTH_MAX = 90, ROWS_MAX = 16 };

typedef enum entry_kind {
    ENTRY_REQUEST, /* what a key does */
    ENTRY_COMMAND, /* a line with a colon */
    ENTRY_USER,    /* a command in Lua */
} entry_kind;

typedef struct entry {
    entry_kind kind;
    int number; /* of the request, or of the user's command */
    char line[TEXT_MAX];
    char title[TITLE_MAX], key[32];
} entry;

struct palette {
    entry *entries;
    size_t count;
    size_t *shown; /* count: those that match */
    size_t shown_count;
    char text[TEXT_MAX];
    size_t chosen, top;
};

/* ---- what there is ------------------------------------------------------------------------- */

static entry *add(palette *p, entry_kind kind, int number, const char *title)
{
    entry *grown = realloc(p->entries, (p->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    p->entries = grown;
    entry *e = &p->entries[p->count++];
    *e = (entry){.kind = kind, .number = number};
    snprintf(e->title, sizeof e->title, "%s", title);
    return e;
}

static void add_requests(palette *p, int context)
{
    const key_row *row;
    for (size_t i = 0; (row = keys_at(i)) != NULL; i++) {
        bool useless = row->request == REQ_PALETTE || row->request == REQ_BACK;
        if (!row->help || useless || (row->views & 1u << context) == 0)
            continue;
        entry *e = add(p, ENTRY_REQUEST, row->request, row->help);
        if (e)
            keyboard_key_name(row->keys[0], e->key, sizeof e->key);
    }
}

static void add_commands(palette *p, const app *a)
{
    const char *help;
    for (size_t i = 0; (help = command_help(i)) != NULL; i++) {
        char title[TITLE_MAX];
        snprintf(title, sizeof title, ":%s  %s", command_name(i), help);
        entry *e = add(p, ENTRY_COMMAND, 0, title);
        if (e) {
            snprintf(e->line, sizeof e->line, ":%s%s", command_name(i),
                     command_has_argument(i) ? " " : "");
        }
    }
    for (size_t i = 0; i < a->keymap.command_count; i++) {
        const user_command *c = &a->keymap.commands[i];
        char title[TITLE_MAX];
        snprintf(title, sizeof title, ":%s  %s", c->name, c->help);
        if (c->help[0] != '\0')
            add(p, ENTRY_USER, (int)i, title);
    }
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Every word typed is somewhere in the title. */
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
    p->shown_count = p->chosen = p->top = 0;
    for (size_t i = 0; i < p->count; i++)
        if (matches(p->entries[i].title, p->text))
            p->shown[p->shown_count++] = i;
}

palette *palette_open(app *a)
{
    palette *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    add_requests(p, app_context(a));
    add_commands(p, a);
    p->shown = malloc((p->count > 0 ? p->count : 1) * sizeof *p->shown);
    if (!p->shown) {
        palette_free(p);
        return NULL;
    }
    find(p);
    return p;
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

static void carry_out(const palette *p, app *a)
{
    if (p->chosen >= p->shown_count)
        return;
    const entry *e = &p->entries[p->shown[p->chosen]];
    size_t length = strlen(e->line);
    switch (e->kind) {
    case ENTRY_REQUEST:
        dispatch_request(a, e->number);
        break;
    case ENTRY_USER:
        orders_run_command(a, (size_t)e->number, "");
        break;
    case ENTRY_COMMAND:
        if (length > 0 && e->line[length - 1] == ' ') { /* the rest is for the user to type */
            app_start_typing(a);
            prompt_feed(a->prompt, e->line, length);
        } else {
            command_run(a, e->line);
        }
        break;
    }
}

static void choose(palette *p, long by)
{
    long last = (long)p->shown_count - 1, to = (long)p->chosen + by;
    p->chosen = (size_t)(to > last ? (last > 0 ? last : 0) : to < 0 ? 0 : to);
}

static void type(palette *p, int code, const char *bytes, size_t length)
{
    size_t used = strlen(p->text);
    if (code == TK_BACKSPACE || code == 8) {
        while (used > 0 && (p->text[used - 1] & 0xc0) == 0x80)
            used--; /* the rest of a character */
        p->text[used > 0 ? used - 1 : 0] = '\0';
    } else if (code == 21) {
        p->text[0] = '\0';
    } else if (code >= ' ' && code < KEYS_BASE && used + length < sizeof p->text) {
        memcpy(p->text + used, bytes, length);
        p->text[used + length] = '\0';
    }
    find(p);
}

bool palette_key(palette *p, app *a, const key_event *key, const char *bytes, size_t length)
{
    switch (key->code) {
    case TK_ENTER:
    case '\n':
        carry_out(p, a);
        return false;
    case TK_ESC:
    case 3:  /* Ctrl-C */
    case 7:  /* Ctrl-G */
    case 16: /* Ctrl-P */
        return false;
    case TK_UP:
    case TK_WHEEL_UP:
        choose(p, -1);
        return true;
    case TK_DOWN:
    case TK_WHEEL_DOWN:
        choose(p, 1);
        return true;
    case TK_PAGE_UP:
    case TK_PAGE_DOWN:
        choose(p, key->code == TK_PAGE_UP ? -10 : 10);
        return true;
    default:
        type(p, key->code, bytes, length);
        return true;
    }
}

/* ---- drawing ------------------------------------------------------------------------------- */

void palette_draw(palette *p, screen *s, rect area)
{
    int cols = area.cols - 4 < WIDTH_MAX ? area.cols - 4 : WIDTH_MAX;
    int most = area.rows - 4 < ROWS_MAX ? area.rows - 4 : ROWS_MAX;
    int rows = (int)p->shown_count < most ? (int)p->shown_count : most;
    rect box = {area.row + 1, area.col + (area.cols - cols) / 2, rows + 3, cols};
    if (rows < 0 || cols < 10)
        return;
    scr_erase(s, box);
    scr_box(s, box, "what to do: type a part of it, Enter does it", true);
    int used = scr_put(s, box.row + 1, box.col + 1, cols - 2, STYLE_BOLD, "> ");
    used += scr_put(s, box.row + 1, box.col + 1 + used, cols - 2 - used, STYLE_NORMAL, p->text);
    scr_cursor(s, box.row + 1, box.col + 1 + used);
    if (p->chosen < p->top)
        p->top = p->chosen;
    if (rows > 0 && p->chosen >= p->top + (size_t)rows)
        p->top = p->chosen - (size_t)rows + 1;
    for (int i = 0; i < rows; i++) {
        const entry *e = &p->entries[p->shown[p->top + (size_t)i]];
        scr_style style = p->top + (size_t)i == p->chosen ? STYLE_SELECTED : STYLE_NORMAL;
        int keys = cells_width(e->key, scr_utf8(s));
        scr_put_padded(s, box.row + 2 + i, box.col + 1, cols - 2, style, e->title);
        if (keys > 0 && cols > keys + 20) {
            scr_put(s, box.row + 2 + i, box.col + cols - 3 - keys, keys + 2, style, "  ");
            scr_put(s, box.row + 2 + i, box.col + cols - 2 - keys, keys, style, e->key);
        }
    }
}
