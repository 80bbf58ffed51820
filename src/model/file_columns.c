/* The columns that predictions read, in model files: {"names": fingerprint, "whole": number of
 * columns they were chosen from, "list": [{"column", "name", "from", "scale", "fill"}, ...]}; and
 * the bags: {"sigma", "column", "names": of the instances' columns, "concepts": [[feature,
 * [[column, value], ...]], ...]}. */
#include "model/file.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ------------------------------------------------------------------------------- */

/* Whether columns have names other than those of the features in "coef". */
static bool own_names(const tm_model *model)
{
    return model->map || model->expansion;
}

/* Whether the column adds nothing to what the coefficients tell. */
static bool is_plain(const tm_model *model, const model_column *column)
{
    return model_column_is_as_read(column) && (!own_names(model) || !column->name);
}

bool file_has_columns(const tm_model *model)
{
    bool plain = !model->making.names[0] && model->making.whole == 0;
    for (size_t k = 0; plain && model->making.columns && k < model->making.count; k++)
        plain = is_plain(model, &model->making.columns[k]);
    return !plain;
}

static json_t *column_json(const tm_model *model, const model_column *column)
{
    json_t *object = json_object();
    bool written = file_put(object, "column", json_integer((json_int_t)column->column + 1));
    if (own_names(model) && column->name)
        written = written && file_put(object, "name", json_string(column->name));
    if (column->origin != column->column)
        written = written && file_put(object, "from", json_integer((json_int_t)column->origin + 1));
    if (column->scale != 1)
        written = written && file_put(object, "scale", json_real(column->scale));
    if (!isnan(column->fill))
        written = written && file_put(object, "fill", json_real(column->fill));
    return file_done(object, written);
}

json_t *file_write_columns(const tm_model *model)
{
    const model_making *making = &model->making;
    json_t *object = json_object(), *list = json_array();
    bool written = list != NULL;
    for (size_t k = 0; written && making->columns && k < making->count; k++)
        if (!is_plain(model, &making->columns[k]))
            written = file_append(list, column_json(model, &making->columns[k]));
    list = file_done(list, written);
    written = list && file_put(object, "list", list);
    if (making->whole > 0)
        written = written && file_put(object, "whole", json_integer((json_int_t)making->whole));
    if (making->names[0])
        written = written && file_put(object, "names", json_string(making->names));
    return file_done(object, written);
}

static bool read_column(tm_model *model, const json_t *object)
{
    const json_t *from = json_object_get(object, "from"), *scale = json_object_get(object, "scale");
    const json_t *fill = json_object_get(object, "fill");
    size_t j;
    if (!file_get_index(json_object_get(object, "column"), model->p, &j))
        return false;
    model_column *column = model_column_of(model, j);
    if (!column || (scale && !(file_is_finite(scale) && json_number_value(scale) != 0)) ||
        (fill && !file_is_finite(fill)) ||
        (from && !file_get_index(from, SIZE_MAX / 2, &column->origin)))
        return false;
    column->scale = scale ? json_number_value(scale) : 1;
    column->fill = fill ? json_number_value(fill) : NAN;
    return !json_object_get(object, "name") || column->name ||
           file_get_text(json_object_get(object, "name"), &column->name);
}

bool file_read_columns(tm_model *model, const json_t *object, const char **wrong)
{
    model_making *making = &model->making;
    const json_t *list = json_object_get(object, "list"), *whole = json_object_get(object, "whole");
    const json_t *names = json_object_get(object, "names");
    *wrong = "needs 'list' as [{column, ...}, ...] of columns that have a coefficient";
    if (!json_is_array(list) || (whole && !file_get_index(whole, SIZE_MAX / 2, &making->whole)) ||
        (names && json_string_length(names) != sizeof making->names - 1))
        return false;
    making->whole += whole != NULL;
    if (names)
        snprintf(making->names, sizeof making->names, "%s", json_string_value(names));
    for (size_t k = 0; k < json_array_size(list); k++)
        if (!model_own_columns(model) || !read_column(model, json_array_get(list, k)))
            return false;
    return true;
}

/* ---- bags ---------------------------------------------------------------------------------- */

bool file_has_bags(const tm_model *model)
{
    return model->making.concepts != NULL;
}

