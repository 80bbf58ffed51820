/* The group lasso as a method: reads the parameters, chooses the solver, returns the answer. */
#include "solve/common/method.h"
#include "solve/common/standardise.h"
#include "solve/group/model.h"
#include "solve/group/solve.h"
#include "solve/registry.h"

#include "base/memory.h"
#include "model/certificate/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

static tm_status make_penalty(tm_group_penalty **out, const tm_dataset *data,
                              const tm_params *params, tm_error *err)
{
    tm_groups *groups;
    bool by_size = strcmp(tm_params_text(params, "group_weights"), "sqrt") == 0;
    bool nested = strcmp(tm_params_text(params, "overlap"), "nested") == 0;
    *out = NULL;
    tm_status status = tm_groups_parse(&groups, tm_params_text(params, "groups"), data, err);
    if (status == TM_OK)
        status = tm_group_penalty_new(out, groups, by_size, nested, err);
    tm_groups_unref(groups);
    return status;
}

static void finish(void *work)
{
    group_state *s = work;
    if (s)
        group_model_free(s->model, s);
    group_state_free(s);
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    tm_group_penalty *penalty;
    group_state *s;
    *work = NULL;
    bool intercept = tm_params_bool(params, "intercept");
    bool standardize = tm_params_bool(params, "standardize");
    tm_status status = make_penalty(&penalty, data, params, err);
    if (status != TM_OK)
        return status;
    double *factors = standardize ? standard_factors(data, intercept) : NULL;
    if (standardize && !factors) {
        tm_group_penalty_free(penalty);
        return tm_fail_memory(err, "the solver");
    }
    group_terms terms = {loss_find(tm_params_text(params, "loss"), NULL), intercept, penalty,
                         factors};
    status = group_state_new(&s, data, &terms, progress, err);
    if (status == TM_OK && !group_model_new(&s->model, s)) {
        finish(s);
        return tm_fail_memory(err, "the solver");
    }
    *work = s;
    return status;
}

static group_solver solver_of(const char *name)
{
    static const char *const names[] = {
        [GROUP_AUTO] = "auto", [GROUP_FISTA] = "fista", [GROUP_BCD] = "bcd"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(names[k], name) == 0)
            return (group_solver)k;
    return GROUP_ACTIVE;
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    group_state *s = work;
    (void)err;
    s->settings.solver = solver_of(tm_params_text(params, "solver"));
    s->settings.warm = tm_params_bool(params, "warm");
    s->settings.max_iter = tm_params_int(params, "max_iter");
    s->settings.check_every = tm_params_int(params, "check_every");
    return TM_OK;
}

static void set_lambda(void *work, double lambda)
{
    ((group_state *)work)->lambda = lambda;
}

/* ---- solving --------------------------------------------------------------------------------- */

/* A feature's weight is divided equally among its members. */
static void warm(void *work, const tm_model *model)
{
    group_state *s = work;
    size_t members = s->problem.penalty->members;
    s->solved_lambda = NAN;

    memset(s->w, 0, s->problem.p * sizeof *s->w);
    for (size_t m = 0; m < members; m++)
        s->w[s->problem.features[m]] += 1;
    for (size_t m = 0; m < members; m++) {
        double weight = tm_model_weight(model, s->problem.features[m]);
        s->u[m] = s->problem.scale[m] > 0
                      ? weight / s->w[s->problem.features[m]] / s->problem.scale[m]
                      : 0;
    }
    group_state_refresh(s);
}

static void begin(void *work)
{
    group_state *s = work;
    s->epochs = 0;
    s->set.round = 0;
    if (!s->settings.warm) {
        group_state_reset(s);
        s->solved_lambda = s->null.lambda_max;
    }
}

/* At lambda >= lambda_max the null model is optimal and nothing needs solving. */
static tm_status solve_by(group_state *s, solve_progress *progress, double target, group_end *end,
                          tm_error *err)
{
    if (s->lambda >= s->null.lambda_max) {
        group_state_reset(s);
        s->set.count = 0;
        end->converged = true;
        return TM_OK;
    }
    if (s->settings.solver == GROUP_FISTA)
        return group_solve_fista(s, progress, target, end, err);
    if (s->settings.solver == GROUP_BCD)
        return group_solve_bcd(s, progress, target, end, err);
    return group_solve_active(s, progress, target, end, err);
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    group_state *s = work;
    group_end end = {false, false};
    progress->lambda = s->lambda;
    tm_status status = solve_by(s, progress, target, &end, err);
    if (status != TM_OK)
        return status;
    group_state_refresh(s); /* a stopped run may have changed u since b was computed */
    if (!group_state_is_finite(s)) {
        group_state_reset(s); /* rounding error dominates */
        group_state_weights(s);
        end = (group_end){.converged = false, .stalled = true};
    }
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = end.stalled || s->epochs >= s->settings.max_iter,
        .stop = s->epochs >= s->settings.max_iter ? TM_STOP_ITER : TM_STOP_NONE,
        .weights = s->w,
        .intercept = s->b,
        .problem = {.loss = s->problem.loss->id,
                    .lambda = s->lambda,
                    .intercept = s->problem.intercept,
                    .factors = s->problem.factors,
                    .groups = s->problem.penalty},
        .features = s->problem.penalty->members,
        .active = group_working_members(s),
    };
    return TM_OK;
}

static bool needs_certificate(const void *work)
{
    const group_state *s = work;
    return s->lambda > 0 && s->settings.solver != GROUP_FISTA && s->settings.solver != GROUP_BCD;
}

static const method_batch batch = {.needs_certificate = needs_certificate};

/* tm_certify on the groups' values. The active set grows by the products it computes. */
static tm_status certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    group_state *s = work;
    certificate_item item = {
        .problem = answer->problem, .w = s->v, .b = answer->intercept, .products = s->products};
    data_pass pass = {s->problem.data, progress->team, progress->monitor.cancel};
    tm_status status = certificate_many(&item, 1, &pass, err);
    if (status != TM_OK)
        return status;
    *certificate = item.certificate;
    s->set.goal.whole_gap = certificate->gap;
    s->solved_lambda = s->lambda;
    progress->columns += s->problem.p;
    if (needs_certificate(s))
        progress_emit(progress, TM_EVENT_CHECK, certificate->primal, certificate->dual,
                      certificate->gap, answer->active, answer->features);
    return TM_OK;
}

static double lambda_max(const void *work)
{
    return ((const group_state *)work)->null.lambda_max;
}

static double null_objective(const void *work)
{
    return ((const group_state *)work)->null.objective;
}

const method_ops grouplasso_ops = {LAMBDA_OPS, .batch = &batch, .certify = certify};
