/* The weights of one point of a path as a picture: bars, levels along a chain, groups, a grid. */
#ifndef TUI_VIEWS_PICTURE_PICTURE_H
#define TUI_VIEWS_PICTURE_PICTURE_H

#include "tui/views/picture/levels.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

typedef struct picture {
    pane pane;
    const tm_job *job;     /* the run whose features are laid out */
    const tm_model *model; /* the model whose weights are drawn */
    char *shape;           /* the shape of the layout; NULL: the run's own */
    tm_error error;        /* error of the layout; code TM_OK: none */
    layout layout;
    levels levels;
    double *weights; /* p values */
    size_t marked;   /* a feature; SIZE_MAX: none yet */
    size_t slice;    /* the slice of a 3-D grid */
    bool all_slices;
    bool stale; /* its figure must be filled again */
    list rows;  /* the levels */
} picture;

tm_status picture_open(picture *p, tm_error *err);
void picture_close(picture *p);

/* Shows this model of the run from now on; `shape` as for layout_make. */
tm_status picture_follow(picture *p, const tm_job *job, const tm_model *model, const char *shape,
                         tm_error *err);
/* Handles requests of the list of levels and, with in_plot, of the picture; true if it was one of
 * these. */
bool picture_request(picture *p, int request, bool in_plot);
bool picture_mouse(picture *p, int request, const key_event *key);
void picture_hide(picture *p);

/* Defined in draw.c. */

/* Writes a title: "16 x 16 x 16, slice 3, 12 levels". */
void picture_title(const picture *p, char *buffer, size_t size);
/* Writes the name, place and weight of the marked feature. */
void picture_readout(const picture *p, char *buffer, size_t size);
void picture_draw(picture *p, terminal *t, rect body);
void picture_draw_levels(picture *p, terminal *t, rect body);

#endif
