/* Making an l1_state: lengths, factors, the null model and lambda_max. */
#include "base/memory.h"
#include "base/numeric/select.h"
#include "model/loss/residual.h"
#include "solve/common/gram.h"
#include "solve/common/hessian.h"
#include "solve/common/response.h"
#include "solve/common/standardise.h"
#include "solve/l1/core/state.h"
#include "solve/l1/strategy/sequential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------- */

void l1_terms_clear(l1_terms *terms)
{
    free(terms->factors);
    free(terms->lower);
    free(terms->upper);
    *terms = (l1_terms)L1_TERMS_INIT;
}

static bool find_lengths(l1_state *s)
{
    if (!standard_columns(s->data, s->intercept, s->own_means, s->lengths))
        return false;
    for (size_t j = 0; j < s->p; j++)
        s->lengths[j] = sqrt(s->lengths[j]);
    if (s->of.weights)
        s->means = s->own_means;
    return true;
}

/* Penalty factors with what standardising and the elastic net make of them. */
static void find_scales(l1_state *s, const l1_terms *terms)
{
    double rest = 1 - terms->alpha;
    for (size_t j = 0; j < s->p; j++) {
        bool scaled = terms->standardize && s->lengths[j] > 0;
        double scale = scaled ? s->lengths[j] / sqrt(s->of.total) : 1;
        double factor = terms->factors ? terms->factors[j] : 1;
        s->factors[j] = terms->alpha * factor * scale;
        if (s->ridge)
            s->ridge[j] = isinf(factor) ? 0 : rest * factor * scale * scale;
        if (s->lower) {
            s->lower[j] = terms->lower ? terms->lower[j] : -INFINITY;
            s->upper[j] = terms->upper ? terms->upper[j] : INFINITY;
            s->sides[j] = (signed char)((s->lower[j] == 0) - (s->upper[j] == 0));
        }
    }
    s->penalty = (feature_penalty){1, s->factors, s->ridge, s->lower, s->upper};
    for (size_t j = 0; j < s->p; j++) {
        if (penalty_excludes(&s->penalty, j))
            s->lengths[j] = 0;
        s->norms[j] = s->lengths[j];
        /* What cannot matter is not fitted either. */
        if (s->lengths[j] == 0 && s->factors[j] == 0)
            s->factors[j] = INFINITY;
    }
}

void l1_state_lambda(l1_state *s, double lambda)
{
    s->lambda = s->penalty.lambda = lambda;
    for (size_t j = 0; s->ridge && j < s->p; j++) {
        double square = penalty_square(&s->penalty, j) / s->loss->smoothness;
        s->norms[j] = s->lengths[j] > 0 ? sqrt(s->lengths[j] * s->lengths[j] + square) : 0;
    }
}

/* ---- the null model ------------------------------------------------------------------------- */

/* Scores of all features against y; their greatest is lambda_max. */
static tm_status find_lambda_max(l1_state *s, solve_progress *progress, tm_error *err)
{
    double *scores = mem_array(s->p, sizeof *scores);
    if (!scores)
        return tm_fail_memory(err, "lambda_max");
    l1_state_reset(s);
    if (!l1_products_all(s, progress)) {
        free(scores);
        return tm_fail(err, TM_ECANCELLED, "cancelled while looking for lambda_max");
    }
    memcpy(s->xy, s->xr, s->p * sizeof *s->xy);
    s->greatest = 0;
    for (size_t j = 0; j < s->p; j++) {
        scores[j] = s->factors[j] > 0 ? l1_reach(s, j) / s->factors[j] : 0;
        s->greatest = fmax(s->greatest, scores[j]);
    }
    s->median = select_rising(scores, s->p, s->p / 2);
    s->lambda_max = s->greatest;
    s->solved_lambda = s->lambda_max;
    free(scores);
    return TM_OK;
}

static double beyond_offset(const l1_state *s, size_t i)
{
    return s->response[i] - (s->of.offset ? s->of.offset[i] : 0);
}

/* The mean of the response beyond the offset, which is the intercept where all weights are 0. It is
 * taken from the first value that counts on, so that the mean of a constant is that constant to the
 * bit. */
static double mean_response(const l1_state *s)
{
    double sum = 0;
    size_t first = 0;
    while (first + 1 < s->n && samples_weight(&s->of, first) == 0)
        first++;
    double base = beyond_offset(s, first);
    for (size_t i = 0; i < s->n; i++)
        sum += samples_weight(&s->of, i) * (beyond_offset(s, i) - base);
    return base + sum / s->of.total;
}

/* Without features and intercept. */
static double objective_of_nothing(l1_state *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->r[i] = s->of.offset ? s->of.offset[i] : 0;
    return samples_loss(&s->of, s->r);
}

