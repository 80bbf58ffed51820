/* UFO-MKL (Orabona and Luo 2011, algorithm 1): online learning with groups as kernels.
 *
 * Samples are processed one by one; the subgradients of their losses are summed, and the weights
 * minimise the sum and the penalty together,
 *
 *     w = argmin  theta-bar' w + (t/n) lambda R(w),   theta-bar = sum of subgradients,
 *
 * which has a closed form for the mixed norm. Every epoch processes all samples in random order:
 * after E epochs the mean of each sample's subgradients is a dual variable, and w are the optimal
 * weights for these dual variables. They give the certificate, which the paper does not have. */
#include "model/certificate/mixed.h"
#include "solve/group/tuning.h"
#include "solve/registry.h"

#include "base/memory.h"
#include "data/matrix/row_copy.h"
#include "model/loss/losses.h"
#include "solve/common/products.h"
#include "solve/common/response.h"
#include "solve/common/standardise.h"
#include "tamis/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ufomkl_problem {
    tm_dataset *data;
    row_copy rows;
    size_t n, p;
    mixed_norm penalty;
    margin_loss loss;
    double lambda_max, null_objective;
    uint64_t seed;
} ufomkl_problem;

typedef struct ufomkl {
    ufomkl_problem problem;
    double lambda;
    uint64_t max_iter, epochs;
    uint64_t rounds;        /* complete rounds over the samples contained in theta and sums */
    bool begins;            /* theta and sums come from an initial model */
    double *theta;          /* p: minus the sum of the subgradients */
    double *sums;           /* n: sum of each sample's subgradients, in units of its row */
    double *w;              /* p: the iterate */
    double *weights, *dual; /* p and n: the answer at the end of an epoch */
    size_t *order;          /* n */
    tm_rng rng;
} ufomkl;

static void finish(void *work)
{
    ufomkl *s = work;
    tm_dataset_unref(s->problem.data);
    row_copy_clear(&s->problem.rows);
    mixed_norm_clear(&s->problem.penalty);
    free(s->theta);
    free(s->sums);
    free(s->w);
    free(s->weights);
    free(s->dual);
    free(s->order);
    free(s);
}

/* ---- construction -------------------------------------------------------------------------- */

static bool allocate(ufomkl *s)
{
    size_t n = s->problem.n, p = s->problem.p;
    s->theta = mem_zeros(p, sizeof *s->theta);
    s->sums = mem_zeros(n, sizeof *s->sums);
    s->w = mem_zeros(p, sizeof *s->w);
    s->weights = mem_zeros(p, sizeof *s->weights);
    s->dual = mem_zeros(n, sizeof *s->dual);
    s->order = mem_array(n, sizeof *s->order);
    return s->theta && s->sums && s->w && s->weights && s->dual && s->order;
}

static tm_status make_penalty(ufomkl *s, const tm_params *params, tm_error *err)
{
    tm_groups *groups;
    double *factors = NULL;
    tm_status status =
        tm_groups_parse(&groups, tm_params_text(params, "groups"), s->problem.data, err);
    if (status != TM_OK)
        return status;
    if (tm_params_bool(params, "standardize")) {
        factors = standard_factors(s->problem.data, false);
        status = factors ? TM_OK : tm_fail_memory(err, "the solver");
    }
    if (status == TM_OK)
        status = mixed_norm_init(&s->problem.penalty, groups, factors, err);
    tm_groups_unref(groups);
    return status;
}

/* Computes the model without weights: its objective, and the least lambda at which it is
 * optimal. */
