/* Several points of a path in one pass over the data.
 *
 * A pass over the data costs more than a solve on the working set. When a method allows
 * certificates to be deferred (method_batch), several points are solved ahead and certified in one
 * pass. A point of the batch whose gap is too large is solved again by itself from where it stands,
 * and the points after it are discarded. Of tall data the predictions of all of them are kept for
 * scoring; with the normal equations, where no certificate computes them, they are the
 * only pass. */
#include "solve/path.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "data/tiles/tiles.h"
#include "model/certificate/certificate.h"
#include "model/loss/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of very many weights few are not zero: pages of the copy that hold only zeros are never made. */
static void keep_weights(pending *d, const solve_answer *answer, size_t p)
{
    for (size_t j = next_nonzero(d->weights, 0, p); j < p; j = next_nonzero(d->weights, j + 1, p))
        d->weights[j] = 0;
    const double *w = answer->weights;
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p))
        d->weights[j] = w[j];
    d->answer = *answer;
    d->answer.weights = d->weights;
}

static tm_status solve_pending(path *q, pending *d, tm_error *err)
{
    tm_solver *solver = q->solver;
    const method_ops *ops = solver->method->ops;
    double target = solver->tol * ops->null_objective(solver->work);
    solver_begin(solver, &d->cost);
    ops->begin(solver->work);
    tm_status status = ops->solve(solver->work, &solver->progress, target, &d->answer, err);
    if (status != TM_OK)
        return status;
    keep_weights(d, &d->answer, tm_dataset_cols(solver->data));
    solver_spent(solver, &d->cost);
    return TM_OK;
}

/* Solves points from number k on, as long as the method allows their certificates to be deferred;
 * *made is set to their number. */
static tm_status solve_batch(path *q, size_t k, size_t *made, tm_error *err)
{
    const method_ops *ops = q->solver->method->ops;
    *made = 0;
    while (*made < q->batch_size && k + *made < q->grid->count && !q->solver->progress.stopped) {
        tm_status status = path_set_point(q, k + *made, err);
        if (status != TM_OK || !ops->batch->can_wait(q->solver->work))
            return status;
        status = solve_pending(q, &q->batch[*made], err);
        if (status != TM_OK)
            return status;
        ++*made;
    }
    return TM_OK;
}

/* ---- several lambdas at once ----------------------------------------------------------------- */

/* The coming points must differ in lambda alone, and have no limits of time of their own, and no
 * log of steps. */
static bool may_group(const path *q)
{
    const tm_solver *solver = q->solver;
    return q->batch_size > 0 && solver->method->ops->batch->pays_together && q->grid->axes == 1 &&
           q->lambda_axis == 0 && isinf(solver->max_seconds) && !solver->progress.monitor.log;
}

/* The costs are shared equally. */
static void take_group(path *q, const solve_answer *answers, const solve_cost *cost, size_t made)
{
    size_t p = tm_dataset_cols(q->solver->data);
    for (size_t i = 0; i < made; i++) {
        pending *d = &q->batch[i];
        keep_weights(d, &answers[i], p);
        d->cost = (solve_cost){cost->seconds / (double)made,
                               cost->columns * (i + 1) / made - cost->columns * i / made,
                               cost->updates * (i + 1) / made - cost->updates * i / made};
    }
}

/* Solves points from number k on at once, if that pays; *made is set to their number. */
static tm_status solve_group_at(path *q, size_t k, size_t *made, tm_error *err)
{
    tm_solver *solver = q->solver;
    const method_batch *batch = solver->method->ops->batch;
    solve_answer answers[MAX_BATCH];
    size_t left = q->grid->count - k;
    *made = 0;
    if (!may_group(q))
        return TM_OK;
    tm_status status = path_set_point(q, k, err);
    if (status != TM_OK || !batch->pays_together(solver->work))
        return status;
    solve_group group = {.lambdas = q->grid->values + k,
                         .count = left < q->batch_size ? left : q->batch_size,
                         .target = solver->tol * solver->method->ops->null_objective(solver->work),
                         .answers = answers};
    solve_cost cost;
    solver_begin(solver, &cost);
    status = batch->solve_together(solver->work, &group, &solver->progress, made, err);
    solver_spent(solver, &cost);
    if (status == TM_OK)
        take_group(q, answers, &cost, *made);
    return status;
}

