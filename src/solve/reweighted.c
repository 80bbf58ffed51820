/* Reweighted l1 (Candes, Wakin, Boyd 2008): the l1 problem is solved several times, each with
 * penalty factors from the previous answer,
 *
 *     f_j = epsilon / (|w_j| + epsilon),
 *
 * so that large weights are penalised less than small ones, and zeros as in the first problem. This
 * lowers sum_i l + lambda epsilon sum_j log(1 + |w_j| / epsilon) from round to round, which is not
 * convex; what is certified is the last l1 problem. The l1 methods do the work. */
#include "solve/registry.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "solve/common/standardise.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reweighted {
    tm_dataset *data;
    const tm_method *method; /* the l1 method of the loss */
    const char *loss;
    bool intercept;
    tm_params *params; /* its parameters; lambda and factors are set for each round */
    double *scales;    /* p: standardisation scale of each factor; NULL: 1 */
    double *factors;   /* p: f_j of the last round */
    double *scaled;    /* p: f_j times the scale, as the certificate needs it */
    double *w;         /* p */
    double b;
    double lambda, epsilon;
    long rounds;
    double lambda_max, null_objective;
    size_t active;
    bool solved; /* w is an answer at this lambda; further solves only make it more accurate */
} reweighted;

static void finish(void *work)
{
    reweighted *s = work;
    tm_dataset_unref(s->data);
    tm_params_free(s->params);
    free(s->scales);
    free(s->factors);
    free(s->scaled);
    free(s->w);
    free(s);
}

