#include "model/places.h"

#include "data/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool is_called(const tm_dataset *data, size_t j, const char *name)
{
    const char *own = j < tm_dataset_cols(data) ? tm_dataset_feature_name(data, j) : NULL;
    return own && strcmp(own, name) == 0;
}

/* Whether a feature was a text value of the column with the name of this length. */
static bool is_level(const tm_reading *reading, const char *name, size_t length)
{
    for (size_t k = 0; k < reading->count; k++) {
        char numbered[32];
        const tm_reading_feature *f = &reading->features[k];
        snprintf(numbered, sizeof numbered, "X%zu", f->number);
        const char *column = f->column ? f->column : numbered;
        if (f->level && strlen(column) == length && strncmp(column, name, length) == 0 &&
            strcmp(f->level, name + length + 1) == 0)
            return true;
    }
    return false;
}

/* A value of a text column is an indicator named "column=value": if other values of the column are
 * present, this one does not occur. */
static bool is_unseen_value(const tm_model *model, const tm_dataset *data, const char *name)
{
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) + 1 : 0;
    if (!equals || (!model->making.old && !is_level(model->making.reading, name, length - 1)))
        return false;
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        const char *own = tm_dataset_feature_name(data, j);
        if (own && strncmp(own, name, length) == 0)
            return true;
    }
    return false;
}

/* The place of the column in the data: the original place, or the only column of its name;
 * SIZE_MAX: it is zero in every row. */
static tm_status find_place(size_t *place, const tm_model *model, const tm_dataset *data,
                            const model_column *column, tm_error *err)
{
    const char *name = column->name;
    size_t p = tm_dataset_cols(data), count = 0;
    *place = column->column;
    if (is_called(data, *place, name) && !tm_dataset_names_repeat(data))
        return TM_OK;
    for (size_t j = 0; j < p; j++)
        if (is_called(data, j, name) && count++ == 0)
            *place = j;
    if (count == 1)
        return TM_OK;
    if (count == 0 && is_unseen_value(model, data, name)) {
        *place = SIZE_MAX;
        return TM_OK;
    }
    if (count == 0)
        return tm_fail(err, TM_EDATA, "%s: there is no feature \"%.100s\", which the model uses",
                       tm_dataset_name(data), name);
    return tm_fail(err, TM_EDATA,
                   "%s: several features are called \"%.100s\", and the columns are not those of "
                   "the training data, so it is not known which of them the model uses",
                   tm_dataset_name(data), name);
}

/* Names determine the columns when the model has one for each and the data have names. */
static bool have_names(const tm_model *model, const tm_dataset *data)
{
    for (size_t k = 0; k < model->making.count; k++)
        if (!model_column_at(model, k).name)
            return false;
    return model->making.count > 0 && tm_dataset_feature_name(data, 0);
}

/* With repeated names the only possible conclusion is that all columns are at their original
 * places. */
static bool same_names(const model_making *making, const tm_dataset *data)
{
    char names[65];
    if (!making->names[0])
        return false;
    data_sha256_names(data, names);
    return strcmp(names, making->names) == 0;
}

static tm_status by_names(size_t *places, const tm_model *model, const tm_dataset *data,
                          tm_error *err)
{
    const model_making *making = &model->making;
    bool same = same_names(making, data);
    tm_status status = TM_OK;
    if (making->names[0] && !same)
        return tm_fail(
            err, TM_EDATA,
            "%s: several columns of the training data had the name of one that the model "
            "uses, and the columns here are others or in another order; give them names "
            "of their own",
            tm_dataset_name(data));
    for (size_t k = 0; status == TM_OK && k < making->count; k++) {
        model_column column = model_column_at(model, k);
        places[k] = column.column;
        if (!same)
            status = find_place(&places[k], model, data, &column, err);
    }
    return status;
}

/* Only a file format that omits zeros may lack columns at the end. */
static tm_status check_width(const tm_dataset *data, size_t wanted, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    bool open = tm_dataset_reading(data)->numbering != TM_NUMBERING_NONE;
    if (p == wanted || (p < wanted && open))
        return TM_OK;
    return tm_fail(err, TM_EDATA, "%s: the data have %zu features, the model was trained on %zu",
                   tm_dataset_name(data), p, wanted);
}

tm_status model_find_places(size_t *places, const tm_model *model, const tm_dataset *data,
                            tm_error *err)
{
    const model_making *making = &model->making;
    bool chosen =
        making->whole > 0 && !tm_dataset_making(data)->origin && !tm_dataset_feature_name(data, 0);
    if (have_names(model, data) && !chosen)
        return by_names(places, model, data, err);
    for (size_t k = 0; k < making->count; k++) {
        model_column column = model_column_at(model, k);
        places[k] = chosen ? column.origin : column.column;
    }
    return check_width(data, chosen ? making->whole : model->p, err);
}
