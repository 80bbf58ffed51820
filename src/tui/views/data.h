/* The data view: shared by its behaviour (data.c) and its drawing (data_draw.c). */
#ifndef TUI_VIEWS_DATA_H
#define TUI_VIEWS_DATA_H

#include "tui/session/profile.h"
#include "tui/shell/app.h"
#include "tui/widgets/histogram.h"
#include "tui/widgets/list.h"

enum { FIND_SIZE = 128 };

typedef struct data_view {
    app *app;
    tm_dataset *data; /* the data that everything below describes, a reference; NULL before any are
                       * loaded */
    profiler *work;
    const profile *result; /* NULL while it is being computed */
    tm_error error;
    bool by_column;         /* the list is in column order */
    list rows;              /* the features */
    char wanted[FIND_SIZE]; /* part of a name to search for */

    histogram of_feature, of_response;
    size_t feature; /* the feature that of_feature shows; SIZE_MAX: none */
    size_t feature_bins, response_bins;
    double *column; /* n values */
} data_view;

/* Defined in data.c. */

/* Work begins when the view is first shown. */
void data_view_look_at(data_view *v, app *a);
bool data_view_take_result(data_view *v);
size_t data_view_column_at(const data_view *v, size_t row);
const char *data_view_label_at(const data_view *v, size_t row, char *buffer, size_t size);

/* Defined in data_draw.c. */

void data_view_draw(void *state, app *a, terminal *t, rect area);

#endif