static tm_status find_null(ufomkl *s, solve_progress *progress, tm_error *err)
{
    const double *y = tm_dataset_y(s->problem.data);
    for (size_t i = 0; i < s->problem.n; i++) {
        s->problem.null_objective += s->problem.loss.value(y[i], 0);
        s->dual[i] = -s->problem.loss.slope(y[i], 0);
    }
    if (!products_uncentred(tm_dataset_x(s->problem.data), s->dual, s->theta, progress))
        return tm_fail(err, TM_ECANCELLED, "cancelled while computing lambda_max");
    double greatest = mixed_norm_greatest(&s->problem.penalty, s->theta);
    s->problem.lambda_max = greatest / s->problem.penalty.alpha;
    return TM_OK;
}

static tm_status prepare(ufomkl *s, const tm_params *params, solve_progress *progress,
                         tm_error *err)
{
    ufomkl_problem *q = &s->problem;
    q->loss = margin_loss_of(tm_params_text(params, "loss"));
    q->seed = (uint64_t)tm_params_int(params, "seed");
    tm_status status = response_check(q->data, &loss_logistic, err);
    if (status == TM_OK)
        status = make_penalty(s, params, err);
    if (status == TM_OK && !allocate(s))
        status = tm_fail_memory(err, "the solver");
    if (status == TM_OK)
        status = row_copy_make(&q->rows, tm_dataset_x(q->data), err);
    if (status != TM_OK)
        return status;
    q->penalty.alpha = tm_params_real(params, "alpha");
    q->penalty.q =
        tm_params_has(params, "q") ? tm_params_real(params, "q") : mixed_norm_usual_q(&q->penalty);
    return find_null(s, progress, err);
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    ufomkl *s = *work = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->problem = (ufomkl_problem){
        .data = tm_dataset_ref(data), .n = tm_dataset_rows(data), .p = tm_dataset_cols(data)};
    return method_made(work, s, finish, prepare(s, params, progress, err));
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    (void)err;
    ((ufomkl *)work)->max_iter = (uint64_t)tm_params_int(params, "max_iter");
    return TM_OK;
}

static void set_lambda(void *work, double lambda)
{
    ((ufomkl *)work)->lambda = lambda;
}

/* The subgradients at the model's predictions replace a first epoch. */
static void warm(void *work, const tm_model *model)
{
    ufomkl *s = work;
    const tm_matrix *x = tm_dataset_x(s->problem.data);
    const double *y = tm_dataset_y(s->problem.data);
    if (tm_model_predict(model, x, s->dual, NULL) != TM_OK)
        return;
    for (size_t i = 0; i < s->problem.n; i++)
        s->sums[i] = -s->problem.loss.slope(y[i], s->dual[i]);
    for (size_t j = 0; j < s->problem.p; j++)
        s->theta[j] = tm_matrix_dot(x, j, s->sums);
    s->begins = true;
}

static void begin(void *work)
{
    ufomkl *s = work;
    s->epochs = 0;
    s->rounds = s->begins;
    tm_rng_seed(&s->rng, s->problem.seed); /* the same sequence of orders for every lambda */
    memset(s->w, 0, s->problem.p * sizeof *s->w);
    if (!s->begins) {
        memset(s->theta, 0, s->problem.p * sizeof *s->theta);
        memset(s->sums, 0, s->problem.n * sizeof *s->sums);
    }
    s->begins = false;
}

/* ---- solving ------------------------------------------------------------------------------- */

/* Computes the iterate from the sum of the subgradients of `rounds` rounds over all samples. */
static void find_weights(ufomkl *s, double rounds)
{
    mixed_norm_maximiser(&s->problem.penalty, s->theta, rounds * s->lambda, s->w);
}

static void take_sample(ufomkl *s, size_t i)
{
    const double *values;
    const uint32_t *columns;
    size_t count = row_copy_row(&s->problem.rows, i, &values, &columns);
    double z = 0;
    for (size_t k = 0; k < count; k++)
        z += values[k] * s->w[columns ? columns[k] : k];
    double a = -s->problem.loss.slope(tm_dataset_y(s->problem.data)[i], z);
    if (a == 0)
        return;
    s->sums[i] += a;
    for (size_t k = 0; k < count; k++)
        s->theta[columns ? columns[k] : k] += a * values[k];
}

