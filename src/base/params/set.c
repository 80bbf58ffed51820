/* Sets values from numbers and from text. */
#include "base/params/values.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *choice_name(size_t i, const void *payload)
{
    const tm_param_info *info = payload;
    return info->choices[i].name;
}

tm_status tm_params_set_real(tm_params *params, const char *name, double real, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    if (info->type == TM_PARAM_REALS)
        return tm_params_set_reals(params, name, &real, 1, err);
    if (info->type == TM_PARAM_VECTOR)
        return tm_params_set_vector(params, name, &(tm_vector){1, &real, NULL}, err);
    if (info->type == TM_PARAM_INT && real == floor(real) && fabs(real) < 9.0e15)
        return tm_params_set_int(params, name, (long)real, err);
    if (info->type != TM_PARAM_REAL || !params_in_range(info, real)) {
        char got[64];
        text_from_real(real, got, sizeof got);
        return params_fail_value(params, info, got, err);
    }
    params_value *v = params_value_of(params, info);
    v->real = real;
    v->has = v->given = true;
    return TM_OK;
}

tm_status tm_params_set_int(tm_params *params, const char *name, long integer, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    if (info->type == TM_PARAM_REAL || info->type == TM_PARAM_REALS ||
        info->type == TM_PARAM_VECTOR)
        return tm_params_set_real(params, name, (double)integer, err);
    if (info->type != TM_PARAM_INT || !params_in_range(info, (double)integer)) {
        char got[64];
        snprintf(got, sizeof got, "%ld", integer);
        return params_fail_value(params, info, got, err);
    }
    params_value *v = params_value_of(params, info);
    v->integer = integer;
    v->has = v->given = true;
    return TM_OK;
}

tm_status tm_params_set_bool(tm_params *params, const char *name, bool flag, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    if (info->type != TM_PARAM_BOOL)
        return params_fail_value(params, info, flag ? "true" : "false", err);
    params_value *v = params_value_of(params, info);
    v->flag = flag;
    v->has = v->given = true;
    return TM_OK;
}

tm_status tm_params_set_reals(tm_params *params, const char *name, const double *reals,
                              size_t count, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    if (info->type != TM_PARAM_REALS && count == 1)
        return tm_params_set_real(params, name, reals[0], err);
    if (info->type != TM_PARAM_REALS || count == 0)
        return params_fail_value(params, info, count ? "a list" : "an empty list", err);
    for (size_t i = 0; i < count; i++) {
        if (!params_in_range(info, reals[i])) {
            char got[64];
            text_from_real(reals[i], got, sizeof got);
            return params_fail_value(params, info, got, err);
        }
    }
    double *copy = mem_array(count, sizeof *copy);
    if (!copy)
        return tm_fail_memory(err, "parameters");
    memcpy(copy, reals, count * sizeof *copy);
    params_value *v = params_value_of(params, info);
    free(v->reals);
    v->reals = copy;
    v->count = count;
    v->has = v->given = true;
    return TM_OK;
}

tm_status tm_params_set_vector(tm_params *params, const char *name, const tm_vector *vector,
                               tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    if (info->type != TM_PARAM_VECTOR && !vector->names)
        return tm_params_set_reals(params, name, vector->values, vector->count, err);
    if (info->type != TM_PARAM_VECTOR || vector->count == 0)
        return params_fail_value(params, info, vector->count ? "a table of names" : "an empty list",
                                 err);
    for (size_t i = 0; i < vector->count; i++) {
        if (!params_in_range(info, vector->values[i])) {
            char got[64];
            text_from_real(vector->values[i], got, sizeof got);
            return params_fail_value(params, info, got, err);
        }
    }
    tm_vector copy;
    tm_status status = vector_copy(&copy, vector, err);
    if (status != TM_OK)
        return status;
    params_value *v = params_value_of(params, info);
    vector_free(&v->vector);
    v->vector = copy;
    v->has = v->given = true;
    return TM_OK;
}

static tm_status set_vector_text(tm_params *params, const tm_param_info *info, const char *text,
                                 tm_error *err)
{
    tm_vector vector;
    tm_status status = vector_read(&vector, info->name, text, err);
    if (status == TM_OK)
        status = tm_params_set_vector(params, info->name, &vector, err);
    vector_free(&vector);
    return status;
}

