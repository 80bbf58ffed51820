/* The inner problem of fsmulti and svmperf: small problems over the planes and groups of a bundle until its
 * bounds meet. */
#include "solve/bundle.h"

#include "base/memory.h"
#include "solve/qcqp.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the small problem --------------------------------------------------------------------- */

/* Over the groups that are awake. */
static tm_status solve_small(bundle *b, tm_error *err)
{
    size_t K = b->plane_count, T = 0;
    const double **Q = mem_array(b->group_count, sizeof *Q);
    double *room = mem_array(2 * K + b->group_count, sizeof *room);
    double *q = room, *alpha = q + K, *mu = alpha + K;
    qcqp_result result;
    tm_status status = Q && room ? TM_OK : tm_fail_memory(err, "the inner problem");
    for (size_t t = 0; status == TM_OK && t < b->group_count; t++)
        if (!b->groups[t].asleep)
            Q[T++] = b->groups[t].Q;
    for (size_t k = 0; status == TM_OK && k < K; k++)
        q[k] = b->planes[k].yhat->value.loss / (double)b->n;
    if (status == TM_OK) {
        qcqp small = {K, T, b->plane_room, Q, q, b->C, bundle_multiplier_sum(b)};
        status = qcqp_solve(&small, alpha, mu, &result, err);
    }
    for (size_t k = 0; status == TM_OK && k < K; k++)
        b->planes[k].alpha = alpha[k];
    T = 0;
    for (size_t t = 0; status == TM_OK && t < b->group_count; t++)
        b->groups[t].mu = b->groups[t].asleep ? 0 : mu[T++];
    free(Q);
    free(room);
    return status;
}

/* About the multiply-adds of a small problem: some twenty steps, each of a matrix a group and one factor. */
static uint64_t small_cost(const bundle *b)
{
    uint64_t K = b->plane_count, T = b->group_count;
    return 20 * K * K * (4 * T + K / 3 + 1);
}

/* The squared length of sum_k alpha_k a_k on a group. */
static double group_square(const bundle *b, const bundle_group *t)
{
    double square = 0;
    for (size_t c = 0; c < t->count; c++) {
        double value = b->sum[t->columns ? t->columns[c] : c];
        square += value * value;
    }
    return square;
}

/* b->sum from the multipliers; returns sum_k alpha_k Delta_k / n. */
static double combine_planes(bundle *b)
{
    double loss = 0;
    memset(b->sum, 0, b->column_count * sizeof *b->sum);
    for (size_t k = 0; k < b->plane_count; k++) {
        const bundle_plane *plane = &b->planes[k];
        cblas_daxpy((int)b->column_count, plane->alpha, plane->a, 1, b->sum, 1);
        loss += plane->alpha * plane->yhat->value.loss / (double)b->n;
    }
    return loss;
}

/* Wakes the groups whose quadratic is above all that are awake; whether there was one. The value of the small
 * problem over all groups is a lower bound in any case. */
static bool wake_violated(bundle *b)
{
    static const double CLEARLY = 1 + 1e-6;
    double loss = combine_planes(b), awake = 0, greatest = 0;
    bool woken = false;
    for (size_t t = 0; t < b->group_count; t++)
        if (!b->groups[t].asleep)
            awake = fmax(awake, group_square(b, &b->groups[t]));
    greatest = awake;
    for (size_t t = 0; t < b->group_count; t++) {
        double square = b->groups[t].asleep ? group_square(b, &b->groups[t]) : 0;
        greatest = fmax(greatest, square);
        if (square > awake * CLEARLY) {
            b->groups[t].asleep = false;
            b->groups[t].idle = 0;
            woken = true;
        }
    }
    b->lower = fmax(b->lower, loss - greatest / 2);
    return woken;
}

/* Groups of no account get no weight at all: interior points leave every one a little. Those that have been so
 * for a while fall asleep. */
static void trim_groups(bundle *b)
{
    enum { IDLE_MOST = 10 };
    static const double OF_ACCOUNT = 1e-9;
    double total = 0;
    for (size_t t = 0; t < b->group_count; t++) {
        bundle_group *group = &b->groups[t];
        group->mu = group->mu > OF_ACCOUNT ? group->mu : 0;
        group->idle = group->mu > 0 ? 0 : group->idle + 1;
        group->asleep = group->idle > IDLE_MOST;
        total += group->mu;
    }
    for (size_t t = 0; t < b->group_count; t++)
        b->groups[t].mu /= total;
}

/* b->trial = sum_t w_t with w_t = mu_t sum_k alpha_k a_k on group t; returns 1/2 (sum_t |w_t|)^2. */
static double make_trial(bundle *b)
{
    double norm = 0;
    memset(b->trial, 0, b->column_count * sizeof *b->trial);
    for (size_t t = 0; t < b->group_count; t++) {
        const bundle_group *group = &b->groups[t];
        for (size_t c = 0; group->mu > 0 && c < group->count; c++) {
            size_t j = group->columns ? group->columns[c] : c;
            b->trial[j] += group->mu * b->sum[j];
        }
        norm += group->mu > 0 ? group->mu * sqrt(group_square(b, group)) : 0;
    }
    return norm * norm / 2;
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

/* One plane more, or the knowledge that there is none. */
static tm_status advance(bundle *b, bool *stuck, solve_progress *progress, tm_error *err)
{
    size_t planes = b->plane_count;
    double risk;
    tm_status status = solve_small(b, err);
    while (status == TM_OK && wake_violated(b))
        status = solve_small(b, err);
    if (status != TM_OK)
        return status;
    progress_work(progress, small_cost(b));
    trim_groups(b);
    double norm = make_trial(b);
    bundle_predict(b, b->trial, progress);
    status = bundle_add_worst(b, &risk, progress, err);
    if (status != TM_OK)
        return status;
    *stuck = b->plane_count == planes;
    progress->updates++;
    double value = norm + b->C * risk;
    if (value < b->upper) {
        b->upper = value;
        memcpy(b->weights, b->trial, b->column_count * sizeof *b->weights);
    }
    return TM_OK;
}

tm_status bundle_solve(bundle *b, double target, const bundle_report *report,
                       solve_progress *progress, tm_error *err)
{
    tm_status status = TM_OK;
    static const double ABOVE_ZERO = 1e-7;
    bool stuck = false;
    double risk;
    b->upper = INFINITY;
    b->lower = -INFINITY;
    if (b->plane_count == 0) {
        memset(b->v, 0, b->n * sizeof *b->v);
        status = bundle_add_worst(b, &risk, progress, err);
    }
    while (status == TM_OK && b->planes_most > 0 && !stuck) {
        status = advance(b, &stuck, progress, err);
        b->planes_most--;
        if (status != TM_OK)
            break;
        report_check(b, report, progress);
        if (b->upper - b->lower <= target || progress->stopped)
            break;
        bundle_drop_idle(b, ABOVE_ZERO);
    }
    return status;
}
