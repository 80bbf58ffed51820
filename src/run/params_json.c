#include "run/params_json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* JSON has no infinities: they are written as the strings "inf" and "-inf". */
static json_t *real_json(double value)
{
    return isfinite(value) ? json_real(value) : json_string(value > 0 ? "inf" : "-inf");
}

/* A number, an array, or an object by name. */
static json_t *vector_json(const tm_params *params, const char *name)
{
    tm_vector vector = tm_params_vector(params, name);
    if (vector.count == 1 && !vector.names)
        return real_json(vector.values[0]);
    json_t *all = vector.names ? json_object() : json_array();
    for (size_t i = 0; i < vector.count; i++) {
        json_t *value = real_json(vector.values[i]);
        int failed = vector.names ? json_object_set_new(all, vector.names[i], value)
                                  : json_array_append_new(all, value);
        if (failed) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

static json_t *reals_json(const tm_params *params, const char *name)
{
    size_t count;
    const double *reals = tm_params_reals(params, name, &count);
    if (count == 1)
        return json_real(reals[0]);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_real(reals[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *value_json(const tm_params *params, const tm_param_info *info,
                          json_t *(*text)(const char *text))
{
    switch (info->type) {
    case TM_PARAM_REAL:
        return json_real(tm_params_real(params, info->name));
    case TM_PARAM_INT:
        return json_integer(tm_params_int(params, info->name));
    case TM_PARAM_BOOL:
        return json_boolean(tm_params_bool(params, info->name));
    case TM_PARAM_CHOICE:
    case TM_PARAM_TEXT:
        return text(tm_params_text(params, info->name));
    case TM_PARAM_REALS:
        return reals_json(params, info->name);
    case TM_PARAM_VECTOR:
        return vector_json(params, info->name);
    }
    return NULL;
}

json_t *params_json(const tm_params *params, json_t *(*text)(const char *text))
{
    json_t *object = json_object();
    for (size_t i = 0; i < tm_params_count(params); i++) {
        const tm_param_info *info = tm_params_info(params, i);
        if (tm_params_has(params, info->name) &&
            json_object_set_new(object, info->name, value_json(params, info, text)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

const char *params_file(const tm_params *params, size_t i)
{
    static const char *const heads[] = {"parents:", "rows:"};
    const tm_param_info *info = tm_params_info(params, i);
    if (!(info->flags & (TM_PARAM_GROUPS | TM_PARAM_GRAPH)) || !tm_params_has(params, info->name))
        return NULL;
    const char *path = tm_params_text(params, info->name);
    for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++)
        if (strncmp(path, heads[k], strlen(heads[k])) == 0)
            return path + strlen(heads[k]);
    return path;
}

/* ---- reading ------------------------------------------------------------------------------- */

static double real_of(const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? strtod(text, NULL) : json_number_value(value);
}

/* An array, or an object by name. */
static tm_status take_several(tm_params *params, const tm_param_info *info, json_t *value,
                              tm_error *err)
{
    bool named = json_is_object(value);
    size_t count = named ? json_object_size(value) : json_array_size(value);
    double *values = malloc((count > 0 ? count : 1) * sizeof *values);
    char **names = malloc((count > 0 ? count : 1) * sizeof *names);
    tm_status status = values && names ? TM_OK : tm_fail_memory(err, "parameters");
    size_t i = 0;
    for (void *at = json_object_iter(value); status == TM_OK && named && at;
         at = json_object_iter_next(value, at)) {
        names[i] = (char *)(uintptr_t)json_object_iter_key(at); /* it is copied */
        values[i++] = real_of(json_object_iter_value(at));
    }
    for (i = 0; status == TM_OK && !named && i < count; i++)
        values[i] = real_of(json_array_get(value, i));
    tm_vector vector = {count, values, named ? names : NULL};
    if (status == TM_OK)
        status = info->type == TM_PARAM_VECTOR
                     ? tm_params_set_vector(params, info->name, &vector, err)
                     : tm_params_set_reals(params, info->name, values, count, err);
    free(values);
    free(names);
    return status;
}

static tm_status take_one(tm_params *params, const char *name, json_t *value, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    char now[64];
    tm_status status;
    if (!info)
        return TM_EUSAGE;
    if (json_is_array(value) || json_is_object(value))
        status = take_several(params, info, value, err);
    else if (json_is_string(value))
        status = tm_params_set_text(params, name, json_string_value(value), err);
    else if (json_is_boolean(value))
        status = tm_params_set_bool(params, name, json_is_true(value), err);
    else if (info->type == TM_PARAM_INT)
        status = tm_params_set_int(params, name, (long)json_number_value(value), err);
    else if (info->type == TM_PARAM_REAL)
        status = tm_params_set_real(params, name, json_number_value(value), err);
    else {
        double real = json_number_value(value);
        tm_vector one = {1, &real, NULL};
        status = info->type == TM_PARAM_VECTOR ? tm_params_set_vector(params, name, &one, err)
                                               : tm_params_set_reals(params, name, &real, 1, err);
    }
    if (status != TM_OK || !info->fallback)
        return status;
    size_t length = tm_params_format(params, name, now, sizeof now);
    bool usual =
        length < sizeof now &&
        (strcmp(now, info->fallback) == 0 ||
         (json_is_number(value) && json_number_value(value) == strtod(info->fallback, NULL)));
    return usual ? tm_params_unset(params, name, err) : TM_OK;
}

tm_status params_json_take(tm_params *params, const char *text, tm_error *err)
{
    json_error_t why;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &why), *value;
    const char *name;
    tm_status status = TM_OK;
    if (!json_is_object(object)) {
        json_decref(object);
        return tm_fail(err, TM_EDATA, "these parameters are no JSON object: %.200s", text);
    }
    json_object_foreach(object, name, value)
    {
        if (status == TM_OK)
            status = take_one(params, name, value, err);
    }
    json_decref(object);
    return status;
}
