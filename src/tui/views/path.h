/* The path view, between what it does (pathview.c) and how it looks (pathdraw.c). */
#ifndef TUI_VIEWS_PATH_H
#define TUI_VIEWS_PATH_H

#include "tui/session/place.h"
#include "tui/session/track.h"
#include "tui/shell/app.h"
#include "tui/views/rounds.h"
#include "tui/widgets/pane.h"

enum { DRAWN = 8 }; /* lines in the plot: as many as the palette tells apart */

typedef struct pathview {
    app *app;
    track track;
    const tm_dataset *data; /* what the path is on: the tracked job's */
    unsigned char *marks;   /* of its columns */
    size_t marked;
    size_t chosen;   /* a column */
    size_t cursor;   /* point; the last one while the path has fewer (cursor_place) */
    size_t drawn_at; /* the point that the plot's cursor was drawn at */
    bool alone;      /* the chosen feature's line only */

    pane pane;
    bool stale;          /* its figure has to be filled anew */
    bool in_plot;        /* keys belong to it */
    rounds rounds;       /* in place of all of it, for a single solve of a cutting-plane method */
    size_t drawn[DRAWN]; /* places in the track; the index is the colour */
    size_t drawn_count;

    size_t top;     /* first row of the list */
    rect list_area; /* rows of the list */
    tm_job_state seen_state;
} pathview;

/* Of pathview.c. */

bool pathview_update(void *state, app *a, unsigned news);

/* Of pathdraw.c. */

/* On the form's path the explore view's plots show the same place. */
size_t *pathview_cursor_place(pathview *v);
size_t pathview_cursor_point(const pathview *v);
place_kind pathview_kind_of(const pathview *v);
double pathview_ratio_of(const pathview *v, const tm_solution *solution);
/* Place of the chosen feature; the first when the path does not have it. */
size_t pathview_chosen_place(const pathview *v);
const char *pathview_label_of(const pathview *v, size_t place, char *buffer, size_t size);
bool pathview_shows_rounds(const pathview *v);
void pathview_draw(void *state, app *a, screen *s, rect area);

#endif
