#include "solve/l1/core/gram_solver.h"
#include "solve/l1/core/tuning.h"

#include "base/memory.h"
#include "base/numeric/soft_threshold.h"
#include "data/matrix/kernels.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct set_problem {
    gram_problem *p;
    double *w;               /* p->w */
    double *gradient;        /* count: linear - G w */
    double *kept;            /* count: w before the Newton steps */
    double *matrix, *right;  /* the Newton system */
    double *trial;           /* its solution while a projected step is tried */
    size_t *support, *spare; /* places with a nonzero weight */
    lapack_int *order;       /* the factorisation's pivots, from 1 */
    long steps_most;         /* Newton steps in a row */
    double worked;           /* multiply-adds of all of them */
} set_problem;

static const double *column_at(const set_problem *q, size_t k)
{
    return q->p->products + k * q->p->capacity;
}

static double square_at(const set_problem *q, size_t k)
{
    return column_at(q, k)[k] + (q->p->ridge ? q->p->ridge[k] : 0);
}

/* Whether the weight is at a limit other than 0. */
static bool at_limit(const set_problem *q, size_t k)
{
    return q->p->lower && q->w[k] != 0 && (q->w[k] == q->p->lower[k] || q->w[k] == q->p->upper[k]);
}

/* ---- values -------------------------------------------------------------------------------- */

static void find_gradient(set_problem *q)
{
    for (size_t k = 0; k < q->p->count; k++)
        q->gradient[k] = q->p->linear[k];
    for (size_t k = 0; k < q->p->count; k++) {
        if (q->w[k] == 0)
            continue;
        kernel_axpy(-q->w[k], column_at(q, k), q->gradient, q->p->count);
        if (q->p->ridge)
            q->gradient[k] -= q->w[k] * q->p->ridge[k];
    }
}

/* What the gap on the set is made of, read as least squares: with g = X'(y - Xw),  r'r = y'y -
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
    double rr = q->p->constant - wxy - wg; /* a model of another loss may have it below 0 */
    return (set_value){rr / 2 + q->p->lambda * penalty, fmax(rr, 0), q->p->constant - wxy};
}

/* Whether a feature without penalty still has somewhere to go; what rounding leaves of its product
 * is taken out of the dual point later. */
static bool must_move(const set_problem *q, size_t k, double limit)
{
    return q->p->lower && q->p->factors[k] == 0 && isinf(limit) &&
           fabs(q->gradient[k]) > GRAM_FREE_PRODUCT * sqrt(square_at(q, k) * q->p->constant);
}

/* The greatest scale at which no constraint is broken, and what exceeding limits costs at scale 1.
 */
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
    double cost, most = most_scale(q, &cost);
    if (cost > 0) { /* at the optimum the scale is 1; any dual point bounds the gap */
        double scale = fmin(1, most);
        return v.primal - (scale * v.ry - scale * scale * v.rr / 2 - cost);
    }
    double scale = v.rr > 0 ? fmin(fmax(v.ry / v.rr, -most), most) : 0;
    return v.primal - (scale * v.ry - scale * scale * v.rr / 2);
}

/* ---- coordinate minimisation ---------------------------------------------------------------- */

static void change(set_problem *q, size_t k, double d)
{
    q->w[k] += d;
    kernel_axpy(-d, column_at(q, k), q->gradient, q->p->count);
    if (q->p->ridge)
        q->gradient[k] -= d * q->p->ridge[k];
}

/* One epoch over the set; the greatest change |d| |x_j|, squared. */
static double epoch(set_problem *q)
{
    double greatest = 0;
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        double square = square_at(q, k);
        double target = q->w[k] + q->gradient[k] / square;
        double next = soft_threshold(target, q->p->lambda * q->p->factors[k] / square);
        if (q->p->lower)
            next = fmin(fmax(next, q->p->lower[k]), q->p->upper[k]);
        double d = next - q->w[k];
        q->p->progress->updates++;
        if (d != 0) {
            change(q, k, d);
            greatest = fmax(greatest, d * d * square);
            if (next == 0 || q->p->lower)
                q->w[k] = next;
        }
        if (progress_work(q->p->progress, q->p->count))
            break;
    }
    q->p->epochs++;
    return greatest;
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

/* ---- Newton with fixed signs --------------------------------------------------------------- */

/* The features that Newton steps move: those with a weight, and those without a penalty. */
static size_t find_support(set_problem *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        bool moves = q->w[k] != 0 ? !at_limit(q, k) : q->p->factors[k] == 0 && !q->p->lower;
        if (moves)
            q->support[count++] = k;
    }
    return count;
}

static double norm_at(const set_problem *q, size_t a)
{
    return sqrt(square_at(q, q->support[a]));
}

/* The lower triangle of G_SS, scaled to a unit diagonal so that badly scaled features do not look
 * dependent. */
static void load_matrix(set_problem *q, size_t count)
{
    for (size_t a = 0; a < count; a++)
        q->right[a] = 1 / norm_at(q, a);
    for (size_t b = 0; b < count; b++) {
        const double *column = column_at(q, q->support[b]);
        for (size_t a = b; a < count; a++)
            q->matrix[b * count + a] = column[q->support[a]] * q->right[a] * q->right[b];
        if (q->p->ridge)
            q->matrix[b * count + b] = 1;
    }
}

