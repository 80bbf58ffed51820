/* The certificate of an answer, and the loop that continues until it is within the tolerance. */
#include "model/certificate/certificate.h"
#include "solve/certificate_log.h"
#include "solve/common/screen_log.h"
#include "solve/solver.h"
#include "solve/tuning.h"

#include <math.h>

static data_pass pass_of(const tm_solver *solver)
{
    const solve_progress *p = &solver->progress;
    return (data_pass){solver->data, p->team, p->monitor.cancel};
}

/* Uses the normal equations, if they are available and accurate enough. */
static bool certify_by_sums(tm_solver *solver, certificate_item *item)
{
    double tolerance = solver->tol * solver->method->ops->null_objective(solver->work);
    return solver->sums && normal_equations_certify(solver->sums, item, ROUNDING_SHARE * tolerance);
}

static tm_status certify_item(tm_solver *solver, certificate_item *item, size_t *visited,
                              tm_error *err)
{
    if (certify_by_sums(solver, item)) {
        *visited = 0;
        return TM_OK;
    }
    const method_batch *batch = solver->method->ops->batch;
    data_pass pass = pass_of(solver);
    double exact_from = batch && batch->exact_from ? batch->exact_from(solver->work) : 0;
    if (!solver->past || exact_from <= 0)
        return certificate_many(item, 1, &pass, err);
    product_bounds_expect(solver->past, solver->ahead);
    return certificate_by_past(item, solver->past, exact_from, visited, &pass, err);
}

/* Products with earlier vectors, where the method uses them. */
static tm_status prepare_bounds(tm_solver *solver, tm_error *err)
{
    const method_batch *batch = solver->method->ops->batch;
    bool intercept;
    if (solver->past || !batch || !batch->wants_bounds ||
        !batch->wants_bounds(solver->work, &intercept))
        return TM_OK;
    tm_status status = product_bounds_new(&solver->past, solver->data, intercept, err);
    if (status == TM_OK)
        batch->take_bounds(solver->work, solver->past);
    return status;
}

/* Whether the method checks the other features only through certificates. */
static bool needs_certificate(const tm_solver *solver)
{
    const method_batch *batch = solver->method->ops->batch;
    return batch && batch->needs_certificate(solver->work);
}

static tm_status certify(tm_solver *solver, const solve_answer *answer, tm_certificate *certificate,
                         tm_error *err)
{
    const method_ops *ops = solver->method->ops;
    size_t p = tm_dataset_cols(solver->data);
    if (ops->certify)
        return ops->certify(solver->work, &solver->progress, answer, certificate, err);
    certificate_item item = {
        .problem = answer->problem,
        .w = answer->weights,
        .b = answer->intercept,
        .products = ops->batch && ops->batch->products ? ops->batch->products(solver->work)
                                                       : solver->products,
        .dual = screen_log_vector(&solver->progress, tm_dataset_rows(solver->data))};
    size_t visited = p;
    tm_status status = certify_item(solver, &item, &visited, err);
    if (status != TM_OK)
        return status;
    *certificate = item.certificate;
    solver->progress.columns += visited;
    if (ops->batch)
        ops->batch->certified(solver->work, item.products, certificate->gap);
    status = certificate_log(&solver->progress, solver->data, answer->active, &item, visited, err);
    if (status != TM_OK)
        return status;
    if (needs_certificate(solver))
        progress_emit(&solver->progress, TM_EVENT_CHECK, certificate->primal, certificate->dual,
                      certificate->gap, answer->active, p);
    return TM_OK;
}

bool solver_is_met(const tm_solver *solver, const tm_certificate *certificate)
{
    double null = solver->method->ops->null_objective(solver->work), gap = certificate->gap;
    return gap <= solver->tol * null && gap >= -fmax(solver->tol, ABOVE_PRIMAL) * null;
}

tm_status solver_solve_and_certify(tm_solver *solver, solve_answer *answer,
                                   tm_certificate *certificate, tm_error *err)
{
    const method_ops *ops = solver->method->ops;
    double goal = solver->tol * ops->null_objective(solver->work), target = goal;
    tm_status prepared = prepare_bounds(solver, err);
    if (prepared != TM_OK)
        return prepared;
    ops->begin(solver->work);
    for (int round = 0;; round++) {
        tm_status status = ops->solve(solver->work, &solver->progress, target, answer, err);
        if (status == TM_OK)
            status = certify(solver, answer, certificate, err);
        if (status != TM_OK)
            return status;
        bool repeats = needs_certificate(solver);
        bool met = solver_is_met(solver, certificate), last = !repeats && round == MAX_RETRIES;
        if (met || !answer->converged || answer->stalled || last) {
            answer->converged = met && !answer->partial;
            return TM_OK;
        }
        if (!repeats)
            target = goal * pow(RETRY_SHARE, round + 1);
    }
}
