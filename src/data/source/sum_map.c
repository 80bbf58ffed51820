#include "data/source/sum_map.h"

#include "base/memory.h"
#include "base/numeric/exp_log.h"
#include "base/numeric/lanes.h"
#include "base/numeric/order.h"
#include "data/source/feature_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sum_map {
    size_t n, count;
    size_t *columns;
    double *coef, *rates, *centres;
};

void sum_map_free(sum_map *sums)
{
    if (!sums)
        return;
    free(sums->columns);
    free(sums->coef);
    free(sums);
}

static sum_map *copy_parts(const sum_map_parts *parts)
{
    size_t cells;
    sum_map *sums = calloc(1, sizeof *sums);
    bool fits = !__builtin_mul_overflow(parts->n, parts->count, &cells) &&
                !__builtin_add_overflow(cells, parts->n + parts->count, &cells);
    if (!sums)
        return NULL;
    sums->columns = mem_array(parts->count, sizeof *sums->columns);
    sums->coef = fits ? mem_array(cells, sizeof *sums->coef) : NULL;
    if (!sums->columns || !sums->coef) {
        sum_map_free(sums);
        return NULL;
    }
    sums->n = parts->n;
    sums->count = parts->count;
    sums->rates = sums->coef + parts->n;
    sums->centres = sums->rates + parts->count;
    memcpy(sums->columns, parts->columns, parts->count * sizeof *sums->columns);
    memcpy(sums->coef, parts->coef, parts->n * sizeof *sums->coef);
    memcpy(sums->rates, parts->rates, parts->count * sizeof *sums->rates);
    memcpy(sums->centres, parts->centres, parts->n * parts->count * sizeof *sums->centres);
    return sums;
}

tm_status map_new_sums(tm_map **out, const sum_map_parts *parts, tm_error *err)
{
    tm_map *map = map_alloc(MAP_SUMS, parts->p);
    *out = NULL;
    if (!map)
        return tm_fail_memory(err, "the feature map");
    map->width = 1;
    map->features = parts->p;
    map->sums = copy_parts(parts);
    if (!map->sums) {
        tm_map_unref(map);
        return tm_fail_memory(err, "the feature map");
    }
    *out = map;
    return TM_OK;
}

bool map_sums(const tm_map *map, sum_map_parts *parts)
{
    const sum_map *sums = map->sums;
    if (!sums)
        return false;
    *parts = (sum_map_parts){map->p,        sums->n,     sums->coef,   sums->count,
                             sums->columns, sums->rates, sums->centres};
    return true;
}

PER_MACHINE
static void add_gaussian(const double *restrict x, size_t n, double centre, double rate,
                         double coef, double *restrict out)
{
    for (size_t i = 0; i < n; i++) {
        double d = (x[i] - centre) * rate;
        out[i] += coef * exp_negative(-d * d);
    }
}

void sum_map_apply(const sum_map *sums, size_t j, double weight, const double *x, size_t n,
                   double *out)
{
    const size_t *found =
        bsearch(&j, sums->columns, sums->count, sizeof *sums->columns, order_sizes);
    if (!found)
        return;
    size_t k = (size_t)(found - sums->columns);
    for (size_t m = 0; m < sums->n; m++)
        add_gaussian(x, n, sums->centres[k * sums->n + m], sums->rates[k], weight * sums->coef[m],
                     out);
}
