#include "tamis/solve.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tm_status check_one_source(const tm_params *params, tm_error *err)
{
    static const char *const names[] = {"lambda", "lambda_ratio", "lambdas"};
    const char *first = NULL;
    for (size_t i = 0; i < 3; i++) {
        if (!tm_params_given(params, names[i]))
            continue;
        if (first)
            return tm_fail(err, TM_EUSAGE, "give %s or %s, not both", first, names[i]);
        first = names[i];
    }
    if (tm_params_given(params, "lambda_min_ratio") && !tm_params_given(params, "lambdas"))
        return tm_fail(err, TM_EUSAGE, "lambda_min_ratio is the end of a path: give lambdas too");
    return TM_OK;
}

/* A path has the value 0 when lambda_max is 0; 0 cannot be requested otherwise. */
static tm_status check_positive(const tm_params *params, tm_error *err)
{
    size_t count;
    const double *lambda = tm_params_reals(params, "lambda", &count);
    if (tm_params_find(params, "lambda", NULL)->flags & TM_PARAM_ZERO)
        return TM_OK;
    for (size_t k = 0; k < count; k++)
        if (!(lambda[k] > 0))
            return tm_fail(err, TM_EUSAGE,
                           "parameter 'lambda' is 0; expected a number above 0 (without a penalty "
                           "every feature is active and nothing can be certified)");
    return TM_OK;
}

static size_t grid_size(const tm_params *params, double lambda_max)
{
    size_t count;
    if (tm_params_given(params, "lambda")) {
        tm_params_reals(params, "lambda", &count);
        return count;
    }
    /* At lambda_max = 0 every lambda gives the null model. */
    return tm_params_given(params, "lambdas") && lambda_max > 0
               ? (size_t)tm_params_int(params, "lambdas")
               : 1;
}

static void fill_geometric(double *grid, size_t count, double lambda_max, double least)
{
    for (size_t k = 0; k < count; k++)
        grid[k] = k == 0 ? lambda_max : lambda_max * pow(least, (double)k / (double)(count - 1));
}

tm_status tm_lambda_grid(double **out, size_t *count, const tm_params *params, double lambda_max,
                         tm_error *err)
{
    *out = NULL;
    tm_status status = check_one_source(params, err);
    if (status == TM_OK)
        status = check_positive(params, err);
    if (status != TM_OK)
        return status;
    *count = grid_size(params, lambda_max);
    double *grid = mem_array(*count, sizeof *grid);
    if (!grid)
        return tm_fail_memory(err, "the path");
    if (tm_params_given(params, "lambda"))
        memcpy(grid, tm_params_reals(params, "lambda", count), *count * sizeof *grid);
    else if (tm_params_given(params, "lambdas"))
        fill_geometric(grid, *count, lambda_max, tm_params_real(params, "lambda_min_ratio"));
    else
        grid[0] = lambda_max * tm_params_real(params, "lambda_ratio");
    *out = grid;
    return TM_OK;
}

/* ---- points of any method ------------------------------------------------------------------- */

void tm_grid_clear(tm_grid *grid)
{
    free(grid->values);
    *grid = (tm_grid)TM_GRID_INIT;
}

const char *tm_path_param(const tm_params *params)
{
    for (size_t i = 0; i < tm_params_count(params); i++)
        if (tm_params_info(params, i)->flags & TM_PARAM_PATH)
            return tm_params_info(params, i)->name;
    return NULL;
}

/* Finds the parameters whose lists make up paths, and the number of their combinations. */
static void find_axes(tm_grid *grid, const tm_params *params)
{
    grid->count = 1;
    for (size_t i = 0; i < tm_params_count(params) && grid->axes < TM_GRID_AXES; i++) {
        const tm_param_info *info = tm_params_info(params, i);
        size_t count;
        if (!(info->flags & TM_PARAM_PATH) || !tm_params_has(params, info->name))
            continue;
        tm_params_reals(params, info->name, &count);
        grid->names[grid->axes++] = info->name;
        grid->count *= count;
    }
}

static void fill_combinations(tm_grid *grid, const tm_params *params)
{
    size_t repeat = grid->count;
    for (size_t a = 0; a < grid->axes; a++) {
        size_t count;
        const double *list = tm_params_reals(params, grid->names[a], &count);
        repeat /= count;
        for (size_t k = 0; k < grid->count; k++)
            grid->values[k * grid->axes + a] = list[k / repeat % count];
    }
}

tm_status tm_grid_make(tm_grid *out, const tm_params *params, double lambda_max, tm_error *err)
{
    *out = (tm_grid)TM_GRID_INIT;
    if (tm_params_find(params, "lambda", NULL)) {
        out->axes = 1;
        out->names[0] = "lambda";
        return tm_lambda_grid(&out->values, &out->count, params, lambda_max, err);
    }
    find_axes(out, params);
    out->values = mem_array(out->count * out->axes, sizeof *out->values);
    if (!out->values)
        return tm_fail_memory(err, "the path");
    fill_combinations(out, params);
    return TM_OK;
}
