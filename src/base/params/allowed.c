/* The values that a parameter's row of the table allows, as a test and as text. */
#include "base/params/values.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

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

tm_status params_fail_value(const tm_params *params, const tm_param_info *info, const char *got,
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

tm_status params_fail_text(const tm_params *params, const tm_param_info *info, const char *text,
                           tm_error *err)
{
    char got[128];
    snprintf(got, sizeof got, "'%.100s'", text);
    return params_fail_value(params, info, got, err);
}

bool params_in_range(const tm_param_info *info, double real)
{
    bool infinite = isinf(real) && info->type == TM_PARAM_VECTOR;
    if ((!isfinite(real) && !infinite) || real > info->max)
        return false;
    if ((info->flags & TM_PARAM_WHOLE) && real != floor(real))
        return false;
    return info->flags & TM_PARAM_MIN_OPEN ? real > info->min : real >= info->min;
}
