#include "model/penalty/unpenalised.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/ranks/agree.h"
#include "model/loss/residual.h"
#include "model/penalty/newton_step.h"
#include "model/penalty/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------- */

static bool allocate(unpenalised *part)
{
    size_t room = unpenalised_room(part), n = part->of.n;
    part->features = mem_array(part->count, sizeof *part->features);
    part->lower = mem_array(part->count, sizeof *part->lower);
    part->upper = mem_array(part->count, sizeof *part->upper);
    part->held = mem_zeros(part->count, sizeof *part->held);
    part->basis.moving = mem_array(room, sizeof *part->basis.moving);
    part->basis.columns = mem_array(n * room, sizeof *part->basis.columns);
    part->basis.factor = mem_zeros(room * room, sizeof *part->basis.factor);
    part->hessian = mem_array(room * room, sizeof *part->hessian);
    part->step = mem_array(room, sizeof *part->step);
    part->change = mem_array(room, sizeof *part->change);
    part->trial = mem_array(n, sizeof *part->trial);
    part->along = mem_array(n, sizeof *part->along);
    part->best.z = mem_array(n, sizeof *part->best.z);
    part->best.w = mem_array(part->count, sizeof *part->best.w);
    return part->features && part->lower && part->upper && part->held && part->basis.moving &&
           part->basis.columns && part->basis.factor && part->hessian && part->step &&
           part->change && part->trial && part->along && part->best.z && part->best.w;
}

void unpenalised_free(unpenalised *part)
{
    if (!part)
        return;
    free(part->features);
    free(part->lower);
    free(part->upper);
    free(part->held);
    free(part->basis.moving);
    free(part->basis.columns);
    free(part->basis.factor);
    free(part->hessian);
    free(part->step);
    free(part->change);
    free(part->trial);
    free(part->along);
    free(part->best.z);
    free(part->best.w);
    free(part);
}

size_t unpenalised_count(const unpenalised *part)
{
    return part ? part->count : 0;
}

const size_t *unpenalised_features(const unpenalised *part)
{
    return part->features;
}

bool unpenalised_stopped(const unpenalised *part)
{
    return part && part->stopped;
}

/* ---- the fit ------------------------------------------------------------------------------- */

static void keep_best(unpenalised *part, double slope, const double *w, double b, const double *z)
{
    part->best.slope = slope;
    part->best.b = b;
    memcpy(part->best.z, z, part->of.n * sizeof *z);
    for (size_t k = 0; k < part->count; k++)
        part->best.w[k] = w[part->features[k]];
}

static void take_best(const unpenalised *part, double *w, double *b, double *z)
{
    *b = part->best.b;
    memcpy(z, part->best.z, part->of.n * sizeof *z);
    for (size_t k = 0; k < part->count; k++)
        w[part->features[k]] = part->best.w[k];
}

/* Newton steps until the gradient is a rounding error or a limit is reached; returns true in the
 * latter case. */
static bool descend(unpenalised *part, double *w, double *b, double *z, double *a)
{
    double rounding = SLOPE_LOST * sqrt((double)part->of.all), share = 1;
    part->best.slope = INFINITY;
    part->best.b = *b;
    for (int step = 0, idle = 0; step < MAX_NEWTON && share > 0 && !newton_must_stop(part);
         step++) {
        samples_dual_variables(&part->of, z, a);
        double slope = newton_slope(part, a), size = sqrt(samples_inner(&part->of, a, a));
        idle = slope < WORTHWHILE * part->best.slope || slope > FAR_SLOPE * size ? 0 : idle + 1;
        if (slope < part->best.slope)
            keep_best(part, slope, w, *b, z);
        if (part->basis.rank == 0 || slope <= rounding * size || idle > MAX_IDLE)
            break;
        if (!newton_direction(part, z))
            break;
        if (newton_step(part, w, b, z, a, &share))
            return true;
    }
    take_best(part, w, b, z);
    return false;
}

/* Releases the feature at its bound whose product violates the optimality condition most. False
 * when there is none. */
static bool release(unpenalised *part, const double *w, const double *a)
{
    double worst = 0, size = sqrt(samples_inner(&part->of, a, a));
    size_t chosen = part->count;
    for (size_t k = 0; k < part->count; k++) {
        size_t j = part->features[k];
        if (!part->held[k])
            continue;
        double product = tm_matrix_dot(tm_dataset_x(part->data), j, a);
        tm_matrix_column(tm_dataset_x(part->data), j, part->trial);
        double length = sqrt(newton_weighted_dot(&part->of, part->trial, part->trial));
        double away = w[j] <= part->lower[k] ? product : -product;
        if (part->lower[k] == part->upper[k] || length == 0 || away <= RELEASING * length * size)
            continue;
        if (away / length > worst) {
            worst = away / length;
            chosen = k;
        }
    }
    if (chosen == part->count)
        return false;
    part->held[chosen] = false;
    return true;
}

