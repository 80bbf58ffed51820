/* The l1 methods: reads the parameters, chooses the strategy, returns the answer. The methods
 * differ only in the loss. */
#include "solve/l1/l1.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "base/ranks/agree.h"
#include "data/ranks/row_shard.h"
#include "model/certificate/product_bounds.h"
#include "solve/common/feature_vector.h"
#include "solve/common/method.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/strategy.h"
#include "solve/l1/tall/together.h"
#include "solve/registry.h"

#include <math.h>
#include <string.h>

/* Limits other than 0: for these dual points have no constraint but an additional term of the
 * objective. */
static bool has_other_limits(const l1_state *s)
{
    for (size_t j = 0; s->penalty.lower && j < s->problem.p; j++)
        if ((s->penalty.lower[j] != 0 && isfinite(s->penalty.lower[j])) ||
            (s->penalty.upper[j] != 0 && isfinite(s->penalty.upper[j])))
            return true;
    return false;
}

static bool has_free_limits(const l1_state *s)
{
    for (size_t j = 0; s->penalty.lower && j < s->problem.p; j++)
        if (l1_factor(s, j) == 0 &&
            (isfinite(s->penalty.lower[j]) || isfinite(s->penalty.upper[j])))
            return true;
    return false;
}

/* ---- rows of several processes --------------------------------------------------------------- */

static tm_status refuse_shared(const char *what, tm_error *err)
{
    return what ? tm_fail(err, TM_EUSAGE, "rows of several processes are not for %s", what) : TM_OK;
}

/* Every process has models of all columns. */
static tm_status check_shared_data(const tm_dataset *data, const l1_method *method, tm_error *err)
{
    const tm_comm *comm = matrix_row_comm(tm_dataset_x(data));
    double p = (double)tm_dataset_cols(data);
    if (!comm || method->loss->quadratic)
        return refuse_shared(comm ? "the squared loss" : NULL, err);
    bool room = SHARED_MODELS * p * p * (double)sizeof(double) <= (double)mem_physical();
    tm_status status =
        room ? TM_OK
             : tm_fail(err, TM_EUSAGE,
                       "%s: for so many columns rows of several processes need more memory than "
                       "there is; divide the columns (shard-columns)",
                       tm_dataset_name(data));
    return comm_share(comm, status, err);
}

static tm_status check_shared_fit(const l1_state *s, tm_error *err)
{
    return !s->problem.of.comm ? TM_OK
                               : refuse_shared(!s->strategy->shares_rows   ? "this screen: use auto"
                                               : s->options.by_coordinates ? "solver cgd"
                                               : s->options.shrink         ? "shrink"
                                                                           : NULL,
                                               err);
}

/* Whether the rule supports the loss, the penalty and the option `shrink`. */
static tm_status check_fit(const l1_state *s, screen_rule rule, tm_error *err)
{
    char others[200];
    const tm_screen_info *info = screen_info(rule);
    unsigned fits = screen_fits(rule);
    if (!(info->losses & loss_bit(s->problem.loss)))
        return tm_fail(
            err, TM_EUSAGE, "screen '%s' is defined for the %s loss only; this method's loss is %s",
            info->id, tm_screen_losses(info, others, sizeof others), s->problem.loss->id);
    const char *what = s->penalty.ridge      ? "alpha below 1"
                       : has_other_limits(s) ? "limits other than 0"
                       : !(fits & SCREEN_FREE_LIMITS) && has_free_limits(s)
                           ? "limits on features without penalty"
                           : NULL;
    if (!(fits & SCREEN_ANY_PENALTY) && what)
        return tm_fail(
            err, TM_EUSAGE,
            "screen '%s' is not defined for %s; use auto, gap, saif, strong, shrink or none",
            info->id, what);
    if (s->options.shrink && !(fits & SCREEN_SHRINKABLE)) {
        screen_list_fitting(SCREEN_SHRINKABLE, others, sizeof others);
        return tm_fail(err, TM_EUSAGE, "shrink cannot be combined with screen '%s'; it can with %s",
                       info->id, others);
    }
    if (s->options.by_coordinates && (fits & SCREEN_OWN_SOLVER))
        return tm_fail(err, TM_EUSAGE,
                       "screen '%s' has a solver of its own: for solver cgd choose another screen "
                       "(none, shrink, vi, gap, saif, ...) or a config",
                       info->id);
    return TM_OK;
}

