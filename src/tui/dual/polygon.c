#include "tui/dual/polygon.h"

#include "model/loss/losses.h"
#include "model/loss/samples.h"
#include "tui/dual/marks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the region ---------------------------------------------------------------------------- */

/* Clips the polygon to the half-plane a'theta <= b (Sutherland and Hodgman). */
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

/* Column j in the problem's coordinates, divided by its penalty factor. */
static double column_of(const tm_job *job, size_t j, double x[2])
{
    double factor = tm_screen_log_factor(tm_job_screen_log(job), j);
    dual_column(job, j, x);
    for (int i = 0; i < 2; i++)
        x[i] = factor > 0 ? x[i] / factor : 0;
    return hypot(x[0], x[1]);
}

/* The optimum: the dual variables of the answer divided by lambda. */
static void find_optimum(polygon *g, const tm_job *job)
{
    const tm_point *points;
    size_t done = tm_job_points(job, &points);
    char id[128];
    tm_method_losses(tm_job_method(job), id, sizeof id);
    const loss *l = loss_find(id, NULL); /* NULL also for a method with several losses */
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
        g->optimum[i] = a[i] / (last->lambda * sqrt(samples_weight(&of, (size_t)i)));
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
    if (tm_dataset_rows(data) != 2 || !tm_job_screen_log(job))
        return;
    double longest = 0;
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        double x[2];
        longest = fmax(longest, column_of(job, j, x));
    }
    if (!(longest > 0))
        return;
    /* An unbounded region (with an intercept it is a strip) is cut off far outside what is ever
     * shown. */
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

/* The window contains the region but only a limited part of the ball: early balls are huge. */
static dual_window choose_window(const polygon *g, const tm_screen_step *step, int rows, int cols)
{
    dual_window w = DUAL_WINDOW_INIT;
    double size = 0;
    for (size_t i = 0; i < g->count; i++) {
        dual_window_include(&w, g->x[i], g->y[i]);
        size = fmax(size, hypot(g->x[i], g->y[i]));
    }
    if (step->at.centre) {
        double radius = fmin(isfinite(step->radius) ? step->radius : 0, size);
        for (int k = 0; k < 2; k++) {
            double by = k == 0 ? -radius : radius;
            dual_window_include(&w, step->at.centre[0] + by, step->at.centre[1] + by);
        }
    }
    if (step->at.theta)
        dual_window_include(&w, step->at.theta[0], step->at.theta[1]);
    dual_window_square(&w, rows, cols);
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

/* Adds the one of a feature's two lines that is on the side of the optimum, or else of the dual
 * point. */
static tm_status add_named(const polygon *g, const tm_screen_dual *step, const dual_window *w,
                           plot_figure *figure, tm_error *err)
{
    const double *at = isfinite(g->optimum[0]) || !step->theta ? g->optimum : step->theta;
    tm_status status = TM_OK;
    for (size_t j = 0; j < g->named && status == TM_OK; j++) {
        double side = g->normals[j][0] * at[0] + g->normals[j][1] * at[1];
        plot_curve look = {.name = g->names[j], .colour = 5 + (int)(j % 3)};
        status = dual_marks_line(&look, g->normals[j], side < 0 ? -1 : 1, w, figure, err);
    }
    return status;
}

tm_status polygon_fill(const polygon *g, const tm_screen_step *step, plot_figure *figure, int rows,
                       int cols, tm_error *err)
{
    dual_window w = choose_window(g, step, rows, cols);
    const tm_screen_dual *at = &step->at;
    dual_marks_begin(&w, figure);
    plot_figure_labels(figure, "theta 1", NULL);
    plot_figure_caption(figure, "the dual: two samples", "theta 2");
    tm_status status = g->count > 0 ? add_region(g, figure, err) : TM_OK;
    if (status == TM_OK && at->centre && isfinite(step->radius))
        status = dual_marks_disc(at->centre, step->radius, figure, err);
    if (status == TM_OK && at->normal) {
        plot_curve look = {.name = "half-space", .colour = 2};
        status = dual_marks_line(&look, at->normal, at->offset, &w, figure, err);
    }
    if (status == TM_OK)
        status = add_named(g, at, &w, figure, err);
    if (status == TM_OK && at->theta)
        status = dual_marks_point("theta", at->theta, 3, figure, err);
    return status == TM_OK ? dual_marks_point("optimum", g->optimum, 4, figure, err) : status;
}
