/* Proximal stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2014).
 *
 * The l1 penalty is not strongly convex and the intercept has no penalty, so the problem is solved
 * as a sequence of sub-problems with sum_j k_j (w_j - v_j)^2 / 2 added, where v is extrapolated
 * from the previous answers (the accelerated method of the same paper). Within each, epochs visit
 * the samples in random order, and each sample's dual variable is optimised with the others fixed:
 *
 *     w_j = soft(x_j'a + k_j v_j, lambda f_j) / (lambda g_j + k_j),    b = v_b + sum_i a_i / k_b.
 *
 * k_j is proportional to the mean square of column j, with a factor that balances the step length
 * of a sample against the convergence of the sequence. */
#include "solve/l1/core/tuning.h"
#include "solve/registry.h"

#include "base/memory.h"
#include "base/numeric/soft_threshold.h"
#include "data/matrix/row_copy.h"
#include "model/certificate/certificate.h"
#include "model/loss/residual.h"
#include "model/loss/samples.h"
#include "solve/common/response.h"
#include "solve/common/standardise.h"
#include "tamis/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fixed by init. */
typedef struct sdca_problem {
    tm_dataset *data;
    row_copy rows;
    samples of;
    size_t n, p;
    bool intercept;
    double *factors, *ridge; /* p: f_j, g_j */
    double *spread;          /* p: mean square of the column; 0: it cannot affect the fit */
    double lambda_max, null_objective;
    uint64_t seed;
} sdca_problem;

/* The primal and the dual point of one of the sub-problems. */
typedef struct sdca_point {
    double *w, *before, *centre;  /* p: the point, the previous one, v */
    double *products;             /* p: x_j'a */
    double *a;                    /* n */
    double b, b_before, b_centre; /* for the intercept */
    double sum;                   /* sum of the a_i */
} sdca_point;

typedef struct sdca {
    sdca_problem problem;
    sdca_point at;
    double lambda; /* this and the next two are set by update */
    bool warm;
    long max_iter;
    double *lengths;       /* n: sum_j x_ij^2 / (lambda g_j + k_j) */
    size_t *order;         /* n */
    double added, added_b; /* k_j = added spread_j, k_b */
    double momentum;
    tm_rng rng;
    long epochs;
} sdca;

static void finish(void *work)
{
    sdca *s = work;
    tm_dataset_unref(s->problem.data);
    row_copy_clear(&s->problem.rows);
    free(s->problem.factors);
    free(s->problem.ridge);
    free(s->problem.spread);
    free(s->at.w);
    free(s->at.before);
    free(s->at.centre);
    free(s->at.products);
    free(s->at.a);
    free(s->lengths);
    free(s->order);
    free(s);
}

/* ---- construction
 * ----------------------------------------------------------------------------- */

static bool allocate(sdca *s)
{
    s->problem.factors = mem_array(s->problem.p, sizeof *s->problem.factors);
    s->problem.ridge = mem_array(s->problem.p, sizeof *s->problem.ridge);
    s->problem.spread = mem_array(s->problem.p, sizeof *s->problem.spread);
    s->at.w = mem_zeros(s->problem.p, sizeof *s->at.w);
    s->at.before = mem_zeros(s->problem.p, sizeof *s->at.before);
    s->at.centre = mem_zeros(s->problem.p, sizeof *s->at.centre);
    s->at.products = mem_array(s->problem.p, sizeof *s->at.products);
    s->at.a = mem_array(s->problem.n, sizeof *s->at.a);
    s->lengths = mem_array(s->problem.n, sizeof *s->lengths);
    s->order = mem_array(s->problem.n, sizeof *s->order);
    return s->problem.factors && s->problem.ridge && s->problem.spread && s->at.w && s->at.before &&
           s->at.centre && s->at.products && s->at.a && s->lengths && s->order;
}

