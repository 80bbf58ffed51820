/* Curves through a sweep's table. */
#include "run/table/table.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* If there are more curves of one point than this, they are drawn as one cloud of points. */
enum { MAX_SINGLE = 8, NAME = 256 };

/* A partition of the configurations into curves: the curve of each, and the first configuration of
 * each curve. */
typedef struct grouping {
    size_t *of, *first, *slots; /* config_count, config_count, 2 x config_count: a hash table */
    size_t count;
} grouping;

/* The axis of this name; axis_count if there is none. */
static size_t find_axis(const tm_sweep_table *t, const char *name)
{
    size_t a = 0;
    while (a < t->axis_count && strcmp(t->axes[a], name) != 0)
        a++;
    return a;
}

/* ---- which curve --------------------------------------------------------------------------- */

/* Whether every value of the axis is a number. */
static bool is_number(const tm_sweep_table *t, size_t axis)
{
    double number;
    for (size_t c = 0; c < t->config_count; c++) {
        const char *text = tm_sweep_table_value(t, c, axis);
        if (text && !text_to_real(text, &number))
            return false;
    }
    return true;
}

/* Whether the axis is the step of a path, which varies with the path's parameter. */
static bool is_step(const tm_sweep_table *t, size_t axis)
{
    return strcmp(t->axes[axis], "step") == 0;
}

/* Whether one axis is the step of a path and the other its parameter. */
static bool paired(const tm_sweep_table *t, size_t a, size_t b)
{
    return t->along[a] && t->along[b] && (is_step(t, a) || is_step(t, b));
}

/* Chooses the axes that distinguish curves: not x itself, nor, if x is a column, those along which
 * configurations are solved in sequence. */
static void choose_axes(const tm_sweep_table *t, size_t x, bool *apart)
{
    for (size_t a = 0; a < t->axis_count; a++)
        apart[a] = x < t->axis_count ? a != x && !paired(t, a, x) : !t->along[a];
}

/* The values that a curve's configurations share: "fgm T=2". */
static void curve_name(const tm_sweep_table *t, size_t config, const bool *apart, char *name)
{
    size_t used = 0;
    name[0] = '\0';
    for (size_t a = 0; a < t->axis_count && used < NAME; a++) {
        const char *value = tm_sweep_table_value(t, config, a);
        bool plain = strcmp(t->axes[a], "method") == 0 || strcmp(t->axes[a], "data") == 0;
        if (!apart[a] || !value)
            continue;
        used += (size_t)snprintf(name + used, NAME - used, "%s%.60s%s%.60s", used ? " " : "",
                                 plain ? "" : t->axes[a], plain ? "" : "=", value);
    }
}

static bool same_value(const tm_sweep_table *t, size_t a, size_t b, size_t axis)
{
    const char *x = tm_sweep_table_value(t, a, axis), *y = tm_sweep_table_value(t, b, axis);
    return x == y || (x && y && strcmp(x, y) == 0);
}

static bool same_curve(const tm_sweep_table *t, size_t a, size_t b, const bool *apart)
{
    for (size_t k = 0; k < t->axis_count; k++)
        if (apart[k] && !same_value(t, a, b, k))
            return false;
    return true;
}

static uint64_t hash_of(const tm_sweep_table *t, size_t config, const bool *apart)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t k = 0; k < t->axis_count; k++) {
        const char *c = apart[k] ? tm_sweep_table_value(t, config, k) : NULL;
        for (; c && *c; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211U;
        hash = (hash ^ 0xff) * 1099511628211U;
    }
    return hash;
}

static void group(grouping *g, const tm_sweep_table *t, const bool *apart)
{
    size_t capacity = 2 * t->config_count;
    memset(g->slots, 0, capacity * sizeof *g->slots);
    g->count = 0;
    for (size_t c = 0; c < t->config_count; c++) {
        size_t at = hash_of(t, c, apart) % capacity;
        while (g->slots[at] && !same_curve(t, g->first[g->slots[at] - 1], c, apart))
            at = (at + 1) % capacity;
        if (!g->slots[at]) {
            g->first[g->count++] = c;
            g->slots[at] = g->count;
        }
        g->of[c] = g->slots[at] - 1;
    }
}

/* Randomly drawn configurations agree in nothing: they are then grouped only by their non-numeric
 * values, as clouds of points. */
static bool group_all(grouping *g, const tm_sweep_table *t, size_t x, bool *apart)
{
    choose_axes(t, x, apart);
    group(g, t, apart);
    if (g->count < t->config_count || g->count <= MAX_SINGLE)
        return false;
    for (size_t a = 0; a < t->axis_count; a++)
        apart[a] = apart[a] && !is_number(t, a);
    group(g, t, apart);
    return true;
}

