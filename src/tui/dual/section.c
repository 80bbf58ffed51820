#include "tui/dual/section.h"

#include "base/memory.h"
#include "tui/dual/marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The disc takes at least this share of the window's width and height. */
static const double least_share = 0.1;
/* A component orthogonal to another vector is rounding error if its relative length is below
 * this. */
static const double rounding = 1e-10;

/* ---- the feature --------------------------------------------------------------------------- */

static double inner(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- the plane ----------------------------------------------------------------------------- */

/* The plane's directions, of length 1, and its origin; n entries each. */
typedef struct axes {
    const double *centre;
    double *along, *up;
    size_t n;
} axes;

/* Sets `up` to the part of `to` - `from` (`to` alone if `from` is NULL) orthogonal to the feature.
 * False if that part is zero. */
static bool aim(axes *q, const double *to, const double *from)
{
    double size = 0;
    for (size_t i = 0; i < q->n; i++) {
        q->up[i] = to[i] - (from ? from[i] : 0);
        size = fmax(size, fmax(fabs(to[i]), from ? fabs(from[i]) : 0));
    }
    double share = inner(q->along, q->up, q->n);
    for (size_t i = 0; i < q->n; i++)
        q->up[i] -= share * q->along[i];
    double length = sqrt(inner(q->up, q->up, q->n));
    bool left = length > rounding * size * sqrt((double)q->n);
    for (size_t i = 0; i < q->n; i++)
        q->up[i] = left ? q->up[i] / length : 0;
    return left;
}

static section_point project(const axes *q, const section *s, const double *point)
{
    section_point out = {.known = point != NULL};
    if (!point)
        return out;
    double unit = s->length / s->factor, along = 0, up = 0, squared = 0;
    for (size_t i = 0; i < q->n; i++) {
        double away = point[i] - q->centre[i];
        along += q->along[i] * away;
        up += q->up[i] * away;
        squared += away * away;
    }
    double middle = inner(q->along, q->centre, q->n);
    out.at[0] = unit * (middle + along);
    out.at[1] = unit * up;
    double off = squared - along * along - up * up;
    out.off = off > rounding * squared ? unit * sqrt(off) : 0;
    return out;
}

/* The half-space's line in the plane; its normal lies in it. */
static void cut(const axes *q, section *s, const tm_screen_dual *at)
{
    double along = inner(q->along, at->normal, q->n), up = inner(q->up, at->normal, q->n);
    double length = hypot(along, up), unit = s->length / s->factor;
    s->cut = length > 0;
    if (!s->cut)
        return;
    double slack = at->offset - inner(at->normal, q->centre, q->n);
    s->normal[0] = along / length;
    s->normal[1] = up / length;
    s->offset = unit * slack / length + s->normal[0] * s->centre.at[0];
}

/* ---- the step ------------------------------------------------------------------------------ */

/* The dual point of the certificate at the end of the step's path point, which is the best known
 * approximation of the optimum. */
static const double *find_optimum(const replay *r, size_t step)
{
    size_t last = step;
    while (last + 1 < r->count && r->steps[last + 1].point == r->steps[step].point)
        last++;
    return r->steps[last].radius >= 0 ? r->steps[last].at.theta : NULL;
}

static bool is_solved(const replay *r, size_t step)
{
    const tm_point *points;
    size_t count = tm_job_points(r->job, &points), point = r->steps[step].point;
    return point < count && points[point].solution.outcome == TM_CONVERGED;
}

static double bound_in(const replay *r, size_t step, size_t feature)
{
    const tm_screen_record *record = r->records + r->steps[step].first;
    for (size_t i = 0; i < r->steps[step].count; i++)
        if (record[i].feature == feature)
            return record[i].bound;
    return NAN;
}

static const char *why_missing(const section *s, const double *centre)
{
    if (!centre)
        return "no dual point is known in this step";
    if (!(s->length > 0))
        return "the feature is constant: it allows every dual point";
    return s->factor > 0 && isfinite(s->factor) ? NULL : "nothing is asked of this feature";
}

static void place(section *s, axes *q, const tm_screen_dual *at, const double *optimum)
{
    double size = 1 / s->length;
    for (size_t i = 0; i < q->n; i++)
        q->along[i] *= size;
    if (!(at->normal && aim(q, at->normal, NULL)) &&
        !(at->theta && at->theta != q->centre && aim(q, at->theta, q->centre)) && optimum)
        aim(q, optimum, q->centre);
    s->centre = project(q, s, q->centre);
    s->theta = project(q, s, at->theta);
    s->optimum = project(q, s, optimum);
    if (at->normal)
        cut(q, s, at);
}

tm_status section_of(section *out, const replay *r, size_t step, size_t feature, tm_error *err)
{
    const tm_dataset *data = tm_job_train(r->job);
    const tm_screen_log *log = tm_job_screen_log(r->job);
    const tm_screen_step *now = &r->steps[step];
    const double *optimum = find_optimum(r, step);
    size_t n = tm_dataset_rows(data);
    double *vectors = mem_zeros(2 * n, sizeof *vectors); /* `up` may have nothing to aim at */
    *out = (section){.factor = tm_screen_log_factor(log, feature),
                     .bound = bound_in(r, step, feature),
                     .sign = tm_screen_log_sign(log, feature),
                     .solved = is_solved(r, step)};
    if (!vectors)
        return tm_fail_memory(err, "the picture");
    axes q = {now->at.centre ? now->at.centre : optimum, vectors, vectors + n, n};
    char label[128];
    snprintf(out->name, sizeof out->name, "%.60s",
             tm_dataset_feature_label(data, feature, label, sizeof label));
    dual_column(r->job, feature, q.along);
    out->length = sqrt(inner(q.along, q.along, n));
    out->missing = why_missing(out, q.centre);
    out->radius = now->at.centre ? now->radius * out->length / out->factor : NAN;
    if (!out->missing)
        place(out, &q, &now->at, optimum);
    free(vectors);
    return TM_OK;
}

/* ---- the picture --------------------------------------------------------------------------- */

/* The one of the constraint's two lines that is nearer to the centre. */
static double near_line(const section *s)
{
    return s->sign != 0 ? s->sign : s->centre.at[0] < 0 ? -1 : 1;
}

static dual_window choose_window(const section *s, int rows, int cols)
{
    dual_window w = DUAL_WINDOW_INIT, disc;
    double radius = isfinite(s->radius) ? s->radius : 0;
    for (int k = -1; k <= 1; k += 2) {
        dual_window_include(&w, s->centre.at[0] + k * radius, s->centre.at[1] + k * radius);
        if (radius == 0)
            dual_window_include(&w, s->sign == -k ? 0 : k, s->centre.at[1]);
    }
    disc = w;
    dual_window_include(&w, near_line(s), s->centre.at[1]);
    if (s->theta.known)
        dual_window_include(&w, s->theta.at[0], s->theta.at[1]);
    if (s->optimum.known)
        dual_window_include(&w, s->optimum.at[0], s->optimum.at[1]);
    dual_window_square(&w, rows, cols);
    double shown = fmin(w.x[1] - w.x[0], w.y[1] - w.y[0]);
    if (radius > 0 && 2 * radius < least_share * shown) {
        w = disc;
        for (int k = -1; k <= 1; k += 2) {
            double by = k * radius / least_share * 0.8;
            dual_window_include(&w, s->centre.at[0] + by, s->centre.at[1] + by);
        }
        dual_window_square(&w, rows, cols);
    }
    return w;
}

tm_status section_fill(const section *s, plot_figure *figure, int rows, int cols, tm_error *err)
{
    static const double across[2] = {1, 0};
    char text[80];
    tm_status status = TM_OK;
    dual_window w = choose_window(s, rows, cols);
    dual_marks_begin(&w, figure);
    snprintf(text, sizeof text, "%s'theta", s->name);
    plot_figure_labels(figure, text, NULL);
    plot_figure_caption(figure, "the dual, cut through the ball's centre", "at right angles");
    if (isfinite(s->radius))
        status = dual_marks_disc(s->centre.at, s->radius, figure, err);
    if (status == TM_OK && s->cut) {
        plot_curve look = {.name = "half-space", .colour = 2};
        status = dual_marks_line(&look, s->normal, s->offset, &w, figure, err);
    }
    for (int side = -1; side <= 1 && status == TM_OK; side += 2) {
        if (s->sign == -side || side < w.x[0] || side > w.x[1])
            continue;
        snprintf(text, sizeof text, "%s = %d", s->name, side);
        plot_curve look = {.name = text, .colour = side < 0 ? 6 : 5};
        status = dual_marks_line(&look, across, side, &w, figure, err);
    }
    if (status == TM_OK && s->theta.known)
        status = dual_marks_point("theta", s->theta.at, 3, figure, err);
    if (status == TM_OK && s->centre.known && s->theta.known &&
        hypot(s->centre.at[0] - s->theta.at[0], s->centre.at[1] - s->theta.at[1]) > 0)
        status = dual_marks_point("centre", s->centre.at, 7, figure, err);
    if (status == TM_OK && s->optimum.known)
        status = dual_marks_point(s->solved ? "optimum" : "answer", s->optimum.at, 4, figure, err);
    return status;
}

/* ---- in numbers ---------------------------------------------------------------------------- */

static void say_bound(const section *s, char *buffer, size_t size)
{
    double product = fabs(s->centre.at[0]);
    if (!isfinite(s->radius))
        snprintf(buffer, size, "this step has no ball; |x'theta| at the %s: %.4f",
                 s->theta.known ? "dual point"
                 : s->solved    ? "optimum"
                                : "answer",
                 product);
    else if (s->cut)
        snprintf(buffer, size, "|x'c| %.4f, radius %.4f, cut: bound %.4f", product, s->radius,
                 s->bound);
    else
        snprintf(buffer, size, "|x'c| %.4f + radius %.4f = bound %.4f%s", product, s->radius,
                 product + s->radius, s->sign ? " (one sign)" : "");
}

static void say_scale(const section *s, char *buffer, size_t size)
{
    if (s->factor == 1)
        snprintf(buffer, size, "scale: theta times |x| = %.4g", s->length);
    else
        snprintf(buffer, size, "scale: theta times |x| / f = %.4g / %.4g", s->length, s->factor);
}

static void say_projections(const section *s, char *buffer, size_t size)
{
    const char *optimum = s->solved ? "optimum" : "answer";
    double theta = s->theta.known ? s->theta.off : 0;
    double best = s->optimum.known ? s->optimum.off : 0;
    if (theta == 0 && best == 0)
        snprintf(buffer, size, "all of it lies in this plane: nothing is a projection");
    else if (theta == 0)
        snprintf(buffer, size, "%s: projected from %.3g beside the plane; the rest is in it",
                 optimum, best);
    else
        snprintf(buffer, size, "projected: theta from %.3g beside the plane, %s from %.3g", theta,
                 optimum, best);
}

static void say_cut(const section *s, char *buffer, size_t size)
{
    double beyond = s->normal[0] * s->centre.at[0] + s->normal[1] * s->centre.at[1] - s->offset;
    snprintf(buffer, size, "the half-space is the side %s the centre; %s",
             beyond <= 0 ? "with" : "without",
             s->bound < 1 ? "no line is reached: the weight is 0" : "a line is reached");
}

/* Describes the distance of the constraint, and on which side the half-space cuts the ball. */
static void say_line(const section *s, char *buffer, size_t size)
{
    double line = near_line(s), gap = fabs(line - s->centre.at[0]) - s->radius;
    buffer[0] = '\0';
    if (!isfinite(s->radius))
        return;
    if (s->cut)
        say_cut(s, buffer, size);
    else if (gap > 0 && line * s->centre.at[0] <= 1)
        snprintf(buffer, size, "the line at %g is %.4g from the ball: the weight is 0", line, gap);
    else
        snprintf(buffer, size, "the ball reaches the line at %g: nothing is proved", line);
}

void section_line(const section *s, int line, char *buffer, size_t size)
{
    buffer[0] = '\0';
    if (s->missing)
        return;
    if (line == 0)
        say_bound(s, buffer, size);
    else if (line == 1)
        say_line(s, buffer, size);
    else if (line == 2)
        say_projections(s, buffer, size);
    else if (line == 3)
        say_scale(s, buffer, size);
}
