/* Text over the view: the end of what was printed, and a pager for all of it or for help. */
#include "tui/shell/help.h"
#include "tui/state.h"

#include <stdio.h>

/* ---- the end of the output ----------------------------------------------------------------- */

int paging_tail_rows(const app *a, int rows)
{
    return a->tail ? pager_tail_rows(a->session->text, a->screen, a->tail_from, rows / 3) : 0;
}

/* Whether the output since the prompt was used is longer than what is shown of it. */
static bool is_long(const app *a)
{
    int shown = paging_tail_rows(a, scr_rows(a->screen) - 3);
    return shown > 0 &&
           pager_tail_rows(a->session->text, a->screen, a->tail_from, shown + 1) > shown;
}

static void rule(const app *a, rect at, const char *title)
{
    for (int col = 0; col < at.cols; col++)
        scr_put(a->screen, at.row, at.col + col, 1, STYLE_BORDER, scr_pick(a->screen, "─", "-"));
    scr_put(a->screen, at.row, at.col + 2, at.cols - 4, STYLE_DIM, title);
}

static void draw_tail(app *a, rect area)
{
    const scrollback *text = a->session->text;
    int rows = paging_tail_rows(a, area.rows);
    uint64_t first = scrollback_first(text), end = scrollback_end(text);
    uint64_t from = a->tail_from < first ? first : a->tail_from;
    char title[96] = " output: Esc closes it, 6 shows all ";
    if (rows <= 0)
        return;
    if (pager_tail_rows(text, a->screen, from, rows + 1) > rows) {
        snprintf(title, sizeof title, " output, the end of %llu lines: %s, Esc closes it ",
                 (unsigned long long)(end - from),
                 a->typing ? "PgUp reads the rest" : "6 pages through all");
    }
    rect tail = {area.row + area.rows - rows, area.col, rows, area.cols};
    rule(a, (rect){tail.row - 1, tail.col, 1, tail.cols}, title);
    pager_tail_draw(text, a->screen, tail, a->tail_from);
}

/* ---- opening and closing ------------------------------------------------------------------- */

bool paging_output(app *a, bool at_end)
{
    if (a->paged != PAGED_NOTHING || !is_long(a))
        return false;
    a->paged = PAGED_OUTPUT;
    a->paged_typing = a->typing;
    pager_start(&a->pager, a->session->text, a->tail_from, at_end);
    /* What is not drawn yet has no size: keys may come before. */
    a->pager.rows = scr_rows(a->screen) - 5;
    a->pager.cols = scr_cols(a->screen) - 2;
    a->pager.utf8 = scr_utf8(a->screen);
    a->changed = true;
    return true;
}

void app_help(app *a)
{
    int context = app_context(a);
    bool open = a->paged == PAGED_HELP;
    paging_close(a);
    if (open)
        return;
    a->help_text = help_page(&a->keymap, context, app_views[a->view]->name);
    if (a->help_text) {
        a->paged = PAGED_HELP;
        pager_start(&a->pager, a->help_text, 0, false);
        a->pager.key_column = HELP_KEY_COLUMN;
    }
}

void paging_close(app *a)
{
    scrollback_free(a->help_text);
    a->help_text = NULL;
    a->tail = a->tail && a->paged != PAGED_OUTPUT;
    a->paged = PAGED_NOTHING;
    a->changed = true;
    if (a->paged_typing) { /* a question may have taken them */
        a->paged_typing = false;
        app_start_typing(a);
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void tell(app *a, bool there)
{
    if (!there && a->pager.wanted[0] != '\0')
        app_message(a, STYLE_NORMAL, "no line has \"%.60s\"", a->pager.wanted);
}

static void found(const char *text, void *payload)
{
    app *a = payload;
    if (text && a->paged != PAGED_NOTHING)
        tell(a, pager_find(&a->pager, text));
}

/* Keys that mean something to the program whatever is read. */
static bool goes_on(int request)
{
    return request == REQ_INTERRUPT || request == REQ_SUSPEND || request == REQ_REPAINT;
}

bool paging_key(app *a, const key_event *key)
{
    if (a->paged == PAGED_NOTHING || prompt_asking(a->prompt))
        return false;
    int request = keymap_request(&a->keymap, CONTEXT_PAGER, key->code);
    a->message[0] = '\0';
    if (pager_request(&a->pager, request))
        return true;
    switch (request) {
    case REQ_FIND:
        app_ask(a, "search: ", a->pager.wanted, found, a);
        return true;
    case REQ_NEXT:
    case REQ_PREVIOUS:
        tell(a, pager_find_next(&a->pager, request == REQ_NEXT));
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
    /* Any other key closes help; the first letter of a line goes on to the prompt. */
    bool help = a->paged == PAGED_HELP;
    paging_close(a);
    return help || request == REQ_BACK;
}

/* ---- drawing ------------------------------------------------------------------------------- */

void paging_draw(app *a, rect area)
{
    char title[128], place[64];
    if (a->paged == PAGED_NOTHING) {
        draw_tail(a, area);
        return;
    }
    rect body = {area.row + 1, area.col + 1, area.rows - 2, area.cols - 2};
    scr_erase(a->screen, area);
    scr_box(a->screen, area, "", true);
    pager_draw(&a->pager, a->screen, body);
    pager_place(&a->pager, place, sizeof place);
    snprintf(title, sizeof title, "%s: q closes, / searches; %s",
             a->paged == PAGED_HELP ? "help" : "output", place);
    scr_box(a->screen, area, title, true);
}
