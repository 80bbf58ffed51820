/* A list of rows: the chosen row, the rows shown, and how keys and the mouse change them. The
 * owner draws the rows:
 *
 *     list_show(&l, area, count);
 *     for (int i = 0; list_row(&l, i, &row, &at); i++)
 *         draw(row, at, row == l.chosen);
 */
#ifndef TUI_WIDGETS_LIST_H
#define TUI_WIDGETS_LIST_H

#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"

typedef struct list {
    size_t count; /* rows */
    size_t chosen;
    size_t top; /* the first row shown */
    rect area;  /* where they were drawn; no rows: not drawn */
    long page;  /* rows that a page key moves by; 0: one fewer than are shown */
} list;

/* Chooses a row, clamped to the list. */
void list_choose(list *l, long row);
/* Sets the number of rows. */
void list_resize(list *l, size_t count);
/* Chooses by up, down, pages, first and last; false when the request is none of these. */
bool list_request(list *l, int request);
/* Chooses the row under the mouse; false when there is none. */
bool list_click(list *l, const key_event *key);
/* Chooses the next row after the chosen one that matches, wrapping around; false: none does. */
bool list_find(list *l, bool (*matches)(size_t row, const void *payload), const void *payload);

/* Places the list of `count` rows in the area and scrolls to the chosen row. */
void list_show(list *l, rect area, size_t count);
/* Marks the list as not on the screen. */
void list_hide(list *l);
/* For line i of the area, gives the row of the list and its place; false past the last one. */
bool list_row(const list *l, int i, size_t *row, rect *at);

#endif
