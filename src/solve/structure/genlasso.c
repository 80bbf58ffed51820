/* The generalised lasso as a method: reads the parameters, chooses the solver, returns the
 * answer. */
#include "solve/common/method.h"
#include "solve/registry.h"
#include "solve/structure/cut_pursuit.h"
#include "solve/structure/flow/direct.h"
#include "solve/structure/genlasso_trees.h"
#include "solve/structure/rows.h"
#include "solve/structure/screened.h"
#include "solve/structure/tuning.h"

#include "base/memory.h"
#include "data/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum genlasso_screen {
    SCREEN_NONE,
    SCREEN_BOUNDS,
    SCREEN_TRANSFORM,
    SCREEN_PATHS,
    SCREEN_TREE
} genlasso_screen;

typedef struct genlasso_null {
    double *w, b; /* w: p */
    double lambda_max, objective;
} genlasso_null;

/* The starting point of the next solve. */
typedef struct genlasso_start {
    double *w, b;    /* w: p */
    bool set, begun; /* begun: an answer to continue from exists */
    double lambda;   /* of the answer that cut pursuit begins with; 0: not known */
} genlasso_start;

typedef struct genlasso_screening {
    genlasso_screen by;
    bool dynamic, always;
    screened *within; /* cut pursuit with screening, made when first needed */
    size_t left;      /* features that are not proven equal to each other or to 0 */
} genlasso_screening;

/* Columns of a magnitude far from 1 are divided by a power of two, which is exact: together with
 * the intercept, whose column is 1, the interior point method needs weights of about the
 * intercept's magnitude. */
typedef struct genlasso_unit {
    double size; /* divisor of the columns and of lambda; factor of the weights */
    double *w;   /* p: the weights for the original data; NULL when size is 1 */
    tm_dataset *data;
} genlasso_unit;

typedef struct genlasso {
    const tm_dataset *data; /* the data to solve on: the original columns divided by the unit */
    genlasso_unit unit;
    const char *loss;
    tm_graph *graph;
    double *own;     /* p: penalty of each single feature; NULL: none */
    uint32_t *roots; /* p, to count levels; NULL: terms are not edges */
    graph_terms terms;
    graph_certifier *certifier;
    direct_solver *direct; /* where there is an exact solver */
    cut_pursuit *cut;      /* for other edges */
    rows_solver *rows;     /* for other terms */
    tree_lasso *tree;      /* for forests, made when first needed */
    term_log *log;         /* made when first needed; NULL: none */
    genlasso_null null;
    genlasso_start start;
    double lambda;
    bool warm;
    genlasso_screening screening;
    uint64_t rounds, max_rounds;
} genlasso;

static void finish(void *work)
{
    genlasso *s = work;
    if (!s)
        return;
    screened_free(s->screening.within);
    direct_free(s->direct);
    cut_pursuit_free(s->cut);
    rows_solver_free(s->rows);
    tree_free(s->tree);
    term_log_free(s->log);
    graph_certifier_free(s->certifier);
    tm_graph_unref(s->graph);
    free(s->own);
    free(s->roots);
    free(s->start.w);
    free(s->null.w);
    free(s->unit.w);
    tm_dataset_unref(s->unit.data);
    free(s);
}

/* ---- construction ---------------------------------------------------------------------------- */

static tm_status choose_unit(genlasso *s, const tm_dataset *data, tm_error *err)
{
    const double *means = tm_dataset_means(data), *squares = tm_dataset_deviations(data);
    size_t p = tm_dataset_cols(data);
    double greatest = 0, n = (double)tm_dataset_rows(data);
    int power;
    s->data = data;
    s->unit.size = 1;
    for (size_t j = 0; j < p; j++)
        greatest = fmax(greatest, sqrt(squares[j] / n + means[j] * means[j]));
    frexp(greatest, &power);
    if (greatest == 0 || abs(power) <= NEAR_ONE)
        return TM_OK;
    s->unit.size = ldexp(1, power);
    s->unit.w = mem_array(p, sizeof *s->unit.w);
    if (!s->unit.w)
        return tm_fail_memory(err, "the solver");
    for (size_t j = 0; j < p; j++)
        s->unit.w[j] = s->unit.size;
    tm_status status = tm_dataset_divide(&s->unit.data, data, s->unit.w, err);
    s->data = s->unit.data;
    return status;
}

