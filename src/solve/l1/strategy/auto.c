/* The fastest strategy: a working set solved to the end, and the certificate's own pass as the only
 * look at the other features.
 *
 * At each lambda the working set is the last answer's features and those the strong rule expects; a
 * lambda far below the last is reached by stages. It is solved in the space of its Gram matrix
 * (l1_set.h), where an update costs the size of the cache and not n; for losses that are not
 * quadratic, by proximal Newton. The caller's certificate then computes x_j'r for every feature;
 * features beyond their constraint join the set and it is solved again. Nothing here needs to be
 * safe: an answer counts only once the gap over all features is certified. */
#include "solve/l1/l1.h"

#include "base/memory.h"
#include "base/numeric/lanes.h"
#include "model/loss/residual.h"
#include "screen/recruit.h"
#include "solve/common/gram.h"
#include "solve/common/hessian.h"
#include "solve/common/working_set.h"
#include "solve/l1/core/by_gram.h"
#include "solve/l1/core/log.h"

#include <math.h>
#include <stdlib.h>

/* A set solved to this share of the target leaves the rest of it to rounding: by its Gram matrix,
 * and otherwise. */
static const double SET_SHARE = 0.1, SWEPT_SHARE = 0.9;
/* Larger sets of which less than this share has a weight are cut back to those that do. */
enum { PRUNE_ABOVE = 500 };
static const double NEEDED = 0.6;
/* A lambda below this share of the last one is reached by stages, each about that share of the one
 * before, at which sets are solved to this share of the null objective, which itself falls with
 * lambda. */
static const double FAR = 0.5, STAGE = 0.6, STAGE_GAP = 1e-3;
/* Where no more features than these can have a weight, wrong ones cost less than stages. There are
 * at most so many stages: further down sets hardly change. */
enum { STAGE_FEATURES = 200, MAX_STAGES = 20 };
/* Features that are looked at before those found among them are told. */
enum { BLOCK = 1024 };
/* Sweeps go no further than this share of the whole problem's gap, as far as that is known:
 * features that are still missing would undo the digits. */
static const double SWEEP_SHARE = 0.3;
/* Fewer than this share of a set that have joined it are taken for the last. */
static const double FEW_JOINED = 0.1;
/* Of the features that a set begins with, the share that is chosen to make up for an intercept. */
static const double FOR_INTERCEPT = 0.35;

/* ---- solving the set ----------------------------------------------------------------------- */

/* Sweeps on the active set before Newton models are solved through their Hessian, on at most so
 * many features: none where the Hessian costs no more than so many epochs; else the larger the set,
 * the more of them. */
enum { HESSIAN_EPOCHS = 80, SWEEPS_FIRST = 12, SWEEPS_SHARE = 4, MAX_EXACT = 2500 };

/* Exact steps in a row that leave the least gap so far where it was: rounding is the limit then, or
 * kinks of the loss allow no more than tiny steps along directions that change all weights at once.
 * Sweeps, which change one after the other, get past those. */
enum { MAX_IDLE = 20, SWEEPS_LAST = 300 };

/* What costs how many multiply-adds of a column product: the Hessian's passes over itself, count^2
 * each; its factorisation, count^3 / 3 in BLAS; coming to another column. */
static const double COPIES = 4, FACTOR_SPEED = 48, VISIT = 16;

/* How many sweeps to try first. */
static tm_status find_patience(l1_state *s, size_t *cancel_grace, tm_error *err)
{
    *cancel_grace = SIZE_MAX;
    if (s->active_count > MAX_EXACT)
        return TM_OK;
    tm_status status = s->hessian ? TM_OK : hessian_new(&s->hessian, s->n, err);
    if (status == TM_OK)
        status = hessian_begin(s->hessian, s->x, s->active, s->active_count, s->intercept, err);
    if (status != TM_OK)
        return status;
    double count = (double)s->active_count;
    double exact = hessian_work(s->hessian) + count * count * (COPIES + count / FACTOR_SPEED);
    double epoch = hessian_epoch_work(s->hessian) + VISIT * count;
    bool cheap = exact <= HESSIAN_EPOCHS * epoch;
    *cancel_grace = cheap ? 0 : SWEEPS_FIRST + s->active_count / SWEEPS_SHARE;
    return TM_OK;
}

/* At most so many epochs in a sweep that is followed by a step on the signs it has found. */
enum { BETWEEN_STEPS = 4 };

/* Passes over features that have just joined, one by one, before all are seen together. */
enum { FIRST_PASSES = 2 };

