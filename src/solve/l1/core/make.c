/* Constructs an l1_state: lengths, factors, the null model and lambda_max. */
#include "base/memory.h"
#include "base/numeric/select.h"
#include "model/loss/residual.h"
#include "solve/common/response.h"
#include "solve/common/standardise.h"
#include "solve/l1/core/state.h"
#include "solve/l1/core/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- construction -------------------------------------------------------------------------- */

void l1_terms_clear(l1_terms *terms)
{
    free(terms->factors);
    free(terms->lower);
    free(terms->upper);
    *terms = (l1_terms)L1_TERMS_INIT;
}

static bool find_lengths(l1_state *s)
{
    s->problem.lengths = mem_array(s->problem.p, sizeof *s->problem.lengths);
    if (!s->problem.lengths)
        return false;
    if (!standard_columns(s->problem.data, s->problem.intercept, s->problem.own_means,
                          s->problem.lengths))
        return false;
    for (size_t j = 0; j < s->problem.p; j++)
        s->problem.lengths[j] = sqrt(s->problem.lengths[j]);
    if (s->problem.own_means)
        s->problem.means = s->problem.own_means;
    if (!s->penalty.norms)
        s->penalty.norms = s->problem.lengths;
    return true;
}

tm_status l1_all_norms(l1_state *s, tm_error *err)
{
    return s->penalty.norms || find_lengths(s) ? TM_OK : tm_fail_memory(err, "the solver");
}

/* Whether the norms are the roots of what the data set has of each column. */
static bool has_squares(const l1_state *s, const l1_terms *terms)
{
    return s->problem.intercept && !s->problem.of.weights && !s->problem.of.comm &&
           !terms->factors && !terms->standardize && terms->alpha == 1 && !terms->lower &&
           !terms->upper;
}

/* Combines the penalty factors with standardisation and the elastic net. */
static void find_scales(l1_state *s, const l1_terms *terms)
{
    double rest = 1 - terms->alpha;
    size_t count = s->penalty.norms ? s->problem.p : 0; /* without norms nothing affects them */
    for (size_t j = 0; j < count; j++) {
        bool scaled = terms->standardize && s->problem.lengths[j] > 0;
        double scale = scaled ? s->problem.lengths[j] / sqrt(s->problem.of.total) : 1;
        double factor = terms->factors ? terms->factors[j] : 1;
        if (s->penalty.factors)
            s->penalty.factors[j] = terms->alpha * factor * scale;
        if (s->penalty.ridge)
            s->penalty.ridge[j] = isinf(factor) ? 0 : rest * factor * scale * scale;
        if (s->penalty.lower) {
            s->penalty.lower[j] = terms->lower ? terms->lower[j] : -INFINITY;
            s->penalty.upper[j] = terms->upper ? terms->upper[j] : INFINITY;
            s->penalty.signs[j] =
                (signed char)((s->penalty.lower[j] == 0) - (s->penalty.upper[j] == 0));
        }
    }
    s->penalty.terms = (feature_penalty){1, s->penalty.factors, s->penalty.ridge, s->penalty.lower,
                                         s->penalty.upper};
    for (size_t j = 0; j < count; j++) {
        if (penalty_excludes(&s->penalty.terms, j))
            s->problem.lengths[j] = 0;
        s->penalty.norms[j] = s->problem.lengths[j];
        /* A feature that cannot affect the fit is excluded. */
        if (s->problem.lengths[j] == 0 && l1_factor(s, j) == 0)
            s->penalty.factors[j] = INFINITY;
    }
}

void l1_state_lambda(l1_state *s, double lambda)
{
    s->penalty.lambda = s->penalty.terms.lambda = lambda;
    s->it.axis = s->null.y;
    s->it.axis_products = s->null.xy;
    for (size_t j = 0; s->penalty.ridge && j < s->problem.p; j++) {
        double square = penalty_square(&s->penalty.terms, j) / s->problem.loss->smoothness;
        s->penalty.norms[j] = s->problem.lengths[j] > 0
                                  ? sqrt(s->problem.lengths[j] * s->problem.lengths[j] + square)
                                  : 0;
    }
}

/* ---- the null model ------------------------------------------------------------------------- */

static double score_of(size_t j, const void *payload)
{
    const l1_state *s = payload;
    return l1_factor(s, j) > 0 ? l1_correlation(s, j) / l1_factor(s, j) : 0;
}

/* Computes the products of all features with y; the greatest, relative to its factor, is
 * lambda_max. */
