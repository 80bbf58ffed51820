#include "tamis/params.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/vector.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One parameter's value; which member holds it follows from the table row's type. */
typedef struct value {
    bool has, given;
    double real;
    long integer;
    bool flag;
    char *text;
    double *reals;
    size_t count;
    tm_vector vector;
} value;

struct tm_params {
    const char *owner;
    const tm_param_info *table;
    size_t count;
    value *values;
};

static void value_clear(value *v)
{
    free(v->text);
    free(v->reals);
    vector_free(&v->vector);
    *v = (value){0};
}

static tm_status value_copy(value *to, const value *from, tm_error *err)
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

/* ---- what is allowed, in words ------------------------------------------------------------- */

static void format_range(const tm_param_info *info, char *buffer, size_t size)
{
    char low[40], high[40];
    bool whole = info->type == TM_PARAM_INT || (info->flags & TM_PARAM_WHOLE);
    const char *kind = whole ? "a whole number" : "a number";
    bool has_low = isfinite(info->min), has_high = isfinite(info->max);
    text_from_real(info->min, low, sizeof low);
    text_from_real(info->max, high, sizeof high);
    const char *above = info->flags & TM_PARAM_MIN_OPEN ? "above" : "at least";
    if (has_low && has_high)
        snprintf(buffer, size, "%s %s %s and at most %s", kind, above, low, high);
    else if (has_low)
        snprintf(buffer, size, "%s %s %s", kind, above, low);
    else if (has_high)
        snprintf(buffer, size, "%s of at most %s", kind, high);
    else
        snprintf(buffer, size, "%s", kind);
}

static void format_choices(const tm_param_info *info, char *buffer, size_t size)
{
    size_t used = (size_t)snprintf(buffer, size, "one of");
    for (const tm_choice *c = info->choices; c->name && used < size; c++)
        used += (size_t)snprintf(buffer + used, size - used, "%s %s", c == info->choices ? "" : ",",
                                 c->name);
}

static tm_status fail_value(const tm_params *params, const tm_param_info *info, const char *got,
                            tm_error *err)
{
    char expected[256];
    switch (info->type) {
    case TM_PARAM_BOOL:
        snprintf(expected, sizeof expected, "true or false");
        break;
    case TM_PARAM_CHOICE:
        format_choices(info, expected, sizeof expected);
        break;
    case TM_PARAM_TEXT:
        snprintf(expected, sizeof expected, "text");
        break;
    case TM_PARAM_REALS:
    case TM_PARAM_VECTOR: {
        char range[200];
        format_range(info, range, sizeof range);
        snprintf(expected, sizeof expected, "one or more numbers, each %s", range);
        break;
    }
    case TM_PARAM_REAL:
    case TM_PARAM_INT:
        format_range(info, expected, sizeof expected);
        break;
    }
    return tm_fail(err, TM_EUSAGE, "%s: parameter '%s' is %s; expected %s", params->owner,
                   info->name, got, expected);
}

static tm_status fail_text(const tm_params *params, const tm_param_info *info, const char *text,
                           tm_error *err)
{
    char got[128];
    snprintf(got, sizeof got, "'%.100s'", text);
    return fail_value(params, info, got, err);
}

static bool in_range(const tm_param_info *info, double real)
{
    bool infinite = isinf(real) && info->type == TM_PARAM_VECTOR;
    if ((!isfinite(real) && !infinite) || real > info->max)
        return false;
    if ((info->flags & TM_PARAM_WHOLE) && real != floor(real))
        return false;
    return info->flags & TM_PARAM_MIN_OPEN ? real > info->min : real >= info->min;
}

/* ---- making and finding -------------------------------------------------------------------- */

/* Parameters that have no values yet; *out is NULL on failure. */
static tm_status allocate(tm_params **out, const char *owner, const tm_param_info *table,
                          size_t count, tm_error *err)
{
    *out = calloc(1, sizeof **out);
    value *values = mem_zeros(count, sizeof *values);
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

static const char *choice_name(size_t i, const void *payload)
{
    const tm_param_info *info = payload;
    return info->choices[i].name;
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

static value *value_of(const tm_params *params, const tm_param_info *info)
{
    return &params->values[info - params->table];
}

/* ---- setting ------------------------------------------------------------------------------- */

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
    if (info->type != TM_PARAM_REAL || !in_range(info, real)) {
        char got[64];
        text_from_real(real, got, sizeof got);
        return fail_value(params, info, got, err);
    }
    value *v = value_of(params, info);
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
    if (info->type != TM_PARAM_INT || !in_range(info, (double)integer)) {
        char got[64];
        snprintf(got, sizeof got, "%ld", integer);
        return fail_value(params, info, got, err);
    }
    value *v = value_of(params, info);
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
        return fail_value(params, info, flag ? "true" : "false", err);
    value *v = value_of(params, info);
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
        return fail_value(params, info, count ? "a list" : "an empty list", err);
    for (size_t i = 0; i < count; i++) {
        if (!in_range(info, reals[i])) {
            char got[64];
            text_from_real(reals[i], got, sizeof got);
            return fail_value(params, info, got, err);
        }
    }
    double *copy = mem_array(count, sizeof *copy);
    if (!copy)
        return tm_fail_memory(err, "parameters");
    memcpy(copy, reals, count * sizeof *copy);
    value *v = value_of(params, info);
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
        return fail_value(params, info, vector->count ? "a table of names" : "an empty list", err);
    for (size_t i = 0; i < vector->count; i++) {
        if (!in_range(info, vector->values[i])) {
            char got[64];
            text_from_real(vector->values[i], got, sizeof got);
            return fail_value(params, info, got, err);
        }
    }
    tm_vector copy;
    tm_status status = vector_copy(&copy, vector, err);
    if (status != TM_OK)
        return status;
    value *v = value_of(params, info);
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
            return fail_text(params, info, text, err);
        }
    }
    char *copy = text_copy(text);
    if (!copy)
        return tm_fail_memory(err, "parameters");
    value *v = value_of(params, info);
    free(v->text);
    v->text = copy;
    v->has = v->given = true;
    return TM_OK;
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
            status = fail_text(params, info, text, err);
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
            return tm_params_set_real(params, name, real, err);
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
    return fail_text(params, info, text, err);
}

tm_status tm_params_unset(tm_params *params, const char *name, tm_error *err)
{
    const tm_param_info *info = tm_params_find(params, name, err);
    if (!info)
        return TM_EUSAGE;
    value *v = value_of(params, info);
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

static const value *value_named(const tm_params *params, const char *name)
{
    const tm_param_info *info = tm_params_find(params, name, NULL);
    assert(info);
    return value_of(params, info);
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
    const value *v = value_named(params, name);
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
    const value *v = value_of(params, info);
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
    const value *v = value_named(params, name);
    size_t count = v->reals ? v->count : v->vector.count;
    if (count > MAX_SHOWN)
        return (size_t)snprintf(buffer, size, "%zu numbers", count);
    return tm_params_format(params, name, buffer, size);
}
