/* Reading text that is longer than the screen: scrolling and searching in a scrollback. */
#ifndef TUI_WIDGETS_PAGER_H
#define TUI_WIDGETS_PAGER_H

#include "tui/prompt/scrollback.h"
#include "tui/terminal/terminal.h"

enum { PAGER_WANTED = 128 };

typedef struct pager {
    const scrollback *text; /* borrowed */
    uint64_t from;          /* the first line that is read */
    int key_column;         /* columns at the left that hold keys, in help; else 0 */
    uint64_t top;           /* the line at the top, and which of its rows */
    int top_row;
    bool follow; /* the end stays in sight when text arrives */
    char wanted[PAGER_WANTED];
    uint64_t found; /* the line that the search has come to; UINT64_MAX: none */
    int rows, cols; /* of the last drawing */
    bool utf8;
} pager;

/* Reads `text` from line `from` on; begins there, or with the last page. */
void pager_start(pager *p, const scrollback *text, uint64_t from, bool at_end);
void pager_draw(pager *p, terminal *t, rect area);
/* Scrolls; false when the request is none of a pager's. */
bool pager_request(pager *p, int request);
/* Looks for `wanted` (whatever the case) from the top, or beyond the line found last, around the
 * end; false when no line has it. */
bool pager_find(pager *p, const char *wanted);
bool pager_find_next(pager *p, bool forward);
/* "lines 1-20 of 84". */
void pager_place(const pager *p, char *out, size_t size);
/* Lines below what is shown. */
uint64_t pager_below(const pager *p);

/* Rows that the lines from number `from` on take, at most `most`, and their end drawn into an area.
 */
int pager_tail_rows(const scrollback *text, const terminal *t, uint64_t from, int most);
void pager_tail_draw(const scrollback *text, terminal *t, rect area, uint64_t from);

#endif
