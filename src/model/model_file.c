/* Models as JSON: {"tamis":"model","version":2,"method","intercept","features":p,"coef":[[feature
 * from 1, weight, name or absent], ...]} and the parts of the table below. Files of version 1 only
 * have the parts "lambda", "map", "labels" and "offset". */
#include "model/export.h"
#include "model/file.h"
#include "model/file_support.h"

#include "base/memory.h"
#include "base/replace.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_VERSION = 2, FILE_OLD = 1 };

/* A few bytes can claim any number of features: what that makes a reader allocate may take this
 * part of the machine's memory. */
enum { MEMORY_SHARE = 8 };

bool file_append(json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0;
}

bool file_put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

json_t *file_done(json_t *value, bool written)
{
    if (written)
        return value;
    json_decref(value);
    return NULL;
}

bool file_is_finite(const json_t *value)
{
    return json_is_number(value) && isfinite(json_number_value(value));
}

bool file_get_index(const json_t *value, size_t most, size_t *out)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 1 || (uint64_t)number > most)
        return false;
    *out = (size_t)number - 1;
    return true;
}

bool file_fits(double bytes, const char **wrong)
{
    if (bytes <= mem_physical() / MEMORY_SHARE)
        return true;
    *wrong = "claims more features than the memory of this machine holds of such a model";
    return false;
}

bool file_get_text(const json_t *value, char **out)
{
    if (!value)
        return true;
    *out = text_copy(json_string_value(value));
    return *out != NULL;
}

/* ---- the parts ----------------------------------------------------------------------------- */

static bool has_lambda(const tm_model *model)
{
    return isfinite(model->lambda);
}

static json_t *write_lambda(const tm_model *model)
{
    return json_real(model->lambda);
}

static bool read_lambda(tm_model *model, const json_t *value, const char **wrong)
{
    *wrong = "is not a finite number";
    model->lambda = json_number_value(value);
    return file_is_finite(value);
}

static bool has_loss(const tm_model *model)
{
    return model->loss != NULL;
}

static json_t *write_loss(const tm_model *model)
{
    return json_string(model->loss);
}

static bool read_loss(tm_model *model, const json_t *value, const char **wrong)
{
    *wrong = "is not the name of a loss";
    return json_is_string(value) && file_get_text(value, &model->loss);
}

static bool has_offset(const tm_model *model)
{
    return model->offset;
}

static json_t *write_true(const tm_model *model)
{
    (void)model;
    return json_true();
}

static bool read_offset(tm_model *model, const json_t *value, const char **wrong)
{
    *wrong = "is neither true nor false";
    model->offset = json_is_true(value);
    return json_is_boolean(value);
}

static bool has_labels(const tm_model *model)
{
    return model->labels[0] != NULL;
}

static json_t *write_labels(const tm_model *model)
{
    return json_pack("[s, s]", model->labels[0], model->labels[1]);
}

static bool read_labels(tm_model *model, const json_t *labels, const char **wrong)
{
    *wrong = "must be two different texts";
    for (size_t k = 0; k < 2; k++)
        if (!json_is_string(json_array_get(labels, k)) ||
            !file_get_text(json_array_get(labels, k), &model->labels[k]))
            return false;
    return json_array_size(labels) == 2 && strcmp(model->labels[0], model->labels[1]) != 0;
}

static bool has_rest(const tm_model *model)
{
    return model->making.rest;
}

static bool read_rest(tm_model *model, const json_t *value, const char **wrong)
{
    *wrong = "is neither true nor false";
    model->making.rest = json_is_true(value);
    return json_is_boolean(value);
}

/* Reads one row of "coef"; features must ascend within 1..p, and have a nonzero weight. */
static bool read_row(tm_model *model, size_t i, const json_t *row)
{
    const json_t *weight = json_array_get(row, 1), *name = json_array_get(row, 2);
    uint64_t most = model->map ? tm_map_features(model->map) : model->p;
    size_t j;
    if (!file_get_index(json_array_get(row, 0), most, &j) || !file_is_finite(weight) ||
        json_number_value(weight) == 0 || (name && !json_is_string(name)) ||
        json_array_size(row) > 3 || (i > 0 && j <= model->features[i - 1]))
        return false;
    model->features[i] = j;
    model->weights[i] = json_number_value(weight);
    return !name || model_take_name(model, i, text_copy(json_string_value(name)));
}

static bool always(const tm_model *model)
{
    (void)model;
    return true;
}

static json_t *write_coef(const tm_model *model)
{
    json_t *coef = json_array();
    bool written = coef != NULL;
    for (size_t i = 0; written && i < model->nnz; i++) {
        json_t *row = json_array();
        written = file_append(row, json_integer((json_int_t)model->features[i] + 1)) &&
                  file_append(row, json_real(model->weights[i])) &&
                  (!model_name(model, i) || file_append(row, json_string(model_name(model, i))));
        row = file_done(row, written);
        written = row && file_append(coef, row);
    }
    return file_done(coef, written);
}

