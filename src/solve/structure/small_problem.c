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
static void fill_terms(const partition *a, size_t *starts, uint32_t *cols, double *values)
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
    }
    starts[a->pairs] = used;
}

static void fill_bounds(const partition *a, double lambda, double *bound)
{
    for (size_t k = 0; k < a->pairs; k++)
        bound[k] = lambda * a->pair_weights[k];
}

/* The small problem in dense form. */
typedef struct small_problem {
    double *columns; /* n x components */
    size_t *starts;
    uint32_t *cols, *before; /* before: for each node its component before neighbours were merged */
    uint32_t *solved;        /* nodes: the components of the interior point method's answer */
    double *values, *bound, *linear;
    double *from, *w;    /* components: levels before a step; p: weights of that answer */
    unsigned char *side; /* components, then that of weight 0 */
} small_problem;

static void small_free(small_problem *small)
{
    free(small->columns);
    free(small->starts);
    free(small->cols);
    free(small->before);
    free(small->solved);
    free(small->values);
    free(small->linear);
    free(small->from);
    free(small->w);
    free(small->side);
}

static tm_status small_make(small_problem *small, cut_pursuit *c, solve_progress *progress,
                            tm_error *err)
{
    partition *a = &c->parts;
    partition_find_pairs(a);
    small->columns = mem_zeros(a->count, tm_dataset_rows(c->data) * sizeof(double));
    small->starts = mem_array(a->pairs + 1, sizeof *small->starts);
    small->cols = mem_array(2 * a->pairs, sizeof *small->cols);
    small->before = mem_array(a->nodes, sizeof *small->before);
    small->values = mem_array(3 * a->pairs, sizeof *small->values);
    small->linear = mem_array(a->count, sizeof *small->linear);
    small->solved = mem_array(a->nodes, sizeof *small->solved);
    small->from = mem_array(a->count, sizeof *small->from);
    small->w = mem_array(a->p, sizeof *small->w);
    small->side = mem_array(a->count + 1, 1);
    if (!small->columns || !small->starts || !small->cols || !small->before || !small->values ||
        !small->linear || !small->solved || !small->from || !small->w || !small->side)
        return tm_fail_memory(err, "cut pursuit");
    small->bound = small->values + 2 * a->pairs;
    fill_columns(c, small->columns, progress);
    fill_terms(a, small->starts, small->cols, small->values);
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

/* Joins the components of pairs that are `merged`; their levels are those of c->w. */
static tm_status join_pairs(cut_pursuit *c, small_problem *small, tm_error *err)
{
    partition *a = &c->parts;
    size_t n = tm_dataset_rows(c->data), before = a->count;
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

/* Merges adjacent components whose levels are equal. */
static tm_status merge(cut_pursuit *c, small_problem *small, double lambda, tm_error *err)
{
    const partition *a = &c->parts;
    double greatest = 0;
    for (size_t k = 0; k < a->count; k++)
        greatest = fmax(greatest, fabs(c->levels[k]));
    for (size_t k = 0; k < a->pairs; k++) {
        double bound = lambda * a->pair_weights[k];
        double slack = (bound - fabs(c->multipliers[k])) / bound;
        c->merged[k] = fabs(pair_step(c, k)) <= MERGE_RATIO * slack * greatest;
    }
    return join_pairs(c, small, err);
}

/* The sign of a pair's difference. Where the levels are equal because a minimum cut has just split
 * the component, the side of the supplies is about to rise; 0: neither. */
static int pair_sign(const cut_pursuit *c, const unsigned char *side, size_t k)
{
    double step = pair_step(c, k);
    uint32_t second = c->parts.pair_ends[2 * k + 1];
    if (step != 0)
        return step > 0 ? 1 : -1;
    int from = side ? side[c->parts.pair_ends[2 * k]] : 0;
    int to = !side ? 0 : second == PARTITION_ZERO ? side[c->parts.count] : side[second];
    return from - to;
}

/* The pairs' multipliers at their bounds, as a linear term. False when a sign is not known. */
static bool fill_linear(const cut_pursuit *c, small_problem *small, const unsigned char *side,
                        double lambda)
{
    const partition *a = &c->parts;
    bool known = true;
    memset(small->linear, 0, a->count * sizeof *small->linear);
    for (size_t k = 0; k < a->pairs; k++) {
        int sign = pair_sign(c, side, k);
        double pull = sign * lambda * a->pair_weights[k];
        uint32_t from = a->pair_ends[2 * k], to = a->pair_ends[2 * k + 1];
        known = known && sign != 0;
        small->bound[k] = pull;
        small->linear[from] += pull;
        if (to != PARTITION_ZERO)
            small->linear[to] -= pull;
    }
    return known;
}

/* With the signs of all differences between components fixed, only the loss is nonlinear: Newton's
 * method gives the optimum up to rounding, and a gradient there that flows can balance. *kept: the
 * steps kept their signs, which makes it the optimum of the small problem. */
static tm_status solve_signs(cut_pursuit *c, small_problem *small, solve_progress *progress,
                             bool *kept, tm_error *err)
{
    const partition *a = &c->parts;
    dense_problem q = {.of = graph_certifier_samples(c->certifier),
                       .columns = small->columns,
                       .width = a->count,
                       .intercept = c->terms.intercept,
                       .linear = small->linear};
    tm_status status = dense_solve(&q, c->levels, &c->b, c->multipliers, progress, err);
    *kept = status == TM_OK && isfinite(c->b);
    for (size_t k = 0; *kept && k < a->pairs; k++)
        *kept = pair_step(c, k) * small->bound[k] > 0;
    if (*kept) {
        memcpy(c->multipliers, small->bound, a->pairs * sizeof *c->multipliers);
        take_flows(c);
        take_weights(c);
    }
    return status;
}

/* Goes from the levels small->from towards c->levels until the first of the pairs whose steps do
 * not keep their signs have equal levels, and joins these: on the way the objective falls. */
static tm_status join_first(cut_pursuit *c, small_problem *small, double b, tm_error *err)
{
    const partition *a = &c->parts;
    double length = 1;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < a->pairs; k++) {
            uint32_t to = a->pair_ends[2 * k + 1];
            double before = small->from[a->pair_ends[2 * k]];
            before -= to == PARTITION_ZERO ? 0 : small->from[to];
            bool crosses = !(pair_step(c, k) * small->bound[k] > 0);
            double reach = crosses ? before / (before - pair_step(c, k)) : 1;
            if (pass == 0)
                length = fmin(length, reach);
            else
                c->merged[k] = crosses && reach <= length;
        }
    for (size_t k = 0; k < a->count; k++)
        c->levels[k] = small->from[k] + length * (c->levels[k] - small->from[k]);
    c->b = b + length * (c->b - b);
    take_weights(c);
    return join_pairs(c, small, err);
}

/* The answer of the interior point method up to rounding. Where steps do not keep their signs, that
 * method has left components apart that meet: they are joined. It is used if no step is left that
 * changes its sign. */
static tm_status polish(cut_pursuit *c, small_problem *small, double lambda,
                        solve_progress *progress, tm_error *err)
{
    const partition *a = &c->parts;
    double b = c->b;
    bool kept = false;
    tm_status status = TM_OK;
    memcpy(small->solved, small->before, a->nodes * sizeof *small->solved);
    memcpy(small->w, c->w, a->p * sizeof *small->w);
    for (size_t left = SIZE_MAX; a->count < left && fill_linear(c, small, NULL, lambda);) {
        double before = c->b;
        left = a->count;
        memcpy(small->from, c->levels, a->count * sizeof *small->from);
        status = solve_signs(c, small, progress, &kept, err);
        if (status != TM_OK || kept || !isfinite(c->b) || progress->stopped)
            break;
        status = join_first(c, small, before, err);
        if (status != TM_OK)
            break;
    }
    if (!kept) {
        partition_set(&c->parts, small->solved);
        memcpy(c->w, small->w, a->p * sizeof *c->w);
        cut_pursuit_take_levels(c, c->w);
        c->b = b;
        take_weights(c);
    }
    return status;
}

/* The side of the last cut on which each component lies, then that of weight 0. */
static void take_sides(const cut_pursuit *c, unsigned char *side)
{
    const partition *a = &c->parts;
    side[a->count] = a->nodes > a->p && c->source[a->p];
    for (size_t j = 0; j < a->p; j++)
        if (a->component[j] != PARTITION_ZERO)
            side[a->component[j]] = c->source[j] != 0;
}

/* Most often the signs are those of the last answer, or those that a cut tells, and the interior
 * point method is not needed. Not where columns must be dependent or a round has split nothing. */
static tm_status try_signs(cut_pursuit *c, small_problem *small, double lambda,
                           solve_progress *progress, bool *kept, tm_error *err)
{
    const partition *a = &c->parts;
    double b = c->b;
    *kept = false;
    if (a->count + c->terms.intercept > tm_dataset_rows(c->data) || c->share < INNER_SHARE)
        return TM_OK;
    take_sides(c, small->side);
    if (!fill_linear(c, small, small->side, lambda))
        return TM_OK;
    tm_status status = solve_signs(c, small, progress, kept, err);
    if (!*kept) {
        cut_pursuit_take_levels(c, c->w);
        c->b = b;
    }
    return status;
}

tm_status small_problem_solve(cut_pursuit *c, double lambda, double target,
                              solve_progress *progress, tm_error *err)
{
    small_problem small = {0};
    bool kept = false;
    tm_status status = small_make(&small, c, progress, err);
    if (status == TM_OK)
        status = try_signs(c, &small, lambda, progress, &kept, err);
    if (status == TM_OK && !kept) {
        fill_bounds(&c->parts, lambda, small.bound);
        status = small_solve(&small, c, target, progress, err);
    }
    if (status == TM_OK && !kept) {
        take_weights(c);
        take_flows(c);
        status = merge(c, &small, lambda, err);
    }
    if (status == TM_OK && !kept)
        status = polish(c, &small, lambda, progress, err);
    small_free(&small);
    return status;
}
