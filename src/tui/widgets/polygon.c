#include "tui/widgets/polygon.h"

#include "model/loss/losses.h"
#include "model/loss/samples.h"
#include "tamis/params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CIRCLE_POINTS = 73 };

/* ---- the region ---------------------------------------------------------------------------- */

/* Keeps what lies in the half-plane a'theta <= b (Sutherland and Hodgman). */
static void clip(polygon *g, const double a[2], double b)
{
    polygon kept = {0};
    for (size_t i = 0; i < g->count; i++) {
        size_t next = (i + 1) % g->count;
        double here = a[0] * g->x[i] + a[1] * g->y[i] - b;
        double there = a[0] * g->x[next] + a[1] * g->y[next] - b;
        if (here <= 0 && kept.count < POLYGON_MAX) {
            kept.x[kept.count] = g->x[i];
            kept.y[kept.count++] = g->y[i];
        }
        if ((here < 0) != (there < 0) && here != there && kept.count < POLYGON_MAX) {
            double share = here / (here - there);
            kept.x[kept.count] = g->x[i] + share * (g->x[next] - g->x[i]);
            kept.y[kept.count++] = g->y[i] + share * (g->y[next] - g->y[i]);
        }
    }
    g->count = kept.count;
    memcpy(g->x, kept.x, sizeof g->x);
    memcpy(g->y, kept.y, sizeof g->y);
}

static bool asks_for(const tm_params *params, const char *name)
{
    return tm_params_find(params, name, NULL) && tm_params_has(params, name) &&
           tm_params_bool(params, name);
}

/* Column j as the problem sees it: centred with an intercept, divided by its penalty factor. */
static double column_of(const tm_job *job, size_t j, double x[2])
{
    const tm_dataset *data = tm_job_train(job);
    double values[2], factor = 1;
    tm_matrix_column(tm_dataset_x(data), j, values);
    bool centred = asks_for(tm_job_params(job), "intercept");
    double mean = centred ? tm_dataset_means(data)[j] : 0;
    double length = hypot(values[0] - mean, values[1] - mean);
    if (asks_for(tm_job_params(job), "standardize") && length > 0)
        factor = length / sqrt(2);
    x[0] = (values[0] - mean) / factor;
    x[1] = (values[1] - mean) / factor;
    return hypot(x[0], x[1]);
}

/* The dual variables of the answer, over lambda. */
static void find_optimum(polygon *g, const tm_job *job)
{
    const tm_point *points;
    size_t done = tm_job_points(job, &points);
    char id[128];
    tm_method_losses(tm_job_method(job), id, sizeof id);
    const loss *l = loss_find(id, NULL); /* NULL also for a method with several */
    const tm_dataset *data = tm_job_train(job);
    double z[2], a[2];
    g->optimum[0] = g->optimum[1] = NAN;
    if (done == 0 || !l)
        return;
    const tm_solution *last = &points[done - 1].solution;
    if (tm_model_predict(last->model, tm_dataset_x(data), z, NULL) != TM_OK)
        return;
    samples of = samples_of(data, l);
    samples_dual_variables(&of, z, a);
    for (int i = 0; i < 2; i++)
        g->optimum[i] = a[i] / last->lambda;
}

static void name_features(polygon *g, const tm_job *job)
{
    const tm_dataset *data = tm_job_train(job);
    char label[128];
    g->named = tm_dataset_cols(data) <= POLYGON_NAMED ? tm_dataset_cols(data) : 0;
    for (size_t j = 0; j < g->named; j++) {
        column_of(job, j, g->normals[j]);
        snprintf(g->names[j], sizeof g->names[j], "%.20s",
                 tm_dataset_feature_label(data, j, label, sizeof label));
    }
}

void polygon_of(polygon *g, const tm_job *job)
{
    const tm_dataset *data = tm_job_train(job);
    *g = (polygon){0};
    if (tm_dataset_rows(data) != 2)
        return;
    double longest = 0;
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        double x[2];
        longest = fmax(longest, column_of(job, j, x));
    }
    if (!(longest > 0))
        return;
    /* A region that is open (an intercept makes it a strip) ends where nothing is looked at any
     * more. */
    double far = 20 / longest;
    g->known = true;
    g->count = 4;
    memcpy(g->x, (double[]){-far, far, far, -far}, 4 * sizeof(double));
    memcpy(g->y, (double[]){-far, -far, far, far}, 4 * sizeof(double));
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        double x[2];
        if (column_of(job, j, x) > 0) {
            clip(g, x, 1);
            clip(g, (double[]){-x[0], -x[1]}, 1);
        }
    }
    name_features(g, job);
    find_optimum(g, job);
}

/* ---- the picture --------------------------------------------------------------------------- */

typedef struct window {
    double x[2], y[2];
} window;

static void include(window *w, double x, double y)
{
    if (isfinite(x) && isfinite(y)) {
        w->x[0] = fmin(w->x[0], x);
        w->x[1] = fmax(w->x[1], x);
        w->y[0] = fmin(w->y[0], y);
        w->y[1] = fmax(w->y[1], y);
    }
}

