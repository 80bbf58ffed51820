/* Paths, of lambda or of any other parameters whose values make up a method's points. */
#include "solve/path.h"

#include "base/memory.h"
#include "solve/gram/tuning.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes to `why` the reason that the path may end with this solution; false, and "", when it
 * should continue. */
static bool is_enough(const tm_params *params, const tm_solution *solution, char *why, size_t size)
{
    size_t features = tm_model_nnz(solution->model);
    why[0] = '\0';
    if (tm_params_find(params, "max_deviance", NULL) && tm_params_has(params, "max_deviance") &&
        solution->explained >= tm_params_real(params, "max_deviance"))
        snprintf(why, size, "%.6g of the deviance is explained (max_deviance %.6g)",
                 solution->explained, tm_params_real(params, "max_deviance"));
    else if (tm_params_find(params, "max_features", NULL) &&
             tm_params_has(params, "max_features") &&
             features >= (size_t)tm_params_int(params, "max_features"))
        snprintf(why, size, "%zu features have a weight (max_features %ld)", features,
                 tm_params_int(params, "max_features"));
    return why[0] != '\0';
}

bool solver_path_ends(const tm_params *params, const tm_solution *solution)
{
    char why[100];
    return is_enough(params, solution, why, sizeof why);
}

tm_status path_hand_over(path *q, tm_solution *solution, const double *predictions, size_t k,
                         tm_error *err)
{
    char why[100];
    q->ended = is_enough(q->params, solution, why, sizeof why) && k + 1 < q->grid->count;
    if (q->ended)
        snprintf(q->solver->early, sizeof q->solver->early, "the path ends after %zu of %zu: %s",
                 k + 1, q->grid->count, why);
    bool own = !(q->solver->debias.C > 0) && !q->solver->method->selects;
    q->solver->predictions = own ? predictions : NULL; /* those of a refitted model differ */
    tm_status status = q->point(solution, k, q->payload, err);
    q->solver->predictions = NULL;
    return status;
}

tm_status path_set_point(path *q, size_t k, tm_error *err)
{
    const tm_grid *grid = q->grid;
    double lambda = NAN;
    q->solver->ahead = grid->count - k - 1;
    for (size_t a = 0; a < grid->axes; a++) {
        double value = grid->values[k * grid->axes + a];
        tm_status status = TM_OK;
        if (a == q->lambda_axis)
            lambda = value;
        else
            status = tm_params_set_real(q->params, grid->names[a], value, err);
        if (status != TM_OK)
            return status;
    }
    return q->lambda_axis < grid->axes ? solver_update_at(q->solver, q->params, lambda, err)
                                       : tm_solver_update(q->solver, q->params, err);
}

tm_status path_solve_one(path *q, size_t k, tm_error *err)
{
    tm_solution solution;
    tm_status status = path_set_point(q, k, err);
    if (status == TM_OK)
        status = tm_solver_solve(q->solver, &solution, err);
    return status == TM_OK ? path_hand_over(q, &solution, NULL, k, err) : status;
}

/* ---- normal equations ------------------------------------------------------------------------ */

/* Whether computing the products of all pairs of features costs less than the path's passes. */
static bool sums_pay(const path *q)
{
    double p = (double)tm_dataset_cols(q->solver->data);
    return p / 2 / BLAS_SPEED + PASSES_TO_COPY < PASSES_A_POINT * (double)q->grid->count;
}

/* The normal equations of a problem with many more rows than features; all points of the path are
 * solved and certified with them. */
static tm_status prepare_sums(path *q, tm_error *err)
{
    tm_solver *solver = q->solver;
    solve_progress *progress = &solver->progress;
    const method_batch *batch = solver->method->ops->batch;
    data_pass pass = {solver->data, progress->team, progress->monitor.cancel};
    size_t p = tm_dataset_cols(solver->data);
    bool intercept;
    if (!batch || !batch->wants_sums || !normal_equations_fit(solver->data) || !sums_pay(q))
        return TM_OK;
    tm_status status = path_set_point(q, 0, err);
    if (status != TM_OK || !batch->wants_sums(solver->work, &intercept))
        return status;
    if (!solver->sums) {
        status = normal_equations_new(&solver->sums, intercept, &pass, err);
        progress->columns += p * (p + 1) / 2;
    }
    /* A cancelled path ends like any other, at its first point. */
    if (status == TM_ECANCELLED)
        return TM_OK;
    return status == TM_OK ? batch->take_sums(solver->work, solver->sums, err) : status;
}

/* ---- the whole path ------------------------------------------------------------------------ */

/* Finds the axis of lambda, and validates its values like the parameter's. */
static tm_status find_lambda(path *q, tm_error *err)
{
    const tm_grid *grid = q->grid;
    q->lambda_axis = grid->axes;
    for (size_t a = 0; q->solver->method->ops->set_lambda && a < grid->axes; a++)
        if (strcmp(grid->names[a], "lambda") == 0)
            q->lambda_axis = a;
    if (q->lambda_axis == grid->axes || grid->count == 0)
        return TM_OK;
    double *values = mem_array(grid->count, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "the path");
    for (size_t k = 0; k < grid->count; k++)
        values[k] = grid->values[k * grid->axes + q->lambda_axis];
    tm_status status = tm_params_set_reals(q->params, "lambda", values, grid->count, err);
    free(values);
    return status;
}

