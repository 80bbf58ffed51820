#include "solve/structure/genlasso_trees.h"

#include "base/memory.h"
#include "data/sums/summed.h"
#include "model/loss/losses.h"
#include "solve/l1/core/state.h"
#include "solve/l1/l1.h"
#include "solve/registry.h"
#include "solve/structure/screening/derived.h"
#include "solve/structure/term_log.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Column t < terms is the difference across term t; the other columns are the levels of the
 * trees. */
struct tree_lasso {
    const method_ops *ops; /* of the l1 method with the same loss */
    void *l1;
    tm_params *params;
    tm_dataset *data;
    const tm_graph *graph; /* not its own */
    size_t p, terms;
    size_t *nodes, *up, *column; /* p: the forest in preorder, see summed_forest */
    double *w, *delta, *q;       /* p */
    long max_iter;
};

void tree_free(tree_lasso *t)
{
    if (!t)
        return;
    if (t->l1)
        t->ops->finish(t->l1);
    tm_params_free(t->params);
    tm_dataset_unref(t->data);
    free(t->nodes);
    free(t->up);
    free(t->column);
    free(t->w);
    free(t->delta);
    free(t->q);
    free(t);
}

/* ---- the forest in preorder ------------------------------------------------------------------ */

/* Terms at each feature: at[starts[j] .. starts[j + 1] - 1]. */
typedef struct neighbours {
    size_t *starts, *at;
    size_t *order, *parent, *edge, *size; /* p: the order of the search; parent feature and the term
                                           * to it */
    size_t *stack;                        /* p */
} neighbours;

static void neighbours_clear(neighbours *g)
{
    free(g->starts);
    free(g->at);
    free(g->order);
    free(g->parent);
    free(g->edge);
    free(g->size);
    free(g->stack);
}

static const uint32_t *ends_of(const tm_graph *graph, size_t term)
{
    const double *values;
    size_t count;
    return tm_graph_term(graph, term, &values, &count);
}

static bool list_neighbours(neighbours *g, const tm_graph *graph)
{
    size_t p = tm_graph_features(graph), terms = tm_graph_terms(graph);
    g->starts = mem_zeros(p + 2, sizeof *g->starts);
    g->at = mem_array(2 * terms, sizeof *g->at);
    g->order = mem_array(p, sizeof *g->order);
    g->parent = mem_array(p, sizeof *g->parent);
    g->edge = mem_array(p, sizeof *g->edge);
    g->size = mem_array(p, sizeof *g->size);
    g->stack = mem_array(p, sizeof *g->stack);
    if (!g->starts || !g->at || !g->order || !g->parent || !g->edge || !g->size || !g->stack)
        return false;
    for (size_t t = 0; t < terms; t++)
        for (int i = 0; i < 2; i++)
            g->starts[ends_of(graph, t)[i] + 2]++;
    for (size_t j = 0; j < p; j++)
        g->starts[j + 2] += g->starts[j + 1];
    for (size_t t = 0; t < terms; t++)
        for (int i = 0; i < 2; i++)
            g->at[g->starts[ends_of(graph, t)[i] + 1]++] = t;
    return true;
}

/* Finds parents by breadth-first search from the first feature of each tree, and sizes of
 * subtrees. */
static void find_parents(neighbours *g, const tm_graph *graph)
{
    size_t p = tm_graph_features(graph), count = 0;
    memset(g->size, 0, p * sizeof *g->size);
    for (size_t root = 0; root < p; root++) {
        if (g->size[root] > 0)
            continue;
        g->parent[root] = g->edge[root] = SIZE_MAX;
        g->size[root] = 1;
        g->order[count++] = root;
        for (size_t at = count - 1; at < count; at++) {
            size_t j = g->order[at];
            for (size_t k = g->starts[j]; k < g->starts[j + 1]; k++) {
                const uint32_t *f = ends_of(graph, g->at[k]);
                size_t other = f[0] == j ? f[1] : f[0];
                if (g->size[other] > 0)
                    continue;
                g->parent[other] = j;
                g->edge[other] = g->at[k];
                g->size[other] = 1;
                g->order[count++] = other;
            }
        }
    }
    for (size_t at = p; at-- > 0;)
        if (g->parent[g->order[at]] != SIZE_MAX)
            g->size[g->parent[g->order[at]]] += g->size[g->order[at]];
}

/* The child with the largest subtree is pushed first and comes last, so that few sums are open at a
 * time when going backwards. */
static void push_children(neighbours *g, const tm_graph *graph, size_t j, size_t *depth)
{
    size_t from = *depth;
    for (size_t k = g->starts[j]; k < g->starts[j + 1]; k++) {
        const uint32_t *f = ends_of(graph, g->at[k]);
        size_t child = f[0] == j ? f[1] : f[0];
        if (g->parent[child] != j)
            continue;
        g->stack[(*depth)++] = child;
        if (g->size[child] > g->size[g->stack[from]]) {
            g->stack[*depth - 1] = g->stack[from];
            g->stack[from] = child;
        }
    }
}

