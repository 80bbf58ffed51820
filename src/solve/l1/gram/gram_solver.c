#include "solve/l1/gram/gram_solver.h"

#include "base/memory.h"
#include "base/numeric/soft_threshold.h"
#include "data/matrix/kernels.h"
#include "solve/l1/gram/gram_factor.h"
#include "solve/l1/gram/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values -------------------------------------------------------------------------------- */

/* Columns with a weight four at a time: the gradient is read and written once for them. */
void gram_set_find_gradient(set_problem *q)
{
    const double *columns[4];
    double weights[4];
    int waiting = 0;
    size_t count = q->p->count;
    memcpy(q->gradient, q->p->linear, count * sizeof *q->gradient);
    for (size_t k = 0; k < count; k++) {
        if (q->w[k] == 0)
            continue;
        columns[waiting] = gram_set_column(q, k);
        weights[waiting++] = -q->w[k];
        if (waiting == 4) {
            kernel_axpy4(weights, columns, q->gradient, count);
            waiting = 0;
        }
    }
    for (int i = 0; i < waiting; i++)
        kernel_axpy(weights[i], columns[i], q->gradient, count);
    for (size_t k = 0; q->p->ridge && k < count; k++)
        q->gradient[k] -= q->w[k] * q->p->ridge[k];
    q->current = true;
}

/* Parts of the gap on the set, computed as for least squares: with g = X'(y - Xw),  r'r = y'y -
 * w'X'y - w'g and y'r = y'y - w'X'y. */
typedef struct set_value {
    double primal, rr, ry;
} set_value;

static set_value value_of(const set_problem *q)
{
    double wxy = 0, wg = 0, penalty = 0;
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        wxy += q->w[k] * q->p->linear[k];
        wg += q->w[k] * q->gradient[k];
        penalty += q->p->factors[k] * fabs(q->w[k]);
    }
    double rr = q->p->constant - wxy - wg; /* may be negative for a model of another loss */
    return (set_value){rr / 2 + q->p->lambda * penalty, fmax(rr, 0), q->p->constant - wxy};
}

/* Whether an unpenalised feature can still move; a product that is only a rounding error is removed
 * from the dual point later. */
static bool must_move(const set_problem *q, size_t k, double limit)
{
    return q->p->factors[k] == 0 && isinf(limit) &&
           fabs(q->gradient[k]) > DEPENDENT * sqrt(gram_set_square(q, k) * q->p->constant);
}

/* The greatest scale that violates no constraint, and the cost of exceeding limits at scale 1. */
static double most_scale(const set_problem *q, double *cost)
{
    double greatest = 0;
    *cost = 0;
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        double size = fabs(q->gradient[k]), factor = q->p->factors[k], limit = INFINITY;
        if (q->p->lower)
            limit = q->gradient[k] > 0 ? q->p->upper[k] : -q->p->lower[k];
        if (must_move(q, k, limit))
            return 0;
        if (isinf(limit))
            greatest = factor > 0 ? fmax(greatest, size / factor) : greatest;
        else
            *cost += limit * fmax(size - q->p->lambda * factor, 0);
    }
    return greatest > 0 ? q->p->lambda / greatest : INFINITY;
}

static double set_gap(const set_problem *q)
{
    set_value v = value_of(q);
    double cost, most = most_scale(q, &cost), best = v.rr > 0 ? v.ry / v.rr : 0;
    double scale = fmin(fmax(best, -most), most);
    if (q->p->lower) /* the cost is that of scale 1, the best at the optimum: 0 below if 0 there */
        scale = cost > 0 ? fmin(1, most) : fmin(fmax(best, 0), fmin(1, most));
    return v.primal - (scale * v.ry - scale * scale * v.rr / 2 - cost);
}

/* ---- coordinate minimisation ---------------------------------------------------------------- */

static void change(set_problem *q, size_t k, double d)
{
    q->w[k] += d;
    kernel_axpy(-d, gram_set_column(q, k), q->gradient, q->p->count);
    if (q->p->ridge)
        q->gradient[k] -= d * q->p->ridge[k];
}

/* Minimises over one weight; returns the change. */
static double update(set_problem *q, size_t k)
{
    double square = gram_set_square(q, k);
    double target = q->w[k] + q->gradient[k] / square;
    double next = soft_threshold(target, q->p->lambda * q->p->factors[k] / square);
    if (q->p->lower)
        next = fmin(fmax(next, q->p->lower[k]), q->p->upper[k]);
    double d = next - q->w[k];
    q->p->progress->updates++;
    if (d != 0) {
        change(q, k, d);
        if (next == 0 || q->p->lower)
            q->w[k] = next;
    }
    return d;
}

