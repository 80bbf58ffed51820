#include "solve/structure/screened.h"

#include "base/memory.h"
#include "solve/structure/screening/reduced.h"
#include "solve/structure/screening/tuning.h"
#include "solve/structure/small_problem.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The whole problem is level 0; each of the others is what the one before leaves. */
typedef struct level {
    const tm_dataset *data;
    graph_terms terms;
    graph_certifier *certifier;
    cut_pursuit *cut;
    bounds *bounds;       /* NULL: not made yet */
    reduced_problem made; /* how it was made; level 0: nothing */
    size_t *edge;         /* for each edge of the level before its edge here; SIZE_MAX: none */
    bool *turned;         /* whether it has the other direction here */
    double tried;         /* the gap at the last attempt to screen */
    double lambda;        /* of that attempt */
} level;

struct screened {
    const char *loss;
    screened_options options;
    bounds_kind kind_made;
    level levels[MAX_LEVELS];
    size_t depth;         /* the level that is worked on */
    size_t left;          /* features apart */
    size_t rounds_before; /* rounds at the last lambda */
    double lambda_before; /* 0: none */
    size_t wait, pause;   /* attempts to leave out now, and after one that proves little */
    double *v;            /* terms of level 0: a candidate */
    double *w;            /* p */
    uint32_t *label;      /* p + 1 */
};

static void level_clear(level *l)
{
    cut_pursuit_free(l->cut);
    graph_certifier_free(l->certifier);
    bounds_free(l->bounds);
    reduced_clear(&l->made);
    free(l->edge);
    free(l->turned);
    *l = (level){0};
}

void screened_free(screened *s)
{
    if (!s)
        return;
    bounds_free(s->levels[0].bounds);
    for (size_t k = 1; k <= s->depth; k++)
        level_clear(&s->levels[k]);
    free(s->v);
    free(s->w);
    free(s->label);
    free(s);
}

tm_status screened_new(screened **out, const screened_problem *whole, tm_error *err)
{
    screened *s = calloc(1, sizeof *s);
    size_t p = tm_dataset_cols(whole->data);
    *out = s;
    if (!s)
        return tm_fail_memory(err, "screening");
    s->loss = whole->loss;
    s->levels[0] = (level){.data = whole->data,
                           .terms = *whole->terms,
                           .certifier = whole->certifier,
                           .cut = whole->cut};
    s->left = p;
    s->v = mem_array(tm_graph_terms(whole->terms->graph), sizeof *s->v);
    s->w = mem_array(p, sizeof *s->w);
    s->label = mem_array(p + 1, sizeof *s->label);
    if (s->v && s->w && s->label)
        return TM_OK;
    screened_free(s);
    *out = NULL;
    return tm_fail_memory(err, "screening");
}

void screened_update(screened *s, const screened_options *options)
{
    s->options = *options;
}

size_t screened_left(const screened *s)
{
    return s->left;
}

/* ---- smaller problems ------------------------------------------------------------------------ */

/* The edge of `a` between two nodes, by bisection: the graph's are sorted by their ends, and those
 * to the node of weight 0 by their feature. */
