/* Block coordinate descent for the group lasso within proximal Newton: epochs over the second-order
 * model of the loss, with extrapolation, then a line search on the true objective. */
#include "solve/group/newton.h"

#include "base/memory.h"
#include "solve/common/line_search.h"
#include "solve/group/model.h"
#include "solve/group/support.h"
#include "solve/group/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- epochs -----------------------------------------------------------------------------------
 */

static double model_epoch(group_state *s, solve_progress *progress)
{
    double greatest = 0;
    for (size_t k = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k];
        greatest = fmax(greatest, group_model_update(s, b, progress));
        if (progress_work(progress, 3 * (uint64_t)group_size(s, b) * s->problem.n))
            break;
    }
    s->epochs++;
    return greatest;
}

/* ---- extrapolation (Anderson)
 * ----------------------------------------------------------------------------
 */

/* Copies the working set's values, block by block. */
static void pack(const group_state *s, double *to)
{
    for (size_t k = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k], count = group_size(s, b);
        memcpy(to, s->u + s->problem.penalty->starts[b], count * sizeof *to);
        to += count;
    }
}

/* Solves the small symmetric system whose right-hand side is all ones, by elimination; false when
 * it is singular. */
static bool solve_ones(double m[DEPTH][DEPTH], double c[DEPTH])
{
    for (int i = 0; i < DEPTH; i++)
        c[i] = 1;
    for (int i = 0; i < DEPTH; i++) {
        if (!(m[i][i] > 0))
            return false;
        for (int k = i + 1; k < DEPTH; k++) {
            double factor = m[k][i] / m[i][i];
            for (int l = i; l < DEPTH; l++)
                m[k][l] -= factor * m[i][l];
            c[k] -= factor * c[i];
        }
    }
    for (int i = DEPTH; i-- > 0;) {
        for (int l = i + 1; l < DEPTH; l++)
            c[i] -= m[i][l] * c[l];
        c[i] /= m[i][i];
    }
    return true;
}

/* Coefficients, summing to one, of the combination of iterates with the least change. */
static bool combination(const group_model *q, size_t members, double c[DEPTH])
{
    double m[DEPTH][DEPTH], trace = 0, sum = 0;
    for (int k = 0; k < DEPTH; k++)
        for (int l = 0; l <= k; l++) {
            const double *x = q->iterates + (size_t)k * members,
                         *y = q->iterates + (size_t)l * members;
            double product = 0;
            for (size_t i = 0; i < members; i++)
                product += (x[members + i] - x[i]) * (y[members + i] - y[i]);
            m[k][l] = m[l][k] = product;
        }
    for (int k = 0; k < DEPTH; k++)
        trace += m[k][k];
    for (int k = 0; k < DEPTH; k++)
        m[k][k] += DEPTH_RIDGE * trace;
    if (!(trace > 0) || !solve_ones(m, c))
        return false;
    for (int k = 0; k < DEPTH; k++)
        sum += c[k];
    for (int k = 0; k < DEPTH; k++)
        c[k] /= sum;
    return isfinite(sum) && sum != 0;
}

/* Replaces the oldest iterate by the combination. */
static void combine(group_model *q, size_t members, const double c[DEPTH])
{
    for (size_t i = 0; i < members; i++) {
        double value = 0;
        for (int k = 0; k < DEPTH; k++)
            value += c[k] * q->iterates[(size_t)(k + 1) * members + i];
        q->iterates[i] = value;
    }
}

/* The effect of moving the working set to the values in place of the oldest iterate: on the
 * predictions to `column`, on the centring to *shift. Returns the change of the penalty. */
