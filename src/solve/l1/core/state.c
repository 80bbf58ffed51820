#include "solve/l1/core/state.h"

#include "base/numeric/nonzero.h"
#include "base/numeric/soft_threshold.h"
#include "model/loss/residual.h"
#include "solve/common/products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the iterate --------------------------------------------------------------------------- */

void l1_state_reset(l1_state *s)
{
    memset(s->w, 0, s->p * sizeof *s->w);
    for (size_t k = 0; k < unpenalised_count(s->free); k++)
        s->w[unpenalised_features(s->free)[k]] = s->null_weights[k];
    memcpy(s->r, s->y, s->n * sizeof *s->r);
    s->shift = 0;
    s->b = s->null_intercept;
    if (!s->loss->quadratic)
        memcpy(s->z, s->null_z, s->n * sizeof *s->z);
}

/* In general the predictions are needed to fit the intercept and the free features. */
static void refresh_predictions(l1_state *s)
{
    if (s->free) {
        samples_predict(&s->of, s->data, s->w, s->b, s->z);
        unpenalised_fit(s->free, s->w, &s->b, s->z, s->r);
        return;
    }
    if (s->general) {
        samples_predict(&s->of, s->data, s->w, 0, s->z);
    } else {
        residual_of(s->data, s->w, 0, s->z);
        for (size_t i = 0; i < s->n; i++)
            s->z[i] = s->response[i] - s->z[i];
    }
    s->b = s->intercept ? samples_best_shift(&s->of, s->z, s->b) : 0;
    for (size_t i = 0; i < s->n; i++)
        s->z[i] += s->b;
    samples_dual_variables(&s->of, s->z, s->r);
    if (s->intercept && s->loss->quadratic)
        samples_centre(&s->of, s->r);
}

void l1_state_refresh(l1_state *s)
{
    s->shift = 0;
    if (!s->loss->quadratic || s->general) {
        refresh_predictions(s);
        return;
    }
    residual_of(s->data, s->w, 0, s->r);
    if (s->intercept)
        residual_centre(s->r, s->n);
}

void l1_state_refit(l1_state *s)
{
    if (s->free) {
        l1_state_refresh(s);
        return;
    }
    double shift = s->intercept ? samples_best_shift(&s->of, s->z, 0) : 0;
    for (size_t i = 0; s->intercept && i < s->n; i++)
        s->z[i] += shift;
    s->b += shift;
    samples_dual_variables(&s->of, s->z, s->r);
}

double l1_state_intercept(const l1_state *s)
{
    if (!s->loss->quadratic)
        return s->b;
    double b = s->null_intercept;
    size_t first = s->intercept ? next_nonzero(s->w, 0, s->p) : s->p;
    for (size_t j = first; j < s->p; j = next_nonzero(s->w, j + 1, s->p))
        b -= s->w[j] * s->means[j];
    return b;
}

/* r += d s_i x_ij */
static void add_weighted(l1_state *s, size_t j, double d)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(s->x, j, s->scratch, &rows, &values);
    for (size_t k = 0; k < count; k++) {
        size_t i = rows ? rows[k] : k;
        s->r[i] += d * s->of.weights[i] * values[k];
    }
}

/* Changes w_j by d and the residual, or the predictions, with it. */
static void move_weight(l1_state *s, size_t j, double d)
{
    s->w[j] += d;
    if (!s->loss->quadratic) {
        tm_matrix_axpy(s->x, j, d, s->z);
        return;
    }
    if (s->of.weights)
        add_weighted(s, j, -d);
    else
        tm_matrix_axpy(s->x, j, -d, s->r);
    if (s->intercept)
        s->shift += d * s->means[j];
}

/* x_j'(r + shift), where the entries of a centred residual sum to zero: what rounding has left of
 * r's sum is not looked for here, l1_state_refresh takes it away. */
static double product(const l1_state *s, size_t j)
{
    double value = tm_matrix_dot(s->x, j, s->r);
    if (s->ridge)
        value -= penalty_square(&s->penalty, j) * s->w[j];
    return s->intercept ? value + s->shift * s->of.total * s->means[j] : value;
}

/* ---- the active set ------------------------------------------------------------------------ */

void l1_activate(l1_state *s, size_t j)
{
    if (s->in_active[j] || s->norms[j] == 0)
        return;
    s->in_active[j] = true;
    s->active[s->active_count++] = j;
}

void l1_activate_support(l1_state *s)
{
    s->active_count = 0;
    memset(s->in_active, 0, s->p * sizeof *s->in_active);
    for (size_t j = next_nonzero(s->w, 0, s->p); j < s->p; j = next_nonzero(s->w, j + 1, s->p))
        l1_activate(s, j);
    for (size_t k = 0; k < unpenalised_count(s->free); k++)
        l1_activate(s, unpenalised_features(s->free)[k]);
}

