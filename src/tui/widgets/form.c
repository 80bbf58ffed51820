#include "tui/widgets/form.h"

#include "tui/terminal/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MAX = 256, PAGE_ROWS = 5 };

/* ---- rows ---------------------------------------------------------------------------------- */

/* The rank of a parameter in the form: the most used ones, other common ones, those for experts. */
static int rank_of(const tm_param_info *info)
{
    static const char *const first[] = {"lambda", "lambda_ratio", "B", "C", "screen"};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if (strcmp(info->name, first[i]) == 0)
            return 0;
    return (info->flags & TM_PARAM_EXPERT) != 0 ? 2 : 1;
}

static const tm_param_info *ordered(const tm_params *params, size_t index)
{
    size_t count = tm_params_count(params);
    for (int rank = 0; rank < 3; rank++) {
        for (size_t i = 0; i < count; i++) {
            const tm_param_info *info = tm_params_info(params, i);
            if (rank_of(info) == rank && index-- == 0)
                return info;
        }
    }
    return NULL;
}

/* Rows above the parameters: the method, and the class if there are several. */
static size_t head_rows(const explore_runs *e)
{
    return e->classes && e->classes->all.count > 0 ? 2 : 1;
}

size_t form_rows(const explore_runs *e)
{
    return tm_params_count(e->params) + head_rows(e);
}

bool form_is_class(const explore_runs *e, size_t row)
{
    return row == 1 && head_rows(e) == 2;
}

const tm_param_info *form_param(const explore_runs *e, size_t row)
{
    return row >= head_rows(e) ? ordered(e->params, row - head_rows(e)) : NULL;
}

size_t form_find(const explore_runs *e, const char *name)
{
    for (size_t row = head_rows(e); row < form_rows(e); row++)
        if (strcmp(form_param(e, row)->name, name) == 0)
            return row;
    return 0;
}

void form_open(form *f, const explore_runs *e, const char *name)
{
    *f = (form){.rows = {.page = PAGE_ROWS}, .head = head_rows(e)};
    list_resize(&f->rows, form_rows(e));
    list_choose(&f->rows, (long)form_find(e, name));
}

/* Whether there is a row for the class depends on the data; the chosen parameter stays the same. */
static void follow_head(form *f, const explore_runs *e)
{
    size_t head = head_rows(e), chosen = f->rows.chosen;
    list_resize(&f->rows, form_rows(e));
    if (head > f->head && chosen > 0)
        list_choose(&f->rows, (long)chosen + 1);
    else if (head < f->head && chosen > 1)
        list_choose(&f->rows, (long)chosen - 1);
    f->head = head;
}

bool form_request(form *f, const explore_runs *e, int request)
{
    follow_head(f, e);
    return list_request(&f->rows, request);
}

/* ---- values -------------------------------------------------------------------------------- */

/* The value implied where the form has none: lambda from lambda_ratio and the reverse. */
static double implied(const explore_runs *e, const char *name)
{
    const tm_point *answer = explore_runs_answer(e);
    if (!answer)
        return NAN;
    if (strcmp(name, "lambda") == 0)
        return answer->solution.lambda;
    return strcmp(name, "lambda_ratio") == 0 ? answer->solution.lambda / answer->solution.lambda_max
                                             : NAN;
}

/* Whether lambda is set and lambda_ratio is derived from it. */
static bool overruled(const explore_runs *e, const char *name)
{
    return strcmp(name, "lambda_ratio") == 0 && tm_params_find(e->params, "lambda", NULL) &&
           tm_params_given(e->params, "lambda");
}

/* The value as text; *given false: it is the default or follows from another. */
static void value_text(const explore_runs *e, size_t row, char *buffer, size_t size, bool *given)
{
    const tm_param_info *info = form_param(e, row);
    if (!info) {
        bool class = form_is_class(e, row), chosen = !class || e->classes->label;
        snprintf(buffer, size, "%s",
                 !class   ? tm_method_id(e->method)
                 : chosen ? e->classes->label
                          : "-");
        *given = chosen;
        return;
    }
    *given = tm_params_given(e->params, info->name);
    if (tm_params_has(e->params, info->name) && !overruled(e, info->name)) {
        tm_params_summary(e->params, info->name, buffer, size);
        return;
    }
    double value = implied(e, info->name);
    if (isfinite(value))
        snprintf(buffer, size, "%.4g", value);
    else
        snprintf(buffer, size, "%s", strcmp(info->name, "lambdas") == 0 ? "40" : "-");
}

