/* {"kernel", "gamma", "coef0", "degree", "vectors": [[coefficient, [[column from 1, value], ...]],
 * ...]} */
#include "model/file_support.h"

#include "base/memory.h"
#include "model/file.h"

#include <math.h>
#include <string.h>

bool file_has_support(const tm_model *model)
{
    return model->expansion != NULL;
}

static json_t *write_vector(const model_expansion *e, size_t i)
{
    const double *values;
    const uint32_t *columns;
    size_t count = row_copy_row(&e->rows.rows, i, &values, &columns);
    json_t *entries = json_array();
    for (size_t k = 0; k < count; k++) {
        if (values[k] == 0)
            continue;
        json_int_t column = (json_int_t)(columns ? columns[k] : k) + 1;
        if (json_array_append_new(entries, json_pack("[I, f]", column, values[k])) != 0) {
            json_decref(entries);
            return NULL;
        }
    }
    return json_pack("[f, o]", e->coef[i], entries);
}

json_t *file_write_support(const tm_model *model)
{
    const model_expansion *e = model->expansion;
    const kernel *of = &e->rows.of;
    json_t *vectors = json_array();
    for (size_t i = 0; i < e->rows.rows.n; i++)
        if (json_array_append_new(vectors, write_vector(e, i)) != 0) {
            json_decref(vectors);
            return NULL;
        }
    return json_pack("{s: s, s: f, s: f, s: i, s: o}", "kernel", kernel_name(of->kind), "gamma",
                     of->gamma, "coef0", of->coef0, "degree", of->degree, "vectors", vectors);
}

static bool is_finite(const json_t *value)
{
    return json_is_number(value) && isfinite(json_number_value(value));
}

/* Appends one vector to the rows, which have sufficient capacity. */
static bool read_vector(row_copy *rows, size_t i, double *coef, const json_t *vector)
{
    const json_t *weight = json_array_get(vector, 0), *entries = json_array_get(vector, 1);
    if (!is_finite(weight) || json_number_value(weight) == 0 || !json_is_array(entries) ||
        json_array_size(vector) != 2)
        return false;
    uint64_t at = rows->starts[i];
    coef[i] = json_number_value(weight);
    for (size_t k = 0; k < json_array_size(entries); k++) {
        const json_t *entry = json_array_get(entries, k), *value = json_array_get(entry, 1);
        json_int_t column = json_integer_value(json_array_get(entry, 0));
        bool ascends = k == 0 || column - 1 > (json_int_t)rows->columns[at - 1];
        if (column < 1 || (uint64_t)column > rows->p || !ascends || !is_finite(value) ||
            json_array_size(entry) != 2)
            return false;
        rows->columns[at] = (uint32_t)(column - 1);
        rows->values[at++] = json_number_value(value);
    }
    rows->starts[i + 1] = at;
    return true;
}

static bool read_kernel(kernel *of, const json_t *value)
{
    const char *name = json_string_value(json_object_get(value, "kernel"));
    const json_t *degree = json_object_get(value, "degree");
    of->gamma = json_number_value(json_object_get(value, "gamma"));
    of->coef0 = json_number_value(json_object_get(value, "coef0"));
    json_int_t whole = json_integer_value(degree);
    of->degree = whole >= 1 && whole <= 1000 ? (int)whole : 0;
    return name && kernel_find(&of->kind, name) && kernel_is_valid(of);
}

bool file_read_support(tm_model *model, const json_t *value, const char **wrong)
{
    const json_t *vectors = json_object_get(value, "vectors");
    size_t count = json_array_size(vectors), entries = 0;
    kernel of;
    *wrong = "needs 'kernel' (rbf, poly or linear) with its 'gamma' above 0, 'coef0' of at least 0 "
             "and 'degree'";
    if (!read_kernel(&of, value) ||
        !file_fits(model->p > UINT32_MAX ? INFINITY /* which columns of rows cannot count */
                                         : (double)model->p * sizeof *model->making.columns,
                   wrong))
        return false;
    for (size_t i = 0; i < count; i++)
        entries += json_array_size(json_array_get(json_array_get(vectors, i), 1));
    row_copy rows = {.n = count, .p = model->p};
    rows.starts = mem_zeros(count + 1, sizeof *rows.starts);
    rows.columns = mem_array(entries, sizeof *rows.columns);
    rows.values = mem_array(entries, sizeof *rows.values);
    double *coef = mem_array(count, sizeof *coef);
    bool read = rows.starts && rows.columns && rows.values && coef && json_is_array(vectors);
    *wrong =
        "needs 'vectors' as [coefficient, [[column, value], ...]] with ascending columns and a "
        "coefficient other than 0";
    for (size_t i = 0; read && i < count; i++)
        read = read_vector(&rows, i, coef, json_array_get(vectors, i));
    if (read)
        return expansion_take(&model->expansion, &rows, &of, coef, NULL) == TM_OK &&
               model_find_columns(model);
    row_copy_clear(&rows);
    free(coef);
    return false;
}
