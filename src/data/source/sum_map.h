/* Feature maps whose features are sums of Gaussians of one column, as `kernelfs` learns them:
 *
 *     f_j(x) = sum_m coef_m exp(-(rate_j (x_j - c_mj))^2),   where c_mj is the value of sample m
 *
 * Only chosen columns have such a feature; that of another column is 0. */
#ifndef DATA_SOURCE_SUM_MAP_H
#define DATA_SOURCE_SUM_MAP_H

#include "tamis/map.h"

#include <stdbool.h>

typedef struct sum_map_parts {
    size_t p, n;           /* number of columns, and of samples */
    const double *coef;    /* n */
    size_t count;          /* number of chosen columns */
    const size_t *columns; /* count, ascending, below p */
    const double *rates;   /* count */
    const double *centres; /* count x n, column-major */
} sum_map_parts;

/* Everything is copied; column and feature j have the same number. TM_ENOMEM. */
tm_status map_new_sums(tm_map **out, const sum_map_parts *parts, tm_error *err);
/* False for other maps; the arrays belong to the map. */
bool map_sums(const tm_map *map, sum_map_parts *parts);

#endif