/* Subtracts the remaining products with the basis, which are rounding errors, from a. */
static void project(unpenalised *part, double *a)
{
    for (int round = 0; round < 2; round++) {
        newton_exact_slope(part, a);
        for (size_t k = 0; k < part->basis.rank; k++)
            for (size_t i = 0; i < part->of.n; i++)
                a[i] -= samples_weight(&part->of, i) * part->step[k] *
                        part->basis.columns[k * part->of.n + i];
    }
}

/* Releases features whose weight has been moved off its limit since. */
static void release_moved(unpenalised *part, const double *w)
{
    bool changed = false;
    for (size_t k = 0; k < part->count; k++) {
        double at = w[part->features[k]];
        if (part->held[k] && at > part->lower[k] && at < part->upper[k]) {
            part->held[k] = false;
            changed = true;
        }
    }
    if (changed)
        newton_make_basis(part);
}

void unpenalised_fit(unpenalised *part, double *w, double *b, double *z, double *a)
{
    part->stopped = false;
    release_moved(part, w);
    for (size_t round = 0; round < 3 * part->count + 10 && !part->stopped; round++) {
        if (descend(part, w, b, z, a)) {
            newton_make_basis(part);
            continue;
        }
        samples_dual_variables(&part->of, z, a);
        if (!release(part, w, a))
            break;
        newton_make_basis(part);
    }
    samples_dual_variables(&part->of, z, a);
    project(part, a);
}

/* ---- what is left of the products ----------------------------------------------------------- */

/* Of a feature that is not in the basis: its product with a relative to its length, in a direction
 * in which no finite limit bounds the weight. */
static double product_left(const unpenalised *part, size_t k, const double *a, double *column)
{
    const tm_matrix *x = tm_dataset_x(part->data);
    size_t j = part->features[k];
    tm_matrix_column(x, j, column);
    double product = samples_over_all(&part->of, residual_dot(column, a, part->of.n));
    double length = sqrt(newton_weighted_dot(&part->of, column, column));
    bool bounded = !isinf(product > 0 ? part->upper[k] : part->lower[k]);
    return bounded || length == 0 ? 0 : fabs(product) / length;
}

static bool is_in_basis(const unpenalised *part, size_t k)
{
    for (size_t m = 0; m < part->basis.rank; m++)
        if (part->basis.moving[m] == k)
            return true;
    return false;
}

/* Writes f to part->along, and its coordinates in the basis to part->change; returns its length. */
static double project_predictions(unpenalised *part, const double *z)
{
    const samples *of = &part->of;
    size_t n = of->n;
    double squares = 0, *rest = part->trial, *f = part->along;
    for (size_t i = 0; i < n; i++) {
        rest[i] = z[i] - (of->offset ? of->offset[i] : 0);
        f[i] = 0;
    }
    for (size_t k = 0; k < part->basis.rank; k++) {
        const double *base = part->basis.columns + k * n;
        double share = newton_weighted_dot(of, base, rest);
        for (size_t i = 0; i < n; i++) {
            f[i] += share * base[i];
            rest[i] -= share * base[i];
        }
        part->change[k] = share;
        squares += share * share;
    }
    return sqrt(squares);
}

dual_residual unpenalised_residual(unpenalised *part, const double *z, const double *a)
{
    const samples *of = &part->of;
    dual_residual r = {.of = of, .a = a, .square = samples_inner(of, a, a)};
    double length = project_predictions(part, z), along = 0, left = 0;
    const double *f = part->along;
    newton_exact_slope(part, a);
    for (size_t k = 0; k < part->basis.rank; k++) {
        along += part->change[k] * part->step[k];
        left += part->step[k] * part->step[k];
    }
    left = sqrt(left);
    /* The basis of nearly dependent columns is not quite in their span, and so f is not. */
    r.linear = samples_over_all(of, residual_dot(f, a, of->n)) - along;
    r.linear += dual_residual_linear(of, f, 0, a);
    for (size_t k = 0; k < part->count; k++)
        if (!is_in_basis(part, k))
            left += product_left(part, k, a, part->trial);
    r.excess = along + (length + sqrt(of->total)) * left;
    return r;
}

/* ---- making, continued ----------------------------------------------------------------------- */

/* Features are unpenalised because of their factors, or all of them because lambda is 0. */
static const char *advice(bool by_lambda)
{
    return by_lambda ? "take a lambda above 0" : "give them a penalty factor above 0";
}

static bool may_grow(const unpenalised *part)
{
    for (size_t k = 0; k < part->count; k++)
        if ((part->lower[k] != 0 && isfinite(part->lower[k])) ||
            (part->upper[k] != 0 && isfinite(part->upper[k])))
            return false;
    return !part->of.offset;
}

/* The loss at and below which the classes are separated; `before` is that without weights. When the
 * loss is below that of a single undecided row, every row is classified correctly, and unpenalised
 * weights grow without bound. */
