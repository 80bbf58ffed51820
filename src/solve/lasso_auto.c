/* The fastest certified lasso: a working set solved exactly in the space of its Gram matrix, and the
 * certificate's own pass as the only look at the other features.
 *
 * At each lambda the working set is the last answer's features and those the strong rule expects.
 * It is solved by coordinate minimisation on cached products (an update costs the size of the
 * cache, not n) and by Newton steps on the current signs (Cholesky), which make it exact as soon
 * as the signs are right. The caller's certificate then computes x_j'r for every feature; features
 * beyond their constraint join the set and it is solved again. Nothing here needs to be safe:
 * an answer counts only once the gap over all features is certified. */
#include "solve/lasso.h"

#include "base/memory.h"
#include "screen/recruit.h"
#include "solve/gram.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A set solved to this share of the target leaves the rest of it to rounding. */
static const double SET_SHARE = 0.1;
/* Epochs before Newton steps, which are taken on at most this many features. */
enum { EPOCHS_A_ROUND = 5, NEWTON_MOST = 2000 };

/* The problem on the cached features; vectors have one value a place of the cache. */
typedef struct set_problem {
    lasso_state *s;
    gram *cache;
    solve_progress *progress;
    const size_t *set; /* places of the working set */
    size_t set_count;
    double *w, *gradient;    /* gradient_k = x_k'r */
    double *kept;            /* w before the Newton steps */
    double *matrix, *right;  /* the Newton system */
    size_t *support, *spare; /* places with a nonzero weight */
    lapack_int *order;       /* the factorisation's pivots, from 1 */
} set_problem;

/* ---- state in the space of the cache -------------------------------------------------------- */

static double factor(const set_problem *q, size_t k)
{
    return q->s->factors[q->cache->features[k]];
}

static double xy(const set_problem *q, size_t k)
{
    return q->s->xy[q->cache->features[k]];
}

static void find_gradient(set_problem *q)
{
    for (size_t k = 0; k < q->cache->count; k++)
        q->gradient[k] = xy(q, k);
    for (size_t k = 0; k < q->cache->count; k++) {
        if (q->w[k] == 0)
            continue;
        const double *column = gram_column(q->cache, k);
        for (size_t i = 0; i < q->cache->count; i++)
            q->gradient[i] -= q->w[k] * column[i];
    }
}

/* What the gap on the set is made of. With g = X'(y - Xw):  r'r = y'y - w'X'y - w'g and
 * y'r = y'y - w'X'y. */
typedef struct set_value {
    double primal, rr, ry;
} set_value;

static set_value value_of(const set_problem *q)
{
    double wxy = 0, wg = 0, penalty = 0;
    for (size_t i = 0; i < q->set_count; i++) {
        size_t k = q->set[i];
        wxy += q->w[k] * xy(q, k);
        wg += q->w[k] * q->gradient[k];
        penalty += factor(q, k) * fabs(q->w[k]);
    }
    double rr = fmax(q->s->yy - wxy - wg, 0);
    return (set_value){rr / 2 + q->s->lambda * penalty, rr, q->s->yy - wxy};
}

static double set_gap(const set_problem *q)
{
    double greatest = 0;
    set_value v = value_of(q);
    for (size_t i = 0; i < q->set_count; i++)
        greatest = fmax(greatest, fabs(q->gradient[q->set[i]]) / factor(q, q->set[i]));
    double most = greatest > 0 ? q->s->lambda / greatest : INFINITY;
    double scale = v.rr > 0 ? fmin(fmax(v.ry / v.rr, -most), most) : 0;
    return v.primal - (scale * v.ry - scale * scale * v.rr / 2);
}

/* ---- coordinate minimisation ---------------------------------------------------------------- */

static void change(set_problem *q, size_t k, double d)
{
    const double *column = gram_column(q->cache, k);
    q->w[k] += d;
    for (size_t i = 0; i < q->cache->count; i++)
        q->gradient[i] -= d * column[i];
}

