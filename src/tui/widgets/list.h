/* A list of rows: which is chosen, which are shown, and what keys and the mouse do to that. The
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
    rect area;  /* where they were drawn; no rows: not at all */
    long page;  /* rows that a page key moves by; 0: those shown but one */
} list;

/* Chooses a row, or the end that lies nearer. */
void list_choose(list *l, long row);
/* The list has so many rows from now on. */
void list_resize(list *l, size_t count);
/* Chooses by up, down, pages, first and last; false when the request is none of these. */
bool list_request(list *l, int request);
/* Chooses the row under the mouse; false when there is none. */
bool list_click(list *l, const key_event *key);
/* Chooses the next row that matches, after the chosen one and around to it; false: none does. */
bool list_find(list *l, bool (*matches)(size_t row, const void *payload), const void *payload);

/* Puts the list of so many rows into the area, so that the chosen row is seen. */
void list_show(list *l, rect area, size_t count);
/* The list is not on the screen. */
void list_hide(list *l);
/* Line i of those shown: which row of the list it is, and where; false past the last one. */
bool list_row(const list *l, int i, size_t *row, rect *at);

#endif
