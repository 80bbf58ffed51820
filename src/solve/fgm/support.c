/* The master problem over all units selected so far, with the norm |.|_(B) itself (not only over
 * the planes): accelerated proximal gradient in w, with the intercept minimised out, restarted when
 * the momentum would increase the objective. */
#include "solve/fgm/fgm.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "model/loss/residual.h"
#include "model/penalty/ksupport.h"
#include "solve/fgm/proximal.h"
#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct support {
    size_t column_room, unit_room, n;
    double *by_column, *by_row;       /* buffers that the vectors below point into, in changing
                                       * order */
    double *w, *v, *next, *gradient;  /* one for each column */
    double *sizes, *factors, *scores; /* one for each unit */
    ksupport_item *items;             /* one for each unit */
    double *z, *zv, *znext, *a;       /* n */
    double tau;                       /* curvature estimate along the last step */
} support;

static tm_status init(void **work, const fgm_inner *inner, tm_error *err)
{
    support *s = calloc(1, sizeof *s);
    *work = s;
    if (!s)
        return tm_fail_memory(err, "the master problem");
    s->n = inner->n;
    s->by_row = mem_array(4 * s->n, sizeof *s->by_row);
    if (!s->by_row)
        return tm_fail_memory(err, "the master problem");
    s->z = s->by_row;
    s->zv = s->z + s->n;
    s->znext = s->zv + s->n;
    s->a = s->znext + s->n;
    return TM_OK;
}

static void release(support *s)
{
    free(s->by_column);
    free(s->sizes);
    free(s->items);
    s->by_column = s->sizes = NULL;
    s->items = NULL;
}

static void finish(void *work)
{
    support *s = work;
    if (!s)
        return;
    release(s);
    free(s->by_row);
    free(s);
}

static tm_status reserve(support *s, const feature_cache *cache, tm_error *err)
{
    if (cache->column_count <= s->column_room && cache->unit_count <= s->unit_room)
        return TM_OK;
    release(s);
    s->column_room = 2 * cache->column_count;
    s->unit_room = 2 * cache->unit_count;
    s->by_column = mem_array(4 * s->column_room, sizeof *s->by_column);
    s->sizes = mem_array(3 * s->unit_room, sizeof *s->sizes);
    s->items = mem_array(s->unit_room, sizeof *s->items);
    if (!s->by_column || !s->sizes || !s->items) {
        s->column_room = s->unit_room = 0;
        return tm_fail_memory(err, "the master problem");
    }
    s->w = s->by_column;
    s->v = s->w + s->column_room;
    s->next = s->v + s->column_room;
    s->gradient = s->next + s->column_room;
    s->factors = s->sizes + s->unit_room;
    s->scores = s->factors + s->unit_room;
    return TM_OK;
}

static void unit_sizes(const feature_cache *cache, const double *values, double *sizes)
{
    for (size_t u = 0; u < cache->unit_count; u++)
        sizes[u] = residual_squares(values + cache->units[u].from, cache->units[u].count);
}

static double penalty_of(support *s, const cutting_plane *cp, const double *w)
{
    unit_sizes(&cp->cache, w, s->sizes);
    for (size_t u = 0; u < cp->cache.unit_count; u++)
        s->sizes[u] = sqrt(s->sizes[u]);
    return ksupport_squared(s->sizes, cp->cache.unit_count, (double)cp->B) / 2;
}

/* The dual value at v, where the products X'a are -gradient / C. */
static double dual_at(support *s, const fgm_inner *inner, const cutting_plane *cp)
{
    double size = 0, C = inner->problem.C;
    size_t count = cp->cache.unit_count;
    unit_sizes(&cp->cache, s->gradient, s->scores);
    qsort(s->scores, count, sizeof *s->scores, fgm_descending);
    for (size_t u = 0; u < count && u < cp->B; u++)
        size += s->scores[u] / (C * C);
    return feature_dual(&inner->problem, inner->l, inner->y, s->a, s->n, size);
}

/* next = prox(v - gradient / tau); returns |next - v|^2 and sets *along to gradient'(next - v). */
static double step(support *s, const cutting_plane *cp, double *along)
{
    const feature_cache *cache = &cp->cache;
    for (size_t k = 0; k < cache->column_count; k++)
        s->next[k] = s->v[k] - s->gradient[k] / s->tau;
    unit_sizes(cache, s->next, s->sizes);
    for (size_t u = 0; u < cache->unit_count; u++)
        s->sizes[u] = sqrt(s->sizes[u]);
    ksupport_prox(s->sizes, cache->unit_count, (double)cp->B, 1 / s->tau, s->items, s->factors);
    double moved = 0;
    *along = 0;
    for (size_t u = 0; u < cache->unit_count; u++)
        for (size_t k = cache->units[u].from; k < cache->units[u].from + cache->units[u].count;
             k++) {
            s->next[k] *= s->factors[u];
            double d = s->next[k] - s->v[k];
            moved += d * d;
            *along += s->gradient[k] * d;
        }
    return moved;
}

/* Steps from v with a tau whose quadratic model bounds the loss; returns the loss at `next`, whose
 * intercept is *b. */