/* Stores the point at the end of an epoch as the answer so far. */
static void keep(ufomkl *s)
{
    memcpy(s->weights, s->w, s->problem.p * sizeof *s->w);
    for (size_t i = 0; i < s->problem.n; i++)
        s->dual[i] = s->rounds > 0 ? s->sums[i] / (double)s->rounds : 0;
}

/* Returns false when the run must stop. */
static bool epoch(ufomkl *s, solve_progress *progress)
{
    size_t n = s->problem.n;
    tm_rng_permutation(&s->rng, s->order, n);
    for (size_t k = 0; k < n; k++) {
        take_sample(s, s->order[k]);
        find_weights(s, (double)s->rounds + (double)(k + 1) / (double)n);
        progress->updates++;
        if (progress_work(progress, 8 * s->problem.p))
            return false;
    }
    progress->columns += 2 * s->problem.p; /* every row is read twice */
    s->epochs++;
    s->rounds++;
    keep(s);
    return true;
}

static tm_status find_certificate(ufomkl *s, solve_progress *progress, tm_certificate *out,
                                  tm_error *err)
{
    mixed_problem problem = {s->problem.loss, s->lambda, &s->problem.penalty};
    data_pass pass = {s->problem.data, progress->team, progress->monitor.cancel};
    progress->columns += 2 * s->problem.p;
    return certificate_mixed(out, &problem, s->weights, s->dual, &pass, err);
}

static tm_status descend(ufomkl *s, solve_progress *progress, double target, bool *converged,
                         tm_error *err)
{
    uint64_t next = s->epochs; /* the epoch after which to compute a certificate */
    for (;;) {
        if (s->epochs >= next || s->epochs >= s->max_iter) {
            tm_certificate c;
            tm_status status = find_certificate(s, progress, &c, err);
            if (status != TM_OK)
                return status;
            progress_emit(progress, TM_EVENT_CHECK, c.primal, c.dual, c.gap, s->problem.p,
                          s->problem.p);
            *converged = c.gap <= target;
            next = s->epochs + 1 + (uint64_t)(UFO_LOOKS * (double)s->epochs);
        }
        if (*converged || s->epochs >= s->max_iter || !epoch(s, progress))
            return TM_OK;
    }
}

/* For lambda >= lambda_max the answer has no weights. */
static void take_null_model(ufomkl *s)
{
    const double *y = tm_dataset_y(s->problem.data);
    memset(s->weights, 0, s->problem.p * sizeof *s->weights);
    for (size_t i = 0; i < s->problem.n; i++)
        s->dual[i] = -s->problem.loss.slope(y[i], 0);
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    ufomkl *s = work;
    bool converged = s->lambda >= s->problem.lambda_max;
    tm_status status = TM_OK;
    progress->lambda = s->lambda;
    if (converged) {
        take_null_model(s);
    } else {
        if (s->epochs == 0) {
            if (s->rounds > 0)
                find_weights(s, (double)s->rounds);
            keep(s);
        }
        status = descend(s, progress, target, &converged, err);
    }
    *answer = (solve_answer){.converged = converged,
                             .stalled = s->epochs >= s->max_iter,
                             .stop = s->epochs >= s->max_iter ? TM_STOP_ITER : TM_STOP_NONE,
                             .weights = s->weights,
                             .problem = {.lambda = s->lambda},
                             .active = s->problem.p,
                             .epochs = s->epochs};
    return status;
}

static tm_status certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    (void)answer; /* the stored weights are the answer's */
    return find_certificate(work, progress, certificate, err);
}

static double lambda_max(const void *work)
{
    return ((const ufomkl *)work)->problem.lambda_max;
}

static double null_objective(const void *work)
{
    return ((const ufomkl *)work)->problem.null_objective;
}

const method_ops ufomkl_ops = {LAMBDA_OPS, .certify = certify};
