/* Models as JSON: {"tamis":"model","version":1,"method","lambda" or
 * absent,"intercept","features":p, "map" or absent, "labels":[of -1, of +1] or absent,
 * "offset":true or absent,
 * "coef":[[feature from 1, weight, name or absent], ...]}. */
#include "model/export.h"
#include "model/file_support.h"
#include "model/model.h"

#include "base/memory.h"
#include "base/replace.h"
#include "base/text.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_VERSION = 1 };

/* ---- saving -------------------------------------------------------------------------------- */

/* Both take over `value`; NULL, what jansson makes of a text that is not UTF-8, is a failure. */
static bool append(json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0;
}

static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static json_t *coefficient(const tm_model *model, size_t i)
{
    json_t *row = json_array();
    bool written = append(row, json_integer((json_int_t)model->features[i] + 1)) &&
                   append(row, json_real(model->weights[i])) &&
                   (!model->names[i] || append(row, json_string(model->names[i])));
    if (written)
        return row;
    json_decref(row);
    return NULL;
}

static json_t *coefficients(const tm_model *model)
{
    json_t *coef = json_array();
    for (size_t i = 0; coef && i < model->nnz; i++)
        if (!append(coef, coefficient(model, i))) {
            json_decref(coef);
            coef = NULL;
        }
    return coef;
}

