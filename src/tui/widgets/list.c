#include "tui/widgets/list.h"

#include "tui/widgets/requests.h"

#include <limits.h>

void list_choose(list *l, long row)
{
    long last = l->count > 0 ? (long)l->count - 1 : 0;
    l->chosen = (size_t)(row < 0 ? 0 : row > last ? last : row);
}

void list_resize(list *l, size_t count)
{
    l->count = count;
    list_choose(l, (long)l->chosen);
}

static long page_rows(const list *l)
{
    return l->page > 0 ? l->page : l->area.rows > 1 ? l->area.rows - 1 : 1;
}

bool list_request(list *l, int request)
{
    long chosen = (long)l->chosen;
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        list_choose(l, chosen + (request == REQ_UP ? -1 : 1));
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        list_choose(l, chosen + (request == REQ_PAGE_UP ? -page_rows(l) : page_rows(l)));
        return true;
    case REQ_FIRST:
    case REQ_LAST:
        list_choose(l, request == REQ_FIRST ? 0 : LONG_MAX);
        return true;
    default:
        return false;
    }
}

bool list_click(list *l, const key_event *key)
{
    if (!rect_has(l->area, key->row, key->col))
        return false;
    size_t row = l->top + (size_t)(key->row - l->area.row);
    if (row >= l->count)
        return false;
    l->chosen = row;
    return true;
}

bool list_find(list *l, bool (*matches)(size_t row, const void *payload), const void *payload)
{
    for (size_t i = 1; i <= l->count; i++) {
        size_t row = (l->chosen + i) % l->count;
        if (matches(row, payload)) {
            l->chosen = row;
            return true;
        }
    }
    return false;
}

void list_show(list *l, rect area, size_t count)
{
    size_t rows = area.rows > 0 ? (size_t)area.rows : 1;
    l->area = area;
    list_resize(l, count);
    if (l->chosen < l->top)
        l->top = l->chosen;
    if (l->chosen >= l->top + rows)
        l->top = l->chosen - rows + 1;
    if (l->top + rows > count)
        l->top = count > rows ? count - rows : 0;
}

void list_hide(list *l)
{
    l->area = (rect){0, 0, 0, 0};
}

bool list_row(const list *l, int i, size_t *row, rect *at)
{
    *row = l->top + (size_t)i;
    *at = (rect){l->area.row + i, l->area.col, 1, l->area.cols};
    return i < l->area.rows && *row < l->count;
}
