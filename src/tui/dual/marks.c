#include "tui/dual/marks.h"

#include "tamis/params.h"

#include <math.h>

enum { CIRCLE_POINTS = 73 };

static bool has_intercept(const tm_params *params)
{
    return tm_params_find(params, "intercept", NULL) && tm_params_has(params, "intercept") &&
           tm_params_bool(params, "intercept");
}

void dual_column(const tm_job *job, size_t j, double *x)
{
    const tm_dataset *data = tm_job_train(job);
    const double *weights = tm_dataset_weights(data);
    size_t n = tm_dataset_rows(data);
    double sum = 0, total = 0;
    tm_matrix_column(tm_dataset_x(data), j, x);
    for (size_t i = 0; i < n; i++) {
        sum += (weights ? weights[i] : 1) * x[i];
        total += weights ? weights[i] : 1;
    }
    double mean = has_intercept(tm_job_params(job)) ? sum / total : 0;
    for (size_t i = 0; i < n; i++)
        x[i] = (weights ? sqrt(weights[i]) : 1) * (x[i] - mean);
}

void dual_window_include(dual_window *w, double x, double y)
{
    if (isfinite(x) && isfinite(y)) {
        w->x[0] = fmin(w->x[0], x);
        w->x[1] = fmax(w->x[1], x);
        w->y[0] = fmin(w->y[0], y);
        w->y[1] = fmax(w->y[1], y);
    }
}

/* A cell is about twice as high as it is wide. */
void dual_window_square(dual_window *w, int rows, int cols)
{
    double wide = fmax(w->x[1] - w->x[0], 1e-300) * 1.1,
           high = fmax(w->y[1] - w->y[0], 1e-300) * 1.1;
    double unit = fmax(wide / (cols > 0 ? cols : 1), high / (2.0 * (rows > 0 ? rows : 1)));
    double x = (w->x[0] + w->x[1]) / 2, y = (w->y[0] + w->y[1]) / 2;
    *w = (dual_window){{x - unit * cols / 2, x + unit * cols / 2},
                       {y - unit * rows, y + unit * rows}};
}

void dual_marks_begin(const dual_window *w, plot_figure *figure)
{
    plot_figure_clear(figure);
    plot_figure_whole(figure, false, false);
    plot_figure_log(figure, false, false);
    plot_figure_equal(figure, true);
    plot_figure_xlim(figure, w->x[0], w->x[1]);
    plot_figure_ylim(figure, w->y[0], w->y[1]);
}

tm_status dual_marks_disc(const double centre[2], double radius, plot_figure *figure, tm_error *err)
{
    double x[CIRCLE_POINTS], y[CIRCLE_POINTS];
    for (int k = 0; k < CIRCLE_POINTS; k++) {
        double angle = 2 * acos(-1.0) * k / (CIRCLE_POINTS - 1);
        x[k] = centre[0] + radius * cos(angle);
        y[k] = centre[1] + radius * sin(angle);
    }
    return plot_figure_add(figure, &(plot_curve){"ball", PLOT_LINE, x, y, CIRCLE_POINTS, 1}, NULL,
                           err);
}

tm_status dual_marks_line(const plot_curve *look, const double normal[2], double offset,
                          const dual_window *w, plot_figure *figure, tm_error *err)
{
    double squared = normal[0] * normal[0] + normal[1] * normal[1];
    if (!(squared > 0))
        return TM_OK;
    double length = sqrt(squared), middle[2] = {(w->x[0] + w->x[1]) / 2, (w->y[0] + w->y[1]) / 2};
    /* Start from the point of the line that is nearest to the middle of the window. */
    double away = (offset - normal[0] * middle[0] - normal[1] * middle[1]) / squared;
    double along = (w->x[1] - w->x[0] + w->y[1] - w->y[0]) / length;
    double x0 = middle[0] + normal[0] * away, y0 = middle[1] + normal[1] * away;
    double x[2] = {x0 - normal[1] * along, x0 + normal[1] * along};
    double y[2] = {y0 + normal[0] * along, y0 - normal[0] * along};
    return plot_figure_add(figure, &(plot_curve){look->name, PLOT_LINE, x, y, 2, look->colour},
                           NULL, err);
}

tm_status dual_marks_point(const char *name, const double at[2], int colour, plot_figure *figure,
                           tm_error *err)
{
    if (!isfinite(at[0]) || !isfinite(at[1]))
        return TM_OK;
    return plot_figure_add(figure, &(plot_curve){name, PLOT_POINTS, &at[0], &at[1], 1, colour},
                           NULL, err);
}
