/* `ws`: celer (Massias, Gramfort and Salmon 2018; for other losses Massias et al. 2020), working
 * sets with dual extrapolation.
 *
 * The predictions of coordinate minimisation eventually follow a vector autoregression, so that a
 * combination of the last few approximates their limit; the dual point made from it is often far
 * better than that of the last iterate. It is only a candidate: the better of the two is used, and
 * both are feasible. The certificate makes its dual point from the weights alone, so that when it
 * is not met yet the last digits are computed without extrapolation. */
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/working_set.h"

#include "base/memory.h"
#include "model/loss/residual.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct extrapolation {
    double *iterates; /* (EXTRAPOLATED + 1) n, a ring buffer; dual variables for the squared loss,
                       * otherwise predictions */
    size_t count;     /* iterates so far on this working set */
    double *combined; /* n: the extrapolated dual variables */
    bool off; /* extrapolation is disabled, also when its dual variables are not orthogonal to
               * unpenalised features */
} extrapolation;

static double *iterate_at(const extrapolation *e, size_t n, size_t k)
{
    return e->iterates + (k % (EXTRAPOLATED + 1)) * n;
}

/* The coefficients of the last EXTRAPOLATED iterates: c minimises |sum_k c_k (v_k+1 - v_k)| with
 * sum c = 1. */
static bool find_weights(const extrapolation *e, size_t n, double weights[EXTRAPOLATED])
{
    double gram[EXTRAPOLATED * EXTRAPOLATED], sum = 0;
    size_t first = e->count - EXTRAPOLATED - 1;
    for (size_t a = 0; a < EXTRAPOLATED; a++) {
        const double *a0 = iterate_at(e, n, first + a), *a1 = iterate_at(e, n, first + a + 1);
        for (size_t b = 0; b <= a; b++) {
            const double *b0 = iterate_at(e, n, first + b), *b1 = iterate_at(e, n, first + b + 1);
            double product = 0;
            for (size_t i = 0; i < n; i++)
                product += (a1[i] - a0[i]) * (b1[i] - b0[i]);
            gram[a * EXTRAPOLATED + b] = gram[b * EXTRAPOLATED + a] = product;
        }
        weights[a] = 1;
    }
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', EXTRAPOLATED, 1, gram, EXTRAPOLATED, weights,
                      EXTRAPOLATED) != 0)
        return false;
    for (size_t a = 0; a < EXTRAPOLATED; a++)
        sum += weights[a];
    for (size_t a = 0; a < EXTRAPOLATED; a++)
        weights[a] /= sum;
    return isfinite(sum) && sum != 0;
}

static void remember(extrapolation *e, const l1_state *s)
{
    double *to = iterate_at(e, s->problem.n, e->count++);
    if (s->problem.loss->quadratic)
        l1_working_dual(s, to);
    else
        memcpy(to, s->it.z, s->problem.n * sizeof *to);
}

/* Computes the extrapolated dual variables; false when there are none. */
static bool extrapolate(extrapolation *e, const l1_state *s)
{
    double weights[EXTRAPOLATED];
    if (e->count <= EXTRAPOLATED || !find_weights(e, s->problem.n, weights))
        return false;
    memset(e->combined, 0, s->problem.n * sizeof *e->combined);
    for (size_t a = 0; a < EXTRAPOLATED; a++) {
        const double *v = iterate_at(e, s->problem.n, e->count - EXTRAPOLATED + a);
        for (size_t i = 0; i < s->problem.n; i++)
            e->combined[i] += weights[a] * v[i];
    }
    l1_dual_of_predictions(s, e->combined);
    return true;
}

/* The greatest |x_j'a| / f_j over the working set. */
static double greatest_of(l1_working *q, const double *a)
{
    const l1_state *s = q->s;
    double greatest = 0, left = s->problem.intercept ? residual_sum(a, s->problem.n) : 0;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        double product = tm_matrix_dot(s->problem.x, j, a) -
                         (s->problem.intercept ? s->problem.means[j] * left : 0);
        if (l1_factor(s, j) > 0)
            greatest = fmax(greatest, l1_correlation_of(s, j, product) / l1_factor(s, j));
        q->progress->columns++;
        if (progress_work(q->progress, s->problem.n))
            break;
    }
    return greatest;
}

/* Epochs on the working set until the better of the two dual points is accurate enough. After a
 * round without progress the extrapolated point is not used, as it may fit only the working set. */
static bool solve(l1_working *q, double goal, void *payload)
{
    extrapolation *e = payload;
    l1_state *s = q->s;
    double best = -INFINITY, change = INFINITY, scale;
    e->count = 0;
    while (!q->progress->stopped) {
        l1_state_refresh(s);
        if (!l1_products_active(s, q->progress))
            break;
        l1_gap g = l1_gap_active(s);
        if (g.dual > best) {
            best = g.dual;
            l1_working_dual(s, q->fresh);
        }
        remember(e, s);
        bool wanted = !e->off && q->idle == 0 && g.primal - best > goal;
        if (wanted && extrapolate(e, s)) {
            double value = l1_dual_at(s, e->combined, greatest_of(q, e->combined), &scale);
            if (value > best && !q->progress->stopped) {
                best = value;
                memcpy(q->fresh, e->combined, s->problem.n * sizeof *q->fresh);
            }
        }
        progress_emit(q->progress, TM_EVENT_CHECK, g.primal, q->value, g.primal - q->value,
                      s->active.count, s->problem.p);
        if (g.primal - best <= goal || s->it.epochs >= s->options.max_iter)
            return false;
        if (l1_stalled(s, change))
            return true;
        change = l1_sweep(s, s->options.check_every, q->progress);
    }
    return false;
}

/* The pass's point, scaled to be feasible, or the previous one, whichever is better. */
static void advance(l1_working *q)
{
    l1_state *s = q->s;
    double greatest = 0, scale;
    for (size_t j = 0; j < s->problem.p; j++)
        if (!q->gone[j] && l1_factor(s, j) > 0)
            greatest = fmax(greatest, l1_correlation(s, j) / l1_factor(s, j));
    double value = l1_dual_at(s, q->fresh, greatest, &scale);
    if (value <= q->value)
        return;
    q->value = value;
    for (size_t i = 0; i < s->problem.n; i++)
        q->dual[i] = scale * q->fresh[i];
    for (size_t j = 0; j < s->problem.p; j++)
        if (!q->gone[j])
            q->products[j] = scale * s->it.xr[j];
}

static tm_status solve_ws(l1_state *s, solve_progress *progress, double target, int round,
                          l1_end *end, tm_error *err)
{
    extrapolation e = {.off = round > 0 || (s->penalty.free && !s->problem.loss->quadratic),
                       .iterates = mem_array((EXTRAPOLATED + 1) * s->problem.n, sizeof(double)),
                       .combined = mem_array(s->problem.n, sizeof(double))};
    l1_working_ops ops = {advance, solve, &e};
    tm_status status = TM_OK;
    if (e.iterates && e.combined)
        status = l1_solve_working(s, progress, target, round, &ops, end, err);
    else
        status = tm_fail_memory(err, "dual extrapolation");
    free(e.iterates);
    free(e.combined);
    return status;
}

const l1_strategy l1_strategy_ws = {.solve = solve_ws};
