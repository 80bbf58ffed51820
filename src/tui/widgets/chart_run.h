/* What a chart draws of a run, wherever the run is: a job of this session, or one of the store. */
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
    double place;    /* along the path, as its kind says */
    double features; /* with a weight */
    double left;     /* share of all features that was not screened out */
    double score;    /* on the test part; NaN without one */
} chart_point;

typedef struct chart_run {
    const char *name; /* borrowed, like the events */
    int colour;
    size_t asked; /* points that were asked for */
    const tm_event *events;
    size_t event_count;
    place_kind kind;
    chart_point *points;
    size_t point_count;
    size_t features; /* of the data */
} chart_run;

/* What there is of a run now, its scores by this metric; `known` NULL: without scores. Free it with
 * chart_run_free, before the run goes. */
tm_status chart_run_of_job(chart_run *out, const tm_job *job, run_scores *known,
                           const tm_scorer *by, tm_error *err);
/* The run must have been loaded (stored_runs_load). */
tm_status chart_run_of_stored(chart_run *out, const stored_run *run, tm_error *err);
void chart_run_free(chart_run *run);

#endif
