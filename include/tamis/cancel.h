/* Cancel tokens: a flag that a caller sets from any thread and that long-running work polls.
 *
 * Pausing uses the same token: work that polls a paused token sleeps inside the poll until it is
 * resumed or cancelled; the time slept is recorded so that the run's clocks can exclude it. */
#ifndef TAMIS_CANCEL_H
#define TAMIS_CANCEL_H

#include <stdbool.h>

typedef struct tm_cancel tm_cancel;

/* A new token, or NULL when memory ran out. */
tm_cancel *tm_cancel_new(void);
void tm_cancel_free(tm_cancel *token);

/* May be called from any thread, any number of times. */
void tm_cancel_set(tm_cancel *token);
void tm_cancel_pause(tm_cancel *token, bool paused);
bool tm_cancel_is_set(const tm_cancel *token);
bool tm_cancel_is_paused(const tm_cancel *token);

/* Called by the worker: true when it must stop. Sleeps while the token is paused. NULL: always
 * false. */
bool tm_cancel_poll(tm_cancel *token);
/* Seconds that the worker has slept in polls so far. */
double tm_cancel_slept(const tm_cancel *token);

#endif
