/* A request of the script thread that the UI thread carries out while the script waits. */
#ifndef TUI_SESSION_REQUEST_H
#define TUI_SESSION_REQUEST_H

#include "script/script.h"

enum { REQUEST_WORDS = 4 };

typedef struct ui_request ui_request;

/* With a reference for the thread that waits; the one that carries it out takes another. NULL when
 * memory ran out. */
ui_request *request_new(const script_ui *asked);
ui_request *request_ref(ui_request *r);
void request_unref(ui_request *r);

const char *request_verb(const ui_request *r);
const char *request_word(const ui_request *r, int i); /* or NULL */
tm_dataset *request_data(const ui_request *r);        /* or NULL */
/* What is handed to the script besides text; references are taken over. */
void request_hand(ui_request *r, tm_dataset *data, tm_job *run);

/* Ends the wait. `answer` (malloc'ed, or NULL) is taken over; code of `err` TM_OK: it was done.
 * Only the first end counts. */
void request_finish(ui_request *r, char *answer, const tm_error *err);
/* Waits for the end, or until `cancel` (or NULL) is set. `objects` (or NULL) get what was handed.
 */
tm_status request_wait(ui_request *r, tm_cancel *cancel, char **answer, script_ui_answer *objects,
                       tm_error *err);

/* A list of requests to be carried out, linked through themselves. */
void request_append(ui_request **list, ui_request *r); /* takes over a reference */
ui_request *request_take(ui_request **list); /* the first, its reference with it; NULL: none */

#endif
