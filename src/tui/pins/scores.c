#include "tui/pins/scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void forget(scored_run *run)
{
    tm_job_unref(run->job);
    free(run->values);
}

static void forget_runs(run_scores *s)
{
    for (size_t i = 0; i < s->count; i++)
        forget(&s->runs[i]);
    s->count = 0;
}

void scores_clear(run_scores *s)
{
    forget_runs(s);
    tm_dataset_unref(s->usual_of);
    s->usual_of = NULL;
}

/* ---- the metric ---------------------------------------------------------------------------- */

tm_scorer scores_scorer(run_scores *s, const tm_dataset *data)
{
    bool binary = !data || tm_dataset_is_binary(data);
    if (s->chosen.metric && s->chosen.metric->binary == binary)
        return s->chosen;
    if (!data)
        return tm_scorer_default(true);
    if (s->usual_of != data) {
        tm_dataset_unref(s->usual_of);
        s->usual_of = tm_dataset_ref(data);
        s->usual = tm_scorer_for(data);
    }
    return s->usual;
}

tm_status scores_choose(run_scores *s, const char *name, const tm_dataset *data, tm_error *err)
{
    tm_scorer scorer = {.metric = NULL};
    bool binary = !data || tm_dataset_is_binary(data);
    tm_status status = name && name[0] != '\0' ? tm_scorer_find(&scorer, name, err) : TM_OK;
    if (status != TM_OK)
        return status;
    if (scorer.metric && scorer.metric->binary != binary)
        return tm_fail(err, TM_EUSAGE, "metric '%s' needs %s; the response of these data is %s",
                       scorer.name, binary ? "numbers" : "two classes",
                       binary ? "two classes" : "numbers");
    s->chosen = scorer;
    return TM_OK;
}

tm_status scores_step(run_scores *s, long by, const tm_dataset *data, tm_error *err)
{
    size_t count;
    const tm_metric *all = tm_metrics(&count);
    tm_scorer now = scores_scorer(s, data);
    long at = now.metric - all, places = (long)count;
    do
        at = ((at + by) % places + places) % places;
    while (all[at].binary != now.metric->binary);
    tm_scorer next = tm_scorer_usual(&all[at]);
    return scores_choose(s, next.name, data, err);
}

/* ---- scores -------------------------------------------------------------------------------- */

void scores_begin(run_scores *s, size_t work)
{
    s->work = work;
    s->waiting = false;
}

/* The entry for a run's scores; a new run replaces the least recently used one. */
static scored_run *find_run(run_scores *s, const tm_job *job)
{
    size_t at = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->runs[i].job == job)
            return &s->runs[i];
    if (s->count < SCORED_RUNS) {
        at = s->count++;
    } else {
        for (size_t i = 1; i < s->count; i++)
            at = s->runs[i].used < s->runs[at].used ? i : at;
        forget(&s->runs[at]);
    }
    s->runs[at] = (scored_run){.job = tm_job_ref(job)};
    return &s->runs[at];
}

static bool reserve(scored_run *run, size_t points)
{
    if (points <= run->capacity)
        return true;
    double *grown = realloc(run->values, points * sizeof *grown);
    if (!grown)
        return false;
    run->values = grown;
    run->capacity = points;
    return true;
}

/* The work of predicting the test data and sorting its rows. */
static size_t cost_of(const tm_job *job, const tm_model *model)
{
    enum { ORDER = 32 };
    return tm_dataset_rows(tm_job_test(job)) * (tm_model_nnz(model) + ORDER);
}

/* Scores points from the first unknown one on until the work of this frame is spent. */
static void go_on(run_scores *s, scored_run *run, size_t wanted, const tm_point *points)
{
    while (run->count <= wanted) {
        const tm_model *model = points[run->count].solution.model;
        size_t cost = cost_of(run->job, model);
        if (s->work == 0) {
            s->waiting = true;
            return;
        }
        s->work -= cost < s->work ? cost : s->work;
        double *value = &run->values[run->count++];
        *value = NAN;
        tm_model_score(model, tm_job_test(run->job), &s->by, value, NULL);
    }
}

bool scores_at_hand(const tm_scorer *by)
{
    return by->metric == tm_metric_default(by->metric->binary);
}

double scores_of(run_scores *s, const tm_scorer *by, const tm_job *job, size_t point)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    if (point >= count || !tm_job_test(job))
        return NAN;
    if (scores_at_hand(by))
        return points[point].test_score;
    if (strcmp(by->name, s->by.name) != 0)
        forget_runs(s);
    s->by = *by;
    scored_run *run = find_run(s, job);
    run->used = ++s->now;
    if (!reserve(run, count))
        return NAN;
    go_on(s, run, point, points);
    return point < run->count ? run->values[point] : NAN;
}
