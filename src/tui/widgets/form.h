/* The parameter form: one row for the method and one for each parameter of the registry. */
#ifndef TUI_WIDGETS_FORM_H
#define TUI_WIDGETS_FORM_H

#include "tui/session/explore_runs.h"
#include "tui/widgets/list.h"

typedef struct form {
    list rows; /* row 0 is the method */
} form;

/* Begins with this parameter chosen, or with the method. */
void form_open(form *f, const explore_runs *e, const char *name);
/* Row of a parameter by its name; 0 when the method has none of it. */
size_t form_find(const explore_runs *e, const char *name);
size_t form_rows(const explore_runs *e);
/* The parameter in a row; NULL for the method's row. */
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
