#include "tui/widgets/chart_series.h"

#include <math.h>
#include <stdlib.h>

typedef struct points {
    double *x, *y;
    size_t count;
} points;

static tm_status points_alloc(points *p, size_t capacity, tm_error *err)
{
    p->count = 0;
    p->x = malloc((capacity > 0 ? capacity : 1) * sizeof *p->x);
    p->y = malloc((capacity > 0 ? capacity : 1) * sizeof *p->y);
    if (!p->x || !p->y) {
        free(p->x);
        free(p->y);
        *p = (points){NULL, NULL, 0};
        return tm_fail_memory(err, "a plot");
    }
    return TM_OK;
}

static void points_add(points *p, double x, double y)
{
    p->x[p->count] = x;
    p->y[p->count++] = y;
}

static tm_status points_plot(points *p, plot_figure *figure, const char *name, plot_mark mark,
                             int colour, tm_error *err)
{
    tm_status status =
        p->count > 0
            ? plot_figure_add(figure, &(plot_curve){name, mark, p->x, p->y, p->count, colour}, NULL,
                              err)
            : TM_OK;
    free(p->x);
    free(p->y);
    return status;
}

/* ---- against time -------------------------------------------------------------------------- */

static tm_status add_gap(plot_figure *figure, const chart_run *run, const char *name, tm_error *err)
{
    points p;
    tm_status status = points_alloc(&p, run->event_count, err);
    if (status != TM_OK)
        return status;
    for (size_t i = 0; i < run->event_count; i++) {
        const tm_event *event = &run->events[i];
        bool has_gap = event->kind == TM_EVENT_CHECK || event->kind == TM_EVENT_POINT;
        if (has_gap && isfinite(event->gap))
            points_add(&p, event->seconds, event->gap);
    }
    return points_plot(&p, figure, name, PLOT_LINE, run->colour, err);
}

static tm_status add_active(plot_figure *figure, const chart_run *run, const char *name,
                            tm_error *err)
{
    points p;
    tm_status status = points_alloc(&p, run->event_count, err);
    if (status != TM_OK)
        return status;
    for (size_t i = 0; i < run->event_count; i++)
        points_add(&p, run->events[i].seconds, (double)run->events[i].active);
    return points_plot(&p, figure, name, PLOT_STEP, run->colour, err);
}

/* ---- along the path ------------------------------------------------------------------------ */

static tm_status add_rejection(plot_figure *figure, const chart_run *run, const char *name,
                               tm_error *err)
{
    points p;
    tm_status status = points_alloc(&p, run->point_count, err);
    if (status != TM_OK)
        return status;
    for (size_t i = 0; i < run->point_count; i++)
        points_add(&p, run->points[i].place, run->points[i].left);
    plot_mark mark = run->point_count > 1 ? PLOT_LINE : PLOT_POINTS;
    return points_plot(&p, figure, name, mark, run->colour, err);
}

typedef struct score_point {
    double features, score;
    size_t order; /* position in the path */
} score_point;

static int compare_features(const void *a, const void *b)
{
    const score_point *left = a, *right = b;
    int by_features = (left->features > right->features) - (left->features < right->features);
    return by_features != 0 ? by_features
                            : (left->order > right->order) - (left->order < right->order);
}

static tm_status add_score(plot_figure *figure, const chart_run *run, const char *name,
                           tm_error *err)
{
    points p;
    size_t count = run->point_count;
    score_point *sorted = malloc((count > 0 ? count : 1) * sizeof *sorted);
    tm_status status = sorted ? points_alloc(&p, count, err) : tm_fail_memory(err, "a plot");
    if (status != TM_OK) {
        free(sorted);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (score_point){run->points[i].features, run->points[i].score, i};
    qsort(sorted, count, sizeof *sorted, compare_features);
    for (size_t i = 0; i < count; i++) {
        /* Of several lambdas with the same number of features, only the smallest is drawn, so that
         * the line does not double back. */
        bool last = i + 1 == count || sorted[i + 1].features > sorted[i].features;
        if (last && isfinite(sorted[i].score))
            points_add(&p, sorted[i].features, sorted[i].score);
    }
    free(sorted);
    return points_plot(&p, figure, name, count > 1 ? PLOT_LINE : PLOT_POINTS, run->colour, err);
}

/* ---- the table ----------------------------------------------------------------------------- */

typedef tm_status add_run(plot_figure *figure, const chart_run *run, const char *name,
                          tm_error *err);

static add_run *const adders[CHART_COUNT] = {
    [CHART_GAP] = add_gap,
    [CHART_ACTIVE] = add_active,
    [CHART_REJECTION] = add_rejection,
    [CHART_SCORE] = add_score,
};

tm_status chart_series_add(chart_id id, plot_figure *figure, const chart_run *run, const char *name,
                           tm_error *err)
{
    return adders[id](figure, run, name, err);
}
