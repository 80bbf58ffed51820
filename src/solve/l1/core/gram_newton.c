/* Newton's method with fixed signs on a set of features with their Gram matrix: steps to the
 * minimum of the quadratic on the support, truncated when a weight would change its sign. */
#include "data/matrix/kernels.h"
#include "solve/l1/core/gram_set.h"
#include "solve/l1/core/tuning.h"

#include <math.h>
#include <string.h>

/* Lists the features that Newton steps change: those with a weight, and unpenalised ones. */
static size_t find_support(set_problem *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        bool moves =
            q->w[k] != 0 ? !gram_set_at_limit(q, k) : q->p->factors[k] == 0 && !q->p->lower;
        if (moves)
            q->support[count++] = k;
    }
    return count;
}

static double norm_at(const set_problem *q, size_t a)
{
    return sqrt(gram_set_square(q, q->support[a]));
}

/* The lower triangle of G_SS, scaled to a unit diagonal so that badly scaled features do not look
 * dependent. */
static void load_matrix(set_problem *q, size_t count)
{
    for (size_t a = 0; a < count; a++)
        q->right[a] = 1 / norm_at(q, a);
    for (size_t b = 0; b < count; b++) {
        const double *column = gram_set_column(q, q->support[b]);
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
static size_t factorise(set_problem *q, size_t count, bool expect_dependent)
{
    lapack_int n = (lapack_int)count, rank = 0;
    load_matrix(q, count);
    if (!expect_dependent) {
        if (factorise_unpivoted(q, count))
            return count;
        load_matrix(q, count);
    }
    if (LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', n, q->matrix, n, q->order, &rank, DEPENDENT) < 0)
        return 0;
    for (size_t a = 0; a < count; a++)
        q->spare[a] = q->support[q->order[a] - 1];
    memcpy(q->support, q->spare, count * sizeof *q->support);
    return (size_t)rank;
}

/* Solves G_RR v = right for the first `rank` features of the support, in place. */
static bool solve_factored(set_problem *q, size_t leading, size_t rank)
{
    for (size_t a = 0; a < rank; a++)
        q->right[a] /= norm_at(q, a);
    lapack_int info = LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)rank, 1, q->matrix,
                                          (lapack_int)leading, q->right, (lapack_int)rank);
    for (size_t a = 0; a < rank; a++)
        q->right[a] /= norm_at(q, a);
    return info == 0;
}

/* The end of a move for one weight: zero, if the penalty has its kink there, or a limit. */
typedef struct move_end {
    size_t blocking; /* the feature that stops the move; count: none does */
    double at;
} move_end;

/* Moves w_S by share * right; the blocking feature ends exactly at its end. */
static void move(set_problem *q, size_t count, double share, const move_end *end)
{
    for (size_t a = 0; a < count; a++)
        q->w[q->support[a]] += share * q->right[a];
    if (end->blocking < count)
        q->w[q->support[end->blocking]] = end->at;
}

/* The greatest length along `right`, at most `share`, before a weight reaches zero or a limit, and
 * which weight does. */
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
        const double *column = gram_set_column(q, k);
        double sum = q->p->ridge ? q->p->ridge[k] * q->right[a] : 0;
        for (size_t b = 0; b < count; b++)
            sum += column[q->support[b]] * q->right[b];
        square += q->right[a] * sum;
    }
    return square;
}

/* Takes the whole step with the weights that would change sign set to zero, if the objective
 * decreases: many features leave at the cost of one factorisation. */
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

/* For independent columns, whose factor has this leading dimension: moves towards the minimum for
 * these signs. True when it was reached. */
static bool step_to_minimum(set_problem *q, size_t leading, size_t count)
{
    move_end end;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->support[a];
        q->right[a] = q->gradient[k] - q->p->lambda * q->p->factors[k] * copysign(1, q->w[k]);
    }
    if (!solve_factored(q, leading, count))
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

/* Exchanges a dependent feature with the first one, and their combinations. */
static void exchange(set_problem *q, size_t count, size_t rank, size_t a)
{
    size_t feature = q->support[a];
    q->support[a] = q->support[rank];
    q->support[rank] = feature;
    double *one = q->matrix + a * count, *other = q->matrix + rank * count;
    for (size_t k = 0; k < rank; k++) {
        double kept = one[k];
        one[k] = other[k];
        other[k] = kept;
    }
}

/* Writes each of the columns beyond the first `rank` as a combination of those, in place of what
 * the factorisation has left in its columns of the matrix. */
