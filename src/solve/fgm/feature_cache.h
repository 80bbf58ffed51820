/* The columns of the units selected so far: FGM's cache for features (FGM section 5.5). The source
 * generates a column once; it is stored in sparse form when most of it is one value. */
#ifndef SOLVE_FGM_FEATURE_CACHE_H
#define SOLVE_FGM_FEATURE_CACHE_H

#include "tamis/source.h"

/* x_i = base + values[e] for i = rows[e], base elsewhere; dense (all values, base 0) when rows is
 * NULL. */
typedef struct cached_column {
    size_t count;
    uint32_t *rows;
    double *values;
    double base;
} cached_column;

/* A selected unit and its columns in the cache, from .. from+count-1. */
typedef struct cached_unit {
    uint64_t unit;
    size_t from, count;
} cached_unit;

typedef struct feature_cache {
    size_t n;
    cached_column *columns;
    size_t column_count, column_room;
    cached_unit *units;
    size_t unit_count, unit_room;
    uint64_t entries; /* stored entries of all columns: the cost of a pass over them */
    double *buffer;   /* n */
} feature_cache;

tm_status feature_cache_init(feature_cache *cache, size_t n, tm_error *err);
void feature_cache_free(feature_cache *cache);
/* Removes all units. */
void feature_cache_clear(feature_cache *cache);

/* The index of a unit in cache->units, or SIZE_MAX. */
size_t feature_cache_find(const feature_cache *cache, uint64_t unit);
/* Generates the columns of a unit that is not cached yet. */
tm_status feature_cache_add(feature_cache *cache, const tm_source *source, uint64_t unit,
                            tm_error *err);

/* column'v; `sum` is the sum of v. */
double feature_cache_dot(const feature_cache *cache, size_t k, const double *v, double sum);
/* z += a * column k. */
void feature_cache_axpy(const feature_cache *cache, size_t k, double a, double *z);

#endif
