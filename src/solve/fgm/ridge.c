#include "solve/fgm/ridge.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "model/loss/residual.h"
#include "solve/common/line_search.h"
#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fgm_ridge_free(fgm_ridge *s)
{
    free(s->u);
    free(s->z);
    *s = (fgm_ridge){0};
}

static tm_status reserve(fgm_ridge *s, size_t n, size_t columns, tm_error *err)
{
    if (n == s->n && columns <= s->columns)
        return TM_OK;
    fgm_ridge_free(s);
    size_t room = 2 * columns + 1;
    double *by_column = mem_array(7 * room, sizeof *by_column);
    double *by_row = mem_array(4 * n, sizeof *by_row);
    s->u = by_column;
    s->z = by_row;
    if (!by_column || !by_row)
        return tm_fail_memory(err, "the master problem");
    double **parts[] = {&s->slope, &s->step, &s->r, &s->p, &s->hp, &s->roots};
    for (size_t k = 0; k < 6; k++)
        *parts[k] = by_column + (k + 1) * room;
    s->a = by_row + n;
    s->h = by_row + 2 * n;
    s->xp = by_row + 3 * n;
    s->n = n;
    s->columns = room - 1;
    return TM_OK;
}

/* ---- in u = w / sqrt(d): an unweighted ridge over columns times sqrt(d)
 * --------------------------- */

static void predict(const fgm_ridge *s, const cutting_plane *cp, const double *u, double *z)
{
    size_t m = cp->cache.column_count;
    for (size_t i = 0; i < s->n; i++)
        z[i] = u[m];
    for (size_t k = 0; k < m; k++)
        if (s->roots[k] * u[k] != 0)
            feature_cache_axpy(&cp->cache, k, s->roots[k] * u[k], z);
}

/* out = the products of the scaled columns and of the intercept's column with v, times `by`. */
static void products(const fgm_ridge *s, const fgm_inner *inner, const cutting_plane *cp,
                     const double *v, double by, double *out)
{
    size_t m = cp->cache.column_count;
    double sum = residual_sum(v, s->n);
    for (size_t k = 0; k < m; k++)
        out[k] = s->roots[k] > 0 ? by * s->roots[k] * feature_cache_dot(&cp->cache, k, v, sum) : 0;
    out[m] = inner->problem.intercept ? by * sum : 0;
}

static double value_at(const fgm_inner *inner, const double *z, const double *u, size_t m)
{
    return residual_squares(u, m) / 2 +
           inner->problem.C * loss_sum(inner->l, inner->y, z, inner->n);
}

/* Dual variables, curvatures and the gradient at z = X u. */
static void find_slope(fgm_ridge *s, const fgm_inner *inner, const cutting_plane *cp)
{
    size_t m = cp->cache.column_count;
    for (size_t i = 0; i < s->n; i++) {
        s->a[i] = -inner->l->slope(inner->y[i], s->z[i]);
        s->h[i] = inner->l->curvature(inner->y[i], s->z[i]);
    }
    products(s, inner, cp, s->a, -inner->problem.C, s->slope);
    for (size_t k = 0; k < m; k++)
        s->slope[k] += s->u[k];
}

/* out = (I + C X'diag(h)X) p, without the I for the intercept. */
static void hessian(fgm_ridge *s, const fgm_inner *inner, const cutting_plane *cp, const double *p,
                    double *out)
{
    size_t m = cp->cache.column_count;
    predict(s, cp, p, s->xp);
    for (size_t i = 0; i < s->n; i++)
        s->xp[i] *= s->h[i];
    products(s, inner, cp, s->xp, inner->problem.C, out);
    for (size_t k = 0; k < m; k++)
        out[k] += p[k];
    out[m] += INTERCEPT_RIDGE * p[m]; /* when no row has curvature */
}

/* Solves hessian * step = -gradient by conjugate gradients, to a relative accuracy that tightens as
 * the gradient decreases. */