/* The strategy chosen by `config`, or else by screen, warm and shrink. */
static tm_status choose_strategy(l1_state *s, const tm_params *params, tm_error *err)
{
    static const char *const set[] = {"screen", "warm", "shrink"};
    screen_rule rule = screen_rule_of(tm_params_text(params, "screen"));
    s->options.warm = tm_params_bool(params, "warm");
    s->options.shrink = tm_params_bool(params, "shrink");
    if (tm_params_has(params, "config")) {
        const screen_config *config = screen_config_of(tm_params_text(params, "config"));
        for (size_t k = 0; k < sizeof set / sizeof set[0]; k++)
            if (tm_params_given(params, set[k]))
                return tm_fail(err, TM_EUSAGE, "config sets %s: give one of the two", set[k]);
        rule = config->rule;
        s->options.warm = config->warm;
        s->options.shrink = config->shrink;
    }
    tm_status status = check_fit(s, rule, err);
    if (status == TM_OK)
        status = l1_strategy_use(s, rule, err);
    return status == TM_OK ? check_shared_fit(s, err) : status;
}

tm_status l1_update(void *work, const tm_params *params, tm_error *err)
{
    l1_state *s = work;
    s->options.max_iter = tm_params_int(params, "max_iter");
    s->options.check_every = tm_params_int(params, "check_every");
    s->options.add_rate = tm_params_real(params, "add_rate");
    s->options.add_slack = tm_params_real(params, "add_slack");
    s->options.by_coordinates = strcmp(tm_params_text(params, "solver"), "cgd") == 0;
    s->options.delta = tm_params_real(params, "delta");
    tm_status status = choose_strategy(s, params, err);
    if (status == TM_OK && !s->options.warm)
        status = l1_null_products(s, err);
    s->null.xy_in_xr = false;
    return status;
}

