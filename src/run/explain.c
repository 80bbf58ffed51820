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

/* The facts of the log about one feature at the last point. */
typedef struct findings {
    const tm_screen_step *steps;
    size_t first, count;   /* steps of that point: first..count */
    size_t seen;           /* number of steps that examined it */
    size_t least;          /* the step with its least bound */
    double bound;          /* that bound; NaN: no step has one */
    size_t excluded;       /* the step that excluded it; SIZE_MAX: none */
    double excluded_bound; /* its bound there */
    size_t added, deleted; /* the last step that added or deleted it; SIZE_MAX: none */
} findings;

static void take(findings *f, const tm_screen_record *record, size_t step)
{
    f->seen++;
    if (isfinite(record->bound) && !(record->bound >= f->bound)) {
        f->bound = record->bound;
        f->least = step;
    }
    if (record->action == TM_SCREEN_CERTIFIED && f->excluded == SIZE_MAX) {
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

/* What a bound below 1 says of an item. */
typedef struct wording {
    const char *reaches, *zero;
} wording;

static wording wording_of(tm_item kind)
{
    if (kind == TM_ITEM_EDGE)
        return (wording){"that an edge between two levels reaches",
                         "its ends have the same weight"};
    if (kind == TM_ITEM_TERM)
        return (wording){"that a term with a value reaches", "the term is 0"};
    return (wording){"that a feature with weight reaches", "its weight is 0"};
}

static void say_excluded(const findings *f, const char *name, tm_item kind, char *buffer)
{
    wording words = wording_of(kind);
    char where[300], ball[160] = "";
    const tm_screen_step *step = &f->steps[f->excluded];
    step_text(f, f->excluded, where, sizeof where);
    if (isfinite(step->radius) && isfinite(step->gap))
        snprintf(ball, sizeof ball, ", in the ball of radius %.3g that a gap of %.2e allows",
                 step->radius, step->gap);
    else if (isfinite(step->radius))
        snprintf(ball, sizeof ball, ", in a ball of radius %.3g", step->radius);
    snprintf(buffer, TM_EXPLAIN_MAX,
             "%.60s was excluded for good at %s. There %s is at most %.4f%s, below the 1 %s, so %s "
             "in every answer at lambda %.4g.",
             name, where, tm_item_find(kind)->bound, f->excluded_bound, ball, words.reaches,
             words.zero, step->lambda);
}

static void say_kept(const findings *f, const char *name, tm_item kind, double value, char *buffer)
{
    char first[200], second[500];
    if (value != 0)
        snprintf(first, sizeof first, "%.60s has the %s %.4g.", name,
                 kind == TM_ITEM_FEATURE ? "weight"
                 : kind == TM_ITEM_EDGE  ? "difference"
                                         : "value",
                 value);
    else if (f->deleted != SIZE_MAX && (f->added == SIZE_MAX || f->deleted >= f->added))
        snprintf(first, sizeof first,
                 "%.60s is not excluded, but zero: step %zu took it out of what is worked on, "
                 "which proves nothing.",
                 name, f->deleted - f->first + 1);
    else
        snprintf(first, sizeof first, "%.60s is not excluded, but zero.", name);
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

/* The value of the item's term in the answer: a weight, or the difference of two; 0 for a term of
 * more features, whose coefficients are not known here. */
static double value_of(const tm_job *job, const tm_screen_item *item)
{
    const tm_point *points;
    size_t done = tm_job_points(job, &points);
    const tm_model *model = done > 0 ? points[done - 1].solution.model : NULL;
    if (!model || item->kind == TM_ITEM_TERM)
        return 0;
    double first = tm_model_weight(model, item->first);
    return item->kind == TM_ITEM_EDGE ? first - tm_model_weight(model, item->last) : first;
}

tm_status tm_explain(char *buffer, const tm_job *logged, size_t j, tm_error *err)
{
    const tm_screen_log *log = tm_job_screen_log(logged);
    const tm_screen_step *steps;
    char label[300];
    if (tm_method_item(tm_job_method(logged)) != TM_ITEM_FEATURE)
        return tm_fail(err, TM_EUSAGE, "%s screens samples, no features",
                       tm_method_id(tm_job_method(logged)));
    if (!log || tm_screen_log_steps(log, &steps) == 0)
        return tm_fail(err, TM_EUSAGE, "%s leaves no screen log that would explain it",
                       tm_method_id(tm_job_method(logged)));
    if (j >= tm_screen_log_items(log))
        return tm_fail(err, TM_EUSAGE, "there is no %s %zu: the %s have %zu",
                       tm_item_name(tm_screen_log_item(log)), j + 1,
                       tm_screen_log_item(log) == TM_ITEM_FEATURE ? "data" : "records",
                       tm_screen_log_items(log));
    tm_screen_item item = tm_screen_log_at(log, j);
    const char *name = tm_screen_log_label(log, tm_job_train(logged), j, label, sizeof label);
    findings f = look(log, j);
    if (f.excluded != SIZE_MAX)
        say_excluded(&f, name, item.kind, buffer);
    else
        say_kept(&f, name, item.kind, value_of(logged, &item), buffer);
    return TM_OK;
}
