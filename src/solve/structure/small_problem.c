#include "solve/structure/small_problem.h"

#include "base/memory.h"
#include "solve/structure/dense.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computes the sums of the columns of each component. */
static void fill_columns(const cut_pursuit *c, double *columns, solve_progress *progress)
{
    const tm_matrix *x = tm_dataset_x(c->data);
    size_t n = tm_dataset_rows(c->data);
    for (size_t j = 0; j < c->parts.p; j++)
        if (c->parts.component[j] != PARTITION_ZERO)
            tm_matrix_axpy(x, j, 1, columns + c->parts.component[j] * n);
    progress->columns += c->parts.p;
}

/* The pairs as terms: the difference of two levels, or a single level. */
static void fill_terms(const partition *a, double lambda, size_t *starts, uint32_t *cols,
                       double *values, double *bound)
{
    size_t used = 0;
    for (size_t k = 0; k < a->pairs; k++) {
        starts[k] = used;
        cols[used] = a->pair_ends[2 * k];
        values[used++] = 1;
        if (a->pair_ends[2 * k + 1] != PARTITION_ZERO) {
            cols[used] = a->pair_ends[2 * k + 1];
            values[used++] = -1;
        }
        bound[k] = lambda * a->pair_weights[k];
    }
    starts[a->pairs] = used;
}

/* The small problem in dense form. */
typedef struct small_problem {
    double *columns; /* n x components */
    size_t *starts;
    uint32_t *cols, *before; /* before: for each node its component before neighbours were merged */
    double *values, *bound, *linear;
} small_problem;

static void small_free(small_problem *small)
{
    free(small->columns);
    free(small->starts);
    free(small->cols);
    free(small->before);
    free(small->values);
    free(small->linear);
}

static tm_status small_make(small_problem *small, cut_pursuit *c, double lambda,
                            solve_progress *progress, tm_error *err)
{
    partition *a = &c->parts;
    partition_find_pairs(a);
    small->columns = mem_zeros(a->count, tm_dataset_rows(c->data) * sizeof(double));
    small->starts = mem_array(a->pairs + 1, sizeof *small->starts);
    small->cols = mem_array(2 * a->pairs, sizeof *small->cols);
    small->before = mem_array(a->nodes, sizeof *small->before);
    small->values = mem_array(3 * a->pairs, sizeof *small->values);
    small->linear = mem_array(a->count, sizeof *small->linear);
    if (!small->columns || !small->starts || !small->cols || !small->before || !small->values ||
        !small->linear)
        return tm_fail_memory(err, "cut pursuit");
    small->bound = small->values + 2 * a->pairs;
    fill_columns(c, small->columns, progress);
    fill_terms(a, lambda, small->starts, small->cols, small->values, small->bound);
    return TM_OK;
}

static tm_status small_solve(small_problem *small, cut_pursuit *c, double target,
                             solve_progress *progress, tm_error *err)
{
    const partition *a = &c->parts;
    dense_problem q = {.of = graph_certifier_samples(c->certifier),
                       .columns = small->columns,
                       .width = a->count,
                       .intercept = c->terms.intercept,
                       .terms = {a->pairs, small->starts, small->cols, small->values, small->bound},
                       .target = target};
    return dense_solve(&q, c->levels, &c->b, c->multipliers, progress, err);
}

static double level_of(const cut_pursuit *c, uint32_t component)
{
    return component == PARTITION_ZERO ? 0 : c->levels[component];
}

static double pair_step(const cut_pursuit *c, size_t k)
{
    return level_of(c, c->parts.pair_ends[2 * k]) - level_of(c, c->parts.pair_ends[2 * k + 1]);
}

/* The flow along each edge between components is its share of its pair's multiplier. */
static void take_flows(cut_pursuit *c)
{
    const partition *a = &c->parts;
    for (size_t e = 0; e < a->edges; e++) {
        size_t k = a->pair_of[e];
        if (k == SIZE_MAX)
            continue;
        bool same = a->component[a->ends[2 * e]] == a->pair_ends[2 * k];
        double flow = c->multipliers[k] * a->weights[e] / a->pair_weights[k];
        c->flow[e] = same ? flow : -flow;
    }
}

