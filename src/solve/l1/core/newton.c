/* The base solver of losses that are not quadratic: proximal Newton on the active set.
 *
 * At the present predictions z the loss is replaced by its second-order model, with weights h_i =
 * l''(z_i); coordinate minimisation runs on the model for some epochs, on a residual u = a - h (dz
 * + db) that costs no exponentials; then a line search on the true objective. The model's intercept
 * is eliminated as in the quadratic case, by centring with the weights h. */
#include "solve/l1/core/newton.h"
#include "solve/l1/core/tuning.h"

#include "base/memory.h"
#include "base/numeric/soft_threshold.h"
#include "data/matrix/kernels.h"
#include "solve/common/line_search.h"
#include "solve/gram/hessian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool l1_model_new(l1_model **out, size_t n, size_t p)
{
    l1_model *m = calloc(1, sizeof *m);
    *out = m;
    if (!m)
        return false;
    m->h = mem_array(n, sizeof *m->h);
    m->u = mem_array(n, sizeof *m->u);
    m->dz = mem_array(n, sizeof *m->dz);
    m->scratch = mem_array(n, sizeof *m->scratch);
    m->means = mem_array(p, sizeof *m->means);
    m->squares = mem_array(p, sizeof *m->squares);
    m->before = mem_array(p, sizeof *m->before);
    return m->h && m->u && m->dz && m->scratch && m->means && m->squares && m->before;
}

void l1_model_free(l1_model *m)
{
    if (!m)
        return;
    free(m->h);
    free(m->u);
    free(m->dz);
    free(m->scratch);
    free(m->means);
    free(m->squares);
    free(m->before);
    hessian_free(m->hessian);
    free(m);
}

/* ---- the model ----------------------------------------------------------------------------- */

/* sum_i h_i (x_ij - mean)^2; the zeros of a sparse column contribute mean^2 each. */
double l1_model_column_square(const l1_state *s, const l1_model *m, size_t j, double mean)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(s->problem.x, j, m->scratch, &rows, &values);
    double square = 0, seen = 0;
    for (size_t k = 0; k < count; k++) {
        double h = m->h[rows ? rows[k] : k];
        square += h * (values[k] - mean) * (values[k] - mean);
        seen += h;
    }
    return square + fmax(m->total - seen, 0) * mean * mean;
}

/* Computes the row weights, near those of the last Hessian when there is one to be reused, and the
 * residual. */
void l1_model_weigh(l1_state *s, const hessian *kept)
{
    l1_model *m = s->model;
    samples_model(&s->problem.of, s->it.z, m->u, m->h);
    if (kept)
        hessian_keep(kept, m->h);
    m->total = loss_total(m->h, s->problem.n);
    m->shift = 0;
}

/* The second derivative of the model for one weight; a small fraction of the unweighted square is
 * added in case the row weights have nearly vanished. */
double l1_model_square(const l1_state *s, size_t j, double weighted)
{
    return weighted + LEAST_CURVATURE * l1_norm(s, j) * l1_norm(s, j) +
           penalty_square(&s->penalty.terms, j);
}

/* Makes passes over the active columns. */
bool l1_model_measure(l1_state *s, bool squares, solve_progress *progress)
{
    l1_model *m = s->model;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k], passes = squares ? 2 : 1;
        bool centred = s->problem.intercept && m->total > 0;
        m->means[j] = centred ? tm_matrix_dot(s->problem.x, j, m->h) / m->total : 0;
        if (squares)
            m->squares[j] = l1_model_square(s, j, l1_model_column_square(s, m, j, m->means[j]));
        m->before[j] = s->it.w[j];
        progress->columns += passes;
        if (progress_work(progress, passes * s->problem.n))
            return false;
    }
    return true;
}

/* Subtracts d h (x_j - mean) from the residual. */
static void move_residual(const l1_state *s, size_t j, double d)
{
    l1_model *m = s->model;
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(s->problem.x, j, m->scratch, &rows, &values);
    if (rows)
        for (size_t k = 0; k < count; k++)
            m->u[rows[k]] -= d * m->h[rows[k]] * values[k];
    else
        for (size_t i = 0; i < count; i++)
            m->u[i] -= d * m->h[i] * values[i];
    m->shift += d * m->means[j];
}

/* `shrinks`: features may be removed, because during a model's first epoch the products are nearly
 * those with the true dual variables. */