/* The weights of the problem that is solved. */
static const double *own_weights(const genlasso *s)
{
    if (s->lambda == 0)
        return s->null.w;
    if (s->screening.by == SCREEN_TREE && s->tree)
        return tree_weights(s->tree);
    if (s->direct)
        return direct_weights(s->direct);
    return s->cut ? cut_pursuit_weights(s->cut) : rows_solver_weights(s->rows);
}

/* The weights for the original data. */
static const double *given_weights(genlasso *s)
{
    const double *w = own_weights(s);
    for (size_t j = 0; s->unit.w && j < tm_dataset_cols(s->data); j++)
        s->unit.w[j] = w[j] / s->unit.size;
    return s->unit.w ? s->unit.w : w;
}

static tm_status make_terms(genlasso *s, const tm_params *params, tm_error *err)
{
    size_t p = tm_dataset_cols(s->data);
    double ratio = tm_params_real(params, "l1_ratio");
    tm_status status = tm_graph_parse(&s->graph, tm_params_text(params, "graph"), s->data, err);
    if (status != TM_OK)
        return status;
    if (ratio > 0)
        s->own = mem_array(p, sizeof *s->own);
    s->start.w = mem_zeros(p, sizeof *s->start.w);
    s->null.w = mem_zeros(p, sizeof *s->null.w);
    bool edges = tm_graph_is_edges(s->graph);
    if (edges)
        s->roots = mem_array(p, sizeof *s->roots);
    if ((ratio > 0 && !s->own) || (edges && !s->roots) || !s->start.w || !s->null.w)
        return tm_fail_memory(err, "the solver");
    for (size_t j = 0; s->own && j < p; j++)
        s->own[j] = ratio;
    s->terms = (graph_terms){s->graph, s->own, tm_params_bool(params, "intercept")};
    return TM_OK;
}

/* When unpenalised components fit perfectly the remaining loss is rounding error, which no gap can
 * be a fraction of. */
static double null_rounding(const genlasso *s, double *z)
{
    const samples *of = graph_certifier_samples(s->certifier);
    for (size_t i = 0; i < of->n; i++)
        z[i] = of->offset ? of->offset[i] : 0;
    return PERFECT_FIT * samples_loss(of, z);
}