static tm_status run_in_order(tm_solver *solver, const tm_params *params, const tm_grid *grid,
                              tm_path_point *point, void *payload, tm_error *err)
{
    path q = {.solver = solver, .grid = grid, .point = point, .payload = payload};
    solver->early[0] = '\0';
    tm_status status = tm_params_copy(&q.params, params, err);
    if (status == TM_OK)
        status = find_lambda(&q, err);
    if (status == TM_OK)
        status = prepare_sums(&q, err);
    if (status == TM_OK)
        status = batch_new(&q, err);
    for (size_t k = 0; status == TM_OK && k < grid->count && !q.ended;)
        status = batch_advance(&q, &k, err);
    solver->ahead = 0;
    batch_free(&q);
    tm_params_free(q.params);
    return status;
}

/* ---- lambdas that do not descend ------------------------------------------------------------ */

/* Each solve starts from the answer at a greater lambda, so that a list in any order is solved in
 * descending order; answers are handed over in the order of the list. */
typedef struct reordered {
    tm_solver *solver;
    size_t count;
    double *lambdas; /* descending */
    size_t *place;   /* position in the list of the k-th of them */
    tm_solution *answers;
    bool *there; /* by position: solved and not handed over yet */
    size_t next; /* position to hand over next */
    size_t handed_over;
    tm_path_point *point;
    void *payload;
} reordered;

static tm_status hand_over_place(reordered *r, size_t place, tm_error *err)
{
    r->there[place] = false;
    return r->point(&r->answers[place], r->handed_over++, r->payload, err);
}

static tm_status keep_point(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    reordered *r = payload;
    tm_status status = TM_OK;
    bool cancelled = solution->outcome == TM_CANCELLED;
    r->solver->predictions = NULL; /* answers are handed over later */
    r->answers[r->place[k]] = *solution;
    r->there[r->place[k]] = true;
    while (!cancelled && status == TM_OK && r->next < r->count && r->there[r->next])
        status = hand_over_place(r, r->next++, err);
    return cancelled ? tm_fail(err, TM_ECANCELLED, "cancelled") : status;
}

/* Hands over what is left when the path ends early, the solution of a cancelled solve last. */
static tm_status hand_over_rest(reordered *r, tm_error *err)
{
    tm_status status = TM_OK;
    for (int cancelled = 0; cancelled < 2; cancelled++)
        for (size_t i = 0; i < r->count && status == TM_OK; i++)
            if (r->there[i] && (r->answers[i].outcome == TM_CANCELLED) == (cancelled == 1))
                status = hand_over_place(r, i, err);
    return status;
}

static bool descends(const tm_grid *grid)
{
    size_t k = 1;
    while (k < grid->count && grid->values[k] <= grid->values[k - 1])
        k++;
    return k >= grid->count;
}

/* Insertion sort keeps equal values in their order; lists given by hand are short. */
static void sort_lambdas(reordered *r, const tm_grid *grid)
{
    for (size_t i = 0; i < r->count; i++) {
        size_t k = i;
        for (; k > 0 && r->lambdas[k - 1] < grid->values[i]; k--) {
            r->lambdas[k] = r->lambdas[k - 1];
            r->place[k] = r->place[k - 1];
        }
        r->lambdas[k] = grid->values[i];
        r->place[k] = i;
    }
}

static tm_status run_reordered(tm_solver *solver, const tm_params *params, const tm_grid *grid,
                               tm_path_point *point, void *payload, tm_error *err)
{
    size_t count = grid->count;
    reordered r = {.solver = solver,
                   .count = count,
                   .lambdas = mem_array(count, sizeof *r.lambdas),
                   .place = mem_array(count, sizeof *r.place),
                   .answers = mem_zeros(count, sizeof *r.answers),
                   .there = mem_zeros(count, sizeof *r.there),
                   .point = point,
                   .payload = payload};
    tm_status status = TM_OK;
    if (!r.lambdas || !r.place || !r.answers || !r.there) {
        status = tm_fail_memory(err, "the path");
        goto done;
    }
    sort_lambdas(&r, grid);
    const tm_grid sorted = {count, 1, {grid->names[0]}, r.lambdas};
    status = run_in_order(solver, params, &sorted, keep_point, &r, err);
    if (status == TM_OK || status == TM_ECANCELLED) {
        tm_error rest = TM_ERROR_INIT;
        tm_status rest_status = hand_over_rest(&r, &rest);
        if (status == TM_OK && rest_status != TM_OK)
            status = tm_fail(err, rest_status, "%s", rest.message);
    }
    for (size_t i = 0; i < count; i++)
        if (r.there[i])
            tm_solution_clear(&r.answers[i]);
done:
    free(r.lambdas);
    free(r.place);
    free(r.answers);
    free(r.there);
    return status;
}

tm_status tm_solver_run(tm_solver *solver, const tm_params *params, const tm_grid *grid,
                        tm_path_point *point, void *payload, tm_error *err)
{
    bool lambdas = grid->axes == 1 && strcmp(grid->names[0], "lambda") == 0;
    return lambdas && !descends(grid) ? run_reordered(solver, params, grid, point, payload, err)
                                      : run_in_order(solver, params, grid, point, payload, err);
}

tm_status tm_solver_path(tm_solver *solver, const tm_params *params, const double *lambdas,
                         size_t count, tm_path_point *point, void *payload, tm_error *err)
{
    double *values = mem_array(count, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "the path");
    memcpy(values, lambdas, count * sizeof *values);
    tm_grid grid = {count, 1, {"lambda"}, values};
    tm_status status = tm_solver_run(solver, params, &grid, point, payload, err);
    tm_grid_clear(&grid);
    return status;
}
