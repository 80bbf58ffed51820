/* The parameter form: one row for the method, one for the class where there are several, and one
 * for each parameter of the registry. */
#ifndef TUI_WIDGETS_FORM_H
#define TUI_WIDGETS_FORM_H

#include "tui/explore/explore_runs.h"
#include "tui/widgets/list.h"

typedef struct form {
    list rows;   /* row 0 is the method */
    size_t head; /* rows above the parameters when it was looked at last */
} form;

/* Begins with this parameter chosen, or with the method. */
void form_open(form *f, const explore_runs *e, const char *name);
/* Row of a parameter by its name; 0 when the method has none of it. */
size_t form_find(const explore_runs *e, const char *name);
size_t form_rows(const explore_runs *e);
/* Whether this is the row of the class; its changes are the session's (session_choose_class). */
bool form_is_class(const explore_runs *e, size_t row);
/* The class so many steps on, or "-" for none. */
const char *form_class_step(const explore_runs *e, long steps);
/* The parameter in a row; NULL for the method's row and the class's. */
const tm_param_info *form_param(const explore_runs *e, size_t row);
/* Chooses another row; false when the request is none of a list. */
bool form_request(form *f, const explore_runs *e, int request);
/* Changes the chosen value by `steps` and solves. */
tm_status form_step(const form *f, explore_runs *e, long steps, tm_error *err);
/* The chosen row's value as text to edit. */
void form_text(const form *f, const explore_runs *e, char *buffer, size_t size);
/* Takes edited text for row `row` ("" means the default) and solves. */
tm_status form_take(size_t row, explore_runs *e, const char *text, tm_error *err);

void form_draw(form *f, const explore_runs *e, terminal *t, rect area, bool focus);

#endif
