/* The master problem over the planes by accelerated proximal gradient (FGM algorithms 3 and 4),
 * with both of its caches: the chosen columns, and for each plane the predictions of its part, from
 * which the predictions for any step length follow without touching the columns (FGM section 5.5).
 *
 * The intercept is a block of its own: it is minimised out exactly, which satisfies FGM's line
 * search for it (eq. 35) for any step. The momentum is reset to 1 when it would increase the
 * objective. */
#include "solve/fgm/fgm.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "model/loss/residual.h"
#include "solve/fgm/proximal.h"
#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The iterate, the previous iterate, the extrapolated point, and the gradient of the loss there. */
typedef struct vectors {
    double *w, *before, *v, *slope;
} vectors;

/* Sums for each plane. */
typedef struct plane_sums {
    double *vv, *vs, *ss;  /* |v|^2, v'slope, |slope|^2 */
    double *size, *sorted; /* |v - gradient / tau|, in descending order */
    double *by;            /* factor of the projection */
} plane_sums;

typedef struct apg {
    size_t n, planes, columns; /* planes, and the columns of all of them, for which the vectors
                                * below are valid */
    size_t plane_room, column_room;
    uint64_t generation;
    size_t *starts;    /* planes + 1: where each plane's columns begin */
    size_t *places;    /* for each such column, its index in the cache */
    vectors own;       /* one entry for each such column */
    vectors predicted; /* planes x n: the predictions of each plane's part of these vectors */
    plane_sums of;
    double *z, *zv, *a; /* n: predictions after a step and at v, and the dual variables at v */
    double *products;   /* one for each cached column */
    size_t product_room;
    double tau;
} apg;

static tm_status init(void **work, const fgm_inner *inner, tm_error *err)
{
    apg *s = calloc(1, sizeof *s);
    *work = s;
    if (!s)
        return tm_fail_memory(err, "the master problem");
    s->n = inner->n;
    s->generation = UINT64_MAX;
    s->z = mem_array(3 * s->n, sizeof *s->z);
    if (!s->z)
        return tm_fail_memory(err, "the master problem");
    s->zv = s->z + s->n;
    s->a = s->zv + s->n;
    return TM_OK;
}

static void finish(void *work)
{
    apg *s = work;
    if (!s)
        return;
    double *all[] = {s->own.w,       s->own.before,      s->own.v,
                     s->own.slope,   s->predicted.w,     s->predicted.before,
                     s->predicted.v, s->predicted.slope, s->of.vv,
                     s->of.vs,       s->of.size,         s->of.ss,
                     s->of.sorted,   s->of.by,           s->z,
                     s->products};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    free(s->starts);
    free(s->places);
    free(s);
}

/* ---- memory -------------------------------------------------------------------------------- */

