/* The lasso: parameters in, strategy chosen, answer out. */
#include "solve/lasso.h"
#include "solve/method.h"
#include "solve/registry.h"

#include <math.h>
#include <string.h>

static tm_status lasso_update(void *work, const tm_params *params, tm_error *err)
{
    lasso_state *s = work;
    size_t count;
    const double *lambda = tm_params_reals(params, "lambda", &count);
    if (count != 1)
        return tm_fail(err, TM_EUSAGE, "lasso: one solve takes one lambda, got %zu", count);
    s->lambda = lambda[0];
    s->rule = screen_rule_of(tm_params_text(params, "screen"));
    s->warm = tm_params_bool(params, "warm");
    s->max_iter = tm_params_int(params, "max_iter");
    s->check_every = tm_params_int(params, "check_every");
    s->add_rate = tm_params_real(params, "add_rate");
    s->add_slack = tm_params_real(params, "add_slack");
    return TM_OK;
}

static tm_status lasso_init(void **work, const tm_dataset *data, const tm_params *params,
                            solve_progress *progress, tm_error *err)
{
    lasso_state *s;
    tm_status status = lasso_state_new(&s, data, tm_params_bool(params, "intercept"),
                                       tm_params_bool(params, "standardize"), progress, err);
    *work = s;
    return status;
}

static void lasso_warm(void *work, const tm_model *model)
{
    lasso_state *s = work;
    s->solved_lambda = NAN;
    for (size_t j = 0; j < s->p; j++)
        s->w[j] = 0;
    for (size_t k = 0; k < tm_model_nnz(model); k++) {
        size_t j = tm_model_features(model)[k];
        if (j < s->p && s->norms[j] > 0)
            s->w[j] = tm_model_weights(model)[k];
    }
}

/* At lambda >= lambda_max the null model is optimal, and nothing needs solving: lambda_max itself
 * rejects every feature, but `none` rejects nothing. */
static tm_status solve_by_rule(lasso_state *s, solve_progress *progress, double target,
                               lasso_end *end, tm_error *err)
{
    if (s->lambda >= s->lambda_max) {
        lasso_state_reset(s);
        if (s->rule == SCREEN_none)
            lasso_activate_all(s);
        else
            s->active_count = 0;
        end->converged = true;
        return TM_OK;
    }
    if (s->rule == SCREEN_auto)
        return lasso_solve_auto(s, progress, target, s->round++, end, err);
    if (s->rule == SCREEN_saif)
        return lasso_solve_saif(s, progress, target, end, err);
    return lasso_solve_dynamic(s, progress, target, end, err);
}

static tm_status lasso_solve(void *work, solve_progress *progress, double target,
                             solve_answer *answer, tm_error *err)
{
    lasso_state *s = work;
    lasso_end end = {false, false};
    progress->lambda = s->lambda;
    tm_status status = solve_by_rule(s, progress, target, &end, err);
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = end.stalled || s->epochs >= s->max_iter,
        .weights = s->w,
        .intercept = lasso_state_intercept(s),
        .problem = {"squared", s->lambda, s->intercept, s->factors},
        .active = s->active_count,
        .grows = s->rule == SCREEN_auto,
    };
    return status;
}

static void lasso_begin(void *work)
{
    lasso_state *s = work;
    s->epochs = 0;
    s->round = 0;
    if (!s->warm) {
        lasso_state_reset(s);
        memcpy(s->xr, s->xy, s->p * sizeof *s->xr);
        s->solved_lambda = s->lambda_max;
    }
}

/* The certificate has computed every x_j'r of the answer anyway. */
static void lasso_certified(void *work, const double *products)
{
    lasso_state *s = work;
    memcpy(s->xr, products, s->p * sizeof *s->xr);
    s->solved_lambda = s->lambda;
}

static bool lasso_foresees(const void *work)
{
    const lasso_state *s = work;
    return s->rule == SCREEN_auto && s->warm && lasso_auto_foresees(s);
}

static double lasso_lambda_max(const void *work)
{
    return ((const lasso_state *)work)->lambda_max;
}

static double lasso_null_objective(const void *work)
{
    return ((const lasso_state *)work)->yy / 2;
}

static void lasso_finish(void *work)
{
    lasso_state_free(work);
}

const method_ops lasso_ops = {
    .init = lasso_init,
    .update = lasso_update,
    .warm = lasso_warm,
    .begin = lasso_begin,
    .certified = lasso_certified,
    .foresees = lasso_foresees,
    .solve = lasso_solve,
    .lambda_max = lasso_lambda_max,
    .null_objective = lasso_null_objective,
    .finish = lasso_finish,
};