/* One epoch over the set; returns the greatest change |d| |x_j|, squared. */
static double epoch(set_problem *q)
{
    double greatest = 0;
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        double d = update(q, k);
        greatest = fmax(greatest, d * d * gram_set_square(q, k));
        if (progress_work(q->p->progress, q->p->count))
            break;
    }
    q->current = false;
    q->p->epochs++;
    return greatest;
}

/* Part of an epoch: the weights that Newton steps do not change. Those of features that violate
 * their constraint become nonzero. */
static void enter(set_problem *q)
{
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        if (gram_set_moves(q, k) ||
            (q->w[k] == 0 && fabs(q->gradient[k]) <= q->p->lambda * q->p->factors[k]))
            continue;
        update(q, k);
        if (progress_work(q->p->progress, q->p->count))
            break;
    }
    q->p->epochs++;
}

static void epochs(set_problem *q)
{
    double first = 0;
    size_t most = GRAM_EPOCHS + q->p->set_count / GRAM_FEATURES_AN_EPOCH;
    for (size_t k = 0; k < most && !q->p->progress->stopped; k++) {
        double greatest = epoch(q);
        first = k == 0 ? greatest : first;
        if (greatest <= GRAM_EPOCH_CHANGE * GRAM_EPOCH_CHANGE * first)
            return;
    }
}

/* ---- Newton with fixed signs ---------------------------------------------------------------- */

/* In exact arithmetic steps only lower the objective; when rounding makes them raise it they are
 * undone. */
static void newton(set_problem *q)
{
    size_t bytes = q->p->count * sizeof *q->w;
    double before = value_of(q).primal;
    memcpy(q->kept, q->w, bytes);
    gram_set_newton_steps(q);
    if (!q->current)
        gram_set_find_gradient(q);
    if (value_of(q).primal <= before)
        return;
    memcpy(q->w, q->kept, bytes);
    gram_set_find_gradient(q);
}

/* ---- the set ------------------------------------------------------------------------------- */

/* Alternates epochs and Newton steps until the gap on the set is at most `goal`, or the objective
 * decreases no more: then rounding is the limit, or the certificate will show what is missing. From
 * a point that is near the answer, Newton steps come first, and what is left of epochs are the
 * features that violate their constraint. */
static void solve_set(set_problem *q, double goal)
{
    double last = INFINITY;
    long rounds = q->p->rounds;
    bool near = q->p->factor && gram_set_moving(q) > 0;
    gram_set_find_gradient(q);
    if (near && set_gap(q) > goal)
        newton(q);
    for (int round = 0;
         !q->p->progress->stopped && q->p->epochs < q->p->max_epochs && set_gap(q) > goal;
         round++) {
        if (near && round < ENTERING_ROUNDS)
            enter(q);
        else
            epochs(q);
        newton(q);
        q->steps_most = q->steps_most < GRAM_MAX_STEPS ? 2 * q->steps_most : GRAM_MAX_STEPS;
        double primal = value_of(q).primal;
        if (primal >= last - LEAST_DECREASE * q->p->constant || --rounds == 0 || q->p->exceeded)
            return;
        last = primal;
    }
}

static tm_status allocate(set_problem *q, tm_error *err)
{
    size_t count = q->p->count, space = q->p->set_count;
    size_t most = space < GRAM_MAX_NEWTON ? space : GRAM_MAX_NEWTON;
    q->gradient = mem_array(count, sizeof *q->gradient);
    q->kept = mem_array(count, sizeof *q->kept);
    q->held = mem_zeros(count, sizeof *q->held);
    q->right = mem_array(most, sizeof *q->right);
    q->asked = mem_array(most, sizeof *q->asked);
    q->trial = mem_array(most, sizeof *q->trial);
    q->spare = mem_array(most, sizeof *q->spare);
    q->order = mem_array(most, sizeof *q->order);
    q->pivoting = mem_array(2 * most, sizeof *q->pivoting);
    q->factor = q->p->factor ? q->p->factor : gram_factor_open();
    if (q->gradient && q->kept && q->held && q->right && q->asked && q->trial && q->spare &&
        q->order && q->pivoting && q->factor)
        return gram_factor_reserve(q->factor, most, err);
    return tm_fail_memory(err, "the working set");
}

static void release(set_problem *q)
{
    free(q->gradient);
    free(q->kept);
    free(q->held);
    free(q->right);
    free(q->asked);
    free(q->trial);
    free(q->spare);
    free(q->order);
    free(q->pivoting);
    if (!q->p->factor)
        gram_factor_free(q->factor);
}

tm_status gram_problem_solve(gram_problem *problem, double goal, tm_error *err)
{
    set_problem q = {.p = problem, .w = problem->w, .steps_most = GRAM_STEPS};
    tm_status status = allocate(&q, err);
    if (status == TM_OK)
        solve_set(&q, goal);
    release(&q);
    return status;
}
