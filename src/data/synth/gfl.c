/* Generators "gfl", "gfl_logistic", "gfl_sparse", "gfl_tree": features joined by a random graph,
 * SAIF (Ren 2017), section 3.3.7.1.
 *
 * The entries of X are uniform in [-10, 10], y = X beta + N(0, 1), or its sign around the median.
 * The graph is a tree, or forest, or has more edges. beta is constant on two regions of the graph
 * that are far apart, on every tree of a forest, or nonzero at random nodes (the experiments with
 * an additional l1 penalty); values are uniform in [-1, 1]. */
#include "base/memory.h"
#include "data/synth/generator.h"
#include "data/synth/random_graph.h"
#include "data/synth/random_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHARE = 50 }; /* one feature in fifty is in a region unless `size` is given */

static const tm_choice truths[] = {
    {"auto", "trees for a forest, else regions"},
    {"regions", "two connected regions that are far apart, each with a value of its own"},
    {"trees", "every tree of the forest has a value of its own"},
    {"nodes", "random nodes, each with a value of its own"},
    {NULL, NULL},
};

/* The parameters of each generator, which differ in their defaults. */
#define GFL_PARAMS(n_text, p_text, density_text, truth_text, classes_text)                         \
    RANDOM_PARAMS(n_text, p_text), RANDOM_STORAGE,                                                 \
        {"edges",                                                                                  \
         TM_PARAM_INT,                                                                             \
         NULL,                                                                                     \
         0,                                                                                        \
         4294967294.0,                                                                             \
         NULL,                                                                                     \
         "edges of the graph; p - 1, a tree, unless given; fewer make a forest of p - edges "      \
         "trees",                                                                                  \
         NULL,                                                                                     \
         0},                                                                                       \
        {"density",                                                                                \
         TM_PARAM_REAL,                                                                            \
         density_text,                                                                             \
         0,                                                                                        \
         1e6,                                                                                      \
         NULL,                                                                                     \
         "the same as a multiple of p, rounded",                                                   \
         NULL,                                                                                     \
         0},                                                                                       \
        {"truth",                                                                                  \
         TM_PARAM_CHOICE,                                                                          \
         truth_text,                                                                               \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "which features have a coefficient",                                                      \
         truths,                                                                                   \
         0},                                                                                       \
        {"size",                                                                                   \
         TM_PARAM_INT,                                                                             \
         NULL,                                                                                     \
         1,                                                                                        \
         4294967294.0,                                                                             \
         NULL,                                                                                     \
         "features of a region, or random nodes; 2 % of p unless given",                           \
         NULL,                                                                                     \
         0},                                                                                       \
        {"noise", TM_PARAM_REAL, "1", 0, 1e100, NULL, "standard deviation of the noise", NULL, 0}, \
    {                                                                                              \
        "classes", TM_PARAM_BOOL, classes_text, 0, 0, NULL,                                        \
            "two even classes instead of a number", NULL, 0                                        \
    }

static const tm_param_info gfl_params[] = {GFL_PARAMS("100", "3000", NULL, "auto", "false")};
static const tm_param_info logistic_params[] = {GFL_PARAMS("60", "1500", NULL, "auto", "true")};
static const tm_param_info sparse_params[] = {GFL_PARAMS("100", "5000", "1.2", "nodes", "false")};
static const tm_param_info tree_params[] = {GFL_PARAMS("295", "7782", NULL, "regions", "false")};

typedef struct truth_plan {
    const random_graph *graph;
    double *truth;
    unsigned char *blocked; /* zeros, one for each node */
    uint32_t *ball;         /* space for all nodes */
    size_t size;
    tm_rng *rng;
} truth_plan;

static void set_ball(const truth_plan *plan, size_t count)
{
    double value = tm_rng_range(plan->rng, -1, 1);
    for (size_t k = 0; k < count; k++)
        plan->truth[plan->ball[k]] = value;
}

/* A region around a random node, and another around the node farthest from it. */
static void plan_regions(const truth_plan *plan)
{
    size_t nodes = plan->graph->nodes;
    size_t from = tm_rng_below(plan->rng, nodes);
    size_t reached = random_graph_ball(plan->graph, from, nodes, plan->blocked, plan->ball);
    size_t far = plan->ball[reached - 1];
    memset(plan->blocked, 0, nodes);
    set_ball(plan, random_graph_ball(plan->graph, from, plan->size, plan->blocked, plan->ball));
    set_ball(plan, random_graph_ball(plan->graph, far, plan->size, plan->blocked, plan->ball));
}

static void plan_trees(const truth_plan *plan)
{
    size_t nodes = plan->graph->nodes;
    for (size_t i = 0; i < nodes; i++)
        if (!plan->blocked[i])
            set_ball(plan, random_graph_ball(plan->graph, i, nodes, plan->blocked, plan->ball));
}

