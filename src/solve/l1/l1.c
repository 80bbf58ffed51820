/* The l1 methods: parameters in, strategy chosen, answer out. The methods differ in the loss alone.
 */
#include "solve/l1/l1.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "model/certificate/product_bounds.h"
#include "solve/common/feature_vector.h"
#include "solve/common/method.h"
#include "solve/l1/strategy/sequential.h"
#include "solve/registry.h"

#include <math.h>
#include <string.h>

/* How each strategy works. */
static const struct {
    l1_strategy *solve;
    screen_rule_region *region; /* what it begins with */
    bool grows;                 /* it sees the features it has left out only in the certificate */
    bool shrinks;               /* `shrink` may be laid over it */
    bool dual_set;              /* it supposes a set of dual points that lambda does not change */
} strategies[SCREEN_COUNT] = {
    [SCREEN_auto] = {l1_solve_auto, NULL, true, false, false},
    [SCREEN_none] = {l1_solve_epochs, NULL, false, true, false},
    [SCREEN_shrink] = {l1_solve_epochs, NULL, false, true, false},
    [SCREEN_safe] = {l1_solve_epochs, screen_safe, false, true, true},
    [SCREEN_strong] = {l1_solve_guess, NULL, true, false, false},
    [SCREEN_homotopy] = {l1_solve_homotopy, NULL, true, false, false},
    [SCREEN_dpp] = {l1_solve_epochs, screen_dpp, false, true, true},
    [SCREEN_edpp] = {l1_solve_epochs, screen_edpp, false, true, true},
    [SCREEN_vi] = {l1_solve_epochs, screen_vi, false, true, true},
    [SCREEN_gap] = {l1_solve_epochs, NULL, false, false, false},
    [SCREEN_hessian] = {l1_solve_guess, NULL, true, false, true},
    [SCREEN_blitz] = {l1_solve_blitz, NULL, false, false, true},
    [SCREEN_ws] = {l1_solve_ws, NULL, false, false, true},
    [SCREEN_saif] = {l1_solve_saif, NULL, false, false, false},
};

screen_rule_region *l1_region_of(screen_rule rule)
{
    return strategies[rule].region;
}

/* Limits that say more than which signs a weight may have: dual points have no constraint there but
 * a cost. */
static bool has_other_limits(const l1_state *s)
{
    for (size_t j = 0; s->lower && j < s->p; j++)
        if ((s->lower[j] != 0 && isfinite(s->lower[j])) ||
            (s->upper[j] != 0 && isfinite(s->upper[j])))
            return true;
    return false;
}

/* The strategy that `config`, or else screen, warm and shrink ask for. */
static tm_status choose_strategy(l1_state *s, const tm_params *params, tm_error *err)
{
    static const char *const set[] = {"screen", "warm", "shrink"};
    s->rule = screen_rule_of(tm_params_text(params, "screen"));
    s->warm = tm_params_bool(params, "warm");
    s->shrink = tm_params_bool(params, "shrink");
    if (tm_params_has(params, "config")) {
        const screen_config *config = screen_config_of(tm_params_text(params, "config"));
        for (size_t k = 0; k < sizeof set / sizeof set[0]; k++)
            if (tm_params_given(params, set[k]))
                return tm_fail(err, TM_EUSAGE, "config sets %s: give one of the two", set[k]);
        s->rule = config->rule;
        s->warm = config->warm;
        s->shrink = config->shrink;
    }
    const tm_screen_info *info = screen_info(s->rule);
    if (!screen_works_for(s->rule, s->loss->id))
        return tm_fail(err, TM_EUSAGE,
                       "screen '%s' is defined for the %s loss only; this method's loss is %s",
                       info->id, info->losses, s->loss->id);
    if (strategies[s->rule].dual_set && (s->ridge || has_other_limits(s)))
        return tm_fail(
            err, TM_EUSAGE,
            "screen '%s' is not defined for %s; use auto, gap, saif, strong, shrink or none",
            info->id, s->ridge ? "alpha below 1" : "limits other than 0");
    if (s->shrink && !strategies[s->rule].shrinks)
        return tm_fail(err, TM_EUSAGE,
                       "shrink cannot be laid over screen '%s'; it can over none, safe, dpp, edpp "
                       "and vi",
                       info->id);
    return TM_OK;
}

