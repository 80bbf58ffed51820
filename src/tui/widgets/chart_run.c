#include "tui/widgets/chart_run.h"

#include <math.h>
#include <stdlib.h>

static tm_status make_points(chart_run *run, size_t count, tm_error *err)
{
    run->points = malloc((count > 0 ? count : 1) * sizeof *run->points);
    run->point_count = run->points ? count : 0;
    return run->points ? TM_OK : tm_fail_memory(err, "a plot");
}

tm_status chart_run_of_job(chart_run *out, const tm_job *job, run_scores *known,
                           const tm_scorer *by, tm_error *err)
{
    const tm_point *done;
    size_t count = tm_job_points(job, &done);
    *out = (chart_run){.name = tm_job_name(job),
                       .asked = tm_job_point_count(job),
                       .kind = place_kind_of(done, count),
                       .features = tm_dataset_cols(tm_job_train(job))};
    out->event_count = tm_trace_read(tm_job_trace(job), &out->events);
    tm_status status = make_points(out, count, err);
    for (size_t i = 0; i < out->point_count; i++) {
        const tm_solution *solution = &done[i].solution;
        out->points[i] = (chart_point){.place = place_value(out->kind, solution),
                                       .features = (double)tm_model_nnz(solution->model),
                                       .left = 1 - solution->screening.rejection,
                                       .score = known ? scores_of(known, by, job, i) : NAN};
    }
    return status;
}

tm_status chart_run_of_stored(chart_run *out, const stored_run *run, tm_error *err)
{
    size_t count = run->loaded.count;
    *out = (chart_run){.name = run->name,
                       .colour = run->colour,
                       .asked = (size_t)run->points,
                       .events = run->loaded.events,
                       .event_count = run->loaded.event_count,
                       .kind = stored_run_kind(run),
                       .features = run->p > 0 ? (size_t)run->p : 1};
    tm_status status = make_points(out, count, err);
    for (size_t i = 0; i < out->point_count; i++) {
        const tm_stored_point *from = &run->loaded.points[i];
        place_facts at = stored_run_place(run, from);
        double screened = (double)from->screened / (double)out->features;
        out->points[i] = (chart_point){place_at(out->kind, &at), (double)from->nnz, 1 - screened,
                                       from->test_score};
    }
    return status;
}

void chart_run_free(chart_run *run)
{
    free(run->points);
    run->points = NULL;
}
