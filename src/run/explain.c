#include "tamis/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

tm_status tm_explain_start(tm_job **out, tm_pool *pool, const tm_job *job, const char *screen,
                           tm_error *err)
{
    tm_params *params = NULL;
    tm_status status = tm_params_copy(&params, tm_job_params(job), err);
    if (status == TM_OK && screen)
        status = tm_params_set_text(params, "screen", screen, err);
    if (status == TM_OK) {
        tm_job_spec spec = TM_JOB_SPEC_INIT;
        spec.name = screen ? screen : tm_job_name(job);
        spec.method = tm_job_method(job);
        spec.params = params;
        spec.train = tm_job_train(job);
        spec.log_room = TM_SCREEN_LOG_ROOM;
        status = tm_pool_submit(pool, &spec, out, err);
    }
    tm_params_free(params);
    return status;
}

/* The facts of the log about one item at the last point. */
typedef struct findings {
    const tm_screen_step *steps;
    size_t first, count;   /* steps of that point: first..count */
    size_t seen;           /* number of steps that examined it */
    size_t least;          /* the step with its least bound */
    double bound;          /* that bound; NaN: no step has one */
    size_t excluded;       /* the step that excluded it; SIZE_MAX: none */
    double excluded_bound; /* its bound there */
    bool limit;            /* it was not excluded there, but found to be at its limit */
    size_t added, deleted; /* the last step that added or deleted it; SIZE_MAX: none */
} findings;

static void take(findings *f, const tm_screen_record *record, size_t step)
{
    f->seen++;
    if (isfinite(record->bound) && !(record->bound >= f->bound)) {
        f->bound = record->bound;
        f->least = step;
    }
    bool limit = record->action == TM_SCREEN_AT_LIMIT;
    if ((record->action == TM_SCREEN_CERTIFIED || limit) && f->excluded == SIZE_MAX) {
        f->limit = limit;
        f->excluded = step;
        f->excluded_bound = record->bound;
    }
    if (record->action == TM_SCREEN_ADDED)
        f->added = step;
    if (record->action == TM_SCREEN_DELETED)
        f->deleted = step;
}

static findings look(const tm_screen_log *log, size_t j)
{
    findings f = {.bound = NAN,
                  .excluded = SIZE_MAX,
                  .excluded_bound = NAN,
                  .added = SIZE_MAX,
                  .deleted = SIZE_MAX};
    f.count = tm_screen_log_steps(log, &f.steps);
    const tm_screen_record *records = tm_screen_log_records(log);
    for (f.first = f.count; f.first > 0; f.first--)
        if (f.steps[f.first - 1].point != f.steps[f.count - 1].point)
            break;
    for (size_t k = f.first; k < f.count; k++)
        for (size_t i = 0; i < f.steps[k].count; i++)
            if (records[f.steps[k].first + i].feature == j)
                take(&f, &records[f.steps[k].first + i], k);
    return f;
}

/* Writes "step 3 of 9 (what it did)". */
static const char *step_text(const findings *f, size_t step, char *buffer, size_t size)
{
    snprintf(buffer, size, "step %zu of %zu (%s)", step - f->first + 1, f->count - f->first,
             f->steps[step].what);
    return buffer;
}

/* Writes "lambda 0.1" or "C 1". */
static const char *point_text(const tm_screen_step *step, char *buffer, size_t size)
{
    snprintf(buffer, size, isnan(step->lambda) ? "C %.4g" : "lambda %.4g",
             isnan(step->lambda) ? step->C : step->lambda);
    return buffer;
}