/* Whether Cholesky without pivoting found all columns independent; its pivots are the factor's
 * diagonal. */
static bool factorise_unpivoted(set_problem *q, size_t count)
{
    lapack_int n = (lapack_int)count;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, q->matrix, n) != 0)
        return false;
    for (size_t a = 0; a < count; a++) {
        double pivot = q->matrix[a * count + a];
        if (!(pivot * pivot > DEPENDENT))
            return false;
    }
    return true;
}

/* Cholesky of G_SS, with pivoting when columns are dependent. The support is then reordered: its
 * first `rank` features are independent, and the factor of their block is in `matrix`, with leading
 * dimension count. */
static size_t factorise(set_problem *q, size_t count)
{
    lapack_int n = (lapack_int)count, rank = 0;
    load_matrix(q, count);
    if (factorise_unpivoted(q, count))
        return count;
    load_matrix(q, count);
    if (LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', n, q->matrix, n, q->order, &rank, DEPENDENT) < 0)
        return 0;
    for (size_t a = 0; a < count; a++)
        q->spare[a] = q->support[q->order[a] - 1];
    memcpy(q->support, q->spare, count * sizeof *q->support);
    return (size_t)rank;
}

/* Solves G_RR v = right for the first `rank` features of the support, in place. */
static bool solve_factored(set_problem *q, size_t count, size_t rank)
{
    for (size_t a = 0; a < rank; a++)
        q->right[a] /= norm_at(q, a);
    lapack_int info = LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)rank, 1, q->matrix,
                                          (lapack_int)count, q->right, (lapack_int)rank);
    for (size_t a = 0; a < rank; a++)
        q->right[a] /= norm_at(q, a);
    return info == 0;
}

/* Where a move may end for one weight: at zero if the penalty has its kink there, or at a limit. */
typedef struct move_end {
    size_t blocking; /* the feature that stops the move; count: none does */
    double at;
} move_end;

/* Moves w_S by share * right; the feature that stops the move ends exactly where it stops. */
static void move(set_problem *q, size_t count, double share, const move_end *end)
{
    for (size_t a = 0; a < count; a++)
        q->w[q->support[a]] += share * q->right[a];
    if (end->blocking < count)
        q->w[q->support[end->blocking]] = end->at;
}

/* How far w_S can go along `right`, at most `share`, before a weight reaches zero or a limit, and
 * which. */
static double longest_move(const set_problem *q, size_t count, double share, move_end *end)
{
    end->blocking = count;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->support[a];
        double w = q->w[k], d = q->right[a];
        if (q->p->factors[k] > 0 && w * d < 0 && -w / d <= share) {
            share = -w / d;
            *end = (move_end){a, 0};
        }
        double limit = !q->p->lower || d == 0 ? INFINITY : d > 0 ? q->p->upper[k] : q->p->lower[k];
        if (isfinite(limit) && (limit - w) / d < share) {
            share = (limit - w) / d;
            *end = (move_end){a, limit};
        }
    }
    return share;
}

/* right'G right, with the ridge. */
static double square_of(const set_problem *q, size_t count)
{
    double square = 0;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->support[a];
        const double *column = column_at(q, k);
        double sum = q->p->ridge ? q->p->ridge[k] * q->right[a] : 0;
        for (size_t b = 0; b < count; b++)
            sum += column[q->support[b]] * q->right[b];
        square += q->right[a] * sum;
    }
    return square;
}

/* The whole step with the weights that would change their sign left at zero, if the objective
 * decreases: many features leave for the price of one factorisation. */
static bool project(set_problem *q, size_t count)
{
    double change = 0;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->support[a];
        double w = q->w[k], next = w + q->right[a];
        if (q->p->factors[k] > 0 && w * next <= 0)
            q->right[a] = -w;
        change += q->p->lambda * q->p->factors[k] * (fabs(w + q->right[a]) - fabs(w)) -
                  q->gradient[k] * q->right[a];
    }
    if (!(change + square_of(q, count) / 2 < 0))
        return false;
    for (size_t a = 0; a < count; a++) /* w - w is exactly 0 */
        q->w[q->support[a]] += q->right[a];
    return true;
}

/* Independent columns: towards the minimum for these signs. True when it got all the way. */
static bool step_to_minimum(set_problem *q, size_t count)
{
    move_end end;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->support[a];
        q->right[a] = q->gradient[k] - q->p->lambda * q->p->factors[k] * copysign(1, q->w[k]);
    }
    if (!solve_factored(q, count, count))
        return true;
    double share = longest_move(q, count, 1, &end);
    if (end.blocking < count && !q->p->lower) {
        memcpy(q->trial, q->right, count * sizeof *q->trial);
        if (project(q, count))
            return false;
        memcpy(q->right, q->trial, count * sizeof *q->trial);
    }
    move(q, count, share, &end);
    return end.blocking == count;
}