static void fill_preorder(tree_lasso *t, neighbours *g, const tm_graph *graph)
{
    size_t place = 0, roots = 0, *place_of = g->order;
    for (size_t root = 0; root < t->p; root++) {
        size_t depth = 0;
        if (g->parent[root] != SIZE_MAX)
            continue;
        g->stack[depth++] = root;
        while (depth > 0) {
            size_t j = g->stack[--depth], parent = g->parent[j];
            t->nodes[place] = j;
            t->up[place] = parent == SIZE_MAX ? SIZE_MAX : place_of[parent];
            t->column[place] = parent == SIZE_MAX ? t->terms + roots++ : g->edge[j];
            place_of[j] = place++;
            push_children(g, graph, j, &depth);
        }
    }
}

static tm_status make_forest(tree_lasso *t, const tm_graph *graph, tm_error *err)
{
    neighbours g = {0};
    t->graph = graph;
    t->p = tm_graph_features(graph);
    t->terms = tm_graph_terms(graph);
    t->nodes = mem_array(t->p, sizeof *t->nodes);
    t->up = mem_array(t->p, sizeof *t->up);
    t->column = mem_array(t->p, sizeof *t->column);
    t->w = mem_zeros(t->p, sizeof *t->w);
    t->delta = mem_zeros(t->p, sizeof *t->delta);
    t->q = mem_zeros(t->p, sizeof *t->q);
    bool enough =
        t->nodes && t->up && t->column && t->w && t->delta && t->q && list_neighbours(&g, graph);
    if (enough) {
        find_parents(&g, graph);
        fill_preorder(t, &g, graph);
    }
    neighbours_clear(&g);
    return enough ? TM_OK : tm_fail_memory(err, "the trees");
}

/* ---- the l1 problem -------------------------------------------------------------------------- */

static tm_status make_data(tree_lasso *t, const tm_dataset *data, const samples *of, tm_error *err)
{
    const summed_forest forest = {t->nodes, t->up, t->column};
    double *means = mem_array(t->p, sizeof *means), *deviations = mem_array(t->p, sizeof *means);
    tm_matrix *x = NULL;
    tm_status status = means && deviations ? TM_OK : tm_fail_memory(err, "the trees");
    if (status == TM_OK)
        status = matrix_new_summed(&x, tm_dataset_x(data), &forest, err);
    if (status == TM_OK)
        status = matrix_summed_statistics(x, means, deviations, err);
    if (status == TM_OK)
        return derived_data(&t->data, data, of, x, means, deviations, err);
    tm_matrix_unref(x);
    free(means);
    free(deviations);
    return status;
}

/* The penalty factor of a difference is the weight of its edge. */
static tm_status set_factors(tree_lasso *t, const tm_graph *graph, tm_error *err)
{
    for (size_t k = 0; k < t->p; k++) {
        const double *values;
        size_t count;
        t->delta[k] = 0;
        if (k >= t->terms)
            continue;
        tm_graph_term(graph, k, &values, &count);
        t->delta[k] = fabs(values[0]);
    }
    const tm_vector factors = {.count = t->p, .values = t->delta};
    return tm_params_set_vector(t->params, "factors", &factors, err);
}

static tm_status make_params(tree_lasso *t, const tree_options *options, tm_error *err)
{
    tm_status status =
        tm_params_new(&t->params, "genlasso", l1_parameters.list, l1_parameters.count, err);
    if (status == TM_OK)
        status = set_factors(t, options->terms->graph, err);
    if (status == TM_OK)
        status = tm_params_set_text(t->params, "screen", "saif", err);
    if (status == TM_OK)
        status = tm_params_set_bool(t->params, "intercept", options->terms->intercept, err);
    if (status == TM_OK)
        status = tm_params_set_bool(t->params, "warm", options->warm, err);
    return status == TM_OK ? tm_params_set_int(t->params, "max_iter", options->max_iter, err)
                           : status;
}

static const method_ops *l1_of(const loss *l)
{
    return l == &loss_squared ? &lasso_ops : l == &loss_logistic ? &l1logistic_ops : &l1svm_ops;
}

static tm_status make(tree_lasso *t, const tm_dataset *data, const tree_options *options,
                      solve_progress *progress, tm_error *err)
{
    t->ops = l1_of(options->of->loss);
    tm_status status = make_forest(t, options->terms->graph, err);
    if (status == TM_OK)
        status = make_data(t, data, options->of, err);
    if (status == TM_OK)
        status = make_params(t, options, err);
    return status == TM_OK ? t->ops->init(&t->l1, t->data, t->params, progress, err) : status;
}

tm_status tree_new(tree_lasso **out, const tm_dataset *data, const tree_options *options,
                   solve_progress *progress, tm_error *err)
{
    tree_lasso *t = calloc(1, sizeof *t);
    tm_status status = t ? make(t, data, options, progress, err) : tm_fail_memory(err, "the trees");
    if (status != TM_OK) {
        tree_free(t);
        t = NULL;
    }
    *out = t;
    return status;
}

