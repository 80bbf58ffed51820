#include "tui/charts.h"

#include "tui/place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scripts' runs drawn over the explore view's own; more could not be told apart. */
enum { OVERLAYS = 6 };

typedef struct points {
    double *x, *y;
    size_t count;
} points;

static tm_status points_room(points *p, size_t room, tm_error *err)
{
    p->count = 0;
    p->x = malloc((room > 0 ? room : 1) * sizeof *p->x);
    p->y = malloc((room > 0 ? room : 1) * sizeof *p->y);
    if (p->x == NULL || p->y == NULL) {
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
        p->count > 0 ? plot_figure_add(figure, name, mark, p->x, p->y, p->count, colour, NULL, err)
                     : TM_OK;
    free(p->x);
    free(p->y);
    return status;
}

static tm_status level(plot_figure *figure, const char *name, double y, int colour, tm_error *err)
{
    double x = 0.0;
    return plot_figure_add(figure, name, PLOT_LEVEL, &x, &y, 1, colour, NULL, err);
}

/* ---- against time -------------------------------------------------------------------------- */

static tm_status add_gap(plot_figure *figure, const tm_job *job, const char *name, int colour,
                         tm_error *err)
{
    const tm_event *events;
    points p;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    tm_status status = points_room(&p, count, err);
    if (status != TM_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        bool has_gap = events[i].kind == TM_EVENT_CHECK || events[i].kind == TM_EVENT_POINT;
        if (has_gap && isfinite(events[i].gap)) {
            points_add(&p, events[i].seconds, events[i].gap);
        }
    }
    return points_plot(&p, figure, name, PLOT_LINE, colour, err);
}

static tm_status add_active(plot_figure *figure, const tm_job *job, const char *name, int colour,
                            tm_error *err)
{
    const tm_event *events;
    points p;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    tm_status status = points_room(&p, count, err);
    if (status != TM_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        points_add(&p, events[i].seconds, (double)events[i].active);
    }
    return points_plot(&p, figure, name, PLOT_STEP, colour, err);
}

/* ---- along the path ------------------------------------------------------------------------ */

static tm_status add_rejection(plot_figure *figure, const tm_job *job, const char *name, int colour,
                               tm_error *err)
{
    const tm_point *done;
    points p;
    size_t count = tm_job_points(job, &done);
    tm_status status = points_room(&p, count, err);
    if (status != TM_OK) {
        return status;
    }
    place_kind kind = place_kind_of(done, count);
    for (size_t i = 0; i < count; i++) {
        const tm_solution *solution = &done[i].solution;
        points_add(&p, place_value(kind, solution), 1 - solution->rejection);
    }
    return points_plot(&p, figure, name, count > 1 ? PLOT_LINE : PLOT_POINTS, colour, err);
}

typedef struct score_point {
    double features, score;
    size_t order; /* along the path */
} score_point;

static int compare_features(const void *a, const void *b)
{
    const score_point *left = a, *right = b;
    int by_features = (left->features > right->features) - (left->features < right->features);
    return by_features != 0 ? by_features
                            : (left->order > right->order) - (left->order < right->order);
}

static tm_status add_score(plot_figure *figure, const tm_job *job, const char *name, int colour,
                           tm_error *err)
{
    const tm_point *done;
    points p;
    size_t count = tm_job_points(job, &done);
    score_point *sorted = malloc((count > 0 ? count : 1) * sizeof *sorted);
    tm_status status = sorted != NULL ? points_room(&p, count, err) : tm_fail_memory(err, "a plot");
    if (status != TM_OK) {
        free(sorted);
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i].features = (double)tm_model_nnz(done[i].solution.model);
        sorted[i].score = done[i].test_score;
        sorted[i].order = i;
    }
    qsort(sorted, count, sizeof *sorted, compare_features);
    for (size_t i = 0; i < count; i++) {
        /* Of several lambdas with as many features the least counts: the line must not double back. */
        bool last = i + 1 == count || sorted[i + 1].features > sorted[i].features;
        if (last && isfinite(sorted[i].score)) {
            points_add(&p, sorted[i].features, sorted[i].score);
        }
    }
    free(sorted);
    return points_plot(&p, figure, name, count > 1 ? PLOT_LINE : PLOT_POINTS, colour, err);
}

