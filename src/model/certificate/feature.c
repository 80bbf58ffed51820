#include "model/certificate/feature.h"

#include "base/memory.h"
#include "model/certificate/tuning.h"
#include "model/loss/loss.h"
#include "model/loss/residual.h"
#include "model/penalty/dual_residual.h"
#include "model/penalty/ksupport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A dual point whose products with all units were computed, for one B. */
typedef struct known_point {
    double *a;   /* n; NULL: none yet */
    double B;    /* 0: none */
    double size; /* the squared dual norm of X'a */
} known_point;

struct feature_certifier {
    tm_source *source;
    const loss *l;
    const double *y;
    size_t n;
    double *z, *a;        /* n: predictions, and the dual point */
    known_point known[2]; /* the last one, and the best of those before */
};

tm_status feature_certifier_new(feature_certifier **out, tm_source *source, const char *loss_id,
                                tm_error *err)
{
    *out = NULL;
    const loss *l = loss_find(loss_id, err);
    if (!l)
        return TM_EUSAGE;
    feature_certifier *q = calloc(1, sizeof *q);
    if (!q)
        return tm_fail_memory(err, "the certificate");
    q->source = source;
    q->l = l;
    q->y = tm_dataset_y(tm_source_data(source));
    q->n = tm_dataset_rows(tm_source_data(source));
    q->z = mem_array(q->n, sizeof *q->z);
    q->a = mem_zeros(q->n, sizeof *q->a);
    for (size_t k = 0; k < 2; k++)
        q->known[k].a = mem_array(q->n, sizeof *q->known[k].a);
    if (!q->z || !q->a || !q->known[0].a || !q->known[1].a) {
        feature_certifier_free(q);
        return tm_fail_memory(err, "the certificate");
    }
    *out = q;
    return TM_OK;
}

void feature_certifier_free(feature_certifier *q)
{
    if (!q)
        return;
    free(q->z);
    free(q->a);
    free(q->known[0].a);
    free(q->known[1].a);
    free(q);
}

const double *feature_certifier_dual(const feature_certifier *q)
{
    return q->a;
}

/* ---- the primal value ------------------------------------------------------------------------ */

