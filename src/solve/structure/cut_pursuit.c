#include "solve/structure/cut_pursuit.h"

#include "base/memory.h"
#include "solve/common/tuning.h"
#include "solve/structure/flow/tuning.h"
#include "solve/structure/small_problem.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cut_pursuit_free(cut_pursuit *c)
{
    if (!c)
        return;
    partition_clear(&c->parts);
    max_flow_free(c->router);
    contraction_free(c->groups);
    free(c->w);
    free(c->levels);
    free(c->multipliers);
    free(c->flow);
    free(c->capacity);
    free(c->rest);
    free(c->v);
    free(c->source);
    free(c->merged);
    free(c);
}

static bool allocate(cut_pursuit *c)
{
    const partition *a = &c->parts;
    c->router = max_flow_new(a->nodes, a->edges, a->ends);
    c->w = mem_zeros(a->p, sizeof *c->w);
    c->levels = mem_zeros(a->nodes, sizeof *c->levels);
    c->multipliers = mem_zeros(a->edges, sizeof *c->multipliers);
    c->flow = mem_zeros(a->edges, sizeof *c->flow);
    c->capacity = mem_zeros(a->edges, sizeof *c->capacity);
    c->rest = mem_zeros(a->nodes, sizeof *c->rest);
    c->v = mem_zeros(a->terms, sizeof *c->v);
    c->source = mem_zeros(a->nodes, 1);
    c->merged = mem_zeros(a->edges, sizeof *c->merged);
    return c->router && c->w && c->levels && c->multipliers && c->flow && c->capacity && c->rest &&
           c->v && c->source && c->merged;
}

tm_status cut_pursuit_new(cut_pursuit **out, const tm_dataset *data, const graph_terms *terms,
                          graph_certifier *certifier, tm_error *err)
{
    cut_pursuit *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return tm_fail_memory(err, "cut pursuit");
    c->data = data;
    c->terms = *terms;
    c->certifier = certifier;
    c->features = tm_dataset_cols(data);
    tm_status status = partition_new(&c->parts, terms, err);
    if (status == TM_OK && !allocate(c))
        status = tm_fail_memory(err, "cut pursuit");
    if (status != TM_OK) {
        cut_pursuit_free(c);
        return status;
    }
    cut_pursuit_reset(c);
    *out = c;
    return TM_OK;
}

/* ---- partitions ------------------------------------------------------------------------------ */

static bool join_all(const partition *a, size_t edge, void *payload)
{
    (void)a;
    (void)edge;
    (void)payload;
    return true;
}

static bool join_equal(const partition *a, size_t edge, void *payload)
{
    const double *w = payload;
    uint32_t x = a->ends[2 * edge], y = a->ends[2 * edge + 1];
    return w[x] == (y < a->p ? w[y] : 0);
}

static bool join_uncut(const partition *a, size_t edge, void *payload)
{
    const cut_pursuit *c = payload;
    uint32_t x = a->ends[2 * edge], y = a->ends[2 * edge + 1];
    return a->component[x] == a->component[y] && c->source[x] == c->source[y];
}

void cut_pursuit_reset(cut_pursuit *c)
{
    partition_find(&c->parts, join_all, NULL);
    memset(c->levels, 0, c->parts.nodes * sizeof *c->levels);
    memset(c->flow, 0, c->parts.edges * sizeof *c->flow);
}

void cut_pursuit_take_levels(cut_pursuit *c, const double *w)
{
    const partition *a = &c->parts;
    memset(c->levels, 0, a->count * sizeof *c->levels);
    for (size_t j = 0; j < a->p; j++)
        if (a->component[j] != PARTITION_ZERO)
            c->levels[a->component[j]] += w[j] / (double)a->sizes[a->component[j]];
}

void cut_pursuit_join(cut_pursuit *c)
{
    partition_find(&c->parts, join_equal, c->w);
    cut_pursuit_take_levels(c, c->w);
}

void cut_pursuit_start(cut_pursuit *c, const double *w, double b)
{
    c->b = b;
    memcpy(c->w, w, c->parts.p * sizeof *w);
    memset(c->flow, 0, c->parts.edges * sizeof *c->flow);
    cut_pursuit_join(c);
}

static bool join_label(const partition *a, size_t edge, void *payload)
{
    const uint32_t *label = payload;
    return label[a->ends[2 * edge]] == label[a->ends[2 * edge + 1]];
}

