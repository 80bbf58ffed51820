/* The record of how a model's training data were made. */
#include "model/model.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/sha256.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void model_making_free(model_making *making)
{
    tm_reading_unref(making->reading);
    for (size_t k = 0; making->columns && k < making->count; k++)
        free(making->columns[k].name);
    free(making->columns);
    tm_dataset_unref(making->concepts);
    free(making->bags);
    *making = (model_making){0};
}

/* ---- columns ------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    size_t x = ((const model_column *)a)->column, y = ((const model_column *)b)->column;
    return (x > y) - (x < y);
}

static model_column plain_column(size_t j)
{
    return (model_column){.column = j, .origin = j, .fill = NAN, .scale = 1};
}

model_column model_column_at(const tm_model *model, size_t k)
{
    if (model->making.columns)
        return model->making.columns[k];
    model_column column = plain_column(model->features[k]);
    column.name = model->names ? model->names[k] : NULL;
    return column;
}

/* Kernels use all columns, including those that are zero in the support vectors. */
static bool find_all_columns(tm_model *model)
{
    model_making *making = &model->making;
    free(making->columns);
    making->columns = mem_zeros(model->p, sizeof *making->columns);
    making->count = making->columns ? model->p : 0;
    for (size_t j = 0; j < making->count; j++)
        making->columns[j] = plain_column(j);
    return making->columns != NULL;
}

/* Finds the columns that the features of a map are computed from. */
static bool find_parents(tm_model *model)
{
    model_making *making = &model->making;
    size_t count = 0;
    making->columns = mem_zeros(2 * model->nnz, sizeof *making->columns);
    for (size_t k = 0; making->columns && k < model->nnz; k++) {
        size_t parents[2];
        int found = tm_map_parents(model->map, model->features[k], parents);
        for (int i = 0; i < found; i++)
            making->columns[count++] = plain_column(parents[i]);
    }
    if (!making->columns)
        return false;
    qsort(making->columns, count, sizeof *making->columns, by_number);
    for (size_t k = 0; k < count; k++)
        if (making->count == 0 ||
            making->columns[making->count - 1].column != making->columns[k].column)
            making->columns[making->count++] = making->columns[k];
    return true;
}

bool model_find_columns(tm_model *model)
{
    if (model->expansion)
        return find_all_columns(model);
    if (model->map)
        return find_parents(model);
    model->making.count = model->nnz;
    return true;
}

bool model_own_columns(tm_model *model)
{
    model_making *making = &model->making;
    if (making->columns)
        return true;
    model_column *columns = mem_zeros(making->count, sizeof *columns);
    bool made = columns != NULL;
    for (size_t k = 0; made && k < making->count; k++) {
        columns[k] = plain_column(model->features[k]);
        columns[k].name = text_copy(model_name(model, k));
        made = columns[k].name || !model_name(model, k);
    }
    making->columns = columns;
    return made;
}

/* Whether a column of the model shares its name with another. */
static bool shares_name(const tm_model *model, const tm_dataset *data)
{
    for (size_t k = 0; tm_dataset_names_repeat(data) && k < model->making.count; k++) {
        model_column column = model_column_at(model, k);
        for (size_t j = 0; j < tm_dataset_cols(data); j++)
            if (j != column.column && strcmp(tm_dataset_feature_name(data, j), column.name) == 0)
                return true;
    }
    return false;
}

/* Copies the record of what was done to the data's column. */
static void follow(model_column *column, const tm_dataset *data)
{
    const tm_making *from = tm_dataset_making(data);
    const tm_reading *reading = tm_dataset_reading(data);
    if (from->scales)
        column->scale = from->scales[column->column];
    if (from->origin)
        column->origin = from->origin[column->column];
    if (!from->concepts && column->origin < reading->count)
        column->fill = reading->features[column->origin].fill;
}

static bool learn_columns(tm_model *model, const tm_dataset *data)
{
    model_making *making = &model->making;
    for (size_t k = 0; k < making->count; k++) {
        model_column column = model_column_at(model, k);
        const char *name = tm_dataset_feature_name(data, column.column);
        follow(&column, data);
        if (!making->columns && model_column_is_as_read(&column))
            continue;
        if (!model_own_columns(model))
            return false;
        column.name = making->columns[k].name ? making->columns[k].name : text_copy(name);
        making->columns[k] = column;
        if (name && !column.name)
            return false;
    }
    making->whole = tm_dataset_making(data)->whole;
    if (shares_name(model, data))
        data_sha256_names(data, making->names);
    return true;
}

bool model_learn_making(tm_model *model, const tm_dataset *data)
{
    model_making *making = &model->making;
    const tm_making *from = tm_dataset_making(data);
    making->reading = tm_reading_ref(tm_dataset_reading(from->concepts ? from->concepts : data));
    making->rest = from->rest;
    making->concepts = from->concepts ? tm_dataset_ref(from->concepts) : NULL;
    making->sigma = from->sigma;
    making->bags = text_copy(from->bags);
    if (from->bags && !making->bags)
        return false;
    return model_find_columns(model) && learn_columns(model, data);
}

model_column *model_column_of(const tm_model *model, size_t j)
{
    const model_making *making = &model->making;
    const model_column key = {.column = j};
    return making->columns && making->count
               ? bsearch(&key, making->columns, making->count, sizeof key, by_number)
               : NULL;
}

const tm_reading *tm_model_reading(const tm_model *model)
{
    return model->making.old ? NULL : model->making.reading;
}

tm_model_carries tm_model_carried(const tm_model *model)
{
    const model_making *making = &model->making;
    tm_model_carries carries = {.columns = making->count,
                                .whole = making->whole,
                                .offset = model->offset,
                                .bags = making->concepts != NULL,
                                .sigma = making->sigma,
                                .bags_column = making->bags};
    for (size_t k = 0; making->columns && k < making->count; k++)
        carries.scaled += making->columns[k].scale != 1;
    return carries;
}