/* Other losses: their Hessian changes with w. Newton steps until the set's gap is at most `goal` or
 * nothing moves any more: through the Hessian where that is cheap, else by sweeps over the model
 * and steps on the signs, until many of them have not been enough: then features are nearly
 * dependent and the Hessian is worth its price. The last `joined` features of the set are new;
 * `fitted`: predictions and dual variables are those of w. */
static tm_status sweep_active(l1_state *s, solve_progress *progress, double goal, bool fitted,
                              size_t joined, tm_error *err)
{
    double change = INFINITY, least = INFINITY;
    int idle = 0;
    bool swept = false;
    size_t cancel_grace;
    tm_status status = find_patience(s, &cancel_grace, err);
    if (!fitted)
        l1_state_refresh(s);
    if (status == TM_OK && joined > 0)
        status = l1_newton_coordinates(s, s->active_count - joined, FIRST_PASSES, progress, err);
    for (size_t sweep = 0; status == TM_OK && !progress->stopped && s->epochs < s->max_iter;
         sweep++) {
        if (!l1_products_active(s, progress))
            break;
        l1_gap g = l1_gap_active(s);
        if (g.gap <= goal || l1_stalled(s, change))
            break;
        if (sweep < cancel_grace) {
            long epochs = s->check_every < BETWEEN_STEPS ? s->check_every : BETWEEN_STEPS;
            change = l1_sweep(s, epochs, progress);
            l1_state_refit(s);
            if (l1_products_active(s, progress))
                status = l1_newton_signs(s, progress, err);
            l1_state_refit(s);
            continue;
        }
        idle = g.gap < 0.9 * least ? 0 : idle + 1;
        if (idle > MAX_IDLE && swept)
            break;
        if (idle > MAX_IDLE) {
            swept = true;
            cancel_grace = sweep + SWEEPS_LAST;
            idle = 0;
        }
        least = fmin(least, g.gap);
        status = l1_newton_exact(s, g.primal, &change, progress, err);
        l1_state_refit(s);
    }
    return status;
}

/* ---- choosing the set ---------------------------------------------------------------------- */

/* Lists those of BLOCK features from `from` on that are at least that near to their constraint, in
 * order, and returns how many. Most are not: by bits, signs aside, many are looked at as one. */
PER_MACHINE static size_t list_above(const l1_state *s, size_t from, double threshold,
                                     size_t list[BLOCK])
{
    size_t count = 0, to = s->p - from < BLOCK ? s->p : from + BLOCK;
    for (; from + MANY <= to; from += MANY) {
        lane_bits room[MANY / LANES];
        for (size_t k = 0; k < MANY / LANES; k++) {
            lanes limit = threshold * *(const lanes *)(s->factors + from + k * LANES);
            lanes_room(&room[k], (const lanes *)(s->xr + from + k * LANES), &limit);
        }
        for (uint32_t left = lanes_negative(room); left; left &= left - 1) {
            size_t j = list[count] = from + (size_t)__builtin_ctz(left);
            count += l1_reach(s, j) >= threshold * s->factors[j];
        }
    }
    for (; from < to; from++)
        if (l1_reach(s, from) >= threshold * s->factors[from])
            list[count++] = from;
    return count;
}

/* How many features outside the active set are at least that near to their constraint. */
static size_t count_above(const l1_state *s, double threshold)
{
    size_t list[BLOCK], count = 0;
    for (size_t from = 0; from < s->p; from += BLOCK) {
        size_t above = list_above(s, from, threshold, list);
        for (size_t k = 0; k < above; k++)
            count += !s->in_active[list[k]];
    }
    return count;
}

/* Adds the features with the greatest |x_j'r| / f_j, at most `most` of them and none below
 * `threshold`; *joined says how many joined. */
static tm_status join_best(l1_state *s, solve_progress *progress, size_t most, double threshold,
                           size_t *joined, tm_error *err)
{
    screen_features features = l1_features(s);
    ball at_r = {1, 0, 0};
    *joined = 0;
    if (threshold > 0) {
        size_t above = count_above(s, threshold);
        most = above < 1 ? 1 : above < most ? above : most;
    }
    size_t *chosen = mem_array(most, sizeof *chosen), count = 0;
    if (!chosen)
        return tm_fail_memory(err, "the working set");
    tm_status status = recruit_best(&features, s->in_active, &at_r, most, chosen, &count, err);
    while (*joined < count &&
           l1_reach(s, chosen[*joined]) >= threshold * s->factors[chosen[*joined]])
        ++*joined;
    if (threshold > 0)
        l1_log_join(s, progress,
                    &(l1_log_ground){"features beyond their constraint join the working set", NULL,
                                     NULL, 1},
                    chosen, *joined, TM_SCREEN_ADDED, TM_SCREEN_KEPT);
    for (size_t k = 0; k < *joined; k++)
        l1_activate(s, chosen[k]);
    free(chosen);
    return status;
}

