/* The data view, between what it does (dataview.c) and how it looks (datadraw.c). */
#ifndef TUI_VIEWS_DATA_H
#define TUI_VIEWS_DATA_H

#include "tui/session/profile.h"
#include "tui/shell/app.h"
#include "tui/widgets/histogram.h"

enum { FIND_SIZE = 128 };

typedef struct dataview {
    app *app;
    tm_dataset *data; /* a reference: what all below is about; NULL before there are any */
    profiler *work;
    const profile *result; /* NULL while it is worked on */
    tm_error error;
    bool by_column; /* the list's order: as in the data */
    size_t chosen;  /* a row of the list */
    size_t top;
    rect list_area;
    char wanted[FIND_SIZE]; /* a part of a name */

    histogram of_feature, of_response;
    size_t feature; /* what of_feature shows; SIZE_MAX: nothing */
    size_t feature_bins, response_bins;
    double *column; /* n values */
} dataview;

/* Of dataview.c. */

/* Work begins when the view is first looked at. */
void dataview_look_at(dataview *v, app *a);
bool dataview_take_result(dataview *v);
size_t dataview_column_at(const dataview *v, size_t row);
const char *dataview_label_at(const dataview *v, size_t row, char *buffer, size_t size);

/* Of datadraw.c. */

void dataview_draw(void *state, app *a, screen *s, rect area);

#endif
