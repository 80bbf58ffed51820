/* The sweeps view: shared by its behaviour (sweeps.c) and its drawing (draw.c, facts.c). */
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
    size_t current; /* the current sweep in the list */
    size_t known;   /* number of sweeps that existed when it was chosen */
    sweep_grid grid;
    bool laid;          /* there is a grid, of the current sweep's table */
    bool stale;         /* results came since, perhaps while another view was shown */
    size_t arrangement; /* SIZE_MAX: sweep_grid_first */
    size_t quantity;    /* the column of numbers that is shown */
    size_t config;      /* the chosen configuration */
    list rows;          /* rows of the grid */
    size_t column;      /* the chosen column of the grid */
    size_t left;        /* the first column shown */
    int cell_from;      /* screen column of the first column shown */
    bool opened;        /* the chosen configuration's runs are shown */
    list splits;        /* list of these runs */
    sweeps_part part;
    pane pane;    /* the curves */
    bool in_plot; /* it has the focus */
} sweeps_view;

/* Defined in sweeps.c. */

sweep_entry *sweeps_current(const sweeps_view *v); /* the current sweep; NULL: none */
const tm_sweep_table *sweeps_table(const sweeps_view *v);
const char *sweeps_quantity(const sweeps_view *v); /* the name of the column shown */

/* Defined in draw.c. */

enum { SWEEPS_CELL = 9 }; /* columns of a cell */
void sweeps_draw(void *state, app *a, terminal *t, rect area);

/* Defined in facts.c: facts of the sweep and of the chosen configuration; its runs; the curves. */
void sweeps_draw_facts(const sweeps_view *v, terminal *t, rect area);
void sweeps_draw_splits(sweeps_view *v, terminal *t, rect area);
void sweeps_draw_curves(sweeps_view *v, terminal *t, rect area);

#endif
