/* The run whose time is looked at: the form's newest when none was chosen, a run of the session, or
 * one of the store. What is known of it at each moment comes from its trace and its points. */
#ifndef TUI_TIME_TIMELINE_H
#define TUI_TIME_TIMELINE_H

#include "tui/session/session.h"

typedef struct timeline {
    const char *name;         /* borrowed, like the rest */
    const tm_job *job;        /* the form's solve, or the run of the session; NULL: neither */
    const stored_run *stored; /* the run of the store, or NULL */
    const tm_event *events;
    size_t event_count;
    double seconds; /* of the whole run, or as far as it has come */
} timeline;

/* false: there is no run yet. */
bool timeline_now(timeline *out, const session *s, const explore_runs *e);

/* Chooses a run of the session, which is shown in the path and screen views, too; NULL: the form's.
 * What is computed for the one before is cancelled. */
void timeline_choose_job(session *s, tm_job *job);
/* Chooses a run of the store: its trace and points are read, and where its data are explored it
 * begins to be solved again, for its steps and the weights along its path. After an error the one
 * before stays. */
tm_status timeline_choose_stored(session *s, stored_run *run, tm_error *err);
/* Whether one was chosen. */
bool timeline_is_chosen(const session *s);
/* Whether it is this one. */
bool timeline_is(const session *s, const tm_job *job, const stored_run *stored);

/* Whether a run of the store was chosen whose data are not explored, and what is to be done about
 * that to see `what` of it. */
bool timeline_elsewhere(const session *s, const char *what, char *buffer, size_t size);

/* The job whose points are its path's, with their weights: NULL: none, or none any more. */
tm_job *timeline_path(const session *s, const explore_runs *e);
/* Points of its path. */
size_t timeline_points(const session *s, const explore_runs *e);
/* The position of point i along its path, and its number of features. */
place_facts timeline_place(const session *s, const explore_runs *e, size_t i);
place_kind timeline_kind(const session *s, const explore_runs *e);
/* The point that was the last one solved after this share of the way; on a path the first one
 * before that; SIZE_MAX: none. */
size_t timeline_point_at(const session *s, const explore_runs *e, double share);
/* The weights of a point (SIZE_MAX: of the end), and the data they are of (NULL: not known);
 * NULL: they are not known. */
const tm_model *timeline_model(const session *s, const explore_runs *e, size_t point,
                               const tm_dataset **data);

#endif