static tm_status certify_batch(path *q, size_t made, certificate_item *items, tm_error *err)
{
    solve_progress *p = &q->solver->progress;
    size_t columns = tm_dataset_cols(q->solver->data);
    double began = progress_seconds(p);
    for (size_t i = 0; i < made; i++) {
        pending *d = &q->batch[i];
        items[i] = (certificate_item){.problem = d->answer.problem,
                                      .w = d->weights,
                                      .b = d->answer.intercept,
                                      .products = d->products,
                                      .predictions = d->predictions};
    }
    const solve_progress *progress = &q->solver->progress;
    data_pass pass = {q->solver->data, progress->team, progress->monitor.cancel};
    tm_status status = certificate_many(items, made, &pass, err);
    double share = (progress_seconds(p) - began) / (double)made;
    for (size_t i = 0; i < made; i++) {
        q->batch[i].cost.seconds += share;
        q->batch[i].cost.columns += columns;
    }
    p->columns += made * columns;
    return status;
}

/* Continues a point whose gap is too large, after the method's state has been restored to that
 * point. */
static tm_status solve_on(path *q, size_t k, const pending *d, double gap, tm_error *err)
{
    const method_ops *ops = q->solver->method->ops;
    tm_model *model;
    tm_status status = tm_model_new(&model, q->solver->data, q->solver->method->id,
                                    d->answer.problem.lambda, d->weights, d->answer.intercept, err);
    if (status != TM_OK)
        return status;
    ops->warm(q->solver->work, model);
    tm_model_unref(model);
    status = path_set_point(q, k, err);
    ops->batch->certified(q->solver->work, d->products, gap);
    return status == TM_OK ? path_solve_one(q, k, err) : status;
}

/* Reports the certified points in order; the first whose gap is too large is solved further and
 * ends the batch. */
static tm_status publish(path *q, size_t *k, size_t made, const certificate_item *items,
                         tm_error *err)
{
    tm_solver *solver = q->solver;
    const method_ops *ops = solver->method->ops;
    for (size_t i = 0; i < made; i++, ++*k) {
        pending *d = &q->batch[i];
        tm_solution solution;
        if (!solver_is_met(solver, &items[i].certificate)) {
            tm_status status = solve_on(q, *k, d, items[i].certificate.gap, err);
            ++*k;
            return status;
        }
        d->answer.converged = true;
        tm_status status =
            solver_finish(solver, &d->answer, &items[i].certificate, &d->cost, &solution, err);
        if (status == TM_OK)
            status = path_hand_over(q, &solution, d->predictions, *k, err);
        if (status != TM_OK || q->ended)
            return status;
    }
    ops->batch->certified(solver->work, q->batch[made - 1].products,
                          items[made - 1].certificate.gap);
    return TM_OK;
}

/* ---- with the normal equations --------------------------------------------------------------- */

/* Solves and certifies points from number k on; *made is set to their number. */
static tm_status solve_by_sums(path *q, size_t k, size_t *made, tm_error *err)
{
    tm_solver *solver = q->solver;
    *made = 0;
    while (*made < q->batch_size && k + *made < q->grid->count) {
        pending *d = &q->batch[*made];
        tm_status status = path_set_point(q, k + *made, err);
        if (status != TM_OK)
            return status;
        solver_begin(solver, &d->cost);
        status = solver_solve_and_certify(solver, &d->answer, &d->certificate, err);
        if (status != TM_OK)
            return status;
        keep_weights(d, &d->answer, tm_dataset_cols(solver->data));
        solver_spent(solver, &d->cost);
        ++*made;
        if (solver->progress.stopped)
            break;
    }
    return TM_OK;
}