/* The instances with a coefficient. */
static json_t *concepts_json(const tm_model *model, double *column)
{
    const tm_matrix *x = tm_dataset_x(model->making.concepts);
    json_t *list = json_array();
    bool written = list != NULL;
    for (size_t k = 0; written && k < model->nnz; k++)
        written = file_append(list, json_pack("[I, []]", (json_int_t)model->features[k] + 1));
    for (size_t j = 0; written && j < tm_matrix_cols(x); j++) {
        tm_matrix_column(x, j, column);
        for (size_t k = 0; written && k < model->nnz; k++) {
            double value = column[model->features[k]];
            json_t *row = json_array_get(json_array_get(list, k), 1);
            written = value == 0 || file_append(row, json_pack("[I, f]", (json_int_t)j + 1, value));
        }
    }
    return file_done(list, written);
}

static json_t *names_json(const tm_dataset *data)
{
    json_t *list = json_array();
    bool written = list != NULL;
    for (size_t j = 0; written && j < tm_dataset_cols(data); j++)
        written = file_append(list, json_string(tm_dataset_feature_name(data, j)));
    return file_done(list, written);
}

json_t *file_write_bags(const tm_model *model)
{
    const model_making *making = &model->making;
    const tm_dataset *concepts = making->concepts;
    double *column = mem_array(tm_dataset_rows(concepts), sizeof *column);
    json_t *object = json_object();
    bool written =
        column && file_put(object, "sigma", json_real(making->sigma)) &&
        file_put(object, "columns", json_integer((json_int_t)tm_dataset_cols(concepts))) &&
        file_put(object, "concepts", concepts_json(model, column));
    if (making->bags)
        written = written && file_put(object, "column", json_string(making->bags));
    if (tm_dataset_feature_name(concepts, 0))
        written = written && file_put(object, "names", names_json(concepts));
    free(column);
    return file_done(object, written);
}

/* Instances without a coefficient are zero. */
static bool read_concepts(double *values, const json_t *list, size_t m, size_t p)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *entry = json_array_get(list, k), *row = json_array_get(entry, 1);
        size_t i, j;
        if (!file_get_index(json_array_get(entry, 0), m, &i) || !json_is_array(row))
            return false;
        for (size_t e = 0; e < json_array_size(row); e++) {
            const json_t *value = json_array_get(json_array_get(row, e), 1);
            if (!file_get_index(json_array_get(json_array_get(row, e), 0), p, &j) ||
                !file_is_finite(value))
                return false;
            values[j * m + i] = json_number_value(value);
        }
    }
    return json_is_array(list);
}

static bool read_names(char ***out, const json_t *list, size_t p)
{
    if (!list)
        return true;
    *out = json_array_size(list) == p ? mem_zeros(p, sizeof **out) : NULL;
    for (size_t j = 0; *out && j < p; j++)
        if (!json_is_string(json_array_get(list, j)) ||
            !file_get_text(json_array_get(list, j), &(*out)[j]))
            return false;
    return *out != NULL;
}

bool file_read_bags(tm_model *model, const json_t *object, const char **wrong)
{
    model_making *making = &model->making;
    const json_t *sigma = json_object_get(object, "sigma");
    size_t last, m = model->p;
    *wrong = "needs 'sigma' above 0, 'columns', and 'concepts' as [[feature, [[column, value], "
             "...]], ...]";
    if (!file_is_finite(sigma) || !(json_number_value(sigma) > 0) ||
        !file_get_index(json_object_get(object, "columns"), UINT32_MAX, &last) ||
        !file_get_text(json_object_get(object, "column"), &making->bags) ||
        !file_fits((double)m * ((double)last + 2) * sizeof(double), wrong))
        return false;
    making->sigma = json_number_value(sigma);
    double *values = mem_zeros(m, (last + 1) * sizeof *values);
    tm_dataset_parts parts = {.name = "the training instances", .response.numeric = true};
    bool read = values && read_concepts(values, json_object_get(object, "concepts"), m, last + 1) &&
                (parts.response.y = mem_zeros(m, sizeof *parts.response.y)) &&
                read_names(&parts.features.names, json_object_get(object, "names"), last + 1);
    if (read && tm_matrix_new_dense(&parts.x, m, last + 1, values, NULL) == TM_OK) {
        parts.reading = tm_reading_ref(making->reading);
        return tm_dataset_new(&making->concepts, &parts, NULL) == TM_OK;
    }
    if (!read)
        free(values);
    free(parts.response.y);
    text_list_free(parts.features.names, last + 1);
    return false;
}