static void take_weights(cut_pursuit *c)
{
    for (size_t j = 0; j < c->parts.p; j++)
        c->w[j] = level_of(c, c->parts.component[j]);
}

static bool join_merged(const partition *a, size_t edge, void *payload)
{
    const cut_pursuit *c = payload;
    return a->pair_of[edge] == SIZE_MAX || c->merged[a->pair_of[edge]];
}

/* Merges adjacent components whose levels are equal. */
static tm_status merge(cut_pursuit *c, small_problem *small, double lambda, tm_error *err)
{
    partition *a = &c->parts;
    size_t n = tm_dataset_rows(c->data), before = a->count;
    double greatest = 0;
    for (size_t k = 0; k < before; k++)
        greatest = fmax(greatest, fabs(c->levels[k]));
    for (size_t k = 0; k < a->pairs; k++) {
        double bound = lambda * a->pair_weights[k];
        double slack = (bound - fabs(c->multipliers[k])) / bound;
        c->merged[k] = fabs(pair_step(c, k)) <= MERGE_RATIO * slack * greatest;
    }
    memcpy(small->before, a->component, a->nodes * sizeof *small->before);
    partition_find(a, join_merged, c);
    cut_pursuit_take_levels(c, c->w);
    partition_find_pairs(a);
    double *columns = mem_zeros(a->count, n * sizeof *columns), *old = small->columns;
    if (!columns)
        return tm_fail_memory(err, "cut pursuit");
    memset(c->source, 0, before);
    for (size_t j = 0; j < a->p; j++) {
        uint32_t from = small->before[j], to = a->component[j];
        if (from == PARTITION_ZERO || c->source[from])
            continue;
        c->source[from] = 1; /* taken */
        for (size_t i = 0; to != PARTITION_ZERO && i < n; i++)
            columns[to * n + i] += old[from * n + i];
    }
    small->columns = columns;
    free(old);
    return TM_OK;
}

/* The pairs' multipliers at their bounds, as a linear term. */
static void fill_linear(const cut_pursuit *c, small_problem *small, double lambda)
{
    const partition *a = &c->parts;
    memset(small->linear, 0, a->count * sizeof *small->linear);
    for (size_t k = 0; k < a->pairs; k++) {
        double pull = copysign(lambda * a->pair_weights[k], pair_step(c, k));
        uint32_t from = a->pair_ends[2 * k], to = a->pair_ends[2 * k + 1];
        small->bound[k] = pull;
        small->linear[from] += pull;
        if (to != PARTITION_ZERO)
            small->linear[to] -= pull;
    }
}

/* With the signs of all differences between components fixed, only the loss is nonlinear: Newton's
 * method gives the optimum up to rounding, and a gradient there that flows can balance. The result
 * is used if the steps keep their signs. */
static tm_status polish(cut_pursuit *c, small_problem *small, double lambda,
                        solve_progress *progress, tm_error *err)
{
    partition *a = &c->parts;
    double b = c->b;
    dense_problem q = {.of = graph_certifier_samples(c->certifier),
                       .columns = small->columns,
                       .width = a->count,
                       .intercept = c->terms.intercept,
                       .linear = small->linear};
    fill_linear(c, small, lambda);
    tm_status status = dense_solve(&q, c->levels, &c->b, c->multipliers, progress, err);
    bool kept = true;
    for (size_t k = 0; k < a->pairs; k++)
        kept = kept && pair_step(c, k) * small->bound[k] > 0;
    if (!kept || !isfinite(c->b)) {
        partition_set(a, small->before);
        cut_pursuit_take_levels(c, c->w);
        c->b = b;
    } else {
        memcpy(c->multipliers, small->bound, a->pairs * sizeof *c->multipliers);
        take_flows(c);
    }
    take_weights(c);
    return status;
}

tm_status small_problem_solve(cut_pursuit *c, double lambda, double target,
                              solve_progress *progress, tm_error *err)
{
    small_problem small = {0};
    tm_status status = small_make(&small, c, lambda, progress, err);
    if (status == TM_OK)
        status = small_solve(&small, c, target, progress, err);
    if (status == TM_OK) {
        take_weights(c);
        take_flows(c);
        status = merge(c, &small, lambda, err);
    }
    if (status == TM_OK)
        status = polish(c, &small, lambda, progress, err);
    small_free(&small);
    return status;
}
