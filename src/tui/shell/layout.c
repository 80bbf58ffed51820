/* Which views are shown, and which one has the focus. */
#include "tui/shell/paging.h"
#include "tui/shell/state.h"

void app_swap(app *a)
{
    view_id before = a->layout.view;
    a->layout.view = a->layout.other;
    a->layout.other = before;
    a->layout.second = !a->layout.second;
    a->due.changed = true;
}

void app_show(app *a, view_id view)
{
    if (a->layout.split != SPLIT_NONE && view == a->layout.other) {
        app_swap(a);
    } else if (view != a->layout.view) {
        a->layout.other = a->layout.split == SPLIT_NONE ? a->layout.view : a->layout.other;
        a->layout.view = view;
    }
    paging_close(a);
    a->due.changed = a->due.news = true; /* a view may have deferred its work until it was shown */
    if (view == VIEW_LUA)
        a->reading.tail = false;
}

int app_context(const app *a)
{
    const view_ops *ops = a->views[a->layout.view];
    bool plot = ops->in_plot && ops->in_plot(a->states[a->layout.view]);
    return plot ? CONTEXT_PLOT : (int)a->layout.view;
}

bool app_shown(const app *a, view_id view)
{
    return a->layout.view == view || (a->layout.split != SPLIT_NONE && a->layout.other == view);
}

void app_quit(app *a)
{
    a->end.now = true;
}

void app_tail(app *a)
{
    if (!a->reading.tail) {
        a->reading.tail_from = scrollback_end(a->session->text);
        a->reading.tail = !app_shown(a, VIEW_LUA);
    }
}