/* One epoch over the set. */
static void epoch(set_problem *q)
{
    for (size_t i = 0; i < q->set_count; i++) {
        size_t k = q->set[i];
        double square = gram_column(q->cache, k)[k];
        double target = q->w[k] + q->gradient[k] / square;
        double most = q->s->lambda * factor(q, k) / square;
        double next = fabs(target) <= most ? 0 : target - copysign(most, target);
        double d = next - q->w[k];
        q->progress->updates++;
        if (d != 0) {
            change(q, k, d);
            if (next == 0)
                q->w[k] = 0;
        }
        if (progress_work(q->progress, q->cache->count))
            break;
    }
    q->s->epochs++;
}

/* ---- Newton on the signs ------------------------------------------------------------------- */

static size_t find_support(set_problem *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->set_count; i++)
        if (q->w[q->set[i]] != 0)
            q->support[count++] = q->set[i];
    return count;
}

/* Columns of which this share or less is not explained by others count as dependent on them. */
static const double DEPENDENT = 1e-9;

static double norm_at(const set_problem *q, size_t a)
{
    return sqrt(gram_column(q->cache, q->support[a])[q->support[a]]);
}

/* Pivoted Cholesky of G_SS scaled to a unit diagonal, so that badly scaled features do not look
 * dependent. The support is reordered: its first `rank` features are independent, and the factor of
 * their block is in `matrix`, with leading dimension count. */
static size_t factorise(set_problem *q, size_t count)
{
    lapack_int n = (lapack_int)count, rank = 0;
    for (size_t b = 0; b < count; b++) {
        const double *column = gram_column(q->cache, q->support[b]);
        for (size_t a = b; a < count; a++)
            q->matrix[b * count + a] = column[q->support[a]] / (norm_at(q, a) * norm_at(q, b));
    }
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
    lapack_int info = LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', (lapack_int)rank, 1, q->matrix,
                                     (lapack_int)count, q->right, (lapack_int)rank);
    for (size_t a = 0; a < rank; a++)
        q->right[a] /= norm_at(q, a);
    return info == 0;
}

/* Moves w_S by share * right; the feature that stops the move ends at exactly zero. */
static void move(set_problem *q, size_t count, double share, size_t blocking)
{
    for (size_t a = 0; a < count; a++)
        q->w[q->support[a]] += share * q->right[a];
    if (blocking < count)
        q->w[q->support[blocking]] = 0;
}

/* How far w_S can go along `right`, at most `share`, before a weight reaches zero, and which. */
static double room_to_zero(const set_problem *q, size_t count, double share, size_t *blocking)
{
    *blocking = count;
    for (size_t a = 0; a < count; a++) {
        double w = q->w[q->support[a]], d = q->right[a];
        if (w * d < 0 && -w / d <= share) {
            share = -w / d;
            *blocking = a;
        }
    }
    return share;
}

/* Independent columns: towards the minimum for these signs. True when it got all the way. */
static bool step_to_minimum(set_problem *q, size_t count)
{
    size_t blocking;
    for (size_t a = 0; a < count; a++) {
        size_t k = q->support[a];
        q->right[a] = q->gradient[k] - q->s->lambda * factor(q, k) * copysign(1, q->w[k]);
    }
    if (!solve_factored(q, count, count))
        return true;
    double share = room_to_zero(q, count, 1, &blocking);
    move(q, count, share, blocking);
    return blocking == count;
}

/* Dependent columns: x_d is a combination of the first `rank`, so weight can be moved between them
 * without changing the fit. It moves in the direction that lowers the penalty until a weight is
 * zero: one feature less. True when there is no such direction. */
