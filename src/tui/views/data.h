/* The data view, between what it does (data.c) and how it looks (data_draw.c). */
#ifndef TUI_VIEWS_DATA_H
#define TUI_VIEWS_DATA_H

#include "tui/session/profile.h"
#include "tui/shell/app.h"
#include "tui/widgets/histogram.h"
#include "tui/widgets/list.h"

enum { FIND_SIZE = 128 };

typedef struct data_view {
    app *app;
    tm_dataset *data; /* a reference: what all below is about; NULL before there are any */
    profiler *work;
    const profile *result; /* NULL while it is worked on */
    tm_error error;
    bool by_column;         /* the list's order: as in the data */
    list rows;              /* the features */
    char wanted[FIND_SIZE]; /* a part of a name */

    histogram of_feature, of_response;
    size_t feature; /* what of_feature shows; SIZE_MAX: nothing */
    size_t feature_bins, response_bins;
    double *column; /* n values */
} data_view;

/* Of data.c. */

/* Work begins when the view is first looked at. */
void data_view_look_at(data_view *v, app *a);
bool data_view_take_result(data_view *v);
size_t data_view_column_at(const data_view *v, size_t row);
const char *data_view_label_at(const data_view *v, size_t row, char *buffer, size_t size);

/* Of data_draw.c. */

void data_view_draw(void *state, app *a, terminal *t, rect area);

#endif
