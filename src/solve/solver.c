#include "solve/solver.h"

#include "model/certificate/certificate.h"
#include "model/model.h"

#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/numeric/nonzero.h"
#include "data/ranks/row_shard.h"
#include "model/loss/losses.h"
#include "model/loss/samples.h"
#include "model/penalty/penalty.h"
#include "solve/certificate_log.h"
#include "solve/common/screen_log.h"
#include "solve/debias.h"
#include "solve/tuning.h"
#include "tamis/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *tm_outcome_name(tm_outcome outcome)
{
    static const char *const names[] = {"converged", "max_iter", "cancelled"};
    return names[outcome];
}

const char *tm_stop_name(tm_stop stop)
{
    static const char *const names[] = {NULL, "max_iter", "max_seconds", "rounding", "rule"};
    return names[stop];
}

void tm_solution_clear(tm_solution *solution)
{
    tm_model_unref(solution->model);
    *solution = (tm_solution)TM_SOLUTION_INIT;
}

/* The numbers that represent classes in y are not numeric values. */
static tm_status fail_classes(const tm_dataset *data, tm_error *err)
{
    size_t count;
    const char *const *names = tm_dataset_class_names(data, &count);
    if (count == 1)
        return tm_fail(err, TM_EDATA, "%s: the response is %.60s in every row; expected classes",
                       tm_dataset_name(data), names[0]);
    return tm_fail(err, TM_EDATA,
                   "%s: the response is one of %zu classes (%.40s, %.40s, ...); choose one of them "
                   "against the rest with class, or each in turn with one-vs-rest",
                   tm_dataset_name(data), count, names[0], names[1]);
}

/* The loss of a method: its parameter, or its only loss. NULL for measures. */
static const loss *loss_of(const tm_method *method, const tm_params *params)
{
    bool choice = tm_params_find(params, "loss", NULL) != NULL;
    return choice ? loss_find(tm_params_text(params, "loss"), NULL) : loss_only(method->losses);
}

bool method_uses_sums(const tm_method *method, const tm_params *params)
{
    const loss *l = loss_of(method, params);
    return l && (method->sums & loss_bit(l));
}

bool method_fits_intercept(const tm_params *params)
{
    const tm_param_info *info = tm_params_find(params, "intercept", NULL);
    if (info && info->type == TM_PARAM_CHOICE)
        return strcmp(tm_params_text(params, "intercept"), "free") == 0;
    return info && tm_params_bool(params, "intercept");
}

/* Features computed from columns would change if the columns were shifted. */
static bool may_shift(const tm_params *params)
{
    const char *source =
        tm_params_find(params, "source", NULL) ? tm_params_text(params, "source") : NULL;
    bool linear = source || !tm_params_find(params, "kernel", NULL) ||
                  strcmp(tm_params_text(params, "kernel"), "linear") == 0;
    return method_fits_intercept(params) && linear &&
           (!source || !tm_source_makes_features(source));
}

static tm_status update_refit(tm_solver *solver, const tm_dataset *data, const tm_params *params,
                              tm_error *err)
{
    refit_clear(&solver->refit);
    if (!solver->method->selects)
        return TM_OK;
    return refit_read(&solver->refit, tm_params_text(params, "refit"), data, err);
}

/* Chooses the data to solve on: the data themselves or, to save digits, the same with columns
 * shifted near zero. */
static tm_status choose_data(tm_solver *solver, const tm_dataset *data, const tm_params *params,
                             tm_error *err)
{
    const loss *l = loss_of(solver->method, params);
    tm_status status = update_refit(solver, data, params, err);
    if (status != TM_OK)
        return status;
    if (solver->method->ops->data)
        status = solver->method->ops->data(&solver->data, data, params, &solver->progress, err);
    else if (may_shift(params))
        status = data_shift_make(&solver->data, &solver->shift, data, l && l->quadratic, err);
    else
        solver->data = tm_dataset_ref(data);
    if (status == TM_OK)
        solver->whole = tm_dataset_ref(solver->method->ops->data ? data : solver->data);
    return status;
}

static void name_items(tm_solver *solver)
{
    tm_item item = tm_method_item(solver->method);
    screen_log_items(&solver->progress, item,
                     item == TM_ITEM_SAMPLE ? tm_dataset_rows(solver->data)
                                            : tm_dataset_cols(solver->data),
                     NULL);
}

