/* The base solver of losses that are not quadratic: proximal Newton on the active set.
 *
 * At the present predictions z the loss is replaced by its second-order model, with weights
 * h_i = l''(z_i); coordinate minimisation goes over the model for some epochs, on a residual
 * u = a - h (dz + db) that costs no exponentials; then a line search on the true objective. The model's
 * intercept is eliminated as in the quadratic case, by centring with the weights h. */
#include "solve/l1_state.h"

#include "base/memory.h"
#include "data/kernels.h"
#include "solve/hessian.h"
#include "solve/l1_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The inner epochs end when the greatest change is this share of the first epoch's. */
static const double INNER_CHANGE = 0.02;
/* The model is made anew before it is worth solving to the last digit. */
enum { MODEL_ROUNDS = 1 };
enum { HALVINGS = 40, TRUSTED_MOST = 1000 };

struct l1_model {
    double *h, *u, *dz;      /* n */
    double *scratch;         /* n: a column's values where the matrix holds no doubles */
    double total;            /* sum of h */
    double shift;            /* the residual is u + shift h */
    double *means, *squares; /* p: of the active features, weighted by h; centred squares */
    double *before;          /* p: w at the start */
    int trusted;             /* steps in a row taken below the objective's rounding */
};

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
    free(m);
}

/* ---- the model ----------------------------------------------------------------------------- */

/* sum_i h_i (x_ij - mean)^2: zeros of a sparse column are at distance mean. */
static double weighted_square(const l1_state *s, const l1_model *m, size_t j, double mean)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(s->x, j, m->scratch, &rows, &values);
    double square = 0, seen = 0;
    for (size_t k = 0; k < count; k++) {
        double h = m->h[rows ? rows[k] : k];
        square += h * (values[k] - mean) * (values[k] - mean);
        seen += h;
    }
    return square + fmax(m->total - seen, 0) * mean * mean;
}

/* With weights near those of the last Hessian, when there is one to be kept. False when it was told to
 * stop. */
static bool build_model(l1_state *s, const hessian *kept, solve_progress *progress)
{
    l1_model *m = s->model;
    m->total = 0;
    samples_model(&s->of, s->z, m->u, m->h);
    if (kept)
        hessian_keep(kept, m->h);
    for (size_t i = 0; i < s->n; i++)
        m->total += m->h[i];
    m->shift = 0;
    for (size_t k = 0; k < s->active_count; k++) {
        size_t j = s->active[k];
        bool centred = s->intercept && m->total > 0;
        m->means[j] = centred ? tm_matrix_dot(s->x, j, m->h) / m->total : 0;
        /* A little of the unweighted length, where the weights have nearly vanished. */
        m->squares[j] = weighted_square(s, m, j, m->means[j]) + 1e-10 * s->norms[j] * s->norms[j] +
                        penalty_square(&s->penalty, j);
        m->before[j] = s->w[j];
        progress->columns += 2;
        if (progress_work(progress, 2 * s->n))
            return false;
    }
    return true;
}

/* Takes d h (x_j - mean) out of the residual. */
static void move_residual(const l1_state *s, size_t j, double d)
{
    l1_model *m = s->model;
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(s->x, j, m->scratch, &rows, &values);
    if (rows) {
        for (size_t k = 0; k < count; k++)
            m->u[rows[k]] -= d * m->h[rows[k]] * values[k];
    } else {
        for (size_t i = 0; i < count; i++)
            m->u[i] -= d * m->h[i] * values[i];
    }
    m->shift += d * m->means[j];
}

/* `shrinks`: features may leave, as after each feature of a model's first epoch the product is nearly that
 * with the true dual variables. */
static double model_epoch(l1_state *s, bool shrinks, solve_progress *progress)
{
    const l1_model *m = s->model;
    double greatest = 0;
    size_t kept = 0, k = 0;
    s->violation = 0;
    for (; k < s->active_count; k++) {
        size_t j = s->active[k];
        double product = tm_matrix_dot(s->x, j, m->u) + m->shift * m->total * m->means[j] -
                         penalty_square(&s->penalty, j) * s->w[j];
        if (shrinks && l1_shrinks_out(s, j, product))
            s->in_active[j] = false;
        else
            s->active[kept++] = j;
        double target = s->w[j] + product / m->squares[j];
        double most = s->lambda * s->factors[j] / m->squares[j];
        double next = fabs(target) <= most ? 0 : target - copysign(most, target);
        if (s->lower)
            next = fmin(fmax(next, s->lower[j]), s->upper[j]);
        double d = next - s->w[j];
        if (d != 0) {
            s->w[j] = next;
            move_residual(s, j, d);
            greatest = fmax(greatest, fabs(d) * s->norms[j]);
        }
        progress->columns++;
        progress->updates++;
        if (progress_work(progress, 3 * s->n))
            break;
    }
    for (k++; k < s->active_count; k++)
        s->active[kept++] = s->active[k];
    s->active_count = kept;
    if (shrinks)
        s->violation_before = s->violation;
    s->epochs++;
    return greatest;
}