static double descend(support *s, const fgm_inner *inner, const cutting_plane *cp, double loss_v,
                      double *b, solve_progress *progress)
{
    for (;;) {
        double along, moved = step(s, cp, &along), at = *b;
        fgm_predict(cp, s->next, s->znext);
        double loss_next = fgm_loss(inner, s->znext, &at, NULL);
        progress->updates += cp->cache.column_count;
        bool stop = progress_work(progress, 2 * cp->cache.entries + 20 * s->n);
        double bound = loss_v + along + s->tau / 2 * moved;
        if (fgm_bounded(loss_next, bound) || stop) {
            *b = at;
            return loss_next;
        }
        s->tau *= TAU_GROWTH;
    }
}

static void swap(double **a, double **b)
{
    double *keep = *a;
    *a = *b;
    *b = keep;
}

/* v = w + beta (w - before), and the same for the predictions; `before` is in `next` after the
 * swap. */
static void extrapolate(support *s, const cutting_plane *cp, double beta)
{
    for (size_t k = 0; k < cp->cache.column_count; k++)
        s->v[k] = s->w[k] + beta * (s->w[k] - s->next[k]);
    for (size_t i = 0; i < s->n; i++)
        s->zv[i] = s->z[i] + beta * (s->z[i] - s->znext[i]);
}

/* w = next; returns the next momentum, which is reset to 1 when the step turned back (the
 * gradient-based restart of O'Donoghue and Candes, which rounding of the objective does not
 * disturb). */
static double accept(support *s, const cutting_plane *cp, double momentum, bool back)
{
    double after = back ? 1 : fgm_momentum(momentum);
    swap(&s->w, &s->next);
    swap(&s->z, &s->znext);
    extrapolate(s, cp, back ? 0 : (momentum - 1) / after);
    return after;
}

/* Whether the step from v to next has a negative inner product with the step from w to next. */
static bool turns_back(const support *s, size_t columns)
{
    double sum = 0;
    for (size_t k = 0; k < columns; k++)
        sum += (s->v[k] - s->next[k]) * (s->next[k] - s->w[k]);
    return sum > 0;
}

/* Where the objective's values can no longer tell whether the step from v to next was too long, its
 * slopes still do. */
static void raise_tau(support *s, const fgm_inner *inner, size_t columns, double b)
{
    double moved = 0;
    for (size_t k = 0; k < columns; k++)
        moved += (s->next[k] - s->v[k]) * (s->next[k] - s->v[k]);
    if (fgm_moved(moved, residual_squares(s->next, columns)))
        s->tau = fmax(s->tau, fgm_curvature(inner, s->a, s->zv, s->znext, b) / moved);
}

static double first_tau(const fgm_inner *inner, const feature_cache *cache)
{
    double greatest = 0;
    for (size_t k = 0; k < cache->column_count; k++)
        greatest =
            fmax(greatest, residual_squares(cache->columns[k].values, cache->columns[k].count));
    return inner->problem.C * inner->l->smoothness * greatest + LEAST_TAU;
}

static tm_status solve(void *work, fgm_inner *inner, cutting_plane *cp, double target,
                       solve_progress *progress, tm_error *err)
{
    support *s = work;
    size_t columns = cp->cache.column_count;
    tm_status status = reserve(s, &cp->cache, err);
    if (status != TM_OK || columns == 0)
        return status;
    double momentum = 1, b = cp->intercept, bv = b, lower = -INFINITY;
    flat_steps flat = FLAT_STEPS_INIT;
    memcpy(s->w, cp->weights, columns * sizeof *s->w);
    memcpy(s->v, s->w, columns * sizeof *s->v);
    fgm_predict(cp, s->w, s->z);
    memcpy(s->zv, s->z, s->n * sizeof *s->zv);
    double value = fgm_loss(inner, s->z, &b, NULL) + penalty_of(s, cp, s->w);
    if (s->tau == 0)
        s->tau = first_tau(inner, &cp->cache);
    for (; inner->iterations_left > 0 && !progress->stopped && flat.count < MAX_FLAT;
         inner->iterations_left--) {
        double loss_v = fgm_loss(inner, s->zv, &bv, s->a);
        fgm_products(cp, s->a, s->gradient);
        for (size_t c = 0; c < columns; c++)
            s->gradient[c] *= -inner->problem.C;
        lower = fmax(lower, dual_at(s, inner, cp));
        if (value - lower <= target)
            break;
        double bn = bv;
        double next = descend(s, inner, cp, loss_v, &bn, progress) + penalty_of(s, cp, s->next);
        double noise = ROUNDING * fabs(value);
        bool uphill = next > value + noise, back = turns_back(s, columns);
        if (uphill && momentum > 1) { /* the momentum increases the objective */
            momentum = 1;
            extrapolate(s, cp, 0);
            continue;
        }
        if (uphill)
            break;
        bool fell = value - next > noise;
        if (fell)
            s->tau *= TAU_FALL;
        else
            raise_tau(s, inner, columns, bn);
        flat_steps_count(&flat, fell, value - lower);
        b = bn;
        value = next;
        momentum = accept(s, cp, momentum, back);
    }
    memcpy(cp->weights, s->w, columns * sizeof *s->w);
    cp->intercept = b;
    return TM_OK;
}

const fgm_master fgm_support = {"support", true, true, LOSS_ALL, init, solve, finish};
