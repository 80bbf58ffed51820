/* The data view: what the data set is like, and which features go with the response. */
#include "tui/views/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- life ---------------------------------------------------------------------------------- */

static void forget(dataview *v)
{
    profiler_free(v->work);
    tm_dataset_unref(v->data);
    free(v->column);
    v->work = NULL;
    v->result = NULL;
    v->data = NULL;
    v->column = NULL;
    v->error = (tm_error)TM_ERROR_INIT;
    v->chosen = v->top = 0;
    v->feature = SIZE_MAX;
    v->feature_bins = v->response_bins = 0;
}

static tm_status data_open(void **state, app *a, tm_error *err)
{
    dataview *v = calloc(1, sizeof *v);
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

void dataview_look_at(dataview *v, app *a)
{
    session *s = app_session(a);
    if (s->data == v->data)
        return;
    forget(v);
    if (!s->data)
        return;
    v->data = tm_dataset_ref(s->data);
    v->column = malloc(tm_dataset_rows(v->data) * sizeof *v->column);
    if (!v->column) {
        tm_fail_memory(&v->error, "the data view");
        return;
    }
    profiler_start(&v->work, v->data, s->wake_fd, &v->error);
}

bool dataview_take_result(dataview *v)
{
    return v->work && !v->result && v->error.code == TM_OK &&
           profiler_ended(v->work, &v->result, &v->error);
}

static bool data_update(void *state, app *a, unsigned news)
{
    if (app_shown(a, VIEW_DATA))
        dataview_look_at(state, a);
    return dataview_take_result(state) || (news & NEWS_DATA) != 0;
}

/* ---- the list ------------------------------------------------------------------------------ */

size_t dataview_column_at(const dataview *v, size_t row)
{
    return v->by_column || !v->result ? row : v->result->order[row];
}

const char *dataview_label_at(const dataview *v, size_t row, char *buffer, size_t size)
{
    return tm_dataset_feature_label(v->data, dataview_column_at(v, row), buffer, size);
}

/* ---- requests ------------------------------------------------------------------------------ */

static void choose(dataview *v, long to)
{
    long last = v->data ? (long)tm_dataset_cols(v->data) - 1 : 0;
    v->chosen = (size_t)(to > last ? last : to < 0 ? 0 : to);
}

/* The same feature stays chosen. */
static void change_order(dataview *v)
{
    if (!v->result)
        return;
    size_t j = dataview_column_at(v, v->chosen);
    v->by_column = !v->by_column;
    for (size_t row = 0; row < v->result->p; row++) {
        if (dataview_column_at(v, row) == j) {
            v->chosen = row;
            return;
        }
    }
}

/* From the row after the chosen one, around to it. */
static void find_next(dataview *v)
{
    size_t p = v->data ? tm_dataset_cols(v->data) : 0;
    for (size_t i = 1; i <= p && v->wanted[0] != '\0'; i++) {
        char label[256];
        size_t row = (v->chosen + i) % p;
        if (strcasestr(dataview_label_at(v, row, label, sizeof label), v->wanted)) {
            v->chosen = row;
            return;
        }
    }
    if (v->wanted[0] != '\0')
        app_message(v->app, STYLE_WARN, "no feature's name has \"%s\" in it", v->wanted);
}

static void find(const char *text, void *payload)
{
    dataview *v = payload;
    if (text && text[0] != '\0') {
        snprintf(v->wanted, sizeof v->wanted, "%s", text);
        find_next(v);
    }
}

static void click(dataview *v, const key_event *key)
{
    rect area = v->list_area;
    if (key->row >= area.row && key->row < area.row + area.rows && key->col >= area.col &&
        key->col < area.col + area.cols)
        choose(v, (long)v->top + key->row - area.row);
}

static bool data_request(void *state, app *a, int request, const key_event *key)
{
    dataview *v = state;
    long page = v->list_area.rows > 1 ? v->list_area.rows - 1 : 1;
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        choose(v, (long)v->chosen + (request == REQ_UP ? -1 : 1));
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        choose(v, (long)v->chosen + (request == REQ_PAGE_UP ? -page : page));
        return true;
    case REQ_FIRST:
        choose(v, 0);
        return true;
    case REQ_LAST:
        choose(v, v->data ? (long)tm_dataset_cols(v->data) : 0);
        return true;
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
        click(v, key);
        return true;
    default:
        return false;
    }
}

static void data_hint(void *state, app *a, char *buffer, size_t size)
{
    const dataview *v = state;
    (void)a;
    if (v->data && v->result)
        snprintf(buffer, size, "feature %zu of %zu", v->chosen + 1, v->result->p);
}

static bool data_busy(const void *state)
{
    const dataview *v = state;
    bool seen = v->data == app_session(v->app)->data;
    return !seen || (v->data && !v->result && v->error.code == TM_OK);
}

const view_ops data_view = {
    .name = "data",
    .open = data_open,
    .close = data_close,
    .update = data_update,
    .draw = dataview_draw,
    .request = data_request,
    .hint = data_hint,
    .busy = data_busy,
};
