/* Data for tests of runs. */
#ifndef RANDOM_DATA_H
#define RANDOM_DATA_H

#include "core_check.h"

/* y = 2 x_1 - x_2 + noise. */
static inline tm_dataset *random_data(size_t n, size_t p, uint64_t seed)
{
    double *columns = malloc(n * p * sizeof *columns), *y = malloc(n * sizeof *y);
    tm_rng rng;
    assert_true(columns && y);
    tm_rng_seed(&rng, seed);
    fill_normal(&rng, columns, n * p, 1);
    for (size_t i = 0; i < n; i++)
        y[i] = 2 * columns[i] - columns[i + n] + 0.1 * tm_rng_normal(&rng);
    tm_dataset *data = dataset_of(dense_of(n, p, columns), y, true);
    free(columns);
    free(y);
    return data;
}

#endif