static tm_status use_screen(tree_lasso *t, const char *screen, bool warm, long max_iter,
                            tm_error *err)
{
    tm_status status = tm_params_set_text(t->params, "screen", screen, err);
    if (status == TM_OK)
        status = tm_params_set_bool(t->params, "warm", warm, err);
    if (status == TM_OK)
        status = tm_params_set_int(t->params, "max_iter", max_iter, err);
    return status == TM_OK ? t->ops->update(t->l1, t->params, err) : status;
}

tm_status tree_update(tree_lasso *t, long max_iter, bool warm, double lambda, tm_error *err)
{
    t->ops->set_lambda(t->l1, lambda);
    t->max_iter = max_iter;
    return use_screen(t, "saif", warm, max_iter < TREE_EPOCHS ? max_iter : TREE_EPOCHS, err);
}

void tree_begin(tree_lasso *t)
{
    t->ops->begin(t->l1);
}

tm_status tree_start(tree_lasso *t, const double *w, double b, tm_error *err)
{
    tm_model *model;
    for (size_t at = 0; at < t->p; at++)
        t->delta[t->column[at]] =
            w[t->nodes[at]] - (t->up[at] == SIZE_MAX ? 0 : w[t->nodes[t->up[at]]]);
    tm_status status = tm_model_new(&model, t->data, "genlasso", 1, t->delta, b, err);
    if (status == TM_OK)
        t->ops->warm(t->l1, model);
    tm_model_unref(model);
    return status;
}

/* The columns are the items: the edges, then the trees. */
static tm_status set_items(const tree_lasso *t, solve_progress *progress, tm_error *err)
{
    if (!screen_log_wanted(progress))
        return TM_OK;
    tm_screen_item *items = mem_array(t->p, sizeof *items);
    if (!items)
        return tm_fail_memory(err, "the screen log");
    term_log_fill(t->graph, items);
    for (size_t at = 0; at < t->p; at++)
        if (t->up[at] == SIZE_MAX)
            items[t->column[at]] =
                (tm_screen_item){TM_ITEM_TREE, (uint32_t)t->nodes[at], (uint32_t)t->nodes[at]};
    screen_log_items(progress, TM_ITEM_EDGE, t->p, items);
    free(items);
    return TM_OK;
}

/* The gap of the l1 problem; what the next round of `auto` starts from. */
static bool find_gap(tree_lasso *t, solve_progress *progress, double *gap)
{
    l1_state *s = t->l1;
    l1_state_refresh(s);
    if (!l1_products_all(s, progress))
        return false;
    *gap = l1_gap_all(s).gap;
    memcpy(t->q, s->it.xr, t->p * sizeof *t->q);
    t->ops->batch->certified(s, t->q, *gap);
    return true;
}

/* From where SAIF's coordinate steps crawl, `auto` goes on, which solves its working sets by
 * Newton's method. */
static tm_status go_on(tree_lasso *t, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    uint64_t before = answer->epochs;
    double gap;
    if (!find_gap(t, progress, &gap))
        return TM_OK;
    tm_status status = use_screen(t, "auto", true, t->max_iter - (long)before, err);
    if (status == TM_OK)
        t->ops->begin(t->l1);
    for (bool again = true; status == TM_OK && again;) {
        status = t->ops->solve(t->l1, progress, target, answer, err);
        again = answer->converged && !answer->stalled && !progress->stopped;
        if (status != TM_OK || progress->stopped || !find_gap(t, progress, &gap))
            break;
        answer->converged = gap <= target;
        answer->intercept = l1_state_intercept(t->l1);
        again = again && !answer->converged;
    }
    answer->epochs += before;
    return status;
}

tm_status tree_solve(tree_lasso *t, solve_progress *progress, double target, solve_answer *answer,
                     tm_error *err)
{
    tm_status status = set_items(t, progress, err);
    if (status == TM_OK)
        status = t->ops->solve(t->l1, progress, target, answer, err);
    /* SAIF may have ended at its limit by a gap that the certificate does not confirm. */
    bool ended = answer->converged && answer->epochs < TREE_EPOCHS;
    if (status == TM_OK && !ended && !progress->stopped && answer->epochs < (uint64_t)t->max_iter)
        status = go_on(t, progress, target, answer, err);
    if (status != TM_OK)
        return status;
    for (size_t at = 0; at < t->p; at++)
        t->w[t->nodes[at]] = answer->weights[t->column[at]] +
                             (t->up[at] == SIZE_MAX ? 0 : t->w[t->nodes[t->up[at]]]);
    answer->held = 0;
    for (size_t k = 0; k < t->p; k++)
        answer->held += answer->weights[k] != 0;
    answer->weights = t->w;
    return TM_OK;
}

void tree_certified(tree_lasso *t, const double *q, double gap)
{
    matrix_summed_products(tm_dataset_x(t->data), q, t->q);
    if (t->ops->batch && t->ops->batch->certified)
        t->ops->batch->certified(t->l1, t->q, gap);
}

const double *tree_weights(const tree_lasso *t)
{
    return t->w;
}