/* The column of every feature must have a range, or predictions would not be finite. */
static bool map_covers(const tm_model *model)
{
    for (size_t k = 0; k < model->making.count; k++)
        if (!file_map_has_column(model->map, model_column_at(model, k).column))
            return false;
    return true;
}

static bool read_coef(tm_model *model, const json_t *coef, const char **wrong)
{
    static const char row[] = "has a row that is not [feature, weight] with ascending features and "
                              "a weight other than 0";
    *wrong = row;
    for (size_t i = 0; i < model->nnz; i++)
        if (!read_row(model, i, json_array_get(coef, i)))
            return false;
    if (!model_find_columns(model))
        return false;
    *wrong = "has a column that 'ranges' or 'columns' of 'map' lacks";
    return !model->map || map_covers(model);
}

static bool is_selection(const tm_model *model)
{
    return model->selection;
}

static json_t *to_json(const tm_model *model);
static tm_status from_json(tm_model **out, const json_t *root, const char *path, tm_error *err);

/* {"predictor": a model of the chosen columns alone}, or {}. */
static json_t *write_selection(const tm_model *model)
{
    json_t *object = json_object();
    bool written = !model->predictor || file_put(object, "predictor", to_json(model->predictor));
    return file_done(object, written);
}

static bool read_selection(tm_model *model, const json_t *value, const char **wrong)
{
    const json_t *inner = json_object_get(value, "predictor");
    *wrong = "needs a 'predictor' that is a model of as many features as 'coef' has, or none";
    model->selection = true;
    if (!json_is_object(value) || json_object_size(value) != (inner != NULL))
        return false;
    if (!inner)
        return true;
    size_t columns = model->nnz ? model->nnz : model->p;
    return from_json(&model->predictor, inner, "predictor", NULL) == TM_OK &&
           model->predictor->p == columns;
}

/* In the order in which they are read: the map determines the features, the coefficients the
 * columns. */
static const model_part parts[] = {
    {"lambda", has_lambda, write_lambda, read_lambda},
    {"loss", has_loss, write_loss, read_loss},
    {"map", file_has_map, file_write_map, file_read_map},
    {"coef", always, write_coef, read_coef},
    {"labels", has_labels, write_labels, read_labels},
    {"one_vs_rest", has_rest, write_true, read_rest},
    {"support", file_has_support, file_write_support, file_read_support},
    {"offset", has_offset, write_true, read_offset},
    {"reading", file_has_reading, file_write_reading, file_read_reading},
    {"selection", is_selection, write_selection, read_selection},
    {"columns", file_has_columns, file_write_columns, file_read_columns},
    {"bags", file_has_bags, file_write_bags, file_read_bags},
};

enum { PARTS = sizeof parts / sizeof *parts };

/* ---- saving -------------------------------------------------------------------------------- */

static json_t *to_json(const tm_model *model)
{
    json_t *root = json_object();
    bool written = file_put(root, "tamis", json_string("model")) &&
                   file_put(root, "version", json_integer(FILE_VERSION)) &&
                   file_put(root, "method", json_string(model->method)) &&
                   file_put(root, "intercept", json_real(model->intercept)) &&
                   file_put(root, "features", json_integer((json_int_t)model->p));
    for (size_t k = 0; written && k < PARTS; k++)
        if (parts[k].has(model))
            written = file_put(root, parts[k].key, parts[k].write(model));
    return file_done(root, written);
}