static tm_status predict_batch(const path *q, size_t made, tm_error *err)
{
    const tm_dataset *data = q->solver->data;
    const samples of = samples_of(data, NULL);
    const double *w[MAX_BATCH];
    double *z[MAX_BATCH];
    for (size_t i = 0; i < made; i++) {
        w[i] = q->batch[i].weights;
        z[i] = q->batch[i].predictions;
    }
    tm_status status = tiles_predict(tm_dataset_x(data), w, z, made, q->solver->progress.team, err);
    for (size_t i = 0; status == TM_OK && i < made; i++)
        samples_add_constants(&of, q->batch[i].answer.intercept, z[i]);
    return status;
}

static tm_status advance_by_sums(path *q, size_t *k, tm_error *err)
{
    size_t made;
    tm_status status = solve_by_sums(q, *k, &made, err);
    if (status == TM_OK)
        status = predict_batch(q, made, err);
    for (size_t i = 0; status == TM_OK && i < made && !q->ended; i++, ++*k) {
        pending *d = &q->batch[i];
        tm_solution solution;
        status = solver_finish(q->solver, &d->answer, &d->certificate, &d->cost, &solution, err);
        if (status == TM_OK)
            status = path_hand_over(q, &solution, d->predictions, *k, err);
    }
    return status;
}

/* ---- the path's steps ------------------------------------------------------------------------ */

tm_status batch_advance(path *q, size_t *k, tm_error *err)
{
    certificate_item items[MAX_BATCH];
    size_t made;
    if (q->solver->sums && q->batch_size > 0)
        return advance_by_sums(q, k, err);
    tm_status status = solve_group_at(q, *k, &made, err);
    if (status == TM_OK && made == 0)
        status = solve_batch(q, *k, &made, err);
    if (status != TM_OK)
        return status;
    if (made == 0)
        return path_solve_one(q, (*k)++, err);
    status = certify_batch(q, made, items, err);
    return status == TM_OK ? publish(q, k, made, items, err) : status;
}

/* Whether predictions of several points are wanted, and small compared with the data. */
static bool predicts(const path *q)
{
    const tm_solver *solver = q->solver;
    return solver->scored && tm_dataset_cols(solver->data) >= PREDICTED_FROM &&
           tiles_fit(tm_dataset_x(solver->data));
}

tm_status batch_new(path *q, tm_error *err)
{
    const method_batch *batch = q->solver->method->ops->batch;
    const tm_matrix *x = tm_dataset_x(q->solver->data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    size_t most = BATCH_SIZE / (2 * p), by_data = (size_t)(tm_matrix_nnz(x) / BATCH_ENTRIES / p);
    most = most < by_data ? most : by_data;
    bool with_predictions = predicts(q);
    if (!batch || !batch->can_wait || q->grid->count < 2 || most < 2 ||
        (q->solver->sums && !with_predictions))
        return TM_OK;
    q->batch_size = most < MAX_BATCH ? most : MAX_BATCH;
    for (size_t i = 0; i < q->batch_size; i++) {
        pending *d = &q->batch[i];
        d->weights = mem_zeros(p, sizeof *d->weights);
        d->products = mem_array(p, sizeof *d->products);
        d->predictions = with_predictions ? mem_array(n, sizeof *d->predictions) : NULL;
        if (!d->weights || !d->products || (with_predictions && !d->predictions))
            return tm_fail_memory(err, "the path");
    }
    return TM_OK;
}

void batch_free(path *q)
{
    for (size_t i = 0; i < q->batch_size; i++) {
        free(q->batch[i].weights);
        free(q->batch[i].products);
        free(q->batch[i].predictions);
    }
}