/* Computes the null model and lambda_max. */
static tm_status find_null(genlasso *s, solve_progress *progress, tm_error *err)
{
    size_t n = tm_dataset_rows(s->data), p = tm_dataset_cols(s->data);
    double *z = mem_zeros(2 * n + p + tm_graph_terms(s->graph), sizeof *z), left;
    if (!z)
        return tm_fail_memory(err, "the null model");
    double *a = z + n, *q = a + n, *v = q + p;
    s->null.objective =
        graph_kernel_null(graph_certifier_kernel(s->certifier), s->null.w, &s->null.b, z, a);
    s->null.objective = fmax(s->null.objective, null_rounding(s, z));
    tm_matrix_dot_range(tm_dataset_x(s->data), 0, p, a, q);
    progress->columns += p;
    tm_status status = TM_OK;
    if (tm_graph_is_forest(s->graph) && !s->own) /* v is unique: the sum over the subtree attached
                                                  * by each edge */
        s->null.lambda_max =
            graph_dual_complete(graph_certifier_dual(s->certifier), q, v, NULL, &left);
    else if (s->cut)
        status = cut_pursuit_lambda_max(s->cut, q, &s->null.lambda_max, err);
    else
        status = rows_solver_lambda_max(s->rows, q, &s->null.lambda_max, progress, err);
    if (s->rows)
        rows_solver_set_null(s->rows, &(rows_null){s->null.w, s->null.b, s->null.lambda_max});
    free(z);
    return status;
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    genlasso *s = calloc(1, sizeof *s);
    *work = NULL;
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->loss = loss_find(tm_params_text(params, "loss"), NULL)->id;
    tm_status status = choose_unit(s, data, err);
    data = s->data;
    if (status == TM_OK)
        status = make_terms(s, params, err);
    if (status == TM_OK)
        status = graph_certifier_new(&s->certifier, data, s->loss, &s->terms,
                                     progress->monitor.cancel, err);
    if (status == TM_OK && tm_graph_is_edges(s->graph))
        status = cut_pursuit_new(&s->cut, data, &s->terms, s->certifier, err);
    else if (status == TM_OK)
        status = rows_solver_new(&s->rows, data, &s->terms, s->certifier, err);
    if (status == TM_OK)
        status = find_null(s, progress, err);
    if (status == TM_OK)
        status =
            direct_new(&s->direct, data, graph_certifier_samples(s->certifier), &s->terms, err);
    if (s->direct) {
        cut_pursuit_free(s->cut);
        s->cut = NULL;
    }
    if (status == TM_OK && !isfinite(s->null.lambda_max))
        status =
            tm_fail(err, TM_EDATA,
                    "lambda_max is not a finite number: a weight of the graph is too small for "
                    "products of this size");
    return method_made(work, s, finish, status);
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    genlasso *s = work;
    s->screening.by = (genlasso_screen)tm_params_choice(params, "screen");
    s->warm = tm_params_bool(params, "warm");
    s->screening.dynamic = tm_params_bool(params, "dynamic");
    s->screening.always = tm_params_bool(params, "always");
    s->max_rounds = (uint64_t)tm_params_int(params, "max_iter");
    if (s->screening.by == SCREEN_TREE && (s->own || !tm_graph_is_forest(s->graph)))
        return tm_fail(err, TM_EUSAGE,
                       "screen saif is for graphs without cycles and l1_ratio 0; %s: use none, "
                       "bounds, transform or paths",
                       s->own ? "l1_ratio is above 0"
                              : "this graph has cycles or is not a graph of edges");
    return TM_OK;
}

static void set_lambda(void *work, double lambda)
{
    genlasso *s = work;
    s->lambda = lambda / s->unit.size;
}

/* ---- solving --------------------------------------------------------------------------------- */

static void warm(void *work, const tm_model *model)
{
    genlasso *s = work;
    for (size_t j = 0; j < tm_dataset_cols(s->data); j++)
        s->start.w[j] = tm_model_weight(model, j) * s->unit.size;
    s->start.b = tm_model_intercept(model);
    s->start.set = true;
}

static void begin(void *work)
{
    genlasso *s = work;
    s->rounds = 0;
    s->screening.left = tm_dataset_cols(s->data);
    if (s->tree)
        tree_begin(s->tree);
    if (s->screening.by == SCREEN_TREE)
        return;
    if (s->cut && s->start.set) {
        cut_pursuit_start(s->cut, s->start.w, s->start.b);
        s->start.lambda = 0;
    } else if (s->cut && (!s->warm || !s->start.begun)) {
        cut_pursuit_start(s->cut, s->null.w, s->null.b);
        s->start.lambda = s->null.lambda_max;
    }
    s->start.set = false;
    s->start.begun = true;
}

static tm_status solve_directly(genlasso *s, solve_progress *progress, solve_answer *answer,
                                tm_error *err)
{
    tm_status status = direct_solve(s->direct, s->lambda, s->warm && s->start.begun, progress, err);
    *answer = (solve_answer){
        .converged = !progress->stopped,
        .weights = given_weights(s),
        .problem = {.loss = s->loss,
                    .lambda = s->lambda * s->unit.size,
                    .intercept = s->terms.intercept},
        .active = s->screening.left,
        .epochs = 1,
    };
    return status;
}

