/* Kernel maps as a source: each column is a unit; the features that the map computes from it are
 * scored together, and stored only when the column is chosen. */
#include "base/memory.h"
#include "data/matrix/kind.h"
#include "data/ranks/sharded.h"
#include "data/source/feature_map.h"
#include "data/source/source.h"

#include <math.h>
#include <string.h>

static size_t kernel_width(const tm_source *s, uint64_t unit)
{
    (void)unit;
    return tm_map_width(s->map);
}

static uint64_t kernel_feature(const tm_source *s, uint64_t unit, size_t k, double *factor)
{
    *factor = 1;
    return unit * tm_map_width(s->map) + k;
}

/* sums[k] += weight * feature k at place t. For hik, whose features are 1 up to a step, the
 * contribution of the whole steps is accumulated in whole[] and distributed once for all values. */
static void add_value(const tm_map *map, double t, double weight, double *sums, double *whole)
{
    if (map->kind != MAP_HIK) {
        for (size_t k = 0; k < map->width; k++)
            sums[k] += weight * map_value(map, t, k);
        return;
    }
    double steps = fmin(fmax((double)map->width * t, 0), (double)map->width);
    size_t full = (size_t)steps;
    if (full > 0)
        whole[full - 1] += weight;
    if (full < map->width)
        sums[full] += weight * (steps - (double)full);
}

static double squares_of(const tm_map *map, double *sums, const double *whole)
{
    double squares = 0, above = 0;
    for (size_t k = map->width; k-- > 0;) {
        above += whole[k];
        double c = map->kind == MAP_HIK ? (sums[k] + above) / sqrt((double)map->width) : sums[k];
        squares += c * c;
    }
    return squares;
}

/* A pass over the columns of a source. */
typedef struct scoring {
    const tm_source *s;
    const source_pass *pass;
} scoring;

static void score_column(const matrix_column *column, void *payload, double *out)
{
    const scoring *of = payload;
    const tm_source *s = of->s;
    const source_pass *pass = of->pass;
    double sums[MAP_HIK_WIDTH] = {0}, whole[MAP_HIK_WIDTH] = {0}, stored = 0;
    size_t j = column->j;
    *out = 0;
    if (s->intercept && !(tm_dataset_deviations(s->data)[j] > 0))
        return;
    for (size_t e = 0; e < column->count; e++) {
        double weight = pass->v[column->rows ? column->rows[e] : e];
        stored += weight;
        if (weight != 0)
            add_value(s->map, map_place(s->map, j, column->values[e]), weight, sums, whole);
    }
    if (column->count < s->n)
        add_value(s->map, map_place(s->map, j, 0), pass->sum - stored, sums, whole);
    *out = squares_of(s->map, sums, whole);
}

/* `buffer` has space for the scores of a block after that of a column. */
static void score_columns(tm_source *s, source_pass *pass, size_t block, best *heap, double *buffer)
{
    size_t from = block * s->block, to = from + s->block < s->p ? from + s->block : s->p;
    size_t step = matrix_is_sharded(s->x) ? s->block : 1;
    double *scores = buffer + s->n;
    scoring of = {s, pass};
    const matrix_description score = {score_column, &of, 1, buffer};
    for (size_t j = from; j < to && !source_stopped(pass); j += step) {
        size_t count = to - j < step ? to - j : step;
        matrix_describe(s->x, j, count, &score, scores);
        for (size_t k = 0; k < count; k++)
            best_offer(heap, j + k, scores[k]);
    }
    atomic_fetch_add(&pass->columns, (to - from) * tm_map_width(s->map));
}

static tm_status best_kernel(tm_source *s, source_pass *pass, tm_error *err)
{
    (void)err;
    source_share(s, pass, (s->p + s->block - 1) / s->block, s->n + s->block, score_columns);
    return TM_OK;
}

/* ---- the kinds ----------------------------------------------------------------------------- */

/* The range of a column, including zeros that are not stored. */
static void find_range(const matrix_column *column, void *payload, double *out)
{
    const tm_source *s = payload;
    out[0] = out[1] = column->count < s->n ? 0 : column->values[0];
    for (size_t e = 0; e < column->count; e++) {
        out[0] = fmin(out[0], column->values[e]);
        out[1] = fmax(out[1], column->values[e]);
    }
}

/* The kernel map of the data's columns by their ranges. */
static tm_status make_kernel_map(tm_source *s, const char *kernel, double shape, tm_error *err)
{
    double *low = mem_array(s->p, sizeof *low), *high = mem_array(s->p, sizeof *high);
    double *buffer = mem_array(s->n, sizeof *buffer),
           *ranges = mem_array(2 * s->block, sizeof *ranges);
    const matrix_description range = {find_range, s, 2, buffer};
    tm_status status =
        low && high && buffer && ranges ? TM_OK : tm_fail_memory(err, "the feature source");
    for (size_t from = 0; status == TM_OK && from < s->p; from += s->block) {
        size_t count = s->p - from < s->block ? s->p - from : s->block;
        matrix_describe(s->x, from, count, &range, ranges);
        for (size_t k = 0; k < count; k++) {
            low[from + k] = ranges[2 * k];
            high[from + k] = ranges[2 * k + 1];
        }
    }
    if (status == TM_OK)
        status = tm_map_new_kernel(&s->map, kernel, s->p, low, high, shape, err);
    free(low);
    free(high);
    free(buffer);
    free(ranges);
    return status;
}

static tm_status init_kernel(tm_source *s, const tm_source_spec *spec, const char *kernel,
                             double shape, tm_error *err)
{
    if (spec->standardize)
        return tm_fail(
            err, TM_EUSAGE,
            "source %s scales every column by its range and cannot be combined with standardize",
            spec->kind);
    if (!kernel)
        return tm_fail(err, TM_EUSAGE, "source additive needs a kernel: gaussian or chi2");
    return make_kernel_map(s, kernel, shape, err);
}

static tm_status init_hik(tm_source *s, const tm_source_spec *spec, tm_error *err)
{
    return init_kernel(s, spec, "hik", spec->exponent, err);
}

static tm_status init_additive(tm_source *s, const tm_source_spec *spec, tm_error *err)
{
    return init_kernel(s, spec, spec->kernel, spec->sigma, err);
}

const source_kind source_hik = {.width = kernel_width,
                                .feature = kernel_feature,
                                .best = best_kernel,
                                .init = init_hik,
                                .makes_features = true};
const source_kind source_additive = {.width = kernel_width,
                                     .feature = kernel_feature,
                                     .best = best_kernel,
                                     .init = init_additive,
                                     .makes_features = true};