static void release_data(tm_solver *solver)
{
    tm_dataset_unref(solver->data);
    tm_dataset_unref(solver->whole);
    data_shift_free(solver->shift);
}

tm_status tm_solver_new(tm_solver **out, const tm_method *method, const tm_dataset *data,
                        const tm_params *params, const tm_monitor *monitor, tm_error *err)
{
    *out = NULL;
    if (tm_dataset_reading(data)->file.unlabelled)
        return tm_fail(err, TM_EDATA, "%s: the data have no response, which a fit needs",
                       tm_dataset_name(data));
    if (!method->weighs && (tm_dataset_weights(data) || tm_dataset_offset(data)))
        return tm_fail(err, TM_EUSAGE,
                       "%s does not use %s, which %s has; leave them out of the data", method->id,
                       tm_dataset_weights(data) ? "sample weights" : "offsets",
                       tm_dataset_name(data));
    if (matrix_row_comm(tm_dataset_x(data)) && !method->l1)
        return tm_fail(err, TM_EUSAGE, "%s is not for rows of several processes", method->id);
    if (tm_dataset_has_classes(data) && !tm_dataset_is_binary(data) && !method->classes)
        return fail_classes(data, err);
    tm_status begun =
        blas_begin(err); /* used by most methods, and by all certificates of unpenalised features */
    if (begun != TM_OK)
        return begun;
    tm_solver *solver = calloc(1, sizeof *solver);
    if (!solver)
        return tm_fail_memory(err, "the solver");
    solver->method = method;
    solver->tol = tm_params_real(params, "tol");
    const loss *l = loss_of(method, params);
    solver->loss = l ? l->id : NULL;
    progress_begin(&solver->progress, monitor);
    if (tm_params_find(params, "threads", NULL))
        solver->progress.team = team_new((int)tm_params_int(params, "threads"));
    bool own = !method->ops->batch || !method->ops->batch->products;
    if (own)
        solver->products = mem_array(tm_dataset_cols(data), sizeof *solver->products);
    tm_status status = solver->products || !own ? choose_data(solver, data, params, err)
                                                : tm_fail_memory(err, "the solver");
    if (status == TM_OK) {
        name_items(solver);
        status = method->ops->init(&solver->work, solver->data, params, &solver->progress, err);
    }
    if (status != TM_OK) {
        release_data(solver);
        refit_clear(&solver->refit);
        team_free(solver->progress.team);
        free(solver->products);
        free(solver);
        return status;
    }
    *out = solver;
    return TM_OK;
}

void tm_solver_free(tm_solver *solver)
{
    if (!solver)
        return;
    solver->method->ops->finish(solver->work);
    release_data(solver);
    refit_clear(&solver->refit);
    free(solver->products);
    product_bounds_free(solver->past);
    normal_equations_free(solver->sums);
    team_free(solver->progress.team);
    free(solver);
}

/* Retrains with the loss of the method. */
static void update_debias(tm_solver *solver, const tm_params *params)
{
    bool wanted = tm_params_find(params, "debias", NULL) && tm_params_has(params, "debias");
    solver->debias = (tm_debias_options)TM_DEBIAS_OPTIONS_INIT;
    solver->debias.C = wanted ? tm_params_real(params, "debias") : 0;
    if (!wanted)
        return;
    const loss *l = loss_of(solver->method, params);
    solver->debias.loss = l ? l->id : NULL;
    solver->debias.tol = solver->tol;
    /* A method without the parameter fits no intercept. */
    solver->debias.intercept = method_fits_intercept(params);
}

tm_status solver_update_at(tm_solver *solver, const tm_params *params, double lambda, tm_error *err)
{
    const method_ops *ops = solver->method->ops;
    solver->tol = tm_params_real(params, "tol");
    solver->max_seconds =
        tm_params_has(params, "max_seconds") ? tm_params_real(params, "max_seconds") : INFINITY;
    update_debias(solver, params);
    tm_status status = update_refit(solver, solver->whole, params, err);
    if (status != TM_OK)
        return status;
    if (ops->set_lambda)
        ops->set_lambda(solver->work, lambda);
    return ops->update(solver->work, params, err);
}

tm_status tm_solver_update(tm_solver *solver, const tm_params *params, tm_error *err)
{
    size_t count = 0;
    if (!solver->method->ops->set_lambda)
        return solver_update_at(solver, params, NAN, err);
    const double *lambda = tm_params_reals(params, "lambda", &count);
    if (count != 1)
        return tm_fail(err, TM_EUSAGE, "one solve takes one lambda, got %zu", count);
    return solver_update_at(solver, params, lambda[0], err);
}