static tm_status predict(feature_certifier *q, const feature_claim *claim, tm_error *err)
{
    for (size_t i = 0; i < q->n; i++)
        q->z[i] = claim->b;
    for (size_t k = 0; k < claim->count; k++) {
        tm_status status = tm_source_apply(q->source, claim->units[k],
                                           claim->values + claim->starts[k], q->z, err);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

static tm_status penalty_of(const feature_claim *claim, double B, double *penalty, tm_error *err)
{
    double *sizes = mem_array(claim->count, sizeof *sizes);
    if (!sizes)
        return tm_fail_memory(err, "the certificate");
    for (size_t k = 0; k < claim->count; k++)
        sizes[k] = sqrt(residual_squares(claim->values + claim->starts[k],
                                         claim->starts[k + 1] - claim->starts[k]));
    *penalty = ksupport_squared(sizes, claim->count, B) / 2;
    free(sizes);
    return TM_OK;
}

/* ---- the dual value -------------------------------------------------------------------------- */

/* D(s a) = -(C s)^2 S / 2 + C sum_i -l*(y_i, -s a_i) with the best multiple s. */
double feature_dual(const feature_problem *problem, const loss *l, const double *y, const double *a,
                    size_t n, double size)
{
    double C = problem->C, s = l->multiple(y, a, n, C * size);
    return C * loss_dual_sum(l, y, a, s, n) - C * C * s * s * size / 2;
}

/* ---- the dual point ----------------------------------------------------------------------------
 */

static void dual_of_predictions(feature_certifier *q, bool intercept)
{
    double shift = intercept ? loss_best_shift(q->l, q->y, q->z, q->n, 0) : 0;
    for (size_t i = 0; i < q->n; i++)
        q->a[i] = -q->l->slope(q->y[i], q->z[i] + shift);
}

/* Clamps a to the domain of the dual objective: 0 <= y_i a_i, and <= 1 for the logistic loss. */
static double clamp_to_domain(const loss *l, double y, double a)
{
    double most = l->dual_quadratic ? INFINITY : 1, size = y * a;
    return isfinite(size) && size >= 0 ? y * fmin(size, most) : 0;
}

/* Writes to `a` a feasible point made from `dual`: with an intercept its sum has to be zero, so
 * that the class with the greater sum is scaled down to that of the other. Sums that differ only by
 * rounding count as equal. */
static void make_feasible(feature_certifier *q, const double *dual, bool intercept)
{
    double positive = 0, negative = 0;
    for (size_t i = 0; i < q->n; i++) {
        q->a[i] = clamp_to_domain(q->l, q->y[i], dual[i]);
        *(q->y[i] > 0 ? &positive : &negative) += fabs(q->a[i]);
    }
    if (!intercept || fabs(positive - negative) <= SUMS_DIFFER * (positive + negative))
        return;
    for (size_t i = 0; i < q->n; i++) {
        double own = q->y[i] > 0 ? positive : negative, other = q->y[i] > 0 ? negative : positive;
        if (own > other)
            q->a[i] *= other / own;
    }
}

static bool is_zero(const double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != 0)
            return false;
    return true;
}

static const known_point *find_known(const feature_certifier *q, double B)
{
    for (size_t k = 0; k < 2; k++)
        if (q->known[k].B == B && memcmp(q->known[k].a, q->a, q->n * sizeof *q->a) == 0)
            return &q->known[k];
    return NULL;
}

static double value_of_known(const feature_certifier *q, const feature_problem *problem,
                             const known_point *known)
{
    return known->B == problem->B ? feature_dual(problem, q->l, q->y, known->a, q->n, known->size)
                                  : -INFINITY;
}

/* Replaces the best of the earlier points by the last one if that is better. */
static void keep_better(feature_certifier *q, const feature_problem *problem, double size)
{
    if (value_of_known(q, problem, &q->known[0]) > value_of_known(q, problem, &q->known[1])) {
        known_point kept = q->known[0];
        q->known[0] = q->known[1];
        q->known[1] = kept;
    }
    memcpy(q->known[0].a, q->a, q->n * sizeof *q->a);
    q->known[0].B = problem->B;
    q->known[0].size = size;
}

/* Computes the squared dual norm of X'a by a pass over the source. */
static tm_status scan_units(feature_certifier *q, const feature_problem *problem,
                            feature_units *units, tm_scan *scan, double *size, tm_error *err)
{
    *size = 0;
    tm_status status =
        tm_source_best(q->source, q->a, (size_t)problem->B, units->best, &units->count, scan, err);
    if (status != TM_OK)
        return status;
    for (size_t k = 0; k < units->count; k++)
        *size += units->best[k].score;
    keep_better(q, problem, *size);
    return TM_OK;
}

static tm_status dual_size(feature_certifier *q, const feature_problem *problem,
                           feature_units *units, tm_scan *scan, double *size, tm_error *err)
{
    if (units)
        return scan_units(q, problem, units, scan, size, err);
    const known_point *known = find_known(q, problem->B);
    if (known || is_zero(q->a, q->n)) {
        *size = known ? known->size : 0;
        return TM_OK;
    }
    uint64_t all = tm_source_units(q->source);
    size_t room = problem->B < (double)all ? (size_t)problem->B : (size_t)all;
    feature_units own = {mem_array(room, sizeof *own.best), 0};
    tm_status status = own.best ? scan_units(q, problem, &own, scan, size, err)
                                : tm_fail_memory(err, "the certificate");
    free(own.best);
    return status;
}

/* The dual value, less what a rest of the sum costs at intercepts of up to about twice the
 * answer's.
 */
static double dual_value(const feature_certifier *q, const feature_problem *problem, double size,
                         double b)
{
    double value = feature_dual(problem, q->l, q->y, q->a, q->n, size);
    double rest = problem->intercept ? fabs(residual_sum(q->a, q->n)) : 0;
    if (rest == 0)
        return value;
    double multiple = q->l->multiple(q->y, q->a, q->n, problem->C * size);
    return dual_residual_less(value, problem->C * multiple * rest * (2 * fabs(b) + 1));
}

tm_status feature_certify(feature_certifier *q, const feature_problem *problem,
                          const feature_claim *claim, feature_units *units, tm_scan *scan,
                          tm_certificate *out, tm_error *err)
{
    double penalty = 0, size = 0;
    tm_status status = predict(q, claim, err);
    if (status == TM_OK)
        status = penalty_of(claim, problem->B, &penalty, err);
    if (status != TM_OK)
        return status;
    if (claim->dual)
        make_feasible(q, claim->dual, problem->intercept);
    else
        dual_of_predictions(q, problem->intercept);
    status = dual_size(q, problem, units, scan, &size, err);
    if (status != TM_OK)
        return status;
    out->primal = penalty + problem->C * loss_sum(q->l, q->y, q->z, q->n);
    /* The multiple 0 proves the bound 0, even for a point whose norm is infinite. */
    out->dual = fmax(dual_value(q, problem, size, claim->b), 0);
    out->gap = out->primal - out->dual;
    return TM_OK;
}