void l1_set_lambda(void *work, double lambda)
{
    l1_state_lambda(work, lambda);
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
    /* Infinite bounds are ignored. */
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

/* Without the l1 penalty no weight is ever 0 and there is no lambda_max: another method solves that
 * problem. */
static tm_status refuse_ridge(tm_error *err)
{
    return tm_fail(err, TM_EUSAGE,
                   "alpha 0 leaves only the l2 penalty, under which every feature has a weight: "
                   "use the method of that penalty (ridge, logistic, svm_l2) with C = 1 / lambda");
}

tm_status l1_init(void **work, const tm_dataset *data, const tm_params *params,
                  const l1_method *method, solve_progress *progress, tm_error *err)
{
    l1_state *s = NULL;
    l1_terms terms = {.intercept = tm_params_bool(params, "intercept"),
                      .standardize = tm_params_bool(params, "standardize"),
                      .alpha = tm_params_real(params, "alpha")};
    *work = NULL;
    if (terms.alpha == 0)
        return refuse_ridge(err);
    tm_status status = feature_vector(&terms.factors, params, "factors", data, 1, err);
    if (status == TM_OK)
        status = read_limits(&terms, data, params, err);
    if (status == TM_OK)
        status = check_shared_data(data, method, err);
    if (status == TM_OK)
        status = l1_state_new(&s, data, method->loss, &terms, progress, err);
    l1_terms_clear(&terms);
    if (status == TM_OK && (status = l1_strategy_use(s, (screen_rule)SCREEN_FIRST, err)) != TM_OK) {
        l1_finish(s);
        s = NULL;
    }
    if (status == TM_OK)
        s->problem.estimates = product_bounds_pay(data) && !has_other_limits(s);
    *work = s;
    return status;
}

void l1_warm(void *work, const tm_model *model)
{
    l1_state *s = work;
    s->it.solved_lambda = NAN;
    if (s->strategy->forget)
        s->strategy->forget(s);
    for (size_t j = 0; j < s->problem.p; j++)
        s->it.w[j] = 0;
    for (size_t k = 0; k < tm_model_nnz(model); k++) {
        size_t j = tm_model_features(model)[k];
        if (j < s->problem.p && l1_norm(s, j) > 0)
            s->it.w[j] = tm_model_weights(model)[k];
        if (s->penalty.lower && j < s->problem.p)
            s->it.w[j] = fmin(fmax(s->it.w[j], s->penalty.lower[j]), s->penalty.upper[j]);
    }
}

/* At lambda >= lambda_max the null model is optimal and nothing needs solving. lambda_max itself
 * rejects every feature, but with `none` nothing may be rejected. */
static tm_status solve_by_rule(l1_state *s, solve_progress *progress, double target, l1_end *end,
                               tm_error *err)
{
    if (s->penalty.lambda >= s->null.lambda_max) {
        l1_state_reset(s);
        if (s->options.rule == SCREEN_none)
            l1_activate_all(s);
        else
            l1_activate_support(s);
        end->converged = end->stalled = true; /* there is nothing to improve */
        return TM_OK;
    }
    if (s->penalty.lambda == 0)
        return l1_solve_unpenalised(s, progress, end, err);
    return s->strategy->solve(s, progress, target, s->round++, end, err);
}

/* Whether the weights and the predictions are finite. */
static bool is_finite(const l1_state *s, double intercept)
{
    double size = fabs(intercept);
    for (size_t j = next_nonzero(s->it.w, 0, s->problem.p); j < s->problem.p;
         j = next_nonzero(s->it.w, j + 1, s->problem.p))
        size += fabs(s->it.w[j]) * (1 + l1_norm(s, j));
    return isfinite(size);
}

static tm_problem problem_of(const l1_state *s, double lambda)
{
    return (tm_problem){.loss = s->problem.loss->id,
                        .lambda = lambda,
                        .intercept = s->problem.intercept,
                        .factors = s->penalty.factors,
                        .ridge = s->penalty.ridge,
                        .lower = s->penalty.lower,
                        .upper = s->penalty.upper};
}

tm_status l1_solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                   tm_error *err)
{
    l1_state *s = work;
    l1_end end = {0};
    progress->lambda = s->penalty.lambda;
    if (s->it.stale)
        l1_state_refresh(s);
    s->it.stale = false;
    tm_status status = solve_by_rule(s, progress, target, &end, err);
    /* A stopped run may have changed w since b was computed. */
    if (!s->problem.loss->quadratic && !end.fitted && status == TM_OK)
        l1_state_refresh(s);
    double intercept = l1_state_intercept(s);
    if (status == TM_OK && !is_finite(s, intercept)) {
        /* Rounding error dominates, as with columns whose means are 1e10 times their deviations. */
        l1_state_reset(s);
        intercept = l1_state_intercept(s);
        end = (l1_end){.converged = false, .stalled = true};
    }
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = end.stalled || s->it.epochs >= s->options.max_iter,
        .stop = s->it.epochs >= s->options.max_iter ? TM_STOP_ITER
                : end.ruled                         ? TM_STOP_RULE
                                                    : TM_STOP_NONE,
        .weights = s->it.w,
        .intercept = intercept,
        .problem = problem_of(s, s->penalty.lambda),
        .active = s->active.count,
        .epochs = (uint64_t)s->it.epochs,
    };
    return status;
}

void l1_begin(void *work)
{
    l1_state *s = work;
    s->it.epochs = 0;
    s->round = 0;
    if (s->strategy->begin)
        s->strategy->begin(s);
    if (!s->options.warm) {
        l1_state_reset(s);
        memcpy(s->it.xr, s->null.xy, s->problem.p * sizeof *s->it.xr);
        s->it.solved_lambda = s->null.lambda_max;
    }
}

/* ---- batched certification ------------------------------------------------------------------ */