tm_status tm_solver_warm(tm_solver *solver, const tm_model *model, tm_error *err)
{
    if (tm_model_cols(model) != tm_dataset_cols(solver->data))
        return tm_fail(err, TM_EUSAGE, "the warm start has %zu features, the data have %zu",
                       tm_model_cols(model), tm_dataset_cols(solver->data));
    tm_model *shifted = solver->shift ? data_shift_apply(solver->shift, model) : NULL;
    if (solver->shift && !shifted)
        return tm_fail_memory(err, "the warm start");
    solver->method->ops->warm(solver->work, shifted ? shifted : model);
    tm_model_unref(shifted);
    return TM_OK;
}

const char *tm_solver_early(const tm_solver *solver)
{
    return solver->early[0] ? solver->early : NULL;
}

double tm_solver_lambda_max(const tm_solver *solver)
{
    const method_ops *ops = solver->method->ops;
    return ops->lambda_max ? ops->lambda_max(solver->work) : NAN;
}

double tm_solver_null_objective(const tm_solver *solver)
{
    return solver->method->ops->null_objective(solver->work);
}

void solver_begin(tm_solver *solver, solve_cost *cost)
{
    solve_progress *p = &solver->progress;
    *cost = (solve_cost){solver->begun ? progress_seconds(p) : 0, solver->begun ? p->columns : 0,
                         solver->begun ? p->updates : 0};
    solver->begun = true;
    p->deadline = progress_time(p) + solver->max_seconds;
    p->stopped = p->cancelled = tm_cancel_poll(p->monitor.cancel);
}

/* A feature source may have far more features than the data have columns. */
static uint64_t features_of(const tm_solver *solver, const solve_answer *answer)
{
    return answer->features ? answer->features : tm_dataset_cols(solver->data);
}

/* Losses are computed as the primal objective minus the penalty. */
static double explained_share(const tm_solver *solver, const solve_answer *answer,
                              const tm_certificate *certificate)
{
    const tm_problem *of = &answer->problem;
    if (of->groups || solver->method->ops->certify)
        return NAN;
    feature_penalty q = {of->lambda, of->factors, of->ridge, of->lower, of->upper};
    double null = solver->method->ops->null_objective(solver->work), penalty = 0;
    const double *w = answer->weights;
    size_t p = tm_dataset_cols(solver->data);
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p))
        penalty += penalty_value(&q, j, w[j]);
    return null > 0 ? 1 - (certificate->primal - penalty) / null : NAN;
}

static tm_stop stop_of(const tm_solver *solver, const solve_answer *answer, tm_outcome outcome)
{
    if (outcome != TM_MAX_ITER)
        return TM_STOP_NONE;
    if (answer->stop != TM_STOP_NONE)
        return answer->stop;
    return solver->progress.stopped ? TM_STOP_SECONDS : TM_STOP_ROUNDING;
}

static void fill_solution(const tm_solver *solver, const solve_answer *answer,
                          const tm_certificate *certificate, tm_solution *solution)
{
    uint64_t p = features_of(solver, answer);
    const method_ops *ops = solver->method->ops;
    uint64_t nonzero = answer->held ? answer->held : tm_model_nnz(solution->model);
    uint64_t zeros = p > nonzero ? p - nonzero : 0;
    /* The iterate of a cancelled solve may meet the tolerance, but it is not the answer that the
     * same solve would give without cancellation. */
    solution->outcome = solver->progress.cancelled ? TM_CANCELLED
                        : answer->converged        ? TM_CONVERGED
                                                   : TM_MAX_ITER;
    solution->stop = stop_of(solver, answer, solution->outcome);
    solution->lambda = answer->problem.lambda;
    solution->B = answer->B > 0 ? answer->B : NAN;
    solution->C = answer->C > 0 ? answer->C : NAN;
    solution->lambda_max = tm_solver_lambda_max(solver);
    solution->null_objective = ops->null_objective(solver->work);
    solution->explained = explained_share(solver, answer, certificate);
    solution->primal = certificate->primal;
    solution->dual = certificate->dual;
    solution->gap = certificate->gap;
    solution->active = answer->active;
    solution->epochs = answer->epochs;
    solution->screening.support = solver->method->samples ? answer->held : 0;
    solution->screening.screened = p - answer->active;
    solution->screening.rejection = (double)solution->screening.screened / (double)p;
    solution->screening.power = zeros ? (double)solution->screening.screened / (double)zeros : 1;
    solution->passes = (double)solution->columns / (double)(answer->pass ? answer->pass : p);
}

