/* The internals of a tm_map, for the source that scores its features. */
#ifndef DATA_SOURCE_FEATURE_MAP_H
#define DATA_SOURCE_FEATURE_MAP_H

#include "tamis/map.h"

#include <stdatomic.h>

typedef enum map_kind { MAP_POLY2, MAP_HIK, MAP_GAUSSIAN, MAP_CHI2, MAP_SUMS } map_kind;

enum { MAP_HIK_WIDTH = 100, MAP_ORDER = 5, MAP_ADDITIVE_WIDTH = 2 * MAP_ORDER + 1 };

typedef struct sum_map sum_map;

struct tm_map {
    atomic_size_t references;
    map_kind kind;
    size_t p, width;
    uint64_t features;
    double gamma, coef0, sigma, exponent;
    double *low, *high;               /* p each; poly2: NULL */
    double step;                      /* gaussian, chi2: spacing of the frequencies */
    double amplitudes[MAP_ORDER + 1]; /* of each frequency */
    sum_map *sums;                    /* for MAP_SUMS */
};

/* A map of this kind without features; NULL when memory ran out. */
tm_map *map_alloc(map_kind kind, size_t p);
/* out += weight f_j(x) for n values of column j (sum_map.h). */
void sum_map_apply(const sum_map *sums, size_t j, double weight, const double *x, size_t n,
                   double *out);
void sum_map_free(sum_map *sums);

/* x mapped to the column's range, 0 at its low end and 1 at its high end; for hik to the power of
 * the exponent. */
double map_place(const tm_map *map, size_t j, double x);
/* Feature k of a column's map->width features, for a value at place t; not for poly2 and sums. */
double map_value(const tm_map *map, double t, size_t k);

/* Factors of poly2's features: of the linear ones, the squares and the pairs. */
double map_linear_factor(const tm_map *map);
double map_pair_factor(const tm_map *map);
/* The number of the pair's feature, j < k. */
uint64_t map_pair(const tm_map *map, size_t j, size_t k);

#endif
