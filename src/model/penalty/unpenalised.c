#include "model/penalty/unpenalised.h"

#include "base/cancel_grace.h"
#include "base/memory.h"
#include "model/loss/residual.h"
#include "model/penalty/tuning.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#define INTERCEPT ((size_t)-1)

/* The iterate with the least slopes of a fit so far. Near a kink of the squared hinge, steps below
 * the loss's rounding may go round in circles. */
typedef struct best_point {
    double slope, b;
    double *z; /* n */
    double *w; /* count */
} best_point;

/* The columns that may move. */
typedef struct orthonormal {
    size_t rank;
    size_t *moving;  /* rank: the index among the features, or INTERCEPT */
    double *columns; /* n x rank */
    double *factor;  /* room x room: the features' columns = columns * factor, upper triangular */
} orthonormal;

struct unpenalised {
    const tm_dataset *data;
    samples of;
    bool intercept;
    const tm_cancel *cancel; /* or NULL */
    double began;            /* clock */
    bool stopped;            /* the last fit was cut short */
    size_t count;
    size_t *features;      /* count */
    double *lower, *upper; /* count */
    bool *held;            /* count: at a limit, out of the basis */

    orthonormal basis;
    double *hessian;       /* room x room */
    double *step, *change; /* room */
    double *trial, *along; /* n */
    best_point best;
};

/* ---- making -------------------------------------------------------------------------------- */

/* More columns than rows cannot be independent; one more is tried out behind them. */
static size_t room_of(const unpenalised *part)
{
    return (part->count < part->of.n ? part->count : part->of.n) + 1;
}

static bool allocate(unpenalised *part)
{
    size_t room = room_of(part), n = part->of.n;
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

static bool must_stop(unpenalised *part)
{
    part->stopped = part->stopped || cancel_grace_is_over(part->cancel, part->began);
    return part->stopped;
}

/* ---- the basis ----------------------------------------------------------------------------- */

static double weighted_dot(const samples *of, const double *u, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < of->n; i++)
        sum += samples_weight(of, i) * u[i] * v[i];
    return sum;
}

/* Gram-Schmidt, twice, of the column that stands behind the basis. */
static void append_column(unpenalised *part, size_t which)
{
    size_t n = part->of.n, room = room_of(part), at = part->basis.rank;
    double *column = part->basis.columns + at * n, *row = part->basis.factor + at * room;
    double length = sqrt(weighted_dot(&part->of, column, column));
    memset(row, 0, room * sizeof *row);
    for (int round = 0; round < 2; round++)
        for (size_t k = 0; k < at; k++) {
            const double *base = part->basis.columns + k * n;
            double share = weighted_dot(&part->of, base, column);
            row[k] += share;
            for (size_t i = 0; i < n; i++)
                column[i] -= share * base[i];
        }
    double left = sqrt(weighted_dot(&part->of, column, column));
    if (!(left > DEPENDENT * length))
        return;
    for (size_t i = 0; i < n; i++)
        column[i] /= left;
    row[at] = left;
    part->basis.moving[part->basis.rank++] = which;
}

/* Columns that depend on those before them are left out: their weights stay, the others fit for
 * them. */
static void make_basis(unpenalised *part)
{
    size_t n = part->of.n;
    part->basis.rank = 0;
    if (part->intercept) {
        for (size_t i = 0; i < n; i++)
            part->basis.columns[i] = 1;
        append_column(part, INTERCEPT);
    }
    for (size_t k = 0; k < part->count && !must_stop(part); k++) {
        if (part->held[k])
            continue;
        tm_matrix_column(tm_dataset_x(part->data), part->features[k],
                         part->basis.columns + part->basis.rank * n);
        append_column(part, k);
    }
}

/* ---- one Newton step ----------------------------------------------------------------------- */

/* step = basis'a; returns its greatest entry. */
static double find_slope(unpenalised *part, const double *a)
{
    double greatest = 0;
    for (size_t k = 0; k < part->basis.rank; k++) {
        const double *base = part->basis.columns + k * part->of.n;
        double sum = 0;
        for (size_t i = 0; i < part->of.n; i++)
            sum += base[i] * a[i];
        part->step[k] = sum;
        greatest = fmax(greatest, fabs(sum));
    }
    return greatest;
}

