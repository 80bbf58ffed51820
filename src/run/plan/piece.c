/* Which configurations of a chain are solved by one job, and with which parameters. */
#include "run/plan/plan.h"

#include <string.h>

/* The number of path steps that are solved together and share passes over the data. */
enum { STEPS = 8 };

static const sweep_point *point_at(const sweep_plan *plan, const sweep_chain *chain, size_t i)
{
    return &plan->points[plan->configs[chain->configs[i]].point];
}

void sweep_piece_clear(sweep_piece *piece)
{
    tm_params_free(piece->params);
    *piece = (sweep_piece){0};
}

size_t sweep_piece_unit(const sweep_chain *chain, size_t from)
{
    size_t left = chain->count - from;
    if (chain->kind == SWEEP_SINGLE)
        return chain->count;
    /* Which features are eliminated depends on all the numbers that are requested together. */
    bool together = chain->kind == SWEEP_PATH && strcmp(chain->axis, "features") == 0;
    size_t most = together ? STEPS : 1;
    return from + (left < most ? left : most);
}

bool sweep_piece_may_end(const sweep_plan *plan, const sweep_chain *chain)
{
    static const char *const limits[] = {"max_features", "max_deviance"};
    const tm_params *params = point_at(plan, chain, 0)->params;
    for (size_t i = 0; chain->kind != SWEEP_STEPS && i < sizeof limits / sizeof *limits; i++)
        if (tm_params_find(params, limits[i], NULL) && tm_params_has(params, limits[i]))
            return true;
    return false;
}

/* ---- along an axis ------------------------------------------------------------------------- */

static tm_status along_values(sweep_piece *piece, const sweep_plan *plan, const sweep_chain *chain,
                              size_t from, tm_error *err)
{
    double values[STEPS];
    for (size_t i = 0; i < piece->count; i++) {
        size_t one;
        values[i] = tm_params_reals(point_at(plan, chain, from + i)->params, chain->axis, &one)[0];
    }
    return tm_params_set_reals(piece->params, chain->axis, values, piece->count, err);
}

/* The first one gives lambda_max, then the others form a path. If lambda_max is 0, there is no
 * path. */
static tm_status along_ratios(sweep_piece *piece, const sweep_plan *plan, const sweep_chain *chain,
                              size_t from, double lambda_max, tm_error *err)
{
    double lambdas[STEPS];
    if (from == 0 || !(lambda_max > 0)) {
        piece->count = 1;
        return TM_OK;
    }
    for (size_t i = 0; i < piece->count; i++)
        lambdas[i] =
            lambda_max * tm_params_real(point_at(plan, chain, from + i)->params, "lambda_ratio");
    tm_status status = tm_params_unset(piece->params, "lambda_ratio", err);
    return status == TM_OK
               ? tm_params_set_reals(piece->params, "lambda", lambdas, piece->count, err)
               : status;
}

/* ---- the steps of a path that the parameters ask for --------------------------------------- */

static bool asks_for_lambdas(const tm_params *params)
{
    return tm_params_find(params, "lambdas", NULL) && tm_params_given(params, "lambdas");
}

/* The path's first step, lambda_max, is solved by itself, because it determines the others. */
static tm_status first_lambda(sweep_piece *piece, tm_error *err)
{
    piece->count = 1;
    tm_status status = tm_params_unset(piece->params, "lambdas", err);
    if (status == TM_OK)
        status = tm_params_unset(piece->params, "lambda_min_ratio", err);
    return status == TM_OK ? tm_params_set_real(piece->params, "lambda_ratio", 1, err) : status;
}

/* The axis along which a piece runs: the inner one, unless it has only one value. */
static size_t moving_axis(const tm_params *params, const tm_grid *grid, size_t *inner)
{
    *inner = grid->count;
    if (grid->axes < 2)
        return 0;
    tm_params_reals(params, grid->names[1], inner);
    if (*inner > 1)
        return 1;
    *inner = grid->count;
    return 0;
}

static tm_status set_steps(sweep_piece *piece, const tm_grid *grid, size_t from, tm_error *err)
{
    double values[STEPS];
    size_t inner, moving = moving_axis(piece->params, grid, &inner);
    size_t left = from < grid->count ? inner - from % inner : 0;
    tm_status status = TM_OK;
    piece->count = piece->count < left ? piece->count : left;
    if (piece->count == 0)
        return TM_OK;
    if (asks_for_lambdas(piece->params)) {
        status = tm_params_unset(piece->params, "lambdas", err);
        if (status == TM_OK)
            status = tm_params_unset(piece->params, "lambda_min_ratio", err);
    }
    for (size_t a = 0; status == TM_OK && a < grid->axes; a++) {
        for (size_t i = 0; i < piece->count; i++)
            values[i] = grid->values[(from + i) * grid->axes + a];
        status = tm_params_set_reals(piece->params, grid->names[a], values,
                                     a == moving ? piece->count : 1, err);
    }
    return status;
}

static tm_status along_steps(sweep_piece *piece, size_t from, double lambda_max, tm_error *err)
{
    tm_grid grid;
    if (from == 0 && asks_for_lambdas(piece->params))
        return first_lambda(piece, err);
    tm_status status = tm_grid_make(&grid, piece->params, lambda_max, err);
    if (status == TM_OK)
        status = set_steps(piece, &grid, from, err);
    tm_grid_clear(&grid);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

tm_status sweep_piece_make(sweep_piece *piece, const sweep_plan *plan, const sweep_chain *chain,
                           size_t from, double lambda_max, tm_error *err)
{
    size_t left = chain->count - from;
    *piece = (sweep_piece){.point = point_at(plan, chain, from),
                           .count = left < STEPS ? left : (size_t)STEPS};
    tm_status status = tm_params_copy(&piece->params, piece->point->params, err);
    if (status != TM_OK)
        return status;
    switch (chain->kind) {
    case SWEEP_PATH:
        return along_values(piece, plan, chain, from, err);
    case SWEEP_RATIO:
        return along_ratios(piece, plan, chain, from, lambda_max, err);
    case SWEEP_SINGLE:
        return chain->count > 1 ? along_steps(piece, from, lambda_max, err) : TM_OK;
    case SWEEP_STEPS:
        break;
    }
    piece->count = 1;
    return TM_OK;
}