void l1_certified(void *work, const double *products, double gap)
{
    l1_state *s = work;
    if (products != s->it.xr)
        memcpy(s->it.xr, products, s->problem.p * sizeof *s->it.xr);
    s->it.solved_lambda = s->penalty.lambda;
    if (s->strategy->certified)
        s->strategy->certified(s, gap);
}

static double *products(void *work)
{
    l1_state *s = work;
    s->it.solved_lambda = NAN; /* until they are complete */
    return s->it.xr;
}

static bool needs_certificate(const void *work)
{
    const l1_state *s = work;
    return s->penalty.lambda > 0 && s->strategy->needs_certificate &&
           s->strategy->needs_certificate(s);
}

static double exact_from(const void *work)
{
    const l1_state *s = work;
    return s->strategy->exact_from ? s->strategy->exact_from(s) : 0;
}

static bool wants_bounds(const void *work, bool *intercept)
{
    const l1_state *s = work;
    *intercept = s->problem.intercept;
    return s->problem.estimates && s->strategy->exact_from;
}

/* Products with the null model's dual variables are known, apart from null.xy, as long as the
 * iterate's are the same to the bit. */
static void take_bounds(void *work, struct product_bounds *bounds)
{
    l1_state *s = work;
    bool in_xr = s->it.solved_lambda == s->null.lambda_max &&
                 memcmp(s->it.r, s->null.y, s->problem.n * sizeof *s->it.r) == 0;
    const double *products = s->null.xy ? s->null.xy : in_xr ? s->it.xr : NULL;
    s->bounds = bounds;
    if (products && !s->problem.of.weights && !s->penalty.free)
        product_bounds_add_known(bounds, s->null.y, products);
}

static bool can_wait(const void *work)
{
    const l1_state *s = work;
    return s->options.warm && s->strategy->can_wait && s->strategy->can_wait(s);
}

static bool pays_together(const void *work)
{
    const l1_state *s = work;
    return s->strategy->pays_together && s->strategy->pays_together(s);
}

static tm_status solve_together(void *work, const solve_group *group, solve_progress *progress,
                                size_t *made, tm_error *err)
{
    l1_state *s = work;
    const l1_together_answers *found;
    *made = 0;
    tm_status status = s->strategy->solve_together(s, group->lambdas, group->count, group->target,
                                                   &found, progress, err);
    if (status != TM_OK || found->made == 0)
        return status;
    *made = found->made;
    for (size_t i = 0; i < *made; i++)
        group->answers[i] = (solve_answer){.converged = true,
                                           .weights = found->w[i],
                                           .intercept = found->b[i],
                                           .problem = problem_of(s, group->lambdas[i]),
                                           .active = s->problem.p,
                                           .epochs = (uint64_t)found->epochs[i]};
    l1_state_lambda(s, group->lambdas[*made - 1]);
    return TM_OK;
}

static bool wants_sums(const void *work, bool *intercept)
{
    const l1_state *s = work;
    *intercept = s->problem.intercept;
    return s->strategy->wants_sums && s->strategy->wants_sums(s);
}

static tm_status take_sums(void *work, const struct normal_equations *sums, tm_error *err)
{
    l1_state *s = work;
    return s->strategy->take_sums(s, sums, err);
}

const method_batch l1_batch = {.certified = l1_certified,
                               .products = products,
                               .needs_certificate = needs_certificate,
                               .exact_from = exact_from,
                               .wants_bounds = wants_bounds,
                               .take_bounds = take_bounds,
                               .can_wait = can_wait,
                               .pays_together = pays_together,
                               .solve_together = solve_together,
                               .wants_sums = wants_sums,
                               .take_sums = take_sums};

double l1_lambda_max(const void *work)
{
    return ((const l1_state *)work)->null.lambda_max;
}

double l1_null_objective(const void *work)
{
    return ((const l1_state *)work)->null.objective;
}

void l1_finish(void *work)
{
    if (work)
        l1_strategy_close(work);
    l1_state_free(work);
}
