/* Carrying out what scripts ask of the workbench (script_ui). */
#include "tui/scripted.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef tm_status carry_out(app *a, const ui_order *o, char **answer, tm_error *err);

static tm_status find_view(const char *name, view_id *view, tm_error *err)
{
    int context = -1;
    if (!context_find(name, &context) || context < 0 || context >= VIEW_COUNT) {
        return tm_fail(err, TM_EUSAGE,
                       "there is no view '%.40s'; there are explore, runs, path, screen, data, lua "
                       "and plots",
                       name);
    }
    *view = (view_id)context;
    return TM_OK;
}

/* The frame as it is, or as it would be with one view alone. */
static tm_status order_screen(app *a, const ui_order *o, char **answer, tm_error *err)
{
    view_id view = a->view;
    if (order_word(o, 0)[0] != '\0') {
        tm_status status = find_view(order_word(o, 0), &view, err);
        if (status != TM_OK)
            return status;
    }
    return frame_text(a, view, order_word(o, 0)[0] != '\0', answer, err);
}

static tm_status order_view(app *a, const ui_order *o, char **answer, tm_error *err)
{
    view_id view = VIEW_EXPLORE;
    (void)answer;
    tm_status status = find_view(order_word(o, 0), &view, err);
    if (status == TM_OK)
        app_show(a, view);
    return status;
}

static const char *request_at(size_t i, const void *payload)
{
    (void)payload;
    return request_name(i);
}

static tm_status known_request(const char *name, int *request, tm_error *err)
{
    *request = request_find(name);
    if (*request >= 0)
        return TM_OK;
    const char *close = text_closest(name, request_at, NULL);
    return tm_fail(err, TM_EUSAGE, "there is no request '%.40s'%s%s%s", name,
                   close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
}

static tm_status order_request(app *a, const ui_order *o, char **answer, tm_error *err)
{
    int request;
    (void)answer;
    tm_status status = known_request(order_word(o, 0), &request, err);
    if (status == TM_OK)
        dispatch_request(a, request);
    return status;
}

static tm_status order_set(app *a, const ui_order *o, char **answer, tm_error *err)
{
    (void)answer;
    a->changed = true;
    if (strcmp(order_word(o, 0), "method") == 0 && order_word(o, 1)) {
        const tm_method *method = tm_method_find(order_word(o, 1), err);
        return method ? explore_runs_method(&a->explore_runs, method, err) : TM_EUSAGE;
    }
    return explore_runs_set(&a->explore_runs, order_word(o, 0), order_word(o, 1), err);
}

static tm_status order_command(app *a, const ui_order *o, char **answer, tm_error *err)
{
    size_t index;
    (void)answer;
    return keymap_command(&a->keymap, order_word(o, 0), order_word(o, 1), &index, err);
}

static tm_status order_bind(app *a, const ui_order *o, char **answer, tm_error *err)
{
    int context, request = REQ_NONE, key = keyboard_key_code(order_word(o, 1));
    (void)answer;
    if (!context_find(order_word(o, 0), &context)) {
        return tm_fail(err, TM_EUSAGE,
                       "tm.ui.bind: '%.40s' is no view; there are all, in-plot, explore, runs, "
                       "path, screen, data, lua and plots",
                       order_word(o, 0));
    }
    if (key == TK_NONE) {
        return tm_fail(err, TM_EUSAGE,
                       "tm.ui.bind: there is no key '%.40s'; keys are x, Ctrl-X, F5, up, Home, "
                       "Space, Enter, S-left, ...",
                       order_word(o, 1));
    }
    tm_status status = TM_OK;
    if (order_word(o, 3)[0] != '\0') {
        size_t index = 0;
        status = keymap_command(&a->keymap, order_word(o, 3), "", &index, err);
        request = REQ_USER + (int)index;
    } else {
        status = known_request(order_word(o, 2), &request, err);
    }
    return status == TM_OK ? keymap_bind(&a->keymap, context, key, request, err) : status;
}

static tm_status order_theme(app *a, const ui_order *o, char **answer, tm_error *err)
{
    (void)answer;
    a->changed = true;
    return scr_theme(a->screen, order_word(o, 0), order_word(o, 1), err);
}

static const struct {
    const char *verb;
    carry_out *act;
} verbs[] = {
    {"screen", order_screen}, {"view", order_view},       {"request", order_request},
    {"set", order_set},       {"command", order_command}, {"bind", order_bind},
    {"theme", order_theme},
};

/* Whether the view that is asked for has worked out what it shows; it begins when it is looked at.
 */
static bool is_ready(app *a, const ui_order *o)
{
    view_id view = a->view, kept = a->view;
    if (strcmp(order_verb(o), "screen") != 0 || order_word(o, 0)[0] == '\0' ||
        find_view(order_word(o, 0), &view, NULL) != TM_OK || !app_views[view]->busy)
        return true;
    a->view = view;
    app_views[view]->update(a->states[view], a, 0);
    a->view = kept;
    return !app_views[view]->busy(a->states[view]);
}

void orders_carry_out(app *a)
{
    ui_order *waiting = NULL;
    for (ui_order *o = order_take(&a->session->orders); o; o = order_take(&a->session->orders)) {
        tm_error err = TM_ERROR_INIT;
        char *answer = NULL;
        if (!is_ready(a, o)) {
            order_append(&waiting, o);
            continue;
        }
        for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
            if (strcmp(verbs[i].verb, order_verb(o)) == 0)
                verbs[i].act(a, o, &answer, &err);
        order_finish(o, answer, &err);
        order_unref(o);
    }
    a->session->orders = waiting;
    if (waiting)
        app_wake(a, 0.05);
}

/* ---- commands in Lua ----------------------------------------------------------------------- */

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

void orders_run_command(app *a, size_t index, const char *argument)
{
    char chunk[8192] = "tm.ui.run(";
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
