/* A request of the script thread that the UI thread carries out while the script waits. */
#ifndef TUI_SESSION_REQUEST_H
#define TUI_SESSION_REQUEST_H

#include "script/script.h"

enum { REQUEST_WORDS = 4 };

typedef struct ui_request ui_request;

/* Returns a request with one reference, for the thread that waits; the thread that carries it out
 * takes another. NULL when memory ran out. */
ui_request *request_new(const script_ui *asked);
ui_request *request_ref(ui_request *r);
void request_unref(ui_request *r);

const char *request_verb(const ui_request *r);
const char *request_word(const ui_request *r, int i); /* or NULL */
tm_dataset *request_data(const ui_request *r);        /* or NULL */
/* Sets the objects passed to the script besides text; takes over the references. */
void request_hand(ui_request *r, tm_dataset *data, tm_job *run);

/* Ends the wait. Takes over `answer` (malloc'ed, or NULL); the request succeeded if the code of
 * `err` is TM_OK. Only the first call counts. */
void request_finish(ui_request *r, char *answer, const tm_error *err);
/* Waits for the end, or until `cancel` (may be NULL) is set. `objects` (may be NULL) receives the
 * objects passed by request_hand. */
tm_status request_wait(ui_request *r, tm_cancel *cancel, char **answer, script_ui_answer *objects,
                       tm_error *err);

/* An intrusive linked list of requests to be carried out. */
void request_append(ui_request **list, ui_request *r); /* takes over a reference */
ui_request *request_take(ui_request **list); /* removes the first and passes its reference to the
                                              * caller; NULL: none */

#endif