static double separated_loss(const unpenalised *part, double before)
{
    double least = INFINITY;
    for (size_t i = 0; i < part->of.n; i++)
        if (samples_weight(&part->of, i) > 0)
            least = fmin(least, samples_weight(&part->of, i));
    least = part->of.comm ? comm_least(part->of.comm, least) : least;
    return may_grow(part) ? (1 - SEPARATED) * least * before / part->of.total : SEPARATED * before;
}

/* The fit without other features shows whether there is a minimum. */
static tm_status check_bounded(unpenalised *part, bool by_lambda, tm_error *err)
{
    size_t n = part->of.n, p = tm_dataset_cols(part->data);
    if (part->of.loss->dual_quadratic)
        return TM_OK;
    double *w = mem_zeros(p, sizeof *w), *z = mem_array(n, sizeof *z), *a = mem_array(n, sizeof *a);
    double b = 0;
    tm_status status = w && z && a ? TM_OK : tm_fail_memory(err, "the features without penalty");
    if (status == TM_OK) {
        samples_predict(&part->of, part->data, w, 0, z);
        double before = samples_loss(&part->of, z);
        unpenalised_fit(part, w, &b, z, a);
        if (samples_loss(&part->of, z) <= separated_loss(part, before))
            status =
                tm_fail(err, TM_EDATA,
                        "%s: the features without penalty separate the classes, so there is no "
                        "optimum; %s",
                        tm_dataset_name(part->data), advice(by_lambda));
    }
    free(w);
    free(z);
    free(a);
    return status;
}

/* The greatest number of rows that one process has. */
static size_t rows_at_most(const samples *of)
{
    return of->comm ? (size_t)-comm_least(of->comm, -(double)of->n) : of->n;
}

tm_status unpenalised_new(unpenalised **out, const tm_dataset *data, const samples *of,
                          const feature_penalty *q, bool intercept, const tm_cancel *cancel,
                          tm_error *err)
{
    size_t p = tm_dataset_cols(data), count = penalty_count_free(q, p);
    *out = NULL;
    if (count == 0)
        return TM_OK;
    size_t most = count < of->all ? count : of->all;
    if (most + 1 > BASIS_ROOM / rows_at_most(of))
        return tm_fail(err, TM_EUSAGE, "%zu features without penalty on %zu rows are too many; %s",
                       count, of->all, advice(q->lambda == 0));
    unpenalised *part = calloc(1, sizeof *part);
    if (!part)
        return tm_fail_memory(err, "the features without penalty");
    part->data = data;
    part->of = *of;
    part->intercept = intercept;
    part->cancel = cancel;
    part->began = clock_now();
    part->count = count;
    tm_status status;
    if (!allocate(part)) {
        status = tm_fail_memory(err, "the features without penalty");
        goto done;
    }
    for (size_t j = 0, k = 0; j < p; j++) {
        if (!penalty_is_free(q, j))
            continue;
        part->features[k] = j;
        part->lower[k] = penalty_lower(q, j);
        part->upper[k++] = penalty_upper(q, j);
    }
    newton_make_basis(part);
    status = check_bounded(part, q->lambda == 0, err);
    if (status == TM_OK && part->stopped)
        status = tm_fail(err, TM_ECANCELLED, "cancelled while fitting features without penalty");
done:
    if (status == TM_OK)
        *out = part;
    else
        unpenalised_free(part);
    return status;
}

static double response_squares(const samples *of)
{
    double sum = 0;
    for (size_t i = 0; i < of->n; i++) {
        double y = of->y[i] - (of->offset ? of->offset[i] : 0);
        sum += samples_weight(of, i) * y * y;
    }
    return sum;
}

double unpenalised_null(unpenalised *part, const tm_dataset *data, const samples *of,
                        bool intercept, null_model *null)
{
    double *z = null->z, *a = null->a;
    bool plain = !of->weights && !of->offset && !part;
    if (of->loss->quadratic && plain) {
        residual_null(data, intercept, a, &null->b);
        for (size_t i = 0; i < of->n; i++)
            z[i] = null->b;
        return residual_squares(a, of->n) / 2;
    }
    samples_predict(of, data, null->w, 0, z);
    if (part) {
        unpenalised_fit(part, null->w, &null->b, z, a);
    } else {
        null->b = intercept ? samples_best_shift(of, z, 0) : 0;
        for (size_t i = 0; i < of->n; i++)
            z[i] += null->b;
        samples_dual_variables(of, z, a);
        if (intercept && (of->loss->quadratic || of->weights))
            samples_centre(of, a);
    }
    /* The remainder of a perfect fit is a rounding error. */
    bool perfect = of->loss->quadratic && samples_inner(of, a, a) <= PERFECT * response_squares(of);
    if (!perfect)
        return samples_loss(of, z);
    memset(a, 0, of->n * sizeof *a);
    return 0;
}
