/* What the form was before its last changes. */
#ifndef TUI_PINS_UNDO_H
#define TUI_PINS_UNDO_H

#include "tamis/method.h"

/* Changes that can be taken back, at most. */
enum { UNDO_MAX = 100 };

typedef struct undo_step {
    const tm_method *method;
    tm_params *params;
    const char *name; /* of the parameter that was changed; NULL: the method */
} undo_step;

typedef struct form_past {
    undo_step at[UNDO_MAX]; /* the latest last */
    size_t count;
} form_past;

/* Keeps a step, whose parameters are the list's from now on; the oldest gives way. */
void undo_push(form_past *u, undo_step step);
/* The latest step, which is the caller's; false when there is none. */
bool undo_pop(form_past *u, undo_step *step);
void undo_clear(form_past *u);

#endif