/* Forests by SAIF: made when first needed. */
static tm_status prepare_tree(genlasso *s, solve_progress *progress, tm_error *err)
{
    const tree_options options = {&s->terms, graph_certifier_samples(s->certifier),
                                  (long)s->max_rounds, s->warm};
    tm_status status = TM_OK;
    if (!s->tree)
        status = tree_new(&s->tree, s->data, &options, progress, err);
    if (status == TM_OK)
        status = tree_update(s->tree, (long)s->max_rounds, s->warm, s->lambda, err);
    if (status == TM_OK && s->start.set)
        status = tree_start(s->tree, s->start.w, s->start.b, err);
    s->start.set = false;
    return status;
}

static tm_status solve_tree(genlasso *s, solve_progress *progress, double target,
                            solve_answer *answer, tm_error *err)
{
    tm_status status = prepare_tree(s, progress, err);
    if (status == TM_OK)
        status = tree_solve(s->tree, progress, target, answer, err);
    if (status != TM_OK)
        return status;
    answer->weights = given_weights(s);
    answer->problem = (tm_problem){
        .loss = s->loss, .lambda = s->lambda * s->unit.size, .intercept = s->terms.intercept};
    progress->lambda = s->lambda * s->unit.size;
    return TM_OK;
}

static tm_status solve_screened(genlasso *s, double target, size_t most, solve_progress *progress,
                                structure_end *end, tm_error *err)
{
    static const bounds_kind kinds[] = {[SCREEN_BOUNDS] = BOUNDS_FEATURES,
                                        [SCREEN_TRANSFORM] = BOUNDS_SUBTREES,
                                        [SCREEN_PATHS] = BOUNDS_PATHS};
    const screened_problem whole = {s->data, s->loss, &s->terms, s->certifier, s->cut};
    tm_status status =
        s->screening.within ? TM_OK : screened_new(&s->screening.within, &whole, err);
    if (status != TM_OK)
        return status;
    screened_update(s->screening.within,
                    &(screened_options){kinds[s->screening.by], s->screening.dynamic,
                                        s->screening.always, s->log});
    status = screened_solve(s->screening.within, s->lambda, target, most, progress, end, err);
    s->screening.left = screened_left(s->screening.within);
    return status;
}

/* In trees the items are set by the tree. */
static tm_status prepare_log(genlasso *s, solve_progress *progress, tm_error *err)
{
    if (!screen_log_wanted(progress) || s->log)
        return TM_OK;
    tm_status status = term_log_new(&s->log, s->data, &s->terms, s->certifier, err);
    if (status == TM_OK && s->screening.by != SCREEN_TREE)
        status = term_log_items(s->log, progress, err);
    if (status == TM_OK && s->cut)
        cut_pursuit_log(s->cut, s->log);
    return status;
}

/* A path asks for lambda 0 only when lambda_max is 0: the null model is the answer at any lambda.
 */
static tm_status answer_null(genlasso *s, solve_answer *answer)
{
    *answer = (solve_answer){
        .converged = true,
        .weights = given_weights(s),
        .intercept = s->null.b,
        .problem = {.loss = s->loss, .lambda = 0, .intercept = s->terms.intercept},
        .active = s->screening.left,
    };
    return TM_OK;
}

