/* The features of a data file along a path of lambdas, with the duality gap of each answer.
 *
 *     cc -o path path.c $(pkg-config --cflags --libs tamis)
 *     ./path data.svm [METHOD] */
#include <tamis/tamis.h>

#include <stdio.h>

/* Called with each answer of the path; the answer is this function's. */
static tm_status print_point(tm_solution *answer, size_t k, void *payload, tm_error *err)
{
    (void)payload;
    (void)err;
    printf("%2zu  lambda %-10.4g features %-4zu gap / null %.1e  %s\n", k + 1, answer->lambda,
           tm_model_nnz(answer->model), answer->gap / answer->null_objective,
           tm_outcome_name(answer->outcome));
    tm_solution_clear(answer);
    return TM_OK;
}

static tm_status run(const char *file, const char *id, tm_error *err)
{
    tm_dataset *data = NULL;
    tm_params *params = NULL;
    tm_solver *solver = NULL;
    tm_grid grid = TM_GRID_INIT;
    const tm_method *method = tm_method_find(id, err);
    tm_status status = method ? tm_read(&data, file, NULL, err) : TM_EUSAGE;
    if (status == TM_OK)
        status = tm_method_params_new(&params, method, err);
    if (status == TM_OK)
        status = tm_params_set_text(params, "lambdas", "10", err);
    if (status == TM_OK)
        status = tm_solver_new(&solver, method, data, params, NULL, err);
    if (status == TM_OK)
        status = tm_grid_make(&grid, params, tm_solver_lambda_max(solver), err);
    if (status == TM_OK)
        status = tm_solver_run(solver, params, &grid, print_point, NULL, err);
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    tm_params_free(params);
    tm_dataset_unref(data);
    return status;
}

int main(int argc, char **argv)
{
    tm_error err = TM_ERROR_INIT;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s FILE [METHOD]\n", argv[0]);
        return 2;
    }
    if (run(argv[1], argc > 2 ? argv[2] : "lasso", &err) == TM_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", argv[0], err.message);
    return 1;
}