static tm_status find_scales(sdca *s, const tm_params *params, tm_error *err)
{
    tm_status status = TM_OK;
    bool standardize = tm_params_bool(params, "standardize");
    double alpha = tm_params_real(params, "alpha");
    double *scales = standardize ? standard_factors(s->problem.data, s->problem.intercept) : NULL;
    double *means = s->at.products; /* overwritten before it is read */
    if ((standardize && !scales) ||
        !standard_columns(s->problem.data, s->problem.intercept, means, s->problem.spread)) {
        status = tm_fail_memory(err, "the solver");
        goto done;
    }
    for (size_t j = 0; j < s->problem.p; j++) {
        double scale = scales ? scales[j] : 1, mean = s->problem.intercept ? means[j] : 0;
        s->problem.factors[j] = alpha * scale;
        s->problem.ridge[j] = (1 - alpha) * scale * scale;
        if (s->problem.spread[j] > 0)
            s->problem.spread[j] = s->problem.spread[j] / s->problem.of.total + mean * mean;
    }
done:
    free(scales);
    return status;
}

static tm_problem problem_of(const sdca *s)
{
    return (tm_problem){.loss = s->problem.of.loss->id,
                        .lambda = s->lambda,
                        .intercept = s->problem.intercept,
                        .factors = s->problem.factors,
                        .ridge = s->problem.ridge};
}

static tm_status prepare(sdca *s, const tm_params *params, solve_progress *progress, tm_error *err)
{
    tm_status status = response_check(s->problem.data, s->problem.of.loss, err);
    if (status == TM_OK && !allocate(s))
        status = tm_fail_memory(err, "the solver");
    if (status == TM_OK)
        status = find_scales(s, params, err);
    if (status == TM_OK)
        status = row_copy_make(&s->problem.rows, tm_dataset_x(s->problem.data), err);
    if (status != TM_OK)
        return status;
    s->lambda = 1;
    tm_problem problem = problem_of(s);
    progress->columns += s->problem.p;
    return tm_lambda_max(&s->problem.lambda_max, &s->problem.null_objective, s->problem.data,
                         &problem, err);
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    sdca *s = calloc(1, sizeof *s);
    *work = NULL;
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->problem.data = tm_dataset_ref(data);
    s->problem.n = tm_dataset_rows(data);
    s->problem.p = tm_dataset_cols(data);
    s->problem.of = samples_of(data, loss_find(tm_params_text(params, "loss"), NULL));
    s->problem.intercept = tm_params_bool(params, "intercept");
    s->problem.seed = (uint64_t)tm_params_int(params, "seed");
    tm_status status = prepare(s, params, progress, err);
    return method_made(work, s, finish, status);
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    sdca *s = work;
    (void)err;
    s->warm = tm_params_bool(params, "warm");
    s->max_iter = tm_params_int(params, "max_iter");
    return TM_OK;
}

static void set_lambda(void *work, double lambda)
{
    ((sdca *)work)->lambda = lambda;
}

static void warm(void *work, const tm_model *model)
{
    sdca *s = work;
    for (size_t j = 0; j < s->problem.p; j++)
        s->at.w[j] = s->problem.spread[j] > 0 ? tm_model_weight(model, j) : 0;
    s->at.b = tm_model_intercept(model);
}

static void begin(void *work)
{
    sdca *s = work;
    s->epochs = 0;
    s->momentum = 1;
    tm_rng_seed(&s->rng, s->problem.seed); /* the same orders for every lambda, so that answers do
                                            * not depend on earlier ones */
    if (!s->warm) {
        memset(s->at.w, 0, s->problem.p * sizeof *s->at.w);
        s->at.b = 0;
    }
}

/* ---- one sub-problem
 * -------------------------------------------------------------------------- */

static double strength(const sdca *s, size_t j)
{
    return s->lambda * s->problem.ridge[j] + s->added * s->problem.spread[j];
}

/* w_j from the products. */
static double weight_of(const sdca *s, size_t j)
{
    if (s->problem.spread[j] == 0)
        return 0;
    double c = s->at.products[j] + s->added * s->problem.spread[j] * s->at.centre[j];
    return soft_threshold(c, s->lambda * s->problem.factors[j]) / strength(s, j);
}

/* Chooses the added term: just large enough that a step on one sample is as long as it may be when
 * all samples step. */
