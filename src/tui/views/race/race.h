/* The race view: shared by its behaviour (race.c) and its drawing (draw.c). */
#ifndef TUI_VIEWS_RACE_RACE_H
#define TUI_VIEWS_RACE_RACE_H

#include "tui/shell/app.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

enum { MAX_LANES = 32 };

/* One strategy on the problem. */
typedef struct race_lane {
    const char *strategy;
    tm_job *job; /* a reference; NULL: not started yet */
    char error[TM_ERROR_MAX];
} race_lane;

/* The present result of a lane; NaN: not known. */
typedef struct race_result {
    bool over, met; /* ended; met the tolerance */
    double columns, seconds, gap, nnz, rejection;
    double most_active, features;
} race_result;

typedef struct race_view {
    app *app;
    tm_dataset *train; /* a reference; NULL: no race yet */
    tm_params *params; /* parameters of the problem, without a strategy */
    const tm_method *method;
    unsigned solves; /* the form's count of solves when the race began */
    race_lane lanes[MAX_LANES];
    size_t count, running; /* `running` is the index of the current lane; equal to count when all
                            * have ended */
    bool by_seconds;       /* the plots' axis is seconds */
    list rows;
    uint64_t seen; /* digest of what is drawn */
    pane panes[MAX_LANES];
} race_view;

/* Defined in race.c. */

race_result race_result_of(const race_lane *lane);
/* Ranks the lanes: those that met the tolerance by their column products, then the others; returns
 * the number of the former. */
size_t race_ranks(const race_view *v, size_t ranks[MAX_LANES]);

/* Defined in draw.c. */

void race_draw(void *state, app *a, terminal *t, rect area);

#endif