void l1_activate_all(l1_state *s)
{
    s->active_count = 0;
    memset(s->in_active, 0, s->p * sizeof *s->in_active);
    for (size_t j = 0; j < s->p; j++)
        l1_activate(s, j);
}

size_t l1_drop(l1_state *s, bool (*drop)(const l1_state *s, size_t j, const void *payload),
               const void *payload)
{
    size_t kept = 0, before = s->active_count;
    for (size_t k = 0; k < before; k++) {
        size_t j = s->active[k];
        if (s->factors[j] == 0 || !drop(s, j, payload)) {
            s->active[kept++] = j;
            continue;
        }
        s->in_active[j] = false;
        if (s->w[j] != 0) {
            move_weight(s, j, -s->w[j]);
            s->w[j] = 0;
        }
    }
    s->active_count = kept;
    return before - kept;
}

/* ---- coordinate minimisation --------------------------------------------------------------- */

bool l1_shrinks_out(l1_state *s, size_t j, double product)
{
    double limit = s->lambda * s->factors[j], w = s->w[j];
    if (limit == 0)
        return false;
    double reach = l1_reach_of(s, j, product);
    double beyond = w == 0 ? reach - limit : fabs(product - copysign(limit, w));
    s->violation = fmax(s->violation, beyond / s->factors[j]);
    double slack = s->violation_before / (double)s->n * s->factors[j];
    if (!s->shrinks || w != 0 || !(reach < limit - slack))
        return false;
    s->xr[j] = product; /* the last that is known of it */
    return true;
}

static double epoch(l1_state *s, solve_progress *progress)
{
    double greatest = 0;
    size_t kept = 0, k = 0;
    s->violation = 0;
    for (; k < s->active_count; k++) {
        size_t j = s->active[k];
        double square = s->norms[j] * s->norms[j], xr = product(s, j);
        if (l1_shrinks_out(s, j, xr))
            s->in_active[j] = false;
        else
            s->active[kept++] = j;
        double target = s->w[j] + xr / square;
        double next = soft_threshold(target, s->lambda * s->factors[j] / square);
        if (s->lower)
            next = fmin(fmax(next, s->lower[j]), s->upper[j]);
        double d = next - s->w[j];
        if (d != 0) {
            move_weight(s, j, d);
            if (s->lower)
                s->w[j] = next;
            greatest = fmax(greatest, fabs(d) * s->norms[j]);
        }
        progress->columns++;
        progress->updates++;
        if (progress_work(progress, 2 * s->n))
            break;
    }
    for (k++; k < s->active_count; k++)
        s->active[kept++] = s->active[k];
    s->active_count = kept;
    s->violation_before = s->violation;
    s->epochs++;
    return greatest;
}

double l1_sweep(l1_state *s, long epochs, solve_progress *progress)
{
    if (!s->loss->quadratic)
        return l1_newton_sweep(s, epochs, progress);
    double change = 0;
    for (long k = 0; k < epochs && s->epochs < s->max_iter && !progress->stopped; k++)
        change = epoch(s, progress);
    return change;
}

bool l1_stalled(const l1_state *s, double greatest_change)
{
    return greatest_change <= 1e-16 * sqrt(s->yy);
}

/* ---- products --------------------------------------------------------------------- */

static void take_active(size_t from, size_t to, void *payload)
{
    l1_state *s = payload;
    for (size_t k = from; k < to; k++)
        s->xr[s->active[k]] = product(s, s->active[k]);
}

bool l1_products_active(l1_state *s, solve_progress *progress)
{
    return products_pass(s->x, s->active_count, 1, take_active, s, progress);
}

bool l1_products_of(l1_state *s, const double *v, double *out, solve_progress *progress)
{
    /* The correction for what v sums to. */
    double left = s->intercept ? residual_sum(v, s->n) : 0;
    if (!products_uncentred(s->x, v, out, progress))
        return false;
    for (size_t j = 0; (s->intercept || s->general) && j < s->p; j++)
        out[j] = s->norms[j] == 0 ? 0 : s->intercept ? out[j] - s->means[j] * left : out[j];
    return true;
}

/* Of r alone: with the intercept the sum of r + shift is zero, so that r's is -n shift but for
 * rounding, and one correction serves both. */
bool l1_products_all(l1_state *s, solve_progress *progress)
{
    if (!l1_products_of(s, s->r, s->xr, progress))
        return false;
    for (size_t j = 0; s->ridge && j < s->p; j++)
        s->xr[j] -= penalty_square(&s->penalty, j) * s->w[j];
    return true;
}