static double propose(group_state *s, size_t members, double *shift)
{
    group_model *q = s->model;
    const double *proposal = q->iterates, *last = q->iterates + DEPTH * members;
    double penalty = 0;
    *shift = 0;
    memset(q->column, 0, s->problem.n * sizeof *q->column);
    for (size_t k = 0, at = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k], start = s->problem.penalty->starts[b],
               count = group_size(s, b);
        penalty += group_value(s->problem.penalty, b, proposal + at) -
                   group_value(s->problem.penalty, b, last + at);
        for (size_t i = 0; i < count; i++, at++) {
            double change = (proposal[at] - last[at]) * s->problem.scale[start + i];
            if (change == 0)
                continue;
            tm_matrix_axpy(s->problem.x, s->problem.features[start + i], change, q->column);
            *shift += change * q->means[start + i];
        }
    }
    return s->lambda * penalty;
}

/* The model's change for the proposal: minus the inner product with the residual, plus half the
 * quadratic term. */
static double model_change(const group_state *s, double shift)
{
    const group_model *q = s->model;
    double sum = 0;
    for (size_t i = 0; i < s->problem.n; i++) {
        double step = q->column[i] - shift, r = q->r[i] + q->shift * q->h[i];
        sum += step * (q->h[i] * step / 2 - r);
    }
    return sum;
}

static void accept(group_state *s, double shift)
{
    group_model *q = s->model;
    const double *from = q->iterates;
    for (size_t k = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k], count = group_size(s, b);
        memcpy(s->u + s->problem.penalty->starts[b], from, count * sizeof *from);
        from += count;
    }
    for (size_t i = 0; i < s->problem.n; i++)
        q->r[i] -= q->h[i] * q->column[i];
    q->shift += shift;
}

/* Whether there is memory for the iterates; without it no other point is tried. */
static bool have_iterates(group_model *q, size_t members)
{
    if (q->iterates_count == 0 && members > q->iterates_room) {
        free(q->iterates);
        q->iterates = mem_array((DEPTH + 1) * members, sizeof *q->iterates);
        q->iterates_room = q->iterates ? members : 0;
    }
    return members > 0 && members <= q->iterates_room;
}

/* Moves to the proposal if the model is lower there by more than `least`. */
static bool try_proposal(group_state *s, size_t members, double least, solve_progress *progress)
{
    double shift, penalty = propose(s, members, &shift);
    progress->columns += members;
    progress_work(progress, (uint64_t)members * s->problem.n);
    if (!(penalty + model_change(s, shift) < -least))
        return false;
    accept(s, shift);
    return true;
}

/* Stores the iterate after each epoch; when there are enough, moves to the extrapolated point if
 * the model is lower there. */
static void extrapolate(group_state *s, solve_progress *progress)
{
    group_model *q = s->model;
    size_t members = group_working_members(s);
    if (!have_iterates(q, members))
        return;
    double c[DEPTH];
    pack(s, q->iterates + q->iterates_count++ * members);
    if (q->iterates_count <= DEPTH)
        return;
    q->iterates_count = 0;
    if (!combination(q, members, c))
        return;
    combine(q, members, c);
    try_proposal(s, members, 0, progress);
}

/* ---- all nonzero groups at once ----------------------------------------------------------------
 */

/* Now and then, when epochs have cost more than this does: moves to the model's minimum on nonzero
 * groups, unless it is higher than rounding errors explain. */
static void move_jointly(group_state *s, solve_progress *progress)
{
    group_model *q = s->model;
    size_t members = group_working_members(s);
    if (s->epochs < q->joint) {
        q->joint = 0;
        q->wait = JOINT_AFTER;
    }
    if (s->epochs - q->joint < q->wait + (long)members)
        return;
    q->iterates_count = 0;
    if (!have_iterates(q, members))
        return;
    q->joint = s->epochs;
    pack(s, q->iterates + DEPTH * members);
    if (!group_support_minimise(s, q->iterates, progress) ||
        !try_proposal(s, members, -GAP_LOST * s->null.objective, progress))
        q->wait *= 2;
}

/* ---- the step ---------------------------------------------------------------------------------
 */

/* Writes the change of the predictions due to u - before, including the intercept, to dz. Returns
 * the change of the penalty. */
