/* `kernelfs`: min over a >= 0 of sum_m max(0, n - Z_m'a) + lambda sum_i a_i + lambda2 |D a|^2,
 * where Z measures the agreement of each feature's kernel with the classes. Z is built once;
 * docs/kernels.md derives the dual, the certificate and the predictions. */
#include "solve/kernel/kernelfs.h"

#include "base/memory.h"
#include "data/source/sum_map.h"
#include "model/model.h"
#include "solve/common/screen_log.h"
#include "solve/registry.h"

#include <math.h>
#include <string.h>

static void finish(void *work)
{
    kernelfs *s = work;
    alignment_clear(&s->of);
    tm_graph_unref(s->graph);
    free(s->terms.starts);
    free(s->terms.terms);
    free(s->set.list);
    free(s->set.in);
    free(s->average.mean_slope);
    free(s->average.visits);
    free(s->average.order);
    free(s->a);
    free(s->alpha);
    free(s);
}

/* ---- making -------------------------------------------------------------------------------- */

static tm_status allocate(kernelfs *s, tm_error *err)
{
    size_t n = s->of.n, p = s->of.p;
    s->a = mem_zeros(5 * p, sizeof *s->a);
    s->alpha = mem_zeros(2 * n, sizeof *s->alpha);
    s->set.list = mem_array(p, sizeof *s->set.list);
    s->set.in = mem_zeros(p, sizeof *s->set.in);
    if (s->averages) {
        s->average.mean_slope = mem_zeros(3 * p, sizeof *s->average.mean_slope);
        s->average.visits = mem_zeros(n, sizeof *s->average.visits);
        s->average.order = mem_array(n, sizeof *s->average.order);
    }
    if (!s->a || !s->alpha || !s->set.list || !s->set.in ||
        (s->averages && (!s->average.mean_slope || !s->average.visits || !s->average.order)) ||
        !feature_terms_make(&s->terms, s->graph))
        return tm_fail_memory(err, "the solver");
    s->flow = s->a + p;
    s->q = s->flow + p;
    s->sums = s->q + p;
    s->products = s->sums + p;
    s->z = s->alpha + n;
    if (s->averages) {
        s->average.mean_a = s->average.mean_slope + p;
        s->average.slope = s->average.mean_a + p;
    }
    return TM_OK;
}

/* At a = 0 all hinge losses are active, and alpha = 1 is the dual point. */
static void find_null(kernelfs *s)
{
    for (size_t m = 0; m < s->of.n; m++)
        s->alpha[m] = 1;
    alignment_products(&s->of, s->alpha, s->sums);
    s->lambda_max = 0;
    for (size_t i = 0; i < s->of.p; i++)
        s->lambda_max = fmax(s->lambda_max, s->sums[i]);
}

static tm_status prepare(kernelfs *s, const tm_dataset *data, const tm_params *params,
                         solve_progress *progress, tm_error *err)
{
    const alignment_spec spec = {.sigma = tm_params_real(params, "sigma"),
                                 .most = 1e6 * tm_params_real(params, "memory"),
                                 .by_samples = s->averages,
                                 .team = progress->team,
                                 .cancel = progress->monitor.cancel};
    if (!tm_dataset_is_binary(data))
        return tm_fail(err, TM_EDATA,
                       "%s: kernelfs needs a response of two classes; for numbers there is "
                       "hsiclasso",
                       tm_dataset_name(data));
    tm_status status = tm_graph_parse(&s->graph, tm_params_text(params, "graph"), data, err);
    if (status != TM_OK || (status = alignment_make(&s->of, data, &spec, err)) != TM_OK ||
        (status = allocate(s, err)) != TM_OK)
        return status;
    progress->columns += 2 * tm_dataset_cols(data);
    find_null(s);
    return TM_OK;
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    kernelfs *s = calloc(1, sizeof *s);
    *work = NULL;
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->data = data;
    s->averages = tm_params_choice(params, "solver") == KERNELFS_AVERAGING;
    s->average.seed = (uint64_t)tm_params_int(params, "seed");
    return method_made(work, s, finish, prepare(s, data, params, progress, err));
}