static size_t find_edge(const partition *a, uint32_t x, uint32_t y)
{
    bool own = y == a->p;
    size_t low = own ? a->terms : 0, high = own ? a->edges : a->terms;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *ends = a->ends + 2 * middle;
        if (ends[0] < x || (ends[0] == x && ends[1] < y))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The group of a node of the level before; the node of weight 0 and what is proven 0 are the node
 * of weight 0 here. */
static uint32_t node_of(const level *l, uint32_t node)
{
    uint32_t group = node < l->made.p ? l->made.group[node] : UINT32_MAX;
    return group == UINT32_MAX ? (uint32_t)l->cut->parts.p : group;
}

/* Finds where the edges of the level before are, and adds up their flows. */
static tm_status take_edges(level *l, const cut_pursuit *before, tm_error *err)
{
    const partition *from = &before->parts;
    l->edge = mem_array(from->edges, sizeof *l->edge);
    l->turned = mem_array(from->edges, sizeof *l->turned);
    if (!l->edge || !l->turned)
        return tm_fail_memory(err, "the screened problem");
    memset(l->cut->flow, 0, l->cut->parts.edges * sizeof *l->cut->flow);
    for (size_t e = 0; e < from->edges; e++) {
        uint32_t x = node_of(l, from->ends[2 * e]), y = node_of(l, from->ends[2 * e + 1]);
        l->turned[e] = x > y;
        l->edge[e] = x == y  ? SIZE_MAX
                     : x < y ? find_edge(&l->cut->parts, x, y)
                             : find_edge(&l->cut->parts, y, x);
        if (x != y)
            l->cut->flow[l->edge[e]] += l->turned[e] ? -before->flow[e] : before->flow[e];
    }
    return TM_OK;
}

/* Weights, intercept, components and flows of the level before. */
static tm_status inherit(screened *s, level *l, const cut_pursuit *before, tm_error *err)
{
    const partition *from = &before->parts;
    for (size_t j = 0; j < from->p; j++)
        if (l->made.group[j] != UINT32_MAX)
            s->label[l->made.group[j]] = from->component[j];
    s->label[l->made.count] = PARTITION_ZERO;
    reduced_lower(&l->made, before->w, s->w);
    cut_pursuit_inherit(l->cut, s->w, before->b, s->label);
    return take_edges(l, before, err);
}

/* Makes the next level; takes over what `made` owns. */
static tm_status descend(screened *s, reduced_problem *made, solve_progress *progress,
                         tm_error *err)
{
    const level *before = &s->levels[s->depth];
    level *l = &s->levels[s->depth + 1];
    const samples *of = graph_certifier_samples(before->certifier);
    *l = (level){.made = *made, .tried = INFINITY};
    *made = (reduced_problem){0};
    tm_status status = reduced_build(&l->made, before->data, of, &before->terms, err);
    progress->columns += l->made.p;
    l->data = l->made.data;
    l->terms = (graph_terms){l->made.graph, l->made.own, before->terms.intercept};
    if (status == TM_OK)
        status = graph_certifier_new(&l->certifier, l->data, s->loss, &l->terms,
                                     progress->monitor.cancel, err);
    if (status == TM_OK)
        status = cut_pursuit_new(&l->cut, l->data, &l->terms, l->certifier, err);
    if (status == TM_OK)
        status = inherit(s, l, before->cut, err);
    if (status != TM_OK) {
        level_clear(l);
        return status;
    }
    l->cut->features = s->levels[0].cut->features;
    cut_pursuit_begin(l->cut, progress);
    s->depth++;
    return TM_OK;
}

/* Hands weights and flows to the level before. Flows within groups remain what they were there. */
static void ascend(screened *s)
{
    level *l = &s->levels[s->depth];
    cut_pursuit *to = s->levels[s->depth - 1].cut, *from = l->cut;
    for (size_t e = 0; e < to->parts.edges; e++) {
        size_t at = l->edge[e];
        if (at == SIZE_MAX)
            continue;
        double flow = from->flow[at] * to->parts.weights[e] / from->parts.weights[at];
        to->flow[e] = l->turned[e] ? -flow : flow;
    }
    reduced_lift(&l->made, from->w, to->w);
    to->b = from->b;
    level_clear(l);
    s->depth--;
}

/* The group of each node of the whole problem at the present level. */
static void label_groups(screened *s)
{
    size_t p = s->levels[0].cut->parts.p;
    for (size_t j = 0; j <= p; j++) {
        uint32_t at = (uint32_t)j;
        for (size_t k = 1; k <= s->depth && at != UINT32_MAX; k++)
            at = at < s->levels[k].made.p ? s->levels[k].made.group[at] : UINT32_MAX;
        s->label[j] = j < p ? at : UINT32_MAX;
    }
}

/* ---- screening ------------------------------------------------------------------------------- */

/* Rounds that the solve still needs: as at the last lambda, or as many again as it has taken. */
static double rounds_left(const screened *s, size_t rounds)
{
    if (s->rounds_before > rounds)
        return (double)(s->rounds_before - rounds);
    return rounds > 0 ? (double)rounds : 1;
}

/* Whether the smaller problem costs less than going on with flows between groups, in multiply-adds:
 * it is made, and its answer certified on the whole, at a pass over the columns each. */
static bool pays(const screened *s, const reduced_problem *r, size_t rounds)
{
    const level *at = &s->levels[s->depth];
    const partition *a = &at->cut->parts;
    double n = (double)tm_dataset_rows(at->data), left = rounds_left(s, rounds);
    double read = (double)tm_matrix_nnz(tm_dataset_x(at->data));
    double setup = SETUP_COST * (double)(a->nodes + a->edges);
    return 2 * read + setup + left * 2 * n * (double)r->count < left * 2 * read;
}

/* Whether the bounds can narrow any interval: of a feature the ball's must be shorter than that of
 * a term. Sums over several features are left out here; their columns are hardly shorter. */
static bool reaches(const level *at, const dual_ball *ball, double lambda)
{
    const double *means = tm_dataset_means(at->data), *squares = tm_dataset_deviations(at->data);
    const partition *a = &at->cut->parts;
    double n = (double)tm_dataset_rows(at->data);
    if (tm_dataset_weights(at->data))
        return true;
    for (size_t j = 0; j < a->p; j++) {
        double most = 0, shift = at->terms.intercept ? 0 : n * means[j] * means[j];
        for (size_t k = a->starts[j]; k < a->starts[j + 1]; k++)
            most = fmax(most, a->weights[a->at[k]]);
        if (ball->radius * sqrt(squares[j] + shift) < 2 * lambda * most)
            return true;
    }
    return false;
}

/* Counts what is proven of the whole problem by the levels so far and this attempt. */
static void count_proven(screened *s, const reduced_problem *r, solve_progress *progress)
{
    const partition *whole = &s->levels[0].cut->parts;
    uint64_t rejected = 0;
    label_groups(s);
    for (size_t j = 0; j < whole->p; j++)
        s->label[j] = s->label[j] == UINT32_MAX ? UINT32_MAX : r->group[s->label[j]];
    for (size_t e = 0; e < whole->edges; e++)
        rejected += s->label[whole->ends[2 * e]] == s->label[whole->ends[2 * e + 1]];
    progress->rejected = rejected;
    progress->aggregated = whole->p - r->count;
}

/* The event, and the log's step if its items are those of this level. */
static void report(screened *s, const reduced_problem *r, const dual_ball *ball, double gap,
                   solve_progress *progress)
{
    const level *at = &s->levels[s->depth];
    if (r->count < s->left)
        count_proven(s, r, progress);
    if (r->count < s->left)
        progress_emit(progress, TM_EVENT_DROP, NAN, NAN, gap, r->count, s->levels[0].cut->parts.p);
    s->left = r->count < s->left ? r->count : s->left;
    if (s->depth == 0)
        term_log_screening(s->options.log, progress, ball, gap, at->lambda, bounds_low(at->bounds),
                           bounds_high(at->bounds));
}

/* Attempts that prove little are followed by pauses, each twice as long as the one before. */
static bool pauses(screened *s)
{
    bool pause = s->wait > 0 && !s->options.always;
    s->wait -= pause;
    return pause;
}

static void take_success(screened *s, bool proven)
{
    s->pause = proven ? 0 : s->pause < MAX_PAUSE ? 2 * s->pause + 1 : s->pause;
    s->wait = s->pause;
}

/* Goes on with what is proven: a smaller problem, or the same with flows between groups. */
static tm_status use(screened *s, reduced_problem *r, size_t rounds, solve_progress *progress,
                     tm_error *err)
{
    level *at = &s->levels[s->depth];
    size_t before = at->cut->groups ? contraction_groups(at->cut->groups) : r->p;
    bool fewer = (double)r->count < (1 - LEAST_PROVEN) * (double)before;
    take_success(s, fewer);
    if (r->count == before)
        return TM_OK;
    if (s->depth + 1 < MAX_LEVELS && r->count > 0 && r->count < r->p &&
        (s->options.always || pays(s, r, rounds)))
        return descend(s, r, progress, err);
    if (!fewer)
        return TM_OK;
    memcpy(s->label, r->group, r->p * sizeof *s->label);
    s->label[r->p] = UINT32_MAX;
    return cut_pursuit_group(at->cut, s->label, r->count, progress, err);
}

/* Screens the present level from the last point of its certifier and that point's gap. */
static tm_status screen(screened *s, double lambda, double gap, size_t rounds,
                        solve_progress *progress, tm_error *err)
{
    level *at = &s->levels[s->depth];
    const samples *of = graph_certifier_samples(at->certifier);
    dual_ball ball = {graph_certifier_products(at->certifier), graph_certifier_scale(at->certifier),
                      sqrt(2 * of->loss->smoothness * gap)};
    reduced_problem r;
    tm_status status = TM_OK;
    at->tried = gap;
    at->lambda = lambda;
    if (!s->options.log && !s->options.always && !reaches(at, &ball, lambda)) {
        take_success(s, false);
        return TM_OK;
    }
    if (!at->bounds)
        status = bounds_new(&at->bounds, at->data, of, &at->terms, s->options.kind,
                            &progress->columns, err);
    if (status != TM_OK)
        return status;
    /* Bounds of features alone pass from edge to edge, proven or not. */
    bool narrow_proven = s->options.log || s->options.kind == BOUNDS_FEATURES;
    bounds_find(at->bounds, &ball, lambda, narrow_proven);
    status = reduced_prove(&r, at->bounds, &at->terms, lambda, err);
    if (status == TM_OK) {
        report(s, &r, &ball, gap, progress);
        status = use(s, &r, rounds, progress, err);
    }
    reduced_clear(&r);
    return status;
}

/* Before the first round: from the answer at the lambda before, or the null model. */
static tm_status screen_first(screened *s, double lambda, double target, solve_progress *progress,
                              tm_error *err)
{
    level *whole = &s->levels[0];
    const cut_pursuit *c = whole->cut;
    if (pauses(s))
        return TM_OK;
    const graph_point *at =
        graph_certifier_point(whole->certifier, lambda, c->w, c->b, progress->team);
    progress->columns += at->columns;
    double bound;
    if (graph_certifier_bounded(whole->certifier)) {
        bound = graph_certifier_bound_again(whole->certifier, lambda);
    } else {
        memcpy(s->v, c->v, c->parts.terms * sizeof *s->v);
        bound = graph_certifier_bound(whole->certifier, lambda, s->v);
    }
    double gap = at->primal - bound;
    return gap > target ? screen(s, lambda, gap, 0, progress, err) : TM_OK;
}

/* ---- solving --------------------------------------------------------------------------------- */

static void solve_begin(screened *s, double lambda, solve_progress *progress)
{
    level *whole = &s->levels[0];
    cut_pursuit *c = whole->cut;
    if (s->options.kind != s->kind_made) {
        bounds_free(whole->bounds);
        whole->bounds = NULL;
        s->kind_made = s->options.kind;
    }
    /* The answer's dual point is about proportional to lambda. */
    for (size_t e = 0; s->lambda_before > 0 && e < c->parts.edges; e++)
        c->flow[e] *= lambda / s->lambda_before;
    s->lambda_before = lambda;
    s->left = c->parts.p;
    progress->rejected = progress->aggregated = 0;
    whole->tried = INFINITY;
    cut_pursuit_begin(c, progress);
}

static tm_status round_here(screened *s, double lambda, double target, solve_progress *progress,
                            structure_end *end, tm_error *err)
{
    level *at = &s->levels[s->depth];
    tm_status status = cut_pursuit_round(at->cut, lambda, target, progress, end, err);
    end->rounds++;
    return status;
}

/* The answer of the smallest problem as one of the whole, and what is missing there. */
static tm_status finish(screened *s, double lambda, double target, size_t max_rounds,
                        solve_progress *progress, structure_end *end, tm_error *err)
{
    cut_pursuit *c = s->levels[0].cut;
    size_t rounds = end->rounds;
    label_groups(s);
    while (s->depth > 0)
        ascend(s);
    cut_pursuit_join(c);
    cut_pursuit_log_change(c, progress, "the smaller problem is solved");
    if (progress->stopped)
        return TM_OK;
    *end = (structure_end){.rounds = rounds};
    cut_pursuit_check(c, lambda, target, s->label, progress, end);
    if (end->converged || rounds >= max_rounds)
        return TM_OK;
    tm_status status =
        cut_pursuit_solve(c, lambda, target, max_rounds - rounds, progress, end, err);
    end->rounds += rounds;
    return status;
}

tm_status screened_solve(screened *s, double lambda, double target, size_t max_rounds,
                         solve_progress *progress, structure_end *end, tm_error *err)
{
    *end = (structure_end){0};
    solve_begin(s, lambda, progress);
    tm_status status = screen_first(s, lambda, target, progress, err);
    while (status == TM_OK && !end->converged && !end->stalled && end->rounds < max_rounds &&
           !progress->stopped) {
        status = round_here(s, lambda, target, progress, end, err);
        const level *at = &s->levels[s->depth];
        double gap = cut_pursuit_gap(at->cut);
        if (status == TM_OK && s->options.dynamic && !end->converged &&
            gap < SCREEN_AGAIN * at->tried && !pauses(s))
            status = screen(s, lambda, gap, end->rounds, progress, err);
    }
    if (status == TM_OK && s->depth > 0)
        status = finish(s, lambda, target, max_rounds, progress, end, err);
    while (s->depth > 0)
        level_clear(&s->levels[s->depth--]);
    cut_pursuit_group(s->levels[0].cut, NULL, 0, progress, err);
    s->rounds_before = end->rounds;
    return status;
}
