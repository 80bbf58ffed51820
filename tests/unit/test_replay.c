/* A screen log played forward and back, and the dual polygon of two samples, whose corners are
 * known. */
#include "tui/dual/polygon.h"
#include "tui/session/replay.h"

#include "tests/unit/run_check.h"

#include "tamis/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tm_dataset *dataset(size_t n, size_t p, double *x, double *y)
{
    tm_dataset *out = NULL;
    tm_dataset_parts parts = {.name = "made", .response.y = y, .response.numeric = true};
    assert_int_equal(tm_matrix_new_dense(&parts.x, n, p, x, NULL), TM_OK);
    assert_int_equal(tm_dataset_new(&out, &parts, NULL), TM_OK);
    return out;
}

static tm_dataset *noise(size_t n, size_t p)
{
    tm_rng rng;
    double *x = malloc(n * p * sizeof *x), *y = malloc(n * sizeof *y);
    tm_rng_seed(&rng, 11);
    for (size_t i = 0; i < n * p; i++)
        x[i] = tm_rng_normal(&rng);
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] - 2 * x[n + i] + 0.3 * tm_rng_normal(&rng);
    return dataset(n, p, x, y);
}

static tm_job *run(const tm_dataset *data, const char *screen, bool intercept)
{
    tm_params *params = NULL;
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    spec.method = tm_method_find("lasso", NULL);
    assert_int_equal(tm_method_params_new(&params, spec.method, NULL), TM_OK);
    assert_int_equal(tm_params_set_text(params, "screen", screen, NULL), TM_OK);
    assert_int_equal(tm_params_set_bool(params, "intercept", intercept, NULL), TM_OK);
    assert_int_equal(tm_params_set_text(params, "lambda_ratio", "0.2", NULL), TM_OK);
    assert_int_equal(tm_params_set_int(params, "check_every", 1, NULL), TM_OK);
    spec.params = params;
    spec.train = data;
    spec.log_room = 100000;
    tm_job *job = run_to_end(&spec);
    tm_params_free(params);
    return job;
}

CHECK(test_back_is_as_forward)
{
    tm_dataset *data = noise(20, 60);
    tm_job *job = run(data, "gap", true);
    replay forward = {0}, back = {0};
    assert_int_equal(replay_open(&forward, job, NULL), TM_OK);
    assert_int_equal(replay_open(&back, job, NULL), TM_OK);
    assert_true(forward.count > 4);
    assert_int_equal(replay_go(&back, SIZE_MAX, NULL), TM_OK);
    assert_int_equal(back.at, back.count - 1);
    for (size_t step = 0; step < forward.count; step++) {
        assert_int_equal(replay_go(&forward, step, NULL), TM_OK);
        assert_int_equal(replay_go(&back, back.count - 1, NULL), TM_OK);
        assert_int_equal(replay_go(&back, step, NULL), TM_OK);
        assert_memory_equal(&forward.now, &back.now, sizeof back.now);
        assert_memory_equal(&forward.after[step], &back.now, sizeof back.now);
        assert_memory_equal(forward.places, back.places, forward.p);
        assert_int_equal(forward.now.at[PLACE_ACTIVE], forward.steps[step].active);
        /* Those that changed come first, but of a certificate; beyond them bounds fall. */
        for (size_t i = 1; i < forward.row_count; i++) {
            if (replay_at_certificate(&forward)) {
                assert_true(!(forward.rows[i].bound > forward.rows[i - 1].bound));
                continue;
            }
            bool kept = forward.rows[i].action == TM_SCREEN_KEPT;
            bool before = forward.rows[i - 1].action == TM_SCREEN_KEPT;
            assert_true(kept || !before);
            assert_true(kept != before || forward.rows[i].bound <= forward.rows[i - 1].bound);
        }
    }
    replay_close(&forward);
    replay_close(&back);
    tm_job_unref(job);
    tm_dataset_unref(data);
}

/* After a removal the trace and the log have counted as much and work on as many features. */
CHECK(test_steps_are_found_by_events)
{
    tm_dataset *data = noise(30, 400);
    tm_job *job = run(data, "gap", true);
    const tm_event *events;
    size_t count = tm_trace_read(tm_job_trace(job), &events), found = 0, last = 0;
    replay r = {0};
    assert_int_equal(replay_open(&r, job, NULL), TM_OK);
    for (size_t i = 0; i < count; i++) {
        size_t step = replay_step_at(&r, events[i].columns, events[i].active);
        assert_true(step >= last && step < r.count);
        last = step;
        if (events[i].kind != TM_EVENT_DROP)
            continue;
        assert_int_equal(r.steps[step].active, events[i].active);
        assert_int_equal(tm_screen_log_columns(tm_job_screen_log(job), step), events[i].columns);
        found++;
    }
    assert_true(found > 0);
    assert_int_equal(replay_step_at(&r, 0, 0), 0);
    assert_int_equal(replay_step_at(&r, UINT64_MAX, SIZE_MAX), r.count - 1);
    replay_close(&r);
    tm_job_unref(job);
    tm_dataset_unref(data);
}

CHECK(test_polygon)
{
    /* |theta_1| <= 1/2, |theta_2| <= 1, |theta_1 + theta_2| <= 1; the third column cuts two
     * corners. */
    double columns[] = {2, 0, 0, 1, 1, 1}, response[] = {3, 1};
    double *x = malloc(sizeof columns), *y = malloc(sizeof response);
    memcpy(x, columns, sizeof columns);
    memcpy(y, response, sizeof response);
    /* Two distinct values would be read as classes: the data set says it is numeric. */
    tm_dataset *data = dataset(2, 3, x, y);
    tm_job *job = run(data, "gap", false);
    static const double corners[][2] = {{0.5, 0.5},   {0, 1},  {-0.5, 1},
                                        {-0.5, -0.5}, {0, -1}, {0.5, -1}};
    polygon g;
    polygon_of(&g, job);
    assert_true(g.known);
    for (size_t k = 0; k < 6; k++) {
        double nearest = INFINITY;
        for (size_t i = 0; i < g.count; i++)
            nearest = fmin(nearest, hypot(g.x[i] - corners[k][0], g.y[i] - corners[k][1]));
        assert_true(nearest < 1e-9);
    }
    /* The dual optimum of the lasso is the projection of y/lambda onto the polygon: lambda is
     * 0.2 * 6 = 1.2, y/lambda = (2.5, 0.83), whose nearest point is the corner (0.5, 0.5). */
    assert_true(hypot(g.optimum[0] - 0.5, g.optimum[1] - 0.5) < 1e-4);
    replay r = {0};
    plot_figure *figure = plot_figure_new();
    assert_int_equal(replay_open(&r, job, NULL), TM_OK);
    for (size_t step = 0; step < r.count; step++) {
        assert_int_equal(polygon_fill(&g, &r.steps[step], figure, 20, 40, NULL), TM_OK);
        assert_true(plot_figure_series(figure) >= 2);
    }
    plot_figure_free(figure);
    replay_close(&r);
    tm_job_unref(job);
    tm_dataset_unref(data);
}

CHECK(test_other_data_have_none)
{
    tm_dataset *data = noise(5, 4);
    tm_job *job = run(data, "saif", true);
    polygon g;
    polygon_of(&g, job);
    assert_false(g.known);
    tm_job_unref(job);
    tm_dataset_unref(data);
}

RUN_TESTS(test_back_is_as_forward, test_steps_are_found_by_events, test_polygon,
          test_other_data_have_none)