static tm_status find_lambda_max(l1_state *s, solve_progress *progress, tm_error *err)
{
    l1_state_reset(s);
    if (!l1_products_all(s, progress))
        return tm_fail(err, TM_ECANCELLED, "cancelled while computing lambda_max");
    s->null.xy_in_xr = true;
    s->null.greatest = 0;
    for (size_t j = 0; j < s->problem.p; j++)
        s->null.greatest = fmax(s->null.greatest, score_of(j, s));
    s->null.median = select_of(s->problem.p, s->problem.p / 2, score_of, s);
    s->null.lambda_max = s->null.greatest;
    s->it.solved_lambda = s->null.lambda_max;
    return s->problem.loss->quadratic ? l1_null_products(s, err) : TM_OK;
}

tm_status l1_null_products(l1_state *s, tm_error *err)
{
    solve_progress progress;
    if (s->null.xy)
        return TM_OK;
    s->null.xy = mem_array(s->problem.p, sizeof *s->null.xy);
    if (!s->null.xy)
        return tm_fail_memory(err, "the solver");
    s->it.axis = s->null.y;
    s->it.axis_products = s->null.xy;
    progress_begin(&progress, NULL);
    if (s->null.xy_in_xr)
        memcpy(s->null.xy, s->it.xr, s->problem.p * sizeof *s->null.xy);
    else
        l1_products_of(s, s->null.y, s->null.xy, &progress);
    return TM_OK;
}

static double beyond_offset(const l1_state *s, size_t i)
{
    return s->problem.response[i] - (s->problem.of.offset ? s->problem.of.offset[i] : 0);
}

/* The mean of response minus offset, which is the intercept when all weights are 0. Computed
 * relative to the first value with a positive weight, so that the mean of a constant is exact to
 * the bit. */
static double mean_response(const l1_state *s)
{
    double sum = 0;
    size_t first = 0;
    while (first + 1 < s->problem.n && samples_weight(&s->problem.of, first) == 0)
        first++;
    double base = beyond_offset(s, first);
    for (size_t i = 0; i < s->problem.n; i++)
        sum += samples_weight(&s->problem.of, i) * (beyond_offset(s, i) - base);
    return base + sum / s->problem.of.total;
}

/* The objective without features and intercept. */
static double objective_without_model(l1_state *s)
{
    for (size_t i = 0; i < s->problem.n; i++)
        s->it.r[i] = s->problem.of.offset ? s->problem.of.offset[i] : 0;
    return samples_loss(&s->problem.of, s->it.r);
}

static tm_status find_null_model(l1_state *s, const tm_cancel *cancel, tm_error *err)
{
    tm_status status = unpenalised_new(&s->penalty.free, s->problem.data, &s->problem.of,
                                       &s->penalty.terms, s->problem.intercept, cancel, err);
    if (status != TM_OK)
        return status;
    size_t count = unpenalised_count(s->penalty.free);
    s->null.weights = mem_array(count, sizeof *s->null.weights);
    double *z = mem_array(s->problem.n, sizeof *z);
    if (!s->null.weights || !z) {
        free(z);
        return tm_fail_memory(err, "the null model");
    }
    null_model null = {s->it.w, z, s->null.y, 0};
    s->null.objective = unpenalised_null(s->penalty.free, s->problem.data, &s->problem.of,
                                         s->problem.intercept, &null);
    s->null.intercept = null.b;
    for (size_t k = 0; k < count; k++)
        s->null.weights[k] = s->it.w[unpenalised_features(s->penalty.free)[k]];
    s->null.yy = s->problem.special_terms ? samples_inner(&s->problem.of, s->null.y, s->null.y)
                                          : residual_squares(s->null.y, s->problem.n);
    if (s->problem.special_terms && s->problem.loss->quadratic && s->problem.intercept)
        s->null.intercept = mean_response(s);
    s->null.z = z;
    if (s->penalty.free) /* a perfect fit: tolerances must not be relative to its rounding error */
        s->null.objective = fmax(s->null.objective, LEAST_NULL * objective_without_model(s));
    return TM_OK;
}

static bool allocate(l1_state *s)
{
    s->null.y = mem_array(s->problem.n, sizeof *s->null.y);
    s->it.w = mem_zeros(s->problem.p, sizeof *s->it.w);
    s->it.r = mem_array(s->problem.n, sizeof *s->it.r);
    s->it.xr = mem_array(s->problem.p, sizeof *s->it.xr);
    s->it.z = mem_array(s->problem.loss->quadratic && !s->problem.special_terms ? 0 : s->problem.n,
                        sizeof *s->it.z);
    s->active.features = mem_array(s->problem.p, sizeof *s->active.features);
    s->active.has = mem_zeros(s->problem.p, sizeof *s->active.has);
    if (!s->problem.loss->quadratic && !l1_model_new(&s->model, s->problem.n, s->problem.p))
        return false;
    return s->null.y && s->it.w && s->it.r && s->it.xr && s->it.z && s->active.features &&
           s->active.has;
}