/* Counts, by curve, the axes along which its configurations vary, into the slots. */
static void count_moving(grouping *g, const tm_sweep_table *t, const bool *apart)
{
    size_t *moving = g->slots, *last = g->slots + t->config_count;
    memset(g->slots, 0, 2 * t->config_count * sizeof *g->slots);
    for (size_t a = 0; a < t->axis_count; a++)
        for (size_t c = 0; !apart[a] && !is_step(t, a) && c < t->config_count; c++) {
            size_t curve = g->of[c];
            if (last[curve] == a + 1 || same_value(t, g->first[curve], c, a))
                continue;
            last[curve] = a + 1;
            moving[curve]++;
        }
}

/* ---- points -------------------------------------------------------------------------------- */

typedef struct spot {
    size_t curve;
    double x, y, se;
} spot;

typedef struct spot_list {
    spot *all;
    size_t count;
} spot_list;

static int compare_spots(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    if (p->curve != q->curve)
        return p->curve < q->curve ? -1 : 1;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* The x value of a configuration: the number on the axis, or the mean of the column. */
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

/* Makes all points, sorted by curve and x. */
static tm_status find_spots(const tm_sweep_table *t, const char *x, const char *y,
                            const grouping *g, spot_list *spots, tm_error *err)
{
    size_t axis = find_axis(t, x);
    for (size_t c = 0; c < t->config_count; c++) {
        tm_sweep_mean mean;
        spot at = {.curve = g->of[c]};
        tm_status status = x_of(t, x, axis, c, &at.x, err);
        if (status == TM_OK)
            status = tm_sweep_summary(t, y, c, &mean, err);
        if (status != TM_OK)
            return status;
        at.y = mean.mean;
        at.se = mean.se;
        if (!isnan(at.x) && !isnan(at.y))
            spots->all[spots->count++] = at;
    }
    qsort(spots->all, spots->count, sizeof *spots->all, compare_spots);
    return TM_OK;
}

static tm_status fill(tm_sweep_curve *curve, const char *name, const spot *spots, size_t count,
                      tm_error *err)
{
    curve->name = text_copy(name);
    curve->x = mem_array(count, sizeof *curve->x);
    curve->y = mem_array(count, sizeof *curve->y);
    curve->se = mem_array(count, sizeof *curve->se);
    if (!curve->name || !curve->x || !curve->y || !curve->se)
        return tm_fail_memory(err, "a curve");
    for (curve->count = 0; curve->count < count; curve->count++) {
        curve->x[curve->count] = spots[curve->count].x;
        curve->y[curve->count] = spots[curve->count].y;
        curve->se[curve->count] = spots[curve->count].se;
    }
    return TM_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

void tm_sweep_curves_free(tm_sweep_curve *curves, size_t count)
{
    for (size_t i = 0; curves && i < count; i++) {
        free(curves[i].name);
        free(curves[i].x);
        free(curves[i].y);
        free(curves[i].se);
    }
    free(curves);
}

/* `cloud`: points are not joined by lines. */
static tm_status make_curves(const tm_sweep_table *t, const grouping *g, const bool *apart,
                             bool cloud, spot_list spots, tm_sweep_curve *curves, tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t i = 0, next = 0; status == TM_OK && i < g->count; i++) {
        char name[NAME];
        size_t begin = next;
        while (next < spots.count && spots.all[next].curve == i)
            next++;
        curve_name(t, g->first[i], apart, name);
        curves[i].cloud = next - begin > 1 && (cloud || g->slots[i] > 1);
        status = fill(&curves[i], name, spots.all + begin, next - begin, err);
    }
    return status;
}

tm_status tm_sweep_curves(const tm_sweep_table *t, const char *x, const char *y,
                          tm_sweep_curve **out, size_t *count, tm_error *err)
{
    grouping g = {.of = mem_array(t->config_count, sizeof *g.of),
                  .first = mem_array(t->config_count, sizeof *g.first),
                  .slots = mem_array(2 * t->config_count, sizeof *g.slots)};
    bool *apart = mem_zeros(t->axis_count, sizeof *apart), cloud = false;
    spot_list spots = {mem_array(t->config_count, sizeof *spots.all), 0};
    tm_sweep_curve *curves = NULL;
    bool made = g.of && g.first && g.slots && apart && spots.all;
    tm_status status = made ? TM_OK : tm_fail_memory(err, "a curve");
    *out = NULL;
    *count = 0;
    if (status == TM_OK) {
        cloud = group_all(&g, t, find_axis(t, x), apart);
        count_moving(&g, t, apart);
        status = find_spots(t, x, y, &g, &spots, err);
    }
    if (status == TM_OK && !(curves = mem_zeros(g.count, sizeof *curves)))
        status = tm_fail_memory(err, "a curve");
    if (status == TM_OK)
        status = make_curves(t, &g, apart, cloud, spots, curves, err);
    if (status == TM_OK) {
        *out = curves;
        *count = g.count;
    } else {
        tm_sweep_curves_free(curves, g.count);
    }
    free(g.of);
    free(g.first);
    free(g.slots);
    free(apart);
    free(spots.all);
    return status;
}
