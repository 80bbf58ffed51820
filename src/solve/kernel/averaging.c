/* Structured kernel selection by dual averaging (SAIF algorithm 4; Xiao 2010): one step for each
 * sample. In the thesis's step (4.6) both penalties are divided by n, so that the losses of the
 * steps sum to the problem. */
#include "solve/kernel/kernelfs.h"
#include "solve/kernel/tuning.h"

#include "tamis/rng.h"

#include <math.h>
#include <string.h>

static double length(const double *v, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* The greatest absolute row sum of D'D, an upper bound of its eigenvalues. */
static double graph_size(const kernelfs *s)
{
    double greatest = 0;
    for (size_t i = 0; i < s->of.p; i++) {
        double sum = 0;
        for (size_t t = s->terms.starts[i]; t < s->terms.starts[i + 1]; t++) {
            const double *values;
            size_t count;
            const uint32_t *features = tm_graph_term(s->graph, s->terms.terms[t], &values, &count);
            double own = 0, all = 0;
            for (size_t k = 0; k < count; k++) {
                all += fabs(values[k]);
                own += features[k] == i ? fabs(values[k]) : 0;
            }
            sum += own * all;
        }
        greatest = fmax(greatest, sum);
    }
    return greatest;
}

/* G / (sqrt(2) D) of theorem 2, where G is the greatest gradient norm of a sample's hinge loss and
 * D the length of the weights along the mean gradient whose mean margin is n; but at least the
 * value that keeps the steps stable along the graph's penalty. */
static double default_gamma(kernelfs *s)
{
    double steepest = 0, n = (double)s->of.n, sums = length(s->sums, s->of.p);
    for (size_t m = 0; m < s->of.n; m++) {
        tm_matrix_column(s->of.z, m, s->average.slope);
        steepest = fmax(steepest, length(s->average.slope, s->of.p));
    }
    double distance = sums > 0 ? n * n / sums : 1;
    return fmax(steepest / (sqrt(2) * distance), s->problem.lambda2 * graph_size(s) / n);
}

void kernelfs_average_begin(kernelfs *s)
{
    averaging *v = &s->average;
    memset(s->a, 0, s->of.p * sizeof *s->a);
    memset(v->mean_slope, 0, s->of.p * sizeof *v->mean_slope);
    memset(v->mean_a, 0, s->of.p * sizeof *v->mean_a);
    memset(v->visits, 0, s->of.n * sizeof *v->visits);
    v->steps = 0;
    v->gamma = v->multiple * default_gamma(s);
}

static void take_step(kernelfs *s, size_t m)
{
    averaging *v = &s->average;
    double n = (double)s->of.n, t = (double)++v->steps;
    bool short_of = tm_matrix_dot(s->of.z, m, s->a) <= n;
    for (size_t i = 0; i < s->of.p; i++)
        v->slope[i] = s->problem.lambda;
    alignment_add_slopes(&s->problem, s->a, v->slope);
    for (size_t i = 0; i < s->of.p; i++)
        v->slope[i] /= n;
    if (short_of)
        tm_matrix_axpy(s->of.z, m, -1, v->slope);
    v->visits[m] += short_of;
    double far = t / (2 * v->gamma * (1 + log(t)));
    for (size_t i = 0; i < s->of.p; i++) {
        v->mean_a[i] += (s->a[i] - v->mean_a[i]) / t;
        v->mean_slope[i] += (v->slope[i] - v->mean_slope[i]) / t;
        s->a[i] = fmax(-far * v->mean_slope[i], 0);
    }
}

/* n times the mean gradient is lambda - Z'alpha + D'v for the alpha of the visits and the v of the
 * mean weights: the dual point that the steps have reached. */
static double find_gap(kernelfs *s, solve_progress *progress)
{
    const averaging *v = &s->average;
    size_t active = 0;
    for (size_t m = 0; m < s->of.n; m++)
        s->alpha[m] = v->steps ? v->visits[m] * (double)s->of.n / (double)v->steps : 1;
    memcpy(s->flow, v->mean_a, s->of.p * sizeof *s->flow);
    for (size_t i = 0; i < s->of.p; i++)
        active += s->a[i] > 0;
    return kernelfs_gap(s, active, progress);
}

tm_status kernelfs_average(kernelfs *s, double target, solve_progress *progress, kernelfs_end *end,
                           tm_error *err)
{
    tm_rng rng;
    (void)err;
    tm_rng_seed(&rng, s->average.seed + s->rounds);
    for (;;) {
        end->converged = find_gap(s, progress) <= target;
        end->stalled = false;
        if (end->converged)
            return TM_OK;
        for (int k = 0; k < LOOK_EVERY; k++) {
            if (s->rounds >= s->max_rounds || progress->stopped)
                return TM_OK;
            tm_rng_permutation(&rng, s->average.order, s->of.n);
            for (size_t m = 0; m < s->of.n && !progress->stopped; m++) {
                take_step(s, s->average.order[m]);
                progress_work(progress, 8 * s->of.p + 4 * tm_graph_terms(s->graph));
            }
            progress->columns += s->of.p;
            progress->updates += s->of.p * s->of.n;
            s->rounds++;
        }
    }
}
