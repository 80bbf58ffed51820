/* The data view: an overview of the data set, and the features by their correlation with the
 * response. */
#include "tui/views/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- life ---------------------------------------------------------------------------------- */

static void forget(data_view *v)
{
    profiler_free(v->work);
    tm_dataset_unref(v->data);
    free(v->column);
    v->work = NULL;
    v->result = NULL;
    v->data = NULL;
    v->column = NULL;
    v->error = (tm_error)TM_ERROR_INIT;
    v->rows = (list){.area = v->rows.area};
    v->feature = SIZE_MAX;
    v->feature_bins = v->response_bins = 0;
}

static tm_status data_open(void **state, app *a, tm_error *err)
{
    data_view *v = calloc(1, sizeof *v);
    if (!v)
        return tm_fail_memory(err, "the data view");
    v->app = a;
    forget(v);
    *state = v;
    return TM_OK;
}

static void data_close(void *state)
{
    forget(state);
    free(state);
}

/* ---- news ---------------------------------------------------------------------------------- */

void data_view_look_at(data_view *v, app *a)
{
    session *s = app_session(a);
    if (s->data.all == v->data)
        return;
    forget(v);
    if (!s->data.all)
        return;
    v->data = tm_dataset_ref(s->data.all);
    list_resize(&v->rows, tm_dataset_cols(v->data));
    v->column = malloc(tm_dataset_rows(v->data) * sizeof *v->column);
    if (!v->column) {
        tm_fail_memory(&v->error, "the data view");
        return;
    }
    profiler_start(&v->work, v->data, s->wake_fd, &v->error);
}

bool data_view_take_result(data_view *v)
{
    return v->work && !v->result && v->error.code == TM_OK &&
           profiler_ended(v->work, &v->result, &v->error);
}

static bool data_update(void *state, app *a, unsigned news)
{
    if (app_shown(a, VIEW_DATA))
        data_view_look_at(state, a);
    return data_view_take_result(state) || (news & NEWS_DATA) != 0;
}

/* ---- the list ------------------------------------------------------------------------------ */

size_t data_view_column_at(const data_view *v, size_t row)
{
    return v->by_column || !v->result ? row : v->result->order[row];
}

const char *data_view_label_at(const data_view *v, size_t row, char *buffer, size_t size)
{
    return tm_dataset_feature_label(v->data, data_view_column_at(v, row), buffer, size);
}

/* ---- requests ------------------------------------------------------------------------------ */

/* Changes the order of the list; the same feature stays chosen. */
static void change_order(data_view *v)
{
    if (!v->result)
        return;
    size_t j = data_view_column_at(v, v->rows.chosen);
    v->by_column = !v->by_column;
    for (size_t row = 0; row < v->result->p; row++) {
        if (data_view_column_at(v, row) == j) {
            v->rows.chosen = row;
            return;
        }
    }
}

static bool has_wanted(size_t row, const void *payload)
{
    const data_view *v = payload;
    char label[256];
    return strcasestr(data_view_label_at(v, row, label, sizeof label), v->wanted);
}

static void find_next(data_view *v)
{
    if (v->wanted[0] != '\0' && !list_find(&v->rows, has_wanted, v))
        app_message(v->app, STYLE_WARN, "no feature's name has \"%s\" in it", v->wanted);
}

static void find(const char *text, void *payload)
{
    data_view *v = payload;
    if (text && text[0] != '\0') {
        snprintf(v->wanted, sizeof v->wanted, "%s", text);
        find_next(v);
    }
}

static bool data_request(void *state, app *a, int request, const key_event *key)
{
    data_view *v = state;
    switch (request) {
    case REQ_ORDER:
        change_order(v);
        return true;
    case REQ_FIND:
        app_ask(a, "feature: ", v->wanted, find, v);
        return true;
    case REQ_NEXT:
        find_next(v);
        return true;
    case REQ_CLICK:
        list_click(&v->rows, key);
        return true;
    default:
        return list_request(&v->rows, request);
    }
}

static void data_hint(void *state, app *a, char *buffer, size_t size)
{
    const data_view *v = state;
    (void)a;
    if (v->data && v->result)
        snprintf(buffer, size, "feature %zu of %zu", v->rows.chosen + 1, v->result->p);
}

static bool data_busy(const void *state)
{
    const data_view *v = state;
    bool seen = v->data == app_session(v->app)->data.all;
    return !seen || (v->data && !v->result && v->error.code == TM_OK);
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{'o'}, REQ_ORDER, "order by |correlation|, or as in the data"},
    {{'/'}, REQ_FIND, "find a feature by a part of its name"},
    {{'n'}, REQ_NEXT, "find the next one"},
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops data_ops = {
    .keys = keys,
    .open = data_open,
    .close = data_close,
    .update = data_update,
    .draw = data_view_draw,
    .request = data_request,
    .hint = data_hint,
    .busy = data_busy,
};
