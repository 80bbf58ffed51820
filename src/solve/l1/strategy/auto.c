/* The fastest strategy: a working set solved to the end, with the certificate's own pass as the
 * only check of the other features.
 *
 * At each lambda the working set consists of the last answer's features and those whose products
 * were nearly lambda there; a lambda far below the last is reached through intermediate lambdas.
 * The set is solved with its Gram matrix (core/by_gram.h), where the cost of an update depends on
 * the size of the cache and not on n; for losses that are not quadratic, by proximal Newton. The
 * caller's certificate then computes x_j'r for every feature; features that violate their
 * constraint are added to the set and it is solved again. Nothing here needs to be safe: an answer
 * counts only once the gap over all features is certified. */
#include "solve/l1/strategy/epochs.h"

#include "base/memory.h"
#include "model/certificate/normal_equations.h"
#include "model/loss/residual.h"
#include "screen/saif_add.h"
#include "solve/common/working_set.h"
#include "solve/l1/core/by_columns.h"
#include "solve/l1/core/by_gram.h"
#include "solve/l1/core/log.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/gram/gram_factor.h"
#include "solve/l1/strategy/above.h"
#include "solve/l1/strategy/extrapolate.h"
#include "solve/l1/tall/together.h"

#include <math.h>
#include <stdlib.h>

typedef struct auto_own {
    gram *cache;          /* for the squared loss; NULL until needed */
    gram_factor *factor;  /* of the last support; likewise */
    double lambda_before; /* lambda of the answer this solve started from; NAN: unknown */
    set_goal goal;
    bool ill_conditioned;  /* a set's Newton steps have exceeded their budget */
    bool by_columns;       /* the last set of the squared loss was solved by passes over columns */
    bool columns_exceeded; /* that has exceeded its budget */
    bool by_epochs;        /* this lambda is solved by epochs over all features */
    bool complete;         /* the last set that was checked lacked no feature */
    l1_line line;          /* the last answers, for losses that are not quadratic */
    l1_together *together; /* for tall data; NULL until needed */
} auto_own;

/* Whether a set is to be solved with its Gram matrix, from what is known of the last one. */
static bool is_by_gram(const l1_state *s)
{
    return s->problem.loss->quadratic && !((const auto_own *)s->own)->by_columns;
}

/* ---- choice of the set --------------------------------------------------------------------- */

/* Adds the features with the greatest |products_j| / f_j, at most `most`. */
static tm_status add_best(l1_state *s, const double *products, size_t most, tm_error *err)
{
    screen_features features = l1_features(s);
    ball at_r = {1, 0, 0};
    features.xr = products;
    size_t *chosen = mem_array(most, sizeof *chosen), count = 0;
    if (!chosen)
        return tm_fail_memory(err, "the working set");
    tm_status status = screen_best(&features, s->active.has, &at_r, most, chosen, &count, err);
    for (size_t k = 0; k < count; k++)
        l1_activate(s, chosen[k]);
    free(chosen);
    return status;
}

/* Adds the features with the greatest relative products of those that reach the threshold, at most
 * `most`; `violate`: they violate their constraint, which is logged. *joined is set to how many
 * there were. */
static tm_status add_best_above(l1_state *s, solve_progress *progress, size_t most,
                                double threshold, bool violate, size_t *joined, tm_error *err)
{
    size_t *chosen = mem_array(most, sizeof *chosen);
    *joined = 0;
    tm_status status = chosen && l1_best_above(s, most, threshold, chosen, joined)
                           ? TM_OK
                           : tm_fail_memory(err, "the working set");
    if (status == TM_OK && violate)
        l1_log_join(
            s, progress,
            &(l1_log_ground){"features that violate their constraint are added to the working set",
                             NULL, NULL, 1, NULL},
            chosen, *joined, TM_SCREEN_ADDED, TM_SCREEN_KEPT);
    for (size_t k = 0; k < *joined; k++)
        l1_activate(s, chosen[k]);
    free(chosen);
    return status;
}

/* Adds those whose products with the centred residual are greatest. */
static tm_status add_centred(l1_state *s, size_t most, tm_error *err)
{
    const double *means = tm_dataset_means(s->problem.data);
    double *centred = mem_array(s->problem.p, sizeof *centred);
    double sum = residual_sum(s->it.r, s->problem.n);
    if (!centred)
        return tm_fail_memory(err, "the working set");
    for (size_t j = 0; j < s->problem.p; j++)
        centred[j] = s->it.xr[j] - sum * means[j];
    tm_status status = add_best(s, centred, most, err);
    free(centred);
    return status;
}

/* Adds a few of the best. Without an intercept the features with the greatest products substitute
 * for it, such as common words in texts; a few of these suffice for that, and the others become
 * visible once they are fitted. */
