/* Updates one block of the group lasso with the others fixed.
 *
 * At the present predictions the loss is replaced by its second-order model with weights h_i =
 * l''(z_i) (for the squared loss that is the loss itself), whose residual r = a - h dz costs no
 * exponentials. Small blocks are minimised over with their Gram matrix, by proximal steps that need
 * no pass over the data; large blocks take one proximal step with a curvature that is verified. A
 * block that stays zero costs only its products. The model's intercept is eliminated by centring
 * with the weights h. */
#include "solve/group/model.h"

#include "base/memory.h"
#include "solve/group/tuning.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool group_model_new(group_model **out, const group_state *s)
{
    size_t members = s->problem.penalty->members, blocks = s->problem.penalty->blocks;
    group_model *m = calloc(1, sizeof *m);
    *out = m;
    if (!m)
        return false;
    m->joint = LONG_MAX;
    m->h = mem_array(s->problem.n, sizeof *m->h);
    m->r = mem_array(s->problem.n, sizeof *m->r);
    m->dz = mem_array(s->problem.n, sizeof *m->dz);
    m->column = mem_array(s->problem.n, sizeof *m->column);
    m->means = mem_zeros(members, sizeof *m->means);
    m->before = mem_array(members, sizeof *m->before);
    m->grams = mem_zeros(blocks, sizeof *m->grams);
    m->bounds = mem_zeros(blocks, sizeof *m->bounds);
    m->made = mem_zeros(blocks, sizeof *m->made);
    return m->h && m->r && m->dz && m->column && m->means && m->before && m->grams && m->bounds &&
           m->made;
}

void group_model_free(group_model *m, const group_state *s)
{
    if (!m)
        return;
    for (size_t b = 0; m->grams && b < s->problem.penalty->blocks; b++)
        free(m->grams[b]);
    free(m->grams);
    free(m->h);
    free(m->r);
    free(m->dz);
    free(m->column);
    free(m->means);
    free(m->before);
    free(m->bounds);
    free(m->made);
    free(m->iterates);
    free(m);
}

/* ---- the model --------------------------------------------------------------------------------
 */

/* Weighted means of a block's columns. Those of the squared loss are constant. */
static void find_means(const group_state *s, size_t b, solve_progress *progress)
{
    group_model *q = s->model;
    for (size_t m = s->problem.penalty->starts[b]; m < s->problem.penalty->starts[b + 1]; m++) {
        size_t j = s->problem.features[m];
        q->means[m] = 0;
        if (!s->problem.intercept || !(q->total > 0))
            continue;
        q->means[m] = s->problem.unweighted_square
                          ? s->problem.means[j]
                          : tm_matrix_dot(s->problem.x, j, q->h) / q->total;
        progress->columns += !s->problem.unweighted_square;
    }
}

/* Returns false when the run must stop. */
bool group_model_build(group_state *s, solve_progress *progress)
{
    group_model *q = s->model;
    q->total = 0;
    for (size_t i = 0; i < s->problem.n; i++) {
        q->h[i] = samples_weight(&s->problem.of, i) *
                  s->problem.loss->curvature(s->problem.of.y[i], s->z[i]);
        q->r[i] = s->a[i];
        q->total += q->h[i];
    }
    q->shift = 0;
    q->iterates_count = 0;
    q->number += !s->problem.loss->quadratic || q->number == 0;
    memcpy(q->before, s->u, s->problem.penalty->members * sizeof *s->u);
    for (size_t k = 0; k < s->set.count; k++) {
        find_means(s, s->set.blocks[k], progress);
        if (!s->problem.unweighted_square &&
            progress_work(progress, group_size(s, s->set.blocks[k]) * s->problem.n))
            return false;
    }
    return true;
}

double group_model_product(const group_state *s, size_t m)
{
    const group_model *q = s->model;
    double product = tm_matrix_dot(s->problem.x, s->problem.features[m], q->r);
    return s->problem.scale[m] * (product + q->shift * q->total * q->means[m]);
}