/* A cell is about twice as high as it is wide. */
static void make_square(window *w, int rows, int cols)
{
    double wide = fmax(w->x[1] - w->x[0], 1e-300) * 1.1,
           high = fmax(w->y[1] - w->y[0], 1e-300) * 1.1;
    double unit = fmax(wide / (cols > 0 ? cols : 1), high / (2.0 * (rows > 0 ? rows : 1)));
    double x = (w->x[0] + w->x[1]) / 2, y = (w->y[0] + w->y[1]) / 2;
    *w = (window){{x - unit * cols / 2, x + unit * cols / 2}, {y - unit * rows, y + unit * rows}};
}

/* The region; of a ball, only as much of it as is worth seeing: early balls are huge. */
static window choose_window(const polygon *g, const tm_screen_step *step, int rows, int cols)
{
    window w = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    double size = 0;
    for (size_t i = 0; i < g->count; i++) {
        include(&w, g->x[i], g->y[i]);
        size = fmax(size, hypot(g->x[i], g->y[i]));
    }
    if (step->plane.known) {
        double radius = fmin(isfinite(step->radius) ? step->radius : 0, size);
        for (int k = 0; k < 2; k++) {
            double by = k == 0 ? -radius : radius;
            include(&w, step->plane.centre[0] + by, step->plane.centre[1] + by);
        }
        include(&w, step->plane.theta[0], step->plane.theta[1]);
    }
    make_square(&w, rows, cols);
    return w;
}

static tm_status add_region(const polygon *g, plot_figure *figure, tm_error *err)
{
    double x[POLYGON_MAX + 1], y[POLYGON_MAX + 1];
    memcpy(x, g->x, g->count * sizeof *x);
    memcpy(y, g->y, g->count * sizeof *y);
    x[g->count] = x[0];
    y[g->count] = y[0];
    return plot_figure_add(figure, &(plot_curve){"feasible", PLOT_LINE, x, y, g->count + 1, 0},
                           NULL, err);
}

static tm_status add_ball(const tm_screen_step *step, plot_figure *figure, tm_error *err)
{
    double x[CIRCLE_POINTS], y[CIRCLE_POINTS];
    for (int k = 0; k < CIRCLE_POINTS; k++) {
        double angle = 2 * acos(-1.0) * k / (CIRCLE_POINTS - 1);
        x[k] = step->plane.centre[0] + step->radius * cos(angle);
        y[k] = step->plane.centre[1] + step->radius * sin(angle);
    }
    return plot_figure_add(figure, &(plot_curve){"ball", PLOT_LINE, x, y, CIRCLE_POINTS, 1}, NULL,
                           err);
}

/* The line normal'theta = offset, across the whole window. */
static tm_status add_line(const char *name, const double normal[2], double offset, int colour,
                          const window *w, plot_figure *figure, tm_error *err)
{
    double squared = normal[0] * normal[0] + normal[1] * normal[1];
    if (!(squared > 0))
        return TM_OK;
    double along = (w->x[1] - w->x[0] + w->y[1] - w->y[0]) / sqrt(squared);
    double x0 = normal[0] * offset / squared, y0 = normal[1] * offset / squared;
    double x[2] = {x0 - normal[1] * along, x0 + normal[1] * along};
    double y[2] = {y0 + normal[0] * along, y0 - normal[0] * along};
    return plot_figure_add(figure, &(plot_curve){name, PLOT_LINE, x, y, 2, colour}, NULL, err);
}

/* Of a feature's two lines that on the side of the optimum, or of the dual point. */
static tm_status add_named(const polygon *g, const tm_screen_plane *plane, const window *w,
                           plot_figure *figure, tm_error *err)
{
    const double *at = isfinite(g->optimum[0]) || !plane->known ? g->optimum : plane->theta;
    tm_status status = TM_OK;
    for (size_t j = 0; j < g->named && status == TM_OK; j++) {
        double side = g->normals[j][0] * at[0] + g->normals[j][1] * at[1];
        status = add_line(g->names[j], g->normals[j], side < 0 ? -1 : 1, 5 + (int)(j % 3), w,
                          figure, err);
    }
    return status;
}

static tm_status add_point(const char *name, const double at[2], int colour, plot_figure *figure,
                           tm_error *err)
{
    if (!isfinite(at[0]) || !isfinite(at[1]))
        return TM_OK;
    return plot_figure_add(figure, &(plot_curve){name, PLOT_POINTS, &at[0], &at[1], 1, colour},
                           NULL, err);
}

tm_status polygon_fill(const polygon *g, const tm_screen_step *step, plot_figure *figure, int rows,
                       int cols, tm_error *err)
{
    window w = choose_window(g, step, rows, cols);
    const tm_screen_plane *plane = &step->plane;
    plot_figure_clear(figure);
    plot_figure_labels(figure, "theta 1", NULL);
    plot_figure_caption(figure, "the dual: two samples", "theta 2");
    plot_figure_log(figure, false, false);
    plot_figure_xlim(figure, w.x[0], w.x[1]);
    plot_figure_ylim(figure, w.y[0], w.y[1]);
    tm_status status = g->count > 0 ? add_region(g, figure, err) : TM_OK;
    if (status == TM_OK && plane->known && isfinite(step->radius))
        status = add_ball(step, figure, err);
    if (status == TM_OK && plane->known)
        status = add_line("half-space", plane->normal, plane->offset, 2, &w, figure, err);
    if (status == TM_OK)
        status = add_named(g, plane, &w, figure, err);
    if (status == TM_OK && plane->known)
        status = add_point("theta", plane->theta, 3, figure, err);
    return status == TM_OK ? add_point("optimum", g->optimum, 4, figure, err) : status;
}