static tm_status add_few(l1_state *s, size_t most, tm_error *err)
{
    if (s->problem.intercept || s->problem.loss->quadratic)
        return add_best(s, s->it.xr, most, err);
    size_t first = (size_t)(FOR_INTERCEPT * (double)most) + 1;
    tm_status status = add_best(s, s->it.xr, first, err);
    if (status == TM_OK && first < most)
        status = add_centred(s, most - first, err);
    return status;
}

/* The initial set of a lambda: the support of w and the features whose products reach lambda or
 * nearly, or, when the last lambda is too far away for that, a few of the best. */
static tm_status begin_set(l1_state *s, solve_progress *progress, tm_error *err)
{
    auto_own *own = s->own;
    size_t joined;
    l1_activate_support(s);
    double lambda = s->penalty.lambda, last = s->it.solved_lambda;
    double threshold = lambda - ASSUMED_CHANGE * (last - lambda);
    bool near = strong_rule_applies(lambda, last);
    size_t support = s->active.count;
    if (near && l1_activate_above(s, threshold, support + STRONG_MORE)) {
        own->goal.whole_gap = 0; /* the set is expected to be complete */
        l1_log_start(s, progress,
                     "the last answer's features, and those whose products are near lambda", NULL);
        return TM_OK;
    }
    if (near) {
        own->goal.whole_gap = is_by_gram(s) ? 0 : l1_gap_all(s).gap;
        size_t most = (size_t)((is_by_gram(s) ? 1 : STRONG_SHARE) * (double)support) + STRONG_MORE;
        tm_status status = add_best_above(s, progress, most, threshold, false, &joined, err);
        l1_log_start(
            s, progress,
            "the last answer's features, and the best of those whose products are near lambda",
            NULL);
        return status;
    }
    own->goal.whole_gap = s->null.objective;
    saif_add_limits few = saif_add_limits_of(s->null.median, s->null.greatest, lambda, s->problem.p,
                                             s->options.add_rate, 1);
    size_t most = s->active.count > few.most ? s->active.count : few.most;
    if (is_by_gram(s) && !tm_matrix_is_sparse(s->problem.x))
        most += s->problem.p / FAR_EACH < FAR_MORE ? s->problem.p / FAR_EACH : FAR_MORE;
    tm_status status = add_few(s, most, err);
    l1_log_start(s, progress, "the last answer's features, and a few of the best scores", NULL);
    return status;
}

static bool can_wait(const l1_state *s)
{
    if (s->problem.estimates || s->problem.of.comm)
        return false;
    double threshold = strong_threshold(s->penalty.lambda, s->it.solved_lambda);
    size_t support = 0, expected = 0;
    if (!strong_rule_applies(s->penalty.lambda, s->it.solved_lambda) ||
        s->penalty.lambda >= s->null.lambda_max)
        return false;
    for (size_t j = 0; j < s->problem.p; j++) {
        support += s->it.w[j] != 0;
        expected += l1_correlation(s, j) >= threshold * l1_factor(s, j);
    }
    return expected <= 2 * support + STRONG_MORE;
}

/* The next lambda is assumed to be as far from this one as this one is from the last: only products
 * above the threshold there affect its initial set, so that smaller ones may be estimates. */
static double exact_from(const l1_state *s)
{
    const auto_own *own = s->own;
    if (!s->problem.estimates || own->by_epochs)
        return 0;
    double step = s->penalty.lambda / own->lambda_before;
    bool on_path = step > LEAST_STEP && step < 1;
    return s->penalty.lambda * (on_path ? fmax(step - ASSUMED_CHANGE * (1 - step), LEAST_STEP) : 1);
}

static size_t support_of(const l1_state *s)
{
    size_t support = 0;
    for (size_t k = 0; k < s->active.count; k++)
        support += s->it.w[s->active.features[k]] != 0;
    return support;
}

/* Prunes a large set of which most features proved unnecessary. */
static void prune(l1_state *s)
{
    size_t support = support_of(s);
    if (s->active.count > PRUNE_ABOVE && (double)support < NEEDED * (double)s->active.count)
        l1_activate_support(s);
}

/* ---- intermediate lambdas -------------------------------------------------------------------- */

static tm_status solve_gram(l1_state *s, solve_progress *progress, double goal, tm_error *err)
{
    auto_own *own = s->own;
    bool exceeded;
    if (!own->factor && !(own->factor = gram_factor_open()))
        return tm_fail_memory(err, "the working set");
    tm_status status = l1_by_gram(s, own->cache, own->factor, goal, &exceeded, progress, err);
    own->ill_conditioned = own->ill_conditioned || exceeded;
    return status;
}

/* Whether the set is to be left to epochs over all features: it is too large or ill-conditioned for
 * its Gram matrix. */