static tm_status set_words(tm_params *params, const tm_param_info *info, const char *text,
                           tm_error *err)
{
    if (info->type == TM_PARAM_CHOICE) {
        const tm_choice *c = info->choices;
        while (c->name && strcmp(c->name, text) != 0)
            c++;
        if (!c->name) {
            const char *close = text_closest(text, choice_name, info);
            if (close)
                return tm_fail(err, TM_EUSAGE,
                               "%s: parameter '%s' has no choice '%.100s'; "
                               "did you mean '%s'?",
                               params->owner, info->name, text, close);
            return params_fail_text(params, info, text, err);
        }
    }
    char *copy = text_copy(text);
    if (!copy)
        return tm_fail_memory(err, "parameters");
    params_value *v = params_value_of(params, info);
    free(v->text);
    v->text = copy;
    v->has = v->given = true;
    return TM_OK;
}

/* A number that is not allowed because it is none that a double holds ("1e400") is shown as it was
 * written. */
static bool out_of_bounds(const tm_param_info *info, double real)
{
    return !isfinite(real) && !params_in_range(info, real);
}

/* Whether a number that is written as another one than 0 is 0 as a double ("1e-400"). */
static bool underflows(const char *text, double real)
{
    return real == 0 && strcspn(text, "123456789") < strcspn(text, "eE");
}

/* What a number may not be although its type holds what is left of it. */
static tm_status check_written(const tm_params *params, const tm_param_info *info, const char *text,
                               double real, tm_error *err)
{
    if (out_of_bounds(info, real))
        return params_fail_text(params, info, text, err);
    if (!underflows(text, real))
        return TM_OK;
    return tm_fail(err, TM_EUSAGE,
                   "%s: parameter '%s' is '%.100s', which is less than any number but 0 that a "
                   "double holds (4.9e-324); write 0, or a greater one",
                   params->owner, info->name, text);
}

static tm_status set_real_text(tm_params *params, const tm_param_info *info, const char *text,
                               double real, tm_error *err)
{
    tm_status status = check_written(params, info, text, real, err);
    return status == TM_OK ? tm_params_set_real(params, info->name, real, err) : status;
}

static tm_status set_list(tm_params *params, const tm_param_info *info, const char *text,
                          tm_error *err)
{
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    double *reals = mem_array(most, sizeof *reals);
    char *copy = text_copy(text);
    tm_status status = reals && copy ? TM_OK : tm_fail_memory(err, "parameters");
    size_t count = 0;
    char *rest = copy;
    while (status == TM_OK && rest) {
        char *item = strsep(&rest, ",");
        if (!text_to_real(item, &reals[count++]))
            status = params_fail_text(params, info, text, err);
        else
            status = check_written(params, info, item, reals[count - 1], err);
    }
    if (status == TM_OK)
        status = tm_params_set_reals(params, info->name, reals, count, err);
    free(reals);
    free(copy);
    return status;
}

static bool read_flag(const char *text, bool *flag)
{
    static const char *const words[2][4] = {{"false", "no", "off", "0"},
                                            {"true", "yes", "on", "1"}};
    for (size_t which = 0; which < 2; which++)
        for (size_t i = 0; i < 4; i++)
            if (strcasecmp(text, words[which][i]) == 0) {
                *flag = which == 1;
                return true;
            }
    return false;
}

tm_status tm_params_set_text(tm_params *params, const char *name, const char *text, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    double real;
    long integer;
    bool flag;
    switch (info->type) {
    case TM_PARAM_REAL:
        if (text_to_real(text, &real))
            return set_real_text(params, info, text, real, err);
        break;
    case TM_PARAM_INT:
        if (text_to_long(text, &integer))
            return tm_params_set_int(params, name, integer, err);
        break;
    case TM_PARAM_BOOL:
        if (read_flag(text, &flag))
            return tm_params_set_bool(params, name, flag, err);
        break;
    case TM_PARAM_REALS:
        return set_list(params, info, text, err);
    case TM_PARAM_VECTOR:
        return set_vector_text(params, info, text, err);
    case TM_PARAM_CHOICE:
    case TM_PARAM_TEXT:
        return set_words(params, info, text, err);
    }
    return params_fail_text(params, info, text, err);
}
