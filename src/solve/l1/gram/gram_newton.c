/* Newton's method with fixed signs on a set of features with their Gram matrix: steps to the
 * minimum of the quadratic on the support, truncated when a weight would change its sign. */
#include "data/matrix/kernels.h"
#include "solve/l1/gram/gram_factor.h"
#include "solve/l1/gram/tuning.h"

#include <math.h>
#include <string.h>

size_t gram_set_moving(const set_problem *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->p->set_count; i++)
        count += gram_set_moves(q, q->p->set[i]);
    return count;
}

/* Lists them. */
static void find_support(set_problem *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->p->set_count; i++)
        if (gram_set_moves(q, q->p->set[i]))
            q->factor->support[count++] = q->p->set[i];
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
        q->w[q->factor->support[a]] += share * q->right[a];
    if (end->blocking < count)
        q->w[q->factor->support[end->blocking]] = end->at;
}

/* The greatest length along `right`, at most `share`, before a weight reaches zero or a limit, and
 * which weight does. */
static double longest_move(const set_problem *q, size_t count, double share, move_end *end)
{
    end->blocking = count;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->factor->support[a];
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
        size_t k = q->factor->support[a];
        const double *column = gram_set_column(q, k);
        double sum = q->p->ridge ? q->p->ridge[k] * q->right[a] : 0;
        for (size_t b = 0; b < count; b++)
            sum += column[q->factor->support[b]] * q->right[b];
        square += q->right[a] * sum;
    }
    return square;
}

/* right'G right after the entries of `right` at the places spare[0 .. changed-1] were changed by
 * the amounts in `trial`: before, G right was q->asked. */
static double changed_square(const set_problem *q, size_t count, size_t changed)
{
    double square = 0;
    for (size_t a = 0; a < count; a++)
        square += (q->right[a] + q->trial[a]) * q->asked[a];
    for (size_t k = 0; k < changed; k++) {
        size_t a = q->spare[k], place = q->factor->support[a];
        const double *column = gram_set_column(q, place);
        double sum = q->p->ridge ? q->p->ridge[place] * q->trial[a] : 0;
        for (size_t l = 0; l < changed; l++)
            sum += column[q->factor->support[q->spare[l]]] * q->trial[q->spare[l]];
        square += sum * q->trial[a];
    }
    return square;
}

/* Takes the whole step with the weights that would change sign set to zero, if the objective
 * decreases: many features leave at the cost of one factorisation. Otherwise `right` is as before.
 */
static bool project(set_problem *q, size_t count)
{
    double change = 0;
    size_t changed = 0;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->factor->support[a];
        double w = q->w[k], next = w + q->right[a], before = q->right[a];
        if (q->p->factors[k] > 0 && w * next <= 0) {
            q->right[a] = -w;
            q->spare[changed++] = a;
        }
        q->trial[a] = q->right[a] - before;
        change += q->p->lambda * q->p->factors[k] * (fabs(w + q->right[a]) - fabs(w)) -
                  q->gradient[k] * q->right[a];
    }
    if (change + changed_square(q, count, changed) / 2 < 0) {
        for (size_t a = 0; a < count; a++) /* w - w is exactly 0 */
            q->w[q->factor->support[a]] += q->right[a];
        return true;
    }
    for (size_t k = 0; k < changed; k++)
        q->right[q->spare[k]] -= q->trial[q->spare[k]];
    return false;
}

/* Moves towards the minimum for these signs, with the factor of the support. True when it was
 * reached. */
static bool step_to_minimum(set_problem *q)
{
    move_end end;
    size_t count = q->factor->count;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->factor->support[a];
        q->asked[a] = q->right[a] =
            q->gradient[k] - q->p->lambda * q->p->factors[k] * copysign(1, q->w[k]);
    }
    if (!gram_factor_solve(q))
        return true;
    q->current = false;
    double share = longest_move(q, count, 1, &end);
    if (end.blocking < count && !q->p->lower && project(q, count))
        return false;
    move(q, count, share, &end);
    return end.blocking == count;
}

/* Where column d of the support's matrix was: its combination of the first columns. */
static double *combination(const set_problem *q, size_t d)
{
    return q->factor->matrix + d * q->factor->leading;
}

