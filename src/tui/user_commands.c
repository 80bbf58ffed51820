#include "tui/user_commands.h"

#include <stdio.h>
#include <string.h>

/* Appends a text as a Lua string. */
static size_t quote(char *out, size_t used, size_t size, const char *text)
{
    if (used + 2 < size)
        out[used++] = '"';
    for (; *text != '\0' && used + 6 < size; text++) {
        if (strchr("\"\\\n", *text))
            out[used++] = '\\';
        out[used++] = *text;
    }
    out[used++] = '"';
    return used;
}

void user_command_run(app *a, size_t index, const char *argument)
{
    char chunk[8192] = "tm.ui.call(";
    tm_error err = TM_ERROR_INIT;
    if (index >= a->keymap.command_count)
        return;
    size_t used = quote(chunk, strlen(chunk), sizeof chunk / 2, a->keymap.commands[index].name);
    chunk[used++] = ',';
    used = quote(chunk, used, sizeof chunk - 4, argument);
    chunk[used++] = ')';
    chunk[used] = '\0';
    app_tail(a);
    app_asked(a);
    session_submit_quietly(a->session, chunk, &err);
    app_error(a, &err);
}

bool user_command_named(app *a, const char *name, size_t length, const char *argument)
{
    char copy[64];
    size_t index;
    snprintf(copy, sizeof copy, "%.*s", length < 63 ? (int)length : 63, name);
    if (!keymap_find(&a->keymap, copy, &index))
        return false;
    user_command_run(a, index, argument);
    return true;
}