static void find_step(fgm_ridge *s, const fgm_inner *inner, const cutting_plane *cp,
                      solve_progress *progress)
{
    size_t size = cp->cache.column_count + 1;
    double rr = residual_squares(s->slope, size), first = rr;
    double enough = rr * fmin(CG_SHARE, rr / (1 + rr)) * CG_SHARE;
    memset(s->step, 0, size * sizeof *s->step);
    for (size_t k = 0; k < size; k++)
        s->p[k] = s->r[k] = -s->slope[k];
    for (int it = 0; it < MAX_CG && rr > enough && rr > CG_ROUNDING * first && !progress->stopped;
         it++) {
        hessian(s, inner, cp, s->p, s->hp);
        progress->updates += size;
        progress_work(progress, 2 * cp->cache.entries);
        double ph = kernel_dot(s->p, s->hp, size);
        if (!(ph > 0))
            break;
        kernel_axpy(rr / ph, s->p, s->step, size);
        kernel_axpy(-rr / ph, s->hp, s->r, size);
        double next = residual_squares(s->r, size);
        for (size_t k = 0; k < size; k++)
            s->p[k] = s->r[k] + next / rr * s->p[k];
        rr = next;
    }
}

typedef struct walk {
    fgm_ridge *s;
    const fgm_inner *inner;
    const cutting_plane *cp;
} walk;

/* The objective after a step of length t; leaves the weights and predictions there in p and xp. */
static double value_after(double t, void *payload)
{
    const walk *q = payload;
    fgm_ridge *s = q->s;
    size_t m = q->cp->cache.column_count;
    for (size_t k = 0; k <= m; k++)
        s->p[k] = s->u[k] + t * s->step[k];
    predict(s, q->cp, s->p, s->xp);
    return value_at(q->inner, s->xp, s->p, m);
}

/* Line search along the step for sufficient decrease; false when rounding permits no further
 * decrease. */
static bool go(fgm_ridge *s, const fgm_inner *inner, const cutting_plane *cp, double *value)
{
    size_t size = cp->cache.column_count + 1;
    walk q = {s, inner, cp};
    line_search search = {.objective = value_after,
                          .payload = &q,
                          .here = *value,
                          .predicted = kernel_dot(s->slope, s->step, size)};
    if (line_search_halve(&search, value) == 0) {
        *value = search.here;
        return false;
    }
    memcpy(s->u, s->p, size * sizeof *s->u);
    memcpy(s->z, s->xp, s->n * sizeof *s->z);
    return true;
}

/* The gap at u: the dual norm of the products, which are u - gradient, is the Euclidean norm here.
 * With an intercept the dual variables sum to zero only up to rounding; what remains is the last
 * entry of the gradient. */
static double gap_of(const fgm_ridge *s, const fgm_inner *inner, size_t m, double value)
{
    double size = 0, C = inner->problem.C;
    for (size_t k = 0; k < m; k++)
        size += (s->u[k] - s->slope[k]) * (s->u[k] - s->slope[k]) / (C * C);
    return value - feature_dual(&inner->problem, inner->l, inner->y, s->a, s->n, size);
}

tm_status fgm_ridge_solve(fgm_ridge *s, const fgm_ridge_problem *problem, double *value,
                          solve_progress *progress, tm_error *err)
{
    fgm_inner *inner = problem->inner;
    cutting_plane *cp = problem->cp;
    const double *d = problem->d;
    size_t m = cp->cache.column_count;
    tm_status status = reserve(s, inner->n, m, err);
    if (status != TM_OK)
        return status;
    for (size_t k = 0; k < m; k++) {
        s->roots[k] = sqrt(d[k]);
        s->u[k] = d[k] > 0 ? cp->weights[k] / s->roots[k] : 0;
    }
    s->u[m] = inner->problem.intercept ? cp->intercept : 0;
    predict(s, cp, s->u, s->z);
    *value = value_at(inner, s->z, s->u, m);
    for (int it = 0; it < MAX_RIDGE_NEWTON && inner->iterations_left > 0; it++) {
        find_slope(s, inner, cp);
        bool centred = fabs(s->slope[m]) <= CENTRED * inner->problem.C * (double)s->n;
        if (progress->stopped || (centred && gap_of(s, inner, m, *value) <= problem->target))
            break;
        find_step(s, inner, cp, progress);
        if (!go(s, inner, cp, value))
            break;
        inner->iterations_left--;
    }
    for (size_t k = 0; k < m; k++)
        cp->weights[k] = s->roots[k] * s->u[k];
    cp->intercept = s->u[m];
    return TM_OK;
}
