/* The inner problem of fsmulti and svmperf: solves small problems over the planes and groups of a
 * bundle until its bounds meet. */
#include "solve/multi/bundle.h"

#include "base/memory.h"
#include "model/penalty/ksupport.h"
#include "solve/fgm/proximal.h"
#include "solve/multi/qcqp.h"
#include "solve/multi/support_qp.h"
#include "solve/multi/tuning.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the small problem --------------------------------------------------------------------- */

/* Whether the small problem is over all sets of B columns instead of groups. */
static bool of_all_sets(const bundle *b)
{
    return b->dual.B > 0 && b->dual.B < b->column_count;
}

typedef struct small_problem {
    size_t K;
    double *q, *alpha; /* K */
    double gap;        /* to which it was solved */
} small_problem;

/* Solves over the active groups. */
static tm_status solve_groups(bundle *b, small_problem *small, tm_error *err)
{
    size_t T = 0;
    const double **Q = mem_array(b->group_count, sizeof *Q);
    double *mu = mem_array(b->group_count, sizeof *mu);
    qcqp_result result;
    tm_status status = Q && mu ? TM_OK : tm_fail_memory(err, "the inner problem");
    for (size_t t = 0; status == TM_OK && t < b->group_count; t++)
        if (!b->groups[t].inactive)
            Q[T++] = b->groups[t].Q;
    if (status == TM_OK) {
        qcqp problem = {small->K, T, b->plane_room, Q, small->q, b->C, bundle_multiplier_sum(b)};
        status = qcqp_solve(&problem, small->alpha, mu, &result, err);
        small->gap = result.upper - result.value;
    }
    T = 0;
    for (size_t t = 0; status == TM_OK && t < b->group_count; t++)
        b->groups[t].mu = b->groups[t].inactive ? 0 : mu[T++];
    free(Q);
    free(mu);
    return status;
}

static tm_status solve_sets(bundle *b, small_problem *small, double target, tm_error *err)
{
    bundle_dual *dual = &b->dual;
    const double **a = mem_array(small->K, sizeof *a);
    double *lambda = mem_array(small->K, sizeof *lambda);
    tm_status status = a && lambda ? TM_OK : tm_fail_memory(err, "the inner problem");
    for (size_t k = 0; status == TM_OK && k < small->K; k++) {
        a[k] = b->planes[k].a;
        small->alpha[k] = b->planes[k].alpha;
        lambda[k] = b->planes[k].slack;
    }
    support_qp problem = {small->K, b->column_count,         dual->B, a, small->q,
                          b->C,     bundle_multiplier_sum(b)};
    support_qp_point point = {small->alpha, lambda,   dual->shares, dual->from_zero, dual->from_one,
                              dual->rest,   dual->nu, dual->theta,  dual->C == b->C, INFINITY};
    if (status == TM_OK)
        status = support_qp_solve(&problem, target, &point, err);
    for (size_t k = 0; status == TM_OK && k < small->K; k++)
        b->planes[k].slack = lambda[k];
    small->gap = point.gap;
    dual->rest = point.rest;
    dual->nu = point.nu;
    dual->theta = point.theta;
    dual->C = status == TM_OK ? b->C : 0;
    free(a);
    free(lambda);
    return status;
}

/* Solves to a gap of `target` if the problem is over all sets; over groups as far as rounding
 * allows. *left: the gap reached. */
static tm_status solve_small(bundle *b, double target, double *left, tm_error *err)
{
    size_t K = b->plane_count;
    double *room = mem_array(2 * K, sizeof *room);
    if (!room)
        return tm_fail_memory(err, "the inner problem");
    small_problem small = {K, room, room + K, INFINITY};
    for (size_t k = 0; k < K; k++)
        small.q[k] = b->planes[k].yhat->value.loss / (double)b->n;
    tm_status status =
        of_all_sets(b) ? solve_sets(b, &small, target, err) : solve_groups(b, &small, err);
    for (size_t k = 0; status == TM_OK && k < K; k++)
        b->planes[k].alpha = small.alpha[k];
    *left = small.gap;
    free(room);
    return status;
}