static double model_epoch(l1_state *s, bool shrinks, solve_progress *progress)
{
    const l1_model *m = s->model;
    double greatest = 0;
    size_t kept = 0, k = 0;
    if (shrinks)
        s->shrinking->violation = 0;
    for (; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        double product = tm_matrix_dot(s->problem.x, j, m->u) + m->shift * m->total * m->means[j] -
                         penalty_square(&s->penalty.terms, j) * s->it.w[j];
        if (shrinks && l1_shrinks_out(s, j, product))
            s->active.has[j] = false;
        else
            s->active.features[kept++] = j;
        double target = s->it.w[j] + product / m->squares[j];
        double next = soft_threshold(target, s->penalty.lambda * l1_factor(s, j) / m->squares[j]);
        if (s->penalty.lower)
            next = fmin(fmax(next, s->penalty.lower[j]), s->penalty.upper[j]);
        double d = next - s->it.w[j];
        if (d != 0) {
            s->it.w[j] = next;
            move_residual(s, j, d);
            greatest = fmax(greatest, fabs(d) * l1_norm(s, j));
        }
        progress->columns++;
        progress->updates++;
        if (progress_work(progress, 3 * s->problem.n))
            break;
    }
    for (k++; k < s->active.count; k++)
        s->active.features[kept++] = s->active.features[k];
    s->active.count = kept;
    if (shrinks)
        s->shrinking->violation_before = s->shrinking->violation;
    s->it.epochs++;
    return greatest;
}

/* ---- the step ------------------------------------------------------------------------------ */

/* Writes the change of the predictions due to w - before, including the intercept, to dz. Returns
 * the change of the penalty. */
double l1_model_direction(const l1_state *s)
{
    l1_model *m = s->model;
    double penalty = 0;
    m->db = 0;
    memset(m->dz, 0, s->problem.n * sizeof *m->dz);
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        double d = s->it.w[j] - m->before[j];
        if (d == 0)
            continue;
        penalty += s->penalty.lambda * l1_factor(s, j) * (fabs(s->it.w[j]) - fabs(m->before[j])) +
                   penalty_square(&s->penalty.terms, j) * (s->it.w[j] + m->before[j]) * d / 2;
        tm_matrix_axpy(s->problem.x, j, d, m->dz);
        m->db -= d * m->means[j];
    }
    for (size_t i = 0; s->problem.intercept && i < s->problem.n; i++)
        m->dz[i] += m->db;
    return penalty;
}

static double penalty_at(const l1_state *s, double t)
{
    const l1_model *m = s->model;
    double penalty = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        double w = m->before[j] + t * (s->it.w[j] - m->before[j]);
        penalty += penalty_value(&s->penalty.terms, j, w);
    }
    return penalty;
}

double l1_model_objective(const l1_state *s, double t)
{
    return samples_loss_along(&s->problem.of, s->it.z, t, s->model->dz) + penalty_at(s, t);
}

static double objective_at(double t, void *payload)
{
    return l1_model_objective(payload, t);
}

double l1_model_search(l1_state *s, double penalty_change, double here, double *reached)
{
    samples_dual_variables(&s->problem.of, s->it.z, s->model->scratch);
    double predicted = penalty_change - kernel_dot(s->model->scratch, s->model->dz, s->problem.n);
    return line_search_halve(&(line_search){objective_at, s, here, predicted, &s->model->unproven},
                             reached);
}

/* A whole step copies the weights, so that zeros stay exact. */
double l1_model_step(l1_state *s, double t)
{
    const l1_model *m = s->model;
    double greatest = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        if (t != 1)
            s->it.w[j] = m->before[j] + t * (s->it.w[j] - m->before[j]);
        greatest = fmax(greatest, fabs(s->it.w[j] - m->before[j]) * l1_norm(s, j));
    }
    for (size_t i = 0; i < s->problem.n; i++)
        s->it.z[i] += t * m->dz[i];
    s->it.b += s->problem.intercept ? t * m->db : 0;
    return greatest;
}

double l1_newton_sweep(l1_state *s, long epochs, solve_progress *progress)
{
    double first = INFINITY;
    l1_model_weigh(s, NULL);
    if (!l1_model_measure(s, true, progress))
        return INFINITY;
    for (long k = 0; k < epochs && s->it.epochs < s->options.max_iter && !progress->stopped; k++) {
        double change = model_epoch(s, k == 0 && s->shrinking, progress);
        first = k == 0 ? change : first;
        if (change <= MODEL_CHANGE * first)
            break;
    }
    double penalty_change = l1_model_direction(s), reached;
    double t = l1_model_search(s, penalty_change, l1_model_objective(s, 0), &reached);
    double change = l1_model_step(s, t);
    progress_work(progress, 4 * s->problem.n);
    return change;
}
