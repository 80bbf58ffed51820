/* The internals of a tm_params, shared by construction, reading and setting. */
#ifndef BASE_PARAMS_VALUES_H
#define BASE_PARAMS_VALUES_H

#include "tamis/params.h"

/* The value of one parameter; the type in its table row determines the member that holds it. */
typedef struct params_value {
    bool has, given;
    double real;
    long integer;
    bool flag;
    char *text;
    double *reals;
    size_t count;
    tm_vector vector;
} params_value;

struct tm_params {
    const char *owner;
    const tm_param_info *table;
    size_t count;
    params_value *values;
};

static inline params_value *params_value_of(const tm_params *params, const tm_param_info *info)
{
    return &params->values[info - params->table];
}

/* Fails because the value `got` is not allowed by the table, and tells what is. */
tm_status params_fail_value(const tm_params *params, const tm_param_info *info, const char *got,
                            tm_error *err);
tm_status params_fail_text(const tm_params *params, const tm_param_info *info, const char *text,
                           tm_error *err);
bool params_in_range(const tm_param_info *info, double real);

#endif