static bool find_combinations(set_problem *q, size_t count, size_t rank)
{
    for (size_t a = 0; a < rank; a++)
        q->right[a] = norm_at(q, a);
    for (size_t d = rank; d < count; d++) {
        const double *column = gram_set_column(q, q->support[d]);
        for (size_t a = 0; a < rank; a++)
            q->matrix[d * count + a] = column[q->support[a]] / q->right[a];
    }
    lapack_int info = LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)rank,
                                          (lapack_int)(count - rank), q->matrix, (lapack_int)count,
                                          q->matrix + rank * count, (lapack_int)count);
    for (size_t d = rank; d < count; d++)
        for (size_t a = 0; a < rank; a++)
            q->matrix[d * count + a] /= q->right[a];
    return info == 0;
}

/* The change of the penalty when one unit of weight moves from feature `rank` of the support to its
 * combination, as a share of the sum of its terms' sizes: what is within rounding of 0 is 0. */
static double penalty_slope(const set_problem *q, size_t rank)
{
    double slope = 0, sizes = 0;
    for (size_t a = 0; a <= rank; a++) {
        size_t k = q->support[a];
        double term = q->p->factors[k] * copysign(1, q->w[k]) * q->right[a];
        slope += term;
        sizes += fabs(term);
    }
    return fabs(slope) <= DEPENDENT * sizes ? 0 : slope;
}

static void turn_round(set_problem *q, size_t count)
{
    for (size_t a = 0; a < count; a++)
        q->right[a] = -q->right[a];
}

/* Feature `rank` of the support is a combination of those before it, so that weight can be moved
 * between them without changing the fit. Moves it in the direction that lowers the penalty until a
 * weight is zero: one feature leaves, whose place is *left. False when there is no such direction.
 * When both directions are possible, the factor remains useful if the dependent feature itself
 * leaves; otherwise the shorter one has less rounding error. */
static bool drop_dependent(set_problem *q, size_t count, size_t rank, size_t *left)
{
    move_end end;
    memcpy(q->right, q->matrix + rank * count, rank * sizeof *q->right);
    q->right[rank] = -1;
    double slope = penalty_slope(q, rank);
    if (slope > 0)
        turn_round(q, rank + 1);
    double share = longest_move(q, rank + 1, INFINITY, &end);
    if (slope == 0 && end.blocking != rank) {
        move_end other;
        turn_round(q, rank + 1);
        double back = longest_move(q, rank + 1, INFINITY, &other);
        if (other.blocking == rank || back < share) {
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

/* Feature `rank` of the support takes the place of the basis feature `left`: the combinations from
 * `first` on are rewritten. False when that would lose their digits. */
static bool pivot(set_problem *q, size_t count, size_t rank, size_t left, size_t first)
{
    const double *entering = q->matrix + rank * count;
    double element = entering[left];
    if (!(fabs(element) * norm_at(q, left) > LEAST_PIVOT * norm_at(q, rank)))
        return false;
    for (size_t e = first; e < count; e++) {
        double *column = q->matrix + e * count, share = column[left] / element;
        kernel_axpy(-share, entering, column, rank);
        column[left] = share;
    }
    size_t gone = q->support[left];
    q->support[left] = q->support[rank];
    q->support[rank] = gone;
    return true;
}

typedef enum removal {
    REMOVED_NONE,
    REMOVED_SOME, /* the factor is no longer that of the support */
    REMOVED_ALL   /* the factor is that of the support: its first `rank` features */
} removal;

/* Removes dependent columns one after the other at the cost of one factorisation. */
static removal remove_dependent(set_problem *q, size_t count, size_t rank)
{
    removal done = REMOVED_NONE;
    bool changed = false;
    if (!find_combinations(q, count, rank))
        return REMOVED_NONE;
    for (size_t d = rank; d < count; d++) {
        size_t left;
        exchange(q, count, rank, d);
        if (!drop_dependent(q, count, rank, &left))
            return done;
        done = REMOVED_SOME;
        if (left < rank) {
            changed = true;
            if (!pivot(q, count, rank, left, d + 1))
                return done;
        }
    }
    return changed ? REMOVED_SOME : REMOVED_ALL;
}

void gram_set_newton_steps(set_problem *q)
{
    bool expect_dependent = q->dependent; /* epochs bring back what an earlier call removed */
    for (long steps = 0; steps < q->steps_most; expect_dependent = false) {
        size_t count = find_support(q);
        if (count == 0 || count > GRAM_MAX_NEWTON)
            return;
        size_t rank = factorise(q, count, expect_dependent);
        if (rank == 0)
            return;
        q->dependent |= rank < count;
        removal removed = rank < count ? remove_dependent(q, count, rank) : REMOVED_ALL;
        bool done = removed == REMOVED_NONE;
        if (removed == REMOVED_ALL) {
            gram_set_find_gradient(q);
            done = step_to_minimum(q, count, rank);
            steps++;
        }
        uint64_t work = (uint64_t)count * count * count / 3;
        q->worked += (double)work;
        q->p->exceeded = q->p->work > 0 && q->worked > q->p->work;
        if (progress_work(q->p->progress, work) || done || q->p->exceeded)
            return;
    }
}
