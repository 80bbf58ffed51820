#include "model/model.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "base/references.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool copy_words(tm_model *model, const tm_dataset *data, const char *method)
{
    model->method = text_copy(method);
    model->offset = tm_dataset_offset(data) != NULL;
    if (!model->method)
        return false;
    if (!tm_dataset_is_binary(data))
        return true;
    model->labels[0] = text_copy(tm_dataset_label(data, -1));
    model->labels[1] = text_copy(tm_dataset_label(data, 1));
    return model->labels[0] && model->labels[1];
}

bool model_set_loss(tm_model *model, const char *loss)
{
    free(model->loss);
    model->loss = text_copy(loss);
    return model->loss || !loss;
}

void model_select(tm_model *model, tm_model *predictor)
{
    model->selection = true;
    model->predictor = predictor;
}

const char *tm_model_loss(const tm_model *model)
{
    return model->predictor ? tm_model_loss(model->predictor) : model->loss;
}

/* The features with a nonzero weight, found in one pass over all weights; NULL when memory ran
 * out. */
static size_t *find_chosen(const double *weights, size_t p, size_t *nnz)
{
    size_t room = 64, *features = mem_array(room, sizeof *features);
    *nnz = 0;
    for (size_t j = next_nonzero(weights, 0, p); features && j < p;
         j = next_nonzero(weights, j + 1, p)) {
        if (*nnz == room) {
            room *= 2;
            size_t *more = realloc(features, room * sizeof *features);
            if (!more)
                free(features);
            features = more;
        }
        if (features)
            features[(*nnz)++] = j;
    }
    return features;
}

