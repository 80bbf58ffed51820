/* The screen view: shared by its behaviour (screen.c, study.c, shown.c) and its drawing
 * (draw.c). */
#ifndef TUI_VIEWS_SCREEN_SCREEN_H
#define TUI_VIEWS_SCREEN_SCREEN_H

#include "tui/dual/polygon.h"
#include "tui/dual/section.h"
#include "tui/session/replay.h"
#include "tui/shell/app.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

/* The smallest lambda of the slider as a share of lambda_max. */
#define STUDY_LEAST 1e-3

typedef struct screen_view {
    app *app;
    tm_job *source;    /* the run that is shown, a reference */
    tm_job *study;     /* the same problem solved with a log, a reference */
    char strategy[32]; /* strategy instead of the source's own; "": its own */
    double lambda;     /* lambda instead of the source's own; NAN: its own */
    replay replay;     /* replay of the study, or of the previous one while the study is being
                        * solved */
    polygon polygon;
    bool planar;    /* the dual is cut by a plane of this feature */
    size_t feature; /* from 0 */
    rect slider;    /* area of the lambda slider; no rows: none */
    bool sliding;
    pane pane;
    bool in_plot;     /* it has the focus */
    bool zoomed;      /* it fills the whole area */
    size_t drawn;     /* the step that the plot shows; SIZE_MAX: none */
    char wanted[128]; /* part of a name that was searched */
    list rows;        /* the features of the step */
    bool playing;
    double speed;
} screen_view;

/* Defined in study.c. */

/* The parameter that chooses the strategy; NULL: the job's method has none. */
const tm_param_info *study_rules(const tm_job *job);
/* Solves the run to be shown with a log, while the view is visible. */
tm_status study_follow(screen_view *v, tm_error *err);
/* Takes the log of a study that has ended; true if there was one. After a change of lambda, the
 * step stays the same. */
bool study_take_log(screen_view *v, tm_error *err);
/* Solves the same problem with this strategy, or with the source's own (""), from zero. */
tm_status study_by(screen_view *v, const char *strategy, tm_error *err);
/* The requested lambda; NaN: none. */
double study_lambda(const screen_view *v);
/* Solves at another lambda from the answer shown, which stays until the new one is available.
 * Cancels the solve in progress. */
tm_status study_at_lambda(screen_view *v, double lambda, tm_error *err);
/* Restores the source's own strategy and lambda. */
tm_status study_reset(screen_view *v, tm_error *err);
/* The step of the moment (0..1) that all views look at. There must be steps. */
size_t study_step_at(const screen_view *v, double moment);
/* Releases what is shown. */
void study_close(screen_view *v);

/* Defined in screen.c. */

const char *screen_view_strategy_of(const screen_view *v);

void screen_view_go(screen_view *v, size_t step);
/* Shows the plane of the chosen row's feature; false if there is none. */
bool screen_view_plane(screen_view *v);

/* Defined in shown.c. */

/* Looks for a feature by a part of its name, or for the next one; false: another request. */
bool screen_view_search(screen_view *v, int request);
tm_status screen_view_at(void *state, app *a, const char *what, const char *value, tm_error *err);

/* Defined in draw.c. */

const tm_screen_step *screen_view_step_of(const screen_view *v);
void screen_view_draw(void *state, app *a, terminal *t, rect area);

#endif