void cut_pursuit_inherit(cut_pursuit *c, const double *w, double b, const uint32_t *label)
{
    c->b = b;
    memcpy(c->w, w, c->parts.p * sizeof *w);
    partition_find(&c->parts, join_label, (void *)label);
    cut_pursuit_take_levels(c, c->w);
}

static bool join_grouped(const partition *a, size_t edge, void *payload)
{
    const cut_pursuit *c = payload;
    const uint32_t *group = contraction_group(c->groups);
    uint32_t x = a->ends[2 * edge], y = a->ends[2 * edge + 1];
    return a->component[x] == a->component[y] || group[x] == group[y];
}

tm_status cut_pursuit_group(cut_pursuit *c, const uint32_t *group, size_t groups,
                            solve_progress *progress, tm_error *err)
{
    contraction_free(c->groups);
    c->groups = NULL;
    if (!group)
        return TM_OK;
    tm_status status = contraction_new(&c->groups, &c->parts, group, groups, err);
    if (status != TM_OK)
        return status;
    contraction_watch(c->groups, progress);
    const partition *a = &c->parts;
    bool within = true;
    for (size_t e = 0; within && e < a->edges; e++)
        within = a->component[a->ends[2 * e]] == a->component[a->ends[2 * e + 1]] ||
                 group[a->ends[2 * e]] != group[a->ends[2 * e + 1]];
    if (!within) {
        partition_find(&c->parts, join_grouped, c);
        cut_pursuit_take_levels(c, c->w);
    }
    return TM_OK;
}

/* ---- flows ----------------------------------------------------------------------------------- */

static bool within(const uint32_t *label, const partition *a, size_t e)
{
    return label[a->ends[2 * e]] == label[a->ends[2 * e + 1]];
}

/* What remains to be balanced at each node for the products q after flows within components. The
 * node of weight 0 absorbs any amount. */
static void find_rest(cut_pursuit *c, const double *q)
{
    const partition *a = &c->parts;
    memcpy(c->rest, q, a->p * sizeof *q);
    if (a->nodes > a->p)
        c->rest[a->p] = 0;
    for (size_t e = 0; e < a->edges; e++) {
        c->rest[a->ends[2 * e]] -= c->flow[e];
        c->rest[a->ends[2 * e + 1]] += c->flow[e];
    }
    if (a->nodes == a->p)
        return;
    double sum = 0;
    for (size_t j = 0; j < a->p; j++)
        if (a->component[j] == PARTITION_ZERO)
            sum += c->rest[j];
    c->rest[a->p] = -sum;
}

/* Sets the capacities between nodes of the same label to lambda times the weight, and clamps
 * existing flows to them. */
static double set_capacities(cut_pursuit *c, double lambda, const uint32_t *label)
{
    const partition *a = &c->parts;
    double greatest = 0;
    for (size_t e = 0; e < a->edges; e++) {
        bool inside = within(label, a, e);
        c->capacity[e] = inside ? lambda * a->weights[e] : fabs(c->flow[e]);
        greatest = fmax(greatest, c->capacity[e]);
        if (inside)
            c->flow[e] = fmin(fmax(c->flow[e], -c->capacity[e]), c->capacity[e]);
    }
    return greatest;
}

/* Makes the other edges unusable for the router, by saturating them in both directions. */
static void close_crossings(cut_pursuit *c, const uint32_t *label, double *kept)
{
    const partition *a = &c->parts;
    for (size_t e = 0; e < a->edges; e++)
        if (!within(label, a, e)) {
            kept[e] = c->flow[e];
            c->flow[e] = c->capacity[e] = 0;
        }
}

static void open_crossings(cut_pursuit *c, const uint32_t *label, const double *kept)
{
    for (size_t e = 0; e < c->parts.edges; e++)
        if (!within(label, &c->parts, e))
            c->flow[e] = kept[e];
}

static double greatest_rest(const cut_pursuit *c)
{
    double greatest = 0;
    for (size_t j = 0; j < c->parts.nodes; j++)
        greatest = fmax(greatest, fabs(c->rest[j]));
    return greatest;
}

static void take_dual(cut_pursuit *c)
{
    for (size_t t = 0; t < c->parts.terms; t++)
        c->v[t] = c->flow[t] / c->parts.weights[t];
}

/* Balances the products by flows within components, between groups first. False when what is left
 * at the nodes of a group does not fit along its tree. */
