/* Structured kernel selection to a given gap: solves problems on growing sets of features. */
#include "solve/kernel/interior.h"
#include "solve/kernel/kernelfs.h"
#include "solve/kernel/tuning.h"

#include "base/memory.h"
#include "base/numeric/top_k.h"
#include "solve/common/screen_log.h"

#include <math.h>
#include <string.h>

static void join(feature_set *set, size_t i)
{
    set->count += !set->in[i];
    set->in[i] = true;
}

/* Bounds in the log are products with the dual point relative to lambda. */
static void log_growth(const kernelfs *s, const best *chosen, solve_progress *progress)
{
    tm_screen_step step =
        screen_log_step("working set: features with products near lambda or above", s->set.count);
    screen_log_begin(progress, &step);
    for (size_t k = 0; k < chosen->count; k++)
        screen_log_feature(progress, chosen->picks[k].unit,
                           s->q[chosen->picks[k].unit] / s->problem.lambda, TM_SCREEN_ADDED);
    for (size_t i = 0; i < s->of.p && screen_log_wanted(progress); i++)
        if (!s->set.in[i])
            screen_log_feature(progress, i, s->q[i] / s->problem.lambda, TM_SCREEN_KEPT);
}

/* Adds the best features outside the set whose product is above lambda or near it; counts those
 * above in *above. */
static tm_status grow(kernelfs *s, solve_progress *progress, size_t *above, tm_error *err)
{
    feature_set *set = &s->set;
    size_t room = set->count > LEAST_JOIN ? set->count : LEAST_JOIN, before = set->count;
    double least = (1 - NEAR_LAMBDA) * s->problem.lambda;
    best chosen;
    *above = 0;
    if (!best_init(&chosen, room))
        return tm_fail_memory(err, "the solver");
    for (size_t i = 0; i < s->of.p; i++) {
        if (set->in[i])
            continue;
        *above += s->q[i] > s->problem.lambda;
        if (s->q[i] > least)
            best_offer(&chosen, i, s->q[i]);
    }
    for (size_t k = 0; *above && k < chosen.count; k++)
        join(set, chosen.picks[k].unit);
    if (set->count > before)
        log_growth(s, &chosen, progress);
    best_clear(&chosen);
    return TM_OK;
}

/* The columns of Z of the set, each value times `scale`. */
static double *gather(kernelfs *s, double *scale, solve_progress *progress)
{
    size_t n = s->of.n, cells;
    bool fits = !__builtin_mul_overflow(n, s->set.count, &cells);
    double *columns = fits ? mem_array(cells, sizeof *columns) : NULL, greatest = 0;
    if (!columns)
        return NULL;
    for (size_t k = 0; k < s->set.count; k++)
        tm_matrix_column(s->of.z, s->set.list[k], columns + k * n);
    progress->columns += s->set.count;
    for (size_t k = 0; k < cells; k++)
        greatest = fmax(greatest, fabs(columns[k]));
    *scale = greatest > 0 ? 1 / greatest : 1;
    for (size_t k = 0; k < cells; k++)
        columns[k] *= *scale;
    return columns;
}

/* What the set's problem has found, in the scale of the whole one. */
static void scatter(kernelfs *s, const interior_answer *found, double scale)
{
    memset(s->a, 0, s->of.p * sizeof *s->a);
    memset(s->flow, 0, s->of.p * sizeof *s->flow);
    for (size_t k = 0; k < s->set.count; k++) {
        s->a[s->set.list[k]] = found->a[k] * scale;
        s->flow[s->set.list[k]] = found->flow[k] * scale;
    }
}

/* Solves the problem on the set. Margins are divided by n and values of Z by their maximum, so that
 * its weights are those of the small problem times n over that maximum. */
static tm_status solve_set(kernelfs *s, double target, solve_progress *progress, tm_error *err)
{
    double n = (double)s->of.n, scale = 1;
    if (!feature_set_order(&s->set, &s->terms, s->graph))
        return tm_fail_memory(err, "the problem on some features");
    double *columns = gather(s, &scale, progress),
           *found = mem_zeros(2 * s->set.count, sizeof *found);
    tm_status status =
        columns && found ? TM_OK : tm_fail_memory(err, "the problem on some features");
    interior_answer answer = {found, found ? found + s->set.count : NULL, s->alpha};
    interior_problem q = {.n = s->of.n, .width = s->set.count, .columns = columns};
    double *band = NULL;
    if (status == TM_OK) {
        q.lambda = s->problem.lambda * scale;
        q.band = band =
            feature_set_band(&s->set, s->graph, s->problem.lambda2 * n * scale * scale, &q.below);
        status = band ? interior_solve(&q, target / n, &answer, progress, err)
                      : tm_fail_memory(err, "the problem on some features");
    }
    if (status == TM_OK)
        scatter(s, &answer, n * scale);
    free(columns);
    free(band);
    free(found);
    return status;
}

tm_status kernelfs_exact(kernelfs *s, double target, solve_progress *progress, kernelfs_end *end,
                         tm_error *err)
{
    double null = (double)s->of.n * (double)s->of.n;
    if (s->set.target > SET_TARGET * target)
        s->set.target = SET_TARGET * target;
    for (;;) {
        size_t above;
        end->converged = kernelfs_gap(s, s->set.count, progress) <= target;
        end->stalled = s->set.target < LEAST_TARGET * null;
        if (end->converged || end->stalled || s->rounds >= s->max_rounds || progress->stopped)
            return TM_OK;
        tm_status status = grow(s, progress, &above, err);
        if (status == TM_OK && above == 0 && s->rounds > 0)
            s->set.target *= TIGHTER;
        if (status == TM_OK)
            status = solve_set(s, s->set.target, progress, err);
        if (status != TM_OK)
            return status;
        s->rounds++;
    }
}