static void join_above(l1_state *s, double threshold)
{
    size_t list[BLOCK];
    for (size_t from = 0; from < s->p; from += BLOCK) {
        size_t above = list_above(s, from, threshold, list);
        for (size_t k = 0; k < above; k++)
            l1_activate(s, list[k]);
    }
}

/* Those whose products stand out once the residual is centred. */
static tm_status join_centred(l1_state *s, solve_progress *progress, size_t most, size_t *joined,
                              tm_error *err)
{
    const double *means = tm_dataset_means(s->data);
    double *centred = mem_array(s->p, sizeof *centred), *kept = s->xr;
    double sum = residual_sum(s->r, s->n);
    if (!centred)
        return tm_fail_memory(err, "the working set");
    for (size_t j = 0; j < s->p; j++)
        centred[j] = kept[j] - sum * means[j];
    s->xr = centred;
    tm_status status = join_best(s, progress, most, 0, joined, err);
    s->xr = kept;
    free(centred);
    return status;
}

/* A few of the best. Without an intercept the features with the greatest products are those that
 * make up for it, common words in texts; a part of these does, and who else will be needed shows
 * when that is done. */
static tm_status join_few(l1_state *s, solve_progress *progress, size_t most, tm_error *err)
{
    size_t joined;
    if (s->intercept || s->loss->quadratic)
        return join_best(s, progress, most, 0, &joined, err);
    size_t first = (size_t)(FOR_INTERCEPT * (double)most) + 1;
    tm_status status = join_best(s, progress, first, 0, &joined, err);
    if (status == TM_OK && first < most)
        status = join_centred(s, progress, most - first, &joined, err);
    return status;
}

/* The set a lambda begins with: the support of w and what the strong rule expects, or when the last
 * lambda is too far away for that rule, a few of the best. */
static tm_status begin_set(l1_state *s, solve_progress *progress, tm_error *err)
{
    size_t joined;
    l1_activate_support(s);
    double threshold = strong_threshold(s->lambda, s->solved_lambda);
    bool near = strong_rule_applies(s->lambda, s->solved_lambda);
    size_t support = s->active_count;
    if (near && count_above(s, threshold) > support + 100) {
        s->goal.whole_gap = s->loss->quadratic ? 0 : l1_gap_all(s).gap;
        tm_status status = join_best(s, progress, support + 100, 0, &joined, err);
        l1_log_start(
            s, progress,
            "the last answer's features, and the best of those that the strong rule expects", NULL);
        return status;
    }
    if (near) {
        join_above(s, threshold);
        s->goal.whole_gap = 0; /* the set is expected to be complete */
        l1_log_start(s, progress, "the last answer's features, and those the strong rule expects",
                     NULL);
        return TM_OK;
    }
    s->goal.whole_gap = s->null_objective;
    recruit_limits few = recruit_limits_of(s->median, s->greatest, s->lambda, s->p, s->add_rate, 1);
    size_t most = s->active_count > few.most ? s->active_count : few.most;
    tm_status status = join_few(s, progress, most, err);
    l1_log_start(s, progress, "the last answer's features, and a few of the best scores", NULL);
    return status;
}

bool l1_auto_foresees(const l1_state *s)
{
    double threshold = strong_threshold(s->lambda, s->solved_lambda);
    size_t support = 0, expected = 0;
    if (!strong_rule_applies(s->lambda, s->solved_lambda) || s->lambda >= s->lambda_max)
        return false;
    for (size_t j = 0; j < s->p; j++) {
        support += s->w[j] != 0;
        expected += l1_reach(s, j) >= threshold * s->factors[j];
    }
    return expected <= 2 * support + 100;
}

/* The next lambda is expected as far from this one as this one from the last: products from the
 * strong rule's threshold there on decide which features its set begins with. */
double l1_auto_exact_from(const l1_state *s)
{
    double step = s->lambda / s->lambda_before;
    bool on_path = step > 0.5 && step < 1;
    return s->lambda * (on_path ? fmax(2 * step - 1, 0.5) : 1);
}

static size_t support_of(const l1_state *s)
{
    size_t support = 0;
    for (size_t k = 0; k < s->active_count; k++)
        support += s->w[s->active[k]] != 0;
    return support;
}

