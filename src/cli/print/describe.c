#include "cli/print/describe.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

void describe_option(const char *name, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", name);
    for (char *c = buffer; *c; c++)
        *c = *c == '_' ? '-' : *c;
}

const char *describe_type(const tm_param_info *info)
{
    switch (info->type) {
    case TM_PARAM_REAL:
        return "real";
    case TM_PARAM_INT:
        return "integer";
    case TM_PARAM_BOOL:
        return "boolean";
    case TM_PARAM_CHOICE:
        return "choice";
    case TM_PARAM_TEXT:
        return "text";
    case TM_PARAM_REALS:
        return "list of reals";
    case TM_PARAM_VECTOR:
        return "real, list or file";
    }
    return "";
}

void describe_value(const tm_param_info *info, char *buffer, size_t size)
{
    const char *word = info->type == TM_PARAM_INT      ? "N"
                       : info->type == TM_PARAM_BOOL   ? "true|false"
                       : info->type == TM_PARAM_TEXT   ? "TEXT"
                       : info->type == TM_PARAM_REALS  ? "R[,R...]"
                       : info->type == TM_PARAM_VECTOR ? "R[,R...]|NAME=R[,...]|FILE"
                                                       : "R";
    if (info->type != TM_PARAM_CHOICE) {
        snprintf(buffer, size, "%s", word);
        return;
    }
    size_t used = 0;
    buffer[0] = '\0';
    for (const tm_choice *c = info->choices; c->name && used < size; c++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "|" : "", c->name);
}

static bool is_number(const tm_param_info *info)
{
    return info->type == TM_PARAM_REAL || info->type == TM_PARAM_INT ||
           info->type == TM_PARAM_REALS || info->type == TM_PARAM_VECTOR;
}

void describe_range(const tm_param_info *info, char *buffer, size_t size)
{
    char low[40], high[40];
    bool has_low = is_number(info) && isfinite(info->min);
    bool has_high = is_number(info) && isfinite(info->max);
    text_from_real(info->min, low, sizeof low);
    text_from_real(info->max, high, sizeof high);
    snprintf(buffer, size, "%s%s%s%s%s",
             !has_low                            ? ""
             : (info->flags & TM_PARAM_MIN_OPEN) ? "> "
                                                 : ">= ",
             has_low ? low : "", has_low && has_high ? " and " : "", has_high ? "<= " : "",
             has_high ? high : "");
}

void describe_limits(const tm_param_info *info, char *buffer, size_t size)
{
    char range[100], inner[200];
    describe_range(info, range, sizeof range);
    snprintf(inner, sizeof inner, "%s%s%s%s%s%s", range, info->unit ? (range[0] ? ", " : "") : "",
             info->unit ? "in " : "", info->unit ? info->unit : "",
             info->fallback ? (range[0] || info->unit ? "; default " : "default ") : "",
             info->fallback ? info->fallback : "");
    snprintf(buffer, size, inner[0] ? " (%s)" : "%s", inner);
}
