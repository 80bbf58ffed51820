/* The master problem over the planes as multiple kernel learning: SimpleMKL, the reduced gradient
 * method that both FGM and MSLR are compared with. Over mu >= 0, sum mu = 1,
 *
 *     J(mu) = min over w, b of  1/2 sum_h |w_h|^2 / mu_h + C sum_i l(...),
 *     dJ/dmu_h = -|X_h'alpha|^2 / 2
 *
 * is minimised along reduced gradients; every evaluation of J solves a ridge problem. For a column
 * in several planes J depends only on d_k, the sum of mu_h over these planes. */
#include "solve/fgm/ridge.h"

#include "base/memory.h"
#include "base/numeric/golden_section.h"
#include "model/loss/losses.h"
#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mkl {
    fgm_ridge ridge;
    size_t plane_room, column_room;
    double *mu, *trial, *direction, *scores; /* one for each plane; scores: |X_h'alpha|^2 */
    double *d, *products, *weights;          /* one for each cached column; weights: at the best
                                              * mu */
    double *a;                               /* n: dual variables at the best mu */
    double intercept;
} mkl;

static tm_status init(void **work, const fgm_inner *inner, tm_error *err)
{
    mkl *s = calloc(1, sizeof *s);
    *work = s;
    if (!s)
        return tm_fail_memory(err, "the master problem");
    s->a = mem_array(inner->n, sizeof *s->a);
    return s->a ? TM_OK : tm_fail_memory(err, "the master problem");
}

static void finish(void *work)
{
    mkl *s = work;
    if (!s)
        return;
    fgm_ridge_free(&s->ridge);
    free(s->mu);
    free(s->d);
    free(s->a);
    free(s);
}

static tm_status reserve(mkl *s, const cutting_plane *cp, tm_error *err)
{
    if (cp->plane_count > s->plane_room) {
        free(s->mu);
        s->plane_room = 2 * cp->plane_count;
        s->mu = mem_array(4 * s->plane_room, sizeof *s->mu);
    }
    if (cp->cache.column_count > s->column_room) {
        free(s->d);
        s->column_room = 2 * cp->cache.column_count;
        s->d = mem_array(3 * s->column_room, sizeof *s->d);
    }
    if (!s->mu || !s->d) {
        s->plane_room = s->mu ? s->plane_room : 0;
        s->column_room = s->d ? s->column_room : 0;
        return tm_fail_memory(err, "the master problem");
    }
    s->trial = s->mu + s->plane_room;
    s->direction = s->trial + s->plane_room;
    s->scores = s->direction + s->plane_room;
    s->products = s->d + s->column_room;
    s->weights = s->products + s->column_room;
    return TM_OK;
}

/* Adds each plane's value to each of its columns. */
static void spread(const cutting_plane *cp, const double *by_plane, double *by_column)
{
    memset(by_column, 0, cp->cache.column_count * sizeof *by_column);
    for (size_t h = 0; h < cp->plane_count; h++)
        for (size_t u = 0; u < cp->planes[h].count; u++) {
            const cached_unit *unit = &cp->cache.units[cp->planes[h].units[u]];
            for (size_t k = unit->from; k < unit->from + unit->count; k++)
                by_column[k] += by_plane[h];
        }
}

static void score_planes(mkl *s, const cutting_plane *cp, const double *a)
{
    fgm_products(cp, a, s->products);
    for (size_t h = 0; h < cp->plane_count; h++) {
        s->scores[h] = 0;
        for (size_t u = 0; u < cp->planes[h].count; u++) {
            const cached_unit *unit = &cp->cache.units[cp->planes[h].units[u]];
            for (size_t k = unit->from; k < unit->from + unit->count; k++)
                s->scores[h] += s->products[k] * s->products[k];
        }
    }
}

static tm_status evaluate(mkl *s, const fgm_ridge_problem *problem, const double *mu, double *value,
                          solve_progress *progress, tm_error *err)
{
    spread(problem->cp, mu, s->d);
    return fgm_ridge_solve(&s->ridge, problem, value, progress, err);
}

static void keep(mkl *s, const cutting_plane *cp)
{
    memcpy(s->weights, cp->weights, cp->cache.column_count * sizeof *s->weights);
    memcpy(s->a, s->ridge.a, cp->n * sizeof *s->a);
    s->intercept = cp->intercept;
}

static size_t greatest_plane(const mkl *s, size_t planes)
{
    size_t base = 0;
    for (size_t h = 0; h < planes; h++)
        base = s->mu[h] > s->mu[base] ? h : base;
    return base;
}

/* Makes plane `base` balance the others, so that the sum of mu stays 1. Where no other plane moves
 * its own component is exactly 0: a rounding error there would be a direction in which the last
 * plane reaches zero. */
static void balance(mkl *s, size_t planes, size_t base)
{
    double sum = 0;
    for (size_t h = 0; h < planes; h++)
        sum += h == base ? 0 : s->direction[h];
    s->direction[base] = -sum;
}

/* The reduced gradient's direction, balanced by the plane of greatest mu. */
static void find_direction(mkl *s, size_t planes)
{
    size_t base = greatest_plane(s, planes);
    for (size_t h = 0; h < planes; h++) {
        double along = (s->scores[h] - s->scores[base]) / 2; /* minus the difference of the
                                                              * gradient's components */
        s->direction[h] = s->mu[h] <= 0 && along <= 0 ? 0 : along;
    }
    balance(s, planes, base);
}

