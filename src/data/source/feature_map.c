#include "data/source/feature_map.h"

#include "base/memory.h"
#include "base/references.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    [MAP_POLY2] = "poly2",        [MAP_HIK] = "hik",
    [MAP_GAUSSIAN] = "gaussian",  [MAP_CHI2] = "chi2",
    [MAP_SUMS] = "gaussian_sums",
};

/* ---- construction -------------------------------------------------------------------------- */

tm_map *map_alloc(map_kind kind, size_t p)
{
    tm_map *map = calloc(1, sizeof *map);
    if (!map)
        return NULL;
    atomic_init(&map->references, 1);
    map->kind = kind;
    map->p = p;
    map->gamma = map->coef0 = map->sigma = map->exponent = NAN;
    return map;
}

static tm_status check_count(double features, tm_error *err)
{
    static const double MAX = 9007199254740992.0; /* 2^53: greater integers are not exact in JSON */
    if (features <= MAX)
        return TM_OK;
    return tm_fail(err, TM_EUSAGE, "the map would make %.3g features; at most %.3g can be numbered",
                   features, MAX);
}

tm_status tm_map_new_poly2(tm_map **out, size_t p, double gamma, double coef0, tm_error *err)
{
    double count = ((double)p + 2) * ((double)p + 1) / 2;
    *out = NULL;
    tm_status status = check_count(count, err);
    if (status != TM_OK)
        return status;
    tm_map *map = map_alloc(MAP_POLY2, p);
    if (!map)
        return tm_fail_memory(err, "the feature map");
    map->width = 1;
    map->gamma = gamma;
    map->coef0 = coef0;
    map->features = (uint64_t)count;
    *out = map;
    return TM_OK;
}

/* A kernel of the difference of two places (of their logarithms for chi2) is the Fourier transform
 * of its spectrum; sampled at 2 MAP_ORDER + 1 frequencies it becomes that many features. The
 * spacing of the frequencies balances two errors: the period must exceed the possible differences,
 * and the spectrum must be negligible beyond the greatest frequency. */
static void set_frequencies(tm_map *map)
{
    static const double PI = 3.14159265358979323846;
    double sigma = map->sigma;
    if (map->kind == MAP_GAUSSIAN)
        map->step = 2 * PI / (0.5 + sqrt(0.25 + sigma * sigma * PI * MAP_ADDITIVE_WIDTH));
    else
        map->step = 2 * PI / (5.86 * sqrt(MAP_ORDER) + 3.65);
    for (int m = 0; m <= MAP_ORDER; m++) {
        double f = m * map->step;
        double spectrum = map->kind == MAP_GAUSSIAN
                              ? sigma / sqrt(2 * PI) * exp(-sigma * sigma * f * f / 2)
                              : 1 / cosh(PI * f);
        map->amplitudes[m] = sqrt((m ? 2 : 1) * map->step * spectrum);
    }
}

static double *copy_of(const double *values, size_t count)
{
    double *copy = mem_array(count, sizeof *copy);
    if (copy)
        memcpy(copy, values, count * sizeof *copy);
    return copy;
}

tm_status tm_map_new_kernel(tm_map **out, const char *kind, size_t p, const double *low,
                            const double *high, double shape, tm_error *err)
{
    *out = NULL;
    map_kind k = strcmp(kind, "hik") == 0        ? MAP_HIK
                 : strcmp(kind, "gaussian") == 0 ? MAP_GAUSSIAN
                                                 : MAP_CHI2;
    size_t width = k == MAP_HIK ? MAP_HIK_WIDTH : MAP_ADDITIVE_WIDTH;
    if (strcmp(kind, kinds[k]) != 0)
        return tm_fail(err, TM_EUSAGE, "no kernel '%.60s'; known: hik, gaussian, chi2", kind);
    if (k != MAP_CHI2 && !(shape > 0 && isfinite(shape)))
        return tm_fail(err, TM_EUSAGE, "the %s of %s is %g; expected a number above 0",
                       k == MAP_HIK ? "exponent" : "sigma", kind, shape);
    tm_status status = check_count((double)p * (double)width, err);
    if (status != TM_OK)
        return status;
    tm_map *map = map_alloc(k, p);
    if (!map)
        return tm_fail_memory(err, "the feature map");
    map->width = width;
    map->features = (uint64_t)p * width;
    map->low = copy_of(low, p);
    map->high = copy_of(high, p);
    if (!map->low || !map->high) {
        tm_map_unref(map);
        return tm_fail_memory(err, "the feature map");
    }
    map->sigma = k == MAP_GAUSSIAN ? shape : NAN;
    map->exponent = k == MAP_HIK ? shape : NAN;
    if (k != MAP_HIK)
        set_frequencies(map);
    *out = map;
    return TM_OK;
}

