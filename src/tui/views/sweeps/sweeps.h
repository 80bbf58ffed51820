/* The sweeps view, between what it does (sweeps.c) and how it looks (draw.c,
 * facts.c). */
#ifndef TUI_VIEWS_SWEEPS_SWEEPS_H
#define TUI_VIEWS_SWEEPS_SWEEPS_H

#include "tui/shell/app.h"
#include "tui/views/sweeps/grid.h"
#include "tui/views/sweeps/list.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

typedef enum sweeps_part { PART_BOTH, PART_GRID, PART_CURVE, SWEEPS_PARTS } sweeps_part;

typedef struct sweeps_view {
    app *app;
    sweep_list list;
    size_t current; /* of the list */
    size_t known;   /* sweeps that were there when it was chosen */
    sweep_grid grid;
    bool laid;          /* the grid is that of the current sweep's table */
    size_t arrangement; /* SIZE_MAX: the one that shows most */
    size_t quantity;    /* column that is shown */
    size_t config;      /* chosen */
    list rows;          /* of the grid */
    size_t column;      /* of the grid, chosen */
    size_t left;        /* the first column shown */
    int cell_from;      /* screen column of that one */
    bool opened;        /* the chosen configuration's runs are shown */
    list splits;        /* these */
    sweeps_part part;
    pane pane;    /* the curves */
    bool in_plot; /* keys belong to it */
} sweeps_view;

/* Of sweeps.c. */

sweep_entry *sweeps_current(const sweeps_view *v); /* NULL: there is none */
const tm_sweep_table *sweeps_table(const sweeps_view *v);
const char *sweeps_quantity(const sweeps_view *v); /* the column shown */

/* Of draw.c. */

enum { SWEEPS_CELL = 9 }; /* columns of a cell */
void sweeps_draw(void *state, app *a, terminal *t, rect area);

/* Of facts.c: what is known of the sweep and of the chosen configuration; its runs; the
 * curves. */
void sweeps_draw_facts(const sweeps_view *v, terminal *t, rect area);
void sweeps_draw_splits(sweeps_view *v, terminal *t, rect area);
void sweeps_draw_curves(sweeps_view *v, terminal *t, rect area);

#endif
