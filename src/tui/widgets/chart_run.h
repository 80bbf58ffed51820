/* The data that charts draw of a run, which is a job of this session or a run of the store. */
#ifndef TUI_WIDGETS_CHART_RUN_H
#define TUI_WIDGETS_CHART_RUN_H

#include "tui/pins/scores.h"
#include "tui/session/place.h"
#include "tui/session/stored_runs.h"

/* The explore view's plots. */
typedef enum chart_id {
    CHART_GAP,       /* duality gap against time */
    CHART_ACTIVE,    /* active set against time */
    CHART_REJECTION, /* share of features screened out, by lambda */
    CHART_SCORE,     /* score on the test part by the metric chosen, by number of features */
    CHART_COUNT,
} chart_id;

typedef struct chart_point {
    double place;    /* position along the path, in the quantity of its kind */
    double features; /* number of features with a weight */
    double left;     /* share of all features that were not screened out */
    double score;    /* score on the test part; NaN without one */
} chart_point;

typedef struct chart_run {
    const char *name; /* borrowed, like the events */
    int colour;
    size_t asked; /* number of points requested */
    const tm_event *events;
    size_t event_count;
    place_kind kind;
    chart_point *points;
    size_t point_count;
    size_t features; /* number of features of the data */
} chart_run;

/* Collects the present data of a run, with its scores by this metric; `known` NULL: without scores.
 * Free it with chart_run_free before the run is freed. */
tm_status chart_run_of_job(chart_run *out, const tm_job *job, run_scores *known,
                           const tm_scorer *by, tm_error *err);
/* The run must have been loaded (stored_runs_load). */
tm_status chart_run_of_stored(chart_run *out, const stored_run *run, tm_error *err);
void chart_run_free(chart_run *run);

#endif