static bool grow(double **array, size_t count)
{
    double *grown = realloc(*array, (count ? count : 1) * sizeof *grown);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static tm_status reserve(apg *s, const cutting_plane *cp, size_t columns, tm_error *err)
{
    bool ok = true;
    if (columns > s->column_room) {
        s->column_room = 2 * columns;
        double **all[] = {&s->own.w, &s->own.before, &s->own.v, &s->own.slope};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            ok = ok && grow(all[k], s->column_room);
        size_t *places = realloc(s->places, s->column_room * sizeof *places);
        s->places = places ? places : s->places;
        ok = ok && places;
    }
    if (cp->plane_count > s->plane_room) {
        s->plane_room = cp->plane_count + cp->plane_count / 2 + 4;
        double **all[] = {&s->of.vv, &s->of.vs, &s->of.ss, &s->of.size, &s->of.sorted, &s->of.by};
        double **large[] = {&s->predicted.w, &s->predicted.before, &s->predicted.v,
                            &s->predicted.slope};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            ok = ok && grow(all[k], s->plane_room);
        for (size_t k = 0; k < sizeof large / sizeof *large; k++)
            ok = ok && grow(large[k], s->plane_room * s->n);
        size_t *starts = realloc(s->starts, (s->plane_room + 1) * sizeof *starts);
        s->starts = starts ? starts : s->starts;
        ok = ok && starts;
    }
    if (cp->cache.column_count > s->product_room) {
        s->product_room = 2 * cp->cache.column_count;
        ok = ok && grow(&s->products, s->product_room);
    }
    if (ok)
        return TM_OK;
    s->plane_room = s->column_room = s->product_room = 0;
    return tm_fail_memory(err, "the master problem");
}

/* ---- the planes' columns ------------------------------------------------------------------- */

static void list_columns(apg *s, const cutting_plane *cp)
{
    size_t at = 0;
    for (size_t h = 0; h < cp->plane_count; h++) {
        s->starts[h] = at;
        for (size_t k = 0; k < cp->planes[h].count; k++) {
            const cached_unit *u = &cp->cache.units[cp->planes[h].units[k]];
            for (size_t c = 0; c < u->count; c++)
                s->places[at++] = u->from + c;
        }
    }
    s->starts[cp->plane_count] = at;
}

/* New planes start at zero (FGM's warm start). When planes were removed or split, each cached
 * column's weight goes to the first plane that contains it. */
static tm_status take_planes(apg *s, cutting_plane *cp, tm_error *err)
{
    size_t columns = 0, known = s->generation == cp->generation ? s->columns : 0;
    for (size_t h = 0; h < cp->plane_count; h++)
        columns += cp->planes[h].columns;
    bool same = known > 0 || columns == 0;
    tm_status status = reserve(s, cp, columns, err);
    if (status != TM_OK)
        return status;
    list_columns(s, cp);
    for (size_t c = known; c < columns; c++) {
        s->own.w[c] = same ? 0 : cp->weights[s->places[c]];
        if (!same)
            cp->weights[s->places[c]] = 0;
    }
    s->planes = cp->plane_count;
    s->columns = columns;
    s->generation = cp->generation;
    return TM_OK;
}

/* predictions[h] = X_h values_h */
static void predict_planes(const apg *s, const cutting_plane *cp, const double *values,
                           double *predictions)
{
    memset(predictions, 0, s->planes * s->n * sizeof *predictions);
    for (size_t h = 0; h < s->planes; h++)
        for (size_t c = s->starts[h]; c < s->starts[h + 1]; c++)
            if (values[c] != 0)
                feature_cache_axpy(&cp->cache, s->places[c], values[c], predictions + h * s->n);
}

static void sum_planes(const apg *s, const double *predictions, double *z)
{
    memset(z, 0, s->n * sizeof *z);
    for (size_t h = 0; h < s->planes; h++)
        for (size_t i = 0; i < s->n; i++)
            z[i] += predictions[h * s->n + i];
}

static double penalty_of(const apg *s, const double *w)
{
    double sum = 0;
    for (size_t h = 0; h < s->planes; h++)
        sum += sqrt(residual_squares(w + s->starts[h], s->starts[h + 1] - s->starts[h]));
    return sum * sum / 2;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* The Moreau projection (FGM algorithm 3): by[h] = o_h / size[h], where o are the sizes minus a
 * threshold. */
static void project(apg *s)
{
    double step = 1 / s->tau, sum = 0, threshold = 0;
    memcpy(s->of.sorted, s->of.size, s->planes * sizeof *s->of.sorted);
    qsort(s->of.sorted, s->planes, sizeof *s->of.sorted, fgm_descending);
    for (size_t h = 0; h < s->planes; h++) {
        sum += s->of.sorted[h];
        double here = step / (1 + (double)(h + 1) * step) * sum;
        if (!(s->of.sorted[h] > here))
            break;
        threshold = here;
    }
    for (size_t h = 0; h < s->planes; h++)
        s->of.by[h] = s->of.size[h] > threshold ? 1 - threshold / s->of.size[h] : 0;
}

/* The gradient of the loss at v, its predictions, and the inner products for each plane; returns
 * the dual value there. */
static double find_slope(apg *s, const fgm_inner *inner, const cutting_plane *cp)
{
    double most = 0, C = inner->problem.C;
    fgm_products(cp, s->a, s->products);
    for (size_t h = 0; h < s->planes; h++) {
        s->of.vv[h] = s->of.vs[h] = s->of.ss[h] = 0;
        for (size_t c = s->starts[h]; c < s->starts[h + 1]; c++) {
            s->own.slope[c] = -C * s->products[s->places[c]];
            s->of.vv[h] += s->own.v[c] * s->own.v[c];
            s->of.vs[h] += s->own.v[c] * s->own.slope[c];
            s->of.ss[h] += s->own.slope[c] * s->own.slope[c];
        }
        most = fmax(most, s->of.ss[h] / (C * C));
    }
    predict_planes(s, cp, s->own.slope, s->predicted.slope);
    return feature_dual(&inner->problem, inner->l, inner->y, s->a, s->n, most);
}

/* Predictions z of the step of length 1 / tau; returns the quadratic model minus the loss at v. */
static double try_step(apg *s)
{
    double model = 0;
    for (size_t h = 0; h < s->planes; h++)
        s->of.size[h] =
            sqrt(fmax(s->of.vv[h] - 2 * s->of.vs[h] / s->tau + s->of.ss[h] / (s->tau * s->tau), 0));
    project(s);
    memset(s->z, 0, s->n * sizeof *s->z);
    for (size_t h = 0; h < s->planes; h++) {
        double by = s->of.by[h], other = by / s->tau;
        const double *pv = s->predicted.v + h * s->n, *ps = s->predicted.slope + h * s->n;
        for (size_t i = 0; i < s->n; i++)
            s->z[i] += by * pv[i] - other * ps[i];
        /* next - v = (by - 1) v - other * gradient */
        double along = (by - 1) * s->of.vs[h] - other * s->of.ss[h];
        double moved = (by - 1) * (by - 1) * s->of.vv[h] - 2 * (by - 1) * other * s->of.vs[h] +
                       other * other * s->of.ss[h];
        model += along + s->tau / 2 * moved;
    }
    return model;
}

/* Increases tau until the model is an upper bound of the loss; returns the loss after the step. */
static double descend(apg *s, const fgm_inner *inner, double loss_v, double *b,
                      solve_progress *progress)
{
    for (;;) {
        double at = *b, bound = loss_v + try_step(s);
        double loss_next = fgm_loss(inner, s->z, &at, NULL);
        bool stop = progress_work(progress, (s->planes + 20) * s->n);
        if (fgm_bounded(loss_next, bound) || stop) {
            *b = at;
            return loss_next;
        }
        s->tau *= TAU_GROWTH;
    }
}

/* before = w, w = the point after the step, both with their predictions. */
static void accept(apg *s)
{
    double *keep = s->own.before, *predictions = s->predicted.before;
    s->own.before = s->own.w;
    s->own.w = keep;
    s->predicted.before = s->predicted.w;
    s->predicted.w = predictions;
    for (size_t h = 0; h < s->planes; h++) {
        double by = s->of.by[h], other = by / s->tau;
        for (size_t c = s->starts[h]; c < s->starts[h + 1]; c++)
            s->own.w[c] = by * s->own.v[c] - other * s->own.slope[c];
        for (size_t i = h * s->n; i < (h + 1) * s->n; i++)
            s->predicted.w[i] = by * s->predicted.v[i] - other * s->predicted.slope[i];
    }
}

static void extrapolate(apg *s, double beta)
{
    for (size_t c = 0; c < s->columns; c++)
        s->own.v[c] = s->own.w[c] + beta * (s->own.w[c] - s->own.before[c]);
    for (size_t i = 0; i < s->planes * s->n; i++)
        s->predicted.v[i] = s->predicted.w[i] + beta * (s->predicted.w[i] - s->predicted.before[i]);
}

/* Where the objective's values can no longer tell whether the step from v to w was too long, its
 * slopes still do. The sums of `of` have lost the digits of such a short step. */
static void raise_tau(apg *s, const fgm_inner *inner, double b)
{
    double moved = 0;
    for (size_t c = 0; c < s->columns; c++)
        moved += (s->own.w[c] - s->own.v[c]) * (s->own.w[c] - s->own.v[c]);
    if (fgm_moved(moved, residual_squares(s->own.w, s->columns)))
        s->tau = fmax(s->tau, fgm_curvature(inner, s->a, s->zv, s->z, b) / moved);
}

static double penalty_of_step(const apg *s)
{
    double sum = 0;
    for (size_t h = 0; h < s->planes; h++)
        sum += s->of.by[h] * s->of.size[h];
    return sum * sum / 2;
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void start(apg *s, const fgm_inner *inner, const cutting_plane *cp)
{
    if (s->tau == 0)
        s->tau = FIRST_TAU * (double)s->n * inner->problem.C;
    predict_planes(s, cp, s->own.w, s->predicted.w);
    memcpy(s->own.before, s->own.w, s->columns * sizeof *s->own.before);
    memcpy(s->predicted.before, s->predicted.w, s->planes * s->n * sizeof *s->predicted.before);
    extrapolate(s, 0);
}

static void hand_back(const apg *s, cutting_plane *cp, double b)
{
    memset(cp->weights, 0, cp->cache.column_count * sizeof *cp->weights);
    for (size_t c = 0; c < s->columns; c++)
        cp->weights[s->places[c]] += s->own.w[c];
    cp->intercept = b;
}

static tm_status solve(void *work, fgm_inner *inner, cutting_plane *cp, double target,
                       solve_progress *progress, tm_error *err)
{
    apg *s = work;
    tm_status status = take_planes(s, cp, err);
    if (status != TM_OK || s->columns == 0)
        return status;
    double momentum = 1, b = cp->intercept, bv, lower = -INFINITY;
    flat_steps flat = FLAT_STEPS_INIT;
    start(s, inner, cp);
    sum_planes(s, s->predicted.w, s->z);
    double value = fgm_loss(inner, s->z, &b, NULL) + penalty_of(s, s->own.w);
    bv = b;
    for (; inner->iterations_left > 0 && !progress->stopped && flat.count < MAX_FLAT;
         inner->iterations_left--) {
        sum_planes(s, s->predicted.v, s->zv);
        double loss_v = fgm_loss(inner, s->zv, &bv, s->a), bn = bv;
        lower = fmax(lower, find_slope(s, inner, cp));
        progress->updates += s->columns;
        progress_work(progress, 2 * cp->cache.entries);
        if (value - lower <= target)
            break;
        double next = descend(s, inner, loss_v, &bn, progress) + penalty_of_step(s);
        double noise = ROUNDING * fabs(value);
        bool uphill = next > value + noise, fell = value - next > noise;
        if (uphill && momentum > 1) { /* the momentum increases the objective */
            momentum = 1;
            extrapolate(s, 0);
            continue;
        }
        if (uphill)
            break;
        flat_steps_count(&flat, fell, value - lower);
        accept(s);
        if (fell)
            s->tau *= TAU_FALL;
        else
            raise_tau(s, inner, bn);
        b = bn;
        value = next;
        double after = fgm_momentum(momentum);
        extrapolate(s, (momentum - 1) / after);
        momentum = after;
    }
    hand_back(s, cp, b);
    return TM_OK;
}

const fgm_master fgm_apg = {"apg", false, true, LOSS_ALL, init, solve, finish};