static void choose_added(sdca *s, solve_progress *progress)
{
    double greatest = 1;
    for (size_t i = 0; i < s->problem.n; i++) {
        const double *values;
        const uint32_t *columns;
        double sum = s->problem.intercept;
        size_t count = row_copy_row(&s->problem.rows, i, &values, &columns);
        for (size_t k = 0; k < count; k++) {
            double spread = s->problem.spread[columns ? columns[k] : k];
            sum += spread > 0 ? values[k] * values[k] / spread : 0;
        }
        greatest = fmax(greatest, sum * samples_weight(&s->problem.of, i));
        if (progress_work(progress, count))
            break;
    }
    s->added = s->problem.of.loss->smoothness * greatest / (double)s->problem.n;
    s->added_b = s->added;
}

static void find_lengths(sdca *s, solve_progress *progress)
{
    for (size_t i = 0; i < s->problem.n; i++) {
        const double *values;
        const uint32_t *columns;
        size_t count = row_copy_row(&s->problem.rows, i, &values, &columns);
        s->lengths[i] = s->problem.intercept ? 1 / s->added_b : 0;
        for (size_t k = 0; k < count; k++) {
            size_t j = columns ? columns[k] : k;
            if (s->problem.spread[j] > 0)
                s->lengths[i] += values[k] * values[k] / strength(s, j);
        }
        if (progress_work(progress, count))
            break;
    }
}

/* The optimal dual variable of sample i at prediction z, with the others fixed. */
static double best_dual_variable(const sdca *s, size_t i, double z)
{
    return s->problem.of.loss->ascend(s->problem.of.y[i], z, s->at.a[i],
                                      samples_weight(&s->problem.of, i), s->lengths[i]);
}

static void update_sample(sdca *s, size_t i)
{
    const double *values;
    const uint32_t *columns;
    if (samples_weight(&s->problem.of, i) == 0)
        return;
    size_t count = row_copy_row(&s->problem.rows, i, &values, &columns);
    double z = s->at.b + (s->problem.of.offset ? s->problem.of.offset[i] : 0);
    for (size_t k = 0; k < count; k++)
        z += values[k] * s->at.w[columns ? columns[k] : k];
    double d = best_dual_variable(s, i, z) - s->at.a[i];
    if (d == 0)
        return;
    s->at.a[i] += d;
    for (size_t k = 0; k < count; k++) {
        size_t j = columns ? columns[k] : k;
        s->at.products[j] += d * values[k];
        s->at.w[j] = weight_of(s, j);
    }
    s->at.sum += d;
    if (s->problem.intercept)
        s->at.b = s->at.b_centre + s->at.sum / s->added_b;
}

static void epoch(sdca *s, solve_progress *progress)
{
    tm_rng_permutation(&s->rng, s->order, s->problem.n);
    for (size_t k = 0; k < s->problem.n && !progress->stopped; k++) {
        const double *values;
        const uint32_t *columns;
        size_t i = s->order[k];
        update_sample(s, i);
        progress->updates++;
        progress_work(progress, 4 * row_copy_row(&s->problem.rows, i, &values, &columns));
    }
    /* Each row is read twice, which costs as much as reading each column twice. */
    progress->columns += 2 * s->problem.p;
    s->epochs++;
}

/* Recomputes x_j'a, the sum of a, and the primal point that they give. */
static void refresh(sdca *s, solve_progress *progress)
{
    s->at.sum = 0;
    for (size_t i = 0; i < s->problem.n; i++)
        s->at.sum += s->at.a[i];
    for (size_t j = 0; j < s->problem.p; j++) {
        s->at.products[j] = tm_matrix_dot(tm_dataset_x(s->problem.data), j, s->at.a);
        s->at.w[j] = weight_of(s, j);
        if (progress_work(progress, s->problem.n))
            break;
    }
    progress->columns += s->problem.p;
    if (s->problem.intercept)
        s->at.b = s->at.b_centre + s->at.sum / s->added_b;
}

/* ---- the sequence
 * ----------------------------------------------------------------------------- */

/* Computes the dual variables of the present point, where a solve starts. */
static tm_status start(sdca *s, tm_error *err)
{
    double *z = mem_array(s->problem.n, sizeof *z);
    if (!z)
        return tm_fail_memory(err, "the solver");
    samples_predict(&s->problem.of, s->problem.data, s->at.w, s->at.b, z);
    samples_dual_variables(&s->problem.of, z, s->at.a);
    free(z);
    memcpy(s->at.centre, s->at.w, s->problem.p * sizeof *s->at.w);
    memcpy(s->at.before, s->at.w, s->problem.p * sizeof *s->at.w);
    s->at.b_centre = s->at.b_before = s->at.b;
    return TM_OK;
}

