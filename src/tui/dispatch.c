/* What keys do: requests of the table first to the view, then to the program. */
#include "tui/scripted.h"
#include "tui/state.h"

#include <string.h>

void dispatch_interrupt(app *a)
{
    if (prompt_asking(a->prompt)) {
        app_stop_typing(a);
        return;
    }
    bool searching = prompt_searching(a->prompt);
    bool stopped = !searching && session_interrupt(a->session);
    stopped = (!searching && explore_runs_cancel(&a->explore_runs)) || stopped;
    if (stopped)
        app_message(a, STYLE_WARN, "stopped");
    else if (a->typing && !prompt_empty(a->prompt))
        prompt_clear(a->prompt);
    else
        app_message(a, STYLE_NORMAL, "nothing is running; q (at the prompt :q) quits");
    a->news = true;
}

/* A key pressed by mistake must not end a script that has run all night: then it takes two. */
static void quit_once_sure(app *a)
{
    char sweep[96];
    bool working = script_busy(a->session->script) || session_runs_left(a->session) > 0 ||
                   script_sweeps(a->session->script, sweep, sizeof sweep) > 0;
    if (!working || a->quit_asked) {
        app_quit(a);
        return;
    }
    a->quit_asked = true;
    app_message(a, STYLE_WARN, "the script is still at work: once more quits, Ctrl-C stops it");
}

void dispatch_suspend(app *a)
{
    scr_leave(a->screen);
    term_stop(&a->term);
    scr_enter(a->screen);
    a->changed = true;
}

static void close_open(app *a)
{
    paging_close(a);
    a->tail = false;
}

static void type_text(app *a, const char *text, size_t length)
{
    app_start_typing(a);
    prompt_feed(a->prompt, text, length);
}

/* Side by side, one below the other, one alone; the other view is the one before, or the next. */
static void turn_split(app *a)
{
    a->split = a->split == SPLIT_NONE     ? SPLIT_BESIDE
               : a->split == SPLIT_BESIDE ? SPLIT_BELOW
                                          : SPLIT_NONE;
    if (a->other == a->view)
        a->other = (view_id)((a->view + 1) % VIEW_COUNT);
    if (a->split == SPLIT_BESIDE)
        a->second = false;
    a->news = true;
}

/* Requests that no view answers. */
static void general_request(app *a, int request)
{
    if (request >= REQ_VIEW && request <= REQ_VIEW_LAST) {
        app_show(a, (view_id)(request - REQ_VIEW));
        return;
    }
    switch (request) {
    case REQ_QUIT:
        quit_once_sure(a);
        break;
    case REQ_HELP:
        app_help(a);
        break;
    case REQ_PROMPT:
        app_start_typing(a);
        break;
    case REQ_SEARCH:
        type_text(a, "\022", 1);
        break;
    case REQ_COMMAND:
        if (prompt_empty(a->prompt))
            type_text(a, ":", 1);
        else
            app_start_typing(a);
        break;
    case REQ_INTERRUPT:
        dispatch_interrupt(a);
        break;
    case REQ_SUSPEND:
        dispatch_suspend(a);
        break;
    case REQ_REPAINT:
        scr_repaint(a->screen);
        break;
    case REQ_SPLIT:
        turn_split(a);
        break;
    case REQ_PALETTE:
        a->palette = !a->palette ? palette_open(a) : a->palette;
        break;
    case REQ_OTHER:
        if (a->split != SPLIT_NONE)
            app_swap(a);
        break;
    case REQ_VIEW_NEXT:
        app_show(a, (view_id)((a->view + 1) % VIEW_COUNT));
        break;
    case REQ_VIEW_PREVIOUS:
        app_show(a, (view_id)((a->view + VIEW_COUNT - 1) % VIEW_COUNT));
        break;
    default:
        break;
    }
}