/* ---- the charts ---------------------------------------------------------------------------- */

typedef tm_status add_job(plot_figure *figure, const tm_job *job, const char *name, int colour,
                          tm_error *err);

static add_job *const adders[CHART_COUNT] = {
    [CHART_GAP] = add_gap,
    [CHART_ACTIVE] = add_active,
    [CHART_REJECTION] = add_rejection,
    [CHART_SCORE] = add_score,
};

static bool of_path(chart_id id)
{
    return id == CHART_REJECTION || id == CHART_SCORE;
}

/* Runs on other data would be drawn on axes that mean something else. */
static bool comparable(const explorer *e, const tm_job *job)
{
    const tm_dataset *train = tm_job_train(job);
    return e->train == NULL || (tm_dataset_cols(train) == tm_dataset_cols(e->train) &&
                                tm_dataset_is_binary(train) == tm_dataset_is_binary(e->train));
}

/* Time belongs to single solves, lambda and numbers of features to paths. */
static bool fits(chart_id id, const tm_job *job)
{
    size_t asked = tm_job_point_count(job);
    const tm_event *events;
    if (of_path(id)) {
        return asked > 1;
    }
    return asked == 1 && tm_trace_read(tm_job_trace(job), &events) > 0;
}

/* The script's runs of one name: the newest counts. */
static bool superseded(const session *s, chart_id id, size_t i)
{
    for (size_t k = i + 1; k < s->run_count; k++) {
        if (s->runs[k].colour == s->runs[i].colour && fits(id, s->runs[k].job)) {
            return true;
        }
    }
    return false;
}

/* Marked runs are drawn alone, the newest when none is marked. */
static bool any_marked(const session *s)
{
    for (size_t i = 0; i < s->run_count; i++) {
        if (s->runs[i].marked) {
            return true;
        }
    }
    return false;
}

static tm_status add_overlays(chart_id id, plot_figure *figure, const explorer *e, const session *s,
                              size_t *added, tm_error *err)
{
    size_t chosen[OVERLAYS];
    size_t count = 0;
    bool marked = any_marked(s);
    for (size_t i = s->run_count; i > 0 && count < OVERLAYS; i--) {
        const tm_job *job = s->runs[i - 1].job;
        bool wanted = marked ? s->runs[i - 1].marked : !superseded(s, id, i - 1);
        if (wanted && fits(id, job) && comparable(e, job)) {
            chosen[count++] = i - 1;
        }
    }
    tm_status status = TM_OK;
    *added = count;
    while (count > 0 && status == TM_OK) { /* oldest first, as they were started */
        const session_run *run = &s->runs[chosen[--count]];
        status = adders[id](figure, run->job, tm_job_name(run->job), run->colour, err);
    }
    return status;
}

static const tm_metric *score_metric(const explorer *e)
{
    return tm_metric_default(e->train == NULL || tm_dataset_is_binary(e->train));
}

/* What the form's path goes along; of the answer alone while there is none. */
static place_kind path_kind(const explorer *e)
{
    const tm_point *done;
    size_t count = e->shown_path != NULL ? tm_job_points(e->shown_path, &done) : 0;
    const tm_point *answer = explorer_answer(e);
    if (count > 0) {
        return place_kind_of(done, count);
    }
    return place_kind_of(answer, answer != NULL ? 1 : 0);
}

