/* Text over the view: the end of what was printed, and a pager for all of it or for help. */
#include "tui/shell/paging.h"

#include "tui/shell/help.h"
#include "tui/shell/state.h"

#include <stdio.h>

/* ---- the end of the output ----------------------------------------------------------------- */

static int tail_rows(const app *a, int rows)
{
    return a->reading.tail
               ? pager_tail_rows(a->session->text, a->terminal, a->reading.tail_from, rows / 3)
               : 0;
}

/* Whether the output since the prompt was last used is longer than the part shown. */
static bool is_long(const app *a)
{
    int shown = tail_rows(a, terminal_rows(a->terminal) - 3);
    return shown > 0 &&
           pager_tail_rows(a->session->text, a->terminal, a->reading.tail_from, shown + 1) > shown;
}

static void rule(const app *a, rect at, const char *title)
{
    for (int col = 0; col < at.cols; col++)
        terminal_put(a->terminal, at.row, at.col + col, 1, STYLE_BORDER,
                     terminal_pick(a->terminal, "─", "-"));
    terminal_put(a->terminal, at.row, at.col + 2, at.cols - 4, STYLE_DIM, title);
}

static void draw_tail(app *a, rect area)
{
    const scrollback *text = a->session->text;
    int rows = tail_rows(a, area.rows);
    uint64_t first = scrollback_first(text), end = scrollback_end(text);
    uint64_t from = a->reading.tail_from < first ? first : a->reading.tail_from;
    char title[96], all[32];
    int lua = view_infos[VIEW_LUA].key;
    if (rows <= 0)
        return;
    snprintf(title, sizeof title, " output: Esc closes it, %c shows all ", lua);
    snprintf(all, sizeof all, "%c pages through all", lua);
    if (pager_tail_rows(text, a->terminal, from, rows + 1) > rows) {
        snprintf(title, sizeof title, " output, the end of %llu lines: %s, Esc closes it ",
                 (unsigned long long)(end - from), a->typing ? "PgUp reads the rest" : all);
    }
    rect tail = {area.row + area.rows - rows, area.col, rows, area.cols};
    rule(a, (rect){tail.row - 1, tail.col, 1, tail.cols}, title);
    pager_tail_draw(text, a->terminal, tail, a->reading.tail_from);
}

/* ---- opening and closing ------------------------------------------------------------------- */

bool paging_output(app *a, bool at_end)
{
    if (a->reading.paged != PAGED_NOTHING || !is_long(a))
        return false;
    a->reading.paged = PAGED_OUTPUT;
    a->reading.typing = a->typing;
    pager_start(&a->reading.pager, a->session->text, a->reading.tail_from, at_end);
    /* The pager has no size before it is drawn, but keys may arrive earlier. */
    a->reading.pager.rows = terminal_rows(a->terminal) - 5;
    a->reading.pager.cols = terminal_cols(a->terminal) - 2;
    a->reading.pager.utf8 = terminal_utf8(a->terminal);
    a->due.changed = true;
    return true;
}

void app_help(app *a)
{
    int context = app_context(a);
    bool open = a->reading.paged == PAGED_HELP;
    paging_close(a);
    if (open)
        return;
    a->reading.help_text = help_page(&a->keymap, context, view_infos[a->layout.view].name);
    if (a->reading.help_text) {
        a->reading.paged = PAGED_HELP;
        pager_start(&a->reading.pager, a->reading.help_text, 0, false);
        a->reading.pager.key_column = HELP_KEY_COLUMN;
    }
}

void paging_script(app *a, scrollback *text)
{
    paging_close(a);
    a->reading.help_text = text;
    a->reading.paged = PAGED_SCRIPT;
    pager_start(&a->reading.pager, text, 0, false);
    a->reading.pager.key_column = 0;
}

void paging_close(app *a)
{
    scrollback_free(a->reading.help_text);
    a->reading.help_text = NULL;
    a->reading.tail = a->reading.tail && a->reading.paged != PAGED_OUTPUT;
    a->reading.paged = PAGED_NOTHING;
    a->due.changed = true;
    if (a->reading.typing) { /* a question may have taken the focus */
        a->reading.typing = false;
        app_start_typing(a);
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void tell(app *a, bool there)
{
    if (!there && a->reading.pager.wanted[0] != '\0')
        app_message(a, STYLE_NORMAL, "no line has \"%.60s\"", a->reading.pager.wanted);
}

static void found(const char *text, void *payload)
{
    app *a = payload;
    if (text && a->reading.paged != PAGED_NOTHING)
        tell(a, pager_find(&a->reading.pager, text));
}

/* Whether the program handles the request even while the pager is open. */
static bool goes_on(int request)
{
    return request == REQ_INTERRUPT || request == REQ_SUSPEND || request == REQ_REPAINT;
}

bool paging_key(app *a, const key_event *key)
{
    if (a->reading.paged == PAGED_NOTHING || prompt_asking(a->prompt))
        return false;
    int request = keymap_request(&a->keymap, CONTEXT_PAGER, key->code);
    a->message.text[0] = '\0';
    if (pager_request(&a->reading.pager, request))
        return true;
    switch (request) {
    case REQ_FIND:
        app_ask(a, "search: ", a->reading.pager.wanted, found, a);
        return true;
    case REQ_NEXT:
    case REQ_PREVIOUS:
        tell(a, pager_find_next(&a->reading.pager, request == REQ_NEXT));
        return true;
    case REQ_CLICK:
    case REQ_DRAG:
    case REQ_RELEASE:
        return true;
    default:
        break;
    }
    if (goes_on(request))
        return false;
    /* Any other key closes help; the first letter of a line typed after output is passed on to the
     * prompt. */
    bool output = a->reading.paged == PAGED_OUTPUT;
    paging_close(a);
    return !output || request == REQ_BACK;
}

/* ---- drawing ------------------------------------------------------------------------------- */

void paging_draw(app *a, rect area)
{
    static const char *const titles[] = {
        [PAGED_HELP] = "help", [PAGED_SCRIPT] = "script", [PAGED_OUTPUT] = "output"};
    char title[128], place[64];
    if (a->reading.paged == PAGED_NOTHING) {
        draw_tail(a, area);
        return;
    }
    rect body = rect_inside(area);
    terminal_erase(a->terminal, area);
    terminal_box(a->terminal, area, "", true);
    pager_draw(&a->reading.pager, a->terminal, body);
    pager_place(&a->reading.pager, place, sizeof place);
    snprintf(title, sizeof title, "%s: q closes, / searches; %s", titles[a->reading.paged], place);
    terminal_box(a->terminal, area, title, true);
}
