#include "solve/l1/core/state.h"
#include "solve/l1/core/tuning.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "base/numeric/soft_threshold.h"
#include "model/certificate/dual_products.h"
#include "model/loss/residual.h"
#include "solve/common/products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the iterate --------------------------------------------------------------------------- */

void l1_state_reset(l1_state *s)
{
    /* Writing zeros on zeros would make pages of them. */
    for (size_t j = 0; j < s->problem.p; j++)
        if (s->it.w[j] != 0 || signbit(s->it.w[j]))
            s->it.w[j] = 0;
    for (size_t k = 0; k < unpenalised_count(s->penalty.free); k++)
        s->it.w[unpenalised_features(s->penalty.free)[k]] = s->null.weights[k];
    memcpy(s->it.r, s->null.y, s->problem.n * sizeof *s->it.r);
    s->it.shift = 0;
    s->it.b = s->null.intercept;
    if (!s->problem.loss->quadratic)
        memcpy(s->it.z, s->null.z, s->problem.n * sizeof *s->it.z);
}

/* For other losses the predictions are needed to fit the intercept and the unpenalised features. */
static void refresh_predictions(l1_state *s)
{
    if (s->penalty.free) {
        samples_predict(&s->problem.of, s->problem.data, s->it.w, s->it.b, s->it.z);
        unpenalised_fit(s->penalty.free, s->it.w, &s->it.b, s->it.z, s->it.r);
        return;
    }
    if (s->problem.special_terms) {
        samples_predict(&s->problem.of, s->problem.data, s->it.w, 0, s->it.z);
    } else {
        residual_of(s->problem.data, s->it.w, 0, s->it.z);
        for (size_t i = 0; i < s->problem.n; i++)
            s->it.z[i] = s->problem.response[i] - s->it.z[i];
    }
    s->it.b = s->problem.intercept ? samples_best_shift(&s->problem.of, s->it.z, s->it.b) : 0;
    for (size_t i = 0; i < s->problem.n; i++)
        s->it.z[i] += s->it.b;
    samples_dual_variables(&s->problem.of, s->it.z, s->it.r);
    if (s->problem.intercept && s->problem.loss->quadratic)
        samples_centre(&s->problem.of, s->it.r);
}

void l1_state_refresh(l1_state *s)
{
    s->it.shift = 0;
    if (!s->problem.loss->quadratic || s->problem.special_terms) {
        refresh_predictions(s);
        return;
    }
    residual_of(s->problem.data, s->it.w, 0, s->it.r);
    if (s->problem.intercept)
        residual_centre(s->it.r, s->problem.n);
}

void l1_state_refit(l1_state *s)
{
    if (s->penalty.free) {
        l1_state_refresh(s);
        return;
    }
    double shift = s->problem.intercept ? samples_best_shift(&s->problem.of, s->it.z, 0) : 0;
    for (size_t i = 0; s->problem.intercept && i < s->problem.n; i++)
        s->it.z[i] += shift;
    s->it.b += shift;
    samples_dual_variables(&s->problem.of, s->it.z, s->it.r);
}

double l1_state_intercept(const l1_state *s)
{
    if (!s->problem.loss->quadratic)
        return s->it.b;
    double b = s->null.intercept;
    size_t first = s->problem.intercept ? next_nonzero(s->it.w, 0, s->problem.p) : s->problem.p;
    for (size_t j = first; j < s->problem.p; j = next_nonzero(s->it.w, j + 1, s->problem.p))
        b -= s->it.w[j] * s->problem.means[j];
    return b;
}

/* r += d s_i x_ij */
static void add_weighted(l1_state *s, size_t j, double d)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(s->problem.x, j, s->it.scratch, &rows, &values);
    for (size_t k = 0; k < count; k++) {
        size_t i = rows ? rows[k] : k;
        s->it.r[i] += d * s->problem.of.weights[i] * values[k];
    }
}

/* Changes w_j by d and updates the residual, or the predictions. */
static void move_weight(l1_state *s, size_t j, double d)
{
    s->it.w[j] += d;
    if (!s->problem.loss->quadratic) {
        tm_matrix_axpy(s->problem.x, j, d, s->it.z);
        return;
    }
    if (s->problem.of.weights)
        add_weighted(s, j, -d);
    else
        tm_matrix_axpy(s->problem.x, j, -d, s->it.r);
    if (s->problem.intercept)
        s->it.shift += d * s->problem.means[j];
}