static void model_products(const group_state *s, size_t b, double *c, solve_progress *progress)
{
    size_t start = s->problem.penalty->starts[b], count = group_size(s, b);
    for (size_t k = 0; k < count; k++)
        c[k] = group_model_product(s, start + k);
    progress->columns += count;
}

/* r -= h X d for the block; the centring is accumulated in `shift`. */
static void move_residual(const group_state *s, size_t b, const double *d)
{
    group_model *q = s->model;
    size_t start = s->problem.penalty->starts[b], count = group_size(s, b);
    bool direct = s->problem.unweighted_square;
    if (!direct)
        memset(q->column, 0, s->problem.n * sizeof *q->column);
    for (size_t k = 0; k < count; k++) {
        size_t m = start + k;
        double change = d[k] * s->problem.scale[m];
        if (change == 0)
            continue;
        tm_matrix_axpy(s->problem.x, s->problem.features[m], direct ? -change : change,
                       direct ? q->r : q->column);
        q->shift += change * q->means[m];
    }
    for (size_t i = 0; !direct && i < s->problem.n; i++)
        q->r[i] -= q->h[i] * q->column[i];
}

/* ---- small blocks -----------------------------------------------------------------------------
 */

/* An upper bound of the greatest eigenvalue of a positive semidefinite matrix: the lesser of two
 * norms. */
static double eigenvalue_bound(const double *matrix, size_t size)
{
    double squares = 0, greatest = 0;
    for (size_t k = 0; k < size; k++) {
        double row = 0;
        for (size_t l = 0; l < size; l++) {
            row += fabs(matrix[k * size + l]);
            squares += matrix[k * size + l] * matrix[k * size + l];
        }
        greatest = fmax(greatest, row);
    }
    return size == 1 ? matrix[0] : fmin(greatest, sqrt(squares)) * BOUND_LOST;
}

double group_least_curvature(const group_state *s, size_t m)
{
    return (s->problem.loss->quadratic ? 0 : LEAST_CURVATURE) * s->problem.squares[m];
}

void group_weighted_column(const group_state *s, size_t m, double *column)
{
    const group_model *q = s->model;
    tm_matrix_column(s->problem.x, s->problem.features[m], column);
    for (size_t i = 0; i < s->problem.n; i++)
        column[i] = q->h[i] * (column[i] - q->means[m]) * s->problem.scale[m];
}

/* Computes the block's Gram matrix for this model; false when memory ran out. */
static bool make_gram(const group_state *s, size_t b, solve_progress *progress)
{
    group_model *q = s->model;
    size_t start = s->problem.penalty->starts[b], count = group_size(s, b);
    if (!q->grams[b])
        q->grams[b] = mem_array(count * count, sizeof(double));
    if (!q->grams[b])
        return false;
    double *gram = q->grams[b];
    for (size_t k = 0; k < count; k++) {
        group_weighted_column(s, start + k, q->column);
        for (size_t l = 0; l <= k; l++) {
            size_t m = start + l;
            gram[k * count + l] = gram[l * count + k] =
                s->problem.scale[m] *
                tm_matrix_dot(s->problem.x, s->problem.features[m], q->column);
        }
        gram[k * count + k] += group_least_curvature(s, start + k);
        progress->columns += k + 1;
    }
    progress_work(progress, (uint64_t)count * (count + 1) / 2 * s->problem.n);
    q->bounds[b] = eigenvalue_bound(gram, count);
    q->made[b] = q->number;
    return true;
}

/* Updates the products c for a change d of the block. */
static void reduce_products(const double *gram, size_t count, const double *d, double *c)
{
    for (size_t k = 0; k < count; k++)
        for (size_t l = 0; d[k] != 0 && l < count; l++)
            c[l] -= gram[k * count + l] * d[k];
}

/* Minimises over the block to a few digits, given the products c at u; d receives the change.
 * `next` is scratch. */