tm_status l1_update(void *work, const tm_params *params, tm_error *err)
{
    l1_state *s = work;
    size_t count;
    const double *lambda = tm_params_reals(params, "lambda", &count);
    if (count != 1)
        return tm_fail(err, TM_EUSAGE, "one solve takes one lambda, got %zu", count);
    l1_state_lambda(s, lambda[0]);
    s->max_iter = tm_params_int(params, "max_iter");
    s->check_every = tm_params_int(params, "check_every");
    s->add_rate = tm_params_real(params, "add_rate");
    s->add_slack = tm_params_real(params, "add_slack");
    return choose_strategy(s, params, err);
}

static bool has_finite(const double *values, size_t count)
{
    for (size_t j = 0; values && j < count; j++)
        if (isfinite(values[j]))
            return true;
    return false;
}

static tm_status read_limits(l1_terms *terms, const tm_dataset *data, const tm_params *params,
                             tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    bool positive = tm_params_bool(params, "positive");
    if (positive && tm_params_given(params, "lower"))
        return tm_fail(err, TM_EUSAGE, "positive sets lower to 0: give one of the two");
    tm_status status = feature_vector(&terms->lower, params, "lower", data, -INFINITY, err);
    if (status == TM_OK)
        status = feature_vector(&terms->upper, params, "upper", data, INFINITY, err);
    if (status == TM_OK && positive) {
        terms->lower = mem_zeros(p, sizeof *terms->lower);
        status = terms->lower ? TM_OK : tm_fail_memory(err, "limits");
    }
    /* Limits that hold nobody are none. */
    if (status == TM_OK && !has_finite(terms->lower, p)) {
        free(terms->lower);
        terms->lower = NULL;
    }
    if (status == TM_OK && !has_finite(terms->upper, p)) {
        free(terms->upper);
        terms->upper = NULL;
    }
    return status;
}

/* Without |w_j| nothing is ever 0, and there is no lambda_max: that is another method's problem. */
static tm_status refuse_ridge(const char *loss_id, tm_error *err)
{
    const char *method = strcmp(loss_id, "squared") == 0    ? "ridge"
                         : strcmp(loss_id, "logistic") == 0 ? "logistic"
                                                            : "svm_l2";
    return tm_fail(
        err, TM_EUSAGE,
        "alpha 0 leaves the l2 penalty alone, under which every feature has a weight: use method "
        "%s with C = 1 / lambda",
        method);
}

tm_status l1_init(void **work, const tm_dataset *data, const tm_params *params, const char *loss_id,
                  solve_progress *progress, tm_error *err)
{
    l1_state *s = NULL;
    l1_terms terms = {.intercept = tm_params_bool(params, "intercept"),
                      .standardize = tm_params_bool(params, "standardize"),
                      .alpha = tm_params_real(params, "alpha")};
    *work = NULL;
    if (terms.alpha == 0)
        return refuse_ridge(loss_id, err);
    tm_status status = feature_vector(&terms.factors, params, "factors", data, 1, err);
    if (status == TM_OK)
        status = read_limits(&terms, data, params, err);
    if (status == TM_OK)
        status = l1_state_new(&s, data, loss_find(loss_id, NULL), &terms, progress, err);
    l1_terms_clear(&terms);
    if (status == TM_OK)
        s->estimates = product_bounds_pay(data) && !has_other_limits(s);
    *work = s;
    return status;
}