static void set_axes(chart_id id, plot_figure *figure, const explorer *e, bool log_time)
{
    plot_figure_clear(figure);
    plot_figure_legend(figure, true);
    switch (id) {
    case CHART_GAP:
        plot_figure_labels(figure, "s", NULL);
        plot_figure_log(figure, log_time, true);
        plot_figure_xlim(figure, log_time ? NAN : 0.0, NAN);
        break;
    case CHART_ACTIVE:
        plot_figure_labels(figure, "s", NULL);
        plot_figure_log(figure, log_time, false);
        plot_figure_xlim(figure, log_time ? NAN : 0.0, NAN);
        plot_figure_ylim(figure, 0.0, NAN);
        break;
    case CHART_REJECTION:
        plot_figure_labels(figure, place_label(path_kind(e)), NULL);
        /* Rejection is near 1 most of the time: what is left of the features tells more. */
        plot_figure_log(figure, true, true);
        plot_figure_ylim(figure, NAN, 1.0);
        plot_figure_floor(figure, e->train != NULL ? 0.5 / (double)tm_dataset_cols(e->train) : 0);
        break;
    case CHART_SCORE:
        plot_figure_labels(figure, "features", NULL);
        plot_figure_log(figure, false, false);
        plot_figure_ylim(figure, NAN, score_metric(e)->binary ? 1.0 : NAN);
        break;
    case CHART_COUNT:
        break;
    }
}

/* The answer of the form among the path's. */
static tm_status add_answer(chart_id id, plot_figure *figure, const explorer *e, tm_error *err)
{
    const tm_point *answer = explorer_answer(e);
    if (answer == NULL) {
        return TM_OK;
    }
    double x = place_value(path_kind(e), &answer->solution);
    double y = 1 - answer->solution.rejection;
    if (id == CHART_SCORE) {
        x = (double)tm_model_nnz(answer->solution.model);
        y = answer->test_score;
    }
    if (!isfinite(y) || !isfinite(x)) {
        return TM_OK;
    }
    return plot_figure_add(figure, "now", PLOT_POINTS, &x, &y, 1, 0, NULL, err);
}

static tm_status add_goal(plot_figure *figure, const explorer *e, tm_error *err)
{
    double scale = e->shown != NULL ? tm_job_null_objective(e->shown) : NAN;
    const tm_params *params = e->shown != NULL ? tm_job_params(e->shown) : e->params;
    if (!isfinite(scale) || scale <= 0 || tm_params_find(params, "tol", NULL) == NULL) {
        return TM_OK;
    }
    return level(figure, "tol", tm_params_real(params, "tol") * scale, 7, err);
}

tm_status chart_fill(chart_id id, plot_figure *figure, const explorer *e, const session *s,
                     bool log_time, tm_error *err)
{
    const tm_job *own = of_path(id) ? e->shown_path : e->shown;
    size_t overlays = 0;
    char name[64];
    set_axes(id, figure, e, log_time);
    tm_status status = id == CHART_GAP ? add_goal(figure, e, err) : TM_OK;
    if (status == TM_OK) {
        status = add_overlays(id, figure, e, s, &overlays, err);
    }
    if (status == TM_OK && own != NULL) {
        /* A script's run may have the same name. */
        snprintf(name, sizeof name, "%s%s", overlays > 0 ? "form: " : "", tm_job_name(own));
        status = adders[id](figure, own, name, 0, err);
    }
    if (status == TM_OK && of_path(id)) {
        status = add_answer(id, figure, e, err);
    }
    return status;
}

void chart_title(chart_id id, const explorer *e, char *buffer, size_t size)
{
    static const char *const titles[CHART_COUNT] = {
        [CHART_GAP] = "duality gap",
        [CHART_ACTIVE] = "active set",
        [CHART_REJECTION] = "1 - rejection",
    };
    if (id == CHART_SCORE) {
        snprintf(buffer, size, "test %s", score_metric(e)->id);
    } else if (id == CHART_REJECTION) {
        bool lambda = path_kind(e) == PLACE_LAMBDA;
        snprintf(buffer, size, "%s by %s", titles[id],
                 lambda ? "lambda" : place_label(path_kind(e)));
    } else {
        snprintf(buffer, size, "%s", titles[id]);
    }
}
