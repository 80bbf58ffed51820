/* The race view, between what it does (race.c) and how it looks (draw.c). */
#ifndef TUI_VIEWS_RACE_RACE_H
#define TUI_VIEWS_RACE_RACE_H

#include "tui/shell/app.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

enum { MAX_LANES = 32 };

/* One strategy on the problem. */
typedef struct race_lane {
    const char *strategy;
    tm_job *job; /* a reference; NULL: its turn has not come */
    char error[TM_ERROR_MAX];
} race_lane;

/* What a lane has come to; not known: NaN. */
typedef struct race_result {
    bool over, met; /* the tolerance */
    double columns, seconds, gap, nnz, rejection;
    double most_active, features;
} race_result;

typedef struct race_view {
    app *app;
    tm_dataset *train; /* a reference; NULL: there was no race yet */
    tm_params *params; /* of the problem, without a strategy */
    const tm_method *method;
    unsigned solves; /* of the form when the race began */
    race_lane lanes[MAX_LANES];
    size_t count, running; /* the lane whose turn it is; count: all are over */
    bool by_seconds;       /* the plots' axis */
    list rows;
    uint64_t seen; /* what is drawn */
    pane panes[MAX_LANES];
} race_view;

/* Of race.c. */

race_result race_result_of(const race_lane *lane);
/* Lanes by rank: those that met the tolerance by their column products, then the others; returns
 * how many of the first there are. */
size_t race_ranks(const race_view *v, size_t ranks[MAX_LANES]);

/* Of draw.c. */

void race_draw(void *state, app *a, terminal *t, rect area);

#endif
