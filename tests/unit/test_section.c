/* The plane through a feature and a step's ball against geometry that is computed another way: in
 * long doubles, from the data alone, without a plane. */
#include "tui/dual/section.h"
#include "tui/session/replay.h"

#include "tests/unit/run_check.h"

#include "tamis/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 12, COLS = 30 };

typedef struct setting {
    const char *method, *screen;
    const char *words[4]; /* parameters: names and values */
    bool weighted;
} setting;

static const setting settings[] = {
    {"lasso", "gap", {"intercept", "true"}, false},
    {"lasso", "gap", {"intercept", "false", "standardize", "true"}, true},
    {"lasso", "saif", {"intercept", "false"}, false},
    {"lasso", "saif", {"intercept", "true", "positive", "true"}, true},
    {"lasso", "vi", {"intercept", "true"}, false},
    {"lasso", "vi", {"intercept", "false"}, true},
    {"lasso", "edpp", {"intercept", "false"}, false},
    {"lasso", "safe", {"intercept", "true"}, false},
    {"lasso", "ws", {"intercept", "false"}, false},
    {"lasso", "auto", {"intercept", "true"}, true},
    {"l1logistic", "gap", {"intercept", "true"}, false},
    {"l1logistic", "vi", {"intercept", "false"}, false},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static tm_dataset *made(const setting *s, uint64_t seed)
{
    tm_rng rng;
    tm_dataset *out = NULL;
    bool classes = strcmp(s->method, "lasso") != 0;
    double *x = malloc(ROWS * COLS * sizeof *x), *y = malloc(ROWS * sizeof *y);
    tm_dataset_parts parts = {.name = "made", .response.y = y, .response.numeric = !classes};
    tm_rng_seed(&rng, check_seed(seed));
    for (size_t i = 0; i < ROWS * COLS; i++)
        x[i] = tm_rng_normal(&rng) + (double)(i / ROWS % 3);
    for (size_t i = 0; i < ROWS; i++) {
        y[i] = x[i] - 2 * x[ROWS + i] + 0.3 * tm_rng_normal(&rng);
        y[i] = !classes ? y[i] : y[i] > 0 ? 1 : -1;
    }
    if (classes) { /* both are there */
        y[0] = 1;
        y[1] = -1;
    }
    if (s->weighted) {
        parts.rows.weights = malloc(ROWS * sizeof(double));
        for (size_t i = 0; i < ROWS; i++)
            parts.rows.weights[i] = 0.5 + (double)(i % 4);
    }
    assert_int_equal(tm_matrix_new_dense(&parts.x, ROWS, COLS, x, NULL), TM_OK);
    assert_int_equal(tm_dataset_new(&out, &parts, NULL), TM_OK);
    return out;
}

static tm_job *run(const tm_dataset *data, const setting *s)
{
    const char *const all[] = {
        "screen", s->screen,          "tol", "1e-9",      "check_every", "1",         "lambdas",
        "3",      "lambda_min_ratio", "0.2", s->words[0], s->words[1],   s->words[2], s->words[3]};
    tm_params *params = NULL;
    const tm_method *method = tm_method_find(s->method, NULL);
    assert_int_equal(tm_method_params_new(&params, method, NULL), TM_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all && all[i]; i += 2)
        assert_int_equal(tm_params_set_text(params, all[i], all[i + 1], NULL), TM_OK);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    spec.train = data;
    spec.params = params;
    spec.method = method;
    spec.log_room = 100000;
    tm_job *job = run_to_end(&spec);
    tm_params_free(params);
    return job;
}

/* ---- the other way ------------------------------------------------------------------------- */

static long double product(const long double *a, const long double *b)
{
    long double sum = 0;
    for (size_t i = 0; i < ROWS; i++)
        sum += a[i] * b[i];
    return sum;
}

static void widen(long double *out, const double *v)
{
    for (size_t i = 0; i < ROWS; i++)
        out[i] = v[i];
}

static bool flag(const tm_job *job, const char *name)
{
    return tm_params_bool(tm_job_params(job), name);
}

/* Column j times the roots of the weights, centred; its penalty factor. */
static long double column(const tm_job *job, size_t j, long double *out)
{
    const tm_dataset *data = tm_job_train(job);
    const double *weights = tm_dataset_weights(data);
    double values[ROWS];
    long double mean = 0, total = 0;
    tm_matrix_column(tm_dataset_x(data), j, values);
    for (size_t i = 0; i < ROWS; i++) {
        mean += (weights ? weights[i] : 1) * (long double)values[i];
        total += weights ? weights[i] : 1;
    }
    mean = flag(job, "intercept") ? mean / total : 0;
    for (size_t i = 0; i < ROWS; i++)
        out[i] = sqrtl(weights ? weights[i] : 1) * (values[i] - mean);
    return flag(job, "standardize") ? sqrtl(product(out, out) / total) : 1;
}

typedef struct truth {
    long double x[ROWS], centre[ROWS], normal[ROWS], theta[ROWS], best[ROWS];
    long double factor, length;
    const tm_screen_step *step;
} truth;

/* The greatest share x'theta / f over the ball and the half-space in all dimensions: its closed
 * form by Lagrange. `turn` is 1 or -1. */
static long double greatest(const truth *t, int turn)
{
    long double xc = turn * product(t->x, t->centre), radius = t->step->radius;
    long double top = xc + radius * t->length;
    if (t->step->at.normal) {
        long double g = sqrtl(product(t->normal, t->normal));
        long double slack = (t->step->at.offset - product(t->normal, t->centre)) / g;
        long double along = turn * product(t->x, t->normal) / g;
        /* The ball's furthest point is on the wrong side: the best is on the rim. */
        if (along * radius / t->length > slack) {
            long double across = sqrtl(fmaxl(t->length * t->length - along * along, 0));
            top = xc + along * slack + across * sqrtl(fmaxl(radius * radius - slack * slack, 0));
        }
    }
    return top / t->factor;
}

/* What the picture's disc, cut by its line, reaches to the side: seen from its points. */
static double reach(const section *s, int turn)
{
    enum { POINTS = 20000 };
    double most = -INFINITY;
    for (int k = 0; k < POINTS; k++) {
        double angle = 2 * acos(-1.0) * k / POINTS;
        double at[2] = {s->centre.at[0] + s->radius * cos(angle),
                        s->centre.at[1] + s->radius * sin(angle)};
        if (!s->cut || s->normal[0] * at[0] + s->normal[1] * at[1] <= s->offset)
            most = fmax(most, turn * at[0]);
    }
    return most;
}

/* A point's place: its product, and its true distance from the centre, are those of the picture. */
static void check_point(const truth *t, const section *s, const section_point *point,
                        const long double *v)
{
    long double unit = t->length / t->factor, squared = 0;
    for (size_t i = 0; i < ROWS; i++)
        squared += (v[i] - t->centre[i]) * (v[i] - t->centre[i]);
    double away = (double)(unit * sqrtl(squared)), scale = 1 + away + fabs(s->centre.at[0]);
    double drawn = hypot(hypot(point->at[0] - s->centre.at[0], point->at[1]), point->off);
    assert_true(fabs(point->at[0] - (double)(product(t->x, v) / t->factor)) < 1e-9 * scale);
    assert_true(fabs(drawn - away) < 1e-4 * scale); /* `off` is dropped where it is rounding */
    if (!s->cut)
        return;
    long double g = sqrtl(product(t->normal, t->normal));
    double beyond = (double)(unit * (product(t->normal, v) - t->step->at.offset) / g);
    double seen = s->normal[0] * point->at[0] + s->normal[1] * point->at[1] - s->offset;
    assert_true(fabs(beyond - seen) < 1e-7 * scale);
}

static void check_section(const truth *t, const section *s)
{
    const double widened = 1e-5; /* the rule's against rounding: a root of it on the dome's rim */
    double both =
        fmax(s->sign < 0 ? 0 : (double)greatest(t, 1), s->sign > 0 ? 0 : (double)greatest(t, -1));
    double seen = fmax(s->sign < 0 ? 0 : reach(s, 1), s->sign > 0 ? 0 : reach(s, -1));
    assert_true(fabs(s->length - (double)t->length) < 1e-9 * s->length);
    assert_true(fabs(s->factor - (double)t->factor) < 1e-9 * s->factor);
    /* The disc shows the region's greatest product, which is the bound that decided. */
    if (both > 0)
        assert_true(fabs(seen - both) < 1e-3 * (1 + s->radius));
    if (isfinite(s->bound) && both > 0 && fabs(s->bound - both) > widened * (1 + both))
        fail_msg("%s: the bound is %.12g, over the region it is %.12g", t->step->what, s->bound,
                 both);
    if (s->theta.known)
        check_point(t, s, &s->theta, t->theta);
    if (s->optimum.known) {
        check_point(t, s, &s->optimum, t->best);
        double away = hypot(s->optimum.at[0] - s->centre.at[0], s->optimum.at[1]);
        /* Of every certified region: a shrunk ball chooses what to add and certifies nothing. */
        if (t->step->delta >= 1 && !strstr(t->step->what, "DEL") && !strstr(t->step->what, "ADD"))
            assert_true(away <= s->radius * (1 + 1e-6) + 2e-4);
    }
}

/* ---- all steps ----------------------------------------------------------------------------- */

/* The answer's residual, whose multiple is the last dual point. */
static void check_optimum(const tm_job *job, const tm_screen_step *last)
{
    const tm_dataset *data = tm_job_train(job);
    const double *weights = tm_dataset_weights(data), *y = tm_dataset_y(data);
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    double z[ROWS];
    long double a[ROWS], theta[ROWS], x[ROWS];
    assert_true(count > last->point);
    const tm_solution *answer = &points[last->point].solution;
    assert_int_equal(tm_model_predict(answer->model, tm_dataset_x(data), z, NULL), TM_OK);
    bool logistic = strcmp(tm_method_id(tm_job_method(job)), "lasso") != 0;
    for (size_t i = 0; i < ROWS; i++) {
        long double slope = logistic ? y[i] / (1 + expl(y[i] * (long double)z[i])) : y[i] - z[i];
        a[i] = sqrtl(weights ? weights[i] : 1) * slope;
    }
    widen(theta, last->at.theta);
    long double share = product(theta, a) / product(a, a);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(fabsl(theta[i] - share * a[i]) < 1e-6L * sqrtl(product(theta, theta)));
    assert_true(fabsl(share * last->lambda - 1) < 1e-3L);
    for (size_t j = 0; j < COLS; j++) {
        long double factor = column(job, j, x), c = product(x, theta) / factor;
        assert_true((flag(job, "positive") ? c : fabsl(c)) <= 1 + 1e-9L);
    }
    double smooth = logistic ? 0.25 : 1;
    double radius = sqrt(2 * smooth * fmax(last->gap, 0)) / last->lambda;
    if (isfinite(last->radius))
        assert_true(fabs(last->radius - radius) < 1e-5);
}

/* Fills memory that is given out next with what makes a sum or product of it visible. */
static void spoil(void)
{
    volatile double *memory = malloc(2 * ROWS * sizeof *memory);
    assert_non_null(memory);
    for (size_t i = 0; i < 2 * ROWS; i++)
        memory[i] = NAN;
    free((void *)memory);
}

static size_t check_step(const replay *r, size_t step, size_t last, size_t seed)
{
    size_t shown = 0;
    truth t = {.step = &r->steps[step]};
    for (size_t k = 0; k < 5; k++) {
        section s;
        size_t j = (seed + 7 * k) % COLS;
        spoil();
        assert_int_equal(section_of(&s, r, step, j, NULL), TM_OK);
        if (!t.step->at.centre || !isfinite(t.step->radius))
            continue;
        assert_null(s.missing);
        t.factor = column(r->job, j, t.x);
        t.length = sqrtl(product(t.x, t.x));
        widen(t.centre, t.step->at.centre);
        if (t.step->at.normal)
            widen(t.normal, t.step->at.normal);
        if (t.step->at.theta)
            widen(t.theta, t.step->at.theta);
        if (r->steps[last].at.theta)
            widen(t.best, r->steps[last].at.theta);
        check_section(&t, &s);
        shown++;
    }
    return shown;
}

CHECK(test_planes_of_every_step)
{
    size_t halves = 0;
    for (size_t k = 0; k < SETTINGS; k++) {
        size_t shown = 0;
        tm_dataset *data = made(&settings[k], 40 + k);
        tm_job *job = run(data, &settings[k]);
        replay r = {0};
        assert_int_equal(replay_open(&r, job, NULL), TM_OK);
        for (size_t step = 0; step < r.count; step++) {
            size_t last = step;
            while (last + 1 < r.count && r.steps[last + 1].point == r.steps[step].point)
                last++;
            if (step == last && r.steps[step].at.theta)
                check_optimum(job, &r.steps[step]);
            shown += check_step(&r, step, last, k + step);
            halves += r.steps[step].at.normal != NULL;
        }
        if (shown == 0)
            fail_msg("%s by %s shows no plane", settings[k].method, settings[k].screen);
        replay_close(&r);
        tm_job_unref(job);
        tm_dataset_unref(data);
    }
    assert_true(halves >= 4);
}

/* ---- the picture --------------------------------------------------------------------------- */

CHECK(test_the_ball_stays_in_sight)
{
    section s = {.name = "a", .length = 1, .factor = 1, .bound = NAN};
    plot_figure *figure = plot_figure_new();
    for (double radius = 1e-6; radius < 1e6; radius *= 7) {
        plot_grid grid = PLOT_GRID_INIT;
        char *text = NULL;
        s.radius = radius;
        s.centre = s.theta = (section_point){true, {0.3, 0}, 0};
        s.optimum = (section_point){true, {0.3 + radius / 2, 0}, 0};
        assert_int_equal(section_fill(&s, figure, 20, 60, NULL), TM_OK);
        assert_int_equal(plot_draw_text(figure, 20, 60, true, &grid, NULL), TM_OK);
        double wide = grid.frame.x[1] - grid.frame.x[0], high = grid.frame.y[1] - grid.frame.y[0];
        assert_true(0.3 - radius >= grid.frame.x[0] && 0.3 + radius <= grid.frame.x[1]);
        assert_true(-radius >= grid.frame.y[0] && radius <= grid.frame.y[1]);
        /* Two cells across at least, and both directions on one scale. */
        assert_true(2 * radius > 0.04 * fmin(wide, high));
        assert_true(fabs(wide / high - 60 / 40.0) < 1e-9);
        assert_int_equal(plot_svg(figure, 400, 300, &text, NULL), TM_OK);
        assert_non_null(strstr(text, "ball"));
        free(text);
        plot_grid_free(&grid);
    }
    plot_figure_free(figure);
}

/* The path of the ball in an SVG page: as high as it is wide, whatever the page's shape. */
CHECK(test_a_page_is_to_scale)
{
    section s = {.name = "a", .length = 1, .factor = 1, .bound = NAN, .radius = 0.5};
    plot_figure *figure = plot_figure_new();
    s.centre = s.theta = (section_point){true, {0.3, 0}, 0};
    assert_int_equal(section_fill(&s, figure, 20, 60, NULL), TM_OK);
    static const double pages[][2] = {{800, 500}, {400, 600}, {900, 300}};
    for (size_t k = 0; k < 3; k++) {
        char *text = NULL;
        double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
        size_t points = 0;
        assert_int_equal(plot_svg(figure, pages[k][0], pages[k][1], &text, NULL), TM_OK);
        for (const char *at = strstr(text, "<path"); at && points < 40;
             at = strstr(at + 1, "<path")) {
            const char *d = strstr(at, " d=\"M"), *end = d ? strchr(d + 5, '"') : NULL;
            left = top = INFINITY;
            right = bottom = -INFINITY;
            points = 0;
            for (d = d ? d + 4 : NULL; d && d < end; d++) {
                double x, y;
                if ((*d == 'M' || *d == 'L') && sscanf(d + 1, "%lf%*[ ,]%lf", &x, &y) == 2) {
                    left = fmin(left, x);
                    right = fmax(right, x);
                    top = fmin(top, y);
                    bottom = fmax(bottom, y);
                    points++;
                }
            }
        }
        assert_true(points >= 40);
        assert_true(fabs((right - left) - (bottom - top)) < 0.02 * (right - left));
        free(text);
    }
    plot_figure_free(figure);
}

CHECK(test_lines_say_what_is_projected)
{
    char text[200];
    section s = {
        .name = "a", .length = 2, .factor = 1, .bound = 0.7, .radius = 0.4, .solved = true};
    s.centre = s.theta = (section_point){true, {0.3, 0}, 0};
    s.optimum = (section_point){true, {0.5, 0.1}, 0};
    section_line(&s, 0, text, sizeof text);
    assert_string_equal(text, "|x'c| 0.3000 + radius 0.4000 = bound 0.7000");
    section_line(&s, 1, text, sizeof text);
    assert_string_equal(text, "the line at 1 is 0.3 from the ball: the weight is 0");
    section_line(&s, 2, text, sizeof text);
    assert_string_equal(text, "all of it lies in this plane: nothing is a projection");
    s.optimum.off = 0.25;
    section_line(&s, 2, text, sizeof text);
    assert_string_equal(text, "optimum: projected from 0.25 beside the plane; the rest is in it");
    s.radius = NAN;
    section_line(&s, 0, text, sizeof text);
    assert_string_equal(text, "this step has no ball; |x'theta| at the dual point: 0.3000");
    section_line(&s, 1, text, sizeof text);
    assert_string_equal(text, "");
    s.missing = "nothing";
    section_line(&s, 0, text, sizeof text);
    assert_string_equal(text, "");
}

/* A log with little room keeps the steps without their dual points, and says so. */
CHECK(test_no_room)
{
    tm_dataset *data = made(&settings[0], 3);
    tm_screen_log *log = tm_screen_log_new(8);
    tm_monitor monitor = TM_MONITOR_INIT;
    tm_params *params = NULL;
    tm_solver *solver = NULL;
    tm_solution solution = TM_SOLUTION_INIT;
    const tm_screen_step *steps;
    const tm_method *lasso = tm_method_find("lasso", NULL);
    monitor.log = log;
    assert_int_equal(tm_method_params_new(&params, lasso, NULL), TM_OK);
    assert_int_equal(tm_params_set_text(params, "screen", "gap", NULL), TM_OK);
    assert_int_equal(tm_params_set_text(params, "lambda", "1", NULL), TM_OK);
    assert_int_equal(tm_solver_new(&solver, lasso, data, params, &monitor, NULL), TM_OK);
    assert_int_equal(tm_solver_update(solver, params, NULL), TM_OK);
    assert_int_equal(tm_solver_solve(solver, &solution, NULL), TM_OK);
    size_t count = tm_screen_log_steps(log, &steps), kept = 0;
    for (size_t k = 0; k < count; k++)
        kept += steps[k].at.theta != NULL;
    assert_true(count > 2 && kept == 1); /* 16 entries hold one of 12 */
    assert_true(tm_screen_log_factor(log, COLS - 1) == 1);
    tm_solution_clear(&solution);
    tm_solver_free(solver);
    tm_params_free(params);
    tm_screen_log_free(log);
    tm_dataset_unref(data);
}

RUN_TESTS(test_planes_of_every_step, test_the_ball_stays_in_sight, test_lines_say_what_is_projected,
          test_a_page_is_to_scale, test_no_room)