void l1_warm(void *work, const tm_model *model)
{
    l1_state *s = work;
    s->solved_lambda = NAN;
    l1_earlier_forget(s);
    for (size_t j = 0; j < s->p; j++)
        s->w[j] = 0;
    for (size_t k = 0; k < tm_model_nnz(model); k++) {
        size_t j = tm_model_features(model)[k];
        if (j < s->p && s->norms[j] > 0)
            s->w[j] = tm_model_weights(model)[k];
        if (s->lower && j < s->p)
            s->w[j] = fmin(fmax(s->w[j], s->lower[j]), s->upper[j]);
    }
}

/* At lambda >= lambda_max the null model is optimal, and nothing needs solving: lambda_max itself
 * rejects every feature, but `none` rejects nothing. */
static tm_status solve_by_rule(l1_state *s, solve_progress *progress, double target, l1_end *end,
                               tm_error *err)
{
    if (s->lambda >= s->lambda_max) {
        l1_state_reset(s);
        if (s->rule == SCREEN_none)
            l1_activate_all(s);
        else
            l1_activate_support(s);
        end->converged = end->stalled = true; /* there is nothing to improve */
        return TM_OK;
    }
    if (s->lambda == 0)
        return l1_solve_unpenalised(s, progress, target, s->round++, end, err);
    return strategies[s->rule].solve(s, progress, target, s->round++, end, err);
}

/* Whether the weights and what they do to the predictions are numbers. */
static bool is_finite(const l1_state *s)
{
    double reach = fabs(l1_state_intercept(s));
    for (size_t j = next_nonzero(s->w, 0, s->p); j < s->p; j = next_nonzero(s->w, j + 1, s->p))
        reach += fabs(s->w[j]) * (1 + s->norms[j]);
    return isfinite(reach);
}

tm_status l1_solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                   tm_error *err)
{
    l1_state *s = work;
    l1_end end = {0};
    progress->lambda = s->lambda;
    tm_status status = solve_by_rule(s, progress, target, &end, err);
    /* A run that was stopped in the middle has moved w since b was found. */
    if (!s->loss->quadratic && !end.fitted && status == TM_OK)
        l1_state_refresh(s);
    if (status == TM_OK && !is_finite(s)) {
        /* Rounding has won, as with columns whose means are 1e10 times their deviations. */
        l1_state_reset(s);
        end = (l1_end){.converged = false, .stalled = true};
    }
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = end.stalled || s->epochs >= s->max_iter,
        .weights = s->w,
        .intercept = l1_state_intercept(s),
        .problem = {.loss = s->loss->id,
                    .lambda = s->lambda,
                    .intercept = s->intercept,
                    .factors = s->factors,
                    .ridge = s->ridge,
                    .lower = s->lower,
                    .upper = s->upper},
        .active = s->active_count,
        .epochs = (uint64_t)s->epochs,
        .exact_from = s->rule == SCREEN_auto && s->estimates ? l1_auto_exact_from(s) : 0,
        .grows = s->lambda > 0 && strategies[s->rule].grows,
    };
    return status;
}

void l1_begin(void *work)
{
    l1_state *s = work;
    s->epochs = 0;
    s->round = 0;
    s->lambda_before = s->solved_lambda;
    if (!s->warm) {
        l1_state_reset(s);
        memcpy(s->xr, s->xy, s->p * sizeof *s->xr);
        s->solved_lambda = s->lambda_max;
    }
}

/* The certificate has computed every x_j'r of the answer anyway. */
void l1_certified(void *work, const double *products, double gap)
{
    l1_state *s = work;
    s->goal.whole_gap = gap;
    memcpy(s->xr, products, s->p * sizeof *s->xr);
    s->solved_lambda = s->lambda;
    l1_earlier_keep(s);
}

bool l1_foresees(const void *work)
{
    const l1_state *s = work;
    return s->rule == SCREEN_auto && s->warm && !s->estimates && l1_auto_foresees(s);
}

double l1_lambda_max(const void *work)
{
    return ((const l1_state *)work)->lambda_max;
}

double l1_null_objective(const void *work)
{
    return ((const l1_state *)work)->null_objective;
}

void l1_finish(void *work)
{
    l1_state_free(work);
}