/* A large set of which most turned out not to be needed is cut back to those that were. */
static void prune(l1_state *s)
{
    size_t support = support_of(s);
    if (s->active_count > PRUNE_ABOVE && support < NEEDED * (double)s->active_count)
        l1_activate_support(s);
}

/* ---- stages -------------------------------------------------------------------------------- */

/* One set solved at s->lambda, and the products of all features there. Features that turn out to be
 * missing are left to the next stage. */
static tm_status pass_stage(l1_state *s, solve_progress *progress, double target, tm_error *err)
{
    tm_status status = begin_set(s, progress, err);
    if (status != TM_OK || s->active_count > MAX_GRAM || s->crowded)
        return status;
    double goal = STAGE_GAP * s->null_objective * s->lambda / s->lambda_max;
    status = l1_by_gram(s, progress, fmax(goal, target), err);
    if (status != TM_OK)
        return status;
    l1_state_refresh(s);
    if (l1_products_all(s, progress))
        s->solved_lambda = s->lambda;
    return TM_OK;
}

/* On the way to a lambda far below the last one. Products from far away say little of who will have
 * a weight, and a set that lacks many of those is fitted by others, whose residual draws in
 * hundreds that are not needed: all of them would stay in the Gram matrix. */
static tm_status pass_stages(l1_state *s, solve_progress *progress, double target, tm_error *err)
{
    double first = s->solved_lambda, last = s->lambda;
    tm_status status = TM_OK;
    if (!(last < FAR * first) || s->n <= STAGE_FEATURES || count_above(s, last) <= STAGE_FEATURES)
        return TM_OK;
    double count = ceil(log(last / first) / log(STAGE));
    for (int k = 1;
         k < fmin(count, MAX_STAGES) && status == TM_OK && !progress->stopped && !s->crowded; k++) {
        l1_state_lambda(s, first * pow(last / first, k / count));
        progress->lambda = s->lambda;
        status = pass_stage(s, progress, target, err);
    }
    l1_state_lambda(s, last);
    progress->lambda = last;
    return status;
}

/* Being told to stop is an end like others. */
static tm_status end_stopped(tm_status status, solve_progress *progress)
{
    if (status != TM_ECANCELLED)
        return status;
    progress->stopped = progress->cancelled = true;
    return TM_OK;
}

/* The set is too much for its Gram matrix: epochs over the features that the gap does not exclude.
 */
static tm_status leave_gram(l1_state *s, solve_progress *progress, double target, l1_end *end,
                            tm_error *err)
{
    s->rule = SCREEN_gap;
    l1_state_refresh(s);
    return l1_solve_epochs(s, progress, target, 0, end, err);
}

tm_status l1_solve_auto(l1_state *s, solve_progress *progress, double target, int round,
                        l1_end *end, tm_error *err)
{
    size_t joined = 0;
    bool by_gram = s->loss->quadratic;
    tm_status status = by_gram && !s->gram ? gram_new(&s->gram, s, err) : TM_OK;
    if (status == TM_OK && round == 0 && by_gram)
        status = pass_stages(s, progress, target, err);
    if (status == TM_OK && round == 0)
        status = begin_set(s, progress, err);
    else if (status == TM_OK) {
        if (!by_gram)
            prune(s);
        /* Most of those that join are soon found not to be needed, and each has a price in the Gram
         * matrix or in each Hessian. */
        status = join_best(s, progress, 2 * support_of(s) + 20, s->lambda, &joined, err);
    }
    if (status != TM_OK || progress->stopped)
        return end_stopped(status, progress);
    if (by_gram && (s->active_count > MAX_GRAM || s->crowded))
        return leave_gram(s, progress, target, end, err);
    double known = by_gram || joined < FEW_JOINED * (double)s->active_count
                       ? 0
                       : SWEEP_SHARE * s->goal.whole_gap;
    if (round == 0) {
        s->goal.share = by_gram ? SET_SHARE : SWEPT_SHARE;
        known = by_gram ? 0 : SWEEP_SHARE * s->goal.whole_gap;
    } else if (joined == 0)
        set_goal_tighten(&s->goal);
    double goal = set_goal_next(&s->goal, target, known);
    if (by_gram)
        status = l1_by_gram(s, progress, goal, err);
    else
        status = sweep_active(s, progress, goal, round > 0, joined, err);
    if (status == TM_OK && s->crowded && !progress->stopped)
        return leave_gram(s, progress, target, end, err);
    end->converged = !progress->stopped && s->epochs < s->max_iter;
    end->stalled = set_goal_exhausted(&s->goal);
    end->fitted = !by_gram && !progress->stopped;
    return end_stopped(status, progress);
}