/* x_j'(r + shift), given that the entries of a centred residual sum to zero. The rounding error in
 * r's sum is not corrected here; l1_state_refresh removes it. */
static double product(const l1_state *s, size_t j)
{
    double value = tm_matrix_dot(s->problem.x, j, s->it.r);
    if (s->penalty.ridge)
        value -= penalty_square(&s->penalty.terms, j) * s->it.w[j];
    return s->problem.intercept ? value + s->it.shift * s->problem.of.total * s->problem.means[j]
                                : value;
}

/* ---- the active set ------------------------------------------------------------------------ */

void l1_activate(l1_state *s, size_t j)
{
    if (s->active.has[j] || l1_norm(s, j) == 0)
        return;
    s->active.has[j] = true;
    s->active.features[s->active.count++] = j;
}

void l1_activate_support(l1_state *s)
{
    s->active.count = 0;
    memset(s->active.has, 0, s->problem.p * sizeof *s->active.has);
    for (size_t j = next_nonzero(s->it.w, 0, s->problem.p); j < s->problem.p;
         j = next_nonzero(s->it.w, j + 1, s->problem.p))
        l1_activate(s, j);
    for (size_t k = 0; k < unpenalised_count(s->penalty.free); k++)
        l1_activate(s, unpenalised_features(s->penalty.free)[k]);
}

void l1_activate_all(l1_state *s)
{
    s->active.count = 0;
    memset(s->active.has, 0, s->problem.p * sizeof *s->active.has);
    for (size_t j = 0; j < s->problem.p; j++)
        l1_activate(s, j);
}

size_t l1_drop(l1_state *s, bool (*drop)(const l1_state *s, size_t j, const void *payload),
               const void *payload)
{
    size_t kept = 0, before = s->active.count;
    bool moved = false;
    for (size_t k = 0; k < before; k++) {
        size_t j = s->active.features[k];
        if (l1_factor(s, j) == 0 || !drop(s, j, payload)) {
            s->active.features[kept++] = j;
            continue;
        }
        s->active.has[j] = false;
        if (s->it.w[j] != 0) {
            move_weight(s, j, -s->it.w[j]);
            s->it.w[j] = 0;
            moved = true;
        }
    }
    s->active.count = kept;
    if (moved && !s->problem.loss->quadratic)
        l1_state_refit(s);
    return before - kept;
}

/* ---- coordinate minimisation --------------------------------------------------------------- */

bool l1_shrinks_out(l1_state *s, size_t j, double product)
{
    double limit = s->penalty.lambda * l1_factor(s, j), w = s->it.w[j];
    l1_shrinking *q = s->shrinking;
    if (!q || limit == 0)
        return false;
    double size = l1_correlation_of(s, j, product);
    double beyond = w == 0 ? size - limit : fabs(product - copysign(limit, w));
    q->violation = fmax(q->violation, beyond / l1_factor(s, j));
    double slack = q->violation_before / (double)s->problem.n * l1_factor(s, j);
    if (w != 0 || !(size < limit - slack))
        return false;
    s->it.xr[j] = product; /* its most recent value */
    return true;
}

static double epoch(l1_state *s, solve_progress *progress)
{
    double greatest = 0;
    size_t kept = 0, k = 0;
    if (s->shrinking)
        s->shrinking->violation = 0;
    for (; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        double square = l1_norm(s, j) * l1_norm(s, j), xr = product(s, j);
        if (l1_shrinks_out(s, j, xr))
            s->active.has[j] = false;
        else
            s->active.features[kept++] = j;
        double target = s->it.w[j] + xr / square;
        double next = soft_threshold(target, s->penalty.lambda * l1_factor(s, j) / square);
        if (s->penalty.lower)
            next = fmin(fmax(next, s->penalty.lower[j]), s->penalty.upper[j]);
        double d = next - s->it.w[j];
        if (d != 0) {
            move_weight(s, j, d);
            if (s->penalty.lower)
                s->it.w[j] = next;
            greatest = fmax(greatest, fabs(d) * l1_norm(s, j));
        }
        progress->columns++;
        progress->updates++;
        if (progress_work(progress, 2 * s->problem.n))
            break;
    }
    for (k++; k < s->active.count; k++)
        s->active.features[kept++] = s->active.features[k];
    s->active.count = kept;
    if (s->shrinking)
        s->shrinking->violation_before = s->shrinking->violation;
    s->it.epochs++;
    return greatest;
}

