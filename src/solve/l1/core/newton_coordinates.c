/* Newton steps for one feature at a time, on the true loss. A step costs only the rows of its
 * feature, and uses the predictions that the previous steps have updated: many new features find
 * the size of their weights in a pass or two, where steps of one model for all features would be
 * limited by the rows with the most curvature. */
#include "base/memory.h"
#include "base/numeric/soft_threshold.h"
#include "solve/l1/core/newton.h"
#include "solve/l1/core/tuning.h"

#include <stdlib.h>

double l1_column_curve(const l1_state *s, const l1_column *x, double *slope)
{
    double y[LOSS_BLOCK], z[LOSS_BLOCK], slopes[LOSS_BLOCK], curvatures[LOSS_BLOCK];
    double curvature = 0;
    *slope = 0;
    for (size_t from = 0; from < x->count; from += LOSS_BLOCK) {
        size_t count = x->count - from < LOSS_BLOCK ? x->count - from : LOSS_BLOCK;
        for (size_t k = 0; k < count; k++) {
            y[k] = s->problem.response[l1_column_row(x, from + k)];
            z[k] = s->it.z[l1_column_row(x, from + k)];
        }
        s->problem.loss->slopes(y, z, count, slopes, curvatures);
        for (size_t k = 0; k < count; k++) {
            double value = x->values[from + k];
            double weighted = samples_weight(&s->problem.of, l1_column_row(x, from + k)) * value;
            *slope += weighted * slopes[k];
            curvature += weighted * curvatures[k] * value;
        }
    }
    return curvature;
}

static double longest_step(const l1_column *x)
{
    double widest = 0;
    for (size_t k = 0; k < x->count; k++)
        widest = fmax(widest, fabs(x->values[k]));
    return MAX_PREDICTION_STEP / widest;
}

static void step(l1_state *s, size_t j, double *scratch)
{
    l1_column x;
    x.count = tm_matrix_entries(s->problem.x, j, scratch, &x.rows, &x.values);
    double slope, squared = penalty_square(&s->penalty.terms, j);
    double square =
        l1_column_curve(s, &x, &slope) + LEAST_CURVATURE * l1_norm(s, j) * l1_norm(s, j) + squared;
    double target = s->it.w[j] - (slope + squared * s->it.w[j]) / square;
    double next = soft_threshold(target, s->penalty.lambda * l1_factor(s, j) / square);
    if (s->penalty.lower)
        next = fmin(fmax(next, s->penalty.lower[j]), s->penalty.upper[j]);
    double d = next - s->it.w[j], longest = longest_step(&x);
    if (fabs(d) > longest) {
        d = copysign(longest, d);
        next = s->it.w[j] + d;
    }
    if (d == 0)
        return;
    s->it.w[j] = next;
    tm_matrix_axpy(s->problem.x, j, d, s->it.z);
}

tm_status l1_newton_coordinates(l1_state *s, size_t from, int passes, solve_progress *progress,
                                tm_error *err)
{
    size_t count = s->active.count - from;
    double *kept = mem_array(count + s->problem.n, sizeof *kept), before = l1_objective(s, from);
    if (!kept)
        return tm_fail_memory(err, "the new features");
    for (size_t k = 0; k < count; k++)
        kept[k] = s->it.w[s->active.features[from + k]];
    for (int pass = 0; pass < passes; pass++, s->it.epochs++)
        for (size_t k = from; k < s->active.count && !progress->stopped; k++) {
            step(s, s->active.features[k], kept + count);
            progress->columns += 2;
            progress->updates++;
            progress_work(progress, 4 * s->problem.n);
        }
    bool raised = !(l1_objective(s, from) <= before);
    for (size_t k = 0; raised && k < count; k++)
        s->it.w[s->active.features[from + k]] = kept[k];
    free(kept);
    if (raised)
        l1_state_refresh(s);
    else
        l1_state_refit(s);
    return TM_OK;
}