/* `prefix` is put before the message. */
static tm_status dump(char **out, const tm_model *model, size_t layout, const char *prefix,
                      tm_error *err)
{
    errno = 0; /* malloc sets errno when jansson runs out of memory */
    json_t *root = to_json(model);
    *out = root ? json_dumps(root, layout | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    if (*out)
        return TM_OK;
    if (errno == ENOMEM)
        return tm_fail_memory(err, "the model as JSON");
    return tm_fail(err, TM_EDATA,
                   "%s: the model cannot be written as JSON: its names and labels must be "
                   "UTF-8 and its numbers finite",
                   prefix);
}

tm_status tm_model_to_text(char **out, const tm_model *model, tm_error *err)
{
    return dump(out, model, JSON_COMPACT, model->method, err);
}

tm_status tm_model_save(const tm_model *model, const char *path, tm_error *err)
{
    char *text;
    if (export_format_of(path) != EXPORT_NONE)
        return export_model(model, export_format_of(path), path, err);
    tm_status status = dump(&text, model, JSON_INDENT(1), path, err);
    if (status != TM_OK)
        return status;
    replacement file;
    status = replace_begin(&file, path, err);
    if (status == TM_OK) {
        fprintf(file.stream, "%s\n", text); /* errors are checked when the stream is closed */
        status = replace_end(&file, TM_OK, err);
    }
    free(text);
    return status;
}

/* ---- loading ------------------------------------------------------------------------------- */

/* A part unknown to this program may change the model's predictions. */
static tm_status check_keys(const json_t *root, const char *path, tm_error *err)
{
    static const char *const others[] = {"tamis", "version", "method", "intercept", "features"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, key, value)
    {
        bool known = false;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            known |= strcmp(key, others[k]) == 0;
        for (size_t k = 0; k < PARTS; k++)
            known |= strcmp(key, parts[k].key) == 0;
        if (!known)
            return tm_fail(err, TM_EDATA,
                           "%s: this version of tamis does not know the part '%.60s' of the model, "
                           "which a later one has written",
                           path, key);
    }
    return TM_OK;
}

static tm_status read_parts(tm_model *model, const json_t *root, const char *path, tm_error *err)
{
    for (size_t k = 0; k < PARTS; k++) {
        const json_t *value = json_object_get(root, parts[k].key);
        const char *wrong = "is wrong";
        errno = 0;
        bool good = !value || parts[k].read(model, value, &wrong);
        if (!good && errno == ENOMEM)
            return tm_fail(err, TM_ENOMEM, "out of memory for the model of %zu features in %s",
                           model->p, path);
        if (!good)
            return tm_fail(err, TM_EDATA, "%s: '%s' %s", path, parts[k].key, wrong);
    }
    return TM_OK;
}

static tm_status from_json(tm_model **out, const json_t *root, const char *path, tm_error *err)
{
    const char *kind = json_string_value(json_object_get(root, "tamis"));
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    if (!kind || strcmp(kind, "model") != 0)
        return tm_fail(err, TM_EDATA, "%s: not a model saved by tamis", path);
    if (version != FILE_VERSION && version != FILE_OLD)
        return tm_fail(err, TM_EDATA, "%s: this tamis reads model files of version %d and %d only",
                       path, FILE_OLD, FILE_VERSION);
    const json_t *coef = json_object_get(root, "coef");
    const json_t *method = json_object_get(root, "method");
    const json_t *intercept = json_object_get(root, "intercept");
    size_t last;
    if (!file_get_index(json_object_get(root, "features"), SIZE_MAX / 2, &last) ||
        !json_is_array(coef) || !json_is_string(method) || !file_is_finite(intercept))
        return tm_fail(err, TM_EDATA,
                       "%s: 'features', 'coef', 'method' or 'intercept' is missing or of the wrong "
                       "kind",
                       path);
    tm_status status = version == FILE_OLD ? TM_OK : check_keys(root, path, err);
    if (status != TM_OK)
        return status;
    tm_model *model = model_alloc(last + 1, json_array_size(coef));
    if (!model || !(model->method = text_copy(json_string_value(method))) ||
        !(model->making.reading = tm_reading_new(0))) {
        status = tm_fail_memory(err, "a model");
        goto done;
    }
    model->lambda = NAN;
    model->intercept = json_number_value(intercept);
    model->making.old = version == FILE_OLD;
    status = read_parts(model, root, path, err);
    if (status == TM_OK)
        *out = model;
done:
    if (status != TM_OK)
        tm_model_unref(model);
    return status;
}

/* Takes ownership of `root`; when it is NULL, `problem` holds jansson's message, and errno tells
 * whether memory ran out. */
static tm_status from_root(tm_model **out, json_t *root, const json_error_t *problem,
                           const char *name, tm_error *err)
{
    *out = NULL;
    if (!root && errno == ENOMEM)
        return tm_fail_memory(err, "a model's file");
    if (!root)
        return tm_fail(err, TM_EDATA, "%s:%d:%d: not a model file: %s", name, problem->line,
                       problem->column, problem->text);
    tm_status status = from_json(out, root, name, err);
    json_decref(root);
    return status;
}

tm_status tm_model_from_text(tm_model **out, const char *text, const char *name, tm_error *err)
{
    json_error_t problem;
    errno = 0;
    return from_root(out, json_loads(text, JSON_REJECT_DUPLICATES, &problem), &problem, name, err);
}

tm_status tm_model_load(tm_model **out, const char *path, tm_error *err)
{
    json_error_t problem;
    *out = NULL;
    struct stat about;
    FILE *file = fopen(path, "r");
    if (!file)
        return tm_fail(err, TM_EIO, "%s: %s", path, strerror(errno));
    if (fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode)) {
        fclose(file);
        return tm_fail(err, TM_EIO, "%s: is a directory, not a model file", path);
    }
    errno = 0;
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &problem);
    fclose(file);
    return from_root(out, root, &problem, path, err);
}