double l1_sweep(l1_state *s, long epochs, solve_progress *progress)
{
    if (!s->problem.loss->quadratic)
        return s->options.by_coordinates ? l1_coordinate_gradient_sweep(s, epochs, progress)
                                         : l1_newton_sweep(s, epochs, progress);
    double change = 0;
    for (long k = 0; k < epochs && s->it.epochs < s->options.max_iter && !progress->stopped; k++)
        change = epoch(s, progress);
    return change;
}

bool l1_stalled(const l1_state *s, double greatest_change)
{
    return greatest_change <= LEAST_CHANGE * sqrt(s->null.yy);
}

/* ---- products --------------------------------------------------------------------- */

typedef struct listed {
    l1_state *s;
    const size_t *features;
} listed;

static void take_listed(size_t from, size_t to, void *payload)
{
    const listed *q = payload;
    for (size_t k = from; k < to; k++)
        q->s->it.xr[q->features[k]] = product(q->s, q->features[k]);
}

static bool products_each(l1_state *s, const size_t *features, size_t count,
                          solve_progress *progress)
{
    return products_pass(s->problem.x, count, 1, take_listed, &(listed){s, features}, progress);
}

/* For a matrix that computes all products jointly; features that are not listed keep their
 * values. */
static bool products_joint(l1_state *s, const size_t *features, size_t count, double *all,
                           solve_progress *progress)
{
    bool done = l1_products_of(s, s->it.r, all, progress);
    for (size_t k = 0; done && k < count; k++) {
        size_t j = features[k];
        s->it.xr[j] = all[j];
        if (s->penalty.ridge)
            s->it.xr[j] -= penalty_square(&s->penalty.terms, j) * s->it.w[j];
    }
    return done;
}

bool l1_products_listed(l1_state *s, const size_t *features, size_t count, solve_progress *progress)
{
    bool joint = tm_matrix_is_joint(s->problem.x) && count * count > s->problem.p;
    double *all = joint ? mem_array(s->problem.p, sizeof *all) : NULL;
    bool done = all ? products_joint(s, features, count, all, progress)
                    : products_each(s, features, count, progress);
    free(all);
    return done;
}

bool l1_products_active(l1_state *s, solve_progress *progress)
{
    return products_each(s, s->active.features, s->active.count, progress);
}

bool l1_products_of(l1_state *s, const double *v, double *out, solve_progress *progress)
{
    /* Corrects for the sum of v. */
    double left = s->problem.intercept ? samples_sum(&s->problem.of, v) : 0;
    if (!products_uncentred(s->problem.x, v, out, progress))
        return false;
    const double *sizes = l1_sizes(s);
    for (size_t j = 0; (s->problem.intercept || s->problem.special_terms) && j < s->problem.p; j++)
        out[j] = sizes[j] == 0          ? 0
                 : s->problem.intercept ? out[j] - s->problem.means[j] * left
                                        : out[j];
    return true;
}

/* Products with r alone: with the intercept the sum of r + shift is zero, so that r sums to -n
 * shift up to rounding, and one correction covers both. */
bool l1_products_all(l1_state *s, solve_progress *progress)
{
    if (!l1_products_of(s, s->it.r, s->it.xr, progress))
        return false;
    for (size_t j = 0; s->penalty.ridge && j < s->problem.p; j++)
        s->it.xr[j] -= penalty_square(&s->penalty.terms, j) * s->it.w[j];
    return true;
}

tm_status l1_products_from(l1_state *s, double exact_from, size_t ahead, solve_progress *progress,
                           tm_error *err)
{
    if (!s->bounds || s->penalty.free) {
        l1_products_all(s, progress);
        return TM_OK;
    }
    data_pass pass = {s->problem.data, progress->team, progress->monitor.cancel};
    scan found = {.penalty = s->penalty.terms,
                  .intercept = s->problem.intercept,
                  .u = s->it.r,
                  .all = s->it.xr};
    size_t visited;
    product_bounds_expect(s->bounds, ahead);
    tm_status status = scan_by_past(&found, s->bounds, exact_from,
                                    s->penalty.ridge ? s->it.w : NULL, &visited, &pass, err);
    if (status == TM_ECANCELLED)
        progress->stopped = progress->cancelled = true;
    if (status != TM_OK)
        return status == TM_ECANCELLED ? TM_OK : status;
    for (size_t j = 0; s->penalty.ridge && j < s->problem.p; j++)
        s->it.xr[j] -= penalty_square(&s->penalty.terms, j) * s->it.w[j];
    progress->columns += visited;
    progress_work(progress, (uint64_t)visited * s->problem.n);
    return TM_OK;
}