static bool step_to_independence(set_problem *q, size_t count, size_t rank)
{
    size_t d = q->support[rank], blocking;
    const double *column = gram_column(q->cache, d);
    for (size_t a = 0; a < rank; a++)
        q->right[a] = column[q->support[a]];
    if (!solve_factored(q, count, rank))
        return true;
    double slope = factor(q, d) * copysign(1, q->w[d]);
    for (size_t a = 0; a < rank; a++) {
        size_t k = q->support[a];
        slope -= factor(q, k) * copysign(1, q->w[k]) * q->right[a];
    }
    double sign = slope > 0 ? -1 : 1;
    for (size_t a = 0; a < rank; a++)
        q->right[a] *= -sign;
    q->right[rank] = sign;
    double share = room_to_zero(q, rank + 1, INFINITY, &blocking);
    if (blocking > rank)
        return true;
    move(q, rank + 1, share, blocking);
    return false;
}

static void newton_steps(set_problem *q)
{
    for (size_t step = 0; step <= q->set_count; step++) {
        size_t count = find_support(q);
        if (count == 0 || count > NEWTON_MOST)
            return;
        size_t rank = factorise(q, count);
        if (rank == 0)
            return;
        find_gradient(q);
        bool done = rank < count ? step_to_independence(q, count, rank) : step_to_minimum(q, count);
        if (progress_work(q->progress, (uint64_t)count * count * count / 3) || done)
            return;
    }
}

/* Steps in exact arithmetic only lower the objective; where rounding makes them raise it they are
 * taken back. */
