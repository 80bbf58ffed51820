/* Newton's method with conjugate gradients. The intercept is eliminated: at each point it is
 * optimal, and the second-order model is centred with the curvatures h_i = s_i l''(z_i), which is
 * done on vectors of n values and needs no pass. The gradient's products give the gap. */
#include "solve/ridge/ridge.h"

#include "base/memory.h"
#include "model/certificate/ridge_dual.h"
#include "model/loss/residual.h"
#include "solve/common/products.h"
#include "solve/common/response.h"
#include "solve/ridge/ridge_rows.h"
#include "solve/ridge/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct conjugate_gradients {
    double *d, *r, *q; /* most: direction, residual, product */
} conjugate_gradients;

struct ridge {
    tm_dataset *data;
    const tm_matrix *x;
    samples of;
    size_t n, p;
    bool intercept;
    double null_loss, null_intercept;
    double *z, *a, *h, *dz;      /* n: predictions, dual variables, curvatures, a direction */
    double *products;            /* p, or `most` */
    double *u, *g, *step, *diag; /* most: f_j w_j, gradient, Newton step, the model's diagonal */
    conjugate_gradients cg;
    double *scratch;  /* n */
    ridge_rows *rows; /* when there are few rows; NULL: not needed yet */
};

/* The state of one solve. */
typedef struct run {
    ridge *r;
    const tm_ridge_problem *problem;
    solve_progress *progress;
    double b;
    double objective;
} run;

static bool allocate(ridge *r, size_t most)
{
    r->z = mem_array(r->n, sizeof *r->z);
    r->a = mem_array(r->n, sizeof *r->a);
    r->h = mem_array(r->n, sizeof *r->h);
    r->dz = mem_array(r->n, sizeof *r->dz);
    r->scratch = mem_array(r->n, sizeof *r->scratch);
    r->products = mem_array(most, sizeof *r->products);
    r->u = mem_array(most, sizeof *r->u);
    r->g = mem_array(most, sizeof *r->g);
    r->step = mem_array(most, sizeof *r->step);
    r->cg.d = mem_array(most, sizeof *r->cg.d);
    r->cg.r = mem_array(most, sizeof *r->cg.r);
    r->cg.q = mem_array(most, sizeof *r->cg.q);
    r->diag = mem_array(most, sizeof *r->diag);
    return r->z && r->a && r->h && r->dz && r->scratch && r->products && r->u && r->g && r->step &&
           r->cg.d && r->cg.r && r->cg.q && r->diag;
}

tm_status ridge_new(ridge **out, const tm_dataset *data, const char *loss_id, bool intercept,
                    size_t most, tm_error *err)
{
    *out = NULL;
    const loss *l = loss_find(loss_id, err);
    tm_status status = l ? response_check(data, l, err) : TM_EUSAGE;
    if (status != TM_OK)
        return status;
    ridge *r = calloc(1, sizeof *r);
    if (!r)
        return tm_fail_memory(err, "the solver");
    r->data = tm_dataset_ref(data);
    r->x = tm_dataset_x(data);
    r->of = samples_of(data, l);
    r->n = tm_dataset_rows(data);
    r->p = tm_dataset_cols(data);
    r->intercept = intercept;
    if (!allocate(r, most)) {
        ridge_free(r);
        return tm_fail_memory(err, "the solver");
    }
    for (size_t i = 0; i < r->n; i++)
        r->z[i] = r->of.offset ? r->of.offset[i] : 0;
    r->null_intercept = intercept ? samples_best_shift(&r->of, r->z, 0) : 0;
    for (size_t i = 0; i < r->n; i++)
        r->z[i] += r->null_intercept;
    r->null_loss = samples_loss(&r->of, r->z);
    *out = r;
    return TM_OK;
}

void ridge_free(ridge *r)
{
    if (!r)
        return;
    tm_dataset_unref(r->data);
    free(r->z);
    free(r->a);
    free(r->h);
    free(r->dz);
    free(r->scratch);
    ridge_rows_free(r->rows);
    free(r->products);
    free(r->u);
    free(r->g);
    free(r->step);
    free(r->cg.d);
    free(r->cg.r);
    free(r->cg.q);
    free(r->diag);
    free(r);
}

const char *ridge_loss(const ridge *r)
{
    return r->of.loss->id;
}

double ridge_null_objective(const ridge *r, double C)
{
    return C * r->null_loss;
}

const double *ridge_dual_variables(const ridge *r)
{
    return r->a;
}