/* The ranges of the columns that have features: [column from 1, low, high]. */
static json_t *ranges(const tm_model *model)
{
    json_t *list = json_array();
    size_t before = SIZE_MAX;
    for (size_t i = 0; list && i < model->nnz; i++) {
        size_t columns[2];
        double low, high;
        tm_map_parents(model->map, model->features[i], columns);
        if (columns[0] == before)
            continue;
        before = columns[0];
        tm_map_range(model->map, before, &low, &high);
        if (!append(list, json_pack("[I, f, f]", (json_int_t)before + 1, low, high))) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *map_json(const tm_model *model)
{
    const tm_map *map = model->map;
    json_t *object = json_object();
    bool poly = strcmp(tm_map_kind(map), "poly2") == 0;
    bool written = put(object, "kind", json_string(tm_map_kind(map)));
    if (poly)
        written = written && put(object, "gamma", json_real(tm_map_gamma(map))) &&
                  put(object, "coef0", json_real(tm_map_coef0(map)));
    else
        written = written && put(object, "ranges", ranges(model));
    if (isfinite(tm_map_sigma(map)))
        written = written && put(object, "sigma", json_real(tm_map_sigma(map)));
    if (written)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *to_json(const tm_model *model)
{
    json_t *root = json_object();
    bool written = put(root, "tamis", json_string("model")) &&
                   put(root, "version", json_integer(FILE_VERSION)) &&
                   put(root, "method", json_string(model->method)) &&
                   (!isfinite(model->lambda) || put(root, "lambda", json_real(model->lambda))) &&
                   put(root, "intercept", json_real(model->intercept)) &&
                   put(root, "features", json_integer((json_int_t)model->p)) &&
                   (!model->map || put(root, "map", map_json(model))) &&
                   put(root, "coef", coefficients(model));
    if (written && file_has_support(model))
        written = put(root, "support", file_write_support(model));
    if (written && model->offset)
        written = put(root, "offset", json_true());
    if (written && model->labels[0])
        written = put(root, "labels", json_pack("[s, s]", model->labels[0], model->labels[1]));
    if (written)
        return root;
    json_decref(root);
    return NULL;
}

/* `prefix` stands before the message. */
static tm_status dump(char **out, const tm_model *model, size_t layout, const char *prefix,
                      tm_error *err)
{
    json_t *root = to_json(model);
    *out = root ? json_dumps(root, layout | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    if (*out)
        return TM_OK;
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
        fprintf(file.stream, "%s\n", text); /* the stream remembers its errors */
        status = replace_end(&file, TM_OK, err);
    }
    free(text);
    return status;
}

/* ---- loading ------------------------------------------------------------------------------- */

static bool finite_number(const json_t *value)
{
    return json_is_number(value) && isfinite(json_number_value(value));
}

/* One row of "coef"; features must ascend within 1..p, and chosen ones have a weight. */
static bool read_row(tm_model *model, size_t i, const json_t *row)
{
    const json_t *feature = json_array_get(row, 0), *weight = json_array_get(row, 1);
    const json_t *name = json_array_get(row, 2);
    if (!json_is_integer(feature) || !finite_number(weight) || json_number_value(weight) == 0 ||
        (name && !json_is_string(name)) || json_array_size(row) > 3)
        return false;
    json_int_t j = json_integer_value(feature);
    uint64_t most = model->map ? tm_map_features(model->map) : model->p;
    if (j < 1 || (uint64_t)j > most || (i > 0 && (size_t)j - 1 <= model->features[i - 1]))
        return false;
    model->features[i] = (size_t)j - 1;
    model->weights[i] = json_number_value(weight);
    if (name && !(model->names[i] = text_copy(json_string_value(name))))
        return false;
    return true;
}

static bool read_labels(tm_model *model, const json_t *labels)
{
    if (!labels)
        return true;
    for (size_t k = 0; k < 2; k++) {
        const json_t *label = json_array_get(labels, k);
        if (!json_is_string(label) || !(model->labels[k] = text_copy(json_string_value(label))))
            return false;
    }
    return json_array_size(labels) == 2 && strcmp(model->labels[0], model->labels[1]) != 0;
}

/* Fills low and high (p each, NaN at first) from "ranges". */
static bool read_ranges(const json_t *list, size_t p, double *low, double *high)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        const json_t *column = json_array_get(row, 0), *least = json_array_get(row, 1);
        const json_t *most = json_array_get(row, 2);
        json_int_t j = json_integer_value(column);
        if (!json_is_integer(column) || j < 1 || (uint64_t)j > p || !finite_number(least) ||
            !finite_number(most) || json_number_value(least) > json_number_value(most))
            return false;
        low[j - 1] = json_number_value(least);
        high[j - 1] = json_number_value(most);
    }
    return json_is_array(list);
}

static tm_status read_kernel_map(tm_map **out, const json_t *object, const char *kind, size_t p,
                                 const char *path, tm_error *err)
{
    double *low = mem_array(p, sizeof *low), *high = mem_array(p, sizeof *high);
    const json_t *sigma = json_object_get(object, "sigma");
    double width = json_number_value(sigma);
    tm_status status = low && high ? TM_OK : tm_fail_memory(err, "a model");
    for (size_t j = 0; status == TM_OK && j < p; j++)
        low[j] = high[j] = NAN;
    if (status == TM_OK && (!read_ranges(json_object_get(object, "ranges"), p, low, high) ||
                            (strcmp(kind, "gaussian") == 0 && !(width > 0))))
        status = tm_fail(err, TM_EDATA,
                         "%s: 'map' needs 'ranges' as [column, low, high], and 'sigma' above 0 for "
                         "gaussian",
                         path);
    if (status == TM_OK)
        status = tm_map_new_kernel(out, kind, p, low, high, width, err);
    free(low);
    free(high);
    return status;
}

/* Every feature's column must have a range, or predictions would not be numbers. */
static bool ranges_cover(const tm_model *model)
{
    for (size_t i = 0; i < model->nnz; i++) {
        size_t columns[2];
        double low = 0, high = 0;
        tm_map_parents(model->map, model->features[i], columns);
        if (tm_map_width(model->map) > 1)
            tm_map_range(model->map, columns[0], &low, &high);
        if (isnan(low) || isnan(high))
            return false;
    }
    return true;
}

static tm_status read_map(tm_model *model, const json_t *object, const char *path, tm_error *err)
{
    const char *kind = json_string_value(json_object_get(object, "kind"));
    const json_t *gamma = json_object_get(object, "gamma");
    const json_t *coef0 = json_object_get(object, "coef0");
    if (!object)
        return TM_OK;
    if (!kind)
        return tm_fail(err, TM_EDATA, "%s: 'map' has no 'kind'", path);
    if (strcmp(kind, "poly2") != 0)
        return read_kernel_map(&model->map, object, kind, model->p, path, err);
    if (!finite_number(gamma) || !(json_number_value(gamma) > 0) || !finite_number(coef0) ||
        json_number_value(coef0) < 0)
        return tm_fail(err, TM_EDATA, "%s: 'map' needs 'gamma' above 0 and 'coef0' of at least 0",
                       path);
    return tm_map_new_poly2(&model->map, model->p, json_number_value(gamma),
                            json_number_value(coef0), err);
}

static tm_status from_json(tm_model **out, const json_t *root, const char *path, tm_error *err)
{
    const char *kind = json_string_value(json_object_get(root, "tamis"));
    if (!kind || strcmp(kind, "model") != 0)
        return tm_fail(err, TM_EDATA, "%s: not a model saved by tamis", path);
    if (json_integer_value(json_object_get(root, "version")) != FILE_VERSION)
        return tm_fail(err, TM_EDATA, "%s: this tamis reads model files of version %d only", path,
                       FILE_VERSION);
    const json_t *p = json_object_get(root, "features"), *coef = json_object_get(root, "coef");
    const json_t *method = json_object_get(root, "method");
    const json_t *lambda = json_object_get(root, "lambda");
    const json_t *intercept = json_object_get(root, "intercept");
    const json_t *offset = json_object_get(root, "offset");
    if ((offset && !json_is_boolean(offset)) || !json_is_integer(p) || json_integer_value(p) < 1 ||
        !json_is_array(coef) || !json_is_string(method) || (lambda && !finite_number(lambda)) ||
        !finite_number(intercept))
        return tm_fail(err, TM_EDATA,
                       "%s: 'features', 'coef', 'method', 'lambda', 'intercept' or 'offset' "
                       "is missing or of the wrong kind",
                       path);
    tm_model *model = model_alloc((size_t)json_integer_value(p), json_array_size(coef));
    if (!model || !(model->method = text_copy(json_string_value(method)))) {
        tm_model_unref(model);
        return tm_fail_memory(err, "a model");
    }
    model->lambda = lambda ? json_number_value(lambda) : NAN;
    model->intercept = json_number_value(intercept);
    model->offset = json_is_true(offset);
    tm_status status = read_map(model, json_object_get(root, "map"), path, err);
    if (status != TM_OK) {
        tm_model_unref(model);
        return status;
    }
    for (size_t i = 0; i < model->nnz; i++)
        if (!read_row(model, i, json_array_get(coef, i))) {
            tm_model_unref(model);
            return tm_fail(err, TM_EDATA,
                           "%s: row %zu of 'coef' is not [feature, weight] with ascending features "
                           "and a weight other than 0",
                           path, i + 1);
        }
    if (model->map && !ranges_cover(model)) {
        tm_model_unref(model);
        return tm_fail(err, TM_EDATA, "%s: 'ranges' lacks a column that has a coefficient", path);
    }
    const char *wrong = NULL;
    const json_t *support = json_object_get(root, "support");
    if (support && !file_read_support(model, support, &wrong)) {
        tm_model_unref(model);
        return tm_fail(err, TM_EDATA, "%s: 'support' %s", path, wrong);
    }
    if (!read_labels(model, json_object_get(root, "labels"))) {
        tm_model_unref(model);
        return tm_fail(err, TM_EDATA, "%s: 'labels' must be two different texts", path);
    }
    *out = model;
    return TM_OK;
}

/* Takes `root`; NULL: what jansson says of it is in `problem`. */
static tm_status from_root(tm_model **out, json_t *root, const json_error_t *problem,
                           const char *name, tm_error *err)
{
    *out = NULL;
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
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &problem);
    fclose(file);
    return from_root(out, root, &problem, path, err);
}