/* The approximate multiply-adds of a small problem: some twenty steps, each with one matrix for
 * each group and one factorisation. */
static uint64_t small_cost(const bundle *b)
{
    uint64_t K = b->plane_count, T = b->group_count;
    if (of_all_sets(b))
        return 20 * K * K * (2 * b->column_count + K / 3 + 1);
    return 20 * K * K * (4 * T + K / 3 + 1);
}

/* The squared length of sum_k alpha_k a_k on a group. */
static double group_square(const bundle *b, const bundle_group *t)
{
    double square = 0;
    for (size_t c = 0; c < t->count; c++) {
        double value = b->dual.sum[t->columns ? t->columns[c] : c];
        square += value * value;
    }
    return square;
}

/* Computes b->dual.sum from the multipliers; returns sum_k alpha_k Delta_k / n. */
static double combine_planes(bundle *b)
{
    double loss = 0;
    memset(b->dual.sum, 0, b->column_count * sizeof *b->dual.sum);
    for (size_t k = 0; k < b->plane_count; k++) {
        const bundle_plane *plane = &b->planes[k];
        cblas_daxpy((int)b->column_count, plane->alpha, plane->a, 1, b->dual.sum, 1);
        loss += plane->alpha * plane->yhat->value.loss / (double)b->n;
    }
    return loss;
}

/* The lower bound over all sets of columns: subtracts half the sum of the B greatest squares. */
static void bound_sets(bundle *b)
{
    double loss = combine_planes(b), squares = 0, *sorted = b->trial.weights;
    for (size_t j = 0; j < b->column_count; j++)
        sorted[j] = b->dual.sum[j] * b->dual.sum[j];
    qsort(sorted, b->column_count, sizeof *sorted, fgm_descending);
    for (size_t j = b->dual.B; j-- > 0;)
        squares += sorted[j];
    b->lower = fmax(b->lower, loss - squares / 2);
}

/* Activates the groups whose quadratic is above that of all active ones; true if there was one. The
 * value of the small problem over all groups is a lower bound in any case. */
static bool activate_violated(bundle *b)
{
    double loss = combine_planes(b), active = 0, greatest = 0;
    bool woken = false;
    for (size_t t = 0; t < b->group_count; t++)
        if (!b->groups[t].inactive)
            active = fmax(active, group_square(b, &b->groups[t]));
    greatest = active;
    for (size_t t = 0; t < b->group_count; t++) {
        double square = b->groups[t].inactive ? group_square(b, &b->groups[t]) : 0;
        greatest = fmax(greatest, square);
        if (square > active * QUADRATIC_ABOVE) {
            b->groups[t].inactive = false;
            b->groups[t].idle = 0;
            woken = true;
        }
    }
    b->lower = fmax(b->lower, loss - greatest / 2);
    return woken;
}

/* Sets the weight of negligible groups to zero, since interior point methods leave each a small
 * one. Groups that have been negligible for a while become inactive. */
static void trim_groups(bundle *b)
{
    double total = 0;
    for (size_t t = 0; t < b->group_count; t++) {
        bundle_group *group = &b->groups[t];
        group->mu = group->mu > OF_ACCOUNT ? group->mu : 0;
        group->idle = group->mu > 0 ? 0 : group->idle + 1;
        group->inactive = group->idle > MAX_IDLE_GROUPS;
        total += group->mu;
    }
    for (size_t t = 0; t < b->group_count; t++)
        b->groups[t].mu /= total;
}

/* b->trial.weights = sum_t w_t with w_t = mu_t sum_k alpha_k a_k on group t; returns sum_t |w_t|.
 */