/* lambda2_ratio 1: the penalty term of one feature's weight alone costs as much as all hinge losses
 * together, when that weight alone brings their mean margin to n. */
static double natural_lambda2(const kernelfs *s)
{
    double n = (double)s->of.n;
    return s->lambda_max / n * (s->lambda_max / n);
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    kernelfs *s = work;
    (void)err;
    s->problem.of = &s->of;
    s->problem.graph = s->graph;
    s->problem.lambda2 = tm_params_has(params, "lambda2")
                             ? tm_params_real(params, "lambda2")
                             : tm_params_real(params, "lambda2_ratio") * natural_lambda2(s);
    s->average.multiple = tm_params_real(params, "gamma");
    s->warm = tm_params_bool(params, "warm");
    s->max_rounds = (uint64_t)tm_params_int(params, "max_iter");
    return TM_OK;
}

static void set_lambda(void *work, double lambda)
{
    ((kernelfs *)work)->problem.lambda = lambda;
}

/* ---- solving ------------------------------------------------------------------------------- */

static void warm(void *work, const tm_model *model)
{
    kernelfs *s = work;
    for (size_t i = 0; i < s->of.p; i++)
        s->a[i] = fmax(tm_model_weight(model, i), 0);
    s->solved = true;
}

/* Starts from the features of the previous answer. Its weights may be worse than zero, so that the
 * first products are computed at 0. */
static void begin(void *work)
{
    kernelfs *s = work;
    s->rounds = 0;
    s->set.count = 0;
    s->set.target = INFINITY;
    for (size_t i = 0; i < s->of.p; i++) {
        s->set.in[i] = s->warm && s->solved && s->a[i] > 0;
        s->set.count += s->set.in[i];
    }
    memset(s->a, 0, s->of.p * sizeof *s->a);
    memset(s->flow, 0, s->of.p * sizeof *s->flow);
    for (size_t m = 0; m < s->of.n; m++)
        s->alpha[m] = 1;
    if (s->averages)
        kernelfs_average_begin(s);
}

double kernelfs_gap(kernelfs *s, size_t active, solve_progress *progress)
{
    alignment_margins(&s->of, s->a, s->z);
    double primal = alignment_primal(&s->problem, s->a, s->z);
    memset(s->q, 0, s->of.p * sizeof *s->q);
    double squares = s->problem.lambda2 * alignment_add_slopes(&s->problem, s->flow, s->q);
    alignment_products(&s->of, s->alpha, s->products);
    progress->columns += s->of.p;
    for (size_t i = 0; i < s->of.p; i++)
        s->q[i] = s->products[i] - s->q[i];
    double dual = alignment_bound(&s->problem, s->alpha, s->q, squares);
    progress_emit(progress, TM_EVENT_CHECK, primal, dual, primal - dual, active, s->of.p);
    progress_work(progress, (uint64_t)s->of.n * s->of.p);
    return primal - dual;
}

/* Predictions are b + sum_i a_i (G_i y~)(x), without subtracting the means over the samples. */
static double find_intercept(const kernelfs *s)
{
    double b = 0;
    for (size_t i = 0; i < s->of.p; i++)
        b -= s->a[i] * s->of.mean[i];
    return b;
}

/* What a point of a path begins with: the set, or all features where there is none. */
static void log_start(const kernelfs *s, solve_progress *progress)
{
    if (!screen_log_wanted(progress) || (!s->averages && s->set.count == 0))
        return;
    tm_screen_step step =
        screen_log_step(s->averages ? "all features" : "the last answer's features",
                        s->averages ? s->of.p : s->set.count);
    screen_log_begin(progress, &step);
    for (size_t i = 0; i < s->of.p; i++)
        if (s->averages || s->set.in[i])
            screen_log_feature(progress, i, NAN, TM_SCREEN_STARTED);
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    kernelfs *s = work;
    kernelfs_end end = {0};
    progress->lambda = s->problem.lambda;
    if (s->rounds == 0)
        log_start(s, progress);
    tm_status status = s->averages ? kernelfs_average(s, target, progress, &end, err)
                                   : kernelfs_exact(s, target, progress, &end, err);
    if (status != TM_OK)
        return status;
    s->solved = true;
    *answer = (solve_answer){
        .converged = end.converged,
        .stalled = end.stalled || s->rounds >= s->max_rounds,
        .stop = s->rounds >= s->max_rounds ? TM_STOP_ITER : TM_STOP_NONE,
        .weights = s->a,
        .intercept = find_intercept(s),
        .problem = {.lambda = s->problem.lambda},
        .active = s->averages ? s->of.p : s->set.count,
        .epochs = s->rounds,
    };
    return TM_OK;
}