static bool balance_groups(cut_pursuit *c, double lambda, const double *q)
{
    const uint32_t *label = c->parts.component;
    double greatest = set_capacities(c, lambda, label);
    find_rest(c, q);
    double small = SMALL_FLOW * fmax(greatest, greatest_rest(c));
    close_crossings(c, label, c->multipliers);
    contraction_route(c->groups, c->capacity, c->flow, c->rest, small, c->source);
    bool complete = contraction_complete(c->groups, c->capacity, c->flow, c->rest, small);
    open_crossings(c, label, c->multipliers);
    take_dual(c);
    return complete;
}

/* Balances the products by flows between nodes of the same label; returns the remainder. */
static double balance(cut_pursuit *c, double lambda, const double *q, const uint32_t *label)
{
    double greatest = set_capacities(c, lambda, label);
    find_rest(c, q);
    double small = SMALL_FLOW * fmax(greatest, greatest_rest(c));
    close_crossings(c, label, c->multipliers);
    double left = max_flow_route(c->router, NULL, c->capacity, c->flow, c->rest, small, c->source);
    open_crossings(c, label, c->multipliers);
    take_dual(c);
    return left;
}

/* ---- the log --------------------------------------------------------------------------------- */

void cut_pursuit_log(cut_pursuit *c, term_log *log)
{
    c->log = log;
}

void cut_pursuit_log_start(cut_pursuit *c, solve_progress *progress)
{
    term_log_start(c->log, progress, &c->parts);
}

void cut_pursuit_log_change(cut_pursuit *c, solve_progress *progress, const char *what)
{
    tm_screen_step step = screen_log_step(what, 0);
    term_log_change(c->log, progress, &step, 1, &c->parts, NULL);
}