static double make_trial(bundle *b)
{
    double norm = 0;
    memset(b->trial.weights, 0, b->column_count * sizeof *b->trial.weights);
    for (size_t j = 0; of_all_sets(b) && j < b->column_count; j++) {
        b->trial.weights[j] = b->dual.shares[j] * b->dual.sum[j];
        norm += b->trial.weights[j] * b->dual.sum[j];
    }
    if (of_all_sets(b))
        return sqrt(norm);
    for (size_t t = 0; t < b->group_count; t++) {
        const bundle_group *group = &b->groups[t];
        for (size_t c = 0; group->mu > 0 && c < group->count; c++) {
            size_t j = group->columns ? group->columns[c] : c;
            b->trial.weights[j] += group->mu * b->dual.sum[j];
        }
        norm += group->mu > 0 ? group->mu * sqrt(group_square(b, group)) : 0;
    }
    return norm;
}

/* ---- between the best weights and the trial weights ----------------------------------------- */

/* A labeling along v = (1 - t) best_v + t trial_v: C/n times its value at both ends. */
typedef struct line {
    double at_best, at_trial;
} line;

typedef struct span {
    double norm, trial_norm; /* at both ends; in between the norm is at most their linear
                              * interpolation */
} span;

static double line_value(const line *l, double t)
{
    return (1 - t) * l->at_best + t * l->at_trial;
}

static double norm_at(const span *s, double t)
{
    return (1 - t) * s->norm + t * s->trial_norm;
}

static double objective_at(const span *s, const line *l, double t)
{
    return norm_at(s, t) * norm_at(s, t) / 2 + line_value(l, t);
}

static double slope_at(const span *s, const line *l, double t)
{
    return norm_at(s, t) * (s->trial_norm - s->norm) + l->at_trial - l->at_best;
}

/* b->v = (1 - t) best_v + t trial_v */
static void mix_scores(bundle *b, double t)
{
    for (size_t i = 0; i < b->n; i++)
        b->v[i] = (1 - t) * b->best.v[i] + t * b->trial.v[i];
}

/* The line of the worst labeling at t. */
static line worst_line(bundle *b, double t, solve_progress *progress)
{
    mix_scores(b, t);
    labeling worst = labeler_worst(b->labeler, b->v);
    double factor = b->C / (double)b->n;
    progress_work(progress, b->n * 8);
    return (line){factor * labeling_value(&worst, b->best.v),
                  factor * labeling_value(&worst, b->trial.v)};
}

/* The minimiser of the objective along one line. */
static double least_of_line(const span *s, const line *l)
{
    double rise = s->trial_norm - s->norm;
    if (rise == 0)
        return l->at_trial < l->at_best ? INFINITY : -INFINITY;
    return ((l->at_best - l->at_trial) / rise - s->norm) / rise;
}

/* The minimiser of the maximum of two lines' objectives, of which one decreases at `from` and the
 * other increases at `to`. */
static double least_of_two(const span *s, const line *falls, const line *rises, double from,
                           double to)
{
    double gap = falls->at_best - rises->at_best;
    double narrowing = rises->at_trial - falls->at_trial + gap;
    double crossing = narrowing > 0 ? gap / narrowing : (from + to) / 2;
    double t = fmin(crossing, least_of_line(s, falls));
    if (t >= crossing)
        t = fmax(crossing, least_of_line(s, rises));
    return fmin(fmax(t, from), to);
}

/* An approximately optimal t in [0, 1], and its objective: R along the segment is convex and
 * piecewise linear. */
static double search_line(bundle *b, const span *s, double *objective, solve_progress *progress)
{
    double from = 0, to = 1, best = 1;
    line rises = worst_line(b, 1, progress);
    *objective = objective_at(s, &rises, 1);
    if (slope_at(s, &rises, 1) <= 0)
        return 1;
    line falls = worst_line(b, 0, progress);
    if (slope_at(s, &falls, 0) >= 0) {
        *objective = objective_at(s, &falls, 0);
        return 0;
    }
    for (int k = 0; k < MAX_LABELINGS; k++) {
        double t = least_of_two(s, &falls, &rises, from, to);
        double bound = fmax(objective_at(s, &falls, t), objective_at(s, &rises, t));
        line at = worst_line(b, t, progress);
        double value = objective_at(s, &at, t);
        if (value < *objective) {
            *objective = value;
            best = t;
        }
        if (value - bound <= NEAR * (value - b->lower))
            break;
        if (slope_at(s, &at, t) > 0) {
            rises = at;
            to = t;
        } else {
            falls = at;
            from = t;
        }
    }
    return best;
}