/* The products with the dual point of the answer, relative to lambda. */
static void log_certificate(const kernelfs *s, size_t active, const tm_certificate *certificate,
                            solve_progress *progress)
{
    tm_screen_step step = screen_log_step("the certificate: every feature at the answer", active);
    step.primal = certificate->primal;
    step.dual = certificate->dual;
    step.gap = certificate->gap;
    screen_log_begin(progress, &step);
    for (size_t i = 0; i < s->of.p && screen_log_wanted(progress); i++)
        screen_log_feature(progress, i, s->q[i] / s->problem.lambda, TM_SCREEN_KEPT);
}

static tm_status certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    kernelfs *s = work;
    alignment_claim claim = {answer->weights, s->alpha, s->flow};
    progress->columns += 2 * s->of.p;
    tm_status status = certificate_alignment(certificate, &s->problem, &claim, err);
    if (status == TM_OK)
        log_certificate(s, answer->active, certificate, progress);
    return status;
}

/* ---- the model ----------------------------------------------------------------------------- */

/* The chosen features' columns, `count` of them. */
static double *chosen_values(const kernelfs *s, const size_t *columns, size_t count)
{
    size_t cells;
    bool fits = !__builtin_mul_overflow(s->of.n, count, &cells);
    double *values = fits ? mem_array(cells, sizeof *values) : NULL;
    for (size_t k = 0; values && k < count; k++)
        tm_matrix_column(tm_dataset_x(s->data), columns[k], values + k * s->of.n);
    return values;
}

static tm_status make_model(void *work, const solve_answer *answer, tm_model **out, tm_error *err)
{
    kernelfs *s = work;
    size_t count = 0;
    tm_map *map = NULL;
    size_t *columns = mem_array(s->of.p, sizeof *columns);
    uint64_t *features = mem_array(s->of.p, sizeof *features);
    double *rates = mem_array(s->of.p, sizeof *rates),
           *weights = mem_array(s->of.p, sizeof *weights);
    double *values = NULL;
    *out = NULL;
    tm_status status = TM_OK;
    for (size_t i = 0; columns && features && rates && weights && i < s->of.p; i++) {
        if (answer->weights[i] == 0)
            continue;
        columns[count] = i;
        features[count] = i;
        rates[count] = s->of.rate[i];
        weights[count++] = answer->weights[i];
    }
    if (!columns || !features || !rates || !weights || !(values = chosen_values(s, columns, count)))
        status = tm_fail_memory(err, "a model");
    if (status == TM_OK) {
        const sum_map_parts parts = {s->of.p, s->of.n, s->of.y, count, columns, rates, values};
        status = map_new_sums(&map, &parts, err);
    }
    if (status == TM_OK) {
        const tm_model_parts parts = {map,      "kernelfs", s->problem.lambda, count,
                                      features, weights,    answer->intercept};
        status = tm_model_new_features(out, s->data, &parts, err);
    }
    tm_map_unref(map);
    free(columns);
    free(features);
    free(rates);
    free(weights);
    free(values);
    return status;
}

static double lambda_max(const void *work)
{
    return ((const kernelfs *)work)->lambda_max;
}

static double null_objective(const void *work)
{
    const kernelfs *s = work;
    return (double)s->of.n * (double)s->of.n;
}

const method_ops kernelfs_ops = {LAMBDA_OPS, .certify = certify, .model = make_model};
