/* Curves through a sweep's table. */
#include "run/table/table.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The axis of that name; axis_count when it is none. */
static size_t find_axis(const tm_sweep_table *t, const char *name)
{
    size_t a = 0;
    while (a < t->axis_count && strcmp(t->axes[a], name) != 0)
        a++;
    return a;
}

/* The axes that a curve runs along: x itself, or else those that are solved one from the other. The
 * rest tells the curves apart. */
static bool along(const tm_sweep_table *t, size_t axis, size_t x)
{
    static const char *const swept[] = {"lambda", "lambda_ratio", "step", "B", "C"};
    if (x < t->axis_count)
        return axis == x;
    for (size_t i = 0; i < sizeof swept / sizeof *swept; i++)
        if (strcmp(t->axes[axis], swept[i]) == 0)
            return true;
    return false;
}

/* "fgm T=2": what the configuration shares with its curve. */
static void curve_name(const tm_sweep_table *t, size_t config, size_t x, char *name, size_t size)
{
    size_t used = 0;
    name[0] = '\0';
    for (size_t a = 0; a < t->axis_count && used < size; a++) {
        const char *value = tm_sweep_table_value(t, config, a);
        bool plain = strcmp(t->axes[a], "method") == 0 || strcmp(t->axes[a], "data") == 0;
        if (along(t, a, x) || !value)
            continue;
        used += (size_t)snprintf(name + used, size - used, "%s%.60s%s%.60s", used ? " " : "",
                                 plain ? "" : t->axes[a], plain ? "" : "=", value);
    }
}

typedef struct spot {
    double x, y;
} spot;

static int compare_spots(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* What a configuration has on the x axis: the axis's number, or the column's mean. */
static tm_status x_of(const tm_sweep_table *t, const char *x, size_t axis, size_t config,
                      double *out, tm_error *err)
{
    *out = NAN;
    if (axis == t->axis_count) {
        tm_sweep_mean mean;
        tm_status status = tm_sweep_summary(t, x, config, &mean, err);
        *out = status == TM_OK ? mean.mean : NAN;
        return status;
    }
    const char *text = tm_sweep_table_value(t, config, axis);
    if (text && !text_to_real(text, out))
        return tm_fail(err, TM_EUSAGE, "the axis '%.60s' has the value '%.60s'; expected numbers",
                       x, text);
    return TM_OK;
}

static tm_status fill(const tm_sweep_table *t, const char *x, const char *y, size_t axis,
                      tm_sweep_curve *curve, spot *spots, tm_error *err)
{
    char name[256];
    for (size_t c = 0; c < t->config_count; c++) {
        tm_sweep_mean mean;
        spot at;
        curve_name(t, c, axis, name, sizeof name);
        if (strcmp(name, curve->name) != 0)
            continue;
        tm_status status = x_of(t, x, axis, c, &at.x, err);
        if (status == TM_OK)
            status = tm_sweep_summary(t, y, c, &mean, err);
        if (status != TM_OK)
            return status;
        at.y = mean.mean;
        if (!isnan(at.x) && !isnan(at.y))
            spots[curve->count++] = at;
    }
    qsort(spots, curve->count, sizeof *spots, compare_spots);
    curve->x = mem_array(curve->count, sizeof *curve->x);
    curve->y = mem_array(curve->count, sizeof *curve->y);
    if (!curve->x || !curve->y)
        return tm_fail_memory(err, "a curve");
    for (size_t i = 0; i < curve->count; i++) {
        curve->x[i] = spots[i].x;
        curve->y[i] = spots[i].y;
    }
    return TM_OK;
}

void tm_sweep_curves_free(tm_sweep_curve *curves, size_t count)
{
    for (size_t i = 0; curves && i < count; i++) {
        free(curves[i].name);
        free(curves[i].x);
        free(curves[i].y);
    }
    free(curves);
}

tm_status tm_sweep_curves(const tm_sweep_table *t, const char *x, const char *y,
                          tm_sweep_curve **out, size_t *count, tm_error *err)
{
    size_t axis = find_axis(t, x);
    tm_status status = TM_OK;
    *out = NULL;
    *count = 0;
    tm_sweep_curve *curves = mem_zeros(t->config_count, sizeof *curves);
    spot *spots = mem_array(t->config_count, sizeof *spots);
    if (!curves || !spots)
        status = tm_fail_memory(err, "a curve");
    for (size_t c = 0; status == TM_OK && c < t->config_count; c++) {
        char name[256];
        bool known = false;
        curve_name(t, c, axis, name, sizeof name);
        for (size_t i = 0; i < *count && !known; i++)
            known = strcmp(curves[i].name, name) == 0;
        if (known)
            continue;
        tm_sweep_curve *curve = &curves[(*count)++];
        curve->name = text_copy(name);
        status =
            curve->name ? fill(t, x, y, axis, curve, spots, err) : tm_fail_memory(err, "a curve");
    }
    free(spots);
    if (status != TM_OK) {
        tm_sweep_curves_free(curves, *count);
        *count = 0;
        return status;
    }
    *out = curves;
    return TM_OK;
}
