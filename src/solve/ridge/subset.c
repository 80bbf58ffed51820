#include "solve/ridge/subset.h"

#include "base/memory.h"
#include "solve/common/standardise.h"
#include "solve/ridge/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tm_status subset_init(subset **out, const tm_dataset *data, const tm_params *params,
                      const char *loss_id, tm_error *err)
{
    subset *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->data = tm_dataset_ref(data);
    s->p = tm_dataset_cols(data);
    s->intercept = tm_params_bool(params, "intercept");
    s->selected_C = NAN;
    s->chosen = mem_array(s->p, sizeof *s->chosen);
    s->values = mem_zeros(s->p, sizeof *s->values);
    s->w = mem_zeros(s->p, sizeof *s->w);
    bool standardize = tm_params_bool(params, "standardize");
    s->factors = standardize ? standard_factors(data, s->intercept) : NULL;
    bool made = s->chosen && s->values && s->w && (s->factors || !standardize);
    tm_status status = made ? TM_OK : tm_fail_memory(err, "the solver");
    if (status == TM_OK)
        status = ridge_new(&s->ridge, data, loss_id ? loss_id : tm_params_text(params, "loss"),
                           s->intercept, s->p, err);
    if (status == TM_OK) {
        s->loss = ridge_loss(s->ridge);
        return TM_OK;
    }
    subset_finish(s);
    *out = NULL;
    return status;
}

void subset_finish(void *work)
{
    subset *s = work;
    tm_dataset_unref(s->data);
    ridge_free(s->ridge);
    free(s->factors);
    free(s->chosen);
    free(s->values);
    free(s->w);
    free(s->more);
    free(s);
}

/* The only value of a parameter that makes up a path. */
static tm_status single(const tm_params *params, const char *name, double *value, tm_error *err)
{
    size_t count;
    const double *list = tm_params_reals(params, name, &count);
    if (count != 1)
        return tm_fail(err, TM_EUSAGE, "one solve takes one %s, got %zu", name, count);
    *value = list[0];
    return TM_OK;
}

tm_status subset_init_more(void **work, const tm_dataset *data, const tm_params *params,
                           size_t fixed, size_t each, tm_error *err)
{
    subset *s;
    tm_status status = subset_init(&s, data, params, NULL, err);
    *work = s;
    if (status != TM_OK)
        return status;
    s->more = malloc(fixed + s->p * each);
    if (s->more)
        return TM_OK;
    subset_finish(s);
    *work = NULL;
    return tm_fail_memory(err, "the solver");
}

/* When samples are not fitted perfectly the gap is at best about eps^2 C |x_j|^2 of the objective:
 * above MAX_STIFFNESS no tolerance can be certified. */
static tm_status check_stiffness(const subset *s, tm_error *err)
{
    const double *squares = tm_dataset_deviations(s->data), *means = tm_dataset_means(s->data);
    double n = (double)tm_dataset_rows(s->data);
    for (size_t j = 0; j < s->p; j++) {
        double size = squares[j] + (s->intercept ? 0 : n * means[j] * means[j]);
        double stiffness = s->C * size / (s->factors ? s->factors[j] * s->factors[j] : 1);
        char label[96];
        if (!(stiffness > MAX_STIFFNESS))
            continue;
        tm_dataset_feature_label(s->data, j, label, sizeof label);
        return tm_fail(err, TM_EDATA,
                       "%s: C times the squares of feature %s is %.3g, above %.0g, beyond which "
                       "rounding hides the gap; scale the feature down, standardize, or lower C",
                       tm_dataset_name(s->data), label, stiffness, MAX_STIFFNESS);
    }
    return TM_OK;
}

tm_status subset_update(void *work, const tm_params *params, tm_error *err)
{
    subset *s = work;
    double wanted = 0;
    tm_status status = single(params, "C", &s->C, err);
    if (status == TM_OK && tm_params_find(params, "features", NULL))
        status = single(params, "features", &wanted, err);
    if (status != TM_OK)
        return status;
    s->wanted = wanted < (double)s->p ? (size_t)wanted : s->p;
    s->drop = tm_params_find(params, "drop", NULL) ? tm_params_real(params, "drop") : 0;
    s->warm = tm_params_bool(params, "warm");
    s->max_iter = tm_params_int(params, "max_iter");
    return check_stiffness(s, err);
}

/* Takes initial weights for the training; the features are chosen again. */
void subset_warm(void *work, const tm_model *model)
{
    subset *s = work;
    s->selected_C = NAN;
    for (size_t j = 0; j < s->p; j++)
        s->w[j] = tm_model_weight(model, j);
    s->b = tm_model_intercept(model);
}

void subset_begin(void *work)
{
    subset *s = work;
    s->epochs = 0;
    s->selected = false;
    if (!s->warm) {
        s->selected_C = NAN;
        memset(s->w, 0, s->p * sizeof *s->w);
        s->b = 0;
    }
}

static tm_ridge_problem problem_of(const subset *s)
{
    return (tm_ridge_problem){.loss = s->loss,
                              .C = s->C,
                              .intercept = s->intercept,
                              .features = s->chosen,
                              .count = s->count,
                              .factors = s->factors};
}

void subset_train(subset *s, solve_progress *progress, double target, ridge_end *end)
{
    tm_ridge_problem problem = problem_of(s);
    for (size_t k = 0; k < s->count; k++)
        s->values[k] = s->w[s->chosen[k]];
    ridge_limits limits = {target, s->max_iter > s->epochs ? s->max_iter - s->epochs : 0};
    ridge_solve(s->ridge, &problem, &limits, s->values, &s->b, progress, end);
    s->epochs += end->iterations;
    memset(s->w, 0, s->p * sizeof *s->w);
    for (size_t k = 0; k < s->count; k++)
        s->w[s->chosen[k]] = s->values[k];
}

void subset_answer(subset *s, const solve_progress *progress, const ridge_end *end,
                   solve_answer *answer)
{
    *answer = (solve_answer){
        .converged = end->converged && !progress->stopped,
        .stalled = end->stalled || s->epochs >= s->max_iter,
        .stop = s->epochs >= s->max_iter ? TM_STOP_ITER : TM_STOP_NONE,
        .weights = s->w,
        .intercept = s->b,
        .problem = {.lambda = NAN},
        .C = s->C,
        .active = s->p}; /* features that were not chosen were not certified either */
}

tm_status subset_certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    subset *s = work;
    tm_ridge_problem problem = problem_of(s);
    progress->columns += s->count;
    return tm_certify_ridge(certificate, s->data, &problem, s->values, answer->intercept, err);
}

double subset_null_objective(const void *work)
{
    const subset *s = work;
    return ridge_null_objective(s->ridge, s->C);
}