static double longest_step(const mkl *s, size_t planes, size_t *which)
{
    double longest = INFINITY;
    *which = SIZE_MAX;
    for (size_t h = 0; h < planes; h++)
        if (s->direction[h] < 0 && -s->mu[h] / s->direction[h] < longest) {
            longest = -s->mu[h] / s->direction[h];
            *which = h;
        }
    return longest;
}

static void set_trial(mkl *s, size_t planes, double step, size_t zero)
{
    double sum = 0;
    for (size_t h = 0; h < planes; h++) {
        s->trial[h] = h == zero ? 0 : fmax(s->mu[h] + step * s->direction[h], 0);
        sum += s->trial[h];
    }
    for (size_t h = 0; h < planes; h++)
        s->trial[h] /= sum;
}

typedef struct search {
    mkl *s;
    fgm_ridge_problem problem;
    solve_progress *progress;
    tm_error *err;
    tm_status status;
} search;

static double value_at(search *q, double step, size_t zero)
{
    double value = INFINITY;
    set_trial(q->s, q->problem.cp->plane_count, step, zero);
    if (q->status == TM_OK)
        q->status = evaluate(q->s, &q->problem, q->s->trial, &value, q->progress, q->err);
    return value;
}

/* The negative objective at a step, for the search of a maximum; NaN when the search has to end. */
static double gain_at(double step, void *payload)
{
    search *q = payload;
    double value = value_at(q, step, SIZE_MAX);
    return q->status == TM_OK && !q->progress->stopped ? -value : NAN;
}

/* The step between 0 and `longest` with the least objective found, if that is below `at_zero`;
 * otherwise 0. */
static double golden(search *q, double longest, double at_zero)
{
    double best = -at_zero;
    return golden_section_search(&(golden_section){.value = gain_at,
                                                   .payload = q,
                                                   .high = longest,
                                                   .steps = MAX_GOLDEN,
                                                   .width = GOLDEN_WIDTH},
                                 &best);
}

/* Makes `trial` the new mu. */
static void take(mkl *s, size_t planes)
{
    memcpy(s->mu, s->trial, planes * sizeof *s->mu);
}

/* One descent along the reduced gradient: while the objective decreases up to the boundary, the
 * plane that reaches zero is dropped and the rest of the direction followed; then a line search.
 * False when there is no decrease. */
static bool descend(search *q, double *value)
{
    mkl *s = q->s;
    size_t planes = q->problem.cp->plane_count, zero;
    bool moved = false;
    for (size_t drops = 0; drops < planes && q->status == TM_OK; drops++) {
        double longest = longest_step(s, planes, &zero);
        if (!isfinite(longest))
            return moved;
        double border = value_at(q, longest, zero);
        if (border < *value && longest > 0) {
            *value = border;
            take(s, planes);
            moved = true;
        } else if (longest > 0) {
            double step = golden(q, longest, *value);
            if (step > 0) {
                set_trial(s, planes, step, SIZE_MAX);
                take(s, planes);
                moved = true;
            }
            return moved;
        }
        s->direction[zero] = 0;
        balance(s, planes, greatest_plane(s, planes));
    }
    return moved;
}

/* Gives new planes an equal share of the total. */
static void begin(mkl *s, const cutting_plane *cp)
{
    for (size_t h = 0; h < cp->plane_count; h++)
        s->mu[h] = 1 / (double)cp->plane_count;
}

static tm_status solve(void *work, fgm_inner *inner, cutting_plane *cp, double target,
                       solve_progress *progress, tm_error *err)
{
    mkl *s = work;
    size_t planes = cp->plane_count;
    tm_status status = reserve(s, cp, err);
    if (status != TM_OK || planes == 0)
        return status;
    search q = {s, {inner, cp, s->d, RIDGE_SHARE * target}, progress, err, TM_OK};
    begin(s, cp);
    for (int step = 0; step < MAX_DESCENTS && q.status == TM_OK && !progress->stopped; step++) {
        double value, most = 0, mean = 0, C = inner->problem.C;
        q.status = evaluate(s, &q.problem, s->mu, &value, progress, err);
        if (q.status != TM_OK)
            break;
        keep(s, cp);
        score_planes(s, cp, s->a);
        for (size_t h = 0; h < planes; h++) {
            s->scores[h] *= C * C;
            most = fmax(most, s->scores[h]);
            mean += s->mu[h] * s->scores[h];
        }
        if ((most - mean) / 2 + q.problem.target <= target || inner->iterations_left == 0)
            break;
        find_direction(s, planes);
        if (!descend(&q, &value)) {
            if (q.problem.target < RIDGE_LEAST * target)
                break;
            q.problem.target *= INNER_FALL; /* the objectives were too inaccurate to compare */
        }
    }
    memcpy(cp->weights, s->weights, cp->cache.column_count * sizeof *cp->weights);
    cp->intercept = s->intercept;
    return q.status;
}

const fgm_master fgm_simplemkl = {"simplemkl", false, true, LOSS_ALL, init, solve, finish};
