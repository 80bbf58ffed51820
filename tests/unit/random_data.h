/* Data for tests of runs. */
#ifndef RANDOM_DATA_H
#define RANDOM_DATA_H

#include "tests/core_check.h"

/* y = 2 x_1 - x_2 + noise. */
static inline tm_dataset *random_data(size_t n, size_t p, uint64_t seed)
{
    return linear_data(n, p, 2, -1, 0.1, seed);
}

#endif
