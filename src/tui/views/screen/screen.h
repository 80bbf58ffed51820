/* The screen view, between what it does (screen.c, study.c, shown.c) and how it looks (draw.c). */
#ifndef TUI_VIEWS_SCREEN_SCREEN_H
#define TUI_VIEWS_SCREEN_SCREEN_H

#include "tui/dual/polygon.h"
#include "tui/dual/section.h"
#include "tui/session/replay.h"
#include "tui/shell/app.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

/* lambda can be moved down to this share of lambda_max. */
#define STUDY_LEAST 1e-3

typedef struct screen_view {
    app *app;
    tm_job *source;    /* the run that is shown, a reference */
    tm_job *study;     /* the same with a log, a reference */
    char strategy[32]; /* in place of the source's own; "": its own */
    double lambda;     /* in place of the source's own; NAN: its own */
    replay replay;     /* of the study, or of the one before while it is being solved */
    polygon polygon;
    bool planar;    /* the dual is cut by a plane of this feature */
    size_t feature; /* from 0 */
    rect slider;    /* where lambda can be dragged; no rows: nowhere */
    bool sliding;
    pane pane;
    bool in_plot; /* keys belong to it */
    bool zoomed;  /* it has the whole area */
    size_t drawn; /* the step that the plot shows; SIZE_MAX: none */
    list rows;    /* the features of the step */
    bool playing;
    double speed;
} screen_view;

/* Of study.c. */

/* The parameter that chooses the strategy; NULL: the job's method has none. */
const tm_param_info *study_rules(const tm_job *job);
/* Follows the run that is to be shown, while the view is shown. */
tm_status study_follow(screen_view *v, tm_error *err);
/* Takes the log of a study that has ended; true when there was one. After a change of lambda it
 * stays at the step. */
bool study_take_log(screen_view *v, tm_error *err);
/* The same problem by this strategy, or by the source's own (""), from zero. */
tm_status study_by(screen_view *v, const char *strategy, tm_error *err);
/* The lambda that is asked for; NaN: none. */
double study_lambda(const screen_view *v);
/* Solves at another lambda, from the answer that is shown, which stays until the new one is there.
 * What was being solved before is cancelled. */
tm_status study_at_lambda(screen_view *v, double lambda, tm_error *err);
/* The source's own strategy and lambda. */
tm_status study_reset(screen_view *v, tm_error *err);
/* Nothing is shown any more. */
void study_close(screen_view *v);

/* Of screen.c. */

const char *screen_view_strategy_of(const screen_view *v);

void screen_view_go(screen_view *v, size_t step);
/* The chosen row's feature becomes the one whose plane is shown; false when there is none. */
bool screen_view_plane(screen_view *v);

/* Of shown.c. */

tm_status screen_view_at(void *state, app *a, const char *what, const char *value, tm_error *err);

/* Of draw.c. */

const tm_screen_step *screen_view_step_of(const screen_view *v);
void screen_view_draw(void *state, app *a, terminal *t, rect area);

#endif