/* Stores the chosen features, and names only for them. */
static bool copy_weights(tm_model *model, const tm_dataset *data, const double *weights,
                         const size_t *features)
{
    for (size_t k = 0; k < model->nnz; k++) {
        const char *name = tm_dataset_feature_name(data, features[k]);
        model->features[k] = features[k];
        model->weights[k] = weights[features[k]];
        if (name && !model_take_name(model, k, text_copy(name)))
            return false;
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
    model->levels = TM_NO_LEVELS;
    model->features = mem_array(nnz, sizeof *model->features);
    model->weights = mem_array(nnz, sizeof *model->weights);
    if (model->features && model->weights)
        return model;
    tm_model_unref(model);
    return NULL;
}

bool model_take_name(tm_model *model, size_t k, char *name)
{
    if (name && !model->names)
        model->names = mem_zeros(model->nnz, sizeof *model->names);
    if (!name || !model->names) {
        free(name);
        return false;
    }
    model->names[k] = name;
    return true;
}

tm_model *model_with_intercept(const tm_model *model, double intercept)
{
    tm_model *copy = model_alloc(model->p, model->nnz);
    if (!copy)
        return NULL;
    memcpy(copy->features, model->features, model->nnz * sizeof *copy->features);
    memcpy(copy->weights, model->weights, model->nnz * sizeof *copy->weights);
    copy->method = text_copy(model->method);
    copy->loss = text_copy(model->loss);
    copy->lambda = model->lambda;
    copy->levels = model->levels;
    copy->intercept = intercept;
    copy->offset = model->offset;
    copy->making.reading = tm_reading_ref(model->making.reading);
    if (copy->method && model_find_columns(copy))
        return copy;
    tm_model_unref(copy);
    return NULL;
}

/* Completes the model, or frees it unless `made`. */
static tm_status finish_model(tm_model **out, tm_model *model, bool made, double lambda,
                              double intercept, tm_error *err)
{
    if (!made) {
        tm_model_unref(model);
        return tm_fail_memory(err, "a model");
    }
    model->lambda = lambda;
    model->intercept = intercept;
    *out = model;
    return TM_OK;
}

tm_status tm_model_new(tm_model **out, const tm_dataset *data, const char *method, double lambda,
                       const double *weights, double intercept, tm_error *err)
{
    size_t p = tm_dataset_cols(data), nnz, *features = find_chosen(weights, p, &nnz);
    *out = NULL;
    tm_model *model = features ? model_alloc(p, nnz) : NULL;
    bool made = model && copy_words(model, data, method) &&
                copy_weights(model, data, weights, features) && model_learn_making(model, data);
    free(features);
    return finish_model(out, model, made, lambda, intercept, err);
}

/* Names a column from the data, for features that are computed from columns. */
static const char *column_name(size_t j, void *payload, char *buffer, size_t size)
{
    const tm_dataset *const *data = payload;
    return tm_dataset_feature_label(*data, j, buffer, size);
}

static char *name_of(const tm_dataset *data, const tm_map *map, uint64_t feature)
{
    char buffer[600];
    if (!map)
        return text_copy(tm_dataset_feature_name(data, (size_t)feature));
    return text_copy(tm_map_label(map, feature, column_name, &data, buffer, sizeof buffer));
}

static bool copy_features(tm_model *model, const tm_dataset *data, const tm_model_parts *parts)
{
    size_t at = 0;
    for (size_t k = 0; k < parts->count; k++) {
        uint64_t feature = parts->features[k];
        if (parts->weights[k] == 0)
            continue;
        bool named = model->map || tm_dataset_feature_name(data, (size_t)feature);
        model->features[at] = (size_t)feature;
        model->weights[at] = parts->weights[k];
        if (named && !model_take_name(model, at, name_of(data, model->map, feature)))
            return false;
        at++;
    }
    return true;
}

tm_status tm_model_new_features(tm_model **out, const tm_dataset *data, const tm_model_parts *parts,
                                tm_error *err)
{
    size_t nnz = 0;
    *out = NULL;
    for (size_t k = 0; k < parts->count; k++)
        nnz += parts->weights[k] != 0;
    tm_model *model = model_alloc(tm_dataset_cols(data), nnz);
    if (model)
        model->map = tm_map_ref(parts->map);
    bool made = model && copy_words(model, data, parts->method) &&
                copy_features(model, data, parts) && model_learn_making(model, data);
    return finish_model(out, model, made, parts->lambda, parts->intercept, err);
}

tm_status model_new_expansion(tm_model **out, const tm_dataset *data, const char *method,
                              const kernel *of, const double *coef, double intercept, tm_error *err)
{
    tm_model *model = model_alloc(tm_dataset_cols(data), 0);
    *out = NULL;
    tm_status status = model ? expansion_make(&model->expansion, tm_dataset_x(data), of, coef, err)
                             : tm_fail_memory(err, "a model");
    if (status == TM_OK) {
        bool made = copy_words(model, data, method) && model_learn_making(model, data);
        return finish_model(out, model, made, NAN, intercept, err);
    }
    tm_model_unref(model);
    return status;
}

tm_model *tm_model_ref(const tm_model *model)
{
    return reference_take(model, &model->references);
}

void tm_model_unref(tm_model *model)
{
    if (!model || !reference_drop(&model->references))
        return;
    for (size_t i = 0; model->names && i < model->nnz; i++)
        free(model->names[i]);
    free(model->names);
    free(model->features);
    free(model->weights);
    free(model->method);
    free(model->loss);
    tm_map_unref(model->map);
    tm_model_unref(model->predictor);
    expansion_free(model->expansion);
    model_making_free(&model->making);
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

bool tm_model_is_old(const tm_model *model)
{
    return model->making.old;
}

bool tm_model_is_one_vs_rest(const tm_model *model)
{
    return model->making.rest;
}

const tm_map *tm_model_map(const tm_model *model)
{
    return model->map;
}

size_t tm_model_support_vectors(const tm_model *model)
{
    const tm_model *by = model->predictor ? model->predictor : model;
    return by->expansion ? by->expansion->rows.rows.n : 0;
}

const char *tm_model_kernel(const tm_model *model)
{
    const tm_model *by = model->predictor ? model->predictor : model;
    return by->expansion ? kernel_name(by->expansion->rows.of.kind) : NULL;
}

bool tm_model_is_selection(const tm_model *model)
{
    return model->selection;
}

const tm_model *tm_model_predictor(const tm_model *model)
{
    return model->predictor;
}

bool tm_model_predicts(const tm_model *model)
{
    return !model->selection || model->predictor;
}

size_t tm_model_nnz(const tm_model *model)
{
    return model->nnz;
}

size_t tm_model_levels(const tm_model *model)
{
    return model->levels;
}

const size_t *tm_model_features(const tm_model *model)
{
    return model->features;
}

const double *tm_model_weights(const tm_model *model)
{
    return model->weights;
}

/* The position of feature j among the chosen ones, or nnz. */
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
    const char *name = at < model->nnz ? model_name(model, at) : NULL;
    if (name)
        snprintf(buffer, size, "%s", name);
    else
        snprintf(buffer, size, "X%zu", j + 1);
    return buffer;
}