/* ---- products ---------------------------------------------------------------------------------
 */

static size_t feature_of(const run *t, size_t k)
{
    return t->problem->features[k];
}

/* 1 / f_j; 0 for a constant column, whose effect is that of the intercept. */
static double scale_of(const run *t, size_t k)
{
    size_t j = feature_of(t, k);
    if (t->r->intercept && !(tm_dataset_deviations(t->r->data)[j] > 0))
        return 0;
    return t->problem->factors ? 1 / t->problem->factors[j] : 1;
}

/* out[k] = x_j'v / f_j for a v whose sum is zero if there is an intercept. */
static bool take_products(const run *t, const double *v, double *out)
{
    ridge *r = t->r;
    size_t count = t->problem->count;
    if (count == r->p) { /* features may be in any order, products are in the data's */
        if (!products_all(r->data, r->intercept, v, r->products, t->progress))
            return false;
        for (size_t k = 0; k < count; k++)
            out[k] = r->products[feature_of(t, k)] * scale_of(t, k);
        return true;
    }
    const double *means = tm_dataset_means(r->data);
    double left = r->intercept ? residual_sum(v, r->n) : 0;
    for (size_t k = 0; k < count; k++) {
        size_t j = feature_of(t, k);
        double product = tm_matrix_dot(r->x, j, v);
        out[k] = scale_of(t, k) * (product - (left != 0 ? means[j] * left : 0));
        if (progress_work(t->progress, r->n))
            return false;
    }
    t->progress->columns += count;
    return true;
}

/* out = sum_k x_j u_k / f_j. */
static bool combine(const run *t, const double *u, double *out)
{
    memset(out, 0, t->r->n * sizeof *out);
    for (size_t k = 0; k < t->problem->count; k++) {
        double weight = u[k] * scale_of(t, k);
        if (weight == 0)
            continue;
        tm_matrix_axpy(t->r->x, feature_of(t, k), weight, out);
        if (progress_work(t->progress, t->r->n))
            return false;
    }
    return true;
}

/* ---- the point --------------------------------------------------------------------------------
 */