tm_map *tm_map_ref(const tm_map *map)
{
    return map ? reference_take(map, &map->references) : NULL;
}

void tm_map_unref(tm_map *map)
{
    if (!map || !reference_drop(&map->references))
        return;
    free(map->low);
    free(map->high);
    sum_map_free(map->sums);
    free(map);
}

/* ---- properties ---------------------------------------------------------------------------- */

const char *tm_map_kind(const tm_map *map)
{
    return kinds[map->kind];
}

size_t tm_map_cols(const tm_map *map)
{
    return map->p;
}

uint64_t tm_map_features(const tm_map *map)
{
    return map->features;
}

size_t tm_map_width(const tm_map *map)
{
    return map->width;
}

double tm_map_gamma(const tm_map *map)
{
    return map->gamma;
}

double tm_map_coef0(const tm_map *map)
{
    return map->coef0;
}

double tm_map_sigma(const tm_map *map)
{
    return map->sigma;
}

double tm_map_exponent(const tm_map *map)
{
    return map->exponent;
}

void tm_map_range(const tm_map *map, size_t j, double *low, double *high)
{
    *low = map->low ? map->low[j] : NAN;
    *high = map->high ? map->high[j] : NAN;
}

/* ---- numbers of features ------------------------------------------------------------------- */

/* The number of pairs whose lesser column is below j. */
static uint64_t pairs_before(size_t p, uint64_t j)
{
    return j * (2 * (uint64_t)p - j - 1) / 2;
}

uint64_t map_pair(const tm_map *map, size_t j, size_t k)
{
    return 1 + 2 * (uint64_t)map->p + pairs_before(map->p, j) + (k - j - 1);
}

static void split_pair(size_t p, uint64_t pair, size_t columns[2])
{
    size_t low = 0, high = p - 1; /* the greatest j with pairs_before(j) <= pair */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(pairs_before(p, middle) <= pair ? &low : &high) = middle;
    }
    columns[0] = low;
    columns[1] = low + 1 + (size_t)(pair - pairs_before(p, low));
}

int tm_map_parents(const tm_map *map, uint64_t feature, size_t columns[2])
{
    size_t p = map->p;
    if (map->kind != MAP_POLY2) {
        columns[0] = (size_t)(feature / map->width);
        return 1;
    }
    if (feature == 0)
        return 0;
    if (feature > 2 * (uint64_t)p) {
        split_pair(p, feature - 1 - 2 * (uint64_t)p, columns);
        return 2;
    }
    columns[0] = (size_t)((feature - 1) % p);
    columns[1] = columns[0];
    return feature <= p ? 1 : 2;
}

const char *tm_map_label(const tm_map *map, uint64_t feature,
                         const char *(*label)(size_t j, void *payload, char *buffer, size_t size),
                         void *payload, char *buffer, size_t size)
{
    char one[256], two[256];
    size_t columns[2];
    int count = tm_map_parents(map, feature, columns);
    if (count == 0)
        snprintf(buffer, size, "1");
    else if (map->kind == MAP_SUMS)
        snprintf(buffer, size, "%s", label(columns[0], payload, one, sizeof one));
    else if (map->kind != MAP_POLY2)
        snprintf(buffer, size, "%s[%zu]", label(columns[0], payload, one, sizeof one),
                 (size_t)(feature % map->width) + 1);
    else if (count == 1)
        snprintf(buffer, size, "%s", label(columns[0], payload, one, sizeof one));
    else if (columns[0] == columns[1])
        snprintf(buffer, size, "%s^2", label(columns[0], payload, one, sizeof one));
    else
        snprintf(buffer, size, "%s*%s", label(columns[0], payload, one, sizeof one),
                 label(columns[1], payload, two, sizeof two));
    return buffer;
}

/* ---- values -------------------------------------------------------------------------------- */

double map_linear_factor(const tm_map *map)
{
    return sqrt(2 * map->gamma * map->coef0);
}

double map_pair_factor(const tm_map *map)
{
    return sqrt(2) * map->gamma;
}

double map_place(const tm_map *map, size_t j, double x)
{
    double range = map->high[j] - map->low[j];
    double t = range > 0 ? (x - map->low[j]) / range : 0;
    return map->kind == MAP_HIK && map->exponent != 1 ? pow(fmax(t, 0), map->exponent) : t;
}

double map_value(const tm_map *map, double t, size_t k)
{
    if (map->kind == MAP_HIK)
        return fmin(fmax((double)map->width * t - (double)k, 0), 1) / sqrt((double)map->width);
    bool homogeneous = map->kind == MAP_CHI2;
    double size = homogeneous ? sqrt(fmax(t, 0)) : 1;
    double phase = homogeneous ? (t > 0 ? log(t) : 0) : t;
    size_t m = (k + 1) / 2;
    double angle = (double)m * map->step * phase;
    return size * map->amplitudes[m] * (k % 2 || k == 0 ? cos(angle) : sin(angle));
}