/* Replaces the model of the solution by the retrained one. A run that is cancelled meanwhile keeps
 * the original. */
static tm_status retrain(tm_solver *solver, tm_solution *solution, tm_error *err)
{
    tm_model *model;
    tm_monitor quiet = {.cancel = solver->progress.monitor.cancel};
    solve_progress progress;
    progress_begin(&progress, &quiet);
    progress.team = solver->progress.team;
    tm_status status = debias_with(&model, &solution->retrained.certificate, solution->model,
                                   solver->data, &solver->debias, &progress, err);
    solution->columns += progress.columns;
    solution->updates += progress.updates;
    solution->seconds += progress_seconds(&progress);
    if (status == TM_ECANCELLED) {
        solution->outcome = TM_CANCELLED;
        solution->stop = TM_STOP_NONE;
        return TM_OK;
    }
    if (status != TM_OK)
        return status;
    tm_model_unref(solution->model);
    solution->model = model;
    solution->retrained.C = solver->debias.C;
    return TM_OK;
}

/* A run that is cancelled meanwhile keeps only the selection. */
static tm_status add_predictor(tm_solver *solver, tm_solution *solution, tm_error *err)
{
    tm_model *predictor;
    double began = progress_seconds(&solver->progress);
    tm_status status = refit_model(&predictor, &solver->refit, solution->model, solver->whole,
                                   &solver->progress, err);
    solution->seconds += progress_seconds(&solver->progress) - began;
    if (status == TM_ECANCELLED) {
        solution->outcome = TM_CANCELLED;
        status = TM_OK;
    }
    if (status == TM_OK)
        model_select(solution->model, predictor);
    return status;
}

tm_status solver_finish(tm_solver *solver, const solve_answer *answer,
                        const tm_certificate *certificate, const solve_cost *cost,
                        tm_solution *solution, tm_error *err)
{
    solve_progress *p = &solver->progress;
    *solution = (tm_solution)TM_SOLUTION_INIT;
    const method_ops *ops = solver->method->ops;
    tm_status status =
        ops->model ? ops->model(solver->work, answer, &solution->model, err)
                   : tm_model_new(&solution->model, solver->whole, solver->method->id,
                                  answer->problem.lambda, answer->weights, answer->intercept, err);
    if (status == TM_OK && !model_set_loss(solution->model, solver->loss))
        status = tm_fail_memory(err, "a model");
    if (status != TM_OK) {
        tm_solution_clear(solution);
        return status;
    }
    if (ops->levels)
        solution->model->levels = ops->levels(solver->work);
    solution->columns = cost->columns;
    solution->updates = cost->updates;
    solution->seconds = cost->seconds;
    fill_solution(solver, answer, certificate, solution);
    solution->retrained.C = NAN;
    if (solver->debias.C > 0)
        status = retrain(solver, solution, err);
    if (status == TM_OK && solver->method->selects)
        status = add_predictor(solver, solution, err);
    if (status != TM_OK) {
        tm_solution_clear(solution);
        return status;
    }
    if (solver->shift)
        data_shift_restore(solver->shift, solution->model);
    p->lambda = solution->lambda;
    progress_emit(p, TM_EVENT_POINT, solution->primal, solution->dual, solution->gap,
                  solution->active, features_of(solver, answer));
    p->point++;
    return TM_OK;
}

void solver_spent(const tm_solver *solver, solve_cost *cost)
{
    const solve_progress *p = &solver->progress;
    cost->seconds = progress_seconds(p) - cost->seconds;
    cost->columns = p->columns - cost->columns;
    cost->updates = p->updates - cost->updates;
}

tm_status tm_solver_solve(tm_solver *solver, tm_solution *solution, tm_error *err)
{
    solve_answer answer = {0};
    tm_certificate certificate;
    solve_cost cost;
    *solution = (tm_solution)TM_SOLUTION_INIT;
    solver_begin(solver, &cost);
    tm_status status = solver_solve_and_certify(solver, &answer, &certificate, err);
    if (status != TM_OK)
        return status;
    solver_spent(solver, &cost);
    return solver_finish(solver, &answer, &certificate, &cost, solution, err);
}
