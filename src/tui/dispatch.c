/* What keys do: a key's request in the table goes first to the view, then to the program. */
#include "tui/dispatch.h"

#include "tui/actions.h"
#include "tui/commands.h"
#include "tui/frame.h"
#include "tui/shell/paging.h"
#include "tui/user_commands.h"
#include "tui/widgets/palette.h"

#include <string.h>

static void close_open(app *a)
{
    paging_close(a);
    a->reading.tail = false;
}

static bool tab_clicked(app *a, const key_event *key)
{
    int lines = prompt_rows(a->prompt, a->terminal, terminal_rows(a->terminal) / 2);
    int col = 1;
    if (key->row >= terminal_rows(a->terminal) - lines) {
        app_start_typing(a);
        return true;
    }
    if (key->row != terminal_rows(a->terminal) - 1 - lines)
        return false;
    for (int i = 0; i < VIEW_COUNT; i++) {
        char text[32];
        int width = frame_tab_text(a, i, text, sizeof text);
        if (key->col >= col && key->col < col + width)
            app_show(a, (view_id)i);
        col += width + 1;
    }
    return true;
}

static void view_key(app *a, const key_event *key, const char *bytes, size_t length)
{
    const view_ops *view = a->views[a->layout.view];
    int request = keymap_request(&a->keymap, app_context(a), key->code);
    a->message.text[0] = '\0';
    if (view->typed && view->typed(a->states[a->layout.view], a, key, bytes, length)) {
        app_changed(a);
        return;
    }
    if (request == REQ_NONE) {
        if (key->code >= ' ' && key->code != TK_BACKSPACE && key->code < KEYS_BASE)
            app_type_text(a, bytes, length);
        return;
    }
    if (request == REQ_CLICK && tab_clicked(a, key))
        return;
    if ((request == REQ_CLICK || request == REQ_WHEEL_UP || request == REQ_WHEEL_DOWN) &&
        rect_has(a->layout.other_area, key->row, key->col))
        app_swap(a);
    if (request == REQ_BACK && a->reading.tail) {
        close_open(a);
        return;
    }
    action_key(a, request, key);
}

/* Esc and Ctrl-G leave the completion list, the search, the question or the prompt, in this
 * order. */
static void prompt_back(app *a, const char *bytes, size_t length, bool escape)
{
    if (prompt_close_list(a->prompt))
        return;
    bool readlines = escape ? prompt_wants_escape(a->prompt) : prompt_searching(a->prompt);
    if (readlines) {
        prompt_feed(a->prompt, bytes, length);
    } else {
        close_open(a);
        app_stop_typing(a);
    }
}

/* While a list of completions is shown, Tab moves through it, and once a word is chosen the arrow
 * keys do, too. */
static bool list_key(app *a, const key_event *key)
{
    bool chosen = prompt_chosen(a->prompt);
    switch (key->code) {
    case TK_TAB:
        prompt_walk(a->prompt, a->terminal, 1, 0);
        return true;
    case TK_BACKTAB:
        prompt_walk(a->prompt, a->terminal, -1, 0);
        return true;
    case TK_LEFT:
    case TK_RIGHT:
        if (chosen)
            prompt_walk(a->prompt, a->terminal, key->code == TK_LEFT ? -1 : 1, 0);
        return chosen;
    case TK_UP:
    case TK_DOWN:
        if (chosen)
            prompt_walk(a->prompt, a->terminal, 0, key->code == TK_UP ? -1 : 1);
        return chosen;
    case TK_ENTER:
        if (chosen)
            prompt_close_list(a->prompt);
        return chosen;
    default:
        return false;
    }
}

static void prompt_key_event(app *a, const key_event *key, const char *bytes, size_t length)
{
    if (prompt_listing(a->prompt) && list_key(a, key))
        return;
    bool question = prompt_asking(a->prompt);
    switch (key->code) {
    case KEY_CTRL('C'):
        action_interrupt(a);
        return;
    case KEY_CTRL('D'):
        if (prompt_empty(a->prompt) && !question) {
            action_quit(a);
            return;
        }
        break;
    case KEY_CTRL('G'):
    case TK_ESC:
        prompt_back(a, bytes, length, key->code == TK_ESC);
        return;
    case KEY_CTRL('L'):
        terminal_repaint(a->terminal);
        return;
    case KEY_CTRL('Z'):
        action_suspend(a);
        return;
    case TK_F1:
        app_help(a);
        return;
    case TK_PAGE_UP:
    case TK_PAGE_DOWN:
        if (paging_output(a, true)) {
            paging_key(a, key);
            return;
        }
        a->views[a->layout.view]->request(a->states[a->layout.view], a,
                                          key->code == TK_PAGE_UP ? REQ_PAGE_UP : REQ_PAGE_DOWN,
                                          key);
        return;
    case TK_CLICK:
    case TK_DRAG:
    case TK_RELEASE:
    case TK_WHEEL_UP:
    case TK_WHEEL_DOWN:
        return;
    default:
        break;
    }
    prompt_feed(a->prompt, bytes, length);
    /* When a question has been answered, the focus returns to the view that asked it. */
    if (question && !prompt_asking(a->prompt))
        app_stop_typing(a);
}

static void carry_out(app *a, const palette_choice *choice)
{
    size_t length = strlen(choice->line);
    switch (choice->kind) {
    case PALETTE_NOTHING:
        break;
    case PALETTE_REQUEST:
        action_request(a, choice->number);
        break;
    case PALETTE_USER:
        user_command_run(a, (size_t)choice->number, "");
        break;
    case PALETTE_COMMAND:
        if (length > 0 && choice->line[length - 1] == ' ') { /* the rest is for the user to type */
            app_start_typing(a);
            prompt_feed(a->prompt, choice->line, length);
        } else {
            command_run(a, choice->line);
        }
        break;
    }
}

/* The chosen entry may open another palette. */
static void palette_event(app *a, const key_event *key, const char *bytes, size_t length)
{
    palette_choice choice;
    if (palette_key(a->palette, key, bytes, length, &choice))
        return;
    palette_free(a->palette);
    a->palette = NULL;
    carry_out(a, &choice);
}

void dispatch_key(app *a, const key_event *key, const char *bytes, size_t length)
{
    if (a->palette)
        palette_event(a, key, bytes, length);
    else if (questions_key(a, key->code) || paging_key(a, key))
        return;
    else if (a->typing)
        prompt_key_event(a, key, bytes, length);
    else
        view_key(a, key, bytes, length);
}

void dispatch_paste(app *a, const char *text)
{
    if (a->palette)
        palette_paste(a->palette, text);
    if (a->palette || a->question.confirm.open)
        return;
    paging_close(a);
    a->message.text[0] = '\0';
    app_start_typing(a);
    prompt_insert(a->prompt, text);
}