static void column_or_zero(const tm_matrix *x, size_t j, double *out)
{
    if (j < tm_matrix_cols(x))
        tm_matrix_column(x, j, out);
    else
        memset(out, 0, tm_matrix_rows(x) * sizeof *out);
}

static tm_status poly2_column(const tm_map *map, const tm_matrix *x, uint64_t feature, double *out,
                              tm_error *err)
{
    size_t n = tm_matrix_rows(x), columns[2];
    int count = tm_map_parents(map, feature, columns);
    if (count == 0) {
        for (size_t i = 0; i < n; i++)
            out[i] = map->coef0;
        return TM_OK;
    }
    column_or_zero(x, columns[0], out);
    if (count == 1) {
        for (size_t i = 0; i < n; i++)
            out[i] *= map_linear_factor(map);
        return TM_OK;
    }
    bool square = columns[0] == columns[1];
    double *other = square ? out : mem_array(n, sizeof *other);
    if (!other)
        return tm_fail_memory(err, "a product of two features");
    if (!square)
        column_or_zero(x, columns[1], other);
    double factor = square ? map->gamma : map_pair_factor(map);
    for (size_t i = 0; i < n; i++)
        out[i] = factor * out[i] * other[i];
    if (!square)
        free(other);
    return TM_OK;
}

tm_status tm_map_column(const tm_map *map, const tm_matrix *x, uint64_t feature, double *out,
                        tm_error *err)
{
    if (map->kind == MAP_POLY2)
        return poly2_column(map, x, feature, out, err);
    size_t j = (size_t)(feature / map->width), k = (size_t)(feature % map->width);
    if (map->kind == MAP_SUMS) {
        memset(out, 0, tm_matrix_rows(x) * sizeof *out);
        return tm_map_apply(map, x, feature, 1, (const double[]){1}, out, err);
    }
    column_or_zero(x, j, out);
    for (size_t i = 0; i < tm_matrix_rows(x); i++)
        out[i] = map_value(map, map_place(map, j, out[i]), k);
    return TM_OK;
}

/* ---- sums of features ---------------------------------------------------------------------- */

/* sum_k weights[k] feature[from + k] of one value at place t. For hik, whose features are 1
 * below the place, `below` has the sums of all weights before each k. */
static double value_of(const tm_map *map, double t, size_t from, size_t count,
                       const double *weights, const double *below)
{
    double sum = 0;
    if (map->kind != MAP_HIK) {
        for (size_t k = 0; k < count; k++)
            sum += weights[k] * map_value(map, t, from + k);
        return sum;
    }
    double steps = (double)map->width * t - (double)from;
    if (!(steps > 0))
        return 0;
    size_t full = steps < (double)count ? (size_t)steps : count;
    sum = below[full] + (full < count ? weights[full] * (steps - (double)full) : 0);
    return sum / sqrt((double)map->width);
}

static void apply_kernel(const tm_map *map, const tm_matrix *x, uint64_t first, size_t count,
                         const double *weights, double *column, double *z)
{
    double below[MAP_HIK_WIDTH + 1] = {0};
    size_t n = tm_matrix_rows(x), j = (size_t)(first / map->width);
    size_t from = (size_t)(first % map->width);
    for (size_t k = 0; map->kind == MAP_HIK && k < count; k++)
        below[k + 1] = below[k] + weights[k];
    double zero = value_of(map, map_place(map, j, 0), from, count, weights, below);
    column_or_zero(x, j, column);
    for (size_t i = 0; i < n; i++)
        z[i] += column[i] == 0
                    ? zero
                    : value_of(map, map_place(map, j, column[i]), from, count, weights, below);
}

tm_status tm_map_apply(const tm_map *map, const tm_matrix *x, uint64_t first, size_t count,
                       const double *weights, double *z, tm_error *err)
{
    size_t n = tm_matrix_rows(x);
    double *column = mem_array(n, sizeof *column);
    if (!column)
        return tm_fail_memory(err, "a feature");
    tm_status status = TM_OK;
    if (map->kind == MAP_SUMS) {
        column_or_zero(x, (size_t)first, column);
        sum_map_apply(map->sums, (size_t)first, weights[0], column, n, z);
    } else if (map->kind != MAP_POLY2) {
        apply_kernel(map, x, first, count, weights, column, z);
    } else {
        status = tm_map_column(map, x, first, column, err);
        for (size_t i = 0; status == TM_OK && i < n; i++)
            z[i] += weights[0] * column[i];
    }
    free(column);
    return status;
}