static double inner(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Computes predictions, the optimal intercept and the objective from u. */
static bool refresh(run *t)
{
    ridge *r = t->r;
    if (!combine(t, r->u, r->z))
        return false;
    for (size_t i = 0; i < r->n; i++)
        r->z[i] += r->of.offset ? r->of.offset[i] : 0;
    t->b = r->intercept ? samples_best_shift(&r->of, r->z, t->b) : 0;
    for (size_t i = 0; i < r->n; i++)
        r->z[i] += t->b;
    t->objective =
        inner(r->u, r->u, t->problem->count) / 2 + t->problem->C * samples_loss(&r->of, r->z);
    return true;
}

/* Computes dual variables, gradient and gap at the point. */
static bool find_gradient(run *t, double *gap)
{
    ridge *r = t->r;
    double C = t->problem->C, squares = 0;
    samples_dual_variables(&r->of, r->z, r->a);
    if (r->intercept && r->of.loss->quadratic)
        samples_centre(&r->of, r->a);
    if (!take_products(t, r->a, r->g))
        return false;
    for (size_t k = 0; k < t->problem->count; k++) {
        squares += r->g[k] * r->g[k];
        r->g[k] = r->u[k] - C * r->g[k];
    }
    dual_residual left = dual_residual_of_shift(&r->of, r->intercept, r->z, r->a);
    *gap = t->objective - ridge_dual(&left, C, squares);
    return true;
}

/* ---- the second-order model -------------------------------------------------------------------
 */

static void find_curvatures(const run *t)
{
    ridge *r = t->r;
    for (size_t i = 0; i < r->n; i++)
        r->h[i] = samples_weight(&r->of, i) * r->of.loss->curvature(r->of.y[i], r->z[i]);
}

/* Computes the model's diagonal 1 + C sum_i h_i (x_ij - m_j)^2 / f_j^2. */
static bool find_diagonal(const run *t)
{
    ridge *r = t->r;
    double total = 0;
    for (size_t i = 0; i < r->n; i++)
        total += r->h[i];
    for (size_t k = 0; k < t->problem->count; k++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(r->x, feature_of(t, k), r->scratch, &rows, &values);
        double first = 0, second = 0, seen = 0, scale = scale_of(t, k);
        for (size_t e = 0; e < count; e++) {
            double h = r->h[rows ? rows[e] : e];
            first += h * values[e];
            seen += h;
        }
        double mean = r->intercept && total > 0 ? first / total : 0;
        for (size_t e = 0; e < count; e++)
            second += r->h[rows ? rows[e] : e] * (values[e] - mean) * (values[e] - mean);
        second += fmax(total - seen, 0) * mean * mean;
        r->diag[k] = 1 + t->problem->C * second * scale * scale;
        if (progress_work(t->progress, 2 * count))
            return false;
    }
    t->progress->columns += t->problem->count;
    return true;
}

/* q = d + C X'HX d, centred; leaves X d, centred, in dz. */
static bool apply(const run *t, const double *d, double *q)
{
    ridge *r = t->r;
    size_t count = t->problem->count;
    if (!combine(t, d, r->dz))
        return false;
    double total = 0, first = 0;
    for (size_t i = 0; i < r->n; i++) {
        total += r->h[i];
        first += r->h[i] * r->dz[i];
    }
    double mean = r->intercept && total > 0 ? first / total : 0;
    for (size_t i = 0; i < r->n; i++) {
        r->dz[i] -= mean;
        r->scratch[i] = r->h[i] * r->dz[i];
    }
    if (!take_products(t, r->scratch, q))
        return false;
    for (size_t k = 0; k < count; k++)
        q[k] = d[k] + t->problem->C * q[k];
    return true;
}

/* Solves the model for the step by preconditioned conjugate gradients, until the residual is a
 * given fraction of the gradient. */
static bool find_step(run *t, double share)
{
    ridge *r = t->r;
    size_t count = t->problem->count;
    double *along = r->cg.d, *step = r->step;
    double rz = 0, first;
    memset(step, 0, count * sizeof *step);
    for (size_t k = 0; k < count; k++) {
        r->cg.r[k] = -r->g[k];
        along[k] = r->cg.r[k] / r->diag[k];
        rz += r->cg.r[k] * along[k];
    }
    first = rz;
    for (int iteration = 0; iteration < MAX_CG && rz > share * share * first; iteration++) {
        if (!apply(t, along, r->cg.q))
            return false;
        double alpha = rz / inner(along, r->cg.q, count), next = 0;
        for (size_t k = 0; k < count; k++) {
            step[k] += alpha * along[k];
            r->cg.r[k] -= alpha * r->cg.q[k];
            next += r->cg.r[k] * r->cg.r[k] / r->diag[k];
        }
        for (size_t k = 0; k < count; k++)
            along[k] = r->cg.r[k] / r->diag[k] + next / rz * along[k];
        rz = next;
    }
    return true;
}

/* ---- few rows ---------------------------------------------------------------------------------
 */

/* Whether to compute steps from the rows' inner products, which are then computed; not if memory
 * for them runs out. */
static bool by_rows(const run *t)
{
    ridge *r = t->r;
    if (r->n > MAX_RIDGE_ROWS || r->n >= t->problem->count)
        return false;
    if (!r->rows && !ridge_rows_new(&r->rows, r->n)) {
        ridge_rows_free(r->rows);
        r->rows = NULL;
        return false;
    }
    ridge_rows_begin(r->rows);
    for (size_t k = 0; k < t->problem->count; k++) {
        ridge_rows_add(r->rows, r->x, feature_of(t, k), scale_of(t, k));
        t->progress->columns += (r->n + 1) / 2;
        if (progress_work(t->progress, r->n * r->n / 2))
            return false;
    }
    ridge_rows_end(r->rows);
    return true;
}

/* step = -(I + C X'HX)^-1 g; false when the factorisation fails. */
static bool step_by_rows(const run *t)
{
    ridge *r = t->r;
    double C = t->problem->C;
    if (!combine(t, r->g, r->scratch) ||
        !ridge_rows_solve(r->rows, r->h, C, r->intercept, r->scratch) ||
        !take_products(t, r->scratch, r->step))
        return false;
    for (size_t k = 0; k < t->problem->count; k++)
        r->step[k] = C * r->step[k] - r->g[k];
    progress_work(t->progress, r->n * r->n * r->n / 3);
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* Value, slope and curvature of the objective along the step. */
typedef struct along {
    double value, slope, curvature;
} along;

static along objective_along(const run *t, double length)
{
    const ridge *r = t->r;
    along at = {0, 0, 0};
    for (size_t i = 0; i < r->n; i++) {
        double z = r->z[i] + length * r->dz[i], weight = samples_weight(&r->of, i);
        at.value += weight * r->of.loss->value(r->of.y[i], z);
        at.slope += weight * r->of.loss->slope(r->of.y[i], z) * r->dz[i];
        at.curvature += weight * r->of.loss->curvature(r->of.y[i], z) * r->dz[i] * r->dz[i];
    }
    at.value *= t->problem->C;
    at.slope *= t->problem->C;
    at.curvature *= t->problem->C;
    for (size_t k = 0; k < t->problem->count; k++) {
        double u = r->u[k] + length * r->step[k];
        at.value += u * u / 2;
        at.slope += u * r->step[k];
        at.curvature += r->step[k] * r->step[k];
    }
    return at;
}

/* The approximate minimiser along the step: where the slope is a small fraction of that at 0. Needs
 * no pass, and with the kinks of a hinge's derivative takes fewer steps than backtracking. 0 when
 * the step gives no decrease. */
static double line_search(const run *t)
{
    along start = objective_along(t, 0);
    double low = 0, high = INFINITY, length = 1;
    for (int k = 0; k < LINE_STEPS; k++) {
        along at = objective_along(t, length);
        if (fabs(at.slope) <= SLOPE_SHARE * fabs(start.slope))
            break;
        *(at.slope > 0 ? &high : &low) = length;
        double next = at.curvature > 0 ? length - at.slope / at.curvature : INFINITY;
        bool within = next > low && next < high;
        length = within ? next : isfinite(high) ? low + (high - low) / 2 : 2 * length;
    }
    double rounding = ROUNDING * start.value;
    return objective_along(t, length).value <= start.value + rounding ? length : 0;
}

/* One Newton step; returns false when there is no decrease or the run must stop. */
static bool newton_step(run *t, bool rows, double share)
{
    ridge *r = t->r;
    size_t count = t->problem->count;
    find_curvatures(t);
    if (!(rows && step_by_rows(t)) && !(find_diagonal(t) && find_step(t, share)))
        return false;
    if (!combine(t, r->step, r->dz))
        return false;
    if (r->intercept) { /* the intercept moves along with the step, as is optimal in the model */
        double total = 0, first = 0;
        for (size_t i = 0; i < r->n; i++) {
            total += r->h[i];
            first += r->h[i] * r->dz[i];
        }
        for (size_t i = 0; total > 0 && i < r->n; i++)
            r->dz[i] -= first / total;
    }
    double length = line_search(t);
    for (size_t k = 0; k < count; k++)
        r->u[k] += length * r->step[k];
    t->progress->updates += count;
    return length > 0 && refresh(t);
}

void ridge_solve(ridge *r, const tm_ridge_problem *problem, const ridge_limits *limits, double *w,
                 double *b, solve_progress *progress, ridge_end *end)
{
    run t = {.r = r, .problem = problem, .progress = progress, .b = *b};
    double first = 0, best = INFINITY, before = INFINITY;
    double null = ridge_null_objective(r, problem->C);
    int idle = 0;
    *end = (ridge_end){.gap = INFINITY};
    for (size_t k = 0; k < problem->count; k++) {
        double scale = scale_of(&t, k);
        r->u[k] = scale > 0 ? w[k] / scale : 0;
    }
    bool going = refresh(&t), rows = going && by_rows(&t);
    while (going && find_gradient(&t, &end->gap)) {
        double size = sqrt(inner(r->g, r->g, problem->count));
        first = end->iterations == 0 ? size : first;
        progress_emit(progress, TM_EVENT_CHECK, t.objective, t.objective - end->gap, end->gap,
                      problem->count, r->p);
        end->converged = end->gap <= limits->target;
        bool better = end->gap < WORTHWHILE * best || t.objective < before - DECREASE * null;
        idle = better ? 0 : idle + 1;
        best = fmin(best, end->gap);
        before = t.objective;
        end->stalled = !end->converged && idle > MAX_IDLE;
        if (end->stalled && rows) { /* rounding errors in the rows' products may be the cause */
            rows = end->stalled = false;
            idle = 0;
        }
        if (end->converged || end->stalled || end->iterations >= limits->max_iter)
            break;
        double share = fmin(MOST_INEXACT, first > 0 ? sqrt(size / first) : MOST_INEXACT);
        going = newton_step(&t, rows, fmax(share, LEAST_INEXACT));
        if (!going && rows && !progress->stopped) {
            rows = false;
            going = newton_step(&t, rows, fmax(share, LEAST_INEXACT));
        }
        end->iterations++;
        end->stalled = !going && !progress->stopped;
    }
    for (size_t k = 0; k < problem->count; k++)
        w[k] = r->u[k] * scale_of(&t, k);
    *b = t.b;
}
