#include "model/model.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool copy_words(tm_model *model, const tm_dataset *data, const char *method)
{
    model->method = text_copy(method);
    if (!model->method)
        return false;
    if (!tm_dataset_is_binary(data))
        return true;
    model->labels[0] = text_copy(tm_dataset_label(data, -1));
    model->labels[1] = text_copy(tm_dataset_label(data, 1));
    return model->labels[0] && model->labels[1];
}

/* Fills the chosen features; names only for them. */
static bool copy_weights(tm_model *model, const tm_dataset *data, const double *weights)
{
    size_t at = 0;
    for (size_t j = 0; j < model->p; j++) {
        if (weights[j] == 0)
            continue;
        const char *name = tm_dataset_feature_name(data, j);
        model->features[at] = j;
        model->weights[at] = weights[j];
        if (name && !(model->names[at] = text_copy(name)))
            return false;
        at++;
    }
    return true;
}

tm_model *model_alloc(size_t p, size_t nnz)
{
    tm_model *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    atomic_init(&model->references, 1);
    model->p = p;
    model->nnz = nnz;
    model->features = mem_array(nnz, sizeof *model->features);
    model->weights = mem_array(nnz, sizeof *model->weights);
    model->names = mem_zeros(nnz, sizeof *model->names);
    if (model->features && model->weights && model->names)
        return model;
    tm_model_unref(model);
    return NULL;
}

tm_status tm_model_new(tm_model **out, const tm_dataset *data, const char *method, double lambda,
                       const double *weights, double intercept, tm_error *err)
{
    size_t p = tm_dataset_cols(data), nnz = 0;
    *out = NULL;
    for (size_t j = 0; j < p; j++)
        nnz += weights[j] != 0;
    tm_model *model = model_alloc(p, nnz);
    if (!model || !copy_words(model, data, method) || !copy_weights(model, data, weights)) {
        tm_model_unref(model);
        return tm_fail_memory(err, "a model");
    }
    model->lambda = lambda;
    model->intercept = intercept;
    *out = model;
    return TM_OK;
}

tm_model *tm_model_ref(const tm_model *model)
{
    /* Only the count changes; the content stays as the const promises. */
    tm_model *m = (tm_model *)(uintptr_t)model;
    atomic_fetch_add(&m->references, 1);
    return m;
}

void tm_model_unref(tm_model *model)
{
    if (!model || atomic_fetch_sub(&model->references, 1) != 1)
        return;
    for (size_t i = 0; model->names && i < model->nnz; i++)
        free(model->names[i]);
    free(model->names);
    free(model->features);
    free(model->weights);
    free(model->method);
    free(model->labels[0]);
    free(model->labels[1]);
    free(model);
}

const char *tm_model_method(const tm_model *model)
{
    return model->method;
}

double tm_model_lambda(const tm_model *model)
{
    return model->lambda;
}

double tm_model_intercept(const tm_model *model)
{
    return model->intercept;
}

size_t tm_model_cols(const tm_model *model)
{
    return model->p;
}

size_t tm_model_nnz(const tm_model *model)
{
    return model->nnz;
}

const size_t *tm_model_features(const tm_model *model)
{
    return model->features;
}

const double *tm_model_weights(const tm_model *model)
{
    return model->weights;
}

/* Place of feature j among the chosen ones, or nnz. */
static size_t place_of(const tm_model *model, size_t j)
{
    size_t low = 0, high = model->nnz;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (model->features[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model->nnz && model->features[low] == j ? low : model->nnz;
}

double tm_model_weight(const tm_model *model, size_t j)
{
    size_t at = place_of(model, j);
    return at < model->nnz ? model->weights[at] : 0;
}

bool tm_model_is_binary(const tm_model *model)
{
    return model->labels[0] != NULL;
}

const char *tm_model_label(const tm_model *model, int sign)
{
    return model->labels[sign > 0];
}

const char *tm_model_feature_label(const tm_model *model, size_t j, char *buffer, size_t size)
{
    size_t at = place_of(model, j);
    if (at < model->nnz && model->names[at])
        snprintf(buffer, size, "%s", model->names[at]);
    else
        snprintf(buffer, size, "X%zu", j + 1);
    return buffer;
}

tm_status tm_model_predict(const tm_model *model, const tm_matrix *x, double *z, tm_error *err)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    if (p > model->p)
        return tm_fail(err, TM_EDATA, "the data have %zu features, the model was trained on %zu", p,
                       model->p);
    for (size_t i = 0; i < n; i++)
        z[i] = model->intercept;
    for (size_t k = 0; k < model->nnz; k++)
        if (model->features[k] < p)
            tm_matrix_axpy(x, model->features[k], model->weights[k], z);
    return TM_OK;
}