/* ---- the step ------------------------------------------------------------------------------ */

/* What w - before does to the predictions, the intercept's part included, into dz. Returns the change
 * of the penalty. */
static double find_direction(const l1_state *s)
{
    l1_model *m = s->model;
    double db = 0, penalty = 0;
    memset(m->dz, 0, s->n * sizeof *m->dz);
    for (size_t k = 0; k < s->active_count; k++) {
        size_t j = s->active[k];
        double d = s->w[j] - m->before[j];
        if (d == 0)
            continue;
        penalty += s->lambda * s->factors[j] * (fabs(s->w[j]) - fabs(m->before[j])) +
                   penalty_square(&s->penalty, j) * (s->w[j] + m->before[j]) * d / 2;
        tm_matrix_axpy(s->x, j, d, m->dz);
        db -= d * m->means[j];
    }
    for (size_t i = 0; s->intercept && i < s->n; i++)
        m->dz[i] += db;
    return penalty;
}

static double penalty_at(const l1_state *s, double t)
{
    const l1_model *m = s->model;
    double penalty = 0;
    for (size_t k = 0; k < s->active_count; k++) {
        size_t j = s->active[k];
        double w = m->before[j] + t * (s->w[j] - m->before[j]);
        penalty += penalty_value(&s->penalty, j, w);
    }
    return penalty;
}

static double loss_at(const l1_state *s, double t)
{
    return samples_loss_along(&s->of, s->z, t, s->model->dz);
}

/* The step length: the first of 1, 1/2, 1/4, ... that lowers the objective by a share of what the model
 * promises. Where the promise is below the objective's rounding a step that does not raise it is taken on
 * trust, for a while: the objective is flat there, but the dual variables still gain digits. 0 ends the run. */
static double line_search(const l1_state *s, double penalty_change)
{
    double promise = penalty_change, here = loss_at(s, 0) + penalty_at(s, 0);
    double rounding = 1e-14 * here;
    for (size_t i = 0; i < s->n; i++)
        promise +=
            samples_weight(&s->of, i) * s->loss->slope(s->response[i], s->z[i]) * s->model->dz[i];
    if (fabs(promise) <= rounding) {
        bool trusted = s->model->trusted++ < TRUSTED_MOST;
        double share = 1;
        for (int k = 0; trusted && k < HALVINGS; k++, share /= 2)
            if (loss_at(s, share) + penalty_at(s, share) <= here + rounding)
                return share;
        return 0;
    }
    s->model->trusted = 0;
    double t = 1;
    for (int k = 0; k < HALVINGS; k++, t /= 2)
        if (loss_at(s, t) + penalty_at(s, t) <= here + 0.01 * t * promise)
            return t;
    return 0;
}

/* A whole step takes the weights as they are, so that zeros stay exact. */
static double take_step(l1_state *s, double t)
{
    const l1_model *m = s->model;
    double greatest = 0;
    for (size_t k = 0; k < s->active_count; k++) {
        size_t j = s->active[k];
        if (t < 1)
            s->w[j] = m->before[j] + t * (s->w[j] - m->before[j]);
        greatest = fmax(greatest, fabs(s->w[j] - m->before[j]) * s->norms[j]);
    }
    for (size_t i = 0; i < s->n; i++)
        s->z[i] += t * m->dz[i];
    return greatest;
}

double l1_newton_sweep(l1_state *s, long epochs, solve_progress *progress)
{
    double first = INFINITY;
    if (!build_model(s, NULL, progress))
        return INFINITY;
    for (long k = 0; k < epochs && s->epochs < s->max_iter && !progress->stopped; k++) {
        double change = model_epoch(s, k == 0, progress);
        first = k == 0 ? change : first;
        if (change <= INNER_CHANGE * first)
            break;
    }
    double change = take_step(s, line_search(s, find_direction(s)));
    progress_work(progress, 4 * s->n);
    return change;
}