static bool leaves_gram(const l1_state *s)
{
    const auto_own *own = s->own;
    return is_by_gram(s) && (s->active.count > MAX_GRAM || own->ill_conditioned);
}

/* Solves the set of the squared loss, by its columns or with its Gram matrix, as decided before. */
static tm_status solve_squared(l1_state *s, solve_progress *progress, double goal, tm_error *err)
{
    auto_own *own = s->own;
    if (own->by_columns) {
        tm_status status = l1_by_columns(s, goal, &own->columns_exceeded, progress, err);
        own->by_columns = !own->columns_exceeded;
        if (status != TM_OK || own->by_columns || leaves_gram(s))
            return status;
    }
    return solve_gram(s, progress, goal, err);
}

/* Decides, for the squared loss, how the set is to be solved. */
static void choose_solver(l1_state *s)
{
    auto_own *own = s->own;
    own->by_columns = s->problem.loss->quadratic && !own->columns_exceeded && l1_columns_pay(s);
}

/* Solves one set at s->penalty.lambda, and computes the products of features that violate their
 * constraint there, and of the others what bounds tell; `ahead` lambdas follow. Missing features
 * are left to these. */
static tm_status solve_at(l1_state *s, solve_progress *progress, double target, size_t ahead,
                          tm_error *err)
{
    tm_status status = begin_set(s, progress, err);
    choose_solver(s);
    if (status != TM_OK || leaves_gram(s))
        return status;
    double goal = INTERMEDIATE_GAP * s->null.objective * s->penalty.lambda / s->null.lambda_max;
    status = solve_squared(s, progress, fmax(goal, target), err);
    if (status != TM_OK || leaves_gram(s))
        return status;
    l1_state_refresh(s);
    status = l1_products_from(s, s->penalty.lambda, ahead, progress, err);
    if (!progress->stopped)
        s->it.solved_lambda = s->penalty.lambda;
    return status;
}

/* Solves intermediate lambdas on the way to one far below the last. Products from a distant lambda
 * are poor predictors of the support; if a set lacks many of its features, the others fit in their
 * place, and the resulting residual selects hundreds of unnecessary features, all of which would
 * stay in the Gram matrix. */
static tm_status solve_intermediate(l1_state *s, solve_progress *progress, double target,
                                    tm_error *err)
{
    const auto_own *own = s->own;
    double first = s->it.solved_lambda, last = s->penalty.lambda;
    tm_status status = TM_OK;
    if (!(last < FAR * first) || s->problem.n <= FEW_FEATURES ||
        l1_count_above(s, last) <= FEW_FEATURES)
        return TM_OK;
    double count = ceil(log(last / first) / log(LAMBDA_STEP));
    int most = (int)fmin(count, MAX_INTERMEDIATE);
    for (int k = 1; k < most && status == TM_OK && !progress->stopped && !own->ill_conditioned;
         k++) {
        l1_state_lambda(s, first * pow(last / first, k / count));
        progress->lambda = s->penalty.lambda;
        status = solve_at(s, progress, target, (size_t)(most - k), err);
    }
    l1_state_lambda(s, last);
    progress->lambda = last;
    return status;
}

/* Being stopped is not an error. */
static tm_status end_stopped(tm_status status, solve_progress *progress)
{
    if (status != TM_ECANCELLED)
        return status;
    progress->stopped = progress->cancelled = true;
    return TM_OK;
}

/* The set is too ill-conditioned for its Gram matrix: runs epochs over the features that the gap
 * does not exclude. */
static tm_status leave_gram(l1_state *s, solve_progress *progress, double target, l1_end *end,
                            tm_error *err)
{
    tm_status status = l1_all_norms(s, err);
    if (status != TM_OK)
        return status;
    ((auto_own *)s->own)->by_epochs = true;
    l1_state_refresh(s);
    return l1_solve_gap(s, progress, target, 0, end, err);
}

/* Of rows that several processes have, only the sums of passes are exchanged. After a certificate
 * above the target the next answer is to be nearer than that. */
static tm_status solve_shared(l1_state *s, solve_progress *progress, double target, int round,
                              l1_end *end, tm_error *err)
{
    auto_own *own = s->own;
    l1_activate_all(s);
    tm_status status =
        l1_together_one(&own->together, s, target * pow(SHARED_TIGHTER, round), progress, err);
    size_t made = own->together ? l1_together_made(own->together)->made : 0;
    end->converged = status == TM_OK && !progress->stopped && made > 0;
    end->stalled = made == 0 || round >= SHARED_ROUNDS;
    return end_stopped(status, progress);
}