static bool allocate_terms(l1_state *s, const l1_terms *terms)
{
    bool limits = terms->lower || terms->upper, squared = terms->alpha < 1;
    bool factors = terms->factors || terms->standardize || squared;
    s->it.scratch = s->problem.of.weights ? mem_array(s->problem.n, sizeof(double)) : NULL;
    bool own_means = s->problem.of.weights || s->problem.of.comm;
    s->problem.own_means = own_means ? mem_array(s->problem.p, sizeof(double)) : NULL;
    s->penalty.factors = factors ? mem_array(s->problem.p, sizeof(double)) : NULL;
    s->penalty.ridge = squared ? mem_array(s->problem.p, sizeof(double)) : NULL;
    s->penalty.norms = squared ? mem_array(s->problem.p, sizeof *s->penalty.norms) : NULL;
    s->penalty.lower = limits ? mem_array(s->problem.p, sizeof(double)) : NULL;
    s->penalty.upper = limits ? mem_array(s->problem.p, sizeof(double)) : NULL;
    s->penalty.signs = limits ? mem_array(s->problem.p, sizeof *s->penalty.signs) : NULL;
    return (!own_means || s->problem.own_means) && (!s->problem.of.weights || s->it.scratch) &&
           (!factors || s->penalty.factors) &&
           (!squared || (s->penalty.ridge && s->penalty.norms)) &&
           (!limits || (s->penalty.lower && s->penalty.upper && s->penalty.signs));
}

static bool is_general(const l1_state *s, const l1_terms *terms)
{
    bool special = terms->lower || terms->upper || terms->alpha < 1 || s->problem.of.weights ||
                   s->problem.of.offset || s->problem.of.comm;
    for (size_t j = 0; terms->factors && j < s->problem.p; j++)
        special = special || terms->factors[j] == 0 || isinf(terms->factors[j]);
    return special;
}

static tm_status prepare(l1_state *s, const l1_terms *terms, solve_progress *progress,
                         tm_error *err)
{
    tm_status status = response_check(s->problem.data, s->problem.loss, err);
    if (status != TM_OK)
        return status;
    if (has_squares(s, terms))
        s->problem.squares = tm_dataset_deviations(s->problem.data);
    if (!allocate(s) || !allocate_terms(s, terms) || (!s->problem.squares && !find_lengths(s)))
        return tm_fail_memory(err, "the solver");
    find_scales(s, terms);
    status = find_null_model(s, progress->monitor.cancel, err);
    return status == TM_OK ? find_lambda_max(s, progress, err) : status;
}

tm_status l1_state_new(l1_state **out, const tm_dataset *data, const loss *l, const l1_terms *terms,
                       solve_progress *progress, tm_error *err)
{
    *out = NULL;
    l1_state *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->problem.data = tm_dataset_ref(data);
    s->problem.x = tm_dataset_x(data);
    s->problem.means = tm_dataset_means(data);
    s->problem.n = tm_dataset_rows(data);
    s->problem.p = tm_dataset_cols(data);
    s->problem.intercept = terms->intercept;
    s->problem.loss = l;
    s->problem.of = samples_of(data, l);
    s->problem.response = tm_dataset_y(data);
    s->problem.special_terms = is_general(s, terms);
    tm_status status = prepare(s, terms, progress, err);
    if (status == TM_OK)
        *out = s;
    else
        l1_state_free(s);
    return status;
}

void l1_state_free(l1_state *s)
{
    if (!s)
        return;
    tm_dataset_unref(s->problem.data);
    if (s->penalty.norms != s->problem.lengths)
        free(s->penalty.norms);
    free(s->problem.lengths);
    free(s->penalty.factors);
    free(s->penalty.ridge);
    free(s->penalty.lower);
    free(s->penalty.upper);
    free(s->penalty.signs);
    unpenalised_free(s->penalty.free);
    free(s->null.weights);
    free(s->problem.own_means);
    free(s->it.scratch);
    free(s->null.z);
    free(s->null.y);
    free(s->null.xy);
    free(s->it.w);
    free(s->it.r);
    free(s->it.xr);
    free(s->it.z);
    l1_model_free(s->model);
    free(s->active.features);
    free(s->active.has);
    free(s);
}