/* Copies the parameters that the inner method has under the same name. */
static tm_status copy_params(tm_params *to, const tm_params *from, tm_error *err)
{
    for (size_t i = 0; i < tm_params_count(to); i++) {
        const char *name = tm_params_info(to, i)->name;
        char text[128];
        bool own = strcmp(name, "lambda") == 0 || strcmp(name, "debias") == 0;
        if (own || !tm_params_find(from, name, NULL) || !tm_params_given(from, name))
            continue;
        tm_params_format(from, name, text, sizeof text);
        tm_status status = tm_params_set_text(to, name, text, err);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

/* Computes lambda_max and the null objective, which are those of the first round. */
static tm_status find_null(reweighted *s, solve_progress *progress, tm_error *err)
{
    tm_problem problem = {.loss = s->loss, .intercept = s->intercept, .factors = s->scales};
    progress->columns += tm_dataset_cols(s->data);
    return tm_lambda_max(&s->lambda_max, &s->null_objective, s->data, &problem, err);
}

static tm_status prepare(reweighted *s, const tm_params *params, solve_progress *progress,
                         tm_error *err)
{
    size_t p = tm_dataset_cols(s->data);
    bool standardize = tm_params_bool(params, "standardize");
    s->factors = mem_array(p, sizeof *s->factors);
    s->scaled = mem_array(p, sizeof *s->scaled);
    s->w = mem_zeros(p, sizeof *s->w);
    s->scales = standardize ? standard_factors(s->data, s->intercept) : NULL;
    if (!s->factors || !s->scaled || !s->w || (standardize && !s->scales))
        return tm_fail_memory(err, "the solver");
    const loss *l = loss_find(tm_params_text(params, "loss"), err);
    if (!l)
        return TM_EUSAGE;
    s->loss = l->id;
    s->method = registry_l1_method(l);
    if (!s->method)
        return tm_fail(err, TM_EUSAGE, "no l1 method has the loss %s", l->id);
    tm_status status = tm_method_params_new(&s->params, s->method, err);
    if (status == TM_OK)
        status = copy_params(s->params, params, err);
    return status == TM_OK ? find_null(s, progress, err) : status;
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    reweighted *s = calloc(1, sizeof *s);
    *work = NULL;
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->data = tm_dataset_ref(data);
    s->intercept = tm_params_bool(params, "intercept");
    tm_status status = prepare(s, params, progress, err);
    return method_made(work, s, finish, status);
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    reweighted *s = work;
    s->epsilon = tm_params_real(params, "epsilon");
    s->rounds = tm_params_int(params, "rounds");
    return copy_params(s->params, params, err);
}

static void set_lambda(void *work, double lambda)
{
    ((reweighted *)work)->lambda = lambda;
}

static void warm(void *work, const tm_model *model)
{
    reweighted *s = work;
    for (size_t j = 0; j < tm_dataset_cols(s->data); j++)
        s->w[j] = tm_model_weight(model, j);
    s->b = tm_model_intercept(model);
}

static void begin(void *work)
{
    ((reweighted *)work)->solved = false;
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

/* Forwards events of the inner run, with the outer run's counters. */
typedef struct relay {
    solve_progress *progress;
    uint64_t columns, updates;
} relay;

static void pass_on(const tm_event *event, void *payload)
{
    relay *r = payload;
    r->progress->columns = r->columns + event->columns;
    r->progress->updates = r->updates + event->updates;
    if (event->kind != TM_EVENT_POINT)
        progress_emit(r->progress, event->kind, event->primal, event->dual, event->gap,
                      event->active, event->active + event->screened);
}

static double scale_of(const reweighted *s, size_t j)
{
    return s->scales ? s->scales[j] : 1;
}

static void find_factors(reweighted *s, bool first)
{
    for (size_t j = 0; j < tm_dataset_cols(s->data); j++) {
        double size = first ? 0 : fabs(s->w[j]) * scale_of(s, j);
        s->factors[j] = s->epsilon / (size + s->epsilon);
        s->scaled[j] = s->factors[j] * scale_of(s, j);
    }
}

static tm_status start_from(reweighted *s, tm_solver *solver, tm_error *err)
{
    tm_model *model;
    tm_status status =
        tm_model_new(&model, s->data, tm_method_id(s->method), s->lambda, s->w, s->b, err);
    if (status == TM_OK)
        status = tm_solver_warm(solver, model, err);
    tm_model_unref(model);
    return status;
}

static void keep(reweighted *s, const tm_solution *solution)
{
    for (size_t j = 0; j < tm_dataset_cols(s->data); j++)
        s->w[j] = tm_model_weight(solution->model, j);
    s->b = tm_model_intercept(solution->model);
    s->active = solution->active;
}

static tm_status set_round(reweighted *s, solve_progress *progress, double tol, tm_error *err)
{
    tm_vector factors = {tm_dataset_cols(s->data), s->factors, NULL};
    tm_status status = tm_params_set_vector(s->params, "factors", &factors, err);
    if (status == TM_OK)
        status = tm_params_set_real(s->params, "lambda", s->lambda, err);
    if (status == TM_OK)
        status = tm_params_set_real(s->params, "tol", tol, err);
    double left = progress->deadline - progress_time(progress);
    if (status == TM_OK && isfinite(left))
        status = tm_params_set_real(s->params, "max_seconds", fmax(left, LEAST_SECONDS), err);
    return status;
}

/* One l1 problem with the present factors, from the present weights. */
static tm_status solve_round(reweighted *s, solve_progress *progress, double tol, solve_answer *end,
                             tm_error *err)
{
    relay outer = {progress, progress->columns, progress->updates};
    tm_monitor monitor = {.cancel = progress->monitor.cancel, .event = pass_on, .payload = &outer};
    tm_solution solution = TM_SOLUTION_INIT;
    tm_solver *solver = NULL;
    tm_status status = set_round(s, progress, tol, err);
    if (status == TM_OK)
        status = tm_solver_new(&solver, s->method, s->data, s->params, &monitor, err);
    if (status == TM_OK)
        status = tm_solver_update(solver, s->params, err);
    if (status == TM_OK)
        status = start_from(s, solver, err);
    if (status == TM_OK)
        status = tm_solver_solve(solver, &solution, err);
    if (status == TM_OK) {
        keep(s, &solution);
        end->converged = solution.outcome == TM_CONVERGED;
        end->stop = solution.stop;
        progress->cancelled = solution.outcome == TM_CANCELLED;
        progress->stopped = progress->cancelled || progress_time(progress) > progress->deadline;
        progress->columns = outer.columns + solution.columns;
        progress->updates = outer.updates + solution.updates;
    }
    tm_solution_clear(&solution);
    tm_solver_free(solver);
    return status;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    reweighted *s = work;
    solve_answer end = {0};
    double tol = s->null_objective > 0 ? target / s->null_objective : 1;
    progress->lambda = s->lambda;
    tm_status status = TM_OK;
    /* When called again, only the last problem is solved, more accurately. */
    for (long round = s->solved ? s->rounds : 1; status == TM_OK && round <= s->rounds; round++) {
        if (!s->solved)
            find_factors(s, round == 1);
        double share = round < s->rounds ? BEFORE_SHARE : 1;
        status = solve_round(s, progress, fmin(share * tol, 1), &end, err);
        if (!end.converged || progress->stopped)
            break;
    }
    if (status != TM_OK)
        return status;
    s->solved = true;
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = !end.converged,
        .stop = end.stop,
        .weights = s->w,
        .intercept = s->b,
        .problem = {.loss = s->loss,
                    .lambda = s->lambda,
                    .intercept = s->intercept,
                    .factors = s->scaled},
        .active = s->active,
    };
    return TM_OK;
}

static double lambda_max(const void *work)
{
    return ((const reweighted *)work)->lambda_max;
}

static double null_objective(const void *work)
{
    return ((const reweighted *)work)->null_objective;
}

const method_ops reweighted_ops = {LAMBDA_OPS};

/* ---- parameters ---------------------------------------------------------------------------- */

static const tm_param_info reweighted_list[] = {
    LOSS_PARAM("logistic"),
    LAMBDA_PARAMS,
    {.name = "rounds",
     .type = TM_PARAM_INT,
     .fallback = "4",
     .min = 1,
     .max = 1000,
     .help = "l1 problems for one lambda, the first of which has all factors 1"},
    {.name = "epsilon",
     .type = TM_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 1e12,
     .unit = "weights",
     .help = "weights much smaller than this are penalised in full, larger ones less",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},
    COMMON_PARAMS,
    DEBIAS_PARAM,
};

const param_table reweighted_parameters = PARAM_TABLE(reweighted_list);
