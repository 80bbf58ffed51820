/* The lua view: everything that was typed and printed. */
#include "tui/shell/app.h"
#include "tui/widgets/pager.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct lua_view {
    app *app;
    pager pager;
} lua_view;

static tm_status lua_open(void **state, app *a, tm_error *err)
{
    lua_view *v = calloc(1, sizeof *v);
    if (!v)
        return tm_fail_memory(err, "the lua view");
    v->app = a;
    pager_start(&v->pager, app_session(a)->text, 0, true);
    *state = v;
    return TM_OK;
}

static void lua_close(void *state)
{
    free(state);
}

static bool lua_update(void *state, app *a, unsigned news)
{
    (void)state;
    (void)a;
    return (news & NEWS_TEXT) != 0;
}

static void lua_draw(void *state, app *a, terminal *t, rect area)
{
    lua_view *v = state;
    char more[64];
    (void)a;
    pager_draw(&v->pager, t, area);
    uint64_t below = pager_below(&v->pager);
    if (below > 0) {
        snprintf(more, sizeof more, " %llu more below ", (unsigned long long)below);
        terminal_put_right(t, area.row + area.rows - 1, area.col, area.cols, STYLE_SELECTED, more);
    }
}

static void found(lua_view *v, bool there)
{
    if (!there && v->pager.wanted[0] != '\0')
        app_message(v->app, STYLE_NORMAL, "no line has \"%.60s\"", v->pager.wanted);
}

static void find(const char *text, void *payload)
{
    lua_view *v = payload;
    if (text)
        found(v, pager_find(&v->pager, text));
}

static bool lua_request(void *state, app *a, int request, const key_event *key)
{
    lua_view *v = state;
    (void)key;
    switch (request) {
    case REQ_FIND:
        app_ask(a, "search: ", v->pager.wanted, find, v);
        return true;
    case REQ_NEXT:
    case REQ_PREVIOUS:
        found(v, pager_find_next(&v->pager, request == REQ_NEXT));
        return true;
    case REQ_BACK:
        v->pager.follow = true;
        return true;
    default:
        return pager_request(&v->pager, request);
    }
}

static void lua_hint(void *state, app *a, char *buffer, size_t size)
{
    lua_view *v = state;
    (void)a;
    pager_place(&v->pager, buffer, size);
}

static const key_row keys[] = {
    KEYS_SCROLL,
    {{0}, REQ_NONE, NULL},
};

const view_ops lua_ops = {
    .keys = keys,
    .open = lua_open,
    .close = lua_close,
    .update = lua_update,
    .draw = lua_draw,
    .request = lua_request,
    .hint = lua_hint,
};
