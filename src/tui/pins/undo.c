#include "tui/pins/undo.h"

#include <string.h>

void undo_push(form_past *u, undo_step step)
{
    if (u->count == UNDO_MAX) {
        tm_params_free(u->at[0].params);
        memmove(u->at, u->at + 1, (UNDO_MAX - 1) * sizeof u->at[0]);
        u->count--;
    }
    u->at[u->count++] = step;
}

bool undo_pop(form_past *u, undo_step *step)
{
    if (u->count == 0)
        return false;
    *step = u->at[--u->count];
    return true;
}

void undo_clear(form_past *u)
{
    while (u->count > 0)
        tm_params_free(u->at[--u->count].params);
}