static void turn_round(set_problem *q, size_t count)
{
    for (size_t a = 0; a < count; a++)
        q->right[a] = -q->right[a];
}

/* x_d, d = support[rank], is a combination of the first `rank` columns, so weight can be moved
 * between them without changing the fit. It moves in the direction that lowers the penalty until a
 * weight is zero: one feature less, whose place is *left. False when there is no such direction. */
static bool drop_dependent(set_problem *q, size_t count, size_t rank, size_t *left)
{
    size_t d = q->support[rank];
    move_end end;
    const double *column = column_at(q, d);
    for (size_t a = 0; a < rank; a++)
        q->right[a] = column[q->support[a]];
    if (!solve_factored(q, count, rank))
        return false;
    double slope = q->p->factors[d] * copysign(1, q->w[d]);
    for (size_t a = 0; a < rank; a++) {
        size_t k = q->support[a];
        slope -= q->p->factors[k] * copysign(1, q->w[k]) * q->right[a];
    }
    q->right[rank] = -1;
    if (!(slope > 0))
        turn_round(q, rank + 1);
    double share = longest_move(q, rank + 1, INFINITY, &end);
    if (slope ==
        0) { /* features without penalty: either way will do, and the shorter rounds less */
        move_end other;
        turn_round(q, rank + 1);
        double back = longest_move(q, rank + 1, INFINITY, &other);
        if (back < share) {
            share = back;
            end = other;
        } else {
            turn_round(q, rank + 1);
        }
    }
    if (end.blocking > rank)
        return false;
    move(q, rank + 1, share, &end);
    *left = end.blocking;
    return true;
}

/* Dependent columns leave one after the other for the price of one factorisation, until one of the
 * first `rank` does: then the factor is no longer the support's. False when none could leave. */
static bool step_to_independence(set_problem *q, size_t count, size_t rank)
{
    bool any = false;
    for (size_t d = rank; d < count; d++) {
        size_t left, dependent = q->support[d];
        q->support[d] = q->support[rank];
        q->support[rank] = dependent;
        if (!drop_dependent(q, count, rank, &left))
            return any;
        any = true;
        if (left < rank)
            return true;
    }
    return any;
}

/* Steps to independence are not counted: each leaves fewer features, and with dependent ones there
 * is no other. */
static void newton_steps(set_problem *q)
{
    for (long steps = 0; steps < q->steps_most;) {
        size_t count = find_support(q);
        if (count == 0 || count > GRAM_MAX_NEWTON)
            return;
        size_t rank = factorise(q, count);
        if (rank == 0)
            return;
        bool done;
        if (rank < count) {
            done = !step_to_independence(q, count, rank);
        } else {
            find_gradient(q);
            done = step_to_minimum(q, count);
            steps++;
        }
        uint64_t work = (uint64_t)count * count * count / 3;
        q->worked += (double)work;
        q->p->exceeded = q->p->work > 0 && q->worked > q->p->work;
        if (progress_work(q->p->progress, work) || done || q->p->exceeded)
            return;
    }
}

/* Steps in exact arithmetic only lower the objective; where rounding makes them raise it they are
 * taken back. */
static void newton(set_problem *q)
{
    size_t bytes = q->p->count * sizeof *q->w;
    double before = value_of(q).primal;
    memcpy(q->kept, q->w, bytes);
    newton_steps(q);
    find_gradient(q);
    if (value_of(q).primal <= before)
        return;
    memcpy(q->w, q->kept, bytes);
    find_gradient(q);
}

/* ---- the set ------------------------------------------------------------------------------- */

/* Epochs and Newton steps in turns until the gap on the set is at most `goal`, or the objective
 * decreases no more: then rounding is the limit, or the certificate will show what is missing. */
static void solve_set(set_problem *q, double goal)
{
    double last = INFINITY;
    long rounds = q->p->rounds;
    find_gradient(q);
    while (!q->p->progress->stopped && q->p->epochs < q->p->max_epochs && set_gap(q) > goal) {
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
    size_t count = q->p->count;
    size_t most = q->p->set_count < GRAM_MAX_NEWTON ? q->p->set_count : GRAM_MAX_NEWTON;
    q->gradient = mem_array(count, sizeof *q->gradient);
    q->kept = mem_array(count, sizeof *q->kept);
    q->matrix = mem_array(most * most, sizeof *q->matrix);
    q->right = mem_array(most, sizeof *q->right);
    q->trial = mem_array(most, sizeof *q->trial);
    q->support = mem_array(q->p->set_count, sizeof *q->support);
    q->spare = mem_array(q->p->set_count, sizeof *q->spare);
    q->order = mem_array(most, sizeof *q->order);
    if (q->gradient && q->kept && q->matrix && q->right && q->trial && q->support && q->spare &&
        q->order)
        return TM_OK;
    return tm_fail_memory(err, "the working set");
}

static void release(set_problem *q)
{
    free(q->gradient);
    free(q->kept);
    free(q->matrix);
    free(q->right);
    free(q->trial);
    free(q->support);
    free(q->spare);
    free(q->order);
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