/* The Hessian in the basis; a little is added to the diagonal where rows have no curvature. */
static bool solve_hessian(unpenalised *part, const double *z)
{
    size_t n = part->of.n, rank = part->basis.rank;
    const loss *l = part->of.loss;
    for (size_t i = 0; i < n; i++)
        part->trial[i] = samples_weight(&part->of, i) * l->curvature(part->of.y[i], z[i]);
    for (size_t a = 0; a < rank; a++) {
        if (must_stop(part))
            return false;
        for (size_t i = 0; i < n; i++)
            part->along[i] = part->trial[i] * part->basis.columns[a * n + i];
        for (size_t b = a; b < rank; b++) {
            const double *base = part->basis.columns + b * n;
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += part->along[i] * base[i];
            part->hessian[a * rank + b] = sum + (a == b ? RIDGE * l->smoothness : 0);
        }
    }
    return LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (lapack_int)rank, 1, part->hessian,
                         (lapack_int)rank, part->step, (lapack_int)rank) == 0;
}

/* From the step in the basis to the weights' change (back substitution) and the predictions'. */
static void find_change(unpenalised *part)
{
    size_t n = part->of.n, room = room_of(part), rank = part->basis.rank;
    memset(part->along, 0, n * sizeof *part->along);
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
            part->along[i] += part->step[k] * part->basis.columns[k * n + i];
    memcpy(part->change, part->step, rank * sizeof *part->change);
    for (size_t k = rank; k-- > 0;) {
        part->change[k] /= part->basis.factor[k * room + k];
        for (size_t i = 0; i < k; i++)
            part->change[i] -= part->basis.factor[k * room + i] * part->change[k];
    }
}

/* How far the change can go, at most 1, before a weight meets a limit, and which. */
static double room_to_limit(const unpenalised *part, const double *w, size_t *blocking)
{
    double share = 1;
    *blocking = part->basis.rank;
    for (size_t k = 0; k < part->basis.rank; k++) {
        size_t of = part->basis.moving[k];
        double d = part->change[k];
        if (of == INTERCEPT || d == 0)
            continue;
        double limit = d > 0 ? part->upper[of] : part->lower[of];
        double room = fmax((limit - w[part->features[of]]) / d, 0);
        if (room < share) {
            share = room;
            *blocking = k;
        }
    }
    return share;
}

/* Halves the share until the loss falls; where rounding hides the decrease the step is accepted
 * without it. */
static double line_search(unpenalised *part, const double *z, const double *a, double share)
{
    double here, predicted = 0;
    if (part->of.loss->quadratic)
        return share;
    here = samples_loss(&part->of, z);
    for (size_t i = 0; i < part->of.n; i++)
        predicted += a[i] * part->along[i];
    if (predicted * share <= HIDDEN * here)
        return share;
    for (int k = 0; k < HALVINGS; k++, share /= 2) {
        for (size_t i = 0; i < part->of.n; i++)
            part->trial[i] = z[i] + share * part->along[i];
        if (samples_loss(&part->of, part->trial) <= here - ARMIJO * share * predicted)
            return share;
    }
    return 0;
}