void form_text(const form *f, const explore_runs *e, char *buffer, size_t size)
{
    const tm_param_info *info = form_param(e, f->rows.chosen);
    bool given;
    value_text(e, f->rows.chosen, buffer, size, &given);
    if (info && tm_params_given(e->params, info->name)) {
        /* Edited text must be parsed again: a vector too long for the buffer has to be typed from
         * scratch. */
        size_t length = tm_params_format(e->params, info->name, buffer, size);
        buffer[0] = length < size ? buffer[0] : '\0';
    }
    if (info && strcmp(buffer, "-") == 0)
        buffer[0] = '\0';
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Ten preferred numbers per decade; small values, which are tolerances, change by decades. */
static double step_log(double value, long steps)
{
    static const double preferred[] = {1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8};
    double place = log10(value);
    if (place < -4.5 || (place < -3.99 && steps < 0))
        return pow(10.0, round(place) + (double)(steps > 1 || steps < -1 ? steps / 5 : steps));
    long tenths = lround(place * 10.0) + steps;
    long decade = tenths >= 0 ? tenths / 10 : -((9 - tenths) / 10);
    double power = pow(10.0, fabs((double)decade));
    double mantissa = preferred[tenths - decade * 10];
    return decade >= 0 ? mantissa * power : mantissa / power;
}

static bool is_whole(const tm_param_info *info)
{
    return info->type == TM_PARAM_INT || (info->flags & TM_PARAM_WHOLE) != 0;
}

static double step_linear(const tm_param_info *info, double value, long steps)
{
    if (is_whole(info))
        return value + (double)steps;
    double range = info->max - info->min;
    double step = isfinite(range) && range < 1e6 ? range / 20.0 : 0.1;
    return round((value / step + (double)steps) * 1e9) / 1e9 * step;
}

static double clamp(const tm_param_info *info, double value)
{
    value = value > info->max ? info->max : value;
    bool open = (info->flags & TM_PARAM_MIN_OPEN) != 0;
    if (value < info->min || (open && value <= info->min))
        return open ? nextafter(info->min, INFINITY) : info->min;
    return value;
}

/* The number from which a step starts. */
static double start_value(const explore_runs *e, const tm_param_info *info)
{
    size_t count = 0;
    double value = NAN;
    bool has = tm_params_has(e->params, info->name) && !overruled(e, info->name);
    if (has && info->type == TM_PARAM_INT) {
        value = (double)tm_params_int(e->params, info->name);
    } else if (has && info->type == TM_PARAM_REAL) {
        value = tm_params_real(e->params, info->name);
    } else if (has) {
        const double *values = tm_params_reals(e->params, info->name, &count);
        value = count > 0 ? values[0] : NAN;
    } else if (strcmp(info->name, "lambdas") == 0) {
        value = 40.0;
    } else {
        value = implied(e, info->name);
    }
    return isfinite(value) ? value : info->min > 0 ? info->min : 1.0;
}

static void step_number(const explore_runs *e, const tm_param_info *info, long steps, char *buffer,
                        size_t size)
{
    double value = start_value(e, info);
    bool logarithmic = (info->flags & TM_PARAM_LOG) != 0 && value > 0;
    double next = logarithmic ? step_log(value, steps) : step_linear(info, value, steps);
    if (is_whole(info)) {
        /* Whole numbers change by at least one. */
        next = round(next) == value ? value + (steps > 0 ? 1.0 : -1.0) : round(next);
        snprintf(buffer, size, "%.0f", clamp(info, next));
        return;
    }
    snprintf(buffer, size, "%.6g", clamp(info, next));
}

static tm_status step_choice(explore_runs *e, const tm_param_info *info, long steps, tm_error *err)
{
    const char *now = tm_params_text(e->params, info->name);
    long count = 0, at = 0;
    for (; info->choices[count].name; count++)
        if (now && strcmp(info->choices[count].name, now) == 0)
            at = count;
    at = (at + (steps > 0 ? 1 : count - 1)) % count;
    return explore_runs_set(e, info->name, info->choices[at].name, err);
}

static tm_status step_method(explore_runs *e, long steps, tm_error *err)
{
    long count = 0, at = 0;
    for (; tm_methods_at((size_t)count); count++)
        at = tm_methods_at((size_t)count) == e->method ? count : at;
    long next = (at + (steps > 0 ? 1 : count - 1)) % count;
    return next != at ? explore_runs_method(e, tm_methods_at((size_t)next), err) : TM_OK;
}

const char *form_class_step(const explore_runs *e, long steps)
{
    const tm_classes *all = &e->classes->all;
    long places = (long)all->count + (e->classes->named ? 0 : 1), at = 0;
    /* "-", the response as a number, comes before the first class. */
    for (size_t k = 0; e->classes->label && k < all->count; k++)
        if (strcmp(all->labels[k], e->classes->label) == 0)
            at = (long)k + (e->classes->named ? 0 : 1);
    at = ((at + steps) % places + places) % places;
    if (!e->classes->named && at == 0)
        return "-";
    return all->labels[at - (e->classes->named ? 0 : 1)];
}

tm_status form_step(const form *f, explore_runs *e, long steps, tm_error *err)
{
    const tm_param_info *info = form_param(e, f->rows.chosen);
    char before[VALUE_MAX], text[VALUE_MAX];
    if (!info)
        return step_method(e, steps, err);
    switch (info->type) {
    case TM_PARAM_CHOICE:
        return step_choice(e, info, steps, err);
    case TM_PARAM_BOOL:
        return explore_runs_set(e, info->name,
                                tm_params_bool(e->params, info->name) ? "false" : "true", err);
    case TM_PARAM_TEXT:
        return tm_fail(err, TM_EUSAGE, "%s is text: press Enter to type it", info->name);
    case TM_PARAM_VECTOR:
        return tm_fail(err, TM_EUSAGE,
                       "%s is a number for all, a list or a file: press Enter to type it",
                       info->name);
    default:
        break;
    }
    step_number(e, info, steps, text, sizeof text);
    tm_params_format(e->params, info->name, before, sizeof before);
    /* At the end of the range the value does not change, so nothing is solved. */
    bool same = tm_params_has(e->params, info->name) && !overruled(e, info->name) &&
                strcmp(before, text) == 0;
    return same ? TM_OK : explore_runs_set(e, info->name, text, err);
}

tm_status form_take(size_t row, explore_runs *e, const char *text, tm_error *err)
{
    const tm_param_info *info = form_param(e, row);
    if (info)
        return explore_runs_set(e, info->name, text[0] != '\0' ? text : NULL, err);
    const tm_method *method = tm_method_find(text, err);
    return method ? explore_runs_method(e, method, err) : TM_EUSAGE;
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void draw_row(const form *f, const explore_runs *e, terminal *t, rect at, size_t row,
                     bool focus)
{
    const tm_param_info *info = form_param(e, row);
    char value[VALUE_MAX], shown[VALUE_MAX + 16];
    bool given;
    bool selected = row == f->rows.chosen;
    value_text(e, row, value, sizeof value, &given);
    const char *name = info ? info->name : form_is_class(e, row) ? "class" : "method";
    int width = at.cols - cells_width(name, terminal_utf8(t)) - 1;
    const char *before = selected ? terminal_pick(t, "‹", "<") : "";
    const char *after = selected ? terminal_pick(t, "›", ">") : " ";
    snprintf(shown, sizeof shown, selected ? "%s %s %s" : "%s%s%s", before, value, after);
    if (cells_width(shown, terminal_utf8(t)) > width)
        snprintf(shown, sizeof shown, "%s%s%s", before, value, selected ? after : "");
    terminal_style style = selected && focus ? STYLE_SELECTED : STYLE_NORMAL;
    if (selected)
        terminal_put_padded(t, at.row, at.col, at.cols, style, "");
    terminal_put(t, at.row, at.col, at.cols, style, name);
    if (width > 0) {
        terminal_style quiet = given ? STYLE_VALUE : STYLE_DIM;
        terminal_put_right(t, at.row, at.col + at.cols - width, width,
                           selected && focus ? style : quiet, shown);
    }
}

void form_draw(form *f, const explore_runs *e, terminal *t, rect area, bool focus)
{
    size_t row;
    rect at;
    follow_head(f, e);
    list_hide(&f->rows);
    if (area.rows <= 0 || area.cols <= 0)
        return;
    list_show(&f->rows, area, form_rows(e));
    for (int i = 0; list_row(&f->rows, i, &row, &at); i++)
        draw_row(f, e, t, at, row, focus);
}