/* A partial shuffle of all nodes. */
static void plan_nodes(const truth_plan *plan)
{
    size_t nodes = plan->graph->nodes;
    for (size_t i = 0; i < nodes; i++)
        plan->ball[i] = (uint32_t)i;
    for (size_t k = 0; k < plan->size && k < nodes; k++) {
        size_t other = k + tm_rng_below(plan->rng, nodes - k);
        uint32_t chosen = plan->ball[other];
        plan->ball[other] = plan->ball[k];
        plan->truth[chosen] = tm_rng_range(plan->rng, -1, 1);
    }
}

static tm_status plan_truth(random_problem *problem, const random_graph *graph, const char *which,
                            size_t size, tm_rng *rng, tm_error *err)
{
    size_t p = problem->columns.p;
    problem->truth = mem_zeros(p, sizeof *problem->truth);
    truth_plan plan = {
        graph, problem->truth, mem_zeros(p, 1), mem_array(p, sizeof *plan.ball), size, rng};
    bool enough = problem->truth && plan.blocked && plan.ball;
    bool forest = graph->edge_count + 1 < graph->nodes;
    if (strcmp(which, "auto") == 0)
        which = forest ? "trees" : "regions";
    if (enough && strcmp(which, "regions") == 0)
        plan_regions(&plan);
    else if (enough && strcmp(which, "trees") == 0)
        plan_trees(&plan);
    else if (enough)
        plan_nodes(&plan);
    free(plan.blocked);
    free(plan.ball);
    return enough ? TM_OK : tm_fail_memory(err, "synthetic data");
}

static tm_status plan_problem(random_problem *problem, size_t edges, const tm_params *params,
                              tm_error *err)
{
    tm_rng rng;
    random_graph graph;
    size_t p = problem->columns.p;
    size_t size = tm_params_has(params, "size") ? (size_t)tm_params_int(params, "size")
                                                : (p + SHARE - 1) / SHARE;
    if (size > p)
        return tm_fail(err, TM_EUSAGE, "size = %zu: expected at most p = %zu", size, p);
    random_stream(&rng, &problem->columns, RANDOM_TRUTH);
    tm_status status = random_graph_make(&graph, p, edges, &rng, err);
    if (status != TM_OK)
        return status;
    status = plan_truth(problem, &graph, tm_params_text(params, "truth"), size, &rng, err);
    problem->edges = graph.edges;
    problem->edge_count = graph.edge_count;
    graph.edges = NULL;
    random_graph_clear(&graph);
    return status;
}

/* A number of edges is either absolute or a multiple of p. */
static size_t edges_of(const tm_params *params, size_t p)
{
    if (tm_params_has(params, "edges"))
        return (size_t)tm_params_int(params, "edges");
    bool given =
        tm_params_has(params, "density") || tm_params_find(params, "density", NULL)->fallback;
    return given ? (size_t)llround(tm_params_real(params, "density") * (double)p) : p - 1;
}

static tm_status gfl_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                          tm_error *err)
{
    bool classes = tm_params_bool(params, "classes");
    random_problem problem = {.columns = {.law = LAW_UNIFORM},
                              .noise = tm_params_real(params, "noise"),
                              .numeric = !classes,
                              .balanced = classes};
    random_problem_read(&problem, params);
    size_t n = problem.columns.n, p = problem.columns.p;
    size_t edges = edges_of(params, p);
    tm_status status = plan_problem(&problem, edges, params, err);
    if (status != TM_OK) {
        free(problem.truth);
        free(problem.edges);
        return status;
    }
    char name[96], note[200];
    snprintf(name, sizeof name, "gfl %zux%zu%s", n, p, problem.columns.test ? " test" : "");
    snprintf(note, sizeof note, "generator: gfl, a graph of %zu edges, noise %g, seed %llu", edges,
             problem.noise, (unsigned long long)problem.columns.seed);
    return random_problem_make(out, &problem, name, note, cancel, err);
}

const generator generator_gfl = {
    .info = {.id = "gfl",
             .summary = "features joined by a random graph, on which the coefficients are constant",
             .source = "SAIF (Ren 2017), section 3.3.7.1",
             GENERATOR_PARAMS(gfl_params)},
    .make = gfl_make,
};

const generator generator_gfl_logistic = {
    .info = {.id = "gfl_logistic",
             .summary = "the same with two even classes, 60 x 1,500",
             .source = "SAIF (Ren 2017), section 3.3.7.1, table 3.3",
             GENERATOR_PARAMS(logistic_params)},
    .make = gfl_make,
};

const generator generator_gfl_sparse = {
    .info = {.id = "gfl_sparse",
             .summary = "the same with coefficients at random nodes, for a further l1 penalty",
             .source = "SAIF (Ren 2017), section 3.3.7.1, table 3.4",
             GENERATOR_PARAMS(sparse_params)},
    .make = gfl_make,
};

const generator generator_gfl_tree = {
    .info = {.id = "gfl_tree",
             .summary = "the same on a tree, of the size of the breast cancer data",
             .source = "SAIF (Ren 2017), section 3.4.2",
             GENERATOR_PARAMS(tree_params)},
    .make = gfl_make,
};