/* Exchanges a dependent feature with the first one, and their combinations. */
static void exchange(set_problem *q, size_t rank, size_t a)
{
    size_t feature = q->factor->support[a];
    q->factor->support[a] = q->factor->support[rank];
    q->factor->support[rank] = feature;
    double *one = combination(q, a), *other = combination(q, rank);
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
        q->right[a] = gram_factor_norm(q, a);
    for (size_t d = rank; d < count; d++) {
        const double *column = gram_set_column(q, q->factor->support[d]);
        for (size_t a = 0; a < rank; a++)
            combination(q, d)[a] = column[q->factor->support[a]] / q->right[a];
    }
    lapack_int leading = (lapack_int)q->factor->leading;
    lapack_int info =
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)rank, (lapack_int)(count - rank),
                            q->factor->matrix, leading, combination(q, rank), leading);
    for (size_t d = rank; d < count; d++)
        for (size_t a = 0; a < rank; a++)
            combination(q, d)[a] /= q->right[a];
    return info == 0;
}

/* The change of the objective when one unit of weight moves from feature `rank` of the support to
 * its combination, to first order; 0 where it is within the rounding errors of the combination and
 * of the products. Where columns depend on each other the fit, and so the sum of the products, does
 * not change; where they nearly do, the products say which of them is to have the weight. */
static double objective_slope(const set_problem *q, size_t rank)
{
    double slope = 0, lost = 0;
    for (size_t a = 0; a <= rank; a++) {
        size_t k = q->factor->support[a];
        double penalty = q->p->lambda * q->p->factors[k] * copysign(1, q->w[k]);
        double rise = penalty - q->gradient[k];
        double size = fabs(penalty) + fabs(q->gradient[k]) + fabs(q->p->linear[k]);
        slope += rise * q->right[a];
        lost += (DEPENDENT * fabs(rise) + PRODUCT_LOST * size) * fabs(q->right[a]);
    }
    return fabs(slope) <= lost ? 0 : slope;
}

static void turn_round(set_problem *q, size_t count)
{
    for (size_t a = 0; a < count; a++)
        q->right[a] = -q->right[a];
}

/* Whether the share of feature a in the combination that feature `rank` is exceeds `least`, both
 * scaled to length 1. */
static bool exceeds(const set_problem *q, const double *shares, size_t rank, size_t a, double least)
{
    return fabs(shares[a]) * gram_factor_norm(q, a) > least * gram_factor_norm(q, rank);
}

/* The length of a move at which the objective is least: nearly dependent columns still bend it,
 * unless that is a rounding error. */
static double best_move(const set_problem *q, size_t rank, double slope)
{
    double square = slope != 0 ? square_of(q, rank + 1) : 0, sizes = 0;
    for (size_t a = 0; a <= rank; a++)
        sizes += q->right[a] * q->right[a] * gram_set_square(q, q->factor->support[a]);
    return square > PRODUCT_LOST * sizes ? fabs(slope) / square : INFINITY;
}

/* Feature `rank` of the support is a combination of those before it, so that weight can be moved
 * between them without changing the fit. Moves it in the direction that lowers the objective until
 * a weight is zero: one feature leaves, whose place is *left. False when none gets there, or only
 * one whose share is a rounding error, as among unpenalised features: weights would go far out.
 * When both directions are possible, the factor remains useful if the dependent feature itself
 * leaves; otherwise the shorter one has less rounding error. */
static bool drop_dependent(set_problem *q, size_t rank, size_t *left)
{
    move_end end;
    memcpy(q->right, combination(q, rank), rank * sizeof *q->right);
    q->right[rank] = -1;
    double slope = objective_slope(q, rank);
    if (slope > 0)
        turn_round(q, rank + 1);
    double share = longest_move(q, rank + 1, best_move(q, rank, slope), &end);
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
    bool leaves = end.blocking <= rank && exceeds(q, q->right, rank, end.blocking, LEAST_SHARE);
    if (!leaves && !(end.blocking > rank && isfinite(share)))
        return false;
    move(q, rank + 1, share, &end);
    q->current = false;
    *left = end.blocking;
    return leaves;
}

/* Feature `rank` of the support takes the place of the basis feature `left`: the combinations from
 * `first` on are rewritten. False when that would lose their digits. */
static bool pivot(set_problem *q, size_t count, size_t rank, size_t left, size_t first)
{
    const double *entering = combination(q, rank);
    double element = entering[left];
    if (!exceeds(q, entering, rank, left, LEAST_PIVOT))
        return false;
    for (size_t e = first; e < count; e++) {
        double *column = combination(q, e), share = column[left] / element;
        kernel_axpy(-share, entering, column, rank);
        column[left] = share;
    }
    size_t gone = q->factor->support[left];
    q->factor->support[left] = q->factor->support[rank];
    q->factor->support[rank] = gone;
    return true;
}