static tm_status solve_auto(l1_state *s, solve_progress *progress, double target, int round,
                            l1_end *end, tm_error *err)
{
    auto_own *own = s->own;
    if (s->problem.of.comm)
        return solve_shared(s, progress, target, round, end, err);
    if (own->by_epochs)
        return l1_solve_gap(s, progress, target, round, end, err);
    size_t joined = 0;
    bool quadratic = s->problem.loss->quadratic;
    tm_status status = quadratic ? l1_gram_open(&own->cache, s, err) : TM_OK;
    if (status == TM_OK && round == 0 && quadratic)
        status = solve_intermediate(s, progress, target, err);
    if (status == TM_OK && round == 0)
        status = begin_set(s, progress, err);
    else if (status == TM_OK) {
        if (!is_by_gram(s))
            prune(s);
        /* Most added features soon prove unnecessary, and each adds to the cost of the Gram matrix
         * or of every Hessian. */
        status = add_best_above(s, progress, JOIN_FACTOR * support_of(s) + JOIN_MORE,
                                s->penalty.lambda, true, &joined, err);
        own->complete = (round == 1 || own->complete) && joined == 0;
    }
    if (status != TM_OK || progress->stopped)
        return end_stopped(status, progress);
    choose_solver(s);
    bool by_gram = is_by_gram(s);
    if (leaves_gram(s))
        return leave_gram(s, progress, target, end, err);
    double known = by_gram || (double)joined < FEW_JOINED * (double)s->active.count
                       ? 0
                       : SWEEP_SHARE * own->goal.whole_gap;
    if (round == 0) {
        own->goal.share = by_gram ? GRAM_SET_SHARE : SET_SHARE;
        known = by_gram || own->complete ? 0 : SWEEP_SHARE * own->goal.whole_gap;
    } else if (joined == 0)
        set_goal_tighten(&own->goal);
    double goal = set_goal_next(&own->goal, target, known);
    if (quadratic)
        status = solve_squared(s, progress, goal, err);
    else if (round > 0 || (status = l1_line_extrapolate(&own->line, s, err)) == TM_OK)
        status = l1_newton_set(s, goal, joined, progress, err);
    if (status == TM_OK && leaves_gram(s) && !progress->stopped)
        return leave_gram(s, progress, target, end, err);
    end->converged = !progress->stopped && s->it.epochs < s->options.max_iter;
    end->stalled = set_goal_exhausted(&own->goal);
    end->fitted = !quadratic && !progress->stopped;
    return end_stopped(status, progress);
}

/* ---- normal equations ------------------------------------------------------------------------ */

static bool wants_sums(const l1_state *s)
{
    const auto_own *own = s->own;
    return s->problem.loss->quadratic && !own->cache && !s->penalty.free;
}

static tm_status take_sums(l1_state *s, const normal_equations *sums, tm_error *err)
{
    auto_own *own = s->own;
    tm_status status = l1_gram_open(&own->cache, s, err);
    return status == TM_OK ? gram_fill(own->cache, sums->products, err) : status;
}

static bool pays_together(const l1_state *s)
{
    return l1_together_pays(((const auto_own *)s->own)->together, s);
}

static tm_status solve_together(l1_state *s, const double *lambdas, size_t count, double target,
                                const l1_together_answers **made, solve_progress *progress,
                                tm_error *err)
{
    auto_own *own = s->own;
    tm_status status = l1_together_solve(&own->together, s, lambdas, count, target, progress, err);
    *made = status == TM_OK ? l1_together_made(own->together) : NULL;
    return status;
}

static void close(void *own)
{
    gram_free(((auto_own *)own)->cache);
    gram_factor_free(((auto_own *)own)->factor);
    l1_together_free(((auto_own *)own)->together);
    l1_line_clear(&((auto_own *)own)->line);
}

static void forget(l1_state *s)
{
    ((auto_own *)s->own)->line.answer_lambda = 0;
}

static void begin(l1_state *s)
{
    auto_own *own = s->own;
    own->lambda_before = s->it.solved_lambda;
    own->by_epochs = false;
}

static void certified(l1_state *s, double gap)
{
    ((auto_own *)s->own)->goal.whole_gap = gap;
}

static bool needs_certificate(const l1_state *s)
{
    return !((const auto_own *)s->own)->by_epochs;
}

const l1_strategy l1_strategy_auto = {.solve = solve_auto,
                                      .shares_rows = true,
                                      .few_arrays = true,
                                      .own_size = sizeof(auto_own),
                                      .close = close,
                                      .begin = begin,
                                      .forget = forget,
                                      .certified = certified,
                                      .needs_certificate = needs_certificate,
                                      .can_wait = can_wait,
                                      .exact_from = exact_from,
                                      .pays_together = pays_together,
                                      .solve_together = solve_together,
                                      .wants_sums = wants_sums,
                                      .take_sums = take_sums};
