/* Random numbers: xoshiro256++ seeded through splitmix64. The same seed gives the same stream on
 * every machine. A tm_rng belongs to one thread. */
#ifndef TAMIS_RNG_H
#define TAMIS_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct tm_rng {
    uint64_t state[4];
    double spare; /* second value of the last normal pair */
    int has_spare;
} tm_rng;

void tm_rng_seed(tm_rng *rng, uint64_t seed);
uint64_t tm_rng_next(tm_rng *rng);
/* Uniform in [0, 1) with 53 random bits; in [low, high); an integer in [0, bound), bound > 0. */
double tm_rng_uniform(tm_rng *rng);
double tm_rng_range(tm_rng *rng, double low, double high);
size_t tm_rng_below(tm_rng *rng, size_t bound);
/* Standard normal. */
double tm_rng_normal(tm_rng *rng);
/* Writes a random permutation of 0..n-1 to `order`. */
void tm_rng_permutation(tm_rng *rng, size_t *order, size_t n);

#endif
