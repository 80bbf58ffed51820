/* The generalised lasso: parameters in, solver chosen, answer out. */
#include "solve/common/method.h"
#include "solve/registry.h"
#include "solve/structure/cut_pursuit.h"
#include "solve/structure/rows.h"
#include "solve/structure/tuning.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct genlasso {
    const tm_dataset *data;
    const char *loss;
    tm_graph *graph;
    double *own; /* p: each feature's own penalty; NULL: none */
    graph_terms terms;
    graph_certifier *certifier;
    cut_pursuit *cut;  /* of edges */
    rows_solver *rows; /* of other terms */
    double lambda, lambda_max, null_objective;
    double *start; /* p: weights to begin with */
    bool started, warm;
    uint64_t rounds, max_rounds;
} genlasso;

static void finish(void *work)
{
    genlasso *s = work;
    if (!s)
        return;
    cut_pursuit_free(s->cut);
    rows_solver_free(s->rows);
    graph_certifier_free(s->certifier);
    tm_graph_unref(s->graph);
    free(s->own);
    free(s->start);
    free(s);
}

/* ---- making ---------------------------------------------------------------------------------- */

static tm_status make_terms(genlasso *s, const tm_params *params, tm_error *err)
{
    size_t p = tm_dataset_cols(s->data);
    double ratio = tm_params_real(params, "l1_ratio");
    tm_status status = tm_graph_parse(&s->graph, tm_params_text(params, "graph"), s->data, err);
    if (status != TM_OK)
        return status;
    if (ratio > 0)
        s->own = mem_array(p, sizeof *s->own);
    s->start = mem_zeros(p, sizeof *s->start);
    if ((ratio > 0 && !s->own) || !s->start)
        return tm_fail_memory(err, "the solver");
    for (size_t j = 0; s->own && j < p; j++)
        s->own[j] = ratio;
    s->terms = (graph_terms){s->graph, s->own, tm_params_bool(params, "intercept")};
    return TM_OK;
}

/* The null model and lambda_max. */
static tm_status find_null(genlasso *s, solve_progress *progress, tm_error *err)
{
    size_t n = tm_dataset_rows(s->data), p = tm_dataset_cols(s->data);
    double *z = mem_array(2 * n + p, sizeof *z), b;
    if (!z)
        return tm_fail_memory(err, "the null model");
    double *a = z + n, *q = a + n;
    s->null_objective = graph_kernel_null(graph_certifier_kernel(s->certifier), s->start, &b, z, a);
    tm_matrix_dot_range(tm_dataset_x(s->data), 0, p, a, q);
    progress->columns += p;
    tm_status status = s->cut ? cut_pursuit_lambda_max(s->cut, q, &s->lambda_max, err)
                              : rows_solver_lambda_max(s->rows, q, &s->lambda_max, progress, err);
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
    s->data = data;
    s->loss = loss_find(tm_params_text(params, "loss"), NULL)->id;
    tm_status status = make_terms(s, params, err);
    if (status == TM_OK)
        status = graph_certifier_new(&s->certifier, data, s->loss, &s->terms,
                                     progress->monitor.cancel, err);
    if (status == TM_OK && tm_graph_is_edges(s->graph))
        status = cut_pursuit_new(&s->cut, data, &s->terms, s->certifier, err);
    else if (status == TM_OK)
        status = rows_solver_new(&s->rows, data, &s->terms, s->certifier, err);
    if (status == TM_OK)
        status = find_null(s, progress, err);
    return method_made(work, s, finish, status);
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    genlasso *s = work;
    (void)err;
    s->warm = tm_params_bool(params, "warm");
    s->max_rounds = (uint64_t)tm_params_int(params, "max_iter");
    return TM_OK;
}

static void set_lambda(void *work, double lambda)
{
    ((genlasso *)work)->lambda = lambda;
}

/* ---- solving --------------------------------------------------------------------------------- */

static void warm(void *work, const tm_model *model)
{
    genlasso *s = work;
    for (size_t j = 0; j < tm_dataset_cols(s->data); j++)
        s->start[j] = tm_model_weight(model, j);
    s->started = true;
}

static void begin(void *work)
{
    genlasso *s = work;
    s->rounds = 0;
    if (s->cut && s->started)
        cut_pursuit_start(s->cut, s->start);
    else if (s->cut && !s->warm)
        cut_pursuit_reset(s->cut);
    s->started = false;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    genlasso *s = work;
    structure_end end = {0};
    uint64_t left = s->max_rounds > s->rounds ? s->max_rounds - s->rounds : 0;
    size_t most = left < MAX_ROUNDS ? (size_t)left : MAX_ROUNDS;
    progress->lambda = s->lambda;
    tm_status status = s->cut
                           ? cut_pursuit_solve(s->cut, s->lambda, target, most, progress, &end, err)
                           : rows_solver_solve(s->rows, s->lambda, target, progress, &end, err);
    if (status != TM_OK)
        return status;
    s->rounds += end.rounds;
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = end.stalled || s->rounds >= s->max_rounds,
        .weights = s->cut ? cut_pursuit_weights(s->cut) : rows_solver_weights(s->rows),
        .intercept = s->cut ? cut_pursuit_intercept(s->cut) : rows_solver_intercept(s->rows),
        .problem = {.loss = s->loss, .lambda = s->lambda, .intercept = s->terms.intercept},
        .active = s->cut ? cut_pursuit_components(s->cut) : tm_dataset_cols(s->data),
        .epochs = s->rounds,
    };
    return TM_OK;
}

static tm_status certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    genlasso *s = work;
    const double *v = s->cut ? cut_pursuit_dual(s->cut) : rows_solver_dual(s->rows);
    progress->columns += tm_dataset_cols(s->data);
    return graph_certify(certificate, s->certifier,
                         &(graph_answer){s->lambda, answer->weights, answer->intercept, v},
                         progress->threads, err);
}

static double lambda_max(const void *work)
{
    return ((const genlasso *)work)->lambda_max;
}

static double null_objective(const void *work)
{
    return ((const genlasso *)work)->null_objective;
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
                                 .finish = finish};
