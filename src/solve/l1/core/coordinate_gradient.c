/* Coordinate gradient descent for losses that are not quadratic (VI 4.1; Tseng and Yun 2009):
 * each coordinate in turn moves towards the minimum of its own second-order model, with a line
 * search on the true objective. The intercept is a coordinate like the others, unpenalised and
 * always active. */
#include "base/numeric/soft_threshold.h"
#include "solve/common/line_search.h"
#include "solve/l1/core/newton.h"
#include "solve/l1/core/tuning.h"

#include <math.h>

/* A coordinate, and the direction proposed by its model. */
typedef struct coordinate {
    const l1_state *s;
    l1_column x;
    size_t feature; /* p stands for the intercept */
    double w, d;
} coordinate;

static double penalty_at(const coordinate *q, double w)
{
    return q->feature < q->s->problem.p ? penalty_value(&q->s->penalty.terms, q->feature, w) : 0;
}

/* The part of the objective that depends on the coordinate: the losses of its rows and its own
 * penalty. */
static double objective_at(double t, void *payload)
{
    const coordinate *q = payload;
    const l1_problem *of = &q->s->problem;
    double y[LOSS_BLOCK], z[LOSS_BLOCK], values[LOSS_BLOCK], sum = 0;
    for (size_t from = 0; from < q->x.count; from += LOSS_BLOCK) {
        size_t count = q->x.count - from < LOSS_BLOCK ? q->x.count - from : LOSS_BLOCK;
        for (size_t k = 0; k < count; k++) {
            size_t i = l1_column_row(&q->x, from + k);
            y[k] = of->response[i];
            z[k] = q->s->it.z[i] + t * q->d * q->x.values[from + k];
        }
        of->loss->values(y, z, count, values);
        for (size_t k = 0; k < count; k++)
            values[k] *= samples_weight(&of->of, l1_column_row(&q->x, from + k));
        sum += loss_block_sum(values, count);
    }
    return sum + penalty_at(q, q->w + t * q->d);
}

/* The step length: the fraction of d that the line search (Armijo) accepts. Where rounding hides
 * the decrease the whole step is taken, since the model is exact there except at kinks. */
static double search(coordinate *q, double slope)
{
    unproven_steps unproven = {0};
    double reached, here = objective_at(0, q);
    double predicted = slope * q->d + penalty_at(q, q->w + q->d) - penalty_at(q, q->w);
    line_search along = {objective_at, q, here, predicted, &unproven};
    return line_search_halve(&along, &reached);
}

static void step_intercept(l1_state *s, double *ones)
{
    coordinate q = {.s = s, .x = {NULL, ones, s->problem.n}, .feature = s->problem.p, .w = s->it.b};
    double slope, square = l1_column_curve(s, &q.x, &slope);
    if (!(square > 0) || slope == 0)
        return;
    q.d = -slope / square;
    double d = search(&q, slope) * q.d;
    s->it.b += d;
    for (size_t i = 0; i < s->problem.n; i++)
        s->it.z[i] += d;
}

/* Returns the change |d| |x_j|. *leaves: shrinking removes the feature. */
static double step(l1_state *s, size_t j, bool *leaves)
{
    coordinate q = {.s = s, .feature = j, .w = s->it.w[j]};
    q.x.count = tm_matrix_entries(s->problem.x, j, s->model->scratch, &q.x.rows, &q.x.values);
    double slope, weighted = l1_column_curve(s, &q.x, &slope);
    double square = l1_model_square(s, j, weighted);
    double product = -slope - penalty_square(&s->penalty.terms, j) * q.w;
    *leaves = l1_shrinks_out(s, j, product);
    double next =
        soft_threshold(q.w + product / square, s->penalty.lambda * l1_factor(s, j) / square);
    if (s->penalty.lower)
        next = fmin(fmax(next, s->penalty.lower[j]), s->penalty.upper[j]);
    q.d = next - q.w;
    double t = q.d != 0 ? search(&q, slope) : 0;
    if (t == 0)
        return 0;
    s->it.w[j] = t == 1 ? next : q.w + t * q.d;
    tm_matrix_axpy(s->problem.x, j, s->it.w[j] - q.w, s->it.z);
    return fabs(t * q.d) * l1_norm(s, j);
}

static double epoch(l1_state *s, solve_progress *progress)
{
    l1_active *active = &s->active;
    double greatest = 0;
    size_t kept = 0;
    for (size_t k = 0; k < active->count; k++) {
        size_t j = active->features[k];
        bool leaves = false;
        if (!progress->stopped) {
            greatest = fmax(greatest, step(s, j, &leaves));
            progress->columns += 2;
            progress->updates++;
            progress_work(progress, 4 * s->problem.n);
        }
        active->has[j] = !leaves;
        if (!leaves)
            active->features[kept++] = j;
    }
    active->count = kept;
    s->it.epochs++;
    return greatest;
}

double l1_coordinate_gradient_sweep(l1_state *s, long epochs, solve_progress *progress)
{
    double change = 0, *ones = s->model->dz;
    for (size_t i = 0; i < s->problem.n; i++)
        ones[i] = 1;
    for (long k = 0; k < epochs && s->it.epochs < s->options.max_iter && !progress->stopped; k++) {
        if (s->shrinking)
            s->shrinking->violation = 0;
        if (s->problem.intercept)
            step_intercept(s, ones);
        change = epoch(s, progress);
        if (s->shrinking)
            s->shrinking->violation_before = s->shrinking->violation;
    }
    return change;
}