/* The round's point, and the flows that balance its products as far as they can. */
static void log_flows(cut_pursuit *c, solve_progress *progress, double lambda,
                      const graph_point *at, double dual)
{
    tm_screen_step step =
        screen_log_step("the components are solved, and flows along the edges sought", 0);
    step.primal = at->primal;
    step.dual = dual;
    step.gap = at->primal - dual;
    term_log_change(c->log, progress, &step, lambda, &c->parts, c->flow);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* The gap with the present dual point; whether it is small enough. */
static bool certify(cut_pursuit *c, double lambda, double target, const graph_point *at,
                    solve_progress *progress)
{
    double dual = graph_certifier_bound(c->certifier, lambda, c->v);
    c->gap = at->primal - dual;
    log_flows(c, progress, lambda, at, dual);
    progress_emit(progress, TM_EVENT_CHECK, at->primal, dual, c->gap, c->parts.count, c->features);
    return c->gap <= target;
}

/* Splits components at the minimum cuts. */
static void split(cut_pursuit *c, solve_progress *progress, structure_end *end)
{
    partition *a = &c->parts;
    size_t before = a->count;
    partition_find(a, join_uncut, c);
    cut_pursuit_log_change(c, progress, "cut: edges across which minimum cuts split components");
    cut_pursuit_take_levels(c, c->w);
    if (a->count <= before)
        c->share *= TIGHTEN;
    end->stalled = c->share < LEAST_SHARE;
}

tm_status cut_pursuit_round(cut_pursuit *c, double lambda, double target, solve_progress *progress,
                            structure_end *end, tm_error *err)
{
    tm_status status = small_problem_solve(c, lambda, c->share * target, progress, err);
    if (status != TM_OK)
        return status;
    const graph_point *at = graph_certifier_point(c->certifier, lambda, c->w, c->b, progress->team);
    progress->columns += at->columns;
    if (!c->groups || !balance_groups(c, lambda, at->q))
        balance(c, lambda, at->q, c->parts.component);
    end->converged = certify(c, lambda, target, at, progress);
    if (!end->converged)
        split(c, progress, end);
    return TM_OK;
}

/* The flows that make the present dual point, for the next lambda. */
static void keep_flows(cut_pursuit *c)
{
    for (size_t t = 0; t < c->parts.terms; t++)
        c->flow[t] = c->v[t] * c->parts.weights[t];
}

void cut_pursuit_check(cut_pursuit *c, double lambda, double target, const uint32_t *label,
                       solve_progress *progress, structure_end *end)
{
    const graph_point *at = graph_certifier_point(c->certifier, lambda, c->w, c->b, progress->team);
    progress->columns += at->columns;
    if (tm_graph_is_forest(c->terms.graph) && !c->terms.own) { /* the certificate finds v */
        take_dual(c);
        end->converged = certify(c, lambda, target, at, progress);
        keep_flows(c);
    } else {
        balance(c, lambda, at->q, label);
        end->converged = certify(c, lambda, target, at, progress);
    }
    if (end->converged)
        return;
    balance(c, lambda, at->q, c->parts.component);
    end->converged = certify(c, lambda, target, at, progress);
    if (!end->converged)
        split(c, progress, end);
}

void cut_pursuit_begin(cut_pursuit *c, solve_progress *progress)
{
    c->share = INNER_SHARE;
    max_flow_watch(c->router, progress);
}

tm_status cut_pursuit_solve(cut_pursuit *c, double lambda, double target, size_t max_rounds,
                            solve_progress *progress, structure_end *end, tm_error *err)
{
    tm_status status = TM_OK;
    *end = (structure_end){0};
    cut_pursuit_begin(c, progress);
    while (status == TM_OK && !end->converged && !end->stalled && end->rounds < max_rounds &&
           !progress->stopped) {
        status = cut_pursuit_round(c, lambda, target, progress, end, err);
        end->rounds++;
    }
    return status;
}

tm_status cut_pursuit_approach(cut_pursuit *c, const cut_way *way, double target,
                               solve_progress *progress, structure_end *end, tm_error *err)
{
    size_t between = (size_t)(log(way->to / way->from) / log(APPROACH_RATIO));
    tm_status status = TM_OK;
    between = between < MAX_BETWEEN ? between : MAX_BETWEEN;
    *end = (structure_end){0};
    cut_pursuit_begin(c, progress);
    while (end->rounds < between && end->rounds < way->max_rounds && !progress->stopped) {
        end->rounds++;
        double lambda =
            way->from * pow(way->to / way->from, (double)end->rounds / (double)(between + 1));
        status = small_problem_solve(c, lambda, target, progress, err);
        if (status != TM_OK)
            break;
        const graph_point *at =
            graph_certifier_point(c->certifier, lambda, c->w, c->b, progress->team);
        progress->columns += at->columns;
        balance(c, lambda, at->q, c->parts.component);
        split(c, progress, end);
    }
    return status;
}

const double *cut_pursuit_weights(const cut_pursuit *c)
{
    return c->w;
}

double cut_pursuit_intercept(const cut_pursuit *c)
{
    return c->b;
}

double cut_pursuit_gap(const cut_pursuit *c)
{
    return c->gap;
}

size_t cut_pursuit_components(const cut_pursuit *c)
{
    return c->parts.count;
}

double *cut_pursuit_dual(cut_pursuit *c)
{
    return c->v;
}

/* ---- lambda_max ------------------------------------------------------------------------------ */

/* The ratio of the supply of a set of nodes to the weight of the edges that leave it. */
static double cut_ratio(const cut_pursuit *c, const double *q)
{
    const partition *a = &c->parts;
    double sum = 0, weight = 0, all = 0;
    for (size_t j = 0; j < a->p; j++) {
        sum += c->source[j] ? q[j] : 0;
        all += a->component[j] == PARTITION_ZERO ? q[j] : 0;
    }
    if (a->nodes > a->p && c->source[a->p])
        sum -= all;
    for (size_t e = 0; e < a->edges; e++)
        if (c->source[a->ends[2 * e]] != c->source[a->ends[2 * e + 1]])
            weight += a->weights[e];
    return weight > 0 ? sum / weight : 0;
}

/* The greatest such ratio of a single feature. */
static double single_ratio(const partition *a, const double *q)
{
    double greatest = 0;
    for (size_t j = 0; j < a->p; j++) {
        double weight = 0;
        for (size_t k = a->starts[j]; k < a->starts[j + 1]; k++)
            weight += a->weights[a->at[k]];
        if (weight > 0)
            greatest = fmax(greatest, fabs(q[j]) / weight);
    }
    return greatest;
}

/* The greatest ratio over all sets of nodes: as long as lambda is too small, the minimum cut has a
 * greater ratio (Dinkelbach's iteration), and there are finitely many ratios. */
tm_status cut_pursuit_lambda_max(cut_pursuit *c, const double *q, double *lambda_max, tm_error *err)
{
    (void)err;
    cut_pursuit_reset(c);
    double lambda = single_ratio(&c->parts, q);
    for (;;) {
        balance(c, lambda, q, c->parts.component);
        double ratio = cut_ratio(c, q);
        if (!(ratio > lambda * (1 + SAME_LAMBDA)))
            break;
        lambda = ratio;
    }
    *lambda_max = lambda;
    cut_pursuit_reset(c);
    return TM_OK;
}