static void say_excluded(const findings *f, const tm_item_info *item, const char *name,
                         char *buffer)
{
    char where[300], ball[160] = "", at[40];
    const tm_screen_step *step = &f->steps[f->excluded];
    step_text(f, f->excluded, where, sizeof where);
    if (isfinite(step->radius) && isfinite(step->gap))
        snprintf(ball, sizeof ball, ", in the ball of radius %.3g that a gap of %.2e allows",
                 step->radius, step->gap);
    else if (isfinite(step->radius))
        snprintf(ball, sizeof ball, ", in a ball of radius %.3g", step->radius);
    point_text(step, at, sizeof at);
    if (f->limit)
        snprintf(buffer, TM_EXPLAIN_MAX,
                 "%.60s was certified for good at %s%s. There it %s: %s in every answer at %s.",
                 name, where, ball, item->limit, item->holds, at);
    else
        snprintf(buffer, TM_EXPLAIN_MAX,
                 "%.60s was excluded for good at %s. There %s is at most %.4f%s, below the 1 that "
                 "%s reaches, so %s in every answer at %s.",
                 name, where, item->bound, f->excluded_bound, ball, item->reaches, item->follows,
                 at);
}

/* `value`: a weight or the difference of two; NaN: not known. */
static void say_kept(const findings *f, const char *name, double value, bool weight, char *buffer)
{
    char first[200], second[500];
    const char *zero = isnan(value) ? "" : ", but zero";
    if (value != 0 && !isnan(value))
        snprintf(first, sizeof first, "%.60s has the %s %.4g.", name,
                 weight ? "weight" : "difference", value);
    else if (f->deleted != SIZE_MAX && (f->added == SIZE_MAX || f->deleted >= f->added))
        snprintf(first, sizeof first,
                 "%.60s is not excluded%s: step %zu took it out of what is worked on, "
                 "which proves nothing.",
                 name, zero, f->deleted - f->first + 1);
    else
        snprintf(first, sizeof first, "%.60s is not excluded%s.", name, zero);
    if (f->seen == 0 || isnan(f->bound)) {
        snprintf(second, sizeof second, "None of the %zu steps has a bound for it.",
                 f->count - f->first);
    } else {
        char where[300];
        snprintf(second, sizeof second,
                 "Its least bound in %zu steps that looked at it was %.4f, "
                 "at %s; only one below 1, over a ball that has the optimum, excludes.",
                 f->seen, f->bound, step_text(f, f->least, where, sizeof where));
    }
    snprintf(buffer, TM_EXPLAIN_MAX, "%s %s", first, second);
}

/* What an item is in the answer: a weight, the difference of two, or NaN. */
static double value_of(const tm_job *job, const tm_screen_item *item)
{
    const tm_point *points;
    size_t done = tm_job_points(job, &points);
    if (item->kind != TM_ITEM_FEATURE && item->kind != TM_ITEM_EDGE)
        return NAN;
    if (done == 0)
        return 0;
    const tm_model *model = points[done - 1].solution.model;
    double first = tm_model_weight(model, item->first);
    return item->kind == TM_ITEM_EDGE ? first - tm_model_weight(model, item->last) : first;
}

tm_status tm_explain(char *buffer, const tm_job *logged, size_t j, tm_error *err)
{
    const tm_dataset *data = tm_job_train(logged);
    const tm_screen_log *log = tm_job_screen_log(logged);
    const tm_screen_step *steps;
    char label[300];
    if (!log || tm_screen_log_steps(log, &steps) == 0)
        return tm_fail(err, TM_EUSAGE, "%s leaves no screen log that would explain it",
                       tm_method_id(tm_job_method(logged)));
    tm_item kind = tm_screen_log_item(log);
    if (j >= tm_screen_log_items(log))
        return tm_fail(err, TM_EUSAGE, "there is no %s %zu: the data have %zu", tm_item_name(kind),
                       j + 1, tm_screen_log_items(log));
    tm_screen_item item = tm_screen_log_at(log, j);
    const char *name = tm_screen_log_label(log, data, j, label, sizeof label);
    findings f = look(log, j);
    if (f.excluded != SIZE_MAX)
        say_excluded(&f, tm_item_find(item.kind), name, buffer);
    else
        say_kept(&f, name, value_of(logged, &item), item.kind == TM_ITEM_FEATURE, buffer);
    return TM_OK;
}