/* ---- the exact step ------------------------------------------------------------------------ */

typedef struct exact {
    double *linear, *factors, *w; /* count */
    double *lower, *upper;        /* count; NULL without limits */
    size_t *set;
} exact;

static bool exact_new(exact *e, size_t count, bool limits)
{
    e->lower = limits ? mem_array(count, sizeof *e->lower) : NULL;
    e->upper = limits ? mem_array(count, sizeof *e->upper) : NULL;
    e->linear = mem_array(count, sizeof *e->linear);
    e->factors = mem_array(count, sizeof *e->factors);
    e->w = mem_array(count, sizeof *e->w);
    e->set = mem_array(count, sizeof *e->set);
    if (limits && (!e->lower || !e->upper))
        return false;
    return e->linear && e->factors && e->w && e->set;
}

static void exact_free(exact *e)
{
    free(e->linear);
    free(e->factors);
    free(e->lower);
    free(e->upper);
    free(e->w);
    free(e->set);
}

/* The model's Hessian on the active set. Its diagonal holds the squared penalty, and a little more where
 * the weights have nearly vanished. */
static const double *model_hessian(const l1_state *s, solve_progress *progress)
{
    const l1_model *m = s->model;
    double *products = hessian_at(s->hessian, m->h, s->intercept ? m->means : NULL);
    for (size_t a = 0; a < s->active_count; a++)
        products[a * s->active_count + a] = m->squares[s->active[a]];
    progress_work(progress, (uint64_t)hessian_work(s->hessian));
    return products;
}

/* The model as a problem on the active set: a linear term that makes the gradient at the present w that of
 * the model. False when it was told to stop. */
static bool fill_exact(const l1_state *s, const double *products, exact *e,
                       solve_progress *progress)
{
    size_t count = s->active_count;
    double left = 0;
    for (size_t i = 0; s->intercept && i < s->n; i++)
        left += s->model->u[i];
    for (size_t a = 0; a < count; a++) {
        size_t j = s->active[a];
        e->linear[a] = tm_matrix_dot(s->x, j, s->model->u) - s->model->means[j] * left -
                       penalty_square(&s->penalty, j) * s->w[j];
        e->factors[a] = s->factors[j];
        e->w[a] = s->w[j];
        if (e->lower) {
            e->lower[a] = s->lower[j];
            e->upper[a] = s->upper[j];
        }
        e->set[a] = a;
        progress->columns++;
        if (progress_work(progress, s->n))
            return false;
    }
    for (size_t b = 0; b < count; b++)
        if (e->w[b] != 0)
            kernel_axpy(e->w[b], products + b * count, e->linear, count);
    return true;
}

static tm_status solve_model(l1_state *s, const double *products, exact *e,
                             solve_progress *progress, tm_error *err)
{
    l1_set problem = {.count = s->active_count,
                      .room = s->active_count,
                      .products = products,
                      .linear = e->linear,
                      .factors = e->factors,
                      .lower = e->lower,
                      .upper = e->upper,
                      .constant = 2 * s->null_objective,
                      .lambda = s->lambda,
                      .set = e->set,
                      .set_count = s->active_count,
                      .w = e->w,
                      .progress = progress,
                      .epochs = s->epochs,
                      .max_epochs = s->max_iter,
                      .rounds = MODEL_ROUNDS};
    tm_status status = l1_set_solve(&problem, -INFINITY, err);
    s->epochs = problem.epochs + 1; /* a set that is solved already costs none, a step does */
    for (size_t a = 0; status == TM_OK && a < s->active_count; a++)
        s->w[s->active[a]] = e->w[a];
    return status;
}

tm_status l1_newton_exact(l1_state *s, double *change, solve_progress *progress, tm_error *err)
{
    exact e = {0};
    *change = INFINITY;
    tm_status status = s->hessian ? TM_OK : hessian_new(&s->hessian, s->n, err);
    if (status == TM_OK)
        status = hessian_begin(s->hessian, s->x, s->active, s->active_count, s->intercept, err);
    if (status == TM_OK && !exact_new(&e, s->active_count, s->lower != NULL))
        status = tm_fail_memory(err, "a Newton step");
    if (status == TM_OK && build_model(s, s->hessian, progress)) {
        const double *products = model_hessian(s, progress);
        if (fill_exact(s, products, &e, progress)) {
            status = solve_model(s, products, &e, progress, err);
            *change = take_step(s, line_search(s, find_direction(s)));
        }
    }
    exact_free(&e);
    return status;
}