static void minimise_small(const group_state *s, size_t b, double *c, double *d, double *next)
{
    const group_model *q = s->model;
    size_t start = s->problem.penalty->starts[b], count = group_size(s, b);
    double bound = q->bounds[b], first = 0;
    memset(d, 0, count * sizeof *d);
    for (int step = 0; bound > 0 && step < BLOCK_STEPS; step++) {
        double squares = 0;
        for (size_t k = 0; k < count; k++)
            next[k] = s->u[start + k] + d[k] + c[k] / bound;
        group_prox(s->problem.penalty, b, s->lambda / bound, next);
        for (size_t k = 0; k < count; k++) {
            next[k] -= s->u[start + k] + d[k];
            squares += next[k] * next[k];
            d[k] += next[k];
        }
        first = step == 0 ? squares : first;
        if (count == 1 || squares <= BLOCK_CHANGE * BLOCK_CHANGE * first)
            break;
        reduce_products(q->grams[b], count, next, c);
    }
}

/* ---- large blocks -----------------------------------------------------------------------------
 */

/* d'Gd for a change d. */
static double curvature_along(const group_state *s, size_t b, const double *d)
{
    group_model *q = s->model;
    size_t start = s->problem.penalty->starts[b], count = group_size(s, b);
    double shift = 0, sum = 0;
    memset(q->column, 0, s->problem.n * sizeof *q->column);
    for (size_t k = 0; k < count; k++) {
        double change = d[k] * s->problem.scale[start + k];
        if (change == 0)
            continue;
        tm_matrix_axpy(s->problem.x, s->problem.features[start + k], change, q->column);
        shift += change * q->means[start + k];
    }
    for (size_t i = 0; i < s->problem.n; i++)
        sum += q->h[i] * (q->column[i] - shift) * (q->column[i] - shift);
    return sum;
}

/* One proximal step, with a curvature at least that observed along the step. */
static void step_large(const group_state *s, size_t b, const double *c, double *d)
{
    group_model *q = s->model;
    size_t start = s->problem.penalty->starts[b], count = group_size(s, b);
    double least = s->problem.reach[b] * s->problem.reach[b] / (double)count;
    if (q->made[b] != q->number) {
        q->bounds[b] = q->made[b] ? BOUND_FALL * q->bounds[b] : least * s->problem.loss->smoothness;
        q->made[b] = q->number;
    }
    for (;;) {
        double bound = fmax(q->bounds[b], BOUND_LEAST * least), squares = 0;
        for (size_t k = 0; k < count; k++)
            d[k] = s->u[start + k] + c[k] / bound;
        group_prox(s->problem.penalty, b, s->lambda / bound, d);
        for (size_t k = 0; k < count; k++) {
            d[k] -= s->u[start + k];
            squares += d[k] * d[k];
        }
        double curvature = curvature_along(s, b, d);
        if (!(curvature > bound * squares * BOUND_LOST))
            return;
        q->bounds[b] = fmax(BOUND_GROWTH * bound, BOUND_ABOVE * curvature / squares);
    }
}

/* ---- the update -------------------------------------------------------------------------------
 */

static bool is_zero(const double *u, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (u[k] != 0)
            return false;
    return true;
}

double group_model_update(group_state *s, size_t b, solve_progress *progress)
{
    group_model *q = s->model;
    size_t start = s->problem.penalty->starts[b], count = group_size(s, b);
    double *c = s->room, *d = c + s->problem.most, *next = d + s->problem.most, change = 0;
    model_products(s, b, c, progress);
    if (is_zero(s->u + start, count) &&
        group_excess(s->problem.penalty, b, s->lambda, c, next) <= 1)
        return 0;
    bool small = count <= SMALL_BLOCK;
    if (small && (q->made[b] != q->number || !q->grams[b]))
        small = make_gram(s, b, progress);
    if (small)
        minimise_small(s, b, c, d, next);
    else
        step_large(s, b, c, d);
    for (size_t k = 0; k < count; k++) {
        double moved = s->u[start + k] + d[k];
        /* The residual is moved by the difference of the rounded values. */
        d[k] = moved - s->u[start + k];
        s->u[start + k] = moved;
        change += d[k] * d[k] * s->problem.squares[start + k];
    }
    if (change > 0)
        move_residual(s, b, d);
    progress->updates += count;
    return sqrt(change);
}
