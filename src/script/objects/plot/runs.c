/* The lines that tm.plot draws of a run. */
#include "script/objects/plot/plot.h"

#include "script/objects/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the values of a run ------------------------------------------------------------------- */

typedef struct totals {
    double seconds, columns, updates, step;
} totals;

static double count_of(uint64_t count)
{
    return count == TM_NO_COUNT ? NAN : (double)count;
}

static double event_value(const tm_event *e, const char *key, size_t step)
{
    return strcmp(key, "time") == 0         ? e->seconds
           : strcmp(key, "columns") == 0    ? (double)e->columns
           : strcmp(key, "updates") == 0    ? (double)e->updates
           : strcmp(key, "step") == 0       ? (double)step + 1
           : strcmp(key, "gap") == 0        ? e->gap
           : strcmp(key, "active") == 0     ? (double)e->active
           : strcmp(key, "screened") == 0   ? (double)e->screened
           : strcmp(key, "rejection") == 0  ? tm_event_rejection(e)
           : strcmp(key, "rejected") == 0   ? count_of(e->rejected)
           : strcmp(key, "aggregated") == 0 ? count_of(e->aggregated)
           : strcmp(key, "primal") == 0     ? e->primal
                                            : e->dual;
}

static double point_value(const tm_point *point, const char *key, const totals *so_far)
{
    const tm_solution *s = &point->solution;
    return strcmp(key, "time") == 0        ? so_far->seconds
           : strcmp(key, "columns") == 0   ? so_far->columns
           : strcmp(key, "updates") == 0   ? so_far->updates
           : strcmp(key, "step") == 0      ? so_far->step
           : strcmp(key, "lambda") == 0    ? s->lambda
           : strcmp(key, "nnz") == 0       ? (double)tm_model_nnz(s->model)
           : strcmp(key, "levels") == 0    ? script_model_levels(s->model)
           : strcmp(key, "gap") == 0       ? s->gap
           : strcmp(key, "active") == 0    ? (double)s->active
           : strcmp(key, "screened") == 0  ? (double)s->screening.screened
           : strcmp(key, "rejection") == 0 ? s->screening.rejection
           : strcmp(key, "primal") == 0    ? s->primal
                                           : s->dual;
}

/* Some quantities exist only for finished lambdas. */
static bool by_point(const char *x, const char *y)
{
    static const char *const of_points[] = {"lambda", "nnz", "levels", "score", "test_score"};
    for (size_t k = 0; k < sizeof of_points / sizeof *of_points; k++)
        if (strcmp(x, of_points[k]) == 0 || strcmp(y, of_points[k]) == 0)
            return true;
    return false;
}

bool script_line_reserve(script_line *to, size_t count)
{
    to->x = calloc(count ? count : 1, sizeof *to->x);
    to->y = calloc(count ? count : 1, sizeof *to->y);
    return to->x && to->y;
}

/* Along a path the number of features is not monotone, so a line against it would double back. Only
 * one point for each number is kept, that of the smallest lambda, in ascending order. */
static void order_by_x(script_line *to)
{
    size_t kept = 0;
    for (size_t i = to->count; i-- > 0;) {
        size_t at = 0;
        while (at < kept && to->x[to->count - kept + at] < to->x[i])
            at++;
        if (at < kept && to->x[to->count - kept + at] == to->x[i])
            continue;
        double x = to->x[i], y = to->y[i];
        size_t from = to->count - kept;
        memmove(to->x + from - 1, to->x + from, at * sizeof *to->x);
        memmove(to->y + from - 1, to->y + from, at * sizeof *to->y);
        to->x[from - 1 + at] = x;
        to->y[from - 1 + at] = y;
        kept++;
    }
    memmove(to->x, to->x + to->count - kept, kept * sizeof *to->x);
    memmove(to->y, to->y + to->count - kept, kept * sizeof *to->y);
    to->count = kept;
}

/* A run already has its scores by the default metric. */
static double score_of(const tm_job *job, const tm_point *point, const script_axes *axes)
{
    double value = NAN;
    bool test = strcmp(axes->y, "test_score") == 0;
    tm_scorer by = script_axes_scorer(axes, tm_job_train(job));
    if (by.metric == tm_metric_default(by.metric->binary))
        return test ? point->test_score : point->train_score;
    tm_model_score(point->solution.model, test ? tm_job_test(job) : tm_job_train(job), &by, &value,
                   NULL);
    return value;
}

static bool line_of_points(script_line *to, const tm_job *job, const script_axes *axes)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    totals so_far = {0, 0, 0, 0};
    if (!script_line_reserve(to, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        so_far.seconds += points[i].solution.seconds;
        so_far.columns += (double)points[i].solution.columns;
        so_far.updates += (double)points[i].solution.updates;
        so_far.step += 1;
        to->x[i] = point_value(&points[i], axes->x, &so_far);
        to->y[i] = axes->scores ? score_of(job, &points[i], axes)
                                : point_value(&points[i], axes->y, &so_far);
    }
    to->count = count;
    if (strcmp(axes->x, "nnz") == 0 || strcmp(axes->x, "levels") == 0)
        order_by_x(to);
    return true;
}

static bool line_of_events(script_line *to, const tm_job *job, const char *x, const char *y)
{
    const tm_event *events;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    if (!script_line_reserve(to, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        to->x[i] = event_value(&events[i], x, i);
        to->y[i] = event_value(&events[i], y, i);
    }
    to->count = count;
    static const char *const steps[] = {"active", "screened", "rejection", "rejected",
                                        "aggregated"};
    to->mark = PLOT_LINE;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (strcmp(y, steps[k]) == 0)
            to->mark = PLOT_STEP;
    return true;
}

/* ---- a run --------------------------------------------------------------------------------- */

tm_scorer script_axes_scorer(const script_axes *axes, const tm_dataset *train)
{
    return axes->by.metric ? axes->by : tm_scorer_for(train);
}

bool script_line_of_run(script_line *to, const tm_job *job, const script_axes *axes)
{
    return by_point(axes->x, axes->y) ? line_of_points(to, job, axes)
                                      : line_of_events(to, job, axes->x, axes->y);
}
