/* The parameter form: a row for the method, one for the class if there are several, and one for
 * each parameter of the registry. */
#ifndef TUI_WIDGETS_FORM_H
#define TUI_WIDGETS_FORM_H

#include "tui/explore/explore_runs.h"
#include "tui/widgets/list.h"

typedef struct form {
    list rows;   /* row 0 is the method */
    size_t head; /* number of rows above the parameters at the last update */
} form;

/* Opens the form with this parameter chosen, or the method. */
void form_open(form *f, const explore_runs *e, const char *name);
/* The row of a parameter; 0 if the method does not have it. */
size_t form_find(const explore_runs *e, const char *name);
size_t form_rows(const explore_runs *e);
/* Whether this is the row of the class, which is changed by session_choose_class. */
bool form_is_class(const explore_runs *e, size_t row);
/* The class `steps` further on, or "-" for none. */
const char *form_class_step(const explore_runs *e, long steps);
/* The parameter in a row; NULL for the method's row and the class's. */
const tm_param_info *form_param(const explore_runs *e, size_t row);
/* Chooses another row; false if the request does not move in a list. */
bool form_request(form *f, const explore_runs *e, int request);
/* Changes the chosen value by `steps` and solves. */
tm_status form_step(const form *f, explore_runs *e, long steps, tm_error *err);
/* The chosen row's value as text to edit. */
void form_text(const form *f, const explore_runs *e, char *buffer, size_t size);
/* Sets row `row` from edited text ("" means the default) and solves. */
tm_status form_take(size_t row, explore_runs *e, const char *text, tm_error *err);

void form_draw(form *f, const explore_runs *e, terminal *t, rect area, bool focus);

#endif
