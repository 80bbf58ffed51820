#include "solve/fgm/feature_cache.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

tm_status feature_cache_init(feature_cache *cache, size_t n, tm_error *err)
{
    *cache = (feature_cache){.n = n, .buffer = mem_array(n, sizeof(double))};
    return cache->buffer ? TM_OK : tm_fail_memory(err, "the features");
}

void feature_cache_clear(feature_cache *cache)
{
    for (size_t k = 0; k < cache->column_count; k++) {
        free(cache->columns[k].rows);
        free(cache->columns[k].values);
    }
    cache->column_count = cache->unit_count = 0;
    cache->entries = 0;
}

void feature_cache_free(feature_cache *cache)
{
    feature_cache_clear(cache);
    free(cache->columns);
    free(cache->units);
    free(cache->buffer);
}

size_t feature_cache_find(const feature_cache *cache, uint64_t unit)
{
    for (size_t u = 0; u < cache->unit_count; u++)
        if (cache->units[u].unit == unit)
            return u;
    return SIZE_MAX;
}

/* Ensures capacity for one more element of `size` bytes, by doubling. */
static bool grow(void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 64;
    void *grown = realloc(*array, wanted * size);
    if (!grown)
        return false;
    *array = grown;
    *room = wanted;
    return true;
}

/* The value subtracted to make the column sparse: its first value or zero, whichever is more
 * frequent. */
static double base_of(const double *x, size_t n, size_t *others)
{
    size_t zeros = 0, firsts = 0;
    for (size_t i = 0; i < n; i++) {
        zeros += x[i] == 0;
        firsts += x[i] == x[0];
    }
    *others = n - (zeros > firsts ? zeros : firsts);
    return zeros > firsts ? 0 : x[0];
}

/* Stores the column `x` in sparse form when less than a third of it differs from its base. */
static bool store(cached_column *column, const double *x, size_t n)
{
    size_t others;
    double base = base_of(x, n, &others);
    bool sparse = others < n / 3 && n <= UINT32_MAX;
    *column = (cached_column){.count = sparse ? others : n, .base = sparse ? base : 0};
    column->values = mem_array(column->count, sizeof *column->values);
    column->rows = sparse ? mem_array(others, sizeof *column->rows) : NULL;
    if (!column->values || (sparse && !column->rows)) {
        free(column->values);
        free(column->rows);
        return false;
    }
    if (!sparse) {
        memcpy(column->values, x, n * sizeof *x);
        return true;
    }
    for (size_t i = 0, at = 0; i < n; i++)
        if (x[i] != base) {
            column->rows[at] = (uint32_t)i;
            column->values[at++] = x[i] - base;
        }
    return true;
}

static tm_status add_column(feature_cache *cache, const tm_source *source, uint64_t unit, size_t k,
                            tm_error *err)
{
    void *columns = cache->columns;
    tm_status status = tm_source_column(source, unit, k, cache->buffer, err);
    if (status != TM_OK)
        return status;
    if (!grow(&columns, cache->column_count, &cache->column_room, sizeof *cache->columns))
        return tm_fail_memory(err, "the features");
    cache->columns = columns;
    if (!store(&cache->columns[cache->column_count], cache->buffer, cache->n))
        return tm_fail_memory(err, "the features");
    cache->entries += cache->columns[cache->column_count++].count;
    return TM_OK;
}

tm_status feature_cache_add(feature_cache *cache, const tm_source *source, uint64_t unit,
                            tm_error *err)
{
    size_t width = tm_source_width(source, unit);
    void *units = cache->units;
    if (!grow(&units, cache->unit_count, &cache->unit_room, sizeof *cache->units))
        return tm_fail_memory(err, "the features");
    cache->units = units;
    cache->units[cache->unit_count++] = (cached_unit){unit, cache->column_count, width};
    for (size_t k = 0; k < width; k++) {
        tm_status status = add_column(cache, source, unit, k, err);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

double feature_cache_dot(const feature_cache *cache, size_t k, const double *v, double sum)
{
    const cached_column *c = &cache->columns[k];
    if (!c->rows)
        return kernel_dot(c->values, v, c->count);
    return kernel_sparse_dot(c->rows, c->values, c->count, v) + c->base * sum;
}

void feature_cache_axpy(const feature_cache *cache, size_t k, double a, double *z)
{
    const cached_column *c = &cache->columns[k];
    if (!c->rows) {
        kernel_axpy(a, c->values, z, c->count);
        return;
    }
    kernel_sparse_axpy(a, c->rows, c->values, c->count, z);
    for (size_t i = 0; c->base != 0 && i < cache->n; i++)
        z[i] += a * c->base;
}
