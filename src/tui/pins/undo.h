/* Earlier states of the form, for undo. */
#ifndef TUI_PINS_UNDO_H
#define TUI_PINS_UNDO_H

#include "tamis/method.h"

/* The maximum number of changes that can be undone. */
enum { UNDO_MAX = 100 };

typedef struct undo_step {
    const tm_method *method;
    tm_params *params;
    const char *name; /* the parameter that was changed; NULL: the method */
} undo_step;

typedef struct form_past {
    undo_step at[UNDO_MAX]; /* the latest last */
    size_t count;
} form_past;

/* Adds a step and takes over its parameters; when full, the oldest step is dropped. */
void undo_push(form_past *u, undo_step step);
/* Removes the latest step and passes it to the caller; false when there is none. */
bool undo_pop(form_past *u, undo_step *step);
void undo_clear(form_past *u);

#endif