static void take_step(unpenalised *part, double share, double *w, double *b, double *z)
{
    for (size_t i = 0; i < part->of.n; i++)
        z[i] += share * part->along[i];
    for (size_t k = 0; k < part->basis.rank; k++) {
        size_t of = part->basis.moving[k];
        *(of == INTERCEPT ? b : &w[part->features[of]]) += share * part->change[k];
    }
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

/* A step as far as the limits and the loss allow; true when a limit was met, whose feature is then
 * held. *share is how much of the step was taken. */
static bool step_once(unpenalised *part, double *w, double *b, double *z, const double *a,
                      double *share)
{
    size_t blocking;
    double limit = room_to_limit(part, w, &blocking);
    *share = line_search(part, z, a, limit);
    take_step(part, *share, w, b, z);
    if (blocking == part->basis.rank || *share != limit)
        return false;
    size_t of = part->basis.moving[blocking], j = part->features[of];
    double at = part->change[blocking] > 0 ? part->upper[of] : part->lower[of];
    tm_matrix_axpy(tm_dataset_x(part->data), j, at - w[j], z);
    w[j] = at;
    part->held[of] = true;
    return true;
}

/* Newton steps until the slopes are rounding or a limit is met; returns true when one was. */
static bool descend(unpenalised *part, double *w, double *b, double *z, double *a)
{
    double rounding = SLOPE_LOST * sqrt((double)part->of.n), share = 1;
    part->best.slope = INFINITY;
    part->best.b = *b;
    for (int step = 0, idle = 0; step < MAX_NEWTON && share > 0 && !must_stop(part); step++) {
        samples_dual_variables(&part->of, z, a);
        double slope = find_slope(part, a), size = sqrt(samples_inner(&part->of, a, a));
        idle = slope < WORTHWHILE * part->best.slope || slope > FAR_SLOPE * size ? 0 : idle + 1;
        if (slope < part->best.slope)
            keep_best(part, slope, w, *b, z);
        if (part->basis.rank == 0 || slope <= rounding * size || idle > MAX_IDLE)
            break;
        if (!part->of.loss->quadratic && !solve_hessian(part, z))
            break;
        find_change(part);
        if (step_once(part, w, b, z, a, &share))
            return true;
    }
    take_best(part, w, b, z);
    return false;
}

/* Releases the feature at its bound whose product points most away from it. False when there is
 * none. */
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
        double length = sqrt(weighted_dot(&part->of, part->trial, part->trial));
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

/* What rounding has left of the products with the basis is taken out of a. */
static void project(unpenalised *part, double *a)
{
    for (int round = 0; round < 2; round++) {
        find_slope(part, a);
        for (size_t k = 0; k < part->basis.rank; k++)
            for (size_t i = 0; i < part->of.n; i++)
                a[i] -= samples_weight(&part->of, i) * part->step[k] *
                        part->basis.columns[k * part->of.n + i];
    }
}

/* A feature that was held and has been moved off its limit since may move again. */
static void let_moved_go(unpenalised *part, const double *w)
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
        make_basis(part);
}

void unpenalised_fit(unpenalised *part, double *w, double *b, double *z, double *a)
{
    part->stopped = false;
    let_moved_go(part, w);
    for (size_t round = 0; round < 3 * part->count + 10 && !part->stopped; round++) {
        if (descend(part, w, b, z, a)) {
            make_basis(part);
            continue;
        }
        samples_dual_variables(&part->of, z, a);
        if (!release(part, w, a))
            break;
        make_basis(part);
    }
    samples_dual_variables(&part->of, z, a);
    project(part, a);
}

/* Features are free by their factors, or all of them because lambda is 0. */
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

/* The loss at and below which the classes are separated; `before` is that of no weights. Below the
 * loss of a single row that is undecided every row is on its side, and weights that may grow grow
 * without end. */
static double separated_loss(const unpenalised *part, double before)
{
    double least = INFINITY;
    for (size_t i = 0; i < part->of.n; i++)
        if (samples_weight(&part->of, i) > 0)
            least = fmin(least, samples_weight(&part->of, i));
    return may_grow(part) ? (1 - SEPARATED) * least * before / part->of.total : SEPARATED * before;
}

/* The fit without other features tells whether there is one. */
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

tm_status unpenalised_new(unpenalised **out, const tm_dataset *data, const samples *of,
                          const feature_penalty *q, bool intercept, const tm_cancel *cancel,
                          tm_error *err)
{
    size_t p = tm_dataset_cols(data), count = penalty_count_free(q, p);
    *out = NULL;
    if (count == 0)
        return TM_OK;
    size_t most = count < of->n ? count : of->n;
    if (most + 1 > BASIS_ROOM / of->n)
        return tm_fail(err, TM_EUSAGE, "%zu features without penalty on %zu rows are too many; %s",
                       count, of->n, advice(q->lambda == 0));
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
    make_basis(part);
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
    /* What is left of a perfect fit is rounding. */
    bool perfect = of->loss->quadratic && samples_inner(of, a, a) <= PERFECT * response_squares(of);
    if (!perfect)
        return samples_loss(of, z);
    memset(a, 0, of->n * sizeof *a);
    return 0;
}