static bool tab_clicked(app *a, const key_event *key)
{
    int lines = prompt_rows(a->prompt, a->screen, scr_rows(a->screen) / 2);
    int col = 1;
    if (key->row >= scr_rows(a->screen) - lines) {
        app_start_typing(a);
        return true;
    }
    if (key->row != scr_rows(a->screen) - 1 - lines)
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

static bool within(rect area, const key_event *key)
{
    return key->row >= area.row && key->row < area.row + area.rows && key->col >= area.col &&
           key->col < area.col + area.cols;
}

/* What a view does not do with the wheel is a step up or down. */
static bool view_request(app *a, int request, const key_event *key)
{
    const view_ops *ops = app_views[a->view];
    bool done = ops->request(a->states[a->view], a, request, key);
    if (!done && (request == REQ_WHEEL_UP || request == REQ_WHEEL_DOWN)) {
        int step = request == REQ_WHEEL_UP ? REQ_UP : REQ_DOWN;
        done = ops->request(a->states[a->view], a, step, key);
    }
    return done;
}

static void act(app *a, int request, const key_event *key)
{
    if (request >= REQ_USER)
        orders_run_command(a, (size_t)(request - REQ_USER), "");
    else if (!view_request(a, request, key))
        general_request(a, request);
}

static void view_key(app *a, const key_event *key, const char *bytes, size_t length)
{
    int request = keymap_request(&a->keymap, app_context(a), key->code);
    a->message[0] = '\0';
    if (request == REQ_NONE) {
        if (key->code >= ' ' && key->code != TK_BACKSPACE && key->code < KEYS_BASE)
            type_text(a, bytes, length);
        return;
    }
    if (request == REQ_CLICK && tab_clicked(a, key))
        return;
    if ((request == REQ_CLICK || request == REQ_WHEEL_UP || request == REQ_WHEEL_DOWN) &&
        within(a->other_area, key))
        app_swap(a);
    if (request == REQ_BACK && a->tail) {
        close_open(a);
        return;
    }
    act(a, request, key);
}

void dispatch_request(app *a, int request)
{
    key_event none = {.code = TK_NONE, .row = -1, .col = -1};
    act(a, request, &none);
    a->changed = true;
}

/* Esc and Ctrl-G: out of the list, the search, the question, the prompt, in this order. */
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

/* While a list of completions is shown Tab goes through it, and so do the arrows once it has begun.
 */
static bool list_key(app *a, const key_event *key)
{
    bool chosen = prompt_chosen(a->prompt);
    switch (key->code) {
    case TK_TAB:
        prompt_walk(a->prompt, a->screen, 1, 0);
        return true;
    case TK_BACKTAB:
        prompt_walk(a->prompt, a->screen, -1, 0);
        return true;
    case TK_LEFT:
    case TK_RIGHT:
        if (chosen)
            prompt_walk(a->prompt, a->screen, key->code == TK_LEFT ? -1 : 1, 0);
        return chosen;
    case TK_UP:
    case TK_DOWN:
        if (chosen)
            prompt_walk(a->prompt, a->screen, 0, key->code == TK_UP ? -1 : 1);
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
    case 3:
        dispatch_interrupt(a);
        return;
    case 4:
        if (prompt_empty(a->prompt) && !question) {
            quit_once_sure(a);
            return;
        }
        break;
    case 7:
    case TK_ESC:
        prompt_back(a, bytes, length, key->code == TK_ESC);
        return;
    case 12:
        scr_repaint(a->screen);
        return;
    case 26:
        dispatch_suspend(a);
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
        app_views[a->view]->request(a->states[a->view], a,
                                    key->code == TK_PAGE_UP ? REQ_PAGE_UP : REQ_PAGE_DOWN, key);
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
    /* An answered question gives the keys back to the view it came from. */
    if (question && !prompt_asking(a->prompt))
        app_stop_typing(a);
}

/* What is chosen may open another one. */
static void palette_event(app *a, const key_event *key, const char *bytes, size_t length)
{
    palette *open = a->palette;
    a->palette = NULL;
    if (palette_key(open, a, key, bytes, length))
        a->palette = open;
    else
        palette_free(open);
}

void dispatch_key(app *a, const key_event *key, const char *bytes, size_t length)
{
    if (a->palette)
        palette_event(a, key, bytes, length);
    else if (paging_key(a, key))
        return;
    else if (a->typing)
        prompt_key_event(a, key, bytes, length);
    else
        view_key(a, key, bytes, length);
}
