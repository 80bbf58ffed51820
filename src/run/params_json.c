#include "run/params_json.h"

#include <math.h>

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
