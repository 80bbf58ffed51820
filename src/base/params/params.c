#include "base/params/values.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/vector.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void value_clear(params_value *v)
{
    free(v->text);
    free(v->reals);
    vector_free(&v->vector);
    *v = (params_value){0};
}

static tm_status value_copy(params_value *to, const params_value *from, tm_error *err)
{
    *to = *from;
    to->text = text_copy(from->text);
    to->reals = NULL;
    to->vector = (tm_vector){0};
    if (from->text && !to->text)
        return tm_fail_memory(err, "parameters");
    if (from->reals) {
        to->reals = mem_array(from->count, sizeof *to->reals);
        if (!to->reals)
            return tm_fail_memory(err, "parameters");
        memcpy(to->reals, from->reals, from->count * sizeof *to->reals);
    }
    return vector_copy(&to->vector, &from->vector, err);
}

/* ---- construction and lookup --------------------------------------------------------------- */

/* A set of parameters without values; *out is NULL on failure. */
static tm_status allocate(tm_params **out, const char *owner, const tm_param_info *table,
                          size_t count, tm_error *err)
{
    *out = calloc(1, sizeof **out);
    params_value *values = mem_zeros(count, sizeof *values);
    if (!*out || !values) {
        free(values);
        free(*out);
        *out = NULL;
        return tm_fail_memory(err, "parameters");
    }
    **out = (tm_params){owner, table, count, values};
    return TM_OK;
}

/* Frees a partly constructed object. */
static tm_status keep_if(tm_params **out, tm_status status)
{
    if (status == TM_OK)
        return TM_OK;
    tm_params_free(*out);
    *out = NULL;
    return status;
}

tm_status tm_params_new(tm_params **out, const char *owner, const tm_param_info *table,
                        size_t count, tm_error *err)
{
    tm_status status = allocate(out, owner, table, count, err);
    for (size_t i = 0; status == TM_OK && i < count; i++)
        status = tm_params_unset(*out, table[i].name, err);
    return keep_if(out, status);
}

tm_status tm_params_copy(tm_params **out, const tm_params *from, tm_error *err)
{
    tm_status status = allocate(out, from->owner, from->table, from->count, err);
    for (size_t i = 0; status == TM_OK && i < from->count; i++)
        status = value_copy(&(*out)->values[i], &from->values[i], err);
    return keep_if(out, status);
}

void tm_params_free(tm_params *params)
{
    if (!params)
        return;
    for (size_t i = 0; i < params->count; i++)
        value_clear(&params->values[i]);
    free(params->values);
    free(params);
}

size_t tm_params_count(const tm_params *params)
{
    return params->count;
}

const tm_param_info *tm_params_info(const tm_params *params, size_t i)
{
    return &params->table[i];
}

static const char *table_name(size_t i, const void *payload)
{
    const tm_params *params = payload;
    return i < params->count ? params->table[i].name : NULL;
}

const tm_param_info *tm_params_find(const tm_params *params, const char *name, tm_error *err)
{
    for (size_t i = 0; i < params->count; i++)
        if (strcmp(params->table[i].name, name) == 0)
            return &params->table[i];
    const char *close = text_closest(name, table_name, params);
    if (close)
        tm_fail(err, TM_EUSAGE, "%s has no parameter '%.100s'; did you mean '%s'?", params->owner,
                name, close);
    else
        tm_fail(err, TM_EUSAGE, "%s has no parameter '%.100s'", params->owner, name);
    return NULL;
}

tm_status tm_params_unset(tm_params *params, const char *name, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    params_value *v = params_value_of(params, info);
    value_clear(v);
    v->real = NAN;
    if (info->fallback) {
        tm_status status = tm_params_set_text(params, name, info->fallback, err);
        v->given = false;
        return status;
    }
    return TM_OK;
}

/* ---- getting ------------------------------------------------------------------------------- */

static const params_value *value_named(const tm_params *params, const char *name)
{
    const tm_param_info *info = tm_params_find(params, name, NULL);
    assert(info);
    return params_value_of(params, info);
}

bool tm_params_has(const tm_params *params, const char *name)
{
    return value_named(params, name)->has;
}

bool tm_params_given(const tm_params *params, const char *name)
{
    return value_named(params, name)->given;
}

double tm_params_real(const tm_params *params, const char *name)
{
    return value_named(params, name)->real;
}

long tm_params_int(const tm_params *params, const char *name)
{
    return value_named(params, name)->integer;
}

bool tm_params_bool(const tm_params *params, const char *name)
{
    return value_named(params, name)->flag;
}

const char *tm_params_text(const tm_params *params, const char *name)
{
    return value_named(params, name)->text;
}

int tm_params_choice(const tm_params *params, const char *name)
{
    const tm_choice *choices = tm_params_find(params, name, NULL)->choices;
    int place = 0;
    while (strcmp(choices[place].name, tm_params_text(params, name)) != 0)
        place++;
    return place;
}

const double *tm_params_reals(const tm_params *params, const char *name, size_t *count)
{
    const params_value *v = value_named(params, name);
    *count = v->count;
    return v->reals;
}

tm_vector tm_params_vector(const tm_params *params, const char *name)
{
    return value_named(params, name)->vector;
}

size_t tm_params_format(const tm_params *params, const char *name, char *buffer, size_t size)
{
    const tm_param_info *info = tm_params_find(params, name, NULL);
    assert(info);
    const params_value *v = params_value_of(params, info);
    char real[64];
    if (size)
        buffer[0] = '\0';
    if (!v->has)
        return 0;
    switch (info->type) {
    case TM_PARAM_REAL:
        text_from_real(v->real, real, sizeof real);
        return (size_t)snprintf(buffer, size, "%s", real);
    case TM_PARAM_INT:
        return (size_t)snprintf(buffer, size, "%ld", v->integer);
    case TM_PARAM_BOOL:
        return (size_t)snprintf(buffer, size, "%s", v->flag ? "true" : "false");
    case TM_PARAM_REALS:
        return vector_format(&(tm_vector){v->count, v->reals, NULL}, buffer, size);
    case TM_PARAM_VECTOR:
        return vector_format(&v->vector, buffer, size);
    case TM_PARAM_CHOICE:
    case TM_PARAM_TEXT:
        break;
    }
    return (size_t)snprintf(buffer, size, "%s", v->text);
}

size_t tm_params_summary(const tm_params *params, const char *name, char *buffer, size_t size)
{
    enum { MAX_SHOWN = 8 };
    const params_value *v = value_named(params, name);
    size_t count = v->reals ? v->count : v->vector.count;
    if (count > MAX_SHOWN)
        return (size_t)snprintf(buffer, size, "%zu numbers", count);
    return tm_params_format(params, name, buffer, size);
}