static double find_direction(const group_state *s, double *db)
{
    group_model *q = s->model;
    double penalty = 0;
    *db = 0;
    memset(q->dz, 0, s->problem.n * sizeof *q->dz);
    for (size_t k = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k], start = s->problem.penalty->starts[b];
        penalty += group_value(s->problem.penalty, b, s->u + start) -
                   group_value(s->problem.penalty, b, q->before + start);
        for (size_t m = start; m < s->problem.penalty->starts[b + 1]; m++) {
            double d = (s->u[m] - q->before[m]) * s->problem.scale[m];
            if (d == 0)
                continue;
            tm_matrix_axpy(s->problem.x, s->problem.features[m], d, q->dz);
            *db -= d * q->means[m];
        }
    }
    for (size_t i = 0; *db != 0 && i < s->problem.n; i++)
        q->dz[i] += *db;
    return s->lambda * penalty;
}

static double penalty_at(const group_state *s, double t)
{
    const group_model *q = s->model;
    double penalty = 0;
    for (size_t k = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k], start = s->problem.penalty->starts[b],
               count = group_size(s, b);
        for (size_t i = 0; i < count; i++) {
            double from = q->before[start + i];
            s->room[i] = from + t * (s->u[start + i] - from);
        }
        penalty += group_value(s->problem.penalty, b, s->room);
    }
    return s->lambda * penalty;
}

/* Uses the model's `column` as scratch for the predictions. */
static double loss_at(const group_state *s, double t)
{
    group_model *q = s->model;
    for (size_t i = 0; i < s->problem.n; i++)
        q->column[i] = s->z[i] + t * q->dz[i];
    return samples_loss(&s->problem.of, q->column);
}

static double objective_at(double t, void *payload)
{
    const group_state *s = payload;
    return loss_at(s, t) + penalty_at(s, t);
}

/* The model of a quadratic loss is the loss itself, so that the whole step minimises it. */
static double step_length(group_state *s, double penalty_change)
{
    if (s->problem.loss->quadratic)
        return 1;
    double predicted = penalty_change, reached;
    for (size_t i = 0; i < s->problem.n; i++)
        predicted -= s->a[i] * s->model->dz[i];
    return line_search_halve(
        &(line_search){objective_at, s, objective_at(0, s), predicted, &s->model->unproven},
        &reached);
}

/* A whole step copies the values, so that zeros stay exact. */
static double take_step(group_state *s, double t, double db)
{
    const group_model *q = s->model;
    double greatest = 0;
    for (size_t k = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k];
        double squares = 0;
        for (size_t m = s->problem.penalty->starts[b]; m < s->problem.penalty->starts[b + 1]; m++) {
            if (t < 1)
                s->u[m] = q->before[m] + t * (s->u[m] - q->before[m]);
            squares += (s->u[m] - q->before[m]) * (s->u[m] - q->before[m]) * s->problem.squares[m];
        }
        greatest = fmax(greatest, sqrt(squares));
    }
    double shift = 0;
    for (size_t i = 0; i < s->problem.n; i++)
        s->z[i] += t * q->dz[i];
    if (s->problem.intercept)
        shift = samples_best_shift(&s->problem.of, s->z, 0);
    s->b += t * db + shift;
    for (size_t i = 0; i < s->problem.n; i++)
        s->z[i] += shift;
    samples_dual_variables(&s->problem.of, s->z, s->a);
    return greatest;
}

double group_sweep(group_state *s, long epochs, solve_progress *progress)
{
    double first = INFINITY, db;
    if (!group_model_build(s, progress))
        return INFINITY;
    for (long k = 0; k < epochs && s->epochs < s->settings.max_iter && !progress->stopped; k++) {
        double change = model_epoch(s, progress);
        first = k == 0 ? change : first;
        if (change <= (s->problem.loss->quadratic ? 0 : INNER_CHANGE * first))
            break;
        extrapolate(s, progress);
    }
    if (!progress->stopped)
        move_jointly(s, progress);
    double penalty = find_direction(s, &db);
    double change = take_step(s, step_length(s, penalty), db);
    progress_work(progress, 4 * s->problem.n);
    return change;
}
