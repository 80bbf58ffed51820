/* One solve of any method of the registry, for what must hold for all of them. */
#ifndef TESTS_ANY_METHOD_H
#define TESTS_ANY_METHOD_H

#include "tests/core_check.h"

static inline bool has(const tm_params *params, const char *name)
{
    tm_error err;
    return tm_params_find(params, name, &err) != NULL;
}

/* An option of the method beside those that `solve` sets; NULL: none. */
typedef struct option {
    const char *name, *value;
} option;

/* Solves with these parameters, at a tenth of lambda_max where the method has lambda. False when
 * the method refuses: a strategy for another loss, a parameter without a default. */
static inline bool solve_params(tm_solution *out, const tm_method *method, const tm_dataset *data,
                                tm_params *params)
{
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver;
    *out = (tm_solution)TM_SOLUTION_INIT;
    if (has(params, "lambda_ratio"))
        must(tm_params_set_text(params, "lambda_ratio", "0.1", &err), &err);
    tm_grid grid = TM_GRID_INIT;
    tm_status status = tm_solver_new(&solver, method, data, params, NULL, &err);
    if (status == TM_OK) {
        must(tm_grid_make(&grid, params, tm_solver_lambda_max(solver), &err), &err);
        if (grid.axes > 0 && strcmp(grid.names[0], "lambda") == 0)
            must(tm_params_set_reals(params, "lambda", grid.values, 1, &err), &err);
        status = tm_solver_update(solver, params, &err);
        if (status == TM_OK)
            must(tm_solver_solve(solver, out, &err), &err);
        tm_grid_clear(&grid);
        tm_solver_free(solver);
    }
    if (status != TM_OK && status != TM_EUSAGE)
        fail_msg("%s", err.message);
    return status == TM_OK;
}

static inline bool solve_with(tm_solution *out, const tm_method *method, const tm_dataset *data,
                              const char *screen, option more, double *tol)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params;
    must(tm_method_params_new(&params, method, &err), &err);
    if (screen)
        must(tm_params_set_text(params, "screen", screen, &err), &err);
    if (more.name)
        must(tm_params_set_text(params, more.name, more.value, &err), &err);
    *tol = tm_params_real(params, "tol");
    bool done = solve_params(out, method, data, params);
    tm_params_free(params);
    return done;
}

static inline bool solve(tm_solution *out, const tm_method *method, const tm_dataset *data,
                         const char *screen, double *tol)
{
    return solve_with(out, method, data, screen, (option){NULL, NULL}, tol);
}

static inline const tm_choice *screens_of(const tm_method *method)
{
    size_t count;
    const tm_param_info *table = tm_method_params(method, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, "screen") == 0)
            return table[i].choices;
    return NULL;
}

#endif
