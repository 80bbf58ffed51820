#include "solve/common/feature_vector.h"

#include "base/memory.h"
#include "data/name_index.h"

#include <stdlib.h>

static tm_status fill_by_name(double *out, const tm_vector *vector, const char *param,
                              const tm_dataset *data, tm_error *err)
{
    name_index index = {.data = data};
    bool *seen = mem_zeros(tm_dataset_cols(data), sizeof *seen);
    tm_status status = seen ? TM_OK : tm_fail_memory(err, "a parameter");
    for (size_t k = 0; status == TM_OK && k < vector->count; k++) {
        size_t j;
        const char *why = "", *close = NULL;
        status = name_index_find(&index, vector->names[k], &j, &why, &close);
        if (status == TM_EDATA)
            status = tm_fail(err, TM_EUSAGE, "parameter '%s': %s '%.80s'%s%s%s", param, why,
                             vector->names[k], close ? "; did you mean '" : "", close ? close : "",
                             close ? "'?" : "");
        else if (status != TM_OK)
            status = tm_fail_memory(err, "a parameter");
        else if (seen[j])
            status = tm_fail(err, TM_EUSAGE, "parameter '%s' names '%.80s' twice", param,
                             vector->names[k]);
        if (status != TM_OK)
            break;
        seen[j] = true;
        out[j] = vector->values[k];
    }
    name_index_clear(&index);
    free(seen);
    return status;
}

static tm_status fill(double *out, const tm_vector *vector, const char *param,
                      const tm_dataset *data, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    if (vector->names)
        return fill_by_name(out, vector, param, data, err);
    if (vector->count != 1 && vector->count != p)
        return tm_fail(err, TM_EUSAGE,
                       "parameter '%s' has %zu values, the data have %zu features; expected one "
                       "for all, one for each, or NAME=NUMBER pairs",
                       param, vector->count, p);
    for (size_t j = 0; j < p; j++)
        out[j] = vector->values[vector->count == 1 ? 0 : j];
    return TM_OK;
}

tm_status feature_vector(double **out, const tm_params *params, const char *name,
                         const tm_dataset *data, double fallback, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    *out = NULL;
    if (!tm_params_find(params, name, NULL) || !tm_params_given(params, name))
        return TM_OK;
    tm_vector vector = tm_params_vector(params, name);
    double *values = mem_array(p, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "a parameter");
    for (size_t j = 0; j < p; j++)
        values[j] = fallback;
    tm_status status = fill(values, &vector, name, data, err);
    if (status != TM_OK) {
        free(values);
        return status;
    }
    *out = values;
    return TM_OK;
}
