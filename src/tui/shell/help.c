#include "tui/shell/help.h"

#include "tui/terminal/keyboard.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_LINES = 500 };

static void line(scrollback *page, line_kind kind, const char *text)
{
    scrollback_add(page, kind, text, strlen(text));
    scrollback_add(page, kind, "\n", 1);
}

static void key_line(scrollback *page, const char *keys, const char *help)
{
    char text[200];
    snprintf(text, sizeof text, "%-*s %s", HELP_KEY_COLUMN - 1, keys, help);
    line(page, LINE_OUTPUT, text);
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

/* The section of the user's own bindings. */
static void own_section(scrollback *p, const keymap *map, int context)
{
    for (size_t i = 0; i < map->binding_count; i++) {
        const user_binding *b = &map->bindings[i];
        char name[32], text[80];
        if (b->context >= 0 && b->context != context)
            continue;
        keyboard_key_name(b->key, name, sizeof name);
        if (b->request >= REQ_USER)
            snprintf(text, sizeof text, "a function of your own");
        else
            snprintf(text, sizeof text, "%s", keymap_request_text(b->request));
        key_line(p, name, text);
    }
}

static void section(scrollback *p, const key_row *rows)
{
    for (; rows->request != REQ_NONE; rows++) {
        char names[64];
        if (!rows->help)
            continue;
        key_names(rows, names, sizeof names);
        key_line(p, names, rows->help);
    }
}

scrollback *help_page(const keymap *map, int context, const char *name)
{
    char title[64];
    scrollback *p = scrollback_new(PAGE_LINES);
    if (!p)
        return NULL;
    snprintf(title, sizeof title,
             context == CONTEXT_PLOT ? "Keys of a plot in the %s view" : "Keys of the %s view",
             name);
    line(p, LINE_INPUT, title);
    own_section(p, map, context);
    section(p, map->rows[context]);
    line(p, LINE_INPUT, "");
    line(p, LINE_INPUT, "Everywhere");
    section(p, keys_general);
    line(p, LINE_INPUT, "");
    line(p, LINE_INPUT, "In text that is longer than the screen (this help, output)");
    section(p, map->rows[CONTEXT_PAGER]);
    line(p, LINE_INPUT, "");
    line(p, LINE_INPUT, "At the prompt (readline's keys)");
    for (size_t i = 0; keys_prompt(i); i++)
        key_line(p, keys_prompt(i)->key, keys_prompt(i)->help);
    return p;
}