/* Leaves a round for the lambda itself. */
static tm_status approach(genlasso *s, double target, solve_progress *progress, tm_error *err)
{
    structure_end end = {0};
    size_t most = s->max_rounds < MAX_ROUNDS ? (size_t)s->max_rounds : MAX_ROUNDS;
    tm_status status = TM_OK;
    if (s->lambda < s->start.lambda && most > 1)
        status = cut_pursuit_approach(s->cut, &(cut_way){s->start.lambda, s->lambda, most - 1},
                                      target, progress, &end, err);
    s->start.lambda = s->lambda;
    s->rounds = end.rounds;
    return status;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    genlasso *s = work;
    structure_end end = {0};
    progress->lambda = s->lambda * s->unit.size;
    progress->rejected = progress->aggregated = TM_NO_COUNT;
    if (s->lambda == 0)
        return answer_null(s, answer);
    tm_status status = prepare_log(s, progress, err);
    if (status != TM_OK)
        return status;
    if (s->screening.by == SCREEN_TREE)
        return solve_tree(s, progress, target, answer, err);
    if (s->direct)
        return solve_directly(s, progress, answer, err);
    if (s->cut && s->rounds == 0)
        cut_pursuit_log_start(s->cut, progress);
    if (s->cut && s->rounds == 0)
        status = approach(s, target, progress, err);
    if (status != TM_OK)
        return status;
    uint64_t left = s->max_rounds > s->rounds ? s->max_rounds - s->rounds : 0;
    size_t most = left < MAX_ROUNDS ? (size_t)left : MAX_ROUNDS;
    status = s->rows ? rows_solver_solve(s->rows, s->lambda, target, progress, &end, err)
             : s->screening.by == SCREEN_NONE
                 ? cut_pursuit_solve(s->cut, s->lambda, target, most, progress, &end, err)
                 : solve_screened(s, target, most, progress, &end, err);
    if (status != TM_OK)
        return status;
    s->rounds += end.rounds;
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = end.stalled || s->rounds >= s->max_rounds,
        .stop = s->rounds >= s->max_rounds ? TM_STOP_ITER : TM_STOP_NONE,
        .weights = given_weights(s),
        .intercept = s->cut ? cut_pursuit_intercept(s->cut) : rows_solver_intercept(s->rows),
        .problem = {.loss = s->loss,
                    .lambda = s->lambda * s->unit.size,
                    .intercept = s->terms.intercept},
        .active = s->screening.left,
        .held = s->screening.left < tm_dataset_cols(s->data) ? cut_pursuit_components(s->cut) : 0,
        .epochs = s->rounds,
    };
    return TM_OK;
}

static tm_status certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    genlasso *s = work;
    bool tree = s->screening.by == SCREEN_TREE && s->lambda > 0; /* v is unique */
    bool none = tree || s->lambda == 0;
    const double *v = none        ? NULL
                      : s->direct ? direct_dual(s->direct)
                      : s->cut    ? cut_pursuit_dual(s->cut)
                                  : rows_solver_dual(s->rows);
    tm_status status = graph_certify(
        certificate, s->certifier, &(graph_answer){s->lambda, own_weights(s), answer->intercept, v},
        progress->team, err);
    progress->columns += status == TM_OK ? graph_certifier_columns(s->certifier) : 0;
    if (status == TM_OK && tree)
        tree_certified(s->tree, graph_certifier_products(s->certifier), certificate->gap);
    if (status == TM_OK)
        status = term_log_certificate(
            s->log, progress, certificate, s->lambda, v,
            tree ? answer->active : term_log_nonzero(s->log, own_weights(s)), err);
    return status;
}

static double lambda_max(const void *work)
{
    const genlasso *s = work;
    return s->null.lambda_max * s->unit.size;
}

static double null_objective(const void *work)
{
    return ((const genlasso *)work)->null.objective;
}

static size_t levels(void *work)
{
    genlasso *s = work;
    return s->roots ? graph_levels(s->graph, own_weights(s), s->roots) : TM_NO_LEVELS;
}

const method_ops genlasso_ops = {.init = init,
                                 .update = update,
                                 .set_lambda = set_lambda,
                                 .warm = warm,
                                 .begin = begin,
                                 .solve = solve,
                                 .certify = certify,
                                 .lambda_max = lambda_max,
                                 .null_objective = null_objective,
                                 .levels = levels,
                                 .finish = finish};