static tm_status find_null_model(l1_state *s, const tm_cancel *cancel, tm_error *err)
{
    tm_status status =
        unpenalised_new(&s->free, s->data, &s->of, &s->penalty, s->intercept, cancel, err);
    if (status != TM_OK)
        return status;
    size_t count = unpenalised_count(s->free);
    s->null_weights = mem_array(count, sizeof *s->null_weights);
    double *z = mem_array(s->n, sizeof *z);
    if (!s->null_weights || !z) {
        free(z);
        return tm_fail_memory(err, "the null model");
    }
    s->null_objective =
        unpenalised_null(s->free, s->data, &s->of, s->intercept, s->w, &s->null_intercept, z, s->y);
    for (size_t k = 0; k < count; k++)
        s->null_weights[k] = s->w[unpenalised_features(s->free)[k]];
    s->yy = s->general ? samples_inner(&s->of, s->y, s->y) : residual_squares(s->y, s->n);
    if (s->general && s->loss->quadratic && s->intercept)
        s->null_intercept = mean_response(s);
    s->null_z = z;
    if (s->free) /* a perfect fit: what tolerances are relative to is not its rounding */
        s->null_objective = fmax(s->null_objective, 1e-20 * objective_of_nothing(s));
    return TM_OK;
}

static bool allocate(l1_state *s)
{
    s->lengths = mem_array(s->p, sizeof *s->lengths);
    s->norms = mem_array(s->p, sizeof *s->norms);
    s->factors = mem_array(s->p, sizeof *s->factors);
    s->y = mem_array(s->n, sizeof *s->y);
    s->xy = mem_array(s->p, sizeof *s->xy);
    s->w = mem_zeros(s->p, sizeof *s->w);
    s->r = mem_array(s->n, sizeof *s->r);
    s->xr = mem_array(s->p, sizeof *s->xr);
    s->z = mem_array(s->loss->quadratic && !s->general ? 0 : s->n, sizeof *s->z);
    s->active = mem_array(s->p, sizeof *s->active);
    s->in_active = mem_zeros(s->p, sizeof *s->in_active);
    if (!s->loss->quadratic && !l1_model_new(&s->model, s->n, s->p))
        return false;
    return s->lengths && s->norms && s->factors && s->y && s->xy && s->w && s->r && s->xr && s->z &&
           s->active && s->in_active;
}

static bool allocate_terms(l1_state *s, const l1_terms *terms)
{
    bool limits = terms->lower || terms->upper, squared = terms->alpha < 1;
    s->scratch = s->of.weights ? mem_array(s->n, sizeof(double)) : NULL;
    s->own_means = s->of.weights ? mem_array(s->p, sizeof(double)) : NULL;
    s->ridge = squared ? mem_array(s->p, sizeof(double)) : NULL;
    s->lower = limits ? mem_array(s->p, sizeof(double)) : NULL;
    s->upper = limits ? mem_array(s->p, sizeof(double)) : NULL;
    s->sides = limits ? mem_array(s->p, sizeof *s->sides) : NULL;
    return (!s->of.weights || (s->own_means && s->scratch)) && (!squared || s->ridge) &&
           (!limits || (s->lower && s->upper && s->sides));
}

static bool is_general(const l1_state *s, const l1_terms *terms)
{
    bool special =
        terms->lower || terms->upper || terms->alpha < 1 || s->of.weights || s->of.offset;
    for (size_t j = 0; terms->factors && j < s->p; j++)
        special = special || terms->factors[j] == 0 || isinf(terms->factors[j]);
    return special;
}

static tm_status prepare(l1_state *s, const l1_terms *terms, solve_progress *progress,
                         tm_error *err)
{
    tm_status status = response_check(s->data, s->loss, err);
    if (status != TM_OK)
        return status;
    if (!allocate(s) || !allocate_terms(s, terms) || !find_lengths(s))
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
    s->data = tm_dataset_ref(data);
    s->x = tm_dataset_x(data);
    s->means = tm_dataset_means(data);
    s->n = tm_dataset_rows(data);
    s->p = tm_dataset_cols(data);
    s->intercept = terms->intercept;
    s->loss = l;
    s->of = samples_of(data, l);
    s->response = tm_dataset_y(data);
    s->general = is_general(s, terms);
    tm_status status = prepare(s, terms, progress, err);
    if (status != TM_OK) {
        l1_state_free(s);
        return status;
    }
    *out = s;
    return TM_OK;
}

void l1_state_free(l1_state *s)
{
    if (!s)
        return;
    tm_dataset_unref(s->data);
    free(s->lengths);
    free(s->norms);
    free(s->factors);
    free(s->ridge);
    free(s->lower);
    free(s->upper);
    free(s->sides);
    unpenalised_free(s->free);
    free(s->null_weights);
    free(s->own_means);
    free(s->scratch);
    free(s->null_z);
    free(s->y);
    free(s->xy);
    free(s->w);
    free(s->r);
    free(s->xr);
    free(s->z);
    l1_model_free(s->model);
    free(s->active);
    free(s->in_active);
    gram_free(s->gram);
    hessian_free(s->hessian);
    l1_earlier_free(s->earlier);
    free(s->whole_set);
    free(s);
}