typedef enum removal {
    REMOVED_NONE,
    REMOVED_SOME, /* the factor is no longer that of the support */
    REMOVED_ALL   /* the factor is that of the support: its first `rank` features */
} removal;

/* Removes dependent columns one after the other at the cost of one factorisation. One that can take
 * any weight without a change of the penalty, as an unpenalised feature among others, keeps the one
 * that it has: the features of the factor reach every fit without it. */
static removal remove_dependent(set_problem *q, size_t count, size_t rank)
{
    removal done = REMOVED_NONE;
    bool changed = false;
    if (!find_combinations(q, count, rank))
        return REMOVED_NONE;
    for (size_t d = rank; d < count; d++) {
        size_t left;
        exchange(q, rank, d);
        if (!drop_dependent(q, rank, &left))
            continue;
        done = REMOVED_SOME;
        if (left < rank) {
            changed = true;
            if (!pivot(q, count, rank, left, d + 1))
                return done;
        }
    }
    return changed ? REMOVED_SOME : REMOVED_ALL;
}

/* ---- the support and its factor ------------------------------------------------------------- */

/* Features leave and join the factor of an earlier support one by one, as long as that costs less
 * than a new one. False: a new one is needed; *dependent: since columns that would join are
 * combinations of others. */
static bool follow(set_problem *q, size_t moving, uint64_t *work, bool *dependent)
{
    gram_factor *f = q->factor;
    size_t gone = 0, joining = 0;
    for (size_t i = 0; i < q->p->set_count; i++)
        q->held[q->p->set[i]] = gram_set_moves(q, q->p->set[i]);
    for (size_t a = 0; a < f->count; a++)
        gone += !q->held[f->support[a]];
    size_t come = moving + gone - f->count;
    bool pays = f->count > gone && gone * REMOVAL_COST + come * JOINING_COST < moving;
    *work = (uint64_t)(REMOVAL_COST * gone + JOINING_COST * come) * moving * moving / 3;
    for (size_t a = f->count; pays && a-- > 0;)
        if (!q->held[f->support[a]])
            gram_factor_remove(q, a);
    for (size_t a = 0; a < f->count; a++)
        q->held[f->support[a]] = false;
    for (size_t i = 0; i < q->p->set_count; i++) {
        size_t k = q->p->set[i];
        if (pays && q->held[k])
            f->support[f->count + joining++] = k;
        q->held[k] = false;
    }
    *dependent = pays && come > 0 && !gram_factor_append(q, come);
    return pays && !*dependent;
}

/* Makes the factor that of the features that move, `moving` at most as many as it has space for;
 * dependent ones leave the support where possible. */
static removal renew(set_problem *q, size_t moving, bool expect_dependent, uint64_t *work)
{
    gram_factor *f = q->factor;
    bool dependent;
    if (follow(q, moving, work, &dependent))
        return REMOVED_ALL;
    *work += (uint64_t)moving * moving * moving / 3;
    find_support(q);
    size_t rank = gram_factor_new(q, moving, expect_dependent || dependent);
    if (rank == moving || rank == 0)
        return rank > 0 ? REMOVED_ALL : REMOVED_NONE;
    q->dependent = true;
    if (!q->current)
        gram_set_find_gradient(q);
    removal removed = remove_dependent(q, moving, rank);
    if (removed != REMOVED_ALL)
        gram_factor_forget(f);
    return removed;
}

void gram_set_newton_steps(set_problem *q)
{
    bool expect_dependent = q->dependent; /* epochs bring back what an earlier call removed */
    for (long steps = 0; steps < q->steps_most;) {
        uint64_t work;
        size_t moving = gram_set_moving(q);
        if (moving == 0 || moving > GRAM_MAX_NEWTON)
            return;
        removal removed = renew(q, moving, expect_dependent, &work);
        expect_dependent = false;
        bool done = removed == REMOVED_NONE;
        if (removed == REMOVED_ALL) {
            if (!q->current)
                gram_set_find_gradient(q);
            done = step_to_minimum(q);
            steps++;
        }
        q->worked += (double)work;
        q->p->exceeded = q->p->work > 0 && q->worked > q->p->work;
        if (progress_work(q->p->progress, work) || done || q->p->exceeded)
            return;
    }
}
