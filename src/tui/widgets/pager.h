/* Reading text that is longer than the screen: scrolling and searching in a scrollback. */
#ifndef TUI_WIDGETS_PAGER_H
#define TUI_WIDGETS_PAGER_H

#include "tui/prompt/scrollback.h"
#include "tui/terminal/terminal.h"

enum { PAGER_WANTED = 128 };

typedef struct pager {
    const scrollback *text; /* borrowed */
    uint64_t from;          /* the first line of the text shown */
    int key_column;         /* columns at the left that hold keys, in help; else 0 */
    uint64_t top;           /* the line at the top, and which of its rows */
    int top_row;
    bool follow; /* the end stays visible when text arrives */
    char wanted[PAGER_WANTED];
    uint64_t found; /* the line found by the search; UINT64_MAX: none */
    int rows, cols; /* size at the last drawing */
    bool utf8;
} pager;

/* Shows `text` from line `from` on, starting there or with the last page. */
void pager_start(pager *p, const scrollback *text, uint64_t from, bool at_end);
void pager_draw(pager *p, terminal *t, rect area);
/* Scrolls; false if the request is not one of a pager. */
bool pager_request(pager *p, int request);
/* Searches for `wanted`, ignoring case, from the top or after the line found last, wrapping around;
 * false if no line contains it. */
bool pager_find(pager *p, const char *wanted);
bool pager_find_next(pager *p, bool forward);
/* "lines 1-20 of 84". */
void pager_place(const pager *p, char *out, size_t size);
/* The number of lines below those shown. */
uint64_t pager_below(const pager *p);

/* The number of rows that the lines from `from` on take, at most `most`; and drawing of their end
 * into an area. */
int pager_tail_rows(const scrollback *text, const terminal *t, uint64_t from, int most);
void pager_tail_draw(const scrollback *text, terminal *t, rect area, uint64_t from);

#endif
