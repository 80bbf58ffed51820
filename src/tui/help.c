#include "tui/help.h"

#include "tui/keyboard.h"

#include <stdio.h>
#include <string.h>

enum { KEY_COLUMN = 22 };

typedef struct page {
    screen *s;
    rect area;
    int line, top; /* the next line, and the first one shown */
} page;

static void page_line(page *p, scr_style style, const char *key, const char *text)
{
    int row = p->area.row + p->line - p->top;
    if (p->line >= p->top && p->line < p->top + p->area.rows) {
        int used = key[0] != '\0' ? KEY_COLUMN : 0;
        scr_put(p->s, row, p->area.col + 1, KEY_COLUMN - 1, STYLE_VALUE, key);
        scr_put(p->s, row, p->area.col + 1 + used, p->area.cols - 2 - used, style, text);
    }
    p->line++;
}

static void key_names(const key_row *row, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < KEYS_A_ROW && row->keys[i] != 0; i++) {
        char name[32];
        keyboard_key_name(row->keys[i], name, sizeof name);
        int added = snprintf(buffer + used, size - used, "%s%s", i > 0 ? " " : "", name);
        used += added > 0 && (size_t)added < size - used ? (size_t)added : 0;
    }
}

/* What the user has bound. */
static void own_section(page *p, const keymap *map, int context)
{
    for (size_t i = 0; i < map->binding_count; i++) {
        const user_binding *b = &map->bindings[i];
        char name[32], text[80];
        if (b->context >= 0 && b->context != context) {
            continue;
        }
        keyboard_key_name(b->key, name, sizeof name);
        if (b->request >= REQ_USER) {
            snprintf(text, sizeof text, "a function of your own");
        } else {
            snprintf(text, sizeof text, "%s", request_text(b->request));
        }
        page_line(p, STYLE_NORMAL, name, text);
    }
}

/* The keys of one view, or those of all of them. */
static void section(page *p, int context, bool everywhere)
{
    const key_row *row;
    for (size_t i = 0; (row = keys_at(i)) != NULL; i++) {
        char names[64];
        bool general = row->views == VIEW_MASK_ALL;
        if (row->help == NULL || general != everywhere || (row->views & 1u << context) == 0) {
            continue;
        }
        key_names(row, names, sizeof names);
        page_line(p, STYLE_NORMAL, names, row->help);
    }
}

int help_draw(screen *s, rect area, const keymap *map, int context, const char *name, int top)
{
    char title[64];
    rect body = {area.row + 1, area.col + 1, area.rows - 2, area.cols - 2};
    page p = {s, body, 0, top};
    scr_erase(s, area);
    scr_box(s, area, "help: any key closes it, up and down scroll", true);
    snprintf(title, sizeof title,
             context == CONTEXT_PLOT ? "Keys of a plot in the %s view" : "Keys of the %s view",
             name);
    page_line(&p, STYLE_BOLD, "", title);
    own_section(&p, map, context);
    section(&p, context, false);
    page_line(&p, STYLE_NORMAL, "", "");
    page_line(&p, STYLE_BOLD, "", "Everywhere");
    section(&p, context, true);
    page_line(&p, STYLE_NORMAL, "", "");
    page_line(&p, STYLE_BOLD, "", "At the prompt (readline's keys)");
    for (size_t i = 0; keys_prompt(i) != NULL; i++) {
        page_line(&p, STYLE_NORMAL, keys_prompt(i)->key, keys_prompt(i)->help);
    }
    return p.line;
}
