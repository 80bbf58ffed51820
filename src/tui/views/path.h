/* The path view: shared by its behaviour (path.c) and its drawing (path_draw.c). */
#ifndef TUI_VIEWS_PATH_H
#define TUI_VIEWS_PATH_H

#include "tui/session/place.h"
#include "tui/session/track.h"
#include "tui/shell/app.h"
#include "tui/views/picture/picture.h"
#include "tui/views/rounds.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

enum { DRAWN = 8 }; /* lines in the plot: as many as the palette has distinct colours */

typedef struct path_view {
    app *app;
    track track;
    const tm_dataset *data; /* the data of the tracked job */
    unsigned char *marks;   /* marked columns */
    size_t marked;
    size_t chosen;   /* a column */
    size_t cursor;   /* point index; the last point while the path has fewer (cursor_place) */
    size_t drawn_at; /* the point that the plot's cursor was drawn at */
    bool alone;      /* the chosen feature's line only */

    pane pane;
    bool stale;      /* its figure must be filled again */
    bool in_plot;    /* it has the focus */
    picture picture; /* shown instead of the lines */
    enum { ARRANGED_BY_RUN, ARRANGED_LINES, ARRANGED_PICTURE } arranged;
    rounds rounds;       /* shown instead of everything for a single solve of a cutting-plane
                          * method */
    size_t drawn[DRAWN]; /* indices into the track; the array index is the colour */
    size_t drawn_count;

    list rows; /* the features in the order of entry */
    tm_job_state seen_state;
} path_view;

/* The areas of the view. */
typedef struct path_areas {
    rect plot, readout, list; /* no rows: no room */
} path_areas;

/* Defined in path.c. */

bool path_view_update(void *state, app *a, unsigned news);

/* Defined in path_draw.c. */

/* The cursor's point; on the form's path it is shared with the explore view's plots. */
size_t *path_view_cursor_place(path_view *v);
size_t path_view_cursor_point(const path_view *v);
place_kind path_view_kind_of(const path_view *v);
double path_view_ratio_of(const path_view *v, const tm_solution *solution);
/* The place of the chosen feature in the track; the first if the path does not contain it. */
size_t path_view_chosen_place(const path_view *v);
const char *path_view_label_of(const path_view *v, size_t place, char *buffer, size_t size);
bool path_view_shows_rounds(const path_view *v);
/* Draws the box of the plot or the picture, and the values at the cursor. */
void path_view_draw_plot(path_view *v, terminal *t, rect area, const char *title);
void path_view_draw(void *state, app *a, terminal *t, rect area);

/* Defined in path_picture.c. */

bool path_view_shows_picture(const path_view *v);
void path_picture_arrange(path_view *v); /* switches between lines and picture */
void path_picture_draw(path_view *v, terminal *t, const path_areas *areas);
/* Handles requests of the picture and of its list; false: the view must handle it. */
bool path_picture_request(path_view *v, int request, const key_event *key);

#endif
