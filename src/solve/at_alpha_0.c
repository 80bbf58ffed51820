/* An elastic net at alpha = 0: the ridge problem with the same loss. */
#include "base/memory.h"
#include "solve/common/method.h"
#include "solve/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tm_method_has_alpha_0(const tm_method *method, const tm_params *params)
{
    return method->l2 && tm_params_find(params, "alpha", NULL) &&
           tm_params_real(params, "alpha") == 0;
}

/* Converts each lambda to C = 1 / lambda. */
static tm_status take_lambda(tm_params *out, const tm_params *params, tm_error *err)
{
    size_t count = 0;
    const double *lambda =
        tm_params_has(params, "lambda") ? tm_params_reals(params, "lambda", &count) : NULL;
    double *C = mem_array(count, sizeof *C);
    if (!C)
        return tm_fail_memory(err, "parameters");
    bool good = count > 0;
    for (size_t k = 0; k < count; k++) {
        C[k] = 1 / lambda[k];
        good = good && isfinite(C[k]);
    }
    tm_status status =
        good ? tm_params_set_reals(out, "C", C, count, err)
             : tm_fail(err, TM_EUSAGE,
                       "alpha 0 has no lambda_max, as every feature has a weight: give lambda, a "
                       "number above 0");
    free(C);
    return status;
}

/* Copies the parameters other than alpha and lambda that the other method also has. */
static tm_status take_others(tm_params *out, const tm_method *method, const tm_params *params,
                             tm_error *err)
{
    size_t count;
    tm_status status = TM_OK;
    const tm_param_info *table = tm_method_params(method, &count);
    for (size_t k = 0; status == TM_OK && k < count; k++) {
        const char *name = table[k].name;
        char value[512];
        if (!tm_params_given(params, name) || strcmp(name, "alpha") == 0 ||
            strcmp(name, "lambda") == 0)
            continue;
        tm_params_format(params, name, value, sizeof value);
        status =
            tm_params_find(out, name, NULL)
                ? tm_params_set_text(out, name, value, err)
                : tm_fail(
                      err, TM_EUSAGE,
                      "alpha 0 leaves only the l2 penalty, which is method %s, and that has no %s",
                      method->l2, name);
    }
    return status;
}

void tm_method_alpha_0_text(const tm_method *method, char *text, size_t size)
{
    snprintf(text, size, "alpha 0 leaves only the l2 penalty: method %s with C = 1 / lambda",
             tm_method_id(method));
}

tm_status tm_method_at_alpha_0(const tm_method **method, tm_params **params, tm_error *err)
{
    tm_params *made = NULL;
    if (!tm_method_has_alpha_0(*method, *params))
        return TM_OK;
    const tm_method *other = tm_method_find((*method)->l2, err);
    tm_status status = other ? tm_method_params_new(&made, other, err) : TM_EUSAGE;
    if (status == TM_OK)
        status = take_lambda(made, *params, err);
    if (status == TM_OK)
        status = take_others(made, *method, *params, err);
    if (status != TM_OK) {
        tm_params_free(made);
        return status;
    }
    tm_params_free(*params);
    *params = made;
    *method = other;
    return TM_OK;
}