/* |w|_(B) of the best weights: interpolating the norms of both ends overestimates it more and more.
 * Uses the trial weights as scratch. */
static void measure_best(bundle *b)
{
    double *sizes = b->trial.weights;
    for (size_t j = 0; j < b->column_count; j++)
        sizes[j] = fabs(b->best.weights[j]);
    double square = ksupport_squared(sizes, b->column_count, (double)b->dual.B);
    b->upper -= fmax(b->best.norm * b->best.norm - square, 0) / 2;
    b->best.norm = fmin(b->best.norm, sqrt(square));
}

/* Moves the best weights towards the trial weights, to the best point between them. */
static void take_best(bundle *b, double trial_norm, solve_progress *progress)
{
    span s = {b->best.norm, trial_norm};
    double objective, t = search_line(b, &s, &objective, progress);
    if (objective >= b->upper)
        return;
    b->upper = objective;
    b->best.norm = norm_at(&s, t);
    for (size_t j = 0; j < b->column_count; j++)
        b->best.weights[j] = (1 - t) * b->best.weights[j] + t * b->trial.weights[j];
    for (size_t i = 0; i < b->n; i++)
        b->best.v[i] = (1 - t) * b->best.v[i] + t * b->trial.v[i];
    if (of_all_sets(b))
        measure_best(b);
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void report_check(const bundle *b, const bundle_report *report, solve_progress *progress)
{
    if (!report) {
        progress_emit(progress, TM_EVENT_CHECK, b->upper, b->lower, b->upper - b->lower,
                      b->column_count, b->column_count);
        return;
    }
    progress->inner_gap = b->upper - b->lower;
    progress_emit(progress, TM_EVENT_CHECK, report->upper, report->lower,
                  report->upper - report->lower, report->seen, report->all);
    progress->inner_gap = NAN;
}

/* Solves for the multipliers and groups, and computes the lower bound that they give. */
static tm_status solve_planes(bundle *b, double target, double *left, tm_error *err)
{
    tm_status status = solve_small(b, target, left, err);
    if (status == TM_OK && of_all_sets(b)) {
        bound_sets(b);
        return TM_OK;
    }
    while (status == TM_OK && activate_violated(b))
        status = solve_small(b, target, left, err);
    if (status == TM_OK)
        trim_groups(b);
    return status;
}

/* How the loop goes on. */
typedef struct pace {
    double share;   /* of the gap to which the small problem over all sets is solved; it decreases
                     * when only a more accurate solution can help */
    double least;   /* the gap when it last fell worthwhile */
    int vain;       /* small problems since then that rounding has kept from what was asked */
    bool exhausted; /* nothing more accurate can come */
} pace;

/* Where rounding hides the small problem's solution, new planes may be found without end. */
static void judge(pace *at, bool rounded, double gap)
{
    if (gap < QCQP_WORTHWHILE * at->least) {
        at->least = gap;
        at->vain = 0;
    }
    at->vain += rounded;
}

/* Adds a plane, or finds that there is no new one. The plane is taken near the best weights, where
 * the optimum is, and not at the trial weights, which oscillate (Franc and Sonnenburg 2009). */
static tm_status advance(bundle *b, pace *at, solve_progress *progress, tm_error *err)
{
    size_t planes = b->plane_count;
    double risk, left, gap = isfinite(b->lower) ? b->upper - b->lower : b->upper;
    tm_status status = solve_planes(b, at->share * gap, &left, err);
    if (status != TM_OK)
        return status;
    progress_work(progress, small_cost(b));
    double norm = make_trial(b);
    bundle_predict(b, b->trial.weights, progress);
    memcpy(b->trial.v, b->v, b->n * sizeof *b->v);
    take_best(b, norm, progress);
    mix_scores(b, TOWARDS_TRIAL);
    status = bundle_add_worst(b, &risk, progress, err);
    if (status == TM_OK && b->plane_count == planes) {
        mix_scores(b, 1);
        status = bundle_add_worst(b, &risk, progress, err);
    }
    bool same = b->plane_count == planes;
    judge(at, left > at->share * gap, b->upper - b->lower);
    at->exhausted =
        (same && (!of_all_sets(b) || at->share < SETS_SHARE_LEAST)) || at->vain > PLANES_IN_VAIN;
    at->share = same ? SETS_SHARE_FALL * at->share : SETS_SHARE;
    progress->updates++;
    return status;
}

/* Evaluates the objective at the best weights so far, which are valid for this problem too, and
 * takes a first plane there. */
static tm_status begin(bundle *b, solve_progress *progress, tm_error *err)
{
    double risk;
    memcpy(b->v, b->best.v, b->n * sizeof *b->v);
    tm_status status = bundle_add_worst(b, &risk, progress, err);
    b->upper = b->best.norm * b->best.norm / 2 + b->C * risk;
    b->lower = -INFINITY;
    return status;
}

/* Combinations of weights keep a small weight for every feature that ever had one. Removes those
 * outside every group that matters if the objective stays as good. */
static void prune(bundle *b, double target, solve_progress *progress)
{
    memset(b->trial.weights, 0, b->column_count * sizeof *b->trial.weights);
    for (size_t t = 0; t < b->group_count; t++)
        for (size_t c = 0; b->groups[t].mu > 0 && c < b->groups[t].count; c++) {
            size_t j = b->groups[t].columns ? b->groups[t].columns[c] : c;
            b->trial.weights[j] = b->best.weights[j];
        }
    for (size_t j = 0; of_all_sets(b) && j < b->column_count; j++)
        b->trial.weights[j] = b->dual.shares[j] > SHARE_ABOVE_ZERO ? b->best.weights[j] : 0;
    if (memcmp(b->trial.weights, b->best.weights, b->column_count * sizeof *b->trial.weights) == 0)
        return;
    bundle_predict(b, b->trial.weights, progress);
    labeling worst = labeler_worst(b->labeler, b->v);
    double risk = fmax(labeling_value(&worst, b->v), 0) / (double)b->n;
    double objective = b->best.norm * b->best.norm / 2 + b->C * risk;
    if (objective > fmax(b->upper, b->lower + target))
        return;
    b->upper = objective;
    memcpy(b->best.weights, b->trial.weights, b->column_count * sizeof *b->best.weights);
    memcpy(b->best.v, b->v, b->n * sizeof *b->v);
    if (of_all_sets(b))
        measure_best(b);
}

tm_status bundle_solve(bundle *b, double target, const bundle_report *report,
                       solve_progress *progress, tm_error *err)
{
    pace at = {.share = SETS_SHARE, .least = INFINITY};
    tm_status status = begin(b, progress, err);
    if (report) /* a bound of the problem over all columns is a bound of this one */
        b->lower = report->lower;
    while (status == TM_OK && b->planes_most > 0 && !at.exhausted) {
        status = advance(b, &at, progress, err);
        b->planes_most--;
        if (status != TM_OK)
            return status;
        report_check(b, report, progress);
        if (b->upper - b->lower <= target || progress->stopped)
            break;
        if (of_all_sets(b))
            bundle_drop_idle(b, SETS_ABOVE_ZERO / (double)b->plane_count, SETS_MAX_IDLE);
        else
            bundle_drop_idle(b, ABOVE_ZERO, MAX_IDLE_PLANES);
    }
    b->dual.rounded = at.vain > PLANES_IN_VAIN;
    if (status == TM_OK)
        prune(b, target, progress);
    return status;
}
