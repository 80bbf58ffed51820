/* A run of the store solved again: the store keeps its trace, its points and its last model, but
 * neither the weights along its path nor its screening. */
#ifndef TUI_TIME_AGAIN_H
#define TUI_TIME_AGAIN_H

#include "tui/session/session.h"

/* Begins to solve the run with a log when what is explored (all of it, or the rows to train on) is
 * the data it was on; *out is a reference, the caller's, or NULL when it is on other data. TM_EDATA
 * when this program has no such method or refuses its parameters. */
tm_status again_start(tm_job **out, const session *s, const stored_run *run, tm_error *err);

#endif