static void newton(set_problem *q)
{
    size_t bytes = q->cache->count * sizeof *q->w;
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
 * falls no more: then rounding is the limit, or the certificate will say what is missing. */
static void solve_set(set_problem *q, double goal)
{
    double last = INFINITY;
    find_gradient(q);
    while (!q->progress->stopped && q->s->epochs < q->s->max_iter && set_gap(q) > goal) {
        for (int k = 0; k < EPOCHS_A_ROUND && !q->progress->stopped; k++)
            epoch(q);
        newton(q);
        double primal = value_of(q).primal;
        if (primal >= last - 1e-15 * q->s->yy)
            return;
        last = primal;
    }
}

static tm_status allocate(set_problem *q, tm_error *err)
{
    size_t count = q->cache->count;
    size_t most = q->set_count < NEWTON_MOST ? q->set_count : NEWTON_MOST;
    q->w = mem_zeros(count, sizeof *q->w);
    q->gradient = mem_array(count, sizeof *q->gradient);
    q->kept = mem_array(count, sizeof *q->kept);
    q->matrix = mem_array(most * most, sizeof *q->matrix);
    q->right = mem_array(most, sizeof *q->right);
    q->support = mem_array(q->set_count, sizeof *q->support);
    q->spare = mem_array(q->set_count, sizeof *q->spare);
    q->order = mem_array(most, sizeof *q->order);
    if (q->w && q->gradient && q->kept && q->matrix && q->right && q->support && q->spare &&
        q->order)
        return TM_OK;
    return tm_fail_memory(err, "the working set");
}

static void release(set_problem *q)
{
    free(q->w);
    free(q->gradient);
    free(q->kept);
    free(q->matrix);
    free(q->right);
    free(q->support);
    free(q->spare);
    free(q->order);
}

/* The active set as places of the cache. A cache that would overflow starts anew with the set. */
static tm_status cache_set(lasso_state *s, size_t *set, solve_progress *progress, tm_error *err)
{
    size_t missing = 0;
    for (size_t k = 0; k < s->active_count; k++)
        missing += s->gram->places[s->active[k]] == GRAM_ABSENT;
    if (s->gram->count + missing > GRAM_MOST)
        gram_clear(s->gram);
    for (size_t k = 0; k < s->active_count; k++) {
        tm_status status = gram_add(s->gram, s, s->active[k], progress, err);
        if (status != TM_OK)
            return status;
        set[k] = s->gram->places[s->active[k]];
    }
    return TM_OK;
}

/* Solves the problem on the active set and writes the weights back. */
static tm_status solve_active(lasso_state *s, solve_progress *progress, double goal, tm_error *err)
{
    size_t *set = mem_array(s->active_count, sizeof *set);
    tm_status status = set ? cache_set(s, set, progress, err) : tm_fail_memory(err, "the set");
    set_problem q = {.s = s, .cache = s->gram, .progress = progress, .set = set};
    q.set_count = s->active_count;
    if (status == TM_OK)
        status = allocate(&q, err);
    if (status == TM_OK) {
        for (size_t k = 0; k < q.set_count; k++)
            q.w[set[k]] = s->w[s->active[k]];
        solve_set(&q, goal);
        for (size_t k = 0; k < q.set_count; k++)
            s->w[s->active[k]] = q.w[set[k]];
    }
    release(&q);
    free(set);
    return status;
}

/* ---- choosing the set ---------------------------------------------------------------------- */

/* Adds the features with the greatest |x_j'r| / f_j, at most `most` of them and none below
 * `threshold`; *joined says how many joined. */
static tm_status join_best(lasso_state *s, size_t most, double threshold, size_t *joined,
                           tm_error *err)
{
    screen_features features = lasso_features(s);
    ball at_r = {1, 0, 0};
    size_t *chosen = mem_array(most, sizeof *chosen), count = 0;
    *joined = 0;
    if (!chosen)
        return tm_fail_memory(err, "the working set");
    tm_status status = recruit_best(&features, s->in_active, &at_r, most, chosen, &count, err);
    for (size_t k = 0; status == TM_OK && k < count; k++) {
        if (fabs(s->xr[chosen[k]]) < threshold * s->factors[chosen[k]])
            break;
        lasso_activate(s, chosen[k]);
        ++*joined;
    }
    free(chosen);
    return status;
}

static void join_above(lasso_state *s, double threshold)
{
    for (size_t j = 0; j < s->p; j++)
        if (fabs(s->xr[j]) >= threshold * s->factors[j])
            lasso_activate(s, j);
}

/* The set a lambda begins with: the support of w and what the strong rule expects, or when the last
 * lambda is too far away for that rule, a few of the best. */
static tm_status begin_set(lasso_state *s, tm_error *err)
{
    size_t joined;
    lasso_activate_support(s);
    double threshold = 2 * s->lambda - s->solved_lambda;
    if (threshold > 0.5 * s->lambda) {
        join_above(s, threshold);
        return TM_OK;
    }
    recruit_limits few = recruit_limits_of(s->median, s->greatest, s->lambda, s->p, s->add_rate, 1);
    size_t most = s->active_count > few.most ? s->active_count : few.most;
    return join_best(s, most, 0, &joined, err);
}

bool lasso_auto_foresees(const lasso_state *s)
{
    double threshold = 2 * s->lambda - s->solved_lambda;
    size_t support = 0, expected = 0;
    if (!(threshold > 0.5 * s->lambda) || s->lambda >= s->lambda_max)
        return false;
    for (size_t j = 0; j < s->p; j++) {
        support += s->w[j] != 0;
        expected += fabs(s->xr[j]) >= threshold * s->factors[j];
    }
    return expected <= 2 * support + 100;
}

tm_status lasso_solve_auto(lasso_state *s, solve_progress *progress, double target, int round,
                           lasso_end *end, tm_error *err)
{
    size_t joined = 0;
    tm_status status = s->gram ? TM_OK : gram_new(&s->gram, s, err);
    if (status == TM_OK && round == 0)
        status = begin_set(s, err);
    else if (status == TM_OK)
        status = join_best(s, 2 * s->active_count + 20, s->lambda, &joined, err);
    if (status != TM_OK)
        return status;
    if (s->active_count > GRAM_MOST) {
        s->rule = SCREEN_gap;
        return lasso_solve_dynamic(s, progress, target, end, err);
    }
    /* Nobody joined, and still the gap is too large: the set itself was not solved well enough. */
    s->set_share = round == 0 ? SET_SHARE : joined ? s->set_share : s->set_share * 0.01;
    status = solve_active(s, progress, s->set_share * target, err);
    end->converged = !progress->stopped && s->epochs < s->max_iter;
    end->stalled = s->set_share < 1e-7;
    if (status == TM_ECANCELLED) {
        progress->stopped = progress->cancelled = true;
        return TM_OK;
    }
    return status;
}