/* Extrapolates the next centre beyond the point from the previous one; after an increase of the
 * objective the centre is the point itself. */
static void move_centre(sdca *s, bool rose)
{
    double old = rose ? 1 : s->momentum;
    s->momentum = (1 + sqrt(1 + 4 * old * old)) / 2;
    double further = rose ? 0 : (old - 1) / s->momentum;
    for (size_t j = 0; j < s->problem.p; j++) {
        s->at.centre[j] = s->at.w[j] + further * (s->at.w[j] - s->at.before[j]);
        s->at.before[j] = s->at.w[j];
    }
    s->at.b_centre = s->at.b + further * (s->at.b - s->at.b_before);
    s->at.b_before = s->at.b;
}

static tm_status find_certificate(const sdca *s, solve_progress *progress, tm_certificate *c,
                                  tm_error *err)
{
    tm_problem problem = problem_of(s);
    certificate_item item = {.problem = problem, .w = s->at.w, .b = s->at.b};
    data_pass pass = {s->problem.data, progress->team, progress->monitor.cancel};
    tm_status status = certificate_many(&item, 1, &pass, err);
    *c = item.certificate;
    progress->columns += s->problem.p;
    return status;
}

static tm_status ascend(sdca *s, solve_progress *progress, double target, bool *converged,
                        tm_error *err)
{
    double last = INFINITY, best_dual = -INFINITY;
    tm_status status = start(s, err);
    choose_added(s, progress);
    find_lengths(s, progress);
    while (status == TM_OK && !progress->stopped) {
        tm_certificate c;
        status = find_certificate(s, progress, &c, err);
        if (status != TM_OK)
            break;
        best_dual = fmax(best_dual, c.dual);
        progress_emit(progress, TM_EVENT_CHECK, c.primal, best_dual, c.primal - best_dual,
                      s->problem.p, s->problem.p);
        *converged = c.gap <= target;
        if (*converged || s->epochs >= s->max_iter)
            break;
        move_centre(s, c.primal > last);
        last = c.primal;
        refresh(s, progress);
        for (int k = 0; k < SDCA_EPOCHS && s->epochs < s->max_iter && !progress->stopped; k++)
            epoch(s, progress);
    }
    return status;
}

/* Takes the best model without features, which is optimal for lambda >= lambda_max. */
static void take_null_model(sdca *s)
{
    memset(s->at.w, 0, s->problem.p * sizeof *s->at.w);
    if (s->problem.of.loss->quadratic && !s->problem.of.weights && !s->problem.of.offset) {
        residual_null(s->problem.data, s->problem.intercept, s->at.a,
                      &s->at.b); /* exact for a constant response */
        return;
    }
    for (size_t i = 0; i < s->problem.n; i++)
        s->at.a[i] = s->problem.of.offset ? s->problem.of.offset[i] : 0;
    s->at.b = s->problem.intercept ? samples_best_shift(&s->problem.of, s->at.a, 0) : 0;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    sdca *s = work;
    bool converged = s->lambda >= s->problem.lambda_max;
    progress->lambda = s->lambda;
    tm_status status = TM_OK;
    if (converged)
        take_null_model(s);
    else
        status = ascend(s, progress, target, &converged, err);
    *answer = (solve_answer){.converged = converged,
                             .stalled = s->epochs >= s->max_iter,
                             .stop = s->epochs >= s->max_iter ? TM_STOP_ITER : TM_STOP_NONE,
                             .weights = s->at.w,
                             .intercept = s->problem.intercept ? s->at.b : 0,
                             .problem = problem_of(s),
                             .active = s->problem.p};
    return status;
}

static double lambda_max(const void *work)
{
    return ((const sdca *)work)->problem.lambda_max;
}

static double null_objective(const void *work)
{
    return ((const sdca *)work)->problem.null_objective;
}

const method_ops sdca_ops = {LAMBDA_OPS};
