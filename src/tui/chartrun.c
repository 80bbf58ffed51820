#include "tui/chartrun.h"

#include <math.h>
#include <stdlib.h>

static tm_status make_points(chart_run *run, size_t count, tm_error *err)
{
    run->points = malloc((count > 0 ? count : 1) * sizeof *run->points);
    run->point_count = run->points != NULL ? count : 0;
    return run->points != NULL ? TM_OK : tm_fail_memory(err, "a plot");
}

tm_status chart_run_of_job(chart_run *out, const tm_job *job, int colour, tm_error *err)
{
    const tm_point *done;
    size_t count = tm_job_points(job, &done);
    *out = (chart_run){.name = tm_job_name(job),
                       .colour = colour,
                       .asked = tm_job_point_count(job),
                       .kind = place_kind_of(done, count),
                       .features = tm_dataset_cols(tm_job_train(job))};
    out->event_count = tm_trace_read(tm_job_trace(job), &out->events);
    tm_status status = make_points(out, count, err);
    for (size_t i = 0; i < out->point_count; i++) {
        const tm_solution *solution = &done[i].solution;
        out->points[i] = (chart_point){.place = place_value(out->kind, solution),
                                       .features = (double)tm_model_nnz(solution->model),
                                       .left = 1 - solution->rejection,
                                       .score = done[i].test_score};
    }
    return status;
}

/* As place_kind_of has it for points of this session. */
static place_kind kind_of_past(const past_run *run)
{
    size_t count = run->loaded_count;
    const tm_stored_point *first = run->loaded, *last = first + (count > 0 ? count - 1 : 0);
    if (count > 0 && isfinite(first->lambda) && run->lambda_max > 0) {
        return PLACE_LAMBDA;
    }
    if (count > 0 && isfinite(first->B) && (first->B != last->B || !isfinite(first->C))) {
        return PLACE_B;
    }
    return count > 0 && isfinite(first->C) && first->C != last->C ? PLACE_C : PLACE_FEATURES;
}

static double place_of_past(place_kind kind, const past_run *run, const tm_stored_point *point)
{
    switch (kind) {
    case PLACE_LAMBDA:
        return point->lambda / run->lambda_max;
    case PLACE_B:
        return point->B;
    case PLACE_C:
        return point->C;
    case PLACE_FEATURES:
        break;
    }
    return (double)point->nnz;
}

tm_status chart_run_of_past(chart_run *out, const past_run *run, tm_error *err)
{
    size_t count = run->loaded_count;
    *out = (chart_run){.name = run->name,
                       .colour = run->colour,
                       .asked = (size_t)run->points,
                       .events = run->events,
                       .event_count = run->event_count,
                       .kind = kind_of_past(run),
                       .features = run->p > 0 ? (size_t)run->p : 1};
    tm_status status = make_points(out, count, err);
    for (size_t i = 0; i < out->point_count; i++) {
        const tm_stored_point *from = &run->loaded[i];
        double place = place_of_past(out->kind, run, from);
        double screened = (double)from->screened / (double)out->features;
        out->points[i] = (chart_point){place, (double)from->nnz, 1 - screened, from->test_score};
    }
    return status;
}

void chart_run_free(chart_run *run)
{
    free(run->points);
    run->points = NULL;
}
