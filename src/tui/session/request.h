/* A wish of the script thread that the UI thread carries out while the script waits. */
#ifndef TUI_SESSION_REQUEST_H
#define TUI_SESSION_REQUEST_H

#include "script/script.h"

enum { ORDER_WORDS = 4 };

typedef struct ui_order ui_order;

/* Held by the one who waits and by the one who carries it out; NULL when memory ran out. */
ui_order *order_new(const script_ui *wish);
ui_order *order_ref(ui_order *o);
void order_unref(ui_order *o);

const char *order_verb(const ui_order *o);
const char *order_word(const ui_order *o, int i); /* or NULL */

/* Ends the wait. `answer` (malloc'ed, or NULL) is taken over; code of `err` TM_OK: it was done.
 * Only the first end counts. */
void order_finish(ui_order *o, char *answer, const tm_error *err);
/* Waits for the end, or until `cancel` (or NULL) is set. */
tm_status order_wait(ui_order *o, tm_cancel *cancel, char **answer, tm_error *err);

/* A list of orders to be carried out, linked through themselves. */
void order_append(ui_order **list, ui_order *o); /* takes over a reference */
ui_order *order_take(ui_order **list);           /* the first, its reference with it; NULL: none */

#endif
